"""The state of a term, computed from its log: people, dates and what was decided about grades.

It depends on the events that count and on nothing else. Kinds of events that it does not know are
left to the modules that wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from dpteach.grading.course.decisions import Decided
from dpteach.term.log import Event, Log
from dpteach.term.people import Person, read_person


class Request(NamedTuple):
    """A request to look at a grade again, which is open until it is settled."""

    assignment: str
    student: str
    item: str
    text: str
    answer: str | None = None


@dataclass(frozen=True)
class State:
    """The state of a term.

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
    sent
        The assignments whose grades went out, and ``"final"`` if the final grades did.
    """

    people: dict[str, Person] = field(default_factory=dict)
    withdrawn: frozenset[str] = frozenset()
    due: dict[str, datetime | None] = field(default_factory=dict)
    extensions: dict[str, dict[str, datetime]] = field(default_factory=dict)
    dropped: dict[str, dict[str, Decided]] = field(default_factory=dict)
    points: dict[str, dict[str, Decided]] = field(default_factory=dict)
    overrides: dict[str, dict[str, dict[str, Decided]]] = field(default_factory=dict)
    solutions: dict[str, datetime] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    requests: dict[int, Request] = field(default_factory=dict)
    sent: frozenset[str] = frozenset()


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
    found = _Fold()
    for event in events:
        take = getattr(found, f"on_{event.kind}", None)
        if take is not None:
            take(event, event.data)
    return State(**vars(found) | found.frozen())


class _Fold:
    """The state while the events are read; a method for each kind of event that changes it."""

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}
        self.withdrawn: set[str] = set()
        self.due: dict[str, datetime | None] = {}
        self.extensions: dict[str, dict[str, datetime]] = {}
        self.dropped: dict[str, dict[str, Decided]] = {}
        self.points: dict[str, dict[str, Decided]] = {}
        self.overrides: dict[str, dict[str, dict[str, Decided]]] = {}
        self.solutions: dict[str, datetime] = {}
        self.policy: Mapping[str, Any] = {}
        self.requests: dict[int, Request] = {}
        self.sent: set[str] = set()

    def frozen(self) -> dict[str, Any]:
        """Return the sets, which the state must not share."""
        return {"withdrawn": frozenset(self.withdrawn), "sent": frozenset(self.sent)}

    def on_roster(self, event: Event, data: Mapping[str, Any]) -> None:
        self.people |= {one.id: one for one in map(read_person, data["people"])}

    def on_add(self, event: Event, data: Mapping[str, Any]) -> None:
        person = read_person(data["person"])
        self.people[person.id] = person
        self.withdrawn.discard(person.id)

    def on_withdraw(self, event: Event, data: Mapping[str, Any]) -> None:
        self.withdrawn.update(data["students"])

    def on_rejoin(self, event: Event, data: Mapping[str, Any]) -> None:
        self.withdrawn.difference_update(data["students"])

    def on_due(self, event: Event, data: Mapping[str, Any]) -> None:
        self.due[data["assignment"]] = read_instant(data["due"])

    def on_extension(self, event: Event, data: Mapping[str, Any]) -> None:
        until = datetime.fromisoformat(data["until"])
        of_assignment = self.extensions.setdefault(data["assignment"], {})
        of_assignment |= dict.fromkeys(data["students"], until)

    def on_drop(self, event: Event, data: Mapping[str, Any]) -> None:
        of_assignment = self.dropped.setdefault(data["assignment"], {})
        of_assignment.pop(data["item"], None)
        if data["how"] in ("full", "out"):
            of_assignment[data["item"]] = Decided(data["how"], event.why)

    def on_points(self, event: Event, data: Mapping[str, Any]) -> None:
        decided = Decided(float(data["points"]), event.why)
        self.points.setdefault(data["assignment"], {})[data["item"]] = decided

    def on_override(self, event: Event, data: Mapping[str, Any]) -> None:
        of_assignment = self.overrides.setdefault(data["assignment"], {})
        decided = Decided(float(data["points"]), event.why)
        of_assignment.setdefault(data["student"], {})[data["item"]] = decided

    def on_regrade(self, event: Event, data: Mapping[str, Any]) -> None:
        self.requests[event.number] = Request(
            data["assignment"], data["student"], data["item"], event.why
        )

    def on_settle(self, event: Event, data: Mapping[str, Any]) -> None:
        request = self.requests.get(data["request"])
        if request is not None:
            self.requests[data["request"]] = request._replace(answer=event.why)
        if data["points"] is not None:
            self.on_override(event, data)

    def on_solutions(self, event: Event, data: Mapping[str, Any]) -> None:
        self.solutions[data["assignment"]] = datetime.fromisoformat(data["after"])

    def on_final(self, event: Event, data: Mapping[str, Any]) -> None:
        self.policy = data

    def on_sent(self, event: Event, data: Mapping[str, Any]) -> None:
        self.sent.add(data["assignment"])


def read_instant(text: str | None) -> datetime | None:
    """Return a time as the log has it, in UTC without a zone; None if there is none."""
    return None if text is None else datetime.fromisoformat(text)
