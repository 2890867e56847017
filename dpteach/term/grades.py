"""``dpteach term grades``: grades in the form that a learning management system imports."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.command import file_to_write, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import check_assignment
from dpteach.term.deciding import ERRORS, DecisionError, Term, account, add_decision
from dpteach.term.lms.downloads import downloads
from dpteach.term.lms.registry import SYSTEMS
from dpteach.term.lms.system import Known, System, Upload
from dpteach.term.lms.table import Table, read_table
from dpteach.term.roster import roster_table
from dpteach.term.sending import (
    Grades,
    assignment_grades,
    column_of,
    course_grades,
    write_file,
)

_, _n = catalog("term")

#: where people import the file in each system
_NEXT: Final = {
    "canvas": N_("In Canvas: Grades, Import, and choose the file."),
    "moodle": N_(
        "In Moodle: the assignment's Submissions, Upload grading worksheet; or, for the course, "
        "Grades, Import, CSV file, mapping users by e-mail address or ID number."
    ),
    "blackboard": N_("In Blackboard: Grade Center, Work Offline, Upload, delimiter Tab."),
}


@dataclass(frozen=True)
class Written:
    """An upload file.

    Attributes
    ----------
    data
        Its bytes.
    column
        The name of the column with the grades.
    absent
        The students whom the system's export does not have.
    """

    data: bytes
    column: str
    absent: list[str]


def worksheet(term: Term, assignment: str) -> Table | None:
    """Return the latest grading worksheet of Moodle that was collected, or None."""
    for event in reversed(term.log.events()):
        if event.kind == "collected" and event.data.get("assignment") == assignment:
            name = event.data.get("worksheet")
            path = downloads(term.root) / str(name)
            if name and path.is_file():
                return read_table(path.read_bytes())
    return None


def upload_file(
    term: Term, grades: Grades, system: System, *, column: str | None, scale: bool
) -> Written:
    """Return the upload file of a system.

    Parameters
    ----------
    column
        The name of the column in the system, or None to find it.
    scale
        Whether grades are converted if the column has another number of points.

    Raises
    ------
    DecisionError
        If the system's export is needed and missing, or its column has other points.
    """
    table: Table | None = None
    where: int | str = column or grades.titles[-1]
    if system.name == "moodle":
        table = worksheet(term, grades.name)
    elif system.name != "plain":
        table = roster_table(term.root, term.log, system.name)
        if table is None:
            raise DecisionError(
                _(
                    "the file for {system} is made from its gradebook: export the gradebook there, "
                    "and read it by dpteach term roster FILE",
                    system=system.title,
                )
            )
        where = column_of(system, table, grades, column)
    most = None if table is None else system.maximum(table, where if isinstance(where, int) else 0)
    if most is not None and abs(most - grades.maximum) > 1e-9:
        if not scale:
            raise DecisionError(
                _(
                    "the column has {theirs:g} points in {system}, and {name} has {ours:g}: change "
                    "the points there, or add --scale to convert the grades",
                    theirs=most,
                    system=system.title,
                    name=grades.name,
                    ours=grades.maximum,
                )
            )
        grades = grades.scaled(most)
    people = {who: term.state.people[who] for who in grades.of if who in term.state.people}
    absent = sorted(grades.of.keys() - people.keys())
    if table is not None:
        known = Known(people.values())
        there = {known.row(system, system.fields(table, row.cells)) for row in table.rows}
        absent = sorted(grades.of.keys() - there)
    known_grades = {who: grade for who, grade in grades.of.items() if who in people}
    data = system.upload(system, Upload(people, table, where, known_grades))
    name = table.header[where] if table is not None and isinstance(where, int) else str(where)
    return Written(data, name, absent)


def add_parser(commands: Any) -> None:
    """Add the command ``grades`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "grades",
        help=_("write grades as the file that an LMS imports"),
        description=_(
            "Write the grades of an assignment, or with --final the grades of the course, as a "
            "file that Canvas, Moodle or Blackboard imports, with its own ids and columns. A "
            "refused submission has an empty grade and the reason beside it."
        ),
    )
    command.add_argument(
        "assignment", nargs="?", metavar="NAME", help=_("the name of the assignment")
    )
    command.add_argument("--final", action="store_true", help=_("the grades of the course"))
    add_target(command)
    command.add_argument(
        "--column",
        metavar="TEXT",
        help=_("the column in the LMS (default: the one with the title of the assignment)"),
    )
    command.add_argument(
        "--scale",
        action="store_true",
        help=_("convert the grades if the column has another number of points"),
    )
    add_decision(command)


def add_target(command: argparse.ArgumentParser) -> None:
    """Add the options that say for which system, and where to write."""
    command.add_argument(
        "--for", dest="system", choices=SYSTEMS, required=True, help=_("the system that reads it")
    )
    command.add_argument(
        "--to", type=file_to_write, metavar="FILE", required=True, help=_("the file to write")
    )


def run(told: argparse.Namespace) -> int:
    """Write the file; return the exit code."""
    try:
        if bool(told.assignment) == told.final:
            raise DecisionError(_("name an assignment or --final, one of the two"))
        term = Term(told.course)
        if told.final:
            grades = course_grades(term)
        else:
            check_assignment(term.root, told.assignment, graded=True)
            grades = assignment_grades(term, told.assignment)
        system = SYSTEMS[told.system]
        written = upload_file(term, grades, system, column=told.column, scale=told.scale)
        if not told.dry_run:
            write_file(told.to, written.data)
            record_sent(term, grades.name, "grades", told, written.column)
    except ERRORS as error:
        return refusal("term grades", error)
    for line in _told(grades, written, told):
        print(printable(line))
    return int(bool(grades.those("to be graded") or written.absent))


def record_sent(
    term: Term, name: str, what: str, told: argparse.Namespace, column: str = ""
) -> None:
    """Record that grades left, after which a decision about them is not undone but replaced."""
    data = {
        "assignment": name,
        "what": what,
        "form": told.system,
        "file": Path(told.to).name,
        "column": column,
    }
    term.log.add("sent", data, who=told.by or account(), why=told.why)


def _told(grades: Grades, written: Written, told: argparse.Namespace) -> Iterator[str]:
    """Yield what the file has, a sentence each."""
    count = len(grades.those("graded"))
    yield _n(
        "{file}: one grade in the column {column}",
        "{file}: {count} grades in the column {column}",
        count,
        file=told.to,
        column=written.column,
    )
    for student in grades.those("refused"):
        why = grades.of[student].comment
        yield _("{student}: no grade, because refused: {reason}", student=student, reason=why)
    for status, text in (
        ("missing", N_("without a submission, so without a grade: {students}")),
        ("to be graded", N_("not graded to the end, so without a grade: {students}")),
    ):
        if students := grades.those(status):
            yield _(text, students=", ".join(students))
    if written.absent:
        yield _(
            "not in the export of the system, so not in the file: {students}",
            students=", ".join(written.absent),
        )
    if told.dry_run:
        yield _("nothing was changed, because of --dry-run")
    elif told.system in _NEXT:
        following = _NEXT[told.system]
        yield _(following)
