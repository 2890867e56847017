"""Confidence limits on a probability, from counts of independent runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpteach import _check

Vector = NDArray[np.float64]
#: a relative margin that exceeds scipy's error in the inverse incomplete beta function
SLACK = 1e-9


def allowed_error(confidence: float) -> float:
    return 1 - _check.real("confidence", confidence, _check.OPEN_PROBABILITY)


def least(counts: Vector, trials: int, error: float) -> Vector:
    """Return lower confidence limits on events' probabilities, from counts in `trials` runs."""
    from scipy.special import betaincinv

    at_zero = counts == 0
    found = betaincinv(np.where(at_zero, 1.0, counts), trials - counts + 1, error)
    return np.where(at_zero, 0.0, found * (1 - SLACK))


def most(counts: Vector, trials: int, error: float) -> Vector:
    """Return upper confidence limits on events' probabilities, from counts in `trials` runs."""
    from scipy.special import betainccinv

    at_all = counts == trials
    found = betainccinv(counts + 1, np.where(at_all, 1.0, trials - counts), error)
    return np.where(at_all, 1.0, np.minimum(1.0, found * (1 + SLACK) + 1e-15))
