"""A small course, and a grader without a sandbox, for tests that need no real grading.

Run as a program, this module is ``dpteach grade`` with that grader.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import ItemResult, Result, graded_by, notebook_text
from dpteach.grading.submission.intake import fingerprint, intake

ROOT = Path(__file__).resolve().parents[2]
NAME = "small"

#: two answers to the item `double`: the first earns 2 points, and the second earns none
RIGHT, WRONG = "def double(x):\n    return 2 * x", "def double(x):\n    return x * x"

HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

#: cells for the text sources of small assignments
DOUBLE = '''```{code-cell} ipython3
:kind: solution
:name: double

def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```
'''

HALF = '''```{code-cell} ipython3
:kind: solution
:name: half

def half(x):
    """Half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION
```
'''

WHY = """+++ {"kind": "manual", "name": "why", "points": 3}

Why?

### BEGIN RUBRIC
Points for the truth.
### END RUBRIC

### BEGIN SOLUTION
Because.
### END SOLUTION
"""

SOURCE = f"""{HEADER}
# A small assignment

{DOUBLE}
```{{code-cell}} ipython3
:kind: check

Check(
    name="double_values", points=2, call="double", expected=lambda x: 2.0 * x,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp", visible=[Case(1.5), Case(-2.25)],
    hidden=[Case(73519.25, words="a large number")],
    mistakes=[Mistake(lambda x: x * x, "That is the square.")],
)
```

{HALF}
```{{code-cell}} ipython3
:kind: check

Check(
    name="half_values", points=1, call="half", expected=lambda x: x / 2.0,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp", visible=[Case(1.5), Case(-2.25)],
    hidden=[Case(61234.75, words="a large number")],
)
```

{WHY}"""


@functools.cache
def ask_nbgrader_once() -> None:
    """Make nbgrader look up its database version only once instead of for each new gradebook."""
    from nbgrader import api

    api.get_alembic_version = functools.cache(api.get_alembic_version)


def make_course(root: Path) -> Path:
    """Make a course with the built small assignment in the folder `root`, and return `root`."""
    from dpteach.grading.author.build import build_assignments

    root.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", root)
    (root / "assignments").mkdir()
    (root / "assignments" / f"{NAME}.md").write_text(SOURCE, encoding="utf-8")
    ask_nbgrader_once()
    build_assignments(root, [NAME])
    return root


def answered(course: Path, double: str = RIGHT, why: str = "Because it is so.") -> str:
    """Return the released notebook with these answers filled in, as the text of a notebook file."""
    notebook = json.loads((course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    answers = {"double": double, "half": "def half(x):\n    return x / 2", "why": why}
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    return json.dumps(notebook)


def hand_in(course: Path, student: str, text: str | None = None, **answers: str) -> Path:
    """Submit a notebook, `text` or one with the given answers, for a student; return its path."""
    folder = course / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.ipynb"
    path.write_text(answered(course, **answers) if text is None else text, encoding="utf-8")
    return path


def log_to(path: str) -> None:
    """Make `fake_grade` in this process log each task to the file `path`; "" stops the logging."""
    os.environ["FAKE_LOG"] = path


def _take_ticket(folder: str) -> None:
    """Delete one of the files in a folder; if the folder is empty, wait 10 s instead."""
    for ticket in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # another worker has deleted this file
            return os.unlink(os.path.join(folder, ticket))
    time.sleep(10)


def fake_grade(
    exam: bytes,
    files: Mapping[str, bytes],
    limits: Any,
    *,
    unsafe: bool = False,
    items: Sequence[str] | None = None,
) -> bytes:
    """Return a made-up result, or die, hang or raise if a submission contains "# die" etc."""
    known = Exam.from_bytes(exam)
    text = b"".join(files.values()).decode("utf-8", "replace")
    if "# die" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "# hang" in text:
        time.sleep(1000)
    if "# raise" in text:
        raise RuntimeError("no\nway")
    if "# nonsense" in text:
        return b"{}"
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
    if tickets := os.environ.get("FAKE_TICKETS"):
        _take_ticket(tickets)
    if log := os.environ.get("FAKE_LOG"):
        with open(log, "a", encoding="utf-8") as file:
            asked = "all" if items is None else ",".join(items)
            file.write(f"{fingerprint(files)[:8]} {asked}\n")
    wanted = [item for item in known.items if items is None or item.name in items]
    result = Result(
        assignment=known.assignment,
        seed=known.seed,
        submission=fingerprint(files),
        instructor=known.instructor,
        program=graded_by(),
        sandbox="none" if unsafe else "bubblewrap",
        status="refused",
        notices=(),
        items=(),
        notebook="",
    )
    taken = intake(files, known)
    right = "2 * x" in text
    found = []
    for item in wanted:
        score: float | None = item.points if right or item.name != "double_values" else 0.0
        about = (item.name, item.kind, item.points, item.book, item.key)
        found.append(ItemResult(*about, None if item.kind == "manual" else score))
    if taken.notebook is None:
        found = [replace(item, score=0.0, reason="missing") for item in found]
        return replace(result, notices=taken.notices, items=tuple(found)).to_bytes()
    return replace(
        result,
        status="graded",
        notices=taken.notices,
        items=tuple(found),
        notebook=notebook_text(taken.notebook),
    ).to_bytes()


def grades(course: Path) -> dict[str, Any]:
    """Return what the gradebook holds about each submission, by student, without database ids."""
    from nbgrader.api import Gradebook

    found: dict[str, Any] = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        for submission in book.assignment_submissions(NAME):
            (notebook,) = submission.notebooks
            found[submission.student.id] = {
                "timestamp": str(submission.timestamp),
                "penalty": notebook.late_submission_penalty,
                "score": notebook.score,
                "grades": {
                    grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
                    for grade in sorted(notebook.grades, key=lambda grade: grade.name)
                },
                "comments": {
                    comment.name: (comment.auto_comment, comment.manual_comment)
                    for comment in sorted(notebook.comments, key=lambda comment: comment.name)
                },
            }
    return found


def result_files(course: Path, name: str = NAME) -> dict[str, bytes]:
    """Return the contents of an assignment's stored result files, by file name."""
    folder = course / ".grading" / name / "results"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def pages(course: Path) -> dict[str, bytes]:
    """Return the contents of the files that grading wrote for nbgrader and students, by path."""
    return {
        str(path.relative_to(course)): path.read_bytes()
        for step in ("autograded", "feedback")
        for path in sorted((course / step).rglob("*"))
        if path.is_file()
    }


def deserved(exam: Exam, points: Mapping[str, float]) -> dict[str, Any]:
    """Return `points`, with tolerances for items in which students' code guesses random secrets."""
    import pytest

    attacks = {item.name for item in exam.items if (item.hidden or {}).get("kind") == "attack"}
    return {
        name: pytest.approx(earned, abs=0.45) if earned and name in attacks else earned
        for name, earned in points.items()
    }


if __name__ == "__main__":
    # import this module by its name, because worker processes look up `fake_grade` by that name
    import small_course

    from dpteach import cli
    from dpteach.grading.classroom import classroom

    original = classroom.Settings

    def settings(**told: Any) -> classroom.Settings:
        return original(grade=small_course.fake_grade, **told)

    classroom.Settings = settings  # type: ignore[assignment,misc]
    sys.exit(cli.main(["grade", *sys.argv[1:]]))
