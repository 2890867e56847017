"""``dpteach grade``: the grading of a class in parallel, in runs that may end at any time.

As soon as a submission is graded, its result is written to a file, from which the gradebook and the
feedback page are made; if a run is killed before it makes them, the next run does. If the
submission is unchanged, but the instructor's notebook, the declaration of an item or the grading
code has changed since the result was made, a run reports this, and grades again only with an option
such as ``--upgrade``. If only the checks of some items have changed, ``--upgrade`` grades only
these items, and those that build on them, again. In a course with personal versions, each
submission is graded by the exam (the data for grading) of the student in whose folder it lies, even
if the notebook is another student's version.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import dpteach
from dpteach._language import N_, catalog
from dpteach.grading.author.data import present
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.personal import OfStudents
from dpteach.grading.author.source import SourceError
from dpteach.grading.classroom.cluster import check_address, cluster
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.classroom.publish import Publisher, page_key
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
from dpteach.grading.core.command import NOT_DONE, add_assignment, error_words, refusal
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
from dpteach.grading.course.gradebook import (
    Book,
    GradebookError,
    home_of,
    read_timestamp,
)
from dpteach.grading.course.misplaced import Misplaced, misplaced
from dpteach.grading.course.store import BusyError, Store
from dpteach.grading.course.versions import Versions, personal
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import KernelGoneError, Sandbox, SandboxMissingError
from dpteach.grading.submission.intake import fingerprint, read_submission

_, _n = catalog("classroom")

#: how many seeds of hidden inputs are tried. A seed fails, for example, if a mistake that the
#: author declared (a wrong implementation) gives right answers on all visible and drawn inputs
_DRAWS = 3

#: how many submissions in a wrong folder a run lists by name; the run only counts the others
_NAMED = 20

#: identifiers of notices that are so frequent that a run does not print them; only the feedback
#: page shows these notices
_USUAL = ("cell_error", "slow_cell", "output_cut")


class ClassroomError(RuntimeError):
    """Error for a run that could not grade, or that ended early; its message is one line."""


class _RefusedError(Exception):
    """Error for a submission that no program can grade, such as one without a readable notebook.

    The message says why.
    """


class _FailedError(Exception):
    """Error for a submission whose grading failed; the message says why."""


@dataclass
class Summary:
    """Counts and problems of one run of ``dpteach grade``.

    Attributes
    ----------
    graded
        How many submissions were graded in this run.
    unchanged
        How many submissions kept the result of an earlier run.
    refused
        The submissions that no program can grade: the reason, by student.
    failed
        The submissions whose grading failed: the reason, by student. The next run tries again.
    older
        The students whose results stay, although the assignment or the grader has changed since
        these results were made.
    """

    graded: int = 0
    unchanged: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    older: set[str] = field(default_factory=set)

    def text(self) -> str:
        """Return the counts, and the students of refused and failed submissions, as one line."""
        parts = [
            _(
                "{graded} graded, {unchanged} had not changed",
                graded=self.graded,
                unchanged=self.unchanged,
            )
        ]
        for text, reasons in (
            (N_("{count} refused: {students}"), self.refused),
            (N_("{count} failed: {students}"), self.failed),
        ):
            if reasons:
                students = ", ".join(map(printable, sorted(reasons)))
                parts.append(_(text, count=len(reasons), students=students))
        if self.older:
            parts.append(
                _n(
                    "{count} was judged by an earlier version of the assignment or of dpteach and "
                    "stays so without --upgrade (dpteach check says what would change)",
                    "{count} were judged by an earlier version of the assignment or of dpteach and "
                    "stay so without --upgrade (dpteach check says what would change)",
                    len(self.older),
                )
            )
        return "; ".join(parts)


@dataclass(frozen=True)
class Settings:
    """Options of one run of ``dpteach grade``.

    Attributes
    ----------
    workers
        The number of processes on this machine, >= 1; None for one per core.
    scheduler
        The address of a dask scheduler whose workers grade; None to grade on this machine.
    students, items
        The students and the items to grade; empty for all of them.
    seed
        The seed of the hidden inputs, which is recorded for later runs; None for the recorded seed.
    force
        Whether to grade submissions that have a valid result, too.
    upgrade
        Whether to grade again what an earlier version of the assignment or of the grader judged.
    unsafe
        Whether to grade without a sandbox.
    limits
        The limits of the sandbox.
    grade
        The function that grades one submission.
    """

    workers: int | None = None
    scheduler: str | None = None
    students: Sequence[str] = ()
    items: Sequence[str] = ()
    seed: int | None = None
    force: bool = False
    upgrade: bool = False
    unsafe: bool = False
    limits: Limits = field(default_factory=Limits)
    grade: Callable[..., bytes] = grade_submission

    @property
    def count(self) -> int:
        """The number of worker processes on this machine, if no scheduler is given."""
        return self.workers or os.cpu_count() or 1

    @property
    def asked(self) -> bool:
        """Whether an option lets the run replace results of unchanged submissions."""
        return self.upgrade or self.force or bool(self.items) or self.seed is not None

    @property
    def work(self) -> Work:
        """The function that grades a submission on a worker."""
        return functools.partial(self.grade, limits=self.limits, unsafe=self.unsafe)

    @property
    def probe(self) -> Probe:
        """The function that a worker runs first; it returns why the worker cannot grade, or ""."""
        if self.grade is not grade_submission:
            return str
        return functools.partial(_probe, self.unsafe, dpteach.__version__)


def _probe(unsafe: bool, version: str) -> str:
    """Return why the worker process that runs this function cannot grade, or "" if it can."""
    if dpteach.__version__ != version:
        return _("it has dpteach {its}, and this is {ours}", its=dpteach.__version__, ours=version)
    try:
        with Sandbox(unsafe=unsafe):
            return ""
    except (SandboxMissingError, KernelGoneError) as error:
        return str(error)


def stale(
    result: Result | None, exam: Exam, submission: str, settings: Settings
) -> tuple[str, ...] | None:
    """Return the items of a submission to grade again, if any; None to grade the whole notebook.

    Parameters
    ----------
    result
        The result of an earlier run, or None.
    exam
        The exam, that is, the current data for grading; the items are returned in its order.
    submission
        The fingerprint of the submission's files.
    settings
        The options of the run, of which `items`, `force` and `unsafe` are used.
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
        # the points of an item depend on the earlier items that it uses, so if one of these
        # changed, grade the item again as well
        changed |= {item.name for item in result.items if changed & set(item.uses)}
    items = tuple(item.name for item in exam.items if item.name in changed)
    # a result records one sandbox for all its items, so all must be graded with the same sandbox
    if items and result.sandbox != ("none" if settings.unsafe else "bubblewrap"):
        return None
    return items


def outdated(result: Result, submission: str, settings: Settings) -> bool:
    """Return whether a result must be replaced even if the assignment has not changed.

    This is so if the submitted files have changed, if the result was made without the sandbox that
    this run requires, or if another version of the grader made it. The parameters are as for
    `stale`.
    """
    return superseded(result, submission, settings) or result.program != graded_by()


def superseded(result: Result, submission: str, settings: Settings) -> bool:
    """Return whether a result is for an earlier submission, or was made without a required sandbox.

    The sandbox is required unless `settings` allow a run without it. The parameters are as for
    `stale`.
    """
    unsafe = result.sandbox == "none" and not settings.unsafe
    return result.submission != submission or unsafe


def grade_class(
    course: str | Path,
    assignment: str,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Grade the submissions of an assignment that have no valid result yet.

    Parameters
    ----------
    settings
        The options of the run; None for the defaults.
    progress
        The display of the number of finished submissions; None for a display on standard error.

    Raises
    ------
    ClassroomError
        If nothing could be graded, or if the run ended early for a reason other than a faulty
        submission. Results up to then are kept.
    """
    settings = Settings() if settings is None else settings
    try:
        root = course_folder(course)
        check_assignment(root, assignment)
        if settings.scheduler is not None:
            check_address(settings.scheduler)
        with _classroom(course_api(root), assignment, settings, progress) as room:
            return room.run()
    except (BusyError, CourseError, GradebookError, OSError, WorkersError) as error:
        raise ClassroomError(error_words(error)) from None


@contextlib.contextmanager
def _classroom(
    api: Any, assignment: str, settings: Settings, progress: Progress | None
) -> Iterator[Classroom]:
    """Yield the `Classroom` of an assignment, which no other process can grade meanwhile."""
    root = Path(api.coursedir.root)
    text = root / "assignments" / f"{assignment}.md"
    store = Store(root, assignment)
    with store.lock(), contextlib.ExitStack() as stack:
        ahead = None
        if _is_work_for_all(api, text, store, settings):
            # start the worker processes already while this process computes the data for grading
            # (the exam), because both take seconds
            ahead = stack.enter_context(local(settings.count, settings.probe))
        exam = _exam(text, store, settings)
        book = stack.enter_context(Book(api, assignment))
        book.check(exam)
        own = None
        if personal(api.config, assignment):
            own = OfStudents(text, exam, Versions(root, assignment))
        yield Classroom(api, exam, store, book, settings, progress or Progress(), own, ahead)


def _is_work_for_all(api: Any, text_source: Path, store: Store, settings: Settings) -> bool:
    """Return whether the submissions without a result suffice to keep all local workers busy.

    Return False without counting if the settings name some students or a scheduler, or replace the
    function that grades a submission.
    """
    if settings.grade is not grade_submission or settings.scheduler is not None:
        return False
    if settings.students or not text_source.is_file():
        return False
    folder = Path(api.coursedir.root) / api.coursedir.submitted_directory
    found = {path.parent.name for path in folder.glob(f"*/{text_source.stem}") if path.is_dir()}
    return len(found - set(store.students("results"))) >= settings.count


def grade_one(api: Any, assignment: str, student: str, *, unsafe: bool = False) -> Result:
    """Grade one submission in this process for nbgrader, even if it was graded before.

    This function writes the result, the points in the gradebook and the feedback page; nbgrader
    writes the autograded notebook.

    Parameters
    ----------
    api
        An object with nbgrader's ``coursedir`` and ``config``.
    unsafe
        Whether to grade without a sandbox.

    Raises
    ------
    ClassroomError
        If the submission could not be graded, for example because its notebook cannot be read.
    """
    settings = Settings(students=[student], unsafe=unsafe)
    try:
        with _classroom(api, assignment, settings, None) as room:
            return room.run_here(student)
    except (BusyError, GradebookError, SandboxMissingError, ValueError) as error:
        raise ClassroomError(str(error)) from None


def _exam(text_source: Path, store: Store, settings: Settings) -> Exam:
    """Return the exam for the seed in the settings, else the recorded seed, else a new random seed.

    The exam is the data for grading. The seed is recorded for later runs.
    """
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
        raise ClassroomError(
            _("there is no item {name!r}; there are: {known}", name=unknown[0], known=known)
        )
    if settings.seed is not None or seed is None:
        store.write_seed(exam.seed)
    return exam


@functools.lru_cache(maxsize=4)
def _made(text_source: Path, content: tuple[tuple[str, bytes], ...], seed: int) -> Exam:
    """Return the exam (the data for grading) whose hidden inputs are drawn from `seed`.

    The result is cached, because nbgrader asks for it at each submission. The argument `content`,
    the files from which the exam is made, ensures that a changed file leads to a new exam.
    """
    return make_exam(text_source, seed)


def _made_of(text_source: Path) -> tuple[tuple[str, bytes], ...]:
    """Return paths and contents of the files from which an exam (the data for grading) is made.

    These files are the text source, the data files and the settings of the course.
    """
    folder = text_source.with_suffix("")
    files = [text_source.parents[1] / SETTINGS, *(folder / name for name in present(folder))]
    found = [(str(file), file.read_bytes()) for file in files if file.is_file()]
    return (str(text_source), text_source.read_bytes()), *found


def _drawn(text_source: Path) -> Exam:
    """Return an exam whose hidden inputs are drawn from a new random seed."""
    for _ in range(_DRAWS - 1):
        # hidden inputs are random, so a wrong implementation that the author declared may by chance
        # give right answers on all of them. This raises a SourceError; then try another seed
        with contextlib.suppress(SourceError):
            return make_exam(text_source, secrets.randbits(48))
    return make_exam(text_source, secrets.randbits(48))


@dataclass
class Classroom:
    """The submissions of an assignment, with all the objects that one run of grading uses.

    Attributes
    ----------
    api
        An object with nbgrader's ``coursedir`` and ``config``.
    own
        The exams (data for grading) of the students if the assignment has personal versions,
        otherwise None.
    ahead
        Worker processes that were started while the exam was made, or None.
    """

    api: Any
    exam: Exam
    store: Store
    book: Book
    settings: Settings
    progress: Progress
    own: OfStudents | None = None
    ahead: Local | None = None
    summary: Summary = field(default_factory=Summary)

    def __post_init__(self) -> None:
        self.publisher = Publisher(self.api, self.exam.assignment)
        self.data = self.exam.to_bytes()
        self.submitted = Path(self.api.coursedir.root) / self.api.coursedir.submitted_directory

    def run(self) -> Summary:
        """Grade the submissions that the settings select, and return the counts."""
        todo = self._plan()
        self.progress.begin(len(todo))
        try:
            if todo:
                self._grade(todo)
        finally:
            self.progress.close()
        found = self._misplaced()
        for one in found[:_NAMED]:
            self.progress.line(_("warning: {problem}", problem=one.text))
        if len(found) > _NAMED:
            self.progress.line(
                _n(
                    "warning: {count} more submission in the wrong place",
                    "warning: {count} more submissions in the wrong place",
                    len(found) - _NAMED,
                )
            )
        return self.summary

    def _misplaced(self) -> list[Misplaced]:
        root = Path(self.api.coursedir.root)
        return misplaced(root, self.exam.assignment, self.submitted)

    def run_here(self, student: str) -> Result:
        """Grade the submission of one student in this process, and return its result."""
        if student in self.book.decisions.withdrawn:
            raise ClassroomError(_("{student} withdrew and is not graded", student=student))
        self.publisher.notebooks = False
        with self._reporting(student):
            task = self._task(student)
            self._take(Answer(task, self.settings.work(task.exam, task.files, items=None)))
        missing = _("there is no result")
        reasons = self.summary.refused | self.summary.failed
        result = self.store.result(student)
        if student in reasons or result is None:
            raise ClassroomError(f"{student}: {reasons.get(student, missing)}")
        return result

    def _students(self) -> list[str]:
        """Return the students of this run, who have a submission and did not withdraw."""
        found = []
        if self.submitted.is_dir():
            for folder in sorted(os.listdir(self.submitted)):
                if os.path.lexists(self.submitted / folder / self.exam.assignment):
                    found.append(folder)
        unknown = sorted(set(self.settings.students) - set(found))
        if not found or unknown:
            lost = self._misplaced()
            hints = [one.text for one in lost if not found or one.student == unknown[0]][:1]
            where = self.submitted / "STUDENT" / self.exam.assignment
            why = _("there are no submissions: they are expected in {folder}", folder=where)
            if found:
                why = _(
                    "{student!r} has not submitted {assignment}",
                    student=unknown[0],
                    assignment=self.exam.assignment,
                )
            raise ClassroomError("; ".join([why, *hints]))
        wanted = [name for name in found if name in (self.settings.students or found)]
        withdrawn = self.book.decisions.withdrawn
        for student in sorted(withdrawn.intersection(wanted)):
            self.progress.line(
                _(
                    "{student}: withdrew, so the marks are kept and not graded again",
                    student=student,
                )
            )
        return [name for name in wanted if name not in withdrawn]

    def _plan(self) -> list[tuple[str, tuple[str, ...] | None]]:
        """Return the students to grade, each with the items to grade or with None for all items.

        The results of all other students are recorded in the gradebook if they are missing there,
        because the last run may have been killed before it recorded them.
        """
        todo = []
        for student in self._students():
            with self._reporting(student):
                files, result = fingerprint(self._files(student)), self.store.result(student)
                if self.own is not None and not self.own.has_version(student):
                    self.progress.line(
                        _(
                            "{student}: no version was distributed to this student, so the "
                            "submission is graded by a new one",
                            student=student,
                        )
                    )
                items = self._asked(student, result, files)
                if items == () and result is not None:
                    self.summary.unchanged += 1
                    self._record(student, result, result.to_bytes())
                else:
                    todo.append((student, items))
        return todo

    def _asked(self, student: str, result: Result | None, files: str) -> tuple[str, ...] | None:
        """Return a student's items to grade in this run; None for the whole notebook.

        No items are returned if the submission is unchanged and no option asks to grade it again.
        In this case, if the assignment or the grader has changed since the result was made, the
        student is added to `older` of the summary.
        """
        settings = self.settings
        if result is None or settings.asked or superseded(result, files, settings):
            return self._stale(student, result, files)
        recorded = self.store.recorded(student).get("exam")
        # compare digests, because making a student's own exam (data for grading) takes long
        if self.own is not None and recorded is not None:
            current = recorded == self.own.digest(student) and not outdated(result, files, settings)
        else:
            current = self._stale(student, result, files) == ()
        if not current:
            self.summary.older.add(student)
        return ()

    def _stale(self, student: str, result: Result | None, files: str) -> tuple[str, ...] | None:
        """Return the result of `stale`, that is, which items of a submission to grade again.

        If the assignment has personal versions, the earlier result is compared with the exam (the
        data for grading) of this student instead of the exam for the whole class.
        """
        if self.own is None or result is None:
            return stale(result, self.exam, files, self.settings)
        same = (
            self.store.recorded(student).get("exam") == self.own.digest(student)
            and not outdated(result, files, self.settings)
            and not self.settings.force
        )
        return () if same else stale(result, self.own.exam(student), files, self.settings)

    def _files(self, student: str) -> dict[str, bytes]:
        """Return the submitted files of a student.

        Raises
        ------
        _RefusedError
            If the files cannot be read.
        """
        try:
            student_id(student)
            return read_submission(self.publisher.folder("submitted", student))
        except ValueError as error:
            why = _("the folder's name is no student id: {problem}", problem=error)
        except OSError:
            why = _(
                "its {assignment} is not a folder that can be read", assignment=self.exam.assignment
            )
        raise _RefusedError(why)

    def _task(self, student: str, items: tuple[str, ...] | None = None) -> Task:
        """Return the task that a worker gets to grade a student's submission.

        Raises
        ------
        _RefusedError, SourceError
            If the submitted files cannot be read (`_RefusedError`), or the data for grading this
            student cannot be made.
        """
        files = self._files(student)
        exam = self.data if self.own is None else self.own.exam(student).to_bytes()
        return Task(student, exam, files, items)

    @contextlib.contextmanager
    def _reporting(self, student: str) -> Iterator[None]:
        """Catch, count and print an error about a submission that the ``with`` block raises."""
        try:
            yield
            return
        except _RefusedError as error:
            outcome, reasons, why = "refused", self.summary.refused, str(error)
            line = _("{student}: refused: {reason}", student=student, reason=why)
        except (_FailedError, SourceError) as error:
            outcome, reasons, why = "failed", self.summary.failed, str(error)
            line = _("{student}: failed: {reason}", student=student, reason=why)
        reasons[student] = why
        self.progress.line(line)
        if self.progress.total:  # the total is 0 until `begin` starts the count
            self.progress.count(outcome)

    def _grade(self, todo: list[tuple[str, tuple[str, ...] | None]]) -> None:
        settings = self.settings

        def tasks() -> Iterator[Task]:
            for student, items in todo:
                with self._reporting(student):
                    yield self._task(student, items)

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
                # the sandbox itself ends a submission that takes too long, so only a worker that
                # hangs reaches this limit
                seconds=2 * BUSY * settings.limits.wall_seconds + 60,
                crew=crew,
                tick=self.progress.tick,
            ):
                self._take(answer)

    def _take(self, answer: Answer) -> None:
        """Store the result of a graded submission; update the gradebook and the student's pages."""
        student, task = answer.task.student, answer.task
        with self._reporting(student):
            if answer.result is None:
                raise _FailedError(answer.error)
            try:
                result = Result.from_bytes(answer.result)
                if result.submission != fingerprint(task.files):
                    raise ValueError(_("it belongs to another submission"))
                before = None if task.items is None else self.store.result(student)
                if before is not None:
                    # only some items were graded again, so the other items keep their earlier
                    # results
                    result = before.updated(result)
            except ValueError as error:
                why = _("the worker's result cannot be used: {problem}", problem=error)
                raise _FailedError(why) from None
            data = result.to_bytes()
            self.store.write_result(student, data)
            self.summary.graded += result.status == "graded"
            for notice in result.notices:
                if result.status == "graded" and notice.code not in _USUAL:
                    self.progress.line(f"{student}: {notice.text}")
            self._record(student, result, data)
            self.progress.count("graded")

    def _record(self, student: str, result: Result, data: bytes) -> None:
        """Write a student's result into the gradebook and feedback pages if it is missing there.

        Raises
        ------
        _RefusedError, _FailedError
            If no program can grade the submission (`_RefusedError`), or if the result cannot be
            written.
        """
        try:
            recorded = self.store.recorded(student)
            folder = self.publisher.folder("submitted", student)
            timestamp, wrong = read_timestamp(folder, home_of(self.book.api))
            if wrong:
                self.progress.line(f"{student}: {wrong}")
            fresh = recorded.get("submission") != result.submission
            standing = self.book.record(student, result, timestamp=timestamp, fresh=fresh)
            key = page_key(data, standing)
            now = recorded | {"submission": result.submission, "pages": key}
            now["refused"] = result.refusal
            older = student in self.summary.older
            if self.own is not None and not self.settings.items and not older:
                now["exam"] = self.own.digest(student)
            if recorded.get("pages") != key or not self.publisher.exists(student, result):
                self.publisher.write(result, standing)
                recorded = {}
            if recorded != now:
                self.store.write_recorded(student, now)
        except GradebookError:
            raise
        # catch errors of any class, so that one student's error does not end the run
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            why = _("graded, but not recorded: {problem}", problem=problem)
            raise _FailedError(why) from None
        if result.status != "graded":
            raise _RefusedError(result.refusal)


def add_parser(commands: Any) -> None:
    """Add the command ``grade`` to `commands`, which ``add_subparsers`` of argparse returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "grade",
        help=_("grade the submissions of an assignment"),
        description=_(
            "Grade COURSE/submitted/*/ASSIGNMENT in parallel, each in a sandbox. Submissions that "
            "were graded before and have not changed are skipped."
        ),
        epilog=_("Exit code: 0 all graded, 1 some refused or failed, 2 nothing could be graded."),
    )
    add_assignment(command)
    command.add_argument(
        "--workers",
        type=_at_least(1),
        metavar="N",
        help=_("processes on this machine (default: one per core)"),
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=_(
            "grade on a dask cluster, HOST:PORT or tcp://HOST:PORT, whose users must all be trusted"
        ),
    )
    command.add_argument(
        "--student",
        action="append",
        default=[],
        metavar="ID",
        help=_("grade only this student; repeatable"),
    )
    command.add_argument(
        "--item",
        action="append",
        default=[],
        metavar="NAME",
        help=_("if there is a result, grade only this item again; repeatable"),
    )
    command.add_argument(
        "--seed",
        type=_at_least(0),
        metavar="N",
        help=_(
            "draw the hidden inputs anew from this seed, and grade all again (default: the seed of "
            "the first run)"
        ),
    )
    command.add_argument(
        "--force", action="store_true", help=_("grade submissions that have not changed, too")
    )
    command.add_argument(
        "--upgrade",
        action="store_true",
        help=_(
            "grade again what an earlier version of the assignment or of dpteach has judged; "
            "without it such results stay"
        ),
    )
    command.add_argument(
        "--no-sandbox",
        action="store_true",
        help=_("grade without bubblewrap: students' code then runs with your rights"),
    )


def _at_least(least: int) -> Callable[[str], int]:
    """Return a converter for argparse that accepts only integers >= `least`."""

    def number(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            found = least - 1
        if found < least:
            raise argparse.ArgumentTypeError(
                _("must be an integer >= {least}, got {text!r}", least=least, text=text)
            )
        return found

    return number


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach grade``: grade, print the counts, and return the exit code."""
    settings = Settings(
        workers=told.workers,
        scheduler=told.scheduler,
        students=told.student,
        items=told.item,
        seed=told.seed,
        force=told.force,
        upgrade=told.upgrade,
        unsafe=told.no_sandbox,
    )
    if told.workers and told.scheduler is not None:
        problem = _("--workers and --scheduler exclude each other")
        print(f"dpteach grade: {problem}", file=sys.stderr)
        return NOT_DONE
    progress = Progress()
    try:
        with _ends_politely(progress):
            summary = grade_class(told.course, told.assignment, settings, progress)
    except ClassroomError as error:
        return refusal("grade", error)
    except KeyboardInterrupt:
        done = progress.counts.total()
        if told.force or told.upgrade:
            # tell the user to give the same option again, because without it the next run would
            # keep the old results that this run has not replaced yet
            text = _(
                "ended after {done} of {total}; nothing is lost, give {option} again",
                done=done,
                total=progress.total,
                option="--force" if told.force else "--upgrade",
            )
        else:
            text = _(
                "ended after {done} of {total}; nothing is lost, the next run goes on from here",
                done=done,
                total=progress.total,
            )
        print(f"dpteach grade: {text}", file=sys.stderr)
        return 130
    print(summary.text())
    return 1 if summary.refused or summary.failed else 0


@contextlib.contextmanager
def _ends_politely(progress: Progress) -> Iterator[None]:
    """End a run in the ``with`` block on Ctrl-C, on SIGTERM, and if its terminal is closed.

    The signal handler raises KeyboardInterrupt. If the signal arrives during a destructor or a
    library's callback, Python drops this exception and prints a traceback. Therefore the next call
    of ``progress.tick`` raises the exception again, and the traceback of the dropped one is not
    printed.
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
