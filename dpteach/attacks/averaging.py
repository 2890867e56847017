"""The averaging attack: repeated queries with fresh noise."""

from __future__ import annotations

import math

from dpteach import _check

__all__ = ["answers_needed"]


def answers_needed(noise: float, confidence: float = 0.95) -> int:
    """Return how many answers with fresh Gaussian noise, averaged and rounded, reveal a count.

    The mean of k answers has a Gaussian error of standard deviation noise / sqrt(k), and rounding
    it gives the count if the error is below 1/2.

    Parameters
    ----------
    noise : float
        The standard deviation of the noise of each answer, >= 0.
    confidence : float
        The probability that the rounded mean equals the count, in (0, 1).

    Returns
    -------
    int
        The least number of answers that suffices, >= 1.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or 2**63 or more answers are needed.

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
    # equals ndtri((1 + confidence) / 2), but is also accurate for a confidence near 1
    quantile = -float(ndtri((1 - confidence) / 2))
    needed = (2 * quantile * noise) ** 2
    if needed > _check.LARGEST_COUNT:
        raise ValueError(
            f"noise must be so small that fewer than 2**63 answers are needed, got noise={noise!r}"
        )
    return max(1, math.ceil(needed))
