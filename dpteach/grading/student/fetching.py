"""nbgrader's *Fetch*, by which each student gets their own version.

In ``nbgrader_config.py``, the students' as well where they have one of their own::

    c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

Which version is the student's follows from their token. It lies in the exchange, where
`dpteach.grading.author.releasing` could put it, or above the folder of the assignment.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

from dpteach.grading.core.versions import TOKENS, VERSIONS
from dpteach.grading.student.mine import MineError, check_there, login, mine, token_above


class PersonalFetch(ExchangeFetchAssignment):  # type: ignore[misc]
    """``nbgrader fetch_assignment``, which fills in the student's numbers where there are some."""

    def _token(self) -> str:
        named = self.coursedir.student_id
        student = login() if named == "*" else str(named)
        with contextlib.suppress(OSError, ValueError):
            return (Path(self.course_path) / TOKENS / student).read_text("utf-8").strip()
        return token_above(Path(self.dest_path))

    def init_dest(self) -> None:
        """Finds the place for the copy; ends if the release has no version for this student."""
        super().init_dest()
        try:
            check_there(Path(self.src_path), self._token)
        except MineError as error:
            self.fail(str(error))

    def copy_files(self) -> None:
        """Copies the release, and makes it the student's."""
        super().copy_files()
        folder = Path(self.dest_path)
        if (folder / VERSIONS).is_file():
            try:
                mine(folder / f"{folder.name}.ipynb", self._token())
            except MineError as error:
                self.fail(str(error))
