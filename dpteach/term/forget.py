"""``dpteach forget ID``: remove everything that a course stores about a student.

The command removes submissions, feedback, the grader's records, the rows of the gradebook, the
roster entry and the log's entries about the student, also in terms that were put away. The log
records that a student was forgotten, with a salted digest of the id. From the digest, ``restore``
can tell who must be forgotten again, but a reader of the log cannot tell who was forgotten. Reports
are removed, because ``dpteach report`` writes them again without the student. Backups are only
listed, because one student cannot be removed from a backup.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
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
from dpteach.grading.course.decisions import file_of
from dpteach.grading.course.folder import CourseError, course_folder, settings_of
from dpteach.grading.course.gradebook import patient
from dpteach.grading.course.store import write_atomically
from dpteach.term.backup import backups
from dpteach.term.deciding import ERRORS, account
from dpteach.term.lms.downloads import DOWNLOADS
from dpteach.term.log import FOLDER as LOG
from dpteach.term.log import FORGOTTEN, Event, Log, LogError
from dpteach.term.marking.record import FOLDER as MARKS
from dpteach.term.marking.record import Record, RecordError
from dpteach.term.places import GRADEBOOK, check_places, enrolled, nobody_grades, reading
from dpteach.term.privacy import Student, files_of, forget_marks, pruned, terms, without
from dpteach.term.project import project
from dpteach.term.state import state_of

_, _n = catalog("term")

#: the number of days for which backups are kept, unless ``c.Term.keep_backups_days`` is set
KEEP_DAYS: Final = 365


@dataclass
class Holdings:
    """The places in a course that store data about one student.

    Attributes
    ----------
    files
        Files and folders that contain only data about the student, or can be made again.
    gradebooks
        The gradebooks with rows about the student.
    logs
        The logs with events about the student.
    """

    student: Student
    files: list[Path] = field(default_factory=list)
    gradebooks: list[Path] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)


def holdings(root: Path, student: str) -> Holdings:
    """Return the places in a course, and in its terms put away, with data about a student.

    Raises
    ------
    LogError
        If a log cannot be read.
    CourseError
        If the course stores nothing about the student.
    """
    names: set[str] = set()
    for base in terms(root):
        person = state_of(Log(base).all()).people.get(student)
        names |= enrolled(base).get(student, set())
        names |= {person.name, person.email, *person.keys.values()} if person else set()
    found = Holdings(Student(student, frozenset(names - {""})))
    for base in terms(root):
        found.files += files_of(base, found.student)
        found.gradebooks += [base / GRADEBOOK] if student in enrolled(base) else []
        if any(without(event, found.student) != event for event in Log(base).all()):
            found.logs.append(Log(base))
    if not (found.files or found.gradebooks or found.logs):
        raise CourseError(_("the course stores nothing about {student}", student=student))
    return found


def forget(root: Path, found: Holdings, *, who: str) -> None:
    """Remove the data about a student that `holdings` found, and log that this was done.

    Parameters
    ----------
    root
        The course's folder.
    who
        The name of the person who decided it, for the log.

    Raises
    ------
    OSError, sqlite3.Error, GradebookError, LogError, RecordError, BusyError
        If some data cannot be removed; the next call removes what is left.
    """
    student, log = found.student, Log(root)
    with log.locked():  # first: a killed run cannot log later
        if not forgotten(log.all(), [student.id]):
            salt = secrets.token_hex(16)
            log.add(FORGOTTEN, {"salt": salt, "digest": _digest(salt, student.id)}, who=who)
    with nobody_grades(root):
        for path in found.files:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        for base in terms(root):
            for file in sorted((base / MARKS).glob("*.jsonl")):
                with Record(base, file.stem).locked():  # the marking page waits
                    forget_marks(file, student)
            if (file := file_of(base)).exists():
                left = pruned(json.loads(file.read_bytes()), student)
                write_atomically(file, json.dumps(left).encode())
        for path in found.gradebooks:
            patient(functools.partial(_remove_rows, path, settings_of(root), student.id))
        for log in found.logs:
            log.rewrite(lambda event: without(event, student))
    project(root)


def _remove_rows(path: Path, settings: Any, student: str) -> None:
    """Remove a student's rows from a gradebook, and overwrite their traces in its file."""
    from nbgrader.api import Gradebook, MissingEntry

    course = settings.get("CourseDirectory", {}).get("course_id", "default_course")
    with Gradebook(f"sqlite:///{path}", course) as book, contextlib.suppress(MissingEntry):
        book.remove_student(student)
    with reading(path) as database:
        database.execute("vacuum")


def _digest(salt: str, student: str) -> str:
    """Return a digest of a student's id that takes too long to compute for guessing many ids."""
    return hashlib.scrypt(student.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def forgotten(events: Iterable[Event], students: Iterable[str]) -> list[str]:
    """Return the students, among some, whom a term has forgotten.

    Parameters
    ----------
    events
        The events of the log of the term, which hold digests of forgotten ids.
    students
        The ids to compare with these digests.
    """
    told = [event.data for event in events if event.kind == FORGOTTEN and "salt" in event.data]
    return [
        student
        for student in students
        if any(_digest(one["salt"], student) == one["digest"] for one in told)
    ]


def returned(root: Path) -> list[str]:
    """Return the students of a course whom a term that was put away had forgotten."""
    students = sorted({path.name for path in (root / "submitted").glob("*")} | {*enrolled(root)})
    found: set[str] = set()
    for base in terms(root)[1:]:
        with contextlib.suppress(LogError):  # a damaged log may be why a backup was restored
            found |= {*forgotten(Log(base).all(), students)}
    return sorted(found)


def elsewhere(root: Path, settings: Any) -> Iterator[str]:
    """Yield a sentence for each file that may name the student and that `forget` leaves alone.

    Raises
    ------
    CourseError
        If the setting for backups has another value than a number of days.
    """
    days = settings.get("Term", {}).get("keep_backups_days", KEEP_DAYS)
    if type(days) is not int or days < 1:
        raise CourseError(_("c.Term.keep_backups_days must be an integer >= 1, got {x!r}", x=days))
    for name in backups(root):
        with contextlib.suppress(OSError):
            left = days - int((time.time() - os.stat(name).st_mtime) // 86400)
            old = _("remove the backup {file}: it is older than {days} days", file=name, days=days)
            yield _("remove the backup {file} in {n} days", file=name, n=left) if left > 0 else old
    for base in terms(root):
        for path in sorted([*base.glob(f"{GRADEBOOK}.*"), *(base / LOG / DOWNLOADS).glob("[!.]*")]):
            yield _("remove {file}, which holds many students, when you can", file=path)
    yield _("files that were written to other places, such as exports, are not known here")


def add_parser(commands: Any) -> None:
    """Add the command ``forget`` to the parser of ``dpteach``."""
    about = _("remove everything that the course stores about a student")
    parser: argparse.ArgumentParser = commands.add_parser("forget", help=about, description=about)
    parser.add_argument("student", metavar="ID", help=_("the student's id"))
    parser.add_argument("--yes", action="store_true", help=_("remove it; it cannot be undone"))
    about = _("say what would be removed, and change nothing")
    parser.add_argument("--dry-run", action="store_true", help=about)
    parser.add_argument("--by", metavar="NAME", help=_("who decides (default: your account)"))
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """List and, with ``--yes``, remove the data about a student; return the exit code."""
    try:
        root, settings = course_folder(told.course), settings_of(told.course)
        check_places(root, settings)
        left = [*elsewhere(root, settings)]
        found = holdings(root, student_id(told.student))
        for path in (*found.files, *found.gradebooks, *(log.file for log in found.logs)):
            print(printable(_("remove the student from {path}", path=path)))
        if told.dry_run:
            print(_("nothing was changed, because of --dry-run"))
            return 0
        if not told.yes:
            raise CourseError(_("nothing was changed: give --yes, and all of this is removed"))
        forget(root, found, who=told.by or account())
    except (*ERRORS, ValueError, RecordError, sqlite3.Error) as error:
        return refusal("forget", error)
    print(_("the student is forgotten; what is left for you:"))
    print("\n".join(map(printable, left)))
    return 0
