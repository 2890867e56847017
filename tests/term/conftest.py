"""Fixtures: a small course with graded submissions, graded in the test's own process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import small_course
from graded_course import grade_here
from term_course import made, room

__all__ = ["made", "room"]


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with three graded submissions; no test may change the course."""
    root = small_course.make_course(tmp_path_factory.mktemp("graded") / "a course")
    small_course.hand_in(root, "anna")
    small_course.hand_in(root, "ben", double=small_course.WRONG)
    small_course.hand_in(root, "carla")
    assert grade_here(root).graded == 3
    return root


@pytest.fixture
def term(graded: Path, tmp_path: Path) -> Path:
    """Return a copy of the course `graded`, which the test may change."""
    return Path(shutil.copytree(graded, tmp_path / "a course"))
