"""The privacy loss of two densities on the real line, whose divergences are integrals."""

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

    Divergences are estimates, accurate to about 1e-12 for piecewise smooth densities. They are less
    accurate at large orders (to 1e-10 for Gaussian densities at order 1e6) and where the two
    densities are nearly the same, because the loss is the difference of their logarithms. The class
    serves to check theorems and to illustrate definitions; its numbers are not bounds. A divergence
    is reported as infinite if its integrand still grows at a distance of 10^14 * `scale` from all
    `points`, which can happen at huge orders.

    Parameters
    ----------
    log_p, log_q : callable
        Logarithms of the densities, from an array to an array. The densities must be positive on
        the same set.
    points : sequence of float
        Finite: every kink of the two densities and every x where they are equal. Between two of
        these points, integrands may have several peaks if 1501 equally spaced points resolve them;
        beyond the outermost points, the spacing grows exponentially.
    scale : float
        A typical width of the densities, > 0.
    loss_range : (float, float)
        The essential infimum and supremum of L, low <= high; quadrature cannot find them.

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
        return np.where(np.isnan(loss), 0.0, loss)  # the loss is NaN where both densities are 0

    def _exceeds(self, x: Vector, level: float) -> NDArray[np.bool_]:
        """Return where the loss exceeds a level by more than the rounding of log p and log q."""
        log_p, log_q = self._log_p(x), self._log_q(x)
        noise = _numerics.MARGIN / 2 * (np.abs(log_p) + np.abs(log_q))
        return np.asarray(self._loss(x) - level > np.where(np.isfinite(noise), noise, 0.0))

    def _mean_of_convex(self, f: Convex) -> float:
        # subtract the tangent of f at 1, whose mean under Q is 0, so that the integrand is >= 0
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

        # f may overflow at losses above t or below s: extrapolate it there by a power of u. Toward
        # u = 0, f may instead grow only like -log u = -loss: then use a linear function of the loss
        high = log_f(t), (log_f(t) - log_f(0.9 * t)) / (0.1 * t)
        low = log_f(s), (log_f(s) - log_f(0.9 * s)) / (0.1 * s)
        # f grows only like -log u if it grows by a factor below 1.2 from loss 0.9 s to loss s:
        # -log u grows by 1/0.9 there, whereas for s = -690 even the small power u^-0.01 doubles
        slowly = low[1] * 0.1 * s < math.log(1.2)

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
            # the two expressions are equal; choose the one with the smaller rounding error
            log_p, log_q, loss = self._log_p(x), self._log_q(x), self._loss(x)
            return np.where(loss > 0, log_p + (order - 1) * loss, log_q + order * loss)

        return self._log_integral(log_integrand)

    def _log_mass_of_support(self) -> float:
        return 0.0  # the two densities are positive on the same set

    def _log_integral(self, log_integrand: LogDensity, level: float | None = None) -> float:
        """Return the log of the integral of e^log_integrand over the real line.

        The line is divided at `points` and where the loss passes `level`, because the integrand may
        have kinks or jumps there.
        """
        edges = [-math.inf, *self.points, math.inf]
        if level is not None:
            found = _quadrature.crossings(lambda x: self._exceeds(x, level), edges, self.scale)
            edges = sorted({*edges, *found})
        return _quadrature.log_integral(log_integrand, edges, self.scale)


def log_normal(mean: float, sigma: float, x: Vector) -> Vector:
    """Return the log of a Gaussian density at x.

    It is defined at module level, because a `DensityLoss` with a local function cannot be pickled.
    """
    return -(((x - mean) / sigma) ** 2) / 2 - math.log(sigma) - math.log(2 * math.pi) / 2


def _logs_of(log_density: LogDensity, x: Vector) -> Vector:
    """Return the log of a density, or -inf where the result is NaN because terms overflow."""
    with np.errstate(all="ignore"):
        logs = log_density(x)
        return np.where(np.isnan(logs), -math.inf, logs)
