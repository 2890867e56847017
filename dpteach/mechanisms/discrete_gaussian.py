"""The discrete Gaussian mechanism: exactly sampled integer noise with Gaussian weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _exact, _numerics
from dpteach.mechanisms._base import approx, theorem
from dpteach.mechanisms._integers import IntegerNoise, scale_of_integers
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, Guarantee, PureDP, RenyiDP
from dpteach.notions.alpha import alpha_of_renyi
from dpteach.notions.gaussian import log_delta_of_gaussian
from dpteach.privacy_loss import DiscreteLoss

#: the largest sigma for `privacy_loss`, which lists about 74 * sigma outcomes
LARGEST_LISTED = 1e4
#: a moment of the privacy loss is a sum over integers. If its main terms belong to integers above
#: this number, where floats are too sparse, it is approximated
_FAR = 2.0**50
#: above this sensitivity, the search for the worst change of the query's value would take too long
_LARGEST_NORM = 1e6
#: up to this squared sensitivity, the worst change of the query's value is found by comparing all
#: possible changes; above it, the worst change is known only for large sigma (`_knows_the_worst`)
_LISTED_SQUARE = 36
#: if the changes that `_moves` lists are compared, log delta is raised by this number times
#: 1 + |log delta|, which is more than its rounding error
_LISTED_MARGIN = 1e-13
#: sums with more terms than this are replaced by the Euler-Maclaurin formula
MOST_TERMS = 2**17


_OF_INTEGERS = _check.Domain("finite and >= 1", lambda x: 1 <= x < math.inf)


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(IntegerNoise):
    """A mechanism that adds integers x with probabilities proportional to e^(-x^2/(2 sigma^2)).

    Each coordinate gets independent noise, sampled from random bits in integer arithmetic. Its
    distribution is exact for the rational value of the float `sigma`, so rounding leaks nothing.

    Parameters
    ----------
    sigma : float
        > 0. It is nearly the standard deviation of the noise if sigma >= 1, and larger than the
        standard deviation if sigma < 1.
    sensitivity : float
        The L2 sensitivity of the query, >= 1: the largest Euclidean distance between neighbors.
    one_coordinate : bool
        Whether neighbors differ in at most one coordinate of the query's value, as they always do
        if the value is one number. Keyword only.

    Raises
    ------
    ValueError, TypeError
        If sigma is not finite and > 0, sensitivity not finite and >= 1, or one_coordinate not a
        bool.

    Notes
    -----
    Every guarantee holds for all changes of the query's value by vectors of integers whose length
    is at most the sensitivity. The ApproxDP guarantee is exact, the maximum over these changes, if
    only one coordinate changes, if sigma is at least twice the sensitivity, or if the sensitivity
    is at most 6; otherwise it is the bound that ZCDP implies.

    In general, no change is the worst at every epsilon. With sensitivity 2, for example, a change
    of 2 in one coordinate is worse at some epsilons, and a change of 1 in each of four coordinates
    at others. Only if one coordinate changes, or if the sensitivity is below sqrt(2), is one change
    the worst at every epsilon. Otherwise `privacy_loss` raises TypeError.

    References
    ----------
    Canonne, Kamath and Steinke (2020), theorems 4 (whose bound adds over coordinates) and 7.

    Examples
    --------
    >>> DiscreteGaussian(sigma=2.0).guarantee(ZCDP)
    ZCDP(rho=0.125)
    >>> round(DiscreteGaussian(sigma=1.0).guarantee(ApproxDP, epsilon=0.5).delta, 12)
    0.203982813763
    >>> for one_coordinate in (True, False):
    ...     counts = DiscreteGaussian(3.0, 2.0, one_coordinate=one_coordinate)
    ...     print(round(counts.guarantee(ApproxDP, epsilon=2.0).delta, 9))
    0.00059277
    0.000642639
    """

    sigma: float
    sensitivity: float = 1.0
    one_coordinate: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sigma", _check.real("sigma", self.sigma, _check.POSITIVE))
        sensitivity = _check.real("sensitivity", self.sensitivity, _OF_INTEGERS)
        object.__setattr__(self, "sensitivity", sensitivity)
        _check.instance("one_coordinate", self.one_coordinate, bool)

    @property
    def shift(self) -> float:
        """Sensitivity divided by sigma.

        >>> DiscreteGaussian(sigma=4.0, sensitivity=3.0).shift
        0.75
        """
        return _numerics.positive(self.sensitivity / self.sigma)

    def _square(self) -> int:
        """Return the largest squared Euclidean length of a change between neighbors, an integer."""
        if self.one_coordinate:
            return int(self.sensitivity) ** 2
        square = int(self.sensitivity * self.sensitivity)
        # the sensitivity may be a square root that was rounded down, so try the next integer
        return square + 1 if math.sqrt(square + 1) <= self.sensitivity else square

    def _rho(self) -> float:
        """Return rho of zCDP: half the squared length of the longest change, in units of sigma."""
        length = self.sensitivity
        if self.one_coordinate:
            length = int(length)
        elif length < 2.0**26:  # for larger lengths, this square root would be equal to `length`
            length = math.sqrt(self._square())
        return _numerics.positive((length / self.sigma) ** 2 / 2)

    def privacy_loss(self) -> DiscreteLoss:
        """Return the privacy loss of the largest change of one coordinate.

        The result lists the outcomes whose probabilities under both distributions are above 1e-300.
        One more outcome holds the rest of the first distribution, and another one the rest of the
        second. Each has probability 0 under the other distribution, which rounds the loss up. The
        divergences are exact, because they are not computed from this list: `max` is infinite, and
        the sums for moments extend as far as necessary.

        Returns
        -------
        DiscreteLoss
            A privacy loss with about 74 sigma outcomes.

        Raises
        ------
        TypeError
            If several coordinates can change, because then no change is worse than all others.
        ValueError
            If the sensitivity is above 20 sigma, where too few outcomes have both probabilities
            in the range of floats, or if sigma is above 1e4.

        Examples
        --------
        >>> loss = DiscreteGaussian(sigma=2.0).privacy_loss()
        >>> round(loss.kl(), 12), loss.max()  # 1/8 and inf
        (0.125, inf)
        """
        if not self.one_coordinate and self.sensitivity >= math.sqrt(2):
            raise TypeError(
                "one_coordinate must be True, or sensitivity below sqrt(2), for a privacy loss: "
                "no change in several coordinates is worse than all others, "
                f"got mechanism={_check.shown(self)}"
            )
        if self.sigma > LARGEST_LISTED:
            raise ValueError(
                f"sigma must be at most {LARGEST_LISTED:g} for a list of all probabilities, "
                f"got sigma={self.sigma}"
            )
        if self.shift > 20:
            raise ValueError(
                "sensitivity must be at most 20 sigma for a privacy loss, "
                f"got sensitivity={self.sensitivity} and sigma={self.sigma}"
            )
        return _LatticeLoss(self.sigma, int(self.sensitivity))

    def _moved_by(self, difference: int) -> DiscreteGaussian:
        return DiscreteGaussian(self.sigma, difference, one_coordinate=True)

    def _noise(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return _exact.discrete_gaussian(scale_of_integers("sigma", self.sigma), size, rng)

    def _why_no_theorem(self, notion: type[Guarantee]) -> str:
        if notion is PureDP:
            return ": no epsilon bounds the privacy loss"
        return ""


@dataclass(frozen=True)
class _Weights:
    """The Gaussian weights e^(-x^2/(2 sigma^2)) of the integers x, and the log of their sum."""

    sigma: float

    def log_weight(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(over="ignore"):
            return np.asarray(-((x / self.sigma) ** 2) / 2)

    def log_total(self) -> float:
        """Return the log of the sum of all weights, added up directly or by Poisson summation."""
        if self.sigma >= 1:
            dual = sum(math.exp(-2 * (math.pi * self.sigma * n) ** 2) for n in (1, 2, 3))
            return math.log(self.sigma) + math.log(2 * math.pi) / 2 + math.log1p(2 * dual)
        return math.log1p(2 * math.fsum(np.exp(self.log_weight(np.arange(1.0, 40.0)))))


class _LatticeLoss(DiscreteLoss):
    """The privacy loss of two discrete Gaussian distributions, centered at 0 and at `shift`.

    The loss at x is shift (shift - 2x)/(2 sigma^2). The outcomes whose probabilities under both
    distributions are above 1e-300 are listed. The rest of each distribution is one outcome of
    probability 0 under the other, which rounds the loss up. Divergences are not computed from this
    list, because a moment of a large order a is dominated by outcomes near -(a-1) shift.
    """

    def __init__(self, sigma: float, shift: int) -> None:
        self._weights, self._shift = _Weights(sigma), shift
        log_total = self._weights.log_total()
        reach = int(37.1 * sigma)  # farther out, weights are below e^(-37.1^2/2), about 1e-299
        x = np.arange(shift - reach, reach + 1.0)
        p = np.exp(self._weights.log_weight(x) - log_total)
        # use a geometric series to bound the total probability of the outcomes that are not listed
        first = reach - shift + 1.0
        log_first = float(self._weights.log_weight(np.array(first))) - log_total
        ratio = (first + 0.5) / sigma / sigma
        rest = _numerics.exp_up(log_first + math.log(2) - _numerics.log1mexp(-ratio))
        super().__init__(np.concatenate((p, [rest, 0.0])), np.concatenate((p[::-1], [0.0, rest])))
        self._log_ratio = np.concatenate((self._loss(x), [math.inf, -math.inf]))

    def _loss(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        sigma, shift = self._weights.sigma, self._shift
        return np.asarray(shift / sigma * ((shift - 2 * x) / (2 * sigma)))

    def hockey_stick(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        reach = math.ceil(39 * self._weights.sigma)
        x = np.arange(-reach, reach + 1.0)
        loss = self._loss(x)
        above = loss > epsilon
        p = np.exp(self._weights.log_weight(x[above]) - self._weights.log_total())
        return min(1.0, math.fsum(-p * np.expm1(epsilon - loss[above])))

    def __repr__(self) -> str:
        return f"_LatticeLoss(sigma={self._weights.sigma}, shift={self._shift})"

    def reversed(self) -> DiscreteLoss:
        return self  # the reflection x -> shift - x exchanges the two distributions

    def max(self) -> float:
        return math.inf

    def _log_terms(self, order: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return log q(x) and the loss L(x) at all integers x that matter for E_Q[e^(order L)].

        Here q(x) is the probability of x under Q, the distribution centered at `shift`.
        """
        sigma, shift = self._weights.sigma, self._shift
        reach = math.ceil(40 * sigma) + 1
        # take the integers near three points: the terms q e^(order L) are largest at (1 - order)
        # shift, the probabilities p at 0, and the probabilities q at shift
        x = np.unique(
            np.concatenate(
                [
                    middle + np.arange(-reach, reach + 1.0)
                    for middle in {math.floor((1 - order) * shift), 0, shift}
                ]
            )
        )
        return self._weights.log_weight(x - shift) - self._weights.log_total(), self._loss(x)

    def _mean_of_generator(self, order: float, rest: float) -> float:
        if order * self._shift > _FAR:
            return math.inf
        log_q, loss = self._log_terms(order)
        terms = _numerics.log_alpha_terms(log_q + loss, log_q, loss, order)
        return _numerics.exp(_numerics.logsumexp(terms))

    def _log_power_mean(self, order: float) -> float:
        # the main terms of the moment belong to integers near (1 - order) shift. If these are too
        # large for accurate floats, use the moment of the continuous Gaussian
        if order * self._shift > _FAR:
            step = self._shift / self._weights.sigma
            return order * step * ((order - 1) * step) / 2
        log_q, loss = self._log_terms(order)
        return _numerics.logsumexp(log_q + order * loss)

    def _log_mass_of_support(self) -> float:
        return 0.0


@theorem(
    DiscreteGaussian,
    ZCDP,
    source="Canonne, Kamath and Steinke (2020), theorem 4, added over coordinates",
    tight=True,
)
def _zcdp(m: DiscreteGaussian) -> ZCDP:
    return ZCDP(m._rho(), adjacency=m.adjacency)


@theorem(
    DiscreteGaussian,
    RenyiDP,
    source="Canonne, Kamath and Steinke (2020), theorem 4; equal at integer orders",
    tight=False,
)
def _renyi(m: DiscreteGaussian, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda x: 1 <= x < math.inf)
    checked = _check.reals("orders", orders, domain)
    rho = m._rho()
    return RenyiDP(checked, [a * rho for a in checked], adjacency=m.adjacency)


@theorem(
    DiscreteGaussian,
    AlphaDP,
    source="Canonne, Kamath and Steinke (2020), theorem 4; equal at integer orders",
    tight=False,
)
def _alpha(m: DiscreteGaussian, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    rho = m._rho()
    return AlphaDP(order, alpha_of_renyi(order, order * rho), adjacency=m.adjacency)


@dataclass(frozen=True)
class _Profile:
    """The largest delta over all changes between neighbors, as a function of epsilon."""

    mechanism: DiscreteGaussian

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon == math.inf:
            return 0.0
        if not _knows_the_worst(self.mechanism):
            return ZCDP(self.mechanism._rho()).delta_at(epsilon)
        return min(1.0, _numerics.exp_up(_log_delta(self.mechanism, epsilon)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta == 0:
            return math.inf
        if delta == 1:
            return 0.0
        # the epsilon that ZCDP implies is an upper bound
        high = ZCDP(self.mechanism._rho()).epsilon_at(delta)
        if not _knows_the_worst(self.mechanism):
            return high
        target = math.log(delta)

        def enough(epsilon: float) -> bool:
            return _numerics.log_up(_log_delta(self.mechanism, epsilon)) <= target

        if enough(0.0):
            return 0.0
        return _numerics.first_true(enough, 0.0, _numerics.up(high))


def _knows_the_worst(m: DiscreteGaussian) -> bool:
    """Return whether ApproxDP's delta is known exactly, as the maximum over all pairs of neighbors.

    Otherwise delta is the upper bound that zCDP implies.
    """
    if m.one_coordinate or m.sensitivity * m.sensitivity < _LISTED_SQUARE + 1:
        return True
    return m.sensitivity <= min(m.sigma / 2, _LARGEST_NORM)


# Only a few changes of the query's value have to be compared, for these reasons. Let x in
# Z^d be the noise. A change v in Z^d of squared length n has the loss (n/2 - S)/sigma^2 with S =
# <v, x>, so its privacy profile depends only on the distribution of S. P(S = s) is proportional to
# e^(-s^2/(2 n sigma^2)) c(s), where c(s) is the sum of e^(-|y|^2/(2 sigma^2)) over the parts y,
# orthogonal to v, of all x with <v, x> = s. The points x and x + v have the same orthogonal part,
# so c has period n. So S is a discrete Gaussian of sigma' = sigma sqrt(n) with shift n, apart from
# the factor c, which depends only on s modulo n.
#
# If a change is shorter than the sensitivity allows, changing one more coordinate by 1 makes it
# worse. So only changes of the largest squared length matter, and it suffices to take one for each
# way to write this length as a sum of squares.
#
# Let g be the greatest common divisor of v's coordinates, so that S is a multiple of g. By Poisson
# summation c varies, among these multiples, by a sum of e^(-2 pi^2 sigma^2 |u|^2) over the nonzero
# u in the dual of the lattice orthogonal to v. Here n |u|^2 is an integer >= 1 by Cauchy and
# Schwarz, so for sigma^2 >= 4 n the sum is below n 1e-30. Up to this error, S/g is a discrete
# Gaussian, so the privacy profile depends on v only through n and g. The square of g
# divides n, so only a few g have to be tried.
def _log_delta(m: DiscreteGaussian, epsilon: float) -> float:
    """Return the log of the largest delta at an epsilon, over all changes between neighbors."""
    if m.one_coordinate:
        return log_delta_of_discrete(m.sigma, int(m.sensitivity), epsilon)
    n = m._square()
    if n == 1:
        return log_delta_of_discrete(m.sigma, 1, epsilon)
    square = n * Fraction(m.sigma) ** 2
    if m.sigma >= 2 * m.sensitivity:
        return max(
            _log_delta_of_lattice(m.sigma * math.sqrt(n) / g, square / g**2, n // g, epsilon)
            for g in _divisors_by_square(n)
        )
    wide = m.sigma * math.sqrt(n)
    found = max(
        _log_delta_of_lattice(wide, square, n, epsilon, _normalized(m.sigma, moves))
        for moves in _moves(n)
    )
    return min(0.0, found + _LISTED_MARGIN * (1 + abs(found)))


@cache
def _divisors_by_square(n: int) -> list[int]:
    """Return the integers whose square divides n."""
    g = np.arange(1, math.isqrt(n) + 1)
    return [int(x) for x in g[n % (g * g) == 0]]


@cache
def _moves(square: int, largest: int = 2**31) -> list[tuple[int, ...]]:
    """Return all sorted tuples of integers from 1 to `largest` whose squares add up to `square`."""
    if square == 0:
        return [()]
    roots = range(1, min(largest, math.isqrt(square)) + 1)
    return [(*rest, a) for a in roots for rest in _moves(square - a * a, a)]


@lru_cache(maxsize=4096)
def _period(sigma: float, moves: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the log of the periodic factor c of `_log_delta` over one period, up to a constant.

    Let v be the change of the query's value by `moves`, and n its squared length. The result holds
    log c(r) for r = 0, ..., n - 1. Here c(r) is the sum of e^(-|y|^2/(2 sigma^2)) over the parts y,
    orthogonal to v, of all integer vectors x with <v, x> = r. The comment on `_log_delta` says what
    c is for.

    The coordinates are added one by one. Append a coordinate that changes by a to coordinates of
    squared length m = n - a^2. Completing the square in the exponent shows that c(r) is the sum
    over all integers x of c'(r - a x) e^(-(n/m) (x - a r/n)^2/(2 sigma^2)), where c' is the c of
    the other coordinates.
    """
    *others, a = moves
    n = sum(b * b for b in moves)
    r = np.arange(n)
    if not others:
        return np.where(r % a == 0, 0.0, -math.inf)
    before = _period(sigma, tuple(others))
    reach = before.size + math.ceil(10 * sigma)  # terms farther out are negligible (below e^-50)
    middle = a * r / n
    x = np.rint(middle)[:, None] + np.arange(-reach, reach + 1.0)
    exponents = -n / before.size * ((x - middle[:, None]) / sigma) ** 2 / 2
    terms = exponents + before[np.mod(r[:, None] - a * x, before.size).astype(np.int64)]
    largest = terms.max(axis=1, keepdims=True)
    seen = np.where(np.isneginf(largest), 0.0, largest)
    with np.errstate(divide="ignore"):
        return np.asarray((seen + np.log(np.exp(terms - seen).sum(axis=1, keepdims=True)))[:, 0])


@lru_cache(maxsize=4096)
def _normalized(sigma: float, moves: tuple[int, ...]) -> NDArray[np.float64]:
    """Return log c for the periodic factor c of `_period`, scaled to give probabilities.

    The products e^(-x^2/(2 n sigma^2)) c(x) sum to 1 over all integers x; n is the period of c.
    """
    period = _period(sigma, moves)
    wide = sigma * math.sqrt(period.size)
    reach = math.ceil(10 * wide) + period.size
    x = np.arange(-reach, reach + 1.0)
    return period - _numerics.logsumexp(_Weights(wide).log_weight(x) + _of_residues(period, x))


def _of_residues(period: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(period[np.mod(x, period.size).astype(np.int64)])


def log_delta_of_discrete(sigma: float, shift: int, epsilon: float) -> float:
    """Return log delta at epsilon >= 0 for discrete Gaussians at 0 and at `shift`.

    By symmetry, the second distribution may be centered at -shift instead. Then the privacy loss
    exceeds epsilon at the integers x above x0 = epsilon sigma^2/shift - shift/2. Delta is the sum
    over these x of p(x) (1 - e^(-(x - x0) shift/sigma^2)), where p(x) is the probability of x
    under the first distribution [1]_. Because x and x0 may be nearly equal, their difference is
    computed in fractions.

    .. [1] Canonne, Kamath and Steinke (2020), theorem 7.
    """
    return _log_delta_of_lattice(sigma, Fraction(sigma) ** 2, shift, epsilon)


def _log_delta_of_lattice(
    sigma: float,
    square: Fraction,
    shift: int,
    epsilon: float,
    period: NDArray[np.float64] | None = None,
) -> float:
    """Return log delta at an epsilon for two discrete Gaussians, centered at 0 and at `shift`.

    The square of sigma is `square`. If `period` is given, both distributions have an additional
    factor: the weight of x is multiplied by e^period[x mod n], where n is the length of `period`.
    The weights must then sum to 1.
    """
    start = Fraction(epsilon) * square / shift - Fraction(shift, 2)
    if start > 60 * Fraction(sigma):
        return -math.inf  # delta is below e^-1800
    first = math.floor(start) + 1
    ahead = float(first - start)  # the distance to the next integer, in (0, 1]
    width = math.ceil(sigma)
    near, low = max(first, 0), max(first, -40 * width)  # the mass below `low` is under e^-800
    # sum `count` terms: every weight beyond them is below e^-50 times the largest weight. If
    # `period` is given, this holds among the x with the same remainder modulo its length
    furthest = near if period is None else near + period.size
    count = math.isqrt(furthest**2 + 100 * width**2) - low + 2
    if count > MOST_TERMS:
        return _log_delta_of_wide(sigma, shift, epsilon, float(start), ahead)
    x = low + np.arange(count, dtype=np.float64)
    slope = shift / sigma / sigma
    with np.errstate(over="ignore"):
        log_weights = -((x - near) / sigma) * ((x + near) / sigma) / 2
        log_total, largest = 0.0, 0.0
        if period is None:
            log_total = _Weights(sigma).log_total()
        else:
            log_weights += _of_residues(period, x)
            largest = float(log_weights.max())
            if largest == -math.inf:
                return largest
        terms = np.exp(log_weights - largest) * -np.expm1(-slope * (x - first + ahead))
    log_near = -float(Fraction(near) ** 2 / (2 * square))
    return min(0.0, log_near + largest + math.log(math.fsum(terms)) - log_total)


def _log_delta_of_wide(
    sigma: float, shift: int, epsilon: float, start: float, ahead: float
) -> float:
    """Return an upper bound on `log_delta_of_discrete` for large sigma, by Euler-Maclaurin.

    Let g(x) = e^(-x^2/2sigma^2) - e^epsilon e^(-(x+shift)^2/2sigma^2), which is 0 at x0 = `start`,
    and let x0 + a be the next integer, with a = `ahead`. Up to a constant factor, delta is the sum
    of g over the integers from x0 + a on. This sum is the integral of g from x0 on (a Gaussian
    profile) minus the sum of B_j(a)/j! g^(j-1)(x0) over j = 2, 3, 4, with the Bernoulli polynomials
    B_j. The remainder is below v^4/30 times the integral, where v = (|x0| + shift)/sigma^2 +
    2/sigma.

    If v is above 0.01, which takes a shift of many sigma, the bound is the probability of x > x0.
    """
    log_peak = -((start / sigma) ** 2) / 2 - math.log(sigma) - math.log(2 * math.pi) / 2
    slope, here = shift / sigma / sigma, start / sigma / sigma
    v = abs(here) + slope + 2 / sigma
    if v > 0.01:
        if start <= 0:
            return 0.0
        from scipy.special import log_ndtr

        return min(0.0, float(np.logaddexp(log_peak, log_ndtr(-start / sigma))))
    log_integral = log_delta_of_gaussian(shift / sigma, epsilon)
    if log_integral == -math.inf:
        return log_integral
    there = here + slope
    derivatives = (
        slope,
        -2 * epsilon / sigma / sigma,
        slope * (there * there + there * here + here * here - 3 / sigma / sigma),
    )
    a = ahead
    bernoulli = (a * a - a + 1 / 6, a**3 - 1.5 * a * a + a / 2, a**4 - 2 * a**3 + a * a - 1 / 30)
    correction = -math.fsum(
        b * g / f for b, g, f in zip(bernoulli, derivatives, (2, 6, 24), strict=True)
    )
    relative = correction * _numerics.exp(log_peak - log_integral) + v**4 / 30
    return min(0.0, log_integral + math.log1p(relative))


@theorem(
    DiscreteGaussian,
    ApproxDP,
    source="Canonne, Kamath and Steinke (2020), theorems 4 and 7, for every change",
    tight=_knows_the_worst,
)
def _approx(
    m: DiscreteGaussian, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    if delta is not None and _check.real("delta", delta, _check.PROBABILITY) == 0:
        raise ValueError("delta must be > 0, because no epsilon bounds the loss, got delta=0")
    return ApproxDP(*approx(_Profile(m), epsilon, delta), adjacency=m.adjacency)
