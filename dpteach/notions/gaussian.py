"""Gaussian DP: neighbors are at least as hard to distinguish as N(0, 1) and N(mu, 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dpteach import _check, _numerics
from dpteach.notions._base import Guarantee, Reason, at_most
from dpteach.notions._gaussian_profile import legendre, minus_mills_slope
from dpteach.notions._trade_off import Curve, probabilities
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

_EXACT = Reason("Balle and Wang (2018), theorem 8; Dong, Roth and Su (2022), corollary 1", "exact")


@dataclass(frozen=True, repr=False)
class GaussianDP(Guarantee):
    """mu-Gaussian DP: neighbors are at least as hard to tell apart as N(0, 1) and N(mu, 1).

    The type II error of every test of two neighbors is at least that of the best test of N(0, 1)
    against N(mu, 1) with the same type I error.

    Parameters
    ----------
    mu : float
        In [0, inf).

    Notes
    -----
    Post-processing preserves the claim: a test of the processed output is a test of the output.

    References
    ----------
    Dong, Roth and Su (2022), definition 4 and corollaries 1 and 2.

    Examples
    --------
    >>> GaussianDP(0.1).self_compose(64)
    GaussianDP(mu=0.8)
    >>> round(GaussianDP(1.0).delta_at(1.0), 12)
    0.126936737507
    >>> round(GaussianDP(0.8).epsilon_at(1e-6), 2)
    3.8
    """

    mu: float

    _adds_as: ClassVar[int] = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("mu", _check.real("mu", self.mu, _check.NON_NEGATIVE))

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return the guarantee with the smallest mu that holds for two discrete distributions.

        The guarantee holds in both directions. Between two corners, the trade-off curve of the two
        distributions is linear, and the curve G_mu of N(0, 1) and N(mu, 1) is convex, so it
        suffices to compare the curves at the corners.

        Raises
        ------
        TypeError
            If the loss is not that of two discrete distributions.
        ValueError
            If one distribution has mass where the other has none, because then no mu is large
            enough.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(GaussianDP.tightest(loss).mu, 9)
        1.232035385
        """
        from scipy.special import ndtri

        _check.instance("loss", loss, DiscreteLoss)
        assert isinstance(loss, DiscreteLoss)
        order = np.argsort(-loss._log_ratio, kind="stable")
        p, q = loss.p[order], loss.q[order]
        p, q = p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]
        # the best tests reject Q on the set S of the outcomes with the largest losses; their
        # detection probability is P(S), and the false-alarm probability is Q(S)
        detected, alarm = np.cumsum(p)[:-1], np.cumsum(q)[:-1]
        missed, quiet = (np.cumsum(x[::-1])[::-1][1:] for x in (p, q))
        left = np.where(detected < 0.5, ndtri(detected), -ndtri(missed))
        right = np.where(alarm < 0.5, ndtri(alarm), -ndtri(quiet))
        mu = float(np.max(left - right, initial=0.0))
        return cls(_numerics.up(mu))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        try:
            return at_most(GaussianDP.tightest(loss).mu, self.mu)
        except ValueError:
            return False

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if self.mu == 0 or epsilon == math.inf:
            return 0.0
        # delta decreases in epsilon, so evaluating it at the next smaller float epsilon offsets the
        # rounding of epsilon / mu
        below = math.nextafter(epsilon, 0.0)
        return min(1.0, _numerics.exp_up(log_delta_of_gaussian(self.mu, below)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if self.mu == 0:
            return 0.0
        if delta == 0:
            return math.inf
        target = math.log(delta)

        def enough(epsilon: float) -> bool:
            return log_delta_bound(self.mu, epsilon) <= target

        if enough(0.0):
            return 0.0
        # `high` is large enough: the loss is N(mu^2/2, mu^2), delta(epsilon) is at most P(loss >
        # epsilon), and P(N(0, 1) > x) <= delta at x = sqrt(2 log(1/delta))
        high = _numerics.up(self.mu * (self.mu / 2 + math.sqrt(-2 * target)) + 1e-300)
        return _numerics.first_true(enough, 0.0, high)

    def trade_off(self, type_one: ArrayLike) -> Curve:
        """Return G_mu(x) = Phi(Phi^-1(1 - x) - mu), the least type II error at type I error x.

        Parameters
        ----------
        type_one : array_like
            Probabilities of rejecting a true null hypothesis, of any shape.

        Returns
        -------
        float or ndarray
            In [0, 1], of the same shape; rounded down by more than the errors of Phi.

        References
        ----------
        Dong, Roth and Su (2022), definition 4.

        Examples
        --------
        >>> round(GaussianDP(1.0).trade_off(0.05), 6)
        0.740489
        """
        from scipy.special import ndtr, ndtri

        x = probabilities("type_one", type_one)
        # -Phi^-1(x) equals Phi^-1(1 - x), but 1 - x would lose the digits of a small x
        z = -ndtri(x)
        sure = np.isinf(z)
        z = np.where(sure, 0.0, z)
        left = z - self.mu
        # the relative error of Phi(left) is at most the absolute error of `left` times a bound on
        # the slope of log Phi
        slope = np.where(left < 0, 1 - left, np.exp(-left * left / 2))
        safe = 1 - 4 * _numerics.MARGIN * (1 + (np.abs(z) + self.mu) * slope)
        curve = np.where(sure, 1 - x, ndtr(left) * np.maximum(safe, 0.0))
        return float(curve) if curve.ndim == 0 else curve

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return _EXACT

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        return _EXACT

    def group(self, size: int) -> Self:
        """Return the guarantee for groups of up to `size` people; its mu is `size` times as large.

        Gaussian noise attains this bound.

        References
        ----------
        Dong, Roth and Su (2022), theorem on group privacy (2.14 of arXiv 1905.02383).

        Examples
        --------
        >>> GaussianDP(0.5).group(3)
        GaussianDP(mu=1.5)
        """
        return type(self)(_check.count("size", size) * self.mu, adjacency=self.adjacency)


def log_delta_bound(mu: float, epsilon: float) -> float:
    """Return a close upper bound on log delta of mu-Gaussian DP at epsilon.

    The bound is evaluated at the next smaller float epsilon. Since delta decreases in epsilon,
    this offsets the rounding of epsilon / mu.
    """
    return _numerics.log_up(log_delta_of_gaussian(mu, math.nextafter(epsilon, 0.0)))


def log_delta_of_gaussian(mu: float, epsilon: float) -> float:
    """Return log delta of N(0, 1) against N(mu, 1) at epsilon >= 0, for mu > 0.

    delta = Phi(-a) - e^epsilon Phi(-b) with a = epsilon/mu - mu/2 and b = a + mu [1]_. With the
    Mills ratio m(x) = Phi(-x)/phi(x), this is phi(a) (m(a) - m(b)), because e^epsilon phi(b) =
    phi(a). The second form contains no exponential of epsilon. For small mu its difference is
    computed as the integral of -m' over [a, b], and for negative a delta is 1 - Phi(a) - phi(a)
    m(b).

    .. [1] Balle and Wang (2018), theorem 8.
    """
    from scipy.special import erfcx, ndtr

    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if a > 1e8:
        return -math.inf  # log delta is below -5e15
    root = math.sqrt(2)
    log_density = -a * a / 2 - math.log(2 * math.pi) / 2
    if a < 0 and mu > 2:
        mills = math.sqrt(math.pi / 2) * float(erfcx(b / root))
        return math.log1p(-float(ndtr(a)) - math.exp(log_density) * mills)
    if mu <= 2:
        nodes, weights = legendre(24)
        x = (a + b) / 2 + mu / 2 * nodes
        mean = float(weights @ minus_mills_slope(x)) / 2
        return log_density + math.log(mu) + math.log(mean)
    mills = math.sqrt(math.pi / 2) * (float(erfcx(a / root)) - float(erfcx(b / root)))
    return log_density + math.log(mills)
