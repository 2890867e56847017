"""The textbook analysis of Gaussian noise: simple, proved for epsilon up to 1, and loose.

It is kept for comparison with other books and programs. ``Gaussian(...).guarantee(ApproxDP, ...)``
gives the exact guarantee, and `dpteach.calibrate` the least noise.
"""

from __future__ import annotations

import math

from dpteach import _check, _numerics
from dpteach.mechanisms.gaussian import Gaussian
from dpteach.notions import ApproxDP

__all__ = ["classical_gaussian", "classical_gaussian_guarantee"]


def classical_gaussian(target: ApproxDP, *, sensitivity: float = 1.0) -> Gaussian:
    """Return Gaussian noise with the textbook's sigma: sensitivity sqrt(2 log(1.25/delta))/epsilon.

    Parameters
    ----------
    target : ApproxDP
        A target with epsilon in (0, 1] and delta in (0, 1).
    sensitivity : float
        The L2 sensitivity of the query, > 0.

    Returns
    -------
    Gaussian
        A mechanism with more noise than `dpteach.calibrate` finds.

    References
    ----------
    Dwork and Roth (2014), theorem A.1.

    Examples
    --------
    >>> round(classical_gaussian(ApproxDP(0.1, 1e-5)).sigma, 6)
    48.448053
    """
    _check.instance("target", target, ApproxDP)
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)
    if not (0 < target.epsilon <= 1 and 0 < target.delta < 1):
        raise ValueError(
            f"target must have epsilon in (0, 1] and delta in (0, 1), got target={target!r}"
        )
    sigma = sensitivity * math.sqrt(2 * math.log(1.25 / target.delta)) / target.epsilon
    return Gaussian(_numerics.up(sigma), sensitivity, adjacency=target.adjacency)


def classical_gaussian_guarantee(mechanism: Gaussian, *, delta: float) -> ApproxDP:
    """Return the textbook epsilon of Gaussian noise: sensitivity sqrt(2 log(1.25/delta))/sigma.

    Parameters
    ----------
    mechanism : Gaussian
    delta : float
        In (0, 1).

    Returns
    -------
    ApproxDP
        An upper bound, larger than ``mechanism.guarantee(ApproxDP, delta=delta)``.

    Raises
    ------
    ValueError
        If the formula gives an epsilon above 1, which the textbook's proof does not cover.

    References
    ----------
    Dwork and Roth (2014), theorem A.1.

    Examples
    --------
    >>> round(classical_gaussian_guarantee(Gaussian(sigma=200.0), delta=1e-5).epsilon, 12)
    0.024224026313
    """
    _check.instance("mechanism", mechanism, Gaussian)
    delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
    epsilon = _numerics.up(mechanism.shift * math.sqrt(2 * math.log(1.25 / delta)))
    if epsilon > 1 + 1e-9:  # the margin allows for rounding of a sigma chosen for epsilon = 1
        raise ValueError(
            "mechanism must have noise for epsilon <= 1 at this delta, "
            f"got mechanism={mechanism!r} with epsilon={epsilon:.6g}"
        )
    return ApproxDP(epsilon, delta, adjacency=mechanism.adjacency)
