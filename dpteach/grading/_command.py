"""What the commands about an assignment of a course have in common."""

from __future__ import annotations

import argparse
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
