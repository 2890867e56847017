"""Curves: the epsilon of many points at once, each as safe as the functions of one point.

`epsilon_curves` compares the ways to account for k releases, over many k in one call. The other
functions are the formulas beneath it, for arrays that broadcast against each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach._lattice import TooLarge
from dpteach._lattice.curve import epsilon_curve
from dpteach._pairs import dominating_pair
from dpteach.composition import MOST_STEPS, optimal_composition
from dpteach.conversions import convert
from dpteach.mechanisms import Mechanism
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP
from dpteach.notions._gaussian_profile import epsilons_of_gaussian, log_deltas_of_gaussian

__all__ = [
    "METHODS",
    "epsilon_curves",
    "gaussian_deltas",
    "gaussian_epsilons",
    "renyi_epsilons",
    "zcdp_epsilons",
]

Vector = NDArray[np.float64]

#: what `epsilon_curves` knows, from the loosest to the tightest in most settings
METHODS = ("basic", "advanced", "optimal", "zcdp", "renyi", "pld", "gaussian")

#: the orders at which a Rényi guarantee is asked for
_ORDERS = tuple(1 + float(b) for b in np.geomspace(1e-2, 1e4, 121))
#: the width that brackets of sums of losses aim at, relative or absolute
_WIDTH = 1e-4
#: a larger margin than that of `_numerics.sum_up`, as these sums are not correctly rounded
_SUM_MARGIN = 2 * _numerics.MARGIN


# --- formulas for arrays -----------------------------------------------------------------------


def gaussian_epsilons(mu: ArrayLike, delta: ArrayLike) -> Vector:
    """The exact epsilon of Gaussian noise at many mu or delta.

    Parameters
    ----------
    mu : array_like
        Of `GaussianDP`, in [0, inf): sqrt(k) times the sensitivity over sigma.
    delta : array_like
        In [0, 1]; the two broadcast.

    Returns
    -------
    ndarray
        In [0, inf], in nats; exact but for rounding, upwards: by less than 1e-12 of it where
        delta is at most 1/2 and epsilon at least mu/20. The numbers of `GaussianDP.epsilon_at`.

    Raises
    ------
    ValueError, TypeError
        If a number is outside its range, or the shapes do not fit.

    Notes
    -----
    Cost: some ten evaluations for all numbers together, 1,000 in 2 ms.

    References
    ----------
    Balle and Wang (2018), theorem 8.

    Examples
    --------
    >>> gaussian_epsilons([0.5, 1.0], 1e-5).round(8)
    array([1.9930914, 4.3771781])
    """
    shift, part = _broadcast(
        mu=_in("mu", mu, _check.NON_NEGATIVE), delta=_in("delta", delta, _check.PROBABILITY)
    )
    shape, shift, part = shift.shape, shift.ravel(), part.ravel()
    epsilons = np.zeros(shift.size)
    epsilons[(part == 0) & (shift > 0)] = math.inf
    inside = (shift > 0) & (part > 0) & (part < 1)
    # there delta rounds to 1, or the square of mu has no digits left beside it
    hard = inside & ((part > 0.999) | (shift > 1e8))
    easy = inside & ~hard
    # a larger mu is on the safe side
    epsilons[easy] = epsilons_of_gaussian(np.maximum(shift[easy], 1e-290), part[easy])
    for i in np.flatnonzero(hard):
        epsilons[i] = GaussianDP(max(float(shift[i]), 1e-290)).epsilon_at(float(part[i]))
    return epsilons.reshape(shape)


def gaussian_deltas(mu: ArrayLike, epsilon: ArrayLike) -> Vector:
    """The exact delta of Gaussian noise at many mu or epsilon.

    Parameters
    ----------
    mu : array_like
        Of `GaussianDP`, in [0, inf).
    epsilon : array_like
        In [0, inf), in nats; the two broadcast.

    Returns
    -------
    ndarray
        In [0, 1]; exact but for rounding, upwards. The numbers of `GaussianDP.delta_at`.

    Raises
    ------
    ValueError, TypeError
        If a number is outside its range, or the shapes do not fit.

    References
    ----------
    Balle and Wang (2018), theorem 8.

    Examples
    --------
    >>> gaussian_deltas(1.0, [0.0, 1.0, 4.0]).round(9)
    array([3.82924923e-01, 1.26936738e-01, 4.71220000e-05])
    """
    shift, point = _broadcast(
        mu=_in("mu", mu, _check.NON_NEGATIVE), epsilon=_in("epsilon", epsilon, _check.NON_NEGATIVE)
    )
    shape, shift, point = shift.shape, shift.ravel(), point.ravel()
    deltas = np.zeros(shift.size)
    inside = shift > 0
    hard = inside & (shift > 1e8)
    easy = inside & ~hard
    with np.errstate(over="ignore"):
        logs = log_deltas_of_gaussian(np.maximum(shift[easy], 1e-290), point[easy])
    values = np.exp(logs) * (1 + _numerics.MARGIN)
    # below the normal floats the margin is less than their spacing
    deltas[easy] = np.minimum(np.where(values > 1e-290, values, np.nextafter(values, 1.0)), 1.0)
    for i in np.flatnonzero(hard):
        deltas[i] = GaussianDP(float(shift[i])).delta_at(float(point[i]))
    return deltas.reshape(shape)


def zcdp_epsilons(rho: ArrayLike, delta: ArrayLike) -> Vector:
    """The epsilon of zCDP at many rho or delta, each at its best real order.

    Parameters
    ----------
    rho : array_like
        Of `ZCDP`, in [0, inf), in nats.
    delta : array_like
        In [0, 1]; the two broadcast.

    Returns
    -------
    ndarray
        In [0, inf], in nats; an upper bound. The numbers of `ZCDP.epsilon_at` to 1e-12.

    Raises
    ------
    ValueError, TypeError
        If a number is outside its range, or the shapes do not fit.

    Notes
    -----
    The formula is a theorem at every order and flat at the best: half of the digits of the order
    give all of epsilon's. Cost: 1,000 numbers in half a millisecond.

    References
    ----------
    Canonne, Kamath and Steinke (2020), corollary 13.

    Examples
    --------
    >>> zcdp_epsilons([0.125, 0.5], 1e-5).round(6)
    array([2.165716, 4.728387])
    """
    cost, part = _broadcast(
        rho=_in("rho", rho, _check.NON_NEGATIVE), delta=_in("delta", delta, _check.PROBABILITY)
    )
    shape = cost.shape
    cost, part = cost.ravel(), part.ravel()
    enough = np.minimum(1.0, np.sqrt(cost / 2) * (1 + _numerics.MARGIN)) <= part  # Pinsker
    epsilons = np.where(enough, 0.0, math.inf)
    some = np.flatnonzero(~enough & (part > 0))
    if some.size == 0:
        return epsilons.reshape(shape)
    whole = some.size == cost.size
    rho_, target = (cost, part) if whole else (cost[some], part[some])
    target = -np.log(target)
    # the derivative in b = a - 1 has the sign of rho b^2 + log(1 + b) - target; Newton's method
    # for the logarithm of b, from the right of its root
    b = np.minimum(np.sqrt(target) / np.sqrt(rho_), np.expm1(np.minimum(target, 700.0)))
    for _ in range(50):
        square, log = rho_ * b * b, np.log1p(b)
        step = (square + log - target) / (2 * square + b / (1 + b))
        b = b * np.exp(-step)
        if np.abs(step).max() < 1e-5:
            break
    order = np.maximum(1 + b, np.nextafter(1.0, 2.0))
    b = order - 1
    best = _above(order * rho_, -np.log1p(1 / b), -np.log(order) / b, target / b)
    epsilons[some] = np.maximum(best, 0.0)
    return epsilons.reshape(shape)


@np.errstate(over="ignore")  # what leaves the range of floats is infinite
def renyi_epsilons(claim: RenyiDP, ks: ArrayLike, delta: float) -> Vector:
    """The epsilon of k releases under one Rényi guarantee each, for many k.

    Parameters
    ----------
    claim : RenyiDP
        Of one release.
    ks : array_like of integers
        Each at least 1, of any shape.
    delta : float
        In [0, 1].

    Returns
    -------
    ndarray
        In [0, inf], in nats; an upper bound, at the best of the claim's orders for each k. The
        numbers of ``claim.self_compose(k).epsilon_at(delta)``.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

    References
    ----------
    Canonne, Kamath and Steinke (2020), proposition 12.

    Examples
    --------
    >>> claim = RenyiDP([8, 16, 32], [0.04, 0.08, 0.16])
    >>> renyi_epsilons(claim, [1, 10], 1e-5).round(8)
    array([0.38783806, 1.3181506 ])
    """
    _check.instance("claim", claim, RenyiDP)
    counts = _counts(ks)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    best = np.full(counts.shape, math.inf)
    orders, bounds = np.array(claim.orders), np.array(claim.epsilons)
    pure = claim.orders[-1] == math.inf
    if pure:
        # the profile of (epsilon, 0) at delta: log(e^epsilon (1 - delta) - delta)
        best = _relaxed_pure(counts * bounds[-1] * (1 + _numerics.MARGIN), delta)
    inside = (orders > 1) & (orders < math.inf)
    if delta > 0 and inside.any():
        b = orders[inside] - 1
        rest = -np.log1p(1 / b) - (math.log(delta) + np.log(orders[inside])) / b
        error = np.log1p(1 / b) + (-math.log(delta) + np.log(orders[inside])) / b
        offset = rest + _SUM_MARGIN * error
        slope = bounds[inside] * (1 + _SUM_MARGIN)
        flat = counts.ravel()
        for begin in range(0, flat.size, 4096):
            some = slice(begin, begin + 4096)
            lines = flat[some, None] * slope + offset
            found = lines.min(axis=1)
            found = np.maximum(found + _SUM_MARGIN * np.abs(found), 0.0)
            best.ravel()[some] = np.minimum(best.ravel()[some], found)
    with np.errstate(over="ignore"):
        total_variation = np.sqrt(counts * bounds[0] / 2) * (1 + _numerics.MARGIN)
    return np.where(np.minimum(1.0, total_variation) <= delta, 0.0, best)


# --- all methods at once -----------------------------------------------------------------------


def epsilon_curves(
    event: Mechanism | Guarantee,
    ks: ArrayLike,
    delta: float,
    methods: Sequence[str] | None = None,
) -> dict[str, Vector]:
    """The epsilon of k releases, over many k, by every way to account for them.

    Parameters
    ----------
    event : Mechanism or Guarantee
        Of one release; what is known of it decides which methods there are.
    ks : array_like of integers
        The numbers of releases, each at least 1, of any shape.
    delta : float
        Of all releases together, in (0, 1).
    methods : sequence of str, optional
        Of `METHODS`; by default all that apply. ``"basic"`` adds epsilons up, ``"advanced"`` is
        Dwork, Rothblum and Vadhan's theorem, ``"optimal"`` the best that (epsilon, delta) of each
        release allows, ``"zcdp"`` and ``"renyi"`` convert the sum of the divergences once, at the
        best real order or the best of 121, ``"pld"`` bounds the sum of the privacy losses on a
        lattice, ``"gaussian"`` is exact for Gaussian noise.

    Returns
    -------
    dict from str to ndarray
        For each method the epsilons, of the shape of ks, in nats; each an upper bound, infinite
        where the method has none.

    Raises
    ------
    TypeError
        If an argument is of another type, or a method is asked for that the event has no theorem
        for; the message names it.
    ValueError
        If a number is outside its range or a method is unknown.

    Notes
    -----
    Where a release has no epsilon at delta 0, half of delta is shared evenly among the k releases
    for the first three methods, and the other half is their slack; ``"basic"`` needs no slack and
    shares all of it. Cost: ``"optimal"`` takes a search for each k, some 0.5 ms; a mechanism that
    is neither Gaussian nor pure takes its own for each k in the first three. ``"pld"`` aims at 1e-4
    of epsilon (absolute from 1 to 10) and takes 0.1 s for 1,000 values of k of Gaussian noise and
    randomized response, 0.5 to 1 s for sampled Gaussian or for Laplace noise; it grows with the
    logarithm of the largest k and little with how many there are. Where a sampling rate is so
    small that most releases lose nothing, it takes seconds and may be a few percent wide. The
    others take a few milliseconds for 1,000 values of k.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010), theorem III.3; Kairouz, Oh and Viswanath (2015), theorem
    3.3; Canonne, Kamath and Steinke (2020), proposition 12; Zhu, Dong and Wang (2022), theorem
    10; Balle and Wang (2018), theorem 8.

    Examples
    --------
    >>> from dpteach import Gaussian
    >>> curves = epsilon_curves(Gaussian(sigma=100.0), [1, 50, 1000], 1e-6)
    >>> for name, epsilons in curves.items():
    ...     print(name, epsilons.round(4))
    basic [3.37000e-02 2.14190e+00 4.88664e+01]
    advanced [ 0.1922  1.7875 11.1278]
    optimal [0.0354 1.3479 8.5392]
    zcdp [0.0371 0.2975 1.4716]
    renyi [0.0371 0.2975 1.4716]
    pld [0.0337 0.274  1.3676]
    gaussian [0.0337 0.274  1.3676]
    """
    _check.instance("event", event, (Mechanism, Guarantee))
    counts = _counts(ks)
    delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
    known = _Known(event)
    if methods is None:
        return {
            name: curve
            for name in METHODS
            if (curve := known.curve(name, counts, delta)) is not None
        }
    if isinstance(methods, str) or not _check.is_iterable(methods):
        raise TypeError(
            f"methods must be a sequence of names, got methods={_check.shown(methods)} "
            f"of type {type(methods).__name__}"
        )
    names = list(methods)
    if not names:
        raise ValueError(
            f"methods must hold at least one of {', '.join(METHODS)}, "
            f"got methods={_check.shown(methods)}"
        )
    curves = {}
    for i, name in enumerate(names):
        name = _check.one_of(f"methods[{i}]", name, METHODS)
        curve = known.curve(name, counts, delta)
        if curve is None:
            raise TypeError(
                f"methods[{i}] must be one that the event has a theorem for, "
                f"got methods[{i}]={name!r} for event={_check.shown(event)}"
            )
        curves[name] = curve
    return curves


class _Known:
    """What is known of an event, and what follows for k of them."""

    def __init__(self, event: Mechanism | Guarantee) -> None:
        self.event = event

    def claim(self, notion: type[Guarantee], **told: Any) -> Guarantee | None:
        try:
            if isinstance(self.event, Mechanism):
                return self.event.guarantee(notion, **told)
            if type(self.event) is notion:
                return self.event
            return convert(self.event, to=notion, **told)
        except (TypeError, ValueError):  # no theorem, or none with a finite number
            return None

    def curve(self, name: str, counts: Vector, delta: float) -> Vector | None:
        methods: dict[str, Callable[[Vector, float], Vector | None]] = {
            "basic": self.basic,
            "advanced": self.advanced,
            "optimal": self.optimal,
            "zcdp": self.zcdp,
            "renyi": self.renyi,
            "pld": self.pld,
            "gaussian": self.gaussian,
        }
        with np.errstate(over="ignore"):  # what leaves the range of floats is infinite
            return methods[name](counts, delta)

    def gaussian(self, counts: Vector, delta: float) -> Vector | None:
        claim = self.claim(GaussianDP)
        if not isinstance(claim, GaussianDP):
            return None
        shift = np.sqrt(counts) * claim.mu * (1 + 2**-51)
        return _beyond_floats(gaussian_epsilons, shift, delta)

    def zcdp(self, counts: Vector, delta: float) -> Vector | None:
        claim = self.claim(ZCDP)
        if not isinstance(claim, ZCDP):
            return None
        return _beyond_floats(zcdp_epsilons, counts * claim.rho, delta)

    def pld(self, counts: Vector, delta: float) -> Vector | None:
        pair = dominating_pair(self.event)
        if pair is None:
            return None
        try:
            return epsilon_curve(pair.laws, counts, delta, _WIDTH)[1]
        except (TooLarge, ArithmeticError):  # no lattice holds the sum
            return np.full(counts.shape, math.inf)

    def renyi(self, counts: Vector, delta: float) -> Vector | None:
        claim = self.claim(RenyiDP, orders=_ORDERS)
        best = renyi_epsilons(claim, counts, delta) if isinstance(claim, RenyiDP) else None
        zcdp = self.zcdp(counts, delta)  # a bound on the Rényi divergence at every order
        if best is None or zcdp is None:
            return best
        return np.minimum(best, zcdp)

    def basic(self, counts: Vector, delta: float) -> Vector | None:
        steps = self.steps(counts, delta)
        if steps is None:
            return None
        epsilons, deltas = steps
        enough = counts * deltas <= delta
        return np.where(enough, counts * epsilons * (1 + _numerics.MARGIN), math.inf)

    def advanced(self, counts: Vector, delta: float) -> Vector | None:
        steps = self.steps(counts, delta / 2)
        if steps is None:
            return None
        epsilons, deltas = steps
        slack = (delta - counts * deltas) * (1 - _numerics.MARGIN)
        enough = slack > 0
        logs = -np.log(np.where(enough, slack, 1.0))
        with np.errstate(over="ignore"):
            drift = counts * epsilons * np.expm1(np.minimum(epsilons, 709.0))
        spread = epsilons * np.sqrt(2 * counts * logs)
        usable = enough & (epsilons <= 700)
        return np.where(usable, (drift + spread) * (1 + _SUM_MARGIN), math.inf)

    def optimal(self, counts: Vector, delta: float) -> Vector | None:
        steps = self.steps(counts, delta / 2)
        if steps is None:
            return None
        epsilons = np.full(counts.shape, math.inf)
        for i, k in np.ndenumerate(counts):
            step, part = float(steps[0][i]), float(steps[1][i])
            if k <= MOST_STEPS and step <= 700 and k * part <= delta:
                best = optimal_composition(ApproxDP(step, part), int(k), delta=delta)
                epsilons[i] = best.epsilon
        return epsilons

    def steps(self, counts: Vector, delta: float) -> tuple[Vector, Vector] | None:
        """(epsilon, delta) of each of k releases, where all may lose delta."""
        pure = self.claim(PureDP)
        if isinstance(pure, PureDP):
            return np.full(counts.shape, pure.epsilon), np.zeros(counts.shape)
        if isinstance(self.event, ApproxDP):
            return np.full(counts.shape, self.event.epsilon), np.full(
                counts.shape, self.event.delta
            )
        shares = delta / counts * (1 - 2 * _numerics.MARGIN)
        gaussian = self.claim(GaussianDP)
        if isinstance(gaussian, GaussianDP):
            return gaussian_epsilons(gaussian.mu, shares), shares
        found = [self.claim(ApproxDP, delta=float(share)) for share in shares.ravel()]
        epsilons = [claim.epsilon for claim in found if isinstance(claim, ApproxDP)]
        if len(epsilons) < shares.size:
            return None
        return np.array(epsilons).reshape(shares.shape), shares


def _beyond_floats(
    epsilons: Callable[[Vector, float], Vector], parameter: Vector, delta: float
) -> Vector:
    """epsilons(parameter, delta), infinite where the parameter is."""
    largest = float(np.finfo(np.float64).max)
    found = epsilons(np.minimum(parameter, largest), delta)
    return np.where(parameter < math.inf, found, math.inf)


# --- arguments ---------------------------------------------------------------------------------


def _in(name: str, value: object, domain: _check.Domain) -> Vector:
    numbers = _check.array(name, value)
    least, most = (numbers.min(), numbers.max()) if numbers.size else (1.0, 1.0)
    for extreme in (least, most):  # the domains are intervals
        if numbers.size and not domain.contains(float(extreme)):
            _check.real(name, float(extreme), domain)
    return numbers


def _broadcast(**arrays: Vector) -> tuple[Vector, Vector]:
    (first, one), (last, other) = arrays.items()
    try:
        both = np.broadcast_arrays(one, other)
    except ValueError:
        raise ValueError(
            f"{first} and {last} must have shapes that fit, got {first} of shape {one.shape} "
            f"and {last} of shape {other.shape}"
        ) from None
    return both[0], both[1]


def _counts(ks: object) -> Vector:
    counts = _check.integers("ks", ks, largest=2**53)
    if counts.size and counts.min() < 1:
        raise ValueError(f"ks must hold integers >= 1, got ks={_check.shown(ks)}")
    return counts.astype(np.float64)


def _relaxed_pure(epsilons: Vector, delta: float) -> Vector:
    """The smallest epsilon at delta that (epsilon, 0) implies: Cuff and Yu (2016), property 3."""
    if delta == 1:
        return np.zeros_like(epsilons)
    spent = np.minimum(delta * (1 + np.exp(-epsilons)) * (1 - _numerics.MARGIN), 1.0)
    with np.errstate(divide="ignore"):
        rest = np.log1p(-spent)
    return np.where(spent < 1, np.maximum(_above(epsilons, np.maximum(rest, -1e300)), 0.0), 0.0)


def _above(*terms: Vector) -> Vector:
    """A little more than a sum of terms with a few rounding errors each."""
    total = np.add.reduce(terms)
    return np.asarray(total + _SUM_MARGIN * np.add.reduce([np.abs(term) for term in terms]))
