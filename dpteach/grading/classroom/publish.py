"""The files that are written from the result of a submission, for nbgrader and for the student.

- ``autograded/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb``: the graded notebook, which the formgrader
  shows;
- ``feedback/STUDENT/ASSIGNMENT/ASSIGNMENT.html``: the feedback page for the student.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpteach.grading.core.names import student_id
from dpteach.grading.core.result import Result
from dpteach.grading.course.gradebook import Book, Standing
from dpteach.grading.course.store import Store, write_atomically


def page_key(data: bytes, standing: Standing) -> str:
    """Return a digest of the data that a student's pages show, to recognize outdated pages.

    Parameters
    ----------
    data
        The result of the submission as bytes.
    standing
        The grades of the submission.
    """
    text = json.dumps(asdict(standing), sort_keys=True, default=str)
    return hashlib.sha256(data + text.encode()).hexdigest()


class Publisher:
    """The graded notebooks and the feedback pages of one assignment.

    Parameters
    ----------
    api
        nbgrader's ``NbGraderAPI`` of the course.

    Attributes
    ----------
    notebooks
        Whether `write` also writes graded notebooks; False if nbgrader itself writes them.
    """

    def __init__(self, api: Any, assignment: str) -> None:
        self.assignment = assignment
        self.notebooks = True
        self.coursedir = api.coursedir
        self.book = api.config.get("FeedbackExporter", {}).get("book") or None

    def folder(self, step: str, student: str) -> Path:
        """Return a student's folder for a step of nbgrader, such as ``"submitted"``."""
        root = getattr(self.coursedir, f"{step}_directory")
        return Path(self.coursedir.format_path(root, student_id(student), self.assignment))

    def exists(self, student: str, result: Result) -> bool:
        """Return whether a student's folders hold a result's files: feedback page and notebook.

        If the result has no notebook, the value is False if an earlier result's notebook is there.
        """
        notebook = self.folder("autograded", student) / f"{self.assignment}.ipynb"
        html = self.folder("feedback", student) / f"{self.assignment}.html"
        return html.exists() and notebook.exists() == bool(result.notebook)

    def write(self, result: Result, standing: Standing) -> None:
        """Write a student's feedback page and graded notebook.

        If the result has no notebook, a notebook of an earlier result is removed.

        Raises
        ------
        OSError
            If a file cannot be written.
        """
        from dpteach.grading.pages.feedback import feedback_page

        if self.notebooks:
            self._write_notebook(result, standing)
        html = self.folder("feedback", standing.student) / f"{self.assignment}.html"
        write_atomically(html, feedback_page(result, standing, self.book).encode(), mode=0o644)

    def refresh(self, store: Store, book: Book) -> int:
        """Rewrite the pages of students whose grades have changed; return the number of students.

        Parameters
        ----------
        store
            The results. The caller must hold `Store.lock`, so that no other process changes them.
        book
            The gradebook of the assignment.
        """
        standings, count = book.submitted(), 0
        for student, result in store.results():
            recorded, standing = store.recorded(student), standings.get(student)
            key = "" if standing is None else page_key(result.to_bytes(), standing)
            if standing is None or "pages" not in recorded or recorded["pages"] == key:
                continue
            self.write(result, standing)
            store.write_recorded(student, recorded | {"pages": key})
            count += 1
        return count

    def _write_notebook(self, result: Result, standing: Standing) -> None:
        autograded = self.folder("autograded", standing.student)
        notebook = autograded / f"{self.assignment}.ipynb"
        stamp = autograded / "timestamp.txt"
        if result.notebook:
            # make the file read-only, as nbgrader does, so that nobody edits a graded notebook by
            # mistake
            write_atomically(notebook, result.notebook.encode(), mode=0o444)
        else:
            notebook.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            if standing.timestamp is not None and result.notebook:
                write_atomically(stamp, f"{standing.timestamp} UTC".encode(), mode=0o444)
            else:
                stamp.unlink(missing_ok=True)
