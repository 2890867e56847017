"""``dpteach term drop``, ``points``, ``override`` and ``regrade``: what changes grades."""

from __future__ import annotations

import argparse
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.plain import shown
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.gradebook import Book, Standing
from dpteach.term.deciding import (
    ERRORS,
    Decision,
    DecisionError,
    Term,
    add_decision,
    add_names,
    change,
    decide,
    number,
)

_, _n = catalog("term")

POINTS: Final = number(0, 100_000)


def add_parser(commands: Any) -> None:
    """Add the commands to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "drop", help=_("drop an item for all students")
    )
    add_names(command, "assignment", "item")
    how = command.add_mutually_exclusive_group(required=True)
    how.add_argument("--full", action="store_true", help=_("every submission gets its points"))
    how.add_argument("--out", action="store_true", help=_("it does not count in the total"))
    how.add_argument("--restore", action="store_true", help=_("it counts again as it was graded"))
    add_decision(command, reason=True)
    command = commands.add_parser(
        "points",
        help=_("change the points of an item"),
        description=_(
            "Change the points of an item for all students; scores change in proportion."
        ),
    )
    add_names(command, "assignment", "item")
    command.add_argument("points", type=POINTS, metavar="POINTS", help=_("the new points"))
    add_decision(command, reason=True)
    command = commands.add_parser("override", help=_("decide a student's points"))
    add_names(command, "assignment", "student")
    command.add_argument("points", type=POINTS, metavar="POINTS", help=_("the points"))
    command.add_argument(
        "--item",
        default=TOTAL,
        metavar="ITEM",
        help=_("only those of this item (default: the total, from which nothing is taken off)"),
    )
    add_decision(command, reason=True)
    _add_regrade(commands)


def _add_regrade(commands: Any) -> None:
    command: argparse.ArgumentParser = commands.add_parser(
        "regrade", help=_("record, list and settle requests to look at a grade again")
    )
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
    settle.add_argument(
        "--points",
        type=POINTS,
        metavar="POINTS",
        help=_("the points of the item, or the total (default: they stay)"),
    )
    add_decision(settle, reason=True)


def run(told: argparse.Namespace) -> int:
    """Record the decision, or list the requests; return the exit code."""
    what = told.action if told.subcommand == "regrade" else told.subcommand
    if what == "list":
        return _list(told)
    makers = {
        "drop": _drop,
        "points": _points,
        "override": _override,
        "request": _request,
        "settle": _settle,
    }
    return decide(told, lambda term: makers[what](term, told))


def _check_item(book: Book, item: str) -> None:
    """Refuse a name that is no item of the assignment."""
    known = book.items()
    if item not in known:
        raise DecisionError(
            _(
                "item must be one of {known}, got item={item}",
                known=", ".join(known),
                item=shown(item),
            )
        )


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
        raise DecisionError(
            _("{item} is that already: {state}", item=told.item, state=words[before])
        )
    said = change(told.item, words[before], words[how])
    data = {"assignment": told.assignment, "item": told.item, "how": how}
    return Decision("drop", data, {"how": before}, [said])


def _points(term: Term, told: argparse.Namespace) -> Decision:
    with term.book(told.assignment) as book:
        _check_item(book, told.item)
        given, __ = book.graded_by_hand()[told.item]
    decided = term.state.points.get(told.assignment, {}).get(told.item)
    before = float(decided.value) if decided else given
    if told.points <= 0 or told.points == before:
        raise DecisionError(
            _(
                "POINTS must be a number > 0 other than now, {before:g}, got {points:g}; an item "
                "that is not to count is dropped with --out",
                before=before,
                points=told.points,
            )
        )
    said = change(told.item, _worth(before), _worth(told.points))
    data = {"assignment": told.assignment, "item": told.item, "points": told.points}
    return Decision("points", data, {"points": before}, [said])


def _override(term: Term, told: argparse.Namespace) -> Decision:
    data, before, said = _decided(term, told.assignment, told.student, told.item, told.points)
    return Decision("override", data, before, [said])


def _decided(
    term: Term, assignment: str, student: str, item: str, now: float
) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return data, earlier data and a sentence for points that are decided for a student."""
    one = _standing(term, assignment, student, item)
    most = one.worth[item] if item else one.maximum
    before = one.scores[item] if item else one.total
    if now > most:
        raise DecisionError(
            _(
                "POINTS must be at most {most:g}, the points of {what}, got {points:g}",
                most=most,
                what=item or assignment,
                points=now,
            )
        )
    data = {"assignment": assignment, "student": student, "item": item, "points": now}
    what = _about(one, item)
    said = change(what, _("no points") if before is None else _worth(before), _worth(now))
    return data, {"points": before, "status": one.status}, said


def _about(one: Standing, item: str) -> str:
    return f"{one.called}, {item}" if item else one.called


def _worth(points: float) -> str:
    return _n("{count:g} point", "{count:g} points", points)


def _standing(term: Term, assignment: str, student: str, item: str) -> Standing:
    """Return a student's grades; refuse an item that this student cannot have points for."""
    term.check_student(student)
    with term.book(assignment) as book:
        if item:
            _check_item(book, item)
        if item in book.decisions.dropped:
            raise DecisionError(_("item={item} is dropped for all students", item=item))
        standings = {one.student: one for one in book.standings()}
    one = standings.get(student)
    if one is None or (item and item not in one.scores):
        raise DecisionError(
            _(
                "{student} has no submission of {assignment}, so only the total can be decided",
                student=student,
                assignment=assignment,
            )
        )
    return one


def _request(term: Term, told: argparse.Namespace) -> Decision:
    one = _standing(term, told.assignment, told.student, told.item)
    data = {"assignment": told.assignment, "student": told.student, "item": told.item}
    said = change(_about(one, told.item), _("no request"), _("an open request"))
    return Decision("regrade", data, {"points": one.scores.get(told.item, one.total)}, [said])


def _settle(term: Term, told: argparse.Namespace) -> Decision:
    request = term.state.requests.get(told.number)
    if request is None or request.answer is not None:
        known = [f"{n}" for n, one in term.state.requests.items() if one.answer is None]
        raise DecisionError(
            _(
                "NUMBER must be that of an open request ({known}), got {number}",
                known=", ".join(known) or _("there is none"),
                number=told.number,
            )
        )
    names = request.assignment, request.student, request.item
    data: dict[str, Any] = request._asdict() | {"points": None}
    del data["text"], data["answer"]
    before: dict[str, Any] = {}
    said = [change(_("request {number}", number=told.number), _("open"), _("settled"))]
    if told.points is not None:
        data, before, changed = _decided(term, *names, told.points)
        said.append(changed)
    return Decision("settle", data | {"request": told.number}, before, said)


def _list(told: argparse.Namespace) -> int:
    """Print the requests; return the exit code."""
    try:
        requests = Term(told.course).state.requests
    except ERRORS as error:
        return refusal("term regrade", error)
    for request, one in requests.items():
        if told.open and one.answer is not None:
            continue
        answer = _("open") if one.answer is None else _("settled: {answer}", answer=one.answer)
        where = f"{one.assignment} {one.student} {one.item}".rstrip()
        print(printable(f"{request}  {where}: {one.text}  [{answer}]"))
    return 0
