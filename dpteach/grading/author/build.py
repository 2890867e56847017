"""The build of an assignment: from its text source to nbgrader's files.

For each text source ``assignments/topic.md`` of a course, the build writes

- ``source/topic/topic.ipynb``, the instructor's notebook;
- ``source/topic/checks.json``, the checks' visible test cases, which nbgrader copies to students;
- ``release/topic/``, the students' version, by nbgrader's own ``generate_assignment``.

None of these files contains hidden cases, because `making` puts these directly from the text
source into the exam, which is the data for grading. The build fails unless the module `proof`
finds that every check tells right from wrong answers.
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

from dpteach._language import SOURCE, catalog, language
from dpteach.grading.author import references
from dpteach.grading.author.data import present
from dpteach.grading.author.distributing import write_table
from dpteach.grading.author.notebook import is_as_built, items, named_cells, notebook_text
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
from dpteach.grading.student.files import SIDECAR

_, _n = catalog("author")

#: the seeds with which the build tries the checks: for the hidden cases that are drawn from each
#: seed, it proves that the checks separate right from wrong answers
PROOF_SEEDS = (1, 2, 3)
#: the name of an environment variable. If its value is "1", as in `make test`, the build saves time
#: and proves the checks for the first seed only. Whatever its value, the checks of a student's own
#: version are proved again when the data for grading that student are made
PROOFS = "DPTEACH_PROOFS"
#: the smallest number of assignments that are built in parallel; for fewer assignments, starting
#: the processes would take longer than the build
_MANY = 4


class BuildError(RuntimeError):
    """Error for an assignment whose students' version cannot be made; the message says why."""


@dataclass(frozen=True)
class BuiltAssignment:
    """An assignment that was built.

    Attributes
    ----------
    name
        The assignment's name.
    points
        The points of each item, by name, in order.
    warnings
        The warnings for the instructor.
    optional
        Whether the assignment includes optional sections.
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
    """Write the instructor's notebook and the visible checks of one assignment.

    Parameters
    ----------
    path
        The text source.
    target
        The folder to write to, which need not exist.
    personal
        Whether each student has a personal version of the assignment.

    Returns
    -------
    dict
        The points of each item, by name, in order.

    Raises
    ------
    FileNotFoundError
        If there is no such text source.
    SourceError
        If the text source has an error; the message names file, line and cell.
    """
    problems = Problems()
    assignment = read_source(path, problems)
    checks = read_checks(assignment, problems)
    # checks that use parameters of the assignment are proved here only for the first seed, because
    # `prove_versions` proves them for all seeds
    versions = uses(assignment) if assignment.parameters is not None else frozenset[int]()
    seeds = PROOF_SEEDS[:1] if os.environ.get(PROOFS) == "1" else PROOF_SEEDS
    parts = proved(assignment, checks, seeds, problems, once=versions)
    if not problems.found:
        prove_versions(assignment, seeds, problems)
    # the source was read above with or without its optional sections, as the course releases it;
    # read it the other way, too, to report errors that occur only then
    read_source(path, problems, optional=not assignment.optional)
    worth = dict(items(assignment, checks))
    for i, cell in enumerate(assignment.cells):
        if cell.cell_type == "markdown":
            problems.found += check_points(cell, worth)
        if cell.kind == "manual":
            with problems.caught():
                scheme_of(cell)
        if i in checks:
            books = [checks[i].book, *(one.book for one in checks[i].mistakes if one.book)]
            wrongs = filter(None, map(references.problem, dict.fromkeys(books)))
            problems.found += [cell.error(f"{checks[i].name}: {wrong}") for wrong in wrongs]
        if i in parts and (wrong := same_answers(checks[i], *parts[i])):
            problems.found.append(cell.error(f"{checks[i].name}: {wrong}"))
    folder = Path(target)
    notebook = folder / f"{assignment.name}.ipynb"
    for wrong in _foreign_files(folder, assignment):
        problems.found.append(SourceError(f"{assignment.name}.md: {wrong}"))
    problems.tell()
    folder.mkdir(parents=True, exist_ok=True)
    for name in assignment.data:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(assignment.folder / name, folder / name)
    whole = notebook_text(assignment, checks)
    notebook.write_text(whole, encoding="utf-8")
    sidecar: dict[str, Any] = {
        "assignment": assignment.name,
        "about": _("The visible cases of the checks. Editing this file changes no grade."),
        **named_cells(whole),
        "checks": {visible["name"]: visible for visible, _hidden in parts.values()},
    }
    if personal and assignment.parameters is not None:
        sidecar["personal"] = True
    # store the language, because a student's notebook has no access to the settings of the course
    if language() != SOURCE:
        sidecar["language"] = language()
    text = json.dumps(sidecar, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / SIDECAR).write_text(text, encoding="utf-8")
    return worth


def _processes(count: int) -> AbstractContextManager[ProcessPoolExecutor | None]:
    """Return a context with a pool of one process per processor, or with None for few tasks."""
    if count < _MANY:
        return nullcontext()
    # raise the threshold of garbage collection, which would otherwise take most of the time when
    # thousands of secrets are drawn that a student's attack must guess
    return ProcessPoolExecutor(
        os.cpu_count(),
        mp_context=get_context("spawn"),
        initializer=gc.set_threshold,
        initargs=(50_000,),
    )


def _tried(task: tuple[Path, Path, bool]) -> dict[str, float] | SourceError:
    """Build an assignment in a worker process; return the points of its items, or the error."""
    text, target, versions = task
    try:
        return build_source(text, target, personal=versions)
    except SourceError as error:
        return error


def _foreign_files(folder: Path, assignment: AssignmentSource) -> Iterator[str]:
    """Yield a message for each file that a person changed or added in the folder ``source/NAME``.

    The build would overwrite a changed file, and release an added file.
    """
    notebook = folder / f"{assignment.name}.ipynb"
    if notebook.exists() and not is_as_built(notebook):
        yield _(
            "{notebook} was edited, and the build would overwrite the edit. Make the same change "
            "in {name}.md, from which the notebook is built, then delete the notebook and build "
            "again",
            notebook=notebook,
            name=assignment.name,
        )
    for name in present(folder) if folder.is_dir() else ():
        if name not in (*assignment.data, notebook.name, SIDECAR, VERSIONS):
            yield _(
                "{path} would be released, but would be missing in grading. Move it to {target} "
                "and add it to the header under data:, or remove it",
                path=folder / name,
                target=assignment.folder / name,
            )


def build_assignments(
    course_root: str | Path,
    names: Iterable[str] | None = None,
    *,
    yes: bool = False,
    say: Callable[[str], object] = lambda words: None,
) -> list[BuiltAssignment]:
    """Build assignments of a course, from their text sources, in ``source/`` and ``release/``.

    Parameters
    ----------
    course_root
        The folder with ``nbgrader_config.py`` and ``assignments/``.
    names
        The assignments to build, such as ``["renyi_dp"]``; None for all.
    yes
        Whether the points of items may change after students have submitted the assignment.
    say
        A function that is called with a line of text after each assignment.

    Returns
    -------
    list of BuiltAssignment
        The assignments, in the order of their names.

    Raises
    ------
    ValueError
        If `course_root` is not a course, if its settings or its gradebook cannot be used, or if it
        has no such assignment (`CourseError`); if a text source has an error (`SourceError`, whose
        message names file, line and cell).
    TypeError
        If `names` is a string, or has an element that is not a string.
    BuildError
        If nbgrader refuses the result, or students submitted an assignment with other items or,
        without `yes`, with other points.
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
    # make the folders of nbgrader's exchange, because JupyterLab's list of assignments fails
    # without them
    exchange = api.config.get("Exchange", {})
    for folder in (exchange.get("root"), exchange.get("assignment_dir")):
        if isinstance(folder, str):
            Path(folder).mkdir(parents=True, exist_ok=True)
    texts = [root / "assignments" / f"{name}.md" for name in sorted(set(wanted))]
    # build the longest text source first, because building it last would leave other processors
    # idle
    tasks = [
        (text, root / "source" / text.stem, personal(api.config, text.stem))
        for text in sorted(texts, key=lambda text: text.stat().st_size, reverse=True)
    ]
    tried = {}
    with _processes(len(tasks)) as pool:
        results = (pool.map if pool else map)(_tried, tasks)
        for (text, _target, _personal), found in zip(tasks, results, strict=True):
            tried[text] = found
            done, name = len(tried), text.stem
            say(_("{done} of {total} assignments ({name})", done=done, total=len(texts), name=name))
    problems, points = Problems(), {}
    for text in texts:
        if isinstance(found := tried[text], SourceError):
            problems.found.append(found)
        else:
            points[text.stem] = found
    problems.tell()
    built = []
    for name in points:
        missing = write_table(api, name)
        with Book(api, name) as book:
            before, submitted = book.points(), book.has_submissions()
        if submitted:
            _check_submitted(name, before, points[name], yes)
        result = api.generate_assignment(name, force=True, create=True)
        if not result["success"]:
            log = f"{result.get('log', '')}\n{result.get('error', '')}".strip()
            problem = _("{name}: nbgrader could not make the release version:", name=name)
            raise BuildError(f"{problem}\n{log[-3000:]}")
        with Book(api, name) as book:
            warnings = [*missing, *book.ask_again(before, points[name])]
        optional = read_source(root / "assignments" / f"{name}.md").optional
        folders = (root / "source" / name, root / "release" / name)
        built.append(BuiltAssignment(name, points[name], *folders, tuple(warnings), optional))
    return built


def _check_submitted(
    name: str, before: Mapping[str, float], now: Mapping[str, float], yes: bool
) -> None:
    """Raise an error if a build would change items or points of a submitted assignment.

    Parameters
    ----------
    before, now
        The points of the items in the gradebook and in the text source.
    yes
        Whether points may change.

    Raises
    ------
    BuildError
        If the items differ, or if the points differ and `yes` is False; the message says what to
        do.
    """
    if {*before} != {*now}:
        raise BuildError(
            _(
                "{name}: students submitted an assignment with {before} graded items, but the "
                "new one has {now} or different ones, and nbgrader cannot add or remove items "
                "after a submission. Restore the items that were released (see "
                "c.Assignments.optional in {file}) and build again, or archive the term with "
                "`make new-term`",
                name=name,
                before=len(before),
                now=len(now),
                file=SETTINGS,
            )
        )
    changed = [item for item, worth in sorted(before.items()) if worth != now[item]]
    if changed and not yes:
        raise BuildError(
            _(
                "{name}: students submitted this assignment, and the points of {items} would "
                "change in the gradebook. Build it with `dpteach assignments {name} --yes`, or "
                "restore the points and record the decision with `dpteach term points`",
                name=name,
                items=", ".join(changed),
            )
        )


def _check_gradebook(api: Any, names: Iterable[str]) -> None:
    """Raise `CourseError` if the gradebook cannot be opened, so that no traceback is printed."""
    try:
        for name in names:
            with Book(api, name):
                return
    except GradebookError as error:
        raise CourseError(str(error)) from None
