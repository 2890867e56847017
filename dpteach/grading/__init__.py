"""The grader: a check is declared once, and runs in the student's notebook and for the grade.

The text source of an assignment uses the classes of checks that this package exports, and a
student's notebook calls `check` and `hand_in`. The subpackages are layers: each imports only layers
above it in this list, as its own docstring says.

- `core`: plain data, exams (the data for grading), results, and calls of a student's function;
- `kinds`: one subpackage for each kind of item: its declaration, and how its answers are judged;
- `judging`: the questions to ask and the points to give, computed from an exam and the replies;
- `sandbox`: the process in which a student's code runs, and its restrictions;
- `submission`: reading a submitted notebook and repairing it;
- `course`: the course on disk, the gradebook and late submissions;
- `student`: `check` in the student's notebook, and ``dpteach validate``;
- `author`: text sources, nbgrader's notebooks, and exams;
- `pages`: the feedback page and the instructor's report;
- `classroom`: grading one submission, and a whole class.

The rule for late submissions is in `course.late`, and the limits of a student's process are in
`sandbox.limits`. `core.reasons` says in which modules the messages to students are written.

Parameters of the same name mean the same everywhere, and only this list describes them: `course`
(or `root`) is the folder with ``nbgrader_config.py``; `assignment` is the name of an assignment, or
in `author` its text source; `student` is a student's id; `exam` is an `Exam`; `check` is an
author's declaration of a check, and `part` is its visible or its hidden part as data
(`core.specification`). The glossary in ``CONTRIBUTING.md`` explains the words of the grader.

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
from dpteach.grading.student.in_notebook import hand_in
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
    "hand_in",
]
