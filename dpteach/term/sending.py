"""``dpteach term grades`` and ``feedback``: write files of grades and feedback for an LMS.

Canvas and Moodle find the student to whom a feedback page belongs by the path of the file that the
student submitted: Canvas by two numbers in the file's name, Moodle by the name of the file's
folder. Canvas shows the page under the name of the submitted file; if that file is a notebook, the
page must be wrapped in a notebook. (An LMS is a learning management system.)
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dpteach._language import N_, catalog
from dpteach.grading.classroom.publish import Publisher
from dpteach.grading.core.command import file_to_write
from dpteach.grading.course.decisions import TOTAL
from dpteach.grading.course.folder import course_folder
from dpteach.grading.course.gradebook import Standing
from dpteach.grading.course.store import Store, write_atomically
from dpteach.term.collect import recorded
from dpteach.term.collecting import Facts
from dpteach.term.deciding import Decision, DecisionError, Term, decide
from dpteach.term.final import Policy, grades_by
from dpteach.term.lms import SYSTEMS, moodle
from dpteach.term.lms.archive import latest_table
from dpteach.term.lms.system import Grade, Known, System, Upload
from dpteach.term.lms.table import Table, plain
from dpteach.term.log import FINAL
from dpteach.term.project import project
from dpteach.term.state import Person

_, _n = catalog("term")


class Grades(NamedTuple):
    """The grades of all students who take part, for one assignment or for the course.

    Attributes
    ----------
    name
        The name of the assignment, or `FINAL` for final grades.
    titles
        The titles that a column for these grades may have in the LMS.
    maximum
        The points of the assignment, or 100 for final grades, which are in percent.
    of
        The grade of each student by id.
    """

    name: str
    titles: tuple[str, ...]
    maximum: float
    of: Mapping[str, Grade]

    def those(self, status: str) -> list[str]:
        """Return the ids of the students whose grade has the given status."""
        return sorted(who for who, one in self.of.items() if one.status == status)


def assignment_grades(term: Term, name: str) -> Grades:
    """Return the grades of an assignment, with all recorded decisions such as extensions."""
    with term.book(name) as book:
        there = {one.student: one for one in book.standings() if one.status != "withdrawn"}
        maximum = book.maximum()
    missing = term.state.people.keys() - term.state.withdrawn - there.keys()
    found = {student: Grade(None, "missing") for student in missing}
    found |= {student: _grade(one) for student, one in there.items()}
    source = term.root / "assignments" / f"{name}.md"
    title = re.search(r"(?m)^# +(.+?) *$", source.read_text("utf-8") if source.exists() else "")
    names = (name, name.replace("_", " "), title[1] if title else name)
    return Grades(name, names, maximum, dict(sorted(found.items())))


def _grade(one: Standing) -> Grade:
    """Return a student's grade for an upload file, without points unless the status is "graded"."""
    if one.status != "graded":
        return Grade(None, one.status, " ".join(one.refused.split()))
    lost = _n("{count:g} point lost", "{count:g} points lost", one.penalty)
    told = f"{one.late}: {lost}" if one.penalty else ""
    return Grade(one.total, "graded", one.notes.get(TOTAL, told))


def course_grades(term: Term) -> Grades:
    """Return the final grades of the course in percent; an incomplete grade has no points."""
    found = {}
    for one in grades_by(term, Policy(**term.state.policy)):
        if one.status == "complete":
            found[one.student] = Grade(one.percent, "graded")
        elif one.status == "open":
            refused = "refused" in {part.status for part in one.grades.values()}
            status = "refused" if refused else "to be graded"
            found[one.student] = Grade(None, status, " ".join(one.reason.split()))
    titles = ("override score", FINAL, "course total", "final grade")
    return Grades(FINAL, titles, 100.0, found)


def column_of(system: System, table: Table, grades: Grades, asked: str | None) -> int:
    """Return the index of the column of an LMS's table into which the grades are written.

    Parameters
    ----------
    asked
        The text by which the user named the column: its name, or only the title or the number that
        the name contains. If None, the column with one of the titles `grades.titles` is used.

    Raises
    ------
    dpteach.term.deciding.DecisionError
        If no column or several columns fit; the message lists the columns of the table.
    """
    own = {*table.fields(system.columns).values()}
    free = {index: name for index, name in enumerate(table.header) if index not in own}
    free = {at: name for at, name in free.items() if "read only" not in system.maximum(table, at)}
    wanted = {plain(name) for name in ([asked] if asked else grades.titles)}
    number = re.compile(rf"[(|]{re.escape(asked or '-')}\)?$")
    found = [
        index
        for index, name in free.items()
        if wanted & {plain(name), plain(system.title_of(name))} or number.search(name)
    ]
    if len(found) != 1:
        columns = ", ".join(free.values()) or "-"
        raise DecisionError(_("name the column by --column, one of: {columns}", columns=columns))
    return found[0]


def upload_file(
    term: Term, grades: Grades, system: System, asked: str | None
) -> tuple[bytes, str, list[str]]:
    """Return the file to upload, the name of its column of grades, and the missing students.

    The missing students are those of the term who are not in the table that the LMS exported.

    Parameters
    ----------
    asked
        The column that the user named, or None, as for `column_of`.

    Raises
    ------
    DecisionError
        If the LMS's export was not read before, no single column fits, or the column's maximum
        points in the LMS differ from `grades.maximum`.
    """
    people = {who: term.state.people.get(who, Person(who)) for who in grades.of}
    told = Upload(people, grades.of, asked or grades.titles[-1])
    of_moodle = system.name == "moodle"
    if of_moodle:
        table = latest_table(term.log, "collected", "worksheet", assignment=grades.name)
    else:
        table = latest_table(term.log, "roster", "file", source=system.name)
    if table is None and system.name in ("canvas", "blackboard"):
        text = _("read its gradebook first, by dpteach term roster: {what}", what=system.title)
        raise DecisionError(text)
    if table is None or system.name == "plain":
        return system.upload(told), told.title, []
    column = column_of(system, table, grades, moodle.GRADE if of_moodle else asked)
    _check_points(system, table, column, grades)
    known = Known(people.values())
    absent = people.keys() - {known.row(system, table, row) for row in table.rows}
    data = system.upload(told._replace(table=table, column=column))
    return data, table.header[column], sorted(absent)


def _check_points(system: System, table: Table, column: int, grades: Grades) -> None:
    """Raise an error if the column's maximum points in the LMS differ from `grades.maximum`."""
    found = re.fullmatch(r"\d+(?:[.,]\d+)?", system.maximum(table, column))
    theirs = float(found[0].replace(",", ".")) if found else grades.maximum
    if theirs != grades.maximum:
        name = table.header[column]
        text = N_(
            "{name} has {x:g} points, and must have {y:g}: change the points of the assignment in "
            "{system}, download this table again, and read it by dpteach term {command}"
        )
        title, command = system.title, "collect" if system.name == "moodle" else "roster"
        told = _(text, name=name, x=theirs, y=grades.maximum, system=title, command=command)
        raise DecisionError(told)


def place_of(system: str, assignment: str, person: Person, facts: Facts) -> tuple[str, str]:
    """Return the path of a student's feedback page in the archive for an LMS, or why there is none.

    The result is (path, "") or ("", reason). There is no path if the LMS would not show the page
    to the student under any path.

    Parameters
    ----------
    facts
        What the LMS said about the student's submission.
    """
    if system == "canvas":
        if facts.place.casefold().endswith((".ipynb", ".html", ".htm")):
            return facts.place, ""
        if not facts.place:
            return "", _("Canvas shows it under the name of a submitted file, and it has none")
        name = facts.place.split("_")[-1]
        return "", _("Canvas shows it under the name of the submitted file, {name}", name=name)
    if system == "moodle":
        name = re.sub(r"[_/]", " ", person.name)
        folder = facts.place or f"{name}_{facts.participant}_assignsubmission_file"
        if facts.place or facts.participant:
            return f"{folder}/{assignment}.html", ""
        return "", _("its number in Moodle is not known: collect the grading worksheet")
    return f"{person.id}/{assignment}.html", ""


def in_notebook(page: str) -> str:
    """Return a notebook whose only output is an HTML page, as JSON text."""
    output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": page}}
    told = _("This notebook is not your submission: it shows the feedback on it.")
    about = {"cell_type": "markdown", "id": "about", "metadata": {}, "source": told}
    shown = {"cell_type": "code", "id": "feedback", "metadata": {}, "outputs": [output]}
    cells = [about, shown | {"execution_count": None, "source": ""}]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command ``grades`` or ``feedback``."""
    one, text = ("?" if name == "grades" else None), _("the name of the assignment")
    command.add_argument("assignment", nargs=one, metavar="NAME", help=text)
    if name == "grades":
        text = _("the grades of the course, in percent, instead of those of an assignment")
        command.add_argument("--final", action="store_true", help=text)
        text = _("the column in the LMS (default: the one with the title of the assignment)")
        command.add_argument("--column", metavar="TEXT", help=text)
    text = _("the system that reads it")
    command.add_argument("--for", dest="system", choices=SYSTEMS, required=True, help=text)
    text = _("the file to write")
    command.add_argument("--to", type=file_to_write, metavar="FILE", required=True, help=text)


def run(told: argparse.Namespace) -> int:
    """Write the file of grades or feedback and report on it; return the exit code."""
    # carry out earlier decisions now: `project` needs the lock of the log, which `decide` will hold
    project(course_folder(told.course))
    return decide(told, _sent)


class _File(NamedTuple):
    """A file of grades or feedback for an LMS, before it is written to the disk.

    Attributes
    ----------
    data
        The bytes of the file.
    name
        The name of the assignment, or `FINAL`.
    lines, problems
        Sentences about the content of the file, and about students who are left out.
    column
        The name of the column of grades, or "" for feedback.
    """

    data: bytes
    name: str
    lines: list[str]
    problems: list[str]
    column: str = ""


def _grades(term: Term, told: argparse.Namespace) -> _File:
    """Return the file of grades for an LMS."""
    if bool(told.assignment) == told.final:
        raise DecisionError(_("name an assignment or --final, one of the two"))
    grades = course_grades(term) if told.final else assignment_grades(term, told.assignment)
    data, column, absent = upload_file(term, grades, SYSTEMS[told.system], told.column)
    count = len(grades.those("graded"))
    text = N_("{file}: {count} grades in {column}")
    if told.dry_run:
        text = N_("{file} would have {count} grades in {column}")
    lines = [_(text, file=told.to, count=count, column=column)]
    for who in grades.those("refused"):
        lines.append(_("{student}: refused: {reason}", student=who, reason=grades.of[who].comment))
    if missing := ", ".join(grades.those("missing")):
        lines.append(_("without a submission, so without a grade: {students}", students=missing))
    problems = []
    if waiting := ", ".join(grades.those("to be graded")):
        problems.append(_("not graded to the end, so without a grade: {who}", who=waiting))
    if absent:
        text = N_("not in the export of the system, so not in the file: {students}")
        problems.append(_(text, students=", ".join(absent)))
    return _File(data, grades.name, lines, problems, column)


def _feedback(term: Term, told: argparse.Namespace) -> _File:
    """Return the archive of feedback pages for an LMS; raise BusyError while grading runs."""
    name, system = told.assignment, told.system
    grades, facts = assignment_grades(term, name), recorded(term.log, name)
    store, publisher = Store(term.root, name), Publisher(term.api, name)
    with store.lock(), term.book(name) as book:
        # the pages must include marks that people gave after grading
        publisher.refresh(store, book)
    target, count, left = io.BytesIO(), 0, {}
    with zipfile.ZipFile(target, "w") as archive:
        for student in [*grades.those("graded"), *grades.those("refused")]:
            page = publisher.folder("feedback", student) / f"{name}.html"
            person = term.state.people.get(student, Person(student))
            path, why = place_of(system, name, person, facts.get(student, Facts()))
            if why or not page.is_file():
                left[student] = why or _("there is no page: use dpteach grade again")
                continue
            text = page.read_text("utf-8")
            text = in_notebook(text) if path.casefold().endswith(".ipynb") else text
            # a ZipInfo has a fixed time, so that archives of the same pages have the same bytes
            archive.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)
            count += 1
    left |= dict.fromkeys(grades.those("to be graded"), _("it is not graded to the end"))
    text = N_("{file}: feedback of {count} students")
    if told.dry_run:
        text = N_("{file} would have the feedback of {count} students")
    problems = []
    for why in dict.fromkeys(left.values()):
        who = ", ".join(student for student in left if left[student] == why)
        problems.append(_("not in the archive ({reason}): {students}", reason=why, students=who))
    return _File(target.getvalue(), name, [_(text, file=told.to, count=count)], problems)


def _sent(term: Term, told: argparse.Namespace) -> Decision:
    """Write the file for an LMS unless ``--dry-run`` is given; return the event for the log.

    After this event, earlier decisions about the sent grades cannot be undone.
    """
    one = _grades(term, told) if told.subcommand == "grades" else _feedback(term, told)
    if term.state.withdrawn:
        students = ", ".join(sorted(term.state.withdrawn))
        one.lines.append(_("withdrew, so left out: {students}", students=students))
    if not told.dry_run and told.to.exists() and not told.to.is_file():
        told.to.write_bytes(one.data)
    elif not told.dry_run:
        write_atomically(Path(os.path.realpath(told.to)), one.data)
    about = {"what": told.subcommand, "form": told.system, "file": told.to.name}
    about |= {"assignment": one.name, "column": one.column}
    return Decision("sent", about, {}, one.lines, one.problems)
