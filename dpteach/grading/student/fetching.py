"""nbgrader's *Fetch*, by which each student gets their own version.

In ``nbgrader_config.py``, the students' as well where they have one of their own::

    c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

The student is the one that nbgrader's *Submit* takes for the sender.
"""

from __future__ import annotations

from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.student.mine import MineError, check_there, login, mine


class PersonalFetch(ExchangeFetchAssignment):  # type: ignore[misc]
    """``nbgrader fetch_assignment``, which fills in the student's numbers where there are some."""

    def _student(self) -> str:
        named = self.coursedir.student_id
        return login() if named == "*" else str(named)

    def init_src(self) -> None:
        """Finds the release; ends if it has no version for this student."""
        super().init_src()
        try:
            check_there(Path(self.src_path), self._student())
        except MineError as error:
            self.fail(str(error))

    def copy_files(self) -> None:
        """Copies the release, and makes it the student's."""
        super().copy_files()
        folder = Path(self.dest_path)
        if (folder / VERSIONS).is_file():
            try:
                mine(folder / f"{folder.name}.ipynb", self._student())
            except MineError as error:
                self.fail(str(error))
