"""Tests of two cells that the build adds to each notebook: to install dpteach, and to submit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import small_course
from small_course import NAME, answered

from dpteach.grading import hand_in
from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.receipt import receipt
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import CourseError
from dpteach.grading.course.installing import REQUIREMENTS, Repository, first_cell, repository
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.hand_in import compared
from dpteach.grading.student.validate import validate
from dpteach.grading.submission.intake import read_submission

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ADDRESS = "https://github.com/university/privacy"
SETTINGS = {"Publish": {"repository": ADDRESS, "branch": "spring"}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_course.make_course(tmp_path_factory.mktemp("course") / "course")


@pytest.fixture
def mine(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a student's answered notebook, whose folder becomes the current folder."""
    folder = tmp_path / "with a space"
    shutil.copytree(built / "release" / NAME, folder)
    path = folder / f"{NAME}.ipynb"
    path.write_text(answered(built), "utf-8")
    monkeypatch.chdir(folder)
    return path


def codes(notebook: Path) -> list[str]:
    """Return the texts of the code cells of a notebook."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_cells_are_below_the_title_and_at_the_end(built: Path) -> None:
    cells = json.loads((built / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8"))["cells"]
    assert "".join(cells[0]["source"]).startswith("# ")
    assert "except ImportError" in "".join(cells[1]["source"])
    assert "nbgrader" not in cells[1]["metadata"], "it is not graded, and may be removed"
    assert "".join(cells[-1]["source"]).endswith(f'hand_in("{NAME}")')
    assert len({cell["id"] for cell in cells}) == len(cells)


# --- the cell that installs dpteach ----------------------------------------------------------


def run(code: str, folder: Path, *, hide: bool, **environment: str) -> str:
    """Run a cell's code in a new process, without dpteach if `hide`, and return its output."""
    hidden = "import sys; sys.modules['dpteach'] = None\n" if hide else ""
    # let the functions that start commands and download files only print their arguments
    start = (
        "import subprocess, urllib.request as web\n"
        "subprocess.run = lambda words, check: print('run', *words[1:])\n"
        "def fetched(address, file): print('fetch', address, file); open(file, 'w').close()\n"
        "web.urlretrieve = fetched\n"
    )
    end = "\nprint(sorted(name for name in globals() if name in ('os', 'home', 'install', 'file')))"
    done = subprocess.run(
        [sys.executable, "-c", hidden + start + code + end],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_lone_notebook_installs_the_course_from_the_repository(tmp_path: Path) -> None:
    code = first_cell(SETTINGS, "renyi_dp", ["checks.json", "data/table.csv"])
    (tmp_path / "checks.json").write_text("mine")
    raw = "https://raw.githubusercontent.com/university/privacy/spring"
    assert run(code, tmp_path, hide=True).splitlines() == [
        f"fetch {raw}/renyi_dp/data/table.csv data/table.csv",
        f"run -m pip install -q -r {raw}/{REQUIREMENTS}",
        "[]",
    ]
    assert (tmp_path / "checks.json").read_text() == "mine"
    assert run(code, tmp_path, hide=False).splitlines() == ["[]"]


@pytest.mark.parametrize("settings", [{}, {"Publish": {"repository": "https://git.example/a/b"}}])
def test_without_a_repository_on_github_the_cell_says_what_to_do(
    tmp_path: Path, settings: Any
) -> None:
    said = run(first_cell(settings, "renyi_dp", ["checks.json"]), tmp_path, hide=True)
    assert "python start.py" in said and "fetch" not in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("repository", "github.com/a/b"),
        ("repository", "https://github.com/a/b'); import os; ('"),
        ("repository", 3),
        ("branch", "a b"),
        ("branch", ""),
    ],
)
def test_a_wrong_setting_is_refused(name: str, value: Any) -> None:
    settings = {"Publish": SETTINGS["Publish"] | {name: value}}
    with pytest.raises(CourseError, match=rf"c\.Publish\.{name} in nbgrader_config\.py must be"):
        repository(settings)


def test_a_repository_knows_where_its_files_are() -> None:
    assert repository({}) is None
    assert repository(SETTINGS) == Repository(ADDRESS, "spring")
    assert Repository("https://gitlab.com/a/b").files == ""


# --- the cell that submits, by calling hand_in -----------------------------------------------


def test_the_cell_makes_the_file_of_the_command(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(NAME)
    said = capsys.readouterr().out
    file = mine.parent / "hand_in" / mine.name
    fingerprint = receipt(json.loads(mine.read_text("utf-8")))
    assert f"Submit this file: {file}" in said and fingerprint in said
    assert compared(file) == (fingerprint, fingerprint)
    assert "save the notebook" not in said, "it was saved a moment ago"
    os.utime(mine, (1e9, 1e9))
    hand_in(NAME)
    assert "save the notebook (Ctrl+S" in capsys.readouterr().out


def test_the_cell_says_why_there_is_no_file(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.rename("copy.ipynb")
    hand_in(NAME)
    assert f"{NAME}.ipynb does not exist" in capsys.readouterr().out
    with pytest.raises(ValueError, match="assignment must begin with a letter"):
        hand_in("../x")


def test_nothing_is_made_of_the_instructors_notebook(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built / "source" / NAME
    monkeypatch.chdir(folder)
    hand_in(NAME)
    assert "has the solutions" in capsys.readouterr().out
    assert not (folder / "hand_in").exists(), "it would be released"


def test_in_colab_the_file_is_made_from_the_open_notebook(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, downloaded = json.loads(mine.read_text("utf-8")), []

    def request(what: str, **told: Any) -> Any:
        assert what == "get_ipynb"
        return {"ipynb": opened}

    mine.unlink()  # Colab has no file of the notebook beside the kernel
    for name, found in {
        "google.colab": {},
        "google.colab._message": {"blocking_request": request},
        "google.colab.files": {"download": downloaded.append},
    }.items():
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**found))  # type: ignore[arg-type]
    hand_in(NAME)
    file = mine.parent / "hand_in" / mine.name
    assert downloaded == [str(file)] and compared(file)[0] == receipt(opened)
    assert "save the notebook" not in capsys.readouterr().out
    monkeypatch.delattr(sys.modules["google.colab._message"], "blocking_request")
    hand_in(NAME)
    assert "Choose File, Download, Download .ipynb" in capsys.readouterr().out


def test_validating_and_grading_pass_over_both_cells(built: Path, mine: Path) -> None:
    """During validation and grading, the cells that install dpteach and submit do nothing."""
    settings = built / "nbgrader_config.py"
    before = settings.read_text("utf-8")
    text = built / "assignments" / f"{NAME}.md"
    try:
        settings.write_text(f"{before}\nc.Publish.repository = {ADDRESS!r}\n", "utf-8")
        build_source(text, mine.parent.parent / "source")
        exam = make_exam(text, 1)
    finally:
        settings.write_text(before, "utf-8")
    asked = codes(mine.parent.parent / "source" / f"{NAME}.ipynb")
    notebook = json.loads(mine.read_text("utf-8"))
    notebook["cells"][1]["source"] = asked[0]
    assert ADDRESS.removeprefix("https://github.com/") in asked[0]
    mine.write_text(json.dumps(notebook), "utf-8")
    assert not validate(mine).failed
    assert sorted(path.name for path in mine.parent.iterdir()) == ["checks.json", mine.name]
    files = read_submission(mine.parent)
    unsafe = shutil.which("bwrap") is None
    result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits(), unsafe=unsafe))
    assert result.notices == ()
    assert all(item.score == item.points for item in result.items if item.kind == "check")
