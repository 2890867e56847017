"""Calibration by closed forms: the noise for a target from a formula, without a search."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpteach import _numerics
from dpteach.calibration.makers import M
from dpteach.calibration.theorems import meets
from dpteach.mechanisms import DiscreteLaplace, Gaussian, Laplace
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP
from dpteach.notions.alpha import renyi_of_alpha
from dpteach.notions.gaussian import log_delta_bound


def rounded(
    make: Callable[[float], M], sensitivity: float, shift: float, target: Guarantee, k: int
) -> float:
    """Return the noise sensitivity/shift, rounded up until, by a theorem, it meets `target`."""
    if shift <= 0 or not 0 < sensitivity / shift < math.inf:
        raise ValueError(f"target must allow noise in the range of floats, got target={target!r}")
    noise, margin = sensitivity / shift, float(np.finfo(np.float64).eps)
    # the formula for AlphaDP contains logarithms with rounding errors, so add a margin
    if isinstance(target, AlphaDP):
        noise = _numerics.up(noise)
    elif isinstance(target, ApproxDP):
        # Increase the noise by three rounding margins (`_numerics.MARGIN`), so that an accountant
        # confirms the target although it rounds sensitivity/noise up by little more than two.
        noise = _numerics.up(noise, 2.0)
    notion = GaussianDP if isinstance(target, ApproxDP) and k > 1 else type(target)
    made, amount = make(noise), noise
    while margin < 1e-6 and not (
        _exactly_enough(amount, sensitivity, target, k) and meets(made, notion, target, k)
    ):
        amount, margin = noise * (1 + margin), 2 * margin
        made = make(amount)
    return amount


def _exactly_enough(noise: float, sensitivity: float, target: Guarantee, k: int) -> bool:
    """Return whether noise meets a target, by exact arithmetic with fractions.

    The result is also True for targets whose formulas are not rational; only `meets` checks these.
    """
    if isinstance(target, GaussianDP):
        # the accountant for Gaussian DP rounds the shift (sensitivity/noise) up, so do the same
        return (
            k * Fraction(_numerics.quotient_up(sensitivity, noise)) ** 2 <= Fraction(target.mu) ** 2
        )
    shift = Fraction(sensitivity) / Fraction(noise)
    match target:
        case PureDP(epsilon=epsilon):
            return k * shift <= Fraction(epsilon)
        case ZCDP(rho=rho):
            return k * shift**2 <= 2 * Fraction(rho)
        case RenyiDP(orders=orders, epsilons=epsilons):
            pairs = zip(orders, epsilons, strict=True)
            return all(k * shift**2 * Fraction(a) <= 2 * Fraction(e) for a, e in pairs)
    return True


def largest_shift(mechanism: object, target: Guarantee, k: int) -> float | None:
    """Return the largest shift (sensitivity/noise) that meets a target; None without a formula."""
    if mechanism is Gaussian:
        shift = _largest_gaussian_shift(target)
        return None if shift is None else shift / math.sqrt(k)
    if mechanism in (Laplace, DiscreteLaplace) and isinstance(target, PureDP):
        return target.epsilon / k
    if mechanism is Laplace and isinstance(target, ApproxDP) and k == 1:
        if target.delta == 1:
            raise ValueError(f"target must have delta < 1, got target={target!r}")
        return target.epsilon - 2 * math.log1p(-target.delta)
    return None


def _largest_gaussian_shift(target: Guarantee) -> float | None:
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
            # aim slightly below the target's delta, because `GaussianDP.epsilon_at` checks it by a
            # bound that exceeds the true delta by up to two rounding margins (`_numerics.MARGIN`)
            goal = math.log(delta) * (1 + 3 * _numerics.MARGIN) - 3 * _numerics.MARGIN

            def too_much(shift: float) -> bool:
                return log_delta_bound(shift, epsilon) > goal

            # at a shift this large, delta certainly exceeds the target's delta
            high = 2 * (math.sqrt(2 * epsilon) + math.sqrt(-2 * math.log1p(-delta)) + 10)
            return math.nextafter(_numerics.first_true(too_much, 0.0, high), 0.0)
    return None
