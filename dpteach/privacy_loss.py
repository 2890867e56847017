"""The privacy loss: the one random variable that every notion of privacy speaks about.

A mechanism's output has the law P on one dataset and Q on a neighbour. The privacy loss is

    L = log dP/dQ (Y),   Y ~ P,

what an observer of the output Y learns about which of the two it came from, in nats. Every
divergence is an expectation of a function of L, and every notion a claim about its law.
Here these expectations are computed from their definitions: sums for discrete outputs,
quadrature for densities. Closed forms are theorems, kept with the mechanisms they belong to;
the tests compare the two.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics

Vector = NDArray[np.float64]


class PrivacyLoss(ABC):
    """The law of L = log dP/dQ on one ordered pair (P, Q) of output laws.

    Divergences are of P against Q, in nats. A guarantee speaks of both orders of a pair of
    neighbours: `reversed` gives the other one.
    """

    @abstractmethod
    def reversed(self) -> PrivacyLoss:
        """The privacy loss of the pair in the other order, (Q, P)."""

    @abstractmethod
    def max(self) -> float:
        """The max divergence: the essential supremum of L under P."""

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """E_P[(1 - e^(epsilon - L))+]: the largest P(S) - e^epsilon Q(S) over events S."""

    @abstractmethod
    def _mean_of_generator(self, order: float) -> float:
        """E_Q[f(e^L)] for the generator f of the alpha divergence of an order >= 1/2."""

    @abstractmethod
    def _log_power_mean(self, order: float) -> float:
        """log E_Q[e^(order L)] for a finite order > 0."""

    @abstractmethod
    def _log_mass_of_support(self) -> float:
        """log Q(dP/dQ > 0)."""

    def kl(self) -> float:
        """The Kullback-Leibler divergence E_P[L]: the Rényi divergence of order 1."""
        return self.renyi(1.0)

    def total_variation(self) -> float:
        """The total variation distance: the hockey-stick divergence at epsilon = 0."""
        return self.hockey_stick(0.0)

    def renyi(self, order: float) -> float:
        """The Rényi divergence of any order in [0, inf], in nats.

        log E_P[e^((a-1) L)] / (a - 1); its limits are E_P[L] at a = 1, the supremum of L at
        a = inf, and -log Q(dP/dQ > 0) at a = 0. Infinite where P has mass that Q lacks and
        a >= 1, and where P and Q are disjoint and a > 0.
        """
        order = _check.real("order", order, _check.RENYI_ORDER)
        if order == math.inf:
            return self.max()
        if order == 0:
            return -self._log_mass_of_support() + 0.0
        alpha = self.alpha(order)
        excess = order * (order - 1) * alpha  # E_Q[e^(a L)] - 1
        if order == 1 or excess == 0:
            return order * alpha
        if abs(excess) < 0.5:  # no information is lost in the 1 of log(1 + excess)
            return order * alpha * math.log1p(excess) / excess
        return self._log_power_mean(order) / (order - 1)

    def alpha(self, order: float) -> float:
        """The alpha divergence (E_Q[e^(a L)] - 1) / (a (a - 1)) of any real order.

        Its limits are KL(P || Q) at a = 1 and KL(Q || P) at a = 0.
        """
        order = _check.real("order", order, _check.FINITE)
        if order < 0.5:  # D_a(P || Q) = D_(1-a)(Q || P)
            return self.reversed()._mean_of_generator(1 - order)
        return self._mean_of_generator(order)


class DiscreteLoss(PrivacyLoss):
    """The privacy loss of two discrete distributions on the same outcomes.

    Parameters
    ----------
    p, q : array_like of shape (n,)
        Probabilities under P and under Q; each sums to one.

    Raises
    ------
    ValueError, TypeError
        If one is empty, not a vector of probabilities, does not sum to one within 1e-9, or if
        their lengths differ.

    Examples
    --------
    >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    >>> round(loss.kl(), 12), round(loss.max(), 12)
    (0.549306144334, 1.098612288668)
    >>> DiscreteLoss([0.5, 0.5], [1.0, 0.0]).max()
    inf
    """

    def __init__(self, p: ArrayLike, q: ArrayLike) -> None:
        self.p, self.q = _check.distributions(p, q)
        self._log_ratio = _numerics.log_ratio(self.p, self.q)

    def __repr__(self) -> str:
        return f"DiscreteLoss(p={self.p.tolist()}, q={self.q.tolist()})"

    def reversed(self) -> DiscreteLoss:
        return DiscreteLoss(self.q, self.p)

    def max(self) -> float:
        return float(self._log_ratio[self.p > 0].max())

    def hockey_stick(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        above = (self.p > 0) & (self._log_ratio > epsilon)
        return math.fsum(-self.p[above] * np.expm1(epsilon - self._log_ratio[above]))

    def _mean_of_generator(self, order: float) -> float:
        shared = self.q > 0
        terms = self.q[shared] * _numerics.alpha_generator(self._log_ratio[shared], order)
        escaped = math.fsum(self.p[~shared])  # mass of P where Q has none
        if escaped > 0:  # f(u) / u tends to 1 / (1 - a), or to infinity for a >= 1
            return math.inf if order >= 1 else math.fsum(terms) + escaped / (1 - order)
        return math.inf if np.isinf(terms).any() else math.fsum(terms)

    def _log_power_mean(self, order: float) -> float:
        if order >= 1 and np.any((self.p > 0) & (self.q == 0)):
            return math.inf
        both = (self.p > 0) & (self.q > 0)
        return _numerics.logsumexp(np.log(self.q[both]) + order * self._log_ratio[both])

    def _log_mass_of_support(self) -> float:
        missing = math.fsum(self.q[self.p == 0])
        if missing < 0.5:
            return math.log1p(-missing)
        mass = math.fsum(self.q[self.p > 0])
        return math.log(mass) if mass > 0 else -math.inf


LogDensity = Callable[[Vector], Vector]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, eq=False)
class DensityLoss(PrivacyLoss):
    """The privacy loss of two densities on the real line, by quadrature.

    An estimate, to about 1e-12 for piecewise smooth densities: it exists to check theorems
    and to show definitions, not to promise anything.

    Parameters
    ----------
    log_p, log_q : callable
        Logarithms of the densities, from an array to an array; positive on the same set.
    points : sequence of float
        Every kink of the two densities and every x where they are equal. Between them, each
        integrand must rise and fall at most once.
    scale : float
        A typical width of the densities, > 0.
    loss_range : (float, float)
        The essential infimum and supremum of L, which sampling cannot find.

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
            log_p = self.log_p(x)
            loss = log_p - self.log_q(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return np.where(loss > epsilon, log_p + np.log(-np.expm1(epsilon - loss)), -np.inf)

        return min(1.0, _numerics.exp(self._log_integral(log_integrand, level=epsilon)))

    def _loss(self, x: Vector) -> Vector:
        return self.log_p(x) - self.log_q(x)

    def _mean_of_generator(self, order: float) -> float:
        def log_integrand(x: Vector) -> Vector:
            loss = self._loss(x)
            f = _numerics.alpha_generator(loss, order)
            with np.errstate(divide="ignore", invalid="ignore"):
                if order == 1:
                    growth = loss + np.log(loss)
                else:
                    growth = max(order, 1.0) * loss - math.log(abs(1 - order) * max(order, 1.0))
                log_f = np.where(np.isinf(f), growth, np.log(f))
            return self.log_q(x) + log_f

        return _numerics.exp(self._log_integral(log_integrand))

    def _log_power_mean(self, order: float) -> float:
        return self._log_integral(lambda x: self.log_q(x) + order * self._loss(x))

    def _log_mass_of_support(self) -> float:
        return 0.0  # the two densities are positive on the same set

    def _log_integral(self, log_integrand: LogDensity, level: float | None = None) -> float:
        """log of the integral over the line of e^log_integrand.

        Every piece between two points is narrowed to where the integrand exceeds e^-60 of its
        peak there, and cut in two at the peak. Gauss-Legendre panels do the rest.
        """
        edges = [-math.inf, *self.points, math.inf]
        if level is not None:
            edges = sorted({*edges, *self._crossings(edges, level)})
        logs = []
        for left, right in pairwise(edges):
            grid = self._grid(left, right)
            values = log_integrand(grid)
            top = int(np.argmax(values))
            if values[top] == -np.inf:
                continue
            low, high = grid[max(top - 1, 0)], grid[min(top + 1, grid.size - 1)]
            for _ in range(4):  # zoom in on the peak
                fine = np.linspace(low, high, 101)
                values = log_integrand(fine)
                top = int(np.argmax(values))
                low, high = fine[max(top - 1, 0)], fine[min(top + 1, 100)]
            peak, floor = float(fine[top]), float(values[top]) - 60
            begin = self._edge_of_region(log_integrand, peak, float(grid[0]), floor)
            end = self._edge_of_region(log_integrand, peak, float(grid[-1]), floor)
            for a, b in ((begin, peak), (peak, end)):
                if b > a:
                    logs.append(self._log_panels(log_integrand, a, b))
        return _numerics.logsumexp(np.array(logs))

    def _grid(self, left: float, right: float) -> Vector:
        steps = self.scale * np.sinh(np.linspace(0, 34, 1501))
        if math.isinf(left):
            return right - steps[::-1]
        if math.isinf(right):
            return left + steps
        return np.linspace(left, right, 1501)

    def _crossings(self, edges: list[float], level: float) -> list[float]:
        found = []
        for left, right in pairwise(edges):
            grid = self._grid(left, right)
            above = self._loss(grid) > level
            for i in np.flatnonzero(above[1:] != above[:-1]):
                a, b, state = float(grid[i]), float(grid[i + 1]), bool(above[i])
                while a < (middle := a + (b - a) / 2) < b:
                    if bool(self._loss(np.array([middle]))[0] > level) == state:
                        a = middle
                    else:
                        b = middle
                found.append(b)
        return found

    @staticmethod
    def _edge_of_region(log_integrand: LogDensity, peak: float, far: float, floor: float) -> float:
        if log_integrand(np.array([far]))[0] >= floor:
            return far
        inside, outside = peak, far
        for _ in range(200):
            middle = inside + (outside - inside) / 2
            if log_integrand(np.array([middle]))[0] >= floor:
                inside = middle
            else:
                outside = middle
            if abs(outside - inside) <= 1e-3 * abs(inside - peak):
                break
        return outside

    @staticmethod
    def _log_panels(log_integrand: LogDensity, a: float, b: float) -> float:
        # panels double in width away from both ends: kinks and peaks sit at the ends
        half = np.concatenate(([0.0], 0.5 ** np.arange(12, 0, -1.0)))
        cuts = np.concatenate((half, 1 - half[-2::-1]))
        cuts = np.unique(np.concatenate((cuts, np.linspace(0, 1, 33))))
        x = a + (b - a) * cuts
        middles, halves = (x[1:] + x[:-1]) / 2, (x[1:] - x[:-1]) / 2
        nodes = middles[:, None] + halves[:, None] * _NODES
        with np.errstate(divide="ignore"):
            logs = log_integrand(nodes.ravel()) + np.log(np.outer(halves, _WEIGHTS).ravel())
        return _numerics.logsumexp(logs)
