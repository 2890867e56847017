"""Probabilistic differential privacy: the privacy loss exceeds epsilon with small probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from dpteach import _check, _numerics
from dpteach.notions._base import Reason, at_most, beyond, worst_direction
from dpteach.notions._point import PointClaim
from dpteach.privacy_loss import PrivacyLoss


@dataclass(frozen=True, repr=False)
class ProbabilisticDP(PointClaim):
    """(epsilon, delta)-probabilistic differential privacy: P(L > epsilon) <= delta.

    "epsilon-differentially private with probability 1 - delta", for every ordered pair of
    neighbours. It implies (epsilon, delta)-differential privacy, which says less: that only
    asks E[(1 - e^(epsilon - L))+] <= delta, where a loss just above epsilon counts for little.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].

    Notes
    -----
    It is no property of what an answer tells: *post-processing can break it*. To forget which of
    two answers was given, one of loss 2 and one of loss 0, may leave an answer of loss 1, and
    then the loss exceeds 1/2 more often than before. What survives every post-processing is the
    (epsilon, delta)-differential privacy that it implies, and no more does.

    References
    ----------
    Machanavajjhala, Kifer, Abowd, Gehrke and Vilhuber (2008), definition 3, which is stricter: one
    set of excepted answers for all neighbours; Kasiviswanathan and Smith (2014), on the difference;
    Meiser (2018), on post-processing.

    Examples
    --------
    >>> from dpteach import DiscreteLoss
    >>> loss = DiscreteLoss([0.6, 0.4], [0.4, 0.6])
    >>> ProbabilisticDP.tightest(loss, epsilon=0.4)
    ProbabilisticDP(epsilon=0.4, delta=0.6)
    >>> round(loss.hockey_stick(0.4), 6)
    0.00327
    """

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        return self.delta, f"the probability of a loss above {self.epsilon:g}", None

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, epsilon: float) -> Self:
        """The smallest delta that is true of both orders of a pair, at an epsilon.

        Losses that exceed epsilon by no more than rounding errors, 1e-12 of it, do not count.

        Parameters
        ----------
        loss : PrivacyLoss
        epsilon : float
            In [0, inf), in nats.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(ProbabilisticDP.tightest(loss, epsilon=0.5).delta, 12)
        0.73105857863
        """
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        return cls(epsilon, min(1.0, _worst_tail(loss, epsilon)))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return at_most(_worst_tail(loss, self.epsilon), self.delta)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return _by_approx(super()._why_delta(epsilon, value))

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        return _by_approx(super()._why_epsilon(delta, value))

    def _compose(self, others: Sequence[Self]) -> Self:
        epsilon = _numerics.total(claim.epsilon for claim in (self, *others))
        delta = self.delta
        for other in others:  # no loss is bad with probability (1 - delta)(1 - delta')...
            delta = min(1.0, _numerics.up(delta * (1 - other.delta) + other.delta))
        return type(self)(epsilon, delta, adjacency=self.adjacency)

    def self_compose(self, k: int) -> Self:
        """k times epsilon, at 1 - (1 - delta)^k.

        Whatever was answered before, each loss is at most epsilon with probability 1 - delta.

        Examples
        --------
        >>> claim = ProbabilisticDP(0.5, 0.1).self_compose(2)
        >>> claim.epsilon, round(claim.delta, 12)
        (1.0, 0.19)
        """
        k = _check.count("k", k)
        epsilon, delta = _numerics.weighted_total([(k, self.epsilon)]), self.delta
        if k > 1 and 0 < delta < 1:
            delta = min(1.0, _numerics.up(-math.expm1(k * math.log1p(-delta))))
        return type(self)(epsilon, delta, adjacency=self.adjacency)

    def group(self, size: int) -> Self:
        """size times epsilon, at delta (e^(size epsilon) - 1)/(e^epsilon - 1).

        Along a chain P_0, ..., P_size let B_j be the outcomes where the j-th step loses more
        than epsilon: P_(j-1)(B_j) <= delta. Where none of the first j - 1 steps does, p_0 is at
        most e^((j-1) epsilon) p_(j-1); so P_0(B_j without B_1, ..., B_(j-1)) is at most
        e^((j-1) epsilon) delta. Outside all of them the losses add up to at most
        size epsilon, and the sum of these bounds is the delta.

        References
        ----------
        The proof is above; the numbers are those of approximate differential privacy.

        Examples
        --------
        >>> claim = ProbabilisticDP(0.5, 1e-6).group(3)
        >>> claim.epsilon, round(claim.delta, 12)
        (1.5, 5.367003e-06)
        """
        return super().group(size)


def _worst_tail(loss: PrivacyLoss, epsilon: float) -> float:
    return worst_direction(loss, lambda one: one.tail(beyond(epsilon)))


def _by_approx(reason: Reason) -> Reason:
    words = "It uses no more than the (epsilon, delta)-differential privacy that is implied."
    return Reason(reason.theorem, reason.kind, note=words)
