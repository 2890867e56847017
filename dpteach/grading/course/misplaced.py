"""A search for submissions that would not be graded because they are in the wrong folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dpteach._language import catalog
from dpteach.grading.core.names import student_id

_, _n = catalog("course")

#: the endings of files that may be submissions
_ENDINGS = (".ipynb", ".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz", ".zst")


@dataclass(frozen=True)
class Misplaced:
    """A file or folder that is not graded because it lies in the wrong place.

    Attributes
    ----------
    student
        The student in whose folder it lies; "" if it lies in no student's folder.
    found, expected
        Where it lies and where it should lie, as paths that begin with ``submitted``.
    """

    student: str
    found: str
    expected: str

    @property
    def text(self) -> str:
        """A sentence that tells the instructor where the file or folder should lie."""
        return _(
            "{found} was not graded, because it is expected in {expected}",
            found=self.found,
            expected=self.expected,
        )


def misplaced(course: Path, assignment: str, submitted: Path) -> list[Misplaced]:
    """Return the files and folders in wrong places that may be submissions of an assignment.

    Folders for other assignments of the course are not reported.

    Parameters
    ----------
    submitted
        The folder with the students' folders.
    """
    root = submitted.name
    others = {name.casefold() for name in _assignments(course)} - {assignment.casefold()}
    found = []
    for student, is_folder in _entries(submitted):
        if not is_folder:
            if student.casefold().endswith(_ENDINGS):
                place = f"{root}/STUDENT/{assignment}"
                found.append(Misplaced("", f"{root}/{student}", place))
            continue
        try:
            student_id(student)
        except ValueError as error:
            place = _("a folder named like the student ({problem})", problem=error)
            found.append(Misplaced("", f"{root}/{student}", place))
            continue
        place = f"{root}/{student}/{assignment}"
        for name, is_inner in _entries(submitted / student):
            where = f"{root}/{student}/{name}"
            if is_inner:
                if name == assignment or name.casefold() in others:
                    continue
                path = submitted / student / name
                # report a symbolic link, but do not follow it
                if path.is_symlink() or any(_entries(path)):
                    found.append(Misplaced(student, where, place))
            elif (low := name.casefold()).endswith(_ENDINGS) and low.split(".")[0] not in others:
                found.append(Misplaced(student, where, place))
    return found


def _entries(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield each name in a folder, in order, and whether it is a folder; omit hidden names."""
    with contextlib.suppress(OSError):
        for name in sorted(os.listdir(folder)):
            if not name.startswith((".", "__")):
                yield name, (folder / name).is_dir()


def _assignments(course: Path) -> set[str]:
    """Return the names of a course's assignments, including those whose text source is gone."""
    names = {path.stem for path in (course / "assignments").glob("*.md")}
    for step in ("source", "release"):
        names |= {name for name, is_folder in _entries(course / step) if is_folder}
    return names
