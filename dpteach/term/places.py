"""Where the data of a term are in its course's folder, and access to the gradebook's file."""

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
#: the folders that backups contain, because no command can make their content again
KEPT: Final = (FOLDER, LOG, "submitted", "feedback", ".exchange")
#: the folders that backups lack, because commands make their content again from the other data
AGAIN: Final = ("autograded", "reports", "versions")
#: the gradebook and its journals, which must be moved together: SQLite would apply a journal that
#: is left behind to the next gradebook
DATABASE: Final = tuple(GRADEBOOK + end for end in ("", "-journal", "-wal", "-shm"))
#: the folder to which ``dpteach restore`` moves the data of earlier terms
TERMS: Final = "terms"


def check_places(root: Path, settings: Any) -> None:
    """Raise an error if the settings place data of the term outside of the course's folder.

    Raises
    ------
    CourseError
        If a setting names another folder or database than the usual one; the message names the
        setting.
    """
    expected = {f"{step}_directory": step for step in ("submitted", "autograded", "feedback")}
    expected["db_url"] = f"sqlite:///{root / GRADEBOOK}"
    for name, value in expected.items():
        if settings.get("CourseDirectory", {}).get(name, value) != value:
            text = _("this command needs c.CourseDirectory.{name} = {x!r}", name=name, x=value)
            raise CourseError(text)


def has_data(root: Path) -> bool:
    """Return whether a course has data of a term, such as students, submissions or a log."""
    files = (path for name in KEPT[:-1] for path in (root / name).rglob("*") if path.is_file())
    return next(files, None) is not None or bool(enrolled(root))


def enrolled(base: Path) -> dict[str, set[str]]:
    """Return, by id, the full name, e-mail address and LMS id of each student in a gradebook.

    Parameters
    ----------
    base
        The folder of a course or of an earlier term; without a gradebook in it, the result is {}.
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
    """Open an existing gradebook as a database; wait up to a minute while others write to it."""
    # the URI's mode rw keeps SQLite from creating the file if it is missing
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
