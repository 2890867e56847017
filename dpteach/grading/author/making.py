"""From the text source of an assignment and a seed to the exam.

The hidden inputs are drawn, and what the right answers are is computed with `dpteach`, here where
the text source is.
"""

from __future__ import annotations

from pathlib import Path

from dpteach.grading.author.notebook import notebook_text
from dpteach.grading.author.proof import proved, read_checks
from dpteach.grading.author.scheme import as_lines, scheme_of
from dpteach.grading.author.source import read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.plain import shown


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
    parts = proved(assignment, checks, [seed])
    items = []
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            check, (visible, hidden) = checks[i], parts[i]
            about = (check.name, "check", float(check.points), check.book, check.call)
            items.append(Item(*about, visible=visible, hidden=hidden))
        elif cell.kind == "manual":
            scheme = as_lines(scheme_of(cell))
            items.append(Item(cell.name, "manual", cell.points, "", scheme=scheme))
    return Exam(assignment.name, seed, notebook_text(assignment, checks), tuple(items))
