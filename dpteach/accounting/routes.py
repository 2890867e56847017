"""The routes to an answer: each is a theorem, a bracket by it, and for some a curve of brackets.

`ROUTES` is the one registry. A `Question` holds the events, the number that is given and what
differs between the two numbers; a route is a function of it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.accounting.lattice import (
    NormalBase,
    StepLaw,
    TooLarge,
    delta_bracket,
    epsilon_bracket,
)
from dpteach.accounting.lattice.curve import epsilon_curve
from dpteach.accounting.optimal import MOST_EPSILON, MOST_STEPS, optimal_composition
from dpteach.accounting.pairs import Pair
from dpteach.conversions import convert
from dpteach.mechanisms import Mechanism
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP
from dpteach.notions._gaussian_profile import epsilons_of_gaussian, log_deltas_of_gaussian
from dpteach.notions.renyi import pinsker

Event = Mechanism | Guarantee
G = TypeVar("G", bound=Guarantee)
Vector = NDArray[np.float64]
Ends = tuple[Vector, Vector]

#: the orders at which Rényi divergences are asked for at first
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 9999.0, 97))
#: what the engine raises where floats or a lattice cannot hold a sum
_OUTSIDE = (TooLarge, ArithmeticError)
#: of delta, by which exact formulas may err besides the rounding of what they are asked
_MARGIN = 1e-10
#: floats below it have few digits
_FEWEST = 1e-317
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
#: how a number may be found, and whose theorem says so
ROUTES: dict[str, str] = {}


@dataclass(frozen=True)
class Bracket:
    """Two numbers with the truth between them.

    Parameters
    ----------
    lower, upper : float
        At least 0, and the first at most the second. No number below `lower` is true of all
        neighbours; `upper` is a guarantee. As a float the bracket is its upper end.
    route : str
        How the upper end was found, one of `ROUTES`.
    within_tolerance : bool
        Whether the width is at most what the accountant's tolerance aims at. It is False where
        the truth is not known from below, and where the computation would take too long.

    Examples
    --------
    >>> bracket = Bracket(1.0, 1.25, "PLD")
    >>> float(bracket), bracket.width
    (1.25, 0.25)
    """

    lower: float
    upper: float
    route: str
    within_tolerance: bool = field(default=True, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            number = _check.real(name, getattr(self, name), _check.EXTENDED_NON_NEGATIVE)
            object.__setattr__(self, name, number)
        if self.lower > self.upper:
            raise ValueError(
                f"lower must be at most upper, got lower={self.lower} and upper={self.upper}"
            )
        _check.one_of("route", self.route, tuple(ROUTES))
        _check.instance("within_tolerance", self.within_tolerance, bool)

    def __float__(self) -> float:
        return self.upper

    @property
    def width(self) -> float:
        """The distance of the ends; 0 where both are infinite.

        >>> Bracket(0.5, 0.75, "PLD").width
        0.25
        """
        return self.upper - self.lower if self.lower < math.inf else 0.0


class Step(NamedTuple):
    """An event, how often it was composed, and its dominating pair if one is known."""

    event: Event
    k: int
    pair: Pair | None


class Question(ABC):
    """The events, the number that is given, and what differs between the two numbers."""

    #: of the number that is wanted, and the one that is true of everything
    name: str
    most: float

    def __init__(self, steps: Sequence[Step], at: float, tolerance: float) -> None:
        self.steps, self.at, self.tolerance = steps, at, tolerance
        #: whether some neighbours have all pairs: else nothing is known from below
        self.exact = all(step.pair is not None and step.pair.exact for step in steps)
        #: the ratio of a bracket's ends from which on other routes are tried, too
        self.narrow = 1 + max(0.01, 2 * tolerance)

    @property
    @abstractmethod
    def told(self) -> str:
        """The number that is given, in words."""

    @abstractmethod
    def trivial(self) -> Bracket | None:
        """The answer where no computation is needed."""

    @abstractmethod
    def profile(self, claim: Guarantee) -> float:
        """What a claim says, its own conversion."""

    @abstractmethod
    def by_order(self, claim: RenyiDP) -> list[float]:
        """What each order of a claim says, by closed formulas."""

    @abstractmethod
    def converted(self, claim: Guarantee) -> float:
        """What a claim says, by the best conversion."""

    @abstractmethod
    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        """A bracket below an upper end that is exact but for rounding, by lower bounds of delta."""

    @abstractmethod
    def on_lattice(self, directions: list[list[tuple[StepLaw, int]]]) -> tuple[float, float]:
        """The bracket by the sum of the losses, in the worst direction."""

    @abstractmethod
    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        """`optimal_composition` at the number that is given."""

    @abstractmethod
    def aim(self, upper: Vector) -> Vector:
        """The widths that the tolerance aims at, by the upper ends."""

    def judged(self, bracket: Bracket) -> Bracket:
        """The bracket, which says whether it is as narrow as the tolerance aims at."""
        narrow = bracket.width <= float(self.aim(np.array(bracket.upper)))
        return replace(bracket, within_tolerance=narrow)

    def best(self) -> Bracket:
        """The bracket with the least upper end, by the routes that are needed to know it."""
        if (known := self.trivial()) is not None:
            return known
        for name in ("exact Gaussian", "optimal composition"):
            if (found := self.by(name)) is not None and self.exact:
                return found
        lattice = self.by("PLD")
        # a dominating pair that some neighbours have cannot be improved on, if it was resolved
        if lattice is not None and self.exact and lattice.upper <= lattice.lower * self.narrow:
            summed = self.by("sum")  # a closed form has no error of a lattice
            if summed is not None and lattice.lower <= summed.upper < lattice.upper:
                return replace(summed, lower=max(lattice.lower, summed.lower))
            return lattice
        others = [
            found for name in ROUTES if name != "PLD" and (found := self.by(name)) is not None
        ]
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
        """The bracket by one route, which must be one that the events have."""
        found = self.by(route)
        if found is None:
            names = [name for name in ROUTES if name != route and self.by(name) is not None]
            why_not = ""
            if route == "PLD" and all(step.pair for step in self.steps):
                why_not = (
                    "; no lattice holds the sum of the losses: more noise, a larger rate or fewer "
                    "steps would do"
                )
            raise ValueError(
                f"route must be one that these events have ({', '.join(names) or 'there is none'}"
                f"){why_not}, got route={route!r}"
            )
        return found

    def by(self, route: str) -> Bracket | None:
        """The bracket by one route; None if it is not for these events."""
        if (known := self.trivial()) is not None:
            return known if known.route == route else None
        return _WAYS[route](self)


class EpsilonQuestion(Question):
    """The least epsilon at a delta."""

    name, most = "epsilon", math.inf

    @property
    def told(self) -> str:
        return f"delta={self.at:g}"

    def trivial(self) -> Bracket | None:
        if not self.steps or self.at == 1:
            return Bracket(0.0, 0.0, "sum")
        if self.at > 0:
            return None
        # without delta only what is certain counts: the largest losses
        total = _added_up(self)
        upper = math.inf if total is None else total.upper
        tight = self.exact and (upper == math.inf or upper == 0)
        lower = upper if tight else 0.0
        if self.exact and not tight and all(map(_attains, self.steps)):
            lower = upper * (1 - 8 * len(self.steps) * _numerics.MARGIN)
        return Bracket(lower, upper, "sum")

    def profile(self, claim: Guarantee) -> float:
        return claim.epsilon_at(self.at)

    def by_order(self, claim: RenyiDP) -> list[float]:
        enough = [pinsker(bound) <= self.at for bound in claim.epsilons]
        return [0.0 if e else x for e, x in zip(enough, claim._epsilons(self.at), strict=True)]

    def converted(self, claim: Guarantee) -> float:
        try:
            return convert(claim, to=ApproxDP, delta=self.at).epsilon
        except ValueError:  # no finite one is true
            return math.inf

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        lower, part = 0.0, 1e-12
        most = min(upper, _LARGEST_FLOAT)  # an infinite upper end has left the range of floats
        while self.exact and part < 1 and lower == 0 and upper > 0:
            smaller = most * (1 - part)
            if below(smaller) > self.at:
                lower = smaller
            part *= 10
        return Bracket(lower, upper, route)

    def on_lattice(self, directions: list[list[tuple[StepLaw, int]]]) -> tuple[float, float]:
        return epsilon_bracket(directions, self.at, self.tolerance)

    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, delta=self.at)

    def aim(self, upper: Vector) -> Vector:
        return aimed_epsilons(self.tolerance, upper)


class DeltaQuestion(Question):
    """The least delta at an epsilon."""

    name, most = "delta", 1.0

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
        upper = -math.expm1(min(kept)) + 0.0
        most = min(1.0, upper * (1 + _MARGIN))
        return Bracket(_below(upper, _MARGIN) if self.exact else 0.0, most, "sum")

    def profile(self, claim: Guarantee) -> float:
        return claim.delta_at(self.at)

    def by_order(self, claim: RenyiDP) -> list[float]:
        return [*map(min, map(pinsker, claim.epsilons), claim._deltas(self.at))]

    def converted(self, claim: Guarantee) -> float:
        return convert(claim, to=ApproxDP, epsilon=self.at).delta

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        return Bracket(min(below(self.at), upper) if self.exact else 0.0, upper, route)

    def on_lattice(self, directions: list[list[tuple[StepLaw, int]]]) -> tuple[float, float]:
        return delta_bracket(directions, self.at, self.tolerance)

    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, epsilon=self.at)

    def aim(self, upper: Vector) -> Vector:
        return self.tolerance * upper * (1 + 1e-9) + _FEWEST


def aimed_epsilons(tolerance: float, upper: Vector) -> Vector:
    """The widths of brackets of epsilon that a tolerance aims at, by their upper ends."""
    return np.asarray(tolerance * np.minimum(upper, np.maximum(1.0, upper / 10)) * (1 + 1e-9))


# --- the registry --------------------------------------------------------------------------------

Way = Callable[[Question], Bracket | None]
_WAYS: dict[str, Way] = {}


def _route(name: str, source: str) -> Callable[[Way], Way]:
    """Register a route: None is what it says of events that it is not for."""

    def register(way: Way) -> Way:
        ROUTES[name], _WAYS[name] = source, way
        return way

    return register


@_route(
    "exact Gaussian", "Balle and Wang (2018), theorem 8, and Dong, Roth and Su (2022), corollary 2"
)
def _exact_gaussian(asked: Question) -> Bracket | None:
    # first all are looked at, because an exact sum costs time
    means = [(k, None if pair is None else pair.mu) for _, k, pair in asked.steps]
    if any(mu is None for _, mu in means):
        return None
    square = Fraction(0)
    for k, mu in means:
        square += k * Fraction(min(mu or 0.0, _LARGEST_FLOAT)) ** 2
    more = _numerics.root_up(square)
    less = GaussianDP(min(more, _LARGEST_FLOAT) * (1 - _rounding_of(1)))
    return asked.enclosed(
        asked.profile(GaussianDP(more)) if more < math.inf else asked.most,
        lambda epsilon: _below(less.delta_at(epsilon * (1 + _numerics.MARGIN)), _MARGIN),
        "exact Gaussian",
    )


@_route("optimal composition", "Kairouz, Oh and Viswanath (2015), theorem 3.3")
def _optimal_composition(asked: Question) -> Bracket | None:
    if len(asked.steps) != 1:
        return None
    _, k, pair = asked.steps[0]
    step = pair.response if pair is not None else None
    if step is None or step.epsilon > MOST_EPSILON or k > MOST_STEPS:
        return None
    try:
        claim = asked.optimal(step, k)
    except ValueError:  # no epsilon is true
        return None
    upper = claim.epsilon if asked.name == "epsilon" else claim.delta
    if k == 1:  # as the claim itself rounds it
        upper = min(upper, asked.profile(step))
    margin = _MARGIN * max(1.0, k / 1e5)
    return asked.enclosed(
        upper,
        lambda epsilon: _below(optimal_composition(step, k, epsilon=epsilon).delta, margin),
        "optimal composition",
    )


@_route("PLD", "Zhu, Dong and Wang (2022), theorem 10, by sums on a lattice")
def _lattice(asked: Question) -> Bracket | None:
    shift = 0.0
    directions: list[list[tuple[StepLaw, int]]] = [[], []]
    for _, k, pair in asked.steps:
        if pair is None:
            return None
        if pair.mu is not None:  # Gaussians are one
            shift = math.hypot(shift, math.sqrt(k) * pair.mu)
            continue
        for direction, law in zip(directions, pair.laws, strict=True):
            direction.append((law, k))
    if shift > 0:
        for direction in directions:
            direction.append((StepLaw(1.0, base=NormalBase(shift)), 1))
    if all(step.pair and step.pair.laws[0] is step.pair.laws[1] for step in asked.steps):
        directions = directions[:1]
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = asked.on_lattice(directions)
    except _OUTSIDE:
        return None
    return Bracket(low if asked.exact else 0.0, high, "PLD")


@_route("Rényi", "Mironov (2017), proposition 1, and the best conversion of one real order")
def _renyi(asked: Question) -> Bracket | None:
    claim = _divergences(asked, _ORDERS)
    if claim is None:
        return None
    value, order = _best_order(asked, claim)
    orders = [a for a in claim.orders if 1 < a < math.inf]
    if order in orders and not any(_own_orders(step.event) for step in asked.steps):
        for _ in range(2):  # nearer to the best real order
            i = orders.index(order)
            ends = orders[max(i - 1, 0)] - 1, orders[min(i + 1, len(orders) - 1)] - 1
            orders = [1 + float(b) for b in np.geomspace(*ends, 17)]
            finer = _divergences(asked, orders)
            if finer is None:
                break
            found, at = _best_order(asked, finer)
            if found <= value:
                value, order, claim = found, at, finer
            if order not in orders:
                break
    return Bracket(0.0, min(value, asked.profile(claim)), "Rényi")


@_route("zCDP", "Bun and Steinke (2016), lemma 1.7, and the best conversion of one real order")
def _zcdp(asked: Question) -> Bracket | None:
    rho = 0.0
    for event, k, _ in asked.steps:
        claim = _claim(event, ZCDP)
        if claim is None:
            return None
        rho = (rho + k * claim.rho) * (1 + 4 * _numerics.MARGIN)
    return Bracket(0.0, asked.converted(ZCDP(rho)) if rho < math.inf else asked.most, "zCDP")


@_route("sum", "Dwork and Roth (2014), theorem 3.16")
def _sum(asked: Question) -> Bracket | None:
    """What claims add up to; of a single release, what it claims of itself."""
    found = [bracket for bracket in (_added_up(asked), _own(asked)) if bracket is not None]
    return min(found, key=lambda bracket: bracket.upper, default=None)


def _added_up(asked: Question) -> Bracket | None:
    """Epsilons and deltas of claims, added up."""
    epsilons, deltas = [], []
    for event, k, pair in asked.steps:
        claim = _claim(event, PureDP)
        if claim is not None:
            one = ApproxDP(claim.epsilon, 0.0)
        elif pair is not None and pair.response is not None:
            one = pair.response
        else:
            return None
        epsilons.append((k, one.epsilon))
        deltas.append((k, one.delta))
    epsilon = _numerics.weighted_total(epsilons)
    if not epsilon < math.inf:
        return None
    upper = asked.profile(ApproxDP(epsilon, min(_numerics.weighted_total(deltas), 1.0)))
    return Bracket(0.0, upper, "sum") if upper < asked.most else None


def _attains(step: Step) -> bool:
    """Whether the claim of pure DP is the largest loss of the pair."""
    return isinstance(step.event, PureDP) or _claim(step.event, PureDP) is not None


def _own(asked: Question) -> Bracket | None:
    if len(asked.steps) != 1 or asked.steps[0].k != 1:
        return None
    event = asked.steps[0].event
    if not isinstance(event, Mechanism):
        return None
    given = "delta" if asked.name == "epsilon" else "epsilon"
    claim = _claim(event, ApproxDP, **{given: asked.at})
    upper: float = math.inf if claim is None else getattr(claim, asked.name)
    return Bracket(0.0, upper, "sum") if upper < math.inf else None


def _best_order(asked: Question, claim: RenyiDP) -> tuple[float, float]:
    # of more than a hundred orders only the nearest to the best are converted by the joint range
    values = asked.by_order(claim)
    best = int(np.argmin(values))
    return values[best], claim.orders[best]


@np.errstate(over="ignore")  # what leaves the range of floats is infinite
def _divergences(asked: Question, orders: Sequence[float]) -> RenyiDP | None:
    """Of all events together, at these orders or at those that claims are about."""
    for step in asked.steps:
        if (own := _own_orders(step.event)) is not None:
            orders = own if orders is _ORDERS else [a for a in orders if a in own]
    total = np.zeros(len(orders))
    for event, k, _ in asked.steps:
        claim = renyi_of(event, tuple(orders))
        if claim is None or len(claim.orders) != len(orders):
            return None
        total = (total + k * np.array(claim.epsilons)) * (1 + 4 * _numerics.MARGIN)
    finite = [(a, e) for a, e in zip(orders, total.tolist(), strict=True) if e < math.inf]
    return RenyiDP(*zip(*finite, strict=True)) if finite else None


def _rounding_of(events: int) -> float:
    """A bound of the relative error of a shift that was added up of so many."""
    return (events + 2) * _numerics.MARGIN


def _below(delta: float, margin: float) -> float:
    """A little less than a delta that was rounded up: subnormal floats lie far apart."""
    return max(0.0, delta * (1 - margin) - 4 * math.ulp(0.0))


# --- many counts of one event --------------------------------------------------------------------


def lattice_curve(step: Step, counts: Vector, delta: float, tolerance: float) -> Ends | None:
    """The route "PLD" for many counts of one event; None where it is not the best."""
    pair = step.pair
    if pair is None or not pair.exact or pair.mu is not None or pair.response is not None:
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = epsilon_curve(pair.laws, counts, delta, tolerance)
    except _OUTSIDE:
        return None
    return (low, high) if np.isfinite(high).all() else None


def gaussian_curve(mus: Vector, delta: float, events: int) -> Ends | None:
    """The route "exact Gaussian" for many shifts, if rounding leaves it exact."""
    if mus.size and not (mus.min() > 1e-200 and mus.max() < 1e8 and delta < 0.99):
        return None
    margin = _rounding_of(events)
    upper = epsilons_of_gaussian(mus * (1 + margin), np.full(mus.size, delta))
    lower = upper * (1 - 1e-11)
    below = log_deltas_of_gaussian(mus * (1 - margin), lower) + math.log1p(-_MARGIN)
    return (lower, upper) if np.all((below > math.log(delta)) | (upper == 0)) else None


# --- what is known of an event -------------------------------------------------------------------


def _claim(event: Event, notion: type[G], **told: Any) -> G | None:
    try:
        if isinstance(event, notion):
            return event
        if isinstance(event, Mechanism):
            return event.guarantee(notion, **told)
        return convert(event, to=notion, **told)
    except (TypeError, ValueError, ArithmeticError):  # no theorem, or none with a finite number
        return None


def _own_orders(event: Event) -> tuple[float, ...] | None:
    """The orders of a claim that is about some orders only."""
    if isinstance(event, Mechanism) or _claim(event, PureDP) or _claim(event, ZCDP):
        return None
    claim = _claim(event, RenyiDP)
    return claim.orders if claim is not None else None


def renyi_of(event: Event, orders: tuple[float, ...]) -> RenyiDP | None:
    """The Rényi divergences of an event at these orders, or at those of them that it knows."""
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


def has_bound(event: Event, pair: Pair | None) -> bool:
    """Whether some route takes the event at all."""
    return pair is not None or renyi_of(event, (2.0,)) is not None or _own_orders(event) is not None
