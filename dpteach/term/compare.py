"""``dpteach check``: say what a new version of dpteach or of an assignment's text would change.

The command builds each assignment again from its text source, with the same seed for its hidden
test cases, and compares it with the gradebook, with the notebook that was built before, and with
the students' results. It writes nothing.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dpteach._language import N_, catalog
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.personal import OfStudents
from dpteach.grading.classroom.classroom import Settings, stale
from dpteach.grading.core.command import add_course, error_words, refusal
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.result import graded_by
from dpteach.grading.course.folder import (
    CourseError,
    assignment_names,
    check_assignment,
    course_api,
    course_folder,
)
from dpteach.grading.course.gradebook import Book, GradebookError
from dpteach.grading.course.store import Store
from dpteach.grading.course.versions import Versions, personal, recorded
from dpteach.term.places import GRADEBOOK

_, _n = catalog("term")


def compare(course: str | Path, name: str) -> list[str] | None:
    """Return a sentence for each change that building and grading an assignment again would make.

    Return None if the assignment was never built. If it cannot be built again, return one sentence
    that says why.

    Raises
    ------
    CourseError, GradebookError
        If the course, its settings or its gradebook cannot be used.
    """
    root = course_folder(course)
    check_assignment(root, name, graded=True)
    if not (root / GRADEBOOK).is_file():
        return None
    api = course_api(root)
    with Book(api, name) as book:
        points = book.points()
    if not points:
        return None
    text, store = root / "assignments" / f"{name}.md", Store(root, name)
    try:
        exam = make_exam(text, store.seed() or 0)
        return [
            *_items(points, {item.name: float(item.points) for item in exam.items}),
            *_texts(root / "source" / name / f"{name}.ipynb", exam),
            *_results(api, text, store, exam),
        ]
    except (FileNotFoundError, ValueError) as error:
        return [_("it could not be built: {problem}", problem=error_words(error))]


def _items(before: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence for each item that would be removed, added, or worth other points.

    Parameters
    ----------
    before, now
        The points of the items by name, in the gradebook and in the text source.
    """
    for name in sorted({*before, *now}):
        if name not in now:
            yield _("the item {name} would be removed", name=name)
        elif before.get(name) != now[name]:
            old = _n("{count:g} point", "{count:g} points", before.get(name, 0.0))
            new = _n("{count:g} point", "{count:g} points", now[name])
            yield _("the item {id} would have {new} instead of {old}", id=name, new=new, old=old)


def _texts(built: Path, exam: Exam) -> Iterator[str]:
    """Yield a sentence that counts the notebook's new and removed cells, if there are any."""
    if built.is_file():
        before, now = _sources(built.read_text("utf-8")), _sources(exam.notebook)
        new, gone = (now - before).total(), (before - now).total()
        if new or gone:
            yield _("cells of the notebook: {new} would be new, {gone} gone", new=new, gone=gone)


def _sources(notebook: str) -> Counter[str]:
    """Return how often each text occurs among the cells of a notebook."""
    return Counter("".join(cell["source"]) for cell in json.loads(notebook)["cells"])


def _results(api: Any, text: Path, store: Store, exam: Exam) -> Iterator[str]:
    """Yield sentences on why, and for how many students, submissions would be judged again."""
    results, items, older, again = dict(store.results()), set[str](), 0, 0
    own = None
    if results and personal(api.config, exam.assignment):
        own = OfStudents(text, exam, Versions(api.coursedir.root, exam.assignment))
    for student, result in results.items():
        now: Exam | None = exam
        # each student has a version of the assignment with other numbers; call `own.exam` only if
        # the version is recorded, because otherwise `own.exam` would record it, and this command
        # must write nothing
        if own is not None:
            now = own.exam(student) if recorded(store, student) is not None else None
        # `unsafe=True` accepts results that were graded without a sandbox: judging them again would
        # not be due to a new version, and only that is reported here
        if now is None or stale(result, now, result.submission, Settings(unsafe=True)) != ():
            keys = {item.name: item.key for item in now.items} if now is not None else {}
            items |= {one.name for one in result.items if keys.get(one.name, one.key) != one.key}
            older += result.program != graded_by()
            again += 1
    if items:
        told = ", ".join(sorted(items))
        yield _("the hidden cases or the judging of these items have changed: {items}", items=told)
    if older:
        yield _("dpteach judges by other code than before")
    if again:
        told = N_(
            "{n} of {total} graded submissions would be judged again by `dpteach grade {name} "
            "--upgrade`"
        )
        yield _(told, n=again, total=len(results), name=exam.assignment)


def add_parser(commands: Any) -> None:
    """Add the command ``check`` to the parser of ``dpteach``."""
    about = _("say what a new version would change in a running term")
    parser: argparse.ArgumentParser = commands.add_parser("check", help=about)
    parser.description = _(
        "Say for each assignment that was built what the installed version of dpteach and the "
        "present texts would change: items, points, the notebook, and submissions that would be "
        "judged again. Nothing is changed."
    )
    parser.epilog = _("Exit code: 0 nothing would change, 1 something would, 2 not compared.")
    about = _("an assignment (default: all that were built)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=about)
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Print what would change in each assignment; return the exit code.

    The exit code is 1 if anything would change, 2 if an assignment cannot be compared, else 0.
    """
    changed = False
    try:
        for name in told.names or assignment_names(told.course, graded=True):
            lines = compare(told.course, name)
            if lines is not None:
                changed |= bool(lines)
                for line in lines or [_("nothing would change")]:
                    print(f"{name}: {printable(line)}")
            elif told.names:
                print(_("{name}: it was not built yet", name=name))
    except (CourseError, GradebookError, OSError) as error:
        return refusal("check", error)
    return int(changed)
