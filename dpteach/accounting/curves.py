"""Formulas for epsilon and delta that take arrays of parameters; the results are rounded up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.notions import GaussianDP, RenyiDP
from dpteach.notions._gaussian_profile import epsilons_of_gaussian, log_deltas_of_gaussian

__all__ = [
    "gaussian_deltas",
    "gaussian_epsilons",
    "renyi_epsilons",
    "zcdp_epsilons",
]

Vector = NDArray[np.float64]

#: the relative margin by which sums are rounded up; larger than that of `_numerics.sum_up`, because
#: sums of arrays are not correctly rounded
_SUM_MARGIN = 2 * _numerics.MARGIN


def gaussian_epsilons(mu: ArrayLike, delta: ArrayLike) -> Vector:
    """Return the exact epsilon of Gaussian noise at many mu or delta.

    Parameters
    ----------
    mu : array_like
        The parameter of `GaussianDP`, in [0, inf): sqrt(k) sensitivity / sigma for k releases.
    delta : array_like
        In [0, 1]; the two broadcast.

    Returns
    -------
    ndarray
        Values of `GaussianDP.epsilon_at` in [0, inf], in nats; exact except that they are rounded
        up, by a relative 1e-12 at most if delta <= 1/2 and epsilon >= mu/20.

    Notes
    -----
    Cost: about ten evaluations of the whole array; 2 ms for 1,000 numbers.

    References
    ----------
    Balle and Wang (2018), theorem 8.

    Examples
    --------
    >>> gaussian_epsilons([0.5, 1.0], 1e-5).round(8)
    array([1.9930914, 4.3771781])
    """
    shift, part = _broadcast(
        mu=_in("mu", mu, _check.NON_NEGATIVE), delta=_in("delta", delta, _check.PROBABILITY)
    )
    shape, shift, part = shift.shape, shift.ravel(), part.ravel()
    epsilons = np.zeros(shift.size)
    epsilons[(part == 0) & (shift > 0)] = math.inf
    inside = (shift > 0) & (part > 0) & (part < 1)
    # the formula for arrays is inaccurate for delta near 1 and for very large mu, so compute these
    # entries (`hard`) one by one
    hard = inside & ((part > 0.999) | (shift > 1e8))
    easy = inside & ~hard
    # a tiny mu is replaced by a larger one, which keeps the bound valid
    epsilons[easy] = epsilons_of_gaussian(np.maximum(shift[easy], 1e-290), part[easy])
    for i in np.flatnonzero(hard):
        epsilons[i] = GaussianDP(max(float(shift[i]), 1e-290)).epsilon_at(float(part[i]))
    return epsilons.reshape(shape)


def gaussian_deltas(mu: ArrayLike, epsilon: ArrayLike) -> Vector:
    """Return the exact delta of Gaussian noise at many mu or epsilon.

    Parameters
    ----------
    mu : array_like
        The parameter of `GaussianDP`, in [0, inf).
    epsilon : array_like
        In [0, inf), in nats; the two broadcast.

    Returns
    -------
    ndarray
        Values of `GaussianDP.delta_at` in [0, 1]; exact except that they are rounded up.

    References
    ----------
    Balle and Wang (2018), theorem 8.

    Examples
    --------
    >>> gaussian_deltas(1.0, [0.0, 1.0, 4.0]).round(9)
    array([3.82924923e-01, 1.26936738e-01, 4.71220000e-05])
    """
    shift, point = _broadcast(
        mu=_in("mu", mu, _check.NON_NEGATIVE), epsilon=_in("epsilon", epsilon, _check.NON_NEGATIVE)
    )
    shape, shift, point = shift.shape, shift.ravel(), point.ravel()
    deltas = np.zeros(shift.size)
    inside = shift > 0
    hard = inside & (shift > 1e8)
    easy = inside & ~hard
    with np.errstate(over="ignore"):
        logs = log_deltas_of_gaussian(np.maximum(shift[easy], 1e-290), point[easy])
    values = np.exp(logs) * (1 + _numerics.MARGIN)
    # for subnormal floats a relative margin is less than their spacing, so take the next float
    deltas[easy] = np.minimum(np.where(values > 1e-290, values, np.nextafter(values, 1.0)), 1.0)
    for i in np.flatnonzero(hard):
        deltas[i] = GaussianDP(float(shift[i])).delta_at(float(point[i]))
    return deltas.reshape(shape)


def zcdp_epsilons(rho: ArrayLike, delta: ArrayLike) -> Vector:
    """Return the epsilon of zCDP at many rho or delta, each from its best real Rényi order.

    Parameters
    ----------
    rho : array_like
        The parameter of `ZCDP`, in [0, inf), in nats.
    delta : array_like
        In [0, 1]; the two broadcast.

    Returns
    -------
    ndarray
        Upper bounds in [0, inf], in nats; equal to `ZCDP.epsilon_at` up to 1e-12.

    Notes
    -----
    The formula is a valid bound at every order, and its derivative is 0 at the best order. So half
    of the digits of the best order suffice for all digits of epsilon. Cost: half a millisecond for
    1,000 numbers.

    References
    ----------
    Canonne, Kamath and Steinke (2020), corollary 13.

    Examples
    --------
    >>> zcdp_epsilons([0.125, 0.5], 1e-5).round(6)
    array([2.165716, 4.728387])
    """
    cost, part = _broadcast(
        rho=_in("rho", rho, _check.NON_NEGATIVE), delta=_in("delta", delta, _check.PROBABILITY)
    )
    shape = cost.shape
    cost, part = cost.ravel(), part.ravel()
    # by Pinsker's inequality, sqrt(rho / 2) bounds the total variation distance; if delta is at
    # least this bound, epsilon is 0
    enough = np.minimum(1.0, np.sqrt(cost / 2) * (1 + _numerics.MARGIN)) <= part
    epsilons = np.where(enough, 0.0, math.inf)
    some = np.flatnonzero(~enough & (part > 0))
    if some.size == 0:
        return epsilons.reshape(shape)
    whole = some.size == cost.size
    rho_, target = (cost, part) if whole else (cost[some], part[some])
    target = -np.log(target)
    # with b = order - 1, the derivative of the epsilon bound has the sign of
    # rho b^2 + log(1 + b) - target; find its root by Newton's method for the logarithm of b, from
    # a starting point to the right of the root
    b = np.minimum(np.sqrt(target) / np.sqrt(rho_), np.expm1(np.minimum(target, 700.0)))
    for _ in range(50):
        square, log = rho_ * b * b, np.log1p(b)
        step = (square + log - target) / (2 * square + b / (1 + b))
        b = b * np.exp(-step)
        if np.abs(step).max() < 1e-5:
            break
    order = np.maximum(1 + b, np.nextafter(1.0, 2.0))
    b = order - 1
    best = _above(order * rho_, -np.log1p(1 / b), -np.log(order) / b, target / b)
    epsilons[some] = np.maximum(best, 0.0)
    return epsilons.reshape(shape)


@np.errstate(over="ignore")  # a bound that overflows becomes infinite, which is valid
def renyi_epsilons(claim: RenyiDP, ks: ArrayLike, delta: float) -> Vector:
    """Return the epsilon of k releases with the same Rényi guarantee, for many k.

    Parameters
    ----------
    claim : RenyiDP
        The guarantee of one release.
    ks : array_like of integers
        Each at least 1, of any shape.
    delta : float
        In [0, 1].

    Returns
    -------
    ndarray
        Upper bounds in [0, inf], in nats, at the best of the claim's orders for each k. They equal
        the values of `convert` for ``claim.self_compose(k)`` with ``by="Canonne-Kamath-Steinke"``;
        `RenyiDP.epsilon_at` takes longer and is never larger.

    References
    ----------
    Canonne, Kamath and Steinke (2020), proposition 12.

    Examples
    --------
    >>> claim = RenyiDP([8, 16, 32], [0.04, 0.08, 0.16])
    >>> renyi_epsilons(claim, [1, 10], 1e-5).round(8)
    array([0.38783806, 1.3181506 ])
    """
    _check.instance("claim", claim, RenyiDP)
    counts = _counts(ks)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    best = np.full(counts.shape, math.inf)
    orders, bounds = np.array(claim.orders), np.array(claim.epsilons)
    pure = claim.orders[-1] == math.inf
    if pure:
        # the bound of order infinity is pure DP, which implies a smaller epsilon at delta > 0
        best = _relaxed_pure(counts * bounds[-1] * (1 + _numerics.MARGIN), delta)
    inside = (orders > 1) & (orders < math.inf)
    if delta > 0 and inside.any():
        b = orders[inside] - 1
        rest = -np.log1p(1 / b) - (math.log(delta) + np.log(orders[inside])) / b
        error = np.log1p(1 / b) + (-math.log(delta) + np.log(orders[inside])) / b
        offset = rest + _SUM_MARGIN * error
        slope = bounds[inside] * (1 + _SUM_MARGIN)
        flat = counts.ravel()
        for begin in range(0, flat.size, 4096):
            some = slice(begin, begin + 4096)
            lines = flat[some, None] * slope + offset
            found = lines.min(axis=1)
            found = np.maximum(found + _SUM_MARGIN * np.abs(found), 0.0)
            best.ravel()[some] = np.minimum(best.ravel()[some], found)
    with np.errstate(over="ignore"):
        total_variation = np.sqrt(counts * bounds[0] / 2) * (1 + _numerics.MARGIN)
    return np.where(np.minimum(1.0, total_variation) <= delta, 0.0, best)


# --- checks of arguments -----------------------------------------------------------------------


def _in(name: str, value: object, domain: _check.Domain) -> Vector:
    numbers = _check.array(name, value)
    least, most = (numbers.min(), numbers.max()) if numbers.size else (1.0, 1.0)
    # domains are intervals, so checking both extremes checks all values
    for extreme in (least, most):
        if numbers.size and not domain.contains(float(extreme)):
            _check.real(name, float(extreme), domain)
    return numbers


def _broadcast(**arrays: Vector) -> tuple[Vector, Vector]:
    (first, one), (last, other) = arrays.items()
    try:
        both = np.broadcast_arrays(one, other)
    except ValueError:
        raise ValueError(
            f"{first} and {last} must have shapes that fit, got {first} of shape {one.shape} "
            f"and {last} of shape {other.shape}"
        ) from None
    return both[0], both[1]


def _counts(ks: object) -> Vector:
    counts = _check.integers("ks", ks, largest=2**53)
    if counts.size and counts.min() < 1:
        raise ValueError(f"ks must hold integers >= 1, got ks={_check.shown(ks)}")
    return counts.astype(np.float64)


def _relaxed_pure(epsilons: Vector, delta: float) -> Vector:
    """Return the least epsilons at `delta` that pure DP with `epsilons` implies (Cuff and Yu)."""
    if delta == 1:
        return np.zeros_like(epsilons)
    spent = np.minimum(delta * (1 + np.exp(-epsilons)) * (1 - _numerics.MARGIN), 1.0)
    with np.errstate(divide="ignore"):
        rest = np.log1p(-spent)
    return np.where(spent < 1, np.maximum(_above(epsilons, np.maximum(rest, -1e300)), 0.0), 0.0)


def _above(*terms: Vector) -> Vector:
    """Return an upper bound on the exact sum of terms that each have a few rounding errors."""
    total = np.add.reduce(terms)
    return np.asarray(total + _SUM_MARGIN * np.add.reduce([np.abs(term) for term in terms]))
