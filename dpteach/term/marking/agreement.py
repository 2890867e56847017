"""The agreement of two people who marked the same answers without seeing each other's marks."""

from __future__ import annotations

from collections.abc import Sequence


def agreement(first: Sequence[float], second: Sequence[float]) -> dict[str, float | None] | None:
    """Return measures of how well two people agree; None if there are no answers with two marks.

    The kappa of Cohen (1968) with quadratic weights compares two numbers: the mean squared
    difference of the two marks of the same answer, and the mean squared difference of the first
    mark of any answer and the second mark of any answer.

    Parameters
    ----------
    first, second
        The points of each answer in the first and in the second mark, in the same order.

    Returns
    -------
    dict
        ``count`` is the number of answers, ``difference`` the mean of the first mark less the
        second, ``distance`` the mean absolute difference of the two marks, ``equal`` the share of
        answers with two equal marks, from 0 to 1, and ``kappa`` at most 1. Kappa is None if all
        marks of all answers are equal, because it is then 0 divided by 0.

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
