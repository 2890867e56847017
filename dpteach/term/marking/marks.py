"""Marks in nbgrader's gradebook, where the formgrader shows them and ``dpteach grade`` keeps them.

A mark is written only if the entry is still as the marker saw it (`Entry.seen`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Self

from dpteach.grading.course.gradebook import Book, full_name


@dataclass(frozen=True)
class Entry:
    """What the gradebook has about one answer.

    Attributes
    ----------
    points
        What a person gave, or None.
    comment
        What a person wrote, or "".
    waits
        Whether a person has still to mark the answer, or has to mark it again.
    """

    points: float | None
    comment: str
    waits: bool

    @property
    def marked(self) -> bool:
        """Whether a person has marked the answer as it is now."""
        return self.points is not None and not self.waits

    def seen(self, answer: str) -> str:
        """Return the fingerprint of this entry together with that of the answer."""
        told = json.dumps([self.points, self.comment, self.waits, answer])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


class Marks(Book):
    """The part of the gradebook that marks of one assignment are read from and written to."""

    def __enter__(self) -> Self:
        # the database keeps other writers out from here on, so that a mark cannot be overwritten
        # between the moment when it is compared and the moment when it is written
        from sqlalchemy import text

        self.written(lambda: self.book.db.execute(text("BEGIN IMMEDIATE")))
        return self

    def __exit__(self, *_: object) -> None:
        self.book.db.rollback()
        self.book.close()

    def entries(self, item: str) -> dict[str, Entry]:
        """Return the entries of an item by student; {} if the gradebook does not know the item."""
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
        """Return the names of the students by id; "" where the gradebook has none."""
        return {one.id: full_name(one.first_name, one.last_name) for one in self.book.students}

    def write(self, item: str, student: str, points: float, comment: str) -> None:
        """Write a mark, and let go of the gradebook.

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
            # a late submission may lose more, now that it has more points
            self.book.db.flush()
            self.book.db.refresh(grade.notebook)
            self.set_penalty(grade.notebook)
            self.book.db.commit()

        self.written(do)
