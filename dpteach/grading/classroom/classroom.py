"""``dpteach grade``: a class graded in parallel, in runs that may end at any time.

What is kept is one result a submission (`course.store`), written as soon as it is there.
Gradebook and pages are made from it, and made again by the next run if this one was killed in
between. A result stands as long as the submission's bytes, the instructor's notebook, the item's
declaration and the code that grades are the ones it was made of: nobody reads old words, or is
judged by other rules than the rest. Of a check that has changed only its item is asked again. Where
students have personal versions, each is graded by the exam of their own, which follows from whose
folder it is and not from what the notebook says.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import dpteach
from dpteach.grading.author.data import present
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.personal import OfStudents
from dpteach.grading.author.source import SourceError
from dpteach.grading.classroom.cluster import check_address, cluster
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.classroom.publish import Publisher
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.classroom.workers import (
    Answer,
    Crew,
    Local,
    Probe,
    Task,
    Work,
    WorkersError,
    answers,
    local,
)
from dpteach.grading.core.command import NOT_DONE, add_assignment, reason, refusal
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.core.observe import BUSY
from dpteach.grading.core.result import Result, graded_by
from dpteach.grading.course.folder import (
    SETTINGS,
    CourseError,
    check_assignment,
    course_api,
    course_folder,
)
from dpteach.grading.course.gradebook import Book, GradebookError, home_of, read_timestamp
from dpteach.grading.course.misplaced import Misplaced, misplaced
from dpteach.grading.course.store import BusyError, Store
from dpteach.grading.course.versions import Versions, personal
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import KernelGoneError, Sandbox, SandboxMissingError
from dpteach.grading.submission.intake import fingerprint, read_submission

#: how many new seeds are tried until hidden inputs are drawn that tell all mistakes
_DRAWS = 3

#: how many submissions in the wrong place are named one by one
_NAMED = 20

#: notices about a student's own code, which the feedback shows and nobody else needs to see
_USUAL = ("cell_error", "slow_cell", "output_cut")


class ClassroomError(RuntimeError):
    """Why there was nothing to grade or no way to do it, in one line."""


@dataclass
class Summary:
    """What a run came to.

    Attributes
    ----------
    graded
        How many submissions were graded in this run.
    unchanged
        How many had a result that still stands.
    refused
        Reasons by student, for submissions that no program can grade.
    failed
        Reasons by student, for submissions whose grading went wrong; the next run tries again.
    """

    graded: int = 0
    unchanged: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """One line."""
        told = f"{self.graded} graded, {self.unchanged} had not changed"
        for what, reasons in (("refused", self.refused), ("failed", self.failed)):
            if reasons:
                told += f"; {len(reasons)} {what}: {', '.join(map(printable, sorted(reasons)))}"
        return told


@dataclass(frozen=True)
class Settings:
    """How to grade.

    Attributes
    ----------
    workers
        Processes on this machine, >= 1; one a core if None.
    scheduler
        Address of a dask scheduler in place of them.
    students, items
        Only these; all if empty.
    seed
        Another seed from now on.
    force
        Grade again what has a result that stands.
    unsafe
        Go on without a sandbox.
    limits
        Of the sandbox.
    grade
        What grades one submission.
    """

    workers: int | None = None
    scheduler: str | None = None
    students: Sequence[str] = ()
    items: Sequence[str] = ()
    seed: int | None = None
    force: bool = False
    unsafe: bool = False
    limits: Limits = field(default_factory=Limits)
    grade: Callable[..., bytes] = grade_submission

    @property
    def count(self) -> int:
        """How many processes of this machine there are at most."""
        return self.workers or os.cpu_count() or 1

    @property
    def work(self) -> Work:
        """What grades a submission."""
        return functools.partial(self.grade, limits=self.limits, unsafe=self.unsafe)

    @property
    def probe(self) -> Probe:
        """What finds out whether a worker can grade."""
        if self.grade is not grade_submission:
            return str
        return functools.partial(_probe, self.unsafe, dpteach.__version__)


def _probe(unsafe: bool, version: str) -> str:
    """Runs where submissions are to be graded: "" or why they cannot be."""
    if dpteach.__version__ != version:
        return f"it has dpteach {dpteach.__version__}, and this is {version}"
    try:
        with Sandbox(unsafe=unsafe):
            return ""
    except (SandboxMissingError, KernelGoneError) as error:
        return str(error)


def stale(
    result: Result | None, exam: Exam, submission: str, settings: Settings
) -> tuple[str, ...] | None:
    """The items that must be graded, in the exam's order; None for all, with everything else.

    Parameters
    ----------
    result
        What there is.
    exam
        The exam of today.
    submission
        The fingerprint of the submission's files.
    settings
        Its `items`, `force` and `unsafe` count.
    """
    if (
        result is None
        or outdated(result, submission, settings)
        or result.instructor != exam.instructor
        or result.seed != exam.seed
    ):
        return None
    if result.status != "graded":
        return None if settings.force else ()
    have = {item.name: item.key for item in result.items}
    if set(have) != {item.name for item in exam.items} or (settings.force and not settings.items):
        return None
    wanted = [item for item in exam.items if not settings.items or item.name in settings.items]
    changed = {item.name for item in wanted if settings.force or have[item.name] != item.key}
    if not settings.force:
        # what an item is credited depends on the earlier ones that it uses
        changed |= {item.name for item in result.items if changed & set(item.uses)}
    items = tuple(item.name for item in exam.items if item.name in changed)
    # a result says once for all its items whether there was a sandbox
    if items and result.sandbox != ("none" if settings.unsafe else "bubblewrap"):
        return None
    return items


def outdated(result: Result, submission: str, settings: Settings) -> bool:
    """Whether a result falls, whatever the exam is; parameters as for `stale`."""
    return (
        result.submission != submission
        or result.program != graded_by()
        or (result.sandbox == "none" and not settings.unsafe)
    )


def grade_class(
    course: str | Path,
    assignment: str,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Grades the submissions of an assignment that have no result that stands.

    Parameters
    ----------
    settings
        How; the defaults if None.
    progress
        Where to show how far it is; standard error if None.

    Returns
    -------
    Summary

    Raises
    ------
    ClassroomError
        If nothing could be graded, or not everything for a reason that is no submission's; what
        was graded is kept.
    """
    settings = Settings() if settings is None else settings
    try:
        root = course_folder(course)
        check_assignment(root, assignment)
        if settings.scheduler is not None:
            check_address(settings.scheduler)
        with _classroom(course_api(root), assignment, settings, progress) as room:
            return room.run()
    except (
        BusyError,
        CourseError,
        GradebookError,
        OSError,
        WorkersError,
    ) as error:
        raise ClassroomError(reason(error)) from None


@contextlib.contextmanager
def _classroom(
    api: Any, assignment: str, settings: Settings, progress: Progress | None
) -> Iterator[Classroom]:
    """The submissions of an assignment, which no other process grades meanwhile."""
    root = Path(api.coursedir.root)
    text = root / "assignments" / f"{assignment}.md"
    store = Store(root, assignment)
    with store.lock(), contextlib.ExitStack() as stack:
        ahead = None
        if _is_work_for_all(api, text, store, settings):
            # the worker processes start while the exam is made
            ahead = stack.enter_context(local(settings.count, settings.probe))
        exam = _exam(text, store, settings)
        book = stack.enter_context(Book(api, assignment))
        book.check(exam)
        own = None
        if personal(api.config, assignment):
            own = OfStudents(text, exam, Versions(root, assignment))
        yield Classroom(api, exam, store, book, settings, progress or Progress(), own, ahead)


def _is_work_for_all(api: Any, text_source: Path, store: Store, settings: Settings) -> bool:
    """Whether there is surely something to grade for each process of this machine."""
    if settings.grade is not grade_submission or settings.scheduler is not None:
        return False
    if settings.students or not text_source.is_file():
        return False
    folder = Path(api.coursedir.root) / api.coursedir.submitted_directory
    found = {path.parent.name for path in folder.glob(f"*/{text_source.stem}") if path.is_dir()}
    return len(found - set(store.students("results"))) >= settings.count


def grade_one(api: Any, assignment: str, student: str, *, unsafe: bool = False) -> Result:
    """Grades one submission in this process, whether it was graded before or not: nbgrader's way.

    Result, gradebook and feedback are written; the autograded notebook is left to nbgrader.

    Parameters
    ----------
    api
        What has nbgrader's ``coursedir`` and ``config``.
    assignment, student
        Whose submission of what.
    unsafe
        Go on without a sandbox.

    Raises
    ------
    ClassroomError
        If it could not be graded, or was refused.
    """
    settings = Settings(students=[student], unsafe=unsafe)
    try:
        with _classroom(api, assignment, settings, None) as room:
            return room.run_here(student)
    except (BusyError, GradebookError, SandboxMissingError, ValueError) as error:
        raise ClassroomError(str(error)) from None


def _exam(text_source: Path, store: Store, settings: Settings) -> Exam:
    """The exam of the recorded seed; one of a new seed, which is recorded, if there is none."""
    try:
        seed = store.seed() if settings.seed is None else settings.seed
        if seed is None:
            exam = _drawn(text_source)
        else:
            exam = _made(text_source, _made_of(text_source), seed)
    except (SourceError, ValueError, FileNotFoundError) as error:
        raise ClassroomError(str(error)) from None
    unknown = [name for name in settings.items if name not in {item.name for item in exam.items}]
    if unknown:
        known = ", ".join(item.name for item in exam.items)
        raise ClassroomError(f"there is no item {unknown[0]!r}; there are: {known}")
    if settings.seed is not None or seed is None:
        store.write_seed(exam.seed)
    return exam


@functools.lru_cache(maxsize=4)
def _made(text_source: Path, content: tuple[tuple[str, bytes], ...], seed: int) -> Exam:
    """The same files and seed give the same exam: nbgrader asks for it once a submission."""
    return make_exam(text_source, seed)


def _made_of(text_source: Path) -> tuple[tuple[str, bytes], ...]:
    """The files of which an exam is made: the text, its data, and the course's settings."""
    folder = text_source.with_suffix("")
    files = [text_source.parents[1] / SETTINGS, *(folder / name for name in present(folder))]
    found = [(str(file), file.read_bytes()) for file in files if file.is_file()]
    return (str(text_source), text_source.read_bytes()), *found


def _drawn(text_source: Path) -> Exam:
    for _ in range(_DRAWS - 1):
        # hidden inputs that by chance tell a mistake from nothing make no exam
        with contextlib.suppress(SourceError):
            return make_exam(text_source, secrets.randbits(48))
    return make_exam(text_source, secrets.randbits(48))


@dataclass
class Classroom:
    """The submissions of one assignment."""

    api: Any
    exam: Exam
    store: Store
    book: Book
    settings: Settings
    progress: Progress
    #: the exams of students, if each has one of their own
    own: OfStudents | None = None
    #: processes that have been started already
    ahead: Local | None = None
    summary: Summary = field(default_factory=Summary)

    def __post_init__(self) -> None:
        self.publisher = Publisher(self.api, self.exam.assignment)
        self.data = self.exam.to_bytes()
        self.submitted = Path(self.api.coursedir.root) / self.api.coursedir.submitted_directory

    def run(self) -> Summary:
        """Grades whom the settings ask for."""
        todo = self._plan()
        self.progress.begin(len(todo))
        try:
            if todo:
                self._grade(todo)
        finally:
            self.progress.close()
        found = self._misplaced()
        for one in found[:_NAMED]:
            self.progress.line(f"warning: {one.text}")
        if len(found) > _NAMED:
            self.progress.line(f"warning: and {len(found) - _NAMED} more in the wrong place")
        return self.summary

    def _misplaced(self) -> list[Misplaced]:
        root = Path(self.api.coursedir.root)
        return misplaced(root, self.exam.assignment, self.submitted)

    def run_here(self, student: str) -> Result:
        """Grades one submission in this process."""
        self.publisher.notebooks = False
        task = self._task(student)
        if task is not None:
            data = self.settings.work(task.exam, task.files, items=None)
            self._take(Answer(task, data), None)
        reasons = self.summary.refused | self.summary.failed
        result = self.store.result(student)
        if student in reasons or result is None:
            raise ClassroomError(f"{student}: {reasons.get(student, 'there is no result')}")
        return result

    def _students(self) -> list[str]:
        """Who has handed something in, or is asked for."""
        found = []
        if self.submitted.is_dir():
            for folder in sorted(os.listdir(self.submitted)):
                if os.path.lexists(self.submitted / folder / self.exam.assignment):
                    found.append(folder)
        unknown = sorted(set(self.settings.students) - set(found))
        if not found or unknown:
            lost = self._misplaced()
            told = [one.text for one in lost if not found or one.student == unknown[0]][:1]
            where = self.submitted / "STUDENT" / self.exam.assignment
            reason = f"there are no submissions: they are expected in {where}"
            if found:
                reason = f"{unknown[0]!r} has not handed in {self.exam.assignment}"
            raise ClassroomError("; ".join([reason, *told]))
        return [name for name in found if name in (self.settings.students or found)]

    def _plan(self) -> list[tuple[str, Result | None, tuple[str, ...] | None]]:
        """Whom to grade, what stands of an earlier result, and the items to ask. The results of
        all others are brought to where they belong, in case the last run did not come to it."""
        todo = []
        for student in self._students():
            files = self._files(student)
            if files is None:
                continue
            result = self.store.result(student)
            if self.own is not None and not self.own.handed_out(student):
                self.progress.line(f"{student}: got no version so far, and is graded by a new one")
            try:
                items = self._stale(student, result, fingerprint(files))
            except SourceError as error:
                self._fail(student, str(error))
                continue
            if items == () and result is not None:
                self.summary.unchanged += 1
                self._settle(student, result, result.to_bytes())
            else:
                todo.append((student, None if items is None else result, items))
        return todo

    def _stale(self, student: str, result: Result | None, files: str) -> tuple[str, ...] | None:
        """As `stale`, by the student's own exam, which is made only if it may be another one."""
        if self.own is None or result is None:
            return stale(result, self.exam, files, self.settings)
        same = (
            self.store.recorded(student).get("exam") == self.own.digest(student)
            and not outdated(result, files, self.settings)
            and not self.settings.force
        )
        return () if same else stale(result, self.own.exam(student), files, self.settings)

    def _files(self, student: str) -> dict[str, bytes] | None:
        """What a student handed in; None, and a reason in the summary, if nobody can tell."""
        try:
            student_id(student)
            return read_submission(self.publisher.folder("submitted", student))
        except ValueError as error:
            reason = f"the folder's name is no student id: {error}"
        except OSError:
            reason = f"its {self.exam.assignment} is not a folder that can be read"
        self._refuse(student, reason)
        return None

    def _task(self, student: str, items: tuple[str, ...] | None = None) -> Task | None:
        """What is graded of a student; None, and a reason in the summary, if that is not known."""
        files = self._files(student)
        if files is None:
            return None
        try:
            exam = self.data if self.own is None else self.own.exam(student).to_bytes()
            return Task(student, exam, files, items)
        except SourceError as error:
            self._fail(student, str(error))
            return None

    def _refuse(self, student: str, reason: str) -> str:
        """Says why no program can grade a submission; returns how it is counted."""
        self.summary.refused[student] = reason
        self.progress.line(f"{student}: refused: {reason}")
        return "refused"

    def _fail(self, student: str, reason: str) -> str:
        """Says why grading a submission went wrong; returns how it is counted."""
        self.summary.failed[student] = reason
        self.progress.line(f"{student}: failed: {reason}")
        return "failed"

    def _grade(self, todo: list[tuple[str, Result | None, tuple[str, ...] | None]]) -> None:
        settings = self.settings
        before = {student: result for student, result, _ in todo}

        def tasks() -> Iterator[Task]:
            for student, _, items in todo:
                task = self._task(student, items)
                if task is not None:
                    yield task
                else:
                    refused = student in self.summary.refused
                    self.progress.count("refused" if refused else "failed")

        with contextlib.ExitStack() as stack:
            crew: Crew | None = self.ahead
            if settings.scheduler is not None:
                crew = stack.enter_context(cluster(settings.scheduler, settings.probe))
            elif crew is None:
                count = min(settings.count, len(todo))
                crew = stack.enter_context(local(count, settings.probe))
            for answer in answers(
                tasks(),
                settings.work,
                # the submission's own limit should do; this one is for what nobody thought of
                seconds=2 * BUSY * settings.limits.wall_seconds + 60,
                crew=crew,
                tick=self.progress.tick,
            ):
                self._take(answer, before[answer.task.student])

    def _take(self, answer: Answer, before: Result | None) -> None:
        """Keeps what came of a task."""
        student, task = answer.task.student, answer.task
        try:
            if answer.result is None:
                return self.progress.count(self._fail(student, answer.error))
            result = Result.from_bytes(answer.result)
            if result.submission != fingerprint(task.files):
                raise ValueError("it is of another submission")
            if before is not None and task.items is not None:
                # what is not an item comes from the same bytes: it is the same
                result = before.updated(result)
        except ValueError as error:
            reason = f"the worker's result cannot be used: {error}"
            return self.progress.count(self._fail(student, reason))
        data = result.to_bytes()
        self.store.write_result(student, data)
        self.summary.graded += result.status == "graded"
        self.progress.count(self._settle(student, result, data))
        for notice in result.notices:
            if result.status == "graded" and notice.code not in _USUAL:
                self.progress.line(f"{student}: {notice.text}")

    def _settle(self, student: str, result: Result, data: bytes) -> str:
        """Brings a result into the gradebook and onto the pages; does nothing if it is there.

        Returns how it is counted.
        """
        try:
            recorded = self.store.recorded(student)
            folder = self.publisher.folder("submitted", student)
            timestamp, wrong = read_timestamp(folder, home_of(self.book.api))
            if wrong:
                self.progress.line(f"{student}: {wrong}")
            fresh = recorded.get("submission") != result.submission
            standing = self.book.record(student, result, timestamp=timestamp, fresh=fresh)
            text = json.dumps(asdict(standing), sort_keys=True, default=str)
            key = hashlib.sha256(data + text.encode()).hexdigest()
            now = recorded | {"submission": result.submission, "pages": key}
            if self.own is not None and not self.settings.items:
                now["exam"] = self.own.digest(student)
            if recorded.get("pages") != key or not self.publisher.there(student, result):
                self.publisher.write(result, standing)
                recorded = {}
            if recorded != now:
                self.store.write_recorded(student, now)
        except GradebookError:
            raise
        except Exception as error:  # of one student, whatever it is; the result is kept
            reason = f"graded, but not recorded: {type(error).__name__}: {error}"
            return self._fail(student, reason)
        if result.status == "graded":
            return "graded"
        told = [notice.text for notice in result.notices]
        return self._refuse(student, told[-1] if told else "there is nothing to grade")


def add_parser(commands: Any) -> None:
    """The command ``grade`` among ``commands``, what argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "grade",
        help="grade the submissions of an assignment",
        description="Grade COURSE/submitted/*/ASSIGNMENT in parallel, each in a sandbox; what "
        "was graded before and has not changed is left alone.",
        epilog="Exit code: 0 all graded, 1 some refused or failed, 2 nothing could be graded.",
    )
    add_assignment(command)
    command.add_argument(
        "--workers",
        type=_at_least(1),
        metavar="N",
        help="processes on this machine (default: one a core)",
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="grade on a dask cluster, HOST:PORT or tcp://HOST:PORT; it must trust all its users",
    )
    command.add_argument(
        "--student", action="append", default=[], metavar="ID", help="only this one; repeatable"
    )
    command.add_argument(
        "--item",
        action="append",
        default=[],
        metavar="NAME",
        help="ask only this item again, where there is a result; repeatable",
    )
    command.add_argument(
        "--seed",
        type=_at_least(0),
        metavar="N",
        help="draw the hidden inputs anew from this seed, and grade all again (default: the seed "
        "of the first run)",
    )
    command.add_argument("--force", action="store_true", help="grade what has not changed, too")
    command.add_argument(
        "--no-sandbox",
        action="store_true",
        help="go on where bubblewrap is missing: students' code then runs with your rights",
    )


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            found = least - 1
        if found < least:
            raise argparse.ArgumentTypeError(f"must be an integer >= {least}, got {text!r}")
        return found

    return number


def run(told: argparse.Namespace) -> int:
    """Grades, and says what came of it; returns the exit code."""
    settings = Settings(
        workers=told.workers,
        scheduler=told.scheduler,
        students=told.student,
        items=told.item,
        seed=told.seed,
        force=told.force,
        unsafe=told.no_sandbox,
    )
    if told.workers and told.scheduler is not None:
        print("dpteach grade: --workers and --scheduler exclude each other", file=sys.stderr)
        return NOT_DONE
    progress = Progress()
    try:
        with _ends_politely(progress):
            summary = grade_class(told.course, told.assignment, settings, progress)
    except ClassroomError as error:
        return refusal("grade", error)
    except KeyboardInterrupt:
        done = progress.counts.total()
        # the results of an earlier run still stand for those whose turn did not come
        then = "give --force again" if told.force else "the next run goes on from here"
        print(
            f"dpteach grade: ended after {done} of {progress.total}; nothing is lost, {then}",
            file=sys.stderr,
        )
        return 130
    print(summary.text())
    return 1 if summary.refused or summary.failed else 0


@contextlib.contextmanager
def _ends_politely(progress: Progress) -> Iterator[None]:
    """Lets a kill and a closed terminal end the run as Ctrl-C does: with its workers.

    Python drops what a handler raises while it is in a destructor or a callback of a library, with
    a traceback: there the next tick of the run raises it again, and nobody is shown the first.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        progress.end()

    def dropped(told: sys.UnraisableHookArgs) -> None:
        if told.exc_type is not KeyboardInterrupt:
            shows(told)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in numbers}
    shows, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        yield
    finally:
        sys.unraisablehook = shows
        for number, handler in before.items():
            signal.signal(number, handler)
