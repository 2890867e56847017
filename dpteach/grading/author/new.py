"""``dpteach new TOPIC``: a small, complete assignment, which an author changes step by step.

The assignment has a function that is checked, a question that a person grades, and one right and
two wrong answers for testing the check. The author can build and grade it after each change.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import TEXT_CHARACTERS
from dpteach.grading.core.names import assignment_name
from dpteach.grading.course.folder import CourseError, course_folder

_, _n = catalog("author")

#: the folder with templates of the files that `new_assignment` writes; words in capitals are
#: placeholders in them
_TEMPLATES: Final = Path(__file__).parent / "templates"


def new_assignment(course: str | Path, topic: str) -> list[Path]:
    """Write the text source of a small assignment, and its bank of answers for testing the checks.

    Parameters
    ----------
    topic
        The name of the assignment: letters a to z, digits and _, beginning with a letter.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    CourseError
        If the folder is not a course, `topic` is not a valid name, or the assignment exists.
    """
    root = course_folder(course)
    try:
        assignment_name(topic)
    except ValueError as error:
        raise CourseError(f"TOPIC: {error}") from None
    text, bank = root / "assignments" / f"{topic}.md", root / "mutants" / topic
    for path in (text, bank):
        if path.exists():
            raise CourseError(
                _("the assignment {topic!r} exists already: {path}", topic=topic, path=path)
            )
    files = {"assignment.md": text, "bank.md": bank / "clipped_sum.md"}
    title = topic.replace("_", " ").capitalize()
    for name, path in files.items():
        whole = (_TEMPLATES / name).read_text("utf-8").replace("TITLE", title)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(whole.replace("CHARACTERS", f"{TEXT_CHARACTERS:,}"), encoding="utf-8")
    return list(files.values())


def add_parser(commands: Any) -> None:
    """Add the command ``dpteach new`` to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "new", help=_("begin an assignment with a small one that builds and grades")
    )
    parser.add_argument(
        "topic", metavar="TOPIC", help=_("the name of the assignment, such as renyi_dp")
    )
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach new``; return its exit code."""
    try:
        for path in new_assignment(told.course, told.topic):
            print(path)
    except (CourseError, OSError) as error:
        return refusal("new", error)
    print(
        _(
            "Edit these files, then build the assignment: dpteach assignments {topic}",
            topic=told.topic,
        )
    )
    return 0
