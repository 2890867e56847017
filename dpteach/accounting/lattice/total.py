"""The law of a sum of lattice losses, with bounds of all its errors."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpteach.accounting.lattice.cells import CUT, EPS, TooLarge, Vector, dot
from dpteach.accounting.lattice.enclosing import Lattice

#: log of the largest coefficient of a power that is left out
_NEGLIGIBLE = -36.0
#: the most frequencies that are summed over for each epsilon
_MOST_FREQUENCIES = 2000
#: so many points of a transform take as long as one term of a sum
_DIRECT = 4
#: the terms of sums that are looked at together
_BLOCK = 1 << 18
#: the longest Fourier transform: 32 MiB an array
_LONGEST = 1 << 22


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
        cut: float = CUT,
    ) -> None:
        from scipy.fft import next_fast_len

        self.h, self.theta, self.offset = h, theta, offset
        self.sums: Vector | None = None
        laws, self.log_moment, self.shift = [], 0.0, 0.0
        mean = variance = slip = lost = rounding = 0.0
        missed = []
        for part, k in parts:
            whole = float(part.weights.sum())
            weights = part.weights / whole
            index = np.arange(weights.size, dtype=np.float64)
            centre = dot(weights, index)
            index -= centre
            spread = k * dot(weights, index * index)
            laws.append((spread, part.start, weights, k, centre, index))
            variance += spread
            logs = part.cells.log_moment, math.log(whole)
            self.log_moment += k * (logs[0] + logs[1])
            slip += k * (abs(logs[0]) + abs(logs[1]))
            mean += k * (part.start + centre)
            lost += k * math.log1p(part.cells.lost / whole)
            rounding += k * part.cells.rounding
            self.shift += k * part.cells.shift
            missed.append(math.log(k) + part.cells.log_missed)
        #: of log delta: weights that are all too large or too small make a sum so
        self.slip = 8 * EPS * (1 + slip) + rounding * (1 + 1e-9)
        self.log_missed = float(np.logaddexp.reduce(missed))
        self.mean = mean * h + offset
        # e^(-theta z) (1 - e^-z), what mass in the wrong place counts at most
        at_most = math.exp(-theta * math.log1p(1 / theta)) / (1 + theta)
        self.outside = math.expm1(min(lost, 700.0)) * at_most
        if len(laws) == 1 and laws[0][3] == 1:
            self._keep(laws[0][1], laws[0][2])
            return
        ahead, back = _reach(laws, max(math.sqrt(variance), 1.0), cut)
        size = next_fast_len(int(min(ahead + back, 1e15)) + 2, real=True)
        if size > _LONGEST:
            raise TooLarge(size / _LONGEST)
        self.size, self.first = size, round(mean - back)
        self.outside += 2 * math.exp(cut) * at_most
        laws.sort(key=lambda law: -law[0])
        self._transform([law[1:5] for law in laws])

    def _keep(self, start: int, weights: Vector) -> None:
        """One law, once: its weights are known, with small relative errors."""
        self.size, self.first, self.sums = weights.size, start, weights
        self.noise, self.work = (0.0, 0.0), weights.size
        self.frequencies = np.zeros(0, dtype=np.int64)

    def _transform(self, laws: Sequence[tuple[int, Vector, int, float]]) -> None:
        """The frequencies of the sum that are not negligible, and their errors.

        The errors of one transform have a norm (their root of squares) that is bounded, and so
        is each of them; that of a k-th power is k times as large times the power k - 1.
        """
        from scipy.fft import irfft, rfft

        size = self.size
        _, weights, k, centre = laws[0]
        alive, self.dropped = _frequencies(weights, round(centre), k, size)
        most = np.zeros(alive.size)  # log of the modulus, rounded up
        relative = np.zeros(alive.size)  # the norm of the errors, as a part of that
        values: NDArray[np.complex128] | None = None
        turned = np.zeros(alive.size)  # angles that were rounded, together
        self.moved, steps, self.work = 0, 0, alive.size
        for start, weights, k, centre in laws:
            middle, steps = round(centre), steps + k
            self.moved += k * (start + middle)
            terms = alive.size * int(np.count_nonzero(weights))
            if _DIRECT * terms < size:
                some = np.flatnonzero(weights)
                f, own = _direct(weights[some], some - middle, alive, size)
                self.work += terms
            else:
                folded = _fold(weights, middle, size)
                own = EPS * (2 + math.log2(size)) * math.sqrt(size * dot(folded, folded))
                f = rfft(folded)
                self.work += size
                if alive.size < f.size:
                    f = f[alive]
            modulus = np.abs(f) + own
            most += k * np.log(modulus)
            relative += k * own / modulus
            kept = most > _NEGLIGIBLE
            if not kept.all():
                self.dropped += 2 * float(np.exp(most[~kept]).sum()) / size
                alive, most, relative = alive[kept], most[kept], relative[kept]
                f, turned = f[kept], turned[kept]
                values = values[kept] if values is not None else None
            if k > 1:
                power = k * np.log(np.where(f == 0, 1e-300, f))
                turned += np.abs(power.imag)
                f = np.exp(power)
            values = f if values is None else values * f
        assert values is not None
        twice = np.where((alive > 0) & (2 * alive < size), 2.0, 1.0)
        largest = np.exp(most) / size
        #: by frequency: the errors' norm, and what angles and products add to each
        self.norm = largest * relative * np.sqrt(twice * len(laws))
        self.each = twice * largest * (EPS * (8 * (steps + 4) + turned))
        self.frequencies, self.values = alive, values * (twice / size)
        self.turn = self._angle(1)
        if alive.size > _MOST_FREQUENCIES:
            whole = np.zeros(size // 2 + 1, dtype=np.complex128)
            whole[alive] = values
            self.sums = np.roll(irfft(whole, size), -((self.first - self.moved) % size))
            errors = math.sqrt(size) * (_norm(self.norm) + _norm(self.each))
            errors += EPS * (2 + math.log2(size)) * _norm(self.sums)
            #: the norm of the weights' errors, and what was left out of each
            self.noise = errors, self.dropped

    def _angle(self, steps: int) -> NDArray[np.complex128]:
        """Return by how far each frequency turns over some lattice points."""
        half = self.size // 2  # from -half on: relative accuracy near a whole turn, too
        turns = (self.frequencies * (steps % self.size) + half) % self.size - half
        return np.asarray(2j * math.pi / self.size * turns)

    def _sums(self, epsilon: float) -> tuple[float, float, float]:
        """P - e^epsilon Q and Q of the losses above epsilon, and the error of the first.

        All times e^(theta epsilon), and Q times e^epsilon. With weights w at the lattice points
        z, P is the sum of w e^(-theta (z - epsilon)) and Q that of
        w e^(-(theta + 1) (z - epsilon)): for each frequency a geometric series.
        """
        h, theta, last = self.h, self.theta, self.first + self.size
        if epsilon >= self.offset + (last - 1) * h:
            return 0.0, 0.0, self.outside
        j = max(math.floor((epsilon - self.offset) / h) + 1, self.first)
        if self.offset + j * h <= epsilon:  # rounding; there may be many points to a float
            j += bisect_right(range(j, last), epsilon, key=lambda i: self.offset + i * h)
        terms = last - j
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
        lost = 32 * EPS * float(np.abs(p).sum() + np.abs(q).sum())
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
        q = dot(weights, excess * np.exp(-away))
        excess *= -np.expm1(-away)
        value = dot(weights, excess)
        functional = math.sqrt(dot(excess, excess))
        error = functional * self.noise[0] + self.noise[1] * float(excess.sum())
        error += EPS * (8 * theta * h * count + count + 8) * dot(np.abs(weights), excess)
        return value, q, error + self.outside + math.exp(-theta * h * count) * (count < terms)

    def log_delta(self, epsilon: float, *, sign: int) -> tuple[float, float]:
        """log E[(1 - e^(epsilon - S))+] and its slope, about (sign 0), up (1) or down (-1)."""
        value, q, error = self._sums(epsilon)
        value += sign * error
        q += sign * self.theta * error  # errors fall as e^(-theta epsilon)
        if sign > 0:
            value += math.exp(min(self.log_missed + self.theta * epsilon - self.log_moment, 700.0))
        if value <= 0:
            return -math.inf, -self.theta
        exponent = self.log_moment - self.theta * epsilon
        slip = self.slip + 8 * EPS * self.theta * abs(epsilon)
        return math.log(value) + exponent + sign * slip, -max(q, 0.0) / value - 1e-9

    def share(self, epsilon: float) -> float:
        """Return the error of delta at an epsilon, as a part of it."""
        value, _, error = self._sums(epsilon)
        error += math.exp(min(self.log_missed + self.theta * epsilon - self.log_moment, 700.0))
        return error / value if value > error else 1.0

    def delta(self, epsilon: float, *, sign: int) -> float:
        """Return the bound of delta at an epsilon."""
        return math.exp(min(self.log_delta(epsilon - sign * self.shift, sign=sign)[0], 1.0))

    def epsilon(self, log_delta: float, *, sign: int, start: float) -> float:
        """Return the bound of the epsilon >= 0 at a delta: Newton's method for its logarithm.

        Only points where the curve was seen to be below (or above) delta are returned.
        """
        low, high, x, lost = 0.0, math.inf, max(start, 0.0), 0
        if sign >= 0 and self.log_delta(0.0, sign=sign)[0] <= log_delta:
            return 0.0
        nudge = 1e-8 * self.h + 4 * EPS * (abs(start) + abs(self.offset))
        end = self.offset + (self.first + self.size) * self.h
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
            if x < end < new:  # where only errors are left
                new = end
            if not low < new < high:
                new = (low + high) / 2 if high < math.inf else 2 * x + self.h
            x = new
        return high + self.shift if sign >= 0 else max(low - self.shift, 0.0)


def _norm(values: Vector) -> float:
    return math.sqrt(dot(values, values))


def _frequencies(
    weights: Vector, middle: int, k: int, size: int
) -> tuple[NDArray[np.int64], float]:
    """Those of a circle that a k-th power may leave, and a bound of what the others add to a point.

    Of a law that is much shorter than the circle a coarser transform tells: between its points
    the modulus changes by the mean distance from the middle, times the angle.
    """
    from scipy.fft import next_fast_len, rfft

    coarse = next_fast_len(max(32 * weights.size, size // 16), real=True)
    if _DIRECT * coarse > size:
        return np.arange(size // 2 + 1), 0.0
    folded = _fold(weights, middle, coarse)
    own = EPS * (2 + math.log2(coarse)) * math.sqrt(coarse * dot(folded, folded))
    distance = dot(np.abs(weights), np.abs(np.arange(weights.size) - float(middle)))
    most = k * np.log(np.abs(rfft(folded)) + own + (1 + 1e-9) * math.pi / coarse * distance)
    near = most > _NEGLIGIBLE
    if 2 * np.count_nonzero(near) > near.size:
        return np.arange(size // 2 + 1), 0.0
    ratio = size / coarse
    dropped = 2 * float(np.exp(most[~near]).sum()) * (ratio + 2) / size
    first = np.floor((np.flatnonzero(near) - 0.5) * ratio).astype(np.int64)
    found = np.zeros(size // 2 + 1, dtype=bool)
    found[np.clip(np.add.outer(first, np.arange(math.ceil(ratio) + 2)), 0, size // 2)] = True
    return np.flatnonzero(found), dropped


def _direct(
    weights: Vector, places: NDArray[np.int64], frequencies: NDArray[np.int64], size: int
) -> tuple[NDArray[np.complex128], float]:
    """Some frequencies of few weights on a circle, and the norm of their errors.

    numpy adds up in pairs, beginning with at most 16 terms one after the other.
    """
    values = np.empty(frequencies.size, dtype=np.complex128)
    rows = max(1, _BLOCK // places.size)
    for begin in range(0, frequencies.size, rows):
        some = slice(begin, begin + rows)
        turns = np.multiply.outer(frequencies[some], places) % size
        values[some] = (np.exp(-2j * math.pi / size * turns) * weights).sum(axis=1)
    each = EPS * (40 + math.log2(places.size)) * float(np.abs(weights).sum())
    return values, each * math.sqrt(2 * frequencies.size)


Weighted = tuple[float, int, Vector, int, float, Vector]


def _reach(laws: Sequence[Weighted], unit: float, cut: float) -> tuple[float, float]:
    """Distances from the mean beyond which the sum has mass below e^cut: Chernoff's bound."""
    ahead = sum(k * float(index[-1]) for _, _, _, k, _, index in laws)
    back = -sum(k * float(index[0]) for _, _, _, k, _, index in laws)
    farthest = max(max(float(index[-1]), -float(index[0])) for *_, index in laws)
    for ratio in (4.0, 6.5, 1.5, 0.5, 0.15, 0.05):
        t = ratio / unit
        if t * farthest > 600:
            continue
        if ratio < 1 and max(ahead, back) < 30 * unit:
            break
        exponents = [0.0, 0.0]
        for _, _, weights, k, _, index in laws:
            grown = np.exp(t * index)
            exponents[0] += k * math.log(dot(weights, grown))
            exponents[1] += k * math.log(dot(weights, 1 / grown))
        ahead = min(ahead, (exponents[0] - cut) / t)
        back = min(back, (exponents[1] - cut) / t)
    return ahead, back


def _fold(weights: Vector, middle: int, size: int) -> Vector:
    """Return weights on a circle of `size` points, the one at `middle` at 0."""
    folded = np.zeros(size)
    position, begin = -middle, 0
    while begin < weights.size:  # at most a few turns
        place = position % size
        end = min(weights.size, begin + size - place)
        folded[place : place + end - begin] += weights[begin:end]
        position += end - begin
        begin = end
    return folded
