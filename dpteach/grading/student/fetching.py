"""A replacement for nbgrader's *Fetch* that gives each student their personal version.

It is set in ``nbgrader_config.py``, also in students' own copies of that file::

    c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

A student's version is determined by their token. The token lies in the exchange, where
`dpteach.grading.author.releasing` puts it, or above the folder of the assignment.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

from dpteach.grading.core.versions import TOKENS, VERSIONS
from dpteach.grading.student.files import StudentError
from dpteach.grading.student.mine import check_there, login, mine, token_above


class PersonalFetch(ExchangeFetchAssignment):  # type: ignore[misc]
    """``nbgrader fetch_assignment`` that also fills in a student's personal numbers, if any."""

    def _token(self) -> str:
        """Return the student's token, from the exchange or above the folder of the assignment."""
        named = self.coursedir.student_id
        student = login() if named == "*" else str(named)
        with contextlib.suppress(OSError, ValueError):
            return (Path(self.course_path) / TOKENS / student).read_text("utf-8").strip()
        return token_above(Path(self.dest_path))

    def copy_files(self) -> None:
        """Copy the release with the student's numbers, or end if it has no version for the student.

        The version is looked up before anything is copied.
        """
        folder = Path(self.dest_path)
        try:
            check_there(Path(self.src_path), self._token)
            super().copy_files()
            if (folder / VERSIONS).is_file():
                mine(folder / f"{folder.name}.ipynb", self._token())
        except StudentError as error:
            self.fail(str(error))
