'''The bank of answers: plausible wrong ones with the points they deserve, and right ones.

An answer is a Python file in percent format, ``mutants/topic/name.py``. Its docstring says
what is wrong (or that nothing is); the items that lose points stand below a line ``points:``. An
item that only calls a wrong function of an earlier one is none of them: it is credited. A
section ``# %% name`` replaces the solution cell of that name; every other cell keeps the
instructor's solution.

.. code-block:: python

   """The supremum is taken over the support of Q.

   points:
       max_values: 0
   """

   # %% max_divergence
   def max_divergence(p, q): ...
'''

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpteach.grading.author.source import AssignmentSource, SourceError

_SECTION = re.compile(r"# %% ([a-z][a-z0-9_]*)\s*")
_POINTS = re.compile(r"([a-z][a-z0-9_]*):\s*(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Mutant:
    """One answer of the bank.

    Attributes
    ----------
    name
        The file's name without ``.py``.
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


def read_mutant(path: str | Path) -> Mutant:
    """Reads an answer of the bank.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    dpteach.grading.author.source.SourceError
        If the file has no docstring, a line below ``points:`` that is not ``item: number``, no
        section, or a section twice.
    """
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    try:
        docstring = ast.get_docstring(ast.parse(text))
    except SyntaxError as error:
        raise SourceError(f"{file.name}:{error.lineno}: not Python: {error.msg}") from None
    if not docstring:
        raise SourceError(f"{file.name}:1: an answer needs a docstring that says what it is")
    about, _, table = docstring.partition("\npoints:")
    points: dict[str, float] = {}
    for line in table.split("\n"):
        if line.strip():
            match = _POINTS.fullmatch(line.strip())
            if match is None:
                raise SourceError(f"{file.name}: not of the form `item: points`: {line.strip()!r}")
            points[match[1]] = float(match[2])
    cells: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = _SECTION.fullmatch(line)
        if match is None:
            if current is not None:
                current.append(line)
            continue
        if match[1] in cells:
            raise SourceError(f"{file.name}:{number}: a second section {match[1]!r}")
        current = cells[match[1]] = []
    if not cells:
        raise SourceError(f"{file.name}: an answer needs a section `# %% name`")
    code = {name: "\n".join(lines).strip("\n") for name, lines in cells.items()}
    return Mutant(file.stem, about.strip(), points, code)


def read_bank(folder: str | Path) -> list[Mutant]:
    """All answers of a folder, in the order of their names.

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise FileNotFoundError(f"folder must be a folder of answers, got folder={path}")
    return [read_mutant(file) for file in sorted(path.glob("*.py"))]


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
