"""Plain tables and archives, for courses without a learning management system."""

from __future__ import annotations

from typing import Final

from dpteach.term.lms.system import Submitted, System, Upload, named
from dpteach.term.lms.table import Table, write_table

#: the name of the column with the students' times of submission
SUBMITTED: Final = "submitted"


def is_times(table: Table) -> bool:
    """Return whether a table has the ids of students and their times of submission."""
    return table.where(SUBMITTED) is not None and "id" in table.fields(SYSTEM.columns)


class Plain(System):
    """The columns and file names of courses without a learning management system."""

    name = "plain"
    title = "CSV"
    columns = named(
        "id: id, student, student_id, login, username; name: name; section: section, group; "
        "first: first, first_name, first name; last: last, last_name, last name; "
        "email: email, e-mail, email address"
    )
    needs = ({"id"}, {"email"})
    ids = ("id", "email")
    lasting = ("id",)

    def submitted(self, path: str) -> Submitted | None:
        """Return the possible ids in a file's path: its folders, and beginnings of the file's name.

        Examples
        --------
        >>> [value for field, value in SYSTEM.submitted("anna_b_small.ipynb").who if field == "id"]
        ['anna_b_small', 'anna_b', 'anna']
        """
        *folders, base = path.split("/")
        parts = base.partition(".")[0].split("_")
        begins = ["_".join(parts[:count]) for count in range(len(parts), 0, -1)]
        who = [(field, name) for name in (*folders, *begins) for field in ("id", "email")]
        return Submitted(who, base)

    def upload(self, told: Upload) -> bytes:
        """Return a table of all grades as CSV, in an encoding that spreadsheets recognize."""
        rows = [["student", "first", "last", "email", told.title, "status", "comment"]]
        for student, grade in told.grades.items():
            one = told.people[student]
            about = [student, one.first, one.last, one.email]
            rows.append([*about, grade.shown, grade.status, grade.comment])
        return write_table(rows, encoding="utf-8-sig")


SYSTEM: Final = Plain()
