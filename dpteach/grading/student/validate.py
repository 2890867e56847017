"""``dpteach validate NOTEBOOK``: would the visible checks pass as the notebook stands?

nbgrader runs the notebook from the top, as its *Validate* in JupyterLab does. Checks and given
cells that were altered are first put back, as when an assignment is graded. The exit code says
what came out: 0, all visible checks pass; 1, not all do; 2, the notebook cannot be run.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpteach._kernels import private_kernels
from dpteach._language import speaking
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import (
    TEXT_CHARACTERS,
    lost_pictures,
    markdown_length,
    one_line,
    quoted,
)
from dpteach.grading.core.plain import shown
from dpteach.grading.core.reasons import NOTHING_YET
from dpteach.grading.core.receipt import (
    another_assignment,
    is_foreign,
    name_of,
    nested,
    number_of,
    source_of,
)
from dpteach.grading.kinds.registry import KINDS
from dpteach.grading.student.runner import SIDECAR, check_cell, released_language
from dpteach.grading.submission.repair import checksum, is_unanswered, tidy

PASSED: Final = 0
FAILED: Final = 1

#: the kernel that runs every notebook of the course
KERNEL: Final = "python3"

#: by what `put_back` says a note is known
_CHANGED: Final = "put back when the notebook is graded"

#: what is said of a name that is missing where a given cell was put back
_LOST_NAME: Final = (
    "The given cells were put back before the checks were run. If a NameError above is about a "
    "name that only your version of such a cell defines, define it in a cell of your own."
)

#: seconds for one cell, a check with a loop in each of its cases included
CELL_SECONDS: Final = 300


class ValidateError(RuntimeError):
    """The notebook cannot be run; the text says why."""


@dataclass(frozen=True)
class Validation:
    """What the visible checks said.

    Attributes
    ----------
    passed
        The items whose visible cases are all right, in order.
    failed
        What each of the others was told, by item.
    notes
        What else there is to know.
    raised
        Which cells raised an error, and which; cells of checks are not among them.
    form_only
        The items of which only the form was looked at.
    """

    passed: tuple[str, ...]
    failed: Mapping[str, str]
    notes: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    form_only: frozenset[str] = frozenset()

    def text(self) -> str:
        """The outcome for a student, in lines."""
        # first: what a cell did not come to define is behind what a check says
        lines = [*self.raised, ""] if self.raised else []
        # one line for all of them: what is said about the others must not scroll away
        waiting = [name for name, told in self.failed.items() if NOTHING_YET in told]
        lines += [
            part for name, told in self.failed.items() if name not in waiting for part in (told, "")
        ]
        if waiting:
            items = "1 item is" if len(waiting) == 1 else f"{len(waiting)} items are"
            lines += [
                f"{items} not started, or call a function that is not: {', '.join(waiting)}.",
                "",
            ]
        lines += self.notes
        count = len(self.passed) + len(self.failed)
        if self.failed:
            names = ", ".join(self.failed)
            lines.append(
                f"{len(self.passed)} of {count} checks pass{self._form()}. Not yet: {names}."
            )
        else:
            lines.append(
                f"All {count} checks pass on the visible cases{self._form()}. "
                "Further cases are tried when it is graded."
            )
        return "\n".join(lines)

    def _form(self) -> str:
        """Of which of the checks that pass only the form was looked at."""
        form = [name for name in self.passed if name in self.form_only]
        return f"; of {', '.join(form)} only the form was looked at" if form else ""


def validate(path: str | Path) -> Validation:
    """Run a notebook and say which of its visible checks pass.

    Parameters
    ----------
    path
        The student's notebook; ``checks.json`` lies next to it.

    Raises
    ------
    ValidateError
        If there is no such notebook, it or ``checks.json`` cannot be read, or no kernel starts.
    """
    path = Path(path).resolve()
    with speaking(released_language(path.parent / SIDECAR)):
        return _validated(path)


def _validated(path: Path) -> Validation:
    """Validate a notebook as `validate` does, in the language that is used now."""
    private_kernels()
    data = notebook_data(path)
    checks, given = _sidecar(path, data)
    names = list(checks)
    form = frozenset(
        name for name, kind in checks.items() if kind in KINDS and KINDS[kind].form_only
    )
    notebook = _opened(path)
    present, notes = _cells(notebook.cells, names)
    kernel = _kernel(data)
    if kernel != KERNEL:
        notes.append(f"The notebook names the kernel {quoted(kernel)}; it was run as {KERNEL}.")
    failed = {name: f"{name}: its check cell is missing." for name in names if name not in present}
    raised: list[str] = []
    if retyped := list(_retyped(notebook.cells)):
        notes += retyped
        failed |= {name: f"{name}: not checked." for name in names if name not in failed}
    else:
        _put_back(notebook, names, given)
        if not _executed(path, notebook):
            told = "The kernel ended before the notebook did: a cell calls exit, or needs too much."
            return Validation(
                (), {name: f"{name}: not checked. {told}" for name in names}, tuple(notes)
            )
        failed |= _failed(notebook.cells, names)
        raised += _raised(notebook.cells, names)
    ordered = {name: failed[name] for name in names if name in failed}
    if _CHANGED in "".join(notes) and any("NameError" in told for told in ordered.values()):
        notes.append(_LOST_NAME)
    passed = tuple(name for name in names if name not in failed)
    return Validation(passed, ordered, tuple(notes), tuple(raised), form)


def notebook_data(notebook: Path) -> dict[str, Any]:
    """A notebook as JSON data.

    Raises
    ------
    ValidateError
        If there is none.
    """
    name = notebook.name
    if notebook.is_dir():
        raise ValidateError(f"notebook must be a file, {name} is a folder: name the file in it")
    if not notebook.is_file():
        raise ValidateError(f"notebook must be a file, there is no {name}")
    unread = f"{name} is no notebook that can be read"
    try:
        found = json.loads(notebook.read_bytes())
    except OSError as error:
        raise ValidateError(f"{unread}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ValidateError(f"{unread}: it holds no JSON, as notebooks do") from None
    if not isinstance(found, dict) or not {"cells", "worksheets"} & set(found):
        raise ValidateError(f"{unread}: it holds JSON, but no cells")
    return found


def altered(cell: Mapping[str, Any]) -> bool:
    """Return whether the text of a cell that may not be changed differs from the released one."""
    told = nested(cell, "metadata", "nbgrader")
    if not isinstance(told, dict) or not told.get("locked") or told.get("grade"):
        return False
    if not isinstance(told.get("checksum"), str) or "grade_id" not in told:
        return False
    source, kind = source_of(cell), str(cell.get("cell_type"))
    same = (checksum(kind, text, told) for text in (source, tidy(source)))
    return told["checksum"] not in same


def put_back(names: Sequence[str]) -> str:
    """What is said of given cells that were altered."""
    one = len(names) == 1
    cells, were = ("The cell", "was") if one else ("The cells", "were")
    return (
        f"{cells} {', '.join(map(quoted, names))} {were} given, and {were} changed: "
        f"{'it is' if one else 'they are'} put back when the notebook is graded. What you wrote "
        "there is lost then: write it into a cell of your own."
    )


def _kernel(data: Mapping[str, Any]) -> str:
    """Return the name of the kernel that a notebook asks for, or the course's if it names none."""
    name = nested(data, "metadata", "kernelspec", "name")
    return name if isinstance(name, str) else KERNEL


def _sidecar(notebook: Path, data: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the kinds of the checks and the texts of given cells, by name, from the file next to a
    notebook; refuse a notebook of another assignment than that of this file.
    """
    try:
        found = json.loads((notebook.parent / SIDECAR).read_text(encoding="utf-8"))
        kinds = {
            str(name): str(part.get("kind")) if isinstance(part, dict) else ""
            for name, part in found["checks"].items()
        }
        given = {str(name): str(text) for name, text in found.get("given", {}).items()}
    except FileNotFoundError:
        raise ValidateError(
            f"the file {SIDECAR} is missing: it belongs next to {notebook.name}. Fetch the "
            "assignment again."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        raise ValidateError(f"the file {SIDECAR} is damaged: fetch the assignment again.") from None
    wanted, cells = found.get("cells"), data.get("cells")
    if isinstance(wanted, dict) and isinstance(cells, list):
        names = [name_of(cell) for cell in cells if isinstance(cell, dict)]
        if is_foreign(names, wanted):
            raise ValidateError(another_assignment(data, str(found.get("assignment"))))
    return kinds, given


def _opened(notebook: Path) -> Any:
    """Return the notebook in the current format."""
    import nbformat

    read: Any = nbformat.read
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(notebook, 4)
    except Exception as error:
        raise ValidateError(
            f"{notebook.name} is no notebook that can be read: {shown(str(error))}"
        ) from None


def _cells(cells: Sequence[Any], names: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the check cells that the notebook has, and notes on cells to look at."""
    present, notes = set(), []
    if changed := [name_of(cell) for cell in cells if altered(cell)]:
        notes.append(put_back(changed))
    if lost := lost_pictures(cells):
        notes.append(lost)
    for i, cell in enumerate(cells):
        name, told = name_of(cell), cell.metadata.get("nbgrader", {})
        long = cell.cell_type == "markdown" and markdown_length(cell.source) > TEXT_CHARACTERS
        if long and not told.get("locked"):
            called = quoted(name) if name else f"number {number_of(cells, i)}"
            notes.append(
                f"Your text cell {called} is too long: who grades it is shown the first "
                f"{TEXT_CHARACTERS:,} characters."
            )
        if told.get("grade") and told.get("solution") and is_unanswered(cell):
            notes.append(f"The answer {quoted(name)}, which a person marks, is not written yet.")
        if name in names and cell.cell_type == "code":  # another kind is not run
            present.add(name)
            if cell.source.strip() not in (check_cell(name), check_cell(name, told.get("points"))):
                notes.append(f"The check cell of {name} was altered; it was run as it should be.")
    return present, notes


def _retyped(cells: Sequence[Any]) -> Iterator[str]:
    """Yield a note for each cell of the assignment whose type differs from the released one."""
    for cell in cells:
        before = cell.metadata.get("nbgrader", {}).get("cell_type") or cell.cell_type
        if before != cell.cell_type:
            yield f"A cell is {cell.cell_type} and was {before}: change it back."


def _put_back(notebook: Any, names: Sequence[str], given: Mapping[str, str]) -> None:
    """Restore checks, given cells and the course's kernel, and remove all outputs."""
    # that of another machine may not be here, and grading takes this one as well
    notebook.metadata.kernelspec = {"name": KERNEL, "display_name": "", "language": "python"}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs = []
        if name_of(cell) in names:
            cell.source = check_cell(name_of(cell))
        elif name_of(cell) in given and altered(cell):
            cell.source = given[name_of(cell)]


def _executed(path: Path, notebook: Any) -> bool:
    """Run all cells as nbgrader's *Validate* does, which fills in their outputs; return whether the
    kernel lived to the end.
    """
    from nbclient.exceptions import DeadKernelError
    from nbconvert.preprocessors import CellExecutionError
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import setenv

    # what the kernel has to say about its sockets is nothing for a student
    runner = Execute(timeout=CELL_SECONDS, extra_arguments=["--IPKernelApp.log_level=40"])
    runner.log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), setenv(NBGRADER_VALIDATING="1"):
            warnings.simplefilter("ignore")
            runner.preprocess(notebook, {"metadata": {"path": str(path.parent)}})
    except DeadKernelError:
        return False
    except CellExecutionError as error:
        raise ValidateError(f"{path.name}: {error.evalue or 'a cell cannot be run'}") from None
    except Exception as error:
        raise ValidateError(f"{path.name} cannot be run: {shown(str(error))}") from None
    return True


def _failed(cells: Sequence[Any], names: Sequence[str]) -> dict[str, str]:
    """Return what failed checks wrote, by name: an error, or anything on stderr."""
    from nbconvert.filters import ansi

    strip_ansi: Any = ansi.strip_ansi
    failed = {}
    for cell in cells:
        if cell.cell_type == "code" and name_of(cell) in names:
            told = [
                "\n".join(output.traceback) if output.output_type == "error" else output.text
                for output in cell.outputs
                if output.output_type == "error" or output.get("name") == "stderr"
            ]
            if told:
                failed[name_of(cell)] = strip_ansi("\n".join(told)).strip()
    return failed


def _raised(cells: Sequence[Any], names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each error that a cell raised, those of checks excepted."""
    for i, cell in enumerate(cells):
        name = name_of(cell)
        called = f"cell {quoted(name)}" if name else f"code cell number {number_of(cells, i)}"
        for output in cell.get("outputs", []) if name not in names else []:
            if output.output_type == "error":
                words = one_line(f"{output.ename}: {output.evalue}").removesuffix(":")
                yield f"Your {called} raised {words.rstrip('.')}."


def add_parser(commands: Any) -> None:
    """Adds the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "validate", help="run a notebook and its visible checks; exit code 0: all pass"
    )
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="such as renyi_dp.ipynb")


def run(told: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    try:
        found = validate(told.notebook)
    except ValidateError as error:
        return refusal("validate", error)
    print(found.text())
    return FAILED if found.failed else PASSED
