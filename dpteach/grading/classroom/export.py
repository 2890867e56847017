"""``dpteach export``: a table of the grades for a learning management system or a spreadsheet."""

from __future__ import annotations

import argparse
import csv
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_assignment, file_to_write, refusal
from dpteach.grading.core.versions import Version
from dpteach.grading.course.folder import CourseError, check_assignment, course_api, course_folder
from dpteach.grading.course.gradebook import Book, GradebookError, Standing
from dpteach.grading.course.store import Store, write_atomically
from dpteach.grading.course.versions import all_recorded

_, _n = catalog("classroom")

#: the columns that every table has, to the left of the columns of the items
COLUMNS = ("student", "total", "max", "late penalty", "late", "status", "reason")

#: two columns to the right of `COLUMNS`, present only if the assignment has personal versions
OWN = ("version", "parameters")

#: the characters with which a formula begins in a spreadsheet; and a regular expression for the
#: places inside a cell where a formula would begin if a program splits cells not at commas but, for
#: example, at semicolons
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_INNER = re.compile("(?<=.)([;,|\t\r\n])(?=\\s*[=+@\uff1d\uff0b\uff0d\uff20-])", re.S)

#: control characters, which could move the cursor of a terminal or change what it shows
_STEERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def harmless_cell(text: str) -> str:
    """Return a cell's text with an apostrophe wherever a spreadsheet would begin a formula.

    Control characters, such as those that steer a terminal, are replaced.

    Parameters
    ----------
    text
        A cell's text.

    Examples
    --------
    >>> harmless_cell("=cmd()"), harmless_cell("anna"), harmless_cell(" @x"), harmless_cell("s;=1")
    ("'=cmd()", 'anna', "' @x", "s;'=1")
    """
    text = _STEERS.sub("\N{REPLACEMENT CHARACTER}", text)
    text = _INNER.sub(r"\1'", text)
    # some programs ignore leading white space and read full-width signs as plain signs, so also
    # test the text in this form
    plain = text.lstrip().translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return "'" + text if text.startswith(_FORMULA) or plain.startswith(_FORMULA) else text


def table(
    standings: Iterator[Standing], items: list[str], versions: Mapping[str, Version] | None = None
) -> str:
    """Return the grades of an assignment as CSV, one line for each student.

    Parameters
    ----------
    standings
        The grades of each student.
    items
        The names of the items, each of which gets a column. A cell is empty if a person must still
        grade the item, or if there is no submission. The total and the items are empty, too, if a
        submission cannot be graded (for example because its notebook cannot be read).
    versions
        The personal version of each student, which adds two columns; None if there are no versions.
    """
    own = {} if versions is None else versions
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, *(OWN if own else ()), *map(harmless_cell, items)])
    for one in standings:
        judged = one.status != "refused"
        points = [one.scores.get(item) if judged else None for item in items]
        writer.writerow(
            [
                harmless_cell(one.student),
                f"{one.total:g}" if judged else "",
                f"{one.maximum:g}",
                f"{one.penalty:g}",
                one.late,
                one.status,
                harmless_cell(_reasons(one)),
                *(_own(own.get(one.student)) if own else ()),
                *("" if score is None else f"{score:g}" for score in points),
            ]
        )
    return text.getvalue()


def _reasons(one: Standing) -> str:
    """Return the reasons why a submission was refused or its grades were changed by hand, or ""."""
    changed = [f"{item}: {why}" if item else why for item, why in sorted(one.notes.items())]
    return " ".join([*([one.refused] if one.refused else ()), *changed])


#: a function with the arguments of `table` that returns the text of a table in some format
Format = Callable[[Iterator[Standing], list[str], Mapping[str, Version] | None], str]

#: the formats by the names that ``--format`` accepts; the first one is the default
FORMATS: Final[Mapping[str, Format]] = {"csv": table}


def _own(version: Version | None) -> tuple[str, str]:
    """Return a student's cells in the columns `OWN`; both are "" without a personal version."""
    return ("", "") if version is None else (version.name, harmless_cell(version.text()))


def export(course: str | Path, assignment: str, form: str = "csv") -> str:
    """Return the grades of an assignment as text in a format of `FORMATS`.

    Every student of the course has a line.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If there is no such course, or no such assignment.
    dpteach.grading.course.gradebook.GradebookError
        If the gradebook cannot be read, or does not know the assignment.
    """
    root = course_folder(course)
    check_assignment(root, assignment, graded=True)
    with Book(course_api(root), assignment) as book:
        return FORMATS[form](book.standings(), book.items(), all_recorded(Store(root, assignment)))


def write(path: Path, text: str) -> None:
    """Write a table to a file such that a crash leaves either the old file or the new one.

    If the path is a link, the file to which it leads is written. If the path is no regular file,
    such as ``/dev/stdout`` or a pipe, the text is written to it, and it is not replaced.

    Parameters
    ----------
    path
        The path of the file.
    text
        The table.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    there = path.stat() if path.exists() else None
    if there is not None and _is_standard_output(there):
        sys.stdout.write(text)
    elif there is not None and not stat.S_ISREG(there.st_mode):
        path.write_bytes(text.encode())
    else:
        write_atomically(Path(os.path.realpath(path)), text.encode())


def _is_standard_output(there: os.stat_result) -> bool:
    """Return whether a file is this process's standard output, which must not be overwritten."""
    try:
        return os.path.samestat(there, os.fstat(1))
    except OSError:
        return False


def add_parser(commands: Any, *, optional: bool = False) -> argparse.ArgumentParser:
    """Add the command ``export`` to `commands`, which ``add_subparsers`` of argparse returned.

    Parameters
    ----------
    optional
        Whether the command may be given without an assignment.

    Returns
    -------
    argparse.ArgumentParser
        The parser of the command, to which callers may add options.
    """
    command: argparse.ArgumentParser = commands.add_parser(
        "export", help=_("write the grades of an assignment as CSV")
    )
    add_assignment(command, optional=optional)
    command.add_argument(
        "--format",
        choices=FORMATS,
        default=next(iter(FORMATS)),
        help=_("what to write (default: %(default)s)"),
    )
    command.add_argument(
        "--to",
        type=file_to_write,
        metavar="FILE",
        help=_("where to write it (default: standard output)"),
    )
    return command


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach export``: write the table, and return the exit code."""
    try:
        text = export(told.course, told.assignment, told.format)
        if told.to is None:
            sys.stdout.write(text)
        else:
            write(told.to, text)
    except (OSError, CourseError, GradebookError) as error:
        return refusal("export", error)
    return 0
