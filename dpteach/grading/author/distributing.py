"""``dpteach versions NAME``: the distribution of each student's own version of an assignment.

``versions.json``, beside the notebook in ``source/`` and ``release/``, has the parameters of all
versions. nbgrader's *Fetch* and ``dpteach mine`` find a student's parameters by the student's
secret token, and fill them into a copy of the notebook. An instructor who distributes files instead
sends each student the folder ``versions/STUDENT/``. It contains the student's token, which is valid
for all assignments, and the folder ``NAME/`` with the filled notebook.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.data import present
from dpteach.grading.author.personal import Personal, first_made, version_of
from dpteach.grading.author.source import SourceError
from dpteach.grading.core.command import add_assignment, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.core.plain import squeezed
from dpteach.grading.core.versions import TOKEN, VERSIONS, entry
from dpteach.grading.course.folder import (
    SETTINGS,
    CourseError,
    check_assignment,
    course_api,
    course_folder,
)
from dpteach.grading.course.gradebook import Book, GradebookError
from dpteach.grading.course.store import BusyError
from dpteach.grading.course.versions import Versions, all_recorded, personal
from dpteach.grading.student.files import SIDECAR, StudentError, write_data
from dpteach.grading.student.mine import mine

_, _n = catalog("author")

#: the name of a folder in the course, in which each student has a folder with personal versions
FOLDER: Final = "versions"


def table(maker: Personal, keeper: Versions, students: Iterable[str]) -> dict[str, Any]:
    """Return the content of ``versions.json``: each student's parameters and checks.

    Parameters
    ----------
    maker
        The maker of the items and checks for a student's parameters.
    keeper
        The record of the versions of the assignment that students got.
    students
        The students who get a version.

    Raises
    ------
    SourceError
        If no valid items can be made for a student's version.
    CourseError
        If a student got a different version before.
    """
    plain = dict(maker.source.values)
    ours = {item.name: item.visible for item in maker.checked(plain, 0, fresh=False)}
    found = {}
    for student in students:
        version = version_of(maker, keeper, student)
        make = partial(maker.checked, version.values, fresh=False)
        try:
            checked = first_made(keeper, student, version, 0, make)
        except SourceError as error:
            raise SourceError(f"{student}: {error}") from None
        found[entry(maker.source.name, keeper.token(student))] = {
            "version": version.name,
            "values": maker.told(version.values),
            "checks": squeezed(
                {item.name: item.visible for item in checked if item.visible != ours[item.name]}
            ),
        }
    return {
        "assignment": maker.source.name,
        "about": _(
            "The personal versions of this release. Each student finds their own by their token, "
            "and the file does not tell whose the others are. Editing it changes no grade."
        ),
        "without_seed": maker.told(plain),
        "cells": maker.templates,
        "versions": dict(sorted(found.items())),
    }


def write_table(api: Any, name: str) -> list[str]:
    """Write ``versions.json`` into ``source/NAME``; remove it if there are no personal versions.

    Returns
    -------
    list of str
        A warning if there are personal versions but no students yet; otherwise empty.

    Raises
    ------
    SourceError, CourseError, GradebookError
        As for `table`, or if the gradebook cannot be used.
    """
    root = Path(api.coursedir.root)
    file = root / "source" / name / VERSIONS
    maker = Personal(root / "assignments" / f"{name}.md")
    if not personal(api.config, name) or maker.source.parameters is None:
        file.unlink(missing_ok=True)
        return []
    keeper = Versions(root, name)
    try:
        with keeper.store.lock():
            students = roster(api, keeper)
            data = table(maker, keeper, students)
    except BusyError as error:
        raise CourseError(str(error)) from None
    write_data(file, data)
    if students:
        return []
    return [
        _(
            "{name} has personal versions, but the course has no students yet, so nobody can fetch "
            "one. Add the students (nbgrader db student import FILE), then run "
            "`dpteach versions {name}`",
            name=name,
        )
    ]


def roster(api: Any, keeper: Versions) -> list[str]:
    """Return the ids of students in the gradebook or with a recorded version, in order."""
    with Book(api, keeper.assignment) as book:
        return sorted({*book.students(), *all_recorded(keeper.store)})


def distribute(course: str | Path, name: str, students: Iterable[str] = ()) -> dict[str, Path]:
    """Write all students' parameters (``versions.json``) and a folder with each one's notebook.

    Parameters
    ----------
    students
        The students whose folders are written; empty for all students.

    Returns
    -------
    dict
        The folders by student.

    Raises
    ------
    CourseError, SourceError, GradebookError, OSError
        If the versions cannot be distributed; the message says why.
    """
    root = course_folder(course)
    check_assignment(root, name)
    api = course_api(root)
    for problem in _obstacles(api, root, name, students):
        raise CourseError(problem)
    write_table(api, name)
    shutil.copyfile(root / "source" / name / VERSIONS, root / "release" / name / VERSIONS)
    (root / FOLDER).mkdir(exist_ok=True)
    (root / FOLDER).chmod(0o700)
    keeper = Versions(root, name)
    wanted = students or roster(api, keeper)
    return {student: _written_folder(root, keeper, student) for student in wanted}


def _obstacles(api: Any, root: Path, name: str, students: Iterable[str]) -> Iterator[str]:
    """Yield each reason why an assignment's versions cannot be distributed to these students."""
    if not personal(api.config, name):
        yield _(
            "{name} has no personal versions: c.Versions.personal in {file} must be True or a list "
            "with this assignment",
            name=name,
            file=SETTINGS,
        )
    release = root / "release" / name
    if not (release / f"{name}.ipynb").is_file():
        yield _(
            "there is no release of {name} yet: build it with `dpteach assignments {name}`",
            name=name,
        )
    if not json.loads((release / SIDECAR).read_text("utf-8")).get("personal"):
        yield _(
            "release/{name} was built without personal versions, or the assignment has no "
            "parameters: build it again with `dpteach assignments {name}`",
            name=name,
        )
    known = roster(api, Versions(root, name))
    for student in students:
        if student not in known:
            yield _(
                "{student} is not a student of the course: add the student with "
                "`nbgrader db student add ID`",
                student=printable(student),
            )
    if not known:
        yield _("the course has no students: add them with `nbgrader db student import FILE`")


def _written_folder(root: Path, keeper: Versions, student: str) -> Path:
    """Write a student's token and own version of the notebook; return the notebook's folder."""
    name = keeper.assignment
    folder = root / FOLDER / student_id(student) / name
    release = root / "release" / name
    keeper.write_token(folder.parent, student)
    for file in present(release):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release / file, folder / file)
    mine(folder / f"{name}.ipynb")
    return folder


def add_parser(commands: Any) -> None:
    """Add the command ``dpteach versions`` to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "versions",
        help=_("distribute an assignment's personal versions"),
        description=_(
            "Write each student's own version to COURSE/versions/STUDENT/ASSIGNMENT, with the file "
            "{token} beside it, with which the student can fetch the version, and the table of all "
            "versions for the exchange.",
            token=TOKEN,
        ),
    )
    add_assignment(parser)
    parser.add_argument(
        "--student",
        action="append",
        default=[],
        metavar="ID",
        help=_("write the folder of this student only; may be given several times"),
    )


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach versions``; return its exit code."""
    try:
        found = distribute(told.course, told.assignment, told.student)
    except (GradebookError, StudentError, ValueError, OSError) as error:
        return refusal("versions", error)
    for folder in found.values():
        print(printable(str(folder)))
    print(
        _(
            "If the assignment was released to the exchange, release it again, so that students "
            "who were added since can fetch it. The numbers of the others do not change."
        ),
        file=sys.stderr,
    )
    return 0
