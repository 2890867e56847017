"""Sums of privacy losses on a lattice: certified brackets of a privacy profile.

The hockey-stick curve of one step, H(x) = E[(1 - x e^-L)+] as a function of x = e^epsilon, is
convex. Between the lattice points x_i = e^(offset + i h) it lies below its chords, and above
the chords of points that were lowered by a bound of the chords' errors. Both enclosing curves
are straight between lattice points: they belong to losses with values on the lattice. If one
step's curve lies above that of another, so do the curves of their compositions [1]_: sums of
lattice losses enclose the true sum, at a distance proportional to h^2 and to the steps.

The law of a sum comes from a power of a Fourier transform, whose rounding errors are absolute.
Hence the laws are tilted by e^(theta L) first, such that the sum is typically near the epsilon
in question: then the errors are small relative to delta, however small that is. Of the power
few frequencies are left, and delta is a sum over them. What rounding, wrap-around and the tails
that are cut can amount to is bounded and added.

.. [1] Zhu, Dong and Wang (2022), theorem 10. Chords: Doroshenko, Ghazi, Kamath, Kumar and
   Manurangsi (2022).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)

#: the most by which the logarithm of an integrand changes over half a panel: the three-point
#: rule then errs by less than 1e-13, the factor that divides a cell's mass included
_PANEL = 0.01

#: log of what is cut from a tail or wrapped around at first, relative to the tilted law
_CUT = -25.0

#: log of the largest coefficient of a power that is left out
_NEGLIGIBLE = -36.0
#: the most frequencies that are summed over for each epsilon
_MOST_FREQUENCIES = 2000
#: the longest Fourier transform: 32 MiB an array
_LONGEST = 1 << 22
#: the most cells and panels of one step's law
_MOST_CELLS = 1 << 20
#: from so many points and cells on a bracket is not made narrower
_MOST_WORK = 3e6


def _dot(left: Vector, right: Vector) -> float:
    """The inner product, in one thread: others would take longer to wake up."""
    return float(np.einsum("i,i->", left, right))


class TooLarge(Exception):
    """A lattice so fine has too many points; `by` is the factor that its step must grow by."""

    def __init__(self, by: float) -> None:
        super().__init__(by)
        self.by = by


class Base(ABC):
    """The smooth part of the law of a loss l under Q: l = slope u + intercept, u with a density."""

    slope: float
    intercept: float
    #: of u; the density is smooth inside and zero outside
    support: tuple[float, float]

    @abstractmethod
    def log_density(self, u: Vector) -> Vector: ...

    @abstractmethod
    def log_tail(self, edge: float, rate: float) -> float:
        """log of the integral of the density times e^(rate (u - edge)) over u > edge."""


class NormalBase(Base):
    """N(m, 1) against N(0, 1): l = m u - m^2/2, and u is standard normal under Q."""

    support = (-math.inf, math.inf)

    def __init__(self, shift: float) -> None:
        self.slope, self.intercept = shift, -shift * shift / 2

    def log_density(self, u: Vector) -> Vector:
        return -u * u / 2 - math.log(2 * math.pi) / 2

    def log_tail(self, edge: float, rate: float) -> float:
        from scipy.special import log_ndtr

        return rate * rate / 2 - rate * edge + float(log_ndtr(rate - edge))


class LaplaceBase(Base):
    """The losses strictly between -s and s of two Laplace laws that lie s scales apart."""

    slope, intercept = 1.0, 0.0

    def __init__(self, shift: float) -> None:
        self.support = (-shift, shift)

    def log_density(self, u: Vector) -> Vector:
        return (self.support[0] - u) / 2 - math.log(4)

    def log_tail(self, edge: float, rate: float) -> float:
        return -math.inf


@dataclass(frozen=True)
class Cells:
    """One step's tilted law on the cells [g_i, g_(i+1)] of the lattice g_i = offset + i h.

    Attributes
    ----------
    start : int
        The index of the first lattice point.
    down, up : ndarray of shape (n,)
        The mass inside each cell that goes to its lower and to its upper end, such that P and
        Q both keep theirs; times e^(theta g_i - log_moment) for the lower end g_i.
    atoms : ndarray of shape (n + 1,)
        The mass on each lattice point g_i, times e^(theta g_i - log_moment).
    log_moment : float
        About log E[e^(theta L)].
    lost : float
        A bound of the mass that was cut off, as a part of the whole tilted law.
    rounding : float
        A bound of the relative errors of the masses.
    shift : float
        A bound of the errors of the losses themselves.
    """

    start: int
    down: Vector
    up: Vector
    atoms: Vector
    log_moment: float
    lost: float
    rounding: float
    shift: float


class Law:
    """The law of the loss of one step for ((1-q) Q + q P, Q), or for the reverse of that pair.

    Parameters
    ----------
    rate : float
        q in (0, 1]; 1 gives the pair (P, Q) itself.
    losses, log_masses : array_like of shape (n,)
        The atoms of l = log dP/dQ, -inf allowed, and the logarithms of their masses under Q.
    base : Base, optional
        The rest of the law of l.
    escaped : float
        The mass of P where Q has none.
    forward : bool
        False for the pair (Q, (1-q) Q + q P).

    Attributes
    ----------
    offset : float
        A loss that lattice points should hit: the largest atom.
    spacing : float
        A distance of which all those of the atoms are multiples; 0 if none is seen.
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

    def _spacing(self) -> float:
        gaps = np.diff(np.unique(self.atoms))
        gaps = gaps[gaps > 1e-12 * np.abs(self.atoms).max(initial=0.0)]
        if gaps.size == 0:
            return 0.0
        extent = self.offset - float(self.atoms.min())
        spacing = extent / round(extent / float(gaps.min()))
        return spacing if self._on_lattice(spacing)[1].all() else 0.0

    def _on_lattice(self, h: float) -> tuple[Vector, NDArray[np.bool_]]:
        """The index of the lattice point nearest to each atom, and whether the two are one."""
        position = (self.atoms - self.offset) / h
        nearest = np.rint(position)
        return nearest, np.abs(position - nearest) * h <= 1e-13 * (np.abs(self.atoms) + h)

    def is_exact_on(self, h: float) -> bool:
        """Whether a lattice of step h holds the law as it is."""
        return self.base is None and bool(self._on_lattice(h)[1].all())

    def _mix(self, loss: Vector) -> Vector:
        """log(1 - q + q e^l)."""
        if self.rate == 1:
            return loss
        near = np.log1p(self.rate * np.expm1(np.minimum(loss, 30.0)))
        if loss.max(initial=-math.inf) < 30:
            return near
        odds = (1 - self.rate) / self.rate
        far = math.log(self.rate) + loss + np.log1p(odds * np.exp(-np.maximum(loss, 30.0)))
        return np.where(loss < 30, near, far)

    def _unmix(self, mixed: Vector) -> Vector:
        """The inverse of `_mix`; -inf below its range."""
        if self.rate == 1:
            return mixed
        with np.errstate(divide="ignore"):
            near = np.log1p(np.maximum(np.expm1(np.minimum(mixed, 30.0)) / self.rate, -1.0))
        if mixed.max(initial=-math.inf) < 30:
            return near
        rest = np.log1p(-(1 - self.rate) * np.exp(-np.maximum(mixed, 30.0)))
        return np.where(mixed < 30, near, mixed - math.log(self.rate) + rest)

    # v is u forward and -u backward: the loss never falls with v

    def _loss(self, base: Base, v: Vector) -> Vector:
        mixed = self._mix(base.slope * (v if self.forward else -v) + base.intercept)
        return mixed if self.forward else -mixed

    def _coordinate(self, base: Base, loss: Vector) -> Vector:
        u = (self._unmix(loss if self.forward else -loss) - base.intercept) / base.slope
        return u if self.forward else -u

    def _power(self, theta: float) -> float:
        """The tilted law is e^(power loss) times the density under Q."""
        return theta + 1 if self.forward else theta

    def _log_tilted(self, base: Base, v: Vector, loss: Vector, theta: float) -> Vector:
        return base.log_density(v if self.forward else -v) + self._power(theta) * loss

    def _limits(self, base: Base, theta: float, cut: float) -> tuple[float, float]:
        """An interval of v that holds all but e^cut of the tilted law, or about so much."""
        low, high = base.support
        if math.isfinite(low):
            return (low, high) if self.forward else (-high, -low)
        reach = math.sqrt(-2 * cut) + 1
        end = base.slope * self._power(theta)
        v = np.linspace(-reach, reach + end, 401 + int(min(8 * end, 2e5)))
        values = self._log_tilted(base, v, self._loss(base, v), theta)
        kept = np.flatnonzero(values > values.max() + cut)
        return float(v[max(kept[0] - 1, 0)]), float(v[min(kept[-1] + 1, v.size - 1)])

    def _logs(self, theta: float) -> tuple[Vector, Vector]:
        """Losses and logarithms of the tilted masses, on a coarse grid."""
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
        """log E[e^(theta L); L < inf], to some digits."""
        logs = self._logs(theta)[1]
        if logs.size == 0:
            return -math.inf
        top = float(logs.max())
        return top + math.log(float(np.exp(logs - top).sum()))

    def square(self) -> float:
        """E[L^2; L < inf], to some digits."""
        losses, logs = self._logs(0.0)
        return _dot(np.exp(logs), losses * losses)

    def extent(self, theta: float, cut: float) -> float:
        """The distance between the smallest and the largest loss that count."""
        ends = [self.atoms.min(), self.atoms.max()] if self.atoms.size else []
        if self.base is not None:
            ends.extend(self._loss(self.base, np.array(self._limits(self.base, theta, cut))))
        return float(max(ends) - min(ends)) if ends else 0.0

    def _lost(self, base: Base, low: float, high: float, theta: float, log_moment: float) -> float:
        """A bound of the tilted mass outside [low, high].

        Above, the loss grows at most like l itself, and for the reversed pair, where it is
        concave, at most with its slope at `high`; below, it is at most that at `low`.
        """
        if math.isfinite(base.support[0]):
            return 0.0
        power = self._power(theta)
        at_low, at_high = self._loss(base, np.array([low, high]))
        slope = base.slope
        if not self.forward:
            slope *= min(1.0, self.rate * math.exp(base.intercept - base.slope * high + at_high))
        logs = (
            power * at_low + base.log_tail(-low, 0.0),
            power * at_high + base.log_tail(high, power * slope),
        )
        return math.exp(min(0.0, float(np.logaddexp(*logs)) - log_moment))

    def cells(self, h: float, theta: float, cut: float) -> Cells:
        """The law on the cells of a lattice of step h; of tails about e^cut is cut off.

        Raises
        ------
        TooLarge
            If they are too many.
        """
        extent = self.extent(theta, cut)
        if extent / h > _MOST_CELLS:
            raise TooLarge(extent / h / _MOST_CELLS)
        log_moment = self.log_moment(theta)
        lost = 0.0
        pieces: list[tuple[int, Vector, Vector]] = []
        first = last = 0
        if self.base is not None:
            limits = self._limits(self.base, theta, cut)
            lost = self._lost(self.base, *limits, theta, log_moment)
            pieces.append(self._smooth_cells(self.base, limits, h, theta, log_moment))
            first, last = pieces[0][0], pieces[0][0] + pieces[0][1].size
        # atoms on the lattice, and the cells that the others lie in
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
        rounding = _EPS * (464 + 8 * (theta + 1) * farthest)
        shift = 2e-13 * farthest + 2e-9 * h * (self.base is not None)
        return Cells(first, inside[0], inside[1], atoms, log_moment, lost, rounding, shift)

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
        # where the loss is nearly flat, or the density steep, a cell takes several panels
        width = np.diff(v)
        steep = np.maximum(np.abs(v[1:]), np.abs(v[:-1])) + 1
        if self.rate < 1:
            steep += base.slope
        panels = np.ceil((width / 2 * steep + self._power(theta) * h / 2) / _PANEL)
        count = float(panels.sum())
        if count > 2 * _MOST_CELLS:
            raise TooLarge(1 / 4)
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
    """The masses at each of the places 0, ..., size - 1."""
    return np.bincount(place, weights=mass, minlength=size).astype(np.float64)


def _split(mass: Vector, rest: Vector, h: float) -> tuple[Vector, Vector]:
    """Masses at the distance `rest` above lower ends, divided so that P and Q keep theirs."""
    up = mass * (np.expm1(-rest) / math.expm1(-h))
    return np.maximum(mass - up, 0.0), up


@dataclass(frozen=True)
class Lattice:
    """A loss on the lattice: weights p_i e^(theta g_i - log_moment) from index `start` on."""

    start: int
    weights: Vector
    cells: Cells


def above(cells: Cells, h: float, theta: float) -> Lattice:
    """The chords of the hockey-stick curve."""
    return Lattice(cells.start, cells.atoms + _chords(cells, math.exp(theta * h)), cells)


def _chords(cells: Cells, tilt: float) -> Vector:
    weights = np.zeros(cells.atoms.size)
    weights[:-1] += cells.down
    weights[1:] += cells.up * tilt
    return weights


def below(cells: Cells, h: float, theta: float) -> Lattice:
    """The chords of lowered points, below the hockey-stick curve.

    Curves add up as laws do: what lies on lattice points stays as it is. Of the rest, the curve
    lies in a cell between its chord and the tangents that its end masses give: the chord is too
    high by at most a b/(a + b) (x_(i+1) - x_i), a and b the parts of the cell's Q mass that go
    to its ends. At its left end the curve is a line, at its right end it is 0; points there are
    lowered onto these lines. A curve that is then not convex is replaced by its envelope.

    What belongs to the point i is in units of e^(-theta g_i).
    """
    tilt = math.exp(theta * h)
    both = tilt * math.exp(h)
    top = _chords(cells, tilt)
    down, up = cells.down, cells.up * math.exp(-h)
    whole = down + up
    gap = np.divide(down * up, whole, out=np.zeros_like(whole), where=whole > 0) * math.expm1(h)
    least = np.zeros(top.size)  # by how much a point must be lowered for the chords at it
    least[:-1] = gap
    least[1:] = np.maximum(least[1:], gap * tilt)
    lowered = least.copy()
    # how far the curve lies above the line on the left, which is the slope's change added up
    excess, slope, left, right = 0.0, 0.0, 0, top.size - 1
    while left < right:
        lowered[left] = excess
        slope = slope * both + top[left]
        following = (excess + slope * math.expm1(h)) * tilt
        if excess >= gap[left] and following >= least[left + 1]:
            break
        excess, left = following, left + 1
    # and above 0, from the right
    excess, slope = 0.0, 0.0
    while right > left:
        lowered[right] = excess
        slope = slope / both + top[right]
        following = (excess - slope * math.expm1(-h)) / tilt
        if excess >= gap[right - 1] * tilt and following >= least[right - 1]:
            break
        excess, right = following, right - 1
    slopes = (lowered[1:] / tilt - lowered[:-1]) / math.expm1(h)
    weights = top.copy()
    weights[:-1] -= slopes
    weights[1:] += slopes * both
    weights[:left] = weights[right + 1 :] = 0.0  # on the lines, up to rounding
    if left >= right or not _make_convex(weights, h, theta):
        weights = np.append(cells.down + cells.up, 0.0)  # every loss rounded down
    return Lattice(cells.start, cells.atoms + weights, cells)


def _make_convex(weights: Vector, h: float, theta: float) -> bool:
    """Drop the points of negative weight, in place; False if one is at an end."""
    queue = [int(i) for i in np.flatnonzero(weights < 0)]
    if not queue:
        return True
    n = weights.size
    left, right = np.arange(-1, n - 1), np.arange(1, n + 1)
    while queue:
        i = queue.pop()
        if weights[i] >= 0:
            continue
        before, after = int(left[i]), int(right[i])
        if before < 0 or after >= n:
            return False
        back, ahead = (i - before) * h, (after - i) * h
        share = math.expm1(ahead) / (math.exp(ahead) - math.exp(-back))
        weights[before] += weights[i] * share * math.exp(-(theta + 1) * back)
        weights[after] += weights[i] * (1 - share) * math.exp((theta + 1) * ahead)
        weights[i] = 0.0
        right[before], left[after] = after, before
        queue.extend(j for j in (before, after) if weights[j] < 0)
    return True


class Total:
    """The law of a sum of independent lattice losses, tilted, as a sum of frequencies.

    Parameters
    ----------
    parts : sequence of (Lattice, int)
        Losses and how often each is added.
    h, theta : float
        The lattice's step and the tilt of all of them.
    offset : float
        The sum of the lattices' offsets.
    cut : float
        log of the mass at each end of the sum's law that may be wrapped around.

    Raises
    ------
    TooLarge
        If the transform is too long.
    """

    def __init__(
        self,
        parts: Sequence[tuple[Lattice, int]],
        h: float,
        theta: float,
        offset: float,
        cut: float = _CUT,
    ) -> None:
        from scipy.fft import next_fast_len

        self.h, self.theta, self.offset = h, theta, offset
        laws, self.log_moment, self.outside, self.shift = [], 0.0, 0.0, 0.0
        mean = variance = slip = 0.0
        for part, k in parts:
            whole = float(part.weights.sum())
            weights = part.weights / whole
            index = np.arange(weights.size, dtype=np.float64)
            centre = _dot(weights, index)
            index -= centre
            spread = k * _dot(weights, index * index)
            laws.append((spread, part.start, weights, k, centre, index))
            variance += spread
            logs = part.cells.log_moment, math.log(whole)
            self.log_moment += k * (logs[0] + logs[1])
            slip += k * (abs(logs[0]) + abs(logs[1]))
            mean += k * (part.start + centre)
            self.outside += k * (part.cells.lost / whole + part.cells.rounding)
            self.shift += k * part.cells.shift
        self.slip = 8 * _EPS * (1 + slip)
        ahead, back = _reach(laws, max(math.sqrt(variance), 1.0), cut)
        size = next_fast_len(int(min(ahead + back, 1e15)) + 2, real=True)
        if size > _LONGEST:
            raise TooLarge(size / _LONGEST)
        self.size, self.first = size, round(mean - back)
        self.outside += 2 * math.exp(cut)
        self.mean = mean * h + offset
        laws.sort(key=lambda law: -law[0])
        self._transform([law[1:5] for law in laws])

    def _transform(self, laws: Sequence[tuple[int, Vector, int, float]]) -> None:
        """The frequencies of the sum that are not negligible, and their errors.

        The errors of one transform have a norm (their root of squares) that is bounded, and so
        is each of them; that of a k-th power is k times as large times the power k - 1.
        """
        from scipy.fft import irfft, rfft

        size = self.size
        alive = np.arange(size // 2 + 1)
        most = np.zeros(alive.size)  # log of the modulus, rounded up
        relative = np.zeros(alive.size)  # the norm of the errors, as a part of that
        power = np.zeros(alive.size, dtype=np.complex128)
        self.dropped, self.moved, steps = 0.0, 0, 0
        for start, weights, k, centre in laws:
            middle, steps = round(centre), steps + k
            self.moved += k * (start + middle)
            folded = _fold(weights, middle, size)
            own = _EPS * (2 + math.log2(size)) * math.sqrt(size * _dot(folded, folded))
            f = rfft(folded)
            if alive.size < f.size:
                f = f[alive]
            modulus = np.abs(f) + own
            most += k * np.log(modulus)
            relative += k * own / modulus
            kept = most > _NEGLIGIBLE
            if not kept.all():
                self.dropped += 2 * float(np.exp(most[~kept]).sum()) / size
                alive, most, relative = alive[kept], most[kept], relative[kept]
                power, f = power[kept], f[kept]
            if k > 1 or len(laws) > 1:
                power += k * np.log(np.where(f == 0, 1e-300, f))
        values = np.exp(power) if len(laws) > 1 or laws[0][2] > 1 else f
        twice = np.where((alive > 0) & (2 * alive < size), 2.0, 1.0)
        largest = np.exp(most) / size
        #: by frequency: the errors' norm, and what angles and products add to each
        self.norm = largest * relative * np.sqrt(twice * len(laws))
        self.each = twice * largest * (8 * _EPS * (steps + 4))
        self.frequencies, self.values = alive, values * (twice / size)
        self.turn = self._angle(1)
        self.sums: Vector | None = None
        if alive.size > _MOST_FREQUENCIES:
            whole = np.zeros(size // 2 + 1, dtype=np.complex128)
            whole[alive] = values
            self.sums = np.roll(irfft(whole, size), -((self.first - self.moved) % size))

    def _angle(self, steps: int) -> NDArray[np.complex128]:
        """By how far each frequency turns over some lattice points."""
        turns = (self.frequencies * (steps % self.size)) % self.size
        return np.asarray(2j * math.pi / self.size * turns)

    def _sums(self, epsilon: float) -> tuple[float, float, float]:
        """P - e^epsilon Q and Q of the losses above epsilon, and the error of the first.

        All times e^(theta epsilon), and Q times e^epsilon. With weights w at the lattice points
        z, P is the sum of w e^(-theta (z - epsilon)) and Q that of
        w e^(-(theta + 1) (z - epsilon)): for each frequency a geometric series.
        """
        h, theta = self.h, self.theta
        j = max(math.floor((epsilon - self.offset) / h) + 1, self.first)
        while self.offset + j * h <= epsilon:
            j += 1
        terms = self.first + self.size - j
        if terms <= 0:
            return 0.0, 0.0, self.outside
        distance = self.offset + j * h - epsilon
        if self.sums is not None:
            return self._sums_of_points(j - self.first, terms, distance)
        end = self._angle(terms)
        series = [
            math.exp(-rate * distance)
            * (np.expm1(end - rate * h * terms) / np.expm1(self.turn - rate * h))
            for rate in (theta, theta + 1)
        ]
        at = self.values * np.exp(self._angle(j - self.moved))
        p, q = (at * one for one in series)
        excess = np.abs(series[0] - series[1])
        lost = 32 * _EPS * float(np.abs(p).sum() + np.abs(q).sum())
        noise = math.sqrt(float(np.square(self.norm * excess).sum()))
        noise += float((self.each * excess).sum())
        noise += self.dropped * math.exp(-theta * distance) * min(terms, 1 + 1 / (theta * h))
        return float((p - q).real.sum()), float(q.real.sum()), self.outside + lost + noise

    def _sums_of_points(
        self, begin: int, terms: int, distance: float
    ) -> tuple[float, float, float]:
        """`_sums` from the weights themselves, where most frequencies count."""
        assert self.sums is not None
        h, theta = self.h, self.theta
        count = min(terms, math.ceil(70 / (theta * h)))
        away = distance + h * np.arange(count)
        excess = np.exp(-theta * away)
        weights = self.sums[begin : begin + count]
        q = _dot(weights, excess * np.exp(-away))
        excess *= -np.expm1(-away)
        value = _dot(weights, excess)
        # the norms of this, and of the errors by frequency and of the transform back
        functional = math.sqrt(_dot(excess, excess))
        errors = math.sqrt(self.size) * float(np.linalg.norm(self.norm))
        errors += math.sqrt(self.size) * float(np.linalg.norm(self.each))
        errors += _EPS * (2 + math.log2(self.size)) * float(np.linalg.norm(self.sums))
        error = functional * errors + self.dropped * float(excess.sum())
        error += _EPS * (8 * theta * h * count + count + 8) * _dot(np.abs(weights), excess)
        return value, q, error + self.outside + math.exp(-theta * h * count) * (count < terms)

    def log_delta(self, epsilon: float, *, sign: int) -> tuple[float, float]:
        """log E[(1 - e^(epsilon - S))+] and its slope, about (sign 0), up (1) or down (-1)."""
        value, q, error = self._sums(epsilon)
        value += sign * error
        if value <= 0:
            return -math.inf, -self.theta
        exponent = self.log_moment - self.theta * epsilon
        slip = self.slip + 8 * _EPS * self.theta * abs(epsilon)
        return math.log(value) + exponent + sign * slip, -max(q, 0.0) / value - 1e-9

    def share(self, epsilon: float) -> float:
        """The error of delta at an epsilon, as a part of it."""
        value, _, error = self._sums(epsilon)
        return error / value if value > error else 1.0

    def delta(self, epsilon: float, *, sign: int) -> float:
        """The bound of delta at an epsilon."""
        return math.exp(min(self.log_delta(epsilon - sign * self.shift, sign=sign)[0], 1.0))

    def epsilon(self, log_delta: float, *, sign: int, start: float) -> float:
        """The bound of the epsilon >= 0 at a delta: Newton's method for its logarithm.

        Only points where the curve was seen to be below (or above) delta are returned.
        """
        low, high, x, lost = 0.0, math.inf, max(start, 0.0), 0
        if sign >= 0 and self.log_delta(0.0, sign=sign)[0] <= log_delta:
            return 0.0
        nudge = 1e-8 * self.h + 4 * _EPS * (abs(start) + abs(self.offset))
        for _ in range(100):
            value, slope = self.log_delta(x, sign=sign)
            if value > log_delta:
                low = max(low, x)
            else:
                high = min(high, x)
            lost += value == -math.inf
            if high - low <= nudge or lost > 8:
                break
            new = x + min(max((log_delta - value) / slope, -1e300), 1e300)
            # a little further, such that the two ends come as close as nudge
            new += nudge / 2 if new > x else -nudge / 2
            if not low < new < high:
                new = (low + high) / 2 if high < math.inf else 2 * x + self.h
            x = new
        return high + self.shift if sign >= 0 else max(low - self.shift, 0.0)


Weighted = tuple[float, int, Vector, int, float, Vector]


def _reach(laws: Sequence[Weighted], unit: float, cut: float) -> tuple[float, float]:
    """Distances from the mean beyond which the sum has mass below e^cut: Chernoff's bound."""
    ahead = sum(k * float(index[-1]) for _, _, _, k, _, index in laws)
    back = -sum(k * float(index[0]) for _, _, _, k, _, index in laws)
    for ratio in (4.0, 6.5, 1.5):
        t = ratio / unit
        if any(t * max(float(index[-1]), -float(index[0])) > 600 for *_, index in laws):
            continue
        exponents = [0.0, 0.0]
        for _, _, weights, k, _, index in laws:
            grown = np.exp(t * index)
            exponents[0] += k * math.log(_dot(weights, grown))
            exponents[1] += k * math.log(_dot(weights, 1 / grown))
        ahead = min(ahead, (exponents[0] - cut) / t)
        back = min(back, (exponents[1] - cut) / t)
    return ahead, back


def _fold(weights: Vector, middle: int, size: int) -> Vector:
    """Weights on a circle of `size` points, the one at `middle` at 0."""
    folded = np.zeros(size)
    position, begin = -middle, 0
    while begin < weights.size:  # at most a few turns
        place = position % size
        end = min(weights.size, begin + size - place)
        folded[place : place + end - begin] += weights[begin:end]
        position += end - begin
        begin = end
    return folded


# --- brackets of a composition -----------------------------------------------------------------

#: laws, and how often each is added
Steps = Sequence[tuple[Law, int]]
Bounds = tuple[float, float]

#: how often a lattice is made finer
_ROUNDS = 6


class Composition:
    """A sum of independent losses, in one direction of adjacency.

    Parameters
    ----------
    steps : sequence of (Law, int)
        Laws, and how often each is added.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.offset = math.fsum(k * law.offset for law, k in steps)
        log_kept = math.fsum(
            k * (math.log1p(-law.infinite) if law.infinite < 1 else -math.inf) for law, k in steps
        )
        #: the probability that a loss is infinite, and its rounding error
        self.infinite = -math.expm1(log_kept)
        self.blur = 16 * _EPS * self.infinite
        self.square = math.fsum(k * law.square() for law, k in steps)
        self.exact = self._common_spacing()
        self.finest = self.work = 0.0
        # the width of a bracket grows with the square of the step; atoms between the lattice
        # points keep the curve below from following so closely
        self.exponent = 2 / 3 if any(law.atoms.size for law, _ in steps) else 1 / 2

    def _common_spacing(self) -> float:
        """The step of a lattice that holds all laws as they are; 0 if there is none."""
        spacings = [law.spacing for law, _ in self.steps if law.atoms.size > 1]
        if any(law.base is not None for law, _ in self.steps) or 0.0 in spacings:
            return 0.0
        least = min(spacings, default=1.0)
        return least if all(law.is_exact_on(least) for law, _ in self.steps) else 0.0

    def log_moment(self, theta: float) -> float:
        return math.fsum(k * law.log_moment(theta) for law, k in self.steps)

    def _best_tilt(self, excess: Callable[[float, float], float]) -> float:
        """The tilt at which a function of it and of the logarithm of the moment is the least."""
        middle = -0.5 * math.log(self.square)
        low, high = middle - 7.0, middle + 9.0
        if self.exact:
            high = max(min(high, math.log(40 / self.exact)), low + 1)

        def value(x: float) -> float:
            theta = math.exp(x)
            return excess(theta, self.log_moment(theta))

        return math.exp(_least(value, low, high))

    def tilt_for_delta(self, log_delta: float) -> tuple[float, float]:
        """The tilt of the best Chernoff bound of epsilon, and this bound, both about."""

        def bound(theta: float, log: float) -> float:
            # E[(1 - e^(epsilon - S))+] <= e^log (theta/(theta + 1))^theta/(theta + 1) e^-...
            return (log - log_delta - math.log1p(theta)) / theta - math.log1p(1 / theta)

        theta = self._best_tilt(bound)
        return theta, bound(theta, self.log_moment(theta))

    def tilt_for_epsilon(self, epsilon: float) -> float:
        """The tilt under which the mean is about epsilon."""
        return self._best_tilt(lambda theta, log: log - theta * epsilon)

    def step(self, theta: float, tolerance: float) -> float:
        """The step of a lattice on which epsilon is known to about the tolerance."""
        count = sum(k for _, k in self.steps)
        h = 2 * math.sqrt(tolerance / ((1 + theta) * count))
        return min(h, 0.25 / theta, 0.5 * math.sqrt(self.square))

    def aligned(self, h: float) -> float:
        """A step no larger that the atoms of the most frequent law with some fall on."""
        if self.exact:
            return self.exact
        whole = [(k, law.spacing) for law, k in self.steps if law.spacing > 0]
        spacing = max(whole)[1] if whole else h
        return spacing / math.ceil(spacing / h)

    def totals(self, h: float, theta: float, cut: float) -> tuple[Total, Total]:
        """The sums above and below, on a lattice of step h."""
        for_one = cut - 4 - math.log(sum(k for _, k in self.steps))
        cells = [(law.cells(h, theta, for_one), k) for law, k in self.steps]
        high = Total([(above(c, h, theta), k) for c, k in cells], h, theta, self.offset, cut)
        self.work += high.size + 3 * sum(c.down.size for c, _ in cells)
        if self.exact:
            return high, high
        low = Total([(below(c, h, theta), k) for c, k in cells], h, theta, self.offset, cut)
        return high, low

    def refined(
        self, read: Callable[[Total, Total], Bounds], h: float, theta: float, cut: float
    ) -> tuple[Bounds, float]:
        """What is read off a lattice of step h, or one as fine as can be held; and the step."""
        h = self.aligned(max(h, self.finest))
        for _ in range(8):
            try:
                return read(*self.totals(h, theta, cut)), h
            except TooLarge as error:
                if self.exact:
                    raise
                h = self.finest = h * min(max(1.05 * error.by, 1.1), 1e6)
        raise TooLarge(math.inf)


def _least(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of one variable with one valley is about the least: golden section."""
    golden = (math.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = f(left), f(right)
    while high - low > 0.1:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = f(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = f(right)
    return (low + high) / 2


class _Direction(ABC):
    """A number that belongs to one direction of adjacency, and the bracket of it so far."""

    def __init__(self, sums: Composition, theta: float) -> None:
        self.sums, self.theta, self.cut = sums, theta, _CUT
        self.bounds, self.h = (-math.inf, math.inf), math.inf
        #: of delta that is lost to errors, and how often their causes are still changed
        self.share, self.changes = 1.0, 2
        self.done = False

    @abstractmethod
    def _read(self, high: Total, low: Total) -> Bounds:
        """Both bounds of the number."""

    @abstractmethod
    def _allowed(self, goal: float) -> float:
        """The part of delta that may be lost to rounding, wrap-around and tails."""

    def _best_tilt(self) -> float:
        return self.theta

    def refine(self, h: float) -> None:
        """Intersect the bracket with what a lattice of step h tells."""
        known = self.bounds
        # a larger tilt is more than one cell of the lattice can bear
        theta = self.theta if self.sums.exact else min(self.theta, 0.5 / h)
        found, self.h = self.sums.refined(self._read, h, theta, self.cut)
        self.bounds = max(known[0], found[0]), min(known[1], found[1])

    def improve(self, goal: float) -> None:
        """Come closer to a width, which grows with the square of the step, and the errors."""
        if self.sums.work > _MOST_WORK:
            self.done = True
            return
        allowed, width, before = self._allowed(goal), self.width, self.h
        changed = False
        if self.share > allowed and self.changes > 0:
            theta, cut = self._best_tilt(), max(self.cut + math.log(allowed / self.share), -50.0)
            changed = abs(math.log(theta / self.theta)) > 0.1 or cut < self.cut - 0.5
            self.theta, self.cut, self.changes = theta, min(self.cut, cut - 1), self.changes - 1
        by = (0.85 * goal / width) ** self.sums.exponent if width < math.inf else 0.0
        self.refine(before if changed and self.share > 0.1 else before * min(max(by, 1 / 8), 0.7))
        self.done = not changed and (self.h > 0.9 * before or self.width > 0.8 * width)

    @property
    def width(self) -> float:
        return self.bounds[1] - self.bounds[0]


class _EpsilonOf(_Direction):
    """The epsilon at which the curve is delta."""

    def __init__(self, sums: Composition, rest: float) -> None:
        # a part of delta that is too small or too large by rounding errors
        self.logs = [math.log(rest - s * sums.blur) - s * 4 * _EPS for s in (1, -1)]
        theta, self.estimate = sums.tilt_for_delta(self.logs[0])
        super().__init__(sums, theta)

    def _read(self, high: Total, low: Total) -> Bounds:
        top = high.epsilon(self.logs[0], sign=1, start=min(self.estimate, high.mean))
        self.estimate, self.share = top, high.share(top)
        if self.share > 1e-3:
            self.estimate = high.epsilon(self.logs[0], sign=0, start=top)
        bottom = low.epsilon(self.logs[1], sign=-1, start=self.estimate)
        if bottom > 0:
            self.share = max(self.share, low.share(bottom))
        return bottom, top

    def _allowed(self, goal: float) -> float:
        return 0.05 * goal * self.theta

    def _best_tilt(self) -> float:
        return self.sums.tilt_for_epsilon(self.estimate)


class _DeltaOf(_Direction):
    """The height of the curve at an epsilon."""

    def __init__(self, sums: Composition, epsilon: float) -> None:
        super().__init__(sums, sums.tilt_for_epsilon(epsilon))
        self.epsilon = epsilon
        self.escaped = max(sums.infinite - sums.blur, 0.0), sums.infinite + sums.blur

    def _read(self, high: Total, low: Total) -> Bounds:
        self.share = max(high.share(self.epsilon), low.share(self.epsilon))
        top = self.escaped[1] + high.delta(self.epsilon, sign=1)
        return self.escaped[0] + low.delta(self.epsilon, sign=-1), min(top, 1.0)

    def _allowed(self, goal: float) -> float:
        return 0.05 * goal / max(self.bounds[1], 1e-300)


def _search(
    directions: Sequence[_Direction], h: float, wanted: Callable[[Bounds], float]
) -> Bounds:
    """The bracket of the largest of several numbers, by finer lattices where they matter."""
    for one in directions:
        one.refine(h)
    for _ in range(_ROUNDS):
        bounds = max(d.bounds[0] for d in directions), max(d.bounds[1] for d in directions)
        goal = wanted(bounds)
        rest = [d for d in directions if not d.done and d.bounds[1] > bounds[0] + goal]
        if not rest:
            break
        max(rest, key=lambda d: d.bounds[1]).improve(goal)
    return max(d.bounds[0] for d in directions), max(d.bounds[1] for d in directions)


def epsilon_bracket(directions: Sequence[Steps], delta: float, tolerance: float) -> Bounds:
    """Enclose the least epsilon >= 0 at a delta in (0, 1), the worst over some directions.

    Parameters
    ----------
    directions : sequence of steps
        The laws of each direction of adjacency, with their counts.
    delta : float
        In (0, 1).
    tolerance : float
        The width that is aimed at, as a part of epsilon; absolute for epsilon from 1 to 10.

    Returns
    -------
    (float, float)
        Certain; perhaps farther apart than the tolerance.

    Raises
    ------
    TooLarge
        If no lattice holds the sum.

    Notes
    -----
    Cost: proportional to the cells of the laws, n = (range of losses)/h of each, and to
    N log N, N = (range of their sum)/h, with h about 2 sqrt(tolerance/((1 + theta) steps)).
    """
    found: list[_EpsilonOf] = []
    for steps in directions:
        sums = Composition(steps)
        rest = delta - sums.infinite
        if abs(rest) <= sums.blur:  # whether any delta is left is a matter of rounding
            return 0.0, math.inf
        if rest < 0:
            return math.inf, math.inf
        if sums.square > 0:
            found.append(_EpsilonOf(sums, rest))
    if not found:
        return 0.0, 0.0
    square = max(one.sums.square for one in found)
    largest = max(found, key=lambda one: one.estimate)
    coarser = 30 if len(found) > 1 else 1
    h = largest.sums.step(largest.theta, coarser * _goal(tolerance, largest.estimate, square))
    return _search(found, h, lambda bounds: _goal(tolerance, bounds[0], square))


def _goal(tolerance: float, epsilon: float, square: float) -> float:
    """The width of a bracket that is aimed at near an epsilon."""
    part = min(max(epsilon, 0.0), max(1.0, epsilon / 10))
    return tolerance * max(part, 1e-2 * min(1.0, math.sqrt(square)))


def delta_bracket(directions: Sequence[Steps], epsilon: float, tolerance: float) -> Bounds:
    """Enclose the delta at an epsilon >= 0, the worst over some directions; as `epsilon_bracket`.

    The tolerance is relative, and the bounds differ by 1e-320 at least.
    """
    found: list[_DeltaOf] = []
    least = h = 0.0
    for steps in directions:
        sums = Composition(steps)
        if sums.square > 0:
            one = _DeltaOf(sums, epsilon)
            found.append(one)
            coarser = 30 if len(directions) > 1 else 1
            h = max(h, sums.step(one.theta, coarser * tolerance / (1 + one.theta)))
        else:
            least = max(least, sums.infinite)
    low, high = least * (1 - 32 * _EPS), least * (1 + 32 * _EPS)
    if found:
        bounds = _search(found, h, lambda bounds: tolerance * bounds[1] + 1e-318)
        low, high = max(low, bounds[0]), max(high, bounds[1] + 1e-320)
    return low, min(high, 1.0)
