"""The grades of an assignment or of the course, as they leave for a learning management system."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpteach._language import catalog
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.gradebook import Standing
from dpteach.grading.course.store import write_atomically
from dpteach.term.deciding import DecisionError, Term
from dpteach.term.final import final_grades
from dpteach.term.lms.system import Grade, System
from dpteach.term.lms.table import Table, plain
from dpteach.term.project import project

_, _n = catalog("term")

#: the name under which the log keeps that the final grades went out
FINAL: Final = "final"


@dataclass(frozen=True)
class Grades:
    """The grades of all students who take part.

    Attributes
    ----------
    name
        The name of the assignment, or `FINAL`.
    titles
        The names that a column for them may have.
    maximum
        The points of the assignment, or 100 for percent.
    of
        The grade of each student.
    """

    name: str
    titles: tuple[str, ...]
    maximum: float
    of: Mapping[str, Grade]

    def scaled(self, maximum: float) -> Grades:
        """Return the grades for another number of points."""
        factor = maximum / self.maximum if self.maximum else 0.0
        grades = {
            who: one if one.points is None else one._replace(points=one.points * factor)
            for who, one in self.of.items()
        }
        return Grades(self.name, self.titles, maximum, grades)

    def those(self, status: str) -> list[str]:
        """Return the students whose grade has a status."""
        return sorted(who for who, one in self.of.items() if one.status == status)


def assignment_grades(term: Term, assignment: str) -> Grades:
    """Return the grades of an assignment, after everything that was decided.

    Raises
    ------
    dpteach.term.deciding.DecisionError
        If there is no such assignment.
    """
    project(term.root)
    with term.book(assignment) as book:
        standings = {one.student: one for one in book.standings() if one.status != "withdrawn"}
        maximum = book.maximum()
    found = {student: _grade(one) for student, one in standings.items()}
    for student in term.state.people.keys() - term.state.withdrawn - found.keys():
        found[student] = Grade(None, "missing")
    titles = (assignment, assignment.replace("_", " "), _title(term.root, assignment))
    return Grades(assignment, titles, maximum, dict(sorted(found.items())))


def _grade(standing: Standing) -> Grade:
    """Return the grade of a student; one that is not final has no points."""
    if standing.status != "graded":
        return Grade(None, standing.status, " ".join(standing.refused.split()))
    told = standing.notes.get(TOTAL, "")
    if standing.penalty and not told:
        told = _n(
            "{late}: {count:g} point lost",
            "{late}: {count:g} points lost",
            standing.penalty,
            late=standing.late,
        )
    return Grade(standing.total, "graded", told)


def course_grades(term: Term) -> Grades:
    """Return the final grades of the course in percent; one that is open has no points."""
    found = {}
    for one in final_grades(term.root):
        if one.status == "withdrawn":
            continue
        if one.status == "complete":
            found[one.student] = Grade(one.percent, "graded")
        else:
            refused = any(part.status == "refused" for part in one.grades.values())
            status = "refused" if refused else "to be graded"
            found[one.student] = Grade(None, status, " ".join(one.reason.split()))
    titles = ("override score", FINAL, "course total", "final grade")
    return Grades(FINAL, titles, 100.0, found)


def _title(root: Path, assignment: str) -> str:
    """Return the title of an assignment, as its text source has it, or its name."""
    try:
        text = (root / "assignments" / f"{assignment}.md").read_text("utf-8")
    except OSError:
        return assignment
    found = re.search(r"(?m)^# +(.+?) *$", text)
    return found[1] if found else assignment


def column_of(system: System, table: Table, grades: Grades, asked: str | None) -> int:
    """Return the index of the column of a system's table into which grades go.

    Parameters
    ----------
    asked
        The name of the column, its title or its number, or None to find it by the titles.

    Raises
    ------
    dpteach.term.deciding.DecisionError
        If it is not exactly one; the message names the columns that there are.
    """
    names = [asked] if asked else list(grades.titles)
    wanted = {plain(name) for name in names}
    own = set(table.fields(system.columns).values())
    every = range(len(table.header))
    free = [index for index in every if index not in own and system.is_open(table, index)]
    found = [
        index
        for index in free
        if wanted & {plain(table.header[index]), plain(system.title_of(table.header[index]))}
        or (asked and re.search(rf"[(|]{re.escape(asked)}\)?$", table.header[index]))
    ]
    if len(found) == 1:
        return found[0]
    raise DecisionError(
        _(
            "the column of the grades is not clear: name it by --column. The export of {system} "
            "has the columns {columns}",
            system=system.title,
            columns=", ".join(table.header[index] for index in free) or "-",
        )
    )


def write_file(path: Path, data: bytes) -> None:
    """Write a file such that a crash leaves either the old file or the new one.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
    else:
        write_atomically(Path(os.path.realpath(path)), data)
