"""How well two people agree who marked the same answers without seeing each other's marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """The agreement of two marks for each of several answers.

    Attributes
    ----------
    count
        The number of answers with two marks.
    difference
        The mean of the first mark less the second one.
    distance
        The mean of the difference without its sign.
    equal
        The share of answers with equal marks, from 0 to 1.
    kappa
        Cohen's kappa with quadratic weights, at most 1; None if all marks are equal, where chance
        alone would give the same agreement.
    """

    count: int
    difference: float
    distance: float
    equal: float
    kappa: float | None


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement | None:
    """Return how well two lists of marks for the same answers agree; None if they are empty.

    The kappa of Cohen (1968) compares the mean squared difference of the two marks of an answer
    with that of a first mark and a second mark of any two answers.

    Examples
    --------
    >>> found = agreement([1, 2, 3, 4], [1, 2, 3, 3])
    >>> found.difference, found.equal, round(found.kappa, 3)
    (0.25, 0.75, 0.875)
    >>> agreement([1, 1], [1, 1]).kappa is None
    True
    """
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return None
    count = len(pairs)
    by_chance = sum((a - b) ** 2 for a in first for b in second) / count
    return Agreement(
        count=count,
        difference=sum(a - b for a, b in pairs) / count,
        distance=sum(abs(a - b) for a, b in pairs) / count,
        equal=sum(abs(a - b) < 1e-9 for a, b in pairs) / count,
        kappa=1 - sum((a - b) ** 2 for a, b in pairs) / by_chance if by_chance else None,
    )
