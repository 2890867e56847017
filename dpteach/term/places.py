"""The places of a term's data in the folder of its course, and access to the gradebook's file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.course.folder import CourseError
from dpteach.grading.course.store import FOLDER, Store
from dpteach.term.log import FOLDER as LOG

_, _n = catalog("term")

GRADEBOOK: Final = "gradebook.db"
#: the folders whose content no command can make again, so backups contain them
KEPT: Final = (FOLDER, LOG, "submitted", "feedback", ".exchange")
#: the folders whose content commands make again from `KEPT` and the gradebook
AGAIN: Final = ("autograded", "reports", "versions")
#: the gradebook with its journals, which move together: SQLite would apply an old journal to a new
#: database of the same name
DATABASE: Final = tuple(GRADEBOOK + end for end in ("", "-journal", "-wal", "-shm"))
#: the folder for the data of earlier terms, which ``dpteach restore`` moves there
TERMS: Final = "terms"


def check_places(root: Path, settings: Any) -> None:
    """Raise an error if the settings place data of the term outside of the course's folder.

    Raises
    ------
    CourseError
        If a setting does so; the message names the setting.
    """
    expected = {f"{step}_directory": step for step in ("submitted", "autograded", "feedback")}
    expected["db_url"] = f"sqlite:///{root / GRADEBOOK}"
    for name, value in expected.items():
        if settings.get("CourseDirectory", {}).get(name, value) != value:
            text = _("this command needs c.CourseDirectory.{name} = {x!r}", name=name, x=value)
            raise CourseError(text)


def has_data(root: Path) -> bool:
    """Return whether a course has data of a term: students, submissions, results or a log."""
    files = (path for name in KEPT[:-1] for path in (root / name).rglob("*") if path.is_file())
    return next(files, None) is not None or bool(enrolled(root))


def enrolled(base: Path) -> dict[str, set[str]]:
    """Return the ids of the students in a gradebook, each with the student's names and addresses.

    Parameters
    ----------
    base
        The folder of a course or of an earlier term; it may have no gradebook.
    """
    with contextlib.suppress(sqlite3.Error), reading(base / GRADEBOOK) as book:
        rows = book.execute("select id, first_name, last_name, email, lms_user_id from student")
        return {
            name: {" ".join(filter(None, (first, last))), *filter(None, more)} - {""}
            for name, first, last, *more in rows.fetchall()
        }
    return {}


@contextlib.contextmanager
def reading(gradebook: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing gradebook as a database, and wait up to a minute for other writers.

    Yields
    ------
    sqlite3.Connection
    """
    # open the gradebook by a URI, which can tell SQLite not to create a missing file
    where = f"{gradebook.resolve().as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(where, uri=True, timeout=60)) as book:
        yield book


@contextlib.contextmanager
def nobody_grades(root: Path) -> Iterator[None]:
    """Keep `dpteach grade` from grading any assignment of a course until the block ends.

    Raises
    ------
    BusyError
        If an assignment is being graded.
    """
    with contextlib.ExitStack() as stack:
        for path in sorted((root / FOLDER).glob("*/lock")):
            stack.enter_context(Store(root, path.parent.name).lock())
        yield
