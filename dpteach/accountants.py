"""Accounting: what many releases together reveal, enclosed from both sides.

An `Accountant` adds events up. Where the pair of laws that dominates each event is known, what it
answers is a `Bracket` of the truth: the law of the sum of the privacy losses, once with losses
rounded such that it is worse and once such that it is better, and every error of the computation
on the side where it does no harm. Exact formulas are used where there are some; where only a
Rényi divergence is known, its best real order gives the upper end.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach._lattice import Law, NormalBase, TooLarge, delta_bracket, epsilon_bracket
from dpteach._lattice.curve import epsilon_curve
from dpteach._lattice.enclosing import above, below
from dpteach._pairs import Pair, dominating_pair
from dpteach.composition import MOST_STEPS, optimal_composition
from dpteach.conversions import convert
from dpteach.mechanisms import Mechanism
from dpteach.notions import (
    PLD,
    ZCDP,
    ApproxDP,
    Explanation,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
)
from dpteach.notions._gaussian_profile import epsilons_of_gaussian, log_deltas_of_gaussian

__all__ = ["ROUTES", "Accountant", "Bracket", "BracketCurve", "enclosing_plds"]

Event = Mechanism | Guarantee
G = TypeVar("G", bound=Guarantee)
Vector = NDArray[np.float64]
FiniteAtoms = tuple[list[float], list[float]]

#: how a number may be found, and whose theorem says so
ROUTES = {
    "exact Gaussian": "Balle and Wang (2018), theorem 8, and Dong, Roth and Su (2022), corollary 2",
    "optimal composition": "Kairouz, Oh and Viswanath (2015), theorem 3.3",
    "PLD": "Zhu, Dong and Wang (2022), theorem 10, by sums on a lattice",
    "Rényi": "Mironov (2017), proposition 1, and the best conversion of one real order",
    "zCDP": "Bun and Steinke (2016), lemma 1.7, and the best conversion of one real order",
    "sum": "Dwork and Roth (2014), theorem 3.16",
}

#: the orders at which Rényi divergences are asked for at first
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 9999.0, 97))
#: the largest count: those of more are not told apart by floats
_MOST = 10**12
#: what the engine raises where floats or a lattice cannot hold a sum
_OUTSIDE = (TooLarge, ArithmeticError)
#: of delta, by which exact formulas may err besides the rounding of what they are asked
_MARGIN = 1e-10


@dataclass(frozen=True)
class Bracket:
    """Two numbers with the truth between them.

    Parameters
    ----------
    lower, upper : float
        No number below `lower` is true of all neighbours; `upper` is a guarantee. As a float
        the bracket is its upper end.
    route : str
        How the upper end was found, one of `ROUTES`.

    Raises
    ------
    ValueError, TypeError
        If lower is above upper, one is negative or not a number, or the route is unknown.

    Examples
    --------
    >>> bracket = Bracket(1.0, 1.25, "PLD")
    >>> float(bracket), bracket.width
    (1.25, 0.25)
    """

    lower: float
    upper: float
    route: str

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            number = _check.real(name, getattr(self, name), _check.EXTENDED_NON_NEGATIVE)
            object.__setattr__(self, name, number)
        if self.lower > self.upper:
            raise ValueError(
                f"lower must be at most upper, got lower={self.lower} and upper={self.upper}"
            )
        _check.one_of("route", self.route, tuple(ROUTES))

    def __float__(self) -> float:
        return self.upper

    @property
    def width(self) -> float:
        """The distance of the ends; 0 where both are infinite.

        >>> Bracket(0.5, 0.75, "PLD").width
        0.25
        """
        return self.upper - self.lower if self.lower < math.inf else 0.0


@dataclass(frozen=True, eq=False)
class BracketCurve:
    """Brackets of many numbers: arrays of one shape.

    Parameters
    ----------
    lower, upper : ndarray
        The ends, as in `Bracket`.
    route : str
        One of `ROUTES`.

    Examples
    --------
    >>> from dpteach import Gaussian
    >>> curve = Accountant().epsilon_curve(Gaussian(sigma=100.0), [1, 1000], 1e-6)
    >>> curve.upper.round(4).tolist(), curve.route
    ([0.0337, 1.3676], 'exact Gaussian')
    """

    lower: Vector
    upper: Vector
    route: str


class _Step(NamedTuple):
    event: Event
    k: int
    pair: Pair | None


class Accountant:
    """Adds up what events reveal about one person.

    Parameters
    ----------
    tolerance : float
        The width of brackets that is aimed at, in [1e-9, 0.1]: a part of epsilon or delta, and
        absolute for epsilon between 1 and 10.

    Raises
    ------
    ValueError, TypeError
        If the tolerance is outside its range.

    Notes
    -----
    Each event may be chosen by looking at earlier answers if the list of events and the neighbours
    were fixed beforehand: the pairs of laws dominate whatever the data. For budgets that are
    spent as one goes see `dpteach.filters`.

    Equal events are counted, and all unsampled Gaussian noise is one event. The cost of a question
    depends on the number of events only through the width of the lattice that the tolerance
    needs: it grows with the distinct events, about as (their number) times
    sqrt(count/tolerance) cells each, and not with the counts themselves otherwise. Answers are
    kept until the next `compose`.

    References
    ----------
    Koskela, Jälkö, Prediger and Honkela (2021) on sums of losses by Fourier transforms; Doroshenko,
    Ghazi, Kamath, Kumar and Manurangsi (2022) on chords of the profile; the tilted lattice with
    all errors bounded is this library's.

    Examples
    --------
    Training with noise: 10,000 steps on a hundredth of the data each.

    >>> from dpteach import Gaussian, Laplace, PoissonSubsampled
    >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
    >>> training = Accountant().compose(step, 10_000)
    >>> bracket = training.epsilon_at(1e-5)
    >>> bracket.lower < 6.187712 < bracket.upper, bracket.width < 1e-4, bracket.route
    (True, True, 'PLD')
    >>> training.compose(Laplace(scale=10.0)).epsilon_at(1e-5).upper > bracket.upper
    True
    """

    def __init__(self, *, tolerance: float = 1e-4) -> None:
        domain = _check.Domain("in [1e-9, 0.1]", lambda x: 1e-9 <= x <= 0.1)
        self._tolerance = _check.real("tolerance", tolerance, domain)
        self._counts: dict[Event, int] = {}
        self._pairs: dict[Event, Pair | None] = {}
        self._answers: dict[tuple[str, float, str | None], Bracket] = {}

    def __repr__(self) -> str:
        events = "".join(f".compose({event!r}, {k})" for event, k in self._counts.items())
        return f"Accountant(tolerance={self._tolerance!r}){events}"

    @property
    def tolerance(self) -> float:
        """The width of brackets that is aimed at.

        >>> Accountant().tolerance
        0.0001
        """
        return self._tolerance

    @property
    def events(self) -> tuple[tuple[Event, int], ...]:
        """The distinct events so far, each with its count.

        >>> from dpteach import PureDP
        >>> Accountant().compose(PureDP(0.5)).compose(PureDP(0.5), 2).events
        ((PureDP(epsilon=0.5), 3),)
        """
        return tuple(self._counts.items())

    def compose(self, event: Event, count: int = 1) -> Self:
        """Add an event, so many times.

        Parameters
        ----------
        event : Mechanism or Guarantee
            A mechanism, or what is claimed of one.
        count : int
            From 1 to 10^12.

        Returns
        -------
        Accountant
            Itself.

        Raises
        ------
        TypeError, ValueError
            If the event is neither, is about other neighbours than the earlier ones, or claims
            what does not add up to an (epsilon, delta), or count is outside its range. What
            was composed before stays.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> bracket = Accountant().compose(RandomizedResponse(1.0), 100).epsilon_at(1e-6)
        >>> round(bracket.upper, 6), bracket.route
        (83.530702, 'optimal composition')
        """
        _check.instance("event", event, (Mechanism, Guarantee))
        count = _check.count("count", count)
        if count > _MOST:
            raise ValueError(f"count must be at most 10^12, got count={_check.shown(count)}")
        for other in self._counts:
            if event.adjacency is not other.adjacency:
                raise ValueError(
                    f"event must be about the neighbours of the others ({other.adjacency}), "
                    f"got event={_check.shown(event)} with adjacency={event.adjacency}"
                )
            break
        if event not in self._pairs:
            pair = dominating_pair(event)
            if pair is None and _renyi(event, (2.0,)) is None and _own_orders(event) is None:
                raise TypeError(
                    "event must have a dominating pair of laws or a Rényi divergence that is "
                    f"known, got event={_check.shown(event)}"
                )
            self._pairs[event] = pair
        self._counts[event] = self._counts.get(event, 0) + count
        self._answers.clear()
        return self

    def epsilon_at(self, delta: float, *, route: str | None = None) -> Bracket:
        """The least epsilon at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].
        route : str, optional
            One of `ROUTES`; by default whichever gives the least upper end.

        Returns
        -------
        Bracket
            In [0, inf], in nats. The lower end is 0 where events are claims of a Rényi
            divergence, or mechanisms whose worst pair is not known.

        Raises
        ------
        ValueError, TypeError
            If delta is outside its range, the route is unknown, or has no answer for these
            events; the message says which have.

        Examples
        --------
        >>> from dpteach import Gaussian
        >>> bracket = Accountant().compose(Gaussian(sigma=10.0), 100).epsilon_at(1e-10)
        >>> round(bracket.upper, 9), bracket.width < 1e-9, bracket.route
        (6.547924067, True, 'exact Gaussian')
        """
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return self._answer(_Epsilon(self._steps(), delta, self._tolerance), route)

    def delta_at(self, epsilon: float, *, route: str | None = None) -> Bracket:
        """The least delta at an epsilon.

        Parameters
        ----------
        epsilon : float
            In [0, inf], in nats.
        route : str, optional
            One of `ROUTES`; by default whichever gives the least upper end.

        Returns
        -------
        Bracket
            In [0, 1].

        Raises
        ------
        ValueError, TypeError
            If epsilon is outside its range, the route is unknown, or has no answer for these
            events; the message says which have.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> bracket = Accountant().compose(Laplace(scale=20.0), 100).delta_at(2.0)
        >>> round(bracket.upper, 6), bracket.route
        (6e-06, 'PLD')
        """
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return self._answer(_Delta(self._steps(), epsilon, self._tolerance), route)

    def routes(
        self, *, epsilon: float | None = None, delta: float | None = None
    ) -> dict[str, Bracket]:
        """What every route says that applies, the tightest first.

        Parameters
        ----------
        epsilon, delta : float
            One of them: the other is bracketed.

        Returns
        -------
        dict from str to Bracket

        Raises
        ------
        ValueError, TypeError
            If not exactly one is given, or it is outside its range.

        Examples
        --------
        >>> from dpteach import Gaussian
        >>> ten = Accountant().compose(Gaussian(sigma=5.0), 10)
        >>> for route, bracket in ten.routes(delta=1e-6).items():
        ...     print(route, round(bracket.upper, 3))
        exact Gaussian 2.922
        PLD 2.922
        zCDP 3.131
        Rényi 3.131
        """
        question = self._question(epsilon, delta)
        found = [bracket for name in ROUTES if (bracket := question.by(name)) is not None]
        return {bracket.route: bracket for bracket in sorted(found, key=lambda b: b.upper)}

    def explain(self, *, epsilon: float | None = None, delta: float | None = None) -> Explanation:
        """In words, which route gave the number and how close it is.

        Parameters
        ----------
        epsilon, delta : float
            One of them: the other is explained.

        Returns
        -------
        Explanation
            Of the upper end.

        Raises
        ------
        ValueError, TypeError
            If not exactly one is given, or it is outside its range.

        Examples
        --------
        >>> from dpteach import Gaussian, PoissonSubsampled
        >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
        >>> print(Accountant().compose(step, 10_000).explain(delta=1e-5))
        epsilon at delta=1e-05 is 6.18774. It is an upper bound, by Zhu, Dong and Wang (2022), \
theorem 10, by sums on a lattice. The route is PLD; no epsilon below 6.18766 is true. Events: \
10000 x PoissonSubsampled(Gaussian(sigma=1.0, sensitivity=1.0), rate=0.01).
        """
        question = self._question(epsilon, delta)
        bracket = self._answer(question, None)
        exact = bracket.route in ("exact Gaussian", "optimal composition") and bracket.lower > 0
        told = ", ".join(f"{k} x {event!r}" for event, k in self._counts.items()) or "none"
        least = bracket.lower
        at_least = f"; no {question.name} below {least:.6g} is true" if least > 0 else ""
        return Explanation(
            bracket.upper,
            f"{question.name} at {question.told}",
            ROUTES[bracket.route],
            "exact" if exact else "upper bound",
            note=f"The route is {bracket.route}{at_least}. Events: {told}.",
        )

    def epsilon_curve(self, event: Event, ks: ArrayLike, delta: float) -> BracketCurve:
        """Epsilon after k more of an event, for many k.

        Parameters
        ----------
        event : Mechanism or Guarantee
        ks : array_like of integers
            Each from 1 to 10^9, of any shape and in any order.
        delta : float
            In (0, 1), of everything together.

        Returns
        -------
        BracketCurve
            Of the shape of ks. Brackets that the lattice gives do not fall as k grows.

        Raises
        ------
        TypeError, ValueError
            If the event cannot be composed, or a number is outside its range.

        Notes
        -----
        Cost: where nothing else was composed, or where all is Gaussian noise, a few milliseconds
        to a second for 1,000 values of k; else that of as many questions of `epsilon_at`.

        Examples
        --------
        >>> from dpteach import Gaussian, PoissonSubsampled
        >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
        >>> curve = Accountant().epsilon_curve(step, [100, 1000, 10_000], 1e-5)
        >>> curve.upper.round(3).tolist()
        [0.718, 1.828, 6.188]
        >>> bool(np.all(curve.upper - curve.lower < 1e-4 * np.maximum(curve.upper, 1)))
        True
        """
        trial = self._copy().compose(event)
        counts = _counts(ks)
        delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
        flat = counts.ravel()
        before = self._counts.get(event, 0)
        if len(trial._counts) == 1 and before + flat.max(initial=1) <= _MOST:
            pair = trial._pairs[event]
            if pair is not None and pair.exact and pair.mu is None and pair.response is None:
                low = high = np.array([math.inf])
                with contextlib.suppress(*_OUTSIDE):
                    low, high = epsilon_curve(pair.laws, flat + before, delta, self._tolerance)
                if np.isfinite(high).all():
                    ends = low.reshape(counts.shape), high.reshape(counts.shape)
                    return BracketCurve(*ends, "PLD")
        mus = trial._shifts(event, flat)
        if (
            mus is not None
            and (narrow := _gaussian_brackets(mus, delta, len(trial._counts))) is not None
        ):
            low, high = (end.reshape(counts.shape) for end in narrow)
            return BracketCurve(low, high, "exact Gaussian")
        lower, upper = np.zeros(flat.size), np.zeros(flat.size)
        route = "sum"
        distinct, where = np.unique(flat, return_inverse=True)
        for i, k in enumerate(distinct.tolist()):
            trial._counts[event] = before + int(k)
            trial._answers.clear()
            bracket = trial.epsilon_at(delta)
            lower[where == i], upper[where == i] = bracket.lower, bracket.upper
            route = bracket.route
        return BracketCurve(lower.reshape(counts.shape), upper.reshape(counts.shape), route)

    def remaining(self, event: Event, budget: ApproxDP) -> int:
        """How many times an event may still be composed within a budget.

        Parameters
        ----------
        event : Mechanism or Guarantee
        budget : ApproxDP
            (epsilon, delta) of everything together.

        Returns
        -------
        int
            The largest count that is certain to be within, at most 10^9; 0 if there is none, or
            the budget is exceeded already.

        Raises
        ------
        TypeError, ValueError
            If the event cannot be composed, or budget is not ApproxDP about the same neighbours.

        Notes
        -----
        Cost: some ten to fifty questions of `delta_at`.

        Examples
        --------
        >>> from dpteach import Gaussian
        >>> spent = Accountant().compose(Gaussian(sigma=20.0), 10)
        >>> spent.remaining(Gaussian(sigma=20.0), ApproxDP(1.0, 1e-6))
        12
        """
        _check.instance("budget", budget, ApproxDP)
        trial = self._copy().compose(event)
        if budget.adjacency is not event.adjacency:
            raise ValueError(
                f"budget must be about the neighbours of the events ({event.adjacency}), "
                f"got budget={_check.shown(budget)} with adjacency={budget.adjacency}"
            )
        if self._counts and self.delta_at(budget.epsilon).upper > budget.delta:
            return 0

        def excess(count: int) -> float:
            """log of delta over that of the budget: above 0 it is exceeded."""
            trial._counts[event] = self._counts.get(event, 0) + count
            trial._answers.clear()
            upper = trial.delta_at(budget.epsilon).upper
            if upper <= budget.delta:
                return min(math.log(upper) - math.log(budget.delta), 0.0) if upper > 0 else -1e3
            return math.log(upper) - math.log(max(budget.delta, 1e-320))

        low, at_low = 0, -1e3
        high, at_high = 1, excess(1)
        while at_high <= 0:
            if high >= MOST_STEPS:
                return MOST_STEPS
            low, at_low = high, at_high
            high = min(4 * high, MOST_STEPS)
            at_high = excess(high)
        halve = False
        while high - low > 1:
            # on a line through both ends, in the logarithm of the count; every other time halved
            middle = (low + high) // 2
            if low > 0 and not halve and high - low > 4:
                part = at_low / (at_low - at_high)
                middle = round(low * (high / low) ** part)
                middle = min(max(middle, low + 1), high - 1)
            found = excess(middle)
            halve = not halve and high - low > 4
            if found <= 0:
                low, at_low = middle, found
            else:
                high, at_high = middle, found
        return low

    def _shifts(self, event: Event, counts: Vector) -> Vector | None:
        """The shifts of normal laws after so many of an event, if all is Gaussian noise."""
        squares = np.zeros(counts.shape)
        for other, pair in self._pairs.items():
            if pair is None or pair.mu is None:
                return None
            k = counts - 1 if other == event else 0
            squares += (self._counts[other] + k) * pair.mu**2
        return np.sqrt(squares)

    def _copy(self) -> Accountant:
        other = Accountant(tolerance=self._tolerance)
        other._counts, other._pairs = dict(self._counts), dict(self._pairs)
        return other

    def _steps(self) -> list[_Step]:
        return [_Step(event, k, self._pairs[event]) for event, k in self._counts.items()]

    def _question(self, epsilon: float | None, delta: float | None) -> _Question:
        _check.exactly_one(epsilon, delta)
        if epsilon is not None:
            epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
            return _Delta(self._steps(), epsilon, self._tolerance)
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return _Epsilon(self._steps(), delta, self._tolerance)

    def _answer(self, question: _Question, route: str | None) -> Bracket:
        if route is not None:
            route = _check.one_of("route", route, tuple(ROUTES))
        key = question.name, question.at, route
        if key not in self._answers:
            self._answers[key] = question.best() if route is None else question.of(route)
        return self._answers[key]


def enclosing_plds(event: Event, *, step: float) -> tuple[PLD, PLD]:
    """Two privacy loss distributions on a lattice, with that of an event between them.

    Parameters
    ----------
    event : Mechanism or Guarantee
        One of which a dominating pair of laws is known.
    step : float
        The distance of the lattice's points, in (0, 1], in nats.

    Returns
    -------
    (PLD, PLD)
        The optimistic and the pessimistic one: all their hockey-stick divergences are below and
        above those of the event's dominating pair, and so are those of equal numbers of
        compositions. They are apart by about step^2 where the loss has a density, and by a part of
        step where it has single values between the lattice's points. Of the tails 1e-15 is cut
        off: deltas below that are told by `Accountant`, which tilts the laws first.

    Raises
    ------
    TypeError
        If no dominating pair of the event is known.
    ValueError
        If the step is outside its range, or so small that the lattice has over 2^17 points.

    Notes
    -----
    Cost: proportional to the number of points.

    References
    ----------
    Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), section 4.

    Examples
    --------
    >>> from dpteach import Gaussian
    >>> optimistic, pessimistic = enclosing_plds(Gaussian(sigma=2.0), step=0.02)
    >>> truth = Gaussian(sigma=2.0).guarantee(ApproxDP, epsilon=1.0).delta
    >>> optimistic.delta_at(1.0) < truth < pessimistic.delta_at(1.0)
    True
    >>> round(truth, 5), pessimistic.delta_at(1.0) - optimistic.delta_at(1.0) < 2e-5
    (0.00683, True)
    """
    _check.instance("event", event, (Mechanism, Guarantee))
    step = _check.real("step", step, _check.Domain("in (0, 1]", lambda x: 0 < x <= 1))
    pair = dominating_pair(event)
    if pair is None:
        raise TypeError(
            "event must have a dominating pair of laws that is known, "
            f"got event={_check.shown(event)}"
        )
    optimistic, pessimistic = [], []
    for law in pair.laws:
        low, high = _enclosing_laws(law, step)
        optimistic.append(low)
        pessimistic.append(high)
    return (
        PLD(*optimistic[0], *optimistic[1], adjacency=event.adjacency),
        PLD(*pessimistic[0], *pessimistic[1], adjacency=event.adjacency),
    )


def _enclosing_laws(law: Law, step: float) -> tuple[FiniteAtoms, FiniteAtoms]:
    """Losses and masses under P below and above; what is cut off is the least, or infinite."""
    extent = law.extent(0.0, -35.0)
    if extent / step > 2**17:
        raise ValueError(
            f"step must be at least {extent / 2**17:.3g} for a lattice of at most 2^17 points, "
            f"got step={step}"
        )
    cells = law.cells(step, 0.0, -35.0)
    points = law.offset + step * (cells.start + np.arange(cells.atoms.size))
    scale = math.exp(cells.log_moment)
    found = []
    for lattice, rest in ((below(cells, step, 0.0), -1), (above(cells, step, 0.0), 1)):
        masses = np.maximum(lattice.weights, 0.0) * scale * (1 + rest * 1e-12)
        left = max(0.0, 1 - math.fsum(masses))
        if rest < 0:  # the mass of infinite losses is known
            masses[0] += max(0.0, left - law.infinite)
            left = law.infinite
        found.append(([*points.tolist(), math.inf], [*masses.tolist(), left]))
    return found[0], found[1]


# --- questions -------------------------------------------------------------------------------


class _Question:
    """The events, the number that is given, and the routes to the one that is wanted."""

    name: str

    def __init__(self, steps: Sequence[_Step], at: float, tolerance: float) -> None:
        self.steps, self.at, self.tolerance = steps, at, tolerance
        #: whether some neighbours have all pairs: else nothing is known from below
        self.exact = all(step.pair is not None and step.pair.exact for step in steps)
        #: the ratio of a bracket's ends from which on other routes are tried, too
        self.narrow = 1 + max(0.01, 2 * tolerance)

    # what differs between the two numbers

    @property
    def told(self) -> str:
        raise NotImplementedError

    def trivial(self) -> Bracket | None:
        """The answer where no computation is needed."""
        raise NotImplementedError

    def profile(self, claim: Guarantee) -> float:
        """What a claim says, its own conversion."""
        raise NotImplementedError

    def converted(self, claim: Guarantee) -> float:
        """What a claim says, by the best conversion."""
        raise NotImplementedError

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        """A bracket below an upper end that is exact but for rounding, by lower bounds of delta."""
        raise NotImplementedError

    def on_lattice(self, directions: list[list[tuple[Law, int]]]) -> tuple[float, float]:
        raise NotImplementedError

    def within(self, step: ApproxDP, k: int) -> ApproxDP:
        """`optimal_composition` at the number that is given."""
        raise NotImplementedError

    # the routes

    def best(self) -> Bracket:
        if (known := self.trivial()) is not None:
            return known
        for name in ("exact Gaussian", "optimal composition"):
            if (found := self.by(name)) is not None and self.exact:
                return found
        lattice = self.by("PLD")
        # a dominating pair that some neighbours have cannot be improved on, if it was resolved
        if lattice is not None and self.exact and lattice.upper <= lattice.lower * self.narrow:
            return lattice
        names = "exact Gaussian", "optimal composition", "Rényi", "zCDP", "sum"
        others = [found for name in names if (found := self.by(name)) is not None]
        if lattice is not None:
            others.append(lattice)
        best = min(others, key=lambda bracket: bracket.upper, default=None)
        if best is None:
            raise ValueError(
                "events must be such that a lattice holds the sum of their losses, or such that "
                "a Rényi divergence of all of them is known: more noise, a larger rate or fewer "
                f"steps would do, got events={_check.shown([s.event for s in self.steps])}"
            )
        if lattice is not None and lattice.lower > best.lower:
            best = replace(best, lower=min(lattice.lower, best.upper))
        return best

    def of(self, route: str) -> Bracket:
        found = self.by(route)
        if found is None:
            names = [name for name in ROUTES if name != route and self.by(name) is not None]
            raise ValueError(
                f"route must be one that these events have ({', '.join(names) or 'there is none'}"
                f"){self.why_not(route)}, got route={route!r}"
            )
        return found

    def why_not(self, route: str) -> str:
        if route == "PLD" and all(step.pair for step in self.steps):
            return (
                "; no lattice holds the sum of the losses: more noise, a larger rate or fewer "
                "steps would do"
            )
        return ""

    def by(self, route: str) -> Bracket | None:
        if (known := self.trivial()) is not None:
            return known if known.route == route else None
        ways: dict[str, Callable[[], Bracket | None]] = {
            "exact Gaussian": self.by_gaussian,
            "optimal composition": self.by_optimal_composition,
            "PLD": self.by_lattice,
            "Rényi": self.by_renyi,
            "zCDP": self.by_zcdp,
            "sum": self.by_claims,
        }
        return ways[route]()

    def by_gaussian(self) -> Bracket | None:
        mu = 0.0
        for _, k, pair in self.steps:
            if pair is None or pair.mu is None:
                return None
            mu = math.hypot(mu, math.sqrt(k) * pair.mu)
        margin = (len(self.steps) + 2) * _numerics.MARGIN
        less = GaussianDP(mu * (1 - margin))
        return self.enclosed(
            self.profile(GaussianDP(mu * (1 + margin))),
            lambda epsilon: less.delta_at(epsilon * (1 + _numerics.MARGIN)) * (1 - _MARGIN),
            "exact Gaussian",
        )

    def by_optimal_composition(self) -> Bracket | None:
        if len(self.steps) != 1:
            return None
        _, k, pair = self.steps[0]
        step = pair.response if pair is not None else None
        if step is None or step.epsilon > 700 or k > MOST_STEPS:
            return None
        try:
            claim = self.within(step, k)
        except ValueError:  # no epsilon is true
            return None
        margin = _MARGIN * max(1.0, k / 1e5)

        def below(epsilon: float) -> float:
            # near the largest loss what is left of it has few digits
            beyond = epsilon * (1 + 16 * _numerics.MARGIN)
            return optimal_composition(step, k, epsilon=beyond).delta * (1 - margin)

        upper = claim.epsilon if self.name == "epsilon" else claim.delta
        return self.enclosed(upper, below, "optimal composition")

    def by_lattice(self) -> Bracket | None:
        shift = 0.0
        directions: list[list[tuple[Law, int]]] = [[], []]
        for _, k, pair in self.steps:
            if pair is None:
                return None
            if pair.mu is not None:  # Gaussians are one
                shift = math.hypot(shift, math.sqrt(k) * pair.mu)
                continue
            for direction, law in zip(directions, pair.laws, strict=True):
                direction.append((law, k))
        if shift > 0:
            for direction in directions:
                direction.append((Law(1.0, base=NormalBase(shift)), 1))
        if all(step.pair and step.pair.laws[0] is step.pair.laws[1] for step in self.steps):
            directions = directions[:1]
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                low, high = self.on_lattice(directions)
        except _OUTSIDE:
            return None
        return Bracket(low if self.exact else 0.0, high, "PLD")

    def by_renyi(self) -> Bracket | None:
        claim = self.divergences(_ORDERS)
        if claim is None:
            return None
        value, order = self.best_of(claim)
        orders = [a for a in claim.orders if 1 < a < math.inf]
        if order in orders and not any(_own_orders(step.event) for step in self.steps):
            for _ in range(2):  # nearer to the best real order
                i = orders.index(order)
                ends = orders[max(i - 1, 0)] - 1, orders[min(i + 1, len(orders) - 1)] - 1
                orders = [1 + float(b) for b in np.geomspace(*ends, 17)]
                finer = self.divergences(orders)
                if finer is None:
                    break
                found, at = self.best_of(finer)
                if found <= value:
                    value, order, claim = found, at, finer
                if order not in orders:
                    break
        if 1 < order < math.inf:
            one = RenyiDP(order, claim.epsilons[claim.orders.index(order)])
            value = min(value, self.converted(one))
        return Bracket(0.0, value, "Rényi")

    def best_of(self, claim: RenyiDP) -> tuple[float, float]:
        values = [
            self.profile(RenyiDP(a, e)) for a, e in zip(claim.orders, claim.epsilons, strict=True)
        ]
        best = int(np.argmin(values))
        return values[best], claim.orders[best]

    def divergences(self, orders: Sequence[float]) -> RenyiDP | None:
        """Of all events together, at these orders or at those that claims are about."""
        for step in self.steps:
            if (own := _own_orders(step.event)) is not None:
                orders = own if orders is _ORDERS else [a for a in orders if a in own]
        total = np.zeros(len(orders))
        for event, k, _ in self.steps:
            claim = _renyi(event, tuple(orders))
            if claim is None or len(claim.orders) != len(orders):
                return None
            total = (total + k * np.array(claim.epsilons)) * (1 + 4 * _numerics.MARGIN)
        return RenyiDP(tuple(orders), total.tolist()) if len(orders) else None

    def by_zcdp(self) -> Bracket | None:
        rho = 0.0
        for event, k, _ in self.steps:
            claim = _claim(event, ZCDP)
            if claim is None:
                return None
            rho = (rho + k * claim.rho) * (1 + 4 * _numerics.MARGIN)
        if not rho < math.inf:
            return None
        return Bracket(0.0, self.converted(ZCDP(rho)), "zCDP")

    def by_sum(self) -> Bracket | None:
        """Epsilons and deltas of claims, added up."""
        epsilon = delta = 0.0
        for event, k, pair in self.steps:
            claim = _claim(event, PureDP)
            if claim is not None:
                one = claim.epsilon, 0.0
            elif pair is not None and pair.response is not None:
                one = pair.response.epsilon, pair.response.delta
            else:
                return None
            epsilon = (epsilon + k * one[0]) * (1 + 4 * _numerics.MARGIN)
            delta = (delta + k * one[1]) * (1 + 4 * _numerics.MARGIN)
        if not epsilon < math.inf:
            return None
        return self.summed(epsilon, delta)

    def by_claims(self) -> Bracket | None:
        """What claims add up to; of a single release, what it claims of itself."""
        found = [bracket for bracket in (self.by_sum(), self.by_own()) if bracket is not None]
        return min(found, key=lambda bracket: bracket.upper, default=None)

    def by_own(self) -> Bracket | None:
        if len(self.steps) != 1 or self.steps[0].k != 1:
            return None
        event = self.steps[0].event
        given = "delta" if self.name == "epsilon" else "epsilon"
        if not isinstance(event, Mechanism):
            return None
        claim = _claim(event, ApproxDP, **{given: self.at})
        upper: float = math.inf if claim is None else getattr(claim, self.name)
        return Bracket(0.0, upper, "sum") if upper < math.inf else None

    def summed(self, epsilon: float, delta: float) -> Bracket | None:
        raise NotImplementedError


class _Epsilon(_Question):
    name = "epsilon"

    @property
    def told(self) -> str:
        return f"delta={self.at:g}"

    def trivial(self) -> Bracket | None:
        if not self.steps or self.at == 1:
            return Bracket(0.0, 0.0, "sum")
        if self.at > 0:
            return None
        # without delta only what is certain counts: the largest losses
        total = self.by_sum()
        upper = math.inf if total is None else total.upper
        tight = self.exact and (upper == math.inf or upper == 0)
        lower = upper if tight else 0.0
        if self.exact and not tight and all(self.attains(step) for step in self.steps):
            lower = upper * (1 - 8 * len(self.steps) * _numerics.MARGIN)
        return Bracket(lower, upper, "sum")

    @staticmethod
    def attains(step: _Step) -> bool:
        """Whether the claim of pure DP is the largest loss of the pair."""
        return isinstance(step.event, PureDP) or _claim(step.event, PureDP) is not None

    def profile(self, claim: Guarantee) -> float:
        return claim.epsilon_at(self.at)

    def converted(self, claim: Guarantee) -> float:
        try:
            return convert(claim, to=ApproxDP, delta=self.at).epsilon
        except ValueError:  # no finite one is true
            return math.inf

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        lower = 0.0
        part = 1e-12
        while self.exact and part < 1 and lower == 0 and 0 < upper < math.inf:
            smaller = upper * (1 - part)
            if below(smaller) > self.at:
                lower = smaller
            part *= 10
        return Bracket(lower if upper < math.inf or not self.exact else upper, upper, route)

    def on_lattice(self, directions: list[list[tuple[Law, int]]]) -> tuple[float, float]:
        return epsilon_bracket(directions, self.at, self.tolerance)

    def within(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, delta=self.at)

    def summed(self, epsilon: float, delta: float) -> Bracket | None:
        return Bracket(0.0, epsilon, "sum") if delta <= self.at else None


class _Delta(_Question):
    name = "delta"

    @property
    def told(self) -> str:
        return f"epsilon={self.at:g}"

    def trivial(self) -> Bracket | None:
        if not self.steps:
            return Bracket(0.0, 0.0, "sum")
        if self.at < math.inf:
            return None
        # the probability of an infinite loss; a claim without a pair allows none
        kept = [0.0, 0.0]
        for _, k, pair in self.steps:
            for i, law in enumerate(pair.laws if pair else ()):
                kept[i] += k * (math.log1p(-law.infinite) if law.infinite < 1 else -math.inf)
        upper = -math.expm1(min(kept))
        most = min(1.0, upper * (1 + _MARGIN))
        return Bracket(upper * (1 - _MARGIN) if self.exact else 0.0, most, "sum")

    def profile(self, claim: Guarantee) -> float:
        return claim.delta_at(self.at)

    def converted(self, claim: Guarantee) -> float:
        return convert(claim, to=ApproxDP, epsilon=self.at).delta

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        return Bracket(min(below(self.at), upper) if self.exact else 0.0, upper, route)

    def on_lattice(self, directions: list[list[tuple[Law, int]]]) -> tuple[float, float]:
        return delta_bracket(directions, self.at, self.tolerance)

    def within(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, epsilon=self.at)

    def summed(self, epsilon: float, delta: float) -> Bracket | None:
        return Bracket(0.0, min(delta, 1.0), "sum") if epsilon <= self.at else None


def _gaussian_brackets(mus: Vector, delta: float, events: int) -> tuple[Vector, Vector] | None:
    """The exact formula for many shifts, if rounding leaves it exact."""
    if mus.size and not (mus.min() > 1e-200 and mus.max() < 1e8 and delta < 0.99):
        return None
    margin = (events + 2) * _numerics.MARGIN
    upper = epsilons_of_gaussian(mus * (1 + margin), np.full(mus.size, delta))
    lower = upper * (1 - 1e-11)
    below = log_deltas_of_gaussian(mus * (1 - margin), lower) + math.log1p(-_MARGIN)
    return (lower, upper) if np.all((below > math.log(delta)) | (upper == 0)) else None


def _counts(ks: object) -> Vector:
    """Numbers of events."""
    counts = _check.integers("ks", ks, largest=MOST_STEPS)
    if counts.size and counts.min() < 1:
        raise ValueError(f"ks must hold integers >= 1, got ks={_check.shown(ks)}")
    return counts.astype(np.float64)


# --- what is known of an event -----------------------------------------------------------------


def _claim(event: Event, notion: type[G], **told: Any) -> G | None:
    try:
        if isinstance(event, notion):
            return event
        if isinstance(event, Mechanism):
            return event.guarantee(notion, **told)
        return convert(event, to=notion, **told)
    except (TypeError, ValueError):  # no theorem, or none with a finite number
        return None


def _own_orders(event: Event) -> tuple[float, ...] | None:
    """The orders of a claim that is about some orders only."""
    if isinstance(event, Mechanism) or _claim(event, PureDP) or _claim(event, ZCDP):
        return None
    claim = _claim(event, RenyiDP)
    return claim.orders if claim is not None else None


def _renyi(event: Event, orders: tuple[float, ...]) -> RenyiDP | None:
    own = _own_orders(event)
    if own is not None:
        claim = _claim(event, RenyiDP)
        assert claim is not None
        kept = [(a, e) for a, e in zip(own, claim.epsilons, strict=True) if a in orders]
        return RenyiDP(*zip(*kept, strict=True)) if kept else None
    direct = _claim(event, RenyiDP, orders=orders)
    if direct is None and (pure := _claim(event, PureDP)) is not None:
        return convert(pure, to=RenyiDP, orders=orders)
    return direct
