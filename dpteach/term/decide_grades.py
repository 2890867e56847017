"""``dpteach term drop``, ``points``, ``override`` and ``regrade``: decide about points."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.plain import shown
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.gradebook import Book, Standing
from dpteach.term.deciding import Decision, DecisionError, Term, add_decision, add_names, decide
from dpteach.term.words import change, number

_, _n = catalog("term")

POINTS: Final = number(0, 100_000)


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command ``drop``, ``points``, ``override`` or ``regrade``."""
    if name == "regrade":
        _add_regrade(command)
        return
    add_names(command, "assignment", "student" if name == "override" else "item")
    if name != "drop":
        command.add_argument("points", type=POINTS, metavar="POINTS", help=_("the points"))
    if name == "override":
        about = _("(default: the total)")
        command.add_argument("--item", default=TOTAL, metavar="ITEM", help=about)
    if name == "drop":
        how = command.add_mutually_exclusive_group(required=True)
        how.add_argument("--full", action="store_true", help=_("every submission gets its points"))
        how.add_argument("--out", action="store_true", help=_("it does not count in the total"))
        about = _("it counts again as it was graded")
        how.add_argument("--restore", action="store_true", help=about)


def _add_regrade(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True)
    request = actions.add_parser("request", help=_("record a request; --why is what it says"))
    add_names(request, "assignment", "student")
    request.add_argument("--item", default=TOTAL, metavar="ITEM", help=_("the item (default: all)"))
    add_decision(request, reason=True)
    listed = actions.add_parser("list", help=_("list the requests"))
    listed.add_argument("--open", action="store_true", help=_("only those that are not settled"))
    add_course(listed)
    settle = actions.add_parser("settle", help=_("settle a request; --why is the answer"))
    settle.add_argument("number", type=int, metavar="NUMBER", help=_("the number of the request"))
    settle.add_argument("--points", type=POINTS, metavar="POINTS", help=_("(default: as before)"))
    add_decision(settle, reason=True)


def run(told: argparse.Namespace) -> int:
    """Record the decision in the log, or list the requests for regrading; return the exit code."""
    what = told.action if told.subcommand == "regrade" else told.subcommand
    if what == "list":
        return _list(told)
    makers = {"drop": _drop, "points": _points, "override": _override, "request": _request}
    return decide(told, makers.get(what, _settle))


def _check_item(book: Book, item: str) -> None:
    """Raise an error if no item of the assignment has this name."""
    if item not in book.items():
        known, got = ", ".join(book.items()), shown(item)
        raise DecisionError(_("item must be one of {known}, got item={got}", known=known, got=got))


def _drop(term: Term, told: argparse.Namespace) -> Decision:
    how = "full" if told.full else "out" if told.out else "counts"
    with term.book(told.assignment) as book:
        _check_item(book, told.item)
    words = {
        "full": _("every submission has full points"),
        "out": _("does not count"),
        "counts": _("counts as graded"),
    }
    decided = term.state.dropped.get(told.assignment, {}).get(told.item)
    before = decided.value if decided else "counts"
    if how == before:
        raise DecisionError(_("{item}: {state} already", item=told.item, state=words[how]))
    data = {"assignment": told.assignment, "item": told.item, "how": how}
    return Decision("drop", data, {"how": before}, [change(told.item, words[before], words[how])])


def _points(term: Term, told: argparse.Namespace) -> Decision:
    with term.book(told.assignment) as book:
        _check_item(book, told.item)
        given = book.points()[told.item]
    decided = term.state.points.get(told.assignment, {}).get(told.item)
    before = float(decided.value) if decided else given
    if told.points in (0, before):
        now, got = before, told.points
        text = _("POINTS must be neither 0 nor {now:g} as now, got {got:g}", now=now, got=got)
        raise DecisionError(text)
    said = change(told.item, _worth(before), _worth(told.points))
    data = {"assignment": told.assignment, "item": told.item, "points": told.points}
    return Decision("points", data, {"points": before}, [said])


def _override(term: Term, told: argparse.Namespace) -> Decision:
    return _decided(term, "override", told.assignment, told.student, told.item, told.points)


def _decided(
    term: Term, kind: str, assignment: str, student: str, item: str, now: float
) -> Decision:
    """Return the decision that a student gets `now` points for an item or for the assignment.

    Parameters
    ----------
    kind
        The kind of the event: ``"override"``, or ``"settle"`` if this answers a student's request.
    item
        The name of the item, or `TOTAL` for the total of the assignment.
    now
        The points that the student gets.
    """
    one = _standing(term, assignment, student, item)
    most = one.worth[item] if item else one.maximum
    before = one.scores[item] if item else one.total
    if now > most:
        what = item or _("the total")
        text = _("POINTS of {what} must be in 0..{most:g}, got {x:g}", what=what, most=most, x=now)
        raise DecisionError(text)
    data = {"assignment": assignment, "student": student, "item": item, "points": now}
    earlier = _("no points") if before is None else _worth(before)
    said = change(_about(one, item), earlier, _worth(now))
    return Decision(kind, data, {"points": before, "status": one.status}, [said])


def _about(one: Standing, item: str) -> str:
    return f"{one.called}, {item}" if item else one.called


def _worth(points: float) -> str:
    return _n("{count:g} point", "{count:g} points", points)


def _standing(term: Term, assignment: str, student: str, item: str) -> Standing:
    """Return a student's grades; raise an error if the student cannot get points for the item."""
    term.check_student(student)
    with term.book(assignment) as book:
        if item:
            _check_item(book, item)
        if item in book.decisions.dropped:
            raise DecisionError(_("item={item} is dropped for all students", item=item))
        standings = {one.student: one for one in book.standings()}
    one = standings.get(student)
    if one is None or (item and item not in one.scores):
        text = _("{student} has no submission, so only the total can be decided", student=student)
        raise DecisionError(text)
    return one


def _request(term: Term, told: argparse.Namespace) -> Decision:
    one = _standing(term, told.assignment, told.student, told.item)
    data = {"assignment": told.assignment, "student": told.student, "item": told.item}
    said = change(_about(one, told.item), _("no request"), _("an open request"))
    return Decision("regrade", data, {"points": one.scores.get(told.item, one.total)}, [said])


def _settle(term: Term, told: argparse.Namespace) -> Decision:
    n, request = told.number, term.state.requests.get(told.number)
    if request is None or request.answer is not None:
        open_ones = [f"{k}" for k, one in term.state.requests.items() if one.answer is None]
        known = ", ".join(open_ones) or "-"
        text = _("NUMBER must be that of an open request ({known}), got {n}", known=known, n=n)
        raise DecisionError(text)
    assignment, student, item, *_rest = request
    data = {"assignment": assignment, "student": student, "item": item, "points": None}
    one = Decision("settle", data)
    if told.points is not None:
        one = _decided(term, "settle", assignment, student, item, told.points)
    said = change(_("request {number}", number=n), _("open"), _("settled"))
    return replace(one, data={**one.data, "request": n}, changes=[said, *one.changes])


def _list(told: argparse.Namespace) -> int:
    """Print the requests for regrading, each with its answer; return the exit code."""
    for request, one in Term(told.course).state.requests.items():
        if told.open and one.answer is not None:
            continue
        answer = _("open") if one.answer is None else _("settled: {answer}", answer=one.answer)
        where = f"{one.assignment} {one.student} {one.item}".rstrip()
        print(printable(f"{request}  {where}: {one.text}  [{answer}]"))
    return 0
