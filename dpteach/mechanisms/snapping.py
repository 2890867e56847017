"""The snapping mechanism: Laplace noise whose rounding to floats leaks nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _exact, _numerics
from dpteach.mechanisms._base import Mechanism, no_loss, only_difference, theorem
from dpteach.mechanisms.laplace import Laplace
from dpteach.notions import AlphaDP, ApproxDP, PureDP, RenyiDP
from dpteach.privacy_loss import DiscreteLoss

#: noise / scale is drawn digit by digit: at first to this number of binary digits after the point,
#: and further only if these do not determine the rounded result
FIRST_DIGITS = 6
#: with more binary digits of noise / scale than this, floats are not precise enough, and fractions
#: are used
LAST_DIGITS = 36
#: the largest privacy loss for which no probability leaves the range of floats
LARGEST_LOSS = 700.0


@dataclass(frozen=True, repr=False)
class Snapping(Mechanism):
    """A mechanism that adds Laplace noise, rounds to a coarse lattice, and clamps to bounds.

    The output on x is clamp(round(clamp(x) + noise)). Here `clamp` maps a number outside
    [-bound, bound] to the nearer end, the noise has density e^(-|y|/scale)/(2 scale), and
    `round` maps to the nearest multiple of the lattice spacing, which is the smallest power of
    two >= scale.

    Mironov's mechanism computes the noise in floating point, as the scale times the logarithm of
    a uniform float. The rounding errors of this computation raise epsilon. Only under conditions,
    such as a correctly rounded logarithm, is `floating_point_epsilon` a bound. This class computes
    without rounding errors: random bits generate the digits of a real noise value one after the
    other, in exact arithmetic, until the known digits determine the lattice point of the sum. The
    output is therefore distributed as a function of the Laplace mechanism's output on the real
    line, and it has the same guarantee.

    Parameters
    ----------
    scale : float
        > 0.
    sensitivity : float
        The L1 sensitivity of the query, > 0: for a vector, the largest sum of the absolute changes
        of its coordinates between neighbors.
    bound : float
        The largest absolute value of an output, from the scale up to 2^46 scales. Keyword only.
        The PureDP guarantee is tight if the bound is at least the sensitivity.

    References
    ----------
    Mironov (2012), section 5.2 and theorem 1.

    Examples
    --------
    >>> mechanism = Snapping(scale=3.0, bound=100.0)
    >>> mechanism.lattice, mechanism.guarantee(PureDP)
    (4.0, PureDP(epsilon=0.33333333333333337))
    >>> mechanism.release([0.1, 1000.0], rng=np.random.default_rng(0))
    array([  -4.,  100.])
    """

    scale: float
    sensitivity: float = 1.0
    bound: float = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("scale", "sensitivity", "bound"):
            object.__setattr__(self, name, _check.real(name, getattr(self, name), _check.POSITIVE))
        if self.scale > 2.0**1000:
            raise ValueError(f"scale must be at most 2**1000, got scale={self.scale}")
        if not self.scale <= self.bound <= 2.0**46 * self.scale:
            raise ValueError(
                "bound must be from the scale to 2**46 scales, "
                f"got bound={self.bound} and scale={self.scale}"
            )

    @property
    def lattice(self) -> float:
        """The spacing of the outputs: the smallest power of two >= scale.

        >>> Snapping(scale=0.3, bound=10.0).lattice
        0.5
        """
        mantissa, exponent = math.frexp(self.scale)  # frexp returns a mantissa in [1/2, 1)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))

    @property
    def floating_point_epsilon(self) -> float:
        """An upper bound on the epsilon if the noise were computed in floating point.

        The bound is sensitivity/scale + 2^-49 bound/scale: theorem 1 of Mironov (2012), proved for
        bounds between the scale and 2^46 scales, rescaled to this sensitivity. The theorem
        requires a correctly rounded logarithm of a uniform number that can be any float below 1,
        each with probability equal to its distance to the next. The usual multiples of 2^-53 do not
        suffice.

        >>> Snapping(scale=1.0, bound=2.0**40).floating_point_epsilon > 1.001
        True
        """
        return _numerics.up(self.sensitivity / self.scale + 2.0**-49 * self.bound / self.scale)

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss on two true values that differ in at most one coordinate.

        All lattice points below both values have the same ratio of probabilities, and so do all
        points above both. Merging the points of each group leaves few outcomes, without any error.

        Raises
        ------
        ValueError
            If the values differ by more than 700 scales, where probabilities are too small for
            floats.

        Examples
        --------
        >>> mechanism = Snapping(scale=2.0, bound=64.0)
        >>> round(mechanism.privacy_loss_between(0.3, 1.3).max(), 12)
        0.5
        >>> round(mechanism.privacy_loss_between(0.3, 1.3).total_variation(), 6)  # Laplace: 0.221
        0.217302
        """
        ends = only_difference(_check.array("value", value), _check.array("neighbour", neighbour))
        if ends is None:
            return no_loss()
        x, y = (min(max(end, -self.bound), self.bound) for end in ends)
        if x == y:
            return no_loss()
        if abs(x - y) > LARGEST_LOSS * self.scale:
            raise ValueError(
                f"value and neighbour must be at most {LARGEST_LOSS:g} scales apart for a "
                f"privacy loss, got value={x}, neighbour={y} and scale={self.scale}"
            )
        low, high = sorted((Fraction(x), Fraction(y)))
        unit = Fraction(self.lattice)
        # the outputs are the two bounds and the lattice points k * unit between them; the noisy
        # values that round to k * unit and to (k + 1) * unit meet at the cut (k + 1/2) * unit
        last = math.ceil(Fraction(self.bound) / unit) - 1
        first_cut = max(-last - 1, math.floor(low / unit - Fraction(1, 2)))
        last_cut = min(last, math.ceil(high / unit - Fraction(1, 2)))
        cuts = [(k + Fraction(1, 2)) * unit for k in range(first_cut, last_cut + 1)]
        scale = Fraction(self.scale)
        return DiscreteLoss(*(_cells(Fraction(z), cuts, scale) for z in (x, y)))

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return a noisy point of the lattice, or one of the two bounds, for each coordinate.

        Parameters
        ----------
        value : array_like of real numbers, of any shape

        Returns
        -------
        ndarray of float, of the same shape

        Examples
        --------
        >>> Snapping(scale=1.0, bound=8.0).release([0.0, 0.3], rng=np.random.default_rng(1))
        array([-1.,  3.])
        """
        true = _check.array("value", value)
        _check.generator(rng)
        # dividing by the lattice spacing is exact, because it is a power of two
        units = np.clip(true, -self.bound, self.bound).ravel() / self.lattice
        nearest = np.rint(units)
        points, offsets = nearest.astype(np.int64), units - nearest
        for begin in range(0, points.size, _exact.CHUNK):
            part = slice(begin, begin + _exact.CHUNK)
            points[part] += self._snapped(offsets[part], rng)
        answers = np.clip(points * self.lattice, -self.bound, self.bound)
        return np.asarray(answers.reshape(true.shape))

    def _snapped(self, offset: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return round(offset + noise), in units of the lattice, for offsets in [-1/2, 1/2].

        An offset is a true value minus the nearest lattice point. The noise is E times plus or
        minus scale/lattice, for a random E, exponential of mean 1. First a random integer g is
        drawn such that 2^n E lies in [g, g + 1), where n is `FIRST_DIGITS`, and then more digits of
        E, one after the other. So offset + noise lies in an interval, and the result is decided
        once the whole interval rounds to one integer. Floats decide nearly all cases, and fractions
        the rest.
        """
        ratio = self.scale / self.lattice
        random = _exact.words(offset.size, rng)
        g = _exact.draw(_exponential(FIRST_DIGITS), random, rng)
        sign = np.where(random & np.uint64(1), -1.0, 1.0)
        points = np.empty(offset.size, dtype=np.int64)
        left, digits = np.arange(offset.size), FIRST_DIGITS
        while True:
            below, decided = _rounded(offset[left], sign[left] * ratio, g, digits)
            points[left[decided]] = below[decided]
            left, g = left[~decided], g[~decided]
            if not left.size or digits >= LAST_DIGITS:
                break
            digits += _exact.DIGIT
            g = g << _exact.DIGIT | _exact.draw(
                _next_digit(digits), _exact.words(left.size, rng), rng
            )
        for i, known in zip(left, g, strict=True):
            points[i] = _settled(
                Fraction(offset[i]), int(sign[i]) * Fraction(ratio), int(known), digits, rng
            )
        return points


def _exponential(digits: int) -> _exact.IntegerDistribution:
    """Return the distribution of floor(2^digits E) for an exponential E of mean 1."""
    return _exact.IntegerDistribution(Fraction(1, 1 << digits))


def _next_digit(digits: int) -> _exact.IntegerDistribution:
    """Return the distribution of the last 10 bits of floor(2^digits E), E exponential of mean 1."""
    return _exact.IntegerDistribution(Fraction(1, 1 << digits), size=1 << _exact.DIGIT)


def _rounded(
    offset: NDArray[np.float64], factor: NDArray[np.float64], g: NDArray[np.int64], digits: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return round(offset + factor E) for a partly known number E, and whether it is certain.

    Only g <= 2^digits E < g + 1 is known. The result is certain if all such E give the same result.

    The function computes in floats, whose sums and products are correctly rounded. The error of
    each operation is below 2^-52 (2 + |noise|), and `slack` is half the length of the interval in
    which factor E lies, plus more than the sum of these errors.
    """
    noise = factor * ((2 * g + 1) * 0.5 ** (digits + 1))
    centre = offset + noise + 0.5
    slack = np.abs(factor) * 0.5 ** (digits + 1) + (2 + np.abs(noise)) * 2.0**-49
    below = np.floor(centre - slack)
    return below, below == np.floor(centre + slack)


def _settled(
    offset: Fraction, factor: Fraction, g: int, digits: int, rng: np.random.Generator
) -> int:
    """Return round(offset + factor E) for 2^digits E in [g, g + 1), by exact arithmetic.

    E is exponential of mean 1. If [g, g + 1) does not determine the result, the function draws more
    digits of E.
    """
    while True:
        ends = [offset + factor * Fraction(n, 1 << digits) + Fraction(1, 2) for n in (g, g + 1)]
        low, high = sorted(ends)
        # stop once all points below the upper end round to the same integer; offset + factor E is
        # equal to the upper end itself with probability 0
        if math.floor(low) == math.ceil(high) - 1:
            return math.floor(low)
        digits += _exact.DIGIT
        random = _exact.words(1, rng)
        g = g << _exact.DIGIT | int(_exact.draw(_next_digit(digits), random, rng)[0])


def _cells(centre: Fraction, cuts: Sequence[Fraction], scale: Fraction) -> NDArray[np.float64]:
    """Return the probabilities of the cells into which cuts divide the line, from left to right.

    The distribution is that of Laplace noise around `centre`. The outermost cells are infinite.
    """
    away = np.array([float((cut - centre) / scale) for cut in cuts])
    widths = np.array([float((b - a) / scale) for a, b in pairwise(cuts)])
    left, right = away[:-1], away[1:]
    tails = 0.5 * np.exp(-np.minimum(np.abs(left), np.abs(right))) * -np.expm1(-widths)
    with np.errstate(over="ignore"):
        both = 0.5 * -np.expm1(np.minimum(left, 0)) + 0.5 * -np.expm1(-np.maximum(right, 0))
    inner = np.where((left < 0) & (right > 0), both, tails)
    first, last = away[0], away[-1]
    below = 0.5 * math.exp(first) if first <= 0 else 1 - 0.5 * math.exp(-first)
    above = 0.5 * math.exp(-last) if last >= 0 else 1 - 0.5 * math.exp(last)
    return np.concatenate(([below], inner, [above]))


@theorem(
    Snapping,
    PureDP,
    source="Dwork and Roth (2014), proposition 2.1: a function of the Laplace mechanism's output",
    tight=True,
)
def _pure(m: Snapping) -> PureDP:
    return PureDP(_laplace(m).shift, adjacency=m.adjacency)


def _laplace(m: Snapping) -> Laplace:
    return Laplace(m.scale, m.sensitivity, adjacency=m.adjacency)


@theorem(
    Snapping,
    ApproxDP,
    source="Dwork and Roth (2014), proposition 2.1, and the Laplace mechanism's profile",
    tight=False,
)
def _approx(m: Snapping, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return _laplace(m).guarantee(ApproxDP, epsilon=epsilon, delta=delta)


@theorem(
    Snapping,
    RenyiDP,
    source="Dwork and Roth (2014), proposition 2.1, and the Laplace mechanism's divergence",
    tight=False,
)
def _renyi(m: Snapping, *, orders: float | Sequence[float]) -> RenyiDP:
    return _laplace(m).guarantee(RenyiDP, orders=orders)


@theorem(
    Snapping,
    AlphaDP,
    source="Dwork and Roth (2014), proposition 2.1, and the Laplace mechanism's divergence",
    tight=False,
)
def _alpha(m: Snapping, *, order: float) -> AlphaDP:
    return _laplace(m).guarantee(AlphaDP, order=order)
