"""The discrete Laplace mechanism, also called the geometric one: exactly sampled integer noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _exact, _numerics
from dpteach.mechanisms._base import approx, theorem
from dpteach.mechanisms._integers import IntegerNoise, scale_of_integers
from dpteach.notions import FDP, PLD, ZCDP, AlphaDP, ApproxDP, PureDP, RenyiDP
from dpteach.privacy_loss import DiscreteLoss

#: the largest sensitivity for `privacy_loss`, which lists one outcome for each integer up to the
#: sensitivity
MOST_OUTCOMES = 10**7
#: the largest privacy loss for which no probability leaves the range of floats
LARGEST_LOSS = 700.0


@dataclass(frozen=True, repr=False)
class DiscreteLaplace(IntegerNoise):
    """A mechanism that adds integers x with probabilities proportional to e^(-|x|/scale).

    Each coordinate gets independent noise, sampled from random bits in integer arithmetic. Its
    distribution is exact for the rational value of the float `scale`, so rounding leaks nothing.
    It is also known as the geometric mechanism, with parameter e^(-1/scale).

    Parameters
    ----------
    scale : float
        > 0.
    sensitivity : int
        The L1 sensitivity of the query, an integer >= 1: for a vector, the largest sum of the
        absolute changes of its coordinates between neighbors. In every notion, changing one
        coordinate by the whole sensitivity is the worst change.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan (2012), section 2; Canonne, Kamath and Steinke (2020),
    section 5.

    Examples
    --------
    >>> DiscreteLaplace(scale=2.0).guarantee(PureDP)
    PureDP(epsilon=0.5)
    >>> DiscreteLaplace(scale=0.001).release([3, -4], rng=np.random.default_rng(0))
    array([ 3, -4])
    """

    scale: float
    sensitivity: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "scale", _check.real("scale", self.scale, _check.POSITIVE))
        object.__setattr__(self, "sensitivity", whole("sensitivity", self.sensitivity))

    @property
    def shift(self) -> float:
        """Sensitivity / scale: the largest distance of neighboring values in units of the scale.

        >>> DiscreteLaplace(scale=4.0, sensitivity=3).shift
        0.75
        """
        return self.sensitivity / self.scale

    def privacy_loss(self) -> DiscreteLoss:
        """Return the privacy loss of two values that differ by the sensitivity in one coordinate.

        The ratio of the probabilities is constant at and below the lower value, and constant at
        and above the higher value, so a finite list of outcomes is exact.

        Returns
        -------
        DiscreteLoss
            A privacy loss with sensitivity + 1 outcomes.

        Raises
        ------
        ValueError
            If the sensitivity is above 10^7, or above 700 scales, where probabilities are too
            small for floats.

        Examples
        --------
        >>> round(DiscreteLaplace(scale=0.5, sensitivity=3).privacy_loss().max(), 12)
        6.0
        """
        if self.sensitivity > MOST_OUTCOMES or self.shift > LARGEST_LOSS:
            raise ValueError(
                f"sensitivity must be at most {MOST_OUTCOMES} and at most {LARGEST_LOSS:g} "
                f"scales for a privacy loss, got sensitivity={self.sensitivity} "
                f"and scale={self.scale}"
            )
        return loss_of_shift(1 / self.scale, self.sensitivity)

    def _moved_by(self, difference: int) -> DiscreteLaplace:
        return DiscreteLaplace(self.scale, difference)

    def _noise(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return _exact.discrete_laplace(scale_of_integers("scale", self.scale), size, rng)


_WHOLE = _check.Domain(">= 1 and an integer", lambda x: 1 <= x < math.inf and x == math.floor(x))


def whole(name: str, value: int) -> int:
    """Check that a value is an integer >= 1, possibly as a float, and return it as an int."""
    _check.real(name, value, _WHOLE)
    return int(value)


def loss_of_shift(rate: float, shift: int) -> DiscreteLoss:
    """Return the privacy loss of discrete Laplace distributions of rate 1/scale at 0 and `shift`.

    With q = e^-rate, P(x <= 0) is 1/(1+q), P(x) is q^x (1-q)/(1+q) for 0 < x < shift, and
    P(x >= shift) is q^shift/(1+q). Q is the mirror image of P.
    """
    inner = np.exp(-rate * np.arange(1, shift)) * -math.expm1(-rate)
    p = np.concatenate(([1.0], inner, [math.exp(-rate * shift)])) / (1 + math.exp(-rate))
    # pass the exact losses, because different losses might become equal if they were computed from
    # the rounded probabilities
    losses = rate * (shift - 2 * np.arange(shift + 1.0))
    return DiscreteLoss._of(p, p[::-1].copy(), losses)


# Of all changes with the same L1 norm, a change of one coordinate is the worst. Proof for Rényi
# divergences: by `_weights` below, e^((a-1) D_a) is E[e^(Z t)] for some random variable Z and the
# shift t. Because e^(Z s) and e^(Z t) both increase in Z, E[e^(Z (s+t))] is at least E[e^(Z s)]
# E[e^(Z t)], which is the value for changes of s and t in two coordinates. Proof for privacy
# profiles: delta(eps) is 1 - m, where m is the least P(A^c) + e^eps Q(A) over all events A. If two
# coordinates change, the best A may be chosen separately for each value of the first coordinate, so
# m is a sum over these values. This sum is at least the m for a change of one coordinate, so a
# change of two coordinates has no larger delta. The unit tests compare all small cases.


@theorem(DiscreteLaplace, PureDP, source="Ghosh, Roughgarden and Sundararajan (2012)", tight=True)
def _pure(m: DiscreteLaplace) -> PureDP:
    return PureDP(m.shift, adjacency=m.adjacency)


@theorem(DiscreteLaplace, FDP, source="Neyman and Pearson (1933), on the worst pair", tight=True)
def _trade_off(m: DiscreteLaplace) -> FDP:
    return replace(FDP.tightest(m.privacy_loss()), adjacency=m.adjacency)


@theorem(DiscreteLaplace, PLD, source="the definition, on the worst pair", tight=True)
def _pld(m: DiscreteLaplace) -> PLD:
    return replace(PLD.tightest(m.privacy_loss()), adjacency=m.adjacency)


# Proof that the Rényi divergence of order 1 determines rho, that is, D_a <= a D_1. Let L be the
# privacy loss, t = sensitivity/scale and z = a - 1/2. Up to a constant factor, E_Q[e^(a L)] is
# cosh(z t) + tanh(1/(2 scale)) coth(z/scale) sinh(z t), a polynomial in c = cosh(z/scale). At c =
# cos(theta) it is cos(n theta) + tanh(...) cot(theta) sin(n theta) for the sensitivity n. This
# changes its sign between any two consecutive theta of 0, pi/n, ..., pi, so all zeros c_j of the
# polynomial are in (-1, 1). The logarithm of each factor cosh(z/scale) - c_j is concave in z^2,
# because the factor is a product of factors 1 + z^2/u with u > 0. Hence the logarithm of the
# moment is concave in z^2. As a function of z^2, it vanishes at z = 1/2 and has the slope D_1
# there, so it is at most D_1 (z^2 - 1/4) = D_1 a (a - 1).
@theorem(
    DiscreteLaplace,
    ZCDP,
    source="the logarithm of the moment is concave in (a - 1/2)^2: the order 1 binds",
    tight=True,
)
def _zcdp(m: DiscreteLaplace) -> ZCDP:
    return ZCDP(alpha_of_discrete_laplace(1 / m.scale, m.shift, 1.0), adjacency=m.adjacency)


@dataclass(frozen=True, repr=False)
class _Profile:
    """The privacy profile of discrete Laplace noise, for P centered at 0 and Q at `shift`.

    Delta is P(x <= k) - e^epsilon Q(x <= k) for the largest integer k below (shift - epsilon
    scale)/2. With q = e^(-1/scale), this is (1 - e^(epsilon - (shift-k)/scale) + q (1 - q^k))/(1 +
    q). The exponents are computed in fractions. The result is the largest of the deltas that
    k - 1, k and k + 1 give, in case rounding changes their order.
    """

    scale: float
    shift: int

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        scale = Fraction(self.scale)
        if epsilon == math.inf or (exact := Fraction(epsilon)) * scale >= self.shift:
            return 0.0
        best = math.ceil((self.shift - exact * scale) / 2) - 1
        return min(1.0, max(self._delta(exact, scale, k) for k in (best - 1, best, best + 1)))

    def _delta(self, epsilon: Fraction, scale: Fraction, k: int) -> float:
        over = epsilon - (self.shift - k) / scale
        if k < 0 or over >= 0:
            return 0.0
        rate = 1 / self.scale
        gained = -math.expm1(_float(over)) - math.exp(-rate) * math.expm1(_float(-k / scale))
        return _numerics.up(gained / (1 + math.exp(-rate)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta == 1:
            return 0.0
        if delta == 0 or self.shift / self.scale == math.inf:
            return self.shift / self.scale
        # delta is attained by an event x <= k, and at epsilon = (shift - 2k)/scale it is
        # 1 - e^(-k/scale). Solve for k, round it down, and try the next integers, too
        truth = math.log1p(-delta)
        best = math.floor(-truth * self.scale) if -truth * self.scale < self.shift else self.shift
        return max(0.0, *(self._epsilon(truth, k) for k in (best - 1, best, best + 1)))

    def _epsilon(self, truth: float, k: int) -> float:
        """Return the epsilon at which P(x <= k) - e^epsilon Q(x <= k) is a given delta.

        The argument `truth` is log(1 - delta).

        With q = e^(-1/scale), this epsilon is (shift - k)/scale + log((1 - delta)(1 + q) -
        q^(k+1)). Where (1 - delta)/q^k is near 1, the argument of the logarithm is computed as
        q^k (1 - rest) with rest = (1 - (1 - delta)/q^k)(1 + q).
        """
        if not 0 <= k <= self.shift:
            return 0.0
        shift, past, rate = self.shift / self.scale, k / self.scale, 1 / self.scale
        if truth + past > 1:
            left = math.exp(truth) * (1 + math.exp(-rate)) - math.exp(-past - rate)
            return _numerics.sum_up(shift, -past, math.log(left))
        rest = -math.expm1(truth + past) * (1 + math.exp(-rate))
        # reduce `rest` by more than its rounding error, which the logarithm below may magnify; a
        # smaller `rest` gives a larger result
        rest -= _numerics.MARGIN * (past + abs(rest))
        return _numerics.sum_up(shift, -2 * past, math.log1p(-rest)) if rest < 1 else 0.0


def _float(x: Fraction) -> float:
    """Return the float nearest to a fraction; inf or -inf if its absolute value is too large."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


@theorem(
    DiscreteLaplace,
    ApproxDP,
    source="Neyman and Pearson (1933): the likelihood ratio falls with x",
    tight=True,
)
def _approx(
    m: DiscreteLaplace, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    profile = _Profile(m.scale, m.sensitivity)
    return ApproxDP(*approx(profile, epsilon, delta), adjacency=m.adjacency)


@theorem(
    DiscreteLaplace, AlphaDP, source="geometric series, as Liu and Wang, proposition 6", tight=True
)
def _alpha(m: DiscreteLaplace, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    epsilon = alpha_of_discrete_laplace(1 / m.scale, m.shift, order)
    return AlphaDP(order, epsilon, adjacency=m.adjacency)


@theorem(
    DiscreteLaplace,
    RenyiDP,
    source="geometric series, as Mironov (2017), proposition 6",
    tight=True,
)
def _renyi(m: DiscreteLaplace, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    epsilons = [renyi_of_discrete_laplace(1 / m.scale, m.shift, a) for a in checked]
    return RenyiDP(checked, epsilons, adjacency=m.adjacency)


def _weights(rate: float, order: float) -> tuple[float, float]:
    """Return the weights w and v of a moment of discrete Laplace noise of scale 1/rate.

    For the order a and the distributions P at 0 and Q at t scales from 0, the moment E_Q[(P/Q)^a]
    is w e^((a-1) t) + (a-1) v e^(-a t). Here w = sinh(a rate)/s and (a-1) v = sinh((a-1) rate)/s,
    where s is the sum of the two numerators, so w + (a-1) v = 1. Small rates give the weights
    a/(2a-1) and (a-1)/(2a-1) of Laplace noise.
    """
    a, b = order, order - 1
    common = -math.expm1(-(a + b) * rate) * (1 + math.exp(-rate))
    # a tiny rate makes `common` underflow to 0; return the limits for rate 0
    if common == 0:
        return a / (a + b), 1 / (a + b)
    far = math.exp(-rate)
    grown = 2 * rate if b * rate == 0 else -math.expm1(-2 * b * rate) / b
    return -math.expm1(-2 * a * rate) / common, far * grown / common if far > 0 else 0.0


def alpha_of_discrete_laplace(rate: float, shift: float, order: float) -> float:
    """Return the alpha divergence, of order in [1, inf), of two discrete Laplace distributions.

    Parameters
    ----------
    rate : float
        1 / scale.
    shift : float
        The distance t >= rate of the two distributions in scales.
    order : float
        The order a of the divergence.

    Notes
    -----
    With b = a - 1, the divergence is (w expm1(b t)/b + v expm1(-a t))/a for the weights w and v of
    `_weights`. For small a t the two terms cancel to second order, so their series in t is used
    instead, with s(x) = sinh(x)/x:

    ((s(a rate) - s(b rate)) t + sum over k >= 2 of t^k/k! (s(a rate) b^(k-1)
    + (-1)^k s(b rate) a^(k-1))) / (a s(a rate) + b s(b rate)).
    """
    a, b, t = order, order - 1, shift
    if t == math.inf:  # the two distributions are disjoint up to rounding
        return math.inf
    if a * t <= 0.5:
        first, second = _sinh_quotient(a * rate), _sinh_quotient(b * rate)
        total, term, up, down = (first[1] - second[1]) * t, t, 1.0, 1.0
        for k in range(2, 25):
            term, up, down = term * t / k, up * b, down * -a
            if abs(down) > 1e250:
                break
            total += term * (first[0] * up - second[0] * down)
        return _numerics.positive(total / (a * first[0] + b * second[0]))
    w, v = _weights(rate, order)
    if b * t > 1:
        log_first = b * t + math.log(w) - math.log(b)
        if log_first > 40:
            return _numerics.exp(log_first - math.log(a))
    grown = t if b == 0 or b * t == 0 else math.expm1(b * t) / b
    return (w * grown + v * math.expm1(-a * t)) / a


def _sinh_quotient(x: float) -> tuple[float, float]:
    """Return sinh(x)/x and sinh(x)/x - 1, for 0 <= x <= 1/2."""
    excess = term = x * x / 6
    for n in range(2, 8):
        term *= x * x / ((2 * n) * (2 * n + 1))
        excess += term
    return 1 + excess, excess


def renyi_of_discrete_laplace(rate: float, shift: float, order: float) -> float:
    """Return the Rényi divergence of discrete Laplace distributions `shift` scales apart.

    The order is in [1, inf], and `rate` is 1/scale.
    """
    if math.inf in (order, shift):
        return shift
    a, b, t = order, order - 1, shift
    alpha = alpha_of_discrete_laplace(rate, shift, order)
    if b == 0:
        return alpha
    excess = a * b * alpha
    if excess == 0:
        return a * alpha
    if excess < 1:
        return a * alpha * (math.log1p(excess) / excess)
    w, v = _weights(rate, order)
    return t + (math.log(w) + math.log1p(b * v / w * math.exp(-(a + b) * t))) / b
