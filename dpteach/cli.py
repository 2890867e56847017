"""The command line of the course: build assignments, grade them, serve everything."""

from __future__ import annotations

import argparse
import functools
import importlib
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from dpteach.grading.core.command import add_course, refusal

#: the clone that this package was installed from
PROJECT = Path(__file__).resolve().parents[1]


def port(text: str) -> int:
    """A port as argparse takes it.

    >>> port("8000")
    8000
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError(
            f"a port (of make: BOOK_PORT or LAB_PORT) must be an integer in 1..65535, got {text!r}"
        )
    return number


#: commands that live in a module of their own, which is loaded when one is used
ELSEWHERE = {
    "validate": ("dpteach.grading.student.validate", "run a notebook and its visible checks"),
    "hand-in": ("dpteach.grading.student.hand_in", "make of a notebook the file to hand in"),
    "mine": ("dpteach.grading.student.mine", "put your own numbers into a released notebook"),
    "new": ("dpteach.grading.author.new", "begin an assignment"),
    "versions": ("dpteach.grading.author.handing_out", "hand out personal versions"),
    "grade": ("dpteach.grading.classroom.classroom", "grade the submissions of an assignment"),
    "report": ("dpteach.grading.pages.report", "write a page about a graded assignment"),
    "slides": (
        "dpteach.demos.slides",
        "make slides and notebooks of the demos for the lecture hall",
    ),
    "export": ("dpteach.grading.classroom.export", "write the grades of an assignment as CSV"),
}

#: the extras of the package that commands need; all others need "grading"
EXTRAS = {
    "validate": "student",
    "hand-in": "student",
    "mine": "student",
    "slides": "course",
    "serve": "course",
}


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of ``dpteach``'s command line.

    Parameters
    ----------
    command : str, optional
        The command that is used: of those that live elsewhere, the others are only named.
    """
    top = argparse.ArgumentParser(
        prog="dpteach",
        description=__doc__,
        epilog="Exit code: 0 done; 1 done, and something is not as it should be, such as a "
        "submission that was refused; 2 it could not be done.",
    )
    commands = top.add_subparsers(dest="command", required=True)
    build = commands.add_parser("assignments", help="build assignments: text, source, release")
    build.add_argument("names", nargs="*", metavar="NAME", help="such as renyi_dp; default: all")
    add_course(build)
    for name, (module, about) in ELSEWHERE.items():
        if name == command:
            importlib.import_module(module).add_parser(commands)
        else:
            commands.add_parser(name, help=about)
    run = commands.add_parser("serve", help="serve the book and JupyterLab on the course")
    run.add_argument("--host", default="127.0.0.1", help="address to bind (default: loopback)")
    run.add_argument("--book-port", type=port, default=8000, metavar="PORT")
    run.add_argument("--lab-port", type=port, default=8888, metavar="PORT")
    run.add_argument(
        "--instructor",
        action="store_true",
        help="JupyterLab on the whole course",
    )
    run.add_argument(
        "--build", action="store_true", help="build with make what is not up to date, beside it"
    )
    run.add_argument("--check", action="store_true", help="check the settings and start nothing")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``dpteach``; those of the command line if None.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return run(words)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "dpteach") or find_spec(name):
            raise
        extra = EXTRAS.get(words[0], "grading")
        return refusal(
            words[0],
            RuntimeError(f"needs {name}, which is not installed: pip install 'dpteach[{extra}]'"),
        )


def run(words: Sequence[str]) -> int:
    """Run the command of these words; returns the exit code."""
    told = parser(words[0] if words else None).parse_args(words)
    if "course" in told and told.course is None:
        from dpteach.grading.course.folder import CourseError, course_above

        try:
            told.course = course_above(Path.cwd())
        except CourseError as error:
            return refusal(told.command, error)
        print(f"dpteach {told.command}: the course is {told.course}", file=sys.stderr)
    if told.command in ELSEWHERE:
        code: int = importlib.import_module(ELSEWHERE[told.command][0]).run(told)
        return code
    # a line is wanted when it is printed, also where it goes to a pipe or into a log
    say = functools.partial(print, flush=True)
    if told.command == "assignments":
        from dpteach.grading.author.build import BuildError, build_assignments

        try:
            for built in build_assignments(told.course, told.names or None, say=say):
                total = sum(built.points.values())
                form = ", with optional sections" if built.optional else ""
                print(f"{built.name}: {len(built.points)} graded items, {total:g} points{form}")
                for line in built.warnings:
                    print(f"warning: {built.name}: {line}", file=sys.stderr)
        except (BuildError, ValueError, OSError) as error:
            return refusal("assignments", error)
        return 0
    from dpteach.serve import ServeError, free_port, serve

    try:
        if told.check:
            free_port(told.host, told.book_port)
            free_port(told.host, told.lab_port)
            return 0
        return serve(
            PROJECT,
            host=told.host,
            book_port=told.book_port,
            lab_port=told.lab_port,
            instructor=told.instructor,
            build=told.build,
            say=say,
        )
    except ServeError as error:
        print(f"dpteach serve: {error}", file=sys.stderr)
        return 2
