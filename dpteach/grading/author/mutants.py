"""The bank of answers: plausible wrong ones with the points they deserve, and right ones.

The bank of an assignment is a folder of Markdown files, ``mutants/topic/cell.md``: one for each
solution cell, with the answers to it, and others for answers that fill in several cells. The
heading of an answer names it and the items that lose points, with the points that are left. An item
that only calls a wrong function of an earlier one is none of them: it is credited. Below stands
what is wrong, or that nothing is, and then the code:

.. code-block:: markdown

   ## log_base_ten (conversion: 0)
   A logarithm to base 10 in the conversion.
   ```diff
   -    return epsilon_bar + math.log(1 / delta) / (order - 1)
   +    return epsilon_bar + math.log10(1 / delta) / (order - 1)
   ```

The first line of a block of code says what it holds:

==================== ==============================================================================
``diff``             an edit of the right solution
``diff of other``    an edit of another answer to the cell, which is given whole
``python``           the whole cell
``python cell``      the same of a cell after which the file is not named; so ``diff cell``, too
==================== ==============================================================================

The right solution is the instructor's, without docstrings, or the block above the first answer of
the cell's file, if most answers are written in another way than the instructor's. An edit is a diff
without line numbers: its lines with ``-``, and those with a blank, which stay, must be found
together in one function, exactly once. The function has the name of the cell, or that of a line
``@@ name`` above the edit; a line ``@@`` separates two edits of one function. What stands above a
function, such as an import, belongs to it.

A cell that an answer does not name has the instructor's solution.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpteach.grading.author.source import AssignmentSource, SourceError, read_source

_BLOCK = re.compile(r"(?ms)^```([^\n]*)\n(.*?)^```$")
_FIRST = re.compile(r"(python|diff)(?: (?!of )(\w+))?(?: of (\w+))?")
_POINTS = re.compile(r"([a-z][a-z0-9_]*): (\d+(?:\.\d+)?)")
_HEADING = re.compile(rf"([a-z][a-z0-9_]*)(?: \(({_POINTS.pattern}(?:, {_POINTS.pattern})*)\))?")


@dataclass(frozen=True)
class Mutant:
    """One answer of the bank.

    Attributes
    ----------
    name
        Its heading, without the points.
    about
        What it is.
    points
        The points of the items that lose some; empty for a right answer.
    cells
        The code of the solution cells that it replaces, by name.
    """

    name: str
    about: str
    points: Mapping[str, float]
    cells: Mapping[str, str]


@dataclass(frozen=True)
class _Block:
    """The code of one cell of an answer, as its file has it.

    Attributes
    ----------
    cell
        The solution cell that it is for.
    base
        The answer that is edited, "" for the right solution; None if `code` is the whole cell.
    code
        The whole cell, or the lines of an edit.
    answer, file, line
        Where it stands: the answer's name, the file's, and the line above `code`.
    """

    cell: str
    base: str | None
    code: str
    answer: str
    file: str
    line: int

    def error(self, problem: str, below: int = 0) -> SourceError:
        """Return an error that says where it is: so many lines below the block's first."""
        line = self.line + below
        answer = f" (answer {self.answer!r})" if self.answer else ""
        return SourceError(f"{self.file}:{line}{answer}: {problem}", line)


def read_bank(folder: str | Path) -> list[Mutant]:
    """Return all answers of a folder ``mutants/topic``, in the order of their names.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no ``assignments/topic.md`` beside ``mutants``.
    dpteach.grading.author.source.SourceError
        If a file is not as the module says, or an edit does not fit what it edits.
    """
    path = Path(folder)
    if not path.is_dir():
        raise FileNotFoundError(f"folder must be a folder of answers, got folder={path}")
    source = read_source(path.parents[1] / "assignments" / f"{path.name}.md", optional=True)
    solutions = {cell.name: cell.answered() for cell in source.of_kind("solution")}
    # by answer and cell; "" is the right solution
    whole = {("", cell): _without_docstrings(code) for cell, code in solutions.items()}
    read = [one for file in sorted(path.glob("*.md")) for one in _answers(file)]
    for block in (block for _, blocks in read for block in blocks):
        if block.cell not in solutions:
            raise block.error(f"the assignment has no solution cell {block.cell!r}")
        if block.base is None:
            whole[block.answer, block.cell] = block.code
    found: dict[str, Mutant] = {}
    for answer, blocks in read:
        if answer is None:
            continue
        if answer.name in found:
            raise blocks[0].error("a second answer of this name")
        cells = {block.cell: _expanded(block, whole) for block in blocks}
        found[answer.name] = replace(answer, cells=cells)
    return [found[name] for name in sorted(found)]


def _answers(file: Path) -> Iterator[tuple[Mutant | None, list[_Block]]]:
    """Read the answers of a file, each with its blocks in place of cells; first what is above."""
    above, *parts = re.split(r"(?m)^## ", file.read_text(encoding="utf-8"))
    place = _Block(file.stem, None, "", "", f"{file.parent.name}/{file.name}", 1)
    yield None, _blocks(above, place)
    line = 1 + above.count("\n")
    for part in parts:
        yield _answer(part, replace(place, line=line))
        line += part.count("\n")


def _answer(text: str, place: _Block) -> tuple[Mutant, list[_Block]]:
    """Read an answer from its heading on."""
    heading, _, below = text.partition("\n")
    match = _HEADING.fullmatch(heading.rstrip())
    if match is None:
        raise place.error(f"a heading must be `name` or `name (item: points, ...)`: {heading!r}")
    place = replace(place, answer=match[1])
    points = {item: float(left) for item, left in _POINTS.findall(match[2] or "")}
    about, blocks = _BLOCK.sub("", below).strip(), _blocks(text, place)
    if not about or not blocks or "```" in about:
        raise place.error("an answer needs a sentence that says what it is, and blocks of code")
    return Mutant(match[1], about, points, {}), blocks


def _blocks(text: str, place: _Block) -> list[_Block]:
    """Return the blocks of code of a text that begins at a place."""
    blocks: dict[str, _Block] = {}
    for match in _BLOCK.finditer(text):
        below = text.count("\n", 0, match.start())
        first = _FIRST.fullmatch(match[1])
        if first is None:
            raise place.error(f"not of the form `python` or `diff of answer`: {match[1]!r}", below)
        cell, whole = first[2] or place.cell, first[1] == "python"
        if cell in blocks:
            raise place.error(f"a second block of the cell {cell!r}", below)
        base = None if whole else first[3] or ""
        code = match[2].strip("\n") if whole else match[2]
        line = place.line + below
        blocks[cell] = replace(place, cell=cell, base=base, code=code, line=line)
    return list(blocks.values())


def _expanded(block: _Block, whole: Mapping[tuple[str, str], str]) -> str:
    """Return the code of a cell, from the codes that are given whole, by answer and cell."""
    code = block.code
    if block.base is not None:
        base = whole.get((block.base, block.cell))
        if base is None:
            raise block.error(f"no answer {block.base!r} gives the cell {block.cell!r} whole")
        code = _edited(block, base)
    try:
        ast.parse(code)
    except SyntaxError as error:
        raise block.error(f"not Python: {error.msg}") from None
    return code


def _edited(block: _Block, base: str) -> str:
    """Return what the edits of a block make of a code, each of what the one above it left."""
    parts, function, below = _parts(base), block.cell, 1
    of = f"answer {block.base!r}" if block.base else "right solution"
    for piece in filter(None, re.split(r"(?m)^(?=@@)", block.code)):
        edit = piece
        if piece.startswith("@@"):
            name, _, edit = piece[2:].partition("\n")
            function = name.strip() or function
        if function not in parts:
            raise block.error(f"the {of} has no function {function!r}", below)
        if other := re.search(r"(?m)^[^-+ \n].*", edit):
            raise block.error(f"a line of an edit begins with -, + or a blank: {other[0]}", below)
        old, new = _side(edit, "+"), _side(edit, "-")
        text = parts[function]
        found = [match.start() for match in re.finditer(rf"(?m)^(?={re.escape(old)})", text)]
        if len(found) != 1:
            raise block.error(
                f"the lines of an edit must be found once in {function!r} of the {of}, "
                f"and are found {len(found)} times:\n{old}".rstrip(),
                below,
            )
        parts[function] = text[: found[0]] + new + text[found[0] + len(old) :]
        below += piece.count("\n")
    return "".join(parts.values()).strip("\n")


def _side(edit: str, other: str) -> str:
    """Return the lines of one side of an edit: all but those with the sign of the other side."""
    lines = edit.splitlines(keepends=True)
    # the sign of an empty line that stays may be missing
    return "".join(line[1:] or line for line in lines if line[0] != other)


def _parts(code: str) -> dict[str, str]:
    """Split code into functions, each with what stands above it; the name "" has the end."""
    lines, parts, begin = f"{code}\n".splitlines(keepends=True), {}, 0
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in parts:
            parts[node.name] = "".join(lines[begin : node.end_lineno])
            begin = node.end_lineno or 0
    return {**parts, "": "".join(lines[begin:])}


def _without_docstrings(code: str) -> str:
    """Return code without its docstrings, which may change without a change of the bank."""
    without: set[int] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            without |= set(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(code.split("\n"), start=1)
    return "\n".join(line for number, line in lines if number not in without)


def submission(release: Any, assignment: AssignmentSource, cells: Mapping[str, str]) -> Any:
    """The notebook that a student hands in who fills in the release version so.

    Parameters
    ----------
    release
        The release notebook; it is not altered.
    assignment
        The text source, whose solutions fill the cells that are not named.
    cells
        Code (or the text of a manual answer) by the name of the solution cell.

    Raises
    ------
    ValueError
        If a name is not that of a solution cell.
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
