"""``dpteach log``: what was decided in a term, by whom, when and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import CourseError, course_folder
from dpteach.term.log import Event, Log, LogError, counting

_, _n = catalog("term")


def add_parser(commands: Any) -> None:
    """Add the command ``log`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "log",
        help=_("show what was decided in a term"),
        description=_(
            "Show the decisions of a term in order: number, time, who, what, before and why."
        ),
    )
    add_course(command)
    command.add_argument("--student", metavar="ID", help=_("only decisions that name this student"))
    command.add_argument(
        "--assignment", metavar="NAME", help=_("only decisions about this assignment")
    )
    command.add_argument(
        "--json", action="store_true", help=_("write each decision as a line of JSON")
    )


def run(told: argparse.Namespace) -> int:
    """Print the events; return the exit code."""
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
        print(event.line().decode() if told.json else _line(event, event.number in counted))
    return 0


def _names(event: Event, student: str) -> bool:
    """Whether an event is about a student."""
    data = event.data
    people = [data.get("person"), *(data.get("people") or ())]
    ids = [one.get("id") for one in people if isinstance(one, Mapping)]
    return student in [data.get("student"), *(data.get("students") or ()), *ids]


def _line(event: Event, counts: bool) -> str:
    """Return an event as lines for people."""
    undone = "" if counts or event.kind == "undo" else _(" (undone)")
    lines = [
        f"{event.number}  {event.time:%Y-%m-%d %H:%M:%S} UTC  {event.who}  {event.kind}{undone}"
    ]
    for label, data in ((_("now"), event.data), (_("before"), event.before)):
        if "people" in data:  # a roster names the whole class
            data = {**data, "people": [one["id"] for one in data["people"]]}
        if data:
            lines.append(f"    {label}: {json.dumps(data, ensure_ascii=False)}")
    if event.why:
        lines.append("    " + _("why: {reason}", reason=event.why))
    return "\n".join(map(printable, lines))
