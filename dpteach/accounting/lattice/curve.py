"""Brackets of epsilon for k repetitions of one step, for many k with shared computations.

The best exponential tilt and lattice spacing are nearly the same for similar k. So similar k form a
block, which uses one lattice: the loss of one step is bounded above and below on this lattice, and
the Fourier transforms of both bounds serve all k of the block. For each k, only the few frequencies
that are not negligible in the k-th power of a transform are evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpteach.accounting.lattice.bracket import Composition, _least, epsilon_of_largest
from dpteach.accounting.lattice.cells import CUT, EPS, TooLarge, Vector
from dpteach.accounting.lattice.enclosing import above, below
from dpteach.accounting.lattice.loss import StepLoss
from dpteach.accounting.lattice.powers import MOST_COUNT, Powers, chernoff

Rows = NDArray[np.int64]

#: the grid of exponential tilts in which the best tilt for each number of steps k is searched for:
#: `_FINE` is the log of the ratio of adjacent tilts. Every 16th tilt (`_COARSE`) is tried for all
#: k. For 12 values of k (`_SAMPLES`), bisection then tries tilts in between. The grid is fine
#: because, if large losses are rare, only tilts very close to the best one give good bounds. A few
#: values of k are enough because the best tilt changes slowly with k.
_FINE, _COARSE, _SAMPLES = 0.1 / 16, 16, 12
#: similar numbers of steps k form a block that uses one lattice. Within a block, the numbers k have
#: at most the ratio `_RATIO`, and the best lattice spacings for each k at most the ratio `_STEPS`
_RATIO, _STEPS = 4.0, 2.0
#: large losses are left out if their share of delta is at most about this number
_RARE = 1e-8
#: if the second moment of the loss is outside this range, only bounds by the largest loss are used
_SMALLEST, _LARGEST = 1e-290, 1e4
#: if the slope of the loss (see `Base`) is larger, the square of the loss overflows
_STEEPEST = 1e100
#: the largest number of refinements of a lattice
_ROUNDS = 6
#: the largest amounts of work for one block (similar numbers of steps on one lattice), and for all
#: refinements together, in units of about 20 ns
_MOST_WORK, _ALL_WORK = 2e7, 6e7


def epsilon_curve(
    directions: Sequence[StepLoss], ks: Vector, delta: float, tolerance: float
) -> tuple[Vector, Vector]:
    """Return brackets of the least epsilon >= 0 at a delta, for many numbers k of equal steps.

    Parameters
    ----------
    directions : sequence of StepLoss
        The loss distribution of one step in each direction: if a person is removed, and if one is
        added.
    ks : ndarray of shape (n,)
        The numbers of steps k, integers >= 1 as floats, in any order.
    delta : float
        In (0, 1).
    tolerance : float
        The requested width, as in `epsilon_bracket`.

    Returns
    -------
    (ndarray, ndarray)
        Certified bounds for each k, nondecreasing in k; they may differ by more than the tolerance.
        The upper bound is infinite if every suitable lattice has too many points.

    Notes
    -----
    Cost: that of a few calls of `epsilon_bracket` for each factor of 4 between the smallest and
    the largest k, and about 30 microseconds for each k. If a few losses have large probabilities,
    each k instead costs one Fourier transform.
    """
    counts, places = np.unique(ks, return_inverse=True)
    distinct = dict.fromkeys(directions)
    if not distinct or counts.size == 0:
        return np.zeros(ks.shape), np.zeros(ks.shape)
    if any(loss.base is not None and loss.base.slope > _STEEPEST for loss in distinct):
        return np.zeros(ks.shape), np.full(ks.shape, math.inf)
    searches = [_Search(loss, counts, delta) for loss in distinct]
    estimates = np.stack([one.estimate for one in searches])
    square = counts * max(one.sums.square for one in searches)

    def goal(epsilons: Vector) -> Vector:
        part = np.minimum(np.maximum(epsilons, 0.0), np.maximum(1.0, epsilons / 10))
        return tolerance * np.maximum(part, 1e-2 * np.minimum(1.0, np.sqrt(square)))

    largest = estimates.max(axis=0)
    for one in sorted(searches, key=lambda one: -float(one.estimate[0])):
        # the result is the larger epsilon of the directions (a person removed, or one added). So
        # aim at the requested width only where this direction has the larger estimate; elsewhere a
        # wide bracket suffices to show that its epsilon is smaller
        width = goal(largest) * np.where(one.estimate < largest, 30.0, 1.0)
        # where the estimate of epsilon is small, the true epsilon may be 0, and a coarse lattice
        # probably proves this
        small = 2 * np.sqrt(square)
        width = np.where(largest < small, np.maximum(width, 5e-3 * small), width)
        one.begin(width)
        rest = ~one.done & (
            one.high
            > np.max([s.low for s in searches], axis=0) + goal(np.minimum(one.high, largest))
        )
        one.refine(np.flatnonzero(rest), goal(largest))
    for _ in range(_ROUNDS):
        low = np.max([one.low for one in searches], axis=0)
        high = np.stack([one.high for one in searches])
        low = np.maximum.accumulate(low)
        wanted = goal(np.where(np.isfinite(low), low, 0.0))
        done = np.stack([one.done for one in searches])
        open_ = ~done & (high > low + wanted)
        chosen = np.where(open_, high, -1.0).argmax(axis=0)
        some = False
        for i, one in enumerate(searches):
            rows = np.flatnonzero(open_[i] & (chosen == i))
            if rows.size:
                one.improve(rows, wanted)
                some = True
        if not some:
            break
    low = np.maximum.accumulate(np.max([one.low for one in searches], axis=0))
    high = np.max([one.high for one in searches], axis=0)
    high = np.minimum.accumulate(high[::-1])[::-1]
    return low[places].reshape(ks.shape), high[places].reshape(ks.shape)


class _Search:
    """The search for epsilon for all numbers of steps, with a person either removed or added."""

    def __init__(self, loss: StepLoss, counts: Vector, delta: float) -> None:
        self.counts = counts
        n = counts.size
        self.low, self.high = np.zeros(n), np.full(n, math.inf)
        self.done = np.zeros(n, dtype=bool)
        log_kept = math.log1p(-loss.infinite) if loss.infinite < 1 else -math.inf
        infinite = -np.expm1(counts * log_kept)
        blur = 16 * EPS * infinite
        rest = delta - infinite
        self.low[rest < -blur] = math.inf
        self.done |= rest <= blur
        rest = np.where(self.done, delta, rest)
        # bounds on the log of `rest`, which is delta minus the probability of an infinite loss
        self.logs = (
            np.log(np.where(self.done, rest, rest - blur)) - 4 * EPS,
            np.log(rest + blur) + 4 * EPS,
        )
        # leave out losses that are too rare to matter, because a large tilt would make them likely
        some = ~self.done
        rare = float((self.logs[0] - np.log(counts))[some].min(initial=0.0)) + math.log(_RARE)
        self.logs[0][:] += math.log1p(-_RARE)
        self.step_loss = loss.without(rare)
        with np.errstate(over="ignore", invalid="ignore"):
            self.sums = Composition([(self.step_loss, 1)])
        if self.sums.square == 0 and self.sums.top <= 0:
            self.high[~self.done] = 0.0
        self.moments: dict[int, float] = {}
        self.estimate, self.place = np.zeros(n), np.zeros(n, dtype=np.int64)
        self.h, self.cut = np.full(n, math.inf), np.full(n, CUT)
        self.share, self.loss = np.ones(n), np.full(n, math.inf)
        self.changes, self.work = np.full(n, 2), 0.0
        with np.errstate(over="ignore"):
            self._bound_by_largest()
        if not _SMALLEST < self.sums.square < _LARGEST:
            self.done[:] = True
        if not self.done.all():
            self._estimate()
            self._bound_by_moment()

    def _bound_by_moment(self) -> None:
        """Bound epsilon from above by Chernoff's bound, without a Fourier transform.

        This is for numbers of steps above `MOST_COUNT`, for which the rounding errors of a Fourier
        transform are too large, and for those whose estimated epsilon is 0.
        """
        many = self.counts > MOST_COUNT
        rows = np.flatnonzero(~self.done & (many | (self.estimate <= 0)))
        while rows.size:
            place, k = int(self.place[rows[-1]]), self.counts[rows]
            theta = math.exp(_FINE * place)
            h = self.sums.aligned(min(0.1 / theta, 0.1 * math.sqrt(self.sums.square * k[-1])))
            try:
                part = above(self.step_loss.cells(h, theta, -30.0 - math.log(k[-1])), h, theta)
            except TooLarge:
                break
            bound = (chernoff(part, k, theta) - self.logs[0][rows]) / theta * (1 + 8 * EPS)
            self.high[rows] = np.minimum(self.high[rows], np.maximum(bound, 0.0))
            seen = (self.high[rows] == 0) | many[rows]
            self.done[rows[seen]] = True
            seen |= k > k[-1] / 2
            rows = rows[~seen]
        self.done |= many

    def _bound_by_largest(self) -> None:
        """Bound each epsilon from both sides, by the largest loss and its probability."""
        open_, top = ~self.done, self.sums.top
        if top == math.inf:
            return
        k, log_mass = self.counts[open_], np.array(self.sums.log_mass_of_top)
        self.high[open_] = np.maximum(k * (top + 1e-12 * abs(top)), 0.0)
        self.low[open_] = epsilon_of_largest(top, log_mass, k, self.logs[1][open_])

    # --- the choice of tilts from a grid -----------------------------------------------------

    def _moment(self, place: int) -> float:
        """Return log E[e^(theta L)], to a few digits, for the tilt theta = e^(_FINE * place).

        L is the loss of one step.
        """
        if place not in self.moments:
            self.moments[place] = self.sums.log_moment(math.exp(_FINE * place))
        return self.moments[place]

    def _choose(self, rows: Rows, value: Callable[[float, Vector, Rows], Vector]) -> Vector:
        """Choose the best exponential tilt theta for each of some numbers of steps.

        `rows` are the indices of these numbers in `self.counts`. For each number, the best tilt
        minimizes `value(theta, log E[e^(theta S)], rows)`, where S is the sum of that many losses.
        The function stores the tilts in `self.place` and returns the minima. It searches for the
        best tilts of only a few of the numbers, but each number gets the best of all tilts that
        were tried.
        """
        k = self.counts[rows]
        some = np.searchsorted(k, np.geomspace(k[0], k[-1], _SAMPLES) * (1 - 1e-9))
        some = np.unique(np.minimum(some, k.size - 1))
        found = []
        for row in rows[some[[0, some.size // 3, 2 * some.size // 3, -1]]]:
            middle = -0.5 * math.log(self.sums.square * self.counts[row])
            low, high = middle - 7.0, middle + 9.0
            if self.sums.exact:
                high = max(min(high, math.log(40 / self.sums.exact)), low + 1)
            at = partial(self._at, value, np.array([row]))
            found.append(_COARSE * round(_least(at, low, high) / (_FINE * _COARSE)))
        best = np.full(rows.size, math.inf)

        def take(place: int) -> None:
            new = value(math.exp(_FINE * place), k * self._moment(place), rows)
            better = new < best
            best[better] = new[better]
            self.place[rows[better]] = place

        for place in range(min(found) - _COARSE, max(found) + _COARSE + 1, _COARSE):
            take(place)
        for i in some:
            step = _COARSE
            while step > 1:
                step //= 2
                place = int(self.place[rows[i]])
                take(place - step)
                take(place + step)
        return best

    def _at(
        self, value: Callable[[float, Vector, Rows], Vector], row: Rows, log_theta: float
    ) -> float:
        place = _COARSE * round(log_theta / (_FINE * _COARSE))
        moment = self.counts[row] * self._moment(place)
        return float(value(math.exp(_FINE * place), moment, row)[0])

    def _bound(self, theta: float, log: Vector, rows: Rows) -> Vector:
        """Return approximate Chernoff bounds on epsilon for some numbers of steps, at one tilt."""
        # `log` is log E[e^(theta S)] for the sum S of the losses of all steps. By
        # Chernoff, delta is at most e^(log - theta epsilon) (theta/(theta + 1))^theta/(theta + 1);
        # solve this for epsilon.
        bound = (log - self.logs[0][rows] - math.log1p(theta)) / theta - math.log1p(1 / theta)
        return np.asarray(bound)

    def _estimate(self) -> None:
        """Choose the best tilt for each number of steps; estimate epsilon by Chernoff's bound."""
        rows = np.flatnonzero(~self.done)
        self.estimate[rows] = np.minimum(self._choose(rows, self._bound), self.high[rows])

    def _too_far(self, rows: Rows, place: int) -> Vector:
        """Return how much larger Chernoff's bound on log delta is at tilt `place` than at the best.

        The result has an entry for each number of steps; `rows` are their indices in `self.counts`.
        """
        k, x = self.counts[rows], np.maximum(self.estimate[rows], 0.0)
        own = np.array([self._moment(int(p)) for p in self.place[rows]])
        theta, best = math.exp(_FINE * place), np.exp(_FINE * self.place[rows])
        return np.asarray((k * self._moment(place) - theta * x) - (k * own - best * x))

    # --- brackets from lattices --------------------------------------------------------------

    def begin(self, goal: Vector) -> None:
        """Set lattice steps with which each bracket of epsilon is about as wide as its `goal`."""
        tilts = {int(p): math.exp(_FINE * p) for p in np.unique(self.place)}
        theta = np.exp(_FINE * self.place)
        # atoms on lattice points are not moved, so only the other losses widen a bracket
        smooth = {p: self._smooth(p, t) for p, t in tilts.items()}
        count = self.counts * np.array([smooth[int(p)] for p in self.place])
        h = 2 * np.sqrt(goal / ((1 + theta) * count))
        if self.sums.loose(self.sums.aligned(float(h.min()))):
            # use smaller steps if atoms lie between lattice points, because the lower bound is
            # then less accurate
            h /= 3
        least = np.minimum(0.25 / theta, 0.5 * np.sqrt(self.sums.square * self.counts))
        self.h = np.minimum(h, least)

    def _smooth(self, place: int, theta: float) -> float:
        """Return the approximate share of the tilted mass that lies between lattice points."""
        loss = self.step_loss
        if loss.base is None or loss.spacing == 0:
            return 1.0
        logs = theta * loss.atoms + loss.log_masses - self._moment(place)
        return max(1 - float(np.exp(logs).sum()), 1e-4)

    def _allowed(self, rows: Rows, goal: Vector) -> Vector:
        """Return the largest relative errors of delta that brackets of the widths `goal` permit.

        The errors are those from rounding, wrap-around and truncated tails.
        """
        return np.asarray(0.05 * goal[rows] * np.exp(_FINE * self.place[rows]))

    def refine(self, rows: Rows, goal: Vector) -> None:
        """Narrow the brackets of epsilon for some numbers of steps by new lattices.

        `rows` are the indices of these numbers in `counts`. `goal` is the wanted width of the
        bracket for each number in `counts`.
        """
        k = self.counts[rows]
        errors = 500 * EPS * k + 2 * np.exp(self.cut[rows])
        allowed = np.log(np.maximum(self._allowed(rows, goal), 1e-300) / (30 * errors))
        allowed = np.clip(np.minimum(allowed, self.loss[rows]), 0.3, 10.0)
        for begin, end, place in self._blocks(rows, allowed):
            self._block(rows[begin:end], place, goal)

    def _blocks(self, rows: Rows, allowed: Vector) -> list[tuple[int, int, int]]:
        """Divide the numbers of steps into blocks; each block will use one tilt and one lattice.

        A block is (begin, end, index of the tilt), where begin and end are positions in `rows`.
        """
        k, h, places = self.counts[rows], self.h[rows], self.place[rows]
        found, begin = [], 0
        while begin < rows.size:
            ratio = _RATIO
            while True:
                end = int(np.searchsorted(k, k[begin] * ratio, side="right"))
                end = max(end, begin + 1)
                middle = int(np.searchsorted(k, k[begin] * math.sqrt(k[end - 1] / k[begin])))
                place = int(places[min(middle, end - 1)])
                ends = np.array([begin, end - 1])
                far = self._too_far(rows[ends], place)
                spread = h[begin:end].max() / h[begin:end].min()
                if end == begin + 1 or ((far <= allowed[ends]).all() and spread <= _STEPS):
                    break
                ratio = 1 + (ratio - 1) / 1.5 if end > begin + 2 else 1.0
            found.append((begin, end, place))
            begin = end
        return found

    def _block(self, rows: Rows, place: int, goal: Vector) -> None:
        h, theta, cut = (
            float(self.h[rows].min()),
            math.exp(_FINE * place),
            float(self.cut[rows].min()),
        )
        h = self.sums.aligned(h)
        for _ in range(8):
            try:
                self._read(rows, h, theta if self.sums.exact else min(theta, 0.5 / h), cut, goal)
                return
            except TooLarge as error:
                if self.sums.exact:
                    break
                h *= min(max(1.05 * error.by, 1.1 if error.by > 1 else 3.0), 1e6)
        self.done[rows] = True

    def _read(self, rows: Rows, h: float, theta: float, cut: float, goal: Vector) -> None:
        """Narrow the brackets of epsilon by the bounds that a lattice of spacing h gives.

        `rows` are the indices of the brackets and of their numbers of steps in `self.counts`.
        """
        counts = self.counts[rows]
        loss = self.step_loss.centered(h)
        cells = loss.cells(h, theta, cut - 4 - math.log(counts[-1]))
        high = Powers(above(cells, h, theta), counts, h, theta, loss.offset, cut)
        if high.work > _MOST_WORK and not self.sums.exact:
            raise TooLarge(high.work / _MOST_WORK)
        self.work += high.work + 3 * cells.down.size
        nudge = 1e-8 * h + 4 * EPS * (np.abs(self.estimate[rows]) + np.abs(high.offset))
        nudge += 1e-3 * goal[rows]
        start = np.minimum(self.estimate[rows], high.mean)
        top, share = high.epsilons(self.logs[0][rows], sign=1, start=start, nudge=nudge)
        low, scattered = high, bool(self.sums.loose(h))
        if not (self.sums.exact or scattered):
            low = Powers(below(cells, h, theta), counts, h, theta, loss.offset, cut)
        start = np.where(np.isfinite(top), top, start)
        bottom, other = low.epsilons(
            self.logs[1][rows], sign=-1, start=start, nudge=nudge, scattered=scattered
        )
        self.share[rows] = np.maximum(share, np.where(bottom > 0, other, 0.0))
        self.low[rows] = np.maximum(self.low[rows], bottom)
        self.high[rows] = np.minimum(self.high[rows], top)
        self.h[rows] = h
        finite = np.isfinite(top)
        self.estimate[rows[finite]] = top[finite]
        if high.work + 3 * cells.down.size > _MOST_WORK / 4:
            self.done[rows] = True

    def improve(self, rows: Rows, goal: Vector) -> None:
        """Narrow the brackets for some numbers of steps by finer lattices or smaller errors.

        The errors come from rounding, wrap-around and truncated tails. They are reduced only where
        they are too large.
        """
        if self.work > _ALL_WORK:
            self.done[rows] = True
            return
        width, h = self.high[rows] - self.low[rows], self.h[rows].copy()
        allowed = self._allowed(rows, goal)
        changed = (self.share[rows] > allowed) & (self.changes[rows] > 0)
        lost = np.log(np.maximum(allowed, 1e-300) / self.share[rows])
        chosen = rows[changed]
        self.cut[chosen] = np.maximum(self.cut[chosen] + lost[changed] - 1, -50.0)
        self.loss[chosen] = np.minimum(self.loss[chosen], 10.0) + lost[changed]
        self.changes[chosen] -= 1
        self._aim(chosen)
        finite = width < math.inf
        by = np.zeros(rows.size)
        by[finite] = (0.85 * goal[rows][finite] / width[finite]) ** 0.5
        by = np.minimum(np.maximum(by, 1 / 8), 0.7)
        self.h[rows] = h * np.where(changed & (self.share[rows] > 0.1), 1.0, by)
        self.refine(rows, goal)
        now = self.high[rows] - self.low[rows]
        with np.errstate(invalid="ignore"):
            stuck = ~changed & ((self.h[rows] > 0.9 * h) | ~(now <= 0.8 * width))
        self.done[rows] |= stuck

    def _aim(self, rows: Rows) -> None:
        """Choose tilts for some numbers of steps so that the tilted sums have means near epsilon.

        `rows` are the indices of these numbers in `self.counts`.
        """
        if rows.size:
            x = np.maximum(self.estimate, 0.0)
            self._choose(rows, lambda theta, log, rows: np.asarray(log - theta * x[rows]))
