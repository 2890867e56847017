"""The accountant: adds events up, and encloses the truth from both sides.

Where the pair of laws that dominates each event is known, what it answers is a `Bracket` of the
truth: the law of the sum of the privacy losses, once with losses rounded such that it is worse and
once such that it is better, and every error of the computation on the side where it does no harm.
Exact formulas are used where there are some; where only a Rényi divergence is known, its best real
order gives the upper end.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.accounting.optimal import MOST_STEPS, one_of_both
from dpteach.accounting.pairs import Pair, dominating_pair
from dpteach.accounting.routes import (
    ROUTES,
    Bracket,
    DeltaQuestion,
    EpsilonQuestion,
    Event,
    Question,
    Step,
    aimed_epsilons,
    gaussian_curve,
    has_bound,
    lattice_curve,
)
from dpteach.mechanisms import Mechanism
from dpteach.notions import ApproxDP, Explanation, Guarantee

Vector = NDArray[np.float64]

#: the largest count: those of more are not told apart by floats
_MOST = 10**12


@dataclass(frozen=True, eq=False)
class BracketCurve:
    """Brackets of many numbers: arrays of one shape.

    Parameters
    ----------
    lower, upper : ndarray
        The ends, as in `Bracket`.
    route : str
        One of `ROUTES`.
    within_tolerance : ndarray of bool
        Which brackets are as narrow as the tolerance aims at.

    Examples
    --------
    >>> from dpteach import Gaussian
    >>> curve = Accountant().epsilon_curve(Gaussian(sigma=100.0), [1, 1000], 1e-6)
    >>> curve.upper.round(4).tolist(), curve.route, bool(curve.within_tolerance.all())
    ([0.0337, 1.3676], 'exact Gaussian', True)
    """

    lower: Vector
    upper: Vector
    route: str
    within_tolerance: NDArray[np.bool_]


class Accountant:
    """Adds up what events reveal about one person.

    Parameters
    ----------
    tolerance : float
        The width of brackets that is aimed at, in [1e-9, 0.1]: a part of epsilon or delta, and
        absolute for epsilon between 1 and 10. A bracket may be wider, where its computation
        would take too long; then its `within_tolerance` is False. It always holds the truth.

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
            If the event is about other neighbours than the earlier ones, or claims what does not
            add up to an (epsilon, delta). What was composed before stays.

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
            if not has_bound(event, pair):
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
        ValueError
            If the route has no answer for these events; the message says which have.

        Examples
        --------
        >>> from dpteach import Gaussian
        >>> bracket = Accountant().compose(Gaussian(sigma=10.0), 100).epsilon_at(1e-10)
        >>> round(bracket.upper, 9), bracket.width < 1e-9, bracket.route
        (6.547924067, True, 'exact Gaussian')
        """
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return self._answer(self._question(None, delta), route)

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
        ValueError
            If the route has no answer for these events; the message says which have.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> bracket = Accountant().compose(Laplace(scale=20.0), 100).delta_at(2.0)
        >>> round(bracket.upper, 6), bracket.route
        (6e-06, 'PLD')
        """
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return self._answer(self._question(epsilon, None), route)

    def routes(
        self, *, epsilon: float | None = None, delta: float | None = None
    ) -> dict[str, Bracket]:
        """What every route says that applies, the tightest first.

        Parameters
        ----------
        epsilon, delta : float
            One of them, in [0, inf] or in [0, 1]: the other is bracketed.

        Returns
        -------
        dict from str to Bracket

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
        return {
            bracket.route: question.judged(bracket)
            for bracket in sorted(found, key=lambda b: b.upper)
        }

    def explain(self, *, epsilon: float | None = None, delta: float | None = None) -> Explanation:
        """In words, which route gave the number and how close it is.

        Parameters
        ----------
        epsilon, delta : float
            One of them, in [0, inf] or in [0, 1]: the other is explained.

        Returns
        -------
        Explanation
            Of the upper end.

        Examples
        --------
        >>> from dpteach import Gaussian, PoissonSubsampled
        >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
        >>> print(Accountant().compose(step, 10_000).explain(delta=1e-5))
        epsilon at delta=1e-05 is 6.18775. It is an upper bound, by Zhu, Dong and Wang (2022), \
theorem 10, by sums on a lattice. The route is PLD; no epsilon below 6.18765 is true. Events: \
10000 x PoissonSubsampled(Gaussian(sigma=1.0, sensitivity=1.0), rate=0.01).
        """
        question = self._question(epsilon, delta)
        bracket = self._answer(question, None)
        exact = bracket.route in ("exact Gaussian", "optimal composition") and bracket.lower > 0
        told = ", ".join(f"{k} x {event!r}" for event, k in self._counts.items()) or "none"
        least = bracket.lower
        at_least = (
            f"; no {question.name} below {_numerics.rounded_down(least)} is true"
            if least > 0
            else ""
        )
        if question.exact and not bracket.within_tolerance:
            at_least += f"; the bracket is wider than the tolerance of {self._tolerance:g}"
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
        before = self._counts.get(event, 0)
        flat = counts.ravel() + before
        route, ends = "PLD", None
        if len(trial._counts) == 1 and flat.max(initial=1) <= _MOST:
            step = Step(event, 1, trial._pairs[event])
            ends = lattice_curve(step, flat, delta, self._tolerance)
        if ends is None and (mus := trial._shifts(event, flat)) is not None:
            route, ends = "exact Gaussian", gaussian_curve(mus, delta, len(trial._counts))
        if ends is None:
            return trial._one_by_one(event, counts + before, delta)
        lower, upper = (end.reshape(counts.shape) for end in ends)
        return self._curve(lower, upper, route)

    def _one_by_one(self, event: Event, counts: Vector, delta: float) -> BracketCurve:
        lower, upper, route = np.zeros(counts.shape), np.zeros(counts.shape), "sum"
        for k in np.unique(counts):
            bracket = self._with(event, int(k)).epsilon_at(delta)
            here, route = counts == k, bracket.route
            lower[here], upper[here] = bracket.lower, bracket.upper
        return self._curve(lower, upper, route)

    def _curve(self, lower: Vector, upper: Vector, route: str) -> BracketCurve:
        # a bracket whose ends are both infinite has the width 0
        width = np.where(np.isfinite(lower), upper, 0.0) - np.where(np.isfinite(lower), lower, 0.0)
        return BracketCurve(lower, upper, route, width <= aimed_epsilons(self._tolerance, upper))

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
        ValueError
            If the budget is about other neighbours.

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
        before = self._counts.get(event, 0)

        def excess(count: int) -> float:
            """log of delta over that of the budget: above 0 it is exceeded."""
            trial._with(event, before + count)
            if budget.delta == 0:  # sums, rounded once as everywhere
                return trial.epsilon_at(0.0).upper - budget.epsilon
            upper = trial.delta_at(budget.epsilon).upper
            if upper <= budget.delta:
                return min(math.log(upper) - math.log(budget.delta), 0.0) if upper > 0 else -1e3
            return math.log(upper) - math.log(budget.delta)

        return _last_within(excess)

    @np.errstate(over="ignore")  # what leaves the range of floats is infinite
    def _shifts(self, event: Event, counts: Vector) -> Vector | None:
        """The shifts of normal laws with so many of an event, if all is Gaussian noise."""
        shifts = np.zeros(counts.shape)
        for other, pair in self._pairs.items():
            if pair is None or pair.mu is None:
                return None
            k = counts if other == event else self._counts[other]
            shifts = np.hypot(shifts, np.sqrt(k) * pair.mu)
        return shifts

    def _copy(self) -> Accountant:
        other = Accountant(tolerance=self._tolerance)
        other._counts, other._pairs = dict(self._counts), dict(self._pairs)
        return other

    def _with(self, event: Event, count: int) -> Self:
        """Itself, with another count of an event."""
        self._counts[event] = count
        self._answers.clear()
        return self

    def _question(self, epsilon: float | None, delta: float | None) -> Question:
        epsilon, delta = one_of_both(epsilon, delta, _check.EXTENDED_NON_NEGATIVE)
        steps = [Step(event, k, self._pairs[event]) for event, k in self._counts.items()]
        if epsilon is not None:
            return DeltaQuestion(steps, epsilon, self._tolerance)
        assert delta is not None
        return EpsilonQuestion(steps, delta, self._tolerance)

    def _answer(self, question: Question, route: str | None) -> Bracket:
        if route is not None:
            route = _check.one_of("route", route, tuple(ROUTES))
        key = question.name, question.at, route
        if key not in self._answers:
            found = question.best() if route is None else question.of(route)
            self._answers[key] = question.judged(found)
        return self._answers[key]


def _last_within(excess: Callable[[int], float]) -> int:
    """The last count, at most `MOST_STEPS`, at which a rising function is not above 0."""
    low, at_low, high, at_high = 0, -1e3, 1, excess(1)
    while at_high <= 0:
        if high >= MOST_STEPS:
            return MOST_STEPS
        low, at_low, high = high, at_high, min(4 * high, MOST_STEPS)
        at_high = excess(high)
    side = 0
    for tried in itertools.count():
        if high - low <= 1:
            return low
        middle = (low + high) // 2
        if low > 0 and high - low > 4 and tried < 30:
            # on a line through both ends, in the logarithm of the count
            part = at_low / (at_low - at_high)
            middle = min(max(round(low * (high / low) ** part), low + 1), high - 1)
        found = excess(middle)
        # where an end stays, it counts half as much: so both come near (the Illinois method)
        if found <= 0:
            low, at_low, at_high = middle, found, at_high / (2 if side < 0 else 1)
        else:
            high, at_high, at_low = middle, found, at_low / (2 if side > 0 else 1)
        side = -1 if found <= 0 else 1
    raise AssertionError


def _counts(ks: object) -> Vector:
    """Numbers of events."""
    counts = _check.integers("ks", ks, largest=MOST_STEPS)
    if counts.size and counts.min() < 1:
        raise ValueError(f"ks must hold integers >= 1, got ks={_check.shown(ks)}")
    return counts.astype(np.float64)
