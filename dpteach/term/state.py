"""The state of a term, computed from its log: people, dates and what was decided about grades.

It depends on the events that count and on nothing else. Kinds of events that it does not know are
left to the modules that wrote them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from dpteach.grading.course.decisions import Decided, Decisions
from dpteach.term.log import Data, Event, Log
from dpteach.term.people import Person, read_person

_T = TypeVar("_T")
_Table = defaultdict[str, dict[str, _T]]


class Request(NamedTuple):
    """A request to look at a grade again, which is open until it is settled."""

    assignment: str
    student: str
    item: str
    text: str
    answer: str | None = None


@dataclass(frozen=True)
class State:
    """The state of a term; its parts must not be changed.

    Attributes
    ----------
    people
        The students by id, also those who withdrew.
    withdrawn
        The ids of the students who withdrew.
    due
        When each assignment is due, in UTC without a zone; None if it has no date. Assignments
        without a decision are missing.
    extensions
        The later dates by assignment and student; that of all students has the name
        `dpteach.grading.course.decisions.EVERYONE`.
    dropped
        By assignment and item, whether an item counts with ``"full"`` points or is ``"out"``.
    points
        By assignment and item, the points of items that were changed.
    overrides
        By assignment, student and item, the points that a person decided; the total has the name
        `dpteach.grading.course.decisions.TOTAL`.
    solutions
        By assignment, the time before which its solutions must not be released.
    policy
        The rule of the final grade as data (`dpteach.term.final.Policy`), empty for the usual one.
    requests
        The requests to look at a grade again, by the number of their event.
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
        """Return what the grader must know about an assignment: fields of `Decisions`."""
        tables = ("extensions", "dropped", "points", "overrides")
        return {name: getattr(self, name).get(assignment, {}) for name in tables}

    def decisions(self, assignment: str) -> Decisions:
        """Return the decisions about an assignment, as the grader reads them."""
        return Decisions(frozenset(self.withdrawn), **self.of_assignment(assignment))


def state(course: Path) -> State:
    """Return the state of the term of a course.

    Raises
    ------
    dpteach.term.log.LogError
        If the log cannot be read.
    """
    return state_of(Log(course).events())


def state_of(events: Iterable[Event]) -> State:
    """Return the state after events that count."""
    now = State()
    for event in events:
        if event.kind in _CHANGES:
            _CHANGES[event.kind](now, event, event.data)
    return now


def read_instant(text: str | None) -> datetime | None:
    """Return a time as the log has it, in UTC without a zone; None if there is none."""
    return None if text is None else datetime.fromisoformat(text)


def _roster(now: State, event: Event, data: Data) -> None:
    now.people.update((one.id, one) for one in map(read_person, data["people"]))


def _add(now: State, event: Event, data: Data) -> None:
    person = read_person(data["person"])
    now.people[person.id] = person
    now.withdrawn.discard(person.id)


def _due(now: State, event: Event, data: Data) -> None:
    now.due[data["assignment"]] = read_instant(data["due"])


def _extension(now: State, event: Event, data: Data) -> None:
    until = dict.fromkeys(data["students"], datetime.fromisoformat(data["until"]))
    now.extensions[data["assignment"]].update(until)


def _drop(now: State, event: Event, data: Data) -> None:
    dropped = now.dropped[data["assignment"]]
    dropped[data["item"]] = Decided(data["how"], event.why)
    if data["how"] not in ("full", "out"):
        del dropped[data["item"]]


def _points(now: State, event: Event, data: Data) -> None:
    now.points[data["assignment"]][data["item"]] = Decided(float(data["points"]), event.why)


def _override(now: State, event: Event, data: Data) -> None:
    own = now.overrides[data["assignment"]].setdefault(data["student"], {})
    own[data["item"]] = Decided(float(data["points"]), event.why)


def _regrade(now: State, event: Event, data: Data) -> None:
    told = data["assignment"], data["student"], data["item"], event.why
    now.requests[event.number] = Request(*told)


def _settle(now: State, event: Event, data: Data) -> None:
    if request := now.requests.get(data["request"]):
        now.requests[data["request"]] = request._replace(answer=event.why)
    if data["points"] is not None:
        _override(now, event, data)


def _solutions(now: State, event: Event, data: Data) -> None:
    now.solutions[data["assignment"]] = datetime.fromisoformat(data["after"])


def _final(now: State, event: Event, data: Data) -> None:
    now.policy.clear()
    now.policy.update(data)


#: what each kind of event changes
_CHANGES: Final[dict[str, Callable[[State, Event, Data], None]]] = {
    "roster": _roster,
    "add": _add,
    "withdraw": lambda now, _, data: now.withdrawn.update(data["students"]),
    "rejoin": lambda now, _, data: now.withdrawn.difference_update(data["students"]),
    "due": _due,
    "extension": _extension,
    "drop": _drop,
    "points": _points,
    "override": _override,
    "regrade": _regrade,
    "settle": _settle,
    "solutions": _solutions,
    "final": _final,
}
