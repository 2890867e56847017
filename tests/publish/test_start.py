"""Tests of the student bundle's script `start.py`: copied files, kept work, and errors."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest
from canaries import ROOT, tree

SCRIPT = ROOT / "dpteach" / "publish" / "start.py"
FIRST = {"zcdp/zcdp.ipynb": "one", "zcdp/checks.json": "{}", "zcdp/data/a b.csv": "1"}
SECOND = {**FIRST, "zcdp/zcdp.ipynb": "two", "zcdp/new.csv": "2"}
THIRD = {**FIRST, "zcdp/zcdp.ipynb": "three"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of an unpacked student bundle; the path has a space and an umlaut."""
    place = tmp_path / "für mich" / "dpteach-student"
    (place / "course").mkdir(parents=True)
    shutil.copy(SCRIPT, place)
    return place


def unpack(folder: Path, files: dict[str, str]) -> None:
    """Write the files of a new student bundle over those of an older one, as unzipping would.

    Parameters
    ----------
    folder
        The folder of the bundle.
    files
        The text of each file of the new bundle's assignments, by the file's path.
    """
    for name, text in files.items():
        file = folder / "course" / "assignments" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    about = {"wheel": "a.whl", "assignments": sorted({name.split("/")[0] for name in files})}
    (folder / "course" / "bundle.json").write_text(json.dumps(about), "utf-8")


def script(folder: Path) -> ModuleType:
    """Import `start.py` from the folder of a student bundle, and return the module."""
    spec = importlib.util.spec_from_file_location("start_of_bundle", folder / "start.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def start(folder: Path) -> ModuleType:
    """Return the module `start.py` of a student bundle with one assignment."""
    unpack(folder, FIRST)
    return script(folder)


@pytest.fixture
def copied(start: ModuleType, folder: Path) -> Callable[..., dict[str, str]]:
    """Return a function that unpacks a bundle, copies its files, and returns the copied texts."""

    def copy(files: dict[str, str] | None = None) -> dict[str, str]:
        shutil.rmtree(folder / "course" / "assignments")
        unpack(folder, FIRST if files is None else files)
        start.copy_assignments()
        found = tree(folder / "assignments")
        return {name: data.decode() for name, data in found.items() if ".copied" not in name}

    return copy


# ---------------------------------------------------------------- the student's notebooks


def test_assignments_are_copied_once(
    copied: Callable[..., dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert copied() == FIRST
    assert capsys.readouterr().out == "The assignment zcdp is in assignments/zcdp.\n"
    assert copied() == FIRST
    assert capsys.readouterr().out == ""


def test_a_newer_version_replaces_an_untouched_copy(
    copied: Callable[..., dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    copied()
    assert copied(SECOND) == SECOND
    assert capsys.readouterr().out.count("The assignment zcdp is in assignments/zcdp.\n") == 2


def test_a_newer_version_stands_beside_a_students_work(
    copied: Callable[..., dict[str, str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied()
    notebook = folder / "assignments" / "zcdp" / "zcdp.ipynb"
    notebook.write_text("my work", "utf-8")
    capsys.readouterr()
    mine = {**FIRST, "zcdp/zcdp.ipynb": "my work"}
    second = {name.replace("zcdp/", "zcdp-2/", 1): text for name, text in SECOND.items()}
    assert copied(SECOND) == mine | second
    assert capsys.readouterr().out == (
        "The assignment zcdp has a new version, in assignments/zcdp-2. Your work in "
        "assignments/zcdp is as it was: copy your answers into the new notebook.\n"
    )
    assert copied(SECOND) == mine | second
    assert capsys.readouterr().out == ""
    # the student has not changed zcdp-2, the copy of the second version, so the third version
    # replaces it
    third = {name.replace("zcdp/", "zcdp-2/", 1): text for name, text in THIRD.items()}
    assert copied(THIRD) == mine | third
    (folder / "assignments" / "zcdp-2" / "zcdp.ipynb").write_text("more work", "utf-8")
    found = copied(SECOND)
    assert found["zcdp-2/zcdp.ipynb"] == "more work" and found["zcdp-3/zcdp.ipynb"] == "two"
    assert found["zcdp/zcdp.ipynb"] == "my work"


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "hand_in/zcdp.ipynb"])
def test_a_students_own_file_is_work(
    name: str, copied: Callable[..., dict[str, str]], folder: Path
) -> None:
    copied()
    own = folder / "assignments" / "zcdp" / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine", "utf-8")
    found = copied(SECOND)
    assert found[f"zcdp/{name}"] == "mine" and found["zcdp-2/zcdp.ipynb"] == "two"


def test_what_jupyter_writes_is_no_work(
    copied: Callable[..., dict[str, str]], folder: Path
) -> None:
    copied()
    for name in (".ipynb_checkpoints", "__pycache__"):
        (folder / "assignments" / "zcdp" / name).mkdir()
        (folder / "assignments" / "zcdp" / name / "file").write_text("x")
    assert copied(SECOND) == SECOND


def test_a_folder_that_the_student_made_is_left_alone(
    copied: Callable[..., dict[str, str]], folder: Path
) -> None:
    (folder / "assignments" / "zcdp").mkdir(parents=True)
    assert {name.partition("/")[0] for name in copied()} == {"zcdp-2"}
    (folder / "assignments" / "other").write_text("a file")
    other = {"other/other.ipynb": "x"}
    assert copied(other)["other-2/other.ipynb"] == "x"


def test_a_lost_file_comes_back(copied: Callable[..., dict[str, str]], folder: Path) -> None:
    copied()
    shutil.rmtree(folder / "assignments" / "zcdp" / "data")
    (folder / "assignments" / "zcdp" / "zcdp.ipynb").write_text("my work", "utf-8")
    assert copied() == {**FIRST, "zcdp/zcdp.ipynb": "my work"}


def test_a_copy_that_was_interrupted_is_made_again(
    copied: Callable[..., dict[str, str]], folder: Path
) -> None:
    half = folder / "assignments" / ".zcdp.part"
    half.mkdir(parents=True)
    (half / "zcdp.ipynb").write_text("on")
    assert copied() == FIRST and not half.exists()


def test_a_copy_has_the_time_of_copying(
    copied: Callable[..., dict[str, str]], folder: Path
) -> None:
    """A copied file is dated by when it was copied; `dpteach hand-in` shows this time."""
    for file in (folder / "course").rglob("*"):
        os.utime(file, (0, 0))
    copied()
    assert (folder / "assignments" / "zcdp" / "zcdp.ipynb").stat().st_mtime > 1e9


# ---------------------------------------------------------------- requirements of the computer


def refused(start: ModuleType) -> str:
    """Return the reason why `start.py` cannot install the course, or "" if it can."""
    return str(start.obstacle())


@pytest.mark.parametrize("version", [(3, 7, 0), (3, 10, 14), (3, 15, 0), (4, 0, 0)])
def test_another_python_is_refused_in_a_sentence(
    version: tuple[int, int, int], start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start.sys, "version_info", version)
    assert refused(start).startswith(
        "This course needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python "
        + ".".join(map(str, version))
    )


def test_an_old_python_can_read_the_script() -> None:
    text = SCRIPT.read_text("utf-8")
    tree = ast.parse(text, feature_version=(3, 7))
    imported = {
        name.name.partition(".")[0] if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in node.names
    }
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
    # the script may not import these modules, which Python 3.7 lacks
    assert not imported & {"tomllib", "graphlib", "zoneinfo", "importlib.metadata"}


def test_a_32_bit_python_is_refused(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start.struct, "calcsize", lambda kind: 4)
    assert "32-bit" in refused(start)


def test_a_script_outside_of_its_folder_is_refused(start: ModuleType, folder: Path) -> None:
    shutil.rmtree(folder / "course")
    assert "Unpack the whole zip file first" in refused(start)


def test_a_python_without_venv_is_refused(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None)
    assert "apt install python3-venv" in refused(start)


def test_a_long_path_is_refused_on_windows(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "HERE", Path("x" * 200))
    assert start.obstacle() == ""

    class Windows:
        name = "nt"

    monkeypatch.setattr(start, "os", Windows)
    assert "too long for Windows" in refused(start)


def test_this_python_is_right(start: ModuleType) -> None:
    assert start.obstacle() == ""


# ---------------------------------------------------------------- the installation


@pytest.fixture
def small(folder: Path) -> Path:
    """Return a bundle with wheels of its package `a` and of `one`, the only requirement of `a`."""
    unpack(folder, FIRST)
    for name in ("one", "a"):
        info = f"{name}-1.dist-info"
        with ZipFile(folder / "course" / f"{name}-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}.py", "")
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", f"{name}.py,,\n")
    about = {"wheel": "a-1-py3-none-any.whl", "assignments": ["zcdp"]}
    (folder / "course" / "bundle.json").write_text(json.dumps(about), "utf-8")
    digest = script(folder).digest(folder / "course" / "one-1-py3-none-any.whl")
    (folder / "course" / "requirements.txt").write_text(f"one==1 --hash=sha256:{digest}\n", "utf-8")
    return folder


def installed(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run ``start.py --install`` in another process, with further environment variables."""
    return subprocess.run(
        [sys.executable, folder / "start.py", "--install"],
        env={
            **os.environ,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": ".",
            "PYTHONPATH": str(folder),
            **settings,
        },
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_an_installation_goes_on_where_it_stopped(small: Path) -> None:
    """After an interrupted installation, the next start installs only what is missing."""
    (small / "course" / "one-1-py3-none-any.whl").rename(small / "one")
    done = installed(small)
    assert done.returncode == 2
    assert "The packages cannot be installed: ERROR: " in done.stderr
    assert "it goes on where it stopped" in done.stderr and "Traceback" not in done.stderr
    (small / "one").rename(small / "course" / "one-1-py3-none-any.whl")
    done = installed(small)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Making the environment" not in done.stdout
    assert done.stdout.endswith("The assignment zcdp is in assignments/zcdp.\n")
    done = installed(small, PATH="", PIP_FIND_LINKS="/nowhere")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    moved = small.rename(small.with_name("moved"))
    done = installed(moved, PIP_FIND_LINKS="/nowhere")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # remove files as if pip had been killed while it wrote the package: the next start must
    # install the package again
    (half,) = moved.glob("environment/lib/python3*/site-packages/one-1.dist-info")
    (half / "RECORD").unlink()
    (half.parent / "one.py").unlink()
    (moved / "environment" / "installed.json").unlink()
    assert installed(moved).returncode == 0
    assert (half / "RECORD").is_file() and (half.parent / "one.py").is_file()


@pytest.mark.slow
@pytest.mark.exhaustive
def test_an_environment_whose_python_is_gone_is_made_again(small: Path) -> None:
    assert installed(small).returncode == 0
    (small / "environment" / "bin" / "python").unlink()
    done = installed(small)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Making the environment" in done.stdout
