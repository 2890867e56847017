"""``dpteach term undo``: undo a decision, as long as no grades that depend on it went out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final

from dpteach._language import catalog
from dpteach.term.deciding import Decision, DecisionError, Term, add_decision, change, decide
from dpteach.term.log import UNDO, Event, counting

_, _n = catalog("term")

#: the kinds of decisions about one assignment
OF_ASSIGNMENT: Final = frozenset(
    {"due", "extension", "drop", "points", "override", "regrade", "settle", "solutions"}
)

#: the kinds of decisions about the whole term
OF_TERM: Final = frozenset({"roster", "add", "withdraw", "rejoin", "final"})


def why_not(events: Sequence[Event], number: int) -> str:
    """Return why an event cannot be undone, or "" if it can.

    Parameters
    ----------
    events
        All events of the term.
    number
        The number of the event.
    """
    counted = {event.number: event for event in counting(list(events))}
    if not 1 <= number <= len(events):
        return _("number must be in 1..{last}, got number={n}", last=len(events), n=number)
    event = events[number - 1]
    if event.kind not in OF_ASSIGNMENT | OF_TERM:
        return _(
            "event {n} is of the kind {kind}, which cannot be undone", n=number, kind=event.kind
        )
    if number not in counted:
        return _("event {number} is undone already", number=number)
    scope = event.data["assignment"] if event.kind in OF_ASSIGNMENT else "final"
    for later in (one for one in counted.values() if one.number > number):
        if later.kind == "settle" and later.data["request"] == number:
            return _(
                "event {n} is settled by event {later}: undo that first",
                n=number,
                later=later.number,
            )
        if later.kind == "sent" and later.data["assignment"] == scope:
            return _(
                "event {n} cannot be undone, because the grades of {assignment} went out after it "
                "(event {later}, {time:%Y-%m-%d %H:%M} UTC): record a new decision",
                n=number,
                assignment=_("the course") if scope == "final" else scope,
                later=later.number,
                time=later.time,
            )
    return ""


def add_parser(commands: Any) -> None:
    """Add the command ``undo`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "undo", help=_("undo a decision whose grades have not gone out")
    )
    command.add_argument(
        "number", type=int, metavar="NUMBER", help=_("the number of the event in dpteach log")
    )
    add_decision(command)


def run(told: argparse.Namespace) -> int:
    """Undo the event; return the exit code."""

    def make(term: Term) -> Decision:
        events = term.log.all()
        problem = why_not(events, told.number)
        if problem:
            raise DecisionError(problem)
        event = events[told.number - 1]
        what = _("event {n} ({kind}, {who})", n=event.number, kind=event.kind, who=event.who)
        said = change(what, _("counts"), _("undone"))
        return Decision(UNDO, {"number": event.number} | _about(event), dict(event.data), [said])

    return decide(told, make)


def _about(event: Event) -> dict[str, Any]:
    """Return the parts of an event by which ``dpteach log`` finds what it is about."""
    names = ("assignment", "student", "students", "person")
    return {name: event.data[name] for name in names if name in event.data}
