"""``dpteach versions NAME``: each student's own version of an assignment, handed out.

Beside the notebook in ``source/`` and ``release/`` lies ``versions.json``, with which *Fetch* and
``dpteach mine`` make a copy a student's own, by the student's token. ``versions/STUDENT/`` holds
what goes by hand: ``NAME/``, filled in already, and the token, the same for all assignments.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from dpteach.grading.author.data import present
from dpteach.grading.author.personal import DRAWS, Personal, version_of
from dpteach.grading.author.source import SourceError
from dpteach.grading.core.command import add_assignment, refusal
from dpteach.grading.core.exam import Item
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.core.plain import squeezed
from dpteach.grading.core.versions import TOKEN, VERSIONS, Version, entry
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
from dpteach.grading.student.mine import MineError, mine, write_data
from dpteach.grading.student.runner import SIDECAR

#: the folder of the course with a folder for each student
FOLDER: Final = "versions"

_ABOUT = (
    "The personal versions of this release. Each student's token finds theirs, and nothing in this "
    "file tells whose the others are. Editing it changes no grade."
)


def table(maker: Personal, keeper: Versions, students: Iterable[str]) -> dict[str, Any]:
    """What ``versions.json`` holds.

    Parameters
    ----------
    maker, keeper
        Of the assignment.
    students
        Who has a version.

    Raises
    ------
    SourceError
        If a student's version is no exam.
    CourseError
        If a student got another one before.
    """
    plain = dict(maker.source.values)
    ours = {item.name: item.visible for item in maker.checked(plain, 0, fresh=False)}
    found = {}
    for student in students:
        version = version_of(maker, keeper, student)
        found[entry(maker.source.name, keeper.token(student))] = {
            "version": version.name,
            "values": maker.told(version.values),
            "checks": squeezed(
                {
                    item.name: item.visible
                    for item in _checked(maker, keeper, student, version)
                    if item.visible != ours[item.name]
                }
            ),
        }
    return {
        "assignment": maker.source.name,
        "about": _ABOUT,
        "without_seed": maker.told(plain),
        "cells": maker.templates,
        "versions": dict(sorted(found.items())),
    }


def _checked(maker: Personal, keeper: Versions, student: str, version: Version) -> list[Item]:
    """The student's checks that use parameters, from the first draw that is an exam."""
    for attempt in range(DRAWS):
        try:
            seed = keeper.hidden_seed(student, 0, attempt)
            return maker.checked(version.values, seed, fresh=False)
        except SourceError as error:
            problem = error
    raise SourceError(f"{student}: the version {version.name} ({version.text()}): {problem}")


def write_table(api: Any, name: str) -> list[str]:
    """Writes ``versions.json`` into ``source/NAME``, or takes it away where nobody has a version.

    Returns
    -------
    list of str
        What there is to look at.

    Raises
    ------
    SourceError, CourseError, GradebookError
        As `table`; and if the gradebook cannot be used.
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
        "it has personal versions, and the course has no students yet: nobody can fetch one. Add "
        "them (nbgrader db student import FILE), and give: dpteach versions " + name
    ]


def roster(api: Any, keeper: Versions) -> list[str]:
    """Who has a version: the students of the gradebook, and who got one before."""
    with Book(api, keeper.assignment) as book:
        return sorted({*book.students(), *all_recorded(keeper.store)})


def hand_out(course: str | Path, name: str, students: Iterable[str] = ()) -> dict[str, Path]:
    """Writes the folders of students, and the versions into source and release.

    Parameters
    ----------
    students
        Only the folders of these; all if none.

    Returns
    -------
    dict
        The folders by student.

    Raises
    ------
    CourseError, SourceError, GradebookError, OSError
        If it cannot be done; says why.
    """
    root = course_folder(course)
    check_assignment(root, name)
    api = course_api(root)
    if not personal(api.config, name):
        raise CourseError(
            f"{name} has no personal versions: in {SETTINGS}, c.Versions.personal must be True or "
            "name it"
        )
    release = root / "release" / name
    if not (release / f"{name}.ipynb").is_file():
        raise CourseError(f"there is no release of {name}: build it with: dpteach assignments")
    if not json.loads((release / SIDECAR).read_text("utf-8")).get("personal"):
        raise CourseError(
            f"release/{name} was built without personal versions, or the assignment has no "
            "parameters: build it with: dpteach assignments"
        )
    keeper = Versions(root, name)
    known = roster(api, keeper)
    for student in students:
        if student not in known:
            raise CourseError(
                f"{printable(student)} is no student of the course: nbgrader db student add ID"
            )
    if not known:
        raise CourseError("the course has no students: nbgrader db student import FILE")
    write_table(api, name)
    shutil.copyfile(root / "source" / name / VERSIONS, release / VERSIONS)
    (root / FOLDER).mkdir(exist_ok=True)
    (root / FOLDER).chmod(0o700)
    return {student: _folder(root, keeper, student) for student in students or known}


def _folder(root: Path, keeper: Versions, student: str) -> Path:
    """A student's folder, filled in, below the student's token."""
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
    """Adds the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "versions",
        help="hand out an assignment's personal versions",
        description="Write COURSE/versions/STUDENT/ASSIGNMENT, each student's own version, beside "
        f"it {TOKEN}, with which the student can fetch it, and the table of all for the exchange.",
    )
    add_assignment(parser)
    parser.add_argument(
        "--student", action="append", default=[], metavar="ID", help="only this one; repeatable"
    )


def run(told: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    try:
        found = hand_out(told.course, told.assignment, told.student)
    except (GradebookError, MineError, ValueError, OSError) as error:
        return refusal("versions", error)
    for folder in found.values():
        print(printable(str(folder)))
    print(
        "If it was released to the exchange, release it again: students who were added can fetch "
        "it then, and nobody's numbers change.",
        file=sys.stderr,
    )
    return 0
