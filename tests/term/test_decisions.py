"""Tests of commands that record an instructor's decisions, such as extensions and dropped items.

They cover the changed grades, dry runs, undoing and crashes.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pseudo import untranslated
from small_course import NAME, RIGHT, fake_grade, hand_in
from term_course import Class, grade, gradebook

from dpteach import cli
from dpteach.grading.classroom.classroom import (
    ClassroomError,
    Settings,
    Summary,
    grade_class,
    grade_one,
)
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.course.decisions import Decided, Decisions, file_of, read_decisions
from dpteach.grading.course.folder import CourseError, course_api
from dpteach.term import project as projecting
from dpteach.term.deciding import Term, account
from dpteach.term.log import Log
from dpteach.term.project import project
from dpteach.term.state import Person, person_data

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

#: the assignment's due date: anna submits 90 minutes late, and ben two days and 90 minutes late
DUE = "2026-03-01 12:00"


def lines(out: str) -> list[str]:
    """Return the lines of a command's output that report changes."""
    return [line for line in out.splitlines() if "->" in line]


#: for each kind of decision: a command; a line of its output; and the student, column and value of
#: a cell in the table of grades that is exported after the command
CASES: Sequence[tuple[list[str], str, tuple[str, str, str]]] = [
    (
        ["add", "lea", "--first", "Lea"],
        "lea (Lea): not in the course -> takes part",
        ("lea", "status", "missing"),
    ),
    (["withdraw", "ben", "anna"], "ben: takes part -> withdrew", ("ben", "status", "withdrawn")),
    (
        ["due", NAME, DUE],
        "small, due: no date -> 2026-03-01 12:00 UTC",
        ("anna", "late penalty", "2.5"),
    ),
    (
        ["drop", NAME, "half_values", "--out"],
        "anna: 3 of 6 points -> 2 of 5 points",
        ("ben", "max", "5"),
    ),
    (
        ["points", NAME, "double_values", "5"],
        "anna: 3 of 6 points -> 6 of 9 points",
        ("anna", "total", "6"),
    ),
    (
        ["override", NAME, "zoe", "2"],
        "zoe (Zoe O'Hara): 0 of 6 points -> 2 of 6 points",
        ("zoe", "total", "2"),
    ),
    (
        ["override", NAME, "ben", "2.5", "--item", "why"],
        "ben, why: no points -> 2.5 points",
        ("ben", "total", "3.5"),
    ),
]


def test_a_decision_is_tried_recorded_and_undone(room: Class) -> None:
    rows = room.rows()
    for number, (told, said, (student, column, value)) in enumerate(CASES):
        words = [*told, "--why", "It is so.", "--by", "Prof. X"]
        before = room.files()
        tried = room.term(*words, "--dry-run")
        assert said in tried.out
        assert tried.out.endswith("nothing was changed, because of --dry-run\n")
        assert room.files() == before
        done = room.term(*words)
        assert lines(done.out) == lines(tried.out)
        assert done.out.endswith(f"recorded as event {2 * number + 1} of the log\n")
        assert room.rows()[student][column] == value
        event = Log(room.course).all()[-1]
        assert (event.who, event.why, event.kind) == ("Prof. X", "It is so.", told[0])
        assert "counts -> undone" in room.term("undo", str(event.number)).out
        assert room.rows() == rows
    before = room.files()
    assert room.run("term", "undo", "1").err.endswith("event 1 is undone already\n")
    assert "event 2 is of the kind undo, which cannot" in room.run("term", "undo", "2").err
    room.term("withdraw", "ben")
    before = room.files()
    assert "event 15 (withdraw, " in room.term("undo", "15", "--dry-run").out
    assert room.files() == before


def test_who_decides_is_the_account(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    room.term("withdraw", "ben")
    assert Log(room.course).all()[0].who == account() != ""

    def nameless() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert account() == "unknown"


def test_a_student_who_withdrew_is_neither_graded_nor_counted(room: Class) -> None:
    room.term("withdraw", "ben")
    hand_in(room.course, "ben", double=RIGHT)
    told = io.StringIO()
    summary = grade_class(room.course, NAME, Settings(grade=fake_grade), Progress(told))
    assert summary == Summary(unchanged=2, refused=summary.refused)
    assert "ben: withdrew, so the marks are kept and not graded again" in told.getvalue()
    with pytest.raises(ClassroomError, match="ben withdrew and is not graded"):
        grade_one(course_api(room.course), NAME, "ben", unsafe=True)
    row = room.rows()["ben"]
    assert (row["total"], row["status"]) == ("1", "withdrawn")
    text = room.report()
    assert "Withdrew, so not counted on this page: ben" in text
    assert "2 submissions 1 graded 1 not graded 3 mean of 6" in text
    room.term("rejoin", "ben")
    grade(room.course, "ben")
    assert room.rows()["ben"]["total"] == "3"


def test_a_student_who_was_added_late_is_graded(room: Class) -> None:
    room.term(
        "add", "lea", "--first", "Lea", "--last", "Lang", "--email", "l@x.org", "--section", "A"
    )
    with gradebook(room.course) as book:
        assert book.find_student("lea").email == "l@x.org"
    assert Term(room.course).state.people["lea"].section == "A"
    hand_in(room.course, "lea")
    grade(room.course, "lea")
    assert "for lea (Lea Lang)" in room.feedback("lea")
    # the addition of lea is undone, but a student who has points must not be removed
    room.term("undo", "1")
    assert room.rows()["lea"]["total"] == "3"


@pytest.mark.parametrize("first", [True, False])
def test_an_extension_counts_before_and_after_grading(room: Class, first: bool) -> None:
    late = hand_in(room.course, "zoe").with_name("timestamp.txt")
    late.write_text("2026-03-02 12:30:00 UTC")
    room.term("due", NAME, DUE)
    words = ["extension", NAME, "zoe", "--days", "2"]
    if first:
        room.term(*words)
        grade(room.course, "zoe")
    else:
        grade(room.course, "zoe")
        assert room.rows()["zoe"]["late penalty"] == "3"
        assert "zoe (Zoe O'Hara): 0 of 6 points -> 3 of 6 points" in room.term(*words).out
    assert room.total("zoe") == (3, 6)
    assert "late" not in room.feedback("zoe").partition("What to do next")[0]
    # an extension ends at a fixed time, which does not change when the due date is moved
    room.term("due", NAME, "2026-03-01 11:00")
    assert room.total("zoe") == (3, 6)
    room.term("undo", "3")
    room.term("undo", "2")
    assert room.rows()["zoe"]["late penalty"] == "3"
    room.term("undo", "1")
    assert room.rows()["zoe"]["late penalty"] == "0"


def test_an_extension_for_a_group(room: Class, tmp_path: Path) -> None:
    people = [Person("anna", section="A"), Person("ben", section="A"), Person("zoe", section="B")]
    Log(room.course).add("roster", {"people": [*map(person_data, people)], "source": "x"}, who="x")
    room.term("due", NAME, DUE)
    room.term("withdraw", "ben")
    done = room.term("extension", NAME, "--section", "A", "--until", "2026-03-01 14:00 +01:00")
    assert [line for line in lines(done.out) if "in time" in line] == [
        "anna, in time until: 2026-03-01 12:00 UTC -> 2026-03-01 13:00 UTC",
    ]
    some = tmp_path / "some.txt"
    some.write_text("\ufeff# who was ill\nzoe\n\n ben \n", encoding="utf-8")
    done = room.term("extension", NAME, "--list", str(some), "--hours", "1.5")
    those = [line[:3] for line in lines(done.out) if "in time" in line]
    assert those == ["ben", "zoe"]
    assert room.rows()["anna"]["late"] == "30 minutes late"
    done = room.term("extension", NAME, "--all", "--days", "1")
    assert "all students, in time until:" in done.out
    assert room.rows()["anna"]["late"] == ""
    hand_in(room.course, "late").with_name("timestamp.txt").write_text("2026-03-02 11:00:00 UTC")
    grade(room.course, "late")
    assert room.rows()["late"]["late"] == ""


def test_points_of_decisions_are_late_as_well(room: Class) -> None:
    """The late penalty is at most the points that a student has after all decisions."""
    room.term("due", NAME, DUE)
    assert room.rows()["ben"]["late penalty"] == "1"
    room.term("override", NAME, "ben", "3", "--item", "why", "--why", "Good.")
    assert (room.rows()["ben"]["late penalty"], room.rows()["ben"]["total"]) == ("4", "0")
    room.term("override", NAME, "kim", "1", "--why", "An oral exam.")
    assert room.rows()["kim"]["status"] == "graded"
    room.term("override", NAME, "ben", "3", "--why", "Ill.")
    assert (room.rows()["ben"]["late penalty"], room.rows()["ben"]["total"]) == ("0", "3")


def test_feedback_and_report_say_what_was_decided(room: Class) -> None:
    room.term("drop", NAME, "half_values", "--out", "--why", "It had <two> readings.")
    room.term("points", NAME, "double_values", "4", "--why", "It took longer.")
    room.term("override", NAME, "ben", "1", "--item", "why", "--why", "A good idea.")
    room.term("override", NAME, "anna", "5", "--why", "As agreed.")
    told = room.feedback("ben")
    assert "1 of 7 points" in told
    assert (
        "This item was dropped: it does not count. The reason: It had &lt;two&gt; readings." in told
    )
    assert "This item now has 4 points instead of 2. The reason: It took longer." in told
    assert "Your instructor decided the points of this item. The reason: A good idea." in told
    assert "a person changed that" not in told
    told = room.feedback("anna")
    assert "5 of 7 points" in told.partition("What to do next")[0].replace(" , and 3", "") or told
    assert "Your instructor decided the total. The reason: As agreed." in told
    assert "The reason" not in room.feedback("kim")
    text = room.report()
    assert "double_values counts 4 points. The reason: It took longer." in text
    assert "half_values: This item was dropped: it does not count." in text
    assert "Points of single students that were decided: anna, ben" in text
    assert "3 mean of 7" in text
    assert not room.run("report", NAME).err.count("nan")
    rows = room.rows()
    assert [rows["ben"][name] for name in ("double_values", "half_values", "why")] == [
        "0",
        "0",
        "1",
    ]
    assert rows["kim"]["status"] == "refused" and "not a notebook" in rows["kim"]["reason"]


def test_nbgrader_writes_the_same_feedback(room: Class) -> None:
    room.term("due", NAME, DUE)
    room.term("drop", NAME, "double_values", "--full", "--why", "It was wrong.")
    ours = room.feedback("ben")
    assert course_api(room.course).generate_feedback(NAME, "ben")["success"]
    assert room.feedback("ben") == ours
    assert "every submission gets its points. The reason: It was wrong." in ours


def test_a_refused_submission_is_counted_and_not_shown_with_points(room: Class) -> None:
    """The output of a decision counts refused submissions, but does not list them with points."""
    told = room.term("drop", NAME, "half_values", "--out", "--why", "x", "--dry-run").out
    assert "anna: 3 of 6 points -> 2 of 5 points\n" in told and "kim" not in told
    assert "one refused submission has no points\n" in told


def test_a_dropped_item_does_not_stop_grading(room: Class) -> None:
    room.term("drop", NAME, "why", "--full", "--why", "Unclear.")
    assert room.total("anna") == (6, 6)
    assert room.rows()["anna"]["status"] == "graded"
    hand_in(room.course, "zoe")
    grade(room.course, "zoe")
    assert room.total("zoe") == (6, 6)
    # a refused submission gets no points when an item is dropped
    kim = room.rows()["kim"]
    assert (kim["status"], kim["total"], kim["max"]) == ("refused", "", "6")
    assert room.run("term", "override", NAME, "zoe", "1", "--item", "why", "--why", "x").code == 2
    room.term("drop", NAME, "why", "--restore", "--why", "It was clear.")
    assert room.rows()["zoe"]["status"] == "to be graded"


def test_a_request_is_settled(room: Class) -> None:
    room.term("regrade", "request", NAME, "ben", "--item", "why", "--why", "Please look again.")
    room.term("regrade", "request", NAME, "anna", "--why", "The total is wrong.")
    assert room.run("term", "regrade", "list").out.count("[open]") == 2
    before = room.files()
    settle = ["regrade", "settle", "1", "--points", "2", "--why", "Right, two lines hold."]
    assert "ben, why: no points -> 2 points" in room.term(*settle, "--dry-run").out
    assert room.files() == before
    room.term(*settle)
    assert room.total("ben") == (3, 6)
    assert "The reason: Right, two lines hold." in room.feedback("ben")
    room.term("regrade", "settle", "2", "--why", "It is right.")
    assert room.run("term", "regrade", "list", "--open").out == ""
    assert "[settled: It is right.]" in room.run("term", "regrade", "list").out
    assert "event 1 is settled by event 3: undo that first" in room.run("term", "undo", "1").err
    room.term("undo", "3")
    assert room.total("ben") == (1, 6)
    assert room.run("term", "regrade", "list", "--open").out.startswith("1  small ben why")


def test_what_went_out_is_not_undone(room: Class) -> None:
    room.term("override", NAME, "anna", "4", "--why", "x")
    room.term("withdraw", "ben")
    Log(room.course).add("sent", {"assignment": NAME, "form": "plain", "file": "x"}, who="x")
    room.term("override", NAME, "anna", "5", "--why", "y")
    done = room.run("term", "undo", "1")
    assert done.code == 2
    assert "because the grades of small went out after it (event 3, " in done.err
    assert (
        "event 3 is of the kind sent, which cannot be undone" in room.run("term", "undo", "3").err
    )
    room.term("undo", "4")
    assert room.total("anna") == (4, 6)
    room.term("undo", "2")
    Log(room.course).add("sent", {"assignment": "final", "form": "plain", "file": "x"}, who="x")
    room.term("withdraw", "ben")
    room.term("undo", "8")


def test_solutions_wait_for_the_last_student(room: Class, tmp_path: Path) -> None:
    file = tmp_path / "solutions.ipynb"
    write = ["term", "solutions", NAME, "--to", str(file)]
    assert "no time is set for small: set one by --after" in room.run(*write).err
    room.term("due", NAME, DUE)
    assert "until when every student may submit" in (
        room.run("term", "solutions", NAME, "--after", "2026-03-01 11:59").err
    )
    after = ["solutions", NAME, "--after", "2026-03-02 12:00"]
    assert "after: no date -> 2026-03-02 12:00 UTC" in room.term(*after, "--dry-run").out
    room.term(*after)
    room.term("extension", NAME, "zoe", "--until", "2999-01-01 00:00")
    assert "released after 2999-01-01 00:00 UTC" in room.run(*write).err
    room.term("withdraw", "zoe")
    assert "nothing was changed" in room.run(*write, "--dry-run").out
    assert not file.exists()
    assert room.run(*write).out == f"{file}\n"
    notebook = json.loads(file.read_text("utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    assert "return 2 * x" in text and "Because." in text
    assert "Points for the truth" not in text and "###" not in text and "YOUR CODE" not in text
    room.term("undo", "2")
    assert room.run(*write).code == 2
    (room.course / "source" / NAME / f"{NAME}.ipynb").unlink()
    room.term(*after)
    assert "small is not built: dpteach assignments small" in room.run(*write).err


def test_what_an_older_version_recorded_is_refused_as_well(room: Class) -> None:
    file = room.course / ".grading" / NAME / "recorded" / "kim.json"
    told = json.loads(file.read_bytes())
    assert "is not a notebook" in told.pop("refused")
    file.write_text(json.dumps(told))
    row = room.rows()["kim"]
    assert row["status"] == "refused" and "is not a notebook" in row["reason"]


# --- bad input

BAD: Sequence[tuple[list[str], str]] = [
    (["add", "a/b"], "student must have 1 to 250 bytes"),
    (["add", "lea"], "student must be a new one, got student=lea"),
    (
        ["withdraw", "nobody"],
        "student must be one of the course (anna, ben, kim, lea, zoe, ...), got student='nobody'",
    ),
    (["rejoin", "anna"], "student=anna is in that state already: takes part"),
    (["due", "other", DUE], "there is no assignment 'other'; there are: small"),
    (
        ["due", NAME, "tomorrow"],
        "TIME: the time must be YYYY-MM-DD HH:MM:SS and a time zone such as UTC, +02:00, "
        "CEST or Europe/Berlin, got 'tomorrow'",
    ),
    (["due", NAME, ""], "TIME: the time must be"),
    (["due", NAME, "2026-03-01 12:00 XYZ"], "the time zone 'XYZ' is not known"),
    (
        ["extension", NAME, "anna", "--days", "0"],
        "argument --days: must be a number in 0.01..10000, got '0'",
    ),
    (
        ["extension", NAME, "anna", "--hours", "nan"],
        "argument --hours: must be a number in 0.01..10000",
    ),
    (["extension", NAME, "anna"], "one of the arguments --until --days --hours is required"),
    (
        ["extension", NAME, "anna", "--all", "--days", "1"],
        "exactly one of: ID ..., --section NAME, --list FILE, --all",
    ),
    (["extension", NAME, "--days", "1"], "exactly one of"),
    (
        ["extension", NAME, "--section", "Z", "--days", "1"],
        "--section must be one of: -; got 'Z'",
    ),
    (["extension", NAME, "--list", "/nowhere", "--days", "1"], "/nowhere: No such file"),
    (
        ["extension", NAME, "--list", "/dev/null", "--days", "1"],
        "--list must name a student on each line, got /dev/null",
    ),
    (
        ["extension", NAME, "anna", "--until", "2026-03-01 11:00"],
        "--until must be after the due date, 2026-03-01 12:00 UTC, got 2026-03-01 11:00 UTC",
    ),
    (
        ["drop", NAME, "half_values", "--why", "x"],
        "one of the arguments --full --out --restore is required",
    ),
    (
        ["drop", NAME, "half", "--out", "--why", "x"],
        "item must be one of double_values, half_values, why, got item='half'",
    ),
    (["drop", NAME, "half_values", "--out"], "the following arguments are required: --why"),
    (["drop", NAME, "why", "--restore", "--why", "x"], "why: counts as graded already"),
    (
        ["points", NAME, "why", "-1", "--why", "x"],
        "argument POINTS: must be a number in 0..100000, got '-1'",
    ),
    (
        ["points", NAME, "why", "0", "--why", "x"],
        "POINTS must be neither 0 nor 3 as now, got 0",
    ),
    (["points", NAME, "why", "3", "--why", "x"], "nor 3 as now, got 3"),
    (
        ["override", NAME, "anna", "7", "--why", "x"],
        "POINTS of the total must be in 0..6, got 7",
    ),
    (
        ["override", NAME, "anna", "4", "--item", "why", "--why", "x"],
        "POINTS of why must be in 0..3, got 4",
    ),
    (["override", NAME, "anna", "x", "--why", "x"], "argument POINTS: must be a number"),
    (
        ["override", NAME, "zoe", "1", "--item", "why", "--why", "x"],
        "zoe has no submission, so only the total can be decided",
    ),
    (["override", NAME, "leo", "1", "--why", "x"], "got student='leo'"),
    (["override", NAME, "anna", "1"], "required: --why"),
    (["regrade", "request", NAME, "anna", "--item", "z", "--why", "x"], "got item='z'"),
    (
        ["regrade", "settle", "1", "--why", "x"],
        "NUMBER must be that of an open request (-), got 1",
    ),
    (["regrade", "x"], "argument action: invalid choice: 'x'"),
    (["undo", "9"], "number must be in 1..2, got number=9"),
    (["undo", "x"], "argument NUMBER: invalid int value: 'x'"),
    (["solutions", NAME], "one of the arguments --after --to is required"),
    (["solutions", NAME, "--after", "soon"], "--after: the time must be"),
    (
        ["final", "--weight", "small"],
        "must be NAME=WEIGHT, got 'small'",
    ),
    (["final", "--weight", "small=0"], "must be a number in 0.001..100000, got '0'"),
    (["final", "--weight", "other=1"], "there is no assignment 'other'"),
    (
        ["final", "--weight", "small=1", "--weight", "small=2"],
        "each assignment must have one --weight",
    ),
    (["final", "--best", "x"], "argument --best: invalid int value: 'x'"),
    (
        ["final", "--best", "0"],
        "--best must be in 1..1000, got 0",
    ),
    (
        ["final", "--weight", "small=1", "--drop-lowest", "1"],
        "--drop-lowest must be in 0..0, got 1",
    ),
    (["final", "--best", "1", "--to", "x.csv"], "argument --to: not allowed with argument --best"),
    (["nothing"], "invalid choice: 'nothing'"),
]


def test_bad_input_is_named_and_changes_nothing(room: Class) -> None:
    room.term("due", NAME, DUE)
    room.term("add", "lea")
    before = room.files()
    for words, said in BAD:
        done = room.run("term", *words)
        assert done.code == 2, words
        assert said in " ".join(done.err.split()), (words, done.err)
    assert room.files() == before


def test_an_extension_needs_a_due_date(room: Class) -> None:
    done = room.run("term", "extension", NAME, "anna", "--days", "1")
    assert "small has no due date: set one with dpteach term due" in done.err


def test_times_are_those_of_the_course(room: Class) -> None:
    settings = room.course / "nbgrader_config.py"
    settings.write_text(settings.read_text() + "\nc.Exchange.timezone = 'Europe/Berlin'\n")
    assert "-> 2026-07-01 10:00 UTC" in room.term("due", NAME, "2026-07-01 12:00").out
    assert "-> 2026-07-01 12:00 UTC" in room.term("due", NAME, "2026-07-01 12:00 UTC").out
    assert "-> 2026-07-01 15:00 UTC" in room.term("due", NAME, "2026-07-01 12:00 -03").out
    assert "-> 2026-07-01 10:00 UTC" in room.term("due", NAME, "2026-07-01 12:00:00 CEST").out
    assert "-> no date" in room.term("due", NAME, "none").out
    with gradebook(room.course) as book:
        assert book.find_assignment(NAME).duedate is None


def test_messages_are_in_a_catalog(room: Class) -> None:
    out = room.run("--language", "en-XA", "term", "drop", NAME, "why", "--out", "--why", "x").out
    data = (NAME, "why", "anna", "ben", "kim", "zoe", "Zoe", "O'Hara")
    assert untranslated(out, *data) == []


# --- crashes


def forked(do: Callable[[], int]) -> int:
    """Call a function in a forked process, which exits with its result; return the process's id."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = do()
        finally:
            os._exit(code)
    return child


def killed_after(calls: int, course: Path, words: Sequence[str]) -> int:
    """Run a command that records a decision, and kill this process after `calls` writes.

    A write is a call of a function that writes files after the decision is in the log. If the
    command makes at most `calls` of these calls, return its exit code.
    """
    steps = ["_write_decisions", "_dates", "_pages", "write_atomically"]

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*told: Any, **named: Any) -> Any:
            nonlocal calls
            calls -= 1
            if calls < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*told, **named)

        return call

    for name in steps:
        setattr(projecting, name, counted(getattr(projecting, name)))
    return cli.main(["term", *words, "--course", str(course)])


@pytest.mark.parametrize("calls", [1, 2, 3, 4, 5, 6])
def test_a_crash_after_the_log_is_mended_by_the_next_command(room: Class, calls: int) -> None:
    room.term("due", NAME, DUE)
    words = ["extension", NAME, "anna", "ben", "--days", "5"]
    child = forked(lambda: killed_after(calls, room.course, words))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert [event.kind for event in Log(room.course).all()] == ["due", "extension"]
    assert (room.total("anna"), room.total("ben")) == ((3, 6), (1, 6))
    assert "late" not in room.feedback("ben").partition("What to do next")[0]
    once = room.files()
    assert project(room.course) == []
    assert room.files() == once


def test_two_commands_at_once_are_both_carried_out(room: Class) -> None:
    room.term("due", NAME, DUE)
    children = [
        forked(lambda: cli.main(["term", *words, "--course", str(room.course)]))  # noqa: B023
        for words in (
            ["override", NAME, "anna", "4", "--why", "x"],
            ["override", NAME, "ben", "2", "--why", "y"],
            ["withdraw", "kim"],
        )
    ]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0, 0, 0]
    assert [event.number for event in Log(room.course).all()] == [1, 2, 3, 4]
    assert (room.total("anna"), room.total("ben")) == ((4, 6), (2, 6))
    assert "The reason: x" in room.feedback("anna") and "The reason: y" in room.feedback("ben")
    assert room.rows()["kim"]["status"] == "withdrawn"


def test_decisions_are_made_anew_if_they_are_lost_or_damaged(room: Class) -> None:
    room.term("drop", NAME, "why", "--out", "--why", "x")
    file = file_of(room.course)
    for damage in (lambda: file.unlink(), lambda: file.write_text('{"withdrawn": 3}')):
        damage()
        assert room.total("anna") == (3, 3)
    file.write_text("{")
    with pytest.raises(CourseError, match=r"decisions\.json cannot be read"):
        read_decisions(room.course, NAME)


def test_pages_wait_for_a_run_of_the_grader(room: Class) -> None:
    from dpteach.grading.course.store import Store

    with Store(room.course, NAME).lock():
        done = room.term("drop", NAME, "why", "--out", "--why", "It was unclear.")
        assert "the next command writes the feedback anew" in done.out
        assert "unclear" not in room.feedback("anna")
    room.rows()
    assert "unclear" in room.feedback("anna")


def test_a_gradebook_that_fails_leaves_the_decision(
    room: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*told: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(projecting, "_pages", broken)
    done = room.run("term", "drop", NAME, "why", "--out", "--why", "x")
    assert done.code == 1
    assert "recorded, but not carried out yet: No space left on device" in done.err
    assert room.run("export", NAME).code == 2
    monkeypatch.undo()
    assert room.total("anna") == (3, 3)


def test_a_locked_gradebook_leaves_the_decision(
    room: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpteach.grading.course.gradebook._PATIENCE", 0)
    with sqlite3.connect(room.course / "gradebook.db") as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("dpteach.term.deciding.effects", lambda *told: [])
        done = room.run("term", "add", "lea")
        assert (done.code, Log(room.course).all()[0].kind) == (1, "add")
        assert "the gradebook cannot be written: database is locked" in done.err
        other.rollback()
    assert room.rows()["lea"]["status"] == "missing"


def test_decisions_wait_for_an_assignment_that_the_gradebook_lost(room: Class) -> None:
    room.term("due", NAME, DUE)
    file_of(room.course).unlink()
    with gradebook(room.course) as book:
        book.remove_assignment(NAME)
    assert "small: decisions wait until it is built" in room.run("export", NAME).err
    assert room.run("assignments", NAME).code == 0
    assert room.run("export", NAME).code == 0
    with gradebook(room.course) as book:
        assert book.find_assignment(NAME).duedate == datetime(2026, 3, 1, 12)


def test_what_a_person_enters_later_stays(room: Class) -> None:
    room.term("due", NAME, DUE)
    with gradebook(room.course) as book:
        book.update_or_create_assignment(NAME, duedate="2026-03-05 12:00 UTC")
    room.term("withdraw", "zoe")
    with gradebook(room.course) as book:
        assert book.find_assignment(NAME).duedate == datetime(2026, 3, 5, 12)
    assert "due: 2026-03-05 12:00 UTC -> 2026-03-01 12:00 UTC" in room.term("due", NAME, DUE).out


# --- the points that decisions give


def test_decisions_are_applied_in_one_order() -> None:
    decisions = Decisions(
        dropped={"a": Decided("out", ""), "b": Decided("full", "")},
        points={"b": Decided(4.0, ""), "c": Decided(1.0, "less")},
        overrides={"anna": {"b": Decided(1.0, ""), "d": Decided(0.5, "")}},
    )
    scores = {"a": 1.0, "b": None, "c": 1.5, "d": None}
    worth = {"a": 2.0, "b": 2.0, "c": 3.0, "d": 1.0}
    anna = decisions.grades("anna", scores, worth)
    assert anna.scores == {"a": 0.0, "b": 4.0, "c": 0.5, "d": 0.5}
    assert anna.worth == {"a": 0.0, "b": 4.0, "c": 1.0, "d": 1.0}
    assert sorted(anna.notes) == ["a", "b", "c", "d"]
    refused = decisions.grades("ben", dict.fromkeys(worth, 0.0), worth, refused=True)
    assert refused.scores == dict.fromkeys(worth, 0.0)
    assert refused.notes == {}
    assert Decisions().grades("ben", scores, worth).scores == scores
