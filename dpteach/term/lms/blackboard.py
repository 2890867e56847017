"""Blackboard Learn: the tables of its Grade Center, and its downloads of submitted files.

Blackboard's source is not public. Its documentation (*Work Offline With Grade Data*, *Assignment
File Download*) says that the username identifies a student, that the number after ``|`` identifies
a column, that tables are tab-separated with the ending ``.xls`` or comma-separated, and that an
assignment's archive contains a text file for each attempt. Blackboard writes tables in UTF-16.
"""

from __future__ import annotations

import html
import re
from typing import Final

from dpteach.term.lms.system import Submitted, System, Upload, named
from dpteach.term.lms.table import Table, write_table

_FILE: Final = re.compile(
    r"(?P<head>.+)_attempt_(?P<day>\d{4}-\d\d-\d\d)-(?P<clock>\d\d-\d\d-\d\d)(?:_(?P<name>.+)|\.txt)"
)


class Blackboard(System):
    """The columns and file names of Blackboard Learn."""

    name = "blackboard"
    title = "Blackboard"
    columns = named(
        "last: last name; first: first name; blackboard_username: username; "
        "blackboard_student_id: student id; access: last access, availability; "
        "section: child course id"
    )
    needs = ({"blackboard_username", "blackboard_student_id"}, {"blackboard_username", "access"})
    ids = ("blackboard_username", "blackboard_student_id")
    lasting = ("blackboard_username",)
    column_name = re.compile(r"(.*?) *\[Total Pts: (.*?)(?: [A-Za-z]+)?\] *\|\d+", re.DOTALL)

    def submitted(self, path: str) -> Submitted | None:
        """Parse the name that Blackboard gave a downloaded file; return None for any other name.

        The name contains the assignment and the username, separated by ``_``. Both may contain
        ``_`` themselves, so the result lists each possible username.

        Examples
        --------
        >>> found = SYSTEM.submitted("Small one_a_berg_attempt_2026-11-29-16-17-05_small.ipynb")
        >>> [name for _field, name in found.who], found.time
        (['a_berg', 'berg'], '2026-11-29 16:17:05')
        """
        found = _FILE.fullmatch(path.rpartition("/")[2])
        if not found:
            return None
        parts = found["head"].split("_")
        who = [("blackboard_username", "_".join(parts[at:])) for at in range(1, len(parts))]
        time = f"{found['day']} {found['clock'].replace('-', ':')}"
        name = found["name"] or "submission.txt"
        return Submitted(who, name, time=time, receipt=not found["name"])

    def maximum(self, table: Table, column: int) -> str:
        """Return the maximum points that a column's name contains; "" if it contains none."""
        found = self.column_name.fullmatch(table.header[column])
        return found[2].replace(",", "") if found else ""

    def upload(self, told: Upload) -> bytes:
        """Return a file that the Grade Center imports: a tab-separated table in UTF-16."""
        table, column = told.table, told.column
        names = sorted({*table.fields(self.columns).values()} - {column})
        header = [*(table.header[index] for index in names), table.header[column]]
        rows = [[*header, "Feedback to Learner", "Feedback Format"]]
        for row, grade in self.rows(told):
            if grade is not None:
                comment = [html.escape(grade.told, quote=False), "HTML" if grade.told else ""]
                rows.append([*(row[index] for index in names), grade.shown, *comment])
        return write_table(rows, "\t", "utf-16")


SYSTEM: Final = Blackboard()
