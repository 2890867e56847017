"""Tables in the files that spreadsheets and learning management systems write.

They are UTF-8 with or without a byte order mark, UTF-16 or Windows-1252, and their columns are
separated by commas, semicolons or tabs. The header tells which: the separator is the one that gives
the most columns.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dpteach._language import catalog
from dpteach.grading.classroom.export import harmless_cell

_, _n = catalog("term")

#: the largest table that is read, in bytes, and the most characters of a cell
MOST_BYTES: Final = 50_000_000
_MOST_OF_A_CELL: Final = 1_000_000

#: the byte order marks and the encodings that they stand for
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class TableError(ValueError):
    """The reason why a file is no table that can be read, in one line."""


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes
    ----------
    line
        The number of the row's last line in the file.
    cells
        Its cells as they are in the file.
    """

    line: int
    cells: Sequence[str]


@dataclass(frozen=True)
class Table:
    """A table with a header.

    Attributes
    ----------
    header
        The names of the columns as they are in the file.
    rows
        The rows that are not empty; each has as many cells as the header.
    encoding
        The encoding of the file.
    """

    header: Sequence[str]
    rows: Sequence[Row]
    encoding: str

    def where(self, names: Iterable[str]) -> int | None:
        """Return the index of the first column with one of these names, or None.

        Parameters
        ----------
        names
            The names as `plain` returns them.
        """
        found = [plain(name) for name in self.header]
        return next((found.index(name) for name in names if name in found), None)

    def fields(self, columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
        """Return the index of the column of each field; fields without a column are missing.

        Parameters
        ----------
        columns
            The names that the column of each field may have.
        """
        found = {field: self.where(names) for field, names in columns.items()}
        return {field: index for field, index in found.items() if index is not None}


def plain(text: str) -> str:
    """Return a text for comparisons: composed characters, no case, single spaces.

    Examples
    --------
    >>> plain("  Mu\\u0308ller,  ANNA ")
    'müller, anna'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def tidy(text: str) -> str:
    """Return a name as it is kept: composed characters and single spaces.

    Examples
    --------
    >>> tidy(" Mu\\u0308ller ") == "M\\u00fcller"
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file and its encoding.

    Examples
    --------
    >>> decoded("Zoë".encode("cp1252"))
    ('Zoë', 'cp1252')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace"), encoding
    if data[1:2] == b"\0" or data[:1] == b"\0":
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
        return data.decode(encoding, "replace"), encoding
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def read_table(data: bytes) -> Table:
    """Return the table in the bytes of a file.

    Raises
    ------
    TableError
        If it is empty, too large or no text.
    """
    if len(data) > MOST_BYTES:
        raise TableError(_("it is larger than {most} MB", most=MOST_BYTES // 1_000_000))
    text, encoding = decoded(data)
    if data.startswith(b"PK\x03\x04") or "\0" in text:
        raise TableError(
            _("it is no text: save it as CSV, because spreadsheets and archives are not read")
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        raise TableError(_("it is empty"))
    separator = max(",;\t", key=lambda one: len(next(csv.reader([first], delimiter=one))))
    rows = list(_rows(text, separator))
    header = [tidy(name) for name in rows[0].cells]
    width = len(header)
    padded = [Row(one.line, [*one.cells, *[""] * width][:width]) for one in rows[1:]]
    return Table(header, padded, encoding)


def _rows(text: str, separator: str) -> Iterator[Row]:
    """Yield the rows that have a cell with text."""
    before = csv.field_size_limit(_MOST_OF_A_CELL)
    try:
        reader = csv.reader(io.StringIO(text), delimiter=separator)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(reader.line_num, cells)
    except csv.Error as error:
        raise TableError(_("it is no table: {problem}", problem=error)) from None
    finally:
        csv.field_size_limit(before)


def write_table(
    rows: Iterable[Sequence[str]], *, separator: str = ",", encoding: str = "utf-8"
) -> bytes:
    """Return the bytes of a table that no spreadsheet computes.

    Parameters
    ----------
    rows
        The header and the rows. A cell that holds only a dash, by which systems mark a missing
        value, stays as it is.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    for row in rows:
        writer.writerow(
            [cell if cell.strip() in ("", "-") else harmless_cell(cell) for cell in row]
        )
    return text.getvalue().encode(encoding)
