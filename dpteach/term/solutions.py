"""``dpteach term solutions``: release the solutions of an assignment after a date."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.classroom.export import write
from dpteach.grading.core.command import file_to_write, refusal
from dpteach.grading.course.decisions import EVERYONE
from dpteach.term.decide_dates import due_date
from dpteach.term.deciding import (
    ERRORS,
    Decision,
    DecisionError,
    Term,
    add_decision,
    decide,
    instant,
)

_, _n = catalog("term")


def add_parser(commands: Any) -> None:
    """Add the command ``solutions`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "solutions",
        help=_("set when solutions may be released, and write them after that"),
        description=_(
            "Set the time after which the solutions of an assignment may be released, or write "
            "the notebook with the solutions, which is refused before that time and while a "
            "student still has time to submit."
        ),
    )
    command.add_argument("assignment", metavar="NAME", help=_("the assignment, such as renyi_dp"))
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument("--after", metavar="TIME", help=_("the time, YYYY-MM-DD HH:MM"))
    what.add_argument(
        "--to", type=file_to_write, metavar="FILE", help=_("write the notebook with the solutions")
    )
    add_decision(command)


def run(told: argparse.Namespace) -> int:
    """Record the time or write the notebook; return the exit code."""
    if told.to is None:
        return decide(told, lambda term: _after(term, told.assignment, told.after))
    try:
        term = Term(told.course)
        _check_released(term, told.assignment)
        text = solution_notebook(term.root, told.assignment)
        if told.dry_run:
            print(_("{file} would be written, but for --dry-run", file=told.to))
            return 0
        write(told.to, text)
    except ERRORS as error:
        return refusal("term solutions", error)
    print(told.to)
    return 0


def open_until(term: Term, assignment: str) -> tuple[datetime | None, str]:
    """Return until when the last student may submit in time, or None, and who that is or ""."""
    due = due_date(term, assignment)
    given = {
        name: time
        for name, time in term.state.extensions.get(assignment, {}).items()
        if name not in term.state.withdrawn
    }
    last = max(given, key=lambda name: given[name], default=None)
    if last is None or due is None or given[last] <= due:
        return due, ""
    return given[last], _("all students") if last == EVERYONE else last


def _after(term: Term, assignment: str, text: str) -> Decision:
    after = term.time("--after", text)
    last, who = open_until(term, assignment)
    if last is not None and after < last:
        raise DecisionError(
            _(
                "--after must not be before {last}, when {who} may still submit, got {after}",
                last=instant(last),
                who=who or _("every student"),
                after=instant(after),
            )
        )
    before = term.state.solutions.get(assignment)
    said = _(
        "{assignment}: solutions after {before} -> after {now}",
        assignment=assignment,
        before=instant(before),
        now=instant(after),
    )
    data = {"assignment": assignment, "after": after.isoformat()}
    return Decision("solutions", data, {"after": before and before.isoformat()}, [said])


def _check_released(term: Term, assignment: str) -> None:
    """Refuse solutions that must not be released yet."""
    last, who = open_until(term, assignment)
    after, now = term.state.solutions.get(assignment), datetime.now(UTC).replace(tzinfo=None)
    if after is None:
        raise DecisionError(
            _(
                "no time is set for the solutions of {assignment}: set one with dpteach term "
                "solutions {assignment} --after TIME",
                assignment=assignment,
            )
        )
    if last is not None and last > after:
        after = last
    if now < after:
        raise DecisionError(
            _(
                "the solutions of {assignment} may be released after {after}{who}",
                assignment=assignment,
                after=instant(after),
                who=_(", when {student} may still submit", student=who) if who else "",
            )
        )


def solution_notebook(course: Path, assignment: str) -> str:
    """Return the released notebook with the instructor's answers, without marking schemes, as JSON.

    Raises
    ------
    DecisionError
        If the assignment is not built.
    """
    files = [course / step / assignment / f"{assignment}.ipynb" for step in ("source", "release")]
    try:
        source, release = (json.loads(file.read_bytes()) for file in files)
    except (OSError, ValueError):
        raise DecisionError(
            _("{assignment} is not built: dpteach assignments {assignment}", assignment=assignment)
        ) from None
    answers = {_name(cell): cell["source"] for cell in source["cells"]}
    for cell in release["cells"]:
        if _name(cell) and cell["metadata"]["nbgrader"]["solution"]:
            lines = "".join(answers[_name(cell)]).splitlines()
            marks = ("### BEGIN SOLUTION", "### END SOLUTION")
            cell["source"] = "\n".join(line for line in lines if line.strip() not in marks)
    return json.dumps(release, indent=1, ensure_ascii=False) + "\n"


def _name(cell: Any) -> str:
    """Return the name of a cell, "" for a cell without one."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))
