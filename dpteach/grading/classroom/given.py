"""Credit that follows the student's own work: which items build on earlier ones, and a notebook in
which the earlier ones are right.

An item may call the function of an earlier one, as its author declares, and where both are not
right, the fault may be the earlier one's alone. So `session` asks such an item again, in a new
sandbox, in which the functions of the earlier items that failed are the instructor's and everything
else is the student's. What is right then is credited to this item, and to no other; the first
verdict stays as the evidence. Nothing is lent to a test: what it tests could be among it.

No reference is carried out. The student's code runs beside the instructor's functions and can read
them. So nothing of what that sandbox prints, returns or raises is shown or kept but one number: how
much of this one item is right. The instructor's functions of this item and of later ones are not in
it, and whoever reads an earlier one has no more of it than whoever calls it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.submission.repair import shape

#: hands names of the instructor's namespace to the notebook. The functions keep to their own
#: namespace, whatever the student's names mean
_HANDED: Final = (
    "globals().update((lambda own: exec({text!r}, own) or "
    '{{name: own[name] for name in {names!r}}})({{"__name__": "__main__"}}))'
)


def earlier(exam: Exam) -> dict[str, tuple[str, ...]]:
    """For each check the earlier ones that its author declares (``builds_on``), and theirs in turn.

    Checks of the same function belong together: a check that builds on one builds on all of them.
    """
    checks = [item for item in exam.items if item.kind == "check"]
    calls = {item.name: item.call for item in checks}
    below: dict[str, set[str]] = {}
    found = {}
    for item in checks:
        assert item.visible is not None
        named = {calls[name] for name in item.visible["builds_on"]}
        used = named.union(*(below[call] for call in named)) - {item.call}
        below[item.call] = below.get(item.call, set()) | used
        found[item.name] = tuple(one.name for one in checks if one.call in used)
    return found


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
    places = shape(exam.notebook).places
    homes = {name: i for i, place in enumerate(places) for name in place.functions}
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
