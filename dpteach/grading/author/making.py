"""From the text source of an assignment and a seed to the exam.

The hidden inputs are drawn, and what the right answers are is computed with `dpteach`, here where
the text source is.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.parts import Parts
from dpteach.grading.author.proof import proved, read_checks
from dpteach.grading.author.scheme import as_lines, scheme_of
from dpteach.grading.author.source import AssignmentSource, Cell, filled, read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.plain import shown
from dpteach.grading.course.submitting import ending
from dpteach.grading.kinds.declaration import Declaration


def make_exam(path: str | Path, seed: int) -> Exam:
    """Draws an exam: the hidden inputs from the seed, the right and the mistaken answers to them.

    Parameters
    ----------
    path
        The text source of the assignment.
    seed
        An integer >= 0. The same text source and seed give the same exam.

    Raises
    ------
    FileNotFoundError
        If there is no such text source.
    dpteach.grading.author.source.SourceError
        If the text source is not right, or what was drawn is no exam: the reference fails, a
        mistake is not caught, or the instructor's solution does not pass.
    TypeError, ValueError
        If the seed is no such integer.
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be an integer >= 0, got seed={shown(seed)}")
    if seed < 0:
        raise ValueError(f"seed must be an integer >= 0, got seed={seed}")
    assignment = read_source(path)
    checks = read_checks(assignment)
    return exam_from(path, seed, assignment, checks, proved(assignment, checks, [seed]))


def exam_from(
    path: str | Path,
    seed: int,
    assignment: AssignmentSource,
    checks: Mapping[int, Declaration],
    parts: Mapping[int, Parts],
) -> Exam:
    """The exam of a text source whose checks are proved already.

    Parameters
    ----------
    path, seed
        As for `make_exam`.
    assignment, checks
        What `read_source` and `read_checks` gave.
    parts
        What `proved` gave for this seed.
    """
    worth = dict(items(assignment, checks))
    asked = []
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            asked.append(check_item(checks[i], parts[i]))
        elif cell.kind == "manual":
            asked.append(manual_item(cell, worth))
    last = ending_of(assignment, path)
    files = {
        name: base64.b64encode((assignment.folder / name).read_bytes()).decode()
        for name in assignment.data
    }
    whole = notebook_text(assignment, checks, last)
    return Exam(assignment.name, seed, whole, tuple(asked), files)


def check_item(check: Declaration, parts: Parts) -> Item:
    """The item of a check, of its visible and its hidden part as data."""
    about = (check.name, "check", float(check.points), check.book, check.call)
    return Item(*about, visible=parts[0], hidden=parts[1])


def manual_item(cell: Cell, worth: Mapping[str, float]) -> Item:
    """The item of a question that a person grades; `worth` has the points of all items."""
    text = filled(cell.source, worth) if cell.cell_type == "markdown" else cell.source
    scheme = as_lines(scheme_of(replace(cell, source=text)))
    return Item(cell.name, "manual", cell.points, "", scheme=scheme)


def ending_of(assignment: AssignmentSource, path: str | Path) -> str:
    """The text at the end of the notebook of an assignment, whose text source is at `path`."""
    course = Path(path).resolve().parents[1]
    return ending(course, assignment.name, parameters=assignment.parameters is not None)
