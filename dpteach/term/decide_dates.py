"""``dpteach term due``, ``extension`` and ``solutions``: set the dates of an assignment."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.classroom.export import write
from dpteach.grading.core.command import file_to_write
from dpteach.grading.core.plain import shown
from dpteach.grading.course.decisions import EVERYONE
from dpteach.term.deciding import Decision, DecisionError, Term, add_names, decide
from dpteach.term.words import change, instant, number, shortened

_, _n = catalog("term")


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command ``due``, ``extension`` or ``solutions``."""
    a_time = _("YYYY-MM-DD HH:MM, in the time zone of the course if it has none of its own")
    add_names(command, "assignment")
    if name == "solutions":
        what = command.add_mutually_exclusive_group(required=True)
        what.add_argument("--after", metavar="TIME", help=_("the time, YYYY-MM-DD HH:MM"))
        what.add_argument("--to", type=file_to_write, metavar="FILE", help=_("the file to write"))
        return
    if name == "due":
        command.add_argument("time", metavar="TIME", help=_("{time}; or none", time=a_time))
        return
    command.add_argument("students", nargs="*", metavar="ID", help=_("students"))
    command.add_argument("--section", metavar="NAME", help=_("all students of a section"))
    command.add_argument("--list", type=Path, metavar="FILE", help=_("a file with an id per line"))
    command.add_argument("--all", action="store_true", help=_("all, also those who join later"))
    until = command.add_mutually_exclusive_group(required=True)
    until.add_argument("--until", metavar="TIME", help=a_time)
    some = number(0.01, 10_000)
    until.add_argument("--days", type=some, metavar="N", help=_("so many days after the due date"))
    until.add_argument("--hours", type=some, metavar="N", help=_("so many hours after that"))


def run(told: argparse.Namespace) -> int:
    """Record the date in the log or write the solutions to a file; return the exit code."""
    if told.subcommand == "solutions" and told.to is not None:
        return _write_solutions(told)
    makers = {"due": _due, "extension": _extension, "solutions": _solutions}
    return decide(told, makers[told.subcommand])


def due_date(term: Term, assignment: str) -> datetime | None:
    """Return the due date in the gradebook, in UTC without a zone, or None if there is none."""
    with term.book(assignment) as book:
        book.maximum()  # if the assignment is not built, this raises an error that says so
        due: datetime | None = book.book.find_assignment(assignment).duedate
        return due


def _due(term: Term, told: argparse.Namespace) -> Decision:
    before = due_date(term, told.assignment)
    now = None if told.time == "none" else term.time("TIME", told.time)
    what = _("{assignment}, due", assignment=told.assignment)
    said = change(what, instant(before), instant(now))
    data = {"assignment": told.assignment, "due": now and now.isoformat()}
    return Decision("due", data, {"due": before and before.isoformat()}, [said])


def _extension(term: Term, told: argparse.Namespace) -> Decision:
    due = due_date(term, told.assignment)
    if due is None:
        text = _("{name} has no due date: set one with dpteach term due", name=told.assignment)
        raise DecisionError(text)
    until, students = _until(term, told, due), _students(term, told)
    own = dict(term.state.extensions.get(told.assignment, {}))
    before = {name: own[name].isoformat() if name in own else None for name in students}
    data = {"assignment": told.assignment, "students": students, "until": until.isoformat()}
    said = []
    for name in students:
        earlier = max(due, own.get(name, due), own.get(EVERYONE, due))
        later = max(until, due if name == EVERYONE else own.get(EVERYONE, due))
        what = _("{student}, in time until", student=name or _("all students"))
        said.append(change(what, instant(earlier), instant(later)))
    return Decision("extension", data, {"until": before}, shortened(said))


def _until(term: Term, told: argparse.Namespace, due: datetime) -> datetime:
    """Return the end of the extension that the arguments ask for, in UTC without a zone."""
    if told.until is None:
        return due + timedelta(days=told.days or 0, hours=told.hours or 0)
    until = term.time("--until", told.until)
    if until <= due:
        end, got = instant(due), instant(until)
        raise DecisionError(_("--until must be after the due date, {end}, got {x}", end=end, x=got))
    return until


def _students(term: Term, told: argparse.Namespace) -> list[str]:
    """Return the ids of the students that the arguments select; [`EVERYONE`] for ``--all``."""
    ways = [bool(told.students), told.section is not None, told.list is not None, told.all]
    if sum(ways) != 1:
        text = _("name the students by exactly one of: ID ..., --section NAME, --list FILE, --all")
        raise DecisionError(text)
    if told.all:
        return [EVERYONE]
    if told.section is not None:
        return _of_section(term, told.section)
    named = told.students or _listed(told.list)
    return sorted({term.check_student(student) for student in named})


def _of_section(term: Term, section: str) -> list[str]:
    """Return the ids of the students of a section who have not withdrawn."""
    people, gone = term.state.people.values(), term.state.withdrawn
    found = sorted(one.id for one in people if one.section == section and one.id not in gone)
    if found:
        return found
    known = ", ".join(sorted({one.section for one in people} - {""})) or "-"
    got = shown(section)
    raise DecisionError(_("--section must be one of: {known}; got {got}", known=known, got=got))


def _listed(file: Path) -> list[str]:
    """Return the student ids in a file with one id per line; skip lines that begin with #."""
    lines = map(str.strip, file.read_text("utf-8-sig", "replace").splitlines())
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise DecisionError(_("--list must name a student on each line, got {file}", file=file))
    return found


def _last(term: Term, assignment: str) -> tuple[datetime, str]:
    """Return the latest time until which any student may submit an assignment, and whose it is.

    The second part is a student's id, or "" if the time is the due date or that of an extension
    for all students.
    """
    due = due_date(term, assignment) or datetime.min
    given = term.state.extensions.get(assignment, {}).items()
    later = [(time, who) for who, time in given if who not in term.state.withdrawn]
    return max([(due, ""), *later])


def _solutions(term: Term, told: argparse.Namespace) -> Decision:
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


def _write_solutions(told: argparse.Namespace) -> int:
    """Write a notebook with the solutions to a file if they may be released; return exit code 0.

    Raises
    ------
    DecisionError
        If the solutions must not be released yet.
    """
    term, name = Term(told.course), told.assignment
    after = term.state.solutions.get(name)
    if after is None:
        raise DecisionError(_("no time is set for {name}: set one by --after", name=name))
    last = max(after, _last(term, name)[0])
    if datetime.now(UTC).replace(tzinfo=None) < last:
        text = _(
            "solutions are released after {last}, the time that was set or the end of the last "
            "extension",
            last=instant(last),
        )
        raise DecisionError(text)
    text = solution_notebook(term.root, name)
    if not told.dry_run:
        write(told.to, text)
    print(_("nothing was changed, because of --dry-run") if told.dry_run else told.to)
    return 0


def solution_notebook(course: Path, assignment: str) -> str:
    """Return the released notebook with the instructor's answers filled in, as JSON text.

    It contains no marking schemes.

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
    """Return the name that nbgrader gave a cell of a notebook, or "" if it gave none."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))
