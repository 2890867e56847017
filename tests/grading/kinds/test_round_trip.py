"""Tests of three small assignments (see `NAMES`), from the text source to the feedback."""

from __future__ import annotations

import html
import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from in_process import InProcess

from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import Mutant, read_bank, submission
from dpteach.grading.author.source import AssignmentSource, read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import Result
from dpteach.grading.course.gradebook import unknown
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.validate import validate

ROOT = Path(__file__).resolve().parents[3]
COURSES = Path(__file__).parent / "courses"
NAMES = ("break_it", "find_the_fault", "repair")
SEED = 20_261_123

pytestmark = [
    pytest.mark.slow,
    pytest.mark.requires("bubblewrap"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

#: nbformat has no type annotations, so strict mypy needs `Any`
read: Any = nbformat.read
write: Any = nbformat.write
writes: Any = nbformat.writes


@dataclass(frozen=True)
class Built:
    """A built assignment: release, text source, data for grading, and right and wrong answers."""

    name: str
    folder: Path
    source: AssignmentSource
    exam: Exam
    bank: list[Mutant]

    def release(self) -> Any:
        return read(self.folder / f"{self.name}.ipynb", 4)

    def graded(self, notebook: Any) -> Result:
        files = {f"{self.name}.ipynb": writes(notebook).encode(), "checks.json": b"{}"}
        return Result.from_bytes(grade_submission(self.exam.to_bytes(), files, Limits()))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a course in which all assignments of `NAMES` are built."""
    root = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", root)
    (root / "assignments").mkdir()
    for name in NAMES:
        shutil.copy(COURSES / "assignments" / f"{name}.md", root / "assignments")
    build_assignments(root, list(NAMES))
    return root


@pytest.fixture(scope="module", params=NAMES)
def built(request: pytest.FixtureRequest, course: Path) -> Built:
    path = course / "assignments" / f"{request.param}.md"
    return Built(
        request.param,
        course / "release" / request.param,
        read_source(path),
        make_exam(path, SEED),
        read_bank(COURSES / "mutants" / request.param),
    )


def page(built: Built, result: Result) -> str:
    """Return the text of the feedback page on a result, without HTML tags."""
    maximum = sum(item.points for item in result.items)
    text = feedback_page(result, replace(unknown("s", maximum), total=result.score))
    text = re.sub(r"(?s)<(script|style).*?</\1>", " ", text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_the_release_tells_nothing(built: Built) -> None:
    text = (built.folder / f"{built.name}.ipynb").read_text("utf-8")
    for word in ("SOLUTION", "Exhibit", "ceiling", "Mistake(", "hidden=", "law="):
        assert word not in text
    checks = json.loads((built.folder / "checks.json").read_text("utf-8"))["checks"]
    assert all(part["hidden"] is False for part in checks.values())
    for item in built.exam.items:
        assert item.hidden is not None
        assert item.hidden["cases"] != checks[item.name]["cases"]


def test_the_release_earns_nothing(built: Built) -> None:
    result = built.graded(built.release())
    assert result.score == 0
    assert "is not written yet" in page(built, result)


def test_the_solution_earns_everything(built: Built) -> None:
    result = built.graded(submission(built.release(), built.source, {}))
    assert {item.name: item.score for item in result.items} == {
        item.name: item.points for item in built.exam.items
    }
    said = page(built, result)
    if built.name == "break_it":
        assert "The best possible attack finds 87.5 % on average." in said
    if built.name == "find_the_fault":
        assert "Of 3 wrong mechanisms, 3 are proved wrong." in said


def test_wrong_answers_are_explained(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong answer in the assignment's bank earns the points stated there, and gets a hint."""
    InProcess.put_in(monkeypatch)
    for mutant in built.bank:
        result = built.graded(submission(built.release(), built.source, mutant.cells))
        said = page(built, result)
        for item in result.items:
            wanted = mutant.points.get(item.name, item.points)
            assert item.score == pytest.approx(wanted, abs=0.3 if 0 < wanted < item.points else 0)
            for verdict in (item.visible, item.hidden):
                if verdict is not None and verdict["failed"]:
                    words = " ".join(str(verdict["misconception"]).replace("`", "").split())
                    # without a hint on the mistake, the verdict must say which error was raised
                    assert words or "Error" in verdict["returned"], (mutant.name, item.name)
                    assert words in said, (mutant.name, item.name)


def test_validate_says_what_the_notebook_says(built: Built, tmp_path: Path) -> None:
    shutil.copytree(built.folder, tmp_path / built.name)
    path = tmp_path / built.name / f"{built.name}.ipynb"
    assert validate(path).passed == ()
    write(submission(built.release(), built.source, {}), path)
    found = validate(path)
    assert found.passed == tuple(item.name for item in built.exam.items), found.text()
