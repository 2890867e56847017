"""Mutual-information differential privacy: how many nats an answer reveals about one person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from dpteach import _check, _numerics
from dpteach.divergences import _bias_of_capacity
from dpteach.notions._base import Guarantee, Kind, Reason, at_most
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

_CUFF_YU = "Cuff and Yu (2016), property 5"


@dataclass(frozen=True, repr=False)
class MutualInformationDP(Guarantee):
    """epsilon-mutual-information differential privacy.

    For every prior on the database, the answer tells at most epsilon nats about one entry to
    somebody who knows all others: I(X_i; Y | the rest) <= epsilon.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Raises
    ------
    ValueError, TypeError
        If epsilon is not a finite number >= 0.

    Notes
    -----
    The definition sets no limit to the alphabet of an entry. Two values of an entry, as
    `tightest` and `holds_for` take them, make a channel with two inputs.

    Post-processing keeps the claim: processed answers tell no more (Cover and Thomas, theorem
    2.8.1).

    References
    ----------
    Cuff and Yu (2016), definition 2.

    Examples
    --------
    >>> round(MutualInformationDP(0.01).delta_at(0.0), 12)
    0.141185140547
    >>> MutualInformationDP(1.0).epsilon_at(0.5)
    inf
    """

    epsilon: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.NON_NEGATIVE))

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """The capacity of the channel with the two laws of a discrete pair as its rows.

        An upper bound, and within 1e-9 of the capacity: for every mixture M of the rows the
        capacity lies below the larger of KL(P || M) and KL(Q || M), and at the best mixture
        the two are equal.

        Raises
        ------
        TypeError
            If the loss is not that of two discrete distributions.
        """
        _check.instance("loss", loss, DiscreteLoss)
        assert isinstance(loss, DiscreteLoss)

        def divergences(weight: float) -> tuple[float, float]:
            mixture = weight * loss.p + (1 - weight) * loss.q
            mixture = mixture / math.fsum(mixture)
            return DiscreteLoss(loss.p, mixture).kl(), DiscreteLoss(loss.q, mixture).kl()

        def enough(weight: float) -> bool:  # more weight on p brings the mixture nearer to p
            to_p, to_q = divergences(weight)
            return to_p <= to_q

        best = _numerics.first_true(enough, 0.0, 1.0)
        return cls(_numerics.up(max(divergences(best))))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Whether the claim is true of a channel with the two laws of a discrete pair as rows."""
        return at_most(MutualInformationDP.tightest(loss).epsilon * (1 - 1e-12), self.epsilon)

    def delta_at(self, epsilon: float) -> float:
        """The total variation that the claim allows; a larger epsilon does not lower it."""
        _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return total_variation_of_mutual_information(self.epsilon)

    def epsilon_at(self, delta: float) -> float:
        """0 where delta is at least the total variation that the claim allows, else inf."""
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return 0.0 if total_variation_of_mutual_information(self.epsilon) <= delta else math.inf

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        if epsilon == 0 or self.epsilon == 0 or self.epsilon >= math.log(2):
            return Reason(_CUFF_YU, "exact", note="A binary channel reaches it.")
        note = "It is the total variation, the delta at epsilon = 0."
        return Reason(_CUFF_YU, "upper bound", note=note)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if value == 0:
            return Reason(_CUFF_YU, "exact", note="delta covers the whole total variation.")
        note = "delta is below the total variation that the claim allows."
        kind: Kind = "exact" if delta == 0 or self.epsilon >= math.log(2) else "upper bound"
        return Reason(_CUFF_YU, kind, note=note)

    def _compose_with(self, other: Self) -> Self:
        return type(self)(math.fsum((self.epsilon, other.epsilon)), adjacency=self.adjacency)

    def self_compose(self, k: int) -> Self:
        return type(self)(_check.count("k", k) * self.epsilon, adjacency=self.adjacency)

    def group(self, size: int) -> Self:
        """The claim itself for groups of one; no other group has one.

        The definition sets no limit to alphabets, and without one there is no group privacy.
        Two people each hold one of m values; the answer is a blank, except that with probability
        d it is their common value if they hold the same. To somebody who knows one of the two it
        tells about the other no more than a channel with two inputs can, however large m is; of
        both it tells d log m nats. Where alphabets are finite, total variation is a way:
        `ApproxDP` at epsilon = 0, its group, and back.

        Raises
        ------
        ValueError
            If size is more than 1.

        Examples
        --------
        >>> MutualInformationDP(0.1).group(2)
        Traceback (most recent call last):
        ValueError: size must be 1: mutual-information DP says nothing about groups unless \
alphabets are finite (convert to ApproxDP at epsilon=0, take its group and convert back with \
output_size and input_size), got size=2
        """
        size = _check.count("size", size)
        if size > 1:
            raise ValueError(
                "size must be 1: mutual-information DP says nothing about groups unless alphabets "
                "are finite (convert to ApproxDP at epsilon=0, take its group and convert back "
                f"with output_size and input_size), got size={_check.shown(size)}"
            )
        return self


def total_variation_of_mutual_information(epsilon: float) -> float:
    """The largest total variation of two rows of a channel of capacity <= epsilon nats.

    1 - 2 h^-1(log 2 - epsilon), reached by a binary symmetric channel; 1 from log 2 on.
    """
    if epsilon >= math.log(2):
        return 1.0
    return min(1.0, _numerics.up(_bias_of_capacity(epsilon)))
