"""The final points of a class, read from the gradebook."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import full_name


@dataclass(frozen=True)
class Points:
    """What the gradebook says about one submission.

    Attributes
    ----------
    scores
        Final points by item; None where a person has still to grade.
    penalty
        Points lost for handing in late.
    name
        The student's name, or "".
    """

    scores: Mapping[str, float | None] = field(default_factory=dict)
    penalty: float = 0.0
    name: str = ""


def points_of(course: Path, assignment: str) -> dict[str, Points]:
    """What a course's gradebook says about the submissions of an assignment, in one query.

    Raises
    ------
    FileNotFoundError
        If the folder is no course.
    ValueError
        If the gradebook cannot be read.
    """
    from nbgrader.api import (
        Assignment,
        BaseCell,
        Grade,
        Gradebook,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy.exc import SQLAlchemyError

    url = course_api(course).coursedir.db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}
    scores: dict[str, dict[str, float | None]] = defaultdict(dict)
    penalties: dict[str, float] = {}
    names: dict[str, str] = {}
    try:
        with Gradebook(url) as gradebook:
            rows = (
                gradebook.db.query(
                    Student.id,
                    Student.first_name,
                    Student.last_name,
                    BaseCell.name,
                    Grade.score,
                    Grade.needs_manual_grade,
                    SubmittedNotebook.late_submission_penalty,
                )
                .select_from(Grade)
                .join(BaseCell, Grade.cell_id == BaseCell.id)
                .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
                .join(
                    SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id
                )
                .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
                .join(Student, SubmittedAssignment.student_id == Student.id)
                .filter(Assignment.name == assignment)
            )
            for student, first, last, name, score, waits, penalty in rows:
                names[student] = full_name(first, last)
                scores[student][name] = None if waits else float(score)
                penalties[student] = float(penalty or 0.0)
    except SQLAlchemyError as error:
        told = str(error).splitlines()[0]
        raise ValueError(f"the gradebook cannot be read: {told}") from None
    return {
        student: Points(found, penalties[student], names[student])
        for student, found in scores.items()
    }
