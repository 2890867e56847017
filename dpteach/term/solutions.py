"""``dpteach term solutions``: release the solutions of an assignment after a date."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.classroom.export import write
from dpteach.grading.core.command import file_to_write
from dpteach.term.decide_dates import due_date
from dpteach.term.deciding import Decision, DecisionError, Term, add_names, decide
from dpteach.term.words import change, instant

_, _n = catalog("term")


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command."""
    add_names(command, "assignment")
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument("--after", metavar="TIME", help=_("the time, YYYY-MM-DD HH:MM"))
    what.add_argument("--to", type=file_to_write, metavar="FILE", help=_("the file to write"))


def run(told: argparse.Namespace) -> int:
    """Record the time or write the notebook; return the exit code."""
    if told.to is None:
        return decide(told, _after)
    term = Term(told.course)
    _check_released(term, told.assignment)
    text = solution_notebook(term.root, told.assignment)
    if not told.dry_run:
        write(told.to, text)
    print(_("nothing was changed, because of --dry-run") if told.dry_run else told.to)
    return 0


def _last(term: Term, assignment: str) -> tuple[datetime, str]:
    """Return until when a student may submit in time, and who that is, "" for all students."""
    due = due_date(term, assignment) or datetime.min
    given = term.state.extensions.get(assignment, {}).items()
    later = [(time, who) for who, time in given if who not in term.state.withdrawn]
    return max([(due, ""), *later])


def _after(term: Term, told: argparse.Namespace) -> Decision:
    assignment, after = told.assignment, term.time("--after", told.after)
    last, who = _last(term, assignment)
    if after < last:
        who, end = who or _("every student"), instant(last)
        text = _("--after must be at least {end}, until when {who} may submit", end=end, who=who)
        raise DecisionError(text)
    before = term.state.solutions.get(assignment)
    what = _("{assignment}, solutions after", assignment=assignment)
    data = {"assignment": assignment, "after": after.isoformat()}
    earlier = {"after": before and before.isoformat()}
    return Decision("solutions", data, earlier, [change(what, instant(before), instant(after))])


def _check_released(term: Term, assignment: str) -> None:
    """Refuse solutions that must not be released yet."""
    after = term.state.solutions.get(assignment)
    if after is None:
        raise DecisionError(_("no time is set for {name}: set one by --after", name=assignment))
    last = max(after, _last(term, assignment)[0])
    if datetime.now(UTC).replace(tzinfo=None) < last:
        text = _(
            "solutions are released after {last}, the time that was set or the end of the last "
            "extension",
            last=instant(last),
        )
        raise DecisionError(text)


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
        text = _("{name} is not built: dpteach assignments {name}", name=assignment)
        raise DecisionError(text) from None
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
