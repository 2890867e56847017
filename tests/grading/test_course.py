"""Tests of a course's folder, settings and gradebook, without building or grading anything."""

from __future__ import annotations

import json
import math
import os
import shutil
import sysconfig
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course import folder, gradebook
from dpteach.grading.course.folder import (
    CourseError,
    assignment_names,
    check_assignment,
    course_api,
    course_folder,
    course_settings,
    setting,
)
from dpteach.grading.course.gradebook import Book, GradebookError, Standing, read_timestamp
from dpteach.grading.course.late import LatePenalties, LatePolicy

NAME = "small"
ITEMS = (
    Item("values", "check", 2.0, "a#b", "f", {"name": "values"}),
    Item("essay", "manual", 3.0, ""),
)
EXAM = Exam(NAME, 1, "{}", ITEMS)
STUBS = {"f": "def f(): ...", "essay": "*Write your answer here.*"}
POLICY = """
c = get_config()
c.AssignLatePenalties.plugin_class = "dpteach.grading.course.late.LatePolicy"
c.LatePolicy.points_per_day = 4
c.LatePolicy.grace_minutes = 60
"""

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a course of two assignments, each with a check and an essay question."""
    from nbgrader.api import Gradebook

    root = tmp_path_factory.mktemp("built") / "course"
    root.mkdir()
    (root / "nbgrader_config.py").write_text(POLICY)
    with Gradebook(course_api(root).coursedir.db_url) as book:
        for name in (NAME, "other"):
            book.add_assignment(name, duedate=datetime(2026, 3, 1, 12))
            book.add_notebook(name, name)
            book.add_solution_cell("f", name, name)
            book.add_grade_cell("values", name, name, max_score=2, cell_type="code")
            book.add_grade_cell("essay", name, name, max_score=3, cell_type="markdown")
            book.add_solution_cell("essay", name, name)
            for cell, text in (("f", STUBS["f"]), ("values", "check"), ("essay", STUBS["essay"])):
                kind = "markdown" if cell == "essay" else "code"
                book.add_source_cell(cell, name, name, cell_type=kind, source=text)
    return root


@pytest.fixture
def course(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "course"))


@pytest.fixture
def book(course: Path) -> Iterator[Book]:
    with Book(course_api(course), NAME) as book:
        yield book


def a_result(
    values: float = 2.0, essay: float | None = None, answers: dict[str, str] | None = None
) -> Result:
    told = {"f": "def f(): return 1", "essay": "Because."} | (answers or {})
    cells = [
        {"cell_type": "code", "source": ["no cell of the assignment"], "metadata": {}},
        {"cell_type": "code", "source": "check", "metadata": {"nbgrader": {"grade_id": "values"}}},
        *(
            {"source": text, "metadata": {"nbgrader": {"grade_id": name, "solution": True}}}
            for name, text in told.items()
        ),
    ]
    items = (
        ItemResult("values", "check", 2.0, "a#b", "key", values),
        ItemResult("essay", "manual", 3.0, "", "key", essay),
    )
    text = json.dumps({"cells": cells})
    return Result(NAME, 1, "files", EXAM.instructor, "bubblewrap", "graded", (), items, text)


def record(book: Book, result: Result, *, fresh: bool = False, **told: Any) -> Standing:
    return book.record("anna", result, timestamp=told.get("timestamp"), fresh=fresh)


def by_hand(book: Book, item: str, **points: Any) -> None:
    """Change the grade of an item in the gradebook, as a person does in nbgrader's formgrader."""
    grade = book.book.find_grade(item, NAME, NAME, "anna")
    for name, value in points.items():
        setattr(grade, name, value)
    book.book.db.commit()


# --- how results are recorded in the gradebook


def test_what_a_person_gave_stays(book: Book) -> None:
    assert record(book, a_result(1.0), fresh=True).scores == {"values": 1.0, "essay": None}
    by_hand(book, "essay", manual_score=2.0, needs_manual_grade=False, extra_credit=0.5)
    book.book.find_comment("essay", NAME, NAME, "anna").manual_comment = "Good."
    for fresh, essay in ((False, 2.5), (True, None)):
        found = record(book, a_result(1.0), fresh=fresh)
        assert found.scores == {"values": 1.0, "essay": essay}
        assert found.needs_person is fresh and found.total == 1.0 + (essay or 0.0)
        assert found.comments == {"essay": "Good."}
        grade = book.book.find_grade("essay", NAME, NAME, "anna")
        assert (grade.manual_score, grade.extra_credit) == (2.0, 0.5)


def test_who_is_asked_again(book: Book) -> None:
    """If computed points or submitted files change, a person must confirm manual points again."""
    record(book, a_result(1.0), fresh=True)
    by_hand(book, "values", manual_score=1.5)
    assert record(book, a_result(1.0)).scores["values"] == 1.5
    assert record(book, a_result(2.0)).scores["values"] is None
    by_hand(book, "values", needs_manual_grade=False)
    assert record(book, a_result(2.0)).scores["values"] == 1.5
    assert record(book, a_result(2.0), fresh=True).scores["values"] is None
    # an item without manual points needs no confirmation
    by_hand(book, "values", manual_score=None, needs_manual_grade=False)
    assert record(book, a_result(1.0), fresh=True).scores["values"] == 1.0
    # a question left blank needs no grading until it is answered
    assert record(book, a_result(essay=0.0)).scores["essay"] == 0.0
    assert record(book, a_result(essay=None)).scores["essay"] is None


def test_an_item_without_a_result_has_no_points(book: Book) -> None:
    record(book, a_result(), fresh=True)
    found = record(book, replace(a_result(), items=(), notebook=""))
    assert found.scores == {"values": 0.0, "essay": 0.0}
    assert not found.needs_person and found.comments == {}


def test_what_is_blank_is_said_as_long_as_it_is(book: Book) -> None:
    for blank in (STUBS, {"f": STUBS["f"]}, {}, {"essay": STUBS["essay"]}):
        found = record(book, a_result(answers=blank))
        assert found.comments == dict.fromkeys(blank, "No response.")


def test_a_time_may_come_and_go(book: Book) -> None:
    late = datetime(2026, 3, 1, 13, 0, 1)
    for when, words, lost in (
        (None, "", 0.0),
        (late, "1 hour 1 minute late", 4.0),
        (datetime(2026, 3, 1, 13), "1 hour late", 0.0),
        (datetime(2026, 3, 1, 12, 0, 1), "1 minute late", 0.0),
        (datetime(2026, 3, 1, 12), "", 0.0),
        (datetime(2026, 3, 2, 12), "1 day late", 4.0),
        (datetime(2026, 3, 2, 12, 0, 1), "1 day 1 minute late", 4.5),
        (None, "", 0.0),
    ):
        found = record(book, a_result(2.0, 2.5), timestamp=when)
        assert (found.timestamp, found.late, found.penalty) == (when, words, lost)
        assert found.total == 4.5 - lost and found.maximum == 5.0


def test_a_penalty_takes_no_more_than_is_shown(book: Book) -> None:
    """A late penalty is at most the points that count; unconfirmed manual points do not count."""
    record(book, a_result(1.0), fresh=True)
    by_hand(book, "essay", manual_score=3.0, needs_manual_grade=False)
    late = datetime(2026, 3, 9)
    assert record(book, a_result(1.0), timestamp=late).penalty == 4.0
    found = record(book, a_result(1.0), timestamp=late, fresh=True)
    assert (found.penalty, found.scores["essay"], found.total) == (1.0, None, 0.0)


def test_every_student_stands_there_in_order(course: Path, book: Book) -> None:
    for student in ("zoe", "ben", "anna"):
        book.book.update_or_create_student(student)
    book.record("ben", a_result(1.0), timestamp=None, fresh=True)
    with Book(course_api(course), "other") as other:
        other.record("anna", a_result(2.0), timestamp=None, fresh=True)
        assert [one.total for one in other.standings()] == [2.0, 0.0, 0.0]
    anna, ben, zoe = book.standings()
    assert (anna.student, ben.student, zoe.student) == ("anna", "ben", "zoe")
    assert ben.submitted and ben.scores == {"values": 1.0, "essay": None}
    for one in (anna, zoe):
        assert one == Standing(one.student, False, None, {}, {}, 0.0, "", 0.0, 5.0)
    assert book.items() == ["values", "essay"] and book.maximum() == 5.0


def test_the_gradebook_is_left_closed(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbgrader.api import Gradebook

    closed = []
    close = Gradebook.close
    monkeypatch.setattr(Gradebook, "close", lambda self: closed.append(self) or close(self))
    with Book(course_api(course), NAME) as book:
        assert not closed
    assert closed == [book.book]


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (ITEMS, ""),
        (ITEMS[:1], "essay: no such item in the text source, 3 points in the gradebook"),
        (
            (*ITEMS, Item("more", "check", 0.5, "")),
            "more: 0.5 points in the text source, no such item in the gradebook",
        ),
        (
            (Item("values", "check", 2.5, ""), ITEMS[1]),
            "values: 2.5 points in the text source, 2 points in the gradebook",
        ),
    ],
)
def test_a_gradebook_of_another_exam_is_refused(
    items: tuple[Item, ...], said: str, book: Book
) -> None:
    exam = Exam(NAME, 1, "{}", items)
    if not said:
        book.check(exam)
        return
    with pytest.raises(GradebookError) as caught:
        book.check(exam)
    assert str(caught.value) == f"{said}; build it with: dpteach assignments small"


def test_a_gradebook_in_use_is_waited_for(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    now = 0.0
    done: list[str] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def failing(*told: Any) -> str:
        if times <= done.count("tried"):
            return "written"
        done.append("tried")
        raise error

    clock = SimpleNamespace(monotonic=lambda: now, sleep=sleep)
    monkeypatch.setattr(gradebook, "time", clock)
    monkeypatch.setattr(book, "_record", failing)
    monkeypatch.setattr(book.book.db, "rollback", lambda: done.append("undone"))

    def sql(words: str) -> OperationalError:
        return OperationalError("", None, Exception(words))

    error: Exception = sql("database is locked")
    times: float = 3
    found: Any = record(book, a_result())
    assert found == "written" and done == ["tried", "undone"] * 3
    # recording tries for one minute to write to a locked gradebook, and then raises an error
    times, now = math.inf, 0.0
    with pytest.raises(GradebookError, match=r"cannot be written: .*database is locked"):
        record(book, a_result())
    assert 60 < now < 61
    for raised, kind in ((sql("disk I/O error"), GradebookError), (ValueError("x"), ValueError)):
        error = raised
        done.clear()
        with pytest.raises(kind):
            record(book, a_result())
        assert done == ["tried", "undone"]


def test_why_a_time_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "timestamp.txt").write_text("the day before " + "yesterday " * 9)
    assert read_timestamp(tmp_path) == (
        None,
        "timestamp.txt has no date and time, so the submission counts as submitted in time: 'the "
        "day before yesterday yesterday yeste'",
    )


# --- penalties for late submission


def test_what_a_policy_takes_when_it_is_told_nothing() -> None:
    policy = LatePolicy()
    assert policy.late_submission_penalty("anna", 10.0, 1e6) is None
    policy = LatePolicy(points_per_day=2.0)
    for seconds, lost in ((0.0, None), (1.0, 2.0), (86_400.0, 2.0), (100 * 86_400.0, 200.0)):
        assert policy.late_submission_penalty("anna", 10.0, seconds) == lost
    policy = LatePolicy(points_per_day=2.0, grace_minutes=1.0, most_points=3.0)
    for seconds, lost in ((60.0, None), (61.0, 2.0), (86_401.0, 3.0)):
        assert policy.late_submission_penalty("anna", 10.0, seconds) == lost
    # `most_points` (7) limits even the penalty for a single day, and the penalty for an infinite
    # delay
    for a_day, seconds, lost in (
        (7.0, 1.0, 7.0),
        (7.5, 1.0, 7.0),
        (100.0, 1.0, 7.0),
        (0.0, math.inf, None),
        (1.0, math.inf, 7.0),
    ):
        policy = LatePolicy(points_per_day=a_day, most_points=7.0)
        assert policy.late_submission_penalty("anna", 10.0, seconds) == lost


@pytest.mark.parametrize("name", ["points_per_day", "grace_minutes", "most_points"])
def test_settings_of_the_policy(name: str) -> None:
    from traitlets import TraitError
    from traitlets.config import Config

    with pytest.raises(TraitError):
        LatePolicy(**{name: -1.0})
    for fine in (0, 0.5, math.inf):
        assert setting(Config({"LatePolicy": {name: fine}}), f"LatePolicy.{name}") == fine
    for bad in (-0.5, math.nan, None, "4", [4]):
        with pytest.raises(ValueError, match=rf"c\.LatePolicy\.{name} must be a number >= 0, got "):
            setting(Config({"LatePolicy": {name: bad}}), f"LatePolicy.{name}")


def test_whatever_policy_the_course_has_is_asked() -> None:
    """The course's plugin for penalties is asked only about late submissions.

    The penalty that it returns is clipped to the range from 0 to the score.
    """
    from nbgrader.plugins import LateSubmissionPlugin

    asked: list[Any] = []

    class Plugin(LateSubmissionPlugin):
        def late_submission_penalty(self, student: str, score: float, seconds: float) -> Any:
            asked.append((student, score, seconds))
            return lost

    penalties = LatePenalties()
    penalties.plugin_inst = Plugin()

    def of(seconds: float) -> float | None:
        student = SimpleNamespace(id="anna")
        return penalties.of(SimpleNamespace(student=student, total_seconds_late=seconds), 3.0)

    lost: Any = 2
    assert of(0.0) is None and asked == []
    assert of(7.0) == 2.0 and asked == [("anna", 3.0, 7.0)]
    for asked_for, taken in ((5, 3.0), (-1, 0.0), (None, None)):
        lost = asked_for
        assert of(7.0) == taken


# --- the folder of the course


def test_assignments_that_were_graded_and_are_gone(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="must be a folder with nbgrader_config"):
        course_folder(tmp_path)
    with pytest.raises(CourseError, match="the course has no assignment"):
        assignment_names(tmp_path, graded=True)
    (tmp_path / "assignments").mkdir()
    for name in ("b.md", "a.md", "c.txt"):
        (tmp_path / "assignments" / name).touch()
    for name in ("d", "a", "e"):
        (tmp_path / ".grading" / name).mkdir(parents=True)
        if name != "e":
            (tmp_path / ".grading" / name / "run.json").touch()
    assert assignment_names(tmp_path) == ["a", "b"]
    assert assignment_names(tmp_path, graded=True) == ["a", "b", "d"]
    check_assignment(tmp_path, "d", graded=True)
    with pytest.raises(CourseError, match=r"there is no assignment 'd'; there are: a, b$"):
        check_assignment(tmp_path, "d")


def test_a_course_is_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path to a course is resolved, and the course's gradebook lies in its folder."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "nbgrader_config.py").write_text("c = get_config()\n")
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "course"
    assert course_folder("course") == root
    coursedir = course_api("course").coursedir
    assert coursedir.root == str(root)
    assert coursedir.db_url == f"sqlite:///{root / 'gradebook.db'}"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("def f():\n    return 1 / 0\n\nx = f()\n", 2, "ZeroDivisionError: division by zero"),
        ("import json\n\njson.loads('')\n", 3, "JSONDecodeError: Expecting value: "),
        ("x = 1\nraise ValueError('two\\n  lines')\n", 2, "ValueError: two lines\n"),
        ("x = 1\nif x:\n", 2, "IndentationError: expected an indented block"),
    ],
)
def test_a_mistake_in_the_settings_has_its_line(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "nbgrader_config.py"
    file.write_text(text)
    with pytest.raises(CourseError) as caught:
        course_settings(tmp_path)
    assert f"{caught.value}\n".startswith(f"{file}:{line}: {said}")
    assert "\n" not in str(caught.value)


def test_nbgrader_finds_its_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = sysconfig.get_path("scripts")
    for before, after in (
        ("/bin", f"{scripts}{os.pathsep}/bin"),
        ("", scripts),
        (f"/bin{os.pathsep}{scripts}", f"/bin{os.pathsep}{scripts}"),
        (f"{scripts}2", f"{scripts}{os.pathsep}{scripts}2"),
    ):
        monkeypatch.setenv("PATH", before)
        folder._tools_on_path()
        assert os.environ["PATH"] == after
