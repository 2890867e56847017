"""Tests of a course whose assignment texts are symbolic links into another course."""

from __future__ import annotations

import json
from pathlib import Path

from small_course import NAME

from dpteach.grading.author.making import make_exam
from dpteach.grading.course.folder import SETTINGS, assignment_names


def ending(course: Path) -> str:
    """Build the notebook of the small assignment, and return the text of its last cell."""
    exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
    return str(json.loads(exam.notebook)["cells"][-1]["source"])


def test_a_text_that_is_a_link_belongs_to_the_course_of_the_link(
    graded: Path, tmp_path: Path
) -> None:
    by_file = ending(graded)
    for course in (tmp_path / "of files", tmp_path / "of folders"):
        course.mkdir()
        (course / SETTINGS).write_text("c = get_config()\nc.HandIn.by = 'exchange'\n")
    (tmp_path / "of files/assignments").mkdir()
    link = tmp_path / "of files/assignments" / f"{NAME}.md"
    link.symlink_to(graded / "assignments" / f"{NAME}.md")
    (tmp_path / "of folders/assignments").symlink_to(graded / "assignments")
    for course in (tmp_path / "of files", tmp_path / "of folders"):
        assert assignment_names(course) == [NAME]
        assert ending(course) != by_file and "Assignment List" in ending(course)
