"""Checks of assignments: declared once as data, run for the student and for the grade.

What an author writes:

- `declare` (`Check`, `PropertyCheck`, `TestsCheck`, `Case`, `Fresh`, `Mistake`, ...),
  `random_checks` (`RandomCheck`, `AuditCheck` and laws), and the text around them (`source`);
- `mutants`: the bank of wrong and right answers with the points they deserve.

What is made of it: `build` (nbgrader's source and release version) and `exam` (drawn from a seed).

Who does what:

- `observe` calls the student's function, in the student's own kernel or in the sandbox;
- `judge` is a pure function of the exam and of what came back, and gives a `Verdict`;
- `suspects` answers the calls of a student's own test; `statistics` tests the law of a sample;
- `runner` is `check("name")` in the student's notebook, `validate` the same for a whole notebook;
- `session` grades a submission in a `sandbox`, `classroom` a class.

Examples
--------
>>> from dpteach.grading import Case, Check, Mistake, Relative
>>> from dpteach.grading.build import declared
>>> square = Check(
...     name="square", points=1, call="square", visible=[Case(3.0)],
...     hidden=[Case(-2.0, words="a negative number")], expected=lambda x: x * x,
...     mistakes=[Mistake(lambda x: 2 * x, "The double is not the square.")],
...     compare=Relative(1e-9), book="renyi_dp#squares",
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
