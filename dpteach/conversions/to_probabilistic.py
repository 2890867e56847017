"""Theorems from other notions to probabilistic DP: bounds on the tail of the privacy loss."""

from __future__ import annotations

import math

from dpteach import _check, _numerics
from dpteach.conversions.formulas import approx_to_probabilistic_delta
from dpteach.conversions.registry import edge
from dpteach.notions import ApproxDP, ProbabilisticDP, PureDP, _witness
from dpteach.notions._base import beyond
from dpteach.privacy_loss import PrivacyLoss


def _tail_witness(claim: ApproxDP | PureDP, *, epsilon: float) -> PrivacyLoss:
    """Return a privacy loss that attains the largest possible P(loss > epsilon), up to rounding.

    It is the loss of two Bernoulli distributions, where the outcome 1 has a loss just above
    epsilon, or of randomized response if the claim permits no loss above epsilon.
    """
    above = beyond(beyond(epsilon))
    bound, delta = claim.epsilon, claim.delta if isinstance(claim, ApproxDP) else 0.0
    if delta == 0 and above > bound:
        if epsilon < bound:
            raise ValueError("epsilon is too close to that of the claim to distinguish them")
        return _witness.response(bound)
    heads = approx_to_probabilistic_delta(bound, delta, above) * (1 - 4 * _numerics.MARGIN)
    return _witness.coins(heads, heads * math.exp(-above))


@edge(
    ApproxDP,
    ProbabilisticDP,
    "two coins",
    "after Kasiviswanathan and Smith (2014), and the same of the reversed order",
    witness=_tail_witness,
)
def _(claim: ApproxDP, *, epsilon: float) -> ProbabilisticDP:
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = approx_to_probabilistic_delta(claim.epsilon, claim.delta, epsilon)
    return ProbabilisticDP(epsilon, delta, adjacency=claim.adjacency)


@edge(
    PureDP,
    ProbabilisticDP,
    "two coins",
    "the definition; below epsilon, that of the reversed order",
    witness=_tail_witness,
)
def _(claim: PureDP, *, epsilon: float) -> ProbabilisticDP:
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = approx_to_probabilistic_delta(claim.epsilon, 0.0, epsilon)
    return ProbabilisticDP(epsilon, delta, adjacency=claim.adjacency)
