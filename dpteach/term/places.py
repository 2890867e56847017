"""Where the data of a term lie in the folder of its course."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.course.folder import CourseError, assignment_names
from dpteach.grading.course.store import FOLDER, BusyError, Store
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

#: seconds to wait for a run of the grader
_PATIENCE: Final = 60.0


def check_places(root: Path, settings: Any) -> None:
    """Refuse settings with which the data of a term lie elsewhere than in the course's folder.

    Raises
    ------
    CourseError
        Naming the setting.
    """
    told = settings.get("CourseDirectory", {})
    expected = {f"{step}_directory": step for step in ("submitted", "autograded", "feedback")}
    for name, value in (expected | {"db_url": f"sqlite:///{root / GRADEBOOK}"}).items():
        if told.get(name, value) != value:
            raise CourseError(
                _(
                    "c.CourseDirectory.{name} must be {value!r}, because this command knows the "
                    "data of a term only there, got {told!r}",
                    name=name,
                    value=value,
                    told=str(told[name]),
                )
            )


def has_data(root: Path) -> bool:
    """Return whether a course has data of a term: a student, a submission, a record or a log."""
    if any(path.is_file() for name in KEPT[:-1] for path in (root / name).rglob("*")):
        return True
    with contextlib.suppress(sqlite3.Error), reading(root / GRADEBOOK) as book:
        tables = ("student", "submitted_assignment")
        return any(book.execute(f"select 1 from {name} limit 1").fetchall() for name in tables)
    return False


@contextlib.contextmanager
def reading(gradebook: Path) -> Iterator[sqlite3.Connection]:
    """Open a gradebook that exists, without nbgrader.

    Yields
    ------
    sqlite3.Connection
    """
    # without a path's special characters being read as a query; never creates the file
    with contextlib.closing(
        sqlite3.connect(f"{gradebook.resolve().as_uri()}?mode=rw", uri=True, timeout=_PATIENCE)
    ) as book:
        yield book


@contextlib.contextmanager
def nobody_grades(root: Path) -> Iterator[None]:
    """Keep the grader out of all assignments of a course; wait for a run that is under way.

    Raises
    ------
    BusyError
        If the run takes more than a minute.
    """
    names = {path.parent.name for path in (root / FOLDER).glob("*/lock")}
    with contextlib.suppress(CourseError):
        names |= {*assignment_names(root, graded=True)}
    end = time.monotonic() + _PATIENCE
    with contextlib.ExitStack() as stack:
        for name in sorted(names):
            while True:
                try:
                    stack.enter_context(Store(root, name).lock())
                    break
                except BusyError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.2)
        yield
