"""Calibration: the least noise that reaches a target.

Every theorem about a mechanism can be read backwards: from the guarantee wanted to the noise.
`calibrate` does so for any notion, by a closed form where there is one and else by a search
that uses nothing but the theorem.

The other four functions are one theorem read in its two directions, for k answers of Gaussian
noise: the order that gives the least epsilon, and the least sigma for an epsilon. Both have a
closed form over the real orders, and beside it stands the search over a grid of whole ones
with which Liu and Wang state them.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach._pairs import dominating_pair
from dpteach.accountants import Accountant
from dpteach.amplification import PoissonSubsampled
from dpteach.composition import MOST_STEPS, optimal_composition
from dpteach.conversions import EDGES, convert, zcdp_to_epsilon_bun_steinke
from dpteach.mechanisms import THEOREMS, DiscreteLaplace, Gaussian, Laplace, Mechanism
from dpteach.notions import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)
from dpteach.notions._base import times
from dpteach.notions.alpha import renyi_of_alpha
from dpteach.notions.gaussian import log_delta_bound

__all__ = [
    "AtOrder",
    "calibrate",
    "epsilon_at_best_order",
    "epsilon_on_grid",
    "sigma_at_best_order",
    "sigma_on_grid",
]

M = TypeVar("M", bound=Mechanism)
Vector = NDArray[np.float64]

#: the parameters that say how much noise there is, and whether more of it is more private
_NOISE = {"sigma": True, "scale": True, "epsilon": False}

#: the orders at which a Rényi guarantee is asked for where the target names none
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 1e4, 97))
#: and where neighbours of the best are looked at too
_ORDERS_OF_TRAINING = tuple(1 + float(b) for b in np.geomspace(1e-3, 1e8, 97))
#: the relative precision of noise that an accountant finds
_OF_ACCOUNTS = 2e-5


def calibrate(
    mechanism: Callable[..., M],
    target: Guarantee,
    *,
    sensitivity: float = 1.0,
    k: int = 1,
    via: type[Guarantee] | None = None,
    **fixed: Any,
) -> M:
    """The mechanism with the least noise that satisfies a target.

    Parameters
    ----------
    mechanism : type or callable
        A class of mechanisms whose noise is one number: ``sigma``, ``scale`` or (less is more
        noise) ``epsilon``. Or a function from the amount of noise, > 0, to a mechanism that is
        the more private the larger it is.
    target : Guarantee
        For all k releases together. Its parameters must be > 0: no finite noise gives perfect
        privacy (but ``epsilon=0`` does).
    sensitivity : float
        Of the true answer, > 0, in the norm that the class names; must be 1 where the class has
        no such parameter.
    k : int
        How many answers are released, each with fresh noise, at least 1. Each has this
        sensitivity.
    via : type, optional
        The notion in which the mechanism's theorem is used and the k releases are added up,
        before one conversion to the target's. By default the target's own; for ApproxDP and
        more than one release the sum of the losses, or, where their law is not known, every
        notion that has a theorem, whichever gives the least delta.
        PureDP claims are composed optimally, ApproxDP ones share epsilon evenly.
    **fixed
        The other parameters of the class.

    Returns
    -------
    Mechanism
        With the adjacency of the target. It satisfies the target by the mechanism's theorems,
        and with less noise, up to rounding, it would not. Its noise is rounded up.

    Raises
    ------
    TypeError
        If the noise of the class is no such number, or no theorem (and, with `via`, conversion)
        leads to the target's notion; the message says which do.
    ValueError
        If the target cannot be reached with finite noise, a number is outside its range, or the
        mechanisms that a function returns have another adjacency than the target.

    Notes
    -----
    Several releases, or sampled ones, under an ApproxDP target are accounted for by the law of the
    sum of their privacy losses (`Accountant`) wherever the worst pair of laws is known: noise
    that is enough, and within about 5e-5 of the least. With ``via=RenyiDP``, for
    `PoissonSubsampled` Gaussian noise, the divergence at the best real order bounds epsilon. Both
    search by secants: some 8 evaluations, of 50 ms each for the first.

    k releases of Gaussian noise are one with sqrt(k) times the sensitivity: for it nothing is
    lost for any k and any notion.

    References
    ----------
    Balle and Wang (2018), algorithm 1, for approximate DP; Liu and Wang, corollary 1.

    Examples
    --------
    >>> round(calibrate(Gaussian, ApproxDP(1.0, 1e-5)).sigma, 6)
    3.730632
    >>> calibrate(Laplace, PureDP(0.5), sensitivity=2.0).scale
    4.0
    >>> target = ApproxDP(0.5, 1e-5)
    >>> round(calibrate(Gaussian, target, k=1000).sigma, 1)
    222.4
    >>> round(calibrate(Gaussian, target, k=1000, via=ZCDP).sigma, 1)
    242.5
    >>> step = calibrate(
    ...     lambda sigma: PoissonSubsampled(Gaussian(sigma), 0.01), ApproxDP(2.0, 1e-5), k=10_000
    ... )
    >>> round(step.mechanism.sigma, 4)
    2.1274
    """
    _check.instance("target", target, Guarantee)
    if target._is_curve:
        raise TypeError(
            "target must be of a notion whose claims are compared by numbers, "
            f"got target={_check.shown(target)}"
        )
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)
    k = _check.count("k", k)
    if via is not None and not (isinstance(via, type) and issubclass(via, Guarantee)):
        raise TypeError(
            f"via must be a notion, a subclass of Guarantee, got via={_check.shown(via)}"
        )
    make, rising = _maker(mechanism, target, sensitivity, fixed)
    shift = _largest_shift(mechanism, target, k) if via is None and not fixed else None
    if shift is not None:
        return _rounded(make, sensitivity, shift, target, k)
    start = sensitivity if rising else 1.0
    if _trains_by_noise(make(start), target, k, via):
        noise = _noise_of_training(make, target, k)
        if noise is not None:
            return make(noise)
    if via is None and _is_hardly_sampled(make(start), target, k):
        raise ValueError(
            "target must be one that less noise does not reach, and the probability to be in a "
            f"sample at all is below its delta, got target={target!r}"
        )
    if via is None and _adds_losses_up(make(start), target, k):
        noise = _noise_by_accounting(make, target, k, start, rising=rising)
        if noise is not None and not _less_is_enough(make, noise, target, k, rising=rising):
            return make(noise)
    enough = _condition(make, start, target, k, via)
    # a profile is rounded up, and the epsilon of a mechanism is its claim
    as_is = isinstance(target, ApproxDP) or (isinstance(target, PureDP) and not rising)
    if as_is and k == 1 and enough.routes == [type(target)]:
        enough.margin = 0.0
    if _is_perfect(target):
        noise = 0.0 if not rising and enough(0.0) else None
    else:
        noise = _edge(enough, start, rising=rising)
    if noise is None:
        raise ValueError(
            "target must be one that some finite noise reaches and that less noise does not, "
            f"got target={target!r}{enough.obstacle}"
        )
    if enough.margin:
        noise = noise * (1 + enough.margin) if rising else noise * (1 - enough.margin)
    return make(noise)


# --- closed forms --------------------------------------------------------------------------


def _rounded(
    make: Callable[[float], M], sensitivity: float, shift: float, target: Guarantee, k: int
) -> M:
    """The mechanism with the noise sensitivity / shift, rounded up until its theorem agrees."""
    if shift <= 0 or not 0 < sensitivity / shift < math.inf:
        raise ValueError(f"target must allow noise in the range of floats, got target={target!r}")
    noise, margin = sensitivity / shift, float(np.finfo(np.float64).eps)
    if isinstance(target, (ApproxDP, AlphaDP)):  # logarithms: the others are compared exactly
        noise = _numerics.up(noise)
    notion = GaussianDP if isinstance(target, ApproxDP) and k > 1 else type(target)
    made, amount = make(noise), noise
    while margin < 1e-6 and not (
        _exactly_enough(amount, sensitivity, target, k) and _meets(made, notion, target, k)
    ):
        amount, margin = noise * (1 + margin), 2 * margin
        made = make(amount)
    return made


def _exactly_enough(noise: float, sensitivity: float, target: Guarantee, k: int) -> bool:
    """The closed forms without square roots, in rational arithmetic; True where they have logs."""
    shift = Fraction(sensitivity) / Fraction(noise)
    match target:
        case PureDP(epsilon=epsilon):
            return k * shift <= Fraction(epsilon)
        case GaussianDP(mu=mu):
            return k * shift**2 <= Fraction(mu) ** 2
        case ZCDP(rho=rho):
            return k * shift**2 <= 2 * Fraction(rho)
        case RenyiDP(orders=orders, epsilons=epsilons):
            pairs = zip(orders, epsilons, strict=True)
            return all(k * shift**2 * Fraction(a) <= 2 * Fraction(e) for a, e in pairs)
    return True


def _largest_shift(mechanism: object, target: Guarantee, k: int) -> float | None:
    """The largest sensitivity / noise that satisfies the target; None without a closed form."""
    if mechanism is Gaussian:
        shift = _largest_gaussian_shift(target)
        return None if shift is None else shift / math.sqrt(k)
    if mechanism in (Laplace, DiscreteLaplace) and isinstance(target, PureDP):
        return target.epsilon / k
    if mechanism is Laplace and isinstance(target, ApproxDP) and k == 1:
        if target.delta == 1:
            raise ValueError(f"target must have delta < 1, got target={target!r}")
        return target.epsilon - 2 * math.log1p(-target.delta)
    return None


def _largest_gaussian_shift(target: Guarantee) -> float | None:
    match target:
        case GaussianDP(mu=mu):
            return mu
        case ZCDP(rho=rho):
            return math.sqrt(2 * rho)
        case RenyiDP(orders=orders, epsilons=epsilons):
            if orders[-1] == math.inf:
                raise ValueError(
                    f"target must hold finite orders for Gaussian noise, got target={target!r}"
                )
            return min(math.sqrt(2 * e / a) for a, e in zip(orders, epsilons, strict=True))
        case AlphaDP(order=order, epsilon=epsilon):
            return math.sqrt(2 * renyi_of_alpha(order, epsilon) / order)
        case ApproxDP(epsilon=epsilon, delta=delta):
            if delta in (0.0, 1.0):
                raise ValueError(
                    f"target must have delta in (0, 1) for Gaussian noise, got target={target!r}"
                )
            goal = math.log(delta)

            def too_much(shift: float) -> bool:
                return log_delta_bound(shift, epsilon) > goal

            # delta >= Phi(-a) - e^epsilon Phi(-b) exceeds any goal < 1 for a shift so large
            high = 2 * (math.sqrt(2 * epsilon) + math.sqrt(-2 * math.log1p(-delta)) + 10)
            return math.nextafter(_numerics.first_true(too_much, 0.0, high), 0.0)
    return None


# --- the search ----------------------------------------------------------------------------


def _maker(
    mechanism: Callable[..., M], target: Guarantee, sensitivity: float, fixed: dict[str, Any]
) -> tuple[Callable[[float], M], bool]:
    """From the amount of noise to the mechanism, and whether more of it is more private."""
    if isinstance(mechanism, type):
        return _maker_of_class(mechanism, target, sensitivity, fixed)
    if not callable(mechanism):
        raise _no_noise(mechanism)
    _without(mechanism, sensitivity)
    for name, value in fixed.items():
        raise TypeError(
            f"{name} must be left out where mechanism is a function, "
            f"got {name}={_check.shown(value)}"
        )

    def make(amount: float) -> M:
        made = mechanism(amount)
        if not isinstance(made, Mechanism):
            raise TypeError(
                "mechanism must be a function that returns mechanisms, "
                f"got mechanism={_check.shown(mechanism)}, which returns {_check.shown(made)}"
            )
        if made.adjacency is not target.adjacency:
            raise ValueError(
                "mechanism must return mechanisms with the adjacency of the target, "
                f"{target.adjacency}, got mechanism={_check.shown(mechanism)}, which returns "
                f"{_check.shown(made)}"
            )
        return made

    return make, True


def _maker_of_class(
    mechanism: type[M], target: Guarantee, sensitivity: float, fixed: dict[str, Any]
) -> tuple[Callable[[float], M], bool]:
    known = fields(mechanism) if issubclass(mechanism, Mechanism) else ()
    parameters = {f.name: f for f in known if f.init}
    noise = next((name for name in _NOISE if name in parameters), None)
    if noise is None or inspect.isabstract(mechanism):
        raise _no_noise(mechanism)
    for name, value in fixed.items():
        if name not in parameters or name in (noise, "adjacency"):
            raise TypeError(
                f"{name} must be a parameter of {mechanism.__name__} other than {noise} and "
                f"adjacency, got {name}={_check.shown(value)}"
            )
    given = fixed | {"adjacency": target.adjacency}
    if "sensitivity" not in parameters:
        _without(mechanism, sensitivity)
    elif parameters["sensitivity"].type == "int" and sensitivity.is_integer():
        given["sensitivity"] = int(sensitivity)
    else:
        given["sensitivity"] = sensitivity
    for name, parameter in inspect.signature(mechanism).parameters.items():
        if parameter.default is parameter.empty and name not in (noise, *given):
            raise TypeError(
                f"{name} must be given, as {mechanism.__name__} needs it, got {_check.shown(fixed)}"
            )
    return lambda amount: mechanism(**{noise: amount}, **given), _NOISE[noise]


def _no_noise(mechanism: object) -> TypeError:
    return TypeError(
        f"mechanism must be a class of mechanisms with one of {', '.join(_NOISE)}, or a function "
        f"from the noise to a mechanism, got mechanism={_check.shown(mechanism)}"
    )


def _without(mechanism: object, sensitivity: float) -> None:
    if sensitivity != 1:
        raise ValueError(
            "sensitivity must be 1 where the mechanism has no such parameter, "
            f"got sensitivity={sensitivity} and mechanism={_check.shown(mechanism)}"
        )


def _condition(
    make: Callable[[float], Mechanism],
    start: float,
    target: Guarantee,
    k: int,
    via: type[Guarantee] | None,
) -> _Enough:
    """The theorems that lead to the target, and whether there are any."""
    first = make(start)
    notions: list[type[Guarantee]] = [type(target) if via is None else via]
    own = k == 1 and _has_theorem(first, type(target), target, k)
    if via is None and isinstance(target, ApproxDP) and not own:
        notions = [GaussianDP, PureDP, ZCDP, RenyiDP]
    routes = [
        notion
        for notion in notions
        if _leads(notion, type(target)) and _has_theorem(first, notion, target, k)
    ]
    if not routes:
        raise _no_calibration(first, target, k)
    if GaussianDP in routes:  # its profile is exact: the others are not below it
        routes = [GaussianDP]

    return _Enough(make, target, k, routes)


@dataclass
class _Enough:
    """Whether an amount of noise is enough for a target, by the theorem of one of some notions."""

    make: Callable[[float], Mechanism]
    target: Guarantee
    k: int
    routes: list[type[Guarantee]]
    #: for closed forms, which carry rounding errors
    margin: float = _numerics.MARGIN
    obstacle: str = ""

    def mechanism(self, amount: float) -> Mechanism | None:
        """The mechanism with this noise; None where that is outside the parameter's range."""
        try:
            return self.make(amount)
        except (ValueError, OverflowError) as error:
            self.obstacle = f": {error}"
            return None

    def __call__(self, amount: float) -> bool:
        made = self.mechanism(amount)
        return made is not None and any(
            _meets(made, notion, self.target, self.k, self.margin) for notion in self.routes
        )


def _leads(notion: type[Guarantee], goal: type[Guarantee]) -> bool:
    """Whether a claim of the notion, perhaps after one conversion, is comparable with a goal."""
    return goal in (notion, ApproxDP) or any(e.source is notion and e.target is goal for e in EDGES)


def _has_theorem(made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int) -> bool:
    """Whether there is one that can be asked at what the target tells.

    Raises
    ------
    ValueError
        If there is one that does not reach the target's order or delta.
    """
    try:
        _claim(made, notion, target, k)
    except TypeError:
        return False
    except ValueError as error:
        raise ValueError(
            f"target must be one that the theorem about {type(made).__name__} and "
            f"{notion.__name__} reaches, got target={target!r}: {error}"
        ) from None
    return True


def _claim(made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int) -> Guarantee:
    """What the theorem of a notion says of k releases."""
    told: dict[str, Any] = target._told() if notion is type(target) else {}
    if "epsilon" in told and k > 1:  # equal shares, and no more
        told["epsilon"] = math.nextafter(told["epsilon"] / k, 0.0)
    elif notion is RenyiDP and not told:
        match target:
            case AlphaDP(order=order):
                told["orders"] = order
            case MutualInformationDP():  # it follows from the order 1, the smallest
                told["orders"] = 1.0
            case _:
                told["orders"] = _ORDERS
    return made.guarantee(notion, **told).self_compose(k)


def _meets(
    made: Mechanism, notion: type[Guarantee], target: Guarantee, k: int, margin: float = 0.0
) -> bool:
    try:
        claim = _claim(made, notion, target, k)
        if isinstance(target, ApproxDP):
            return _delta(made, claim, target.epsilon, k) <= target.delta
        if notion is not type(target):
            claim = convert(claim, to=type(target), **target._told())
    except (ValueError, OverflowError):  # an infinite number: there is no such claim
        return False
    numbers = zip(claim._numbers(), target._numbers(), strict=True)
    return all(a * (1 + margin) <= b for a, b in numbers)


def _delta(made: Mechanism, whole: Guarantee, epsilon: float, k: int) -> float:
    """What a claim about k releases implies; for pure ones, the exact delta of the worst."""
    if isinstance(whole, PureDP) and k > 1:
        step = _numerics.up(made.guarantee(PureDP).epsilon)
        if step <= 700 and k <= MOST_STEPS:
            return optimal_composition(ApproxDP(step, 0.0), k, epsilon=epsilon).delta
    return whole.delta_at(epsilon)


def _is_perfect(target: Guarantee) -> bool:
    """Whether no more than the answer's law on no data is asked for."""
    some = all if isinstance(target, (ApproxDP, ProbabilisticDP)) else any
    return some(x == 0 for x in target._numbers())


def _no_calibration(made: Mechanism, target: Guarantee, k: int) -> TypeError:
    name = type(made).__name__
    ways = []
    for notion in (t.notion for t in THEOREMS if t.mechanism is type(made)):
        try:
            if (
                not notion._is_curve
                and _leads(notion, type(target))
                and _has_theorem(made, notion, target, k)
            ):
                ways.append(f"via={notion.__name__}")
        except ValueError:
            continue
    words = f"with {' or '.join(ways)}, one conversion more" if ways else "no conversion helps"
    return TypeError(
        f"target must be of a notion that {name} can be calibrated to by a theorem about it "
        f"({words}), got target={target!r}"
    )


def _edge(enough: _Enough, start: float, *, rising: bool) -> float | None:
    """The least noise that is enough, searched from a start; None if no noise, or any, is.

    Rising: more of the parameter is more noise. The answer is always seen to be enough.
    """
    reached = enough(start)
    # walk towards what is not yet seen, by steps that grow, until the condition changes
    towards_more = rising is not reached
    here, factor = start, 2.0
    while True:
        there = here * factor if towards_more else here / factor
        if not 1e-100 <= there / start <= 1e100:  # squares of it leave the range of floats
            return None
        if not reached and enough.mechanism(there) is None:  # beyond the end of the range
            there = _between(here, there, lambda amount: enough.mechanism(amount) is not None)
            if not enough(there):
                return None
        if enough(there) is not reached:
            break
        here, factor = there, min(factor * factor, 65536.0)
    good, bad = (here, there) if reached else (there, here)
    return _between(good, bad, enough)


def _between(good: float, bad: float, condition: Callable[[float], bool]) -> float:
    """The last float from `good` towards `bad` at which a monotone condition was seen to hold."""
    while True:
        middle = good + (bad - good) / 2
        if middle in (good, bad):
            return good
        if max(good, bad) > 4 * min(good, bad):
            middle = math.sqrt(good) * math.sqrt(bad)
        if condition(middle):
            good = middle
        else:
            bad = middle


# --- sums of privacy losses ---------------------------------------------------------------------


def _is_hardly_sampled(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Whether any noise is enough, as the probability to be in a sample is at most delta."""
    if not isinstance(target, ApproxDP) or not isinstance(first, PoissonSubsampled):
        return False
    return first.rate < 1 and -math.expm1(k * math.log1p(-first.rate)) <= target.delta


def _adds_losses_up(first: Mechanism, target: Guarantee, k: int) -> bool:
    """Whether an accountant knows more than one theorem after another: the worst pair of laws."""
    if not isinstance(target, ApproxDP) or not 0 < target.delta < 1:
        return False
    if k == 1 and _has_theorem(first, ApproxDP, target, k):
        return False
    if (
        isinstance(first, PoissonSubsampled)
        and -math.expm1(k * math.log1p(-min(first.rate, 1 - 2**-53))) <= target.delta
    ):
        return False  # whatever the noise, to be in no sample is likely enough
    pair = dominating_pair(first)
    return pair is not None and pair.exact and pair.response is None


def _noise_by_accounting(
    make: Callable[[float], M], target: Guarantee, k: int, start: float, *, rising: bool
) -> float | None:
    assert isinstance(target, ApproxDP)
    goal = target.epsilon or target.delta

    def number(noise: float) -> float:
        """Epsilon, or delta at epsilon 0; narrowly where it is close to the goal."""
        try:
            step = make(noise if rising else 1 / noise)
            for tolerance in (1e-3, _OF_ACCOUNTS):
                accountant = Accountant(tolerance=tolerance).compose(step, k)
                if target.epsilon == 0:
                    bracket = accountant.delta_at(0.0)
                else:
                    bracket = accountant.epsilon_at(target.delta)
                if bracket.upper < 0.98 * goal or bracket.lower > 1.02 * goal:
                    break
        except (ValueError, OverflowError):  # outside the range of the noise
            return math.inf
        return bracket.upper

    found = _secant(number, goal, start, tolerance=_OF_ACCOUNTS)
    return found if rising or found is None else 1 / found


def _less_is_enough(
    make: Callable[[float], M], noise: float, target: Guarantee, k: int, *, rising: bool
) -> bool:
    """Whether some theorem needs less than what an accountant found, which has few digits."""
    less = noise * (1 - 1e-14) if rising else noise * (1 + 1e-14)
    try:
        return _condition(make, less, target, k, None)(less)
    except (TypeError, ValueError):
        return False


# --- noisy training: Gaussian noise on samples --------------------------------------------------


def _trains_by_noise(
    first: Mechanism, target: Guarantee, k: int, via: type[Guarantee] | None
) -> bool:
    """Whether it is sampled Gaussian noise, for which no formula gives epsilon."""
    return (
        isinstance(first, PoissonSubsampled)
        and isinstance(first.mechanism, Gaussian)
        and isinstance(target, ApproxDP)
        and via is RenyiDP
        and 0 < first.rate < 1
        and target.epsilon > 0
        and 0 < target.delta < 1
    )


def _noise_of_training(make: Callable[[float], M], target: Guarantee, k: int) -> float | None:
    """The least noise by the Rényi divergences at real orders; None where they say little."""
    assert isinstance(target, ApproxDP)
    delta = target.delta

    def epsilon(noise: float) -> float:
        """At the best of some orders, and of more and more between its neighbours."""
        try:
            step, orders = make(noise), _ORDERS_OF_TRAINING
            for _ in range(4):
                claim = step.guarantee(RenyiDP, orders=orders).self_compose(k)
                found = claim._epsilons(delta)
                best = int(np.argmin(found))
                ends = orders[max(best - 1, 0)], orders[min(best + 1, len(orders) - 1)]
                orders = tuple(np.linspace(*ends, 17).tolist())
        except (ValueError, OverflowError):  # an infinite divergence
            return math.inf
        return min(found)

    return _secant(epsilon, target.epsilon, 1.0)


def _secant(
    number: Callable[[float], float], goal: float, start: float, *, tolerance: float = 1e-12
) -> float | None:
    """The least argument at which a falling function was seen to be at most a goal.

    Secants of the logarithms, which are nearly straight, inside a bracket. None where the
    function does not fall through the goal.
    """
    low, high = -math.inf, math.inf  # logarithms: too much there, enough here
    x, before, reach = math.log(start), None, 1.0
    for _ in range(200):
        value = number(math.exp(x))
        y = math.log(value / goal) if 0 < value < math.inf else math.copysign(1e300, value - goal)
        if y <= 0:
            high = min(high, x)
        else:
            low = max(low, x)
        moved = math.nan
        if before is not None and before[1] != y and abs(y) + abs(before[1]) < 1e299:
            moved = x - y * (x - before[0]) / (y - before[1])
        if high - low <= tolerance or (y <= 0 and abs(moved - x) <= tolerance):
            return math.exp(high)
        before = (x, y)
        if abs(moved - x) <= 1e-6:  # to the safe side of what is nearly reached
            moved += tolerance / 2
        if low == -math.inf or high == math.inf:
            reach *= 2
            if reach > 200:
                return None
            outwards = x + (reach if high == math.inf else -reach)
            near = math.isfinite(moved) and abs(moved - x) <= reach
            x = moved + math.copysign(1e-3, y) if near else outwards
        else:
            x = moved if low < moved < high else (low + high) / 2
    return math.exp(high) if high < math.inf else None


# --- the best order, and the grid of orders --------------------------------------------------


@dataclass(frozen=True)
class AtOrder:
    """A number and the order of the divergence at which it was found.

    Attributes
    ----------
    value : float
        An epsilon in nats, or a sigma.
    order : float
        In (1, inf).

    Examples
    --------
    >>> AtOrder(0.5, 20.0).order
    20.0
    """

    value: float
    order: float


def epsilon_at_best_order(
    sigma: float, *, delta: float, k: int = 1, sensitivity: float = 1.0
) -> AtOrder:
    """The epsilon of k answers of Gaussian noise by alpha-DP (or Rényi DP), at its best order.

    At the order a it is k a s^2/(2 sigma^2) + L/(a - 1) for the sensitivity s and
    L = log(1/delta). The least, rho + 2 sqrt(rho L) for rho = k s^2/(2 sigma^2), stands at the
    real order 1 + sqrt(L / rho): what Liu and Wang's algorithm 1 looks for in a grid.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise of one answer, > 0.
    delta : float
        In (0, 1).
    k : int
        The number of answers, at least 1.
    sensitivity : float
        Of one answer, in L2, > 0.

    Returns
    -------
    AtOrder
        An upper bound on epsilon: the conversion loses.
        ``GaussianDP(...).self_compose(k).epsilon_at(delta)`` is exact.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Liu and Wang, algorithm 1; Bun and Steinke (2016), proposition 1.3.

    Examples
    --------
    >>> best = epsilon_at_best_order(100.0, delta=1e-5, k=1000)
    >>> round(best.value, 12), round(best.order, 12)
    (1.567427129385, 16.174271293851)
    """
    sigma, delta, k, sensitivity = _setting("sigma", sigma, delta, k, sensitivity)
    rho = _rho(sigma, k, sensitivity)
    if not 0 < rho < math.inf:
        raise ValueError(
            "sigma must leave k sensitivity^2 / sigma^2 in the range of floats, "
            f"got sigma={sigma}, k={k} and sensitivity={sensitivity}"
        )
    order = 1 + math.sqrt(-math.log(delta) / rho)
    return AtOrder(zcdp_to_epsilon_bun_steinke(rho, delta), max(order, math.nextafter(1, 2)))


def epsilon_on_grid(
    sigma: float,
    *,
    delta: float,
    k: int = 1,
    sensitivity: float = 1.0,
    orders: Sequence[float] = range(2, 301),
) -> AtOrder:
    """The same epsilon at the best order of a grid: Liu and Wang's algorithm 1.

    Composition adds log(1 + a (a-1) alpha) up, in which the alpha divergence itself, that a
    thousand answers take out of the range of floats, never occurs.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise of one answer, > 0.
    delta : float
        In (0, 1).
    k : int
        The number of answers, at least 1.
    sensitivity : float
        Of one answer, in L2, > 0.
    orders : sequence of float
        In (1, inf). Theirs are 2 to 300.

    Returns
    -------
    AtOrder
        An upper bound on epsilon, no smaller than `epsilon_at_best_order`; the first of the
        orders that are best.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Liu and Wang, algorithm 1, with log(1/delta) added to the logarithm in its line 12; the
    text divides by delta.

    Examples
    --------
    >>> best = epsilon_on_grid(100.0, delta=1e-5, k=1000)
    >>> round(best.value, 12), best.order
    (1.567528364331, 16.0)
    """
    sigma, delta, k, sensitivity = _setting("sigma", sigma, delta, k, sensitivity)
    return _search(_grid("orders", orders, _check.ORDER_ABOVE_ONE), sigma, delta, k, sensitivity)


def sigma_at_best_order(
    epsilon: float, *, delta: float, k: int = 1, sensitivity: float = 1.0
) -> AtOrder:
    """The least sigma for which `epsilon_at_best_order` does not exceed an epsilon.

    sigma = s sqrt(k/2) / (sqrt(L + epsilon) - sqrt(L)) for the sensitivity s and
    L = log(1/delta), at the order 1 + sqrt(L / rho), where rho = (sqrt(L + epsilon) - sqrt(L))^2.

    Parameters
    ----------
    epsilon : float
        For all k answers, > 0, in nats.
    delta : float
        In (0, 1).
    k : int
        The number of answers, at least 1.
    sensitivity : float
        Of one answer, in L2, > 0.

    Returns
    -------
    AtOrder
        More noise than ``calibrate(Gaussian, ApproxDP(epsilon, delta), k=k)``, which is exact.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range, or sigma would leave the range of floats.

    References
    ----------
    Liu and Wang, algorithm 2, over the real orders.

    Examples
    --------
    >>> best = sigma_at_best_order(1.0, delta=1e-5, k=1000)
    >>> round(best.value, 6), round(best.order, 6)
    (154.969161, 24.515441)
    """
    epsilon, delta, k, sensitivity = _setting("epsilon", epsilon, delta, k, sensitivity)
    log_term = -math.log(delta)
    sum_of_roots = math.sqrt(log_term + epsilon) + math.sqrt(log_term)
    root = epsilon / sum_of_roots  # the difference of the two, without a difference
    sigma = _numerics.up(sensitivity * (math.sqrt(k / 2) / root)) if root > 0 else math.inf
    if not 0 < sigma < math.inf:
        raise ValueError(
            "epsilon must allow a sigma in the range of floats, "
            f"got epsilon={epsilon}, k={k} and sensitivity={sensitivity}"
        )
    return AtOrder(sigma, max(1 + math.sqrt(log_term) / root, math.nextafter(1, 2)))


def sigma_on_grid(
    epsilon: float,
    *,
    delta: float,
    k: int = 1,
    sensitivity: float = 1.0,
    orders: Sequence[float] = range(2, 301),
    sigmas: Sequence[float] = range(1, 501),
) -> AtOrder:
    """The least sigma of a grid whose `epsilon_on_grid` does not exceed an epsilon.

    Parameters
    ----------
    epsilon : float
        For all k answers, > 0, in nats.
    delta : float
        In (0, 1).
    k : int
        The number of answers, at least 1.
    sensitivity : float
        Of one answer, in L2, > 0.
    orders : sequence of float
        In (1, inf). Liu and Wang's are 2 to 300.
    sigmas : sequence of float
        > 0, in any order. Theirs are 1 to 500.

    Returns
    -------
    AtOrder
        The sigma, and the order that is the best for it.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range, or no sigma of the grid is large enough.

    References
    ----------
    Liu and Wang, algorithm 2, with the correction of `epsilon_on_grid` in its line 17.

    Examples
    --------
    >>> sigma_on_grid(1.0, delta=1e-5, k=1000)
    AtOrder(value=155.0, order=25.0)
    """
    epsilon, delta, k, sensitivity = _setting("epsilon", epsilon, delta, k, sensitivity)
    grid = _grid("orders", orders, _check.ORDER_ABOVE_ONE)
    candidates = np.sort(_grid("sigmas", sigmas, _check.POSITIVE))
    low, high = 0, candidates.size  # epsilon falls with sigma
    while low < high:
        middle = (low + high) // 2
        if _search(grid, float(candidates[middle]), delta, k, sensitivity).value <= epsilon:
            high = middle
        else:
            low = middle + 1
    if low == candidates.size:
        raise ValueError(
            f"sigmas must hold one that is large enough for epsilon={epsilon}, "
            f"got sigmas up to {candidates[-1]:g}"
        )
    sigma = float(candidates[low])
    return AtOrder(sigma, _search(grid, sigma, delta, k, sensitivity).order)


def _setting(
    name: str, value: float, delta: float, k: int, sensitivity: float
) -> tuple[float, float, int, float]:
    return (
        _check.real(name, value, _check.POSITIVE),
        _check.real("delta", delta, _check.OPEN_PROBABILITY),
        _check.count("k", k),
        _check.real("sensitivity", sensitivity, _check.POSITIVE),
    )


def _grid(name: str, values: Sequence[float], domain: _check.Domain) -> Vector:
    return np.array(_check.reals(name, values, domain))


def _rho(sigma: float, k: int, sensitivity: float) -> float:
    shift = sensitivity / sigma
    return times(k, shift * shift / 2)


def _search(orders: Vector, sigma: float, delta: float, k: int, sensitivity: float) -> AtOrder:
    # (k x + L)/(a - 1), where x = log(1 + a (a-1) alpha) = a (a-1) s^2/(2 sigma^2) for one answer
    with np.errstate(over="ignore"):
        epsilons = orders * _rho(sigma, k, sensitivity) - math.log(delta) / (orders - 1)
    best = int(np.argmin(epsilons))
    return AtOrder(_numerics.up(float(epsilons[best])), float(orders[best]))
