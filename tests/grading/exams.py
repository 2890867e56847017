"""Built assignments of the course and their exams, made once in each worker process of pytest.

An `Exam` is all data by which submissions to an assignment are graded. ``tests/conftest.py`` gives
all tests of an assignment, in whatever file, to one worker process. No test changes these builds
and exams.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
from small_course import ask_nbgrader_once

from dpteach.grading.author import build, proof
from dpteach.grading.author.making import exam_from
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.source import AssignmentSource, Problems, read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.sandbox.limits import Limits

#: nbformat has no type annotations, so strict mypy needs `Any`
nbformat_any: Any = nbformat

PROJECT = Path(__file__).resolve().parents[2]

#: the line of the course's settings that leaves out the optional sections of assignments
SWITCH = "c.Assignments.optional = False"


def course_of(root: Path, optional: str) -> Path:
    """Copy the course to `root`, set its ``c.Assignments.optional``, and return the folder."""
    shutil.copytree(PROJECT / "course_src" / "assignments", root / "assignments")
    settings = (PROJECT / "course_src" / "nbgrader_config.py").read_text("utf-8")
    assert settings.count(SWITCH) == 1
    settings = settings.replace(SWITCH, f"c.Assignments.optional = {optional}")
    (root / "nbgrader_config.py").write_text(settings, "utf-8")
    (root / "mutants").symlink_to(PROJECT / "course_src" / "mutants")
    return root


def _whole() -> Path:
    root = Path(tempfile.mkdtemp(prefix="whole-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return course_of(root, "True")


#: a copy of the course with all optional sections of assignments
COURSE = _whole()

#: the text sources of all assignments
SOURCES = sorted((COURSE / "assignments").glob("*.md"))

#: the seed from which this module draws the hidden inputs of all assignments
SEED = 20_261_121


@dataclass(frozen=True)
class Built:
    """A course with one built assignment: its folder, the items' points, and the hidden inputs.

    `exam` has all data by which submissions are graded, including the hidden inputs.
    """

    root: Path
    points: Mapping[str, float]
    exam: Exam


@cache
def built(path: Path) -> Built:
    """Build an assignment from its text source in a new course, and draw its hidden inputs.

    To save time, the build leaves out three of its usual tests. It does not try hidden inputs from
    other seeds. It does not test personal versions (copies with a student's own numbers), because
    ``tests/test_build.py`` does. It does not run the instructor's solution, because
    ``test_assignments.py`` grades this solution in the sandbox.
    `Built.exam` comes from the build, not from `make_exam`; ``test_exam.py`` checks that
    `make_exam` returns an equal `Exam`.
    """
    root = Path(tempfile.mkdtemp(prefix="built-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    shutil.copy(COURSE / "nbgrader_config.py", root)
    shutil.copytree(COURSE / "assignments", root / "assignments")
    exams = []

    def proved(
        assignment: AssignmentSource, checks: Any, seeds: object, problems: Problems, once: object
    ) -> dict[int, Any]:
        parts = proof.proved(assignment, checks, [SEED], problems)
        if not problems.found:
            exams.append(exam_from(SEED, assignment, checks, parts))
        return parts

    ask_nbgrader_once()
    with (
        mock.patch.object(build, "proved", proved),
        mock.patch.object(build, "prove_versions"),
        mock.patch.object(proof, "_try_solution"),
    ):
        (one,) = build.build_assignments(root, [path.stem])
    return Built(root, dict(one.points), *exams)


def exam_of(path: Path) -> Exam:
    """Return all data by which an assignment is graded, given the assignment's text source."""
    return built(path).exam


def in_sandbox(path: Path, cells: Mapping[str, str] | None) -> bytes:
    """Grade a submission in the sandbox, as ``dpteach grade`` does, and return the result.

    The submission consists of the given cells and, for all other cells, the instructor's solution.
    If `cells` is None, the submission is the notebook as students receive it, without answers.
    """
    return _in_sandbox(path, None if cells is None else tuple(sorted(cells.items())))


@cache
def _in_sandbox(path: Path, cells: tuple[tuple[str, str], ...] | None) -> bytes:
    made, name = built(path), f"{path.stem}.ipynb"
    notebook = nbformat_any.read(made.root / "release" / path.stem / name, 4)
    if cells is not None:
        notebook = submission(notebook, read_source(path), dict(cells))
    # submit an empty `checks.json`, too: the grader must use its own checks, not the student's
    files = {name: nbformat_any.writes(notebook).encode(), "checks.json": b"{}"}
    limits = Limits(wall_seconds=600, cpu_seconds=600)
    return grade_submission(made.exam.to_bytes(), files, limits)
