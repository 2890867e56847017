"""Whether an amount of noise is enough for a target, by the theorems about a mechanism."""

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

#: the orders at which a Rényi guarantee is asked for where the target names none
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 1e4, 97))


def condition(
    make: Callable[[float], Mechanism],
    start: float,
    target: Guarantee,
    k: int,
    via: type[Guarantee] | None,
) -> Enough:
    """The theorems that lead to the target, and whether there are any."""
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
    if GaussianDP in routes:  # its profile is exact: the others are not below it
        routes = [GaussianDP]

    return Enough(make, target, k, routes)


@dataclass
class Enough:
    """Whether an amount of noise is enough for a target, by the theorem of one of some notions."""

    make: Callable[[float], Mechanism]
    target: Guarantee
    k: int
    routes: list[type[Guarantee]]
    #: for closed forms, which carry rounding errors
    margin: float = _numerics.MARGIN
    obstacle: str = ""

    def mechanism(self, amount: float) -> Mechanism | None:
        """The mechanism with this noise; None where that is outside the parameter's range."""
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
    """Whether a claim of the notion, perhaps after one conversion, is comparable with a goal."""
    return goal in (notion, ApproxDP) or any(e.source is notion and e.target is goal for e in EDGES)


def has_theorem(made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int) -> bool:
    """Whether there is one that can be asked at what the target tells.

    Raises
    ------
    ValueError
        If there is one that does not reach the target's order or delta.
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
    """What the theorem of a notion says of k releases."""
    told: dict[str, Any] = target._told() if notion is type(target) else {}
    if "epsilon" in told and k > 1:  # equal shares, and no more
        told["epsilon"] = math.nextafter(told["epsilon"] / k, 0.0)
    elif notion is RenyiDP and not told:
        match target:
            case AlphaDP(order=order):
                told["orders"] = order
            case MutualInformationDP():  # it follows from the order 1, the smallest
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
    except (ValueError, OverflowError):  # an infinite number: there is no such claim
        return False
    numbers = [*zip(claim._numbers(), target._numbers(), strict=True)]
    if "epsilon" in target._told():  # it was told, and carries no rounding errors
        (told, allowed), *numbers = numbers
        if told > allowed:
            return False
    return all(a * (1 + margin) <= b for a, b in numbers)


def _delta(made: Mechanism, whole: Guarantee, epsilon: float, k: int) -> float:
    """What a claim about k releases implies; for pure ones, the exact delta of the worst."""
    if isinstance(whole, PureDP) and k > 1:
        step = _numerics.up(made.guarantee(PureDP).epsilon)
        if step <= 700 and k <= MOST_STEPS:
            return optimal_composition(ApproxDP(step, 0.0), k, epsilon=epsilon).delta
    if isinstance(whole, RenyiDP):  # hundreds of guesses at dozens of orders
        return whole._closed_delta(epsilon)[0]
    return whole.delta_at(epsilon)


def is_perfect(target: Guarantee) -> bool:
    """Whether no more than the answer's law on no data is asked for."""
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
    words = f"with {' or '.join(ways)}, one conversion more" if ways else "no conversion helps"
    return TypeError(
        f"target must be of a notion that {name} can be calibrated to by a theorem about it "
        f"({words}), got target={target!r}"
    )
