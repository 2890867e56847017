"""What a download of submissions says about each student, and what of it the grader gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import student_id
from dpteach.grading.submission.intake import MAX_FILES
from dpteach.term.lms import canvas, moodle, plain
from dpteach.term.lms.archive import FILE_BYTES, Member, Report, content, is_junk, is_zip, unpacked
from dpteach.term.lms.system import Known, Submitted, System
from dpteach.term.lms.table import Table

_, _n = catalog("term")

#: files by which the grader learns something, and which no student may submit
RESERVED: Final = ("timestamp.txt", "checks.json", "versions.json", "feedback_info.txt")

#: the most bytes of a file's name
_MOST_OF_A_NAME: Final = 200


@dataclass(frozen=True)
class Facts:
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

    def is_later(self, other: Facts) -> bool | None:
        """Whether this submission is later than another one; None if the facts do not tell."""
        for name in ("time", "order", "downloaded"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine and its:
                return bool(mine > its)
        return None


def read_facts(data: Mapping[str, Any]) -> Facts:
    """Return the facts in the JSON data of the log, without what this version does not know."""
    return Facts(**{name: data[name] for name in vars(Facts()) if name in data})


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


@dataclass(frozen=True)
class Worksheet:
    """A table that tells when students submitted, and how Moodle calls them in an assignment.

    Attributes
    ----------
    times
        When a student submitted, in the time zone of the system, or "".
    participants
        The number of each student in Moodle.
    drafts
        The students whose submission is a draft in Moodle.
    problems
        What could not be read.
    """

    times: Mapping[str, str]
    participants: Mapping[str, str]
    drafts: Sequence[str]
    problems: Sequence[str]


def is_worksheet(table: Table) -> bool:
    """Whether a table is one that `read_worksheet` reads."""
    return moodle.is_worksheet(table) or plain.is_times(table)


def read_worksheet(table: Table, known: Known) -> Worksheet:
    """Return what a grading worksheet of Moodle or a table of times says about known students."""
    of_moodle = moodle.is_worksheet(table)
    system = moodle.SYSTEM if of_moodle else plain.SYSTEM
    when = table.where(moodle.SUBMITTED if of_moodle else plain.SUBMITTED)
    number, status = table.where(moodle.IDENTIFIER), table.where(["status"])
    read = moodle.read_submitted if of_moodle else plain.read_submitted
    times, participants, drafts, problems = {}, {}, [], []
    for row in table.rows:
        student = known.row(system, system.fields(table, row.cells))
        if student is None:
            row_of = ", ".join(cell for cell in row.cells[:3] if cell)
            problems.append(_("{row}: no student of the roster, or several", row=row_of))
            continue
        if of_moodle and number is not None:
            participants[student] = moodle.participant(row.cells[number])
        if of_moodle and status is not None and row.cells[status].startswith("Draft"):
            drafts.append(student)
        try:
            times[student] = "" if when is None else read(row.cells[when])
        except ValueError as error:
            problems.append(
                _(
                    "{student}: the time {time!r} is not understood, so the submission has none",
                    student=student,
                    time=str(error)[:60],
                )
            )
    return Worksheet(times, participants, drafts, problems)


def attempts_of(
    source: str,
    files: Iterable[Member],
    system: System,
    known: Known,
    participants: Mapping[str, str],
    report: Report,
) -> dict[str, list[Attempt]]:
    """Return the submissions in a download by student; files of no known student are reported.

    Parameters
    ----------
    source
        The name of the download.
    files, system
        Its files, and the system that named them.
    known, participants
        The people of the term, and the students by their numbers in Moodle.
    """
    found: dict[str, dict[str, Attempt]] = {}
    for member in files:
        said = system.submitted(member.path)
        if said is None:
            told = _("its name is not of the form that {system} gives", system=system.title)
            report.note(member.path, told)
            continue
        number = dict(said.who).get("moodle_participant", "")
        student = participants.get(number) or known.find(
            one for one in said.who if one[0] != "moodle_participant"
        )
        if student is None:
            report.note(member.path, _nobody(said, known))
            continue
        of_student = found.setdefault(student, {})
        attempt = of_student.setdefault(said.time, Attempt(source))
        attempt.files.append((said, member))
        attempt.facts = _with(attempt.facts, said, member, system, number)
    return {student: list(attempts.values()) for student, attempts in found.items()}


def _nobody(said: Submitted, known: Known) -> str:
    """Return why a file belongs to no student."""
    if not said.who:
        return _("the system hides whose it is, because grading is anonymous there")
    if any(known.all(name, value) for name, value in said.who):
        return _(
            "several students are called so: collect it together with the grading worksheet of "
            "Moodle, which tells them apart"
        )
    return _("no student of the roster is called so: read a newer roster, or add the student")


def _with(facts: Facts, said: Submitted, member: Member, system: System, number: str) -> Facts:
    """Return the facts about a submission with those that one more file tells."""
    downloaded = "" if member.time is None else str(member.time)
    first = facts.order == 0 or said.order > facts.order
    return Facts(
        time=said.time,
        order=max(facts.order, said.order),
        downloaded=max(facts.downloaded, downloaded),
        late=facts.late or said.late,
        place=(first and said.place) or facts.place,
        participant=number,
        form=system.name,
    )


def latest(attempts: Sequence[Attempt]) -> Attempt:
    """Return the submission that counts: the latest one, or the first if the facts do not tell."""
    best = attempts[0]
    for one in attempts[1:]:
        if one.facts.is_later(best.facts):
            best = one
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
            where = f"{member.path}/{path}" if inner else member.path
            _take(found, path.rpartition("/")[2], part, where, report)
    if len(found) > MAX_FILES:
        first = sorted(found, key=lambda name: not name.endswith(".ipynb"))[:MAX_FILES]
        report.note(
            attempt.files[0][1].path, _("only {most} of its files were taken", most=MAX_FILES)
        )
        found = {name: found[name] for name in first}
    notebooks = [name for name in found if name.casefold().endswith(".ipynb")]
    if attempt.facts.form == "canvas" and len(notebooks) == 1:
        found[canvas.original(notebooks[0], assignment)] = found.pop(notebooks[0])
    return found


def _take(found: dict[str, bytes], name: str, data: bytes, where: str, report: Report) -> None:
    """Add a file under a name that is free, unless the grader must not see it."""
    name = _safe(name)
    large = len(data) >= FILE_BYTES
    if is_junk(name):
        return
    if name.casefold() in RESERVED:
        report.note(where, _("left out, because the grader has a file of that name"))
        return
    if large:
        report.note(where, _("is larger than {most} MB", most=FILE_BYTES // 1_000_000))
        if not name.casefold().endswith(".ipynb"):
            return
    if not data:
        report.note(where, _("is empty"))
    free, number = name, 1
    while free in found:
        number += 1
        stem, dot, ending = name.rpartition(".")
        free = f"{stem}-{number}{dot}{ending}" if stem else f"{name}-{number}"
    found[free] = data


def _safe(name: str) -> str:
    """Return a name that can name a file, without control characters."""
    name = printable(name).replace("/", "_").replace("\\", "_")
    while len(name.encode("utf-8", "replace")) > _MOST_OF_A_NAME:
        name = name[1:]
    return name or "file"


def check_ids(students: Iterable[str]) -> None:
    """Refuse ids that cannot name a folder; the log holds none unless somebody wrote there."""
    for student in students:
        student_id(student)
