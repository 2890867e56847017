"""Probabilistic differential privacy: the loss exceeds epsilon with probability at most delta."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.notions._base import Reason, at_most, beyond, worst_direction
from dpteach.notions._point import PointClaim
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")


@dataclass(frozen=True, repr=False)
class ProbabilisticDP(PointClaim):
    """(epsilon, delta)-probabilistic differential privacy: P(L > epsilon) <= delta.

    The loss L is at most epsilon with probability at least 1 - delta, for every ordered pair of
    neighboring datasets. This implies (epsilon, delta)-DP, which is weaker: it requires only
    E[(1 - e^(epsilon - L))+] <= delta, where a loss slightly above epsilon counts for little.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].

    Notes
    -----
    *Post-processing can break the claim.* For example, merging an output of loss 2 with an output
    of loss 0 may give an output of loss 1, and then the loss exceeds 1/2 more often than before.
    Only the (epsilon, delta)-DP that the claim implies survives every post-processing.

    References
    ----------
    Machanavajjhala, Kifer, Abowd, Gehrke and Vilhuber (2008), definition 3, which is stricter: all
    neighbors share one set of exceptional outputs; Kasiviswanathan and Smith (2014), on the
    difference; Meiser (2018), on post-processing.

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
        what = _("the probability of a loss above {epsilon:g}", epsilon=self.epsilon)
        return self.delta, what, None

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, epsilon: float) -> Self:
        """Return the guarantee at an epsilon with the smallest delta for both (P, Q) and (Q, P).

        Losses that exceed epsilon by at most the relative rounding error 1e-12 do not count.

        Parameters
        ----------
        loss : PrivacyLoss
            The privacy loss of the pair of distributions (P, Q).
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
        # with probability at least (1 - delta)(1 - delta')..., no release has a loss above its
        # epsilon
        for other in others:
            delta = min(1.0, _numerics.up(delta * (1 - other.delta) + other.delta))
        return type(self)(epsilon, delta, adjacency=self.adjacency)

    def self_compose(self, k: int) -> Self:
        """Return the guarantee of k releases: k times epsilon, and the delta 1 - (1 - delta)^k.

        Given the earlier outputs, each loss is at most epsilon with probability at least 1 - delta.

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
        """Return the guarantee for groups: datasets that differ in up to `size` people's data.

        Its epsilon is size * epsilon, and its delta is
        delta (e^(size * epsilon) - 1)/(e^epsilon - 1).

        Proof: Change the data of the group in `size` steps, one person at a time. Let P_0, ...,
        P_size be the output distributions before, between and after the steps, with the densities
        p_j. Let B_j be the set of outputs where the loss of the j-th step, log(p_(j-1)/p_j), is
        above epsilon. Then P_(j-1)(B_j) <= delta. Outside B_1, ..., B_(j-1), p_0 is at most
        e^((j-1) epsilon) p_(j-1), so P_0(B_j without B_1, ..., B_(j-1)) is at most
        e^((j-1) epsilon) delta. The sum of these bounds is the stated delta, and outside all B_j
        the losses of the steps sum to at most size * epsilon.

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
