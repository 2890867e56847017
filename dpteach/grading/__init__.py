"""Checks of assignments: declared once as data, run for the student and for the grade.

An author imports the words of a check from here, a student's notebook `check`. Who does what, from
the lowest room up; each room's docstring says who works there:

- `core`: plain data, exams, results; calls a student's function and writes down what came back;
- `kinds`: one subpackage for each kind of item: what an author declares, and what is right;
- `judging`: what is asked and what it is worth, a pure function of the exam and of what came back;
- `sandbox`: where a student's code runs, and all that it may do there;
- `submission`: what was handed in, found and put in order;
- `course`: the course on disk and in the gradebook; late submissions;
- `student`: `check` in the student's notebook, ``dpteach validate``;
- `author`: text sources, nbgrader's notebooks, exams;
- `pages`: feedback and report;
- `classroom`: one submission graded, and a class.

Where a late submission is decided: `course.late`. What the student's process may do:
`sandbox.limits`. Where a message to the student comes from: `core.reasons` has some, and says where
the others are.

What has the same name is the same everywhere, and is described here alone: `course` (or `root`) is
the folder with ``nbgrader_config.py``; `assignment` an assignment's name, where an author works its
text source; `student` a student's id; `exam` an `Exam`; `check` what an author declares, `part` its
visible or its hidden part as data (`core.specification`).

Examples
--------
>>> from dpteach.grading import Case, Check, Mistake, Relative
>>> from dpteach.grading.author.parts import declared
>>> square = Check(
...     name="square", points=1, call="square", visible=[Case(3.0)],
...     hidden=[Case(-2.0, words="a negative number")], expected=lambda x: x * x,
...     mistakes=[Mistake(lambda x: 2 * x, "The double is not the square.")],
...     compare=Relative(1e-9), book="renyi_dp#squares",
... )
>>> visible, hidden = declared(square)
>>> from dpteach.grading.student.runner import run
>>> verdict, _ = run(lambda x: x + x, visible)
>>> verdict.misconception
'The double is not the square.'
"""

from __future__ import annotations

from dpteach.grading.author.parameters import Parameters
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.attack import AttackCheck
from dpteach.grading.kinds.declaration import Absolute, Case, Exact, Fresh, Mistake, Relative
from dpteach.grading.kinds.design import DesignCheck, Step
from dpteach.grading.kinds.hand import HandCheck
from dpteach.grading.kinds.property import PropertyCheck
from dpteach.grading.kinds.random import RandomCheck
from dpteach.grading.kinds.random.distributions import Categorical, DiscreteLaplace, Law
from dpteach.grading.kinds.repair import RepairCheck
from dpteach.grading.kinds.tests import Suspect, TestsCheck
from dpteach.grading.kinds.values import Check
from dpteach.grading.kinds.witness import Exhibit, WitnessCheck
from dpteach.grading.student.runner import CheckFailed, check

__all__ = [
    "Absolute",
    "AttackCheck",
    "Case",
    "Categorical",
    "Check",
    "CheckFailed",
    "DesignCheck",
    "DiscreteLaplace",
    "Exact",
    "Exhibit",
    "Fresh",
    "HandCheck",
    "Law",
    "Mistake",
    "Parameters",
    "PropertyCheck",
    "RandomCheck",
    "Relative",
    "RepairCheck",
    "Step",
    "Suspect",
    "TestsCheck",
    "Verdict",
    "WitnessCheck",
    "check",
]
