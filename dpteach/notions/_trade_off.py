"""Trade-off curves: the least type II error of a test of Q against P, at each type I error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics

#: a bound on the rounding error of a product that is a subnormal float
_SUBNORMAL = 4 * float(np.nextafter(0, 1))

Curve = float | NDArray[np.float64]


def probabilities(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return an array of numbers in [0, 1]; raise an error that names the first number outside."""
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
    """Return the trade-off curve of several (epsilon, delta)-DP claims at type I errors x.

    The curve is the largest of 0, 1 - delta - e^epsilon x and e^-epsilon (1 - delta - x) over the
    claims, rounded down: Wasserman and Zhou (2010), theorem 2.4; Kairouz, Oh and Viswanath (2015),
    section 2.1.
    """
    x = probabilities("type_one", type_one)
    best = np.zeros_like(x)
    below, above = 1 - _numerics.MARGIN, 1 + _numerics.MARGIN
    with np.errstate(divide="ignore"):
        log_x = np.log(x)
    for epsilon, delta in zip(epsilons, deltas, strict=True):
        # cap e^epsilon x at 1 to avoid overflow; above 1, 1 - delta - e^epsilon x is below 0 anyway
        grown = np.exp(np.minimum(epsilon + log_x, 0.0))
        # the margin 2 epsilon MARGIN covers the rounding errors of epsilon and log x in the
        # exponent
        steep = (1 - delta) * below - grown * (above + 2 * _numerics.MARGIN * epsilon)
        flat = _numerics.exp(-epsilon) * ((1 - x) * below - delta) * below - _SUBNORMAL
        best = np.maximum(best, np.maximum(steep, flat))
    return float(best) if best.ndim == 0 else best
