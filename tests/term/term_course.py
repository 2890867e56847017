"""A course with graded submissions; ``dpteach`` commands run on it in the test's process."""

from __future__ import annotations

import csv
import io
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import small_course
from small_course import NAME, RIGHT, WRONG, fake_grade, hand_in

from dpteach import cli
from dpteach.grading.author.making import make_exam
from dpteach.grading.classroom.classroom import Settings, grade_class
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.course.store import Store
from dpteach.grading.submission.intake import read_submission

#: the times at which the students anna and ben submitted. The other two students have no time:
#: kim's submission is refused, and zoe has none
CAME = {"anna": "2026-03-01 13:30:00 UTC", "ben": "2026-03-03 13:30:00 UTC"}


class Done(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


class Class:
    """A course with one graded assignment, and methods that run ``dpteach`` commands on it."""

    def __init__(self, course: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.course, self.capsys = course, capsys

    def run(self, *words: str) -> Done:
        """Run a ``dpteach`` command on the course; return its exit code and output."""
        self.capsys.readouterr()
        try:
            code = cli.main([*words, "--course", str(self.course)])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return Done(code, out, err)

    def term(self, *words: str) -> Done:
        """Run a command of ``dpteach term``, and check that it succeeds."""
        done = self.run("term", *words)
        assert done.code == 0, done.err
        return done

    def rows(self) -> dict[str, dict[str, str]]:
        """Return the rows of ``dpteach export`` by student."""
        done = self.run("export", NAME)
        assert done.code == 0, done.err
        return {row["student"]: row for row in csv.DictReader(io.StringIO(done.out))}

    def total(self, student: str) -> tuple[float, float]:
        """Return a student's total and the maximum in the output of ``dpteach export``."""
        row = self.rows()[student]
        return float(row["total"]), float(row["max"])

    def feedback(self, student: str) -> str:
        """Return the text of a student's feedback page, without HTML."""
        page = self.course / "feedback" / student / NAME / f"{NAME}.html"
        return words(page)

    def report(self) -> str:
        """Run ``dpteach report``, and return the text of the report, without HTML."""
        assert self.run("report", NAME).code == 0
        return words(self.course / "reports" / f"{NAME}.html")

    def files(self) -> dict[str, bytes]:
        """Return, by path, the content of all files that an instructor's decision can change."""
        names = [".term", ".grading", "feedback", "gradebook.db"]
        found = [path for name in names for path in sorted((self.course / name).rglob("*"))]
        found.append(self.course / "gradebook.db")
        return {str(path): path.read_bytes() for path in found if path.is_file()}


def words(page: Path) -> str:
    """Return the text of an HTML page without its tags."""
    text = re.sub(r"<(style|svg).*?</\1>", "", page.read_text("utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def grade(course: Path, *students: str) -> None:
    """Grade the submissions of the students by `fake_grade`, without a sandbox or workers."""
    exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
    store = Store(course, NAME)
    store.write_seed(1)
    for student in students:
        files = read_submission(course / "submitted" / student / NAME)
        store.write_result(student, fake_grade(exam.to_bytes(), files, None))
    grade_class(course, NAME, Settings(grade=fake_grade), Progress(io.StringIO()))


def make_class(root: Path) -> Path:
    """Create a course with two graded submissions, a refused one, and a student without one."""
    course = small_course.make_course(root)
    for student, double in (("anna", RIGHT), ("ben", WRONG)):
        stamp = hand_in(course, student, double=double).with_name("timestamp.txt")
        stamp.write_text(CAME[student])
    hand_in(course, "kim", text="this is no notebook")
    grade(course, "anna", "ben", "kim")
    with gradebook(course) as book:
        book.add_student("zoe", first_name="Zoe", last_name="O'Hara")
    return course


def gradebook(course: Path) -> Any:
    """Open nbgrader's gradebook of a course."""
    from nbgrader.api import Gradebook

    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("term") / "course")


@pytest.fixture
def room(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Class]:
    logging.disable(logging.ERROR)
    yield Class(Path(shutil.copytree(made, tmp_path / "course")), capsys)
    logging.disable(logging.NOTSET)
