"""How well two people agree who marked the same answers without seeing each other's marks."""

from __future__ import annotations

from collections.abc import Sequence


def agreement(first: Sequence[float], second: Sequence[float]) -> dict[str, float | None] | None:
    """Return how well two lists of marks for the same answers agree; None if they are empty.

    The kappa of Cohen (1968) with quadratic weights compares the mean squared difference of the two
    marks of an answer with that of a first mark and a second mark of any two answers.

    Returns
    -------
    dict
        The number of answers, ``count``; the mean ``difference`` of the first mark less the second;
        their mean ``distance``, which is the difference without its sign; the share of ``equal``
        marks, from 0 to 1; and ``kappa``, at most 1, or None if all marks are equal, where chance
        alone would give the same agreement.

    Examples
    --------
    >>> agreement([1, 2, 3, 4], [1, 2, 3, 3])
    {'count': 4, 'difference': 0.25, 'distance': 0.25, 'equal': 0.75, 'kappa': 0.875}
    >>> agreement([1, 1], [1, 1])["kappa"] is None
    True
    """
    apart = [a - b for a, b in zip(first, second, strict=True)]
    if not apart:
        return None
    count = len(apart)
    by_chance = sum((a - b) ** 2 for a in first for b in second) / count
    return {
        "count": count,
        "difference": sum(apart) / count,
        "distance": sum(map(abs, apart)) / count,
        "equal": sum(abs(one) < 1e-9 for one in apart) / count,
        "kappa": 1 - sum(one**2 for one in apart) / by_chance if by_chance else None,
    }
