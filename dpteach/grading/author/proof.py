"""The checks of an assignment, evaluated, and the proof that they are checks.

The instructor's solution passes every check, every declared mistake is caught, and no constant
answer passes: a check that lets its own mistakes through is not a check. Cases that are drawn fresh
are tried with several seeds.
"""

from __future__ import annotations

import ast
import traceback
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from dpteach.grading.author.data import beside
from dpteach.grading.author.parts import Parts, declared, visible_part
from dpteach.grading.author.source import INSTRUCTORS, AssignmentSource, Cell, Problems, SourceError
from dpteach.grading.kinds.declaration import (
    Absolute,
    Case,
    Declaration,
    Exact,
    Fresh,
    Mistake,
    Relative,
)
from dpteach.grading.kinds.registry import KINDS, of_declaration, of_part
from dpteach.grading.student.runner import run

#: what a check's expression may use without importing it, besides what its kind adds; the rest
#: comes from reference cells
_WORDS: Final = (Absolute, Case, Exact, Fresh, Mistake, Relative)


def vocabulary(assignment: AssignmentSource) -> dict[str, Any]:
    """Return what cells of kind reference and check find: the words of checks, and parameters."""
    own = [word for kind in KINDS.values() for word in (kind.declaration, *kind.words)]
    known: dict[str, Any] = {word.__name__: word for word in (*_WORDS, *own)}
    return {**known, **assignment.values, "__name__": "checks"}


def read_checks(
    assignment: AssignmentSource, problems: Problems | None = None
) -> dict[int, Declaration]:
    """The checks of an assignment, evaluated, by the index of their cell.

    Parameters
    ----------
    problems
        Takes what is wrong with cells, which are then left out; None: it is raised.

    Raises
    ------
    SourceError
        If a cell cannot be evaluated, names of cells, checks or functions clash, or a check calls a
        function that no solution cell defines.
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
                    _defines(cell, defined)
                if cell.kind == "reference":
                    execute(cell, namespace)
                    _keeps_parameters(cell, namespace, assignment)
                if cell.kind == "check":
                    check = execute(cell, namespace, expression=True)
                    _check(cell, check, taken, checks, functions)
                    taken.add(check.name)
                    checks[i] = check
    if problems is None:
        collected.tell()
    return checks


def _keeps_parameters(
    cell: Cell, namespace: Mapping[str, Any], assignment: AssignmentSource
) -> None:
    """Refuses a reference cell that gives a parameter's name to something else."""
    for name, value in assignment.values.items():
        if namespace.get(name) is not value:
            raise cell.error(f"{name!r} is a parameter: give what you define another name")


def _defines(cell: Cell, defined: dict[str, Cell]) -> None:
    """Refuses a function that takes the name of an earlier one: who calls that one gets this."""
    for name in cell.functions():
        if name in defined:
            raise cell.error(
                f"the function {name!r} is defined already, on line {defined[name].line}"
            )
        defined[name] = cell


def _check(
    cell: Cell, check: Any, taken: set[str], earlier: Mapping[int, Declaration], functions: set[str]
) -> None:
    """Refuses what does not fit to what stands before it."""
    if not isinstance(check, Declaration):
        raise cell.error("a cell of kind check must be one Check(...) or another kind of check")
    if check.name in taken:
        raise cell.error(f"the name {check.name!r} is taken already")
    for name in check.builds_on:
        if name not in {one.name for one in earlier.values()}:
            raise cell.error(f"builds_on: there is no earlier check of the name {name!r}")
    if check.call not in functions:
        raise cell.error(f"no cell of kind solution defines the function {check.call!r}")


def execute(cell: Cell, namespace: dict[str, Any], *, expression: bool = False) -> Any:
    """Runs a cell of the text source; errors name the line of the text source."""
    text = "\n" * (cell.line - 1) + cell.source
    filename = str(cell.path)
    try:
        if expression:
            tree = ast.parse(text, filename)
            if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
                raise cell.error("a cell of kind check must be one expression")
            body = ast.Expression(tree.body[0].value)
            return eval(compile(body, filename, "eval"), namespace)
        exec(compile(text, filename, "exec"), namespace)
        return None
    except SourceError:
        raise
    except SyntaxError as error:
        raise cell.error(f"not Python: {error.msg}", line=error.lineno) from None
    except Exception as error:
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == filename
        ]
        line = lines[-1] if lines else None
        raise cell.error(f"{type(error).__name__}: {error}", line=line) from error


def proved(
    assignment: AssignmentSource,
    checks: Mapping[int, Declaration],
    seeds: Sequence[int],
    problems: Problems | None = None,
    *,
    once: Collection[int] = (),
) -> dict[int, Parts]:
    """The checks as data, after the proof that they are checks.

    For each seed the reference answers every case, every mistake is caught, no constant answer
    passes, and the instructor's solution does.

    Parameters
    ----------
    checks
        What `read_checks` gave.
    seeds
        The exams to try; the hidden parts of the first one are returned.
    problems
        Takes what does not hold; None: it is raised.
    once
        The checks that are tried with the first seed only.

    Raises
    ------
    SourceError
        If one of it does not hold; names file, line and cell.
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
        if whole:  # else it would miss what an earlier cell did not come to define
            _try_solution(assignment, parts, collected)
    if problems is None:
        collected.tell()
    return {i: found[0] for i, found in parts.items()}


def _parts(cell: Cell, check: Declaration, seeds: Sequence[int]) -> list[Parts]:
    """Return a check as data, for some exams."""
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
    """Return a check as data, for one exam."""
    (found,) = _parts(cell, check, [seed])
    return found


def _try_solution(
    assignment: AssignmentSource, parts: Mapping[int, Sequence[Parts]], problems: Problems
) -> None:
    """Runs the instructor's solution through every check."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for i, cell in enumerate(assignment.cells):
        if cell.cell_type != "code" or cell.kind in INSTRUCTORS:
            continue
        with problems.caught():
            if cell.kind != "check":
                execute(cell, namespace)
            elif i in parts:
                _try_check(cell, parts[i], namespace)


def _try_check(cell: Cell, parts: Sequence[Parts], namespace: Mapping[str, Any]) -> None:
    for part in [parts[0][0], *(hidden for _, hidden in parts if hidden is not None)]:
        if part["call"] not in namespace:
            return  # of the cell that should define it there is a problem already
        kind = of_part(part)
        if kind.in_notebook is not None:
            try:
                kind.in_notebook(part, namespace)
            except ValueError as error:
                raise cell.error(f"{part['name']}: {error}") from error
        verdict, _ = run(namespace[part["call"]], part)
        if not verdict.passed and part["hidden"] and kind.unsolved is not None:
            raise cell.error(f"{part['name']}: {kind.unsolved(part)}")
        if not verdict.passed:
            raise cell.error(
                "the instructor's solution does not pass this check:\n" + verdict.text()
            )
