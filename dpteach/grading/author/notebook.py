"""The instructor's notebook with nbgrader's metadata: a check becomes ``check("name")``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpteach.grading.author.declare import _Declared
from dpteach.grading.author.scheme import as_markdown, scheme_of, without_scheme
from dpteach.grading.author.source import AssignmentSource
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


def notebook_text(assignment: AssignmentSource, checks: Mapping[int, _Declared]) -> str:
    """The instructor's notebook as text. No hidden case is in it, so it depends on no seed.

    Parameters
    ----------
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
            marked = as_markdown(scheme_of(cell))
            whole = without_scheme(cell.source)
            rubric, rest = "", whole
            if "### BEGIN RUBRIC" in whole:
                rubric, rest = replace(cell, source=whole).region("RUBRIC")
            model, _ = cell.region("SOLUTION")
            statement = _without(rest, "SOLUTION")
            scheme = "\n\n".join(
                [
                    statement,
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
