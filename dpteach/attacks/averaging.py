"""Asking again: fresh noise averages out."""

from __future__ import annotations

import math

from dpteach import _check

__all__ = ["answers_needed"]


def answers_needed(noise: float, confidence: float = 0.95) -> int:
    """How many answers with fresh normal noise, averaged and rounded, give a count away.

    The mean of k answers misses the count by a normal error of standard deviation noise / sqrt(k),
    and rounding is right if it misses by less than a half.

    Parameters
    ----------
    noise : float
        The standard deviation of the noise of each answer, >= 0.
    confidence : float
        The probability that the rounded mean is the count, in (0, 1).

    Returns
    -------
    int
        The least number of answers that suffices, >= 1.

    Raises
    ------
    ValueError, TypeError
        Also if 2**63 answers and more are needed.

    Examples
    --------
    >>> answers_needed(10.0)
    1537
    >>> answers_needed(0.0)
    1
    """
    from scipy.special import ndtri

    noise = _check.real("noise", noise, _check.NON_NEGATIVE)
    confidence = _check.real("confidence", confidence, _check.OPEN_PROBABILITY)
    # ndtri of (1 + confidence) / 2, without losing a confidence near 0 or 1
    quantile = -float(ndtri((1 - confidence) / 2))
    needed = (2 * quantile * noise) ** 2
    if needed > _check.LARGEST_COUNT:
        raise ValueError(
            f"noise must be so small that fewer than 2**63 answers are needed, got noise={noise!r}"
        )
    return max(1, math.ceil(needed))
