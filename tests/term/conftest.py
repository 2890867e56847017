"""A small course in the middle of a term, whose submissions were graded in the test's process."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import small_course

from dpteach.grading.classroom import classroom
from dpteach.grading.classroom.classroom import Settings, Summary, grade_class
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.classroom.workers import Answer, Task


def grade_here(course: Path, **told: Any) -> Summary:
    """Grade a course without processes, by the grader that needs no sandbox."""

    def here(tasks: Iterable[Task], work: Any, **_told: Any) -> Iterator[Answer]:
        for task in tasks:
            yield Answer(task, work(task.exam, task.files, items=task.items))

    settings = Settings(**{"workers": 1, "grade": small_course.fake_grade} | told)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "local", lambda *_: contextlib.nullcontext())
        patch.setattr(classroom, "answers", here)
        return grade_class(course, small_course.NAME, settings, Progress(io.StringIO()))


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with three graded submissions, which no test may change."""
    root = small_course.make_course(tmp_path_factory.mktemp("graded") / "a course")
    small_course.hand_in(root, "anna")
    small_course.hand_in(root, "ben", double=small_course.WRONG)
    small_course.hand_in(root, "carla")
    assert grade_here(root).graded == 3
    return root


@pytest.fixture
def term(graded: Path, tmp_path: Path) -> Path:
    """Return a copy of this course."""
    return Path(shutil.copytree(graded, tmp_path / "a course"))
