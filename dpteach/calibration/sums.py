"""Calibration of many or subsampled releases by the distribution of their total privacy loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpteach.accountants import Accountant
from dpteach.accounting.lattice.cells import EPS
from dpteach.accounting.pairs import dominating_pair
from dpteach.amplification import PoissonSubsampled
from dpteach.calibration.searches import secant
from dpteach.calibration.theorems import condition, has_theorem
from dpteach.mechanisms import Gaussian, Mechanism
from dpteach.notions import ApproxDP, Guarantee, RenyiDP

#: the orders of Rényi divergences tried first for DP-SGD; the search is refined around the best one
_ORDERS_OF_TRAINING = tuple(1 + float(b) for b in np.geomspace(1e-3, 1e8, 97))
#: the relative precision to which a search computes the noise, and the tolerance of the accountant
#: in the first steps of this search
_OF_ACCOUNTS, _ABOUT = 2e-5, 1e-2
#: the tolerance of the accountant in the last steps of this search: the default one, because users
#: may verify the noise with a default accountant
_BY_DEFAULT = Accountant().tolerance


def noise_of_sums(
    make: Callable[[float], Mechanism],
    target: Guarantee,
    k: int,
    start: float,
    via: type[Guarantee] | None,
    *,
    rising: bool,
) -> float | None:
    """Return the least noise that meets `target`, by the distribution of the total privacy loss.

    For subsampled Gaussian noise with ``via=RenyiDP``, Rényi divergences replace this
    distribution. The result is None if theorems should compute the noise instead.

    Raises
    ------
    ValueError
        If every amount of noise suffices.
    """
    first = make(start)
    if _trains_by_noise(first, target, k, via):
        return _noise_of_training(make, target, k)
    if via is not None:
        return None
    if _is_hardly_sampled(first, target, k):
        raise ValueError(
            "target must be one that some noise does not satisfy, but the probability of being "
            f"sampled at all is below its delta, got target={target!r}"
        )
    if not _adds_losses_up(first, target, k):
        return None
    noise = _noise_by_accounting(make, target, k, start, rising=rising)
    if noise is None or _less_is_enough(make, noise, target, k, rising=rising):
        return None
    return noise


def accepted_noise(
    make: Callable[[float], Mechanism], noise: float, target: Guarantee, k: int, *, rising: bool
) -> float:
    """Return `noise`, or slightly more if an accountant needs that to confirm `target`.

    `noise` is known to meet the target, by theorems or, for a target with epsilon 0, by an
    accountant's bound on delta. So the result is `noise` itself if an accountant would need much
    more, or cannot compute epsilon.
    """
    if not isinstance(target, ApproxDP) or not 0 < target.delta < 1:
        return noise
    amount, step = noise, 0.0
    for _ in range(20):
        try:
            upper = _epsilon_of_one(make(amount), target.delta) if k == 1 else math.inf
            if upper > target.epsilon:
                upper = Accountant().compose(make(amount), k).epsilon_at(target.delta).upper
        except (TypeError, ValueError):  # an accountant cannot compute epsilon for this mechanism
            return noise
        excess = (upper - target.epsilon) / (target.epsilon or 1.0)
        if excess <= 0:
            return amount
        # the theorem is tighter than the accountant, so keep the noise that the theorem gave
        if not excess < 1e-3:
            return noise
        step = 4 * step or max(EPS, excess / 4096)
        amount = noise * (1 + step) if rising else noise / (1 + step)
    return noise


def _epsilon_of_one(made: Mechanism, delta: float) -> float:
    """Return the epsilon of one release by a theorem, or inf.

    The result is inf if an accountant should compute epsilon instead: if no theorem applies, if no
    dominating pair of distributions is known, or if the accountant has a closed formula for this
    pair.
    """
    pair = dominating_pair(made)
    if pair is None or pair.mu is not None or pair.response is not None:
        return math.inf
    try:
        return made.guarantee(ApproxDP, delta=delta).epsilon
    except (TypeError, ValueError):  # no theorem gives an epsilon at this delta
        return math.inf


def _is_hardly_sampled(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Return whether P(a person is sampled) <= delta, so that every amount of noise suffices."""
    if not isinstance(target, ApproxDP) or not isinstance(first, PoissonSubsampled):
        return False
    return first.rate < 1 and -math.expm1(k * math.log1p(-first.rate)) <= target.delta


def _adds_losses_up(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Return whether to calibrate by the distribution of the total loss instead of by theorems.

    The distribution is used if it is known exactly and gives a tighter bound than theorems.
    """
    if not isinstance(target, ApproxDP) or not 0 < target.delta < 1:
        return False
    if k == 1 and has_theorem(first, ApproxDP, target, k):
        return False
    if (
        isinstance(first, PoissonSubsampled)
        and -math.expm1(k * math.log1p(-min(first.rate, 1 - 2**-53))) <= target.delta
    ):
        return False  # every amount of noise suffices, because P(a person is sampled) <= delta
    pair = dominating_pair(first)
    return pair is not None and pair.exact and pair.response is None


def _noise_by_accounting(
    make: Callable[[float], Mechanism], target: Guarantee, k: int, start: float, *, rising: bool
) -> float | None:
    assert isinstance(target, ApproxDP)
    goal = target.epsilon or target.delta
    tolerances = [_ABOUT, _BY_DEFAULT]

    def number(noise: float) -> float:
        """Return an accountant's bound on epsilon, or on delta if the target has epsilon 0."""
        try:
            step = make(noise if rising else 1 / noise)
            for tolerance in tuple(tolerances):
                accountant = Accountant(tolerance=tolerance).compose(step, k)
                if target.epsilon == 0:
                    bracket = accountant.delta_at(0.0)
                else:
                    bracket = accountant.epsilon_at(target.delta)
                if bracket.upper < 0.97 * goal or bracket.lower > 1.03 * goal:
                    break
                # the search has come near the goal, so its later steps need precision
                tolerances[:] = [_BY_DEFAULT]
        except (ValueError, OverflowError):  # the noise is not a valid parameter
            return math.inf
        return bracket.upper

    found = secant(number, goal, start, tolerance=_OF_ACCOUNTS)
    return found if rising or found is None else 1 / found


def _less_is_enough(
    make: Callable[[float], Mechanism], noise: float, target: Guarantee, k: int, *, rising: bool
) -> bool:
    """Return whether a theorem shows that slightly less noise than `noise` meets `target`."""
    less = noise * (1 - 1e-14) if rising else noise * (1 + 1e-14)
    try:
        return condition(make, less, target, k, None)(less)
    except (TypeError, ValueError):
        return False


def _trains_by_noise(
    first: Mechanism, target: Guarantee, k: int, via: type[Guarantee] | None
) -> bool:
    """Return whether to use Rényi divergences: for subsampled Gaussian noise and via=RenyiDP."""
    return (
        isinstance(first, PoissonSubsampled)
        and isinstance(first.mechanism, Gaussian)
        and isinstance(target, ApproxDP)
        and via is RenyiDP
        and 0 < first.rate < 1
        and target.epsilon > 0
        and 0 < target.delta < 1
    )


def _noise_of_training(
    make: Callable[[float], Mechanism], target: Guarantee, k: int
) -> float | None:
    """Return the least noise for DP-SGD, by Rényi divergences at the best real order.

    The result is None if no noise reaches the target in this way.
    """
    assert isinstance(target, ApproxDP)
    delta = target.delta

    def epsilon(noise: float) -> float:
        """Return epsilon by Rényi divergences at several orders, then at orders near the best."""
        try:
            step, orders = make(noise), _ORDERS_OF_TRAINING
            for _ in range(4):
                claim = step.guarantee(RenyiDP, orders=orders).self_compose(k)
                found = claim._epsilons(delta)
                best = int(np.argmin(found))
                ends = orders[max(best - 1, 0)], orders[min(best + 1, len(orders) - 1)]
                orders = tuple(np.linspace(*ends, 17).tolist())
        except (ValueError, OverflowError):  # a divergence is infinite
            return math.inf
        return min(found)

    return secant(epsilon, target.epsilon, 1.0)
