"""``dpteach term roster``: who takes part, from what a learning management system exports.

A person keeps the id that the first roster gave, whatever the system says later: the same id of the
system is the same person, also with another name, login or e-mail address.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import printable
from dpteach.term.deciding import ERRORS, Decision, DecisionError, Term, add_decision, decide
from dpteach.term.lms.downloads import downloads, keep, kept_name
from dpteach.term.lms.registry import SYSTEMS, system_of
from dpteach.term.lms.system import Known, System, possible_ids
from dpteach.term.lms.table import Table, TableError, plain, read_table
from dpteach.term.log import Log
from dpteach.term.people import FIELDS, Person, person_data
from dpteach.term.state import State

_, _n = catalog("term")


@dataclass
class Merge:
    """What a roster changes.

    Attributes
    ----------
    added, changed
        The new people, and those whose name, address, section or keys are different now.
    missing
        The ids of people of the term who are not in the roster.
    problems
        A sentence for each row that was not taken.
    count
        How many students the roster has.
    """

    added: list[Person] = field(default_factory=list)
    changed: list[tuple[Person, Person]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    count: int = 0

    @property
    def people(self) -> list[Person]:
        """The people to record."""
        return [*self.added, *(now for _before, now in self.changed)]

    def lines(self) -> Iterator[str]:
        """Yield a sentence for each thing that changes."""
        yield _n("the roster has one student", "the roster has {count} students", self.count)
        if self.added:
            who = ", ".join(f"{one.id} ({one.name})" for one in self.added)
            yield _n("one is new: {who}", "{count} are new: {who}", len(self.added), who=who)
        for before, now in self.changed:
            yield _(
                "{student}: {changes}", student=now.id, changes=", ".join(_differences(before, now))
            )
        if self.missing:
            yield _n(
                "{who} is not in the roster and stays in the term: dpteach term withdraw takes a "
                "student out",
                "{count} students are not in the roster and stay in the term ({who}): dpteach term "
                "withdraw takes a student out",
                len(self.missing),
                who=", ".join(self.missing),
            )


def merge(
    table: Table,
    system: System,
    state: State,
    *,
    same: Mapping[str, str] | None = None,
    all_new: bool = False,
) -> Merge:
    """Return what a roster changes.

    Parameters
    ----------
    table, system
        The roster, and the system from which it came.
    state
        The state of the term.
    same
        The ids of people of the term by the ids that the roster would give them as new people.
    all_new
        Whether people who may be known under another address are added as new people.
    """
    found = Merge()
    rows = list(_students(table, system, found))
    found.count = len(rows)
    known = Known(state.people.values())
    matched: dict[str, Person] = {}
    new = []
    for line, fields in rows:
        try:
            person = system.person(fields)
        except ValueError as error:
            found.problems.append(_("line {line}: {problem}", line=line, problem=error))
            continue
        old = (same or {}).get(person.id) or _match(known, system, fields, state.people)
        if old is None:
            new.append((line, fields, person))
        elif old in matched:
            found.problems.append(
                _("line {line}: {student} is in the roster twice", line=line, student=old)
            )
        else:
            matched[old] = person
    found.missing = sorted(state.people.keys() - matched.keys() - state.withdrawn)
    for old, person in matched.items():
        before, now = state.people[old], _updated(state.people[old], person)
        if before != now:
            found.changed.append((before, now))
    _add(found, new, system, state, all_new=all_new)
    return found


def _students(table: Table, system: System, found: Merge) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the fields of each student; rows of one student are put together."""
    seen: dict[tuple[str, str], dict[str, str]] = {}
    order = []
    for row in table.rows:
        fields = system.fields(table, row.cells)
        if not fields or system.no_student(fields):
            continue
        key = next(((name, fields[name]) for name in system.lasting if name in fields), None)
        if key is not None and key in seen:
            sections = [seen[key].get("section", ""), fields.get("section", "")]
            seen[key]["section"] = " and ".join(dict.fromkeys(filter(None, sections)))
            continue
        if key is not None:
            seen[key] = fields
        order.append((row.line, fields))
    yield from order


def _match(
    known: Known, system: System, fields: Mapping[str, str], people: Mapping[str, Person]
) -> str | None:
    """Return the id of the person of the term to whom a row belongs, or None."""
    for name in system.lasting:
        there = known.all(name, fields[name]) if name in fields else set()
        if len(there) == 1:
            return next(iter(there))
    for name in (*system.ids, "email"):
        if name not in fields:
            continue
        there = known.all(name, fields[name]) or known.all("id", fields[name])
        there = {one for one in there if not _conflict(people[one], system, fields)}
        if len(there) == 1:
            return next(iter(there))
    return None


def _conflict(person: Person, system: System, fields: Mapping[str, str]) -> bool:
    """Whether a lasting field of a person has another value, so that it is somebody else."""
    return any(
        name in fields and person.keys.get(name, fields[name]) != fields[name]
        for name in system.lasting
    )


def _updated(before: Person, now: Person) -> Person:
    """Return a person with what a roster says; what it does not say stays."""
    texts = {name: getattr(now, name) or getattr(before, name) for name in FIELDS if name != "id"}
    return replace(before, **texts, keys={**before.keys, **now.keys})


def _add(
    found: Merge,
    new: Sequence[tuple[int, Mapping[str, str], Person]],
    system: System,
    state: State,
    *,
    all_new: bool,
) -> None:
    """Add the new people, each with the best id that nobody has."""
    taken = {plain(one) for one in state.people}
    lost = {plain(state.people[one].name): one for one in found.missing}
    for line, fields, person in new:
        free = [one for one in possible_ids(system, fields) if plain(one) not in taken]
        perhaps = lost.get(plain(person.name))
        if not free:
            problem = _(
                "line {line}: {student} has no id that another student does not have",
                line=line,
                student=person.name,
            )
        elif perhaps is not None and not all_new:
            problem = _(
                "line {line}: {name} may be {old}, who is not in the roster. If so, add --same "
                "{old}={new}; if it is somebody else, add --yes",
                line=line,
                name=person.name,
                old=perhaps,
                new=free[0],
            )
        else:
            taken.add(plain(free[0]))
            found.added.append(replace(person, id=free[0]))
            continue
        found.problems.append(problem)


def _differences(before: Person, now: Person) -> Iterator[str]:
    """Yield what is different in a person, with its value before and after."""
    old, new = ({**vars(one), **one.keys} for one in (before, now))
    for name in new:
        if name != "keys" and old.get(name, "") != new[name]:
            yield f"{name} {old.get(name) or '-'} -> {new[name]}"


def add_parser(commands: Any) -> None:
    """Add the command ``roster`` to `commands`, which argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "roster",
        help=_("read the students of the term from an LMS's export"),
        description=_(
            "Read the students from a gradebook or a list of participants that Canvas, Moodle or "
            "Blackboard exported, or from a CSV file. Students who are known already are updated; "
            "nobody is removed."
        ),
    )
    command.add_argument("file", type=Path, metavar="FILE", help=_("the exported file"))
    command.add_argument(
        "--from",
        dest="system",
        choices=SYSTEMS,
        help=_("where the file came from (default: recognized by its header)"),
    )
    command.add_argument(
        "--same",
        action="append",
        default=[],
        type=_pair,
        metavar="OLD=NEW",
        help=_("the person with the id NEW in the file is the student OLD; repeatable"),
    )
    command.add_argument(
        "--yes",
        action="store_true",
        help=_("add people as new who may be known by another address"),
    )
    add_decision(command)


def _pair(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not (old and equals and new):
        raise argparse.ArgumentTypeError(_("must be OLD=NEW, got {text!r}", text=text))
    return new, old


def run(told: argparse.Namespace) -> int:
    """Read the roster; return the exit code."""
    problems: list[str] = []

    def make(term: Term) -> Decision:
        table, system, found = _read(term, told)
        problems[:] = found.problems
        before = {old.id: person_data(old) for old, _now in found.changed}
        data = {
            "people": [person_data(one) for one in found.people],
            "source": system.name,
            "file": kept_name(told.file) if told.dry_run else keep(term.root, told.file),
        }
        return Decision("roster", data, before, [_source(told, table, system), *found.lines()])

    try:
        term = Term(told.course)
        found = _read(term, told)[2]
        if _is_known(term.log, told.file, found):
            problems = found.problems
            print(_("nothing has changed"))
            code = 0
        else:
            code = decide(told, make)
    except ERRORS as error:
        return refusal("term roster", error)
    for line in problems:
        print(printable(_("not taken: {problem}", problem=line)))
    return code or int(bool(problems))


def _read(term: Term, told: argparse.Namespace) -> tuple[Table, System, Merge]:
    try:
        table = read_table(told.file.read_bytes())
        system = system_of(table, told.system)
    except TableError as error:
        raise DecisionError(f"{told.file}: {error}") from None
    same = dict(told.same)
    for old in same.values():
        term.check_student(old)
    return table, system, merge(table, system, term.state, same=same, all_new=told.yes)


def _source(told: argparse.Namespace, table: Table, system: System) -> str:
    return _(
        "{file} was read as an export of {system}, encoded in {encoding}",
        file=told.file.name,
        system=system.title,
        encoding=table.encoding,
    )


def _is_known(log: Log, file: Path, found: Merge) -> bool:
    """Whether a roster changes nothing and is the latest one that was read."""
    last = latest_roster(log)
    return not found.people and last is not None and last[0] == kept_name(file)


def latest_roster(log: Log, system: str | None = None) -> tuple[str, str] | None:
    """Return the name of the latest roster in the folder of downloads and its system, or None.

    Parameters
    ----------
    log
        The log of the term.
    system
        The name of the system from which it must have come, or None.
    """
    for event in reversed(log.events()):
        if event.kind == "roster" and event.data.get("source") == (system or event.data["source"]):
            return str(event.data["file"]), str(event.data["source"])
    return None


def roster_table(course: Path, log: Log, system: str) -> Table | None:
    """Return the latest table that came from a system, or None if there is none.

    Raises
    ------
    dpteach.term.deciding.DecisionError
        If it cannot be read any more.
    """
    last = latest_roster(log, system)
    if last is None:
        return None
    path = downloads(course) / last[0]
    try:
        return read_table(path.read_bytes())
    except (OSError, TableError) as error:
        raise DecisionError(
            _("{file}: {problem}; read the roster again", file=path, problem=error)
        ) from None
