"""Canvas: its tables of students and grades, and the names of submitted and feedback files.

The forms of these tables and names are those of ``lib/gradebook_exporter.rb``,
``lib/gradebook_importer.rb`` and ``lib/content_zipper.rb`` of instructure/canvas-lms (commits
0140a2ef, 00b222d7 and 05e9653c). Canvas's importer creates an assignment for each column whose name
has no id, except that it ignores columns whose names contain certain words, such as *Current
Grade*. `STATUS` contains these words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from dpteach.term.lms.system import Submitted, System, Upload, named
from dpteach.term.lms.table import Table, plain, write_table

#: the name of the column with reasons for missing grades, which Canvas ignores on import
STATUS: Final = "Status of the Current Grade"

_FILE: Final = re.compile(
    r".*?_(?P<late>LATE_)?(?P<user>\d+)_(?:(?P<file>\d+)_(?P<name>.+)|(?P<text>(?:text|link)\.html))"
)
_ANONYMOUS: Final = re.compile(r"(?P<late>LATE_)?anon_[0-9A-Za-z]+_(?:\d+_)?(?P<name>.+)")
_HIDDEN: Final = re.compile(r"\s*(?:muted|manual posting.*)?\s*", re.IGNORECASE)


class Canvas(System):
    """The columns and file names of Canvas."""

    name = "canvas"
    title = "Canvas"
    columns = named(
        "name: student; full: name; last: lastname; first: firstname; section: section, sections; "
        "canvas_id: id, canvas_user_id; sis_user_id: sis user id, user_id; group: group_name; "
        "sis_login_id: sis login id, login_id; integration_id: integration id"
    )
    needs = ({"name", "canvas_id", "section"}, {"last", "canvas_id", "section"}, {"full", "group"})
    ids = ("sis_login_id", "sis_user_id", "canvas_id")
    lasting = ("canvas_id", "sis_user_id")
    column_name = re.compile(r"(.*) \(\d+\)")

    def submitted(self, path: str) -> Submitted | None:
        """Parse the name that Canvas gave a downloaded file; return None for any other name.

        Examples
        --------
        >>> SYSTEM.submitted("berganna_LATE_11_77_small-1.ipynb").name
        'small-1.ipynb'
        """
        base = path.rpartition("/")[2]
        if hidden := _ANONYMOUS.fullmatch(base):
            return Submitted((), hidden["name"], bool(hidden["late"]))
        if not (found := _FILE.fullmatch(base)):
            return None
        # `place` becomes the name of the feedback file, because Canvas finds the student by the
        # two numbers in the name of the submitted file. A name with only one number cannot serve
        # as `place`
        who, place = [("canvas_id", found["user"])], base if found["file"] else ""
        late, order = bool(found["late"]), int(found["file"] or 0)
        return Submitted(who, found["name"] or found["text"], late, order=order, place=place)

    def is_student(self, fields: Mapping[str, str]) -> bool:
        """Return whether a row is a real student's, not Canvas's test student or maximum points."""
        name = plain(fields.get("name", f"{fields.get('last')}, {fields.get('first')}"))
        if "points possible" in name or all(_HIDDEN.fullmatch(one) for one in fields.values()):
            return False
        hidden_login = re.fullmatch(r"(?:[0-9a-f]{40})?", fields.get("sis_login_id", ""))
        return name != "student, test" or not hidden_login or "sis_user_id" in fields

    def maximum(self, table: Table, column: int) -> str:
        """Return a column's maximum points, or "(read only)" if Canvas imports no grades into it.

        Return "" if the table lacks the row *Points Possible*.
        """
        found = (row[column] for row in table.rows if "points possible" in plain(row[0] + row[1]))
        return next(found, "")

    def upload(self, told: Upload) -> bytes:
        """Return a file that Canvas's gradebook imports: names, grades and the column `STATUS`."""
        table, column = told.table, told.column
        names = range((table.where("section") or 0) + 1)
        rows = [[*(table.header[index] for index in names), table.header[column], STATUS]]
        for row, grade in self.rows(told):
            cells = [row[index] for index in names]
            if "points possible" in plain(row[0] + row[1]):
                rows.append([*cells, row[column], ""])
            elif grade is not None and self.is_student(self.fields(table, row)):
                rows.append([*cells, grade.shown, grade.told])
        return write_table(rows)


SYSTEM: Final = Canvas()
