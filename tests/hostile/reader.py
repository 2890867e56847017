'''A reader of attacks (hostile submissions), which says how many points each attack deserves.

An attack by code is a file ``bank/CATEGORY/name.py``. The submitted notebook is the instructor's
solution, with the changes that this file describes.

.. code-block:: python

   """What the submission does, and how it hopes to get points or to harm the grader.

   It deserves at most:
       every item: 0
   Other items may lose points.
   """

   raise SystemExit("made for the sandbox: never run this file")

   # %% insert a cell after imports
   ...
   # %% replace every solution cell
   def FUNCTION(*args, **kwargs): ...

A line that begins with ``# %%`` says what happens with the code below it:

- ``# %% replace touching_point`` replaces the solution cell of this name.
- ``# %% replace every solution cell`` replaces all solution cells that the file does not name. In
  each of them, the name of the function that the instructor's cell defines takes the place of
  ``FUNCTION``.
- ``# %% insert a cell before touching_point`` adds a cell. Other places are ``after`` any cell with
  a name, such as ``imports``, the cell with the notebook's imports; ``after every solution cell``;
  and ``at the end``. ``insert a Markdown cell`` adds a Markdown cell. Cells are inserted one after
  the other, in the order of the file. So of two cells that are inserted after ``imports``, the
  second in the file comes before the first in the notebook.

With ``: the code of _search.py, then this`` at the end of the line, the cell begins with the shared
code of ``bank/_search.py``. Words such as ``HOSTILE_TOKEN`` are placeholders
(`hostile.harness.Place.words`).

The list says how many points an item may earn at most: a number, ``all points``, or ``points of
visible cases``, which students get with the assignment. ``every item`` stands for all items with an
automatic check. Items that are not listed must keep all of their points, unless the last line says
that they may lose points, too.

An attack on the files is a function of `hostile.structure`.
'''

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile.structure import ANY, STRUCTURES, Files, Notebook, code, grade_id, is_solution

FOLDER = Path(__file__).parent / "bank"
CATEGORIES = ("forging", "reading", "resources", "structure")
NOTEBOOK = "renyi_dp.ipynb"

#: in `Attack.points`, this number means that the attack deserves only the points that an item gives
#: for its visible test cases, which students get with the assignment
VISIBLE = -1.0

_SECTION = re.compile(
    r"# %% (?:replace (?P<name>every solution cell|\w+)|insert a (?P<markdown>Markdown )?cell "
    r"(?P<where>at the end|(?:before|after) (?:every solution cell|\w+)))"
    r"(?:: the code of (?P<shared>_\w+\.py), then this)?"
)
EVERY = "every solution cell"
_NUMBERS = {"all points": ANY, "points of visible cases": VISIBLE}
_LOST = "\nOther items may lose points."


@dataclass(frozen=True)
class Section:
    """A cell that an attack inserts into the notebook, or puts in the place of another cell.

    `name` is the name of the replaced cell, and "" if the cell is inserted. `where` says at which
    place it is inserted, such as "after imports", and is "" if the cell replaces another one.
    """

    name: str
    where: str
    markdown: bool
    source: str


@dataclass(frozen=True)
class Attack:
    """An attack on the grader, in the form of a submission.

    Attributes
    ----------
    name, category, about
        The name of the file or function, one of `CATEGORIES`, and what the attack does and why.
    points
        For each named item, the most points that the attack deserves; the name ``every`` stands for
        all autograded items.
    lost
        Whether items without an entry in `points` may lose points.
    says
        Whether a cell of the attack prints a message when the cell has run to its end.
    on_disk
        Whether the attack needs links, pipes or the like, which `fill` can make in a folder, and
        which `files` cannot return.
    """

    name: str
    category: str
    about: str
    points: Mapping[str, float]
    lost: bool
    says: bool
    on_disk: bool
    make: Callable[..., Any]

    def files(self, right: Notebook, words: Mapping[str, str]) -> Files:
        """Return the files that the attack submits.

        Parameters
        ----------
        right
            The notebook of a correct submission.
        words
            The values of placeholders such as ``HOSTILE_TOKEN``.
        """
        found: Files = self.make(copy.deepcopy(right))
        return {name: _filled(data, words) for name, data in found.items()}

    def fill(self, folder: Path, right: Notebook, words: Mapping[str, str]) -> None:
        """Write the submitted files to a folder, skipping names that the file system cannot
        hold.
        """
        if self.on_disk:
            self.make(folder, copy.deepcopy(right))
            return
        for name, data in self.files(right, words).items():
            path = folder / name
            try:
                if folder.resolve() in path.resolve().parents:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
            except (OSError, ValueError):  # the file system does not allow this name
                continue


def _filled(data: bytes, words: Mapping[str, str]) -> bytes:
    for word, text in words.items():
        data = data.replace(word.encode(), text.encode())
    return data


def read(path: Path) -> Attack:
    """Read an attack from its file in the bank."""
    text = path.read_text(encoding="utf-8")
    head, sections = _sections(text, path)
    docstring = ast.get_docstring(ast.parse(head)) or ""
    if 'raise SystemExit("made for the sandbox' not in head:
        raise ValueError(f"{path.name}: the line that keeps it from running is missing")
    about, _, table = docstring.partition("\nIt deserves at most:\n")
    lost = table.endswith(_LOST)
    points = {}
    for line in table.removesuffix(_LOST).split("\n"):
        item, _, number = line.strip().partition(": ")
        item = item.removesuffix(" item")
        points[item] = _NUMBERS[number] if number in _NUMBERS else float(number)
    if not about or not points:
        raise ValueError(f"{path.name}: the docstring must say what the attack does and deserves")

    def make(notebook: Notebook) -> Files:
        return {NOTEBOOK: json.dumps(_built(notebook, sections, path), indent=1).encode()}

    says = 'print("attack", "ran")' in text
    return Attack(path.stem, path.parent.name, about.strip(), points, lost, says, False, make)


def _sections(text: str, path: Path) -> tuple[str, list[Section]]:
    head: list[str] = []
    current, sections = head, []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("# %%"):
            found = _SECTION.fullmatch(line)
            if found is None:
                raise ValueError(f"{path.name}:{number}: this line describes no cell: {line!r}")
            current = []
            if found["shared"]:
                shared = (FOLDER / found["shared"]).read_text(encoding="utf-8")
                current += shared.partition("\n# %% shared code\n")[2].split("\n")
            sections.append((found, current))
        else:
            current.append(line)
    return "\n".join(head), [
        Section(
            f["name"] or "", f["where"] or "", bool(f["markdown"]), "\n".join(lines).strip("\n")
        )
        for f, lines in sections
    ]


def _built(notebook: Notebook, sections: list[Section], path: Path) -> Notebook:
    cells = notebook["cells"]
    replaced = {section.name: section.source for section in sections if section.name}
    known = {grade_id(cell) for cell in cells}
    for name in replaced:
        if name != EVERY and name not in known:
            raise ValueError(f"{path.name}: there is no solution cell {name!r}")
    for cell in cells:
        if is_solution(cell):
            name = grade_id(cell)
            if name in replaced:
                cell["source"] = replaced[name]
            elif EVERY in replaced:
                function = re.findall(r"(?m)^def (\w+)\(", cell["source"])[-1]
                cell["source"] = replaced[EVERY].replace("FUNCTION", function)
    for number, section in enumerate(section for section in sections if section.where):
        made = _cell(section, number)
        where, _, name = section.where.partition(" ")
        if section.where == "at the end":
            at = [len(cells)]
        else:
            at = [
                i + (where == "after")
                for i, cell in enumerate(cells)
                if (is_solution(cell) if name == EVERY else grade_id(cell) == name)
            ]
            if not at:
                raise ValueError(f"{path.name}: there is no cell {name!r}")
        for i in reversed(at):
            cells.insert(i, {**copy.deepcopy(made), "id": f"{made['id']}-{i}"})
    return notebook


def whole(notebook: Any) -> Notebook:
    """Return a copy of a notebook in which each source is a single string."""
    found: Notebook = json.loads(json.dumps(notebook))
    for cell in found["cells"]:
        cell["source"] = "".join(cell["source"])
    return found


def _cell(section: Section, number: int) -> dict[str, Any]:
    made = code(section.source) | {"id": f"added{number}"}
    if section.markdown:
        made["cell_type"] = "markdown"
        del made["outputs"], made["execution_count"]
    return made


def read_bank() -> list[Attack]:
    """Return all attacks, sorted by category and name."""
    attacks = [
        read(path) for category in CATEGORIES for path in sorted((FOLDER / category).glob("*.py"))
    ]
    attacks += [
        Attack(s.name, "structure", s.about, s.points, False, False, s.on_disk, s.make)
        for s in STRUCTURES
    ]
    return sorted(attacks, key=lambda a: (CATEGORIES.index(a.category), a.name))
