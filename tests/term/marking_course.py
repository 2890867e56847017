"""A course with written answers that a person must mark; its code is graded without a sandbox."""

from __future__ import annotations

import base64
import json
import shutil
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import small_course
from small_course import HEADER, ROOT, fake_grade, hand_in

from dpteach.grading.author.making import make_exam
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import Book
from dpteach.grading.course.store import Store
from dpteach.grading.submission.intake import read_submission
from dpteach.term.marking.marks import Event
from dpteach.term.marking.piles import Piles

NAME = small_course.NAME

#: the text of an assignment with two questions: one with a marking scheme, one with only a rubric
SOURCE = f"""{HEADER}
# A small assignment

+++ {{"kind": "manual", "name": "letter", "points": 5}}

Write to the hospital: does $x_1 \\le 2$ suffice?

### BEGIN SCHEME
- 1: The bound is stated.
- 1.5: The bound is proved for each $x$.
- or 0.5: The bound is proved on the average.
- 1: The letter names the assumption.
- 0.5: The letter says who is protected.
- 1: The conclusion follows.
### END SCHEME

### BEGIN RUBRIC
The bound is **two**.
### END RUBRIC

### BEGIN SOLUTION
It suffices, because the sum is at most $2$.
### END SOLUTION

+++ {{"kind": "manual", "name": "why", "points": 3}}

Why?

### BEGIN RUBRIC
Points for the truth.
### END RUBRIC

### BEGIN SOLUTION
Because.
### END SOLUTION
"""


def make_course(root: Path) -> Path:
    """Make the course in a new folder, and build its assignment."""
    from dpteach.grading.author.build import build_assignments

    (root / "assignments").mkdir(parents=True)
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", root)
    (root / "assignments" / f"{NAME}.md").write_text(SOURCE, encoding="utf-8")
    small_course.ask_nbgrader_once()
    build_assignments(root, [NAME])
    return root


def _graded(exam: Exam, course: Path, student: str) -> Result:
    """Grade a submission without the sandbox; add its items' marking schemes to the result."""
    files = read_submission(course / "submitted" / student / NAME)
    result = Result.from_bytes(fake_grade(exam.to_bytes(), files, None))
    schemes = {item.name: item.scheme for item in exam.items}
    return replace(
        result, items=tuple(replace(one, scheme=schemes[one.name]) for one in result.items)
    )


def grade(course: Path, answers: Mapping[str, Mapping[str, Any]]) -> None:
    """Submit answers in the names of students, and grade the submissions.

    Parameters
    ----------
    course
        The folder of the course.
    answers
        For each student, the answers by the name of the cell. An answer is either the text of the
        cell, or a mapping with which the cell is updated, for example with attachments.
    """
    exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
    store = Store(course, NAME)
    released = (course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    store.open()
    with Book(course_api(course), NAME) as book:
        for student, told in answers.items():
            notebook = json.loads(released)
            for cell in notebook["cells"]:
                answer = told.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
                if answer is not None:
                    cell.update({"source": answer} if isinstance(answer, str) else answer)
            hand_in(course, student, json.dumps(notebook))
            result = _graded(exam, course, student)
            store.write_result(student, result.to_bytes())
            book.record(student, result, timestamp=None, fresh=True)


def png(width: int, height: int) -> str:
    """Return a black PNG picture in base64, with `width` and `height` in pixels.

    The file is small for any size, because it has the data of at most 99 rows of the picture.
    """

    def chunk(kind: bytes, data: bytes) -> bytes:
        """Return a chunk of a PNG file: length, kind, data and checksum."""
        ends = struct.pack(">I", len(data)), struct.pack(">I", zlib.crc32(kind + data))
        return ends[0] + kind + data + ends[1]

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" * (1 + -(-width // 8))) * min(height, 99))
    parts = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)
    return base64.b64encode(data).decode()


def replay(events: Iterable[Event]) -> Piles:
    """Return the state of marking after some events: who marks which answer, and all marks."""
    piles = Piles()
    for event in events:
        piles.take(event)
    return piles
