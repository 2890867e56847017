"""The text source of an assignment: its format, and the reader for it.

An assignment is one MyST notebook, ``course_src/assignments/topic.md``: the instructor's
version, from which everything else is made. A cell declares its kind with ``:kind:`` (code) or
``+++ {"kind": ...}`` (text):

============== ======== ======================= =================================================
kind           cell     other options           meaning
============== ======== ======================= =================================================
(none)         any      tags                    text and code that the student sees and may change
``given``      code     name                    code that is restored before grading
``solution``   code     name                    functions to write, with the answer between
                                                ``### BEGIN SOLUTION`` and ``### END SOLUTION``
``check``      code                             one check, see below
``reference``  code                             the instructor's: wrong implementations and helpers
                                                for the checks; not in the notebook
``parameters`` code                             values that differ from student to student, see
                                                below; not in the notebook
``manual``     any      name, points            a question that a person grades, with a marking
                                                scheme (see `scheme`), or a rubric between
                                                ``### BEGIN RUBRIC`` and ``### END RUBRIC`` that
                                                students do not see, or both, and a model answer
                                                as in a ``solution`` cell. In code, for example
                                                for a plot, the lines of scheme and rubric begin
                                                with ``#``, and the person sees the outputs
============== ======== ======================= =================================================

In the text, ``{{points}}`` becomes the points of the whole assignment, ``{{points NAME}}`` those of
an item, and ``{{passage NAME}}`` a text that all assignments share
(`dpteach.grading.author.passages`). Data files are named in the header
(`dpteach.grading.author.data`).

One cell of kind ``parameters`` may declare values that differ from student to student
(`dpteach.grading.author.parameters`). In the text and code of the notebook, ``{{people}}`` becomes
the value of the parameter ``people``, and ``{{people:,}}`` the same value in Python's format ``,``.
In cells of kind ``reference`` and ``check``, ``people`` is a variable.

A check is one expression, which may use names that reference cells define and, without an import:

=================== ================================================================================
``Check``           one right answer per case, or an error: ``expected=``, ``compare=``
``PropertyCheck``   an answer between two bounds: ``at_least=``, ``at_most=``, ``statement=``
``RandomCheck``     a mechanism, and the distribution of its outputs: ``law=``
``RepairCheck``     a broken mechanism to repair by changing a few statements: ``law=``
``WitnessCheck``    which mechanisms (``Exhibit``) break their claim, each with a witness
``AttackCheck``     an attack that guesses secrets, judged by its success rate
``TestsCheck``      a test that the student writes, judged on right and wrong implementations
``HandCheck``       numbers that are computed by hand: ``expected=``, ``digits=``
``DesignCheck``     a mechanism with its noise as data: ``mechanisms=``, ``target=``, ``steps=``
``Law``             a continuous distribution: ``Law("norm", loc=0.0, scale=2.0)``, or ``"laplace"``
``DiscreteLaplace`` a distribution on integers: ``DiscreteLaplace(2.0)``
``Categorical``     a distribution on a few answers: ``Categorical(["yes", "no"], [0.75, 0.25])``
``Case``            arguments of one call; ``words=`` for the student, ``raises=`` for an error
``Fresh``           hidden cases that are drawn from a seed by a function of a Generator
``Mistake``         a wrong implementation and the misconception behind it
``Suspect``         an implementation that a student's test must accept (``right=True``) or reject
``Relative``        the tolerance for right answers; also ``Absolute``, ``Exact``
=================== ================================================================================

All checks have ``name``, ``points``, ``call`` (the student's function), ``visible`` and ``hidden``
cases, ``mistakes``, ``builds_on`` (earlier checks) and ``book``, a reference for readers: a section
of the book (``"renyi_dp#renyi-dp"``), a paper of its bibliography (``"doi:10.1109/CSF.2017.11"``,
``"arXiv:1702.07476"``), or "". The docstrings of the classes describe the rest.

A section whose heading is tagged ``+++ {"tags": ["optional"]}`` is released only if the course asks
for it (`sections`). ``{{minutes}}`` becomes a sentence on the time that the assignment takes
(`minutes`).
"""

from __future__ import annotations

import ast
import functools
import os
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpteach._language import SOURCE, catalog
from dpteach.grading.author import data, sections
from dpteach.grading.author.parameters import NAMES, Parameters
from dpteach.grading.author.passages import with_passages
from dpteach.grading.core.names import assignment_name
from dpteach.grading.core.versions import Value, places, with_values
from dpteach.grading.course.folder import course_language, is_among, settings_of

_, _n = catalog("author")

_OPTIONS: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {
    # for each kind of cell: its type ("" for any type), the required options, the other options
    "": ("", frozenset(), frozenset({"tags"})),
    "given": ("code", frozenset({"name"}), frozenset({"tags"})),
    "solution": ("code", frozenset({"name"}), frozenset({"tags"})),
    "check": ("code", frozenset(), frozenset()),
    "reference": ("code", frozenset(), frozenset()),
    "parameters": ("code", frozenset(), frozenset()),
    "manual": ("", frozenset({"name", "points"}), frozenset()),
}

#: the kinds of cells that the build leaves out of the notebook
INSTRUCTORS = ("reference", "parameters")

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_POINTS = re.compile(r"\{\{points(?: +([a-z][a-z0-9_]*))?\}\}")
#: matches a line with the options of a text cell that lacks the +++ which must precede them
_OPTIONS_LINE = re.compile(r"(?m)^\s*\+{0,2}\s*\{\s*[\"']kind[\"']\s*:")


class SourceError(ValueError):
    """Error for a faulty text source; the message names file, line and cell of each fault."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line

    @classmethod
    def at(cls, file: str, line: int, problem: str, inside: str = "") -> SourceError:
        """Return an error about a line; `inside` says in which cell or answer it is, or is ""."""
        place = f"{file}:{line} ({inside})" if inside else f"{file}:{line}"
        return cls(f"{place}: {problem}", line)


class Problems:
    """A collection of errors in a text source, which are reported together."""

    def __init__(self) -> None:
        self.found: list[SourceError] = []

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Catch and collect a `SourceError` that the ``with`` block raises."""
        try:
            yield
        except SourceError as error:
            self.found.append(error)

    def tell(self) -> None:
        """Raise one `SourceError` with all errors in the order of their lines, if there are any."""
        if self.found:
            ordered = sorted(self.found, key=lambda error: error.line)
            texts = dict.fromkeys(str(error) for error in ordered)
            raise SourceError("\n".join(texts), ordered[0].line)


@dataclass(frozen=True)
class Cell:
    """One cell of a text source.

    Attributes
    ----------
    cell_type
        ``"code"`` or ``"markdown"``.
    kind, name, points
        The cell's options; "" or 0 for an option that the cell does not have.
    source
        The cell's text without options.
    path, line
        The file, and the number of the line on which `source` begins.
    template
        The text `source` with placeholders, such as ``{{people}}``, for values that differ from
        student to student; "" for cells of the kinds reference, parameters and check.
    """

    cell_type: str
    kind: str
    name: str
    points: float
    source: str
    path: Path
    line: int
    template: str = ""

    def error(self, problem: str, *, line: int | None = None) -> SourceError:
        """Return an error about this cell; its message names the file, the line and the cell."""
        cell = _("cell {name!r}", name=self.name) if self.name else ""
        return SourceError.at(self.path.name, line or self.line, problem, cell)

    def region(self, word: str) -> tuple[str, str]:
        """Return the text between ``### BEGIN word`` and ``### END word``, and the other text.

        Raises
        ------
        SourceError
            If the cell has no such region, several such regions, or a region without an end.
        """
        lines = self.source.split("\n")
        mark = re.compile(rf"\s*### (BEGIN|END) {word}\s*")
        marks = [(i, at[1]) for i, line in enumerate(lines) if (at := mark.fullmatch(line))]
        names = [name for _i, name in marks]
        if names.count("BEGIN") > 1:
            raise self.error(_("the cell has two lines ### BEGIN {word}", word=word))
        if "END" in names and names != ["BEGIN", "END"]:
            raise self.error(_("### END {word} has no ### BEGIN {word} above it", word=word))
        for name in ("BEGIN", "END"):
            if name not in names:
                raise self.error(_("the cell has no line ### {name} {word}", name=name, word=word))
        (begin, _begin), (end, _end) = marks
        outside = lines[:begin] + lines[end + 1 :]
        return "\n".join(lines[begin + 1 : end]).strip("\n"), "\n".join(outside).strip("\n")

    def holds(self, word: str) -> bool:
        """Return whether the text has a line ``### BEGIN word`` or ``### END word``."""
        return re.search(rf"(?m)^\s*### (BEGIN|END) {word}\s*$", self.source) is not None

    def without(self, *words: str) -> str:
        """Return the cell's text without the regions (``### BEGIN word``) that these words name."""
        cell = self
        for word in words:
            if cell.holds(word):
                cell = replace(cell, source=cell.region(word)[1])
        return cell.source

    def answered(self) -> str:
        """Return the cell's text with the model answer, but without the scheme and the rubric.

        For a question that is answered by text, return only the model answer.
        """
        if self.kind == "manual" and self.cell_type == "markdown":
            return self.region("SOLUTION")[0]
        return re.sub(r"(?m)^\s*### (BEGIN|END) SOLUTION\n?", "", self.without("SCHEME", "RUBRIC"))

    def functions(self) -> dict[str, ast.FunctionDef]:
        """Return the functions that a code cell defines at its top level, by name."""
        with self._errors():
            tree = self._tree()
        return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}

    def run(self, namespace: dict[str, Any]) -> Any:
        """Run a code cell; return the value of its last statement if this is an expression."""
        filename, made = str(self.path), None
        with self._errors():
            tree = self._tree()
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            if self.kind == "check" and (last is None or tree.body):
                raise self.error(_("a cell of kind check must be one expression"))
            exec(compile(tree, filename, "exec"), namespace)
            if isinstance(last, ast.Expr):
                made = eval(compile(ast.Expression(last.value), filename, "eval"), namespace)
        return made

    def _tree(self) -> ast.Module:
        """Return the syntax tree of a code cell, with the line numbers of the text source."""
        return ast.parse("\n" * (self.line - 1) + self.source, str(self.path))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn errors of the cell's code into errors that name a line of the text source."""
        try:
            yield
        except SourceError:
            raise
        except SyntaxError as error:
            problem = _("this is not Python: {error}", error=error.msg)
            raise self.error(problem, line=error.lineno) from None
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == str(self.path)]
            line = lines[-1] if lines else None
            raise self.error(f"{type(error).__name__}: {error}", line=line) from error


@dataclass(frozen=True)
class AssignmentSource:
    """An assignment's text source.

    Attributes
    ----------
    name
        The file's name without ``.md``: the assignment's name everywhere.
    cells
        The cells in order.
    data
        The paths of the data files, relative to `folder`.
    folder
        The folder of the data files.
    parameters
        The declaration of values that differ from student to student, or None.
    values
        The values that the parameters have in `cells`.
    optional
        Whether `cells` includes optional sections.
    language
        The language of the course, in which the build writes sentences into the notebook.
    """

    name: str
    cells: tuple[Cell, ...]
    data: tuple[str, ...] = ()
    folder: Path = field(default_factory=Path)
    parameters: Parameters | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    optional: bool = False
    language: str = SOURCE

    def version(self, values: Mapping[str, Value]) -> AssignmentSource:
        """Return the assignment with these values of its parameters."""
        cells = (
            replace(cell, source=with_values(cell.template, values)) if cell.template else cell
            for cell in self.cells
        )
        return replace(self, cells=tuple(cells), values=values)

    def templates(self) -> AssignmentSource:
        """Return the assignment with placeholders instead of the values of its parameters."""
        return self.version({})

    def of_kind(self, kind: str) -> tuple[Cell, ...]:
        """Return the cells of one kind, in order."""
        if kind not in _OPTIONS:
            raise ValueError(f"kind must be one of {', '.join(_OPTIONS)}, got kind={kind!r}")
        return tuple(cell for cell in self.cells if cell.kind == kind)


def read_source(
    path: str | Path, problems: Problems | None = None, *, optional: bool | None = None
) -> AssignmentSource:
    """Read and check a text source.

    Parameters
    ----------
    path
        The text source, a file ``topic.md``.
    problems
        The collection to which errors are added; cells with errors are then left out. None to
        raise an error.
    optional
        Whether to read the optional sections; None to follow the setting
        ``c.Assignments.optional`` of the course.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    dpteach.grading.course.folder.CourseError
        If the settings of the course cannot be used.
    SourceError
        If the file or one of its cells does not have the format that the module's docstring
        describes.
    """
    file = Path(path)
    try:
        assignment_name(file.name.removesuffix(".md"))
    except ValueError as error:
        raise SourceError(f"{file.name}: {error}") from None
    text = file.read_text(encoding="utf-8")
    notebook, lines = _notebook(text, file), text.split("\n")
    settings = settings_of(Path(os.path.abspath(file)).parents[1])
    if optional is None:
        optional = is_among(settings, "Assignments.optional", file.stem)
    collected = Problems() if problems is None else problems
    folder = file.with_suffix("")
    declared = _declared_data(notebook.metadata, folder, file, lines, collected)
    placed = _placed(notebook, lines)
    flags = sections.optional([raw for raw, _line in placed])
    for i, problem in sections.problems([raw for raw, _line in placed]):
        line = placed[i][1]
        collected.found.append(SourceError.at(file.name, line, problem))
    # `_parameters` raises its error at once, not collecting it, because all cells need the values
    parameters = _parameters(placed, file)
    values = parameters.without_seed if parameters else {}
    cells: list[Cell] = []
    for (raw, line), flag in zip(placed, flags, strict=True):
        with collected.caught():
            if optional or not flag:
                cells.append(_cell(raw, file, line, values))
    _named_once(cells, collected)
    if problems is None:
        collected.tell()
    return AssignmentSource(
        file.stem,
        tuple(cells),
        declared,
        folder,
        parameters,
        values,
        optional and any(flags),
        course_language(settings),
    )


def _notebook(text: str, file: Path) -> Any:
    """Parse a text as a notebook whose metadata `source_map` lists the line of each cell."""
    try:
        return _parsed(text)
    except Exception as error:  # jupytext, YAML and nbformat have no common class of errors
        reason = " ".join(str(error).split())
        at = re.search(r"at line (\d+)", reason)
        line = int(at[1]) if at else 1
        problem = _("the text cannot be read as a notebook: {reason}", reason=reason[:300])
        raise SourceError.at(file.name, line, problem) from None


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> Any:
    """Parse a text as a notebook. The result is cached and shared, so never change it."""
    from jupytext.myst import myst_to_notebook

    return myst_to_notebook(text, add_source_map=True)


def _declared_data(
    header: Mapping[str, Any], folder: Path, file: Path, lines: list[str], collected: Problems
) -> tuple[str, ...]:
    """Return the data files that the header declares; () if the declaration has an error."""
    declared = header.get("data", [])
    found = list(dict.fromkeys(data.problems(declared, folder)))
    line = next((i for i, one in enumerate(lines, 1) if one.startswith("data:")), 1)
    collected.found += [SourceError.at(file.name, line, problem) for problem in found]
    return () if found else tuple(declared)


def _placed(notebook: Any, lines: list[str]) -> list[tuple[Any, int]]:
    """Return the cells of a notebook, each with the line of the file on which its text begins.

    The text of a cell begins below blank lines and options.
    """
    placed = []
    for raw, start in zip(notebook.cells, notebook.metadata["source_map"], strict=True):
        first = raw.source.split("\n")[0].strip()
        found = (i for i in range(start, len(lines)) if lines[i].strip() == first)
        placed.append((raw, next(found, start) + 1))
    return placed


def _named_once(cells: Iterable[Cell], collected: Problems) -> None:
    """Collect an error for each cell with the name of an earlier cell."""
    names: dict[str, Cell] = {}
    for cell in cells:
        with collected.caught():
            if cell.name in names:
                raise cell.error(
                    _(
                        "the cell on line {line} has the same name already",
                        line=names[cell.name].line,
                    )
                )
        if cell.name:
            names[cell.name] = cell


def _parameters(placed: Iterable[tuple[Any, int]], file: Path) -> Parameters | None:
    """Return the parameters that a cell declares; None if there is no such cell."""
    found: Parameters | None = None
    for raw, line in placed:
        if raw.metadata.get("kind") != "parameters" or raw.cell_type != "code":
            continue
        cell = _cell(raw, file, line, {})
        if found is not None:
            raise cell.error(_("only one cell may have the kind parameters, and this is a second"))
        found = cell.run(dict(NAMES))
        if not isinstance(found, Parameters):
            raise cell.error(
                _("the last statement of a cell of kind parameters must be Parameters(...)")
            )
    return found


def filled(text: str, points: Mapping[str, float]) -> str:
    """Return a text with points in place of ``{{points}}`` and ``{{points NAME}}``.

    >>> filled("{{points}} points, {{points proof}} of them for a proof", {"f": 2.5, "proof": 5})
    '7.5 points, 5 of them for a proof'
    """
    return _POINTS.sub(lambda at: f"{points[at[1]] if at[1] else sum(points.values()):g}", text)


def check_points(cell: Cell, points: Mapping[str, float]) -> Iterator[SourceError]:
    """Yield errors for unknown items in ``{{points NAME}}``, and for numbers as in "2 points".

    Such a number would stay in the text when the points of an item change.

    Parameters
    ----------
    points
        The points of each item, by name.
    """
    rest = cell.source
    for word in ("RUBRIC", "SOLUTION") if cell.kind == "manual" else ():
        if not cell.holds(word):
            continue
        inside = cell.region(word)[0]
        rest = rest.replace(inside, "\n" * inside.count("\n"), 1)
    for at in _POINTS.finditer(rest):
        if at[1] and at[1] not in points:
            yield cell.error(
                _(
                    "{placeholder}: there is no item {name!r}. The items are {known}",
                    placeholder=at[0],
                    name=at[1],
                    known=", ".join(points),
                ),
                line=cell.line + rest.count("\n", 0, at.start()),
            )
    for at in re.finditer(r"\b\d+(?:\.\d+)?\s+points?\b", rest):
        yield cell.error(
            _(
                "{text!r} would stay when the points of an item change. Write {whole} for the "
                "points of all items, or {one} for the points of an item",
                text=" ".join(at[0].split()),
                whole="{{points}}",
                one="{{points NAME}}",
            ),
            line=cell.line + rest.count("\n", 0, at.start()),
        )


def _cell(raw: Any, path: Path, line: int, values: Mapping[str, Value]) -> Cell:
    """Return a notebook's cell as a `Cell`; raise an error if its options or text are wrong."""
    options: Mapping[str, Any] = raw.metadata
    kind, text = options.get("kind", ""), raw.source
    cell = Cell(raw.cell_type, kind, options.get("name", ""), 0.0, text, path, line)
    lost = _OPTIONS_LINE.search(text) if raw.cell_type == "markdown" else None
    for problem in _wrong_options(raw.cell_type, kind, options, lost is not None):
        below = text.count("\n", 0, lost.end()) if lost else 0
        raise cell.error(problem, line=line + below)
    if raw.cell_type == "markdown":
        try:
            text = with_passages(text)
        except ValueError as error:
            raise cell.error(str(error)) from None
    cell = replace(cell, points=float(options.get("points", 0)), source=text)
    if kind not in (*INSTRUCTORS, "check"):
        cell = replace(cell, source=_valued(cell, values), template=text)
    for problem in _wrong_text(cell):
        raise cell.error(problem)
    return cell


def _wrong_options(
    cell_type: str, kind: str, options: Mapping[str, Any], lost: bool
) -> Iterator[str]:
    """Yield a message for each wrong option of a cell.

    The caller reports only the first one, because it may be the cause of the others.

    Parameters
    ----------
    lost
        Whether the text of the cell has a line that looks like options.
    """
    if cell_type not in ("code", "markdown"):
        yield _("a cell must be code or markdown, got {cell_type}", cell_type=cell_type)
    if kind not in _OPTIONS:
        allowed = ", ".join(word for word in _OPTIONS if word)
        yield _("kind must be one of {allowed}, got kind={kind!r}", allowed=allowed, kind=kind)
    if lost:
        yield _(
            "this looks like the options of a cell, but it stands inside of the cell. Write it "
            "after +++ on the line that begins the cell"
        )
    right, required, further = _OPTIONS[kind]
    if right and cell_type != right:
        yield _(
            "a cell of kind {kind} must be {right}, got {wrong}",
            kind=kind,
            right=right,
            wrong=cell_type,
        )
    present = set(options) - {"kind"}
    if missing := ", ".join(sorted(required - present)):
        yield _("a cell of kind {kind} must have {missing}", kind=kind, missing=missing)
    if unknown := ", ".join(sorted(present - required - further)):
        if not kind:
            yield _("a cell without a kind must not have the options {unknown}", unknown=unknown)
        yield _(
            "a cell of kind {kind} must not have the options {unknown}", kind=kind, unknown=unknown
        )
    name, points = options.get("name", ""), options.get("points", 0)
    if "name" in present and not _NAME.fullmatch(name):
        yield _("name must be of the form lower_case_2, got name={name!r}", name=name)
    if kind == "manual" and (
        isinstance(points, bool) or not isinstance(points, (int, float)) or not points > 0
    ):
        yield _("points must be a number > 0, got points={points!r}", points=points)


def _valued(cell: Cell, values: Mapping[str, Value]) -> str:
    """Return a cell's text with values in place of placeholders; unknown names raise an error."""
    for at in places(cell.source) if values else ():
        line = cell.line + cell.source.count("\n", 0, at.start())
        if at[1] not in values:
            raise cell.error(
                _(
                    "{placeholder}: there is no parameter {name!r}. The parameters are {known}",
                    placeholder=at[0],
                    name=at[1],
                    known=", ".join(values),
                ),
                line=line,
            )
        try:
            with_values(at[0], values)
        except ValueError as error:
            raise cell.error(str(error), line=line) from None
    return with_values(cell.source, values)


def _wrong_text(cell: Cell) -> Iterator[str]:
    """Yield messages on wrong or missing functions and regions (``### BEGIN ...``) of a cell."""
    if cell.kind == "manual":
        wanted = [word for word in ("SCHEME", "RUBRIC") if cell.holds(word)] or ["RUBRIC"]
        for word in wanted:
            lines = filter(str.strip, cell.region(word)[0].split("\n"))
            if cell.cell_type == "code" and not all(one.lstrip().startswith("#") for one in lines):
                yield _(
                    "in a code cell, the lines between the marks of {word} must begin with #",
                    word=word,
                )
        cell.region("SOLUTION")
        last = max(
            cell.source.rfind(f"### END {word}") for word in ("SCHEME", "RUBRIC", "SOLUTION")
        )
        rest = cell.source[last:].split("\n")[1:]
        if cell.cell_type == "markdown" and any(map(str.strip, rest)):
            at = next(i for i, text in enumerate(rest, 1) if text.strip())
            problem = _(
                "there is text below the scheme, rubric or model answer. End the cell above it "
                "with a line +++"
            )
            raise cell.error(problem, line=cell.line + cell.source.count("\n", 0, last) + at)
    if cell.kind == "solution":
        cell.region("SOLUTION")
        if not cell.functions():
            yield _("a cell of kind solution must define a function")
        for name, node in cell.functions().items():
            if not ast.get_docstring(node):
                yield _(
                    "the function {name} has no docstring, from which students learn what it must "
                    "do",
                    name=name,
                )
