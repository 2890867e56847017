"""The graded notebook for the formgrader, with the verdicts and with long texts shortened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core import harmless
from dpteach.grading.core.reasons import credited, reason_of
from dpteach.grading.core.receipt import label_of, name_of, role_of
from dpteach.grading.core.result import ItemResult, Notice, notebook_text
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.submission.repair import STUBS, is_unanswered

_, _n = catalog("classroom")

#: the largest number of notices about cells of which only a part is shown; further ones are dropped
_MOST_NOTICES = 20


def stream(text: str) -> dict[str, Any]:
    """Return a text as an output of a cell, as if the cell had printed it."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def cut_sources(cells: Sequence[Any]) -> list[Notice]:
    """Make the texts of a notebook's cells safe and short enough to be shown in a browser.

    Parameters
    ----------
    cells
        The cells of the notebook, whose sources are replaced.

    Returns
    -------
    list of Notice
        A notice for each cell of which only a part is shown.
    """
    room = {"markdown": harmless.TEXTS_CHARACTERS, "code": harmless.CODES_CHARACTERS}
    cut: list[Notice] = []
    # the total length is limited, so process the assignment's cells before the student's own
    # cells, which are cut first
    for cell in sorted(cells, key=lambda cell: not name_of(cell)):
        if cell["metadata"].get("nbgrader", {}).get("locked"):
            continue
        name, whole, label = name_of(cell), cell["source"], label_of(cell)
        if cell["cell_type"] == "markdown":
            if role_of(cell) in ("solution", "manual") and is_unanswered(cell):
                # nbgrader recognizes an unanswered question by its exact text, so restore this
                # text
                cell["source"] = STUBS["markdown"]
                continue
            length = harmless.markdown_length(whole)
            most = min(room["markdown"], harmless.TEXT_CHARACTERS)
            cell["source"] = harmless.markdown(whole, most, cell.get("attachments", ()))
            room["markdown"] -= min(length, most)
            if length > most:
                text = _(
                    "Your text cell {cell} has {length:,} characters, of which a person who grades "
                    "it sees only the first {most:,}. A cell may have {most_of_cell:,} characters, "
                    "and all your text cells together {most_of_all:,}.",
                    cell=label,
                    length=length,
                    most=most,
                    most_of_cell=harmless.TEXT_CHARACTERS,
                    most_of_all=harmless.TEXTS_CHARACTERS,
                )
                cut.append(Notice("long_text", text, name))
        else:
            cell["source"] = harmless.code(whole, min(room["code"], harmless.CODE_CHARACTERS))
            room["code"] -= min(len(whole), room["code"])
            if cell["source"] != whole:
                text = _(
                    "Your code cell {cell} was graded as a whole, but only a part of it is shown, "
                    "because it is too long or has lines that are too long.",
                    cell=label,
                )
                cut.append(Notice("long_code", text, name))
    return cut[:_MOST_NOTICES]


def with_outputs(
    notebook: Any,
    outputs: Mapping[int, list[dict[str, Any]]],
    checks: Mapping[str, list[dict[str, Any]]],
) -> str:
    """Return the notebook with the outputs of its cells, as JSON text.

    Parameters
    ----------
    outputs
        The outputs of each cell that ran, by the cell's position in the notebook.
    checks
        The outputs of each check cell (`check_outputs`), by the cell's name.
    """
    room = harmless.NOTEBOOK_BYTES
    cells = [at for at in enumerate(notebook["cells"]) if at[1]["cell_type"] == "code"]
    for count, (_, cell) in enumerate(cells, start=1):
        cell["execution_count"] = count
    # the total size is limited, so store the outputs of checks and of cells that a person grades
    # first
    for i, cell in sorted(cells, key=lambda at: role_of(at[1]) not in ("check", "manual")):
        if name_of(cell) in checks:
            cell["outputs"] = checks[name_of(cell)]
        elif i in outputs:
            cell["outputs"], room = harmless.outputs(outputs[i], room)
    return notebook_text(notebook)


def check_outputs(
    item: ItemResult, visible: Verdict | None, hidden: Verdict | None, printed: str
) -> list[dict[str, Any]]:
    """Return the outputs of a check cell: the verdict in words, and the points for nbgrader.

    nbgrader's ``determine_grade`` takes the number that the check cell returns as the points. If
    the cell returned nothing, nbgrader would give all points.

    Parameters
    ----------
    item
        The result of the check.
    visible, hidden
        The verdicts on the visible and on the hidden cases; None if these cases were not judged.
    printed
        The text that the student's function printed on the visible cases.
    """
    lines = [item.note] if item.note else []
    if printed:
        lines.append(_("(your function printed: {printed})", printed=printed.rstrip()))
    lines += [verdict.text() for verdict in (visible, hidden) if verdict is not None]
    if item.reason:
        clause = reason_of(item.reason).clause
        lines.append(_("{item}: not judged: {reason}.", item=item.name, reason=clause))
    if item.given:
        lines.append(f"{item.name}: {credited(item.score or 0.0, item.points, item.given)}")
    outputs = [stream(harmless.clean("\n".join(lines)) + "\n")]
    if item.score != item.points:
        data = {"text/plain": repr(item.score)}
        points = {"output_type": "execute_result", "execution_count": None, "data": data}
        outputs.append({**points, "metadata": {}})
    return outputs
