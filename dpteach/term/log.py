"""The log of a term: one line for each decision, which is added and never changed.

The file is ``COURSE/.term/log.jsonl``, whose folder only its owner can read. A line that a crash
left incomplete has no line break at its end: it counts as not written, and the next line replaces
it. A decision is undone by an event of the kind ``undo`` that names its number.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.course.store import write_atomically

_, _n = catalog("term")

#: the folder of the term's own data in a course
FOLDER: Final = ".term"

#: the JSON data of an event
Data = Mapping[str, Any]

#: the kind of an event that undoes another one
UNDO: Final = "undo"

#: the kind of an event of which only its number, time and author are left
FORGOTTEN: Final = "forgotten"

#: the kinds of events that tell what happened, and decide nothing about grades or students
TOLD: Final = frozenset({"sent", "collected", FORGOTTEN, UNDO})

#: the name of the final grades where an event names an assignment whose grades were sent
FINAL: Final = "final"

_TYPES: Final = {"number": int, "who": str, "kind": str, "why": str, "data": dict, "before": dict}


class LogError(RuntimeError):
    """The reason why the log cannot be read, in one line."""


@dataclass(frozen=True)
class Event:
    """One line of the log.

    Attributes
    ----------
    number
        1 for the first event of the term, and one more for each later event.
    time
        When it was written, in UTC.
    who
        Who decided it.
    kind
        The kind of decision, such as ``"extension"``.
    why
        The reason that was given, or "".
    data
        The decision as JSON data.
    before
        What held before, as JSON data.
    """

    number: int
    time: datetime
    who: str
    kind: str
    why: str
    data: Data = field(default_factory=dict)
    before: Data = field(default_factory=dict)

    def decision(self) -> str:
        """Return what was decided, by whom and why, as text that is equal for equal decisions."""
        return json.dumps([self.kind, self.who, self.why, self.data], sort_keys=True)

    def line(self) -> bytes:
        """Return the event as a line of the log, without the line break."""
        return json.dumps(vars(self) | {"time": self.time.isoformat()}, sort_keys=True).encode()


def read_event(line: bytes) -> Event:
    """Return the event in a line of the log.

    Raises
    ------
    ValueError, TypeError, KeyError
        If the line holds no event.
    """
    told = json.loads(line)
    event = Event(**{**told, "time": datetime.fromisoformat(told["time"])})
    if any(type(getattr(event, name)) is not kind for name, kind in _TYPES.items()):
        raise TypeError("the fields of an event must have the types of Event")
    return event


class Log:
    """The log of the term of a course.

    Parameters
    ----------
    course
        The folder with ``nbgrader_config.py``.
    """

    def __init__(self, course: Path) -> None:
        self.folder = Path(course) / FOLDER
        self.file = self.folder / "log.jsonl"
        self._held = 0
        self._thread = threading.RLock()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let other processes wait until the block ends; blocks may be nested."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._thread, open(self.folder / "lock", "a", encoding="utf-8") as file:
            if not self._held:  # the lock belongs to the open file, not to the process
                fcntl.flock(file, fcntl.LOCK_EX)
            self._held += 1
            try:
                yield
            finally:
                self._held -= 1

    def all(self) -> list[Event]:
        """Return all events in order, also those that were undone.

        Raises
        ------
        LogError
            If a complete line holds no event, or not the next one; the message names the line.
        """
        try:
            lines = self.file.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        events = []
        for number, line in enumerate(lines, 1):
            with contextlib.suppress(ValueError, TypeError, KeyError):
                events.append(read_event(line))
            if len(events) != number or events[-1].number != number:
                text = N_(
                    "{file}, line {number}, must be event {number} of the term and is not: "
                    "restore the file from a backup"
                )
                raise LogError(_(text, file=self.file, number=number))
        return events

    def events(self) -> list[Event]:
        """Return the events that count, in order: without those that were undone."""
        return counting(self.all())

    def add(
        self, kind: str, data: Data, *, who: str, why: str = "", before: Data | None = None
    ) -> Event:
        """Write an event to the disk, and return it; parameters as for `Event`.

        If the newest event is the same decision, that one is returned: a command that was killed
        after it had written its event is run again, and must not count twice.

        Raises
        ------
        LogError
            If the log cannot be read.
        OSError
            If the line cannot be written; then nothing is added.
        """
        with self.locked():
            now = datetime.now(UTC).replace(microsecond=0)
            events = self.all()
            event = Event(len(events) + 1, now, who, kind, why, dict(data), dict(before or {}))
            if events and events[-1].decision() == event.decision():
                return events[-1]
            append_line(self.file, event.line() + b"\n")
            if event.number == 1:
                _sync(self.folder)
        return event

    def rewrite(self, change: Callable[[Event], Event]) -> None:
        """Replace each event by what a function makes of it, for what must be forgotten.

        Parameters
        ----------
        change
            A function that returns an event with the same number.
        """
        with self.locked():
            lines = [change(event).line() + b"\n" for event in self.all()]
            write_atomically(self.file, b"".join(lines))


def counting(events: Sequence[Event]) -> list[Event]:
    """Return the events that are not undone, without the events that undo them."""
    undone = {event.data.get("number") for event in events if event.kind == UNDO}
    return [event for event in events if event.kind != UNDO and event.number not in undone]


def append_line(path: Path, line: bytes) -> None:
    """Write a line to the end of a file and to the disk; if that fails, the file is as before."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        # what follows the last line break is a line that a crash cut off
        end = file.read().rfind(b"\n") + 1
        file.truncate(end)
        file.seek(end)
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            file.truncate(end)
            raise


def _sync(folder: Path) -> None:
    """Write the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
