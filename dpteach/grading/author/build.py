"""From the text source of an assignment to what nbgrader works with.

For each ``assignments/topic.md`` of a course:

- ``source/topic/topic.ipynb``, with nbgrader's metadata; a check becomes the cell
  ``check("name")``;
- ``source/topic/checks.json``, the visible cases, which nbgrader copies to the students;
- ``release/topic/``, by nbgrader's own ``generate_assignment``.

Hidden cases are in none of these: they go from the text source into the exam
(`dpteach.grading.core.exam`). The build fails unless the instructor's solution passes every check,
every declared mistake is caught, and no constant answer passes: a check that lets its own mistakes
through is not a check. Cases that are drawn fresh are tried with several seeds.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import traceback
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpteach.grading.author import declare, random_checks
from dpteach.grading.author.declare import (
    Case,
    Check,
    Fresh,
    PropertyCheck,
    Relative,
    TestsCheck,
    _Declared,
)
from dpteach.grading.author.random_checks import Statistical, random_part
from dpteach.grading.author.source import AssignmentSource, Cell, SourceError, read_source
from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import decode, encode, shown
from dpteach.grading.course.folder import (
    CourseError,
    assignment_names,
    check_assignment,
    course_api,
    course_folder,
)
from dpteach.grading.judging.judge import close, within
from dpteach.grading.judging.outcomes import cleaned
from dpteach.grading.judging.suspects import source_of
from dpteach.grading.student.runner import SIDECAR, check_cell, run

#: what a check's expression may use without importing it; the rest comes from reference cells
_VOCABULARY = {
    declare: (
        "Absolute",
        "Case",
        "Check",
        "Exact",
        "Fresh",
        "Mistake",
        "PropertyCheck",
        "Relative",
        "Suspect",
        "TestsCheck",
    ),
    random_checks: ("AuditCheck", "Categorical", "DiscreteLaw", "Law", "RandomCheck"),
}


#: the exams with which the build proves that checks are checks
PROOF_SEEDS = (1, 2, 3)


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
    source, release
        The folders of the instructor's and of the students' version.
    """

    name: str
    points: Mapping[str, float]
    source: Path
    release: Path


def declared(check: _Declared, seed: int = 0) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """A check as JSON data: its visible part, and its hidden part if it has hidden cases.

    The right answers and those of the mistakes are computed here; from here on nothing needs the
    reference any more.

    Parameters
    ----------
    check
        The declaration.
    seed
        Of the exam: what is hidden depends on it, what is visible does not.

    Raises
    ------
    TypeError
        If `check` is no check.
    ValueError
        If the reference fails on a case, or a mistake is right on all cases.
    """
    if not isinstance(check, _Declared):
        raise TypeError(f"check must be a Check or another kind of check, got check={shown(check)}")
    check = check.drawn(seed)
    own = np.random.default_rng([seed, zlib.crc32(check.name.encode())])
    parts: list[dict[str, Any]] = []
    caught = [False] * len(check.mistakes)
    for hidden in (False, True):
        part: dict[str, Any] = {
            "kind": "random",
            "name": check.name,
            "points": check.points,
            "call": check.call,
            "hidden": hidden,
            "book": check.book,
            "builds_on": list(check.builds_on),
            "messages": [mistake.message for mistake in check.mistakes],
            "cases": [],
        }
        if isinstance(check, (Check, PropertyCheck)):
            part |= _plain_part(check, hidden, caught)
        elif isinstance(check, TestsCheck):
            part |= _tests_part(check, hidden, own)
        else:
            assert isinstance(check, Statistical)
            part |= random_part(check, hidden, caught)
            if hidden:
                part["seed"] = int(own.integers(2**31 - 1000))
        parts.append(part)
    for mistake, seen in zip(check.mistakes, caught, strict=True):
        if not seen:
            raise ValueError(
                f"mistakes: no case of {check.name} tells this one from the right answer: "
                f"{mistake.message!r}"
            )
    return parts[0], parts[1] if check.hidden else None


def _plain_part(check: Check | PropertyCheck, hidden: bool, caught: list[bool]) -> dict[str, Any]:
    """What is particular to one part of a `Check` or a `PropertyCheck`."""
    group = check.hidden if hidden else check.visible
    rule: Any = check.compare if isinstance(check, Check) else Relative(1e-9)
    part: dict[str, Any] = {
        "partial": check.partial,
        "recognise": [(mistake.compare or rule).to_data() for mistake in check.mistakes],
    }
    if isinstance(check, Check):
        part |= {"kind": "values", "compare": rule.to_data()}
        part["cases"] = [_value_case(check, case, caught) for case in group]
    else:
        part |= {"kind": "property", "statement": check.statement, "slack": check.slack}
        part["cases"] = [_property_case(check, case, caught) for case in group]
    part["for_nothing"] = for_nothing(part, part["cases"])
    if hidden and check.partial and part["for_nothing"] == len(group):
        raise ValueError("partial: one constant answer is right on all hidden cases")
    return part


def for_nothing(part: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> int:
    """How many cases the best function is right on that always answers or raises the same."""
    counts = [sum("raises" in case for case in cases)]
    if part["kind"] == "property":
        bounds = [(decode(case["at_least"]), decode(case["at_most"])) for case in cases]
        for bound in {x for pair in bounds for x in pair if x is not None} | {-math.inf, math.inf}:
            counts.append(sum(within(bound, *pair, slack=part["slack"]) for pair in bounds))
        return max(counts)
    # two right answers that one number comes near are at most twice the tolerance apart
    rule = {key: 2 * value for key, value in part["compare"].items()}
    right = [decode(case["expected"]) for case in cases if "raises" not in case]
    for value in right:
        counts.append(sum(close(other, value, **rule) for other in right))
    return max(counts)


def _once(function: Callable[..., Any], data: Mapping[str, Any]) -> dict[str, Any]:
    found, _ = observe(function, {"cases": [data]})
    return cleaned(found, {"cases": [data]})[0]


def _case_data(case: Case) -> dict[str, Any]:
    return {
        "args": [encode(arg) for arg in case.args],
        "kwargs": encode(case.kwargs)["dict"],
        "words": case.words,
    }


def _value_case(check: Check, case: Case, caught: list[bool]) -> dict[str, Any]:
    data = _case_data(case)
    compare = check.compare.to_data()
    if case.raises:
        data["raises"] = [error.__name__ for error in case.raises]
    else:
        assert check.expected is not None
        outcome = _once(check.expected, data)
        if "value" not in outcome or not close(outcome["value"], outcome["value"], **compare):
            raise ValueError(f"expected: the reference of {check.name} gives {outcome} on {case}")
        data["expected"] = encode(outcome["value"])

    def right(outcome: Mapping[str, Any]) -> bool:
        if "raises" in outcome:
            return bool(case.raises) and bool(set(outcome["kinds"]) & set(data["raises"]))
        return not case.raises and close(outcome["value"], decode(data["expected"]), **compare)

    data["mistakes"] = _wrongs(check, data, right, caught)
    return data


def _property_case(check: PropertyCheck, case: Case, caught: list[bool]) -> dict[str, Any]:
    data = _case_data(case)
    bounds: list[float | None] = []
    for name, function in (("at_least", check.at_least), ("at_most", check.at_most)):
        bound = None
        if function is not None:
            outcome = _once(function, data)
            bound = outcome.get("value")
            if type(bound) not in (int, float) or math.isnan(bound):  # type: ignore[arg-type]
                raise ValueError(f"{name}: the bound of {check.name} is {outcome} on {case}")
        bounds.append(bound)
        data[name] = encode(bound)

    def right(outcome: Mapping[str, Any]) -> bool:
        return within(outcome.get("value"), *bounds, slack=check.slack)

    if not any(right({"value": bound}) for bound in bounds):
        raise ValueError(f"at_least, at_most: no answer is right on {case}: {bounds}")
    data["mistakes"] = _wrongs(check, data, right, caught)
    return data


def _wrongs(
    check: _Declared,
    data: Mapping[str, Any],
    right: Callable[[Mapping[str, Any]], bool],
    caught: list[bool],
) -> list[Any]:
    """What each mistake does on a case; None if it is right there."""
    wrongs: list[Any] = []
    for i, mistake in enumerate(check.mistakes):
        outcome = _once(mistake.wrong, data)
        if "raises" in outcome:
            wrong = {"raises": outcome["raises"]}
        elif "value" in outcome:
            wrong = {"value": encode(outcome["value"])}
        else:
            raise ValueError(f"mistakes: {mistake.message!r} gives {outcome} on {data['args']}")
        fine = right(outcome)
        wrongs.append(None if fine else wrong)
        caught[i] = caught[i] or not fine
    return wrongs


def _tests_part(check: TestsCheck, hidden: bool, rng: np.random.Generator) -> dict[str, Any]:
    """What is particular to one part of a `TestsCheck`: the suspects, in an order of its own."""
    group = list(check.hidden if hidden else check.visible)
    if hidden:
        # whoever rejects a right one that is visible earns nothing either
        group += [suspect for suspect in check.visible if suspect.right]
    else:
        rng = np.random.default_rng(zlib.crc32(check.name.encode()))
    suspects = []
    for place in rng.permutation(len(group)):
        suspect = group[place]
        entry, text = source_of(suspect.function)
        suspects.append(
            {"entry": entry, "text": text, "right": suspect.right, "words": suspect.words}
        )
    return {"kind": "tests", "suspects": suspects, "compare": check.compare.to_data()}


def read_checks(assignment: AssignmentSource) -> dict[int, _Declared]:
    """The checks of an assignment, evaluated, by the index of their cell.

    Raises
    ------
    SourceError
        If a cell cannot be evaluated, names clash, or a check calls a function that no solution
        cell defines.
    """
    namespace: dict[str, Any] = {
        word: getattr(module, word) for module, words in _VOCABULARY.items() for word in words
    }
    namespace["__name__"] = "checks"
    functions = {f for cell in assignment.of_kind("solution") for f in cell.functions()}
    taken = {cell.name for cell in assignment.cells if cell.name}
    checks: dict[int, _Declared] = {}
    for i, cell in enumerate(assignment.cells):
        if cell.kind == "reference":
            _execute(cell, namespace)
        if cell.kind != "check":
            continue
        check = _execute(cell, namespace, expression=True)
        if not isinstance(check, _Declared):
            raise cell.error("a cell of kind check must be one Check(...) or another kind of check")
        if check.name in taken:
            raise cell.error(f"the name {check.name!r} is taken already")
        for name in check.builds_on:
            if name not in {earlier.name for earlier in checks.values()}:
                raise cell.error(f"builds_on: there is no earlier check of the name {name!r}")
        if check.call not in functions:
            raise cell.error(f"no cell of kind solution defines the function {check.call!r}")
        taken.add(check.name)
        checks[i] = check
    return checks


def _execute(cell: Cell, namespace: dict[str, Any], *, expression: bool = False) -> Any:
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
    assignment: AssignmentSource, checks: Mapping[int, _Declared], seeds: Sequence[int]
) -> dict[int, tuple[dict[str, Any], dict[str, Any] | None]]:
    """The checks as data, after the proof that they are checks.

    For each seed the reference answers every case, every mistake is caught, no constant answer
    passes, and the instructor's solution does.

    Parameters
    ----------
    assignment
        The text source.
    checks
        What `read_checks` gave.
    seeds
        The exams to try; the hidden parts of the first one are returned.

    Raises
    ------
    SourceError
        If one of it does not hold; names file, line and cell.
    """
    parts: dict[int, list[tuple[dict[str, Any], dict[str, Any] | None]]] = {}
    for i, check in checks.items():
        cell = assignment.cells[i]
        fresh = any(isinstance(case, Fresh) for case in check.hidden)
        parts[i] = []
        for seed in seeds if fresh else seeds[:1]:
            try:
                visible, hidden = declared(check, seed)
            except (TypeError, ValueError) as error:
                raise cell.error(f"{check.name}: {error}") from error
            if visible["kind"] in ("values", "property"):
                cases = visible["cases"] + (hidden["cases"] if hidden else [])
                if for_nothing(visible, cases) == len(cases):
                    raise cell.error(
                        f"{check.name}: a function that always gives the same answer, or always "
                        "raises, passes: add a case"
                    )
            parts[i].append((visible, hidden))
    _try_solution(assignment, parts)
    return {i: found[0] for i, found in parts.items()}


def _try_solution(
    assignment: AssignmentSource,
    parts: Mapping[int, Sequence[tuple[dict[str, Any], dict[str, Any] | None]]],
) -> None:
    """Runs the instructor's solution through every check."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for i, cell in enumerate(assignment.cells):
        if cell.cell_type != "code" or cell.kind == "reference":
            continue
        if cell.kind != "check":
            _execute(cell, namespace)
            continue
        for part in [parts[i][0][0], *(hidden for _, hidden in parts[i] if hidden is not None)]:
            verdict, _ = run(namespace[part["call"]], part)
            if not verdict.passed:
                raise cell.error(
                    "the instructor's solution does not pass this check:\n" + verdict.text()
                )


def _nbgrader(grade_id: str, *, points: float | None = None, **flags: bool) -> dict[str, Any]:
    """nbgrader's metadata of a cell."""
    data: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "grade": flags.get("grade", False),
        "solution": flags.get("solution", False),
        "locked": flags.get("locked", False),
        "task": False,
    }
    if points is not None:
        data["points"] = int(points) if float(points).is_integer() else points
    return {"nbgrader": data}


def notebook_text(assignment: AssignmentSource, checks: Mapping[int, _Declared]) -> str:
    """The instructor's notebook as text. No hidden case is in it, so it depends on no seed.

    Parameters
    ----------
    assignment
        The text source.
    checks
        What `read_checks` gave.
    """
    import nbformat
    from nbformat import v4

    new_notebook: Any = v4.new_notebook
    writes: Any = nbformat.writes
    notebook = new_notebook(
        cells=_cells(assignment, checks),
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return str(writes(notebook)) + "\n"


def _cells(assignment: AssignmentSource, checks: Mapping[int, _Declared]) -> list[Any]:
    """The cells of the instructor's notebook."""
    from nbformat import v4

    new_code_cell: Any = v4.new_code_cell
    new_markdown_cell: Any = v4.new_markdown_cell
    cells: list[Any] = []
    for i, cell in enumerate(assignment.cells):
        if cell.kind == "reference":
            continue
        if cell.kind == "check":
            name, points = checks[i].name, checks[i].points
            meta = _nbgrader(name, points=points, grade=True, locked=True)
            cells.append(new_code_cell(check_cell(name), metadata=meta))
        elif cell.kind == "solution":
            cells.append(new_code_cell(cell.source, metadata=_nbgrader(cell.name, solution=True)))
        elif cell.kind == "given":
            cells.append(new_code_cell(cell.source, metadata=_nbgrader(cell.name, locked=True)))
        elif cell.kind == "manual":
            rubric, rest = cell.region("RUBRIC")
            model, _ = cell.region("SOLUTION")
            statement = _without(rest, "SOLUTION")
            scheme = "\n\n".join(
                [
                    statement,
                    "### BEGIN MARK SCHEME",
                    f"**Rubric ({cell.points:g} points)**",
                    rubric,
                    "**A model answer**",
                    model,
                    "### END MARK SCHEME",
                ]
            )
            meta = _nbgrader(f"{cell.name}_question", locked=True)
            cells.append(new_markdown_cell(scheme, metadata=meta))
            meta = _nbgrader(cell.name, points=cell.points, grade=True, solution=True)
            answer = f"### BEGIN SOLUTION\n{model}\n### END SOLUTION"
            cells.append(new_markdown_cell(answer, metadata=meta))
        elif cell.cell_type == "code":
            cells.append(new_code_cell(cell.source))
        else:
            cells.append(new_markdown_cell(cell.source))
    for i, made in enumerate(cells):
        made["id"] = hashlib.sha256(f"{assignment.name} {i}".encode()).hexdigest()[:12]
    return cells


def _without(text: str, word: str) -> str:
    """A text without the region of this word."""
    before, _, rest = text.partition(f"### BEGIN {word}")
    return (before + rest.partition(f"### END {word}")[2]).strip("\n")


def build_source(path: str | Path, target: str | Path) -> dict[str, float]:
    """Writes the instructor's notebook and the visible checks of one assignment.

    Parameters
    ----------
    path
        The text source.
    target
        The folder to write to; made if it is missing.

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
    assignment = read_source(path)
    checks = read_checks(assignment)
    parts = proved(assignment, checks, PROOF_SEEDS)
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    notebook = folder / f"{assignment.name}.ipynb"
    notebook.write_text(notebook_text(assignment, checks), encoding="utf-8")
    sidecar = {
        "assignment": assignment.name,
        "about": "The visible cases of the checks. Editing this file changes no grade.",
        "checks": {visible["name"]: visible for visible, _ in parts.values()},
    }
    text = json.dumps(sidecar, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / SIDECAR).write_text(text, encoding="utf-8")
    return {name: points for name, points in items(assignment, checks)}


def items(
    assignment: AssignmentSource, checks: Mapping[int, _Declared]
) -> Iterator[tuple[str, float]]:
    """The graded items, checks and manual ones, and their points, in order."""
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            yield checks[i].name, float(checks[i].points)
        elif cell.kind == "manual":
            yield cell.name, cell.points


def build_assignments(
    course_root: str | Path, names: Iterable[str] | None = None
) -> list[BuiltAssignment]:
    """Builds assignments of a course: text source to ``source/`` to ``release/``.

    Parameters
    ----------
    course_root
        The folder with ``nbgrader_config.py`` and ``assignments/``.
    names
        The assignments to build, as ``["renyi_dp"]``; all of them if None.

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
    # without its folder, JupyterLab's list of assignments shows an error in place of none
    exchange = api.config.get("Exchange", {}).get("root")
    if isinstance(exchange, str):
        Path(exchange).mkdir(parents=True, exist_ok=True)
    built = []
    for name in sorted(set(wanted)):
        source, release = root / "source" / name, root / "release" / name
        points = build_source(root / "assignments" / f"{name}.md", source)
        result = api.generate_assignment(name, force=True, create=True)
        if not result["success"]:
            log = f"{result.get('log', '')}\n{result.get('error', '')}".strip()
            raise BuildError(f"{name}: nbgrader made no release version:\n{log[-3000:]}")
        built.append(BuiltAssignment(name, points, source, release))
    return built


def _check_gradebook(api: Any, names: Iterable[str]) -> None:
    """Refuses a gradebook that cannot be opened, in the words of those who read it; nbgrader
    would show where its program stood."""
    from dpteach.grading.course.gradebook import Book, GradebookError

    try:
        for name in names:
            with Book(api, name):
                return
    except GradebookError as error:
        raise CourseError(str(error)) from None
