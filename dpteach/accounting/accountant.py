"""The accountant, which composes events and brackets epsilon and delta from both sides.

An event is a mechanism or a guarantee.

If a dominating pair of distributions is known for each event, the result is a `Bracket`, certified
lower and upper bounds. Both bounds come from the distribution of the sum of the privacy losses,
once with losses rounded pessimistically and once optimistically; all other computation errors
widen the bracket. Exact formulas are used where they exist. If only Rényi divergences are known,
the best real order gives the upper bound.
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
from dpteach._language import catalog
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

_, _n = catalog("accounting")

Vector = NDArray[np.float64]

#: the largest count of one event that `compose` accepts
_MOST = 10**12


@dataclass(frozen=True, eq=False)
class BracketCurve:
    """Certified lower and upper bounds on many numbers, in two arrays of the same shape.

    Parameters
    ----------
    lower, upper : ndarray
        The lower and upper bounds, as in `Bracket`.
    route : str
        The method that gave the bounds, one of `ROUTES`.
    within_tolerance : ndarray of bool
        Whether each bracket is as narrow as the accountant's tolerance requests.

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
    """An accountant of the privacy cost of composed mechanisms and guarantees.

    Parameters
    ----------
    tolerance : float
        The requested width of brackets, in [1e-9, 0.1]. For delta it is relative: the width is
        tolerance * delta. For epsilon the width is tolerance * epsilon below 1, tolerance from 1
        to 10, and tolerance * epsilon/10 above. A bracket may be wider where its computation would
        take too long; then its `within_tolerance` is False. Every bracket contains the true value.

    Notes
    -----
    The queries may be chosen adaptively, but the list of events and the adjacency must be fixed in
    advance. If the events themselves are chosen adaptively, see `dpteach.filters`.

    Equal events are merged with a count, and all Gaussian noise without subsampling is one event.
    A computation uses about sqrt(n/tolerance) lattice cells for each distinct event, where n is the
    number of all events. Results are cached until the next `compose`.

    References
    ----------
    Koskela, Jälkö, Prediger and Honkela (2021) on sums of losses by Fourier transforms; Doroshenko,
    Ghazi, Kamath, Kumar and Manurangsi (2022) on chords of the profile. The tilted lattice with
    bounds on all errors was developed for this library.

    Examples
    --------
    Noisy training: 10,000 steps, each on a sample of about 1% of the data.

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
        """The requested width of brackets, as defined for the parameter of the class.

        >>> Accountant().tolerance
        0.0001
        """
        return self._tolerance

    @property
    def events(self) -> tuple[tuple[Event, int], ...]:
        """The distinct composed events, each with its count.

        >>> from dpteach import PureDP
        >>> Accountant().compose(PureDP(0.5)).compose(PureDP(0.5), 2).events
        ((PureDP(epsilon=0.5), 3),)
        """
        return tuple(self._counts.items())

    def compose(self, event: Event, count: int = 1) -> Self:
        """Add an event `count` times and return the accountant.

        Parameters
        ----------
        event : Mechanism or Guarantee
            A mechanism, or the guarantee of a mechanism.
        count : int
            From 1 to 10^12.

        Returns
        -------
        Accountant
            The same object, so calls can be chained.

        Raises
        ------
        TypeError, ValueError
            If the event has a different adjacency than the earlier events, or if no bound on
            its epsilon under composition is known. The accountant is then unchanged.

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
                    f"event must be about the neighbors of the others ({other.adjacency}), "
                    f"got event={_check.shown(event)} with adjacency={event.adjacency}"
                )
            break
        if event not in self._pairs:
            pair = dominating_pair(event)
            if not has_bound(event, pair):
                raise TypeError(
                    "event must have a known dominating pair of distributions or a known Rényi "
                    f"divergence, got event={_check.shown(event)}"
                )
            self._pairs[event] = pair
        self._counts[event] = self._counts.get(event, 0) + count
        self._answers.clear()
        return self

    def epsilon_at(self, delta: float, *, route: str | None = None) -> Bracket:
        """Return a bracket of the least epsilon at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].
        route : str, optional
            The method to use, one of `ROUTES`; by default the one with the least upper bound.

        Returns
        -------
        Bracket
            In [0, inf], in nats. The lower bound is 0 if some event is a Rényi guarantee, or a
            mechanism whose worst-case neighbors are not known.

        Raises
        ------
        ValueError
            If the route does not apply to these events; the message lists the routes that apply.

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
        """Return a bracket of the least delta at an epsilon.

        Parameters
        ----------
        epsilon : float
            In [0, inf], in nats.
        route : str, optional
            The method to use, one of `ROUTES`; by default the one with the least upper bound.

        Returns
        -------
        Bracket
            In [0, 1].

        Raises
        ------
        ValueError
            If the route does not apply to these events; the message lists the routes that apply.

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
        """Return the brackets of all routes that apply, the smallest upper bound first.

        A route is a method to bound epsilon or delta.

        Parameters
        ----------
        epsilon, delta : float
            Exactly one of them, epsilon in [0, inf] or delta in [0, 1]; the other is bracketed.

        Returns
        -------
        dict of str to Bracket
            The name of each route and its bracket.

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
        """Explain in words which method (route) gives the upper bound, and how tight the bound is.

        Parameters
        ----------
        epsilon, delta : float
            Exactly one of them, epsilon in [0, inf] or delta in [0, 1]; the other is bounded.

        Returns
        -------
        Explanation
            The explanation of the upper bound.

        Examples
        --------
        >>> from dpteach import Gaussian, PoissonSubsampled
        >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
        >>> print(Accountant().compose(step, 10_000).explain(delta=1e-5))
        epsilon at delta=1e-05 is 6.18775. It is an upper bound, by Zhu, Dong and Wang (2022), \
theorem 10, by sums on a lattice. The route is PLD. No epsilon below 6.18765 is true. Events: \
10000 x PoissonSubsampled(Gaussian(sigma=1.0, sensitivity=1.0), rate=0.01).
        """
        question = self._question(epsilon, delta)
        bracket = self._answer(question, None)
        exact = bracket.route in ("exact Gaussian", "optimal composition") and bracket.lower > 0
        told = ", ".join(f"{k} x {event!r}" for event, k in self._counts.items()) or _("none")
        notes = [_("The route is {route}.", route=bracket.route)]
        if bracket.lower > 0:
            least = _numerics.rounded_down(bracket.lower)
            notes.append(_("No {name} below {least} is true.", name=question.name, least=least))
        if question.exact and not bracket.within_tolerance:
            notes.append(
                _(
                    "The bracket is wider than the tolerance of {tolerance:g}.",
                    tolerance=self._tolerance,
                )
            )
        notes.append(_("Events: {events}.", events=told))
        return Explanation(
            bracket.upper,
            _("{name} at {given}", name=question.name, given=question.told),
            ROUTES[bracket.route],
            "exact" if exact else "upper bound",
            note=" ".join(notes),
        )

    def epsilon_curve(self, event: Event, ks: ArrayLike, delta: float) -> BracketCurve:
        """Return brackets of epsilon after k more copies of an event, for many k.

        Parameters
        ----------
        event : Mechanism or Guarantee
        ks : array_like of integers
            Each from 1 to 10^9, of any shape and in any order.
        delta : float
            In (0, 1), the delta of the whole composition.

        Returns
        -------
        BracketCurve
            Arrays of the shape of ks. Brackets of the route "PLD" are nondecreasing in k.

        Notes
        -----
        Cost: if nothing else was composed, or all noise is Gaussian, a few milliseconds to a second
        for 1,000 values of k; otherwise as much as one call of `epsilon_at` for each k.

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
        # inf - inf is not a number, but a bracket whose bounds are both infinite has width 0
        width = np.where(np.isfinite(lower), upper, 0.0) - np.where(np.isfinite(lower), lower, 0.0)
        return BracketCurve(lower, upper, route, width <= aimed_epsilons(self._tolerance, upper))

    def remaining(self, event: Event, budget: ApproxDP) -> int:
        """Return how many more copies of an event fit into a budget.

        Parameters
        ----------
        event : Mechanism or Guarantee
        budget : ApproxDP
            The (epsilon, delta) of the whole composition.

        Returns
        -------
        int
            The largest count that certainly fits, at most 10^9; 0 if no copy fits or the budget
            is already exceeded.

        Raises
        ------
        ValueError
            If the adjacency of the budget differs from that of the event.

        Notes
        -----
        Cost: 10 to 50 calls of `delta_at`.

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
                f"budget must be about the neighbors of the events ({event.adjacency}), "
                f"got budget={_check.shown(budget)} with adjacency={budget.adjacency}"
            )
        before = self._counts.get(event, 0)

        def excess(count: int) -> float:
            """Return a number > 0 if `count` more copies may exceed the budget, else one <= 0."""
            trial._with(event, before + count)
            if budget.delta == 0:
                # the budget is a pure-DP epsilon, so compare the sum of the events' epsilons
                return trial.epsilon_at(0.0).upper - budget.epsilon
            upper = trial.delta_at(budget.epsilon).upper
            if upper <= budget.delta:
                return min(math.log(upper) - math.log(budget.delta), 0.0) if upper > 0 else -1e3
            return math.log(upper) - math.log(budget.delta)

        return _last_within(excess)

    @np.errstate(over="ignore")  # a shift that overflows becomes infinite, as it should
    def _shifts(self, event: Event, counts: Vector) -> Vector | None:
        """Return the Gaussian-DP mu of all events together, for each count of `event` in `counts`.

        The result is None if an event is not Gaussian.
        """
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
        """Set how often an event was composed, and return the accountant."""
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
    """Return the largest count up to `MOST_STEPS` with `excess(count)` <= 0, or 0 if there is none.

    `excess` must be increasing.
    """
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
            # interpolate `excess`, as a linear function of the logarithm of the count, between the
            # ends of the interval
            part = at_low / (at_low - at_high)
            middle = min(max(round(low * (high / low) ** part), low + 1), high - 1)
        found = excess(middle)
        # if the same end of the interval stays in two successive rounds, halve its function value,
        # so that the next interpolated point lies closer to this end (Illinois method)
        if found <= 0:
            low, at_low, at_high = middle, found, at_high / (2 if side < 0 else 1)
        else:
            high, at_high, at_low = middle, found, at_low / (2 if side > 0 else 1)
        side = -1 if found <= 0 else 1
    raise AssertionError


def _counts(ks: object) -> Vector:
    """Return `ks` as an array of floats, after checking that it holds valid counts."""
    counts = _check.integers("ks", ks, largest=MOST_STEPS)
    if counts.size and counts.min() < 1:
        raise ValueError(f"ks must hold integers >= 1, got ks={_check.shown(ks)}")
    return counts.astype(np.float64)
