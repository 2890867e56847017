"""The discrete Gaussian mechanism: integer noise with a normal law's weights, drawn exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _exact, _numerics
from dpteach.mechanisms._base import Mechanism, approx, no_loss, theorem
from dpteach.mechanisms.discrete_laplace import LARGEST_VALUE, only_shift, scale_of_integers
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, Guarantee, PureDP, RenyiDP
from dpteach.notions.alpha import alpha_of_renyi
from dpteach.notions.gaussian import log_delta_of_gaussian
from dpteach.privacy_loss import DiscreteLoss

#: the widest law whose probabilities are listed
LARGEST_LISTED = 1e4
#: integers beyond are not told from their neighbours by floats
_FAR = 2.0**50
#: sums of more terms are replaced by the Euler-Maclaurin formula
MOST_TERMS = 2**17


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(Mechanism):
    """Add to each coordinate an integer x with probability proportional to e^(-x^2/(2 sigma^2)).

    The noise is drawn from random bits by integer arithmetic alone: its law is exact, for the
    rational number that the float `sigma` is, and no rounding tells anything.

    Parameters
    ----------
    sigma : float
        > 0; nearly the standard deviation of the noise from sigma = 1 on, below it more than
        the standard deviation.
    sensitivity : float
        The L2 sensitivity of the true answer, > 0: of a vector, how far it can move. ZCDP,
        RenyiDP and AlphaDP hold for vectors of any shape. ApproxDP and `privacy_loss` are exact,
        for a change of one coordinate by an integer; that is every change if the sensitivity is
        1 or the answer is one number. For other vectors convert the ZCDP guarantee.

    Raises
    ------
    ValueError, TypeError
        If a parameter is not a finite number > 0.

    References
    ----------
    Canonne, Kamath and Steinke (2020), theorems 4 (which adds up over coordinates) and 7.

    Examples
    --------
    >>> DiscreteGaussian(sigma=2.0).guarantee(ZCDP)
    ZCDP(rho=0.125)
    >>> round(DiscreteGaussian(sigma=1.0).guarantee(ApproxDP, epsilon=0.5).delta, 12)
    0.203982813763
    """

    sigma: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sigma", "sensitivity"):
            object.__setattr__(self, name, _check.real(name, getattr(self, name), _check.POSITIVE))

    @property
    def shift(self) -> float:
        """Sensitivity over sigma.

        >>> DiscreteGaussian(sigma=4.0, sensitivity=3.0).shift
        0.75
        """
        return _numerics.positive(self.sensitivity / self.sigma)

    def _whole_sensitivity(self) -> int:
        if self.sensitivity != math.floor(self.sensitivity):
            raise ValueError(
                "sensitivity must be an integer where one coordinate changes by it "
                f"(RenyiDP and ZCDP take others), got sensitivity={self.sensitivity}"
            )
        return int(self.sensitivity)

    def privacy_loss(self) -> DiscreteLoss:
        """The privacy loss of two answers that differ by the sensitivity in one coordinate.

        Outcomes are listed where both probabilities are above 1e-300; the rest of each law is
        one outcome more, of infinite loss, which errs upwards. Divergences do not use the list
        and are exact: `max` is infinite, and moments are summed as far as they need.

        Returns
        -------
        DiscreteLoss
            With about 74 sigma outcomes.

        Raises
        ------
        ValueError
            If the sensitivity is not an integer, or above 20 sigma, where too few outcomes have
            both probabilities in the range of floats; if sigma is above 1e4.

        Examples
        --------
        >>> loss = DiscreteGaussian(sigma=2.0).privacy_loss()
        >>> round(loss.kl(), 12), loss.max()  # 1/8 and inf
        (0.125, inf)
        """
        shift = self._whole_sensitivity()
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
        return _LatticeLoss(self.sigma, shift)

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """The privacy loss of the answers on two true values.

        Parameters
        ----------
        value, neighbour : array_like of integers
            Of one shape, and different in at most one coordinate.

        Returns
        -------
        DiscreteLoss

        Raises
        ------
        ValueError, TypeError
            If one holds anything but integers, or they differ in shape, in more than one
            coordinate, or by more than `privacy_loss` allows.

        Examples
        --------
        >>> mechanism = DiscreteGaussian(sigma=2.0)
        >>> round(mechanism.privacy_loss_between([3, 9], [3, 11]).kl(), 12)
        0.5
        """
        difference = only_shift(value, neighbour)
        if difference == 0:
            return no_loss()
        return DiscreteGaussian(self.sigma, difference).privacy_loss()

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """The value plus independent integer noise on each coordinate.

        Parameters
        ----------
        value : array_like of integers, of any shape
            Up to 2^62 in absolute value.
        rng : numpy.random.Generator
            The only source of randomness.

        Returns
        -------
        ndarray of int64, of the same shape

        Raises
        ------
        ValueError, TypeError
            If the value holds anything but integers, one is too large, sigma is above 2^52, or
            rng is not a Generator.

        Examples
        --------
        >>> DiscreteGaussian(sigma=3.0).release([10, 20, 30], rng=np.random.default_rng(0))
        array([ 8, 19, 30])
        """
        true = _check.integers("value", value, largest=LARGEST_VALUE)
        sigma = scale_of_integers("sigma", self.sigma)
        noise = _exact.discrete_gaussian(sigma, true.size, _check.generator(rng))
        return np.asarray(true + noise.reshape(true.shape))

    def _why_no_theorem(self, notion: type[Guarantee]) -> str:
        if notion is PureDP:
            return ": no epsilon bounds the privacy loss"
        return ""


@dataclass(frozen=True)
class _Weights:
    """The weights e^(-x^2/(2 sigma^2)) at integers, and the logarithm of their sum."""

    sigma: float

    def log_weight(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(over="ignore"):
            return np.asarray(-((x / self.sigma) ** 2) / 2)

    def log_total(self) -> float:
        """log of the sum: the series itself, or its Poisson dual from sigma = 1 on."""
        if self.sigma >= 1:
            dual = sum(math.exp(-2 * (math.pi * self.sigma * n) ** 2) for n in (1, 2, 3))
            return math.log(self.sigma) + math.log(2 * math.pi) / 2 + math.log1p(2 * dual)
        return math.log1p(2 * math.fsum(np.exp(self.log_weight(np.arange(1.0, 40.0)))))


class _LatticeLoss(DiscreteLoss):
    """The privacy loss of the laws at 0 and at `shift`, with L(x) = shift (shift - 2x)/(2 sigma^2).

    Listed are the outcomes with both probabilities above 1e-300, and the rest of each law as an
    outcome that the other law lacks, which errs upwards. Divergences do not use the list: a
    moment of a large order a is dominated by outcomes near -(a-1) shift, and is summed there.
    """

    def __init__(self, sigma: float, shift: int) -> None:
        self._weights, self._shift = _Weights(sigma), shift
        log_total = self._weights.log_total()
        reach = int(37.1 * sigma)  # e^(-37.1^2/2) > 1e-300
        x = np.arange(shift - reach, reach + 1.0)
        p = np.exp(self._weights.log_weight(x) - log_total)
        # P(|X| > reach - shift) is below a geometric series
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
        return self  # x -> shift - x exchanges the two laws

    def max(self) -> float:
        return math.inf

    def _log_terms(self, order: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """log q and L at the integers that carry E_Q[e^(order L)]."""
        sigma, shift = self._weights.sigma, self._shift
        reach = math.ceil(40 * sigma) + 1
        # q e^(order L) is a normal law around (1 - order) shift, and q itself one around shift
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
        if order * self._shift > _FAR:  # floats so large are integers, where it is the normal law's
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
    return ZCDP(_numerics.positive(m.shift * m.shift / 2), adjacency=m.adjacency)


@theorem(
    DiscreteGaussian,
    RenyiDP,
    source="Canonne, Kamath and Steinke (2020), theorem 4; equal at integer orders",
    tight=False,
)
def _renyi(m: DiscreteGaussian, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda x: 1 <= x < math.inf)
    checked = _check.reals("orders", orders, domain)
    rho = _numerics.positive(m.shift * m.shift / 2)
    return RenyiDP(checked, [a * rho for a in checked], adjacency=m.adjacency)


@theorem(
    DiscreteGaussian,
    AlphaDP,
    source="Canonne, Kamath and Steinke (2020), theorem 4; equal at integer orders",
    tight=False,
)
def _alpha(m: DiscreteGaussian, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    rho = _numerics.positive(m.shift * m.shift / 2)
    return AlphaDP(order, alpha_of_renyi(order, order * rho), adjacency=m.adjacency)


@dataclass(frozen=True)
class _Profile:
    """The privacy profile of the pair of laws `shift` apart."""

    sigma: float
    shift: int

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon == math.inf:
            return 0.0
        return min(1.0, _numerics.exp_up(log_delta_of_discrete(self.sigma, self.shift, epsilon)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta == 0:
            return math.inf
        if delta == 1:
            return 0.0
        target = math.log(delta)

        def enough(epsilon: float) -> bool:
            log_delta = log_delta_of_discrete(self.sigma, self.shift, epsilon)
            return _numerics.log_up(log_delta) <= target

        if enough(0.0):
            return 0.0
        # what zero-concentration implies is enough
        ratio = self.shift / self.sigma
        high = ZCDP(ratio * ratio / 2).epsilon_at(delta)
        return _numerics.first_true(enough, 0.0, _numerics.up(high))


def log_delta_of_discrete(sigma: float, shift: int, epsilon: float) -> float:
    """The logarithm of the privacy profile of the laws at 0 and at `shift`, for epsilon >= 0.

    With x0 = epsilon sigma^2/shift - shift/2, where the privacy loss passes epsilon, it is the
    sum over the integers x > x0 of p(x) (1 - e^(-(x - x0) shift/sigma^2)) [1]_: no difference is
    left but x - x0, which fractions give.

    .. [1] Canonne, Kamath and Steinke (2020), theorem 7.
    """
    square = Fraction(sigma) ** 2
    start = Fraction(epsilon) * square / shift - Fraction(shift, 2)
    if start > 60 * Fraction(sigma):
        return -math.inf  # below e^-1800
    first = math.floor(start) + 1
    ahead = float(first - start)  # in (0, 1]
    width = math.ceil(sigma)
    near, low = max(first, 0), max(first, -40 * width)  # below low: e^-800
    # beyond this many terms weights have fallen by e^50 from the largest
    count = math.isqrt(near**2 + 100 * width**2) - low + 2
    if count > MOST_TERMS:
        return _log_delta_of_wide(sigma, shift, epsilon, float(start), ahead)
    x = low + np.arange(count, dtype=np.float64)
    slope = shift / sigma / sigma
    with np.errstate(over="ignore"):
        log_weights = -((x - near) / sigma) * ((x + near) / sigma) / 2
        terms = np.exp(log_weights) * -np.expm1(-slope * (x - first + ahead))
    log_near = -float(Fraction(near) ** 2 / (2 * square))
    return min(0.0, log_near + math.log(math.fsum(terms)) - _Weights(sigma).log_total())


def _log_delta_of_wide(
    sigma: float, shift: int, epsilon: float, start: float, ahead: float
) -> float:
    """`log_delta_of_discrete` for a large sigma: an upper bound, by Euler-Maclaurin.

    The sum of g(x) = e^(-x^2/2sigma^2) - e^epsilon e^(-(x+shift)^2/2sigma^2) over the integers
    from x0 + a is its integral from x0, a normal law's profile, less B_j(a)/j! g^(j-1)(x0) for
    j = 2, 3, 4 (g itself vanishes at x0), with B_j the Bernoulli polynomials; the rest is below
    v^4/30 of the integral, where v = (|x0| + shift)/sigma^2 + 2/sigma.

    Where a shift of many sigma makes v large, it is P(x > x0), a bound on the profile.
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
    DiscreteGaussian, ApproxDP, source="Canonne, Kamath and Steinke (2020), theorem 7", tight=True
)
def _approx(
    m: DiscreteGaussian, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    if delta == 0:
        raise ValueError("delta must be > 0, as no epsilon bounds the privacy loss, got delta=0")
    profile = _Profile(m.sigma, m._whole_sensitivity())
    return ApproxDP(*approx(profile, epsilon, delta), adjacency=m.adjacency)
