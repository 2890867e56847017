"""Tests of the wheel: contents, size, metadata, and use with only numpy and scipy installed."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import numpy
import pytest
import scipy
import yaml

import dpteach
from dpteach import cli

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]

#: the largest permitted size of a wheel in bytes
MOST_BYTES = 1_120_000
KINDS = {"", ".css", ".html", ".j2", ".js", ".json", ".md", ".py", ".ttf", ".txt", ".typed"}
#: if two files share two consecutive lines with at least this many characters in total, a test
#: takes the lines for copied
LONG = 100


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command until it ends, and return the result even if the command fails."""
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def files(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.fixture(scope="module")
def metadata(files: dict[str, bytes]) -> Message:
    (text,) = (data for name, data in files.items() if name.endswith(".dist-info/METADATA"))
    return message_from_string(text.decode())


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of Python in a new environment that has only the wheel, numpy and scipy."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    uv = Path(sys.executable).with_name("uv")
    done = run(uv, "venv", "--offline", "--python", sys.executable, folder, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    made = folder / "bin" / "python"
    done = run(uv, "pip", "install", "--offline", "--no-deps", "--python", made, wheel, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (packages,) = folder.glob("lib/python*/site-packages")
    for package in (numpy, scipy):
        source = Path(package.__file__ or "").parent
        for part in source.parent.glob(f"{source.name}*"):
            (packages / part.name).symlink_to(part)
    return made


# --- contents of the wheel -------------------------------------------------------------------


def test_the_wheel_is_small_and_has_the_package_only(wheel: Path, files: dict[str, bytes]) -> None:
    assert wheel.name == f"dpteach-{dpteach.__version__}-py3-none-any.whl"
    assert wheel.stat().st_size <= MOST_BYTES
    info = f"dpteach-{dpteach.__version__}.dist-info/"
    assert {name for name in files if not name.startswith(("dpteach/", info))} == set()
    assert {Path(name).suffix for name in files if name.startswith("dpteach/")} <= KINDS
    licenses = {name for name in files if name.startswith(f"{info}licenses/")}
    assert {Path(name).name for name in licenses} == {"LICENSE", "LICENSES.md", "LICENSE.txt"}
    assert "dpteach/py.typed" in files


def test_the_wheel_has_no_tools_of_a_clone(files: dict[str, bytes]) -> None:
    tools = ("demos", "publish", "serve", "building")
    parts = (*(f"dpteach/{name}" for name in tools), "test_", "conftest")
    assert not [name for name in files if any(part in name for part in parts)]
    assert {"dpteach/cli.py", "dpteach/figures/__init__.py", "dpteach/grading/__init__.py"} <= {
        *files
    }


def passages(text: str) -> set[tuple[str, str]]:
    """Return all pairs of consecutive lines that have at least `LONG` characters together."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return {pair for pair in itertools.pairwise(lines) if sum(map(len, pair)) >= LONG}


@pytest.mark.parametrize(
    "folder", ["course_src/assignments", "course_src/mutants", "course_src/demos", "tests/hostile"]
)
def test_the_wheel_has_no_passage_of_assignments_answers_and_attacks(
    folder: str, files: dict[str, bytes]
) -> None:
    shipped = set[tuple[str, str]]()
    for name, data in files.items():
        if Path(name).suffix in {".py", ".html", ".json", ".js", ".md"}:
            shipped |= passages(data.decode())
    kept = set[tuple[str, str]]()
    for path in (ROOT / folder).rglob("*"):
        if path.suffix in {".md", ".py", ".json"} and path.is_file():
            kept |= passages(path.read_text("utf-8"))
    assert len(kept) > 100
    assert kept & shipped == set()


# --- metadata --------------------------------------------------------------------------------


def test_numpy_and_scipy_are_all_that_is_required(metadata: Message) -> None:
    required = metadata.get_all("Requires-Dist") or []
    plain = [line for line in required if "extra ==" not in line]
    assert {re.split(r"[<>=]", line)[0] for line in plain} == {"numpy", "scipy"}
    assert set(metadata.get_all("Provides-Extra") or []) == {*PROJECT["optional-dependencies"]}


def test_supported_versions_are_the_same_everywhere(metadata: Message) -> None:
    prefix = "Programming Language :: Python :: "
    told = [line.removeprefix(prefix) for line in metadata.get_all("Classifier") or []]
    assert [version for version in told if version.startswith("3.")] == VERSIONS
    assert metadata["Requires-Python"] == f">={VERSIONS[0]}"
    assert f"Python {VERSIONS[0]} to {VERSIONS[-1]}" in README.read_text("utf-8")
    workflow = ROOT / ".github" / "workflows" / "tests.yml"
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    assert jobs["library"]["strategy"]["matrix"]["python"] == VERSIONS


def test_the_version_and_the_license_are_the_same_everywhere(metadata: Message) -> None:
    version = dpteach.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## \[(.+?)\] - (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert metadata["Version"] == citation["version"] == newest[1] == version
    assert citation["date-released"] == newest[2]
    assert citation["license"] in metadata["License-Expression"].split(" AND ")


def test_each_extra_is_described(metadata: Message) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", README.read_text("utf-8"), re.MULTILINE)
    assert {*rows, "dev"} == set(metadata.get_all("Provides-Extra") or [])


# --- use with numpy and scipy only ----------------------------------------------------------

EXAMPLES = """
import doctest, json, sys, dpteach
done = doctest.testfile(sys.argv[1], module_relative=False)
print(json.dumps([dpteach.__file__, done.failed, done.attempted]))
"""


def test_the_examples_of_the_readme_run(python: Path, tmp_path: Path) -> None:
    done = run(python, "-I", "-c", EXAMPLES, README, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    place, failed, attempted = json.loads(done.stdout.splitlines()[-1])
    assert Path(place).is_relative_to(python.parents[1])
    assert attempted >= 8 and failed == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("dpteach.figures", "matplotlib", "figures"),
        ("dpteach.widgets", "matplotlib", "widgets"),
    ],
)
def test_a_module_names_the_extra_that_it_needs(
    module: str, package: str, extra: str, python: Path, tmp_path: Path
) -> None:
    done = run(python, "-I", "-c", f"import {module}", cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == (
        f"ModuleNotFoundError: {module} needs {package}, which is not installed: "
        f"pip install 'dpteach[{extra}]'"
    )


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return the folder of a course with one assignment that is not built."""
    (tmp_path / "nbgrader_config.py").write_text("")
    (tmp_path / "assignments").mkdir()
    (tmp_path / "assignments" / "small.md").write_text("# A small one\n")
    empty = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "small.ipynb").write_text(json.dumps(empty))
    return tmp_path


#: for each command, arguments with which the command gets as far as importing its optional
#: dependency
ARGUMENTS = {
    "validate": ["small.ipynb"],
    "new": ["another"],
    "versions": ["small"],
    "grade": ["small"],
    "report": ["small"],
    "export": ["small"],
    "term": ["undo", "1"],
    "log": [],
    "forget": ["anna"],
    "check": [],
    "backup": ["term.zip"],
    "restore": ["term.zip"],
}


@pytest.mark.parametrize("command", ["assignments", *ARGUMENTS])
def test_a_command_names_the_extra_that_it_needs(command: str, python: Path, course: Path) -> None:
    words = ["dpteach", command, *ARGUMENTS.get(command, [])]
    done = run(python, "-I", "-m", *words, cwd=course)
    told = [line for line in done.stderr.splitlines() if "the course is" not in line]
    extra = cli.EXTRAS.get(command, "grading")
    assert done.returncode == 2 and len(told) == 1, done.stderr
    assert re.fullmatch(
        rf"dpteach {command}: this command needs \w+, which is not installed: "
        rf"pip install 'dpteach\[{extra}\]'",
        told[0],
    )


@pytest.mark.parametrize("command", sorted(cli.OF_A_CLONE))
def test_a_command_of_a_clone_says_so(command: str, python: Path, tmp_path: Path) -> None:
    done = run(python, "-I", "-m", "dpteach", command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"dpteach {command}: {cli.CLONE}\n")


@pytest.mark.parametrize(
    ("command", "file"), [("hand-in", "checks.json"), ("mine", "versions_token.txt")]
)
def test_a_command_of_students_needs_no_extra_to_look_for_files(
    command: str, file: str, python: Path, course: Path
) -> None:
    done = run(python, "-I", "-m", "dpteach", command, "small.ipynb", cwd=course)
    assert done.returncode == 2 and file in done.stderr and "Traceback" not in done.stderr


def test_all_commands_were_tried() -> None:
    tried = {"assignments", "hand-in", "mine", *ARGUMENTS, *cli.OF_A_CLONE}
    assert tried == {"assignments", "serve", *cli.ELSEWHERE}
