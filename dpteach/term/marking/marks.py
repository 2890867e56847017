"""Reading and writing the marks of people in nbgrader's gradebook.

The formgrader shows these marks, and ``dpteach grade`` keeps them. A hash of the gradebook's entry
(`Entry.seen`) tells whether the entry has changed since a marker saw it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Self

from dpteach.grading.course.gradebook import Book, full_name


@dataclass(frozen=True)
class Entry:
    """The entry of the gradebook for one answer: the mark that a person gave, if there is one.

    Attributes
    ----------
    points
        The points that a person gave, or None.
    comment
        The comment that a person wrote, or "".
    waits
        Whether a person must still mark the answer, for the first time or again.
    """

    points: float | None
    comment: str
    waits: bool

    @property
    def marked(self) -> bool:
        """Whether a person has marked the answer and it has not changed since."""
        return self.points is not None and not self.waits

    def seen(self, answer: str) -> str:
        """Return a hash of this entry and of the answer, whose own hash is given."""
        told = json.dumps([self.points, self.comment, self.waits, answer])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


class Marks(Book):
    """The gradebook of one assignment, locked for other writers while it is open.

    It is a context manager.
    """

    def __enter__(self) -> Self:
        # lock the database already before reading: otherwise another program might write a mark
        # between the moment when the entry is compared and the moment when it is overwritten
        from sqlalchemy import text

        self.written(lambda: self.book.db.execute(text("BEGIN IMMEDIATE")))
        return self

    def __exit__(self, *_: object) -> None:
        self.book.db.rollback()
        self.book.close()

    def entries(self, item: str) -> dict[str, Entry]:
        """Return the entries of an item by student; none if the gradebook lacks the item."""
        from nbgrader.api import BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
        from sqlalchemy import select

        notebook = self._found()
        if notebook is None:
            return {}

        def rows(table: Any, *columns: Any) -> Any:
            return self.book.db.execute(
                select(SubmittedAssignment.student_id, *columns)
                .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                .join(table, table.notebook_id == SubmittedNotebook.id)
                .join(BaseCell, BaseCell.id == table.cell_id)
                .where(SubmittedNotebook.notebook_id == notebook.id, BaseCell.name == item)
            )

        said = dict(iter(rows(Comment, Comment.manual_comment)))
        grades = rows(Grade, Grade.manual_score, Grade.needs_manual_grade)
        return {one: Entry(n, said.get(one) or "", bool(waits)) for one, n, waits in grades}

    def names(self) -> dict[str, str]:
        """Return the name of each student by id; "" if the gradebook has no name."""
        return {one.id: full_name(one.first_name, one.last_name) for one in self.book.students}

    def write(self, item: str, student: str, points: float, comment: str) -> None:
        """Write a mark into the gradebook, which unlocks the gradebook.

        Raises
        ------
        dpteach.grading.course.gradebook.GradebookError
            If the gradebook cannot be written.
        """
        about = (item, self.assignment, self.assignment, student)

        def do() -> None:
            grade, said = self.book.find_grade(*about), self.book.find_comment(*about)
            grade.manual_score, grade.needs_manual_grade = points, False
            said.manual_comment = comment or None
            # the penalty for a late submission depends on its points, so compute it again
            self.book.db.flush()
            self.book.db.refresh(grade.notebook)
            self.set_penalty(grade.notebook)
            self.book.db.commit()

        self.written(do)
