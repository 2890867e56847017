"""From the text source of an assignment to what nbgrader works with.

For each ``assignments/topic.md`` of a course:

- ``source/topic/topic.ipynb`` (`notebook`);
- ``source/topic/checks.json``, the visible cases, which nbgrader copies to the students;
- ``release/topic/``, by nbgrader's own ``generate_assignment``.

Hidden cases are in none of these: they go from the text source into the exam (`making`). The build
fails unless the checks are checks (`proof`).
"""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from dpteach._language import SOURCE, language
from dpteach.grading.author import references
from dpteach.grading.author.data import present
from dpteach.grading.author.handing_out import write_table
from dpteach.grading.author.making import ending_of
from dpteach.grading.author.notebook import (
    given_cells,
    is_as_built,
    items,
    named_cells,
    notebook_text,
)
from dpteach.grading.author.parts import same_answers
from dpteach.grading.author.personal import prove_versions, uses
from dpteach.grading.author.proof import proved, read_checks
from dpteach.grading.author.scheme import scheme_of
from dpteach.grading.author.source import (
    AssignmentSource,
    Problems,
    SourceError,
    check_points,
    read_source,
)
from dpteach.grading.core.plain import shown
from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.course.folder import (
    SETTINGS,
    CourseError,
    assignment_names,
    check_assignment,
    course_api,
    course_folder,
)
from dpteach.grading.course.gradebook import Book, GradebookError
from dpteach.grading.course.versions import personal
from dpteach.grading.student.runner import SIDECAR

#: the exams with which the build proves that checks are checks
PROOF_SEEDS = (1, 2, 3)
#: so many assignments are worth processes of their own
_MANY = 4


class BuildError(RuntimeError):
    """nbgrader could not make the release version; the text has the end of its log."""


@dataclass(frozen=True)
class BuiltAssignment:
    """What was built.

    Attributes
    ----------
    name
        The assignment's name.
    points
        What each item is worth, by name, in order.
    warnings
        What there is to look at afterwards.
    optional
        Whether it includes optional sections.
    source, release
        The folders of the instructor's and of the students' version.
    """

    name: str
    points: Mapping[str, float]
    source: Path
    release: Path
    warnings: tuple[str, ...] = ()
    optional: bool = False


def build_source(
    path: str | Path, target: str | Path, *, personal: bool = False
) -> dict[str, float]:
    """Writes the instructor's notebook and the visible checks of one assignment.

    Parameters
    ----------
    target
        The folder to write to; made if it is missing.
    personal
        Whether each student has a version of their own.

    Returns
    -------
    dict
        The points of each item, by name, in order.

    Raises
    ------
    FileNotFoundError
        If there is no such text source.
    SourceError
        If the text source is not right; names file, line and cell.
    """
    problems = Problems()
    assignment = read_source(path, problems)
    checks = read_checks(assignment, problems)
    # what has versions is tried in each of them, with another exam
    versions = uses(assignment) if assignment.parameters is not None else frozenset[int]()
    parts = proved(assignment, checks, PROOF_SEEDS, problems, once=versions)
    if not problems.found:
        prove_versions(assignment, PROOF_SEEDS, problems)
    read_source(path, problems, optional=not assignment.optional)  # what is not built, too
    worth = dict(items(assignment, checks))
    for i, cell in enumerate(assignment.cells):
        if cell.cell_type == "markdown":
            problems.found += check_points(cell, worth)
        if cell.kind == "manual":
            with problems.caught():
                scheme_of(cell)
        if i in checks and (wrong := references.problem(checks[i].book)):
            problems.found.append(cell.error(f"{checks[i].name}: {wrong}"))
        if i in parts and (wrong := same_answers(checks[i], *parts[i])):
            problems.found.append(cell.error(f"{checks[i].name}: {wrong}"))
    folder = Path(target)
    notebook = folder / f"{assignment.name}.ipynb"
    for wrong in _of_somebody(folder, assignment):
        problems.found.append(SourceError(f"{assignment.name}.md: {wrong}"))
    problems.tell()
    folder.mkdir(parents=True, exist_ok=True)
    for name in assignment.data:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(assignment.folder / name, folder / name)
    whole = notebook_text(assignment, checks, ending_of(assignment, path))
    notebook.write_text(whole, encoding="utf-8")
    sidecar: dict[str, Any] = {
        "assignment": assignment.name,
        "about": "The visible cases of the checks. Editing this file changes no grade.",
        "cells": named_cells(whole),
        "given": given_cells(whole),
        "checks": {visible["name"]: visible for visible, _ in parts.values()},
    }
    if personal and assignment.parameters is not None:
        sidecar["personal"] = True
    if language() != SOURCE:  # a student's notebook has no settings of the course
        sidecar["language"] = language()
    text = json.dumps(sidecar, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / SIDECAR).write_text(text, encoding="utf-8")
    return worth


def _processes(count: int) -> AbstractContextManager[ProcessPoolExecutor | None]:
    """One process per processor; few assignments are built before they have begun."""
    if count < _MANY:
        return nullcontext()
    # among the trials of attacks the usual thresholds look for cycles again and again
    return ProcessPoolExecutor(
        os.cpu_count(),
        mp_context=get_context("spawn"),
        initializer=gc.set_threshold,
        initargs=(50_000,),
    )


def _tried(task: tuple[Path, str, bool]) -> dict[str, float] | SourceError:
    """The points of an assignment of a course whose source was built, or what is wrong with it."""
    root, name, versions = task
    text, target = root / "assignments" / f"{name}.md", root / "source" / name
    try:
        return build_source(text, target, personal=versions)
    except SourceError as error:
        return error


def _of_somebody(folder: Path, assignment: AssignmentSource) -> Iterator[str]:
    """What a person did in the folder that the build fills: it would be lost, or released."""
    notebook = folder / f"{assignment.name}.ipynb"
    if notebook.exists() and not is_as_built(notebook):
        yield (
            f"{notebook} was changed by somebody, and the build would write over it. Carry the "
            f"change over into {assignment.name}.md, which is the only source, remove that "
            "notebook, and build again"
        )
    for name in present(folder) if folder.is_dir() else ():
        if name not in (*assignment.data, notebook.name, SIDECAR, VERSIONS):
            yield (
                f"{folder / name} would be released, and is not there in grading. Move it to "
                f"{assignment.folder / name} and name it in the header under data:, or remove it"
            )


def build_assignments(
    course_root: str | Path,
    names: Iterable[str] | None = None,
    *,
    say: Callable[[str], object] = lambda words: None,
) -> list[BuiltAssignment]:
    """Builds assignments of a course: text source to ``source/`` to ``release/``.

    Parameters
    ----------
    course_root
        The folder with ``nbgrader_config.py`` and ``assignments/``.
    names
        The assignments to build, as ``["renyi_dp"]``; all of them if None.
    say
        Takes a line that says how far it is.

    Returns
    -------
    list of BuiltAssignment
        In the order of their names.

    Raises
    ------
    ValueError
        If `course_root` is no course, its settings or its gradebook cannot be used, it has no
        assignment or none of one of the names (`CourseError`), or a text source is not right
        (`SourceError`, naming file, line and cell).
    TypeError
        If `names` is a string or holds something else than strings.
    BuildError
        If nbgrader refuses the result.
    """
    root = course_folder(course_root)
    if names is None:
        wanted = assignment_names(root)
    else:
        if isinstance(names, str):
            raise TypeError(f"names must be a list of names, got names={names!r}")
        wanted = list(names)
        for name in wanted:
            if not isinstance(name, str):
                raise TypeError(f"names must hold strings, got {shown(name)}")
            check_assignment(root, name)
    api = course_api(root)
    _check_gradebook(api, wanted)
    # without these folders, JupyterLab's list of assignments shows an error in place of none
    exchange = api.config.get("Exchange", {})
    for folder in (exchange.get("root"), exchange.get("assignment_dir")):
        if isinstance(folder, str):
            Path(folder).mkdir(parents=True, exist_ok=True)
    problems, tried = Problems(), {}
    chosen = sorted(set(wanted))
    # the longest text first: a long assignment that comes last leaves all processors but one idle
    size = {name: (root / "assignments" / f"{name}.md").stat().st_size for name in chosen}
    tasks = [
        (root, name, personal(api.config, name))
        for name in sorted(chosen, key=size.__getitem__, reverse=True)
    ]
    with _processes(len(tasks)) as pool:
        for (_, name, _), found in zip(
            tasks, (pool.map if pool else map)(_tried, tasks), strict=True
        ):
            tried[name] = found
            say(f"The assignments: {len(tried)} of {len(chosen)}, {name}")
    points = {name: found for name in chosen if not isinstance(found := tried[name], SourceError)}
    problems.found += [found for name in chosen if isinstance(found := tried[name], SourceError)]
    problems.tell()
    built = []
    for name in points:
        source, release = root / "source" / name, root / "release" / name
        missing = write_table(api, name)
        with Book(api, name) as book:
            before, handed_in = book.graded_by_hand(), book.submitted_items()
        if handed_in and handed_in != sorted(points[name]):
            raise BuildError(
                f"{name}: students handed in {len(handed_in)} graded items, and now there are "
                f"{len(points[name])}, or others: nbgrader adds and removes none then. Bring back "
                f"what was released (is it c.Assignments.optional in {SETTINGS}?) and build again, "
                "or put the term away (make new-term)"
            )
        result = api.generate_assignment(name, force=True, create=True)
        if not result["success"]:
            log = f"{result.get('log', '')}\n{result.get('error', '')}".strip()
            raise BuildError(f"{name}: nbgrader made no release version:\n{log[-3000:]}")
        with Book(api, name) as book:
            warnings = [*missing, *book.ask_again(before, points[name])]
        optional = read_source(root / "assignments" / f"{name}.md").optional
        built.append(
            BuiltAssignment(name, points[name], source, release, tuple(warnings), optional)
        )
    return built


def _check_gradebook(api: Any, names: Iterable[str]) -> None:
    """Refuses a gradebook that cannot be opened, in the words of those who read it; nbgrader
    would show where its program stood."""
    try:
        for name in names:
            with Book(api, name):
                return
    except GradebookError as error:
        raise CourseError(str(error)) from None
