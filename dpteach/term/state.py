"""The state of a term, computed from its log: students, dates, and decisions about grades.

A student is a `Person`, with names and with the identifiers that each LMS (learning management
system) gives the student.

The state depends only on the events that were not undone, and only on the kinds of events that
`_follow` names; for example, an event of the kind ``sent`` does not change the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from dpteach._language import catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.course.decisions import Decided, Decisions
from dpteach.grading.course.gradebook import called, full_name
from dpteach.term.log import Data, Event

_, _n = catalog("term")


@dataclass(frozen=True)
class Person:
    """A student of a term.

    Attributes
    ----------
    id
        The student's id, which names the student's folders and entry in nbgrader's gradebook. It
        never changes, even if a later roster gives the student another login.
    first, last, email, section
        The names, the e-mail address and the section; "" where unknown.
    keys
        The identifiers that learning management systems give the student, by the names of fields
        such as ``canvas_id``, ``sis_user_id``, ``moodle_idnumber`` or ``blackboard_username``.
    """

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The full name, such as Anna Berg, or the id if no name is known."""
        return full_name(self.first, self.last) or self.id

    @property
    def called(self) -> str:
        """The id, followed by the full name in parentheses if a name is known."""
        return called(self.id, full_name(self.first, self.last))


def person_data(person: Person) -> dict[str, Any]:
    """Return a person as JSON data from which `read_person` makes an equal person.

    Examples
    --------
    >>> person_data(Person("anna", "Anna", "Berg", keys={"canvas_id": "7"}))["keys"]
    {'canvas_id': '7'}
    """
    return asdict(person)


def read_person(data: Mapping[str, Any]) -> Person:
    """Return the person that JSON data describe.

    Parameters
    ----------
    data
        The result of `person_data`; all keys except ``id`` may be missing.

    Raises
    ------
    ValueError
        If a field has another type, or the id is no student id.

    Examples
    --------
    >>> read_person({"id": "anna", "first": "Anna", "last": "Berg"}).name
    'Anna Berg'
    """
    fields = {name: data.get(name, "") for name in ("id", "first", "last", "email", "section")}
    keys = dict(data.get("keys", {}))
    wrong = [one for one in (*fields.values(), *keys.values()) if not isinstance(one, str)]
    if wrong:
        raise ValueError(_("a person must have texts, got {value}", value=repr(wrong[0])[:60]))
    student_id(fields["id"])
    return Person(**fields, keys=keys)


class Request(NamedTuple):
    """A student's request to have an item graded again.

    Attributes
    ----------
    assignment, student, item
        The names of the assignment and the item, and the student's id; the item `TOTAL` stands for
        the whole assignment.
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
    """The state of a term; only `state_of` may change its dictionaries and sets.

    Attributes
    ----------
    people
        The students by id, also those who withdrew.
    withdrawn
        The ids of the students who withdrew.
    due
        The due dates that decisions set, by assignment, in UTC without a zone; None if a decision
        removed the due date.
    extensions
        The ends of extensions, by assignment and student; the student
        `dpteach.grading.course.decisions.EVERYONE` stands for all students.
    dropped
        By assignment and item, how an item was dropped: ``"full"`` gives all students its points,
        and ``"out"`` leaves it out of the total.
    points
        By assignment and item, the new points of items whose points were changed.
    overrides
        By assignment, student and item, the points that an instructor decided; the item
        `dpteach.grading.course.decisions.TOTAL` stands for the total.
    solutions
        By assignment, the time before which its solutions must not be released.
    policy
        The rule for final grades, as arguments of `dpteach.term.final.Policy`; empty for its
        default.
    requests
        The requests for regrading, by the number of the event that records the request.
    """

    people: dict[str, Person] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    due: dict[str, datetime | None] = field(default_factory=dict)
    extensions: dict[str, dict[str, datetime]] = field(default_factory=dict)
    dropped: dict[str, dict[str, Decided]] = field(default_factory=dict)
    points: dict[str, dict[str, Decided]] = field(default_factory=dict)
    overrides: dict[str, dict[str, dict[str, Decided]]] = field(default_factory=dict)
    solutions: dict[str, datetime] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)
    requests: dict[int, Request] = field(default_factory=dict)

    def of_assignment(self, assignment: str) -> dict[str, Any]:
        """Return the decisions about an assignment as arguments of `Decisions`.

        The argument `withdrawn` is missing, because it is the same for all assignments.
        """
        tables = ("extensions", "dropped", "points", "overrides")
        return {name: getattr(self, name).get(assignment, {}) for name in tables}

    def decisions(self, assignment: str) -> Decisions:
        """Return the decisions about an assignment in the form that the grader uses.

        They include who withdrew, but not due dates and times for the release of solutions.
        """
        return Decisions(frozenset(self.withdrawn), **self.of_assignment(assignment))


def state_of(events: Iterable[Event]) -> State:
    """Return the state of a term after events; the caller must leave out undone events."""
    now = State()
    for event in events:
        _follow(now, event, event.data)
    return now


def read_instant(text: str | None) -> datetime | None:
    """Return the time that is given as ISO text in an event's data; None stays None."""
    return None if text is None else datetime.fromisoformat(text)


def _follow(now: State, event: Event, data: Data) -> None:
    """Change the state `now` by one event, whose data are `data`."""
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
            now.extensions.setdefault(name, {}).update(dict.fromkeys(data["students"], until))
        case "drop" if data["how"] in ("full", "out"):
            now.dropped.setdefault(name, {})[data["item"]] = Decided(data["how"], event.why)
        case "drop":
            now.dropped.setdefault(name, {}).pop(data["item"], None)
        case "points":
            points = Decided(float(data["points"]), event.why)
            now.points.setdefault(name, {})[data["item"]] = points
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
        own = now.overrides.setdefault(name, {}).setdefault(data["student"], {})
        own[data["item"]] = Decided(float(data["points"]), event.why)
