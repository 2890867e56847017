"""The distribution of a sum of lattice losses, with bounds on all its errors."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpteach.accounting.lattice.cells import CUT, EPS, TooLarge, Vector, dot
from dpteach.accounting.lattice.enclosing import LatticeLoss

#: the Fourier coefficients of a sum are neglected if the log of their modulus is at most this
_NEGLIGIBLE = -36.0
#: if more Fourier frequencies than this matter, delta is computed from the probabilities of the
#: sum's values and not from the Fourier coefficients
_MOST_FREQUENCIES = 2000
#: if a Fourier coefficient is computed term by term, one term costs as much as this many points of
#: a fast Fourier transform
_DIRECT = 4
#: the largest number of terms of Fourier coefficients that are kept in memory at once
_BLOCK = 1 << 18
#: the largest size of a Fourier transform, at which an array takes 32 MiB
_LONGEST = 1 << 22


class Total:
    """The exponentially tilted distribution of a sum of lattice losses, in Fourier coefficients.

    Parameters
    ----------
    parts : sequence of (LatticeLoss, int)
        Independent losses, and how often each occurs in the sum.
    h, theta : float
        The lattice step and the exponential tilt, the same for all losses.
    offset : float
        The sum takes values at offset + i h for integers i.
    cut : float
        The log of the tilted mass that the Fourier transform may wrap around at each end.

    Raises
    ------
    TooLarge
        If the transform is too long.
    """

    def __init__(
        self,
        parts: Sequence[tuple[LatticeLoss, int]],
        h: float,
        theta: float,
        offset: float,
        cut: float = CUT,
    ) -> None:
        from scipy.fft import next_fast_len

        self.h, self.theta, self.offset = h, theta, offset
        self.sums: Vector | None = None
        losses, self.log_moment, self.shift = [], 0.0, 0.0
        mean = variance = slip = lost = rounding = 0.0
        missed = []
        for part, k in parts:
            whole = float(part.weights.sum())
            weights = part.weights / whole
            index = np.arange(weights.size, dtype=np.float64)
            center = dot(weights, index)
            index -= center
            spread = k * dot(weights, index * index)
            losses.append((spread, part.start, weights, k, center, index))
            variance += spread
            logs = part.cells.log_moment, math.log(whole)
            self.log_moment += k * (logs[0] + logs[1])
            slip += k * (abs(logs[0]) + abs(logs[1]))
            mean += k * (part.start + center)
            lost += k * math.log1p(part.cells.lost / whole)
            rounding += k * part.cells.rounding
            self.shift += k * part.cells.shift
            missed.append(math.log(k) + part.cells.log_missed)
        #: a bound on the error of log delta that relative errors of the weights cause
        self.slip = 8 * EPS * (1 + slip) + rounding * (1 + 1e-9)
        self.log_missed = float(np.logaddexp.reduce(missed))
        self.mean = mean * h + offset
        # one unit of misplaced mass changes delta by at most `at_most`, the maximum over z of
        # e^(-theta z) (1 - e^-z)
        at_most = math.exp(-theta * math.log1p(1 / theta)) / (1 + theta)
        self.outside = math.expm1(min(lost, 700.0)) * at_most
        if len(losses) == 1 and losses[0][3] == 1:
            self._keep(losses[0][1], losses[0][2])
            return
        ahead, back = _reach(losses, max(math.sqrt(variance), 1.0), cut)
        size = next_fast_len(int(min(ahead + back, 1e15)) + 2, real=True)
        if size > _LONGEST:
            raise TooLarge(size / _LONGEST)
        self.size, self.first = size, round(mean - back)
        self.outside += 2 * math.exp(cut) * at_most
        losses.sort(key=lambda loss: -loss[0])
        self._transform([loss[1:5] for loss in losses])

    def _keep(self, start: int, weights: Vector) -> None:
        """Store the weights of a sum of only one loss, which needs no Fourier transform."""
        self.size, self.first, self.sums = weights.size, start, weights
        self.noise, self.work = (0.0, 0.0), weights.size
        self.frequencies = np.zeros(0, dtype=np.int64)

    def _transform(self, losses: Sequence[tuple[int, Vector, int, float]]) -> None:
        """Compute the Fourier coefficients of the sum that are not negligible, and their errors.

        The code bounds the Euclidean norm of the rounding errors of a transform. The error of the
        k-th power of a coefficient is the coefficient's error times k, times the (k-1)-th power of
        its modulus.
        """
        from scipy.fft import irfft, rfft

        size = self.size
        _, weights, k, center = losses[0]
        alive, self.dropped = _frequencies(weights, round(center), k, size)
        most = np.zeros(alive.size)  # log of each coefficient's modulus, rounded up
        relative = np.zeros(alive.size)  # the norm of the rounding errors, relative to the modulus
        values: NDArray[np.complex128] | None = None
        # the sum of the absolute angles of each coefficient's factors: an angle's rounding error is
        # proportional to the angle
        turned = np.zeros(alive.size)
        self.moved, steps, self.work = 0, 0, alive.size
        for start, weights, k, center in losses:
            middle, steps = round(center), steps + k
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
        #: for each frequency: `norm` is its contribution to the norm of the errors of the
        #: transforms, and `each` the error of its coefficient from rounded angles and products
        self.norm = largest * relative * np.sqrt(twice * len(losses))
        self.each = twice * largest * (EPS * (8 * (steps + 4) + turned))
        self.frequencies, self.values = alive, values * (twice / size)
        self.turn = self._angle(1)
        if alive.size > _MOST_FREQUENCIES:
            whole = np.zeros(size // 2 + 1, dtype=np.complex128)
            whole[alive] = values
            self.sums = np.roll(irfft(whole, size), -((self.first - self.moved) % size))
            errors = math.sqrt(size) * (_norm(self.norm) + _norm(self.each))
            errors += EPS * (2 + math.log2(size)) * _norm(self.sums)
            #: the norm of the errors of the weights, and the largest contribution of neglected
            #: frequencies to a weight
            self.noise = errors, self.dropped

    def _angle(self, steps: int) -> NDArray[np.complex128]:
        """Return i times the phase that each frequency gains over `steps` lattice points."""
        # shift the angles to [-pi, pi), so that angles near a whole turn are accurate as well
        half = self.size // 2
        turns = (self.frequencies * (steps % self.size) + half) % self.size - half
        return np.asarray(2j * math.pi / self.size * turns)

    def _sums(self, epsilon: float) -> tuple[float, float, float]:
        """Return delta, e^epsilon Q(sum > epsilon), and a bound on the error of delta.

        All three are multiplied by e^(theta epsilon - log_moment). With weights w at the lattice
        points z, P(sum > epsilon) is then the sum of w e^(-theta (z - epsilon)) over z > epsilon,
        and e^epsilon Q(sum > epsilon) that of w e^(-(theta + 1) (z - epsilon)). Delta is their
        difference. For each frequency both sums are geometric series.
        """
        h, theta, last = self.h, self.theta, self.first + self.size
        if epsilon >= self.offset + (last - 1) * h:
            return 0.0, 0.0, self.outside
        j = max(math.floor((epsilon - self.offset) / h) + 1, self.first)
        # several lattice points may round to the same float, so skip those that are not above
        # epsilon
        if self.offset + j * h <= epsilon:
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
        """Return delta, e^epsilon Q(sum > epsilon), and a bound on delta's error, as `_sums` does.

        They are computed from `self.sums`, the weights of the sum.
        """
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
        """Return log delta = log E[(1 - e^(epsilon - S))+] for the sum S, and its slope in epsilon.

        The sign selects an approximation (0), an upper bound (1) or a lower bound (-1).
        """
        value, q, error = self._sums(epsilon)
        value += sign * error
        # the slope of the error in epsilon is -theta times the error
        q += sign * self.theta * error
        if sign > 0:
            value += math.exp(min(self.log_missed + self.theta * epsilon - self.log_moment, 700.0))
        if value <= 0:
            return -math.inf, -self.theta
        exponent = self.log_moment - self.theta * epsilon
        slip = self.slip + 8 * EPS * self.theta * abs(epsilon)
        return math.log(value) + exponent + sign * slip, -max(q, 0.0) / value - 1e-9

    def share(self, epsilon: float) -> float:
        """Return the relative error of delta at an epsilon, capped at 1."""
        value, _, error = self._sums(epsilon)
        error += math.exp(min(self.log_missed + self.theta * epsilon - self.log_moment, 700.0))
        return error / value if value > error else 1.0

    def delta(self, epsilon: float, *, sign: int) -> float:
        """Return an upper (sign 1) or lower (-1) bound on delta at an epsilon."""
        return math.exp(min(self.log_delta(epsilon - sign * self.shift, sign=sign)[0], 1.0))

    def epsilon(self, log_delta: float, *, sign: int, start: float) -> float:
        """Return a bound on the least epsilon >= 0 at a delta, by Newton's method for log delta.

        The sign is as in `log_delta`. The result is a point at which delta was evaluated, so it is
        a valid bound even if the iteration has not converged.
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
            # go a little beyond the root, so that the search soon has points on both sides of the
            # root that are less than `nudge` apart
            new += nudge / 2 if new > x else -nudge / 2
            # go no farther than the last lattice point, because only errors remain beyond it
            if x < end < new:
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
    """Return the frequencies that matter in the k-th power of a transform, and a bound on the rest.

    The transform is that of the weights on a circle of `size` points. The bound is on the total
    effect of all other frequencies on a weight of the k-th power.

    If the weights cover only a small part of the circle, a coarse transform, with fewer points,
    gives a bound on the modulus at every frequency: the modulus at the nearest frequency of the
    coarse transform, plus the angle between the two frequencies times the weighted sum of the
    distances from `middle`.
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
    """Return some Fourier coefficients of a few weights, and a bound on the norm of their errors.

    The coefficients are computed term by term, without a fast Fourier transform. The error bound
    relies on how numpy sums: at most 16 terms one by one, and then these sums in pairs.
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


def _reach(losses: Sequence[Weighted], unit: float, cut: float) -> tuple[float, float]:
    """Return how far the sum of the losses reaches above and below its mean, in lattice points.

    By Chernoff bounds, the exponentially tilted mass beyond each distance is below e^cut.
    """
    ahead = sum(k * float(index[-1]) for _, _, _, k, _, index in losses)
    back = -sum(k * float(index[0]) for _, _, _, k, _, index in losses)
    farthest = max(max(float(index[-1]), -float(index[0])) for *_, index in losses)
    for ratio in (4.0, 6.5, 1.5, 0.5, 0.15, 0.05):
        t = ratio / unit
        if t * farthest > 600:
            continue
        if ratio < 1 and max(ahead, back) < 30 * unit:
            break
        exponents = [0.0, 0.0]
        for _, _, weights, k, _, index in losses:
            grown = np.exp(t * index)
            exponents[0] += k * math.log(dot(weights, grown))
            exponents[1] += k * math.log(dot(weights, 1 / grown))
        ahead = min(ahead, (exponents[0] - cut) / t)
        back = min(back, (exponents[1] - cut) / t)
    return ahead, back


def _fold(weights: Vector, middle: int, size: int) -> Vector:
    """Return the weights wrapped around a circle of `size` points, with index `middle` at 0."""
    folded = np.zeros(size)
    position, begin = -middle, 0
    while begin < weights.size:  # few turns around the circle, so a loop is fast
        place = position % size
        end = min(weights.size, begin + size - place)
        folded[place : place + end - begin] += weights[begin:end]
        position += end - begin
        begin = end
    return folded
