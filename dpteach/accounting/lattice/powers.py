"""The distributions of k-fold sums of one lattice loss for many k, with bounds on all errors."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpteach.accounting.lattice.cells import EPS, TooLarge, Vector, dot
from dpteach.accounting.lattice.enclosing import LatticeLoss
from dpteach.accounting.lattice.scattered import _HEIGHT, _LARGEST, _TENTS
from dpteach.accounting.lattice.total import _LONGEST, _NEGLIGIBLE, _fold

Complex = NDArray[np.complex128]
Whole = NDArray[np.int64]

#: the largest number of entries of an array that has one row for each number of steps k
_MOST_ENTRIES = 1 << 19
#: numbers of steps k whose ratio is at most this are computed together, because the k-th powers
#: need similar frequencies
_NEAR = 1.5
#: the largest number of steps k: for larger k, the accumulated rounding errors are too large
MOST_COUNT = 1e8


class Powers:
    """The sums of k independent lattice losses for many k, all from one Fourier transform.

    With weights w at the points z of a sum, delta is e^(log_moment - theta epsilon) times the sum
    of w e^(-theta (z - epsilon)) (1 - e^(epsilon - z)) over z > epsilon. Each Fourier frequency
    contributes a geometric series to this sum.

    Parameters
    ----------
    part : LatticeLoss
        The loss of one step.
    counts : ndarray of shape (n,)
        The numbers of steps k: integers in ascending order, at most `MOST_COUNT`.
    h, theta, offset : float
        The lattice step, the exponential tilt, and the offset of the loss of one step.
    cut : float
        The log of the tilted mass that the Fourier transform may wrap around at each end.

    Attributes
    ----------
    size : int
        The number of points of the transform.
    work : float
        The estimated time to compute epsilon for all counts, in units of about 20 ns.

    Raises
    ------
    TooLarge
        If the transform has too many points.
    """

    def __init__(
        self, part: LatticeLoss, counts: Vector, h: float, theta: float, offset: float, cut: float
    ) -> None:
        from scipy.fft import next_fast_len

        self.h, self.theta, self.counts = h, theta, counts
        self.offset = counts * offset
        whole = float(part.weights.sum())
        weights = part.weights / whole
        index = np.arange(weights.size, dtype=np.float64)
        center = dot(weights, index)
        index -= center
        logs = part.cells.log_moment, math.log(whole)
        self.log_moment = counts * (logs[0] + logs[1])
        self.slip = 8 * EPS * (1 + counts * (abs(logs[0]) + abs(logs[1])))
        self.shift = counts * part.cells.shift
        mean = counts * (part.start + center)
        self.mean = mean * h + self.offset
        ahead, back = _reach(weights, index, counts, cut)
        size = next_fast_len(int(min(float((ahead + back).max()), 1e15)) + 2, real=True)
        if size > _LONGEST:
            raise TooLarge(size / _LONGEST)
        self.size = size
        self.first: Whole = np.rint(mean - back).astype(np.int64)
        middle = round(center)
        turns = (part.start + middle) % size
        self.moved: Whole = (counts.astype(np.int64) % size) * turns % size
        # rounding and truncated tails lose, move or add tilted mass: at most expm1(changed) + 2
        # e^cut. One unit of mass changes delta by at most `at_most`, the maximum of e^(-theta x)
        # (1 - e^-x)
        changed = counts * math.log1p(part.cells.lost / whole + part.cells.rounding)
        at_most = math.exp(-theta * math.log1p(1 / theta)) / (theta + 1)
        self.outside = (np.expm1(np.minimum(changed, 700.0)) + 2 * math.exp(cut)) * at_most
        self._transform(_fold(weights, middle, size))
        left = self.most.size - np.searchsorted(np.sort(self.most), _NEGLIGIBLE / counts)
        self.work = (
            size
            + 16.0 * self.most.size
            + float(np.where(8 * left > size, 2 * size, 8 * left).sum())
        )

    def _transform(self, folded: Vector) -> None:
        """Compute the Fourier coefficients that matter for at least one k, and their errors.

        The code bounds the Euclidean norm of the rounding errors of a transform. The error of the
        k-th power of a coefficient is the coefficient's error times k, times the (k-1)-th power of
        its modulus.
        """
        from scipy.fft import rfft

        size, h, theta = self.size, self.h, self.theta
        f = rfft(folded)
        self.own = EPS * (2 + math.log2(size)) * math.sqrt(size * dot(folded, folded))
        modulus = np.abs(f) + self.own
        most = np.log(modulus)
        # keep the frequencies that matter for the smallest k, because it needs the most
        counted = self.counts[0] * most > _NEGLIGIBLE
        dropped = 2 * float(np.exp(self.counts[0] * most[~counted]).sum()) / size
        kept = np.flatnonzero(counted)
        self.frequencies, f = kept, f[kept]
        self.most, modulus = most[kept], modulus[kept]
        self.log = np.log(np.where(f == 0, 1e-300, f))
        self.twice = np.where((kept > 0) & (2 * kept < size), 2.0, 1.0)
        turn = 2j * math.pi / size * kept
        down = [-np.expm1(turn - rate * h) for rate in (theta, theta + 1)]
        #: for each frequency, its contribution to the masses of e^z Q (`q`) and of P - e^z Q
        #: (`excess`) on a lattice point z and all points above it: the sum of a geometric series
        self.q = 1 / down[1]
        self.excess = np.exp(turn - theta * h) * -math.expm1(-h) / (down[0] * down[1])
        self.linear = np.abs(np.stack((self.excess, self.q)))
        self.squares = np.square(self.linear / modulus) / self.twice
        # the largest absolute values of `excess` and `q` for any frequency: those at frequency 0
        every = -1 / math.expm1(-(theta + 1) * h)
        self.every = np.array(
            [math.exp(-theta * h) * math.expm1(-h) / math.expm1(-theta * h) * every, every]
        )
        self.dropped = dropped

    @cached_property
    def _roots(self) -> Complex:
        part = math.isqrt(self.size) + 1
        near, far = (np.exp(2j * math.pi / self.size * np.arange(part) * m) for m in (1, part))
        return np.asarray(np.multiply.outer(far, near).ravel())

    def angles(self, turns: Whole) -> Complex:
        """Return e^(2 pi i turns/size) for integer turns from 0 to size - 1."""
        if self.size < 4 * self.frequencies.size * self.counts.size:
            return np.asarray(self._roots.take(turns))
        return np.asarray(np.exp(2j * math.pi / self.size * turns))

    def epsilons(
        self,
        log_deltas: Vector,
        *,
        sign: int,
        start: Vector,
        nudge: Vector,
        scattered: bool = False,
    ) -> tuple[Vector, Vector]:
        """Return bounds on the least epsilon >= 0 at a delta for each number of steps, and errors.

        Parameters
        ----------
        log_deltas, start, nudge : ndarray of shape (n,)
            The logs of delta, approximate epsilons from which the search starts, and the accuracy
            of epsilon at which it ends.
        sign : int
            Upper (1) or lower (-1) bounds.
        scattered : bool
            Whether to derive lower bounds from the distribution that gives the upper bounds, as the
            module `scattered` does.

        Returns
        -------
        (ndarray, ndarray)
            The bounds on epsilon, and the errors of delta relative to delta.
        """
        n, begin, beside = self.counts.size, 0, 0.0
        epsilons, shares = np.empty(n), np.empty(n)
        while begin < n:
            last = int(np.searchsorted(self.counts, _NEAR * self.counts[begin], side="right"))
            frequencies = np.flatnonzero(self.counts[begin] * self.most > _NEGLIGIBLE)
            table = 8 * frequencies.size > self.size
            width = 2 * (self.size if table else frequencies.size)
            some = slice(begin, max(begin + 1, min(last, begin + _MOST_ENTRIES // width)))
            sums = _Sums(self, some, sign, frequencies, table)
            if scattered:
                sums.spread = self.h / 2 * np.sqrt(self.counts[some])
            guess = start[some] + beside
            found, shares[some] = sums.solve(log_deltas[some], guess, nudge[some])
            epsilons[some] = found + sign * self.shift[some]
            # the starting points for the next values of k probably have about the same error as
            # the last one, so add this error to them
            beside += float(found[-1] - guess[-1]) if math.isfinite(found[-1]) else 0.0
            begin = some.stop
        return np.maximum(epsilons, 0.0), shares


class _Sums:
    """The distributions of the sums of k losses, for similar k, and the bounds on delta from them.

    The bounds are upper (sign 1) or lower bounds (-1).
    """

    def __init__(
        self, powers: Powers, some: slice, sign: int, frequencies: Whole, table: bool
    ) -> None:
        from scipy.fft import irfft

        self.powers, self.sign = powers, sign
        self.counts, self.offset = powers.counts[some], powers.offset[some]
        self.first, self.moved = powers.first[some], powers.moved[some]
        self.log_moment, self.slip = powers.log_moment[some], powers.slip[some]
        self.outside, self.least = powers.outside[some], -powers.shift[some]
        k, size, parts = self.counts[:, None], powers.size, (powers.excess, powers.q)
        most, twice = powers.most, powers.twice
        linear, squares, logs = powers.linear, powers.squares, powers.log
        dropped = powers.dropped
        if frequencies.size < most.size:
            gone = np.ones(most.size, dtype=bool)
            gone[frequencies] = False
            dropped += 2 * float(np.exp(k[0] * most[gone]).sum()) / size
            most, twice, logs = most[frequencies], twice[frequencies], logs[frequencies]
            linear, squares = linear[:, frequencies], squares[:, frequencies]
            parts = parts[0][frequencies], parts[1][frequencies]
        largest = np.exp(k * most) * (twice / size)
        values = np.exp(k * logs)
        terms = 8 * (k + 4) + 32 + (0 if table else most.size)
        errors = EPS * terms * _products(largest, linear) + dropped * powers.every
        errors += powers.own * k * np.sqrt(_products(np.square(largest), squares))
        self.frequencies = powers.frequencies[frequencies]
        self.tables: list[Vector] = []
        if table:
            whole = np.zeros((self.counts.size, size // 2 + 1), dtype=np.complex128)
            for part in parts:
                whole[:, self.frequencies] = values * part
                self.tables.append(irfft(whole, size, axis=1))
            back = EPS * (2 + math.log2(size))
            norms = [np.sqrt(np.einsum("ij,ij->i", t, t)) for t in self.tables]
            errors += back * np.stack(norms, axis=1)
        else:
            self.values, self.parts = values * (twice / size), parts
        #: bounds on the errors of the two masses that `_from` returns
        self.errors = errors
        #: for lower bounds computed as in module `scattered`: the standard deviation s for each k;
        #: otherwise empty
        self.spread = np.zeros(0)
        # cache of `_from`: `seen` holds its last results, and `place` their lattice points
        self.place = np.full(self.counts.size, np.iinfo(np.int64).min)
        self.seen = np.zeros((2, self.counts.size))
        self.ends = self._from(np.arange(self.counts.size), self.first).copy()

    def _from(self, rows: Whole, points: Whole) -> Vector:
        """Return the masses of P - e^z Q and of e^z Q on a lattice point z and all points above it.

        Each index in `rows` selects a number of steps k from `counts`, and `points` has a lattice
        point for each. The result has one row for each of the two masses. Beyond its last point,
        the lattice repeats periodically, and the masses there are included. Both masses are
        multiplied by e^(theta z - log_moment).
        """
        powers = self.powers
        new = self.place[rows] != points
        if new.any():
            some, at = rows[new], points[new]
            self.place[some] = at
            place = (at - self.moved[some]) % powers.size
            if self.tables:
                self.seen[:, some] = [table[some, place] for table in self.tables]
            else:
                turns = (place[:, None] * self.frequencies) % powers.size
                values = self.values if some.size == self.counts.size else self.values[some]
                values = values * powers.angles(turns)
                self.seen[:, some] = [_product(values, part) for part in self.parts]
        return self.seen[:, rows]

    def _sums(self, rows: Whole, epsilons: Vector) -> tuple[Vector, Vector, Vector]:
        """Return delta, e^epsilon Q(sum > epsilon), and a bound on the error of delta.

        Each result has one entry for each index in `rows`, which selects a number of steps k from
        `counts`. All entries are multiplied by e^(theta epsilon - log_moment).
        """
        h, theta = self.powers.h, self.powers.theta
        first, offset = self.first[rows], self.offset[rows]
        place = np.floor(np.clip((epsilons - offset) / h, -(2.0**60), 2.0**60)).astype(np.int64) + 1
        place = np.maximum(place, first)
        place += offset + place * h <= epsilons
        terms = np.maximum(first + self.powers.size - place, 0)
        inside = terms > 0
        place = np.where(inside, place, first)
        near = np.where(inside, np.maximum(offset + place * h - epsilons, 0.0), 0.0)
        far = near + h * terms
        here, there = np.exp(-theta * near), np.exp(-theta * far)
        split = -np.expm1(-near), -np.expm1(-far)
        excess, q = self._from(rows, place)
        end_excess, end_q = self.ends[:, rows]
        value = here * (excess + split[0] * q) - there * (end_excess + split[1] * end_q)
        slope = here * (1 - split[0]) * q - there * (1 - split[1]) * end_q
        error = self.errors[rows, 0] * (here + there)
        error += self.errors[rows, 1] * (here * split[0] + there * split[1])
        value, slope, error = (np.where(inside, a, 0.0) for a in (value, slope, error))
        return value, slope, error + self.outside[rows]

    def _log_deltas(self, rows: Whole, epsilons: Vector) -> tuple[Vector, Vector]:
        """Return bounds on log delta for some counts, and the slopes of the bounds in epsilon."""
        if self.spread.size:
            return self._log_deltas_below(rows, epsilons)
        return self._of_lattice(rows, epsilons, self.sign)

    def _of_lattice(self, rows: Whole, epsilons: Vector, sign: int) -> tuple[Vector, Vector]:
        theta = self.powers.theta
        value, q, error = self._sums(rows, epsilons)
        value += sign * error
        seen = value > 0
        value = np.where(seen, value, 1.0)
        slip = self.slip[rows] + 8 * EPS * theta * np.abs(epsilons)
        logs = np.log(value) + self.log_moment[rows] - theta * epsilons + sign * slip
        slopes = np.where(seen, -np.maximum(q, 0.0) / value - theta * 1e-9 - 1e-9, -theta)
        return np.where(seen, logs, -math.inf), slopes

    def _log_deltas_below(self, rows: Whole, epsilons: Vector) -> tuple[Vector, Vector]:
        """Return lower bounds on log delta, derived as in module `scattered`, and their slopes."""
        middle, slopes = self._of_lattice(rows, epsilons, -1)
        s = self.spread[rows]
        known = (s <= _LARGEST) & (middle > -math.inf)
        at = np.where(known, middle, 0.0)
        widths = [(w * s, c * np.exp(w * s)) for w, c in _TENTS]
        reach = s * (np.sqrt(2 * np.maximum(30 - at, 0.0)) + s)
        width = np.maximum(reach, 7 * s) + 1.2 * s
        widths.append((width, _HEIGHT / 0.19 * np.exp(np.minimum(width, 700.0))))
        share = np.full(rows.size, 1 - math.exp(-29))
        for w, c in widths:
            ends = (
                self._of_lattice(rows, epsilons - w, 1)[0],
                self._of_lattice(rows, epsilons + w, 1)[0] - w,
            )
            tent = sum(np.exp(np.minimum(end - at, 700.0)) for end in ends) - 1 - np.exp(-w)
            share -= c * np.maximum(tent, 0.0)
        known &= share > 0
        logs = at + np.log(np.where(known, share, 1.0))
        return np.where(known, logs, -math.inf), slopes

    def _share(self, epsilons: Vector) -> Vector:
        """Return the relative error of delta at each of the epsilons, capped at 1."""
        value, _, error = self._sums(np.arange(epsilons.size), epsilons)
        return np.asarray(np.where(value > error, error / np.where(value > error, value, 1.0), 1.0))

    def solve(self, log_deltas: Vector, start: Vector, nudge: Vector) -> tuple[Vector, Vector]:
        """Solve for the epsilon at which log delta has a given value, by Newton's method.

        All numbers of steps are treated at once, and each argument has one entry for each number.
        `start` is where the iteration starts, and `nudge` the accuracy of epsilon at which it
        ends. The result has the epsilons and the relative errors of delta. Each epsilon is a point
        at which delta was evaluated, so it is a valid bound even if the iteration has not
        converged.
        """
        low, high = self.least.copy(), np.full(start.size, math.inf)
        lost = np.zeros(start.size, dtype=np.int64)
        # for upper bounds (sign 1): the rows for which delta was not yet evaluated at the smallest
        # possible epsilon, `self.least`
        unseen = np.full(start.size, self.sign > 0)
        x = np.clip(start, low, 1e300)
        rows = np.arange(start.size)
        for _ in range(100):
            if rows.size == 0:
                break
            at = x[rows]
            values, slopes = self._log_deltas(rows, at)
            above = values > log_deltas[rows]
            low[rows] = np.where(above, np.maximum(low[rows], at), low[rows])
            high[rows] = np.where(above, high[rows], np.minimum(high[rows], at))
            unseen[rows] &= at > self.least[rows]
            lost[rows] += values == -math.inf
            # go a little beyond the root, so that the search soon has points on both sides of the
            # root that are less than `nudge` apart
            with np.errstate(over="ignore", invalid="ignore"):
                step = (log_deltas[rows] - values) / slopes
            new = at + step + np.where(step > 0, 0.5, -0.5) * nudge[rows]
            least, most = low[rows], high[rows]
            unsure = unseen[rows] & (least == self.least[rows])
            first = unsure & ~(new > least)
            outside = ~((least < new) & (new < most))
            half = np.where(most < math.inf, (least + most) / 2, 2 * at + self.powers.h)
            x[rows] = np.where(first, least, np.where(outside, half, new))
            done = (most - least <= nudge[rows]) & ~unsure
            done |= (lost[rows] > 8) | (most == least)
            rows = rows[~done]
        found = high if self.sign > 0 else low
        return found, self._share(found)


def chernoff(part: LatticeLoss, counts: Vector, theta: float) -> Vector:
    """Return the log of a Chernoff bound on delta at epsilon = 0, for each number of steps.

    At any other epsilon, this log is smaller by theta epsilon.
    """
    whole = float(part.weights.sum())
    logs = part.cells.log_moment, math.log(whole)
    slip = 16 * EPS * (1 + counts * (abs(logs[0]) + abs(logs[1])))
    changed = math.log1p(part.cells.lost / whole + part.cells.rounding)
    slip += theta * counts * part.cells.shift
    at_most = -theta * math.log1p(1 / theta) - math.log1p(theta)
    return np.asarray(counts * (logs[0] + logs[1] + changed) + slip + at_most)


def _product(rows: Complex, column: Complex) -> Vector:
    """Return the real part of a matrix-vector product, computed in one thread, which is faster."""
    return np.asarray(np.einsum("ij,j->i", rows, column).real)


def _products(rows: Vector, columns: Vector) -> Vector:
    return np.stack([np.einsum("ij,j->i", rows, column) for column in columns], axis=1)


def _reach(weights: Vector, index: Vector, counts: Vector, cut: float) -> tuple[Vector, Vector]:
    """Return how far sums of k losses reach above and below their mean, in lattice points.

    Both arrays have an entry for each k in `counts`. By Chernoff bounds, the exponentially
    tilted mass beyond each of these distances is below e^cut.
    """
    ahead, back = counts * float(index[-1]), -counts * float(index[0])
    farthest = max(float(index[-1]), -float(index[0]))
    one = math.sqrt(dot(weights, index * index))
    low, high = (max(one * math.sqrt(k), 1.0) for k in (counts[0], counts[-1]))
    for ratio in np.geomspace(0.2 / high, 6.5 / low, 7):
        t = float(ratio)
        if t * farthest > 600:
            continue
        grown = np.exp(t * index)
        ahead = np.minimum(ahead, (counts * math.log(dot(weights, grown)) - cut) / t)
        back = np.minimum(back, (counts * math.log(dot(weights, 1 / grown)) - cut) / t)
    return ahead, back
