"""Brackets of epsilon and delta under composition, narrowed by finer and finer lattices."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from dpteach.accounting.lattice.atoms import AtomSum, few_values
from dpteach.accounting.lattice.cells import CUT, EPS, TooLarge, Vector
from dpteach.accounting.lattice.enclosing import above, below
from dpteach.accounting.lattice.loss import StepLoss
from dpteach.accounting.lattice.scattered import epsilon_below, log_delta_below, spread
from dpteach.accounting.lattice.total import Total

#: a bracket is not refined further after its computations have used this many lattice points and
#: cells in total
_MOST_WORK = 3e6
#: the losses of all distinct steps, and the count of each
Steps = Sequence[tuple[StepLoss, int]]
Bounds = tuple[float, float]

#: if there are many distinct steps, an exponential tilt is chosen for a sample of them: this many
#: steps whose losses have the largest second moments, and this many of the other steps
_SAMPLE = 16
#: the largest number of refinements of a lattice
_ROUNDS = 6
#: large losses are left out if the log of their share of delta is at most about this number
_MISSED = math.log(1e-8)


class Composition:
    """The sum of the losses of all steps, in one direction: a person is removed, or one is added.

    Parameters
    ----------
    steps : sequence of (StepLoss, int)
        The losses of the distinct steps, and the count of each.
    """

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        log_kept = math.fsum(
            k * (math.log1p(-loss.infinite) if loss.infinite < 1 else -math.inf)
            for loss, k in steps
        )
        #: the probability that some loss is infinite, and a bound on its rounding error (`blur`)
        self.infinite = -math.expm1(log_kept)
        self.blur = 16 * EPS * self.infinite
        squares = [k * loss.square() for loss, k in steps]
        self.square = math.fsum(squares)
        self.sample = _sample(steps, squares)
        if self.square < 1e-280 and any(
            loss.base is not None or loss.atoms.any() for loss, _ in steps
        ):
            # refuse to continue if the squares of nonzero losses underflow
            raise TooLarge(math.inf)
        #: an upper bound (`top`) on the finite values of the sum
        largest = [(*loss.largest(), k) for loss, k in steps]
        self.top = math.fsum(k * top for top, _, k in largest)
        self.top += 64 * EPS * math.fsum(k * abs(top) for top, _, k in largest)
        #: log of the probability that the loss of every step is its largest loss
        self.log_mass_of_top = math.fsum(k * log for _, log, k in largest)
        self.exact = self._common_spacing()
        self.finest = self.work = 0.0

    def _common_spacing(self) -> float:
        """Return the spacing of a lattice that contains all possible losses; 0 if none is found."""
        spacings = [loss.spacing for loss, _ in self.steps if loss.atoms.size > 1]
        if any(loss.base is not None for loss, _ in self.steps) or 0.0 in spacings:
            return 0.0
        least = min(spacings, default=1.0)
        return least if all(loss.is_exact_on(least) for loss, _ in self.steps) else 0.0

    def log_moment(self, theta: float) -> float:
        return math.fsum(k * loss.log_moment(theta) for loss, k in self.steps)

    def about_log_moment(self, theta: float) -> float:
        return math.fsum(part * loss.log_moment(theta) for loss, part in self.sample)

    def without(self, log_mass: float) -> Composition:
        """Return a copy without the largest losses, which occur with probability < e^log_mass."""
        few = log_mass - math.log(sum(k for _, k in self.steps))
        sums = copy.copy(self)
        sums.steps = [(loss.without(few), k) for loss, k in self.steps]
        sums.sample = (
            sums.steps
            if self.sample is self.steps
            else [(loss.without(few), part) for loss, part in self.sample]
        )
        return sums

    def cuts(self, theta: float) -> bool:
        """Return whether the method `without` removed losses that a tilt would make likely.

        The tilt weights each loss L by e^(1.2 theta L). The factor 1.2 is a safety margin.
        """
        return any(loss.cuts(1.2 * theta) for loss, _ in self.steps)

    def _best_tilt(
        self, excess: Callable[[float, float], float], epsilon: float | None = None
    ) -> float:
        """Return the exponential tilt theta that minimizes `excess(theta, log E[e^(theta S)])`.

        S is the total loss. The search goes on to larger tilts only while the tilted mean of S is
        below epsilon. If `epsilon` is None, the search compares with `excess`, a bound on epsilon.
        """
        middle = -0.5 * math.log(self.square)
        low, high = middle - 7.0, middle + 9.0
        most = high + 20
        if self.exact:
            most = max(min(high, math.log(40 / self.exact)), low + 1)
            high = min(high, most)

        def value(x: float) -> float:
            theta = math.exp(x)
            return excess(theta, self.about_log_moment(theta))

        best = _least(value, low, high)
        while best > high - 0.2 and high < most:
            # a larger tilt moves the tilted mean up, which helps only if the mean is still below
            # epsilon
            theta = math.exp(high)
            log = self.about_log_moment(theta)
            mean = (log - self.about_log_moment(0.9 * theta)) / (0.1 * theta)
            if mean >= (excess(theta, log) if epsilon is None else epsilon):
                break
            low, high = high - 1, min(high + 5, most)
            best = _least(value, low, high)
        return math.exp(best)

    def tilt_for_delta(self, log_delta: float) -> tuple[float, float]:
        """Return the tilt theta with about the least Chernoff bound on epsilon, and this bound.

        The bound is on epsilon at the delta e^log_delta, and it is approximate, not certified.
        """

        def bound(theta: float, log: float) -> float:
            # `log` is log E[e^(theta S)] for the total loss S. By Chernoff, delta is at most
            # e^(log - theta epsilon) (theta/(theta + 1))^theta/(theta + 1); solve this for
            # epsilon.
            return (log - log_delta - math.log1p(theta)) / theta - math.log1p(1 / theta)

        theta = self._best_tilt(bound)
        return theta, bound(theta, self.log_moment(theta))

    def tilt_for_epsilon(self, epsilon: float) -> float:
        """Return the exponential tilt with about the best Chernoff bound on delta at an epsilon."""
        return self._best_tilt(lambda theta, log: log_chernoff(theta, log, epsilon), epsilon)

    def step(self, theta: float, tolerance: float) -> float:
        """Return a lattice step that gives a bracket of epsilon about as wide as the tolerance."""
        count = sum(k for _, k in self.steps)
        h = 2 * math.sqrt(tolerance / ((1 + theta) * count))
        # use a smaller step if atoms lie between lattice points, because the lower bound is then
        # less accurate
        if self.loose(h):
            h /= 3
        return min(h, 0.25 / theta, 0.5 * math.sqrt(self.square))

    def aligned(self, h: float) -> float:
        """Return the spacing of a lattice that contains atoms (losses of positive probability).

        If some lattice contains all losses, return its spacing. Otherwise the result is at most h,
        and the lattice contains the atoms of the most frequent step whose atoms fit on a lattice.
        """
        if self.exact:
            return self.exact
        whole = [(k, loss.spacing) for loss, k in self.steps if loss.spacing > 0]
        spacing = max(whole)[1] if whole else h
        return spacing / math.ceil(spacing / h)

    def loose(self, h: float) -> int:
        """Return 0 if all atoms (losses of positive probability) lie on a lattice of spacing h.

        Otherwise return how many steps have losses between lattice points. The module `scattered`
        then derives the lower bound on delta.
        """
        if self.exact or all(loss._on_lattice(h)[1].all() for loss, _ in self.steps):
            return 0
        return sum(k for loss, k in self.steps if not loss.is_exact_on(h))

    def totals(self, h: float, theta: float, cut: float) -> tuple[Total, Total]:
        """Return an upper and a lower approximation of the total loss on a lattice of spacing h.

        They are the same object if the lattice contains all losses. They are also the same object
        if `loose(h)` is not 0, because the module `scattered` then derives a lower bound on delta
        from the upper approximation.
        """
        # limit the tilt: `above` and `below` move the losses between two lattice points to these
        # points, whose weights differ by the factor e^(theta h), so a large theta h would make the
        # bounds loose
        if not self.exact:
            theta = min(theta, 0.5 / h)
        for_one = cut - 4 - math.log(sum(k for _, k in self.steps))
        losses = [(loss.centered(h), k) for loss, k in self.steps]
        offset = math.fsum(k * loss.offset for loss, k in losses)
        cells = [(loss.cells(h, theta, for_one), k) for loss, k in losses]
        high = Total([(above(c, h, theta), k) for c, k in cells], h, theta, offset, cut)
        self.work += high.work + 3 * sum(c.down.size for c, _ in cells)
        if self.exact or self.loose(h):
            return high, high
        low = Total([(below(c, h, theta), k) for c, k in cells], h, theta, offset, cut)
        return high, low

    def refined(
        self, read: Callable[[Total, Total], Bounds], h: float, theta: float, cut: float
    ) -> tuple[Bounds, float]:
        """Return the bounds that `read` derives from a lattice, and the spacing of this lattice.

        The spacing is about h, or larger if a lattice of spacing h has too many points.
        """
        h = self.aligned(max(h, self.finest))
        for _ in range(8):
            try:
                return read(*self.totals(h, theta, cut)), h
            except TooLarge as error:
                if error.by == math.inf:
                    raise
                # instead of the lattice that contains all losses, use a coarser one that only
                # bounds them
                self.exact = 0.0
                # `error.by` is 1 if numerical integration needs too many panels. Only a smaller
                # tilt reduces their number, and `totals` reduces the tilt only for a larger h.
                least = 1.1 if error.by > 1 else 3.0
                h = self.finest = h * min(max(1.05 * error.by, least), 1e6)
        raise TooLarge(math.inf)


def _sample(steps: Steps, squares: Sequence[float]) -> Sequence[tuple[StepLoss, float]]:
    """Return a weighted sample of the steps, from which an exponential tilt is chosen.

    Every tilt gives valid bounds, so a sample is enough.
    """
    if len(steps) <= 2 * _SAMPLE:
        return steps
    order = sorted(range(len(steps)), key=lambda i: -squares[i])
    found: list[tuple[StepLoss, float]] = [steps[i] for i in order[:_SAMPLE]]
    for some in np.array_split(order[_SAMPLE:], _SAMPLE):
        middle = int(some[some.size // 2])
        loss, k = steps[middle]
        whole = math.fsum(squares[i] for i in some)
        if squares[middle] > 0:
            found.append((loss, k * whole / squares[middle]))
    return found


def log_chernoff(theta: float, log: float, epsilon: float) -> float:
    """Return the log of Chernoff's bound on delta; `log` is log E[e^(theta (total loss))]."""
    return log - theta * (epsilon + math.log1p(1 / theta)) - math.log1p(theta)


def epsilon_of_largest(top: float, log_mass: Vector, k: Vector, log_delta: Vector) -> Vector:
    """Return a lower bound on epsilon at a delta for k steps, from the largest loss and its mass.

    In one step, losses within a relative 1e-12 of the largest loss `top` have the probability p =
    e^log_mass. So delta is at least about p^k (1 - e^(epsilon - k top)).
    """
    part = log_delta - k * (log_mass - 1e-12 * (1 + np.abs(log_mass)))
    rest = np.log1p(-np.exp(np.minimum(part, -1e-12)))
    low = k * (top - 2e-12 * abs(top)) + (1 + 1e-6) * rest
    return np.where(part < -1e-9, np.maximum(low, 0.0), 0.0)


def _least(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the approximate minimizer of a unimodal function, by golden-section search."""
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


def logs_of(rest: float, blur: float) -> tuple[float, float]:
    """Return bounds on the log of `rest`, which is delta minus the probability of an infinite loss.

    The rounding error of `rest` is at most `blur`.
    """
    return math.log(rest - blur) - 4 * EPS, math.log(rest + blur) + 4 * EPS


class _Direction(ABC):
    """The search for bounds on epsilon or delta in one direction: a person is removed or added."""

    def __init__(self, sums: Composition, theta: float) -> None:
        self.sums, self.theta, self.cut = sums, theta, CUT
        self.bounds, self.h = (-math.inf, math.inf), math.inf
        #: the relative error of delta in the last computation (`share`), and how many more times
        #: the tilt and the truncation of tails may change (`changes`)
        self.share, self.changes = 1.0, 2
        self.done, self.stalls = False, 0

    @abstractmethod
    def _read(self, high: Total, low: Total) -> Bounds:
        """Return bounds on epsilon or delta, from an upper and a lower bound on the total loss."""

    @abstractmethod
    def _allowed(self, goal: float) -> float:
        """Return the largest relative error of delta that a bracket of the width `goal` permits.

        The error is that from rounding, wrap-around and truncated tails.
        """

    def _best_tilt(self) -> float:
        return self.theta

    def refine(self, h: float) -> None:
        """Intersect the bracket with the bounds from a lattice of step h."""
        known = self.bounds
        found, self.h = self.sums.refined(self._read, h, self.theta, self.cut)
        self.bounds = max(known[0], found[0]), min(known[1], found[1])

    def improve(self, goal: float) -> None:
        """Bring the bracket's width closer to a goal, by a finer lattice or by smaller errors.

        The errors come from rounding, wrap-around and truncated tails. Apart from them, the width
        is proportional to the square of the lattice step.
        """
        if self.sums.work > _MOST_WORK:
            self.done = True
            return
        allowed, width, before = self._allowed(goal), self.width, self.h
        changed = False
        if self.share > allowed and self.changes > 0:
            theta, cut = self._best_tilt(), max(self.cut + math.log(allowed / self.share), -50.0)
            changed = abs(math.log(theta / self.theta)) > 0.1 or cut < self.cut - 0.5
            self.theta, self.cut, self.changes = theta, min(self.cut, cut - 1), self.changes - 1
        by = (0.85 * goal / width) ** 0.5 if width < math.inf else 0.0
        self.refine(before if changed and self.share > 0.1 else before * min(max(by, 1 / 8), 0.7))
        if not changed:
            self.stalls += self.width > 0.8 * width
            self.done = self.stalls > 1 or self.h > 0.9 * before

    @property
    def width(self) -> float:
        return self.bounds[1] - self.bounds[0]


class _EpsilonOf(_Direction):
    """The search for the least epsilon at a delta in one direction: a person removed or added."""

    def __init__(self, sums: Composition, rest: float) -> None:
        # bounds on the log of `rest`, which is delta minus the probability of an infinite loss
        self.logs = logs_of(rest, sums.blur)
        sums = sums.without(self.logs[0] + _MISSED)
        theta, self.estimate = sums.tilt_for_delta(self.logs[0])
        super().__init__(sums, theta)
        self.bounds = -math.inf, max(sums.top, 0.0)
        if 0 < sums.top < math.inf and sums.log_mass_of_top > -math.inf:
            mass, log = np.array([sums.log_mass_of_top]), np.array([self.logs[1]])
            low = epsilon_of_largest(sums.top, mass, np.ones(1), log)
            self.bounds = float(low[0]) or -math.inf, self.bounds[1]

    def look_below_the_top(self, goal: float) -> None:
        """Finish the search if epsilon is provably within `goal` of the largest total loss."""
        self.done = self.width <= goal
        if self.done:
            return
        epsilon = self.sums.top - 0.9 * goal
        if self.sums.exact or not self.estimate > epsilon > 0:
            return
        there = _DeltaOf(self.sums, epsilon)
        there.escaped = 0.0, 0.0  # count only finite losses, as the delta in `self.logs` does
        there.refine(self.sums.step(there.theta, goal))
        if there.bounds[0] > math.exp(self.logs[1]) + 1e-318:
            self.bounds, self.done = (epsilon, self.bounds[1]), True

    def _read(self, high: Total, low: Total) -> Bounds:
        top = high.epsilon(self.logs[0], sign=1, start=min(self.estimate, high.mean))
        self.estimate, self.share = top, high.share(top)
        if self.share > 1e-3:
            self.estimate = high.epsilon(self.logs[0], sign=0, start=top)
        if loose := self.sums.loose(high.h):
            bottom = epsilon_below(high, self.logs[1], spread(high.h, loose), self.estimate)
        else:
            bottom = low.epsilon(self.logs[1], sign=-1, start=self.estimate)
            s = spread(high.h, sum(k for _, k in self.sums.steps))
            if top - bottom > 12 * s * s * (1 + self.theta) and low is not high:
                found = epsilon_below(high, self.logs[1], s, self.estimate)
                if found > bottom:
                    bottom, low = found, high
        if bottom > 0:
            self.share = max(self.share, low.share(bottom))
        return bottom, top

    def _allowed(self, goal: float) -> float:
        return 0.05 * goal * self.theta

    def _best_tilt(self) -> float:
        return self.sums.tilt_for_epsilon(self.estimate)


class _DeltaOf(_Direction):
    """The search for the least delta at an epsilon in one direction: a person removed or added."""

    def __init__(self, sums: Composition, epsilon: float) -> None:
        super().__init__(sums, sums.tilt_for_epsilon(epsilon))
        self.epsilon, self.whole = epsilon, sums
        #: log of an approximate Chernoff bound on the contribution of finite losses to delta
        self.log_delta = log_chernoff(self.theta, sums.log_moment(self.theta), epsilon)
        if self.log_delta > -800:
            self._leave_out(self.log_delta)
        self.escaped = max(sums.infinite - sums.blur, 0.0), sums.infinite + sums.blur

    def _read(self, high: Total, low: Total) -> Bounds:
        top = self.escaped[1] + high.delta(self.epsilon, sign=1)
        if loose := self.sums.loose(high.h):
            log = log_delta_below(high, self.epsilon + high.shift, spread(high.h, loose))
            bottom = math.exp(min(log, 0.0))
        else:
            bottom = low.delta(self.epsilon, sign=-1)
            s = spread(high.h, sum(k for _, k in self.sums.steps))
            far = top > 0 and 1 - bottom / top > 12 * s * s * (1 + self.theta) ** 2
            if far and low is not high:
                log = log_delta_below(high, self.epsilon + high.shift, s)
                if math.exp(min(log, 0.0)) > bottom:
                    bottom, low = math.exp(min(log, 0.0)), high
        self.share = max(high.share(self.epsilon), low.share(self.epsilon))
        return self.escaped[0] + bottom, min(top, 1.0)

    def _leave_out(self, log_delta: float) -> None:
        """Leave out large losses that contribute little to a delta of about e^log_delta or less.

        The exponential tilt would make these rare losses likely, and so loosen the bound on delta.
        Bisection finds the threshold of the losses that are left out.
        """
        whole, rest = self.sums, log_delta + 2 * _MISSED
        enough, step = -math.inf, 50.0
        for _ in range(20):
            sums = whole.without(rest)
            theta = sums.tilt_for_epsilon(self.epsilon) if sums.cuts(self.theta) else self.theta
            found = log_chernoff(theta, sums.log_moment(theta), self.epsilon) + 2 * _MISSED
            if found >= rest - 3:
                self.sums, self.theta = sums, theta
                if found < rest + 10:
                    break
                enough = rest
            else:
                too_much = rest
            if enough == -math.inf:
                rest, step = rest - step, 2 * step
            elif enough == log_delta + 2 * _MISSED:
                break
            else:
                rest = (enough + too_much) / 2

    def _best_tilt(self) -> float:
        if self.bounds[1] > 0:
            self.sums, self.theta = self.whole, self.whole.tilt_for_epsilon(self.epsilon)
            self._leave_out(math.log(self.bounds[1]))
        return self.theta

    def _allowed(self, goal: float) -> float:
        return 0.05 * goal / max(self.bounds[1], 1e-300)


def _search(
    directions: Sequence[_Direction], h: float, wanted: Callable[[Bounds], float]
) -> Bounds:
    """Return a bracket of the largest epsilon (or delta) of all directions.

    In each round, refine only the direction with the largest upper bound, until the bracket is no
    wider than `wanted(bracket)` or cannot be narrowed further.
    """
    for one in directions:
        if not one.done:
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
    """Return a bracket of the least epsilon >= 0 that holds at a delta in all given directions.

    Parameters
    ----------
    directions : sequence of sequences of (StepLoss, int)
        For each direction (a person is removed, or one is added), the losses of the distinct steps
        with their counts.
    delta : float
        In (0, 1).
    tolerance : float
        The requested width is tolerance * epsilon for epsilon < 1, tolerance for epsilon from 1 to
        10, and tolerance * epsilon/10 for larger epsilon.

    Returns
    -------
    (float, float)
        Certified bounds; they may differ by more than the tolerance.

    Raises
    ------
    TooLarge
        If the total loss needs a lattice with too many points.

    Notes
    -----
    The distance of lattice points is h, about 2 sqrt(tolerance/((1 + theta) steps)), where theta is
    the tilt. The cost is proportional to the number of cells n = (range of the loss)/h of each
    distinct step, and to N log N for N = (range of the total loss)/h.
    """
    found: list[_EpsilonOf] = []
    known = 0.0, 0.0
    for steps in directions:
        sums = Composition(steps)
        rest = delta - sums.infinite
        # if delta is the probability of an infinite loss, up to rounding, epsilon may be infinite
        if abs(rest) <= sums.blur:
            return 0.0, math.inf
        if rest < 0:
            return math.inf, math.inf
        if few_values(steps):
            ends = logs_of(rest, sums.blur)
            values = AtomSum(steps)
            pairs = [values.epsilon(log, sign=s) for log, s in zip(ends, (1, -1), strict=True)]
            known = max(known[0], pairs[1]), max(known[1], pairs[0])
        elif sums.square > 0:
            found.append(_EpsilonOf(sums, rest))
    if not found:
        return known
    square = max(one.sums.square for one in found)
    largest = max(found, key=lambda one: one.estimate)
    coarser = 30 if len(found) > 1 else 1
    goal = _goal(tolerance, largest.estimate, square)
    for one in found:
        one.look_below_the_top(goal)
    h = largest.sums.step(largest.theta, coarser * goal)
    bounds = _search(found, h, lambda bounds: _goal(tolerance, bounds[0], square))
    return max(known[0], bounds[0]), max(known[1], bounds[1])


def _goal(tolerance: float, epsilon: float, square: float) -> float:
    """Return the width that a tolerance allows for a bracket near `epsilon`.

    This is tolerance * epsilon for epsilon < 1, tolerance for epsilon from 1 to 10, and tolerance
    * epsilon/10 for larger epsilon; but at least tolerance/100 times the smaller of 1 and the root
    of `square`, the second moment of the total loss.
    """
    part = min(max(epsilon, 0.0), max(1.0, epsilon / 10))
    return tolerance * max(part, 1e-2 * min(1.0, math.sqrt(square)))


def delta_bracket(directions: Sequence[Steps], epsilon: float, tolerance: float) -> Bounds:
    """Return a bracket of the least delta that holds at an epsilon >= 0 in all given directions.

    The directions (a person is removed, or one is added) are as in `epsilon_bracket`. The tolerance
    is relative to delta.
    """
    found: list[_DeltaOf] = []
    least = h = 0.0
    known = 0.0, 0.0
    for steps in directions:
        sums = Composition(steps)
        if few_values(steps):
            values = AtomSum(steps)
            escaped = max(sums.infinite - sums.blur, 0.0), sums.infinite + sums.blur
            ends = [math.exp(min(values.log_delta(epsilon, sign=s), 0.0)) for s in (-1, 1)]
            ends[1] += 5e-324 * (epsilon < sums.top)
            known = max(known[0], escaped[0] + ends[0]), max(known[1], escaped[1] + ends[1])
        elif sums.square > 0 and epsilon < sums.top:
            one = _DeltaOf(sums, epsilon)
            if one.log_delta < -800:  # finite losses add less than any float > 0 to delta
                least = max(least, sums.infinite)
                known = known[0], max(known[1], 1e-320)
                continue
            found.append(one)
            coarser = 30 if len(directions) > 1 else 1
            h = max(h, sums.step(one.theta, coarser * tolerance / (1 + one.theta)))
        else:
            least = max(least, sums.infinite)
    low, high = max(known[0], least * (1 - 32 * EPS)), max(known[1], least * (1 + 32 * EPS))
    if found:
        bounds = _search(found, h, lambda bounds: tolerance * bounds[1] + 1e-318)
        low, high = max(low, bounds[0]), max(high, bounds[1] + 1e-320)
    # the exponential of log delta may have rounded the lower bound up, which matters for subnormal
    # floats
    return max(0.0, low - 4 * math.ulp(0.0)), min(high, 1.0)
