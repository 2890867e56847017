"""``dpteach forget ID``: remove everything that a course stores about a student.

That is what the student submitted and got back, the grader's records, the rows of the gradebook,
the roster entry and what the log says, also in terms that were put away. The log keeps that a
student was forgotten, with a salted digest of the id: so ``restore`` can say who must be forgotten
again, and reading the log tells nobody who that was. Reports are removed, because ``dpteach
report`` writes them without the student. Backups are listed, because they are removed whole.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.course.folder import CourseError, course_folder, settings_of
from dpteach.grading.course.gradebook import GradebookError, full_name, patient
from dpteach.grading.course.store import BusyError
from dpteach.term.backup import backups
from dpteach.term.deciding import account
from dpteach.term.log import Event, Log, LogError
from dpteach.term.places import GRADEBOOK, check_places, nobody_grades, reading
from dpteach.term.privacy import FORGOTTEN, Student, files_of, reports_of, terms, without
from dpteach.term.project import project
from dpteach.term.state import State, state_of

_, _n = catalog("term")

#: the days for which backups are kept, if ``c.Term.keep_backups_days`` does not say so
KEEP_DAYS: Final = 365


@dataclass
class Holdings:
    """What a course stores about a student.

    Attributes
    ----------
    files
        Files and folders that are removed.
    gradebooks
        The gradebooks that have the student.
    logs
        The courses and terms whose logs say something about the student, and how many entries.
    """

    student: Student
    files: list[Path] = field(default_factory=list)
    gradebooks: list[Path] = field(default_factory=list)
    logs: dict[Path, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.files or self.gradebooks or self.logs)

    def lines(self) -> Iterator[str]:
        """Yield a sentence for each thing that is removed."""
        for path in self.files:
            yield _("remove {path}", path=path)
        for path in self.gradebooks:
            yield _("remove the student and all grades from {path}", path=path)
        for base, count in self.logs.items():
            yield _n(
                "remove the student from {count} entry of {log}",
                "remove the student from {count} entries of {log}",
                count,
                log=Log(base).file,
            )


def holdings(root: Path, student: str) -> Holdings:
    """Return what a course stores about a student.

    Raises
    ------
    LogError
        If a log cannot be read.
    """
    found, names = Holdings(Student(student)), set[str]()
    for base in terms(root):
        names |= _names(state_of(Log(base).all()), student)
        with contextlib.suppress(sqlite3.Error), reading(base / GRADEBOOK) as book:
            row = "select first_name, last_name, email, lms_user_id from student where id = ?"
            for first, last, *more in book.execute(row, [student]).fetchall():
                found.gradebooks.append(base / GRADEBOOK)
                names |= {full_name(first, last), *more}
    found.student = Student(student, frozenset(name for name in names if name))
    for base in terms(root):
        found.files += [*files_of(base, found.student), *reports_of(base, found.student)]
        if count := sum(without(event, found.student) != event for event in Log(base).all()):
            found.logs[base] = count
    return found


def _names(state: State, student: str) -> set[str]:
    """Return by what else than the id the roster names a student."""
    person = state.people.get(student)
    return {person.name, person.email, *person.keys.values()} if person is not None else set()


def forget(root: Path, found: Holdings, *, who: str) -> None:
    """Remove what `holdings` found, and log that a student was forgotten.

    Parameters
    ----------
    root
        The course's folder.
    who
        Who decided it.

    Raises
    ------
    OSError, sqlite3.Error, GradebookError, LogError, BusyError
        If something cannot be removed; the next call goes on with the rest.
    """
    student, log = found.student, Log(root)
    with log.locked():  # logged first, because a killed run cannot tell later what it removed
        if not forgotten(log.all(), [student.id]):
            salt = secrets.token_hex(16)
            log.add(FORGOTTEN, {"salt": salt, "digest": _digest(salt, student.id)}, who=who)
    with nobody_grades(root):
        for path in found.files:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for path in found.gradebooks:
            patient(functools.partial(_remove_rows, path, settings_of(root), student.id))
        for base in found.logs:
            Log(base).rewrite(lambda event: without(event, student))
    project(root)


def _remove_rows(path: Path, settings: Any, student: str) -> None:
    """Remove a student from a gradebook, and the traces of the rows from its file."""
    from nbgrader.api import Gradebook, MissingEntry

    course = settings.get("CourseDirectory", {}).get("course_id", "default_course")
    with Gradebook(f"sqlite:///{path}", course) as book, contextlib.suppress(MissingEntry):
        book.remove_student(student)
    with reading(path) as database:
        database.execute("vacuum")


def _digest(salt: str, student: str) -> str:
    """Return a digest that is too slow for guessing many ids."""
    return hashlib.scrypt(student.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def forgotten(events: Iterable[Event], students: Iterable[str]) -> list[str]:
    """Return those of some students whom a term has forgotten, by the events of its log."""
    told = [event.data for event in events if event.kind == FORGOTTEN and "salt" in event.data]
    return [
        student
        for student in students
        if any(_digest(one["salt"], student) == one["digest"] for one in told)
    ]


def returned(before: Path, root: Path) -> list[str]:
    """Return the students whom a term had forgotten before older data of it were restored.

    Parameters
    ----------
    before
        The folder with the log of the term before that.
    root
        The course's folder.
    """
    students = {path.name for path in (root / "submitted").glob("*")}
    with contextlib.suppress(sqlite3.Error), reading(root / GRADEBOOK) as book:
        students |= {name for (name,) in book.execute("select id from student").fetchall()}
    return forgotten(Log(before).all(), sorted(students))


def elsewhere(root: Path, settings: Any) -> list[str]:
    """Return a sentence for each place that may hold the student and that a person must look at."""
    days = settings.get("Term", {}).get("keep_backups_days", KEEP_DAYS)
    if type(days) is not int or days < 1:
        raise CourseError(
            _("c.Term.keep_backups_days must be an integer >= 1, got {value!r}", value=days)
        )
    lines = []
    for name in backups(root):
        with contextlib.suppress(OSError):
            age = int((time.time() - os.stat(name).st_mtime) // 86400)
            if age >= days:
                text = _(
                    "remove the backup {file}: it is {age} days old, and {days} are kept",
                    file=name,
                    age=age,
                    days=days,
                )
            else:
                text = _(
                    "the backup {file} holds the student: remove it in {left} days",
                    file=name,
                    left=days - age,
                )
            lines.append(text)
    for path in sorted(path for base in terms(root) for path in base.glob(f"{GRADEBOOK}.*")):
        lines.append(_("remove {file}, an old copy of the gradebook", file=path))
    return [
        *lines,
        _(
            "Files that were written to other places, such as exports and feedback for an LMS, are "
            "not known here."
        ),
    ]


def add_parser(commands: Any) -> None:
    """Add the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "forget",
        help=_("remove everything that the course stores about a student"),
        description=_(
            "Remove a student's submissions, feedback, records, rows of the gradebook, roster "
            "entry and log entries. Export them first with `dpteach export --student ID --to FILE`."
        ),
    )
    parser.add_argument("student", metavar="ID", help=_("the student's id"))
    parser.add_argument("--yes", action="store_true", help=_("remove it; it cannot be undone"))
    parser.add_argument(
        "--dry-run", action="store_true", help=_("say what would be removed, and change nothing")
    )
    parser.add_argument(
        "--by", metavar="NAME", help=_("who decides (default: your account's name)")
    )
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    try:
        root, settings = course_folder(told.course), settings_of(told.course)
        check_places(root, settings)
        others = elsewhere(root, settings)
        found = holdings(root, student_id(told.student))
        if not found:
            raise CourseError(_("the course stores nothing about {student}", student=told.student))
        for line in found.lines():
            print(printable(line))
        if told.dry_run:
            print(_("nothing was changed, because of --dry-run"))
            return 0
        if not told.yes:
            raise CourseError(_("nothing was changed: give --yes, and all of this is removed"))
        forget(root, found, who=told.by or account())
    except (OSError, ValueError, BusyError, GradebookError, LogError, sqlite3.Error) as error:
        return refusal("forget", error)
    print(_("The student is forgotten. What is left for you:"))
    for line in others:
        print(printable(line))
    return 0
