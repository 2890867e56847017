"""The instructor's page about a class: points, items, and submissions that need attention.

``dpteach report ASSIGNMENT`` reads the results that ``dpteach grade`` has stored in the course and
the points in the gradebook, and writes one self-contained HTML file.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.command import add_assignment, folder_to_fill, refusal
from dpteach.grading.core.result import Result
from dpteach.grading.course.decisions import Decisions, read_decisions
from dpteach.grading.course.folder import check_assignment, course_api, course_folder
from dpteach.grading.course.gradebook import (
    Book,
    GradebookError,
    Standing,
    home_of,
    read_timestamp,
    unknown,
)
from dpteach.grading.course.misplaced import misplaced
from dpteach.grading.course.store import Store, write_atomically
from dpteach.grading.pages.items import counting, item_statistics, misconceptions, troubles
from dpteach.grading.pages.page import LONGEST_CODE, code_lines, histogram, render
from dpteach.grading.pages.similarity import Pair, alike_lines, similar

_, _n = catalog("pages")

#: the largest number of pairs of similar submissions that the page shows with their code
SHOWN_PAIRS = 12
#: the largest number of pairs in the page's list of similar submissions, which shows no code
LISTED_PAIRS = 200
#: the largest number of names that the page lists for a group of similar submissions
LISTED_NAMES = 40


def report_page(
    assignment: str,
    results: Mapping[str, Result],
    points: Mapping[str, Standing],
    known: Iterable[str] = (),
    unreadable: Sequence[str] = (),
    lost: Sequence[str] = (),
    untimed: Sequence[str] = (),
    decisions: Decisions | None = None,
) -> str:
    """Return the instructor's page about the submissions of an assignment.

    Parameters
    ----------
    results
        The result of each student's submission.
    points
        The grades of each student in the gradebook.
    known
        Texts that submissions may share without copying: cells of the released and of the
        instructor's notebook.
    unreadable
        The students whose result cannot be read.
    lost
        Sentences about submissions in wrong folders, which were not graded.
    untimed
        Sentences about submissions whose time of submission cannot be read.
    decisions
        The instructor's decisions about grades of the assignment, or None if there are none.

    Returns
    -------
    str
        HTML. Equal arguments give equal pages.
    """
    decisions = decisions or Decisions()
    withdrawn = sorted(s for s in results if s in points and points[s].withdrawn)
    results = {s: r for s, r in sorted(results.items()) if s not in withdrawn}
    graded = {s: r for s, r in results.items() if r.status == "graded"}
    final = {s: points.get(s) or unknown(s) for s in graded}
    graded = {s: counting(r, final[s]) for s, r in graded.items()}
    trouble = list(troubles(graded))
    waiting = _waiting(graded, final)
    return render(
        "report.html",
        assignment=assignment,
        submitted=len(results) + len(unreadable),
        graded=len(graded),
        refused=[(s, [n.text for n in r.notices]) for s, r in results.items() if s not in graded],
        unreadable=list(unreadable),
        withdrawn=withdrawn,
        decided=decisions.sentences(),
        overridden=[s for s in final if final[s].student in decisions.overrides],
        lost=list(lost),
        untimed=list(untimed),
        **_totals(graded, final),
        late=[s for s in graded if final[s].penalty > 0],
        statistics=item_statistics(graded, final),
        misconceptions=misconceptions(graded),
        trouble=trouble,
        kinds=Counter(what for *_, what in trouble).most_common(),
        repaired=_repaired(graded),
        waiting=waiting,
        unmarked=len({student for students in waiting.values() for student in students}),
        unsafe=[s for s, r in graded.items() if r.sandbox == "none"],
        **_alike(graded, known),
    )


def _totals(results: Mapping[str, Result], points: Mapping[str, Standing]) -> dict[str, Any]:
    """Return the maximum points, and mean, median and histogram of the students' points."""
    totals = [_total(result, points[student]) for student, result in results.items()]
    maximum = max((sum(item.points for item in r.items) for r in results.values()), default=0.0)
    return {
        "maximum": maximum,
        "mean": float(np.mean(totals)) if totals else None,
        "median": float(np.median(totals)) if totals else None,
        "picture": _distribution(totals, maximum),
    }


def _repaired(results: Mapping[str, Result]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return all notices on submissions: for each notice code, pairs of a student and a text."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for student, result in results.items():
        for notice in result.notices:
            found[notice.code].append((student, notice.text))
    return sorted(found.items())


def _waiting(results: Mapping[str, Result], points: Mapping[str, Standing]) -> dict[str, list[str]]:
    """Return the items that a person must still grade, each with the students concerned."""
    found: dict[str, list[str]] = {}
    for student, result in results.items():
        for item in result.items:
            those = found.setdefault(item.name, [])
            if points[student].scores.get(item.name, item.score) is None:
                those.append(student)
    return {name: students for name, students in found.items() if students}


def _alike(results: Mapping[str, Result], known: Iterable[str]) -> dict[str, Any]:
    """Return the page's data on alike submissions: groups, pairs, and code side by side."""
    pairs = similar({student: result.solutions for student, result in results.items()}, known)
    return {
        "pairs": len(pairs),
        "groups": _groups(pairs),
        "listed": pairs[:LISTED_PAIRS],
        "sides": [_sides(pair, results) for pair in _spread(pairs)],
        "most": LISTED_NAMES,
    }


def _total(result: Result, points: Standing) -> float:
    """Return a student's total points from the gradebook, or else from the result."""
    if points.submitted:
        return points.total
    scores = (points.scores.get(item.name, item.score) for item in result.items)
    return max(0.0, sum(score for score in scores if score is not None) - points.penalty)


def _distribution(totals: Sequence[float], maximum: float) -> Any:
    """Return a histogram of total points and its title, or None if there are no points to show."""
    if not totals or maximum <= 0:
        return None
    top = max(maximum, *totals)
    width = max(1, math.ceil(top / 25))
    bins = math.ceil(top / width)
    edges = [float(width * i) for i in range(bins + 1)]
    # the last bin includes its right edge, so that submissions with all points do not get a
    # separate bin
    counts = Counter(min(bins - 1, int(total // width)) for total in totals)
    most = max(counts, key=lambda i: (counts[i], i))
    title = _n(
        "The submissions have from {least:g} to {top:g} of {maximum:g} points, most often between "
        "{low:g} and {high:g} ({count} submission).",
        "The submissions have from {least:g} to {top:g} of {maximum:g} points, most often between "
        "{low:g} and {high:g} ({count} submissions).",
        counts[most],
        maximum=maximum,
        least=min(totals),
        top=max(totals),
        low=edges[most],
        high=edges[most + 1],
    )
    return histogram(
        edges,
        [counts[i] for i in range(bins)],
        title=title,
        x_label=_("points"),
        y_label=_("submissions"),
    ), title


def _groups(pairs: Sequence[Pair]) -> list[tuple[list[str], float]]:
    """Return groups of submissions that are connected by pairs of alike submissions.

    With each group, return the largest `Pair.containment` of its pairs.
    """
    groups: list[set[str]] = []
    for pair in pairs:
        both = {pair.first, pair.second}
        if not any(both <= group for group in groups):
            joined = both.union(*(group for group in groups if group & both))
            groups = [*(group for group in groups if not group & both), joined]
    found = [
        (sorted(group), max(pair.containment for pair in pairs if pair.first in group))
        for group in groups
    ]
    return sorted(found, key=lambda group: (-len(group[0]), -group[1], group[0]))


def _spread(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the most alike pairs, at most `SHOWN_PAIRS`, so that no submission is in two pairs."""
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
    """Return the solution cells with code that two submissions share; shared lines are marked."""
    one, other = results[pair.first].solutions, results[pair.second].solutions
    cells = []
    for name in dict.fromkeys([*one, *other]):
        sources = one.get(name, ""), other.get(name, "")
        marked = [alike_lines(source, pair.hashes) for source in sources]
        if any(marked):
            cells.append((name, *map(_lines, sources, marked)))
    return {"pair": pair, "cells": cells}


def _lines(source: str, marked: frozenset[int]) -> list[tuple[str, bool]]:
    """Return the lines of a cell that the page shows, and whether each line is marked."""
    before = len(source) - len(source.lstrip("\n"))
    shown = code_lines(source)
    last = before + min(len(shown), LONGEST_CODE)
    return [(line, i in marked and i <= last) for i, line in enumerate(shown, 1 + before)]


def known_texts(course: Path, assignment: str) -> list[str]:
    """Return the texts of all code cells in the released and in the instructor's notebook."""
    import nbformat

    texts = []
    for version in ("source", "release"):
        file = course / version / assignment / f"{assignment}.ipynb"
        if file.is_file():
            notebook = nbformat.read(file, 4)
            texts += [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return texts


def _standings(api: Any, assignment: str) -> dict[str, Standing]:
    """Return the grades of all submissions in the gradebook; {} if there is no gradebook yet."""
    url = api.coursedir.db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return {}
    with Book(api, assignment) as book:
        return book.submitted()


def write_report(course: str | Path, assignment: str, to: str | Path | None = None) -> Path:
    """Write ``ASSIGNMENT.html``, the instructor's page with the results of an assignment.

    Students must not see this page, because it names students and shows their code.

    Parameters
    ----------
    to
        The folder of the page; None for ``COURSE/reports``.

    Returns
    -------
    Path
        The path of the page.

    Raises
    ------
    ValueError
        If `course` is no course or has no such assignment (`CourseError`).
    GradebookError
        If the gradebook cannot be read.
    OSError
        If the page cannot be written.
    """
    root = course_folder(course)
    check_assignment(root, assignment, graded=True)
    store = Store(root, assignment)
    results = dict(store.results())
    api = course_api(root)
    coursedir = api.coursedir
    submitted = Path(coursedir.root) / coursedir.submitted_directory
    unreadable = sorted(set(store.students("results")) - set(results))
    points = _standings(api, assignment)
    names = {student: found.called for student, found in points.items()}
    page = report_page(
        assignment,
        {names.get(student, student): result for student, result in results.items()},
        {names[student]: found for student, found in points.items()},
        known_texts(root, assignment),
        [names.get(student, student) for student in unreadable],
        [one.text for one in misplaced(root, assignment, submitted)],
        [
            f"{names.get(student, student)}: {wrong}"
            for student in results
            if (wrong := read_timestamp(submitted / student / assignment, home_of(api))[1])
        ],
        read_decisions(root, assignment),
    )
    folder = root / "reports" if to is None else Path(to)
    file = folder / f"{assignment}.html"
    write_atomically(file, page.encode("utf-8"))
    return file


def add_parser(commands: Any) -> None:
    """Add the command ``report`` to `commands`, which ``add_subparsers`` of argparse returned."""
    command: argparse.ArgumentParser = commands.add_parser(
        "report", help=_("write a page about a graded assignment, for the instructor")
    )
    add_assignment(command)
    command.add_argument(
        "--to",
        type=folder_to_fill,
        metavar="DIR",
        help=_("where to write it (default: COURSE/reports)"),
    )


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach report``: write the page, print its path, and return the exit code."""
    try:
        print(write_report(told.course, told.assignment, told.to))
        store = Store(course_folder(told.course), told.assignment)
    except (GradebookError, OSError, ValueError) as error:
        return refusal("report", error)
    if store.students("results"):
        return 0
    said = _("no submission of {assignment} is graded yet", assignment=told.assignment)
    print(f"dpteach report: {said}", file=sys.stderr)
    return 1
