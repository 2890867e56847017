"""The computation of the points that a student earns for a check or for a part of the check."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpteach.grading.core.exam import Item
from dpteach.grading.core.specification import Part
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.kind import Found
from dpteach.grading.kinds.registry import of_part


def by_share(part: Part[Any]) -> bool:
    """Return whether the visible or hidden part of a check can earn a fraction of the points.

    A part can earn a fraction if its kind has a rule for fractions, or if the author allows
    partial credit.

    Examples
    --------
    >>> by_share({"kind": "tests"}), by_share({"kind": "values", "partial": False})
    (True, False)
    """
    return of_part(part).earning is not None or bool(part.get("partial"))


def earning(part: Part[Any], found: Found) -> tuple[int, int]:
    """Return the numerator and denominator of the fraction of points that a part of a check earns.

    A part earns all or nothing, unless its kind has a rule for fractions or the author allows
    partial credit. With partial credit, a function that always returns the same value earns
    nothing: the number of cases that the best such function gets right is subtracted from the
    number of right answers and from the number of cases.

    Parameters
    ----------
    found
        For each case, the failure, or None if the answer is right. If students write a test, each
        implementation that the test examines counts as a case.

    Examples
    --------
    >>> from dpteach.grading.kinds.failures import Failure
    >>> wrong = Failure("5", "4")
    >>> earning({"kind": "values", "partial": True, "for_nothing": 1}, [None, None, wrong])
    (1, 2)
    """
    own = of_part(part).earning
    if own is not None:
        return own(part, found)
    right = [failure is None for failure in found]
    if part.get("partial"):
        for_nothing: Any = part.get("for_nothing")
        return max(0, sum(right) - for_nothing), len(right) - for_nothing
    return int(all(right)), 1


def credit(item: Item, visible: Verdict | None, hidden: Verdict | None) -> float:
    """Return the points that a student earns for a check, given the verdicts on its two parts.

    The student earns all points if both parts pass, and otherwise no points. But if a part can
    earn a fraction (`by_share`), the student earns the item's points times the fraction of the
    hidden part, or of the visible part if there is no hidden part.

    Parameters
    ----------
    item
        The check.
    visible, hidden
        The verdicts on the two parts; None if a part was not judged. A check with a part that was
        not judged earns nothing.

    Returns
    -------
    float
        Between 0 and the item's points, rounded down to 0.01.
    """
    if visible is None or (item.hidden is not None and hidden is None):
        return 0.0
    part = item.visible if item.hidden is None else item.hidden
    assert part is not None
    if by_share(part):
        last = visible if hidden is None else hidden
        share = Fraction(last.earned, last.of)
    else:
        share = Fraction(int(visible.passed and (hidden is None or hidden.passed)))
    if share == 1:
        return item.points
    return math.floor(Fraction(str(item.points)) * share * 100) / 100
