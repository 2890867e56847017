"""``dpteach term roster``, ``add``, ``withdraw`` and ``rejoin``: record who takes part in a term.

A roster is a file that an LMS exported, with the students of the term. (An LMS is a learning
management system, such as Canvas.) A student keeps the id from the first roster that lists the
student. A row of a later roster with the same lasting identifier of the LMS is about the same
student, even with another name, login or e-mail address.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpteach._language import N_, catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.course.gradebook import called
from dpteach.term.deciding import Decision, DecisionError, Term, add_names, decide
from dpteach.term.lms import SYSTEMS
from dpteach.term.lms.archive import keep, kept_name
from dpteach.term.lms.system import Known, System
from dpteach.term.lms.table import Table, TableError, plain, read_table
from dpteach.term.state import Person, State, person_data
from dpteach.term.words import change

_, _n = catalog("term")

_PART = N_("takes part")
_GONE = N_("withdrew (marks are kept, and grading and statistics leave this student out)")

#: the fields of a student except the id, each with the help text of its option of the command
#: ``add``, such as ``--first``
_FIELDS = {
    "first": N_("the first name"),
    "last": N_("the last name"),
    "email": N_("the e-mail address"),
    "section": N_("the section"),
}


@dataclass
class Merge:
    """The changes that a roster makes to the students of a term.

    Attributes
    ----------
    count
        The number of students in the roster.
    added, changed
        The new students, and for each student whose data differ, the data before and after.
    missing
        The ids of students of the term who are not in the roster and have not withdrawn.
    problems
        A sentence for each row that is left out or may be wrong.
    """

    count: int = 0
    added: list[Person] = field(default_factory=list)
    changed: list[tuple[Person, Person]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield sentences that list the new, the changed and the missing students."""
        yield _n("the roster has one student", "the roster has {count} students", self.count)
        if self.added:
            yield _("new: {who}", who=", ".join(f"{one.id} ({one.name})" for one in self.added))
        for before, now in self.changed:
            old, new = ({**vars(one), **one.keys} for one in (before, now))
            names = [name for name in new if name != "keys" and old.get(name, "") != new[name]]
            told = ", ".join(f"{name} {old.get(name) or '-'} -> {new[name]}" for name in names)
            yield f"{now.id}: {told}"
        if self.missing:
            who = ", ".join(self.missing)
            yield _("not in the roster, and still in the term until they withdraw: {who}", who=who)


def merge(table: Table, system: System, state: State) -> Merge:
    """Return the changes that a roster makes to the students of a term.

    Parameters
    ----------
    table, system
        The roster, and the LMS that exported it.
    state
        The state of the term before the roster is read.
    """
    found, known = Merge(), Known(state.people.values())
    matched: dict[str, Person] = {}
    new: list[tuple[int, Person, list[str]]] = []
    for number, fields in _students(table, system):
        found.count += 1
        try:
            person = system.person(fields)
        except ValueError as error:
            found.problems.append(_("row {number}: {problem}", number=number, problem=error))
            continue
        old = _match(known, system, fields, state.people)
        if old is None:
            new.append((number, person, system.possible_ids(fields)))
        elif old in matched:
            text = _("row {number}: {student} is there twice", number=number, student=old)
            found.problems.append(text)
        else:
            matched[old] = person
    found.missing = sorted(state.people.keys() - matched.keys() - state.withdrawn)
    pairs = [(state.people[old], _updated(state.people[old], now)) for old, now in matched.items()]
    found.changed = [(before, now) for before, now in pairs if before != now]
    lost = {plain(state.people[one].name): one for one in found.missing}
    taken = {plain(one) for one in state.people}
    for number, person, ids in new:
        free = next((one for one in ids if plain(one) not in taken), "")
        taken.add(plain(free))
        if free:
            found.added.append(replace(person, id=free))
        else:
            text = _("row {number}: {who} has no id of their own", number=number, who=person.name)
            found.problems.append(text)
        if plain(person.name) in lost:
            old = lost[plain(person.name)]
            text = N_(
                "{new} may be {old}, who is not in the roster: if so, undo this and read a CSV "
                "file that gives {old} the new address, with the columns id and email"
            )
            found.problems.append(_(text, new=free, old=old))
    return found


def system_of(table: Table, forced: str | None = None) -> System:
    """Return the entry of `SYSTEMS` for the LMS of a roster, found by the roster's columns.

    Parameters
    ----------
    forced
        The name of an LMS in `SYSTEMS` that the user gave, or None to try all.

    Raises
    ------
    dpteach.term.lms.table.TableError
        If the roster lacks the columns of the named system, or of all systems if none is named.
    """
    asked = [SYSTEMS[forced]] if forced else list(SYSTEMS.values())
    for one in asked:
        if one.reads(table):
            return one
    needs = [(one, sorted(one.columns[name][0] for name in one.needs[0])) for one in asked]
    told = "; ".join(f"{one.title}: {', '.join(names)}" for one, names in needs)
    there = ", ".join(table.header)[:200]
    text = _("the header has the columns {there}, and a roster needs {all}", there=there, all=told)
    raise TableError(text)


def _students(table: Table, system: System) -> list[tuple[int, dict[str, str]]]:
    """Return the row number and the fields of each student in a roster.

    Several rows of one student, one for each section, are joined to one.
    """
    found: dict[tuple[str, str], tuple[int, dict[str, str]]] = {}
    for number, row in enumerate(table.rows, 2):
        fields = system.fields(table, row)
        if not fields or not system.is_student(fields):
            continue
        name = next((name for name in system.lasting if name in fields), "")
        key = (name, fields.get(name, str(number)))
        sections = [found[key][1].get("section", "")] if key in found else []
        both = " and ".join(dict.fromkeys(filter(None, [*sections, fields.get("section", "")])))
        found.setdefault(key, (number, fields))[1]["section"] = both
    return list(found.values())


def _match(
    known: Known, system: System, fields: Mapping[str, str], people: Mapping[str, Person]
) -> str | None:
    """Return the id of the student whom a row's fields describe, or None for a new student."""
    for name in system.lasting:
        if len(there := known.all(name, fields.get(name, ""))) == 1:
            return next(iter(there))
    lasting = [name for name in system.lasting if name in fields]
    for name in (*system.ids, "email"):
        value = fields.get(name, "")
        there = {
            one
            for one in known.all(name, value) or known.all("id", value)
            if all(people[one].keys.get(key, fields[key]) == fields[key] for key in lasting)
        }
        if len(there) == 1:
            return next(iter(there))
    return None


def _updated(before: Person, now: Person) -> Person:
    """Return the person `before` with the data of `now`; keep data that `now` lacks."""
    texts = {name: getattr(now, name) or getattr(before, name) for name in _FIELDS}
    return replace(before, **texts, keys={**before.keys, **now.keys})


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command ``roster``, ``add``, ``withdraw`` or ``rejoin``."""
    if name == "roster":
        command.description = _(
            "Read the students of the term from a gradebook or a list of participants that Canvas, "
            "Moodle or Blackboard exported, or from a CSV file. Students who are known already are "
            "updated; nobody is removed."
        )
        command.add_argument("file", type=Path, metavar="FILE", help=_("the exported file"))
        add_system(command)
    elif name == "add":
        add_names(command, "student")
        for option, about in _FIELDS.items():
            command.add_argument(f"--{option}", default="", metavar="TEXT", help=_(about))
    else:
        command.add_argument("students", nargs="+", metavar="ID", help=_("the students' ids"))


def add_system(command: argparse.ArgumentParser) -> None:
    """Add the option ``--from`` for the name of the LMS that exported the file."""
    text = _("where the file came from (default: recognized by what is in it)")
    command.add_argument("--from", dest="system", choices=SYSTEMS, help=text)


def run(told: argparse.Namespace) -> int:
    """Record in the log who joins, withdraws or rejoins; return the exit code."""
    return decide(told, {"roster": _roster, "add": _add}.get(told.subcommand, _move))


def _roster(term: Term, told: argparse.Namespace) -> Decision:
    try:
        table = read_table(told.file.read_bytes())
        system = system_of(table, told.system)
    except TableError as error:
        raise DecisionError(f"{told.file}: {error}") from None
    found, file, form = merge(table, system, term.state), told.file.name, table.encoding
    said = _("{file}: an export of {of}, encoded in {form}", file=file, of=system.title, form=form)
    people = [*found.added, *(now for _before, now in found.changed)]
    data = {"people": [person_data(one) for one in people], "source": system.name}
    data["file"] = kept_name(told.file) if told.dry_run else keep(term.log, told.file)
    before = {old.id: person_data(old) for old, _now in found.changed}
    return Decision("roster", data, before, [said, *found.lines()], found.problems)


def _add(term: Term, told: argparse.Namespace) -> Decision:
    try:
        student_id(told.student)
    except ValueError as error:
        raise DecisionError(str(error)) from None
    # compare only with the students of the log: the gradebook may already have a student who
    # submitted before joining
    if told.student in term.state.people:
        text = _(
            "student must be a new one, got student={student}, who is in the course already; "
            "a student who withdrew comes back by: dpteach term rejoin",
            student=told.student,
        )
        raise DecisionError(text)
    person = Person(told.student, **{name: getattr(told, name) for name in _FIELDS})
    said = change(person.called, _("not in the course"), _(_PART))
    return Decision("add", {"person": person_data(person)}, {}, [said])


def _move(term: Term, told: argparse.Namespace) -> Decision:
    """Return the decision that the named students withdraw from the course or rejoin it."""
    students, leave = [*dict.fromkeys(told.students)], told.subcommand == "withdraw"
    states = (_(_PART), _(_GONE)) if leave else (_(_GONE), _(_PART))
    for student in students:
        term.check_student(student)
        if (student in term.state.withdrawn) == leave:
            text = _("student={id} is in that state already: {state}", id=student, state=states[1])
            raise DecisionError(text)
    said = [change(called(one, term.students[one]), *states) for one in students]
    before = {"withdrawn": sorted(term.state.withdrawn)}
    return Decision(told.subcommand, {"students": students}, before, said)
