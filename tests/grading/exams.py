"""What takes long to make of an assignment of the course: once for all tests of a worker.

The tests of an assignment go to one worker, in whatever file they stand (``tests/conftest.py``).
What is made here is read by all of them and changed by none.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

from dpteach.grading.author import build
from dpteach.grading.author.making import make_exam
from dpteach.grading.core.exam import Exam

COURSE = Path(__file__).resolve().parents[2] / "course_src"

#: the text sources
SOURCES = sorted((COURSE / "assignments").glob("*.md"))

#: of the exam that all tests look at
SEED = 20_261_121


@cache
def exam_of(path: Path, seed: int = SEED) -> Exam:
    """The exam of a text source."""
    return make_exam(path, seed)


@dataclass(frozen=True)
class Built:
    """A course with one assignment that is built, and what its items are worth."""

    root: Path
    points: Mapping[str, float]


@cache
def built(path: Path) -> Built:
    """The build of a text source, in a course of its own.

    It proves one exam, and no version: the build of the whole course tries all of them
    (``tests/test_build.py``).
    """
    root = Path(tempfile.mkdtemp(prefix="built-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    shutil.copy(COURSE / "nbgrader_config.py", root)
    shutil.copytree(COURSE / "assignments", root / "assignments")
    with (
        mock.patch.object(build, "PROOF_SEEDS", build.PROOF_SEEDS[:1]),
        mock.patch.object(build, "prove_versions"),
    ):
        (one,) = build.build_assignments(root, [path.stem])
    return Built(root, dict(one.points))
