"""``dpteach export``: the grades of an assignment, or with ``--student`` all about one student.

The second is for a student who asks which personal data the course stores: a zip file whose parts
can be read without this program. It has nothing about other students, and no hidden case of a
check, which is no data about the student.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.classroom import export
from dpteach.grading.classroom.export import harmless_cell
from dpteach.grading.core.command import refusal
from dpteach.grading.core.names import student_id
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import CourseError, course_api, course_folder
from dpteach.grading.course.gradebook import Book, GradebookError, Standing
from dpteach.grading.course.store import Store
from dpteach.term.backup import written_whole
from dpteach.term.forget import holdings
from dpteach.term.log import Log, LogError
from dpteach.term.people import person_data
from dpteach.term.places import TERMS
from dpteach.term.privacy import Student, only, without
from dpteach.term.state import state_of

_, _n = catalog("term")

#: the columns of the table of grades
COLUMNS: Final = ("assignment", "item", "points", "of", "comment")

#: the folders that have hidden cases of checks, or other students
_PRIVATE: Final = frozenset({"results", "recorded", "autograded", "reports"})


def export_student(course: str | Path, student: str, file: Path) -> list[str]:
    """Write everything that a course stores about a student to a zip file.

    Parameters
    ----------
    course
        The course's folder.
    student
        The student's id.
    file
        The zip file, which only its owner can read.

    Returns
    -------
    list of str
        The names of its parts.

    Raises
    ------
    CourseError, GradebookError, LogError, OSError
        If nothing is stored about the student, or something cannot be read or written.
    """
    root = course_folder(course)
    found = holdings(root, student_id(student))
    if not found:
        raise CourseError(_("the course stores nothing about {student}", student=student))
    api = course_api(root)
    with Book(api, "") as book:
        enrolled = {one.id: one.to_dict() for one in book.book.students}
        assignments = [one.name for one in book.book.assignments]
    with (
        written_whole(file) as handle,
        zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as zipped,
    ):
        zipped.writestr("README.txt", _about(root))
        zipped.writestr("log.json", _json(_log(root, found.student, {*enrolled})))
        zipped.writestr("roster.json", _json(_roster(root, student, enrolled)))
        zipped.writestr("grades.csv", _grades(api, assignments, student))
        for assignment in assignments:
            if (result := Store(root, assignment).result(student)) is not None:
                zipped.writestr(f"results/{assignment}.json", _json(_result(result)))
        for path in found.files:
            if not _PRIVATE & {*path.relative_to(root).parts[:-1]}:
                for one in [path, *sorted(path.rglob("*"))]:
                    if one.is_file() and not one.is_symlink():
                        zipped.write(one, str(one.relative_to(root)).lstrip("."))
        return zipped.namelist()


def _about(root: Path) -> str:
    """Return what the parts of the file are."""
    return _(
        "What the course {course} stores about you. submitted/ has what you submitted, feedback/ "
        "the pages that you got, grades.csv your points and the comments on your answers, "
        "results/ what the grader found, roster.json your entry in the list of students, and "
        "log.json what was decided about you. {terms}/ has earlier terms.\n",
        course=root.name,
        terms=TERMS,
    )


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, default=str) + "\n"


def _log(root: Path, student: Student, enrolled: set[str]) -> list[dict[str, Any]]:
    """Return what the log says about a student, and nothing about the others."""
    events = Log(root).all()
    people = frozenset(enrolled | {*state_of(events).people})
    about = [event for event in events if without(event, student) != event]
    return [json.loads(only(event, people, student.id).line()) for event in about]


def _roster(root: Path, student: str, enrolled: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of a student in the roster of the term and in the gradebook."""
    person = state_of(Log(root).all()).people.get(student)
    roster = None if person is None else person_data(person)
    return {"roster": roster, "gradebook": enrolled.get(student)}


def _grades(api: Any, assignments: Sequence[str], student: str) -> str:
    """Return the points and comments of a student as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for assignment in assignments:
        with Book(api, assignment) as book:
            standing = book.submitted().get(student)
        for row in _rows(standing) if standing is not None else ():
            writer.writerow([assignment, *(harmless_cell(str(cell)) for cell in row)])
    return text.getvalue()


def _rows(standing: Standing) -> Iterator[tuple[object, ...]]:
    """Yield the rows of one submission: each item, each further comment, and the total."""
    for item, score in standing.scores.items():
        said = [standing.comments.get(item, ""), standing.notes.get(item, "")]
        points = "" if score is None else f"{score:g}"
        yield item, points, f"{standing.worth.get(item, 0.0):g}", " ".join(filter(None, said))
    for name, comment in standing.comments.items():
        if name not in standing.scores:
            yield name, "", "", comment
    late = standing.late and f"{standing.late}: -{standing.penalty:g}"
    told = " ".join(filter(None, [late, standing.notes.get("", ""), standing.refused]))
    yield _("total"), f"{standing.total:g}", f"{standing.maximum:g}", told


def _result(result: Result) -> dict[str, Any]:
    """Return the grader's result without the cases of the checks."""
    items = [
        {"name": one.name, "points": one.score, "of": one.points, "reason": one.reason or one.note}
        for one in result.items
    ]
    return {
        "status": result.status,
        "notices": [notice.text for notice in result.notices],
        "items": items,
        "answers": result.solutions,
        "version": result.version,
    }


def add_parser(commands: Any) -> None:
    """Add the command ``export``, whose parser and table are those of the grader."""
    command = export.add_parser(commands, optional=True)
    command.add_argument(
        "--student",
        metavar="ID",
        help=_("in place of ASSIGNMENT: everything stored about this student, as a zip file"),
    )


def run(told: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    try:
        if (told.assignment is None) == (told.student is None):
            raise CourseError(_("name either an assignment or --student ID"))
        if told.student is None:
            return export.run(told)
        if told.to is None:
            raise CourseError(_("--student needs --to FILE.zip"))
        names = export_student(told.course, told.student, told.to)
    except (OSError, ValueError, GradebookError, LogError) as error:
        return refusal("export", error)
    print(_n("{count} file in {zip}", "{count} files in {zip}", len(names), zip=told.to))
    return 0
