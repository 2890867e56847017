"""The command line of the course: build and grade assignments, serve the book and JupyterLab."""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpteach import __version__
from dpteach._language import (
    N_,
    VARIABLE,
    LanguageError,
    catalog,
    is_chosen,
    language,
    languages,
    speaking,
)
from dpteach.grading.core.command import NOT_DONE, add_course, error_words, refusal

if TYPE_CHECKING:
    from dpteach.grading.author.build import BuiltAssignment

_, _n = catalog("cli")

#: the folder that contains this package: the clone of the repository, if there is one
PROJECT = Path(__file__).resolve().parents[1]


def port(text: str) -> int:
    """Return the number of a port from a word of the command line, for ``type=`` of argparse.

    >>> port("8000")
    8000
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError(
            _(
                "a port (of make: BOOK_PORT or LAB_PORT) must be an integer in 1..65535, "
                "got {text!r}",
                text=text,
            )
        )
    return number


#: the module and the help text of each command that has a module of its own. Only the module of
#: the command that a user runs is imported, so that every command starts fast
ELSEWHERE = {
    "validate": ("dpteach.grading.student.validate", N_("run a notebook and its visible checks")),
    "hand-in": ("dpteach.grading.student.hand_in", N_("write the file to submit for a notebook")),
    "mine": ("dpteach.grading.student.mine", N_("put your own numbers into a released notebook")),
    "new": ("dpteach.grading.author.new", N_("begin an assignment")),
    "versions": ("dpteach.grading.author.distributing", N_("distribute personal versions")),
    "grade": ("dpteach.grading.classroom.classroom", N_("grade the submissions of an assignment")),
    "report": ("dpteach.grading.pages.report", N_("write a page about a graded assignment")),
    "slides": (
        "dpteach.demos.slides",
        N_("make slides and notebooks of the demos for the lecture hall"),
    ),
    "publish": (
        "dpteach.publish.command",
        N_("write the site and the student bundle, without solutions"),
    ),
    "export": (
        "dpteach.term.student",
        N_("write the grades of an assignment as CSV, or all that is stored about a student"),
    ),
    "term": ("dpteach.term.deciding", N_("record what happens in a term")),
    "log": ("dpteach.term.log", N_("show what was decided in a term")),
    "forget": (
        "dpteach.term.forget",
        N_("remove everything that the course stores about a student"),
    ),
    "check": ("dpteach.term.compare", N_("say what a new version would change in a running term")),
    "backup": ("dpteach.term.backup", N_("write the data of a term to one archive")),
    "restore": (
        "dpteach.term.restore",
        N_("put the data of a term back from an archive of `dpteach backup`"),
    ),
}

#: commands that read an instructor's decisions, such as excused students. Before they run, all
#: decisions that were logged since the last command are applied to the gradebook
AFTER_DECISIONS = {"grade", "report", "export"}

#: commands that have subcommands, such as `dpteach term drop`. Their module's `add_parser` gets
#: the words after the command, so that it imports only the module of the subcommand in them
GROUPS = {"term"}

#: the extra that a command needs, as in `pip install "dpteach[student]"`. The error about a missing
#: package names it. Commands that are not listed need the extra "grading"
EXTRAS = {
    "validate": "student",
    "hand-in": "student",
    "mine": "student",
    "slides": "course",
    "serve": "course",
    "publish": "course",
}

#: commands that work only in a clone of the repository, because the installed package does not
#: contain the texts of the course
OF_A_CLONE = {"slides", "serve", "publish"}
CLONE = N_("this command needs a clone of the repository, in which `make environment` has run")


def parser(command: str | None = None, words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of ``dpteach``'s command line, with help in the current language.

    Parameters
    ----------
    command : str, optional
        The command that the user runs. To start fast, the parser knows the options of only this
        command; of most others it knows only the name and the help text.
    words : sequence of str, optional
        The rest of the command line after `command`. It selects the subcommand of a command such
        as `dpteach term`.
    """
    top = argparse.ArgumentParser(
        prog="dpteach",
        description=_(
            "The command line of the course: build assignments, grade them, serve everything."
        ),
        epilog=_(
            "Exit code: 0 if the command succeeded; 1 if it succeeded and found a problem, such as "
            "a submission that was refused; 2 if it failed."
        ),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"dpteach {__version__}",
        help=_("print the version and exit"),
    )
    add_language(top)
    commands = top.add_subparsers(dest="command", required=True)
    build = commands.add_parser(
        "assignments", help=_("build assignments: from the text to source and release")
    )
    build.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=_("an assignment, such as renyi_dp (default: all)"),
    )
    build.add_argument(
        "--yes",
        action="store_true",
        help=_("build even if the points of items change that students have submitted"),
    )
    add_course(build)
    for name, (module, about) in ELSEWHERE.items():
        if name == command:
            add = importlib.import_module(module).add_parser
            add(commands, words) if name in GROUPS else add(commands)
        else:
            commands.add_parser(name, help=_(about))
    run = commands.add_parser("serve", help=_("serve the book and JupyterLab on the course"))
    run.add_argument(
        "--course",
        dest="folder",
        type=Path,
        metavar="DIR",
        help=_("the folder with nbgrader_config.py (default: course_src in the clone)"),
    )
    run.add_argument(
        "--host", default="127.0.0.1", help=_("the address to bind (default: loopback)")
    )
    run.add_argument(
        "--book-port",
        type=port,
        default=8000,
        metavar="PORT",
        help=_("the port of the book (default: %(default)s)"),
    )
    run.add_argument(
        "--lab-port",
        type=port,
        default=8888,
        metavar="PORT",
        help=_("the port of JupyterLab (default: %(default)s)"),
    )
    run.add_argument(
        "--instructor",
        action="store_true",
        help=_("open JupyterLab on the whole course, with the formgrader"),
    )
    run.add_argument(
        "--build",
        action="store_true",
        help=_("also build with make what is not up to date, while serving"),
    )
    run.add_argument(
        "--check", action="store_true", help=_("check these settings and start nothing")
    )
    return top


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--language``, which chooses the language of messages, to a parser."""
    parser.add_argument(
        "--language",
        metavar="LANGUAGE",
        help=_(
            "the language of messages, one of {languages} (default: the environment variable "
            "{variable}, or the setting c.Course.language of the course)",
            languages=", ".join(languages()),
            variable=VARIABLE,
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of ``dpteach``, and return the exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``dpteach``; None stands for the words of the command line.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if arguments is None and isinstance(sys.stdout, io.TextIOWrapper):
        # print "?" instead of failing if the terminal's encoding lacks a character, as on Windows
        sys.stdout.reconfigure(errors="replace")
    # read --language first, wherever it stands on the command line, because the help and the errors
    # of the main parser are already in that language
    first = argparse.ArgumentParser(prog="dpteach", add_help=False, allow_abbrev=False)
    first.add_argument("--language")
    told, words = first.parse_known_args(words)
    try:
        chosen = speaking(told.language or (language() if is_chosen() else None))
        with _without_reader("stdout"), _without_reader("stderr"), chosen:
            return _main(words)
    except LanguageError as error:
        print(f"dpteach: {error}", file=sys.stderr)
        return NOT_DONE


class _Output(io.FileIO):
    """An output file that drops further output once its reader, such as ``head``, has ended."""

    def write(self, data: Any, /) -> int:
        """Write bytes to the file, or drop them if its reader has ended; return their number."""
        try:
            return super().write(data)
        except BrokenPipeError:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self.fileno())
            return super().write(data)


@contextlib.contextmanager
def _without_reader(name: str) -> Iterator[None]:
    """Let a command finish although the program that reads its output, such as ``head``, has ended.

    Parameters
    ----------
    name
        The name of the stream in `sys`: "stdout" or "stderr". A stream without a file, such as an
        `io.StringIO` in a test, is left as it is.
    """
    before = getattr(sys, name)
    buffer = getattr(before, "buffer", None)
    if not isinstance(getattr(buffer, "raw", buffer), io.FileIO):
        yield
        return
    stream = io.TextIOWrapper(
        io.BufferedWriter(_Output(before.fileno(), "wb", closefd=False)),
        before.encoding,
        before.errors,
        line_buffering=before.line_buffering or before.write_through,
    )
    setattr(sys, name, stream)
    try:
        yield
    finally:
        setattr(sys, name, before)
        try:
            stream.flush()
        except OSError as error:
            print(f"dpteach: {error_words(error)}", file=sys.stderr)
            raise SystemExit(NOT_DONE) from None


def _main(words: Sequence[str]) -> int:
    """Run the command of a command line; if a package is missing, print which extra installs it."""
    try:
        return run(words)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name == "dpteach" and words[0] in OF_A_CLONE:
            return refusal(words[0], RuntimeError(_(CLONE)))
        if name in ("", "dpteach") or find_spec(name):
            raise
        extra = EXTRAS.get(words[0], "grading")
        needs = _(
            "this command needs {package}, which is not installed: pip install 'dpteach[{extra}]'",
            package=name,
            extra=extra,
        )
        return refusal(words[0], RuntimeError(needs))


def run(words: Sequence[str]) -> int:
    """Run the command of a command line in the language of its course; return the exit code."""
    told = parser(words[0] if words else None, words[1:]).parse_args(words)
    if "course" not in told:
        return _run(told)
    from dpteach.grading.course.folder import (
        CourseError,
        check_whole,
        course_above,
        course_language,
        settings_of,
    )

    try:
        found = told.course is None
        if found:
            told.course = course_above(Path.cwd())
        if told.command != "restore":
            check_whole(told.course)
        chosen = None if is_chosen() else course_language(settings_of(told.course))
    except CourseError as error:
        return refusal(told.command, error)
    with speaking(chosen):
        if found:
            told_where = _("the course is {folder}", folder=told.course)
            print(f"dpteach {told.command}: {told_where}", file=sys.stderr)
        return _run(told)


def _run(told: argparse.Namespace) -> int:
    """Run the command that argparse has read from the command line; return the exit code."""
    if told.command in AFTER_DECISIONS:
        from dpteach.term.project import bring_up_to_date

        if (code := bring_up_to_date(told.course, told.command)) is not None:
            return code
    if told.command in ELSEWHERE:
        code = int(importlib.import_module(ELSEWHERE[told.command][0]).run(told))
        return code
    if told.command == "assignments":
        from dpteach.building import progress
        from dpteach.grading.author.build import BuildError, build_assignments

        try:
            found_all = build_assignments(
                told.course, told.names or None, yes=told.yes, say=progress
            )
            for built in found_all:
                print(f"{built.name}: {_size(built)}")
                for line in built.warnings:
                    warning = _("warning: {assignment}: {line}", assignment=built.name, line=line)
                    print(warning, file=sys.stderr)
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
            course=told.folder,
            host=told.host,
            book_port=told.book_port,
            lab_port=told.lab_port,
            instructor=told.instructor,
            build=told.build,
            # flush each message, so that it appears at once even if the output is a pipe or a file
            say=functools.partial(print, flush=True),
        )
    except ServeError as error:
        print(f"dpteach serve: {error}", file=sys.stderr)
        return 2


def _size(built: BuiltAssignment) -> str:
    """Return a phrase such as "9 graded items, 24 points" about a built assignment."""
    points = _n("1 point", "{count:g} points", sum(built.points.values()))
    if built.optional:
        return _n(
            "{count} graded item, {points}, with optional sections",
            "{count} graded items, {points}, with optional sections",
            len(built.points),
            points=points,
        )
    return _n(
        "{count} graded item, {points}",
        "{count} graded items, {points}",
        len(built.points),
        points=points,
    )
