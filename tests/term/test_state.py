"""Tests that a term's log determines the term's state: students, due dates and decisions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dpteach.grading.course.decisions import EVERYONE, TOTAL, Decided
from dpteach.term.log import UNDO, Event, Log, counting
from dpteach.term.state import Person, Request, State, person_data, state_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)
STUDENTS, ASSIGNMENTS, ITEMS = ("anna", "ben", "zoe"), ("a", "b"), ("i", "j")


def event(number: int, kind: str, data: Mapping[str, Any], why: str = "") -> Event:
    return Event(number, NOW, "x", kind, why, data, {})


def drawn(rng: random.Random, number: int) -> Event:
    """Return a random event of a log; the event has the given number."""
    student, assignment, item = map(rng.choice, (STUDENTS, ASSIGNMENTS, ITEMS))
    time = (datetime(2026, 3, 1) + timedelta(hours=rng.randrange(99))).isoformat()
    points = rng.randrange(9) / 2
    kind, data = rng.choice(
        [
            ("roster", {"people": [{"id": one, "section": str(number)} for one in STUDENTS[:2]]}),
            ("add", {"person": person_data(Person(student, last=str(number)))}),
            ("withdraw", {"students": [student]}),
            ("rejoin", {"students": [student]}),
            ("due", {"assignment": assignment, "due": rng.choice([time, None])}),
            (
                "extension",
                {
                    "assignment": assignment,
                    "students": rng.sample([*STUDENTS, EVERYONE], 2),
                    "until": time,
                },
            ),
            (
                "drop",
                {
                    "assignment": assignment,
                    "item": item,
                    "how": rng.choice(["full", "out", "counts"]),
                },
            ),
            ("points", {"assignment": assignment, "item": item, "points": points}),
            (
                "override",
                {
                    "assignment": assignment,
                    "student": student,
                    "item": rng.choice([item, TOTAL]),
                    "points": points,
                },
            ),
            ("regrade", {"assignment": assignment, "student": student, "item": item}),
            (
                "settle",
                {
                    "assignment": assignment,
                    "student": student,
                    "item": item,
                    "request": rng.randrange(1, number + 1),
                    "points": rng.choice([None, points]),
                },
            ),
            ("solutions", {"assignment": assignment, "after": time}),
            ("final", {"weights": {"a": points}, "best": None, "lowest": 0}),
            ("sent", {"assignment": rng.choice([*ASSIGNMENTS, "final"])}),
            ("of another module", {"what": "ever"}),
            (UNDO, {"number": rng.randrange(1, number + 1)}),
        ]
    )
    return event(number, kind, data, why=str(number))


@pytest.mark.parametrize("seed", range(20))
def test_the_state_is_a_function_of_the_log(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    log = Log(tmp_path)
    for number in range(1, rng.randrange(3, 40)):
        one = drawn(rng, number)
        log.add(one.kind, one.data, who="x", why=one.why)
    events = log.all()
    now = state_of(log.events())
    assert now == state_of(counting(events))
    # the state must be the same as without the undone events and the events of undoing
    undone = {one.data["number"] for one in events if one.kind == UNDO}
    without = [one for one in events if one.kind != UNDO and one.number not in undone]
    assert now == state_of(without)
    for assignment in ASSIGNMENTS:
        assert now.decisions(assignment) == state_of(without).decisions(assignment)
    # `state_of` must not change the events: the state after some of them must be the same before
    # and after the state of all events is computed
    some = events[: rng.randrange(len(events) + 1)]
    before = state_of(counting(some))
    state_of(counting(events))
    assert before == state_of(counting(some))


def test_the_last_decision_holds() -> None:
    told = [
        ("roster", {"people": [{"id": "anna"}, {"id": "ben"}]}),
        ("roster", {"people": [{"id": "anna", "email": "a@x.org"}]}),
        ("withdraw", {"students": ["anna", "ben"]}),
        ("rejoin", {"students": ["anna"]}),
        ("due", {"assignment": "a", "due": "2026-03-01T12:00:00"}),
        ("extension", {"assignment": "a", "students": ["anna"], "until": "2026-03-05T00:00:00"}),
        ("extension", {"assignment": "a", "students": [""], "until": "2026-03-03T00:00:00"}),
        ("drop", {"assignment": "a", "item": "i", "how": "full"}),
        ("drop", {"assignment": "a", "item": "i", "how": "out"}),
        ("points", {"assignment": "a", "item": "j", "points": 3}),
        ("regrade", {"assignment": "a", "student": "anna", "item": "j"}),
        (
            "settle",
            {"request": 11, "assignment": "a", "student": "anna", "item": "j", "points": 2},
        ),
    ]
    events = [event(n, kind, data, why=f"w{n}") for n, (kind, data) in enumerate(told, 1)]
    now = state_of(events)
    until = {"anna": datetime(2026, 3, 5), "": datetime(2026, 3, 3)}
    assert now == State(
        people={"anna": Person("anna", email="a@x.org"), "ben": Person("ben")},
        withdrawn={"ben"},
        due={"a": datetime(2026, 3, 1, 12)},
        extensions={"a": until},
        dropped={"a": {"i": Decided("out", "w9")}},
        points={"a": {"j": Decided(3.0, "w10")}},
        overrides={"a": {"anna": {"j": Decided(2.0, "w12")}}},
        requests={11: Request("a", "anna", "j", "w11", "w12")},
    )
    decisions = now.decisions("a")
    assert [decisions.until(one) for one in ("anna", "ben")] == [until["anna"], until[""]]
    assert now.decisions("b").until("anna") is None
