"""The privacy profile of Gaussian noise for arrays: log delta with its slope, and epsilon at delta.

Notation: m(x) = Phi(-x)/phi(x) is the Mills ratio, a = epsilon/mu - mu/2 and b = a + mu. Then
delta = phi(a) (m(a) - m(b)), as in `dpteach.notions.gaussian`, and
d log delta / d epsilon = -m(b)/(m(a) - m(b)).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpteach import _numerics

Vector = NDArray[np.float64]

#: from the argument _FAR on, the Mills ratio is computed by its continued fraction with _LEVELS
#: levels
_FAR, _LEVELS = 8.0, 18


def epsilons_of_gaussian(mu: Vector, delta: Vector) -> Vector:
    """Return the least epsilon of mu-Gaussian DP at each delta in (0, 1), for mu > 0; rounded up.

    log delta is concave in epsilon, because delta is the integral of P(L > epsilon + t) e^-t over
    t > 0, and both factors are log-concave for a Gaussian loss L. So Newton's method, started at an
    epsilon that is too large, decreases to the least epsilon without overshooting, and each of its
    iterates is an upper bound.
    """
    from scipy.special import ndtri

    target = np.log(delta)
    epsilon = np.zeros_like(target)
    open_ = np.flatnonzero(_bound(mu, epsilon)[0] > target)
    mu, target, delta = mu[open_], target[open_], delta[open_]
    # start where Phi(-a) = delta, with a = epsilon/mu - mu/2: this epsilon is too large, because
    # delta(epsilon) <= Phi(-a)
    point = mu * (mu / 2 + np.maximum(-ndtri(delta), -mu / 2 * (1 - 1e-9)))
    for _ in range(40):
        value, ratio = _rough(mu, point)
        moved = np.maximum(point + np.minimum((value - target) * ratio, 0.0), point * 1e-3)
        done = np.abs(moved - point) <= 1e-5 * point
        point = moved
        if done.all():
            break
    for _ in range(60):
        # two of these Newton steps usually suffice, because log delta is already close to `target`
        value, ratio = _bound(mu, point)
        moved = np.maximum(point + (value - target) * ratio, point * 1e-3)
        done = np.abs(moved - point) <= 1e-9 * point
        point = moved
        if done.all():
            break
    step = 2.0**-52
    below = np.arange(point.size)
    while below.size:
        below = below[_bound(mu[below], point[below])[0] > target[below]]
        point[below] *= 1 + step
        step *= 2
    epsilon[open_] = point
    return epsilon


def log_deltas_of_gaussian(mu: Vector, epsilon: Vector) -> Vector:
    """Return close upper bounds on log delta of Gaussian noise at each epsilon, for mu in (0, 1e8].

    Where log delta is below about -5e15, its bound is about -5e15.
    """
    return _bound(mu, np.minimum(epsilon, mu * (mu / 2 + 1e8)))[0]


def _bound(mu: Vector, epsilon: Vector) -> tuple[Vector, Vector]:
    """Return an upper bound on log delta, and -1 divided by the slope of log delta in epsilon.

    The bound is evaluated at the next smaller float epsilon, which offsets the rounding of
    epsilon / mu, because delta decreases in epsilon.
    """
    value, ratio = _log_delta(mu, np.nextafter(epsilon, 0.0))
    with np.errstate(invalid="ignore"):
        return value + _numerics.MARGIN * (1 + np.abs(value)), ratio


def _log_delta(mu: Vector, epsilon: Vector) -> tuple[Vector, Vector]:
    scaled = epsilon / mu
    a, b = scaled - mu / 2, scaled + mu / 2
    small = mu <= 2
    left = ~small & (a < 0)
    tail = np.empty_like(a)  # the Mills ratio m(b)
    gap = np.empty_like(a)  # the difference m(a) - m(b)
    value = np.empty_like(a)
    tail = mills(b)
    log_density = -a * a / 2 - math.log(2 * math.pi) / 2
    if small.any():
        gap[small] = _difference((a[small] + b[small]) / 2, mu[small])
    large = ~small
    if large.any():
        gap[large] = mills(np.maximum(a[large], 0.0)) - tail[large]
    with np.errstate(divide="ignore"):
        value = log_density + np.log(gap)
    ratio = gap / tail
    if left.any():
        value[left], ratio[left] = _left(a[left], tail[left], log_density[left])
    return value, ratio


def _left(a: Vector, tail: Vector, log_density: Vector) -> tuple[Vector, Vector]:
    """Return log delta and -1/(d log delta / d epsilon) for a = epsilon/mu - mu/2 < 0 and mu > 2.

    Here delta = 1 - Phi(a) - phi(a) m(b) with b = a + mu, and `tail` is the Mills ratio m(b) =
    Phi(-b)/phi(b).
    """
    from scipy.special import ndtr

    rest = np.exp(log_density) * tail
    value = np.log1p(-ndtr(a) - rest)
    with np.errstate(divide="ignore", over="ignore"):
        return value, np.exp(value) / rest


def _rough(mu: Vector, epsilon: Vector) -> tuple[Vector, Vector]:
    """Approximate log delta and -1 divided by its slope in epsilon, faster than `_log_delta`."""
    scaled = epsilon / mu
    a, b = scaled - mu / 2, scaled + mu / 2
    tail = mills(b)
    log_density = -a * a / 2 - math.log(2 * math.pi) / 2
    narrow = mu < 0.05
    gap = np.where(narrow, mu * minus_mills_slope(scaled), mills(np.maximum(a, -30.0)) - tail)
    return log_density + np.log(gap), gap / tail


def mills(x: Vector) -> Vector:
    """Return the Mills ratio Phi(-x)/phi(x) of the standard normal distribution, for x >= -37."""
    from scipy.special import erfcx

    return np.asarray(math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2)))


def minus_mills_slope(x: Vector) -> Vector:
    """Return -m'(x) = 1 - x m(x) > 0 for the Mills ratio m(x) = Phi(-x)/phi(x) and x >= -7.

    For large x, m = 1/(x + K) with K = 1/(x + 2/(x + 3/(x + ...))), so 1 - x m = K/(x + K).
    """
    far = x >= _FAR
    if not far.any():
        return 1 - x * mills(x)
    if far.all():
        return _far_slope(x)
    slope = 1 - x * mills(x)
    slope[far] = _far_slope(x[far])
    return slope


def _far_slope(x: Vector) -> Vector:
    fraction = x
    for level in range(_LEVELS, 1, -1):
        fraction = x + level / fraction
    return np.asarray(1 / (fraction * x + 1))


def _difference(middle: Vector, width: Vector) -> Vector:
    """Return m(middle - width/2) - m(middle + width/2), for the Mills ratio m and width <= 2."""
    nodes, weights = legendre(8 if width.max() <= 0.5 else 16)
    x = middle[:, None] + width[:, None] / 2 * nodes
    return np.asarray(width / 2 * (minus_mills_slope(x) @ weights))


@cache
def legendre(count: int) -> tuple[Vector, Vector]:
    return np.polynomial.legendre.leggauss(count)
