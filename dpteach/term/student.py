"""``dpteach export``: write the grades of an assignment, or all data about one student.

The option ``--student`` is for a student who asks which personal data the course stores. It writes
a zip file whose parts can be read without this program. The zip file contains no data about other
students. It also lacks the hidden test cases of the assignments, which are not personal data.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.classroom import export
from dpteach.grading.core.command import refusal
from dpteach.grading.core.names import student_id
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import CourseError, course_api, course_folder
from dpteach.grading.course.gradebook import Book, GradebookError
from dpteach.grading.course.store import Store
from dpteach.term.backup import written_whole
from dpteach.term.forget import holdings, numbers_of, only, without
from dpteach.term.log import Log, LogError
from dpteach.term.marking.marks import FOLDER as MARKS
from dpteach.term.places import TERMS
from dpteach.term.state import person_data, state_of

_, _n = catalog("term")

#: the README of the zip file, which explains to the student what each part is
_README: Final = (Path(__file__).parent / "templates" / "README.txt").read_text("utf-8")

#: the folders that students may not see, because they have hidden test cases or others' data
_PRIVATE: Final = frozenset({"results", "recorded", "autograded", "reports"})


def export_student(course: str | Path, student: str, file: Path) -> list[str]:
    """Write what a course stores about a student, except hidden test cases, to a zip file.

    Parameters
    ----------
    course
        The course's folder.
    student
        The student's id.
    file
        The zip file to write. No other user of the computer can read this file.

    Returns
    -------
    list of str
        The paths of the files in the zip file.

    Raises
    ------
    CourseError, GradebookError, LogError, OSError
        If nothing is stored about the student, or a file cannot be read or written.
    """
    root = course_folder(course)
    found = holdings(root, student_id(student))
    api = course_api(root)
    with Book(api, "") as book:
        people = {one.id: one.to_dict() for one in book.book.students}
        assignments = [one.name for one in book.book.assignments]
    events = Log(root).all()
    roster = state_of(events).people
    everybody = frozenset({*people, *roster})
    about = [event for event in events if without(event, found.student) != event]
    person = person_data(roster[student]) if student in roster else None
    with (
        written_whole(file) as handle,
        zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as zipped,
    ):
        zipped.writestr("README.txt", _(_README, course=root.name, terms=TERMS))
        lines = [json.loads(only(event, everybody, student).line()) for event in about]
        zipped.writestr("log.json", _json(lines))
        entries = {"roster": person, "gradebook": people.get(student)}
        zipped.writestr("roster.json", _json(entries))
        for assignment in assignments:
            with Book(api, assignment) as book:
                if (standing := book.submitted().get(student)) is not None:
                    zipped.writestr(f"grades/{assignment}.json", _json(vars(standing)))
            if (result := Store(root, assignment).result(student)) is not None:
                zipped.writestr(f"results/{assignment}.json", _json(_result(result)))
        for record in sorted((root / MARKS).glob("*.jsonl")):
            marks = [json.loads(line) for line in record.read_bytes().split(b"\n")[:-1]]
            own = numbers_of(marks, student)
            told = [event for event in marks if event.get("number") in own]
            zipped.writestr(f"marking/{record.stem}.json", _json(told))
        for path in found.files:
            if not _PRIVATE & {*path.relative_to(root).parts[:-1]}:
                for one in [path, *sorted(path.rglob("*"))]:
                    if one.is_file() and not one.is_symlink():
                        zipped.write(one, str(one.relative_to(root)).lstrip("."))
        return zipped.namelist()


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, default=str) + "\n"


def _result(result: Result) -> dict[str, Any]:
    """Return the result of grading as JSON data, without test cases, some of which are hidden."""
    return {
        "notices": [notice.text for notice in result.notices],
        "items": {one.name: [one.score, one.reason, one.note] for one in result.items},
        "answers": result.solutions,
        "version": result.version,
    }


def add_parser(commands: Any) -> None:
    """Add the command ``export``: the grader's own command with a further option ``--student``."""
    command = export.add_parser(commands, optional=True)
    about = _("in place of ASSIGNMENT: everything stored about this student, as a zip file")
    command.add_argument("--student", metavar="ID", help=about)


def run(told: argparse.Namespace) -> int:
    """Write the grades of an assignment or the data about a student; return the exit code."""
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
