"""The page for the instructor: how a class did, which items measure something, who needs a look.

``dpteach report ASSIGNMENT`` reads the results that ``dpteach grade`` left in the course and the
points in the gradebook, and writes one self-contained HTML file.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dpteach.grading.core.command import add_assignment, folder_to_fill, refusal
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course.folder import check_assignment, course_api, course_folder
from dpteach.grading.course.misplaced import misplaced
from dpteach.grading.course.store import Store, file_name, student_of, write_atomically
from dpteach.grading.pages.page import (
    LATE,
    LONGEST_CODE,
    LONGEST_LINE,
    NOT_WRITTEN,
    counted,
    cut,
    histogram,
    render,
)
from dpteach.grading.pages.similarity import Pair, alike_lines, similar

#: fewer submissions say nothing about how an item relates to the rest
FEWEST = 5

#: how many pairs are shown with their code, how many in a list, how many names of a group
SHOWN_PAIRS = 12
LISTED_PAIRS = 200
LISTED_NAMES = 40

#: reasons why an item was not judged, as the page names them
TROUBLE: Mapping[str, str] = {
    "time": "time was over",
    "memory": "too much memory",
    "died": "the kernel died",
    "output": "too much output",
    "broken": "the connection broke",
    "error": "a cell ends with an error",
    "missing": "the function is missing",
}

#: the same of an item that was judged, because only a call was ended
CALL_ENDED = "a call took too long (judged as not right)"


@dataclass(frozen=True)
class Points:
    """What the gradebook says about one submission.

    Attributes
    ----------
    scores
        Final points by item; None where a person has still to grade.
    penalty
        Points lost for handing in late.
    """

    scores: Mapping[str, float | None] = field(default_factory=dict)
    penalty: float = 0.0


@dataclass(frozen=True)
class ItemStatistics:
    """What a class's answers say about one item.

    Attributes
    ----------
    name, points, kind
        The item.
    graded
        For how many submissions it has points.
    mean, share
        The mean of the points, and the same as a share of what it is worth: near 1 is easy.
    discrimination
        The correlation of its points with the points of all other items (the corrected item-total
        correlation; point-biserial for an item that is all or nothing), or None.
    undefined
        Why there is none, or "".
    unwritten
        How many left the function as it was released.
    failed_visible, failed_hidden
        How many of the other answers fail a visible case; how many pass all of these and fail a
        hidden one.
    trouble
        How many could not be judged.
    waiting
        How many wait for a person.
    """

    name: str
    points: float
    kind: str
    graded: int
    mean: float | None
    share: float | None
    discrimination: float | None
    undefined: str
    unwritten: int
    failed_visible: int
    failed_hidden: int
    trouble: int
    waiting: int


def correlation(one: Sequence[float], other: Sequence[float]) -> tuple[float | None, str]:
    """Pearson's correlation of two lists, or None and why there is none.

    Examples
    --------
    >>> correlation([0, 1, 1, 0, 1], [1, 3, 3, 1, 3])
    (1.0, '')
    >>> correlation([1, 1, 1, 1, 1], [1, 2, 3, 4, 5])
    (None, 'all have the same points')
    """
    if len(one) < FEWEST:
        return None, f"fewer than {FEWEST} submissions"
    x, y = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    x, y = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(x @ x) * float(y @ y))
    if float(x @ x) < 1e-12:
        return None, "all have the same points"
    if float(y @ y) < 1e-12:
        return None, "all have the same points elsewhere"
    return round(min(1.0, max(-1.0, float(x @ y) / scale)), 12), ""


def item_statistics(
    results: Mapping[str, Result], points: Mapping[str, Points]
) -> list[ItemStatistics]:
    """Statistics of every item, in the assignment's order.

    Parameters
    ----------
    results
        The results of submissions that were graded, by student.
    points
        What the gradebook says, by student; what it does not say is taken from the result.
    """
    table: dict[str, dict[str, float | None]] = {}
    for student, result in results.items():
        final = points.get(student, Points()).scores
        table[student] = {item.name: final.get(item.name, item.score) for item in result.items}
    items = {item.name: item for result in results.values() for item in result.items}
    # an item that waits for a person in some submissions would make totals differ for no reason
    settled = {name for name in items if all(row.get(name) is not None for row in table.values())}
    statistics = []
    for name, item in items.items():
        scores, rest = [], []
        for row in table.values():
            score = row.get(name)
            if score is not None:
                scores.append(score)
                rest.append(sum(row[other] or 0.0 for other in settled if other != name))
        value, undefined = correlation(scores, rest)
        mean = sum(scores) / len(scores) if scores else None
        answers = [i for result in results.values() for i in result.items if i.name == name]
        blank = [_unwritten(i) for i in answers]
        seen = [bool(i.visible and i.visible.get("failed")) for i in answers]
        unseen = [bool(i.hidden and i.hidden.get("failed")) for i in answers]
        statistics.append(
            ItemStatistics(
                name=name,
                points=item.points,
                kind=item.kind,
                graded=len(scores),
                mean=mean,
                share=None if mean is None else mean / item.points,
                discrimination=value,
                undefined=undefined,
                unwritten=sum(blank),
                failed_visible=sum(a and not c for a, c in zip(seen, blank, strict=True)),
                failed_hidden=sum(b and not a for a, b in zip(seen, unseen, strict=True)),
                trouble=sum(i.reason in TROUBLE for i in answers),
                waiting=sum(row.get(name, 0.0) is None for row in table.values()),
            )
        )
    return statistics


def _ended(item: ItemResult) -> bool:
    """Whether a call was ended because it took too long."""
    told = [verdict for verdict in (item.visible, item.hidden) if verdict]
    failures = [failure for one in told for failure in (one, *one.get("failures", ()))]
    return any(str(one.get("returned", "")).startswith(LATE) for one in failures)


def _unwritten(item: ItemResult) -> bool:
    return NOT_WRITTEN in str((item.visible or {}).get("misconception", ""))


def misconceptions(results: Mapping[str, Result]) -> list[tuple[str, str, list[str]]]:
    """Item, misconception and the students who have it, the most common first."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, result in results.items():
        for item in result.items:
            for verdict in (item.visible, item.hidden):
                told = verdict or {}
                said = told.get("misconception", "")
                # a loop without end stands among the time-outs
                if str(told.get("returned", "")).startswith(LATE):
                    continue
                if said and told.get("failed") and not _unwritten(item):
                    found[item.name, str(said)].append(student)
                    break
    order = sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [(name, said, students) for (name, said), students in order]


def report_page(
    assignment: str,
    results: Mapping[str, Result],
    points: Mapping[str, Points],
    known: Iterable[str] = (),
    unreadable: Sequence[str] = (),
    lost: Sequence[str] = (),
) -> str:
    """The instructor's page.

    Parameters
    ----------
    assignment
        Its name.
    results
        What grading gave, by student.
    points
        What the gradebook says, by student.
    known
        Texts that prove no copying: cells of the released and of the instructor's notebook.
    unreadable
        Students whose result cannot be read.
    lost
        Sentences on what lies in the wrong place and was not graded.

    Returns
    -------
    str
        HTML. Equal arguments give equal pages.
    """
    graded = {s: r for s, r in sorted(results.items()) if r.status == "graded"}
    refused = [
        (s, [n.text for n in r.notices]) for s, r in sorted(results.items()) if s not in graded
    ]
    totals = {s: _total(r, points.get(s, Points())) for s, r in graded.items()}
    maximum = max((sum(item.points for item in r.items) for r in graded.values()), default=0.0)
    statistics = item_statistics(graded, points)
    trouble = [
        (student, item.name, told)
        for student, result in graded.items()
        for item in result.items
        if (told := TROUBLE.get(item.reason) or (CALL_ENDED if _ended(item) else ""))
    ]
    repaired: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for student, result in graded.items():
        for notice in result.notices:
            repaired[notice.code].append((student, notice.text))
    waiting = {
        row.name: [
            student
            for student, result in graded.items()
            if any(
                points.get(student, Points()).scores.get(item.name, item.score) is None
                for item in result.items
                if item.name == row.name
            )
        ]
        for row in statistics
        if row.waiting
    }
    pairs = similar({s: r.solutions for s, r in graded.items()}, known)
    numbers = np.array(list(totals.values()))
    return render(
        "report.html",
        assignment=assignment,
        handed_in=len(results) + len(unreadable),
        graded=len(graded),
        refused=refused,
        unreadable=list(unreadable),
        lost=list(lost),
        maximum=maximum,
        mean=float(numbers.mean()) if numbers.size else None,
        median=float(np.median(numbers)) if numbers.size else None,
        picture=_distribution(numbers.tolist(), maximum),
        late=sorted(s for s in graded if points.get(s, Points()).penalty > 0),
        statistics=statistics,
        misconceptions=misconceptions(graded),
        trouble=trouble,
        kinds=Counter(what for *_, what in trouble).most_common(),
        repaired=sorted(repaired.items()),
        waiting=waiting,
        unmarked=len({student for students in waiting.values() for student in students}),
        unsafe=sorted(s for s, r in graded.items() if r.sandbox == "none"),
        pairs=len(pairs),
        groups=_groups(pairs),
        listed=pairs[:LISTED_PAIRS],
        sides=[_sides(pair, graded) for pair in _spread(pairs)],
        most=LISTED_NAMES,
    )


def _total(result: Result, points: Points) -> float:
    scores = (points.scores.get(item.name, item.score) for item in result.items)
    return max(0.0, sum(score for score in scores if score is not None) - points.penalty)


def _distribution(totals: Sequence[float], maximum: float) -> Any:
    """A histogram of the points, or None without any."""
    if not totals or maximum <= 0:
        return None
    top = max(maximum, *totals)
    width = max(1, math.ceil(top / 25))
    bins = math.ceil(top / width)
    edges = [float(width * i) for i in range(bins + 1)]
    # the full number of points belongs to the last bin
    counts = Counter(min(bins - 1, int(total // width)) for total in totals)
    most = max(counts, key=lambda i: (counts[i], i))
    title = (
        f"How many submissions have how many of {maximum:g} points: from {min(totals):g} to "
        f"{max(totals):g}, most often between {edges[most]:g} and {edges[most + 1]:g} "
        f"({counted(counts[most], 'submission')})."
    )
    return histogram(
        edges,
        [counts[i] for i in range(bins)],
        title=title,
        x_label="points",
        y_label="submissions",
    ), title


def _groups(pairs: Sequence[Pair]) -> list[tuple[list[str], float]]:
    """Submissions that hang together by pairs, the largest groups first, with their best pair."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for pair in pairs:
        one, other = sorted((root(pair.first), root(pair.second)))
        parent[other] = one
    members: dict[str, list[str]] = defaultdict(list)
    for name in sorted(parent):
        members[root(name)].append(name)
    best: dict[str, float] = defaultdict(float)
    for pair in pairs:
        best[root(pair.first)] = max(best[root(pair.first)], pair.containment)
    groups = [(names, best[key]) for key, names in members.items()]
    return sorted(groups, key=lambda group: (-len(group[0]), -group[1], group[0]))


def _spread(pairs: Sequence[Pair]) -> list[Pair]:
    """The most alike pairs, of each submission only the first."""
    chosen: list[Pair] = []
    taken: set[str] = set()
    for pair in pairs:
        if len(chosen) == SHOWN_PAIRS:
            break
        if not taken & {pair.first, pair.second}:
            chosen.append(pair)
            taken |= {pair.first, pair.second}
    return chosen


def _sides(pair: Pair, results: Mapping[str, Result]) -> dict[str, Any]:
    """The cells of a pair that share something, side by side, line by line."""
    one, other = results[pair.first].solutions, results[pair.second].solutions
    marked = {
        side: {name: alike_lines(source, pair.hashes) for name, source in cells.items()}
        for side, cells in ((0, one), (1, other))
    }
    names = [
        name for name in dict.fromkeys([*one, *other]) if marked[0].get(name) or marked[1].get(name)
    ]
    return {
        "pair": pair,
        "cells": [
            (
                name,
                _lines(one.get(name, ""), marked[0].get(name, frozenset())),
                _lines(other.get(name, ""), marked[1].get(name, frozenset())),
            )
            for name in names
        ],
    }


def _lines(source: str, marked: frozenset[int]) -> list[tuple[str, bool]]:
    lines = source.strip("\n").split("\n")
    before = len(source) - len(source.lstrip("\n"))
    kept = [
        (cut(line.expandtabs(4), LONGEST_LINE), i in marked)
        for i, line in enumerate(lines[:LONGEST_CODE], 1 + before)
    ]
    if len(lines) > LONGEST_CODE:
        kept.append((f"... ({len(lines) - LONGEST_CODE} more lines)", False))
    return kept


def gradebook_points(course: Path, assignment: str) -> dict[str, Points]:
    """What a course's gradebook says about the submissions of an assignment, in one query.

    Raises
    ------
    FileNotFoundError
        If the folder is no course.
    ValueError
        If the gradebook cannot be read.
    """
    from nbgrader.api import (
        Assignment,
        BaseCell,
        Grade,
        Gradebook,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy.exc import SQLAlchemyError

    url = course_api(course).coursedir.db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}
    scores: dict[str, dict[str, float | None]] = defaultdict(dict)
    penalties: dict[str, float] = {}
    try:
        with Gradebook(url) as gradebook:
            rows = (
                gradebook.db.query(
                    Student.id,
                    BaseCell.name,
                    Grade.score,
                    Grade.needs_manual_grade,
                    SubmittedNotebook.late_submission_penalty,
                )
                .select_from(Grade)
                .join(BaseCell, Grade.cell_id == BaseCell.id)
                .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
                .join(
                    SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id
                )
                .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
                .join(Student, SubmittedAssignment.student_id == Student.id)
                .filter(Assignment.name == assignment)
            )
            for student, name, score, waits, penalty in rows:
                scores[student][name] = None if waits else float(score)
                penalties[student] = float(penalty or 0.0)
    except SQLAlchemyError as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"the gradebook cannot be read: {reason}") from None
    return {student: Points(found, penalties[student]) for student, found in scores.items()}


def known_texts(course: Path, assignment: str) -> list[str]:
    """The cells that every student has or may have: of the released notebook and the solution."""
    import nbformat

    read: Any = nbformat.read
    texts = []
    for version in ("source", "release"):
        file = course / version / assignment / f"{assignment}.ipynb"
        if file.is_file():
            notebook = read(file, 4)
            texts += [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return texts


def write_report(course: str | Path, assignment: str, to: str | Path | None = None) -> Path:
    """Writes the instructor's page, ``ASSIGNMENT.html``, for the instructor's eyes only.

    Parameters
    ----------
    course
        The folder with ``nbgrader_config.py``.
    assignment
        The assignment's name.
    to
        The folder of the page; ``COURSE/reports`` if None.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If `course` is no course or has no such assignment (`CourseError`),
        or the gradebook cannot be read.
    OSError
        If the page cannot be written.
    """
    root = course_folder(course)
    check_assignment(root, assignment, graded=True)
    store = Store(root, assignment)
    results = dict(store.results())
    coursedir = course_api(root).coursedir
    submitted = Path(coursedir.root) / coursedir.submitted_directory
    files = sorted((store.folder / "results").glob("*.json"))
    unreadable = sorted({student_of(path.name) for path in files} - set(results))
    page = report_page(
        assignment,
        results,
        gradebook_points(root, assignment),
        known_texts(root, assignment),
        unreadable,
        [one.text for one in misplaced(root, assignment, submitted)],
    )
    folder = root / "reports" if to is None else Path(to)
    file = folder / f"{file_name(assignment).removesuffix('.json')}.html"
    write_atomically(file, page.encode("utf-8"))
    return file


def add_parser(commands: Any) -> None:
    """The command ``report`` among ``commands``, what argparse's ``add_subparsers`` returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "report", help="write a page about a graded assignment, for the instructor"
    )
    add_assignment(command)
    command.add_argument(
        "--to",
        type=folder_to_fill,
        metavar="DIR",
        help="where to write it (default: COURSE/reports)",
    )
    command.set_defaults(run=run)


def run(told: argparse.Namespace) -> int:
    """Writes the page and says where; returns the exit code."""
    try:
        print(write_report(told.course, told.assignment, told.to))
    except (OSError, ValueError) as error:
        return refusal("report", error)
    return 0
