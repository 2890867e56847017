"""The distribution of one step's privacy loss, and its masses on the cells of a lattice."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach.accounting.lattice.cells import CUT, EPS, MOST_CELLS, Cells, TooLarge, Vector, dot

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)

#: the largest change of log(integrand) over half an integration panel, so that the three-point
#: Gauss rule has a relative error below 1e-13
_PANEL = 0.02
#: the number of intervals into which each tail is divided to bound its mass
_PIECES = 64


class Base(ABC):
    """The smooth part of a loss: slope * u + intercept, where u has a smooth density under Q."""

    slope: float
    intercept: float
    #: an interval of u; the density is smooth inside and zero outside
    support: tuple[float, float]

    @abstractmethod
    def log_density(self, u: Vector) -> Vector: ...

    @abstractmethod
    def log_tail(self, edge: float, rate: float) -> float:
        """Return the log of the integral of density(u) e^(rate (u - edge)) over u > edge."""

    @abstractmethod
    def log_between(self, low: Vector, high: Vector, rate: Vector) -> Vector:
        """Return the log of a bound on the integral of density(u) e^(rate u) from low to high.

        The result is an upper bound, needed only for a density with an unbounded support.
        """


class GaussianBase(Base):
    """The loss of N(m, 1) against N(0, 1): m u - m^2/2, where u is standard normal under Q."""

    support = (-math.inf, math.inf)

    def __init__(self, shift: float) -> None:
        self.slope, self.intercept = shift, -shift * shift / 2

    def log_density(self, u: Vector) -> Vector:
        return -u * u / 2 - math.log(2 * math.pi) / 2

    def log_tail(self, edge: float, rate: float) -> float:
        from scipy.special import log_ndtr

        return rate * rate / 2 - rate * edge + float(log_ndtr(rate - edge))

    def log_between(self, low: Vector, high: Vector, rate: Vector) -> Vector:
        from scipy.special import log_ndtr

        return np.asarray(rate * rate / 2 + np.minimum(log_ndtr(high - rate), log_ndtr(rate - low)))


class LaplaceBase(Base):
    """The losses in (-shift, shift) of two Laplace distributions that are `shift` scales apart."""

    slope, intercept = 1.0, 0.0

    def __init__(self, shift: float) -> None:
        self.support = (-shift, shift)

    def log_density(self, u: Vector) -> Vector:
        return (self.support[0] - u) / 2 - math.log(4)

    def log_tail(self, edge: float, rate: float) -> float:
        return -math.inf

    def log_between(self, low: Vector, high: Vector, rate: Vector) -> Vector:
        return np.full(low.shape, -math.inf)


class StepLoss:
    """The privacy loss of one step: of the pair ((1-q) Q + q P, Q), or of the reversed pair.

    Parameters
    ----------
    rate : float
        q in (0, 1]; 1 gives the pair (P, Q) itself.
    losses, log_masses : array_like of shape (n,)
        The atoms of l = log dP/dQ, -inf allowed, and the logarithms of their masses under Q.
    base : Base, optional
        The smooth part of the distribution of l.
    escaped : float
        The mass of P where Q has mass 0.
    forward : bool
        False for the pair (Q, (1-q) Q + q P).

    Attributes
    ----------
    offset : float
        A loss that lattice points should hit: the largest atom.
    spacing : float
        A number of which all distances between atoms are multiples; 0 if none was found.
    infinite : float
        The probability of an infinite loss.
    """

    def __init__(
        self,
        rate: float,
        losses: ArrayLike = (),
        log_masses: ArrayLike = (),
        base: Base | None = None,
        *,
        escaped: float = 0.0,
        forward: bool = True,
    ) -> None:
        self.rate, self.base, self.forward = rate, base, forward
        mixed = self._mix(np.asarray(losses, dtype=np.float64))
        logs = np.asarray(log_masses, dtype=np.float64)
        if forward:
            atoms, self.infinite = mixed, rate * escaped
            logs = np.where(mixed > -math.inf, logs + mixed, -math.inf)
        else:
            atoms = -mixed
            self.infinite = math.fsum(np.exp(logs[atoms == math.inf]))
        kept = np.isfinite(atoms) & np.isfinite(logs)
        self.atoms, self.log_masses = atoms[kept], logs[kept]
        self.offset = float(self.atoms.max()) if self.atoms.size else 0.0
        self.spacing = self._spacing()
        # the method `without` removes the smooth part beyond the coordinate `_top`; `log_missed` is
        # the log of a bound on its mass there
        self._top, self.log_missed = math.inf, -math.inf

    def _spacing(self) -> float:
        gaps = np.diff(np.unique(self.atoms))
        gaps = gaps[gaps > 1e-12 * np.abs(self.atoms).max(initial=0.0)]
        if gaps.size == 0:
            return 0.0
        extent = self.offset - float(self.atoms.min())
        spacing = extent / round(extent / float(gaps.min()))
        return spacing if self._on_lattice(spacing)[1].all() else 0.0

    def _on_lattice(self, h: float) -> tuple[Vector, NDArray[np.bool_]]:
        """Return the index of the lattice point nearest to each atom, and whether they coincide."""
        position = (self.atoms - self.offset) / h
        nearest = np.rint(position)
        return nearest, np.abs(position - nearest) * h <= 1e-13 * (np.abs(self.atoms) + h)

    def is_exact_on(self, h: float) -> bool:
        """Return whether all possible losses are points of a lattice of step h."""
        return self.base is None and bool(self._on_lattice(h)[1].all())

    def without(self, log_mass: float) -> StepLoss:
        """Return the distribution without its largest losses, of probability below e^log_mass.

        Exponential tilting would make these losses likely, although they are too rare to matter.
        Only losses of a smooth part with unbounded support are removed.
        """
        if self.base is None or math.isfinite(self.base.support[0]):
            return self
        from scipy.special import ndtri_exp

        def above(log_tail: float) -> float:
            return -math.inf if log_tail >= 0 else -float(ndtri_exp(log_tail)) * (1 + 1e-9)

        half = log_mass - math.log(2)
        copied = copy.copy(self)
        if self.forward:
            copied._top = above(half - math.log(self.rate)) + self.base.slope
            if self.rate < 1:
                copied._top = max(copied._top, above(half - math.log1p(-self.rate)))
        else:
            copied._top = above(log_mass)
        copied.log_missed = log_mass
        return copied

    def centered(self, h: float) -> StepLoss:
        """Return a copy whose lattice of step h contains the mean of the losses near log(1 - q).

        For a small rate q, most losses are near log(1 - q), closer together than lattice points.
        Moving them to their mean barely loosens the bounds on epsilon and delta; any other point
        loosens the bounds a lot.
        """
        if self.base is None or self.rate == 1 or self.atoms.size:
            return self
        sign = 1 if self.forward else -1
        edge = np.array([sign * (math.log1p(-self.rate) + h / 2)])
        u = sign * self._coordinate(self.base, edge)
        p, q = (
            self.base.log_between(np.full(1, -math.inf), u, np.full(1, rate))
            for rate in (self.base.slope, 0.0)
        )
        copied = copy.copy(self)
        mean = float(self._mix(p - q + self.base.intercept)[0])
        copied.offset = sign * mean if math.isfinite(mean) else 0.0
        return copied

    def cuts(self, theta: float) -> bool:
        """Return whether the method `without` removed losses that the tilt theta would make likely.

        The tilt weights each loss L by e^(theta L).
        """
        if self.base is None or self._top == math.inf:
            return False
        return self._limits(self.base, theta, CUT, math.inf)[1] > self._top

    def _mix(self, loss: Vector) -> Vector:
        """Return the loss of (1-q) Q + q P against Q from the loss l of P: log(1 - q + q e^l)."""
        if self.rate == 1:
            return loss
        near = np.log1p(self.rate * np.expm1(np.minimum(loss, 30.0)))
        if loss.max(initial=-math.inf) < 30:
            return near
        odds = (1 - self.rate) / self.rate
        far = math.log(self.rate) + loss + np.log1p(odds * np.exp(-np.maximum(loss, 30.0)))
        return np.where(loss < 30, near, far)

    def _unmix(self, mixed: Vector) -> Vector:
        """Return the inverse of `_mix`; -inf for values below its range."""
        if self.rate == 1:
            return mixed
        with np.errstate(divide="ignore"):
            near = np.log1p(np.maximum(np.expm1(np.minimum(mixed, 30.0)) / self.rate, -1.0))
        if mixed.max(initial=-math.inf) < 30:
            return near
        rest = np.log1p(-(1 - self.rate) * np.exp(-np.maximum(mixed, 30.0)))
        return np.where(mixed < 30, near, mixed - math.log(self.rate) + rest)

    # v is the variable u of the class `Base`, or -u if `forward` is false, so that the loss is
    # nondecreasing in v

    def _loss(self, base: Base, v: Vector) -> Vector:
        mixed = self._mix(base.slope * (v if self.forward else -v) + base.intercept)
        return mixed if self.forward else -mixed

    def _share(self, base: Base, v: Vector) -> Vector:
        """Return the derivative of `_mix` at the loss l of P: q e^l/(1 - q + q e^l), q = `rate`."""
        loss = base.slope * (v if self.forward else -v) + base.intercept
        return np.asarray(np.exp(np.minimum(math.log(self.rate) + loss - self._mix(loss), 0.0)))

    def _coordinate(self, base: Base, loss: Vector) -> Vector:
        u = (self._unmix(loss if self.forward else -loss) - base.intercept) / base.slope
        return u if self.forward else -u

    def _power(self, theta: float) -> float:
        """Return a number a: tilting by theta multiplies the density under Q by e^(a loss)."""
        return theta + 1 if self.forward else theta

    def _log_tilted(self, base: Base, v: Vector, loss: Vector, theta: float) -> Vector:
        return base.log_density(v if self.forward else -v) + self._power(theta) * loss

    def _limits(
        self, base: Base, theta: float, cut: float, top: float | None = None
    ) -> tuple[float, float]:
        """Return an interval outside which the tilted density is below e^cut times its maximum.

        Its ends are values of v: the variable u of the class `Base`, or -u if `forward` is false.
        """
        low, high = base.support
        if math.isfinite(low):
            return (low, high) if self.forward else (-high, -low)
        reach = math.sqrt(-2 * cut) + 1
        end = base.slope * self._power(theta)
        last = max(min(reach + end, self._top if top is None else top), 1.0 - reach)
        v = np.linspace(-reach, last, 401 + int(min(8 * (last + reach), 2e5)))
        values = self._log_tilted(base, v, self._loss(base, v), theta)
        kept = np.flatnonzero(values > values.max() + cut)
        if kept.size == 0:  # no mass is left if the square of the slope overflows
            raise TooLarge(math.inf)
        return float(v[max(kept[0] - 1, 0)]), float(v[min(kept[-1] + 1, v.size - 1)])

    def _logs(self, theta: float) -> tuple[Vector, Vector]:
        """Return losses and the logs of their tilted masses.

        The losses are the atoms, and a coarse grid of losses for the smooth part.
        """
        losses, logs = self.atoms, theta * self.atoms + self.log_masses
        if self.base is None:
            return losses, logs
        low, high = self._limits(self.base, theta, -15.0)
        scale = 1.0 if math.isfinite(self.base.support[0]) else min(1.0, 1 / self.base.slope)
        v = np.linspace(low, high, 101 + int(min(6 * (high - low) / scale, 1e5)))
        loss = self._loss(self.base, v)
        values = self._log_tilted(self.base, v, loss, theta) + math.log(v[1] - v[0])
        values[[0, -1]] -= math.log(2)
        return np.concatenate((losses, loss)), np.concatenate((logs, values))

    def log_moment(self, theta: float) -> float:
        """Return log E[e^(theta L); L < inf] for the loss L, accurate to a few digits."""
        logs = self._logs(theta)[1]
        if logs.size == 0:
            return -math.inf
        top = float(logs.max())
        return top + math.log(float(np.exp(logs - top).sum()))

    def square(self) -> float:
        """Return E[L^2; L < inf] for the loss L, accurate to a few digits."""
        losses, logs = self._logs(0.0)
        return dot(np.exp(logs), losses * losses)

    def largest(self) -> tuple[float, float]:
        """Return the largest finite loss (inf if unbounded) and the log of its probability."""
        top = float(self.atoms.max(initial=-math.inf))
        if self.base is not None:
            ends = np.array(self.base.support)
            if np.isfinite(ends).all():
                far = float(self._loss(self.base, ends if self.forward else -ends[::-1]).max())
            else:
                # the loss l of P against Q is unbounded below, but that of the mixture (1 - rate)
                # Q + rate P is at least log(1 - rate), so the largest loss of the reversed pair is
                # -log(1 - rate)
                far = math.inf if self.forward or self.rate == 1 else -math.log1p(-self.rate)
            top = max(top, far)
        if not self.atoms.size or top == math.inf:
            return top, -math.inf
        there = self.log_masses[self.atoms >= top - 1e-12 * abs(top)]
        return top, float(np.logaddexp.reduce(there)) if there.size else -math.inf

    def extent(self, theta: float, cut: float) -> float:
        """Return the length of the range of the tilted losses, except tails of mass about e^cut."""
        ends = [self.atoms.min(), self.atoms.max()] if self.atoms.size else []
        if self.base is not None:
            ends.extend(self._loss(self.base, np.array(self._limits(self.base, theta, cut))))
        return float(max(ends) - min(ends)) if ends else 0.0

    def _lost(self, base: Base, low: float, high: float, theta: float, log_moment: float) -> float:
        """Return a bound on the tilted mass outside [low, high].

        `low` and `high` are values of v, the variable u of the class `Base`, or -u if `forward` is
        false. The loss is nondecreasing in v.

        Each tail is divided into intervals. On an interval the loss is bounded by a linear function
        of v: by a chord if `forward` is true (the loss is convex in v), and otherwise by a tangent
        (it is concave). Beyond the outermost intervals, the bound is linear above `high` and
        constant below `low`.
        """
        if math.isfinite(base.support[0]):
            return 0.0
        power = self._power(theta)
        end = high
        if high < self._top and self.forward and self.rate < 1:
            # end the intervals at least 20 above the largest mean that the tilted distribution can
            # have, so that little mass lies beyond; but at most at `_top`, because losses beyond it
            # were left out
            end = min(max(end, power * base.slope + 20), self._top)
        v = np.concatenate(
            (
                np.linspace(min(low, -9.0), low, _PIECES + 1),
                high + (end - high) * np.linspace(0.0, 1.0, _PIECES + 1) ** 3,
            )
        )
        loss = self._loss(base, v)
        if self.forward:
            rising = np.diff(loss) / np.maximum(np.diff(v), 1e-300)
            last = base.slope
        else:
            odds = math.log(self.rate) + base.intercept - base.slope * v + loss
            tangents = base.slope * np.exp(np.minimum(odds, 0.0))
            rising, last = tangents[1:], float(tangents[-1])
        lines = power * (loss[1:] - rising * v[1:])
        pieces = lines + base.log_between(v[:-1], v[1:], power * rising)
        outside = np.diff(v) > 0
        outside[_PIECES] = False  # skip the interval [low, high] itself
        logs = [*pieces[outside], power * loss[0] + base.log_tail(-float(v[0]), 0.0)]
        if end < self._top:
            logs.append(power * loss[-1] + base.log_tail(float(v[-1]), power * last))
        return math.exp(min(float(np.logaddexp.reduce(logs)) - log_moment, 700.0))

    def cells(self, h: float, theta: float, cut: float) -> Cells:
        """Return the tilted masses on lattice cells of length h, without tails of mass about e^cut.

        Raises
        ------
        TooLarge
            If there are too many cells or integration panels.
        """
        extent = self.extent(theta, cut)
        if extent / h > MOST_CELLS:
            raise TooLarge(extent / h / MOST_CELLS)
        log_moment = self.log_moment(theta)
        lost = 0.0
        pieces: list[tuple[int, Vector, Vector]] = []
        first = last = 0
        if self.base is not None:
            limits = self._limits(self.base, theta, cut)
            lost = self._lost(self.base, *limits, theta, log_moment)
            pieces.append(self._smooth_cells(self.base, limits, h, theta, log_moment))
            first, last = pieces[0][0], pieces[0][0] + pieces[0][1].size
        # `place` is the index of an atom's lattice point if the atom is on the lattice, and
        # otherwise the index of the cell that contains the atom
        nearest, on = self._on_lattice(h)
        place = np.where(on, nearest, np.floor((self.atoms - self.offset) / h)).astype(np.int64)
        if place.size:
            lowest, highest = int(place.min()), int(place.max()) + 1
            first, last = (min(first, lowest), max(last, highest)) if pieces else (lowest, highest)
        mass = np.exp(self.log_masses + theta * (self.offset + h * place) - log_moment)
        atoms: Vector = _counted(place[on] - first, mass[on], last - first + 1)
        if not on.all():
            rest = np.clip((self.atoms - self.offset - h * place)[~on], 0.0, h)
            down, up = _split(mass[~on], rest, h)
            where, n = place[~on] - first, last - first
            pieces.append((first, _counted(where, down, n), _counted(where, up, n)))
        inside = np.zeros((2, last - first))
        for begin, down, up in pieces:
            inside[:, begin - first : begin - first + down.size] += (down, up)
        farthest = abs(self.offset) + h * max(abs(first), abs(last))
        rounding = EPS * (464 + 8 * (theta + 1) * farthest)
        shift = 2e-13 * farthest + 2e-9 * h * (self.base is not None)
        return Cells(
            first, inside[0], inside[1], atoms, log_moment, lost, rounding, shift, self.log_missed
        )

    def _smooth_cells(
        self, base: Base, limits: tuple[float, float], h: float, theta: float, log_moment: float
    ) -> tuple[int, Vector, Vector]:
        low, high = limits
        ends = (self._loss(base, np.array(limits)) - self.offset) / h
        first = math.floor(ends[0] + 1e-9)
        last = max(math.ceil(ends[1] - 1e-9), first + 1)
        g = self.offset + h * np.arange(first, last + 1)
        v = np.clip(self._coordinate(base, g), low, high)
        v[0], v[-1] = low, high
        v = np.maximum.accumulate(v)
        # divide a cell into several integration panels if the density is steep there, or if the
        # cell is wide in v, as it is where the loss is nearly flat
        width = np.diff(v)
        # compute how steep the integrand is: `slopes` are the derivatives of the loss with respect
        # to v, and the log of a normal density has the derivative -v
        slopes = base.slope * self._share(base, v)
        least, most = np.minimum(slopes[1:], slopes[:-1]), np.maximum(slopes[1:], slopes[:-1])
        power = self._power(theta)
        if math.isfinite(base.support[0]):
            steep = 1 + power * most
        else:
            steep = np.maximum(np.abs(power * least - v[1:]), np.abs(power * most - v[:-1])) + 1
        if self.rate < 1:
            steep += base.slope
        panels = np.ceil((width * steep + theta * h) / (2 * _PANEL))
        count = float(panels.sum())
        if count > 2 * MOST_CELLS:
            # if the density alone needs too many panels, a coarser lattice does not help
            raise TooLarge(
                math.inf if float((width * steep).sum()) > 4 * _PANEL * MOST_CELLS else 1
            )
        panels = panels.astype(np.int64)
        edges = np.cumsum(panels) - panels
        cell = np.repeat(np.arange(panels.size), panels)
        half = (width / (2 * panels))[cell]
        middle = v[cell] + half * (2 * (np.arange(cell.size) - edges[cell]) + 1)
        nodes = middle + _NODES[:, None] * half
        loss = self._loss(base, nodes)
        rest = np.clip(loss - g[cell], 0.0, h)
        mass = np.exp(self._log_tilted(base, nodes, loss, theta) - theta * rest - log_moment)
        down, up = _split(mass * (_WEIGHTS[:, None] * half), rest, h)
        return (
            first,
            np.add.reduceat(down.sum(axis=0), edges),
            np.add.reduceat(up.sum(axis=0), edges),
        )


def _counted(place: NDArray[np.int64], mass: Vector, size: int) -> Vector:
    """Return the total mass at each of the places 0, ..., size - 1."""
    return np.bincount(place, weights=mass, minlength=size).astype(np.float64)


def _split(mass: Vector, rest: Vector, h: float) -> tuple[Vector, Vector]:
    """Divide each mass, which lies `rest` above the lower end of its cell, between both ends.

    The total masses under P and under Q are both preserved.
    """
    up = mass * (np.expm1(-rest) / math.expm1(-h))
    return np.maximum(mass - up, 0.0), up
