"""``dpteach term add``, ``withdraw`` and ``rejoin``: record who takes part in a term."""

from __future__ import annotations

import argparse

from dpteach._language import N_, catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.course.gradebook import called
from dpteach.term.deciding import Decision, DecisionError, Term, add_names, decide
from dpteach.term.people import Person, person_data
from dpteach.term.words import change

_, _n = catalog("term")

_PART = N_("takes part")
_GONE = N_("withdrew (marks are kept, and grading and statistics leave this student out)")

#: the fields of a new student that options of ``add`` set, each with the help text of its option
_FIELDS = {
    "first": N_("the first name"),
    "last": N_("the last name"),
    "email": N_("the e-mail address"),
    "section": N_("the section"),
}


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of the command ``add``, ``withdraw`` or ``rejoin``."""
    if name != "add":
        command.add_argument("students", nargs="+", metavar="ID", help=_("the students' ids"))
        return
    add_names(command, "student")
    for field, about in _FIELDS.items():
        command.add_argument(f"--{field}", default="", metavar="TEXT", help=_(about))


def run(told: argparse.Namespace) -> int:
    """Record in the log that students join, withdraw or rejoin; return the exit code."""
    return decide(told, _add if told.subcommand == "add" else _move)


def _add(term: Term, told: argparse.Namespace) -> Decision:
    try:
        student_id(told.student)
    except ValueError as error:
        raise DecisionError(str(error)) from None
    # look only at the roster, because the gradebook also has students who submitted too early
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
    """Return the decision that students withdraw or rejoin the course."""
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
