"""``dpteach hand-in NOTEBOOK``, the command that makes the one file that a student submits.

The file is the notebook without outputs and with a fingerprint of its cells, which the command
also shows to the student. The exit code is 0 if all cells of the assignment are present and
answered, 1 if the file is written but lacks a cell or an answer, and 2 if no file can be made.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import lost_pictures, printable, quoted
from dpteach.grading.core.names import assignment_name
from dpteach.grading.core.receipt import (
    KEY,
    another_assignment,
    is_foreign,
    kept,
    name_of,
    receipt,
)
from dpteach.grading.core.versions import MARK
from dpteach.grading.student.files import (
    SIDECAR,
    StudentError,
    damaged,
    notebook_data,
    sidecar,
    write_data,
)
from dpteach.grading.student.validate import altered, put_back
from dpteach.grading.submission.repair import is_unanswered

_, _n = catalog("student")

#: the folder beside the notebook into which the file to submit is written
FOLDER: Final = "hand_in"

#: the key of the notebook's metadata under which the fingerprint is stored
HANDED_IN: Final = "handed_in"


@dataclass(frozen=True)
class HandedIn:
    """The file to submit, and problems of the notebook from which it was made.

    Attributes
    ----------
    path
        The path of the file.
    saved
        The time at which the notebook was last saved.
    receipt
        The fingerprint of the notebook's cells.
    missing, unanswered, altered
        The names of the assignment's cells that are missing, of answers that are unchanged since
        the release, and of locked cells that were changed.
    pictures
        A message about pictures that cannot be shown to the person who grades, or "".
    """

    path: Path
    saved: datetime
    receipt: str
    missing: tuple[str, ...]
    unanswered: tuple[str, ...]
    altered: tuple[str, ...] = ()
    pictures: str = ""

    def text(self) -> str:
        """Return lines of text for the student on where the file is and what it lacks."""
        lines = [
            _(
                "This is your {assignment} as you saved it on {time:%Y-%m-%d, %H:%M}.",
                assignment=self.path.stem,
                time=self.saved,
            )
        ]
        if self.missing:
            lines.append(
                _(
                    "Cells are missing: {names}. Fetch the assignment again in another folder, and "
                    "copy your answers into its cells.",
                    names=_listed(self.missing),
                )
            )
        if self.unanswered:
            lines.append(_("Not answered yet: {names}.", names=_listed(self.unanswered)))
        if self.altered:
            lines.append(put_back(self.altered))
        if self.pictures:
            lines.append(self.pictures)
        lines += [
            _("Submit this file: {path}", path=self.path),
            _("Its fingerprint:  {fingerprint}", fingerprint=self.receipt),
        ]
        return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(printable(name) for name in names)


def hand_in(path: str | Path) -> HandedIn:
    """Make the file to submit from a notebook.

    Parameters
    ----------
    path
        The student's notebook; ``checks.json`` lies next to it.

    Raises
    ------
    StudentError
        If the file is not the notebook of the assignment, if the notebook or ``checks.json``
        cannot be read, or if the file to submit cannot be written.
    """
    notebook = Path(path).resolve()
    data = notebook_data(notebook)
    cells = data.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise StudentError(
            _(
                "{name} has an old format. Open it in JupyterLab, save it, and try again.",
                name=notebook.name,
            )
        )
    released = sidecar(notebook.parent)
    try:
        assignment, wanted = assignment_name(released.get("assignment")), released["cells"]
    except ValueError:
        raise damaged(SIDECAR) from None
    here = {name_of(cell): cell for cell in cells}
    missing = tuple(name for name in wanted if name not in here)
    if len(missing) == len(wanted) or is_foreign(here, wanted):
        raise StudentError(another_assignment(data, assignment))
    if notebook.name != f"{assignment}.ipynb":
        raise StudentError(
            _(
                "the notebook of this assignment must be named {wanted}, and this one is named "
                "{name}. If this is the one that you want to submit, rename it.",
                wanted=f"{assignment}.ipynb",
                name=quoted(notebook.name),
            )
        )
    unanswered = tuple(
        name
        for name, role in wanted.items()
        if name in here and role in ("solution", "manual") and is_unanswered(here[name])
    )
    own = {HANDED_IN: receipt(data)}
    own |= {what: told for what in (MARK, "assignment") if (told := kept(data, what))}
    for cell in cells:
        if cell.get("cell_type") == "code":
            cell |= {"outputs": [], "execution_count": None}
    metadata = data.get("metadata")
    data["metadata"] = (metadata if isinstance(metadata, dict) else {}) | {KEY: own}
    target = notebook.parent / FOLDER / notebook.name
    try:
        target.parent.mkdir(exist_ok=True)
        write_data(target, data)
        saved = datetime.fromtimestamp(notebook.stat().st_mtime)
    except OSError as error:
        raise StudentError(
            _("the file {path} cannot be written: {why}", path=target, why=error.strerror)
        ) from None
    changed = tuple(name_of(cell) for cell in cells if altered(cell))
    return HandedIn(
        target, saved, own[HANDED_IN], missing, unanswered, changed, lost_pictures(cells)
    )


def compared(path: str | Path) -> tuple[str, str]:
    """Return the fingerprint stored in a submitted file, and that of its cells as they are now.

    Raises
    ------
    StudentError
        If the file cannot be read, or was not made by ``dpteach hand-in``.
    """
    file = Path(path)
    try:
        data = notebook_data(file)
        before = kept(data, HANDED_IN)
        if before:
            return before, receipt(data)
    except (KeyError, TypeError, RecursionError) as error:
        raise StudentError(str(error)) from None
    raise StudentError(
        _("{name} has no fingerprint, so `dpteach hand-in` did not make it.", name=file.name)
    )


def add_parser(commands: Any) -> None:
    """Add the command ``hand-in`` to `commands`, which ``add_subparsers`` of argparse returned."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "hand-in",
        help=_("write the file to submit for a notebook"),
        description=_("Write the file to submit for a notebook, and show its fingerprint."),
        epilog=_(
            "Exit code: 0 if everything is present and answered, 1 if something is missing or not "
            "answered, 2 if there is nothing to submit."
        ),
    )
    parser.add_argument(
        "notebook", type=Path, metavar="NOTEBOOK", help=_("a notebook, such as renyi_dp.ipynb")
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help=_(
            "compare a submitted file with its fingerprint; exit code: 0 if unchanged, 1 if changed"
        ),
    )


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach hand-in``, and return its exit code."""
    try:
        if told.check:
            before, now = compared(told.notebook)
            print(_("fingerprint when made: {fingerprint}", fingerprint=before))
            print(_("fingerprint now:       {fingerprint}", fingerprint=now))
            return int(before != now)
        found = hand_in(told.notebook)
    except StudentError as error:
        return refusal("hand-in", error)
    print(found.text())
    return int(bool(found.missing or found.unanswered))
