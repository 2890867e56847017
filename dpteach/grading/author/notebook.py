"""The making of the instructor's notebook, which has nbgrader's metadata, from a text source."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpteach._language import catalog, speaking
from dpteach.grading.author.minutes import minutes, sentence
from dpteach.grading.author.scheme import as_markdown, scheme_of
from dpteach.grading.author.source import INSTRUCTORS, AssignmentSource, filled
from dpteach.grading.core.receipt import KEY, kept, name_of, receipt, role_of, source_of
from dpteach.grading.course.submitting import Frame, frame
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.student.files import SIDECAR
from dpteach.grading.student.runner import check_cell

_, _n = catalog("author")


def _made(
    cell_type: str, source: str, grade_id: str = "", *, points: float | None = None, **flags: bool
) -> Any:
    """Return a cell of a notebook.

    Parameters
    ----------
    grade_id
        The name by which nbgrader knows the cell; "" for a cell that nbgrader ignores.
    points
        The points of an item; None for other cells.
    flags
        The flags of nbgrader that are true: any of ``grade``, ``solution`` and ``locked``.
    """
    from nbformat import v4

    known: dict[str, Any] = {"schema_version": 3, "grade_id": grade_id, "task": False}
    known |= {"grade": False, "solution": False, "locked": False, **flags}
    if points is not None:
        known["points"] = int(points) if float(points).is_integer() else points
    metadata = {"nbgrader": known} if grade_id else {}
    made: Any = v4.new_code_cell if cell_type == "code" else v4.new_markdown_cell
    return made(source, metadata=metadata)


def notebook_text(assignment: AssignmentSource, checks: Mapping[int, Declaration]) -> str:
    """Return the instructor's notebook as JSON text, without hidden cases.

    The sentences that the build adds are in the language of the course, even if the process that
    makes the notebook uses another language. Otherwise, the copy of the notebook in the data for
    grading could differ from the students' notebooks.

    Parameters
    ----------
    checks
        The checks by the index of their cell, as `read_checks` returns them.
    """
    import nbformat
    from nbformat import v4

    course = Path(os.path.abspath(assignment.folder)).parents[1]
    files = [SIDECAR, *assignment.data]
    parameters = assignment.parameters is not None
    with speaking(assignment.language):
        around = frame(course, assignment.name, files, parameters=parameters)
        cells = _framed(_cells(assignment, checks), around, assignment.name)
    notebook = v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            KEY: {"assignment": assignment.name, "built": _fingerprint({"cells": cells})},
        },
    )
    return f"{nbformat.writes(notebook)}\n"


def _framed(cells: list[Any], frame: Frame, name: str) -> list[Any]:
    """Return an assignment's cells and those in `frame`, which the build adds, all with ids.

    The cells are in the order of the notebook. The ids of the assignment's own cells do not depend
    on the cells that the build adds.
    """
    whole = dict(enumerate([*cells, _made("markdown", frame.ending)]))
    first = {"first": _made("code", frame.first)} if frame.first else {}
    last = {"last": _made("code", frame.last)} if frame.last else {}
    for cell in first.values():
        # fold the cell in JupyterLab and in Colab, because students need not read it
        cell.metadata.update({"jupyter": {"source_hidden": True}, "cellView": "form"})
    # the cell `first`, if the build adds it, stands below the title
    at = int(whole[0].cell_type == "markdown" and not role_of(whole[0]))
    order = [*range(at), *first, *range(at, len(whole)), *last]
    for key, made in (found := whole | first | last).items():
        made["id"] = hashlib.sha256(f"{name} {key}".encode()).hexdigest()[:12]
    return [found[key] for key in order]


def _cells(assignment: AssignmentSource, checks: Mapping[int, Declaration]) -> list[Any]:
    """Return the cells of the instructor's notebook without those that `_framed` adds to it."""
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
            code = check_cell(name, points)
            cells.append(_made("code", code, name, points=points, grade=True, locked=True))
        elif cell.kind == "solution":
            functions = re.findall(r"(?m)^def (\w+)", cell.source)
            names = [check.name for check in checks.values() if check.call in functions]
            if names:
                lines = [announced(name, points_of[name], minutes_of[name]) for name in names]
                cells.append(_made("markdown", "\n\n".join(lines)))
            cells.append(_made("code", cell.source, cell.name, solution=True))
        elif cell.kind == "given":
            cells.append(_made("code", cell.source, cell.name, locked=True))
        elif cell.kind == "manual":
            marked = as_markdown(scheme_of(cell))
            rubric = cell.region("RUBRIC")[0] if cell.holds("RUBRIC") else ""
            model = cell.region("SOLUTION")[0]
            statement = cell.without("SCHEME", "RUBRIC", "SOLUTION")
            text = cell.cell_type == "markdown"
            if not text:
                statement = _(
                    "A person grades the output of the next cell, `{name}`.", name=cell.name
                )
                rubric = re.sub(r"(?m)^[ \t]*# ?", "", rubric)
                model = f"```python\n{model}\n```"
            scheme = "\n\n".join(
                [
                    statement,
                    announced(cell.name, cell.points, minutes_of[cell.name]),
                    *([marked] if marked else []),
                    "### BEGIN MARK SCHEME",
                    *([_rubric_heading(cell.points), rubric] if rubric else []),
                    _("**A model answer**"),
                    model,
                    "### END MARK SCHEME",
                ]
            )
            cells.append(_made("markdown", scheme, f"{cell.name}_question", locked=True))
            answer = f"### BEGIN SOLUTION\n{model}\n### END SOLUTION"
            if not text:
                answer = cell.without("SCHEME", "RUBRIC")
            answered = _made(
                cell.cell_type, answer, cell.name, points=cell.points, grade=True, solution=True
            )
            cells.append(answered)
        else:
            cells.append(_made(cell.cell_type, cell.source))
    return cells


def announced(name: str, points: float, expected: int) -> str:
    """Return the line above the answer of an item, with its points and its expected minutes.

    >>> announced("kl_values", 2.0, 15)
    '`kl_values`: 2 points, about 15 minutes'
    """
    return _n(
        "`{name}`: {count:g} point, about {minutes} minutes",
        "`{name}`: {count:g} points, about {minutes} minutes",
        points,
        name=name,
        minutes=expected,
    )


def _rubric_heading(points: float) -> str:
    return _n("**Rubric ({count:g} point)**", "**Rubric ({count:g} points)**", points)


def items(
    assignment: AssignmentSource, checks: Mapping[int, Declaration]
) -> Iterator[tuple[str, float]]:
    """Yield the name and the points of each graded item, in order."""
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            yield checks[i].name, float(checks[i].points)
        elif cell.kind == "manual":
            yield cell.name, cell.points


def _fingerprint(notebook: Mapping[str, Any]) -> str:
    """Return a SHA-256 of a notebook's cells, including their points but not their outputs."""
    metadata = [cell["metadata"].get("nbgrader") for cell in notebook["cells"]]
    return hashlib.sha256(
        json.dumps([receipt(notebook), metadata], sort_keys=True).encode()
    ).hexdigest()


def is_as_built(notebook: Path) -> bool:
    """Return whether a notebook is unchanged since the build, apart from its outputs."""
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))
        return kept(found, "built") == _fingerprint(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def named_cells(notebook: str) -> dict[str, dict[str, str]]:
    """Return the role of each named cell of a notebook, and the code that students cannot change.

    Parameters
    ----------
    notebook
        The instructor's notebook as JSON text (`notebook_text`).

    Returns
    -------
    dict
        ``"cells"``, the role of each named cell, such as "check" or "locked" (see `role_of`), and
        ``"given"``, the code of each locked code cell; both by the name of the cell.
    """
    named = [cell for cell in json.loads(notebook)["cells"] if role_of(cell)]
    given = [one for one in named if role_of(one) == "locked" and one["cell_type"] == "code"]
    return {
        "cells": {name_of(cell): role_of(cell) for cell in named},
        "given": {name_of(cell): source_of(cell) for cell in given},
    }
