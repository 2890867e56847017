"""The state of a term, computed from its log: students, dates, and decisions about grades.

The state depends only on the events that were not undone. Events of kinds that `_follow` does not
name, such as ``sent``, do not change the state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from dpteach.grading.course.decisions import Decided, Decisions
from dpteach.term.log import Data, Event, Log
from dpteach.term.people import Person, read_person

_T = TypeVar("_T")
_Table = defaultdict[str, dict[str, _T]]


class Request(NamedTuple):
    """A student's request to have an item graded again.

    Attributes
    ----------
    assignment, student, item
        The names; the item is `TOTAL` for the whole assignment.
    text
        The student's reason.
    answer
        The instructor's answer, or None while the request is open.
    """

    assignment: str
    student: str
    item: str
    text: str
    answer: str | None = None


@dataclass(frozen=True)
class State:
    """The state of a term; only `state_of` may change its tables.

    Attributes
    ----------
    people
        The students by id, also those who withdrew.
    withdrawn
        The ids of the students who withdrew.
    due
        The due dates by assignment, in UTC without a zone; None for an assignment without a date.
        Assignments whose due date no decision changed are missing.
    extensions
        The ends of extensions by assignment and student; the key
        `dpteach.grading.course.decisions.EVERYONE` has the extension of all students.
    dropped
        By assignment and item, how an item was dropped: ``"full"`` gives all students its points,
        and ``"out"`` leaves it out of the total.
    points
        By assignment and item, the new points of items whose points were changed.
    overrides
        By assignment, student and item, the points that a person decided; the key
        `dpteach.grading.course.decisions.TOTAL` has the total.
    solutions
        By assignment, the time before which its solutions must not be released.
    policy
        The rule of the final grade as data (`dpteach.term.final.Policy`), empty for the usual one.
    requests
        The requests for regrading, by the number of their event.
    """

    people: dict[str, Person] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    due: dict[str, datetime | None] = field(default_factory=dict)
    extensions: _Table[datetime] = field(default_factory=lambda: defaultdict(dict))
    dropped: _Table[Decided] = field(default_factory=lambda: defaultdict(dict))
    points: _Table[Decided] = field(default_factory=lambda: defaultdict(dict))
    overrides: _Table[dict[str, Decided]] = field(default_factory=lambda: defaultdict(dict))
    solutions: dict[str, datetime] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)
    requests: dict[int, Request] = field(default_factory=dict)

    def of_assignment(self, assignment: str) -> dict[str, Any]:
        """Return the decisions about an assignment as fields of the grader's `Decisions`."""
        tables = ("extensions", "dropped", "points", "overrides")
        return {name: getattr(self, name).get(assignment, {}) for name in tables}

    def decisions(self, assignment: str) -> Decisions:
        """Return the decisions about an assignment as the grader's `Decisions`."""
        return Decisions(frozenset(self.withdrawn), **self.of_assignment(assignment))


def state(course: Path) -> State:
    """Return the present state of the term of a course.

    Raises
    ------
    dpteach.term.log.LogError
        If the log cannot be read.
    """
    return state_of(Log(course).events())


def state_of(events: Iterable[Event]) -> State:
    """Return the state of a term after some events, none of which is undone."""
    now = State()
    for event in events:
        _follow(now, event, event.data)
    return now


def read_instant(text: str | None) -> datetime | None:
    """Return the time in an event's data, in UTC without a zone; None for None."""
    return None if text is None else datetime.fromisoformat(text)


def _follow(now: State, event: Event, data: Data) -> None:
    """Change the state as one event, with these data, decides."""
    name = data.get("assignment", "")
    match event.kind:
        case "roster":
            now.people.update((one.id, one) for one in map(read_person, data["people"]))
        case "add":
            person = read_person(data["person"])
            now.people[person.id] = person
            now.withdrawn.discard(person.id)
        case "withdraw":
            now.withdrawn.update(data["students"])
        case "rejoin":
            now.withdrawn.difference_update(data["students"])
        case "due":
            now.due[name] = read_instant(data["due"])
        case "extension":
            until = datetime.fromisoformat(data["until"])
            now.extensions[name].update(dict.fromkeys(data["students"], until))
        case "drop" if data["how"] in ("full", "out"):
            now.dropped[name][data["item"]] = Decided(data["how"], event.why)
        case "drop":
            now.dropped[name].pop(data["item"], None)
        case "points":
            now.points[name][data["item"]] = Decided(float(data["points"]), event.why)
        case "regrade":
            request = Request(name, data["student"], data["item"], event.why)
            now.requests[event.number] = request
        case "settle" if data["request"] in now.requests:
            settled = now.requests[data["request"]]._replace(answer=event.why)
            now.requests[data["request"]] = settled
        case "solutions":
            now.solutions[name] = datetime.fromisoformat(data["after"])
        case "final":
            now.policy.clear()
            now.policy.update(data)
    if event.kind in ("override", "settle") and data["points"] is not None:
        own = now.overrides[name].setdefault(data["student"], {})
        own[data["item"]] = Decided(float(data["points"]), event.why)
