"""Tests of whether an amount of noise satisfies a target, by theorems about a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpteach import _numerics
from dpteach.accounting.optimal import MOST_STEPS, optimal_composition
from dpteach.conversions import EDGES, convert
from dpteach.mechanisms import THEOREMS, Mechanism
from dpteach.notions import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)

#: the orders at which Rényi guarantees are computed if the target states no orders
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 1e4, 97))


def condition(
    make: Callable[[float], Mechanism],
    start: float,
    target: Guarantee,
    k: int,
    via: type[Guarantee] | None,
) -> Enough:
    """Return the test of whether noise satisfies a target; raise an error if no theorem applies."""
    first = make(start)
    notions: list[type[Guarantee]] = [type(target) if via is None else via]
    own = k == 1 and has_theorem(first, type(target), target, k)
    if via is None and isinstance(target, ApproxDP) and not own:
        notions = [GaussianDP, PureDP, ZCDP, RenyiDP]
    routes = [
        notion
        for notion in notions
        if _leads(notion, type(target)) and has_theorem(first, notion, target, k)
    ]
    if not routes:
        raise _no_calibration(first, target, k)
    # Gaussian DP gives the exact delta of Gaussian noise, so no other notion is better
    if GaussianDP in routes:
        routes = [GaussianDP]

    return Enough(make, target, k, routes)


@dataclass
class Enough:
    """A test of whether an amount of noise satisfies a target, by theorems in some notions."""

    make: Callable[[float], Mechanism]
    target: Guarantee
    k: int
    routes: list[type[Guarantee]]
    #: the relative margin for the rounding errors of closed forms
    margin: float = _numerics.MARGIN
    obstacle: str = ""

    def mechanism(self, amount: float) -> Mechanism | None:
        """Return the mechanism with this noise; None if the amount is out of range."""
        try:
            return self.make(amount)
        except (ValueError, OverflowError) as error:
            self.obstacle = f": {error}"
            return None

    def __call__(self, amount: float) -> bool:
        made = self.mechanism(amount)
        return made is not None and any(
            meets(made, notion, self.target, self.k, self.margin) for notion in self.routes
        )


def _leads(notion: type[Guarantee], goal: type[Guarantee]) -> bool:
    """Return whether claims of `notion` lead to claims of `goal`, by at most one conversion."""
    return goal in (notion, ApproxDP) or any(e.source is notion and e.target is goal for e in EDGES)


def has_theorem(made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int) -> bool:
    """Return whether a theorem gives a mechanism's guarantee in a notion.

    Raises
    ------
    ValueError
        If a theorem exists, but not for the target's order or delta.
    """
    try:
        _claim(made, notion, target, k)
    except TypeError:
        return False
    except ValueError as error:
        raise ValueError(
            f"target must be one that the theorem about {type(made).__name__} and "
            f"{notion.__name__} reaches, got target={target!r}: {error}"
        ) from None
    return True


def _claim(made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int) -> Guarantee:
    """Return the guarantee of k releases in a notion, by the mechanism's theorem."""
    told: dict[str, Any] = target._told() if notion is type(target) else {}
    if "epsilon" in told and k > 1:  # each release gets an equal share of epsilon
        told["epsilon"] = math.nextafter(told["epsilon"] / k, 0.0)
    elif notion is RenyiDP and not told:
        match target:
            case AlphaDP(order=order):
                told["orders"] = order
            # the conversion to mutual-information DP uses only the smallest order of the claim;
            # its bound is least at order 1, the smallest order of Rényi DP
            case MutualInformationDP():
                told["orders"] = 1.0
            case _:
                told["orders"] = _ORDERS
    return made.guarantee(notion, **told).self_compose(k)


def meets(
    made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int, margin: float = 0.0
) -> bool:
    try:
        claim = _claim(made, notion, target, k)
        if isinstance(target, ApproxDP):
            return _delta(made, claim, target.epsilon, k) <= target.delta
        if notion is not type(target):
            claim = convert(claim, to=type(target), **target._told())
    except (ValueError, OverflowError):  # a parameter would be infinite
        return False
    numbers = [*zip(claim._numbers(), target._numbers(), strict=True)]
    # epsilon is an input of the theorem and has no rounding error, so compare it without a margin
    if "epsilon" in target._told():
        (told, allowed), *numbers = numbers
        if told > allowed:
            return False
    return all(a * (1 + margin) <= b for a, b in numbers)


def _delta(made: Mechanism, whole: Guarantee, epsilon: float, k: int) -> float:
    """Return the delta at `epsilon` that `whole`, a guarantee of k releases, implies.

    For pure DP, the result is the smaller delta of optimal composition, unless k or the epsilon of
    one release is too large for it.
    """
    if isinstance(whole, PureDP) and k > 1:
        step = _numerics.up(made.guarantee(PureDP).epsilon)
        if step <= 700 and k <= MOST_STEPS:
            return optimal_composition(ApproxDP(step, 0.0), k, epsilon=epsilon).delta
    # use the closed formula, because the optimal conversion would be too slow for so many calls
    if isinstance(whole, RenyiDP):
        return whole._closed_delta(epsilon)[0]
    return whole.delta_at(epsilon)


def is_perfect(target: Guarantee) -> bool:
    """Return whether a target means perfect privacy, that is, outputs independent of the data."""
    some = all if isinstance(target, (ApproxDP, ProbabilisticDP)) else any
    return some(x == 0 for x in target._numbers())


def _no_calibration(made: Mechanism, target: Guarantee, k: int) -> TypeError:
    name = type(made).__name__
    ways = []
    for notion in (t.notion for t in THEOREMS if t.mechanism is type(made)):
        try:
            if (
                not notion._is_curve
                and _leads(notion, type(target))
                and has_theorem(made, notion, target, k)
            ):
                ways.append(f"via={notion.__name__}")
        except ValueError:
            continue
    words = f"with {' or '.join(ways)}, one more conversion" if ways else "no conversion helps"
    return TypeError(
        f"target must be of a notion that {name} can be calibrated to by a theorem about it "
        f"({words}), got target={target!r}"
    )
