"""Where the data of a term lie in the folder of its course."""

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
#: the folders that no command can make again: the grader's records, the log, and nbgrader's steps
KEPT: Final = (FOLDER, LOG, "submitted", "feedback", ".exchange")
#: what commands make again from these
AGAIN: Final = ("autograded", "reports", "versions")
#: what belongs to the gradebook: SQLite would apply a journal to another database of this name
DATABASE: Final = tuple(GRADEBOOK + end for end in ("", "-journal", "-wal", "-shm"))
#: the folder with the terms that were put away
TERMS: Final = "terms"


def check_places(root: Path, settings: Any) -> None:
    """Refuse settings with which the data of a term lie elsewhere than in the course's folder.

    Raises
    ------
    CourseError
        Naming the setting.
    """
    expected = {f"{step}_directory": step for step in ("submitted", "autograded", "feedback")}
    expected["db_url"] = f"sqlite:///{root / GRADEBOOK}"
    for name, value in expected.items():
        if settings.get("CourseDirectory", {}).get(name, value) != value:
            text = _("this command needs c.CourseDirectory.{name} = {x!r}", name=name, x=value)
            raise CourseError(text)


def has_data(root: Path) -> bool:
    """Return whether a course has data of a term: a student, a submission, a record or a log."""
    files = (path for name in KEPT[:-1] for path in (root / name).rglob("*") if path.is_file())
    return next(files, None) is not None or bool(enrolled(root))


def enrolled(base: Path) -> dict[str, set[str]]:
    """Return the students of a gradebook, and by what it names each of them.

    Parameters
    ----------
    base
        The folder of a course or of a term that was put away; it may have no gradebook.
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
    """Open a gradebook that exists, without nbgrader; wait a minute for a program that writes.

    Yields
    ------
    sqlite3.Connection
    """
    # as a URI, because otherwise a file that is not there would be created
    where = f"{gradebook.resolve().as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(where, uri=True, timeout=60)) as book:
        yield book


@contextlib.contextmanager
def nobody_grades(root: Path) -> Iterator[None]:
    """Keep the grader out of all assignments of a course.

    Raises
    ------
    BusyError
        If one of them is being graded.
    """
    with contextlib.ExitStack() as stack:
        for path in sorted((root / FOLDER).glob("*/lock")):
            stack.enter_context(Store(root, path.parent.name).lock())
        yield
