"""``dpteach term collect``: give the grader the submissions that were downloaded from an LMS.

The command keeps a copy of each download. It writes the latest submission of each student to
``submitted/STUDENT/NAME``, never replaces a later submission by an earlier one, and moves replaced
submissions to ``.term/replaced``. (An LMS is a learning management system, such as Canvas.)
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.course.folder import check_assignment, settings_of
from dpteach.grading.course.gradebook import read_timestamp
from dpteach.grading.course.store import Store
from dpteach.grading.course.times import read_time
from dpteach.term import collecting
from dpteach.term.collecting import RESERVED, Attempt, Facts, Sheet, layout_of
from dpteach.term.deciding import Decision, DecisionError, Term, add_names, decide
from dpteach.term.lms import SYSTEMS, archive
from dpteach.term.lms.archive import ArchiveError, Report, keep, kept_name
from dpteach.term.lms.system import Known
from dpteach.term.log import FOLDER, Log
from dpteach.term.roster import add_system

_, _n = catalog("term")

#: the subfolder of the term's folder for submissions that later submissions have replaced
REPLACED: Final = "replaced"

#: the subfolder of ``submitted`` in which the files of one submission are written, before its
#: folder is moved into place
_NEW: Final = ".collecting"

#: the file of a submission that tells the grader the time at which the student submitted
_TIME: Final = RESERVED[0]


def recorded(log: Log, assignment: str) -> dict[str, Facts]:
    """Return, by student, the LMS's facts about the latest logged submission of an assignment."""
    found: dict[str, Facts] = {}
    for event in log.events():
        if event.kind == "collected" and event.data.get("assignment") == assignment:
            found |= {who: Facts.read(data) for who, data in event.data["students"].items()}
    return found


class Collector:
    """One run of ``dpteach term collect``, which takes submissions of one assignment.

    Parameters
    ----------
    told
        The arguments of the command.

    Attributes
    ----------
    done
        The ids of students in three lists: ``"new"`` if they had no submission before,
        ``"replaced"`` if an earlier submission was replaced, ``"unchanged"`` if the same submission
        was taken before.
    facts
        By student, what the LMS says about the submission that is now in ``submitted``.
    lines
        The sentences to print about students and downloads.
    report
        The submissions and files that were not taken, with reasons.
    """

    def __init__(self, term: Term, told: argparse.Namespace) -> None:
        self.term, self.told = term, told
        settings = settings_of(term.root)
        self.home: str | None = settings.get("Exchange", {}).get("timezone")
        directory = settings.get("CourseDirectory", {}).get("submitted_directory", "submitted")
        self.submitted = term.root / directory
        self.before = recorded(term.log, told.assignment)
        self.done: dict[str, list[str]] = {"new": [], "replaced": [], "unchanged": []}
        self.facts: dict[str, Facts] = {}
        self.lines: list[str] = []
        self.report = Report()

    def utc(self, time: str) -> str:
        """Convert a time that an LMS wrote in the time zone of the course to UTC.

        Return "" for "", and for a time that cannot be read, which is reported.
        """
        try:
            return str(read_time(f"{time} {self.home or 'UTC'}", self.home)) if time else ""
        except ValueError as error:
            self.report.problems.append(str(error))
            return ""

    def take(self, student: str, attempts: Sequence[Attempt], time: str) -> None:
        """Put the latest of a student's attempts into the folder from which the grader reads.

        Parameters
        ----------
        time
            The student's time of submission according to a table that the user gave, or "". It is
            used for attempts to which the LMS gave no time.
        """
        for one in attempts:
            one.facts = one.facts._replace(time=self.utc(one.facts.time or time))
        best = collecting.latest(attempts)
        for one in attempts:
            if one is not best:
                text = _("{who}: an earlier attempt stays in {file}", who=student, file=one.source)
                self.lines.append(text)
        files = collecting.contents(best, self.told.assignment, student, self.report)
        if not files:
            self.report.note(student, _("nothing of the submission could be read"))
            return
        if best.facts.time:
            files[_TIME] = f"{best.facts.time} UTC\n".encode()
        self._place(student, files, best.facts)

    def _place(self, student: str, files: Mapping[str, bytes], facts: Facts) -> None:
        """Write a student's submission, unless an existing one must not be replaced."""
        folder = self.submitted / student / self.told.assignment
        there = _files(folder)
        before = self.before.get(student, Facts())
        # if the new file did not come from the LMS, it lacks the data by which the LMS finds the
        # student, so keep those of the earlier submission
        number = facts.participant or before.participant
        facts = facts._replace(place=facts.place or before.place, participant=number)
        same = there is not None and _answers(there) == _answers(files)
        if there is None:
            what = "new"
        elif same and files.get(_TIME) in (None, there.get(_TIME)):
            what = "unchanged"
            facts = facts._replace(time=facts.time or before.time)
        elif why := self._must_stay(student, facts, before, same):
            self.report.note(student, _("not replaced: {reason}", reason=why))
            return
        else:
            what = "replaced"
        self.done[what].append(student)
        self.facts[student] = facts
        if what != "unchanged" and not self.told.dry_run:
            self._write(folder, files, student)

    def _must_stay(self, student: str, facts: Facts, before: Facts, same: bool) -> str:
        """Return why a student's present submission must stay, or "" if it may be replaced.

        Parameters
        ----------
        facts, before
            What the LMS says about the new and about the present submission.
        same
            Whether both have the same files.
        """
        if not before.time:
            found = read_timestamp(self.submitted / student / self.told.assignment, self.home)[0]
            before = before._replace(time=str(found or ""))
        later = (same and not before.time) or facts.is_later(before)
        if later is False:
            return _("it is not later than the one that is there")
        graded = Store(self.term.root, self.told.assignment).file("results", student).exists()
        if graded and not self.told.yes:
            return _("it is graded already: add --yes to replace it")
        if later is None and not self.told.yes:
            return _("nothing says which of the two is later: add --yes to replace it")
        return ""

    def _write(self, folder: Path, files: Mapping[str, bytes], student: str) -> None:
        """Write a submission to its folder; move an earlier one to ``.term/replaced``."""
        new = self.submitted / _NEW / "in progress"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        for name, data in files.items():
            (new / name).write_bytes(data)
        folder.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(folder):
            now = datetime.now(UTC).strftime("%Y-%m-%d-%H-%M-%S-%f")
            old = self.term.root / FOLDER / REPLACED / self.told.assignment / student / now
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(folder, old)
        os.rename(new, folder)

    def take_all(self, stack: contextlib.ExitStack) -> dict[str, Any]:
        """Collect the submissions in the given files; return the data to log about them."""
        state, report = self.term.state, self.report
        sheet = Sheet(Known(state.people.values()), report)
        names, archives = [], []
        for path in self.told.files:
            names.append(kept_name(path) if self.told.dry_run else keep(self.term.log, path))
            zipped = archive.is_archive(path)
            if zipped or not sheet.read(path.read_bytes(), names[-1]):
                members = stack.enter_context(archive.opened(path, report, archive.MOST_FILES))
                archives.append((names[-1], members))
        found: dict[str, list[Attempt]] = {}
        for name, members in archives:
            system = SYSTEMS.get(self.told.system) or layout_of([one.path for one in members])
            self.lines.append(_("{file}: a download of {system}", file=name, system=system.title))
            for student, attempts in collecting.attempts_of(name, members, system, sheet).items():
                found.setdefault(student, []).extend(attempts)
        for student in sorted(found):
            if student in state.withdrawn:
                report.note(student, _("has withdrawn, so the submission was not taken"))
                continue
            try:
                self.take(student, found[student], sheet.times.get(student, ""))
            except ArchiveError as error:
                report.note(student, str(error))
                break
        for number, student in sheet.participants.items():
            facts = self.facts.get(student, self.before.get(student, Facts()))
            self.facts[student] = facts._replace(participant=number, form="moodle")
        data = {"assignment": self.told.assignment, "files": names, "worksheet": sheet.name}
        return data | {"students": {who: one._asdict() for who, one in sorted(self.facts.items())}}

    def told_lines(self) -> Iterator[str]:
        """Yield sentences on which submissions were taken or replaced, and which are missing."""
        yield from self.lines
        new, old, same = (len(students) for students in self.done.values())
        yield _("{new} new, {old} replaced, {same} unchanged", new=new, old=old, same=same)
        if self.done["replaced"]:
            yield _("replaced: {students}", students=", ".join(self.done["replaced"]))
        if any(facts.time for facts in self.facts.values()):
            yield _("times were read as {zone}", zone=self.home or "UTC")
        if late := ", ".join(who for who, one in self.facts.items() if one.late and not one.time):
            yield _("LATE without a time, so in time until a table tells it: {who}", who=late)
        there = self.submitted.glob(f"*/{self.told.assignment}")
        missing = self.term.state.people.keys() - {path.parent.name for path in there}
        missing -= {*self.done["new"], *self.term.state.withdrawn}
        if missing:
            yield _("nothing was submitted by: {students}", students=", ".join(sorted(missing)))


def _files(folder: Path) -> dict[str, bytes] | None:
    """Return the content of each file in a folder by name; None if nothing has this path.

    A link or a file in place of the folder gives {}.
    """
    if not folder.is_dir() or folder.is_symlink():
        return {} if os.path.lexists(folder) else None
    files = (path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files}


def _answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the student's own files of a submission, without those for the grader (`RESERVED`)."""
    return {name: data for name, data in files.items() if name not in RESERVED}


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of ``dpteach term collect``."""
    command.description = _(
        "Read the submissions of an assignment from the archive that Canvas, Moodle or Blackboard "
        "offers for download, with Moodle's grading worksheet if there is one, and put each into "
        "submitted/STUDENT/NAME. Of several attempts, the latest counts. A single file has a name "
        "that begins with the student's id, as in anna_small.ipynb."
    )
    add_names(command, "assignment")
    text = _("the archive, a worksheet, or a single submitted file")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help=text)
    add_system(command)
    text = _("replace submissions that are graded already")
    command.add_argument("--yes", action="store_true", help=text)


def run(told: argparse.Namespace) -> int:
    """Collect the submissions; return the exit code."""
    return decide(told, _collected)


def _collected(term: Term, told: argparse.Namespace) -> Decision:
    check_assignment(term.root, told.assignment)
    if not term.state.people:
        raise DecisionError(_("the term has no students yet: use dpteach term roster first"))
    collector = Collector(term, told)
    with contextlib.ExitStack() as stack:
        data = collector.take_all(stack)
    shutil.rmtree(collector.submitted / _NEW, ignore_errors=True)
    return Decision("collected", data, {}, [*collector.told_lines()], collector.report.problems)
