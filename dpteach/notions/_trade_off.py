"""Trade-off curves: the least type II error of a test of Q against P, at each type I error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics

#: more than the rounding of a product that leaves the range of normal floats
_SUBNORMAL = 4 * float(np.nextafter(0, 1))

Curve = float | NDArray[np.float64]


def probabilities(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return numbers in [0, 1], of any shape, or raise an error naming the first outside."""
    numbers = _check.array(name, value)
    outside = numbers[(numbers < 0) | (numbers > 1)]
    if outside.size:
        raise ValueError(
            f"{name} must hold probabilities in [0, 1], got {_check.shown(outside.flat[0])}"
        )
    return numbers


def trade_off_of_approx(
    epsilons: Sequence[float], deltas: Sequence[float], type_one: ArrayLike
) -> Curve:
    """Return max(0, 1 - delta - e^epsilon x, e^-epsilon (1 - delta - x)), rounded down.

    Wasserman and Zhou (2010), theorem 2.4; Kairouz, Oh and Viswanath (2015), section 2.1.
    """
    x = probabilities("type_one", type_one)
    best = np.zeros_like(x)
    below, above = 1 - _numerics.MARGIN, 1 + _numerics.MARGIN
    with np.errstate(divide="ignore"):
        log_x = np.log(x)
    for epsilon, delta in zip(epsilons, deltas, strict=True):
        # e^epsilon x, capped at 1, beyond which the curve is 0
        grown = np.exp(np.minimum(epsilon + log_x, 0.0))
        # an exponent carries the rounding errors of its two terms
        steep = (1 - delta) * below - grown * (above + 2 * _numerics.MARGIN * epsilon)
        flat = _numerics.exp(-epsilon) * ((1 - x) * below - delta) * below - _SUBNORMAL
        best = np.maximum(best, np.maximum(steep, flat))
    return float(best) if best.ndim == 0 else best
