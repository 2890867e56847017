"""The privacy loss of two densities on the real line: integrals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.privacy_loss import _quadrature
from dpteach.privacy_loss._base import PrivacyLoss
from dpteach.privacy_loss._convex import Convex
from dpteach.privacy_loss._quadrature import LogDensity, Vector


@dataclass(frozen=True, eq=False)
class DensityLoss(PrivacyLoss):
    """The privacy loss of two densities on the real line, by quadrature.

    An estimate, to about 1e-12 for piecewise smooth densities. It has fewer digits far out (at an
    order of 1e6 the logarithms of a normal density have lost 1e-10), and where the two densities
    are nearly the same: the loss is the difference of their logarithms. It exists to check theorems
    and to show definitions, not to promise anything. A moment of an order so large that it lies
    out of reach is infinite.

    Parameters
    ----------
    log_p, log_q : callable
        Logarithms of the densities, from an array to an array; positive on the same set.
    points : sequence of float
        Every kink of the two densities and every x where they are equal. Between them, integrands
        may have several peaks if a grid of 1501 points, exponentially wider away from the
        finite end, tells them apart.
    scale : float
        A typical width of the densities, > 0.
    loss_range : (float, float)
        The essential infimum and supremum of L, which sampling cannot find: any low <= high.

    Examples
    --------
    >>> loss = DensityLoss(lambda x: -abs(x) - np.log(2), lambda x: -abs(x - 1) - np.log(2),
    ...                    points=(0, 0.5, 1), scale=1.0, loss_range=(-1, 1))
    >>> round(loss.kl(), 10), round(loss.total_variation(), 10)  # 1/e and 1 - e^(-1/2)
    (0.3678794412, 0.3934693403)
    """

    log_p: LogDensity
    log_q: LogDensity
    points: Sequence[float]
    scale: float
    loss_range: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        for name in ("log_p", "log_q"):
            if not callable(getattr(self, name)):
                raise TypeError(
                    f"{name} must be callable, got {name}={_check.shown(getattr(self, name))}"
                )
        points = _check.reals("points", self.points, _check.FINITE)
        object.__setattr__(self, "points", tuple(sorted(points)))
        object.__setattr__(self, "scale", _check.real("scale", self.scale, _check.POSITIVE))
        bounds = _check.reals("loss_range", self.loss_range, _check.EXTENDED_REAL)
        if len(bounds) != 2 or bounds[0] > bounds[1]:
            raise ValueError(
                f"loss_range must be (low, high) with low <= high, got loss_range={bounds}"
            )

    def reversed(self) -> DensityLoss:
        low, high = self.loss_range
        return DensityLoss(self.log_q, self.log_p, self.points, self.scale, (-high, -low))

    def max(self) -> float:
        return self.loss_range[1]

    def hockey_stick(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        if epsilon >= self.max():
            return 0.0
        if epsilon == -math.inf:
            return 1.0

        def log_integrand(x: Vector) -> Vector:
            log_p, loss = self._log_p(x), self._loss(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return np.where(loss > epsilon, log_p + np.log(-np.expm1(epsilon - loss)), -np.inf)

        return min(1.0, _numerics.exp(self._log_integral(log_integrand, level=epsilon)))

    def tail(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        low, high = self.loss_range
        if epsilon >= high:
            return 0.0
        if epsilon < low or epsilon == -math.inf:
            return 1.0

        def log_integrand(x: Vector) -> Vector:
            return np.where(self._exceeds(x, epsilon), self._log_p(x), -np.inf)

        return min(1.0, _numerics.exp(self._log_integral(log_integrand, level=epsilon)))

    def _log_p(self, x: Vector) -> Vector:
        return _logs_of(self.log_p, x)

    def _log_q(self, x: Vector) -> Vector:
        return _logs_of(self.log_q, x)

    def _loss(self, x: Vector) -> Vector:
        with np.errstate(invalid="ignore"):
            loss = self._log_p(x) - self._log_q(x)
        return np.where(np.isnan(loss), 0.0, loss)  # where both densities are 0

    def _exceeds(self, x: Vector, level: float) -> NDArray[np.bool_]:
        """Where the loss is above a level, by more than the rounding errors of its two terms."""
        log_p, log_q = self._log_p(x), self._log_q(x)
        noise = _numerics.MARGIN / 2 * (np.abs(log_p) + np.abs(log_q))
        return np.asarray(self._loss(x) - level > np.where(np.isfinite(noise), noise, 0.0))

    def _mean_of_convex(self, f: Convex) -> float:
        # less the tangent at 1, which has the mean 0, f is nowhere negative
        h = 2.0**-13
        slope = (f(1 + h) - f(1 - h)) / (2 * h)
        t = 690.0
        while t > 1 and f(math.exp(t)) == math.inf:
            t *= 0.9
        s = -690.0
        while s < -1 and f(math.exp(s)) == math.inf:
            s *= 0.9

        def log_f(loss: float) -> float:
            u = math.exp(loss)
            value = f(u) - slope * (u - 1)
            return math.log(value) if value > 0 else -math.inf

        # a power of u beyond t and below s, or a line in the loss where it grows no faster there
        high = log_f(t), (log_f(t) - log_f(0.9 * t)) / (0.1 * t)
        low = log_f(s), (log_f(s) - log_f(0.9 * s)) / (0.1 * s)
        slowly = low[1] * 0.1 * s < math.log(1.2)  # a multiple of the loss grows by 1/0.9

        def log_of(loss: float) -> float:
            if loss > t:
                return high[0] + high[1] * (loss - t)
            if loss < s:
                if slowly:
                    return low[0] + math.log1p(-math.expm1(-0.1 * s * low[1]) * (loss / s - 1) * 10)
                return low[0] + low[1] * (loss - s)
            return log_f(loss)

        def log_integrand(x: Vector) -> Vector:
            logs = np.array([log_of(y) for y in self._loss(x).tolist()])
            return np.asarray(self._log_q(x) + logs)

        return _numerics.exp(self._log_integral(log_integrand))

    def _mean_of_generator(self, order: float, rest: float) -> float:
        def log_integrand(x: Vector) -> Vector:
            return _numerics.log_alpha_terms(self._log_p(x), self._log_q(x), self._loss(x), order)

        return _numerics.exp(self._log_integral(log_integrand))

    def _log_power_mean(self, order: float) -> float:
        def log_integrand(x: Vector) -> Vector:
            # of the two, the one that has the more digits
            log_p, log_q, loss = self._log_p(x), self._log_q(x), self._loss(x)
            return np.where(loss > 0, log_p + (order - 1) * loss, log_q + order * loss)

        return self._log_integral(log_integrand)

    def _log_mass_of_support(self) -> float:
        return 0.0  # the two densities are positive on the same set

    def _log_integral(self, log_integrand: LogDensity, level: float | None = None) -> float:
        """log of the integral over the line, cut where the loss crosses the level too."""
        edges = [-math.inf, *self.points, math.inf]
        if level is not None:
            found = _quadrature.crossings(lambda x: self._exceeds(x, level), edges, self.scale)
            edges = sorted({*edges, *found})
        return _quadrature.log_integral(log_integrand, edges, self.scale)


def log_normal(mean: float, sigma: float, x: Vector) -> Vector:
    """The logarithm of a normal density: a function of a module, so that losses can be pickled."""
    return -(((x - mean) / sigma) ** 2) / 2 - math.log(sigma) - math.log(2 * math.pi) / 2


def _logs_of(log_density: LogDensity, x: Vector) -> Vector:
    """The logarithm of a density, -inf where it is no number, so far out that terms overflow."""
    with np.errstate(all="ignore"):
        logs = log_density(x)
        return np.where(np.isnan(logs), -math.inf, logs)
