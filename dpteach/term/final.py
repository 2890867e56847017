"""``dpteach term final``: compute the final grades of a term by the rule of the course.

A final grade is a weighted mean of the percentages that a student has in the assignments. The rule
may drop a number of the lowest percentages, or count only the best; among equal percentages, the
assignment that comes first in the alphabet is dropped. A missing submission counts as 0 percent. If
a submission was refused or is not graded completely, the final grade is open, with a reason.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpteach._language import catalog
from dpteach.grading.classroom.export import write
from dpteach.grading.core.command import file_to_write
from dpteach.grading.course.folder import assignment_names, check_assignment
from dpteach.grading.course.gradebook import Book
from dpteach.term.deciding import Decision, DecisionError, Term, decide
from dpteach.term.lms.table import write_table
from dpteach.term.project import project
from dpteach.term.words import change, number, shortened

_, _n = catalog("term")

#: the first columns of the table of final grades; one column for each assignment follows
COLUMNS = ("student", "name", "percent", "status", "reason")


@dataclass(frozen=True)
class Policy:
    """The rule by which a final grade is computed from the percentages in the assignments.

    Attributes
    ----------
    weights
        The weights by assignment; if empty, each assignment with any student's submission has 1.
    best
        The number of a student's best assignments that count, or None to count all.
    lowest
        The number of a student's lowest assignments that are dropped; one assignment always stays.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    best: int | None = None
    lowest: int = 0

    def counted(self, grades: Iterable[AssignmentGrade]) -> set[str]:
        """Return the names of those assignments of one student that count for the final grade."""
        order = sorted(grades, key=lambda one: (one.percent, one.assignment))
        drop = self.lowest if self.best is None else len(order) - self.best
        return {one.assignment for one in order[max(0, min(drop, len(order) - 1)) :]}

    def text(self) -> str:
        """Describe the rule in words, for example "equal weights; the best 3 count"."""
        named = ", ".join(f"{name} {weight:g}" for name, weight in sorted(self.weights.items()))
        weights = _("weights: {weights}", weights=named) if named else _("equal weights")
        if self.best is not None:
            return _("{weights}; the best {n} count", weights=weights, n=self.best)
        if self.lowest:
            return _("{weights}; the lowest {n} dropped", weights=weights, n=self.lowest)
        return _("{weights}; all count", weights=weights)


@dataclass(frozen=True)
class AssignmentGrade:
    """The grade of a student for one assignment.

    Attributes
    ----------
    assignment
        The name of the assignment.
    points, maximum
        The student's points after late penalties and instructors' decisions; the most points.
    status
        ``"graded"``, ``"missing"``, ``"refused"``, ``"to be graded"`` (a person has still to grade
        an item), ``"not graded yet"`` (the grader has not run) or ``"withdrawn"``.
    reason
        Why the submission was refused, or "".
    weight
        The weight of the assignment in the final grade.
    counts
        Whether the assignment counts in the final grade; the course's rule may drop the lowest.
    """

    assignment: str
    points: float
    maximum: float
    status: str
    reason: str
    weight: float
    counts: bool = True

    @property
    def percent(self) -> float:
        """The points in percent of the maximum; 0 if the maximum is 0."""
        return 100 * self.points / self.maximum if self.maximum else 0.0


@dataclass(frozen=True)
class FinalGrade:
    """The final grade of one student.

    Attributes
    ----------
    student, name
        The id, and the name or "".
    percent
        The weighted mean of the percentages that count; None if the student withdrew.
    status
        ``"complete"``, ``"withdrawn"``, or ``"open"`` if a submission was refused or is not graded
        completely.
    reason
        Why the final grade is open, or "".
    grades
        The grades of the assignments by name, in the order of the names.
    """

    student: str
    name: str
    percent: float | None
    status: str
    reason: str
    grades: Mapping[str, AssignmentGrade]


def final_grades(course: Path) -> list[FinalGrade]:
    """Return the final grades of all students, in the order of their ids.

    Raises
    ------
    dpteach.grading.course.folder.CourseError
        If there is no such course or assignment.
    dpteach.grading.course.gradebook.GradebookError
        If the gradebook cannot be read.
    dpteach.term.log.LogError
        If the log cannot be read.
    """
    term = Term(course)
    project(term.root)
    return grades_by(term, Policy(**term.state.policy))


def grades_by(term: Term, policy: Policy) -> list[FinalGrade]:
    """Return the final grades of all students by a rule, in the order of their ids."""
    found: dict[str, dict[str, AssignmentGrade]] = {student: {} for student in term.students}
    for name in sorted(policy.weights) or assignment_names(term.root, graded=True):
        for student, grade in _of_assignment(term, name, policy.weights.get(name, 1.0)).items():
            found[student][name] = grade
    return [_final(term, student, found[student], policy) for student in sorted(found)]


def _of_assignment(term: Term, name: str, weight: float) -> dict[str, AssignmentGrade]:
    """Return the grade of each student for an assignment; {} before its first submission."""
    with Book(term.api, name) as book:
        if not book.has_submissions():
            return {}
        found = {}
        for one in book.standings():
            folder = term.root / term.api.coursedir.submitted_directory / one.student / name
            waits = one.status == "missing" and folder.is_dir()
            told = one.total, one.maximum, "not graded yet" if waits else one.status, one.refused
            found[one.student] = AssignmentGrade(name, *told, weight)
        return found


def _final(
    term: Term, student: str, grades: dict[str, AssignmentGrade], policy: Policy
) -> FinalGrade:
    """Return a student's final grade, given the student's grades by assignment name."""
    counted = policy.counted(grades.values())
    grades = {name: replace(one, counts=name in counted) for name, one in grades.items()}
    name = term.students[student]
    if student in term.state.withdrawn:
        return FinalGrade(student, name, None, "withdrawn", "", grades)
    open_ones = [one for one in grades.values() if one.status not in ("graded", "missing")]
    reasons = [f"{one.assignment}: {one.status} {one.reason}".rstrip() for one in open_ones]
    status = "open" if open_ones else "complete"
    return FinalGrade(student, name, _mean(grades.values()), status, "; ".join(reasons), grades)


def _mean(grades: Iterable[AssignmentGrade]) -> float:
    """Return the weighted mean of the percentages that count; 0 if nothing counts."""
    those = [one for one in grades if one.counts]
    weight = math.fsum(one.weight for one in those)
    return math.fsum(one.weight * one.percent for one in those) / weight if weight else 0.0


def table(grades: Sequence[FinalGrade]) -> str:
    """Return final grades as CSV text with a row per student and a column per assignment.

    The cell of an assignment has the percentage, or a status such as ``missing`` or ``refused``,
    and ``(dropped)`` if the assignment does not count in the final grade.
    """
    names = sorted({name for one in grades for name in one.grades})
    rows = [[*COLUMNS, *names]]
    for one in grades:
        percent = "" if one.percent is None else f"{one.percent:.2f}"
        cells = [_cell(one.grades[name]) if name in one.grades else "" for name in names]
        rows.append([one.student, one.name, percent, one.status, one.reason, *cells])
    return write_table(rows).decode()


def _cell(one: AssignmentGrade) -> str:
    told = f"{one.percent:.2f}" if one.status in ("graded", "withdrawn") else one.status
    return told if one.counts else f"{told} (dropped)"


def weight(text: str) -> tuple[str, float]:
    """Return the assignment and the weight in an argument of the form NAME=WEIGHT.

    >>> weight("renyi_dp=2")
    ('renyi_dp', 2.0)
    """
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(_("must be NAME=WEIGHT, got {text!r}", text=text))
    return name, number(0.001, 100_000)(value)


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of ``dpteach term final``."""
    some = command.add_argument("--weight", type=weight, action="append", default=[])
    some.metavar, some.help = "NAME=WEIGHT", _("a weight of the rule; repeatable")
    rule = command.add_mutually_exclusive_group()
    rule.add_argument("--best", type=int, metavar="N", help=_("rule: only the best N count"))
    rule.add_argument("--drop-lowest", type=int, metavar="N", help=_("rule: the lowest N do not"))
    rule.add_argument("--to", type=file_to_write, metavar="FILE", help=_("the file to write"))


def run(told: argparse.Namespace) -> int:
    """Record the rule of final grades, or write the table of final grades; return the exit code."""
    if told.weight or told.best is not None or told.drop_lowest is not None:
        return decide(told, _policy)
    text = table(final_grades(told.course))
    if told.to is None:
        print(text, end="")
    else:
        write(told.to, text)
    return 0


def _policy(term: Term, told: argparse.Namespace) -> Decision:
    """Return the decision to compute final grades by the rule in the command's arguments."""
    before, weights = Policy(**term.state.policy), dict(told.weight)
    for name in weights:
        check_assignment(term.root, name, graded=True)
    if len(weights) < len(told.weight) or (weights and told.to):
        raise DecisionError(_("each assignment must have one --weight, and --to stands alone"))
    now = Policy(weights or before.weights, told.best, told.drop_lowest or 0)
    most = len(now.weights) or 1000
    if told.best is not None and not 1 <= told.best <= most:
        raise DecisionError(_("--best must be in 1..{most}, got {n}", most=most, n=told.best))
    if not 0 <= now.lowest < most:
        n, most = now.lowest, most - 1
        raise DecisionError(_("--drop-lowest must be in 0..{most}, got {n}", most=most, n=n))
    said = change(_("final grade"), before.text(), now.text())
    changed = _changed(grades_by(term, before), grades_by(term, now))
    return Decision("final", vars(now), dict(vars(before)), [said, *changed])


def _changed(before: Sequence[FinalGrade], after: Sequence[FinalGrade]) -> list[str]:
    """Return a line for each student whose final grade changes, or one line if none changes."""
    lines = [
        change(one.student, f"{was.percent:.2f} %", f"{one.percent:.2f} %")
        for was, one in zip(before, after, strict=True)
        if was.percent is not None and one.percent is not None and was.percent != one.percent
    ]
    return shortened(lines) or [_("no student's final grade changes")]
