"""Moodle: its tables of participants and grades, and the names of submitted and feedback files.

The forms of these tables and names are those of moodle/moodle: ``user/action_redir.php`` (commit
0919a043) for participants, ``mod/assign/classes/downloader.php`` (da545523) for the download of
submissions, ``mod/assign/feedback/offline/importgradeslib.php`` (452e36fc) for grading worksheets,
``mod/assign/feedback/file/importziplib.php`` (0203d8f2) for feedback files, and
``grade/import/csv/tests/load_data_test.php`` (0eca060f) for the gradebook.
"""

from __future__ import annotations

import re
from typing import Final

from dpteach.term.lms.system import Submitted, System, Upload, named
from dpteach.term.lms.table import Table, write_table

_FOLDER: Final = re.compile(
    r"(?P<full>.*)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<rest>.*))?"
)

#: the names of columns in a grading worksheet, which Moodle exports for one assignment
IDENTIFIER, GRADE, MAXIMUM = "identifier", "grade", "maximum grade"
SUBMITTED, COMMENTS = "last modified (submission)", "feedback comments"


def is_worksheet(table: Table) -> bool:
    """Return whether a table is a grading worksheet."""
    return None not in (table.where(IDENTIFIER), table.where(GRADE))


def participant(cell: str) -> str:
    """Return the number at the end of a student's identifier in a grading worksheet.

    >>> participant("Participant 4711")
    '4711'
    """
    return re.sub(r".*?(\d*)\s*$", r"\1", cell)


class Moodle(System):
    """The columns and file names of Moodle."""

    name = "moodle"
    title = "Moodle"
    columns = named(
        "first: first name, vorname; last: last name, surname, nachname; "
        "name: full name, vollständiger name; email: email address, e-mail-adresse; "
        "moodle_idnumber: id number, id-nummer; moodle_username: username, anmeldename; "
        "section: groups, group, gruppen"
    )
    needs = ({"first", "last", "email"}, {"first", "last", "moodle_idnumber"}, {"name", "email"})
    ids = ("moodle_username", "moodle_idnumber", "email")
    lasting = ("moodle_idnumber",)
    column_name = re.compile(r"[^:]*: (.*?)(?: \([^()]*\))?", re.DOTALL)

    def submitted(self, path: str) -> Submitted | None:
        """Parse the path that Moodle gave a file in a download; return None for any other path.

        Examples
        --------
        >>> SYSTEM.submitted("Anna Berg_12_assignsubmission_file_/part/small.ipynb").who
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

    def maximum(self, table: Table, column: int) -> str:
        """Return the maximum points in a grading worksheet; "" for an export of the gradebook."""
        return table.cell(table.rows[0], MAXIMUM) if table.rows else ""

    def upload(self, told: Upload) -> bytes:
        """Return the latest grading worksheet with grades filled in.

        If no worksheet was read, return a table for Moodle's gradebook import.
        """
        if not told.table.header:
            return self._for_gradebook(told)
        comments = told.table.where(COMMENTS)
        rows = [told.table.header]
        for row, grade in self.rows(told):
            cells = list(row)
            if grade is not None:
                cells[told.column] = grade.shown
                if comments is not None and grade.told:
                    cells[comments] = grade.told
            rows.append(cells)
        return write_table(rows)

    def _for_gradebook(self, told: Upload) -> bytes:
        """Return a table for Moodle's gradebook import, which asks what each column means."""
        about = ["First name", "Last name", "ID number", "Email address"]
        rows = [[*about, told.title, f"Feedback: {told.title}"]]
        for student, grade in told.grades.items():
            one = told.people[student]
            if grade.status in ("graded", "refused"):
                names = [one.first, one.last, one.keys.get("moodle_idnumber", ""), one.email]
                rows.append([*names, grade.shown, grade.told])
        return write_table(rows)


SYSTEM: Final = Moodle()
