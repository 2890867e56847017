"""What the commands about an assignment of a course have in common."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

#: the course of this clone
COURSE: Final = Path(__file__).resolve().parents[2] / "course_src"


def add_assignment(command: argparse.ArgumentParser) -> None:
    """Which assignment, of which course."""
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as 05_renyi_dp")
    command.add_argument(
        "--course",
        type=Path,
        default=COURSE,
        metavar="DIR",
        help="the folder with nbgrader_config.py (default: course_src of this clone)",
    )


def file_to_write(text: str) -> Path:
    """A file as argparse takes it; whether it can be written is found out by writing.

    >>> file_to_write("grades.csv").name
    'grades.csv'
    """
    if not text or text.endswith(os.sep) or Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"must be a file, not a folder, got {text!r}")
    return Path(text)


def folder_to_fill(text: str) -> Path:
    """A folder as argparse takes it, which is there or will be made.

    >>> folder_to_fill("reports").name
    'reports'
    """
    if not text or (os.path.lexists(text) and not Path(text).is_dir()):
        raise argparse.ArgumentTypeError(f"must be a folder, which may be a new one, got {text!r}")
    return Path(text)
