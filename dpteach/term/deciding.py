"""``dpteach term``: the parser of its commands, and the steps that all of them share.

A command makes a `Decision` from the state of the term. `decide` prints what the decision changes,
writes the decision to the log while other processes wait, and then lets `dpteach.term.project`
bring the gradebook and the feedback up to date.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import getpass
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.command import add_course, error_words, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.plain import shown
from dpteach.grading.course.folder import CourseError, check_assignment, course_api, course_folder
from dpteach.grading.course.gradebook import Book, GradebookError, Standing, full_name, home_of
from dpteach.grading.course.store import BusyError
from dpteach.grading.course.times import read_time
from dpteach.term.log import Event, Log, LogError
from dpteach.term.state import State, state_of
from dpteach.term.words import change, shortened

_, _n = catalog("term")

#: for each command, its module and its description. A module has the functions `add_arguments`
#: and `run`, and is loaded only when one of its commands is used
COMMANDS: Final = {
    "roster": ("roster", N_("read the students of the term from an LMS's export")),
    "collect": ("collect", N_("put submissions downloaded from an LMS where they are graded")),
    "grades": ("sending", N_("write grades as a file that an LMS imports, with its own columns")),
    "feedback": ("sending", N_("write the feedback pages as the archive that an LMS takes back")),
    "add": ("roster", N_("add a student who joined late")),
    "withdraw": ("roster", N_("record that students withdrew: marks are kept")),
    "rejoin": ("roster", N_("record that students who withdrew take part again")),
    "due": ("decide_dates", N_("set when an assignment is due")),
    "extension": ("decide_dates", N_("give students more time")),
    "drop": ("decide_grades", N_("drop an item for all students")),
    "points": ("decide_grades", N_("change the points of an item, for all students")),
    "override": ("decide_grades", N_("decide a student's points")),
    "regrade": ("decide_grades", N_("record, list and settle requests to look at a grade again")),
    "solutions": ("decide_dates", N_("set when solutions may be released, or write them")),
    "final": ("final", N_("set the rule of the final grade, or write the final grades as CSV")),
    "undo": ("undo", N_("undo a decision whose grades have not gone out")),
}

#: the commands that require ``--why``, because the students' feedback shows the reason
REASONED: Final = frozenset({"drop", "points", "override"})

#: the errors that a command reports in one sentence instead of a traceback
ERRORS = (CourseError, GradebookError, LogError, BusyError, OSError)

#: the kinds of decisions that can change the points of submissions
CHANGES_POINTS: Final = frozenset(
    {"due", "extension", "drop", "points", "override", "settle", "undo"}
)


class DecisionError(CourseError):
    """The error of a refused decision; its text is the reason, in one line."""


@dataclass(frozen=True)
class Decision:
    """A decision of an instructor before it is recorded in the log.

    Attributes
    ----------
    kind, data, before
        The kind of the decision, its values, and the values that they replace, as in
        `dpteach.term.log.Event`.
    changes
        A sentence for each value that changes, with the value before and after.
    problems
        A sentence for each part of the request that cannot be done although other parts can.
    """

    kind: str
    data: Mapping[str, Any]
    before: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[str] = ()
    problems: Sequence[str] = ()


class Term:
    """One term of a course: the log of events, the state computed from it, and the gradebook.

    Parameters
    ----------
    course
        The folder with ``nbgrader_config.py``.
    """

    def __init__(self, course: Path) -> None:
        self.root = course_folder(course)
        self.log = Log(self.root)

    @functools.cached_property
    def state(self) -> State:
        """The state of the term, computed from the log when this property is first read."""
        return state_of(self.log.events())

    @functools.cached_property
    def api(self) -> Any:
        """The ``NbGraderAPI`` of the course."""
        return course_api(self.root)

    @contextlib.contextmanager
    def book(self, assignment: str) -> Iterator[Book]:
        """Open an assignment's gradebook together with the instructor's decisions about it."""
        check_assignment(self.root, assignment, graded=True)
        with Book(self.api, assignment) as book:
            book.decisions = self.state.decisions(assignment)
            yield book

    @functools.cached_property
    def students(self) -> dict[str, str]:
        """The full name ("" if unknown) by the id of each student in the log or the gradebook."""
        people = self.state.people.values()
        with Book(self.api, "") as book:
            there = {one.id: full_name(one.first_name, one.last_name) for one in book.book.students}
        return there | {one.id: full_name(one.first, one.last) for one in people}

    def check_student(self, student: str) -> str:
        """Return the given id if it belongs to a student of the course.

        Raises
        ------
        DecisionError
            If there is no such student.
        """
        if student in self.students:
            return student
        some, got = printable(", ".join([*sorted(self.students)[:5], "..."])), shown(student)
        text = _("student must be one of the course ({some}), got student={x}", some=some, x=got)
        raise DecisionError(text)

    def time(self, parameter: str, text: str) -> datetime:
        """Return the time in an argument, in UTC; the default zone is that of the course.

        Raises
        ------
        DecisionError
            If the argument is no time; the message contains `parameter`, the name of the argument.
        """
        home = home_of(self.api)
        # try the default zone first; a ValueError means that the text already names a zone
        with contextlib.suppress(ValueError):
            return read_time(f"{text} {home or 'UTC'}", home)
        try:
            return read_time(text, home)
        except ValueError as error:
            raise DecisionError(f"{parameter}: {error}") from None


def add_names(command: argparse.ArgumentParser, *names: str) -> None:
    """Add positional arguments, each of them ``"assignment"``, ``"item"`` or ``"student"``."""
    about = {
        "assignment": ("NAME", _("the assignment, such as renyi_dp")),
        "item": ("ITEM", _("the name of the item")),
        "student": ("ID", _("the student's id")),
    }
    for name in names:
        command.add_argument(name, metavar=about[name][0], help=about[name][1])


def add_decision(command: argparse.ArgumentParser, *, reason: bool = False) -> None:
    """Add the options that all commands for recording a decision share.

    Parameters
    ----------
    reason
        Whether ``--why`` is required.
    """
    add_course(command)
    command.add_argument("--dry-run", action="store_true", help=_("say what would change"))
    command.add_argument("--by", metavar="NAME", help=_("who decides (default: your account)"))
    why = _("the reason, for the log; students read it where a grade changes")
    command.add_argument("--why", default="", metavar="TEXT", required=reason, help=why)


def account() -> str:
    """Return the name of the user's account, which the log records as the person who decided."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # in some containers, the account has no name
        return _("unknown")


def decide(told: argparse.Namespace, make: Callable[[Term, argparse.Namespace], Decision]) -> int:
    """Make a decision from the state of the term, record it, and return the exit code.

    Parameters
    ----------
    told
        The arguments of the command, including the options that `add_decision` adds.
    make
        A function of the term and the arguments that returns the decision.

    Raises
    ------
    DecisionError, dpteach.grading.course.gradebook.GradebookError, LogError, OSError
        If the decision is refused or cannot be recorded; then nothing is changed.
    """
    term = Term(told.course)
    with contextlib.nullcontext() if told.dry_run else term.log.locked():
        one = make(term, told)
        problems = [_("problem: {problem}", problem=text) for text in one.problems]
        for line in [*one.changes, *problems, *effects(term, one, told.why)]:
            print(printable(line))
        if told.dry_run:
            print(_("nothing was changed, because of --dry-run"))
            return int(bool(problems))
        who = told.by or account()
        event = term.log.add(one.kind, one.data, who=who, why=told.why, before=one.before)
    print(_("recorded as event {number} of the log", number=event.number))
    return _projected(term, f"term {told.subcommand}") or int(bool(problems))


def effects(term: Term, decision: Decision, why: str) -> list[str]:
    """Return a line for each submission whose points change, with the points before and after.

    If no total changes, one line says so. For a kind of decision that never changes points, the
    list is empty.

    Parameters
    ----------
    term
        The term; its gradebook is not changed.
    decision
        A decision that is not recorded yet.
    why
        The instructor's reason for the decision.
    """
    from dpteach.term.project import preview

    assignment = decision.data.get("assignment")
    if decision.kind not in CHANGES_POINTS or assignment is None:
        return []
    events, now = term.log.all(), datetime.now(UTC)
    new = Event(len(events) + 1, now, "", decision.kind, why, decision.data, decision.before)
    with term.book(assignment) as book:
        before = {one.student: one for one in book.standings()}
        preview(book, [*events, new])
        pairs = [(before[one.student], one) for one in book.standings()]
        book.book.db.rollback()
    lines = [
        change(now.called, _points(was), _points(now))
        for was, now in pairs
        if was.total != now.total
        or (was.maximum != now.maximum and now.status not in ("withdrawn", "missing", "refused"))
    ]
    told = shortened(lines) or [_("no student's total changes")]
    count = sum(now.status == "refused" and was.maximum != now.maximum for was, now in pairs)
    refused = _n("one refused submission has no points", "{count} refused ones have none", count)
    return [*told, refused] if count else told


def _points(one: Standing) -> str:
    return _("{points:g} of {maximum:g} points", points=one.total, maximum=one.maximum)


def _projected(term: Term, command: str) -> int:
    """Bring gradebook and feedback up to date with the log; return 1 if that fails, else 0."""
    from dpteach.term.project import project

    try:
        for line in project(term.root, term.api):
            print(printable(line))
    except ERRORS as error:
        told = _(
            "the decision is recorded, but not carried out yet: {problem}. The next command that "
            "grades, reports or exports does it.",
            problem=error_words(error),
        )
        print(f"dpteach {command}: {told}", file=sys.stderr)
        return 1
    return 0


def add_parser(commands: Any, words: Sequence[str] = ()) -> None:
    """Add the command ``term`` with all its subcommands to the parser of ``dpteach``.

    Only the subcommand in `words` gets its arguments, because adding them imports its module.

    Parameters
    ----------
    commands
        What argparse's ``add_subparsers`` returned.
    words
        The words of the command line after ``term``.
    """
    about = _("record what happens in a term, and exchange it with an LMS")
    command: argparse.ArgumentParser = commands.add_parser("term", help=about)
    inner = command.add_subparsers(dest="subcommand", required=True)
    used = next((word for word in words if not word.startswith("-")), None)
    for name, (module, text) in COMMANDS.items():
        one = inner.add_parser(name, help=_(text), description=_(text))
        if name == used:
            _module(module).add_arguments(one, name)
            # the actions of ``regrade`` have their own options, which `add_arguments` has added
            if name != "regrade":
                add_decision(one, reason=name in REASONED)


def run(told: argparse.Namespace) -> int:
    """Run the subcommand of ``dpteach term`` that was chosen; return its exit code."""
    try:
        return int(_module(COMMANDS[told.subcommand][0]).run(told))
    except ERRORS as error:
        return refusal(f"term {told.subcommand}", error)


def _module(name: str) -> Any:
    return importlib.import_module(f"dpteach.term.{name}")
