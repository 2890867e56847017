"""The instructor's notebook with nbgrader's metadata: a check becomes ``check("name")``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpteach.grading.author.minutes import minutes, sentence
from dpteach.grading.author.scheme import as_markdown, scheme_of
from dpteach.grading.author.source import INSTRUCTORS, AssignmentSource, filled
from dpteach.grading.core.receipt import KEY, kept, name_of, receipt, role_of, source_of
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.student.runner import check_cell


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


def notebook_text(
    assignment: AssignmentSource, checks: Mapping[int, Declaration], ending: str
) -> str:
    """The instructor's notebook as text. No hidden case is in it, so it depends on no seed.

    Parameters
    ----------
    checks
        What `read_checks` gave.
    ending
        How to hand in (`dpteach.grading.course.submitting.ending`).
    """
    import nbformat
    from nbformat import v4

    new_notebook: Any = v4.new_notebook
    writes: Any = nbformat.writes
    cells = _cells(assignment, checks, ending)
    notebook = new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            KEY: {"assignment": assignment.name, "built": _fingerprint({"cells": cells})},
        },
    )
    return str(writes(notebook)) + "\n"


def _cells(
    assignment: AssignmentSource, checks: Mapping[int, Declaration], ending: str
) -> list[Any]:
    """The cells of the instructor's notebook."""
    from nbformat import v4

    new_code_cell: Any = v4.new_code_cell
    new_markdown_cell: Any = v4.new_markdown_cell
    cells: list[Any] = []
    points_of = dict(items(assignment, checks))
    minutes_of = minutes(assignment, checks)
    for i, cell in enumerate(assignment.cells):
        if cell.kind in INSTRUCTORS:
            continue
        if cell.cell_type == "markdown":
            timed = cell.source.replace("{{minutes}}", sentence(minutes_of))
            cell = replace(cell, source=filled(timed, points_of))
        if cell.kind == "check":
            name, points = checks[i].name, checks[i].points
            meta = _nbgrader(name, points=points, grade=True, locked=True)
            cells.append(new_code_cell(check_cell(name, points), metadata=meta))
        elif cell.kind == "solution":
            functions = re.findall(r"(?m)^def (\w+)", cell.source)
            names = [check.name for check in checks.values() if check.call in functions]
            if names:
                told = [announced(name, points_of[name], minutes_of[name]) for name in names]
                cells.append(new_markdown_cell("\n\n".join(told)))
            cells.append(new_code_cell(cell.source, metadata=_nbgrader(cell.name, solution=True)))
        elif cell.kind == "given":
            cells.append(new_code_cell(cell.source, metadata=_nbgrader(cell.name, locked=True)))
        elif cell.kind == "manual":
            marked = as_markdown(scheme_of(cell))
            rubric = cell.region("RUBRIC")[0] if cell.holds("RUBRIC") else ""
            model, _ = cell.region("SOLUTION")
            statement = cell.without("SCHEME", "RUBRIC", "SOLUTION")
            text = cell.cell_type == "markdown"
            if not text:
                statement = f"A person grades what the next cell shows, `{cell.name}`."
                rubric = re.sub(r"(?m)^[ \t]*# ?", "", rubric)
                model = f"```python\n{model}\n```"
            scheme = "\n\n".join(
                [
                    statement,
                    announced(cell.name, cell.points, minutes_of[cell.name]),
                    *([marked] if marked else []),
                    "### BEGIN MARK SCHEME",
                    *([f"**Rubric ({cell.points:g} points)**", rubric] if rubric else []),
                    "**A model answer**",
                    model,
                    "### END MARK SCHEME",
                ]
            )
            meta = _nbgrader(f"{cell.name}_question", locked=True)
            cells.append(new_markdown_cell(scheme, metadata=meta))
            meta = _nbgrader(cell.name, points=cell.points, grade=True, solution=True)
            if text:
                answer = f"### BEGIN SOLUTION\n{model}\n### END SOLUTION"
                cells.append(new_markdown_cell(answer, metadata=meta))
            else:
                cells.append(new_code_cell(cell.without("SCHEME", "RUBRIC"), metadata=meta))
        elif cell.cell_type == "code":
            cells.append(new_code_cell(cell.source))
        else:
            cells.append(new_markdown_cell(cell.source))
    cells.append(new_markdown_cell(ending))
    for i, made in enumerate(cells):
        made["id"] = hashlib.sha256(f"{assignment.name} {i}".encode()).hexdigest()[:12]
    return cells


def announced(name: str, points: float, expected: int) -> str:
    """Return what stands above the answer of an item.

    >>> announced("kl_values", 2.0, 15)
    '`kl_values`: 2 points, about 15 minutes'
    """
    return f"`{name}`: {points:g} point{'s' * (points != 1)}, about {expected} minutes"


def items(
    assignment: AssignmentSource, checks: Mapping[int, Declaration]
) -> Iterator[tuple[str, float]]:
    """The graded items, checks and manual ones, and their points, in order."""
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            yield checks[i].name, float(checks[i].points)
        elif cell.kind == "manual":
            yield cell.name, cell.points


def _fingerprint(notebook: Mapping[str, Any]) -> str:
    """SHA-256 of what the build writes into a notebook, points included."""
    told = [cell["metadata"].get("nbgrader") for cell in notebook["cells"]]
    return hashlib.sha256(
        json.dumps([receipt(notebook), told], sort_keys=True).encode()
    ).hexdigest()


def is_as_built(notebook: Path) -> bool:
    """Whether a notebook says what the build wrote; its outputs do not count."""
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))
        return kept(found, "built") == _fingerprint(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def named_cells(notebook: str) -> dict[str, str]:
    """What the cells are that have a name: a check, a solution, a manual answer, or locked.

    Parameters
    ----------
    notebook
        What `notebook_text` gave.
    """
    cells = json.loads(notebook)["cells"]
    return {name_of(cell): role_of(cell) for cell in cells if role_of(cell)}


def given_cells(notebook: str) -> dict[str, str]:
    """The text of each code cell that a student may not change and that is no check, by its name.

    Parameters
    ----------
    notebook
        What `notebook_text` gave.
    """
    return {
        name_of(cell): source_of(cell)
        for cell in json.loads(notebook)["cells"]
        if role_of(cell) == "locked" and cell["cell_type"] == "code"
    }
