"""Calibration: the least noise that reaches a target."""

from __future__ import annotations

import math
from typing import TypeVar

from dpteach import _check, _numerics
from dpteach.mechanisms import Gaussian, Laplace, Mechanism, RandomizedResponse
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP
from dpteach.notions.alpha import renyi_of_alpha
from dpteach.notions.gaussian import log_delta_bound

M = TypeVar("M", bound=Mechanism)


def calibrate(mechanism: type[M], target: Guarantee, *, sensitivity: float = 1.0) -> M:
    """The mechanism with the least noise that satisfies a target.

    Parameters
    ----------
    mechanism : type
        ``Gaussian`` (for ApproxDP, RenyiDP, ZCDP, AlphaDP and GaussianDP targets), ``Laplace``
        (for PureDP and ApproxDP) or ``RandomizedResponse`` (for PureDP).
    target : Guarantee
        With parameters > 0: no finite noise gives perfect privacy.
    sensitivity : float
        Of the true answer, > 0: L2 for Gaussian, L1 for Laplace; must be 1 for
        RandomizedResponse, which takes a bit.

    Returns
    -------
    Mechanism
        With the adjacency of the target. Its noise is rounded up.

    Raises
    ------
    TypeError
        If the mechanism is none of these, or has no such guarantee.
    ValueError
        If the target cannot be reached with finite noise, or the sensitivity is not > 0.

    References
    ----------
    Balle and Wang (2018), algorithm 1, for approximate DP; Liu and Wang, corollary 1.

    Examples
    --------
    >>> round(calibrate(Gaussian, ApproxDP(1.0, 1e-5)).sigma, 6)
    3.730632
    >>> calibrate(Laplace, PureDP(0.5), sensitivity=2.0).scale
    4.0
    """
    _check.instance("target", target, Guarantee)
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)
    adjacency = target.adjacency
    result: Mechanism
    if mechanism is Gaussian:
        shift = _largest_gaussian_shift(target)
        sigma = _noise("sigma", target, sensitivity, shift)
        result = Gaussian(sigma, sensitivity, adjacency=adjacency)
    elif mechanism is Laplace:
        scale = _noise("scale", target, sensitivity, _largest_laplace_shift(target))
        result = Laplace(scale, sensitivity, adjacency=adjacency)
    elif mechanism is RandomizedResponse:
        if not isinstance(target, PureDP):
            raise _no_calibration(mechanism, target)
        if sensitivity != 1:
            raise ValueError(
                f"sensitivity must be 1 for randomized response, got sensitivity={sensitivity}"
            )
        result = RandomizedResponse(target.epsilon, adjacency=adjacency)
    else:
        raise TypeError(
            "mechanism must be Gaussian, Laplace or RandomizedResponse, "
            f"got mechanism={_check.shown(mechanism)}"
        )
    return result  # type: ignore[return-value]


def _no_calibration(mechanism: type, target: Guarantee) -> TypeError:
    return TypeError(
        f"target must be of a notion that {mechanism.__name__} can be calibrated to, "
        f"got target={target!r}"
    )


def _noise(name: str, target: Guarantee, sensitivity: float, shift: float) -> float:
    """sensitivity / shift, rounded up where the quotient is not exact."""
    if shift <= 0 or not math.isfinite(sensitivity / shift):
        raise ValueError(f"target must allow a finite {name}, got target={target!r}")
    noise = sensitivity / shift
    return noise if noise * shift == sensitivity else _numerics.up(noise)


def _largest_gaussian_shift(target: Guarantee) -> float:
    """The largest sensitivity / sigma that satisfies the target."""
    match target:
        case GaussianDP(mu=mu):
            return mu
        case ZCDP(rho=rho):
            return math.sqrt(2 * rho)
        case RenyiDP(orders=orders, epsilons=epsilons):
            if orders[-1] == math.inf:
                raise ValueError(
                    f"target must hold finite orders for Gaussian noise, got target={target!r}"
                )
            return min(math.sqrt(2 * e / a) for a, e in zip(orders, epsilons, strict=True))
        case AlphaDP(order=order, epsilon=epsilon):
            return math.sqrt(2 * renyi_of_alpha(order, epsilon) / order)
        case ApproxDP(epsilon=epsilon, delta=delta):
            if delta in (0.0, 1.0):
                raise ValueError(
                    f"target must have delta in (0, 1) for Gaussian noise, got target={target!r}"
                )
            goal = math.log(delta)

            def too_much(shift: float) -> bool:
                return log_delta_bound(shift, epsilon) > goal

            # delta >= Phi(-a) - e^epsilon Phi(-b) exceeds any goal < 1 for a shift so large
            high = 2 * (math.sqrt(2 * epsilon) + math.sqrt(-2 * math.log1p(-delta)) + 10)
            return math.nextafter(_numerics.first_true(too_much, 0.0, high), 0.0)
    raise _no_calibration(Gaussian, target)


def _largest_laplace_shift(target: Guarantee) -> float:
    """The largest sensitivity / scale that satisfies the target."""
    match target:
        case PureDP(epsilon=epsilon):
            return epsilon
        case ApproxDP(epsilon=epsilon, delta=delta):
            if delta == 1:
                raise ValueError(f"target must have delta < 1, got target={target!r}")
            return epsilon - 2 * math.log1p(-delta)
    raise _no_calibration(Laplace, target)
