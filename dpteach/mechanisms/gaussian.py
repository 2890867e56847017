"""The Gaussian mechanism: additive Gaussian noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms._base import AdditiveNoise, approx, check_resolved, no_loss, pair, theorem
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, GaussianDP, ProbabilisticDP, RenyiDP
from dpteach.notions.alpha import alpha_of_renyi
from dpteach.privacy_loss import DensityLoss, PrivacyLoss
from dpteach.privacy_loss.density import log_normal


@dataclass(frozen=True, repr=False)
class Gaussian(AdditiveNoise):
    """A mechanism that adds Gaussian noise of standard deviation sigma to each coordinate.

    Parameters
    ----------
    sigma : float
        The standard deviation (not the variance) of the noise, > 0.
    sensitivity : float
        The L2 sensitivity of the query, > 0: the largest Euclidean distance between neighbors.

    References
    ----------
    Dwork and Roth (2014), section A; Balle and Wang (2018); Mironov (2017), proposition 7.

    Examples
    --------
    >>> Gaussian(sigma=2.0).guarantee(GaussianDP)
    GaussianDP(mu=0.5)
    >>> Gaussian(sigma=1.0).guarantee(RenyiDP, orders=[2, 8])
    RenyiDP(orders=(2.0, 8.0), epsilons=(1.0, 4.0))
    """

    sigma: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sigma", "sensitivity"):
            object.__setattr__(self, name, _check.real(name, getattr(self, name), _check.POSITIVE))

    @property
    def shift(self) -> float:
        """Sensitivity / sigma: the largest distance of neighboring values in standard deviations.

        >>> Gaussian(sigma=4.0, sensitivity=3.0).shift
        0.75
        """
        return _numerics.positive(self.sensitivity / self.sigma)

    def privacy_loss(self) -> DensityLoss:
        """Return the privacy loss of the worst-case neighbors, computed from its definition.

        Raises
        ------
        ValueError
            If the sensitivity is not from 1e-10 to 1e10 sigma; elsewhere floats are too
            inaccurate.

        Examples
        --------
        >>> round(Gaussian(sigma=2.0).privacy_loss().kl(), 12)
        0.125
        """
        sigma, shift = self.sigma, self.sensitivity
        check_resolved("sigma", sigma, shift)
        return DensityLoss(
            partial(log_normal, 0.0, sigma),
            partial(log_normal, shift, sigma),
            points=(0.0, shift / 2, shift),
            scale=sigma,
        )

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> PrivacyLoss:
        """Return the privacy loss of the outputs on two true values.

        The loss depends only on their L2 distance, because the noise is rotationally symmetric.

        Raises
        ------
        ValueError
            If the values are different, but less than 1e-10 or more than 1e10 sigma apart.

        Examples
        --------
        >>> round(Gaussian(sigma=1.0).privacy_loss_between([0.0, 0.0], [0.6, 0.8]).kl(), 12)
        0.5
        """
        left, right = pair(_check.array("value", value), _check.array("neighbour", neighbour))
        with np.errstate(over="ignore"):
            distance = math.hypot(*(left - right).ravel())
        return replace(self, sensitivity=distance).privacy_loss() if distance else no_loss()

    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.normal(0.0, self.sigma, shape)


@theorem(Gaussian, GaussianDP, source="Dong, Roth and Su (2022), theorem 1", tight=True)
def _gaussian(m: Gaussian) -> GaussianDP:
    return GaussianDP(m.shift, adjacency=m.adjacency)


@theorem(Gaussian, ZCDP, source="Bun and Steinke (2016), proposition 1.6", tight=True)
def _zcdp(m: Gaussian) -> ZCDP:
    return ZCDP(_numerics.positive(m.shift * m.shift / 2), adjacency=m.adjacency)


@theorem(Gaussian, RenyiDP, source="Mironov (2017), proposition 7", tight=True)
def _renyi(m: Gaussian, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda x: 1 <= x < math.inf)
    checked = _check.reals("orders", orders, domain)
    rho = _numerics.positive(m.shift * m.shift / 2)
    return RenyiDP(checked, [a * rho for a in checked], adjacency=m.adjacency)


@theorem(Gaussian, AlphaDP, source="Liu and Wang, proposition 7", tight=True)
def _alpha(m: Gaussian, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    rho = _numerics.positive(m.shift * m.shift / 2)
    return AlphaDP(order, alpha_of_renyi(order, order * rho), adjacency=m.adjacency)


def _shift_up(m: Gaussian) -> float:
    """Return sensitivity / sigma, rounded up, because delta increases with this shift."""
    return _numerics.quotient_up(m.sensitivity, m.sigma)


@theorem(Gaussian, ApproxDP, source="Balle and Wang (2018), theorem 8", tight=True)
def _approx(m: Gaussian, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return ApproxDP(*approx(GaussianDP(_shift_up(m)), epsilon, delta), adjacency=m.adjacency)


@dataclass(frozen=True)
class _GaussianTail:
    """The tail P(L > epsilon) of a Gaussian loss of mean shift^2/2 and standard deviation shift."""

    shift: float

    def delta_at(self, epsilon: float) -> float:
        from scipy import special

        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon == math.inf:
            return 0.0
        z = epsilon / self.shift - self.shift / 2
        # `slip` bounds the error of log_ndtr(-z): z is a difference of two rounded terms, and the
        # slope of log_ndtr, about |z|, multiplies their errors
        slip = _numerics.MARGIN * (1 + (abs(z) + 1) * (epsilon / self.shift + self.shift))
        return min(1.0, _numerics.exp_up(float(special.log_ndtr(-z)) + slip))

    def epsilon_at(self, delta: float) -> float:
        from scipy import special

        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta >= self.delta_at(0.0):
            return 0.0
        if delta == 0:
            raise ValueError(
                f"delta must be > 0, because the Gaussian loss is unbounded, got delta={delta}"
            )
        z = float(special.ndtri_exp(math.log(delta)))
        epsilon = max(0.0, self.shift * (self.shift / 2 - z))
        step = _numerics.positive(self.shift * _numerics.MARGIN)
        while self.delta_at(epsilon) > delta:
            epsilon, step = epsilon + step, 2 * step
        return epsilon


@theorem(Gaussian, ProbabilisticDP, source="the definition: the loss is Gaussian", tight=True)
def _probabilistic(
    m: Gaussian, *, epsilon: float | None = None, delta: float | None = None
) -> ProbabilisticDP:
    return ProbabilisticDP(
        *approx(_GaussianTail(_shift_up(m)), epsilon, delta), adjacency=m.adjacency
    )
