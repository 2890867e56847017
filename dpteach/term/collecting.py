"""Submissions in a download from an LMS: their students, their times and their files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from dpteach._language import catalog
from dpteach.grading.core.harmless import printable
from dpteach.grading.submission.intake import MAX_FILES
from dpteach.term.lms import SYSTEMS, moodle, plain
from dpteach.term.lms.archive import FILE_BYTES, Member, Report, content, is_junk, is_zip, unpacked
from dpteach.term.lms.system import Known, Submitted, System
from dpteach.term.lms.table import TableError, read_date, read_table

_, _n = catalog("term")

#: names of files that nbgrader or the release puts beside a notebook, for example for the time of
#: submission. If a student submits a file with such a name, the file is left out
RESERVED: Final = ("timestamp.txt", "checks.json", "versions.json", "feedback_info.txt")


class Facts(NamedTuple):
    """What an LMS says about the submission of one student, as the log keeps it.

    Attributes
    ----------
    time
        When the student submitted, as YYYY-MM-DD HH:MM:SS in UTC, or "" if the LMS does not say.
    order
        A number that is larger for later submissions, or 0 if the LMS gives none.
    downloaded
        When the submission was downloaded, according to the archive, or "".
    late
        Whether the LMS marks the submission as late.
    place
        The part of a file's path by which the LMS finds the student when it imports feedback.
    participant
        The number that Moodle gives the student for the assignment, or "".
    form
        The name of the LMS, such as ``"canvas"``.
    """

    time: str = ""
    order: int = 0
    downloaded: str = ""
    late: bool = False
    place: str = ""
    participant: str = ""
    form: str = ""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Facts:
        """Return the facts in JSON data of the log; ignore keys that newer versions may add."""
        return cls(**{name: data[name] for name in cls._fields if name in data})

    def is_later(self, other: Facts) -> bool | None:
        """Return whether this submission is later than another; None if the facts do not tell."""
        if self.time and other.time:
            return self.time > other.time
        if self.order and other.order:
            return self.order > other.order
        known = self.downloaded and other.downloaded
        return self.downloaded > other.downloaded if known else None

    def after(self, said: Submitted, member: Member, system: System) -> Facts:
        """Return these facts, updated by the path and time of one more file of the submission."""
        place = self.place if self.place and said.order <= self.order else said.place
        order, downloaded = max(self.order, said.order), max(self.downloaded, member.time)
        number = dict(said.who).get("moodle_participant", "")
        late = self.late or said.late
        return Facts(said.time, order, downloaded, late, place, number, system.name)


@dataclass
class Attempt:
    """One submission of a student in a download.

    Attributes
    ----------
    source
        The name of the download.
    files
        For each file, the student and other facts that its path tells, and the file itself.
    facts
        What the LMS says about the submission.
    """

    source: str
    files: list[tuple[Submitted, Member]] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)


@dataclass
class Sheet:
    """What Moodle's grading worksheets and tables of submission times say about a term's students.

    Attributes
    ----------
    known
        The people of the term.
    report
        The list to which problems with rows of these files are added.
    name
        The file name of the copy of the latest grading worksheet in the term's folder, or ""
        without a worksheet.
    times
        By student, the time of submission in the time zone of the LMS, or "".
    participants
        The ids of students by the numbers that Moodle gives them for the assignment in the files.
    """

    known: Known
    report: Report
    name: str = ""
    times: dict[str, str] = field(default_factory=dict)
    participants: dict[str, str] = field(default_factory=dict)

    def read(self, data: bytes, name: str) -> bool:
        """Read Moodle's grading worksheet or a table of submission times.

        Return False if the file is neither of them, else True.

        Parameters
        ----------
        data
            The bytes of the file.
        name
            The file name of the copy of this file in the term's folder.
        """
        try:
            table = read_table(data)
        except TableError:
            return False
        of_moodle = moodle.is_worksheet(table)
        if not of_moodle and not plain.is_times(table):
            return False
        system = moodle.SYSTEM if of_moodle else plain.SYSTEM
        self.name = name if of_moodle else self.name
        columns = moodle.SUBMITTED if of_moodle else plain.SUBMITTED, moodle.IDENTIFIER, "status"
        for row in table.rows:
            when, number, status = (table.cell(row, name) for name in columns)
            student = self.known.row(system, table, row)
            if student is None:
                who = ", ".join(filter(None, row[:3]))
                self.report.note(who, _("no student of the roster, or several"))
                continue
            if of_moodle:
                self.participants[moodle.participant(number)] = student
            if status.startswith("Draft"):
                told = _("is a draft in Moodle, which the student has not submitted")
                self.report.note(student, told)
            try:
                self.times[student] = read_date(when)
            except ValueError:
                told = _("the time {time!r} is not understood", time=when[:60])
                self.report.note(student, told)
        return True


def layout_of(paths: Sequence[str]) -> System:
    """Return the LMS in whose form at least half of the files are named, or `plain` if none fits.

    Examples
    --------
    >>> layout_of(["berganna_11_77_small.ipynb"]).name, layout_of(["anna/small.ipynb"]).name
    ('canvas', 'plain')
    """

    def share(name: str) -> float:
        found = sum(SYSTEMS[name].submitted(path) is not None for path in paths)
        return found / max(1, len(paths))

    best = max(("moodle", "blackboard", "canvas"), key=share)
    return SYSTEMS[best if share(best) >= 0.5 else "plain"]


def attempts_of(
    source: str, files: Sequence[Member], system: System, sheet: Sheet
) -> dict[str, list[Attempt]]:
    """Return, by student, the list of the student's submissions in a download.

    A file that cannot be assigned to a student of the term by its name is reported.

    Parameters
    ----------
    source
        The name of the download.
    files, system
        The files of the download, and the LMS that named them.
    sheet
        What Moodle's grading worksheet and tables of submission times say about the students.
    """
    found: dict[str, dict[str, Attempt]] = {}
    for member in files:
        said = system.submitted(member.path)
        if said is None:
            told = _("its name is not of the form that {system} gives", system=system.title)
            sheet.report.note(member.path, told)
            continue
        number = dict(said.who).get("moodle_participant", "")
        student = sheet.participants.get(number) or sheet.known.find(said.who)
        if student is None:
            sheet.report.note(member.path, _nobody(said, sheet.known))
            continue
        attempt = found.setdefault(student, {}).setdefault(said.time, Attempt(source))
        attempt.files.append((said, member))
        attempt.facts = attempt.facts.after(said, member, system)
    return {student: list(attempts.values()) for student, attempts in found.items()}


def _nobody(said: Submitted, known: Known) -> str:
    """Return why a file in a download cannot be assigned to a student."""
    if not said.who:
        return _("the system hides whose it is, because grading is anonymous there")
    if any(known.all(*one) for one in said.who):
        return _("several students are called so: name the grading worksheet of Moodle, too")
    return _("no student of the roster is called so")


def latest(attempts: Sequence[Attempt]) -> Attempt:
    """Return the latest of a student's attempts, or the first if nothing tells their order."""
    best = attempts[0]
    for one in attempts[1:]:
        best = one if one.facts.is_later(best.facts) else best
    return best


def original(name: str, assignment: str, student: str) -> str:
    """Return the name of a notebook without what Canvas or an instructor has added to it.

    Canvas adds a number to the names of later attempts. An instructor who collects a single
    file writes the student's id before its name.

    Examples
    --------
    >>> original("small-2.ipynb", "small", "anna"), original("anna_small.ipynb", "small", "anna")
    ('small.ipynb', 'small.ipynb')
    >>> original("mine-2.ipynb", "small", "anna"), original("bob_small.ipynb", "small", "anna")
    ('mine-2.ipynb', 'bob_small.ipynb')
    """
    before, own = rf"(?i:{re.escape(student)}_)?", re.escape(assignment)
    return re.sub(rf"^{before}({own})(?:-\d+)?(\.ipynb)$", r"\1\2", name)


def contents(attempt: Attempt, assignment: str, student: str, report: Report) -> dict[str, bytes]:
    """Return the files of a submission as the grader gets them: their bytes by file name.

    Archives are unpacked, and the folders in them are dropped from the names of their files. Files
    that are empty, too large or unreadable are reported.
    """
    found: dict[str, bytes] = {}
    own = [one for one in attempt.files if not one[0].receipt]
    for said, member in own or attempt.files:
        data = content(member, report)
        if data is None:
            continue
        inner = unpacked(data, member.path, report) if is_zip(data) else {}
        for path, part in (inner or {said.name: data}).items():
            _take(found, path, part, f"{member.path}/{path}" if inner else member.path, report)
    if len(found) > MAX_FILES:
        first = sorted(found, key=lambda name: not name.endswith(".ipynb"))[:MAX_FILES]
        told = _("only {most} of its files were taken", most=MAX_FILES)
        report.note(attempt.files[0][1].path, told)
        found = {name: found[name] for name in first}
    notebooks = [name for name in found if name.casefold().endswith(".ipynb")]
    if attempt.facts.form in ("canvas", "plain") and len(notebooks) == 1:
        found[original(notebooks[0], assignment, student)] = found.pop(notebooks[0])
    return found


def _take(found: dict[str, bytes], path: str, data: bytes, where: str, report: Report) -> None:
    """Add a file to `found`; if its name is already in `found`, add a number to the name.

    Hidden files, files with reserved names, and large files are left out. But a large notebook is
    added, so that the grader can tell the student why it is not graded.
    """
    name = printable(path.rpartition("/")[2]).replace("\\", "_") or "file"
    name = name.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore")
    large, is_notebook = len(data) >= FILE_BYTES, name.casefold().endswith(".ipynb")
    if is_junk(name):
        return
    if name.casefold() in RESERVED:
        report.note(where, _("left out, because the grader has a file of that name"))
        return
    if large:
        report.note(where, _("is larger than {most} MB", most=FILE_BYTES // 1_000_000))
    elif not data:
        report.note(where, _("is empty"))
    if is_notebook or not large:
        stem, dot, ending = name.rpartition(".")
        names = [name, *(f"{stem}-{number}{dot}{ending}" for number in range(2, len(found) + 3))]
        found[next(one for one in names if one not in found)] = data
