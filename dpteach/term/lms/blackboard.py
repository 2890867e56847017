"""Blackboard Learn: the download of the Grade Center, and the download of assignment files.

Blackboard's source is not public. Its documentation (*Work Offline With Grade Data*, *Assignment
File Download*) says that a student is known by the username and a column by the number behind
``|``, that tables are tab-separated with the ending ``.xls`` or comma-separated, and that an
assignment's archive holds a text file for each attempt. Tables are written in UTF-16.
"""

from __future__ import annotations

import re
from typing import Final

from dpteach.term.lms.system import Known, Submitted, System, Upload, as_html
from dpteach.term.lms.table import Table, write_table

_FILE: Final = re.compile(
    r"(?P<head>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<name>.+)|(?P<receipt>\.txt))",
    re.DOTALL,
)
_COLUMN: Final = re.compile(r"(.*?) *\[Total Pts: (.*?)(?: [A-Za-z]+)?\] *\|(\d+)", re.DOTALL)


def submitted(path: str) -> Submitted | None:
    """Return what the name of a file in the download says; None if it is of another form.

    The assignment and the username are separated by ``_``, which both may contain, so that each
    possible username is tried.

    Examples
    --------
    >>> found = submitted("Small one_a_berg_attempt_2026-11-29-16-17-05_small.ipynb")
    >>> found.who, found.time
    ([('blackboard_username', 'a_berg'), ('blackboard_username', 'berg')], '2026-11-29 16:17:05')
    """
    found = _FILE.fullmatch(path.rpartition("/")[2])
    if not found:
        return None
    parts = found["head"].split("_")
    year, month, day, *clock = found["time"].split("-")
    return Submitted(
        who=[("blackboard_username", "_".join(parts[at:])) for at in range(1, len(parts))],
        name=found["name"] or "submission.txt",
        time=f"{year}-{month}-{day} {':'.join(clock)}",
        receipt=bool(found["receipt"]),
    )


def title_of(header: str) -> str:
    """Return the title in the name of a column.

    >>> title_of("Small one [Total Pts: 6 Score] |4711")
    'Small one'
    """
    found = _COLUMN.fullmatch(header)
    return found[1] if found else header


def maximum(table: Table, column: int) -> float | None:
    """Return the points in the name of a column, or None."""
    found = _COLUMN.fullmatch(table.header[column])
    try:
        return float(found[2].replace(",", "")) if found else None
    except ValueError:
        return None


def upload(system: System, told: Upload) -> bytes:
    """Return the file for the upload into the Grade Center, tab-separated and in UTF-16."""
    table, column = told.table, told.column
    assert table is not None and isinstance(column, int)
    names = sorted(index for index in table.fields(system.columns).values() if index != column)
    known = Known(told.people.values())
    about = ["Feedback to Learner", "Feedback Format"]
    rows = [[*(table.header[index] for index in names), table.header[column], *about]]
    for row in table.rows:
        grade = told.grades.get(known.row(system, system.fields(table, row.cells)) or "")
        if grade is not None and grade.is_final:
            comment = [as_html(grade.told), "HTML" if grade.told else ""]
            rows.append([*(row.cells[index] for index in names), grade.shown, *comment])
    return write_table(rows, separator="\t", encoding="utf-16")


SYSTEM: Final = System(
    name="blackboard",
    title="Blackboard",
    columns={
        "last": ["last name"],
        "first": ["first name"],
        "blackboard_username": ["username", "user name"],
        "blackboard_student_id": ["student id"],
        "access": ["last access", "availability"],
        "section": ["child course id"],
    },
    needs=[
        frozenset({"blackboard_username", "blackboard_student_id"}),
        frozenset({"blackboard_username", "access"}),
    ],
    ids=["blackboard_username", "blackboard_student_id"],
    lasting=["blackboard_username"],
    submitted=submitted,
    upload=upload,
    title_of=title_of,
    maximum=maximum,
)
