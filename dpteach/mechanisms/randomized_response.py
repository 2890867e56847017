"""Randomized response: a noisy report of one bit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics, divergences
from dpteach.mechanisms._base import Mechanism, approx, no_loss, only_difference, theorem
from dpteach.notions import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    MutualInformationDP,
    PureDP,
    RenyiDP,
)
from dpteach.notions.pure import alpha_of_response, renyi_of_response
from dpteach.privacy_loss import DiscreteLoss


@dataclass(frozen=True, repr=False)
class RandomizedResponse(Mechanism):
    """A mechanism that reports the true bit with probability e^epsilon/(1 + e^epsilon).

    Parameters
    ----------
    epsilon : float
        In [0, 700], in nats: the logarithm of the odds of a true report.

    References
    ----------
    Warner (1965); Liu and Wang, proposition 5.

    Examples
    --------
    >>> round(RandomizedResponse(epsilon=math.log(3)).truth_probability, 12)
    0.75
    """

    epsilon: float
    adjacency: Adjacency = field(default=Adjacency.REPLACE_ONE, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        domain = _check.Domain("in [0, 700]", lambda x: 0 <= x <= 700)
        object.__setattr__(self, "epsilon", _check.real("epsilon", self.epsilon, domain))

    @property
    def truth_probability(self) -> float:
        """The probability of the true bit, in [1/2, 1].

        >>> round(RandomizedResponse(epsilon=math.log(3)).truth_probability, 12)
        0.75
        """
        return _numerics.logistic(self.epsilon)

    def privacy_loss(self) -> DiscreteLoss:
        truth, lie = self.truth_probability, _numerics.logistic(-self.epsilon)
        # pass the exact losses, because different losses might become equal if they were computed
        # from the rounded probabilities
        losses = np.array([self.epsilon, -self.epsilon])
        return DiscreteLoss._of(np.array([truth, lie]), np.array([lie, truth]), losses)

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss on two bits, or on two vectors that differ in at most one bit.

        Examples
        --------
        >>> loss = RandomizedResponse(math.log(3)).privacy_loss_between([1, 0], [1, 1])
        >>> round(loss.kl(), 12), round(math.log(3) / 2, 12)
        (0.549306144334, 0.549306144334)
        """
        ends = only_difference(_bits("value", value), _bits("neighbour", neighbour))
        return no_loss() if ends is None else self.privacy_loss()

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """Return one noisy bit for each true bit.

        Parameters
        ----------
        value : array_like of 0 and 1, of any shape

        Returns
        -------
        ndarray of int, of the same shape

        Examples
        --------
        >>> RandomizedResponse(700.0).release([0, 1], rng=np.random.default_rng(0))
        array([0, 1])
        """
        bits = _bits("value", value)
        lies = _check.generator(rng).random(bits.shape) < _numerics.logistic(-self.epsilon)
        return np.asarray(np.where(lies, 1 - bits, bits)).astype(np.int64)


def _bits(name: str, value: object) -> NDArray[np.float64]:
    bits = _check.array(name, value, bits=True)
    if not np.all((bits == 0) | (bits == 1)):
        raise ValueError(f"{name} must hold bits 0 and 1, got {name}={_check.shown(value)}")
    return bits


@theorem(RandomizedResponse, PureDP, source="Dwork and Roth (2014), claim 3.5", tight=True)
def _pure(m: RandomizedResponse) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)


@theorem(
    RandomizedResponse, ApproxDP, source="Kairouz, Oh and Viswanath (2015), theorem 3", tight=True
)
def _approx(
    m: RandomizedResponse, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    return ApproxDP(*approx(_pure(m), epsilon, delta), adjacency=m.adjacency)


@theorem(RandomizedResponse, AlphaDP, source="Liu and Wang, proposition 5", tight=True)
def _alpha(m: RandomizedResponse, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    return AlphaDP(order, alpha_of_response(m.epsilon, order), adjacency=m.adjacency)


@theorem(RandomizedResponse, RenyiDP, source="Mironov (2017), proposition 5", tight=True)
def _renyi(m: RandomizedResponse, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    return RenyiDP(
        checked, [renyi_of_response(m.epsilon, a) for a in checked], adjacency=m.adjacency
    )


@theorem(RandomizedResponse, ZCDP, source="Steinke (2024), tight bounds from pure DP", tight=True)
def _zcdp(m: RandomizedResponse) -> ZCDP:
    return ZCDP(alpha_of_response(m.epsilon, 1.0), adjacency=m.adjacency)


@theorem(
    RandomizedResponse,
    MutualInformationDP,
    source="Cover and Thomas, section 7.1.4: capacity of the binary symmetric channel",
    tight=True,
)
def _mutual_information(m: RandomizedResponse) -> MutualInformationDP:
    capacity = divergences._entropy_deficit(math.tanh(m.epsilon / 2))
    if m.epsilon > 0:
        capacity = _numerics.positive(capacity)
    return MutualInformationDP(capacity, adjacency=m.adjacency)


@theorem(RandomizedResponse, FDP, source="Neyman and Pearson (1933), on the one pair", tight=True)
def _trade_off(m: RandomizedResponse) -> FDP:
    return replace(FDP.tightest(m.privacy_loss()), adjacency=m.adjacency)


@theorem(RandomizedResponse, PLD, source="the definition: there is one pair", tight=True)
def _pld(m: RandomizedResponse) -> PLD:
    return replace(PLD.tightest(m.privacy_loss()), adjacency=m.adjacency)
