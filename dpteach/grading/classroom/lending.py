"""Lent functions: the instructor's functions, which replace a student's wrong functions.

An item may call the function of an earlier item, as its author declares (``builds_on``). If both
are wrong, the fault may lie in the earlier item alone. `dpteach.grading.classroom.session`
therefore grades the later item again, in a new sandbox. There the functions of the earlier items
that failed are the instructor's, and everything else is the student's. The later item gets the
points for the answers that are right then; no other item gains points, and the first verdict stays
on the feedback page. If the exercise is to write a test of given implementations, ``builds_on`` is
not allowed, because the lent function could be one of these implementations.

No lent function can leave the new sandbox. The student's code runs beside the lent functions and
can read them, so the grader discards everything that the sandbox prints, returns or raises, and
keeps only one number: how much of the later item is right. The sandbox holds neither the
instructor's function for this item nor those for later items, so a student cannot call them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.receipt import name_of, role_of, source_of
from dpteach.grading.submission.repair import shape

#: code that replaces functions in a student's notebook by the instructor's. These have a namespace
#: of their own, so that no variable of the student can replace a helper function that they call
_LENT: Final = (
    "globals().update((lambda own: exec({text!r}, own) or "
    '{{name: own[name] for name in {names!r}}})({{"__name__": "__main__"}}))'
)


def prerequisites(exam: Exam) -> dict[str, tuple[str, ...]]:
    """Return for each check the earlier checks on which it builds, directly or indirectly.

    A check builds on another if its function may call the other's function. If several checks test
    the same function, a check that builds on one of them builds on all of them.
    """
    checks = [item for item in exam.items if item.kind == "check"]
    calls = {item.name: item.call for item in checks}
    below: dict[str, set[str]] = {}
    found = {}
    for item in checks:
        assert item.visible is not None
        declared = {calls[name] for name in item.visible["builds_on"]}
        used = declared.union(*(below[call] for call in declared)) - {item.call}
        below[item.call] = below.get(item.call, set()) | used
        found[item.name] = tuple(one.name for one in checks if one.call in used)
    return found


def with_lent_functions(
    cells: Iterable[Any], exam: Exam, item: Item, wrong: Iterable[str]
) -> list[Any]:
    """Return a student's cells up to an item's check, with the instructor's functions added.

    A cell that defines the instructor's functions is added below each solution cell of a wrong
    item. The solution cell stays, because it may define helper functions that the student uses
    elsewhere. The new cell is added once more above the check, because a cell in between may have
    defined functions of the same names.

    Parameters
    ----------
    cells
        The cells of the student's notebook, in which the module `submission.repair` has restored
        the assignment's cells.
    item
        The item that is graded again. Of the instructor's cells, only those above this item's
        solution cell define lent functions.
    wrong
        The earlier items whose functions are lent.
    """
    places = shape(exam.notebook).places
    homes = {name: i for i, place in enumerate(places) for name in place.functions}
    replaced = [places[homes[one.call]] for one in exam.items if one.name in set(wrong)]
    lent = {
        "cell_type": "code",
        "metadata": {},
        "source": _LENT.format(
            text="\n\n".join(_instructors(exam, places[homes[item.call]].name)),
            names=sorted({name for place in replaced for name in place.functions}),
        ),
    }
    below = {place.name for place in replaced}
    found: list[Any] = []
    for cell in cells:
        if name_of(cell) == item.name:
            return [*found, lent, cell]
        found += [cell, lent] if name_of(cell) in below else [cell]
    raise ValueError(f"item must be one with a check in the notebook, got {item.name!r}")


def _instructors(exam: Exam, end: str) -> list[str]:
    """Return the code of the instructor's cells above the cell with the name `end`.

    Checks and cells that a person grades are left out.
    """
    found = []
    for cell in json.loads(exam.notebook)["cells"]:
        if name_of(cell) == end:
            break
        if cell["cell_type"] == "code" and role_of(cell) not in ("check", "manual"):
            found.append(source_of(cell))
    return found
