"""Checks of assignments: declared once as data, run for the student and for the grade.

- `declare` and `random_checks`: what an author writes (`Check`, `RandomCheck`, `Case`, ...);
- `source`: the text source of an assignment;
- `build`: text source to nbgrader's source and release versions;
- `runner`: `check("name")` in the student's notebook, made of `observe` (calls the function) and
  `judge` (a pure function of declaration and observation; `judge_random` for mechanisms);
- `statistics`: tests of a law with a proved false-alarm probability;
- `mutants`: the bank of wrong and right answers with the points they deserve.

Examples
--------
>>> from dpteach.grading import Case, Check, Mistake, Relative
>>> from dpteach.grading.build import declared
>>> square = Check(
...     name="square", points=1, call="square", visible=[Case(3.0)],
...     hidden=[Case(-2.0, words="a negative number")], expected=lambda x: x * x,
...     mistakes=[Mistake(lambda x: 2 * x, "The double is not the square.")],
...     compare=Relative(1e-9), book="05_renyi_dp#squares",
... )
>>> visible, hidden = declared(square)
>>> from dpteach.grading.runner import run
>>> verdict, _ = run(lambda x: x + x, visible)
>>> verdict.misconception
'The double is not the square.'
"""

from __future__ import annotations

from dpteach.grading.declare import (
    Absolute,
    Case,
    Check,
    Exact,
    Fresh,
    Mistake,
    PropertyCheck,
    Relative,
    Suspect,
    TestsCheck,
)
from dpteach.grading.judge import Verdict
from dpteach.grading.random_checks import (
    AuditCheck,
    Categorical,
    DiscreteLaw,
    Law,
    RandomCheck,
)
from dpteach.grading.runner import CheckFailed, check

__all__ = [
    "Absolute",
    "AuditCheck",
    "Case",
    "Categorical",
    "Check",
    "CheckFailed",
    "DiscreteLaw",
    "Exact",
    "Fresh",
    "Law",
    "Mistake",
    "PropertyCheck",
    "RandomCheck",
    "Relative",
    "Suspect",
    "TestsCheck",
    "Verdict",
    "check",
]
