"""``dpteach validate NOTEBOOK``, which runs the visible checks of a notebook.

The notebook is run from the top, by the same code as nbgrader's *Validate* in JupyterLab. Before
that, check cells and other locked cells that the student changed are restored, as in grading. The
exit code is 0 if all visible checks pass, 1 if a check does not pass, and 2 if the notebook cannot
be run.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpteach._kernels import private_kernels
from dpteach._language import catalog, speaking
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import (
    TEXT_CHARACTERS,
    lost_pictures,
    markdown_length,
    one_line,
    quoted,
)
from dpteach.grading.core.plain import shown
from dpteach.grading.core.reasons import enumerated
from dpteach.grading.core.receipt import (
    another_assignment,
    is_foreign,
    label_of,
    name_of,
    nested,
    source_of,
)
from dpteach.grading.kinds.registry import KINDS
from dpteach.grading.student.files import (
    StudentError,
    notebook_data,
    released_language,
    sidecar,
    unreadable,
)
from dpteach.grading.student.runner import NotWritten, check_cell
from dpteach.grading.submission.repair import checksum, is_unanswered, tidy

_, _n = catalog("student")

PASSED: Final = 0
FAILED: Final = 1

#: the kernel that runs every notebook of the course
KERNEL: Final = "python3"

#: the time limit of a cell, in seconds; it suffices for a check in which each case reaches its own
#: time limit
CELL_SECONDS: Final = 300


@dataclass(frozen=True)
class Validation:
    """The outcome of the visible checks of a notebook.

    Attributes
    ----------
    passed
        The items whose visible cases are all right, in the assignment's order.
    failed
        For each other item, the message of its check.
    notes
        Further messages for the student.
    raised
        A sentence for each cell, other than a check cell, that raised an error.
    form_only
        The items whose visible cases check only the form of the answer.
    said
        The text that the check printed, by the name of an item in `form_only`.
    unwritten
        The failed items whose function, or a function that it calls, is still a stub.
    unanswered
        The questions, graded by a person, whose answers are empty or unchanged.
    """

    passed: tuple[str, ...]
    failed: Mapping[str, str]
    notes: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    form_only: frozenset[str] = frozenset()
    unwritten: frozenset[str] = frozenset()
    said: Mapping[str, str] = field(default_factory=dict)
    unanswered: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the messages and the count of passed checks as lines of text for the student."""
        # errors come first, because a check may fail only because a failed cell did not define a
        # name
        lines = [*self.raised, ""] if self.raised else []
        # list unwritten items in one line, so that messages about the other items stay on the
        # screen
        waiting = [name for name in self.failed if name in self.unwritten]
        lines += [
            part for name, told in self.failed.items() if name not in waiting for part in (told, "")
        ]
        if waiting:
            not_started = _n(
                "1 item is not started, or calls a function that is not: {names}.",
                "{count} items are not started, or call a function that is not: {names}.",
                len(waiting),
                names=", ".join(waiting),
            )
            lines += [not_started, ""]
        form = [name for name in self.passed if name in self.form_only]
        lines += [self.said[name] for name in form if name in self.said]
        lines += self.notes
        # if a check fails, the total counts the items whose visible cases check only the form of
        # the answer (`form_only`), too, so that it is the same whether these items pass or fail
        passed, count = len(self.passed) - len(form), len(self.passed) + len(self.failed)
        if self.failed:
            lines.append(
                _n(
                    "{passed} of 1 check passes. Not yet: {names}.",
                    "{passed} of {count} checks pass. Not yet: {names}.",
                    count,
                    passed=passed,
                    names=", ".join(self.failed),
                )
            )
        elif passed:
            lines.append(
                _n(
                    "The check passes on the visible cases. Grading tries further cases.",
                    "{passed} of {count} checks pass on the visible cases. Grading tries further "
                    "cases.",
                    passed,
                    passed=passed,
                )
            )
        if form:
            lines.append(
                _n(
                    "1 further item has the required form. Only grading, not the notebook, can "
                    "check whether it is right: {names}.",
                    "{count} further items have the required form. Only grading, not the notebook, "
                    "can check whether they are right: {names}.",
                    len(form),
                    names=enumerated(form),
                )
            )
        if self.unanswered:
            names = ", ".join(map(quoted, self.unanswered))
            lines.append(_("Not answered yet, and graded by a person: {names}.", names=names))
        return "\n".join(lines)


def validate(path: str | Path) -> Validation:
    """Run a notebook and report which of its visible checks pass.

    Parameters
    ----------
    path
        The student's notebook, in the released folder, whose ``checks.json`` describes the checks.

    Raises
    ------
    StudentError
        If there is no such notebook, if the notebook or ``checks.json`` cannot be read, or if no
        kernel starts.
    """
    path = Path(path).resolve()
    with speaking(released_language(path.parent)):
        return _validated(path)


def _validated(path: Path) -> Validation:
    """Validate a notebook as `validate` does, with messages in the current language."""
    private_kernels()
    data = notebook_data(path)
    released = sidecar(path.parent)
    cells = data["cells"] if isinstance(data.get("cells"), list) else []
    if is_foreign([name_of(cell) for cell in cells if isinstance(cell, dict)], released["cells"]):
        raise StudentError(another_assignment(data, str(released.get("assignment"))))
    checks, names = released["checks"], list(released["checks"])
    kinds = {name: KINDS.get(str(checks[name].get("kind"))) for name in names}
    form = frozenset(name for name, kind in kinds.items() if kind and kind.form_only)
    notebook = _opened(path)
    restored = any(map(altered, notebook.cells))
    present, notes = _cells(notebook.cells, names)
    blank = tuple(_blank(notebook.cells))
    kernel = _kernel(data)
    if kernel != KERNEL:
        notes.append(
            _(
                "The notebook names the kernel {kernel}, but grading uses {used}, so it was run "
                "with {used}.",
                kernel=quoted(kernel),
                used=KERNEL,
            )
        )
    failed = {
        name: _(
            "{name}: its check cell is missing. Fetch the assignment again in another folder, and "
            "copy your answers into its cells.",
            name=name,
        )
        for name in names
        if name not in present
    }
    if retyped := list(_retyped(notebook.cells)):
        told = {name: failed.get(name) or _("{name}: not checked.", name=name) for name in names}
        return Validation((), told, (*notes, *retyped), unanswered=blank)
    _put_back(notebook, names, released["given"])
    survived, found = _executed(path, notebook), _failed(notebook.cells, names)
    if not survived:
        # keep the message of the check that ended the kernel, because this check has printed the
        # reason
        told = {name: found.get(name) or _ended(name) for name in names}
        return Validation((), told, tuple(notes), unanswered=blank)
    failed |= found
    outputs = [(name_of(cell), one) for cell in notebook.cells for one in cell.get("outputs", ())]
    unwritten = frozenset(name for name, one in outputs if one.get("ename") == NotWritten.__name__)
    printed = [(name, one.text) for name, one in outputs if one.get("name") == "stdout"]
    said = {name: text.strip() for name, text in printed if name in form}
    raised = tuple(_raised(notebook.cells, names))
    ordered = {name: failed[name] for name in names if name in failed}
    if restored and any("NameError" in told for told in ordered.values()):
        notes.append(
            _(
                "The given cells were restored before the checks were run. If a NameError above is "
                "about a name that only your version of such a cell defines, define that name in "
                "a cell of your own."
            )
        )
    passed = tuple(name for name in names if name not in failed)
    return Validation(passed, ordered, tuple(notes), raised, form, unwritten, said, blank)


def _ended(name: str) -> str:
    """Return the message that an item was not checked because the notebook's kernel ended."""
    return _(
        "{name}: not checked, because the kernel ended before the notebook did. Look for a cell "
        "that calls exit or needs too much memory.",
        name=name,
    )


def altered(cell: Mapping[str, Any]) -> bool:
    """Return whether a locked cell, other than a check cell, differs from the released text.

    nbgrader's checksum in the cell's metadata identifies the released text.
    """
    told = nested(cell, "metadata", "nbgrader")
    if not isinstance(told, dict) or not told.get("locked") or told.get("grade"):
        return False
    if not isinstance(told.get("checksum"), str) or "grade_id" not in told:
        return False
    source, kind = source_of(cell), str(cell.get("cell_type"))
    same = (checksum(kind, text, told) for text in (source, tidy(source)))
    return told["checksum"] not in same


def put_back(names: Sequence[str]) -> str:
    """Return a message that grading will restore these locked cells, which the student changed."""
    return _n(
        "You changed the cell {names}, which belongs to the assignment. Grading restores it, and "
        "what you wrote there is lost. Write it into a cell of your own.",
        "You changed the cells {names}, which belong to the assignment. Grading restores them, and "
        "what you wrote there is lost. Write it into cells of your own.",
        len(names),
        names=", ".join(map(quoted, names)),
    )


def _kernel(data: Mapping[str, Any]) -> str:
    """Return the kernel's name in a notebook's metadata; if it is missing, the course's kernel."""
    name = nested(data, "metadata", "kernelspec", "name")
    return name if isinstance(name, str) else KERNEL


def _opened(notebook: Path) -> Any:
    """Return a notebook, converted to nbformat's version 4."""
    import nbformat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return nbformat.read(notebook, 4)
    except Exception as error:
        raise unreadable(notebook.name, shown(str(error))) from None


def _cells(cells: Sequence[Any], names: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the names of a notebook's check cells, and messages about problems of its cells."""
    present, notes = set(), []
    if changed := [name_of(cell) for cell in cells if altered(cell)]:
        notes.append(put_back(changed))
    if lost := lost_pictures(cells):
        notes.append(lost)
    for cell in cells:
        name, told = name_of(cell), cell.metadata.get("nbgrader", {})
        long = cell.cell_type == "markdown" and markdown_length(cell.source) > TEXT_CHARACTERS
        if long and not told.get("locked"):
            notes.append(
                _(
                    "Your text cell {cell} is too long: the person who grades it sees only the "
                    "first {most:,} characters. Shorten it.",
                    cell=label_of(cell),
                    most=TEXT_CHARACTERS,
                )
            )
        if name in names and cell.cell_type == "code":  # a check cell of another type is not run
            present.add(name)
            if cell.source.strip() not in (check_cell(name), check_cell(name, told.get("points"))):
                notes.append(
                    _("You changed the check cell of {name}. It was run as released.", name=name)
                )
    return present, notes


def _blank(cells: Sequence[Any]) -> Iterator[str]:
    """Yield the names of questions, graded by a person, whose answers are empty or unchanged."""
    for cell in cells:
        told = cell.metadata.get("nbgrader", {})
        if told.get("grade") and told.get("solution") and is_unanswered(cell):
            yield name_of(cell)


def _retyped(cells: Sequence[Any]) -> Iterator[str]:
    """Yield a message for each of the assignment's cells whose type the student changed."""
    for cell in cells:
        before = cell.metadata.get("nbgrader", {}).get("cell_type") or cell.cell_type
        if before != cell.cell_type:
            yield _(
                "The cell {name} has the type {now}, and was released as {before}. No check was "
                "run: change its type back.",
                name=quoted(name_of(cell)),
                now=cell.cell_type,
                before=before,
            )


def _put_back(notebook: Any, names: Sequence[str], given: Mapping[str, str]) -> None:
    """Restore check cells, other locked cells and the course's kernel; remove all outputs."""
    # use the course's kernel, because the kernel that the notebook names may not be installed, and
    # grading ignores it, too
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
    """Run all cells as nbgrader's *Validate* does; return whether the kernel still runs at the end.

    The outputs are stored in the cells.
    """
    from nbclient.exceptions import DeadKernelError
    from nbconvert.preprocessors import CellExecutionError
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import setenv

    # let the kernel log only errors, because its other messages, about sockets, would confuse a
    # student
    runner = Execute(timeout=CELL_SECONDS, extra_arguments=["--IPKernelApp.log_level=40"])
    runner.log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), setenv(NBGRADER_VALIDATING="1"):
            warnings.simplefilter("ignore")
            runner.preprocess(notebook, {"metadata": {"path": str(path.parent)}})
    except DeadKernelError:
        return False
    except CellExecutionError as error:
        why = error.evalue or _("a cell cannot be run")
        raise StudentError(f"{path.name}: {why}") from None
    except Exception as error:
        raise StudentError(
            _("{name} cannot be run: {why}", name=path.name, why=shown(str(error)))
        ) from None
    return True


def _failed(cells: Sequence[Any], names: Sequence[str]) -> dict[str, str]:
    """Return the message of each failed check: its error, or the text that it wrote to stderr."""
    from nbconvert.filters.ansi import strip_ansi

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
    """Yield a sentence for each error of a cell other than a check cell."""
    for cell in cells:
        for output in cell.get("outputs", []) if name_of(cell) not in names else []:
            if output.output_type == "error":
                error = one_line(f"{output.ename}: {output.evalue}").removesuffix(":").rstrip(".")
                yield _("Your cell {cell} raised {error}.", cell=label_of(cell), error=error)


def add_parser(commands: Any) -> None:
    """Add the command ``validate`` to `commands`, which ``add_subparsers`` of argparse returned."""
    about = _("run a notebook and its visible checks; exit code 0: all checks pass")
    parser: argparse.ArgumentParser = commands.add_parser("validate", help=about, description=about)
    parser.add_argument(
        "notebook", type=Path, metavar="NOTEBOOK", help=_("a notebook, such as renyi_dp.ipynb")
    )


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach validate``, and return its exit code."""
    try:
        found = validate(told.notebook)
    except StudentError as error:
        return refusal("validate", error)
    print(found.text())
    return FAILED if found.failed else PASSED
