"""Arguments, exit codes and error messages of all commands of `dpteach` about an assignment.

Exit code 0 means that the command succeeded. Exit code 1 means that the command succeeded but
found a problem (a refused submission, a failing check), and 2 that it could not do its work.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from dpteach._language import catalog
from dpteach.grading.core.harmless import printable

_, _n = catalog("core")

#: the exit code of a command of `dpteach` that could not do its work
NOT_DONE: Final = 2


def add_course(command: argparse.ArgumentParser) -> None:
    """Add the option ``--course`` to a command; without it, `dpteach.cli` finds the course."""
    command.add_argument(
        "--course",
        type=Path,
        metavar="DIR",
        help=_(
            "the folder with nbgrader_config.py (default: the nearest such folder, or its "
            "course_src, among the working directory and the folders above it)"
        ),
    )


def add_assignment(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add arguments for the name of an assignment (which may be optional) and for its course."""
    command.add_argument(
        "assignment",
        metavar="ASSIGNMENT",
        nargs="?" if optional else None,
        help=_("the name of the assignment, such as renyi_dp"),
    )
    add_course(command)


def _path(text: str) -> Path:
    path = Path(text)
    if any(os.path.lexists(parent) and not parent.is_dir() for parent in path.parents):
        raise argparse.ArgumentTypeError(
            _("must be in a folder, and a part of its path is a file, got {text!r}", text=text)
        )
    return path


def file_to_write(text: str) -> Path:
    """Return the path of an output file, given as an argument; raise an error for a folder.

    The function does not check whether the file can be written.

    >>> file_to_write("grades.csv").name
    'grades.csv'
    """
    path = _path(text)
    if not text or text.endswith(os.sep) or path.is_dir():
        raise argparse.ArgumentTypeError(_("must be a file, not a folder, got {text!r}", text=text))
    return path


def folder_to_fill(text: str) -> Path:
    """Return the path of an output folder, given as an argument; the folder need not exist yet.

    >>> folder_to_fill("reports").name
    'reports'
    """
    path = _path(text)
    if not text or (os.path.lexists(path) and not path.is_dir()):
        raise argparse.ArgumentTypeError(
            _("must be a folder, which need not exist yet, got {text!r}", text=text)
        )
    return path


def error_words(error: Exception) -> str:
    """Return an error's message; for an OSError, with the file's name but without the error number.

    >>> error_words(FileNotFoundError(2, "No such file or directory", "grades.csv"))
    'grades.csv: No such file or directory'
    """
    if isinstance(error, OSError) and error.strerror:
        name = error.filename2 or error.filename
        return f"{os.fsdecode(name)}: {error.strerror}" if name else error.strerror
    return str(error) or type(error).__name__


def refusal(command: str, error: Exception) -> int:
    """Print on standard error why a command failed, and return the exit code 2."""
    lines = [printable(line) for line in error_words(error).splitlines()]
    print(f"dpteach {command}: " + "\n".join(lines), file=sys.stderr)
    return NOT_DONE
