"""A replacement for nbgrader's *Fetch* that fetches each student's personal version.

This line in ``nbgrader_config.py``, and in students' own copies of that file, activates it::

    c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

Personal versions differ in the values of the assignment's parameters. A student's token determines
the version. The token is in a file in the exchange, which `dpteach.grading.author.releasing`
writes, or in a file in a folder above the assignment.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

from dpteach.grading.core.versions import TOKENS, VERSIONS
from dpteach.grading.student.files import StudentError
from dpteach.grading.student.mine import check_there, login, mine, token_above


class PersonalFetch(ExchangeFetchAssignment):  # type: ignore[misc]
    """``nbgrader fetch_assignment`` that makes the fetched copy the student's personal version."""

    def _token(self) -> str:
        """Return the student's token, from the exchange, or from a file in or above `dest_path`."""
        named = self.coursedir.student_id
        student = login() if named == "*" else str(named)
        with contextlib.suppress(OSError, ValueError):
            return (Path(self.course_path) / TOKENS / student).read_text("utf-8").strip()
        return token_above(Path(self.dest_path))

    def copy_files(self) -> None:
        """Copy the release, and turn the copy into the student's personal version.

        If the release has no version for the student, fail before any file is copied.
        """
        folder = Path(self.dest_path)
        try:
            check_there(Path(self.src_path), self._token)
            super().copy_files()
            if (folder / VERSIONS).is_file():
                mine(folder / f"{folder.name}.ipynb", self._token())
        except StudentError as error:
            self.fail(str(error))
