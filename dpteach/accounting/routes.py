"""Routes: the methods to bound epsilon or delta from below and above, each by one theorem.

`ROUTES` is their registry. A route is a function of a `Question`, which holds the mechanisms or
guarantees to compose (the events), the given delta or epsilon, and the operations that differ
between a query for epsilon and one for delta.
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
    GaussianBase,
    StepLoss,
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

#: the orders at which Rényi divergences are evaluated first
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 9999.0, 97))
#: the errors that the lattice code raises if floats or a lattice cannot represent a sum
_OUTSIDE = (TooLarge, ArithmeticError)
#: a bound on the relative rounding error of delta in exact formulas
_MARGIN = 1e-10
#: a bracket of delta of at most this width is always narrow enough, because floats that small have
#: few digits
_FEWEST = 1e-317
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
#: the names of all routes (methods to bound epsilon or delta), and the theorem that proves each
ROUTES: dict[str, str] = {}


@dataclass(frozen=True)
class Bracket:
    """A certified lower and upper bound on epsilon or delta.

    Parameters
    ----------
    lower, upper : float
        The bounds, with 0 <= lower <= upper. `upper` is a guarantee; no number below `lower` is
        valid for all neighbors. Converting a bracket to float gives the upper bound.
    route : str
        The route that gives the upper bound, one of `ROUTES`.
    within_tolerance : bool
        Whether the width is at most what the accountant's tolerance requests. It is False where
        no lower bound is known, and where the computation would take too long.

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
        """The difference of the bounds; 0 if both are infinite.

        >>> Bracket(0.5, 0.75, "PLD").width
        0.25
        """
        return self.upper - self.lower if self.lower < math.inf else 0.0


class Step(NamedTuple):
    """An event, its count, and its dominating pair of distributions if one is known."""

    event: Event
    k: int
    pair: Pair | None


class Question(ABC):
    """A query to the accountant for epsilon at a given delta, or for delta at a given epsilon."""

    #: the name of the wanted parameter, and its largest value, which every mechanism satisfies
    name: str
    most: float

    def __init__(self, steps: Sequence[Step], at: float, tolerance: float) -> None:
        self.steps, self.at, self.tolerance = steps, at, tolerance
        #: whether some neighbors attain the dominating pairs; otherwise the lower bound is 0
        self.exact = all(step.pair is not None and step.pair.exact for step in steps)
        #: if the ratio upper / lower of the bounds of route "PLD" exceeds this, `best` tries the
        #: other routes, too
        self.narrow = 1 + max(0.01, 2 * tolerance)

    @property
    @abstractmethod
    def told(self) -> str:
        """The given parameter and its value as text, such as ``delta=0.001``."""

    @abstractmethod
    def trivial(self) -> Bracket | None:
        """Return the bracket if it is known without a search, else None."""

    @abstractmethod
    def profile(self, claim: Guarantee) -> float:
        """Return epsilon or delta of one guarantee, by its own `epsilon_at` or `delta_at`."""

    @abstractmethod
    def by_order(self, claim: RenyiDP) -> list[float]:
        """Return epsilon or delta for each order of a Rényi guarantee, by closed formulas."""

    @abstractmethod
    def converted(self, claim: Guarantee) -> float:
        """Return epsilon or delta of one guarantee, by the best conversion of `convert`."""

    @abstractmethod
    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        """Return the bracket of a route whose upper bound is exact up to rounding.

        The bracket's lower bound is found with `below`, a function that returns a lower bound on
        delta at an epsilon.
        """

    @abstractmethod
    def on_lattice(self, directions: list[list[tuple[StepLoss, int]]]) -> tuple[float, float]:
        """Return a lower and an upper bound on epsilon or delta, from losses rounded to a lattice.

        Each direction, the removal or the addition of a person, lists the losses of the events and
        their numbers of runs. The bounds are the largest over the directions.
        """

    @abstractmethod
    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        """Return `optimal_composition` of k steps at the given delta or epsilon."""

    @abstractmethod
    def aim(self, upper: Vector) -> Vector:
        """Return the widths of brackets that the tolerance requests for these upper bounds."""

    def judged(self, bracket: Bracket) -> Bracket:
        """Return the bracket with `within_tolerance` set to whether it is narrow enough."""
        narrow = bracket.width <= float(self.aim(np.array(bracket.upper)))
        return replace(bracket, within_tolerance=narrow)

    def best(self) -> Bracket:
        """Return the bracket with the least upper bound; skip routes that cannot be better."""
        if (known := self.trivial()) is not None:
            return known
        for name in ("exact Gaussian", "optimal composition"):
            if (found := self.by(name)) is not None and self.exact:
                return found
        lattice = self.by("PLD")
        # if some neighbors attain the dominating pairs and the bounds by route "PLD", which rounds
        # losses to a lattice, are close together, only basic composition may be better
        if lattice is not None and self.exact and lattice.upper <= lattice.lower * self.narrow:
            summed = self.by("sum")  # basic composition rounds no losses
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
                "events must have losses whose sum fits a lattice, or a known Rényi divergence "
                "of all of them: try more noise, a larger rate or fewer "
                f"steps, got events={_check.shown([s.event for s in self.steps])}"
            )
        if lattice is not None and lattice.lower > best.lower:
            best = replace(best, lower=min(lattice.lower, best.upper))
        return best

    def of(self, route: str) -> Bracket:
        """Return the bracket of one route, or raise an error if it does not apply to the events."""
        found = self.by(route)
        if found is None:
            names = [name for name in ROUTES if name != route and self.by(name) is not None]
            why_not = ""
            if route == "PLD" and all(step.pair for step in self.steps):
                why_not = (
                    "; no lattice holds the sum of the losses: try more noise, a larger rate or "
                    "fewer steps"
                )
            raise ValueError(
                f"route must be one that applies to these events ({', '.join(names) or 'none does'}"
                f"){why_not}, got route={route!r}"
            )
        return found

    def by(self, route: str) -> Bracket | None:
        """Return the bracket of one route; None if it does not apply to the events."""
        if (known := self.trivial()) is not None:
            return known if known.route == route else None
        return _WAYS[route](self)


class EpsilonQuestion(Question):
    """The query for the least epsilon at a delta."""

    name, most = "epsilon", math.inf

    @property
    def told(self) -> str:
        return f"delta={self.at:g}"

    def trivial(self) -> Bracket | None:
        if not self.steps or self.at == 1:
            return Bracket(0.0, 0.0, "sum")
        if self.at > 0:
            return None
        # at delta = 0, epsilon is the sum of the largest losses of the events
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
        except ValueError:  # the guarantee implies no finite epsilon at this delta
            return math.inf

    def enclosed(self, upper: float, below: Callable[[float], float], route: str) -> Bracket:
        lower, part = 0.0, 1e-12
        # an infinite upper bound has overflowed, so search for a lower bound below the largest
        # float
        most = min(upper, _LARGEST_FLOAT)
        while self.exact and part < 1 and lower == 0 and upper > 0:
            smaller = most * (1 - part)
            if below(smaller) > self.at:
                lower = smaller
            part *= 10
        return Bracket(lower, upper, route)

    def on_lattice(self, directions: list[list[tuple[StepLoss, int]]]) -> tuple[float, float]:
        return epsilon_bracket(directions, self.at, self.tolerance)

    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, delta=self.at)

    def aim(self, upper: Vector) -> Vector:
        return aimed_epsilons(self.tolerance, upper)


class DeltaQuestion(Question):
    """The query for the least delta at an epsilon."""

    name, most = "delta", 1.0

    @property
    def told(self) -> str:
        return f"epsilon={self.at:g}"

    def trivial(self) -> Bracket | None:
        if not self.steps:
            return Bracket(0.0, 0.0, "sum")
        if self.at < math.inf:
            return None
        # at epsilon = inf, delta is the probability of an infinite loss. It is 0 for events without
        # a dominating pair: their Rényi divergences are finite, which excludes infinite losses.
        kept = [0.0, 0.0]
        for _, k, pair in self.steps:
            for i, loss in enumerate(pair.losses if pair else ()):
                kept[i] += k * (math.log1p(-loss.infinite) if loss.infinite < 1 else -math.inf)
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

    def on_lattice(self, directions: list[list[tuple[StepLoss, int]]]) -> tuple[float, float]:
        return delta_bracket(directions, self.at, self.tolerance)

    def optimal(self, step: ApproxDP, k: int) -> ApproxDP:
        return optimal_composition(step, k, epsilon=self.at)

    def aim(self, upper: Vector) -> Vector:
        return self.tolerance * upper * (1 + 1e-9) + _FEWEST


def aimed_epsilons(tolerance: float, upper: Vector) -> Vector:
    """Return the widths that a tolerance requests for brackets with these upper bounds."""
    return np.asarray(tolerance * np.minimum(upper, np.maximum(1.0, upper / 10)) * (1 + 1e-9))


# --- the registry of routes ----------------------------------------------------------------------

Way = Callable[[Question], Bracket | None]
_WAYS: dict[str, Way] = {}


def _route(name: str, source: str) -> Callable[[Way], Way]:
    """Return a decorator that registers a route, a method to bound epsilon or delta.

    `source` names the theorem that proves the bound. A route is a function of a query, and it
    returns None where it does not apply.
    """

    def register(way: Way) -> Way:
        ROUTES[name], _WAYS[name] = source, way
        return way

    return register


@_route(
    "exact Gaussian", "Balle and Wang (2018), theorem 8, and Dong, Roth and Su (2022), corollary 2"
)
def _exact_gaussian(asked: Question) -> Bracket | None:
    # before the exact sum, which takes time, check that all events are Gaussian
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
    except ValueError:  # no epsilon is valid at a delta below the joint delta of the steps
        return None
    upper = claim.epsilon if asked.name == "epsilon" else claim.delta
    # for one step, the guarantee's own epsilon or delta may be slightly below `upper`, by rounding
    if k == 1:
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
    directions: list[list[tuple[StepLoss, int]]] = [[], []]
    for _, k, pair in asked.steps:
        if pair is None:
            return None
        if pair.mu is not None:  # all Gaussian noise together acts like a single Gaussian event
            shift = math.hypot(shift, math.sqrt(k) * pair.mu)
            continue
        for direction, loss in zip(directions, pair.losses, strict=True):
            direction.append((loss, k))
    if shift > 0:
        for direction in directions:
            direction.append((StepLoss(1.0, base=GaussianBase(shift)), 1))
    if all(step.pair and step.pair.losses[0] is step.pair.losses[1] for step in asked.steps):
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
        for _ in range(2):  # refine the grid of orders around the best one
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
    """Return the bracket by basic composition or, for one run of one mechanism, by its guarantee.

    The result is the better of the two, or None if neither applies.
    """
    found = [bracket for bracket in (_added_up(asked), _own(asked)) if bracket is not None]
    return min(found, key=lambda bracket: bracket.upper, default=None)


def _added_up(asked: Question) -> Bracket | None:
    """Return the bracket by basic composition; None if an event's (epsilon, delta) is unknown."""
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
    """Return whether the event has a pure-DP guarantee.

    If the event's dominating pair is also exact, some neighbors attain a privacy loss equal to the
    guarantee's epsilon.
    """
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
    # select the order by closed formulas, because the best conversion is too slow for all orders
    values = asked.by_order(claim)
    best = int(np.argmin(values))
    return values[best], claim.orders[best]


@np.errstate(over="ignore")  # a divergence that overflows becomes infinite
def _divergences(asked: Question, orders: Sequence[float]) -> RenyiDP | None:
    """Return the total Rényi divergence of all events, at the orders where it is known.

    The result is None if it is known at no order.
    """
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
    """Return a bound on the relative rounding error of the total shift of Gaussian events."""
    return (events + 2) * _numerics.MARGIN


def _below(delta: float, margin: float) -> float:
    """Return a lower bound on the exact value of a delta that was rounded up by a margin."""
    return max(0.0, delta * (1 - margin) - 4 * math.ulp(0.0))


# --- brackets for many counts of one event -------------------------------------------------------


def lattice_curve(step: Step, counts: Vector, delta: float, tolerance: float) -> Ends | None:
    """Return bounds on epsilon for k runs of one event, for each k in `counts`, by route "PLD".

    The result is None if another route may be better, or if a lattice gives no finite bounds.
    """
    pair = step.pair
    if pair is None or not pair.exact or pair.mu is not None or pair.response is not None:
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = epsilon_curve(pair.losses, counts, delta, tolerance)
    except _OUTSIDE:
        return None
    return (low, high) if np.isfinite(high).all() else None


def gaussian_curve(mus: Vector, delta: float, events: int) -> Ends | None:
    """Return lower and upper bounds on epsilon for each mu of Gaussian DP in `mus`.

    Each mu is that of a composition of up to `events` different Gaussian mechanisms. The result is
    None if the bounds are inaccurate.
    """
    if mus.size and not (mus.min() > 1e-200 and mus.max() < 1e8 and delta < 0.99):
        return None
    margin = _rounding_of(events)
    upper = epsilons_of_gaussian(mus * (1 + margin), np.full(mus.size, delta))
    lower = upper * (1 - 1e-11)
    below = log_deltas_of_gaussian(mus * (1 - margin), lower) + math.log1p(-_MARGIN)
    return (lower, upper) if np.all((below > math.log(delta)) | (upper == 0)) else None


# --- what theorems prove about an event ----------------------------------------------------------


def _claim(event: Event, notion: type[G], **told: Any) -> G | None:
    try:
        if isinstance(event, notion):
            return event
        if isinstance(event, Mechanism):
            return event.guarantee(notion, **told)
        return convert(event, to=notion, **told)
    except (TypeError, ValueError, ArithmeticError):  # no theorem gives a finite guarantee
        return None


def _own_orders(event: Event) -> tuple[float, ...] | None:
    """Return the orders of an event of which only a Rényi guarantee is known, else None."""
    if isinstance(event, Mechanism) or _claim(event, PureDP) or _claim(event, ZCDP):
        return None
    claim = _claim(event, RenyiDP)
    return claim.orders if claim is not None else None


def renyi_of(event: Event, orders: tuple[float, ...]) -> RenyiDP | None:
    """Return an event's known Rényi divergences at the given orders; None if none is known."""
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
    """Return whether at least one route applies to the event."""
    return pair is not None or renyi_of(event, (2.0,)) is not None or _own_orders(event) is not None
