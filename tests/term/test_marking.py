"""Tests of marking by hand.

They cover the record of marks, the division of answers among markers, how well two markers agree,
the requests of the marking page, the display of answers, and crashes.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import shutil
import signal
import stat
from pathlib import Path
from typing import Any

import marking_course
import numpy as np
import pytest
from marking_course import NAME, png, replay
from test_intake import HOSTILE

from dpteach.grading.course.folder import CourseError, course_api
from dpteach.grading.course.gradebook import Book
from dpteach.term.forget import Student, forget_marks
from dpteach.term.marking.answers import Answer
from dpteach.term.marking.desk import ChangedError, Desk, DeskError, marker
from dpteach.term.marking.marks import Entry, Event, Marks, Record, RecordError, event
from dpteach.term.marking.piles import Piles, agreement, new_numbers

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

STUDENTS = [f"s{i:02d}" for i in range(12)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course in which twelve students have answered two questions of an assignment."""
    course = marking_course.make_course(tmp_path_factory.mktemp("marking") / "course")
    answers = {s: {"letter": f"Letter of {s}.", "why": f"Because {s}."} for s in STUDENTS}
    marking_course.grade(course, answers)
    return course


@pytest.fixture
def course(built: Path, tmp_path: Path) -> Path:
    """Return a copy of the course `built`, which the test may change."""
    return Path(shutil.copytree(built, tmp_path / "course"))


def mark(who: str, points: float = 2, **more: Any) -> dict[str, Any]:
    """Return the data of a request by which a marker gives points to an answer."""
    return {"who": who, "points": points, "comment": "", "lines": [], **more}


def give(
    desk: Desk, number: int, who: str, points: float = 2, item: str = "why", **more: Any
) -> Any:
    """Give points to an answer by the same request as the marking page.

    The request contains "seen", a hash of the answer and its mark, because `Desk.mark` refuses
    points for an answer that has changed since the marker saw it.
    """
    seen = desk.answer(item, number, who)["seen"]
    return desk.mark(item, number, mark(who, points, seen=seen, **more))


def pile(desk: Desk, who: str, item: str = "why") -> list[int]:
    """Return the numbers of those answers to an item that are assigned to a person."""
    return [one["number"] for one in desk.item(item, who)["answers"] if one["mine"]]


def plain(desk: Desk, item: str = "why") -> int:
    """Return the number of an answer that is assigned to Ada, but to no second marker."""
    return next(n for n in pile(desk, "Ada", item) if (item, n) not in desk._piles.sample)


def in_gradebook(course: Path, item: str = "why") -> dict[str, Entry]:
    """Return the gradebook's entries for an item by student."""
    with Marks(course_api(course), NAME) as marks:
        return marks.entries(item)


def student_of(desk: Desk, number: int) -> str:
    """Return the id of the student whom markers know by this number."""
    return desk.names("test")[number]


# ------------------------------------------------------------------ the record of marks


def test_a_record_outlives_a_crash(tmp_path: Path) -> None:
    record = Record(tmp_path, "small")
    with record.locked():
        record.add(event("joined", "Ada"))
    assert stat.S_IMODE((tmp_path / ".term").stat().st_mode) == 0o700
    assert stat.S_IMODE(record.file.stat().st_mode) == 0o600
    with record.file.open("ab") as file_:
        file_.write(b'{"kind": "joined", "who": "Be')
    again = Record(tmp_path, "small")
    assert [one.who for one in again.events()] == ["Ada"]
    with again.locked():
        again.add(event("joined", "Cleo"))
    assert [one.who for one in record.events()] == ["Ada", "Cleo"], "the other one reads on"
    assert len(record.file.read_bytes().splitlines()) == 2


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    record = Record(tmp_path, "small")
    with record.locked():
        record.add(event("joined", "Ada"))
    with record.file.open("ab") as file_:
        file_.write(b"no JSON\n")
    with pytest.raises(RecordError, match=r"line 2 of .*small\.jsonl is damaged"):
        record.events()


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(tmp_path, "small")
    with record.locked():
        record.add(event("joined", "Ada"))
        monkeypatch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError(28, "No space")))
        with pytest.raises(OSError, match="No space"):
            record.add(event("joined", "Ben"))
    assert [one.who for one in Record(tmp_path, "small").events()] == ["Ada"]
    assert record.file.read_bytes().endswith(b"}\n")


def test_only_one_process_writes(tmp_path: Path) -> None:
    record = Record(tmp_path, "small")
    lock = record.file.with_suffix(".lock")
    with record.locked(), lock.open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_marking_goes_on_when_a_student_was_forgotten(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    student, before = student_of(desk, number), pile(desk, "Ada")
    give(desk, number, "Ada", 1, comment="Says too little.")
    with desk.record.locked():
        forget_marks(desk.record.file, Student(student))
    desk.store.file("results", student).unlink()
    text = desk.record.file.read_text()
    assert student not in text and "Says too little" not in text
    for one in (desk, Desk(course, NAME)):
        assert pile(one, "Ada") == [n for n in before if n != number]


# ------------------------------------------------------------------ who marks which answer


def dealt(markers: list[str], count: int = 60, late: int = 0) -> Piles:
    """Return who marks which answer, if `count` answers come when only the first marker has joined.

    `late` further answers come after all markers have joined.
    """
    events = [Event("joined", who) for who in markers]
    numbers = list(range(100, 100 + count))
    events.insert(1, Event("answers", "", data={"item": "why", "numbers": numbers}))
    if late:
        more = list(range(900, 900 + late))
        events.append(Event("answers", "", data={"item": "why", "numbers": more}))
    return replay(events)


@pytest.mark.parametrize("markers", [["Ada"], ["Ada", "Ben"], ["Ada", "Ben", "Cleo", "Dan"]])
@pytest.mark.parametrize("late", [0, 7])
def test_answers_are_dealt_evenly(markers: list[str], late: int) -> None:
    piles = dealt(markers, late=late)
    owned = [sum(one == who for one in piles.owner.values()) for who in markers]
    assert sum(owned) == 60 + late and max(owned) - min(owned) <= 1
    assert len(piles.sample) == (7 if late else 6)
    if len(markers) == 1:
        assert not piles.second
    else:
        assert set(piles.second) == piles.sample
        assert all(piles.second[key] != piles.owner[key] for key in piles.sample)
        seconds = [sum(one == who for one in piles.second.values()) for who in markers]
        assert max(seconds) - min(seconds) <= 2


@pytest.mark.parametrize(("count", "sample"), [(3, 3), (5, 5), (40, 5), (51, 6), (150, 15)])
def test_the_size_of_the_sample(count: int, sample: int) -> None:
    assert len(dealt(["Ada", "Ben"], count).sample) == sample


def test_who_takes_the_answers_of_a_sample_is_not_the_second_marker() -> None:
    piles = dealt(["Ada", "Ben", "Cleo"])
    key, second = next((key, who) for key, who in piles.second.items())
    piles.take(Event("taken", second, data={"item": "why", "numbers": [key[1]]}))
    assert piles.owner[key] == second and piles.second[key] != second


def test_numbers_tell_nothing_and_stay() -> None:
    chosen = random.Random(1)
    first = new_numbers(STUDENTS, (), chosen)
    assert len(set(first.values())) == 12 and all(100 <= n < 1000 for n in first.values())
    assert sorted(first, key=first.__getitem__) != STUDENTS
    later = new_numbers(["late"], first.values(), chosen)
    assert later["late"] not in first.values()
    many = new_numbers([*map(str, range(2000))], (), chosen)
    assert len(set(many.values())) == 2000


# ------------------------------------------------------------------ agreement of two markers


def test_agreement_of_worked_numbers() -> None:
    # over the 3 answers, the mean squared difference between the two marks is 1/3. Over all 9
    # combinations of a first and a second mark, it is 21/9 = 7/3. Kappa is 1 minus the ratio of
    # these means, so 1 - 1/7
    found = agreement([0, 1, 2], [0, 1, 3])
    assert found is not None and found["kappa"] == pytest.approx(1 - 1 / 7)
    assert (found["count"], found["difference"], found["distance"]) == (
        3,
        pytest.approx(-1 / 3),
        pytest.approx(1 / 3),
    )
    assert found["equal"] == pytest.approx(2 / 3)
    assert agreement([], []) is None


def test_kappa_is_that_of_the_table_of_counts() -> None:
    """Kappa equals Cohen's formula with quadratic weights, computed from a table of mark pairs."""
    draw = random.Random(7)
    one = [draw.randrange(11) for _ in range(50)]
    other = [min(10, max(0, a + draw.choice((-2, 0, 0, 1)))) for a in one]
    observed = np.zeros((11, 11))
    np.add.at(observed, (one, other), 1)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / 50
    weights = np.subtract.outer(np.arange(11), np.arange(11)) ** 2
    found = agreement([a / 2 for a in one], [b / 2 for b in other])
    assert found is not None
    assert found["kappa"] == pytest.approx(
        1 - (weights * observed).sum() / (weights * expected).sum()
    )


# ------------------------------------------------------------------ requests of markers


def test_a_mark_is_in_the_gradebook_at_once_and_survives_grading(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk, "letter")
    told = give(desk, number, "Ada", 2.5, "letter", comment=" Good. ", lines=[1, 1, 0, 0, 0])
    assert told["mark"] == {
        "who": "Ada",
        "points": 2.5,
        "lines": (1, 1, 0, 0, 0),
        "comment": "Good.",
    }
    assert told["state"] == "marked"
    student = student_of(desk, number)
    assert in_gradebook(course, "letter")[student] == Entry(2.5, "Good.", False)
    with Book(course_api(course), NAME) as book:
        result = desk.store.result(student)
        assert result is not None
        standing = book.record(student, result, timestamp=None, fresh=False)
    assert standing.scores == {"letter": 2.5, "why": None}
    assert standing.comments == {"letter": "Good."}
    restarted = Desk(course, NAME)
    assert restarted.answer("letter", number, "Ben")["mark"] == told["mark"]
    assert pile(restarted, "Ada", "letter") == pile(desk, "Ada", "letter")


def test_students_are_numbers_until_somebody_asks(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    told = json.dumps([desk.items(), desk.item("why", "Ada")])
    assert not [student for student in STUDENTS if student in told]
    number = plain(desk)
    page = desk.answer("why", number, "Ada")
    student = desk.names("Ada")[number]
    assert f"Because {student}." in page.pop("answer") and student not in json.dumps(page)
    assert desk.record.events()[-1].kind == "names"


def test_a_mark_that_changed_meanwhile_is_shown_and_not_overwritten(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    seen = desk.answer("why", number, "Ada")["seen"]
    give(desk, number, "Ben", 1, comment="Short.")
    with pytest.raises(ChangedError) as changed:
        desk.mark("why", number, mark("Ada", 3, seen=seen))
    assert changed.value.now["mark"]["points"] == 1 and changed.value.now["mark"]["who"] == "Ben"
    assert in_gradebook(course)[student_of(desk, number)] == Entry(1, "Short.", False)
    desk.mark("why", number, mark("Ada", 3, seen=changed.value.now["seen"]))
    assert in_gradebook(course)[student_of(desk, number)] == Entry(3, "", False)


def test_a_request_that_is_sent_twice_counts_once(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    seen = desk.answer("why", number, "Ada")["seen"]
    for _ in range(2):
        desk.mark("why", number, mark("Ada", 3, seen=seen))
    assert [one.kind for one in desk.record.events()].count("marked") == 1


def test_a_mark_of_the_formgrader_is_seen(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    give(desk, number, "Ada", 1)
    student = student_of(desk, number)
    with Marks(course_api(course), NAME) as marks:
        marks.write("why", student, 2.5, "By hand.")
    told = desk.answer("why", number, "Ada")
    assert told["mark"] == {"who": "", "points": 2.5, "lines": (), "comment": "By hand."}


def test_an_answer_that_was_submitted_again_waits_again(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    before = give(desk, number, "Ada", 1)
    student = student_of(desk, number)
    marking_course.grade(course, {student: {"letter": "x", "why": "A better reason."}})
    told = desk.answer("why", number, "Ada")
    assert (told["state"], told["mark"]["points"]) == ("changed", 1)
    assert "A better reason." in told["answer"]
    with pytest.raises(ChangedError):
        desk.mark("why", number, mark("Ada", 2, seen=before["seen"]))
    assert give(desk, number, "Ada", 2)["state"] == "marked"


def test_blank_and_late_answers(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    result = json.loads(desk.store.file("results", "s00").read_text())
    for item in result["items"]:
        item |= {"score": 0.0, "reason": "unanswered"} if item["name"] == "why" else {}
    desk.store.write_result("s00", json.dumps(result).encode())
    marking_course.grade(course, {"late": {"letter": "Late.", "why": "Late."}})
    found = desk.item("why", "Ada")
    assert (found["total"], len(pile(desk, "Ada"))) == (12, 12)
    by_number = {n: s for s, n in desk._piles.numbers.items()}
    students = {by_number[one["number"]] for one in found["answers"]}
    assert "late" in students and "s00" not in students


def two_markers(course: Path) -> tuple[Desk, int]:
    """Let Ada and Ben join as markers; return a `Desk` and the number of an answer.

    A `Desk` holds the answers and marks of one assignment. Ada is the first marker of the answer,
    and Ben the second.
    """
    desk = Desk(course, NAME)
    for who in ("Ada", "Ben"):
        desk.join(who)
    piles = desk._piles
    (_item, number), *_rest = [
        key for key, who in piles.second.items() if who == "Ben" and key[0] == "why"
    ]
    return desk, number


def test_a_second_mark_is_blind_and_stays_out_of_the_gradebook(course: Path) -> None:
    desk, number = two_markers(course)
    give(desk, number, "Ada", 3, comment="Only Ada says this.")
    blind = desk.answer("why", number, "Ben")
    assert blind["mark"] is None and blind["state"] == "open"
    assert "Only Ada" not in json.dumps([blind, desk.item("why", "Ben")])
    assert "Only Ada says this." in desk.item("why", "Ada")["comments"]
    told = give(desk, number, "Ben", 1, comment="Ben doubts.")
    assert in_gradebook(course)[student_of(desk, number)] == Entry(3, "Only Ada says this.", False)
    assert told["mark"]["points"] == 3, "both marks are there, so the first one may be seen"
    found = desk.item("why", "Ada")
    assert found["agreement"]["difference"] == 2 and found["agreement"]["count"] == 1
    (one,) = found["unsettled"]
    assert [(m["who"], m["points"]) for m in one["marks"]] == [("Ada", 3.0), ("Ben", 1.0)]


def test_the_first_marker_does_not_see_the_second_mark(course: Path) -> None:
    desk, number = two_markers(course)
    give(desk, number, "Ben", 1, comment="Ben doubts.")
    told = json.dumps([desk.answer("why", number, "Ada"), desk.item("why", "Ada")])
    assert "Ben doubts" not in told and '"done": 0' in told
    assert desk.answer("why", number, "Ben")["mark"]["points"] == 1, "one's own mark is shown"


def test_who_is_second_may_change_while_an_answer_is_on_the_screen(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    seen = {n: desk.answer("why", n, "Ada")["seen"] for n in pile(desk, "Ada")}
    desk.join("Ben")
    number = next(n for n in seen if desk._piles.second.get(("why", n)) == "Ada")
    desk.mark("why", number, mark("Ada", 1, seen=seen[number]))
    assert in_gradebook(course)[student_of(desk, number)].points is None, "it is the second mark"
    give(desk, number, "Ben", 3)
    blind = next(n for n in seen if desk._piles.second.get(("why", n)) == "Ben")
    before = desk.answer("why", blind, "Ben")["seen"]
    desk.take("why", "Cleo")
    with desk.record.locked():
        desk.record.add(event("taken", "Ben", item="why", numbers=[blind]))
    desk.mark("why", blind, mark("Ben", 2, seen=before))
    assert in_gradebook(course)[student_of(desk, blind)].points == 2
    other = next(w for w in ("Ada", "Cleo") if desk._piles.second.get(("why", blind)) != w)
    with pytest.raises(ChangedError):
        desk.mark("why", blind, mark(other, 1, seen=before))


def test_a_disagreement_is_settled(course: Path) -> None:
    desk, number = two_markers(course)
    give(desk, number, "Ada", 3)
    give(desk, number, "Ben", 1)
    give(desk, number, "Ben", 2, settles=True, comment="Agreed.")
    assert in_gradebook(course)[student_of(desk, number)] == Entry(2, "Agreed.", False)
    found = Desk(course, NAME).item("why", "Ada")
    assert found["unsettled"] == [] and found["agreement"]["difference"] == 2


def test_taking_answers_of_another_pile(course: Path) -> None:
    desk, _number = two_markers(course)
    before = set(pile(desk, "Ada"))
    taken = desk.take("why", "Cleo")
    assert taken and set(taken) <= before | set(pile(desk, "Ben")) | set(taken)
    assert set(taken) <= set(pile(desk, "Cleo"))
    for who in ("Cleo", "Ada", "Ben"):
        for one in desk.item("why", who)["answers"]:
            give(desk, one["number"], who)
    assert desk.take("why", "Dan") == [], "everything is marked"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"points": 3.5}, "points must be from 0 to 3, got 3.5"),
        ({"points": -1}, "got -1"),
        ({"points": float("nan")}, "got nan"),
        ({"points": "2"}, "got '2'"),
        ({"points": True}, "got True"),
        ({"points": False}, "got False"),
        ({"comment": 5}, "comment must be a text of at most 5000"),
        ({"comment": "x" * 5001}, "comment must be a text of at most 5000"),
        ({"lines": [1]}, "lines must fit the scheme"),
        ({"who": " "}, "a name has 1 to 40 characters, got ' '"),
        ({"who": "a\u202eb"}, "a name has"),
        ({"who": None}, "got None"),
    ],
)
def test_bad_marks_are_refused(told: dict[str, Any], words: str, built: Path) -> None:
    desk = Desk(built, NAME)
    number = desk.item("why", "Ada")["answers"][0]["number"]
    with pytest.raises(DeskError, match=words):
        desk.mark("why", number, mark("Ada") | told)


def test_lines_must_earn_the_points(built: Path) -> None:
    desk = Desk(built, NAME)
    number = desk.item("letter", "Ada")["answers"][0]["number"]
    for lines in (
        [1, 1, 0, 0, 0],
        [0, 3, 0, 0, 0],
        [0, -1, 0, 0, 0],
        [True, 0, 0, 0, 0],
        "abc",
        {},
    ):
        with pytest.raises(DeskError, match="must fit the scheme and the points"):
            desk.mark("letter", number, mark("Ada", lines=lines))


def test_what_there_is_not(built: Path, tmp_path: Path) -> None:
    desk = Desk(built, NAME)
    with pytest.raises(DeskError, match="no answer 7 to why"):
        desk.answer("why", 7, "Ada")
    with pytest.raises(DeskError, match="no written answers to nothing"):
        desk.item("nothing", "Ada")
    with pytest.raises(CourseError, match="there is no assignment 'other'"):
        Desk(built, "other")
    assert marker(" Ada  B ") == "Ada B"


# ------------------------------------------------------------------ how answers are shown


def shown(cell: dict[str, Any]) -> str:
    """Return the HTML in which the marking page shows the cell of an answer."""
    question = {"source": "Q", "metadata": {"nbgrader": {"locked": True}}}
    answer = Answer("why", 3, "", json.dumps(cell), json.dumps(question), False)
    return answer.page()["answer"]


def test_pictures_are_shown_unless_they_would_fill_the_memory() -> None:
    small, giant = png(20, 20), png(60_000, 60_000)
    text = "![a](attachment:a.png) ![b](attachment:b.png) and"
    text += f" ![](data:image/png;base64,{small}) ![](data:image/png;base64,{giant}) the end"
    attached = {"a.png": {"image/png": small}, "b.png": {"image/png": giant}}
    page = shown({"source": text, "attachments": attached})
    assert page.count(f'src="data:image/png;base64,{small}"') == 2
    assert giant not in page and "`b.png`" in page.replace("<code>", "`").replace("</code>", "`")
    assert "the end" in page


def test_code_and_its_outputs_are_text_and_pictures() -> None:
    attack = "<script>pwned()</script>"
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": f"\x1b[31mred\x1b[0m {attack}"},
        {"output_type": "display_data", "data": {"image/png": png(20, 20), "text/plain": "Fig"}},
        {"output_type": "display_data", "data": {"image/png": png(60_000, 60_000)}},
        {"output_type": "display_data", "data": {"text/html": attack, "image/svg+xml": attack}},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": [attack]},
    ]
    page = shown({"cell_type": "code", "source": f"plot() # {attack}", "outputs": outputs})
    assert page.count("&lt;script&gt;") == 3 and "<script" not in page and "<svg" not in page
    assert page.count("<img") == 1 and "\x1b" not in page and "red" in page
    assert "too large to be shown" in page


@pytest.mark.parametrize("text", [HOSTILE, "a\u202eb\u0000c", "x" * 20_000])
def test_hostile_text_is_shown_as_text(text: str) -> None:
    page = shown({"source": text})
    assert not re.search(r"<(?:script|svg|style|iframe|form|a)\b|\son\w+=(?![^<]*&)", page)
    assert "\u202e" not in page and len(page) < 40_000


# ------------------------------------------------------------------------------------------ crashes


#: functions at whose call a test kills the process that saves a mark: before the mark is in the
#: gradebook, after that but before it is in the record, and after both
WHERE = {
    "before": (Marks, "write"),
    "between": (Record, "add"),
    "after": (Record, "finished"),
}


def killed_while_marking(course: Path, number: int, where: str) -> int:
    """Mark an answer in a process that is killed at `WHERE[where]`; return the exit code."""
    child = os.fork()
    if not child:
        try:
            desk = Desk(course, NAME)
            seen = desk.answer("why", number, "Ada")["seen"]
            setattr(*WHERE[where], lambda *told: os.kill(os.getpid(), signal.SIGKILL))
            desk.mark("why", number, mark("Ada", comment="So.", seen=seen))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("where", WHERE)
def test_a_kill_loses_and_doubles_nothing(course: Path, where: str) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    student = student_of(desk, number)
    assert killed_while_marking(course, number, where) == -signal.SIGKILL
    restarted = Desk(course, NAME)
    assert restarted.answer("why", number, "Ada")["mark"] == {
        "who": "Ada",
        "points": 2,
        "lines": (),
        "comment": "So.",
    }
    assert in_gradebook(course)[student] == Entry(2, "So.", False)
    assert [one.kind for one in restarted.record.events()].count("marked") == 1
    assert not restarted.record.pending.exists()


def test_an_interrupted_mark_does_not_overwrite_a_later_one(course: Path) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    seen = desk.answer("why", number, "Ada")["seen"]
    data = {"item": "why", "number": number, "points": 2, "comment": "", "lines": [], "seen": seen}
    lost = event("marked", "Ada", **data, answer="?")
    give(desk, number, "Ben", 3)
    desk.record.pending.write_bytes(lost.to_line())
    assert Desk(course, NAME).answer("why", number, "Ada")["mark"]["points"] == 3
    desk.record.pending.write_bytes(lost.to_line()[:20])
    assert Desk(course, NAME).answer("why", number, "Ada")["mark"]["points"] == 3


def test_a_record_that_cannot_be_written_gets_the_mark_later(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mark that is in the gradebook but could not be recorded is recorded by the next request."""
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    student = student_of(desk, number)
    with monkeypatch.context() as full:
        full.setattr(Record, "add", lambda *told: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(OSError, match="full"):
            give(desk, number, "Ada", 2)
        assert in_gradebook(course)[student].points == 2
        assert desk.record.pending.exists()
        with pytest.raises(OSError, match="full"):
            desk.answer("why", number, "Ada")
        assert desk.record.pending.exists()
    assert Desk(course, NAME).answer("why", number, "Ada")["mark"]["points"] == 2
    assert [one.kind for one in desk.record.events()].count("marked") == 1
    assert not desk.record.pending.exists()


def test_an_event_that_is_recorded_is_not_unfinished(course: Path) -> None:
    """A pending event is finished if the record of marks has it, even if later events follow it.

    The file `pending` keeps an event until it is in the record; a crash may leave the file behind.
    """
    record = Record(course, NAME)
    (marked, joined) = event("names", "Ada"), event("joined", "Ben")
    with record.locked():
        record.add(marked)
        record.add(joined)
    record.pending.write_bytes(marked.to_line())
    assert record.unfinished() is None


def test_a_gradebook_that_cannot_be_written_leaves_no_line(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(course, NAME)
    desk.join("Ada")
    number = plain(desk)
    monkeypatch.setattr(Marks, "write", lambda *told: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        give(desk, number, "Ada")
    assert "marked" not in [one.kind for one in desk.record.events()]
    assert not desk.record.pending.exists()
