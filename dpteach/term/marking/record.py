"""The record of who marked what: one line of JSON for each event.

Lines are only added, except where a student must be forgotten (`dpteach.term.forget`).

``COURSE/.term/marking/ASSIGNMENT.jsonl`` holds the events of one assignment. A line that a crash
left unfinished is ignored, and cut off before the next one is written. While a mark is written into
the gradebook, its event lies in ``ASSIGNMENT.pending``, so that the next start can end what a crash
has interrupted.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.names import assignment_name
from dpteach.grading.course.store import write_atomically
from dpteach.term.log import append_line

_, _n = catalog("term")

#: the folder of the records in a course
FOLDER: Final = ".term/marking"


class RecordError(RuntimeError):
    """The reason why the record of an assignment cannot be used, in one line."""


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
        What the student will read, or "".
    answer
        The fingerprint of the answer that was marked.
    lines
        For each criterion of the scheme which of its choices was taken, counted from 1, and 0 for
        none; empty if the points were given without the scheme.
    seen
        The fingerprint of the gradebook's entry that the marker had seen.
    """

    who: str
    points: float
    comment: str
    answer: str
    lines: tuple[int, ...] = ()
    seen: str = ""


@dataclass(frozen=True)
class Event:
    """One event: who did what and when, and the data that belong to it."""

    kind: str
    who: str
    time: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_line(cls, line: bytes) -> Event:
        """Return the event in a line of the record."""
        found = json.loads(line)
        kind, who, time = (str(found.pop(name)) for name in ("kind", "who", "time"))
        return cls(kind, who, time, found)

    def to_line(self) -> bytes:
        """Return the line of this event."""
        data = {"time": self.time, "who": self.who, "kind": self.kind, **self.data}
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def mark(self) -> Mark:
        """Return the mark of an event that gives one."""
        told = self.data
        about = (float(told["points"]), str(told["comment"]), str(told["answer"]))
        return Mark(self.who, *about, tuple(told["lines"]), str(told.get("seen", "")))


class Record:
    """The record of who marked what in one assignment: a file that several processes may write.

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
        """Return all events, the oldest first.

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
                # what follows the last line break is a line that a crash cut off
                lines = self.file.read_bytes().split(b"\n")[:-1]
                self._events = [self._event(line, at) for at, line in enumerate(lines, 1)]
                self._version = version
        return self._events

    def _event(self, line: bytes, number: int) -> Event:
        """Return the event in a line of the file, whose number an error names."""
        try:
            return Event.from_line(line)
        except (ValueError, KeyError, AttributeError):
            told = _("line {number} of {file} is damaged", number=number, file=self.file)
            raise RecordError(told) from None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from writing until the block ends."""
        for folder in (self.file.parent.parent, self.file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.file.with_suffix(".lock"), "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def add(self, event: Event) -> None:
        """Append an event; it is on the disk when this returns.

        Raises
        ------
        OSError
            If it cannot be written; nothing of it is left then.
        """
        append_line(self.file, event.to_line())

    @contextlib.contextmanager
    def intended(self, event: Event) -> Iterator[None]:
        """Append an event after the block has done what it says, even if a crash intervenes.

        During the block the event lies in a file of its own, in which `unfinished` finds it.
        """
        write_atomically(self.pending, event.to_line())
        try:
            yield
            self.add(event)
        finally:
            self.finished()

    def unfinished(self) -> Event | None:
        """Return the event that a crash kept from being appended, or None."""
        try:
            event = Event.from_line(self.pending.read_bytes())
        except (OSError, ValueError, KeyError):
            return None
        return None if event in self.events()[-1:] else event

    def finished(self) -> None:
        """Forget the unfinished event."""
        self.pending.unlink(missing_ok=True)


def event(kind: str, who: str, **data: Any) -> Event:
    """Return an event of now."""
    return Event(kind, who, datetime.now(UTC).isoformat(timespec="milliseconds"), data)
