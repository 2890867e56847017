"""Results in nbgrader's gradebook, written and read through its ``Gradebook`` interface.

Only one process at a time writes. Writing a result again changes nothing. Points, extra credit and
comments that a person entered are never changed. If the submission or its points have changed
since a person graded it, the gradebook asks a person to look again.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from dpteach._language import catalog
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.core.opening import open_submitted
from dpteach.grading.core.result import Result
from dpteach.grading.course.decisions import TOTAL, Decisions, read_decisions
from dpteach.grading.course.store import Store
from dpteach.grading.course.times import TimeZoneError, read_time

if TYPE_CHECKING:
    from dpteach.grading.course.late import LatePenalties

_, _n = catalog("course")

#: the comment of nbgrader's own autograder on an answer that the student did not change
NO_RESPONSE = "No response."

#: seconds to wait while another program, such as the formgrader, writes into the gradebook
_PATIENCE = 60.0

_TIMESTAMP = "timestamp.txt"

_T = TypeVar("_T")


class GradebookError(RuntimeError):
    """The reason why the gradebook cannot be used, and what to do, in one line."""


@dataclass(frozen=True)
class Standing:
    """The grades of one submission: points in the gradebook, after the instructor's decisions.

    Attributes
    ----------
    student
        The student's id.
    submitted
        Whether there is a submission.
    timestamp
        The time at which the submission came, in UTC, or None.
    scores
        The points of each item, by name; None if a person still has to grade the item.
    comments
        The comments that are not empty, by the name of the item or of the solution cell.
    penalty
        The points lost because the submission was late.
    late
        A text that says how late the submission was; "" if it was in time.
    total, maximum
        The sum of `scores` minus the penalty, or the total that the instructor decided; and the
        points of the whole assignment.
    name
        The student's name in the gradebook, or "".
    worth
        The maximum points of each item; 0 for an item that does not count.
    notes
        A sentence about each item that a decision changed, and about the total (`TOTAL`).
    refused
        Why no program could grade the submission; "" if it was graded.
    withdrawn
        Whether the student withdrew.
    """

    student: str
    submitted: bool
    timestamp: datetime | None
    scores: Mapping[str, float | None]
    comments: Mapping[str, str]
    penalty: float
    late: str
    total: float
    maximum: float
    name: str = ""
    worth: Mapping[str, float] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""
    withdrawn: bool = False

    @property
    def called(self) -> str:
        """The student's id, followed by the name if it is known."""
        return called(self.student, self.name)

    @property
    def needs_person(self) -> bool:
        """Whether a person still has to grade an item."""
        return None in self.scores.values() and TOTAL not in self.notes

    @property
    def status(self) -> str:
        """The state of the student's submission.

        It is ``withdrawn``, ``missing``, ``refused``, ``to be graded`` or ``graded``.
        """
        if self.withdrawn:
            return "withdrawn"
        if TOTAL in self.notes:
            return "graded"
        if not self.submitted:
            return "missing"
        if self.refused:
            return "refused"
        return "to be graded" if self.needs_person else "graded"


def read_timestamp(folder: Path, home: str | None = None) -> tuple[datetime | None, str]:
    """Return the time at which a submission came, from its ``timestamp.txt``.

    Parameters
    ----------
    folder
        The folder of the submission.
    home
        The time zone of the course, as for `dpteach.grading.course.times.read_time`, or None.

    Returns
    -------
    datetime or None, str
        The time in UTC without a zone, as nbgrader stores times, or None if the file is missing,
        empty or not understood; and a message if it was not understood, otherwise "".
    """
    try:
        fd = open_submitted(folder, _TIMESTAMP)
    except OSError:
        return None, ""
    with open(fd, "rb") as file:
        text = file.read(100).decode("utf-8", "replace").strip()
    if not text:
        return None, ""
    try:
        return read_time(text, home), ""
    except TimeZoneError as error:
        return None, _(
            "{file} was not understood, so the submission counts as submitted in time: {problem}",
            file=_TIMESTAMP,
            problem=error,
        )
    except ValueError:
        return None, _(
            "{file} has no date and time, so the submission counts as submitted in time: {text!r}",
            file=_TIMESTAMP,
            text=text[:40],
        )


def full_name(first: str | None, last: str | None) -> str:
    """Return a first and a last name as one text; "" if both are missing."""
    return " ".join(part.strip() for part in (first, last) if part and part.strip())


def unknown(student: str, maximum: float = 0.0) -> Standing:
    """Return a `Standing` without any points, for a student who has no submission."""
    return Standing(student, False, None, {}, {}, 0.0, "", 0.0, maximum)


def called(student: str, name: str) -> str:
    """Return a student's id, followed by the name unless it is "".

    Examples
    --------
    >>> called("anna", "Anna Berg"), called("ben", "")
    ('anna (Anna Berg)', 'ben')
    """
    return f"{student} ({name})" if name else student


def patient(do: Callable[[], _T], undo: Callable[[], object] = lambda: None) -> _T:
    """Call a function; retry for up to a minute while another program locks the gradebook.

    Parameters
    ----------
    do
        The function, whose value is returned.
    undo
        A function that is called after each error.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return do()
        # catch errors of any class, because nbgrader turns some of the database's errors into its
        # own
        except Exception as error:
            undo()
            if "database is locked" not in str(error) or time.monotonic() > end:
                raise
        time.sleep(0.2)


def _database_message(error: Exception) -> str:
    """Return the first line of a database's error, without the name of the exception's class."""
    line = str(getattr(error, "orig", None) or error).partition("\n")[0]
    return re.sub(r"^\(\S+\) ", "", line)


def home_of(settings: Any) -> str | None:
    """Return the time zone of a course (``c.Exchange.timezone``), or None if it is not set.

    Parameters
    ----------
    settings
        An object of nbgrader with a field ``config``.
    """
    zone = settings.config.get("Exchange", {}).get("timezone")
    return zone if isinstance(zone, str) else None


def _unopened(coursedir: Any, reason: str) -> str:
    """Return an error message that says why the gradebook cannot be opened."""
    file = Path(coursedir.root) / "gradebook.db"
    if coursedir.db_url == f"sqlite:///{file}" and not file.exists():
        return _(
            "there is no gradebook, and none can be made in {folder}: is it read-only?",
            folder=file.parent,
        )
    return _("the gradebook cannot be opened: {problem}", problem=reason)


class Book:
    """The part of nbgrader's gradebook that belongs to one assignment; a context manager.

    Parameters
    ----------
    api
        nbgrader's ``NbGraderAPI`` (`dpteach.grading.course.folder.course_api`).
    assignment
        The assignment's name, which is also the name of its only notebook.

    Raises
    ------
    GradebookError
        If the gradebook cannot be opened.
    """

    def __init__(self, api: Any, assignment: str) -> None:
        # import nbgrader only here, because importing it takes seconds, and most errors of a
        # command occur before this import
        from nbgrader.api import Gradebook
        from sqlalchemy.exc import SQLAlchemyError

        from dpteach.grading.course.late import LatePenalties

        self.api, self.assignment = api, assignment
        self.penalties = LatePenalties(config=api.config)
        self.decisions = read_decisions(api.coursedir.root, assignment)
        try:
            self.book = patient(lambda: Gradebook(api.coursedir.db_url, api.coursedir.course_id))
        except (SQLAlchemyError, OSError) as error:
            raise GradebookError(_unopened(api.coursedir, _database_message(error))) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.book.close()

    def check(self, exam: Exam) -> None:
        """Raise an error if items or maximum points in the gradebook differ from those in `exam`.

        `exam` is the assignment according to its present text source.

        Raises
        ------
        GradebookError
            If an item differs (the message names the first such item), or if the gradebook does
            not know the assignment.
        """
        self._notebook()  # raises an error if the assignment is unknown
        known = self.points()
        asked = {item.name: float(item.points) for item in exam.items}
        for name in (*asked, *known):
            if known.get(name) != asked.get(name):
                raise GradebookError(
                    _(
                        "{item}: {source} in the text source, {gradebook} in the gradebook; build "
                        "it with: dpteach assignments {assignment}",
                        item=name,
                        source=_points(asked.get(name)),
                        gradebook=_points(known.get(name)),
                        assignment=self.assignment,
                    )
                )

    def record(
        self, student: str, result: Result, *, timestamp: datetime | None, fresh: bool
    ) -> Standing:
        """Write the result of a submission; change nothing if it is already recorded.

        Parameters
        ----------
        result
            The result of grading the submission.
        timestamp
            The time at which the submission came, or None.
        fresh
            Whether the submission differs from the one that was recorded last. If so, a person
            must confirm the points that were given by hand.

        Returns
        -------
        Standing
            The grades after writing.

        Raises
        ------
        GradebookError
            If the gradebook cannot be written.
        ValueError
            If `student` is no student id.
        """
        student_id(student)
        return self.written(lambda: self._record(student, result, timestamp, fresh))

    def written(self, do: Callable[[], _T]) -> _T:
        """Call a function that writes into the gradebook; retry while another program locks it.

        Returns
        -------
        object
            The value of the function.

        Raises
        ------
        GradebookError
            If the gradebook cannot be written.
        """
        from nbgrader.api import InvalidEntry
        from sqlalchemy.exc import OperationalError

        try:
            return patient(do, self.book.db.rollback)
        except (InvalidEntry, OperationalError) as error:
            problem = _database_message(error)
            raise GradebookError(
                _("the gradebook cannot be written: {problem}", problem=problem)
            ) from None

    def _record(
        self, student: str, result: Result, timestamp: datetime | None, fresh: bool
    ) -> Standing:
        from nbgrader.api import MissingEntry

        book = self.book
        try:
            submission = book.find_submission(self.assignment, student)
        except MissingEntry:
            book.update_or_create_student(student)
            submission = book.add_submission(self.assignment, student)
        if submission.timestamp != timestamp:
            submission.timestamp = timestamp
        self._extend(submission)
        (notebook,) = (nb for nb in submission.notebooks if nb.name == self.assignment)
        names, released = self._cells
        items = {item.name: item for item in result.items}
        for grade in notebook.grades:
            item = items.get(names[grade.cell_id])
            score = item.score if item else 0.0
            if fresh or grade.auto_score != score:
                grade.auto_score = score
                grade.needs_manual_grade = grade.manual_score is not None or score is None
        blank = _blank(result, released)
        for comment in notebook.comments:
            said = NO_RESPONSE if names[comment.cell_id] in blank else None
            if comment.auto_comment != said:
                comment.auto_comment = said
        book.db.flush()
        # read the score again, because the database computes it from the grades
        book.db.refresh(notebook)
        self.set_penalty(notebook)
        book.db.commit()
        return standing_of(notebook, self.decisions, self.penalties, names, result.refusal)

    def _extend(self, submission: Any) -> None:
        """Give a submission the extension that the instructor decided, if there is one."""
        until, due = self.decisions.until(submission.student.id), submission.assignment.duedate
        if until is not None and due is not None:
            extension = max(until - due, timedelta(0)) or None
            if submission.extension != extension:
                submission.extension = extension

    def set_penalty(self, notebook: Any) -> None:
        """Update the late penalty of nbgrader's ``SubmittedNotebook``; the caller must commit."""
        penalty = self.penalties.of(notebook.assignment, notebook.score)
        if notebook.late_submission_penalty != penalty:
            notebook.late_submission_penalty = penalty

    @cached_property
    def _cells(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the names of the cells by their id, and the sources of released cells by name."""
        notebook = self._notebook()
        cells = (*notebook.grade_cells, *notebook.solution_cells, *notebook.task_cells)
        sources = {cell.name: cell.source for cell in notebook.source_cells}
        return {cell.id: cell.name for cell in cells}, sources

    def standings(self) -> Iterator[Standing]:
        """Yield the grades of every student of the course, in the order of the ids."""
        there = self.submitted()
        maximum = self.maximum()
        names = {one.id: full_name(one.first_name, one.last_name) for one in self.book.students}
        for student in self.students():
            if student in there:
                yield there[student]
                continue
            grades = self.decisions.grades(student, {}, {})
            yield replace(
                unknown(student, maximum),
                name=names[student],
                notes=grades.notes,
                total=grades.total or 0.0,
                withdrawn=student in self.decisions.withdrawn,
            )

    def submitted(self) -> dict[str, Standing]:
        """Return the grades of all submissions, by student; {} if the assignment is unknown."""
        notebook = self._found()
        submissions = () if notebook is None else notebook.submissions
        found = {one.assignment.student_id: one for one in submissions}
        names = self._cells[0] if found else {}
        refused = Store(self.api.coursedir.root, self.assignment).refused()
        return {
            student: standing_of(
                one, self.decisions, self.penalties, names, refused.get(student, "")
            )
            for student, one in found.items()
        }

    def students(self) -> list[str]:
        """Return the ids of the students of the course, in order.

        Raises
        ------
        GradebookError
            If the gradebook has an id that is no student id, which another program may have
            written.
        """
        try:
            return sorted(student_id(student.id) for student in self.book.students)
        except ValueError as error:
            raise GradebookError(
                _(
                    "the gradebook has a student who must be removed there (nbgrader db student "
                    "remove ID): {problem}",
                    problem=error,
                )
            ) from None

    def maximum(self) -> float:
        """Return the maximum points of the whole assignment, after the instructor's decisions."""
        worth = self.decisions.worth
        return sum(worth(cell.name, float(cell.max_score)) for cell in self._notebook().grade_cells)

    def items(self) -> list[str]:
        """Return the names of the items that earn points, in the notebook's order."""
        notebook = self._notebook()
        graded = {cell.name for cell in notebook.grade_cells}
        return [cell.name for cell in notebook.source_cells if cell.name in graded]

    def has_submissions(self) -> bool:
        """Return whether the gradebook has a submission of the assignment."""
        notebook = self._found()
        return notebook is not None and bool(notebook.submissions)

    def points(self) -> dict[str, float]:
        """Return the maximum points of each item, by name; {} if the assignment is unknown."""
        notebook = self._found()
        cells = () if notebook is None else notebook.grade_cells
        return {cell.name: float(cell.max_score) for cell in cells}

    def ask_again(self, before: Mapping[str, float], now: Mapping[str, float]) -> list[str]:
        """Ask a person to confirm points given by hand for items whose maximum has changed.

        Parameters
        ----------
        before, now
            The maximum points of each item before the assignment was built again, and afterwards.

        Returns
        -------
        list of str
            A line for each such item, with the ids of the students who have points given by hand.
        """
        told = []
        for cell in self._notebook().grade_cells:
            by_hand = [grade for grade in cell.grades if grade.manual_score is not None]
            worth = before.get(cell.name, 0.0)
            if not by_hand or worth == now[cell.name]:
                continue
            for grade in by_hand:
                grade.needs_manual_grade = True
            students = sorted(grade.student.id for grade in by_hand)
            told.append(
                _(
                    "{item} was worth {before:g} points and is worth {now:g} now. The points that "
                    "a person gave for it stay as they are, and count when they are confirmed in "
                    "the formgrader: {students}",
                    item=cell.name,
                    before=worth,
                    now=now[cell.name],
                    students=", ".join(map(printable, students)),
                )
            )
        self.book.db.commit()
        return told

    def knows_assignment(self) -> bool:
        """Return whether the gradebook has the assignment."""
        return self._found() is not None

    def _found(self) -> Any:
        """Return the assignment's notebook in the gradebook, or None."""
        from nbgrader.api import MissingEntry

        try:
            return self.book.find_notebook(self.assignment, self.assignment)
        except MissingEntry:
            return None

    def _notebook(self) -> Any:
        notebook = self._found()
        if notebook is None:
            raise GradebookError(
                _(
                    "the gradebook does not know the assignment {assignment}: build it with: "
                    "dpteach assignments {assignment}",
                    assignment=self.assignment,
                )
            )
        return notebook


def _points(points: float | None) -> str:
    """Return an item's points as text, such as "2 points"; "no such item" for None or 0."""
    return _n("{count:g} point", "{count:g} points", points) if points else _("no such item")


def _blank(result: Result, released: Mapping[str, str]) -> set[str]:
    """Return the names of the solution cells that the student did not change."""
    found = set()
    for cell in json.loads(result.notebook)["cells"] if result.notebook else ():
        told = cell.get("metadata", {}).get("nbgrader", {})
        if told.get("solution") and released.get(told.get("grade_id")) == "".join(cell["source"]):
            found.add(told["grade_id"])
    return found


def standing_of(
    notebook: Any,
    decisions: Decisions,
    penalties: LatePenalties,
    names: Mapping[str, str] | None = None,
    refused: str = "",
) -> Standing:
    """Return the grades of a submission, without points that a person still has to confirm.

    Points that a person gave must be confirmed if, for example, the submission has changed since.
    Until then they do not count here, although nbgrader's own sum includes them.

    Parameters
    ----------
    notebook
        nbgrader's ``SubmittedNotebook``.
    decisions
        The instructor's decisions about the assignment.
    penalties
        The object that computes the penalty for lateness from the sum of the points.
    names
        The names of the notebook's cells by their id; None to read them from the database.
    refused
        Why no program could grade the submission, or "".
    """
    from dpteach.grading.course.late import lateness

    def name(one: Any) -> str:
        return str(one.name if names is None else names[one.cell_id])

    submission = notebook.assignment
    student = submission.student.id
    given = {
        name(grade): None if grade.needs_manual_grade else float(grade.score)
        for grade in notebook.grades
    }
    points = {cell.name: float(cell.max_score) for cell in notebook.notebook.grade_cells}
    grades = decisions.grades(student, dict(sorted(given.items())), points, refused=bool(refused))
    penalty = float(notebook.late_submission_penalty or 0.0)
    seconds = submission.total_seconds_late
    shown = sum(score for score in grades.scores.values() if score is not None)
    if grades.total is not None:
        penalty = 0.0
    else:
        # compute the penalty again, because it is at most the sum of the points, which may have
        # changed since the penalty was stored. If the course's rule gives no penalty, another
        # program wrote the stored penalty, so keep it
        asked = penalties.of(submission, shown)
        penalty = min(penalty, shown) if asked is None else asked
    return Standing(
        student=student,
        submitted=True,
        timestamp=submission.timestamp,
        scores=grades.scores,
        comments={name(c): c.comment for c in notebook.comments if c.comment},
        penalty=penalty,
        late=lateness(seconds) if seconds > 0 else "",
        total=max(0.0, shown - penalty) if grades.total is None else grades.total,
        maximum=sum(grades.worth.values()),
        name=full_name(submission.student.first_name, submission.student.last_name),
        worth=grades.worth,
        notes=grades.notes,
        refused="" if grades.total is not None else refused,
        withdrawn=student in decisions.withdrawn,
    )
