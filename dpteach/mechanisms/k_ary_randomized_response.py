"""k-ary randomized response: a noisy report of one of k categories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms._base import Mechanism, approx, no_loss, only_difference, theorem
from dpteach.notions import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)
from dpteach.notions.pure import alpha_of_response
from dpteach.privacy_loss import DiscreteLoss


@dataclass(frozen=True, repr=False)
class KaryRandomizedResponse(Mechanism):
    """A mechanism that reports the true category e^epsilon times as often as any other.

    Each person randomizes their own report (local differential privacy). One person's category is
    one coordinate of the value, and neighbors differ in one coordinate.

    Parameters
    ----------
    epsilon : float
        In [0, 700], in nats.
    categories : int
        k, from 2 to 2^53; categories are the integers from 0 to k - 1.

    References
    ----------
    Kairouz, Oh and Viswanath (2016); Wang, Blocki, Li and Jha (2017), on direct encoding.

    Examples
    --------
    >>> survey = KaryRandomizedResponse(epsilon=math.log(7), categories=4)
    >>> round(survey.truth_probability, 12), round(survey.lie_probability, 12)
    (0.7, 0.1)
    """

    epsilon: float
    categories: int
    adjacency: Adjacency = field(default=Adjacency.REPLACE_ONE, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        domain = _check.Domain("in [0, 700]", lambda x: 0 <= x <= 700)
        object.__setattr__(self, "epsilon", _check.real("epsilon", self.epsilon, domain))
        categories = _check.count("categories", self.categories, minimum=2)
        if categories > 2**53:
            raise ValueError(f"categories must be at most 2**53, got categories={categories}")
        object.__setattr__(self, "categories", categories)

    @property
    def truth_probability(self) -> float:
        """The probability of the true category, e^epsilon/(e^epsilon + k - 1).

        Examples
        --------
        >>> KaryRandomizedResponse(epsilon=0.0, categories=5).truth_probability
        0.2
        """
        return 1 / self._odds

    @property
    def lie_probability(self) -> float:
        """The probability of each category except the true one, 1/(e^epsilon + k - 1).

        Examples
        --------
        >>> KaryRandomizedResponse(epsilon=0.0, categories=5).lie_probability
        0.2
        """
        return math.exp(-self.epsilon) / self._odds

    @property
    def _odds(self) -> float:
        return 1 + (self.categories - 1) * math.exp(-self.epsilon)

    @property
    def _two(self) -> float:
        """The probability that the output is the true category of one of two neighbors.

        All other outputs have loss 0.
        """
        return (1 + math.exp(-self.epsilon)) / self._odds

    def privacy_loss(self) -> DiscreteLoss:
        truth, lie = self.truth_probability, self.lie_probability
        # all categories except the true ones of the two neighbors have loss 0; merge them into one
        # outcome
        others = [(self.categories - 2) * lie] * (self.categories > 2)
        # pass the exact losses, because different losses might become equal if they were computed
        # from the rounded probabilities
        return DiscreteLoss._of(
            np.array([truth, lie, *others]),
            np.array([lie, truth, *others]),
            np.array([self.epsilon, -self.epsilon, *(0.0 for _ in others)]),
        )

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss on two categories, or on two vectors that differ in one category.

        The categories that differ from both true categories form one outcome of loss 0.

        Examples
        --------
        >>> survey = KaryRandomizedResponse(epsilon=math.log(7), categories=4)
        >>> round(survey.privacy_loss_between(0, 3).total_variation(), 12)
        0.6
        """
        left, right = self._known("value", value), self._known("neighbour", neighbour)
        ends = only_difference(left, right)
        return no_loss() if ends is None else self.privacy_loss()

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return one noisy category for each true category.

        Parameters
        ----------
        value : array_like of int, of any shape
            Categories from 0 to k - 1.

        Returns
        -------
        ndarray of int, of the same shape

        Examples
        --------
        >>> survey = KaryRandomizedResponse(epsilon=700.0, categories=3)
        >>> survey.release([2, 0, 1], rng=np.random.default_rng(0))
        array([2, 0, 1])
        """
        true = self._known("value", value)
        rng = _check.generator(rng)
        lies = rng.random(true.shape) < (self.categories - 1) * self.lie_probability
        shift = np.where(lies, rng.integers(1, self.categories, size=true.shape), 0)
        return np.asarray((true + shift) % self.categories)

    def frequencies(self, answers: ArrayLike) -> NDArray[np.float64]:
        """Return an unbiased estimate of the frequency of each true category.

        Each entry is (observed frequency - lie probability)/(truth probability - lie
        probability). The entries sum to one. They can be negative, but clipping would bias them.

        Parameters
        ----------
        answers : array_like of int
            At least one noisy category.

        Returns
        -------
        ndarray of shape (k,)
            The estimated frequencies.

        Raises
        ------
        ValueError
            If epsilon is 0 (the reports are then independent of the data), or there are more
            than 10 million categories.

        References
        ----------
        Wang, Blocki, Li and Jha (2017), section 3.

        Examples
        --------
        >>> survey = KaryRandomizedResponse(epsilon=math.log(7), categories=4)
        >>> survey.frequencies([0] * 6 + [1] * 2 + [2, 3]).round(12)
        array([0.83333333, 0.16666667, 0.        , 0.        ])
        """
        seen = self._known("answers", answers).ravel()
        if seen.size == 0:
            raise ValueError(
                f"answers must hold at least one category, got answers={_check.shown(answers)}"
            )
        if self.epsilon == 0 or self.categories > 10**7:
            raise ValueError(
                "frequencies must have epsilon > 0 and at most 10 million categories, "
                f"got mechanism={self!r}"
            )
        observed = np.bincount(seen, minlength=self.categories) / seen.size
        difference = -math.expm1(-self.epsilon) / self._odds
        return np.asarray((observed - self.lie_probability) / difference)

    def _known(self, name: str, value: object) -> NDArray[np.int64]:
        _check.array(name, value)
        raw = np.asarray(value)
        if raw.dtype.kind not in "iu" and not (raw.size == 0 and raw.dtype.kind == "f"):
            raise TypeError(
                f"{name} must hold integers from 0 to {self.categories - 1}, "
                f"got {name}={_check.shown(value)} of type {type(value).__name__}"
            )
        if raw.size and not (raw.min() >= 0 and raw.max() < self.categories):
            raise ValueError(
                f"{name} must hold integers from 0 to {self.categories - 1}, "
                f"got {name}={_check.shown(value)}"
            )
        return np.array(raw, dtype=np.int64)


@theorem(
    KaryRandomizedResponse,
    PureDP,
    source="the definition: a truth is e^epsilon times as likely as a lie",
    tight=True,
)
def _pure(m: KaryRandomizedResponse) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)


@dataclass(frozen=True)
class _ResponseProfile:
    """The privacy profile of k-ary randomized response: its delta at every epsilon.

    Up to the largest loss, delta is the probability of the true category times 1 - e^(epsilon -
    largest loss). Above, delta is 0.
    """

    top: float
    odds: float  # the reciprocal of the probability of the true category

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon >= self.top:
            return 0.0
        gained = -math.expm1(epsilon - self.top) / self.odds
        return min(1.0, _numerics.up(_numerics.positive(gained)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        lost = delta * self.odds
        if lost >= 1:
            return 0.0
        return max(0.0, min(self.top, _numerics.sum_up(self.top, math.log1p(-lost))))


@theorem(
    KaryRandomizedResponse,
    ApproxDP,
    source="the definition: truth probability - e^epsilon lie probability",
    tight=True,
)
def _approx(
    m: KaryRandomizedResponse, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    point = approx(_ResponseProfile(m.epsilon, m._odds), epsilon, delta)
    return ApproxDP(*point, adjacency=m.adjacency)


@theorem(
    KaryRandomizedResponse,
    AlphaDP,
    source="Liu and Wang, proposition 5, times the probability of the two categories",
    tight=True,
)
def _alpha(m: KaryRandomizedResponse, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    return AlphaDP(order, _alpha_at(m, order), adjacency=m.adjacency)


def _alpha_at(m: KaryRandomizedResponse, order: float) -> float:
    alpha = m._two * alpha_of_response(m.epsilon, order)
    return _numerics.positive(alpha) if m.epsilon > 0 else 0.0


@theorem(
    KaryRandomizedResponse,
    RenyiDP,
    source="Mironov (2017), proposition 5, with k - 2 outcomes of the loss 0",
    tight=True,
)
def _renyi(m: KaryRandomizedResponse, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    return RenyiDP(checked, [_renyi_at(m, a) for a in checked], adjacency=m.adjacency)


def _renyi_at(m: KaryRandomizedResponse, order: float) -> float:
    if order == math.inf:
        return m.epsilon
    a, b = order, order - 1
    alpha = _alpha_at(m, order)
    excess = a * b * alpha
    if excess < 1:
        return a * alpha * _numerics.log1p_over(excess)
    # compute the log of (e^(a eps) + e^((1-a) eps) + k - 2) / (e^eps + k - 1) without overflow
    rest = math.exp(-(a + b) * m.epsilon) + (m.categories - 2) * math.exp(-a * m.epsilon)
    return m.epsilon + (math.log1p(rest) - math.log(m._odds)) / b


@theorem(
    KaryRandomizedResponse,
    ZCDP,
    source="Harrison and Manurangsi (2026) for few categories; else a bracket over all orders",
    tight=True,
)
def _zcdp(m: KaryRandomizedResponse) -> ZCDP:
    # if and only if (k - 2) e^(-eps/2) <= 4, the second derivative of log E[e^(s L)] decreases
    # away from s = -1/2, and then the divergence of order 1 determines rho, by the proof at
    # `zcdp_of_bounded_range`
    if (m.categories - 2) * math.exp(-m.epsilon / 2) <= 4:
        rho = m._two * m.epsilon * math.tanh(m.epsilon / 2)
        return ZCDP(_numerics.positive(rho) if m.epsilon > 0 else 0.0, adjacency=m.adjacency)
    return ZCDP(ZCDP.tightest(m.privacy_loss()).rho, adjacency=m.adjacency)


@theorem(
    KaryRandomizedResponse,
    MutualInformationDP,
    source="Cover and Thomas (2006), theorem 7.2.1: capacity of a symmetric channel",
    tight=True,
)
def _mutual_information(m: KaryRandomizedResponse) -> MutualInformationDP:
    # a uniform true category has the largest mutual information with its report: KL(R || uniform),
    # where R is the distribution of the report given the true category. Compute this divergence as
    # a sum of terms >= 0
    k = m.categories
    gain = (k - 1) / k * math.expm1(-m.epsilon)
    # `ratios` holds log(k P) for the probability P of the true category and of another category
    truth = -(math.log1p(gain) if gain > -0.5 else math.log(m._odds / k))
    ratios = np.array([truth, -math.log1p(math.expm1(m.epsilon) / k)])
    terms = np.array([1.0, k - 1]) / k * _numerics.alpha_generator(ratios, 1.0)
    # raise the result by more than the usual margin: `alpha_generator` computes e^truth with a
    # relative error that grows with `truth`, which may be as large as log k
    information = math.fsum(terms) * (1 + 4 * _numerics.MARGIN)
    if m.epsilon > 0:
        information = _numerics.positive(information)
    information = min(information, math.nextafter(math.log(k), math.inf))
    return MutualInformationDP(information, adjacency=m.adjacency)


@dataclass(frozen=True)
class _Truth:
    """The tail P(L > epsilon) of the loss of k-ary randomized response.

    It is the probability of the true category for every epsilon below the largest loss, and 0 from
    there on.
    """

    top: float
    truth: float

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return 0.0 if epsilon >= self.top else min(1.0, _numerics.up(self.truth))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return 0.0 if delta >= self.delta_at(0.0) else self.top


@theorem(KaryRandomizedResponse, ProbabilisticDP, source="the definition", tight=True)
def _probabilistic(
    m: KaryRandomizedResponse, *, epsilon: float | None = None, delta: float | None = None
) -> ProbabilisticDP:
    point = approx(_Truth(m.epsilon, m.truth_probability), epsilon, delta)
    return ProbabilisticDP(*point, adjacency=m.adjacency)


@theorem(
    KaryRandomizedResponse, FDP, source="Neyman and Pearson (1933), on the worst pair", tight=True
)
def _trade_off(m: KaryRandomizedResponse) -> FDP:
    return replace(FDP.tightest(m.privacy_loss()), adjacency=m.adjacency)


@theorem(
    KaryRandomizedResponse, PLD, source="the definition: every pair is the worst pair", tight=True
)
def _pld(m: KaryRandomizedResponse) -> PLD:
    return replace(PLD.tightest(m.privacy_loss()), adjacency=m.adjacency)
