"""The points of an item."""

from __future__ import annotations

import math
from fractions import Fraction

from dpteach.grading.core.exam import Item
from dpteach.grading.judging.judge import Verdict


def credit(item: Item, visible: Verdict | None, hidden: Verdict | None) -> float:
    """The points of an item.

    All or nothing, over both parts; but for a check with partial credit, and for a student's own
    test, the share that the hidden part earns (the visible one if nothing is hidden).

    Parameters
    ----------
    item
        The item.
    visible, hidden
        The verdicts; None if a part was not judged, which earns nothing if the item has it.

    Returns
    -------
    float
        Between 0 and the item's points, rounded down to 0.01.
    """
    if visible is None or (item.hidden is not None and hidden is None):
        return 0.0
    part = item.visible if item.hidden is None else item.hidden
    assert part is not None
    if part["kind"] == "tests" or part.get("partial"):
        last = visible if hidden is None else hidden
        share = Fraction(last.earned, last.of)
    else:
        share = Fraction(int(visible.passed and (hidden is None or hidden.passed)))
    if share == 1:
        return item.points
    return math.floor(Fraction(str(item.points)) * share * 100) / 100
