"""Credit that follows the student's own work: which items use earlier ones, and a notebook in which
the earlier ones are right.

An item may call the function of an earlier one, and where both are not right, the fault may be the
earlier one's alone. So `session` asks such an item again, in a new sandbox, in which the functions
of the earlier items that failed are the instructor's and everything else is the student's. What is
right then is credited to this item, and to no other; the first verdict stays as the evidence.

No reference is carried out. The student's code runs beside the instructor's functions and can read
them. So nothing of what that sandbox prints, returns or raises is shown or kept but one number: how
much of this one item is right. The instructor's functions of this item and of later ones are not in
it, and whoever reads an earlier one has no more of it than whoever calls it.
"""

from __future__ import annotations

import ast
import functools
import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.submission.repair import shape

#: longer cells are not read for what they call
_READ_CHARACTERS: Final = 50_000

#: hands names of the instructor's namespace to the notebook. The functions keep to their own
#: namespace, whatever the student's names mean
_HANDED: Final = (
    "globals().update((lambda own: exec({text!r}, own) or "
    '{{name: own[name] for name in {names!r}}})({{"__name__": "__main__"}}))'
)


def earlier(cells: Iterable[Mapping[str, Any]], exam: Exam) -> dict[str, tuple[str, ...]]:
    """For each check the earlier ones whose functions it uses, and which those use in turn.

    What counts is what the student's code calls. Where the cell that defines the item's function
    cannot be read as Python, it is what the check declares (``builds_on``).

    Parameters
    ----------
    cells
        The student's cells.
    """
    homes = _homes(exam)
    checks = [item for item in exam.items if item.kind == "check"]
    called = _called(cells, set(homes))
    found = {}
    for item in checks:
        declared = {one.call for one in checks if one.name in _declared(item)}
        names = _closure(called.get(item.call, declared), called)
        before = {homes[name] for name in names & set(homes)} & set(range(homes[item.call]))
        found[item.name] = tuple(one.name for one in checks if homes[one.call] in before)
    return found


def _homes(exam: Exam) -> dict[str, int]:
    """The place of the solution cell that defines a function, by the function's name."""
    places = shape(exam.notebook).places
    return {name: i for i, place in enumerate(places) for name in place.functions}


def _declared(item: Item) -> set[str]:
    return {name for part in (item.visible, item.hidden) if part for name in part["builds_on"]}


def _closure(names: Iterable[str], called: Mapping[str, set[str]]) -> set[str]:
    """The names, and all that those use in turn."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += called.get(name, ())
    return found


def _called(cells: Iterable[Mapping[str, Any]], functions: set[str]) -> dict[str, set[str]]:
    """The names that a student's code uses, by each name that it defines with them.

    A function of the assignment that is named in a text, as in ``globals()["double"]``, is used.
    """
    found: dict[str, set[str]] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            for names, used, texts in _uses(str(cell["source"])):
                for name in names:
                    found.setdefault(name, set()).update(used, texts & functions)
    return found


@functools.lru_cache(maxsize=128)
def _uses(source: str) -> tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...]:
    """Of each statement of a cell the names that it defines, those that it uses, and its texts.

    The cells that are given are the same for a whole class.
    """
    found = []
    for statement in _statements(source):
        used, texts = set(), set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(node.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
        found.append((frozenset(_defined(statement)), frozenset(used), frozenset(texts)))
    return tuple(found)


def _defined(statement: ast.stmt) -> set[str]:
    """The names that a statement gives to the notebook: no local ones of its functions."""
    names: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            shared = (inner for inner in ast.walk(node) if isinstance(inner, ast.Global))
            names.update(name for inner in shared for name in inner.names)
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        waiting += ast.iter_child_nodes(node)
    return names


def _statements(source: str) -> Sequence[ast.stmt]:
    """The statements of a code cell; none if it is no Python."""
    if len(source) > _READ_CHARACTERS:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def with_right(
    cells: Iterable[Any], exam: Exam, item: Item, right: Iterable[str]
) -> list[dict[str, Any]]:
    """A student's cells down to the check of an item, where earlier items have the right functions.

    They are handed over below the solution cells that they belong to, whose own helpers stay, and
    once more above the check: a cell in between may have defined them anew.

    Parameters
    ----------
    cells
        The student's cells, repaired.
    item
        The item that is asked again. The instructor's cells from its own solution on are left out.
    right
        The earlier items that get the instructor's functions.
    """
    homes, places = _homes(exam), shape(exam.notebook).places
    theirs = [places[homes[one.call]] for one in exam.items if one.name in set(right)]
    handed = {
        "cell_type": "code",
        "metadata": {},
        "source": _HANDED.format(
            text="\n\n".join(_instructors(exam, places[homes[item.call]].name)),
            names=sorted({name for place in theirs for name in place.functions}),
        ),
    }
    below = {place.name for place in theirs}
    found: list[dict[str, Any]] = []
    for cell in cells:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name == item.name:
            return [*found, handed, cell]
        found.append(cell)
        if name in below:
            found.append(handed)
    raise ValueError(f"item must be one with a check in the notebook, got {item.name!r}")


def _instructors(exam: Exam, end: str) -> list[str]:
    """The instructor's code cells before the one of this name, without the checks."""
    found = []
    for cell in json.loads(exam.notebook)["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        if about.get("grade_id") == end:
            break
        if cell["cell_type"] == "code" and not about.get("grade"):
            found.append("".join(cell["source"]))
    return found
