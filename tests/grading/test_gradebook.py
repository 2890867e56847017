"""Tests of recording results in nbgrader's gradebook, with late penalties and manual points.

nbgrader's own autograde and feedback must agree with `dpteach grade`.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import math
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import nbformat
import pytest
import small_course
from nbgrader.api import InvalidEntry
from pseudo import untranslated
from small_course import NAME, RIGHT, WRONG, fake_grade, grades, hand_in
from sqlalchemy.exc import OperationalError

from dpteach import cli
from dpteach._language import speaking
from dpteach.grading.author.making import make_exam
from dpteach.grading.classroom.classroom import ClassroomError, Settings, grade_class, grade_one
from dpteach.grading.classroom.export import harmless_cell
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.core.result import Result
from dpteach.grading.course import gradebook
from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import Book, GradebookError, read_timestamp
from dpteach.grading.course.late import LatePolicy, lateness
from dpteach.grading.course.store import Store
from dpteach.grading.submission.intake import read_submission

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_course.make_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture
def course(built: Path, tmp_path: Path) -> Iterator[Path]:
    logging.disable(logging.ERROR)
    yield Path(shutil.copytree(built, tmp_path / "course"))
    logging.disable(logging.NOTSET)


def result(course: Path, student: str = "anna", **answers: str) -> Result:
    """Submit answers of a student, and return their result, which `fake_grade` computes."""
    hand_in(course, student, **answers)
    exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
    files = read_submission(course / "submitted" / student / NAME)
    return Result.from_bytes(fake_grade(exam.to_bytes(), files, None))


def due(course: Path, when: str) -> None:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        book.update_or_create_assignment(NAME, duedate=datetime.fromisoformat(when))


def give(course: Path, student: str, points: float, comment: str = "") -> None:
    """Record manual points for the answer to the item ``why``, as the formgrader does."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        grade = book.find_grade("why", NAME, NAME, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.find_comment("why", NAME, NAME, student).manual_comment = comment or None
        book.db.commit()


def test_writing_twice_changes_nothing_and_people_are_not_overruled(course: Path) -> None:
    first, second = result(course), result(course, double=WRONG)
    when = datetime(2026, 3, 1, 12)
    with Book(course_api(course), NAME) as book:
        standing = book.record("anna", first, timestamp=when, fresh=True)
        assert standing.scores == {"double_values": 2.0, "half_values": 1.0, "why": None}
        assert standing.needs_person
        assert (standing.total, standing.maximum) == (3.0, 6.0)
        assert book.record("anna", first, timestamp=when, fresh=False) == standing
    give(course, "anna", 2.5, "Nearly.")
    with Book(course_api(course), NAME) as book:
        standing = book.record("anna", first, timestamp=when, fresh=False)
        assert standing.scores["why"] == 2.5
        assert standing.comments == {"why": "Nearly."}
        assert standing.total == 5.5
        # after a new submission, manual points stay stored, but do not count until a person
        # confirms them
        standing = book.record("anna", second, timestamp=when, fresh=True)
        assert standing.scores == {"double_values": 0.0, "half_values": 1.0, "why": None}
        assert standing.total == 1.0
    assert grades(course)["anna"]["grades"]["why"] == (None, 2.5, True)
    assert grades(course)["anna"]["comments"]["why"] == (None, "Nearly.")


def test_points_to_be_confirmed_are_in_no_sum(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Points that a person must confirm count nowhere: pages, nbgrader, export and report agree."""

    def graded() -> tuple[str, str, dict[str, str]]:
        grade_class(course, NAME, Settings(workers=1, grade=fake_grade), Progress(io.StringIO()))
        ours = page.read_text("utf-8")
        assert course_api(course).generate_feedback(NAME, "anna")["success"]
        assert cli.main(["export", NAME, "--course", str(course)]) == 0
        (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        return ours, page.read_text("utf-8"), row

    page = course / "feedback" / "anna" / NAME / f"{NAME}.html"
    hand_in(course, "anna")
    graded()
    give(course, "anna", 2.5)
    hand_in(course, "anna", double=WRONG)
    ours, by_nbgrader, row = graded()
    assert "<strong>1 of 3 points, and 3 to be graded by hand</strong>" in ours
    assert "1 item waits for a person" in ours
    assert "<strong>1 of 3 points, and 3 to be graded by hand</strong>" in by_nbgrader
    assert (row["total"], row["status"]) == ("1", "to be graded")
    assert [row[item] for item in ("double_values", "half_values", "why")] == ["0", "1", ""]
    assert cli.main(["report", NAME, "--course", str(course)]) == 0
    report = Path(capsys.readouterr().out.strip()).read_text("utf-8")
    assert "<b>1</b> mean of 6" in report
    # a person records the points again, which confirms them for the new submission
    give(course, "anna", 2.5)
    ours, by_nbgrader, row = graded()
    assert "<strong>3.5 of 6 points</strong>" in ours
    assert "<strong>3.5 of 6 points</strong>" in by_nbgrader
    assert (row["total"], row["status"], row["why"]) == ("3.5", "graded", "2.5")


def test_points_of_a_person_in_place_of_a_check(course: Path) -> None:
    """Manual points for a check count until the points that the grader computes for it change."""
    from nbgrader.api import Gradebook

    found = result(course, double=WRONG)
    with Book(course_api(course), NAME) as book:
        book.record("anna", found, timestamp=None, fresh=True)
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        grade = book.find_grade("double_values", NAME, NAME, "anna")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.db.commit()
    better = replace(
        found,
        items=tuple(replace(i, score=i.points) if i.kind == "check" else i for i in found.items),
    )
    with Book(course_api(course), NAME) as book:
        same = book.record("anna", found, timestamp=None, fresh=False)
        assert same.scores["double_values"] == 1.5
        changed = book.record("anna", better, timestamp=None, fresh=False)
        assert changed.scores["double_values"] is None
    assert grades(course)["anna"]["grades"]["double_values"] == (2.0, 1.5, True)


def test_what_was_left_blank_has_no_response(course: Path) -> None:
    stub = 'def double(x):\n    """Twice x."""\n    raise NotImplementedError()'
    release = json.loads((course / "release" / NAME / f"{NAME}.ipynb").read_text())
    assert any("".join(cell["source"]).startswith("def double") for cell in release["cells"])
    found = result(course, double=_source(release, "double") or stub)
    with Book(course_api(course), NAME) as book:
        standing = book.record("anna", found, timestamp=None, fresh=True)
    assert standing.comments == {"double": "No response."}


def _source(notebook: Any, name: str) -> str:
    (cell,) = (
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name
    )
    return "".join(cell["source"])


def test_a_gradebook_that_does_not_know_the_assignment(course: Path) -> None:
    exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
    with (
        Book(course_api(course), "other") as book,
        pytest.raises(GradebookError, match="does not know the assignment other"),
    ):
        book.check(exam)
    (course / "gradebook.db").write_bytes(b"this is no database, whatever it is called" * 100)
    with pytest.raises(GradebookError, match="cannot be opened"):
        Book(course_api(course), NAME)


def test_a_course_that_cannot_be_written(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbgrader.api
    from sqlalchemy.exc import OperationalError

    # simulate SQLite's error, because the tests may run as root, who may write everywhere
    def gradebook(*told: Any) -> None:
        raise OperationalError("", None, Exception("unable to open database file"))

    api = course_api(course)
    monkeypatch.setattr(nbgrader.api, "Gradebook", gradebook)
    with pytest.raises(GradebookError, match="cannot be opened: "):
        Book(api, NAME)
    (course / "gradebook.db").unlink()
    with pytest.raises(GradebookError, match=f"no gradebook, and none can be made in {course}"):
        Book(api, NAME)


def test_lateness(course: Path) -> None:
    """The late penalty is 2.5 points per day begun, at most 12.5, after an hour of grace."""
    found = result(course)
    due(course, "2026-03-01T12:00:00")
    with Book(course_api(course), NAME) as book:
        # on the second day the penalty would be 5 points, but the submission has only 3 points
        for day, hour, minute, lost in (
            (1, 11, 0, 0.0),
            (1, 13, 0, 0.0),
            (2, 13, 1, 3.0),
            (1, 13, 1, 2.5),
        ):
            when = datetime(2026, 3, day, hour, minute)
            standing = book.record("anna", found, timestamp=when, fresh=False)
            assert standing.penalty == lost
            assert standing.total == 3.0 - lost
            assert bool(standing.late) == (hour > 12)
        assert standing.late == "1 hour 1 minute late"
    # a student with an extension is not late
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        book.grant_extension(NAME, "anna", days=1)
    with Book(course_api(course), NAME) as ours:
        when = datetime(2026, 3, 1, 13, 1)
        assert ours.record("anna", found, timestamp=when, fresh=False).penalty == 0.0


def test_times_are_told_in_another_language(tmp_path: Path) -> None:
    with speaking("en-XA"):
        told = [lateness(seconds) for seconds in (0, 60, 86_400 + 7200, 1e6)]
        for text in ("yesterday", "2026-12-05 20:30 CST", "2026-12-05 20:30 XYZ"):
            (tmp_path / "timestamp.txt").write_text(text)
            when, wrong = read_timestamp(tmp_path)
            assert when is None
            told.append(wrong)
    assert [untranslated(text) for text in told] == [[]] * 7


def test_the_policy() -> None:
    policy = LatePolicy(points_per_day=2.0, grace_minutes=10.0, most_points=5.0)
    day = 86_400.0
    for seconds, lost in (
        (0, None), (600, None), (601, 2), (day, 2), (day + 1, 4), (9 * day, 5), (math.inf, 5),
    ):  # fmt: skip
        assert policy.late_submission_penalty("anna", 10.0, seconds) == lost
    assert lateness(0) == "0 minutes late"
    assert lateness(60) == "1 minute late"
    assert lateness(86_400 + 60) == "1 day 1 minute late"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-03-01 12:00:00.5 UTC", datetime(2026, 3, 1, 12, 0, 0, 500_000)),
        ("2026-03-01T12:00:00+02:00", datetime(2026, 3, 1, 10)),
        ("", None),
        ("yesterday", None),
        ("99999-99-99", None),
        ("\x00" * 5000, None),
    ],
)
def test_timestamps(tmp_path: Path, text: str, found: datetime | None) -> None:
    assert read_timestamp(tmp_path) == (None, "")
    (tmp_path / "timestamp.txt").write_text(text)
    when, wrong = read_timestamp(tmp_path)
    assert when == found
    assert bool(wrong) == (found is None and bool(text))
    (tmp_path / "timestamp.txt").rename(tmp_path / "other")
    (tmp_path / "timestamp.txt").symlink_to(tmp_path / "other")
    assert read_timestamp(tmp_path) == (None, "")


def test_nbgrader_works_on_what_was_graded(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After `dpteach grade`, nbgrader's lists, manual points and feedback work."""
    stamp = "2026-03-01 13:30:00 UTC"
    for student, double in (("anna", RIGHT), ("=cmd()", WRONG)):
        path = hand_in(course, student, double=double)
        (path.parent / "timestamp.txt").write_text(stamp)
    due(course, "2026-03-01T13:00:00")
    settings = Settings(workers=1, grade=fake_grade)
    grade_class(course, NAME, settings, Progress(io.StringIO()))
    api = course_api(course)
    found = {one["student"]: one for one in api.get_submissions(NAME)}
    assert set(found) == {"anna", "=cmd()"}
    for one in found.values():
        assert one["autograded"]
        assert one["needs_manual_grade"]
        assert one["timestamp"] == "2026-03-01T13:30:00"
    assert [one["score"] for one in (found["anna"], found["=cmd()"])] == [3.0, 1.0]
    assert len(api.get_notebook_submissions(NAME, NAME)) == 2
    give(course, "anna", 2.0, "A good argument & <b>short</b>.")
    assert not api.get_submission(NAME, "anna")["needs_manual_grade"]
    # both nbgrader and the next `dpteach grade` put the comment onto the feedback page
    page = course / "feedback" / "anna" / NAME / f"{NAME}.html"
    before = page.read_text("utf-8")
    assert api.generate_feedback(NAME, "anna")["success"]
    by_nbgrader = page.read_text("utf-8")
    assert "A good argument &amp; &lt;b&gt;short" in by_nbgrader
    assert grade_class(course, NAME, settings, Progress(io.StringIO())).unchanged == 2
    by_us = page.read_text("utf-8")
    assert "A good argument &amp; &lt;b&gt;short" in by_us
    assert before != by_us
    # the submission is half an hour late, which is within the hour of grace
    assert cli.main(["export", NAME, "--course", str(course)]) == 0
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert rows["anna"] == {
        "student": "anna", "total": "5", "max": "6", "late penalty": "0",
        "late": "30 minutes late", "status": "graded", "reason": "",
        "double_values": "2", "half_values": "1", "why": "2",
    }  # fmt: skip
    assert rows["'=cmd()"]["status"] == "to be graded"
    assert rows["'=cmd()"]["why"] == ""
    file = course / "grades.csv"
    assert cli.main(["export", NAME, "--course", str(course), "--to", str(file)]) == 0
    assert file.read_text("utf-8").startswith("student,total,max")
    assert cli.main(["export", "other", "--course", str(course)]) == 2
    assert "dpteach export: there is no assignment 'other'" in capsys.readouterr().err


@pytest.mark.requires("bubblewrap")
def test_nbgrader_autograde_is_the_same(course: Path) -> None:
    """nbgrader's own autograde gives the same points, notebooks and results as `dpteach grade`."""
    for student, double in (("anna", RIGHT), ("ben", WRONG)):
        path = hand_in(course, student, double=double)
        (path.parent / "timestamp.txt").write_text("2026-03-03 13:30:00 UTC")
    hand_in(course, "carl", json.dumps({"cells": 3}))
    due(course, "2026-03-01T13:00:00")
    twin = Path(shutil.copytree(course, course.parent / "twin"))
    settings = Settings(workers=2, seed=4)
    assert set(grade_class(course, NAME, settings, Progress(io.StringIO())).refused) == {"carl"}
    from dpteach.grading.course.store import Store

    Store(twin, NAME).write_seed(4)
    api = course_api(twin)
    for student in ("anna", "ben"):
        said = api.autograde(NAME, student)
        assert said["success"], said
    assert not api.autograde(NAME, "carl")["success"]
    # leave out carl, because nbgrader treats an unreadable file as a missing submission
    ours = {student: data for student, data in grades(course).items() if student != "carl"}
    assert {student: grades(twin)[student] for student in ours} == ours
    assert ours["anna"]["penalty"] == 3.0
    for student in ours:
        for step in ("autograded", "feedback"):
            for root in (course, twin):
                assert (root / step / student / NAME).is_dir()
        name = f"{student}.json"
        folders = [root / ".grading" / NAME / "results" for root in (course, twin)]
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
        notebooks = [
            root / "autograded" / student / NAME / f"{NAME}.ipynb" for root in (course, twin)
        ]
        first, second = (nbformat.read(path, 4).cells for path in notebooks)
        assert first == second
    # nbgrader computes the same points again from the autograded notebook
    from nbformat import from_dict
    from nbgrader.utils import determine_grade, is_grade

    for student, data in ours.items():
        path = course / "autograded" / student / NAME / f"{NAME}.ipynb"
        for cell in from_dict(json.loads(path.read_bytes())).cells:
            if is_grade(cell):
                score = data["grades"][cell.metadata.nbgrader.grade_id][0]
                assert determine_grade(cell)[0] == score


@pytest.mark.requires("bubblewrap")
def test_nothing_of_a_submission_runs_outside(course: Path, tmp_path: Path) -> None:
    """A submission writes no file outside of the sandbox, even when nbgrader autogrades it."""
    trace = tmp_path / "trace"
    hand_in(course, "anna", double=f"open({str(trace)!r}, 'w').close()\n{RIGHT}")
    assert grade_one(course_api(course), NAME, "anna").score < 3.0
    assert course_api(course).autograde(NAME, "anna")["success"]
    assert not trace.exists()


def test_who_has_handed_in_nothing_has_a_line(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Book(course_api(course), NAME) as ours:
        ours.book.update_or_create_student("anna")
    assert cli.main(["export", NAME, "--course", str(course)]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["student"], row["total"], row["status"]) == ("anna", "0", "missing")
    assert row["half_values"] == row["why"] == ""


def test_one_submission_is_not_graded_beside_a_run(course: Path) -> None:
    """`grade_one`, which nbgrader's autograde calls, refuses to grade while a run has the lock."""
    hand_in(course, "anna")
    store = Store(course, NAME)
    with store.lock(), pytest.raises(ClassroomError, match="is being graded already"):
        grade_one(course_api(course), NAME, "anna")
    assert store.result("anna") is None


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        (" =1", "' =1"),
        ("\uff1d1", "'\uff1d1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff201", "'\uff201"),
        ("a=1", "a=1"),
        ("s;=1+1", "s;'=1+1"),
        ("s; \uff1d1", "s;' \uff1d1"),
        ("s\x1b[2J", "s\N{REPLACEMENT CHARACTER}[2J"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(text: str, harmless: str) -> None:
    assert harmless_cell(text) == harmless


def test_a_locked_gradebook_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing to a locked gradebook is tried again, even if nbgrader wraps the database's error."""
    tried: list[int] = []
    undone: list[int] = []

    def do() -> str:
        tried.append(1)
        if len(tried) < 4:
            raise InvalidEntry("(sqlite3.OperationalError) database is locked")
        return "written"

    monkeypatch.setattr(gradebook.time, "sleep", lambda seconds: None)
    assert gradebook.patient(do, lambda: undone.append(1)) == "written"
    assert len(tried) == 4 and len(undone) == 3
    with pytest.raises(ZeroDivisionError):
        gradebook.patient(lambda: 1 // 0)
    monkeypatch.setattr(gradebook, "_PATIENCE", -1.0)
    tried.clear()
    with pytest.raises(InvalidEntry):
        gradebook.patient(do)


def test_a_full_disk_is_said_in_its_own_words() -> None:
    error = OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))
    assert gradebook._database_message(error) == "database or disk is full"
    again = InvalidEntry(*error.args)
    assert gradebook._database_message(again) == "database or disk is full"
