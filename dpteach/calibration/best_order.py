"""The epsilon and the sigma of k Gaussian releases, by Rényi or alpha divergence at its best order.

At a given delta, a divergence of any order implies an epsilon. The best order gives the least
epsilon for a sigma, and the least sigma for an epsilon. Both have a closed form if the order may be
any real number. Liu and Wang search a grid of integer orders; this module implements both ways.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.conversions import zcdp_to_epsilon_bun_steinke
from dpteach.notions._base import times

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class AtOrder:
    """An epsilon or a sigma, and the order of the Rényi or alpha divergence that gives it.

    Attributes
    ----------
    value : float
        An epsilon in nats, or a sigma.
    order : float
        In (1, inf).

    Examples
    --------
    >>> AtOrder(0.5, 20.0).order
    20.0
    """

    value: float
    order: float


def epsilon_at_best_order(
    sigma: float, *, delta: float, k: int = 1, sensitivity: float = 1.0
) -> AtOrder:
    """Return epsilon of k Gaussian releases by alpha-DP (or Rényi DP) at its best order.

    At order a, epsilon is k a s^2/(2 sigma^2) + L/(a - 1) for sensitivity s and L = log(1/delta).
    With rho = k s^2/(2 sigma^2), the minimum rho + 2 sqrt(rho L) is at the real order
    1 + sqrt(L / rho). Liu and Wang's algorithm 1 searches for this order in a grid.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise of one release, > 0.
    delta : float
        In (0, 1).
    k : int
        The number of releases, at least 1.
    sensitivity : float
        The L2 sensitivity of one release, > 0.

    Returns
    -------
    AtOrder
        An upper bound on epsilon, because the conversion is not tight.
        ``GaussianDP(...).self_compose(k).epsilon_at(delta)`` is exact.

    References
    ----------
    Liu and Wang, algorithm 1; Bun and Steinke (2016), proposition 1.3.

    Examples
    --------
    >>> best = epsilon_at_best_order(100.0, delta=1e-5, k=1000)
    >>> round(best.value, 12), round(best.order, 12)
    (1.567427129385, 16.174271293851)
    """
    sigma, delta, k, sensitivity = _setting("sigma", sigma, delta, k, sensitivity)
    rho = _rho(sigma, k, sensitivity)
    if not 0 < rho < math.inf:
        raise ValueError(
            "sigma must leave k sensitivity^2 / sigma^2 in the range of floats, "
            f"got sigma={sigma}, k={k} and sensitivity={sensitivity}"
        )
    order = 1 + math.sqrt(-math.log(delta) / rho)
    return AtOrder(zcdp_to_epsilon_bun_steinke(rho, delta), max(order, math.nextafter(1, 2)))


def epsilon_on_grid(
    sigma: float,
    *,
    delta: float,
    k: int = 1,
    sensitivity: float = 1.0,
    orders: Sequence[float] = range(2, 301),
) -> AtOrder:
    """Return epsilon of k Gaussian releases at the best order of a grid (Liu and Wang).

    This is Liu and Wang's algorithm 1. Let alpha be the alpha divergence of order a of one
    release. The algorithm adds log(1 + a (a-1) alpha) over all releases. It does not compute the
    alpha divergence of all releases together, which may overflow, for example at 1,000 releases.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise of one release, > 0.
    delta : float
        In (0, 1).
    k : int
        The number of releases, at least 1.
    sensitivity : float
        The L2 sensitivity of one release, > 0.
    orders : sequence of float
        In (1, inf). Liu and Wang recommend 2 to 300.

    Returns
    -------
    AtOrder
        An upper bound on epsilon, no smaller than `epsilon_at_best_order`, and the first of
        the orders that give it.

    References
    ----------
    Liu and Wang, algorithm 1, with log(1/delta) added to the logarithm in its line 12, where
    the published text divides by delta.

    Examples
    --------
    >>> best = epsilon_on_grid(100.0, delta=1e-5, k=1000)
    >>> round(best.value, 12), best.order
    (1.567528364331, 16.0)
    """
    sigma, delta, k, sensitivity = _setting("sigma", sigma, delta, k, sensitivity)
    return _search(_grid("orders", orders, _check.ORDER_ABOVE_ONE), sigma, delta, k, sensitivity)


def sigma_at_best_order(
    epsilon: float, *, delta: float, k: int = 1, sensitivity: float = 1.0
) -> AtOrder:
    """Return the least sigma for which `epsilon_at_best_order` does not exceed an epsilon.

    It is sigma = s sqrt(k/2) / (sqrt(L + epsilon) - sqrt(L)) for sensitivity s and
    L = log(1/delta), at the order 1 + sqrt(L / rho), where rho = (sqrt(L + epsilon) - sqrt(L))^2.

    Parameters
    ----------
    epsilon : float
        The epsilon of all k releases together, > 0, in nats.
    delta : float
        In (0, 1).
    k : int
        The number of releases, at least 1.
    sensitivity : float
        The L2 sensitivity of one release, > 0.

    Returns
    -------
    AtOrder
        A larger sigma than ``calibrate(Gaussian, ApproxDP(epsilon, delta), k=k)``, which is exact.

    Raises
    ------
    ValueError, TypeError
        If sigma would leave the range of floats.

    References
    ----------
    Liu and Wang, algorithm 2, over the real orders.

    Examples
    --------
    >>> best = sigma_at_best_order(1.0, delta=1e-5, k=1000)
    >>> round(best.value, 6), round(best.order, 6)
    (154.969161, 24.515441)
    """
    epsilon, delta, k, sensitivity = _setting("epsilon", epsilon, delta, k, sensitivity)
    log_term = -math.log(delta)
    sum_of_roots = math.sqrt(log_term + epsilon) + math.sqrt(log_term)
    root = epsilon / sum_of_roots  # compute the difference of the two roots without cancellation
    sigma = _numerics.up(sensitivity * (math.sqrt(k / 2) / root)) if root > 0 else math.inf
    if not 0 < sigma < math.inf:
        raise ValueError(
            "epsilon must allow a sigma in the range of floats, "
            f"got epsilon={epsilon}, k={k} and sensitivity={sensitivity}"
        )
    return AtOrder(sigma, max(1 + math.sqrt(log_term) / root, math.nextafter(1, 2)))


def sigma_on_grid(
    epsilon: float,
    *,
    delta: float,
    k: int = 1,
    sensitivity: float = 1.0,
    orders: Sequence[float] = range(2, 301),
    sigmas: Sequence[float] = range(1, 501),
) -> AtOrder:
    """Return the least sigma of a grid whose `epsilon_on_grid` does not exceed an epsilon.

    Parameters
    ----------
    epsilon : float
        The epsilon of all k releases together, > 0, in nats.
    delta : float
        In (0, 1).
    k : int
        The number of releases, at least 1.
    sensitivity : float
        The L2 sensitivity of one release, > 0.
    orders : sequence of float
        In (1, inf). Liu and Wang recommend 2 to 300.
    sigmas : sequence of float
        > 0, in any order. Liu and Wang's example is 1 to 500.

    Returns
    -------
    AtOrder
        The sigma, and the best order for it.

    Raises
    ------
    ValueError, TypeError
        If no sigma of the grid is large enough.

    References
    ----------
    Liu and Wang, algorithm 2, with the correction of `epsilon_on_grid` in its line 17.

    Examples
    --------
    >>> sigma_on_grid(1.0, delta=1e-5, k=1000)
    AtOrder(value=155.0, order=25.0)
    """
    epsilon, delta, k, sensitivity = _setting("epsilon", epsilon, delta, k, sensitivity)
    grid = _grid("orders", orders, _check.ORDER_ABOVE_ONE)
    candidates = np.sort(_grid("sigmas", sigmas, _check.POSITIVE))
    # epsilon decreases with sigma, so the first sufficient sigma is found by bisection
    low, high = 0, candidates.size
    while low < high:
        middle = (low + high) // 2
        if _search(grid, float(candidates[middle]), delta, k, sensitivity).value <= epsilon:
            high = middle
        else:
            low = middle + 1
    if low == candidates.size:
        raise ValueError(
            f"sigmas must hold one that is large enough for epsilon={epsilon}, "
            f"got sigmas up to {candidates[-1]:g}"
        )
    sigma = float(candidates[low])
    return AtOrder(sigma, _search(grid, sigma, delta, k, sensitivity).order)


def _setting(
    name: str, value: float, delta: float, k: int, sensitivity: float
) -> tuple[float, float, int, float]:
    return (
        _check.real(name, value, _check.POSITIVE),
        _check.real("delta", delta, _check.OPEN_PROBABILITY),
        _check.count("k", k),
        _check.real("sensitivity", sensitivity, _check.POSITIVE),
    )


def _grid(name: str, values: Sequence[float], domain: _check.Domain) -> Vector:
    return np.array(_check.reals(name, values, domain))


def _rho(sigma: float, k: int, sensitivity: float) -> float:
    shift = sensitivity / sigma
    return times(k, shift * shift / 2)


def _search(orders: Vector, sigma: float, delta: float, k: int, sensitivity: float) -> AtOrder:
    # epsilon is (k x + L)/(a - 1) at order a, with L = log(1/delta). For one release, with
    # sensitivity s and alpha divergence D, x = log(1 + a (a-1) D) = a (a-1) s^2/(2 sigma^2).
    with np.errstate(over="ignore"):
        epsilons = orders * _rho(sigma, k, sensitivity) - math.log(delta) / (orders - 1)
    best = int(np.argmin(epsilons))
    return AtOrder(_numerics.up(float(epsilons[best])), float(orders[best]))
