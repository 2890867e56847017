"""Approximate differential privacy: the privacy loss exceeds epsilon, but rarely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from dpteach import _check, _numerics
from dpteach.notions._base import Guarantee, Reason, at_most, worst_direction
from dpteach.notions._trade_off import Curve, trade_off_of_approx
from dpteach.privacy_loss import PrivacyLoss


@dataclass(frozen=True, repr=False)
class ApproxDP(Guarantee):
    """(epsilon, delta)-differential privacy: P(S) <= e^epsilon Q(S) + delta for every event S.

    Equivalently, E[(1 - e^(epsilon - L))+] <= delta for the privacy loss L of every ordered
    pair of neighbours. That says less than "epsilon-differentially private with probability
    1 - delta".

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a parameter is outside its range or not a number.

    Notes
    -----
    Post-processing keeps the claim: the hockey-stick divergence is an f-divergence, and those
    do not grow. "epsilon-differentially private with probability 1 - delta" is `ProbabilisticDP`.

    References
    ----------
    Dwork, Kenthapadi, McSherry, Mironov and Naor (2006); Dwork and Roth (2014), definition 2.4.

    Examples
    --------
    >>> round(ApproxDP(1.0, 0.0).delta_at(0.0), 12)
    0.46211715726
    >>> ApproxDP(1.0, 1e-6).self_compose(8)
    ApproxDP(epsilon=8.0, delta=8e-06)
    """

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.NON_NEGATIVE))
        self._set("delta", _check.real("delta", self.delta, _check.PROBABILITY))

    def _told(self) -> dict[str, float]:
        return {"epsilon": self.epsilon}

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        if at.get("delta") is not None:
            return self.epsilon, f"epsilon at delta={self.delta:g}", None
        return self.delta, f"delta at epsilon={self.epsilon:g}", None

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, epsilon: float) -> Self:
        """The smallest delta that is true of both orders of a pair, at an epsilon.

        Parameters
        ----------
        loss : PrivacyLoss
        epsilon : float
            In [0, inf), in nats.

        Raises
        ------
        ValueError, TypeError
            If an argument is outside its range or of another type.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> round(ApproxDP.tightest(RandomizedResponse(1.0).privacy_loss(), epsilon=0).delta, 12)
        0.46211715726
        """
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        return cls(epsilon, worst_direction(loss, lambda one: one.hockey_stick(epsilon)))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return at_most(
            worst_direction(loss, lambda one: one.hockey_stick(self.epsilon)), self.delta
        )

    def delta_at(self, epsilon: float) -> float:
        return profile_of_approx(self.epsilon, self.delta, epsilon)

    def epsilon_at(self, delta: float) -> float:
        return profile_of_approx_inverse(self.epsilon, self.delta, delta)

    def trade_off(self, type_one: ArrayLike) -> Curve:
        """The least type II error of a test at a type I error, for x = type_one.

        The largest of 0, 1 - delta - e^epsilon x and e^-epsilon (1 - delta - x). The points
        above this curve are the errors that tests of two neighbours can have; in the corner of
        the curve both errors are (1 - delta)/(1 + e^epsilon).

        Parameters
        ----------
        type_one : array_like
            Probabilities of rejecting what is true, of any shape.

        Returns
        -------
        float or ndarray
            In [0, 1], of the same shape; rounded down, and tight.

        Raises
        ------
        ValueError, TypeError
            If type_one holds anything but probabilities.

        References
        ----------
        Wasserman and Zhou (2010), theorem 2.4; Kairouz, Oh and Viswanath (2015), section 2.1.

        Examples
        --------
        >>> corner = (1 - 0.1) / (1 + math.e)
        >>> round(corner, 12), round(ApproxDP(1.0, 0.1).trade_off(corner), 12)
        (0.242047279233, 0.242047279233)
        """
        return trade_off_of_approx([self.epsilon], [self.delta], type_one)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return why_delta_of_approx(self.epsilon, epsilon)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        return why_epsilon_of_approx(self.delta, delta)

    def _compose_with(self, other: Self) -> Self:
        return type(self)(
            _numerics.total((self.epsilon, other.epsilon)),
            min(1.0, math.fsum((self.delta, other.delta))),
            adjacency=self.adjacency,
        )

    def self_compose(self, k: int) -> Self:
        k = _check.count("k", k)
        return type(self)(k * self.epsilon, min(1.0, k * self.delta), adjacency=self.adjacency)

    def group(self, size: int) -> Self:
        """size times epsilon, at delta (e^(size epsilon) - 1)/(e^epsilon - 1).

        The delta of each step is seen through the steps before it, each of which may enlarge it
        by e^epsilon. Tight while that delta is small enough: iterating the trade-off curve gives
        the same.

        References
        ----------
        Vadhan (2017), lemma 2.2; Dwork and Roth (2014), theorem 2.2 for delta = 0.

        Examples
        --------
        >>> claim = ApproxDP(0.5, 1e-6).group(3)
        >>> claim.epsilon, round(claim.delta, 12)
        (1.5, 5.367003e-06)
        """
        size = _check.count("size", size)
        return type(self)(
            size * self.epsilon,
            delta_of_group(self.epsilon, self.delta, size),
            adjacency=self.adjacency,
        )


def delta_of_group(epsilon: float, delta: float, size: int) -> float:
    """delta (1 + e^epsilon + ... + e^((size-1) epsilon)), at most 1."""
    if size == 1 or delta == 0:
        return delta
    if epsilon == 0:
        return min(1.0, size * delta)
    grown = size * epsilon
    # (e^grown - 1)/(e^epsilon - 1), with the powers of e taken out
    logs = (grown - epsilon, _numerics.log1mexp(-grown), -_numerics.log1mexp(-epsilon))
    # the sum may be small where its terms, whose rounding errors count, are not
    return min(1.0, _numerics.exp_up(_numerics.sum_up(math.log(delta), *logs)))


def profile_of_approx(epsilon0: float, delta0: float, epsilon: float) -> float:
    """The smallest delta at epsilon that (epsilon0, delta0) implies, both orders being bound.

    1 - (e^epsilon + 1)(1 - delta0)/(e^epsilon0 + 1) below epsilon0 [1]_, written without
    the difference from 1; delta0 from epsilon0 on.

    .. [1] Cuff and Yu (2016), property 3.
    """
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    if epsilon >= epsilon0:
        return delta0
    gained = -math.expm1(epsilon - epsilon0) * _numerics.logistic(epsilon0)
    # (e^epsilon + 1) / (e^epsilon0 + 1)
    kept = math.exp(epsilon - epsilon0) * _numerics.logistic(epsilon0) / _numerics.logistic(epsilon)
    return min(1.0, _numerics.up(_numerics.positive(gained + delta0 * kept)))


def profile_of_approx_inverse(epsilon0: float, delta0: float, delta: float) -> float:
    """The smallest epsilon at delta that (epsilon0, delta0) implies."""
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
    """Where `profile_of_approx` has its number from."""
    if epsilon >= epsilon0:
        return Reason("the definition", "exact", note="It is the claim itself.")
    return Reason("Cuff and Yu (2016), property 3", "exact")


def why_epsilon_of_approx(delta0: float, delta: float) -> Reason:
    """Where `profile_of_approx_inverse` has its number from."""
    if delta < delta0:
        return Reason("the definition", "exact", note="Below its own delta it implies nothing.")
    if delta == delta0:
        return Reason("the definition", "exact", note="It is the claim itself.")
    return Reason("Cuff and Yu (2016), property 3", "exact")
