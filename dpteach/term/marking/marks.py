"""The marks that people give: in nbgrader's gradebook, and in a record of who gave which mark.

The formgrader shows the marks in the gradebook, and ``dpteach grade`` keeps them. A hash of the
gradebook's entry (`Entry.seen`) tells whether the entry has changed since a marker saw it.

The record is the file ``COURSE/.term/marking/ASSIGNMENT.jsonl`` with one line of JSON for each mark
and each other event of an assignment. Lines are only added, except when a student must be forgotten
(`dpteach.term.forget`). A last line without a line break was cut off by a crash: it is ignored, and
the next line replaces it. While a mark is being written into the gradebook, its event is stored in
``ASSIGNMENT.pending``, so that after a crash the next request can complete the mark.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from dpteach._language import catalog
from dpteach.grading.core.names import assignment_name
from dpteach.grading.course.gradebook import Book
from dpteach.grading.course.store import write_atomically
from dpteach.term.log import append_line

_, _n = catalog("term")

#: the folder of all records of marking, within the folder of a course
FOLDER: Final = ".term/marking"


class RecordError(RuntimeError):
    """The error of a record with a damaged line; its text names the line."""


@dataclass(frozen=True)
class Mark:
    """The points and the comment that one person gave for one answer.

    Attributes
    ----------
    who
        The name that the marker entered.
    points
        The points.
    comment
        The comment for the student, or "".
    answer
        The hash of the answer that was marked, and of its question.
    lines
        For each line of the marking scheme, the number of the choice that was taken: 0 for no
        points, 1 for all points of the line, 2 and more for the line's alternatives. It is empty if
        the points were given without the scheme.
    seen
        The hash of the answer and of the gradebook's entry before the mark was written.
    """

    who: str
    points: float
    comment: str
    answer: str
    lines: tuple[int, ...] = ()
    seen: str = ""


@dataclass(frozen=True)
class Event:
    """An entry of a `Record`, such as a mark: its kind, who caused it and when, and more data."""

    kind: str
    who: str
    time: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_line(cls, line: bytes) -> Event:
        """Return the event that a line of the record describes."""
        found = json.loads(line)
        kind, who, time = (str(found.pop(name)) for name in ("kind", "who", "time"))
        return cls(kind, who, time, found)

    def to_line(self) -> bytes:
        """Return this event as a line of the record, with a line break at its end."""
        data = {"time": self.time, "who": self.who, "kind": self.kind, **self.data}
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def mark(self) -> Mark:
        """Return the mark that this event holds; only some kinds hold one, such as ``"marked"``."""
        told = self.data
        about = (float(told["points"]), str(told["comment"]), str(told["answer"]))
        return Mark(self.who, *about, tuple(told["lines"]), str(told.get("seen", "")))


class Record:
    """The record of marking one assignment, to which several processes may add events.

    Parameters
    ----------
    course
        The folder of the course.
    assignment
        The assignment's name.
    """

    def __init__(self, course: Path, assignment: str) -> None:
        self.file = course / FOLDER / f"{assignment_name(assignment)}.jsonl"
        self.pending = self.file.with_suffix(".pending")
        self._events: list[Event] = []
        self._version: tuple[int, ...] = ()

    def events(self) -> list[Event]:
        """Return all events in the file, the oldest first.

        Raises
        ------
        RecordError
            If a line of the file is damaged.
        OSError
            If the file cannot be read.
        """
        with contextlib.suppress(FileNotFoundError):
            now = self.file.stat()
            version = now.st_ino, now.st_size, now.st_mtime_ns
            if version != self._version:
                # leave out any text after the last line break: it is a line that a crash cut off
                lines = self.file.read_bytes().split(b"\n")[:-1]
                self._events = [self._event(line, at) for at, line in enumerate(lines, 1)]
                self._version = version
        return self._events

    def _event(self, line: bytes, number: int) -> Event:
        """Return the event in one line of the file; raise RecordError if the line is damaged.

        Parameters
        ----------
        line
            The line.
        number
            The number of the line, for the error's message.
        """
        try:
            return Event.from_line(line)
        except (ValueError, KeyError, AttributeError):
            told = _("line {number} of {file} is damaged", number=number, file=self.file)
            raise RecordError(told) from None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing into the record until the block ends."""
        for folder in (self.file.parent.parent, self.file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.file.with_suffix(".lock"), "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def add(self, event: Event) -> None:
        """Append an event to the file, and wait until the disk has stored it.

        Raises
        ------
        OSError
            If the event cannot be written; the file is then as before.
        """
        append_line(self.file, event.to_line())

    @contextlib.contextmanager
    def intended(self, event: Event) -> Iterator[None]:
        """Append an event to the record after the block, unless the block raises an error.

        During the block, a separate file contains the event. The file stays if a crash interrupts
        the block, or if the event cannot be appended after the block; `unfinished` reads the event
        from this file.
        """
        write_atomically(self.pending, event.to_line())
        try:
            yield
        except Exception:
            self.finished()
            raise
        self.add(event)
        self.finished()

    def unfinished(self) -> Event | None:
        """Return the event that `intended` could not add to the record; None if there is none."""
        try:
            event = Event.from_line(self.pending.read_bytes())
        except (OSError, ValueError, KeyError):
            return None
        return None if event in self.events() else event

    def finished(self) -> None:
        """Remove the file in which `intended` keeps an event until it is in the record."""
        self.pending.unlink(missing_ok=True)


def event(kind: str, who: str, **data: Any) -> Event:
    """Return a new event with the present time, caused by the person `who`, with the given data."""
    return Event(kind, who, datetime.now(UTC).isoformat(timespec="milliseconds"), data)


@dataclass(frozen=True)
class Entry:
    """The gradebook's entry for one answer: the points and the comment of the mark, if any.

    Attributes
    ----------
    points
        The points that a person gave, or None.
    comment
        The comment that a person wrote, or "".
    waits
        Whether a person must still mark the answer, for the first time or again.
    """

    points: float | None
    comment: str
    waits: bool

    @property
    def marked(self) -> bool:
        """Whether a person has marked the answer and need not mark it again."""
        return self.points is not None and not self.waits

    def seen(self, answer: str) -> str:
        """Return a hash of this entry together with `answer`, the hash of the student's answer."""
        told = json.dumps([self.points, self.comment, self.waits, answer])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


class Marks(Book):
    """A context manager that opens the gradebook of one assignment and locks it for others.

    Other programs can read the gradebook meanwhile, but not write into it.
    """

    def __enter__(self) -> Self:
        # lock the database before anything is read: otherwise another program could write a mark
        # after this program has compared an entry and before it overwrites the entry
        from sqlalchemy import text

        self.written(lambda: self.book.db.execute(text("BEGIN IMMEDIATE")))
        return self

    def __exit__(self, *_: object) -> None:
        self.book.db.rollback()
        self.book.close()

    def entries(self, item: str) -> dict[str, Entry]:
        """Return the gradebook's entries for an item, by student; {} for an unknown item."""
        from nbgrader.api import BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import select

        notebook = self._found()
        if notebook is None:
            return {}

        def rows(table: Any, *columns: Any) -> Any:
            return self.book.db.execute(
                select(SubmittedAssignment.student_id, *columns)
                .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                .join(table, table.notebook_id == SubmittedNotebook.id)
                .join(BaseCell, BaseCell.id == table.cell_id)
                .where(SubmittedNotebook.notebook_id == notebook.id, BaseCell.name == item)
            )

        said = dict(iter(rows(Comment, Comment.manual_comment)))
        grades = rows(Grade, Grade.manual_score, Grade.needs_manual_grade)
        return {one: Entry(n, said.get(one) or "", bool(waits)) for one, n, waits in grades}

    def write(self, item: str, student: str, points: float, comment: str) -> None:
        """Write a mark into the gradebook, and unlock the gradebook.

        Raises
        ------
        dpteach.grading.course.gradebook.GradebookError
            If the gradebook cannot be written.
        """
        about = (item, self.assignment, self.assignment, student)

        def do() -> None:
            grade, said = self.book.find_grade(*about), self.book.find_comment(*about)
            grade.manual_score, grade.needs_manual_grade = points, False
            said.manual_comment = comment or None
            # a submission's late penalty depends on its points, so compute the penalty again
            self.book.db.flush()
            self.book.db.refresh(grade.notebook)
            self.set_penalty(grade.notebook)
            self.book.db.commit()

        self.written(do)
