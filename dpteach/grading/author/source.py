"""The text source of an assignment, and what may stand in it.

An assignment is one MyST notebook, ``course_src/assignments/topic.md``: the instructor's
version, from which everything else is made. A cell says what it is with ``:kind:`` (code) or
``+++ {"kind": ...}`` (text):

============= ======== ======================= =================================================
kind          cell     other options           meaning
============= ======== ======================= =================================================
(none)        any      tags                    text and code that the student sees and may change
``given``     code     name                    code that is restored before grading
``solution``  code     name                    functions to write, with the answer between
                                               ``### BEGIN SOLUTION`` and ``### END SOLUTION``
``check``     code                             one check, see below
``reference`` code                             the instructor's: wrong implementations and helpers
                                               for the checks; not in the notebook
``manual``    markdown name, points            a question that a person grades, with its marking
                                               scheme (see `scheme`) or a rubric, which students do
                                               not see, between ``### BEGIN RUBRIC`` and
                                               ``### END RUBRIC``, or both, and a model answer
                                               between the solution's marks
============= ======== ======================= =================================================

A check is one expression, which may use what reference cells define and, without an import:

================= ==================================================================================
``Check``         one right answer a case, or an error: ``expected=``, ``compare=``
``PropertyCheck`` an answer between two bounds: ``at_least=``, ``at_most=``, ``statement=``
``RandomCheck``   a mechanism whose answers have a `Law`, `DiscreteLaw` or `Categorical`: ``law=``
``AuditCheck``    a mechanism that must keep claims: neighbours, an error; see the class
``RepairCheck``   a broken mechanism of which few statements are changed, and its right law
``WitnessCheck``  which mechanisms (``Exhibit``) break their claim, each with a witness
``AttackCheck``   an attack that guesses secrets, judged by how often it is right
``TestsCheck``    a test that the student writes, held against suspects
``HandCheck``     numbers that are worked out by hand: ``expected=``, ``digits=``
``DesignCheck``   a mechanism with its noise as data: ``mechanisms=``, ``target=``, ``steps=``
``Case``          arguments of one call; ``words=`` for the student, ``raises=`` for an error
``Fresh``         hidden cases that are drawn for each exam: a function of a Generator
``Mistake``       a wrong implementation and the misconception behind it
``Suspect``       an implementation that a student's test must accept (``right=True``) or reject
``Relative``      how close is right; also ``Absolute``, ``Exact``
================= ==================================================================================

All checks have ``name``, ``points``, ``call`` (the student's function), ``visible`` and ``hidden``
cases, ``mistakes``, ``builds_on`` (earlier checks) and ``book`` (chapter and section to read).
Their classes say the rest.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OPTIONS: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {
    # kind: cell type, required options, further ones
    "": ("", frozenset(), frozenset({"tags"})),
    "given": ("code", frozenset({"name"}), frozenset({"tags"})),
    "solution": ("code", frozenset({"name"}), frozenset({"tags"})),
    "check": ("code", frozenset(), frozenset()),
    "reference": ("code", frozenset(), frozenset()),
    "manual": ("markdown", frozenset({"name", "points"}), frozenset()),
}

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FENCE = re.compile(r"(`{3,}|~{3,})\{code-cell\}")


class SourceError(ValueError):
    """A text source that cannot be built; the text names file, line and cell."""


@dataclass(frozen=True)
class Cell:
    """One cell of a text source.

    Attributes
    ----------
    cell_type
        ``"code"`` or ``"markdown"``.
    kind, name, points
        Its options; kind and name may be "", points 0.
    source
        Its text without options.
    path, line
        The file, and the number of the line on which `source` begins.
    """

    cell_type: str
    kind: str
    name: str
    points: float
    source: str
    path: Path
    line: int

    def error(self, problem: str, *, line: int | None = None) -> SourceError:
        """An error that says where it is."""
        name = f" (cell {self.name!r})" if self.name else ""
        return SourceError(f"{self.path.name}:{line or self.line}{name}: {problem}")

    def region(self, word: str) -> tuple[str, str]:
        """The text between ``### BEGIN word`` and ``### END word``, and the text without it.

        Raises
        ------
        SourceError
            If there is no such region, more than one, or one without an end.
        """
        inside: list[str] = []
        outside: list[str] = []
        state = "before"
        for line in self.source.split("\n"):
            text = line.strip()
            if text == f"### BEGIN {word}":
                if state != "before":
                    raise self.error(f"a second ### BEGIN {word}")
                state = "in"
            elif text == f"### END {word}":
                if state != "in":
                    raise self.error(f"### END {word} without its beginning")
                state = "after"
            else:
                (inside if state == "in" else outside).append(line)
        if state != "after":
            missing = "BEGIN" if state == "before" else "END"
            raise self.error(f"### {missing} {word} is missing")
        return "\n".join(inside).strip("\n"), "\n".join(outside).strip("\n")

    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions that a code cell defines at its top level, by name."""
        try:
            tree = ast.parse(self.source)
        except SyntaxError as error:
            line = self.line + (error.lineno or 1) - 1
            raise self.error(f"not Python: {error.msg}", line=line) from None
        return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


@dataclass(frozen=True)
class AssignmentSource:
    """An assignment's text source.

    Attributes
    ----------
    name
        The file's name without ``.md``: the assignment's name everywhere.
    cells
        Its cells in order.
    """

    name: str
    cells: tuple[Cell, ...]

    def of_kind(self, kind: str) -> tuple[Cell, ...]:
        """The cells of one kind, in order."""
        if kind not in _OPTIONS:
            raise ValueError(f"kind must be one of {', '.join(_OPTIONS)}, got kind={kind!r}")
        return tuple(cell for cell in self.cells if cell.kind == kind)


def read_source(path: str | Path) -> AssignmentSource:
    """Reads and checks a text source.

    Parameters
    ----------
    path
        A file ``topic.md``.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    SourceError
        If the file or one of its cells is not as the module's table says.
    """
    import jupytext

    file = Path(path)
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.md", file.name):
        raise SourceError(
            f"{file.name}: an assignment's name has letters a to z, digits and _, a letter first"
        )
    text = file.read_text(encoding="utf-8")
    notebook = jupytext.reads(text, fmt="md:myst")
    lines = text.split("\n")
    position = _after_header(lines)
    cells: list[Cell] = []
    for raw in notebook.cells:
        position = _find(lines, raw.cell_type, raw.source, position)
        cells.append(_cell(raw, file, position + 1))
        position += raw.source.count("\n") + 1
    names: dict[str, Cell] = {}
    for cell in cells:
        if cell.name:
            if cell.name in names:
                raise cell.error(f"the name is taken already, on line {names[cell.name].line}")
            names[cell.name] = cell
    return AssignmentSource(file.stem, tuple(cells))


def _after_header(lines: list[str]) -> int:
    if lines and lines[0].strip() == "---":
        for i, line in enumerate(lines[1:], start=1):
            if line.strip() == "---":
                return i + 1
    return 0


def _find(lines: list[str], cell_type: str, source: str, start: int) -> int:
    """The index of the line on which a cell's text begins, at or after `start`."""
    first = source.split("\n")[0]
    i = start
    if cell_type == "code":
        while i < len(lines) and not _FENCE.match(lines[i]):
            i += 1
        i += 1
    while i < len(lines) and lines[i].strip() != first.strip():
        i += 1
    return i if i < len(lines) else start


def _cell(raw: Any, path: Path, line: int) -> Cell:
    options: Mapping[str, Any] = raw.metadata
    kind = options.get("kind", "")
    name = options.get("name", "")
    cell = Cell(
        raw.cell_type, kind, name if isinstance(name, str) else "", 0.0, raw.source, path, line
    )
    if raw.cell_type not in ("code", "markdown"):
        raise cell.error(f"a cell must be code or markdown, not {raw.cell_type}")
    if kind not in _OPTIONS:
        allowed = ", ".join(word for word in _OPTIONS if word)
        raise cell.error(f"kind must be one of {allowed}, got kind={kind!r}")
    cell_type, required, further = _OPTIONS[kind]
    if cell_type and raw.cell_type != cell_type:
        raise cell.error(f"a cell of kind {kind} must be {cell_type}, not {raw.cell_type}")
    given = set(options) - {"kind"}
    if required - given:
        raise cell.error(f"a cell of kind {kind} must have {', '.join(sorted(required - given))}")
    if given - required - further:
        unknown = ", ".join(sorted(given - required - further))
        raise cell.error(f"unknown option of a cell of kind {kind or '(none)'}: {unknown}")
    if "name" in given and not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise cell.error(f"name must be of the form lower_case_2, got name={name!r}")
    points = options.get("points", 0)
    if kind == "manual" and (
        isinstance(points, bool) or not isinstance(points, (int, float)) or not points > 0
    ):
        raise cell.error(f"points must be a number > 0, got points={points!r}")
    _check_regions(cell)
    return Cell(raw.cell_type, kind, name, float(points), raw.source, path, line)


def _check_regions(cell: Cell) -> None:
    """Refuses a cell whose text lacks what a cell of its kind must hold."""
    if cell.kind == "manual" and "### BEGIN SCHEME" in cell.source:
        cell.region("SCHEME")
    elif cell.kind == "manual":
        cell.region("RUBRIC")
    if cell.kind in ("manual", "solution"):
        cell.region("SOLUTION")
    if cell.kind == "solution":
        if not cell.functions():
            raise cell.error("a cell of kind solution must define a function")
        for function, node in cell.functions().items():
            if not ast.get_docstring(node):
                raise cell.error(f"the function {function} has no docstring that says what to do")
