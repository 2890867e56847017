"""The evaluation of an assignment's checks, and the proof that they tell right from wrong answers.

A check is accepted only if the instructor's solution passes it, if some case detects each mistake
(wrong implementation) that the check declares, and if no constant answer passes. Hidden cases that
are drawn at random are tried with several seeds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.data import beside
from dpteach.grading.author.parts import Parts, declared, visible_part
from dpteach.grading.author.source import INSTRUCTORS, AssignmentSource, Cell, Problems
from dpteach.grading.kinds import declaration
from dpteach.grading.kinds.declaration import Declaration, Fresh
from dpteach.grading.kinds.registry import KINDS, of_declaration, of_part
from dpteach.grading.student.runner import run

_, _n = catalog("author")

#: the classes that the expression of every check may use without an import; each kind of check
#: adds its own classes
_WORDS: Final = ("Absolute", "Case", "Exact", "Fresh", "Mistake", "Relative")


def vocabulary(assignment: AssignmentSource) -> dict[str, Any]:
    """Return the names that reference and check cells can use, each with its value."""
    known = {word: getattr(declaration, word) for word in _WORDS}
    for kind in KINDS.values():
        known |= {word.__name__: word for word in (kind.declaration, *kind.words)}
    return {**known, **assignment.values, "__name__": "checks"}


def read_checks(
    assignment: AssignmentSource, problems: Problems | None = None
) -> dict[int, Declaration]:
    """Evaluate the checks of an assignment, and return them by the index of their cell.

    Parameters
    ----------
    problems
        The collection to which errors are added; cells with errors are then left out. None to
        raise an error.

    Raises
    ------
    SourceError
        If a cell cannot be evaluated, if two cells, checks or functions have the same name, or if
        a check calls a function that no solution cell defines.
    """
    namespace = vocabulary(assignment)
    functions = {f for cell in assignment.of_kind("solution") for f in cell.functions()}
    taken = {cell.name for cell in assignment.cells if cell.name}
    checks: dict[int, Declaration] = {}
    collected = Problems() if problems is None else problems
    with beside(assignment.folder, assignment.data):
        defined: dict[str, Cell] = {}
        for i, cell in enumerate(assignment.cells):
            with collected.caught():
                if cell.kind in ("given", "solution"):
                    _check_redefinition(cell, defined)
                if cell.kind == "reference":
                    cell.run(namespace)
                    _check_parameters(cell, namespace, assignment)
                if cell.kind == "check":
                    check = cell.run(namespace)
                    for problem in _problems(check, taken, checks.values(), functions):
                        raise cell.error(problem)
                    taken.add(check.name)
                    checks[i] = check
    if problems is None:
        collected.tell()
    return checks


def _check_parameters(
    cell: Cell, namespace: Mapping[str, Any], assignment: AssignmentSource
) -> None:
    """Raise an error if a reference cell assigns another value to the name of a parameter."""
    for name, value in assignment.values.items():
        if namespace.get(name) is not value:
            raise cell.error(
                _("this cell redefines {name!r}, which is a parameter: use another name", name=name)
            )


def _check_redefinition(cell: Cell, defined: dict[str, Cell]) -> None:
    """Raise an error if a cell defines a function with the name of an earlier function."""
    for name in cell.functions():
        if name in defined:
            raise cell.error(
                _(
                    "the function {name!r} is defined on line {line} already",
                    name=name,
                    line=defined[name].line,
                )
            )
        defined[name] = cell


def _problems(
    check: Any, taken: set[str], earlier: Iterable[Declaration], functions: set[str]
) -> Iterator[str]:
    """Yield the problems of a check that a cell declares, such as conflicts with cells above."""
    if not isinstance(check, Declaration):
        yield _("a cell of kind check must be one Check(...) or another kind of check")
    if check.name in taken:
        yield _("the name {name!r} is used already", name=check.name)
    for name in check.builds_on:
        if name not in {one.name for one in earlier}:
            yield _("builds_on: no earlier check has the name {name!r}", name=name)
    if check.call not in functions:
        yield _("no cell of kind solution defines the function {name!r}", name=check.call)


def proved(
    assignment: AssignmentSource,
    checks: Mapping[int, Declaration],
    seeds: Sequence[int],
    problems: Problems | None = None,
    *,
    once: Collection[int] = (),
) -> dict[int, Parts]:
    """Return the checks as data, after a proof that they tell right from wrong answers.

    For each seed, the author's reference implementation must answer every case, each declared
    mistake must be detected by some case, the instructor's solution must pass, and no constant
    answer may pass.

    Parameters
    ----------
    checks
        The checks by the index of their cell (`read_checks`).
    seeds
        The seeds from which hidden cases are drawn; the data for the first seed are returned.
    problems
        The collection to which errors are added; None to raise an error.
    once
        The indices of the checks that are tried only with the first seed.

    Raises
    ------
    SourceError
        If a part of the proof fails; the message names file, line and cell.
    """
    parts: dict[int, list[Parts]] = {}
    collected = Problems() if problems is None else problems
    whole = not collected.found
    with beside(assignment.folder, assignment.data):
        for i, check in checks.items():
            with collected.caught():
                fresh = any(isinstance(case, Fresh) for case in check.hidden)
                used = seeds if fresh and i not in once else seeds[:1]
                parts[i] = _parts(assignment.cells[i], check, used)
        # do not run the solution if cells with errors were left out, because functions may then be
        # missing
        if whole:
            _try_solution(assignment, parts, collected)
    if problems is None:
        collected.tell()
    return {i: found[0] for i, found in parts.items()}


def _parts(cell: Cell, check: Declaration, seeds: Sequence[int]) -> list[Parts]:
    """Return a check's cases for each seed; raise an error if they accept a wrong answer."""
    found: list[Parts] = []
    try:
        common, refuse = visible_part(check, seeds[0]), of_declaration(check).proof
        for seed in seeds:
            found.append(declared(check, seed, visible=common))
            if refuse is not None:
                refuse(check, *found[-1])
    except (TypeError, ValueError) as error:
        raise cell.error(f"{check.name}: {error}") from error
    return found


def part(cell: Cell, check: Declaration, seed: int) -> Parts:
    """Return a check's cases for one seed; raise an error if they accept a wrong answer."""
    (found,) = _parts(cell, check, [seed])
    return found


def _try_solution(
    assignment: AssignmentSource, parts: Mapping[int, Sequence[Parts]], problems: Problems
) -> None:
    """Run the instructor's notebook, and run each check on the notebook's functions."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for i, cell in enumerate(assignment.cells):
        if cell.cell_type != "code" or cell.kind in INSTRUCTORS:
            continue
        with problems.caught():
            if cell.kind != "check":
                cell.run(namespace)
            elif i in parts:
                _try_check(cell, parts[i], namespace)


def _try_check(cell: Cell, parts: Sequence[Parts], namespace: Mapping[str, Any]) -> None:
    """Raise an error if the instructor's solution does not pass a check."""
    for part in [parts[0][0], *(hidden for _visible, hidden in parts if hidden is not None)]:
        if part["call"] not in namespace:
            # the function is missing because of an error in the cell that should define it, and
            # that error has already been reported
            return
        kind = of_part(part)
        if kind.in_notebook is not None:
            try:
                kind.in_notebook(part, namespace)
            except ValueError as error:
                raise cell.error(f"{part['name']}: {error}") from error
        verdict, _printed = run(namespace[part["call"]], part)
        if not verdict.passed and part["hidden"] and kind.unsolved is not None:
            raise cell.error(f"{part['name']}: {kind.unsolved(part)}")
        if not verdict.passed:
            problem = _("the instructor's solution does not pass this check:")
            raise cell.error(f"{problem}\n{verdict.text()}")
