"""Reading and writing tables as text files of spreadsheets and learning management systems.

The files are encoded in UTF-8 with or without a byte order mark, UTF-16 or Windows-1252, and their
columns are separated by commas, semicolons or tabs. The separator of a file is recognized as the
one that splits the header into the most columns.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dpteach._language import catalog
from dpteach.grading.classroom.export import harmless_cell
from dpteach.grading.course.folder import CourseError

_, _n = catalog("term")

#: the largest size in bytes of a file that is read as a table
MOST_BYTES: Final = 50_000_000

#: the forms of times that `read_date` reads: those of Moodle in English, and ISO 8601
_TIMES: Final = (
    *("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p"),
    *("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"),
)


class TableError(CourseError):
    """The error of a file that cannot be read as a table; its text is the reason, in one line."""


@dataclass(frozen=True)
class Table:
    """A table of texts with a header.

    Attributes
    ----------
    header
        The names of the columns as the file has them.
    rows
        The rows that are not empty, each a list of as many cells as the header has.
    encoding
        The encoding of the file.
    """

    header: list[str]
    rows: list[list[str]]
    encoding: str = "utf-8"

    def where(self, *names: str) -> int | None:
        """Return the index of the column for the first of `names` that is in the header, or None.

        Parameters
        ----------
        names
            Possible names of the column, in the form that `plain` returns.
        """
        found = [plain(name) for name in self.header]
        return next((found.index(name) for name in names if name in found), None)

    def cell(self, row: Sequence[str], name: str) -> str:
        """Return the cell of a row in the column `name`; "" if the table has no such column."""
        index = self.where(name)
        return "" if index is None else row[index]

    def fields(self, columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
        """Return the index of each field's column; leave out fields without a column.

        Parameters
        ----------
        columns
            For each field, the possible names of its column, in the form that `plain` returns.
        """
        found = {field: self.where(*names) for field, names in columns.items()}
        return {field: index for field, index in found.items() if index is not None}


def read_date(cell: str) -> str:
    """Return the time in a cell of a table as YYYY-MM-DD HH:MM:SS; "" for an empty cell or "-".

    Raises
    ------
    ValueError
        If the cell has neither the form of Moodle's English times nor YYYY-MM-DD HH:MM.

    Examples
    --------
    >>> read_date("Sunday, 29 November 2026, 4:17 PM"), read_date("2026-11-29 16:17")
    ('2026-11-29 16:17:00', '2026-11-29 16:17:00')
    """
    told = " ".join(cell.split())
    if told in ("", "-"):
        return ""
    for form in _TIMES:
        with contextlib.suppress(ValueError):
            return str(datetime.strptime(told, form))
    raise ValueError(cell)


def plain(text: str) -> str:
    """Return a text for comparisons: lower case, composed characters and single spaces.

    Examples
    --------
    >>> plain("  Mu\\u0308ller,  ANNA ")
    'müller, anna'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def tidy(text: str) -> str:
    """Return a text with composed Unicode characters and single spaces.

    Examples
    --------
    >>> tidy(" Mu\\u0308ller ") == "M\\u00fcller"
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def encoding_of(data: bytes) -> str:
    """Return the encoding of a text file, recognized by its first bytes or by trying encodings.

    Examples
    --------
    >>> encoding_of("Zoë".encode("cp1252")), encoding_of("Zoë".encode("utf-16"))
    ('cp1252', 'utf-16')
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in data[:2]:
        return "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    for encoding in ("utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    return "latin-1"


def read_table(data: bytes) -> Table:
    """Return the table in the bytes of a file.

    Raises
    ------
    TableError
        If the file is empty or too large, or contains no table as text.
    """
    if len(data) > MOST_BYTES:
        raise TableError(_("it is larger than {most} MB", most=MOST_BYTES // 1_000_000))
    encoding = encoding_of(data)
    text = data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
    if data.startswith(b"PK\x03\x04") or "\0" in text:
        raise TableError(_("it is a spreadsheet, an archive or no text: save it as CSV"))
    first = text.partition("\n")[0]
    separator = max(",;\t", key=lambda one: len(next(csv.reader([first], delimiter=one), ())))
    try:
        read = csv.reader(io.StringIO(text), delimiter=separator)
        rows = [cells for cells in read if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise TableError(_("it is no table: {problem}", problem=error)) from None
    if not rows:
        raise TableError(_("it is empty"))
    width = len(rows[0])
    padded = [[*cells, *[""] * width][:width] for cells in rows[1:]]
    return Table([tidy(name) for name in rows[0]], padded, encoding)


def write_table(
    rows: Iterable[Sequence[str]], separator: str = ",", encoding: str = "utf-8"
) -> bytes:
    """Return a table as bytes; cells that a spreadsheet would run as formulas are changed.

    Parameters
    ----------
    rows
        The header and the rows. A cell with only a dash, by which learning management systems mark
        a missing value, is written unchanged.
    """
    text = io.StringIO()
    for row in rows:
        cells = [cell if cell.strip() in ("", "-") else harmless_cell(cell) for cell in row]
        csv.writer(text, delimiter=separator).writerow(cells)
    return text.getvalue().encode(encoding)
