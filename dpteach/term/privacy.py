"""The data of a term about one student: finding their files, and filtering events of the log."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dpteach.grading.core.versions import TOKENS
from dpteach.grading.course.store import FOLDER, write_atomically
from dpteach.term.log import FOLDER as LOG
from dpteach.term.log import FORGOTTEN, Event
from dpteach.term.places import TERMS

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
        Full names, e-mail addresses, and identifiers of learning management systems.
    """

    id: str
    names: frozenset[str] = frozenset()

    def is_named(self, text: str) -> bool:
        """Return whether a text contains the id or a name of the student as a whole word."""
        told = (re.escape(name) for name in (self.id, *self.names) if name)
        return re.search(rf"(?<![^\W_])(?:{'|'.join(told)})(?![^\W_])", text) is not None


def terms(root: Path) -> list[Path]:
    """Return the folder of a course, and the folders of its terms that were put away."""
    return [root, *sorted(path for path in (root / TERMS).glob("*") if path.is_dir())]


def files_of(base: Path, student: Student) -> Iterator[Path]:
    """Yield the files and folders about a student in a term, and reports that name the student.

    Parameters
    ----------
    base
        The folder of the course, or of a term that was put away.
    """
    yield from (base / step / student.id for step in STEPS if (base / step / student.id).exists())
    # paths such as .grading/ASSIGNMENT/KIND/STUDENT.json and .term/replaced/ASSIGNMENT/STUDENT
    for place in (base / FOLDER, base / LOG):
        for path in sorted(place.glob("*/*/*")):
            if student.id in (path.name, path.stem):
                yield path
    for path in sorted((base / ".exchange").rglob("*")):
        inbound = path.parent.name == "inbound" and path.name.startswith(f"{student.id}+")
        if inbound or (path.parent.name == TOKENS and path.name == student.id):
            yield path
        elif path.parent.name == "feedback" and path.suffix == ".html":
            # the file names are digests, so look for the student in the title of each page
            title = re.search("<title>(.*?)</title>", path.read_text("utf-8", "replace"), re.S)
            if title and student.is_named(html.unescape(title[1])):
                yield path
    for path in sorted((base / "reports").rglob("*.html")):
        if student.is_named(html.unescape(path.read_text("utf-8", "replace"))):
            yield path


def without(event: Event, student: Student) -> Event:
    """Return an event without the data about one student.

    If the event is about no other student, only its number, time and author are left.

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
    """Return an event without the data about all students except one.

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
    """Return JSON data without a student.

    Removed are keys of mappings that are the student's id, and elements of lists that are the
    student's data or id, or texts that name the student.

    Parameters
    ----------
    key
        The key under which the mapping around these data has them.
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
    """Remove a student and the comments on the answer from a record of the marking page.

    Parameters
    ----------
    file
        The record of an item, as `dpteach.term.marking.record` writes it. The number of the
        student's answer stays, so that no other answer gets it.
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
    """Return the number of a student's answer in a record of the marking page; [] without one."""
    numbered = (event["numbers"] for event in events if event["kind"] == "numbered")
    return [numbers[student] for numbers in numbered if student in numbers]
