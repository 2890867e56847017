"""The making of an exam (the data for grading) from an assignment's text source and a seed.

The hidden inputs are drawn and the right answers are computed once, from the text source. The
processes that grade get the finished exam.
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
from dpteach.grading.kinds.declaration import Declaration


def make_exam(path: str | Path, seed: int) -> Exam:
    """Return the exam of an assignment, the data by which submissions are graded.

    Parameters
    ----------
    path
        The text source of the assignment.
    seed
        An integer >= 0, from which the hidden inputs are drawn. The same text source and seed give
        the same exam.

    Raises
    ------
    FileNotFoundError
        If there is no such text source.
    dpteach.grading.author.source.SourceError
        If the text source has an error, or the inputs that were drawn cannot be used: the author's
        reference implementation fails on them, no visible or drawn case detects one of the wrong
        implementations that a check declares, or the instructor's solution does not pass.
    TypeError, ValueError
        If the seed is not an integer >= 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be an integer >= 0, got seed={shown(seed)}")
    if seed < 0:
        raise ValueError(f"seed must be an integer >= 0, got seed={seed}")
    assignment = read_source(path)
    checks = read_checks(assignment)
    return exam_from(seed, assignment, checks, proved(assignment, checks, [seed]))


def exam_from(
    seed: int,
    assignment: AssignmentSource,
    checks: Mapping[int, Declaration],
    parts: Mapping[int, Parts],
) -> Exam:
    """Return an assignment's exam, that is, the data for grading it, given the cases of its checks.

    Parameters
    ----------
    seed
        As for `make_exam`.
    assignment, checks
        The results of `read_source` and `read_checks`.
    parts
        The result of `proved` for this seed.
    """
    worth = dict(items(assignment, checks))
    asked = []
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            asked.append(check_item(checks[i], parts[i]))
        elif cell.kind == "manual":
            asked.append(manual_item(cell, worth))
    files = {
        name: base64.b64encode((assignment.folder / name).read_bytes()).decode()
        for name in assignment.data
    }
    whole = notebook_text(assignment, checks)
    return Exam(assignment.name, seed, whole, tuple(asked), files)


def check_item(check: Declaration, parts: Parts) -> Item:
    """Return a check as an item for grading, given the data of its visible and hidden cases."""
    about = (check.name, "check", float(check.points), check.book, check.call)
    return Item(*about, visible=parts[0], hidden=parts[1])


def manual_item(cell: Cell, worth: Mapping[str, float]) -> Item:
    """Return the item for a question that a person grades; `worth` has the points of all items."""
    text = filled(cell.source, worth) if cell.cell_type == "markdown" else cell.source
    scheme = as_lines(scheme_of(replace(cell, source=text)))
    return Item(cell.name, "manual", cell.points, "", scheme=scheme)
