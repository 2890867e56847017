"""``dpteach term collect``: submissions from a learning management system, ready to be graded.

A download is kept as it came. What counts of it goes to ``submitted/STUDENT/NAME``, where nothing
is overwritten by an earlier submission, and what is replaced is moved to the term's data.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import check_assignment, settings_of
from dpteach.grading.course.gradebook import read_timestamp
from dpteach.grading.course.store import Store
from dpteach.grading.course.times import read_time
from dpteach.term.collecting import (
    RESERVED,
    Attempt,
    Facts,
    Worksheet,
    attempts_of,
    check_ids,
    contents,
    is_worksheet,
    latest,
    read_facts,
    read_worksheet,
)
from dpteach.term.deciding import ERRORS, DecisionError, Term, account, add_decision
from dpteach.term.lms.archive import ArchiveError, Member, Report, is_zip, opened
from dpteach.term.lms.downloads import downloads, keep, kept_name, packed
from dpteach.term.lms.registry import SYSTEMS, layout_of
from dpteach.term.lms.system import Known, Submitted
from dpteach.term.lms.table import TableError, read_table
from dpteach.term.log import FOLDER, Log

_, _n = catalog("term")

#: the folder for submissions that a later one replaced, in that of the term
REPLACED: Final = "replaced"

#: where a submission is put together, in the folder of all submissions
_NEW: Final = ".collecting"

_TIME: Final = "timestamp.txt"


@dataclass
class Outcome:
    """What a run did with each student's submission.

    Attributes
    ----------
    new, replaced, unchanged
        The students by what happened.
    kept
        Why the submission that was there stays, by student.
    facts
        What the system says, by student whose submission is there now.
    """

    new: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Facts] = field(default_factory=dict)
    earlier: list[str] = field(default_factory=list)


def recorded(log: Log, assignment: str) -> dict[str, Facts]:
    """Return what the systems said about the submissions of an assignment, by student."""
    found: dict[str, Facts] = {}
    for event in log.events():
        if event.kind == "collected" and event.data.get("assignment") == assignment:
            found |= {who: read_facts(data) for who, data in event.data["students"].items()}
    return found


class Collector:
    """The folders into which the submissions of an assignment go.

    Parameters
    ----------
    term
        The term.
    assignment
        The name of the assignment.
    yes
        Whether graded submissions may be replaced.
    dry_run
        Whether to change nothing.
    """

    def __init__(self, term: Term, assignment: str, *, yes: bool, dry_run: bool) -> None:
        self.term, self.assignment, self.yes, self.dry_run = term, assignment, yes, dry_run
        settings = settings_of(term.root)
        self.home: str | None = settings.get("Exchange", {}).get("timezone")
        name = settings.get("CourseDirectory", {}).get("submitted_directory", "submitted")
        self.submitted = term.root / name
        self.store = Store(term.root, assignment)
        self.before = recorded(term.log, assignment)
        self.outcome = Outcome()
        self.report = Report()

    def utc(self, time: str) -> str:
        """Return a time of the system in UTC."""
        try:
            return str(read_time(f"{time} {self.home or 'UTC'}", self.home)) if time else ""
        except ValueError as error:
            self.report.problems.append(str(error))
            return ""

    def take(self, student: str, attempts: Sequence[Attempt], time: str = "") -> None:
        """Put the latest submission of a student where the grader expects it.

        Parameters
        ----------
        time
            When it was submitted, as a worksheet says, in UTC.
        """
        for one in attempts:
            one.facts = replace(one.facts, time=self.utc(one.facts.time) or time)
        best = latest(attempts)
        if len(attempts) > 1:
            told = _n(
                "{student}: one earlier attempt stays in {source}",
                "{student}: {count} earlier attempts stay in {source}",
                len(attempts) - 1,
                student=student,
                source=", ".join(dict.fromkeys(one.source for one in attempts if one is not best)),
            )
            self.outcome.earlier.append(told)
        files = contents(best, self.assignment, self.report)
        if not files:
            self.report.note(student, _("nothing of the submission could be read"))
            return
        if best.facts.time:
            files[_TIME] = f"{best.facts.time} UTC\n".encode()
        self._place(student, files, best.facts)

    def _place(self, student: str, files: Mapping[str, bytes], facts: Facts) -> None:
        """Write the files of a student, unless a submission is there that must stay."""
        folder = self.submitted / student / self.assignment
        there = _files(folder)
        outcome = self.outcome
        before = self.before.get(student, Facts())
        if there is not None and _is_same(there, files):
            outcome.unchanged.append(student)
            facts = replace(facts, time=facts.time or before.time)
        elif why := self._must_stay(student, files, facts, there) if there is not None else "":
            outcome.kept[student] = why
            return
        else:
            (outcome.new if there is None else outcome.replaced).append(student)
            if not self.dry_run:
                self._write(folder, files, student)
        outcome.facts[student] = facts

    def _must_stay(
        self, student: str, files: Mapping[str, bytes], facts: Facts, there: Mapping[str, bytes]
    ) -> str:
        """Return why the submission that is there stays, or "" if it may be replaced."""
        before = self.before.get(student, Facts())
        if not before.time:
            folder = self.submitted / student / self.assignment
            found = read_timestamp(folder, self.home)[0]
            before = replace(before, time="" if found is None else str(found))
        timed = not before.time and _answers(files) == _answers(there)
        later = True if timed else facts.is_later(before)
        if later is False:
            return _("it is not later than the one that is there")
        if self.yes:
            return ""
        if self.store.file("results", student).exists():
            return _("it is graded already: add --yes to replace it")
        if later is None:
            return _("nothing says which of the two is later: add --yes to replace it")
        return ""

    def _write(self, folder: Path, files: Mapping[str, bytes], student: str) -> None:
        """Put a folder in the place of another one, which is moved to the term's data."""
        new = self.submitted / _NEW / "new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        for name, data in files.items():
            (new / name).write_bytes(data)
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.is_symlink() or folder.exists():
            now = datetime.now(UTC).strftime("%Y-%m-%d-%H-%M-%S-%f")
            old = self.term.root / FOLDER / REPLACED / self.assignment / student / now
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(folder, old)
        os.rename(new, folder)


def _files(folder: Path) -> dict[str, bytes] | None:
    """Return the files of a folder by name; None if there is no folder."""
    if not folder.is_dir() or folder.is_symlink():
        return {} if os.path.lexists(folder) else None
    plain_files = (path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in plain_files}


def _is_same(there: Mapping[str, bytes], files: Mapping[str, bytes]) -> bool:
    """Whether files are those that are there, and say nothing new about their time."""
    time = files.get(_TIME)
    return _answers(there) == _answers(files) and time in (None, there.get(_TIME))


def _answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that the student made."""
    return {name: data for name, data in files.items() if name not in RESERVED}


@dataclass
class Sources:
    """The files that were named: downloads, worksheets, and files of one student."""

    archives: list[tuple[str, Path]] = field(default_factory=list)
    worksheets: list[tuple[str, Worksheet]] = field(default_factory=list)


def sort_files(
    term: Term, files: Sequence[Path], folder: Path, known: Known, *, dry_run: bool
) -> Sources:
    """Keep the named files, and tell worksheets from downloads.

    Parameters
    ----------
    folder
        A folder for folders that are packed.
    known
        The people of the term.

    Raises
    ------
    DecisionError
        If a file is neither.
    """
    found = Sources()
    for path in files:
        if path.is_dir():
            path = packed(path, folder / f"{path.name}.zip")
        with open(path, "rb") as file:
            zipped = is_zip(file.read(4))
        worksheet = None
        if not zipped:
            try:
                table = read_table(path.read_bytes())
                worksheet = read_worksheet(table, known) if is_worksheet(table) else None
            except TableError:
                pass
            if worksheet is None:
                raise DecisionError(
                    _(
                        "{file} is neither a zip file, nor a folder, nor a grading worksheet: name "
                        "the student of a single file by --student",
                        file=path,
                    )
                )
        name = kept_name(path) if dry_run else keep(term.root, path)
        if worksheet is not None:
            found.worksheets.append((name, worksheet))
        else:
            found.archives.append((name, path if dry_run else downloads(term.root) / name))
    return found


def add_parser(commands: Any) -> None:
    """Add the command ``collect`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "collect",
        help=_("put the submissions that an LMS lets you download where they are graded"),
        description=_(
            "Read the submissions of an assignment from the archive that Canvas, Moodle or "
            "Blackboard offers for download, with Moodle's grading worksheet if there is one, and "
            "put each into submitted/STUDENT/NAME. Of several attempts, the latest counts. Nothing "
            "is overwritten by an earlier submission; what is graded already is replaced only with "
            "--yes."
        ),
    )
    command.add_argument("assignment", metavar="NAME", help=_("the name of the assignment"))
    command.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help=_("the archive or its unpacked folder, a worksheet, or with --student a file"),
    )
    command.add_argument(
        "--from",
        dest="system",
        choices=SYSTEMS,
        help=_("where the archive came from (default: recognized by the names in it)"),
    )
    command.add_argument(
        "--student", metavar="ID", help=_("the files are the submission of this student")
    )
    command.add_argument(
        "--at",
        default="",
        metavar="TIME",
        help=_("with --student: when it was submitted, as in '2026-12-05 20:30 CET'"),
    )
    command.add_argument(
        "--yes", action="store_true", help=_("replace submissions that are graded already")
    )
    add_decision(command)


def run(told: argparse.Namespace) -> int:
    """Collect the submissions; return the exit code."""
    try:
        term = Term(told.course)
        check_assignment(term.root, told.assignment)
        if not term.state.people and not told.student:
            raise DecisionError(
                _("the term has no students yet: read a roster first, by dpteach term roster FILE")
            )
        collector = Collector(term, told.assignment, yes=told.yes, dry_run=told.dry_run)
        with contextlib.ExitStack() as stack:
            if not told.dry_run:
                stack.enter_context(term.log.locked())
            data = _collected(collector, told, stack)
            shutil.rmtree(collector.submitted / _NEW, ignore_errors=True)
            after = collector.outcome.facts
            if not told.dry_run and {**collector.before, **after} != collector.before:
                term.log.add("collected", data, who=told.by or account(), why=told.why)
    except (*ERRORS, ArchiveError) as error:
        return refusal("term collect", error)
    for line in _told(collector, term, told):
        print(printable(line))
    return int(bool(collector.report.problems or collector.outcome.kept))


def _collected(
    collector: Collector, told: argparse.Namespace, stack: contextlib.ExitStack
) -> dict[str, Any]:
    """Take all submissions, and return the data of the event."""
    term = collector.term
    if told.student:
        names = _one(collector, told)
        worksheets: list[tuple[str, Worksheet]] = []
    else:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        known = Known(term.state.people.values())
        sources = sort_files(term, told.files, folder, known, dry_run=told.dry_run)
        worksheets = sources.worksheets
        names = [name for name, _path in sources.archives]
        _all(collector, told, sources, known, stack)
    return {
        "assignment": told.assignment,
        "files": names,
        "worksheet": worksheets[-1][0] if worksheets else "",
        "students": {who: asdict(facts) for who, facts in sorted(collector.outcome.facts.items())},
    }


def _one(collector: Collector, told: argparse.Namespace) -> list[str]:
    """Take the submission of one student, and return the names under which it is kept."""
    term = collector.term
    student = term.check_student(told.student)
    time = str(term.time("--at", told.at)) if told.at else ""
    names = [kept_name(path) if told.dry_run else keep(term.root, path) for path in told.files]
    attempt = Attempt(", ".join(names), facts=Facts(time=time, form="plain"))
    for path in told.files:
        said = SYSTEMS["canvas"].submitted(path.name) or Submitted((), path.name)
        attempt.files.append((said, Member(path.name, None, _reader(path))))
        order = max(attempt.facts.order, said.order)
        attempt.facts = replace(
            attempt.facts, order=order, place=said.place, form="canvas" if said.order else "plain"
        )
    collector.home = None  # the time is in UTC already
    collector.take(student, [attempt])
    return names


def _reader(path: Path) -> Any:
    def read(most: int) -> bytes:
        with open(path, "rb") as file:
            return file.read(most)

    return read


def _all(
    collector: Collector,
    told: argparse.Namespace,
    sources: Sources,
    known: Known,
    stack: contextlib.ExitStack,
) -> None:
    """Take the submissions in all archives."""
    report, withdrawn = collector.report, collector.term.state.withdrawn
    participants: dict[str, str] = {}
    times: dict[str, str] = {}
    for _name, sheet in sources.worksheets:
        participants |= {number: student for student, number in sheet.participants.items()}
        times |= sheet.times
        report.problems += sheet.problems
        for student in sheet.drafts:
            report.note(student, _("is a draft in Moodle, which the student has not submitted"))
    found: dict[str, list[Attempt]] = {}
    for name, path in sources.archives:
        members = stack.enter_context(opened(path, report))
        system = SYSTEMS[told.system] if told.system else layout_of([one.path for one in members])
        shown = name.partition("-")[2]
        read = _("{file} was read as a download of {system}", file=shown, system=system.title)
        print(printable(read))
        for student, attempts in attempts_of(
            name, members, system, known, participants, report
        ).items():
            found.setdefault(student, []).extend(attempts)
    check_ids(found)
    for student in sorted(found):
        if student in withdrawn:
            report.note(student, _("has withdrawn, so the submission was not taken"))
            continue
        try:
            collector.take(student, found[student], collector.utc(times.get(student, "")))
        except ArchiveError as error:
            report.note(student, str(error))
            break
    numbers = {student: number for number, student in participants.items()}
    for student, number in numbers.items():
        facts = collector.outcome.facts.get(student) or collector.before.get(student) or Facts()
        collector.outcome.facts[student] = replace(facts, participant=number, form="moodle")


def _told(collector: Collector, term: Term, told: argparse.Namespace) -> Iterator[str]:
    """Yield what happened, a sentence each."""
    outcome, people = collector.outcome, term.state.people
    for text, students in (
        (_("new"), outcome.new),
        (_("replaced by a later attempt"), outcome.replaced),
        (_("unchanged"), outcome.unchanged),
    ):
        if students:
            yield _n("one {what}", "{count} {what}", len(students), what=text)
    if outcome.replaced:
        yield _("replaced: {students}", students=", ".join(outcome.replaced))
    yield from outcome.earlier
    late = [who for who, facts in outcome.facts.items() if facts.late and not facts.time]
    if late:
        yield _(
            "marked as late without a time, so they count as submitted in time until a table with "
            "the columns id and submitted tells it: {students}",
            students=", ".join(late),
        )
    if any(facts.time for facts in outcome.facts.values()) and not told.student:
        yield _("times were read as {zone}", zone=collector.home or "UTC")
    for student, why in outcome.kept.items():
        yield _("{student}: not replaced: {reason}", student=student, reason=why)
    for problem in collector.report.problems:
        yield _("problem: {problem}", problem=problem)
    missing = sorted(people.keys() - term.state.withdrawn - _there(collector))
    if missing and not told.student:
        yield _n(
            "{students} has submitted nothing",
            "{count} students have submitted nothing: {students}",
            len(missing),
            students=", ".join(missing),
        )
    if told.dry_run:
        yield _("nothing was changed, because of --dry-run")


def _there(collector: Collector) -> set[str]:
    """Return the students who have a submission now, or would have without ``--dry-run``."""
    found = {path.parent.name for path in collector.submitted.glob(f"*/{collector.assignment}")}
    return found | set(collector.outcome.new)
