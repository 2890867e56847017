"""Moodle: participants and grades, grading worksheets, downloads and feedback files.

The forms are those of moodle/moodle: ``user/action_redir.php`` (commit 0919a043) for participants,
``mod/assign/classes/downloader.php`` (da545523) for the download of submissions,
``mod/assign/feedback/offline/importgradeslib.php`` (452e36fc) for grading worksheets,
``mod/assign/feedback/file/importziplib.php`` (0203d8f2) for feedback files, and
``grade/import/csv/tests/load_data_test.php`` (0eca060f) for the gradebook.
"""

from __future__ import annotations

import contextlib
import re
from datetime import datetime
from typing import Final

from dpteach.term.lms.system import Submitted, System, Upload, named
from dpteach.term.lms.table import Table, write_table

_FOLDER: Final = re.compile(
    r"(?P<full>.*)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<rest>.*))?"
)
_TIMES: Final = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p")
_KIND: Final = re.compile(r"^[^:]*: (.*?)(?: \([^()]*\))?$", re.DOTALL)

#: the columns of a grading worksheet
IDENTIFIER, GRADE, MAXIMUM = "identifier", "grade", "maximum grade"
SUBMITTED, COMMENTS = "last modified (submission)", "feedback comments"


def submitted(path: str) -> Submitted | None:
    """Return what a path in the download says; None if it is of another form.

    Examples
    --------
    >>> submitted("Anna Berg_12_assignsubmission_file_/part/small.ipynb").who
    [('moodle_participant', '12'), ('name', 'Anna Berg')]
    """
    parts = path.split("/")
    for index, part in enumerate(parts):
        found = _FOLDER.fullmatch(part)
        name = parts[-1] if index < len(parts) - 1 else (found and found["rest"])
        if found and name:
            place = f"{found['full']}_{found['number']}_assignsubmission_{found['kind']}"
            who = [("moodle_participant", found["number"]), ("name", found["full"])]
            return Submitted(who, name, place=place)
    return None


def is_worksheet(table: Table) -> bool:
    """Whether a table is a grading worksheet."""
    return None not in (table.where(IDENTIFIER), table.where(GRADE))


def participant(cell: str) -> str:
    """Return the number at the end of an identifier.

    >>> participant("Participant 4711")
    '4711'
    """
    return re.sub(r".*?(\d*)\s*$", r"\1", cell)


def read_submitted(cell: str) -> str:
    """Return the time in a cell of a worksheet as YYYY-MM-DD HH:MM:SS, or "" if there is none.

    Raises
    ------
    ValueError
        If it is not a time as Moodle writes it in English.

    Examples
    --------
    >>> read_submitted("Sunday, 29 November 2026, 4:17 PM"), read_submitted("-")
    ('2026-11-29 16:17:00', '')
    """
    if cell.strip() in ("", "-"):
        return ""
    for form in _TIMES:
        with contextlib.suppress(ValueError):
            return str(datetime.strptime(" ".join(cell.split()), form))
    raise ValueError(cell)


def title_of(header: str) -> str:
    """Return the title of the activity in the name of a column.

    >>> title_of("Assignment: Small one (Real)")
    'Small one'
    """
    return _KIND.sub(r"\1", header)


def maximum(table: Table, column: int) -> str:
    """Return the points of a grading worksheet; exports of the gradebook do not tell them."""
    where = table.where(MAXIMUM)
    return table.rows[0][where] if where is not None and table.rows else ""


def upload(system: System, told: Upload) -> bytes:
    """Return the grading worksheet with its grades, or else a file for the gradebook's import."""
    if told.table is None:
        return _for_gradebook(told)
    points, comments = told.table.where(GRADE), told.table.where(COMMENTS)
    rows = [told.table.header]
    for row, grade in told.rows(system):
        cells = list(row)
        if grade is not None and points is not None:
            cells[points] = grade.shown
            if comments is not None and grade.told:
                cells[comments] = grade.told
        rows.append(cells)
    return write_table(rows)


def _for_gradebook(told: Upload) -> bytes:
    """Return the file whose columns are chosen in the import of the gradebook."""
    about = ["First name", "Last name", "ID number", "Email address"]
    rows = [[*about, str(told.column), f"Feedback: {told.column}"]]
    for student, grade in told.grades.items():
        one = told.people[student]
        if grade.status in ("graded", "refused"):
            names = [one.first, one.last, one.keys.get("moodle_idnumber", ""), one.email]
            rows.append([*names, grade.shown, grade.told])
    return write_table(rows)


SYSTEM: Final = System(
    name="moodle",
    title="Moodle",
    columns=named(
        "first: first name, vorname; last: last name, surname, nachname; "
        "name: full name, vollständiger name; email: email address, e-mail-adresse; "
        "moodle_idnumber: id number, id-nummer; moodle_username: username, anmeldename; "
        "section: groups, group, gruppen"
    ),
    needs=[{"first", "last", "email"}, {"first", "last", "moodle_idnumber"}, {"name", "email"}],
    ids=["moodle_username", "moodle_idnumber", "email"],
    lasting=["moodle_idnumber"],
    submitted=submitted,
    upload=upload,
    title_of=title_of,
    maximum=maximum,
)
