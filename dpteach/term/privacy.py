"""What a term holds about one student: where it lies, and the entries of the log about them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dpteach.grading.core.versions import TOKENS
from dpteach.grading.course.store import FOLDER
from dpteach.term.log import FOLDER as LOG
from dpteach.term.log import Event
from dpteach.term.places import TERMS

#: the folders of a course that have a folder for each student
STEPS: Final = ("submitted", "autograded", "feedback", "versions")

#: the kind of an event of which only its number, time and author are left
FORGOTTEN: Final = "forgotten"


@dataclass(frozen=True)
class Student:
    """A student, and by what else a text can name them.

    Attributes
    ----------
    id
        The student's id.
    names
        Full names, addresses, and what an LMS calls the student.
    """

    id: str
    names: frozenset[str] = frozenset()

    def is_named(self, text: str) -> bool:
        """Whether a text names the student."""
        told = (re.escape(name) for name in (self.id, *self.names) if name)
        return re.search(rf"(?<!\w)(?:{'|'.join(told)})(?!\w)", text) is not None


def terms(root: Path) -> list[Path]:
    """Return the folder of a course, and those of its terms that were put away."""
    return [root, *sorted(path for path in (root / TERMS).glob("*") if path.is_dir())]


def files_of(base: Path, student: Student) -> Iterator[Path]:
    """Yield the files and folders of a term about a student, and the reports that show the student.

    Parameters
    ----------
    base
        The folder of the course, or of a term that was put away.
    """
    yield from (base / step / student.id for step in STEPS if (base / step / student.id).exists())
    # .grading/ASSIGNMENT/KIND/STUDENT.json, and whatever the log's folder has by student
    for place, depth in ((base / FOLDER, 3), (base / LOG, 2)):
        for path in sorted(place.rglob("*")):
            deep = len(path.relative_to(place).parts) >= depth
            if deep and student.id in (path.name, path.stem):
                yield path
    for path in sorted((base / ".exchange").rglob("*")):
        inbound = path.parent.name == "inbound" and path.name.startswith(f"{student.id}+")
        if inbound or (path.parent.name == TOKENS and path.name == student.id):
            yield path
        elif path.parent.name == "feedback" and path.suffix == ".html":
            # the names of these files tell nothing, but the titles of the pages name the student
            title = re.search("<title>(.*?)</title>", path.read_text("utf-8", "replace"), re.S)
            if title and student.is_named(html.unescape(title[1])):
                yield path
    for path in sorted((base / "reports").rglob("*.html")):
        if student.is_named(html.unescape(path.read_text("utf-8", "replace"))):
            yield path


def without(event: Event, student: Student) -> Event:
    """Return an event without a student; only its number, time and author if it is about no other.

    Parameters
    ----------
    event
        An event of the log.
    """
    told = dict(event.data)
    alone = [told.get("student"), _id(told.get("person")), told.get("students")]
    if student.id in alone or [student.id] in alone:
        return replace(event, kind=FORGOTTEN, why="", data={}, before={})
    data, before = (_pruned(part, lambda one: one != student.id) for part in (told, event.before))
    changed = (data, before) != (told, event.before)
    why = "" if changed or student.is_named(event.why) else event.why
    return replace(event, data=data, before=before, why=why)


def only(event: Event, people: frozenset[str], student: str) -> Event:
    """Return an event without the other students.

    Parameters
    ----------
    people
        The ids of all students.
    """
    others = people - {student}
    data, before = (
        _pruned(part, lambda one: one not in others) for part in (event.data, event.before)
    )
    return replace(event, data=data, before=before)


def _id(value: object) -> object:
    """Return the id in the data of a person, or None."""
    return value.get("id") if isinstance(value, Mapping) else None


def _pruned(value: Any, keep: Callable[[str], bool]) -> Any:
    """Return JSON data without the students who are not kept, in lists and as keys."""
    if isinstance(value, Mapping):
        return {name: _pruned(one, keep) for name, one in value.items() if keep(name)}
    if isinstance(value, (list, tuple)):
        named = [(one if isinstance(one, str) else _id(one), one) for one in value]
        return [
            _pruned(one, keep) for name, one in named if not isinstance(name, str) or keep(name)
        ]
    return value
