"""Carry out the decisions in the log of a term: write them to the grader's and nbgrader's files.

The grader reads the decisions from ``COURSE/.grading/decisions.json``, which is written from the
state of the term. nbgrader's gradebook gets the students, the due dates and the extensions.
Feedback pages whose grades changed are written again. Last, ``decisions.json`` gets the number of
the last event that was carried out, so the next command completes the work of a killed process. A
value that a person enters in nbgrader's formgrader stays until a new decision changes that value.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from dpteach._language import N_, catalog
from dpteach.grading.classroom.publish import Publisher
from dpteach.grading.core.command import refusal
from dpteach.grading.course.decisions import EVERYONE, file_of
from dpteach.grading.course.folder import CourseError, course_api
from dpteach.grading.course.gradebook import Book, GradebookError
from dpteach.grading.course.store import BusyError, Store, write_atomically
from dpteach.term.log import TOLD, UNDO, Event, Log, LogError, counting
from dpteach.term.state import State, read_instant, state_of

_, _n = catalog("term")

#: the kinds of decisions that change whether a submission is late
_DATES = frozenset({"due", "extension"})

#: the kinds of decisions that add students to the gradebook or change their names
_PEOPLE = frozenset({"roster", "add"})


def project(course: Path, api: Any = None) -> list[str]:
    """Carry out the decisions in the log that earlier commands have not carried out.

    Parameters
    ----------
    api
        The ``NbGraderAPI`` of the course, if the caller has it; loading it takes seconds.

    Returns
    -------
    list of str
        A sentence for each assignment whose decisions cannot be carried out completely yet, for
        example because the assignment is not built.

    Raises
    ------
    dpteach.term.log.LogError
        If the log cannot be read.
    dpteach.grading.course.gradebook.GradebookError
        If the gradebook cannot be used.
    """
    log = Log(course)
    if not log.file.exists():
        return []
    with log.locked():
        events = log.all()
        state = state_of(counting(events))
        done = _write_decisions(course, state)
        if done == len(events):
            return []
        left = _carry_out(api or course_api(course), events, events[done:], state)
        if not left:
            _write_decisions(course, state, len(events))
    return left


def bring_up_to_date(course: Path, command: str) -> int | None:
    """Carry out the remaining decisions in the log before a command runs.

    For each assignment whose decisions cannot be carried out yet, the reason is printed. The result
    is an exit code if an error occurred, else None.
    """
    try:
        lines = project(course)
    except (CourseError, GradebookError, LogError, OSError) as error:
        return refusal(command, error)
    for line in lines:
        print(f"dpteach {command}: {line}", file=sys.stderr)
    return None


def _write_decisions(course: Path, state: State, done: int | None = None) -> int:
    """Write ``decisions.json``, from which the grader reads the decisions, if its content changes.

    Parameters
    ----------
    done
        The number of the last event that was carried out; if None, the number in the file stays.

    Returns
    -------
    int
        The number of the last event that was carried out.
    """
    file = file_of(course)
    try:
        before = file.read_bytes()
        known = int(json.loads(before)["done"])
    except (OSError, ValueError, KeyError, TypeError):
        before, known = b"", 0
    done = known if done is None else done
    names = {*state.extensions, *state.dropped, *state.points, *state.overrides}
    data = {
        "assignments": {name: state.of_assignment(name) for name in names},
        "done": done,
        "withdrawn": sorted(state.withdrawn),
    }
    text = json.dumps(data, indent=1, sort_keys=True, default=datetime.isoformat).encode()
    if text != before:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, text)
    return done


def _carry_out(api: Any, events: Sequence[Event], new: Sequence[Event], state: State) -> list[str]:
    """Update gradebook and feedback pages after new events; return reasons for unfinished updates.

    Parameters
    ----------
    events, new
        All events of the log, and those among them that are still to be carried out.
    state
        The state of the term after all events.
    """
    undone = [events[event.data["number"] - 1] for event in new if event.kind == UNDO]
    changed, left = [*new, *undone], []
    if any(event.kind in _PEOPLE for event in changed):
        with Book(api, "") as book:
            book.written(lambda: _people(book.book, events, state))
    about = [one for one in changed if one.kind not in TOLD and "assignment" in one.data]
    for assignment in sorted({one.data["assignment"] for one in about}):
        dated = any(one.kind in _DATES and one.data["assignment"] == assignment for one in changed)
        with Book(api, assignment) as book:
            if dated and book.knows_assignment():
                book.written(lambda: _committed_dates(book, events, state))
            left += _pages(api, book)
    return left


def _people(gradebook: Any, events: Sequence[Event], state: State) -> None:
    """Write the students of the term into nbgrader's gradebook.

    A student whose addition was undone is removed again, unless the student has submissions.
    """
    there = {student.id: student for student in gradebook.students}
    for person in state.people.values():
        names = {"first_name": person.first, "last_name": person.last, "email": person.email}
        told = {name: value or None for name, value in names.items()}
        one = there.get(person.id)
        if one is None or any(getattr(one, name) != told[name] for name in told):
            gradebook.update_or_create_student(person.id, **told)
    for event in events:
        if event.kind == "add" and event.data["person"]["id"] not in state.people:
            one = there.get(event.data["person"]["id"])
            if one is not None and not one.submissions:
                gradebook.remove_student(one.id)


def preview(book: Book, events: Sequence[Event]) -> None:
    """Apply decisions to an open gradebook without committing the changes to its file.

    Parameters
    ----------
    events
        All events of the log, followed by events that are not recorded yet.
    """
    state = state_of(counting(events))
    book.decisions = state.decisions(book.assignment)
    if any(one.kind in _DATES and one.data.get("assignment") == book.assignment for one in events):
        _dates(book, events, state)


def _committed_dates(book: Book, events: Sequence[Event], state: State) -> None:
    _dates(book, events, state)
    book.book.db.commit()


def _dates(book: Book, events: Sequence[Event], state: State) -> None:
    """Write due date, extensions and late penalties to the gradebook; the caller must commit."""
    about = [event for event in events if event.data.get("assignment") == book.assignment]
    assignment = book.book.find_assignment(book.assignment)
    changes = [event for event in about if event.kind == "due"]
    if changes:
        before = read_instant(changes[0].before["due"])
        assignment.duedate = state.due.get(book.assignment, before)
    named = {
        name for event in about if event.kind == "extension" for name in event.data["students"]
    }
    for submission in book.book.assignment_submissions(book.assignment):
        student, due = submission.student.id, assignment.duedate
        # also handle a student whose extension was undone: the gradebook may still contain it
        if student in named or EVERYONE in named:
            until = book.decisions.until(student)
            late = until is not None and due is not None and until > due
            submission.extension = until - due if late else None
        book.book.db.flush()
        for notebook in submission.notebooks:
            book.set_penalty(notebook)


def _pages(api: Any, book: Book) -> list[str]:
    """Rewrite feedback pages whose grades changed; return [reason] if they must wait, else []."""
    name = book.assignment
    store = Store(api.coursedir.root, name)
    if not book.knows_assignment():
        text = N_("{name}: decisions wait until it is built by: dpteach assignments {name}")
        return [_(text, name=name)]
    if not store.folder.is_dir():
        return []
    try:
        with store.lock():
            Publisher(api, book.assignment).refresh(store, book)
    except BusyError as error:
        return [_("{problem}: the next command writes the feedback anew", problem=error)]
    return []
