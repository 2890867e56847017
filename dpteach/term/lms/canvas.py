"""Canvas: gradebook export and import, bulk download of submissions and upload of feedback.

The forms are those of ``lib/gradebook_exporter.rb``, ``lib/gradebook_importer.rb`` and
``lib/content_zipper.rb`` of instructure/canvas-lms (commits 0140a2ef, 00b222d7 and 05e9653c). Its
importer takes a column without an id for a new assignment, except for columns whose names contain
one of a few words, such as *Current Grade*, which it leaves out: `STATUS` is such a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from dpteach.term.lms.system import Known, Submitted, System, Upload
from dpteach.term.lms.table import Table, plain, write_table

#: the column that tells why a grade is missing, which Canvas does not import
STATUS: Final = "Status of the Current Grade"

_FILE: Final = re.compile(
    r"(?P<who>.*?)_(?P<late>LATE_)?(?P<user>\d+)_"
    r"(?:(?P<file>\d+)_(?P<name>.+)|(?P<text>(?:text|link)\.html))",
    re.DOTALL,
)
_ANONYMOUS: Final = re.compile(r"(?P<late>LATE_)?anon_[0-9A-Za-z]+_(?:(\d+)_)?(?P<name>.+)")
_TITLE: Final = re.compile(r"(.*) \((\d+)\)", re.DOTALL)
_HIDDEN: Final = re.compile(r"\s*(?:muted|manual posting.*)?\s*", re.IGNORECASE)


def submitted(path: str) -> Submitted | None:
    """Return what the name of a file in the bulk download says; None if it is of another form.

    Examples
    --------
    >>> submitted("berganna_LATE_11_77_small-1.ipynb").name
    'small-1.ipynb'
    """
    base = path.rpartition("/")[2]
    if found := _ANONYMOUS.fullmatch(base):
        return Submitted((), found["name"], bool(found["late"]))
    if not (found := _FILE.fullmatch(base)):
        return None
    return Submitted(
        who=[("canvas_id", found["user"])],
        name=found["name"] or found["text"],
        late=bool(found["late"]),
        order=int(found["file"] or 0),
        # the importer looks for the two numbers, and shows the feedback under the submitted name
        place=base if found["file"] else "",
    )


def original(name: str, assignment: str) -> str:
    """Return the name of a notebook without the number that Canvas adds to a later attempt.

    Examples
    --------
    >>> original("small-2.ipynb", "small"), original("mine-2.ipynb", "small")
    ('small.ipynb', 'mine-2.ipynb')
    """
    return re.sub(rf"^({re.escape(assignment)})-\d+(\.ipynb)$", r"\1\2", name)


def no_student(fields: Mapping[str, str]) -> bool:
    """Whether a row holds the points possible, a mark of hidden grades or Canvas's test student."""
    name = plain(fields.get("name", ""))
    if "points possible" in name or all(_HIDDEN.fullmatch(one) for one in fields.values()):
        return True
    login = fields.get("sis_login_id", "")
    is_test = name == "student, test" or (fields.get("last"), fields.get("first")) == (
        "Student",
        "Test",
    )
    return (
        is_test
        and not fields.get("sis_user_id")
        and re.fullmatch(r"(?:[0-9a-f]{40})?", login) is not None
    )


def title_of(header: str) -> str:
    """Return the title of the assignment in the name of a column.

    >>> title_of("Small assignment (1234)")
    'Small assignment'
    """
    found = _TITLE.fullmatch(header)
    return found[1] if found else header


def _possible(table: Table, column: int) -> str:
    """Return the cell of a column in the row of the points possible, or ""."""
    for row in table.rows:
        if any("points possible" in plain(cell) for cell in row.cells[:2]):
            return row.cells[column]
    return ""


def maximum(table: Table, column: int) -> float | None:
    """Return the points possible of a column, or None."""
    try:
        return float(_possible(table, column).replace(",", "."))
    except ValueError:
        return None


def is_open(table: Table, column: int) -> bool:
    """Whether Canvas imports a column, which it marks as read-only if not."""
    return "read only" not in _possible(table, column)


def upload(system: System, told: Upload) -> bytes:
    """Return the file for Canvas's gradebook import: its columns of names, and one of grades."""
    table, column = told.table, told.column
    assert table is not None and isinstance(column, int)
    section = table.where(["section"])
    assert section is not None
    known = Known(told.people.values())
    rows = [[*table.header[: section + 1], table.header[column], STATUS]]
    for row in table.rows:
        names = list(row.cells[: section + 1])
        fields = system.fields(table, row.cells)
        if no_student(fields):
            if any("points possible" in plain(cell) for cell in names):
                rows.append([*names, row.cells[column], ""])
            continue
        grade = told.grades.get(known.row(system, fields) or "")
        if grade is not None and grade.is_final:
            rows.append([*names, grade.shown, grade.told])
    return write_table(rows)


SYSTEM: Final = System(
    name="canvas",
    title="Canvas",
    columns={
        "name": ["student"],
        "full": ["name"],
        "last": ["lastname"],
        "first": ["firstname"],
        "canvas_id": ["id", "canvas_user_id"],
        "sis_user_id": ["sis user id", "user_id"],
        "sis_login_id": ["sis login id", "login_id"],
        "integration_id": ["integration id"],
        "section": ["section", "sections"],
        "group": ["group_name"],
    },
    needs=[
        frozenset({"name", "canvas_id", "section"}),
        frozenset({"last", "first", "canvas_id", "section"}),
        frozenset({"full", "canvas_id", "group"}),
    ],
    ids=["sis_login_id", "sis_user_id", "canvas_id"],
    lasting=["canvas_id", "sis_user_id"],
    submitted=submitted,
    upload=upload,
    no_student=no_student,
    title_of=title_of,
    maximum=maximum,
    is_open=is_open,
)
