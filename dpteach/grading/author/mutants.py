"""The bank of an assignment: wrong answers with the points that they deserve, and right answers.

A bank is a folder of Markdown files, ``mutants/topic/cell.md``. Each solution cell has a file with
the answers to it, and further files have answers that fill in several cells. The heading of an
answer has its name and, in parentheses, each item that loses points, with the points that remain.
An item that fails only because it calls a wrong function of an earlier item is not listed: it is
graded again with the right function, and loses no points. Below the heading, a sentence says what
is wrong, or that the answer is right, and the code follows:

.. code-block:: markdown

   ## log_base_ten (conversion: 0)
   A logarithm to base 10 in the conversion.
   ```diff
   -    return epsilon_bar + math.log(1 / delta) / (order - 1)
   +    return epsilon_bar + math.log10(1 / delta) / (order - 1)
   ```

The first line of a block of code says what the block contains:

==================== ==============================================================================
``diff``             an edit of the right solution
``diff of other``    an edit of another answer to the cell, whose code is a block ``python``
``python``           the whole code of the cell
``python cell``      the whole code of the cell `cell`, if the file has the name of another cell;
                     also ``diff cell`` for an edit
==================== ==============================================================================

The right solution is the instructor's, without docstrings. A file may begin with another right
solution, above its first answer, if most answers are closer to that solution. An edit is a diff
without line numbers: its lines with ``-`` (removed) and with a blank (kept) must occur together in
one function, exactly once. The function has the name of the cell, or the name in a line ``@@ name``
above the edit; a line ``@@`` separates two edits of the same function. Lines above a function, such
as an import, belong to it.

All other cells of an answer have the instructor's solution.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.author.source import AssignmentSource, SourceError, read_source

_, _n = catalog("author")

_BLOCK = re.compile(r"(?ms)^```([^\n]*)\n(.*?)^```$")
_FIRST = re.compile(r"(python|diff)(?: (?!of )(\w+))?(?: of (\w+))?")
_POINTS = re.compile(r"([a-z][a-z0-9_]*): (\d+(?:\.\d+)?)")
_HEADING = re.compile(rf"([a-z][a-z0-9_]*)(?: \(({_POINTS.pattern}(?:, {_POINTS.pattern})*)\))?")


@dataclass(frozen=True)
class Mutant:
    """An answer for testing the grader, right or wrong, with the points that it deserves.

    Attributes
    ----------
    name
        The name in the answer's heading.
    about
        The sentence that says what is wrong with the answer, or that it is right.
    points
        The remaining points of each item that loses points; empty for a right answer.
    cells
        The code of the solution cells that the answer fills in, by name.
    """

    name: str
    about: str
    points: Mapping[str, float]
    cells: Mapping[str, str]


@dataclass(frozen=True)
class _Block:
    """A block of code in a file of the bank, the collection of right and wrong answers.

    Attributes
    ----------
    cell
        The name of the solution cell to which the code belongs.
    base
        The name of the answer that the block edits, or "" for the right solution; None if `code`
        is the whole code of the cell.
    code
        The whole code of the cell, or the lines of an edit.
    answer, file, line
        The position of the block: the names of the answer and of the file, and the number of the
        line above `code`.
    """

    cell: str
    base: str | None
    code: str
    answer: str
    file: str
    line: int

    def error(self, problem: str, below: int = 0) -> SourceError:
        """Return an error about the line that is `below` lines after the block's first line."""
        answer = _("answer {name!r}", name=self.answer) if self.answer else ""
        return SourceError.at(self.file, self.line + below, problem, answer)


def read_bank(folder: str | Path) -> list[Mutant]:
    """Return the answers for testing the grader in a folder ``mutants/topic``, sorted by name.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no ``assignments/topic.md`` beside ``mutants``.
    dpteach.grading.author.source.SourceError
        If a file does not have the form that the module's docstring describes, or an edit does not
        fit the code that it edits.
    """
    path = Path(folder)
    if not path.is_dir():
        raise FileNotFoundError(
            _("folder must be a folder of answers, got folder={path}", path=path)
        )
    source = read_source(path.parents[1] / "assignments" / f"{path.name}.md", optional=True)
    solutions = {cell.name: cell.answered() for cell in source.of_kind("solution")}
    # `whole[answer, cell]` is the code that an answer has in a cell; both are given by name, and
    # the answer "" is the instructor's solution
    whole = {("", cell): _without_docstrings(code) for cell, code in solutions.items()}
    read = [one for file in sorted(path.glob("*.md")) for one in _answers(file)]
    for block in (block for _answer, blocks in read for block in blocks):
        if block.cell not in solutions:
            raise block.error(_("the assignment has no solution cell {cell!r}", cell=block.cell))
        if block.base is None:
            whole[block.answer, block.cell] = block.code
    found: dict[str, Mutant] = {}
    for answer, blocks in read:
        if answer is None:
            continue
        if answer.name in found:
            raise blocks[0].error(_("the bank has two answers with this name"))
        cells = {block.cell: _expanded(block, whole) for block in blocks}
        found[answer.name] = replace(answer, cells=cells)
    return [found[name] for name in sorted(found)]


def _answers(file: Path) -> Iterator[tuple[Mutant | None, list[_Block]]]:
    """Yield each answer in a file, with its blocks of code; the answer's `cells` is still empty.

    The first pair has no answer, but None, with the blocks of code above the first heading.
    """
    above, *parts = re.split(r"(?m)^## ", file.read_text(encoding="utf-8"))
    place = _Block(file.stem, None, "", "", f"{file.parent.name}/{file.name}", 1)
    yield None, _blocks(above, place)
    line = 1 + above.count("\n")
    for part in parts:
        yield _answer(part, replace(place, line=line))
        line += part.count("\n")


def _answer(text: str, place: _Block) -> tuple[Mutant, list[_Block]]:
    """Return the answer and its blocks of code in a text that begins with the answer's heading."""
    heading, below = f"{text}\n".split("\n", 1)
    match = _HEADING.fullmatch(heading.rstrip())
    if match is None:
        raise place.error(
            _(
                "a heading must be `name` or `name (item: points, ...)`, got {heading!r}",
                heading=heading,
            )
        )
    place = replace(place, answer=match[1])
    points = {item: float(left) for item, left in _POINTS.findall(match[2] or "")}
    about, blocks = _BLOCK.sub("", below).strip(), _blocks(text, place)
    if not about or not blocks or "```" in about:
        raise place.error(
            _("an answer must have a sentence that says what is wrong, and a block of code")
        )
    return Mutant(match[1], about, points, {}), blocks


def _blocks(text: str, place: _Block) -> list[_Block]:
    """Return the blocks of code in a text; `place` has the position where the text begins."""
    blocks: dict[str, _Block] = {}
    for match in _BLOCK.finditer(text):
        below = text.count("\n", 0, match.start())
        first = _FIRST.fullmatch(match[1])
        if first is None:
            problem = _(
                "a block of code must begin with `python`, `diff` or `diff of answer`, "
                "got {first!r}",
                first=match[1],
            )
            raise place.error(problem, below)
        cell, whole = first[2] or place.cell, first[1] == "python"
        if cell in blocks:
            raise place.error(
                _("the answer has two blocks for the cell {cell!r}", cell=cell), below
            )
        base = None if whole else first[3] or ""
        code = match[2].strip("\n") if whole else match[2]
        line = place.line + below
        blocks[cell] = replace(place, cell=cell, base=base, code=code, line=line)
    return list(blocks.values())


def _expanded(block: _Block, whole: Mapping[tuple[str, str], str]) -> str:
    """Return the code of the cell that a block is for.

    If the block is a diff, apply it to the code in `whole` that it edits; otherwise the block has
    the cell's whole code.
    """
    code = block.code
    if block.base is not None:
        base = whole.get((block.base, block.cell))
        if base is None:
            raise block.error(
                _(
                    "this edits the answer {answer!r}, but no answer of that name has the whole "
                    "code of the cell {cell!r} in a block `python`",
                    answer=block.base,
                    cell=block.cell,
                )
            )
        code = _edited(block, base)
    try:
        ast.parse(code)
    except SyntaxError as error:
        raise block.error(_("this is not Python: {error}", error=error.msg)) from None
    return code


def _edited(block: _Block, base: str) -> str:
    """Return the code `base` after the edits of a block, which are applied in order."""
    parts, function, below = _parts(base), block.cell, 1
    right = _("the right solution")
    of = _("the answer {answer!r}", answer=block.base) if block.base else right
    for piece in filter(None, re.split(r"(?m)^(?=@@)", block.code)):
        edit = piece
        if piece.startswith("@@"):
            name, edit = piece[2:].split("\n", 1)
            function = name.strip() or function
        if function not in parts:
            raise block.error(
                _("{code} has no function {function!r}", code=of, function=function), below
            )
        if other := re.search(r"(?m)^[^-+ \n].*", edit):
            problem = _(
                "a line of an edit must begin with -, + or a blank, got {line!r}", line=other[0]
            )
            raise block.error(problem, below)
        old, new = _side(edit, "+"), _side(edit, "-")
        text = parts[function]
        found = [match.start() for match in re.finditer(rf"(?m)^(?={re.escape(old)})", text)]
        if len(found) != 1:
            problem = _(
                "the kept and removed lines of an edit must occur exactly once in {function!r} of "
                "{code}, and they occur {count} times:",
                function=function,
                code=of,
                count=len(found),
            )
            raise block.error(f"{problem}\n{old}".rstrip(), below)
        parts[function] = text[: found[0]] + new + text[found[0] + len(old) :]
        below += piece.count("\n")
    return "".join(parts.values()).strip("\n")


def _side(edit: str, other: str) -> str:
    """Return the old or new side of a diff: the lines that do not begin with the sign `other`."""
    lines = edit.splitlines(keepends=True)
    # each line begins with a sign: -, + or a blank. An empty line of code is then a single blank,
    # which some editors remove; keep a line as it is if this has happened
    return "".join(line[1:] or line for line in lines if line[0] != other)


def _parts(code: str) -> dict[str, str]:
    """Return each function's code and the lines above it, by name; other lines have the key ""."""
    lines, parts, begin = f"{code}\n".splitlines(keepends=True), {}, 0
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in parts:
            parts[node.name] = "".join(lines[begin : node.end_lineno])
            begin = node.end_lineno or 0
    return {**parts, "": "".join(lines[begin:])}


def _without_docstrings(code: str) -> str:
    """Return code without docstrings, so that the diffs of wrong answers cannot depend on them."""
    without: set[int] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            without |= set(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(code.split("\n"), start=1)
    return "\n".join(line for number, line in lines if number not in without)


def submission(release: Any, assignment: AssignmentSource, cells: Mapping[str, str]) -> Any:
    """Return the submission of a student who writes given answers into the released notebook.

    Parameters
    ----------
    release
        The released notebook; it is not changed.
    assignment
        The text source, whose solutions fill all other cells.
    cells
        The code, or the text for a question that a person grades, by the name of the cell.

    Raises
    ------
    ValueError
        If a name in `cells` is neither of a solution cell nor of a question that a person grades.
    """
    kinds = (*assignment.of_kind("solution"), *assignment.of_kind("manual"))
    solutions = {cell.name: cell.answered() for cell in kinds}
    unknown = set(cells) - set(solutions)
    if unknown:
        raise ValueError(
            f"cells must name solution cells ({', '.join(solutions)}), "
            f"got {', '.join(sorted(unknown))}"
        )
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in solutions:
            cell.source = cells.get(name, solutions[name])
    return notebook
