"""The base class of claims with an epsilon and a delta, and the privacy profile they imply."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.notions._base import Guarantee, Reason

_, _n = catalog("notions")


@dataclass(frozen=True, repr=False)
class PointClaim(Guarantee):
    """The base class of (epsilon, delta)-DP and of probabilistic DP.

    For the same epsilon and delta, both notions imply the same privacy profile, and for groups
    their deltas grow in the same way.
    """

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.NON_NEGATIVE))
        self._set("delta", _check.real("delta", self.delta, _check.PROBABILITY))

    def _told(self) -> dict[str, float]:
        return {"epsilon": self.epsilon}

    def delta_at(self, epsilon: float) -> float:
        return profile_of_approx(self.epsilon, self.delta, epsilon)

    def epsilon_at(self, delta: float) -> float:
        return profile_of_approx_inverse(self.epsilon, self.delta, delta)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return why_delta_of_approx(self.epsilon, epsilon)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        return why_epsilon_of_approx(self.delta, delta)

    def group(self, size: int) -> Self:
        size = _check.count("size", size)
        delta = delta_of_group(self.epsilon, self.delta, size)
        return type(self)(size * self.epsilon, delta, adjacency=self.adjacency)


def delta_of_group(epsilon: float, delta: float, size: int) -> float:
    """Return delta for groups: delta (1 + e^epsilon + ... + e^((size-1) epsilon)), at most 1."""
    if size == 1 or delta == 0:
        return delta
    if epsilon == 0:
        return min(1.0, size * delta)
    grown = size * epsilon
    # these terms sum to log((e^grown - 1)/(e^epsilon - 1)), and none of them overflows
    logs = (grown - epsilon, _numerics.log1mexp(-grown), -_numerics.log1mexp(-epsilon))
    # `sum_up` adds a margin relative to the terms, because the sum of the terms may be much
    # smaller
    return min(1.0, _numerics.exp_up(_numerics.sum_up(math.log(delta), *logs)))


def profile_of_approx(epsilon0: float, delta0: float, epsilon: float) -> float:
    """Return the smallest delta at epsilon that (epsilon0, delta0)-DP implies.

    The delta is delta0 for epsilon >= epsilon0, and 1 - (e^epsilon + 1)(1 - delta0)/(e^epsilon0 +
    1) for smaller epsilon [1]_, because (epsilon0, delta0)-DP bounds both directions. The code
    does not subtract from 1, because this would lose digits of a small delta.

    .. [1] Cuff and Yu (2016), property 3.
    """
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    if epsilon >= epsilon0:
        return delta0
    gained = -math.expm1(epsilon - epsilon0) * _numerics.logistic(epsilon0)
    # `kept` is (e^epsilon + 1) / (e^epsilon0 + 1)
    kept = math.exp(epsilon - epsilon0) * _numerics.logistic(epsilon0) / _numerics.logistic(epsilon)
    return min(1.0, _numerics.up(_numerics.positive(gained + delta0 * kept)))


def profile_of_approx_inverse(epsilon0: float, delta0: float, delta: float) -> float:
    """Return the smallest epsilon at delta that (epsilon0, delta0)-DP implies."""
    delta = _check.real("delta", delta, _check.PROBABILITY)
    if delta == 1:
        return 0.0
    if delta < delta0:
        return math.inf
    spent = (delta - delta0) / (1 - delta0) * (1 + math.exp(-epsilon0)) * (1 - _numerics.MARGIN)
    if spent >= 1:
        return 0.0
    if spent <= 0:
        return epsilon0
    return min(epsilon0, max(0.0, _numerics.sum_up(epsilon0, math.log1p(-spent))))


def why_delta_of_approx(epsilon0: float, epsilon: float) -> Reason:
    """Return the theorem behind the delta that (epsilon0, delta0)-DP implies at an epsilon."""
    if epsilon >= epsilon0:
        return Reason("the definition", "exact", note=_("It is the claim itself."))
    return Reason("Cuff and Yu (2016), property 3", "exact")


def why_epsilon_of_approx(delta0: float, delta: float) -> Reason:
    """Return the theorem behind the epsilon that (epsilon0, delta0)-DP implies at a delta."""
    if delta < delta0:
        note = _("Below its own delta the claim implies no finite epsilon.")
        return Reason("the definition", "exact", note=note)
    if delta == delta0:
        return Reason("the definition", "exact", note=_("It is the claim itself."))
    return Reason("Cuff and Yu (2016), property 3", "exact")
