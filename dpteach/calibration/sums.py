"""The noise of many releases, and of releases about samples, whose losses are added up."""

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

#: and where neighbours of the best are looked at too
_ORDERS_OF_TRAINING = tuple(1 + float(b) for b in np.geomspace(1e-3, 1e8, 97))
#: the relative precision of noise that an accountant finds, and of the sums that it begins with
_OF_ACCOUNTS, _ABOUT = 2e-5, 1e-2
#: the tolerance with which users look at what is calibrated
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
    """The least noise by the sum of the losses; None where theorems say as much, or more.

    Raises
    ------
    ValueError
        If any noise is enough.
    """
    first = make(start)
    if _trains_by_noise(first, target, k, via):
        return _noise_of_training(make, target, k)
    if via is not None:
        return None
    if _is_hardly_sampled(first, target, k):
        raise ValueError(
            "target must be one that less noise does not reach, and the probability to be in a "
            f"sample at all is below its delta, got target={target!r}"
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
    """A noise that theorems found, with as much more as the accountant's rounding errors need."""
    if not isinstance(target, ApproxDP) or not 0 < target.delta < 1:
        return noise
    amount, step = noise, 0.0
    for _ in range(20):
        try:
            upper = _epsilon_of_one(make(amount), target.delta) if k == 1 else math.inf
            if upper > target.epsilon:
                upper = Accountant().compose(make(amount), k).epsilon_at(target.delta).upper
        except (TypeError, ValueError):  # what no accountant knows
            return noise
        excess = (upper - target.epsilon) / (target.epsilon or 1.0)
        if excess <= 0:
            return amount
        if not excess < 1e-3:  # the accountant knows less than the theorem
            return noise
        step = 4 * step or max(EPS, excess / 4096)
        amount = noise * (1 + step) if rising else noise / (1 + step)
    return noise


def _epsilon_of_one(made: Mechanism, delta: float) -> float:
    """The epsilon of one release by its theorem, where an accountant uses no other formula."""
    pair = dominating_pair(made)
    if pair is None or pair.mu is not None or pair.response is not None:
        return math.inf
    try:
        return made.guarantee(ApproxDP, delta=delta).epsilon
    except (TypeError, ValueError):  # there is none
        return math.inf


def _is_hardly_sampled(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Whether any noise is enough, as the probability to be in a sample is at most delta."""
    if not isinstance(target, ApproxDP) or not isinstance(first, PoissonSubsampled):
        return False
    return first.rate < 1 and -math.expm1(k * math.log1p(-first.rate)) <= target.delta


def _adds_losses_up(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Whether an accountant knows more than one theorem after another: the worst pair of laws."""
    if not isinstance(target, ApproxDP) or not 0 < target.delta < 1:
        return False
    if k == 1 and has_theorem(first, ApproxDP, target, k):
        return False
    if (
        isinstance(first, PoissonSubsampled)
        and -math.expm1(k * math.log1p(-min(first.rate, 1 - 2**-53))) <= target.delta
    ):
        return False  # whatever the noise, to be in no sample is likely enough
    pair = dominating_pair(first)
    return pair is not None and pair.exact and pair.response is None


def _noise_by_accounting(
    make: Callable[[float], Mechanism], target: Guarantee, k: int, start: float, *, rising: bool
) -> float | None:
    assert isinstance(target, ApproxDP)
    goal = target.epsilon or target.delta
    tolerances = [_ABOUT, _BY_DEFAULT]

    def number(noise: float) -> float:
        """Epsilon, or delta at epsilon 0; as users see it where it is close to the goal."""
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
                tolerances[:] = [_BY_DEFAULT]  # the next arguments are closer still
        except (ValueError, OverflowError):  # outside the range of the noise
            return math.inf
        return bracket.upper

    found = secant(number, goal, start, tolerance=_OF_ACCOUNTS)
    return found if rising or found is None else 1 / found


def _less_is_enough(
    make: Callable[[float], Mechanism], noise: float, target: Guarantee, k: int, *, rising: bool
) -> bool:
    """Whether some theorem needs less than what an accountant found, which has few digits."""
    less = noise * (1 - 1e-14) if rising else noise * (1 + 1e-14)
    try:
        return condition(make, less, target, k, None)(less)
    except (TypeError, ValueError):
        return False


def _trains_by_noise(
    first: Mechanism, target: Guarantee, k: int, via: type[Guarantee] | None
) -> bool:
    """Whether it is sampled Gaussian noise, for which no formula gives epsilon."""
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
    """The least noise by the Rényi divergences at real orders; None where they say little."""
    assert isinstance(target, ApproxDP)
    delta = target.delta

    def epsilon(noise: float) -> float:
        """At the best of some orders, and of more and more between its neighbours."""
        try:
            step, orders = make(noise), _ORDERS_OF_TRAINING
            for _ in range(4):
                claim = step.guarantee(RenyiDP, orders=orders).self_compose(k)
                found = claim._epsilons(delta)
                best = int(np.argmin(found))
                ends = orders[max(best - 1, 0)], orders[min(best + 1, len(orders) - 1)]
                orders = tuple(np.linspace(*ends, 17).tolist())
        except (ValueError, OverflowError):  # an infinite divergence
            return math.inf
        return min(found)

    return secant(epsilon, target.epsilon, 1.0)
