"""The log of a term, to which each decision of an instructor adds a line, and ``dpteach log``.

The file is ``COURSE/.term/log.jsonl``, in a folder that only its owner can read. Lines are never
changed, except where a student must be forgotten. A last line without a line break was left by a
crash: it counts as not written, and the next line replaces it. To undo a decision, a line of the
kind ``undo`` with the number of the decision is added. ``dpteach log`` shows which decisions
were made, by whom, when and why.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import CourseError, course_folder
from dpteach.grading.course.store import write_atomically

_, _n = catalog("term")

#: the subfolder of a course for the term's data, such as the log and copies of downloaded files
FOLDER: Final = ".term"

#: the type of the JSON data of an event
Data = Mapping[str, Any]

#: the kind of an event that undoes an earlier event
UNDO: Final = "undo"

#: the kind of the event that records that a student was forgotten. An earlier event about only
#: this student loses its data and becomes an event of this kind
FORGOTTEN: Final = "forgotten"

#: the kinds of events that cannot be undone, because they are not decisions
TOLD: Final = frozenset({"sent", "collected", FORGOTTEN, UNDO})

#: the text in place of an assignment's name where the log records that final grades were sent
FINAL: Final = "final"

#: the most values of a list that ``dpteach log`` shows; of a longer list it shows only the length
MOST_NAMED: Final = 5

#: the required types of the fields of an event, except for the time
_TYPES: Final = {"number": int, "who": str, "kind": str, "why": str, "data": dict, "before": dict}


class LogError(RuntimeError):
    """The error of a log that cannot be read; its text is the reason, in one line."""


@dataclass(frozen=True)
class Event:
    """A decision or another event of a term, which is one line of the log.

    Attributes
    ----------
    number
        1 for the first event of the term, and one more for each later event.
    time
        When the event was written, in UTC.
    who
        The name of the person who made the decision.
    kind
        The kind of decision, such as ``"extension"``.
    why
        The reason that the person gave, or "".
    data
        The decision as JSON data, such as the names of students and a date.
    before
        The values that the decision replaces, as JSON data.
    """

    number: int
    time: datetime
    who: str
    kind: str
    why: str
    data: Data = field(default_factory=dict)
    before: Data = field(default_factory=dict)

    def decision(self) -> str:
        """Return kind, person, reason and data as one text, by which decisions are compared."""
        return json.dumps([self.kind, self.who, self.why, self.data], sort_keys=True)

    def line(self) -> bytes:
        """Return the event as a line of the log, without the line break."""
        return json.dumps(vars(self) | {"time": self.time.isoformat()}, sort_keys=True).encode()


def read_event(line: bytes) -> Event:
    """Return the event that a line of the log contains.

    Raises
    ------
    ValueError, TypeError, KeyError
        If the line contains no event.
    """
    told = json.loads(line)
    event = Event(**{**told, "time": datetime.fromisoformat(told["time"])})
    if any(type(getattr(event, name)) is not kind for name, kind in _TYPES.items()):
        raise TypeError("the fields of an event must have the types of Event")
    return event


class Log:
    """The log of a course's term: a file with one line for each decision or other event.

    Parameters
    ----------
    course
        The folder with ``nbgrader_config.py``.
    """

    def __init__(self, course: Path) -> None:
        self.folder = Path(course) / FOLDER
        self.file = self.folder / "log.jsonl"
        self._held = 0

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the log until the block ends; blocks may nest."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.folder / "lock", "a", encoding="utf-8") as file:
            # a second lock by this process would wait for the first one forever
            if not self._held:
                fcntl.flock(file, fcntl.LOCK_EX)
            self._held += 1
            try:
                yield
            finally:
                self._held -= 1

    def all(self) -> list[Event]:
        """Return all events in order, including undone ones.

        Raises
        ------
        LogError
            If a line does not contain the event with the next number; the message names the line.
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
        """Return the events in order, without undone events and events of the kind ``undo``."""
        return counting(self.all())

    def add(
        self, kind: str, data: Data, *, who: str, why: str = "", before: Data | None = None
    ) -> Event:
        """Add an event to the log and return it; the parameters are those of `Event`.

        If the newest event has the same kind, person, reason and data, nothing is added, and the
        newest event is returned. So a decision counts once if its command was killed after writing
        the event and is run again.

        Raises
        ------
        LogError
            If the log cannot be read.
        OSError
            If the line cannot be written; then the log is unchanged.
        """
        with self.locked():
            now = datetime.now(UTC).replace(microsecond=0)
            events = self.all()
            event = Event(len(events) + 1, now, who, kind, why, dict(data), dict(before or {}))
            if events and events[-1].decision() == event.decision():
                return events[-1]
            append_line(self.file, event.line() + b"\n")
            if event.number == 1:
                # write the folder's new entry for the file to the disk, so that the file survives
                # a power failure
                os.sync()
        return event

    def rewrite(self, change: Callable[[Event], Event]) -> None:
        """Replace each event by the result of a function, for example to forget a student.

        Parameters
        ----------
        change
            A function of an event that returns an event with the same number.
        """
        with self.locked():
            lines = [change(event).line() + b"\n" for event in self.all()]
            write_atomically(self.file, b"".join(lines))


def counting(events: Sequence[Event]) -> list[Event]:
    """Return the events that are neither undone nor of the kind ``undo``."""
    undone = {event.data.get("number") for event in events if event.kind == UNDO}
    return [event for event in events if event.kind != UNDO and event.number not in undone]


def append_line(path: Path, line: bytes) -> None:
    """Add a line to the end of a file on the disk; if that fails, leave the file as it was."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        # text after the last line break is a line that a crash cut off, so overwrite it
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


def add_parser(commands: Any) -> None:
    """Add the command ``log`` to `commands`, which argparse's ``add_subparsers`` returned."""
    about = _("show the decisions of a term in order: who, when, what, before and why")
    command: argparse.ArgumentParser = commands.add_parser("log", help=about, description=about)
    add_course(command)
    command.add_argument("--student", metavar="ID", help=_("only decisions that name this student"))
    about = _("only decisions about this assignment")
    command.add_argument("--assignment", metavar="NAME", help=about)
    about = _("write each decision as a line of JSON")
    command.add_argument("--json", action="store_true", help=about)


def run(told: argparse.Namespace) -> int:
    """Print the events that the options select; return the exit code."""
    try:
        events = Log(course_folder(told.course)).all()
    except (CourseError, LogError, OSError) as error:
        return refusal("log", error)
    counted = {event.number for event in counting(events)}
    for event in events:
        if told.assignment not in (None, event.data.get("assignment")):
            continue
        if told.student is not None and not _names(event, told.student):
            continue
        shown = event if told.student is None else _part(event, told.student)
        print(shown.line().decode() if told.json else _line(shown, event.number in counted))
    return 0


def _names(event: Event, student: str) -> bool:
    """Return whether the data of an event contain a student's id."""
    data = event.data
    people = [data.get("person"), *(data.get("people") or ())]
    ids = [one.get("id") for one in people if isinstance(one, Mapping)]
    return student in [data.get("student"), *(data.get("students") or ()), *ids]


def _part(event: Event, student: str) -> Event:
    """Return an event with only this student's data, if its ``students`` maps ids to data.

    Any other event is returned unchanged.
    """
    students = event.data.get("students")
    if not isinstance(students, Mapping):
        return event
    facts = {name: value for name, value in students[student].items() if value}
    data = {name: value for name, value in event.data.items() if name != "students"}
    return replace(event, data=data | {"student": student} | facts)


def _line(event: Event, counts: bool) -> str:
    """Return two readable lines about an event: number, time, person and kind; then its data.

    `counts` is False for an event that was undone.
    """
    why = f" ({event.why})" if event.why else ""
    undone = "" if counts or event.kind == UNDO else _(" (undone)")
    about = f"{event.number}  {event.time:%Y-%m-%d %H:%M:%S} UTC  {event.who}  {event.kind}"
    before = {"people": event.before} if event.kind == "roster" else event.before
    told = _words(event.data)
    if event.before:
        told = _("{now}; before: {before}", now=told, before=_words(before))
    return "\n".join(map(printable, (about + undone + why, f"    {told}")))


def _words(data: Mapping[str, Any]) -> str:
    """Return the data of an event as one line; long lists are given by their lengths.

    Examples
    --------
    >>> _words({"people": [{"id": "anna"}, {"id": "ben"}], "until": {"ben": None}})
    'people 2, until ben -'
    """
    return ", ".join(f"{name} {_value(value)}" for name, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping) and "id" in value:
        return str(value["id"])
    if not isinstance(value, (Mapping, list)):
        return "-" if value in (None, "") else str(value)
    inner = value.values() if isinstance(value, Mapping) else value
    if len(value) > MOST_NAMED or any(isinstance(one, Mapping) for one in inner):
        return str(len(value))
    return (_words(value) if isinstance(value, Mapping) else " ".join(map(str, value))) or "-"
