"""``dpteach forget ID``: remove everything that a course stores about a student.

The command removes submissions, feedback, the grader's records, the rows of the gradebook, the
roster entry and the log's entries about the student. It also searches the data of earlier terms,
which ``dpteach restore`` has moved to the folder ``terms``. The log records that a student was
forgotten, with a salted digest of the id. From the digest, ``restore`` can tell whom an old backup
brings back, but a reader of the log cannot tell who was forgotten. Reports are removed, because
``dpteach report`` writes them again without the student. Backups are only listed, because one
student cannot be removed from a backup.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import html
import json
import os
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.core.versions import TOKENS
from dpteach.grading.course.decisions import file_of
from dpteach.grading.course.folder import CourseError, course_folder, settings_of
from dpteach.grading.course.gradebook import patient
from dpteach.grading.course.store import FOLDER, write_atomically
from dpteach.term.backup import backups
from dpteach.term.deciding import ERRORS, account
from dpteach.term.lms.archive import DOWNLOADS
from dpteach.term.log import FOLDER as LOG
from dpteach.term.log import FORGOTTEN, Event, Log, LogError
from dpteach.term.marking.marks import FOLDER as MARKS
from dpteach.term.marking.marks import Record, RecordError
from dpteach.term.places import GRADEBOOK, TERMS, check_places, enrolled, nobody_grades, reading
from dpteach.term.project import project
from dpteach.term.state import state_of

_, _n = catalog("term")

#: the number of days after which instructors are told to remove a backup, which may contain
#: forgotten students. The setting ``c.Term.keep_backups_days`` can change the number
KEEP_DAYS: Final = 365

#: the folders of a course that contain a folder for each student
STEPS: Final = ("submitted", "autograded", "feedback", "versions")


@dataclass(frozen=True)
class Student:
    """A student, with the id and the names by which a text can mention them.

    Attributes
    ----------
    id
        The student's id.
    names
        Full names, e-mail addresses, and the student's ids in learning management systems.
    """

    id: str
    names: frozenset[str] = frozenset()

    def is_named(self, text: str) -> bool:
        """Return whether a text contains the id or a name of the student as a whole word."""
        told = (re.escape(name) for name in (self.id, *self.names) if name)
        return re.search(rf"(?<![^\W_])(?:{'|'.join(told)})(?![^\W_])", text) is not None


def terms(root: Path) -> list[Path]:
    """Return the course's folder, and the folders with earlier terms' data.

    When a backup is restored, the data that it replaces are moved to a folder of this kind.
    """
    return [root, *sorted(path for path in (root / TERMS).glob("*") if path.is_dir())]


def files_of(base: Path, student: Student) -> Iterator[Path]:
    """Yield the files and folders of a term about a student, and reports that name the student.

    Parameters
    ----------
    base
        The folder of the course or of an earlier term.
    """
    yield from (base / step / student.id for step in STEPS if (base / step / student.id).exists())
    # the pattern matches paths such as .grading/ASSIGNMENT/KIND/STUDENT.json and
    # .term/replaced/ASSIGNMENT/STUDENT
    for place in (base / FOLDER, base / LOG):
        for path in sorted(place.glob("*/*/*")):
            if student.id in (path.name, path.stem):
                yield path
    for path in sorted((base / ".exchange").rglob("*")):
        inbound = path.parent.name == "inbound" and path.name.startswith(f"{student.id}+")
        if inbound or (path.parent.name == TOKENS and path.name == student.id):
            yield path
        elif path.parent.name == "feedback" and path.suffix == ".html":
            # the names of feedback pages are digests, so look for the student in the title of each
            # page
            title = re.search("<title>(.*?)</title>", path.read_text("utf-8", "replace"), re.S)
            if title and student.is_named(html.unescape(title[1])):
                yield path
    for path in sorted((base / "reports").rglob("*.html")):
        if student.is_named(html.unescape(path.read_text("utf-8", "replace"))):
            yield path


def without(event: Event, student: Student) -> Event:
    """Return an event without the data about one student.

    If the event is about no other student, it gets the kind `FORGOTTEN` and keeps only its number,
    time and author.

    Parameters
    ----------
    event
        An event of the log.
    """
    told = dict(event.data)
    alone = [told.get("student"), _id(told.get("person")), told.get("students")]
    if student.id in alone or [student.id] in alone:
        return replace(event, kind=FORGOTTEN, why="", data={}, before={})
    data, before = pruned(told, student), pruned(dict(event.before), student)
    changed = (data, before) != (told, event.before)
    why = "" if changed or student.is_named(event.why) else event.why
    return replace(event, data=data, before=before, why=why)


def only(event: Event, people: frozenset[str], student: str) -> Event:
    """Return an event from which the data about all students but one are removed.

    Parameters
    ----------
    people
        The ids of all students.
    student
        The id of the student whose data stay.
    """
    data, before = dict(event.data), dict(event.before)
    for other in map(Student, people - {student}):
        data, before = pruned(data, other), pruned(before, other)
    return replace(event, data=data, before=before)


def _id(value: object) -> object:
    """Return the id of a person given as JSON data; None for a value that is no person."""
    return value.get("id") if isinstance(value, Mapping) else None


def pruned(value: Any, student: Student, key: str = "") -> Any:
    """Return a copy of JSON data without the parts that concern a student.

    A mapping loses the student's id if this is one of its keys. A list loses the student's id, each
    mapping with the student's id under ``id``, and each text that contains a name of the student.
    A list of ids keeps such texts.

    Parameters
    ----------
    key
        The key of these data in the mapping that contains them, or "". Lists under the keys
        ``students`` and ``withdrawn`` are lists of ids.
    """
    if isinstance(value, Mapping):
        return {name: pruned(v, student, name) for name, v in value.items() if name != student.id}
    if isinstance(value, (list, tuple)):
        ids = key in ("students", "withdrawn")
        return [
            pruned(one, student, key)
            for one in value
            if student.id not in (one, _id(one))
            and (ids or not isinstance(one, str) or not student.is_named(one))
        ]
    return value


def forget_marks(file: Path, student: Student) -> None:
    """Remove a student and the comments on the student's answers from a record of marking.

    Parameters
    ----------
    file
        The record of an assignment, which `dpteach.term.marking.marks` writes. The number that
        stands for the student stays in it, so that no other student gets this number.
    """
    events = [json.loads(line) for line in file.read_bytes().split(b"\n")[:-1]]
    for number in numbers_of(events, student.id):
        for event in events:
            if event.get("number") == number:
                event |= {"comment": "", "answer": ""}
            elif event["kind"] == "numbered" and event["numbers"].pop(student.id, None):
                event["numbers"][f"({number})"] = number
        lines = (json.dumps(event, ensure_ascii=False) + "\n" for event in events)
        write_atomically(file, "".join(lines).encode())


def numbers_of(events: Iterable[Mapping[str, Any]], student: str) -> list[int]:
    """Return the number that stands for a student in a record of marking, in a list; [] if none."""
    numbered = (event["numbers"] for event in events if event["kind"] == "numbered")
    return [numbers[student] for numbers in numbered if student in numbers]


@dataclass
class Holdings:
    """The places in a course that store data about one student.

    Attributes
    ----------
    files
        Files and folders to delete whole: those about the student alone, and reports.
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
    """Return the places with data about a student in a course and in its earlier terms.

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
        The name of the person who decided to remove the data, for the log.

    Raises
    ------
    OSError, sqlite3.Error, GradebookError, LogError, RecordError, BusyError
        If some data cannot be removed; the next call removes what is left.
    """
    student, log = found.student, Log(root)
    # write to the log first: if the command is killed while it removes files, the log must already
    # tell that the student is to be forgotten
    with log.locked():
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
                # the lock keeps the page on which instructors mark answers from writing meanwhile
                with Record(base, file.stem).locked():
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
    """Return a digest of a student's id that is slow to compute, so that guessing takes long."""
    return hashlib.scrypt(student.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def forgotten(events: Iterable[Event], students: Iterable[str]) -> list[str]:
    """Return those of `students` whom ``dpteach forget`` removed from a term.

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
    """Return the forgotten students whose data a restored backup has brought back to the course."""
    students = sorted({path.name for path in (root / "submitted").glob("*")} | {*enrolled(root)})
    found: set[str] = set()
    for base in terms(root)[1:]:
        # skip a damaged log: the instructor may have restored a backup because of this damage
        with contextlib.suppress(LogError):
            found |= {*forgotten(Log(base).all(), students)}
    return sorted(found)


def elsewhere(root: Path, settings: Any) -> Iterator[str]:
    """Yield sentences on files that may name a student but that `forget` does not remove.

    Raises
    ------
    CourseError
        If the setting ``c.Term.keep_backups_days`` is not a positive integer.
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
