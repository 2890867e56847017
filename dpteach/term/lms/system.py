"""What a learning management system is to this package: columns, file names and ids.

Fields of a table have the names of `dpteach.term.people.Person`, with ``name`` for a full name, or
those of its `keys`.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dpteach.grading.core.names import student_id
from dpteach.term.lms.table import Table, plain, tidy
from dpteach.term.people import Person

#: parts of a name that belong to the last name
_SUFFIX: Final = re.compile(r"(?:[sj]n?r\.?|senior|junior|i{2,3}|iv|esq\.?)", re.IGNORECASE)

#: how systems write a name that a spreadsheet would compute
_FORMULA: Final = re.compile(r"^\s*=\"(.*)\"\s*$", re.DOTALL)

#: fields that are not kept as a person's keys
_OWN: Final = ("id", "first", "last", "name", "full", "email", "section", "group", "access")


class Submitted(NamedTuple):
    """What the name of a file in a download says.

    Attributes
    ----------
    who
        The fields that may tell the student, with their values, the surest first; none if the
        system hides who it is.
    name
        The name that the student gave the file.
    late
        Whether the system marks it as late.
    time
        When it was submitted, in the time zone of the system, or "".
    order
        A number that is larger for a later file, or 0.
    place
        The part of a name by which the system finds the student when feedback comes back.
    receipt
        Whether the file was made by the system and not by the student.
    """

    who: Sequence[tuple[str, str]]
    name: str
    late: bool = False
    time: str = ""
    order: int = 0
    place: str = ""
    receipt: bool = False


class Grade(NamedTuple):
    """The grade of a student as it is exported.

    Attributes
    ----------
    points
        The points, or None if there are none to export.
    status
        ``"graded"``, ``"refused"``, ``"to be graded"`` or ``"missing"``.
    comment
        Why there are no points, or "".
    """

    points: float | None
    status: str
    comment: str = ""

    @property
    def shown(self) -> str:
        """The points as a cell of a table.

        >>> Grade(17.5, "graded").shown, Grade(None, "refused").shown
        ('17.5', '')
        """
        return "" if self.points is None else f"{round(self.points, 2):.10g}"

    @property
    def told(self) -> str:
        """The status and its reason as one text; "" if there is nothing to tell."""
        status = "" if self.status == "graded" else self.status
        return ": ".join(filter(None, [status, self.comment]))


class Upload(NamedTuple):
    """What is written into an upload file.

    Attributes
    ----------
    people
        The students of the term.
    grades
        The grades by student.
    title
        The name of the column of grades in a file that is not made from a table of the system.
    table
        The latest table that came from the system; without columns if there is none.
    column
        The index of the column of grades in that table.
    """

    people: Mapping[str, Person]
    grades: Mapping[str, Grade]
    title: str = ""
    table: Table = Table([], [])
    column: int = 0


class System:
    """A learning management system; a subclass describes each.

    Attributes
    ----------
    name, title
        The name that options take, and the one that people read.
    columns
        The names of the column of each field, as `plain` returns them.
    needs
        Sets of fields; a table with all fields of one of them is a roster of this system.
    ids
        The fields that may become the student's id, the best one first.
    lasting
        The fields that the system never changes.
    column_name
        The form of the name of a column of grades, whose first group is the title of what is
        graded.
    """

    name: str
    title: str
    columns: Mapping[str, Sequence[str]]
    needs: Sequence[set[str]]
    ids: Sequence[str]
    lasting: Sequence[str]
    column_name = re.compile("(.*)")

    def submitted(self, path: str) -> Submitted | None:
        """Return what the path of a file in a download says; None if it has another form."""
        raise NotImplementedError

    def upload(self, told: Upload) -> bytes:
        """Return the upload file."""
        raise NotImplementedError

    def is_student(self, fields: Mapping[str, str]) -> bool:
        """Whether a row of a table, given by its fields, is about a student."""
        return True

    def maximum(self, table: Table, column: int) -> str:
        """Return the points of a column of a table as text, or "" if the table does not tell."""
        return ""

    def title_of(self, header: str) -> str:
        """Return the title of what is graded, by the name of its column."""
        found = self.column_name.fullmatch(header)
        return found[1] if found else header

    def rows(self, told: Upload) -> list[tuple[list[str], Grade | None]]:
        """Return the rows of the table, each with the student's grade if it is to be written.

        Only final grades are: what a system has for a missing submission must not be erased.
        """
        known = Known(told.people.values())
        who = [known.row(self, told.table, row) or "" for row in told.table.rows]
        final = {id: one for id, one in told.grades.items() if one.status in ("graded", "refused")}
        return [(row, final.get(id)) for row, id in zip(told.table.rows, who, strict=True)]

    def reads(self, table: Table) -> bool:
        """Whether a table is a roster of this system."""
        return any(need <= set(table.fields(self.columns)) for need in self.needs)

    def fields(self, table: Table, row: Sequence[str]) -> dict[str, str]:
        """Return the fields of a row that are not empty."""
        where = table.fields(self.columns).items()
        found = {name: tidy(_FORMULA.sub(r"\1", row[index])) for name, index in where}
        return {name: value for name, value in found.items() if value}

    def person(self, fields: Mapping[str, str]) -> Person:
        """Return the person in a row, with the best id that the row offers.

        Raises
        ------
        ValueError
            If no field of the row can be a student's id.
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
        """Return the values of a row that can be a student's id, the best one first."""
        found = []
        for name in self.ids:
            with contextlib.suppress(ValueError):
                found.append(student_id(fields.get(name, "")))
        return found


def named(text: str) -> dict[str, list[str]]:
    """Return the names that the column of each field may have.

    Examples
    --------
    >>> named("last: last name, surname; first: first name")
    {'last': ['last name', 'surname'], 'first': ['first name']}
    """
    told = (one.split(": ") for one in text.split("; "))
    return {field: names.split(", ") for field, names in told}


def split_name(name: str) -> tuple[str, str]:
    """Return first and last name of a full name, which may have the last name first.

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
    """The people of a term by everything that a system may call them."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in people:
            named = {**one.keys, "id": one.id, "email": one.email, "name": one.name}
            for name, value in named.items():
                self._found[name, _form(name, value)].add(one.id)

    def all(self, name: str, value: str) -> set[str]:
        """Return the ids of all people with this value of a field."""
        return self._found.get((name, _form(name, value)), set()) if value else set()

    def find(self, who: Iterable[tuple[str, str]]) -> str | None:
        """Return the id of the one person whom the first known field names, or None."""
        found = next(filter(None, (self.all(*one) for one in who)), set())
        return next(iter(found)) if len(found) == 1 else None

    def row(self, system: System, table: Table, row: Sequence[str]) -> str | None:
        """Return the id of the person in a row of a table of a system, or None."""
        fields = system.fields(table, row)
        full = f"{fields.get('first', '')} {fields.get('last', '')}".strip()
        named = {"name": full, **fields}
        order = [*system.lasting, *system.ids, "email", "name"]
        return self.find((name, named.get(name, "")) for name in order)


def _form(name: str, value: str) -> str:
    """Return a value for comparison; names lose what systems take out of file names."""
    return re.sub(r"[^\w ]", "", plain(value)) if name == "name" else plain(value)
