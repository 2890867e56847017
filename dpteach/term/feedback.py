"""``dpteach term feedback``: feedback pages in the archive that Canvas and Moodle take back.

Both find the student by the name of the file that the student submitted: Canvas by two numbers in
it, Moodle by the name of the folder. Canvas shows the file under the name of the submitted one, so
that a page beside a notebook travels in a notebook.
"""

from __future__ import annotations

import argparse
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.classroom.publish import Publisher
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import check_assignment, settings_of
from dpteach.grading.course.store import BusyError, Store
from dpteach.term.collect import recorded
from dpteach.term.collecting import Facts
from dpteach.term.deciding import ERRORS, DecisionError, Term, add_decision
from dpteach.term.grades import add_target, record_sent
from dpteach.term.people import Person
from dpteach.term.sending import assignment_grades, write_file

_, _n = catalog("term")

#: the time in the archive, so that equal feedback makes equal archives
_TIME: Final = (1980, 1, 1, 0, 0, 0)


@dataclass
class Pages:
    """The archive and what is not in it.

    Attributes
    ----------
    data
        The archive.
    students
        The students whose pages are in it.
    left
        Why a page is not in it, by student.
    """

    data: bytes = b""
    students: list[str] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)


def place_of(system: str, assignment: str, person: Person, facts: Facts) -> tuple[str, str]:
    """Return where the page of a student goes in the archive, or why it cannot.

    Returns
    -------
    str, str
        The path, or "" and the reason.
    """
    if system == "canvas":
        if not facts.place:
            return "", _("Canvas takes a page only for a student who submitted a file there")
        if not facts.place.casefold().endswith((".ipynb", ".html", ".htm")):
            name = facts.place.split("_")[-1]
            return "", _("Canvas would show the page as {name}, which nobody could open", name=name)
        return facts.place, ""
    if system == "moodle":
        if not facts.place and not facts.participant:
            return "", _("Moodle's number of the student is missing: collect the grading worksheet")
        name = person.name.replace("_", " ").replace("/", " ")
        folder = facts.place or f"{name}_{facts.participant}_assignsubmission_file"
        return f"{folder}/{assignment}.html", ""
    return f"{person.id}/{assignment}.html", ""


def in_notebook(page: str, assignment: str) -> str:
    """Return a notebook that shows a page, as JSON text."""
    told = _(
        "# Feedback on {assignment}\n\nThis notebook is not your submission: it shows the feedback "
        "on it, below.",
        assignment=assignment,
    )
    output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": page}}
    about = {"cell_type": "markdown", "id": "about", "metadata": {}, "source": told}
    shown = {"cell_type": "code", "id": "feedback", "metadata": {}, "outputs": [output]}
    cells = [about, shown | {"execution_count": None, "source": ""}]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def packed_pages(term: Term, assignment: str, system: str) -> Pages:
    """Return the feedback pages of an assignment for a system."""
    found, target = Pages(), io.BytesIO()
    bring_pages_up_to_date(term, assignment)
    grades, facts = assignment_grades(term, assignment), recorded(term.log, assignment)
    name = settings_of(term.root).get("CourseDirectory", {}).get("feedback_directory", "feedback")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, grade in grades.of.items():
            if grade.status == "missing":
                continue
            page = term.root / name / student / assignment / f"{assignment}.html"
            person = term.state.people.get(student, Person(student))
            path, why = place_of(system, assignment, person, facts.get(student, Facts()))
            if grade.status == "to be graded":
                why = _("it is not graded to the end")
            elif not why and not page.is_file():
                why = _("there is no feedback page: run dpteach grade again")
            if why:
                found.left[student] = why
                continue
            text = page.read_text("utf-8")
            if path.casefold().endswith(".ipynb"):
                text = in_notebook(text, assignment)
            archive.writestr(zipfile.ZipInfo(path, _TIME), text, zipfile.ZIP_DEFLATED)
            found.students.append(student)
    found.data = target.getvalue()
    return found


def bring_pages_up_to_date(term: Term, assignment: str) -> None:
    """Write the pages anew whose grades have changed since, such as by a person who marked.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If the assignment is being graded now.
    """
    store = Store(term.root, assignment)
    if not store.folder.is_dir():
        return
    try:
        with store.lock(), term.book(assignment) as book:
            Publisher(term.api, assignment).refresh(store, book)
    except BusyError as error:
        raise DecisionError(str(error)) from None


def add_parser(commands: Any) -> None:
    """Add the command ``feedback`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "feedback",
        help=_("write the feedback pages as the archive that an LMS takes back"),
        description=_(
            "Write the feedback pages of an assignment as the archive that Canvas and Moodle take "
            "back, under the names by which they find the students. For all others, the archive "
            "has a folder for each student."
        ),
    )
    command.add_argument("assignment", metavar="NAME", help=_("the name of the assignment"))
    add_target(command)
    add_decision(command)


def run(told: argparse.Namespace) -> int:
    """Write the archive; return the exit code."""
    try:
        term = Term(told.course)
        check_assignment(term.root, told.assignment, graded=True)
        pages = packed_pages(term, told.assignment, told.system)
        if not told.dry_run:
            write_file(Path(told.to), pages.data)
            record_sent(term, told.assignment, "feedback", told)
    except ERRORS as error:
        return refusal("term feedback", error)
    for line in _told(pages, told):
        print(printable(line))
    return int(bool(pages.left))


def _told(pages: Pages, told: argparse.Namespace) -> Iterator[str]:
    """Yield what the archive has, a sentence each."""
    yield _n(
        "{file}: feedback of one student",
        "{file}: feedback of {count} students",
        len(pages.students),
        file=told.to,
    )
    for student, why in pages.left.items():
        yield _("{student}: not in the archive: {reason}", student=student, reason=why)
    if told.dry_run:
        yield _("nothing was changed, because of --dry-run")
    elif told.system == "canvas":
        yield _("In Canvas: the assignment, Upload Submissions, and choose the file.")
    elif told.system == "moodle":
        yield _("In Moodle: the assignment's Submissions, Upload multiple feedback files in a zip.")
