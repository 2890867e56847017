"""What a download of submissions says about each student, and what of it the grader gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from dpteach._language import catalog
from dpteach.grading.core.harmless import printable
from dpteach.grading.submission.intake import MAX_FILES
from dpteach.term.lms import canvas, moodle, plain
from dpteach.term.lms.archive import FILE_BYTES, Member, Report, content, is_junk, is_zip, unpacked
from dpteach.term.lms.system import Known, Submitted, System
from dpteach.term.lms.table import TableError, read_date, read_table

_, _n = catalog("term")

#: files by which the grader learns something, and which no student may submit
RESERVED: Final = ("timestamp.txt", "checks.json", "versions.json", "feedback_info.txt")


class Facts(NamedTuple):
    """What a system says about the submission of a student, as the log keeps it.

    Attributes
    ----------
    time
        When it was submitted, as YYYY-MM-DD HH:MM:SS in UTC, or "" if the system does not say so.
    order
        A number that is larger for a later submission, or 0.
    downloaded
        When it was downloaded, as the archive says, or "".
    late
        Whether the system marks it as late.
    place
        The part of a name by which the system finds the student when feedback comes back.
    participant
        The number of the student in this assignment, in Moodle.
    form
        The name of the system.
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
        """Return the facts in the JSON data of the log, without what this version does not know."""
        return cls(**{name: data[name] for name in cls._fields if name in data})

    def is_later(self, other: Facts) -> bool | None:
        """Whether this submission is later than another one; None if the facts do not tell."""
        if self.time and other.time:
            return self.time > other.time
        if self.order and other.order:
            return self.order > other.order
        known = self.downloaded and other.downloaded
        return self.downloaded > other.downloaded if known else None

    def after(self, said: Submitted, member: Member, system: System) -> Facts:
        """Return the facts with those that one more file tells."""
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
        What the name of each file says, and the file.
    facts
        What the system says about the submission.
    """

    source: str
    files: list[tuple[Submitted, Member]] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)


@dataclass
class Sheet:
    """What grading worksheets of Moodle and tables of times say about the people of a term.

    Attributes
    ----------
    known
        The people of the term.
    report
        Where a row is reported that is not understood.
    name
        The name under which the latest grading worksheet is kept, or "".
    times
        When each student submitted, in the time zone of the system, or "".
    participants
        The students by their numbers in Moodle.
    """

    known: Known
    report: Report
    name: str = ""
    times: dict[str, str] = field(default_factory=dict)
    participants: dict[str, str] = field(default_factory=dict)

    def read(self, data: bytes, name: str) -> bool:
        """Take what a file says about known students; return whether it is one of these tables."""
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


def attempts_of(
    source: str, files: Sequence[Member], system: System, sheet: Sheet
) -> dict[str, list[Attempt]]:
    """Return the submissions in a download by student; files of no known student are reported.

    Parameters
    ----------
    source
        The name of the download.
    files, system
        Its files, and the system that named them.
    sheet
        What worksheets said about the people of the term.
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
    """Return why a file belongs to no student."""
    if not said.who:
        return _("the system hides whose it is, because grading is anonymous there")
    if any(known.all(*one) for one in said.who):
        return _("several students are called so: name the grading worksheet of Moodle, too")
    return _("no student of the roster is called so")


def latest(attempts: Sequence[Attempt]) -> Attempt:
    """Return the submission that counts: the latest one, or the first if the facts do not tell."""
    best = attempts[0]
    for one in attempts[1:]:
        best = one if one.facts.is_later(best.facts) else best
    return best


def contents(attempt: Attempt, assignment: str, report: Report) -> dict[str, bytes]:
    """Return the files that the grader gets for a submission, by name.

    Archives are opened, and what is in their folders is put side by side. Files that are empty, too
    large or unreadable are reported.
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
    if attempt.facts.form == "canvas" and len(notebooks) == 1:
        found[canvas.original(notebooks[0], assignment)] = found.pop(notebooks[0])
    return found


def _take(found: dict[str, bytes], path: str, data: bytes, where: str, report: Report) -> None:
    """Add a file under a name that is free, unless the grader must not see it."""
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
