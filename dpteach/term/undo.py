"""``dpteach term undo``: undo a decision, unless grades were sent to an LMS after it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dpteach._language import N_, catalog
from dpteach.term.deciding import Decision, DecisionError, Term, decide
from dpteach.term.log import FINAL, TOLD, UNDO, Event, counting
from dpteach.term.words import change, instant

_, _n = catalog("term")


def why_not(events: Sequence[Event], number: int) -> str:
    """Return the reason why an event of the log cannot be undone, or "" if it can.

    Parameters
    ----------
    events
        All events of the term.
    number
        The number of the event to undo.
    """
    counted = {event.number: event for event in counting(events)}
    if not 1 <= number <= len(events):
        return _("number must be in 1..{last}, got number={n}", last=len(events), n=number)
    event = events[number - 1]
    if event.kind in TOLD:
        kind = event.kind
        return _("event {n} is of the kind {kind}, which cannot be undone", n=number, kind=kind)
    if number not in counted:
        return _("event {number} is undone already", number=number)
    scope = event.data.get("assignment", FINAL)
    for later in (one for one in counted.values() if one.number > number):
        if later.kind == "settle" and later.data["request"] == number:
            by = later.number
            return _("event {n} is settled by event {by}: undo that first", n=number, by=by)
        if later.kind == "sent" and later.data["assignment"] == scope:
            text = N_(
                "event {n} cannot be undone, because the grades of {what} went out after it "
                "(event {later}, {time}): record a new decision"
            )
            what, time = _("the course") if scope == FINAL else scope, instant(later.time)
            return _(text, n=number, what=what, later=later.number, time=time)
    return ""


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of ``dpteach term undo``."""
    about = _("the number of the event in dpteach log")
    command.add_argument("number", type=int, metavar="NUMBER", help=about)


def run(told: argparse.Namespace) -> int:
    """Record that an event is undone; return the exit code."""
    return decide(told, _undo)


def _undo(term: Term, told: argparse.Namespace) -> Decision:
    events = term.log.all()
    if problem := why_not(events, told.number):
        raise DecisionError(problem)
    event = events[told.number - 1]
    what = _("event {n} ({kind}, {who})", n=event.number, kind=event.kind, who=event.who)
    said = change(what, _("counts"), _("undone"))
    # copy what the undone event is about, so that `dpteach log --student` and `--assignment` also
    # list the event of undoing
    names = {"assignment", "student", "students", "person"} & event.data.keys()
    data = {"number": event.number} | {name: event.data[name] for name in sorted(names)}
    return Decision(UNDO, data, dict(event.data), [said])
