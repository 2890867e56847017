"""The base class of learning management systems, and the recognition of students in their files.

Each system names the columns of its tables differently. The package therefore identifies a column
by a field: an attribute of `dpteach.term.state.Person`, such as ``email``; a key of the person's
`keys`, such as ``canvas_id``; or ``name`` for a full name.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dpteach.grading.core.names import student_id
from dpteach.term.lms.table import Table, plain, tidy
from dpteach.term.state import Person

#: suffixes that a comma may separate from a last name, such as Jr. in "Smith, Jr., Bob"
_SUFFIX: Final = re.compile(r"(?:[sj]n?r\.?|senior|junior|i{2,3}|iv|esq\.?)", re.IGNORECASE)

#: the form ``="name"`` by which systems keep spreadsheets from computing a name as a formula
_FORMULA: Final = re.compile(r"^\s*=\"(.*)\"\s*$", re.DOTALL)

#: the fields that are left out of `Person.keys`, which holds only identifiers given by an LMS
_OWN: Final = ("id", "first", "last", "name", "full", "email", "section", "group", "access")


class Submitted(NamedTuple):
    """What the path of a file in a download from a system tells about the submission.

    Attributes
    ----------
    who
        Pairs of a field and a value that may identify the student, the most reliable first; empty
        if the system hides the student.
    name
        The name that the student gave the file.
    late
        Whether the system marks the file as late.
    time
        When the file was submitted, in the time zone of the system, or "".
    order
        A number that is larger for later files, or 0 if the path contains none.
    place
        The part of the path by which the system finds the student when it imports feedback; "" if
        the path has no such part.
    receipt
        Whether the system wrote the file as a receipt, so that it is not the student's work.
    """

    who: Sequence[tuple[str, str]]
    name: str
    late: bool = False
    time: str = ""
    order: int = 0
    place: str = ""
    receipt: bool = False


class Grade(NamedTuple):
    """The grade of a student as an upload file contains it.

    Attributes
    ----------
    points
        The points; None unless the status is ``"graded"``.
    status
        ``"graded"``, ``"refused"``, ``"to be graded"`` or ``"missing"``.
    comment
        A comment for the student, such as the reason for a refusal, or "".
    """

    points: float | None
    status: str
    comment: str = ""

    @property
    def shown(self) -> str:
        """The points as text for a cell of a table; "" without points.

        >>> Grade(17.5, "graded").shown, Grade(None, "refused").shown
        ('17.5', '')
        """
        return "" if self.points is None else f"{round(self.points, 2):.10g}"

    @property
    def told(self) -> str:
        """The status and the comment as one text; without the status if it is ``"graded"``."""
        status = "" if self.status == "graded" else self.status
        return ": ".join(filter(None, [status, self.comment]))


class Upload(NamedTuple):
    """The data from which an upload file for a system is written.

    Attributes
    ----------
    people
        The students of the term.
    grades
        The grades by the students' ids.
    title
        The name for the column of grades, if the file is not made from `table`.
    table
        The latest table that the system exported; without columns if there is none.
    column
        The index of the table's column into which the grades are written.
    """

    people: Mapping[str, Person]
    grades: Mapping[str, Grade]
    title: str = ""
    table: Table = Table([], [])
    column: int = 0


class System:
    """The base class of learning management systems, with one subclass for each system.

    Attributes
    ----------
    name, title
        The system's name in the options of commands, and its name in messages.
    columns
        For each field, such as ``email``, the names that its column may have in the system's
        tables, in lower case, as `plain` returns them.
    needs
        Several sets of fields. A table with columns for all fields of one of the sets is a roster
        of this system.
    ids
        The fields that may become the student's id, the best one first.
    lasting
        The fields whose values for a student never change, even if the student's name does.
    column_name
        A pattern for the name of a column of grades; its first group matches the assignment's
        title.
    """

    name: str
    title: str
    columns: Mapping[str, Sequence[str]]
    needs: Sequence[set[str]]
    ids: Sequence[str]
    lasting: Sequence[str]
    column_name = re.compile("(.*)")

    def submitted(self, path: str) -> Submitted | None:
        """Parse the path that the system gave a file in a download; None for any other path."""
        raise NotImplementedError

    def upload(self, told: Upload) -> bytes:
        """Return the bytes of a file of grades that the system imports."""
        raise NotImplementedError

    def is_student(self, fields: Mapping[str, str]) -> bool:
        """Return whether a row of a table, given by its fields, is about a student."""
        return True

    def maximum(self, table: Table, column: int) -> str:
        """Return the maximum points of a column of grades as text; "" if the table lacks them."""
        return ""

    def title_of(self, header: str) -> str:
        """Return the assignment's title in a column's name, or the whole name if it has none."""
        found = self.column_name.fullmatch(header)
        return found[1] if found else header

    def rows(self, told: Upload) -> list[tuple[list[str], Grade | None]]:
        """Return each row of the system's table, with the grade of its student or None.

        Only a grade with the status ``"graded"`` or ``"refused"`` is returned. For None, the
        upload leaves the grade that the system already has for this student.
        """
        known = Known(told.people.values())
        who = [known.row(self, told.table, row) or "" for row in told.table.rows]
        final = {id: one for id, one in told.grades.items() if one.status in ("graded", "refused")}
        return [(row, final.get(id)) for row, id in zip(told.table.rows, who, strict=True)]

    def reads(self, table: Table) -> bool:
        """Return whether a table has the columns of a roster of this system."""
        return any(need <= set(table.fields(self.columns)) for need in self.needs)

    def fields(self, table: Table, row: Sequence[str]) -> dict[str, str]:
        """Return the values in a row of a table by field; leave out empty values."""
        where = table.fields(self.columns).items()
        found = {name: tidy(_FORMULA.sub(r"\1", row[index])) for name, index in where}
        return {name: value for name, value in found.items() if value}

    def person(self, fields: Mapping[str, str]) -> Person:
        """Make a person from the fields of a table's row, with the first usable field as the id.

        Raises
        ------
        ValueError
            If no field can be a student's id.
        """
        first, last = fields.get("first", ""), fields.get("last", "")
        if not first and not last:
            first, last = split_name(fields.get("name", fields.get("full", "")))
        best = next(iter(self.possible_ids(fields)), "") or student_id("")
        login = fields.get("sis_login_id", "")
        email = fields.get("email", login if "@" in login else "")
        keys = {name: value for name, value in fields.items() if name not in _OWN}
        return Person(best, first, last, email, fields.get("section", ""), keys)

    def possible_ids(self, fields: Mapping[str, str]) -> list[str]:
        """Return the values of fields that can be a student's id, the most suitable one first."""
        found = []
        for name in self.ids:
            with contextlib.suppress(ValueError):
                found.append(student_id(fields.get(name, "")))
        return found


def named(text: str) -> dict[str, list[str]]:
    """Parse a text with the names of columns for each field; return the names by field.

    Examples
    --------
    >>> named("last: last name, surname; first: first name")
    {'last': ['last name', 'surname'], 'first': ['first name']}
    """
    told = (one.split(": ") for one in text.split("; "))
    return {field: names.split(", ") for field, names in told}


def split_name(name: str) -> tuple[str, str]:
    """Return the first and the last name in a full name such as "Last, First" or "First Last".

    Examples
    --------
    >>> split_name("Smith, Jr., Bob"), split_name("Anna Maria Berg")
    (('Bob', 'Smith, Jr.'), ('Anna Maria', 'Berg'))
    """
    last, *more = [part.strip() for part in name.split(",")]
    if not more:
        first, _, last = name.rpartition(" ")
        return first, last
    if len(more) > 1 and _SUFFIX.fullmatch(more[0]):
        last, more = f"{last}, {more[0]}", more[1:]
    return ", ".join(filter(None, more)), last


class Known:
    """An index of the people of a term by id, full name, e-mail address and LMS identifiers."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in people:
            named = {**one.keys, "id": one.id, "email": one.email, "name": one.name}
            for name, value in named.items():
                self._found[name, _form(name, value)].add(one.id)

    def all(self, name: str, value: str) -> set[str]:
        """Return the ids of all people whose field `name` has this value; none for ""."""
        return self._found.get((name, _form(name, value)), set()) if value else set()

    def find(self, who: Iterable[tuple[str, str]]) -> str | None:
        """Return the id of the person whom pairs of fields and values identify, or None.

        The first pair that fits any person decides. If it fits several people, the result is None.
        """
        found = next(filter(None, (self.all(*one) for one in who)), set())
        return next(iter(found)) if len(found) == 1 else None

    def row(self, system: System, table: Table, row: Sequence[str]) -> str | None:
        """Return the id of the person whom a row of `system`'s table describes.

        Return None if nobody or several people fit.
        """
        fields = system.fields(table, row)
        full = f"{fields.get('first', '')} {fields.get('last', '')}".strip()
        named = {"name": full, **fields}
        order = [*system.lasting, *system.ids, "email", "name"]
        return self.find((name, named.get(name, "")) for name in order)


def _form(name: str, value: str) -> str:
    """Return the text by which a field's value is compared; full names lose their punctuation."""
    return re.sub(r"[^\w ]", "", plain(value)) if name == "name" else plain(value)
