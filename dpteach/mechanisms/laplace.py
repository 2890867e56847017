"""The Laplace mechanism: noise with two exponential tails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms._base import (
    AdditiveNoise,
    approx,
    check_resolved,
    no_loss,
    only_difference,
    theorem,
)
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, ProbabilisticDP, PureDP, RenyiDP
from dpteach.privacy_loss import DensityLoss, PrivacyLoss


@dataclass(frozen=True, repr=False)
class Laplace(AdditiveNoise):
    """A mechanism that adds noise of density e^(-|x|/scale)/(2 scale) to each coordinate.

    Parameters
    ----------
    scale : float
        b > 0; the standard deviation of the noise is sqrt(2) b.
    sensitivity : float
        The L1 sensitivity of the query, > 0: for a vector, the largest sum of the absolute changes
        of its coordinates between neighbors.

    References
    ----------
    Dwork, McSherry, Nissim and Smith (2006), proposition 1; Liu and Wang, proposition 6.

    Examples
    --------
    >>> Laplace(scale=2.0).guarantee(PureDP)
    PureDP(epsilon=0.5)
    """

    scale: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("scale", "sensitivity"):
            object.__setattr__(self, name, _check.real(name, getattr(self, name), _check.POSITIVE))

    @property
    def shift(self) -> float:
        """Sensitivity / scale, rounded up: the largest distance of neighboring values in scales.

        >>> Laplace(scale=4.0, sensitivity=3.0).shift
        0.75
        """
        return _numerics.quotient_up(self.sensitivity, self.scale)

    def privacy_loss(self) -> DensityLoss:
        """Return the privacy loss of the worst-case neighbors, computed from its definition.

        Raises
        ------
        ValueError
            If the sensitivity is not from 1e-10 to 1e10 scales; elsewhere floats are too
            inaccurate.

        Examples
        --------
        >>> round(Laplace(scale=2.0).privacy_loss().max(), 12)
        0.5
        """
        b, shift = self.scale, self.sensitivity
        check_resolved("scale", b, shift)
        return DensityLoss(
            partial(_log_density, 0.0, b),
            partial(_log_density, shift, b),
            points=(0.0, shift / 2, shift),
            scale=b,
            loss_range=(-shift / b, shift / b),
        )

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> PrivacyLoss:
        """Return the privacy loss on two true values that differ in at most one coordinate.

        Raises
        ------
        ValueError
            If the values differ in more than one coordinate, or in one by less than 1e-10 or more
            than 1e10 scales.

        Examples
        --------
        >>> round(Laplace(scale=2.0).privacy_loss_between([3.0, 9.0], [3.0, 8.0]).max(), 12)
        0.5
        """
        ends = only_difference(_check.array("value", value), _check.array("neighbour", neighbour))
        if ends is None:
            return no_loss()
        return replace(self, sensitivity=abs(ends[0] - ends[1])).privacy_loss()

    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.laplace(0.0, self.scale, shape)


@theorem(Laplace, PureDP, source="Dwork, McSherry, Nissim and Smith (2006)", tight=True)
def _pure(m: Laplace) -> PureDP:
    return PureDP(m.shift, adjacency=m.adjacency)


@dataclass(frozen=True, repr=False)
class _LaplaceProfile:
    """The privacy profile of Laplace noise, with shift = sensitivity / scale.

    Delta is 1 - e^((epsilon - shift)/2) for epsilon below the shift, and 0 from there on.
    """

    shift: float

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon >= self.shift:
            return 0.0
        gained = -math.expm1((epsilon - self.shift) / 2)
        return min(1.0, _numerics.up(_numerics.positive(gained)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta == 1:
            return 0.0
        if delta == 0:
            return self.shift
        return max(0.0, min(self.shift, _numerics.sum_up(self.shift, 2 * math.log1p(-delta))))


@theorem(Laplace, ApproxDP, source="Balle, Barthe and Gaboardi (2020), theorem 3", tight=True)
def _approx(m: Laplace, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return ApproxDP(*approx(_LaplaceProfile(m.shift), epsilon, delta), adjacency=m.adjacency)


@dataclass(frozen=True)
class _LaplaceTail:
    """The tail P(L > epsilon) of the loss L of Laplace noise, with shift = sensitivity / scale.

    It is 1 - e^((epsilon - shift)/2)/2 for epsilon below the shift, and 0 from there on.
    """

    shift: float

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon >= self.shift:
            return 0.0
        return min(1.0, _numerics.up(0.5 - math.expm1((epsilon - self.shift) / 2) / 2))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta <= 0.5:
            return self.shift
        if delta == 1:
            return 0.0
        found = _numerics.sum_up(self.shift, 2 * math.log(2), 2 * math.log1p(-delta))
        return max(0.0, min(self.shift, found))


@theorem(Laplace, ProbabilisticDP, source="the definition: L = shift - 2 x in between", tight=True)
def _probabilistic(
    m: Laplace, *, epsilon: float | None = None, delta: float | None = None
) -> ProbabilisticDP:
    return ProbabilisticDP(*approx(_LaplaceTail(m.shift), epsilon, delta), adjacency=m.adjacency)


@theorem(Laplace, AlphaDP, source="Liu and Wang, proposition 6", tight=True)
def _alpha(m: Laplace, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    return AlphaDP(order, alpha_of_laplace(m.shift, order), adjacency=m.adjacency)


@theorem(Laplace, RenyiDP, source="Mironov (2017), proposition 6", tight=True)
def _renyi(m: Laplace, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    return RenyiDP(checked, [renyi_of_laplace(m.shift, a) for a in checked], adjacency=m.adjacency)


@theorem(
    Laplace,
    ZCDP,
    source="Harrison and Manurangsi (2026): the divergence of order 1 binds",
    tight=True,
)
def _zcdp(m: Laplace) -> ZCDP:
    return ZCDP(alpha_of_laplace(m.shift, 1.0), adjacency=m.adjacency)


def _log_density(mean: float, scale: float, x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(-np.abs(x - mean) / scale - math.log(2 * scale))


def alpha_of_laplace(shift: float, order: float) -> float:
    """Return the alpha divergence, of order a in [1, inf), of two Laplace distributions.

    Their centers are t = `shift` scales apart. The formula is proposition 6 of Liu and Wang,
    written with expm1(x) = e^x - 1: (a expm1((a-1) t)/(a-1) + expm1(-a t)) / (a (2a-1)). For small
    a t the two terms cancel to second order, so a series replaces them: the sum over k >= 2 of
    t^k/k! ((a-1)^(k-1) - (-a)^(k-1))/(2a-1).
    """
    a, b, t = order, order - 1, shift
    if a * t <= 0.5:
        total, term, difference, power = 0.0, t, 0.0, 1.0
        # `difference` is (b^(k-1) - (-a)^(k-1)) / (a + b), computed by a recurrence in k
        for k in range(2, 25):
            term *= t / k
            difference, power = b * difference + power, power * -a
            if abs(power) > 1e250:
                break
            total += term * difference
        return _numerics.positive(total)
    if b * t > 1:
        log_first = b * t + math.log(a) - math.log(b)
        if log_first > 40:
            # subtract the log of a (2a - 1) = a^2 (1 + b/a), because this product may overflow
            return _numerics.exp(log_first - 2 * math.log(a) - math.log1p(b / a))
    grown = t if b == 0 else math.expm1(b * t) / b
    return _numerics.positive((a * grown + math.expm1(-a * t)) / a / (2 * a - 1))


def renyi_of_laplace(shift: float, order: float) -> float:
    """Return the Rényi divergence of Laplace distributions `shift` scales apart.

    The order is in [1, inf].
    """
    if order == math.inf:
        return shift
    a, b, t = order, order - 1, shift
    alpha = alpha_of_laplace(shift, order)
    if b == 0:
        return alpha
    excess = a * b * alpha
    if excess == 0 or alpha < 1e-300:  # the alpha divergence may have underflowed
        return min(t, a * alpha)
    if excess < 1:
        return a * alpha * _numerics.log1p_over(excess)
    # compute the log of a/(2a-1) e^((a-1) t) + (a-1)/(2a-1) e^(-a t) without overflow
    rest = math.log1p(b / a * math.exp(-a * t - b * t)) - math.log1p(b / a)
    return t + rest / b
