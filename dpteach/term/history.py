"""``dpteach log``: show which decisions were made in a term, by whom, when and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import CourseError, course_folder
from dpteach.term.log import UNDO, Event, Log, LogError, counting

_, _n = catalog("term")

#: the most names that are listed for one event; for more names, only their number is shown
MOST_NAMED: Final = 5


def add_parser(commands: Any) -> None:
    """Add the command ``log`` to `commands`, which argparse's ``add_subparsers`` returned."""
    about = _("show the decisions of a term in order: who, when, what, before and why")
    command: argparse.ArgumentParser = commands.add_parser("log", help=about, description=about)
    add_course(command)
    command.add_argument("--student", metavar="ID", help=_("only decisions that name this student"))
    about = _("only decisions about this assignment")
    command.add_argument("--assignment", metavar="NAME", help=about)
    about = _("write each decision as a line of JSON")
    command.add_argument("--json", action="store_true", help=about)


def run(told: argparse.Namespace) -> int:
    """Print the events that the options select; return the exit code."""
    try:
        events = Log(course_folder(told.course)).all()
    except (CourseError, LogError, OSError) as error:
        return refusal("log", error)
    counted = {event.number for event in counting(events)}
    for event in events:
        if told.assignment not in (None, event.data.get("assignment")):
            continue
        if told.student is not None and not _names(event, told.student):
            continue
        shown = event if told.student is None else _part(event, told.student)
        print(shown.line().decode() if told.json else _line(shown, event.number in counted))
    return 0


def _names(event: Event, student: str) -> bool:
    """Return whether the data of an event name a student."""
    data = event.data
    people = [data.get("person"), *(data.get("people") or ())]
    ids = [one.get("id") for one in people if isinstance(one, Mapping)]
    return student in [data.get("student"), *(data.get("students") or ()), *ids]


def _part(event: Event, student: str) -> Event:
    """Return an event about several students with only the data about one of them."""
    students = event.data.get("students")
    if not isinstance(students, Mapping):
        return event
    facts = {name: value for name, value in students[student].items() if value}
    data = {name: value for name, value in event.data.items() if name != "students"}
    return replace(event, data=data | {"student": student} | facts)


def _line(event: Event, counts: bool) -> str:
    """Return an event as two lines for people, in which long lists are shortened."""
    why = f" ({event.why})" if event.why else ""
    undone = "" if counts or event.kind == UNDO else _(" (undone)")
    about = f"{event.number}  {event.time:%Y-%m-%d %H:%M:%S} UTC  {event.who}  {event.kind}"
    before = {"people": event.before} if event.kind == "roster" else event.before
    told = _words(event.data)
    if event.before:
        told = _("{now}; before: {before}", now=told, before=_words(before))
    return "\n".join(map(printable, (about + undone + why, f"    {told}")))


def _words(data: Mapping[str, Any]) -> str:
    """Return the data of an event as one line; long lists are given by their lengths.

    Examples
    --------
    >>> _words({"people": [{"id": "anna"}, {"id": "ben"}], "until": {"ben": None}})
    'people 2, until ben -'
    """
    return ", ".join(f"{name} {_value(value)}" for name, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping) and "id" in value:
        return str(value["id"])
    if not isinstance(value, (Mapping, list)):
        return "-" if value in (None, "") else str(value)
    inner = value.values() if isinstance(value, Mapping) else value
    if len(value) > MOST_NAMED or any(isinstance(one, Mapping) for one in inner):
        return str(len(value))
    return (_words(value) if isinstance(value, Mapping) else " ".join(map(str, value))) or "-"
