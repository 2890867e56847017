"""Random integers with exact distributions, sampled without floating-point arithmetic.

An event of irrational probability, such as e^(-1/3), can be sampled exactly from random bits:
generate a uniform number U digit by digit, and stop as soon as the known digits determine on which
side of e^(-1/3) the number U lies. For each number of digits, this requires only two integers that
enclose 2^digits times the probability. One random word of 63 binary digits suffices except with
probability about 2^-63.

`draw` samples a whole array: X = k if F(k-1) <= U < F(k), where F is the cumulative distribution
function. X has exactly this distribution, whatever the width of the enclosures, because:

* `cumulative` encloses F: lo[k] <= 2^bits F(k) <= hi[k], by integer arithmetic that rounds lo down
  and hi up.
* If u = floor(2^bits U) satisfies hi[k-1] <= u < lo[k], then u + 1 <= lo[k] and
  F(k-1) <= u / 2^bits <= U < (u+1) / 2^bits <= F(k), so the result is the one that the real
  number U gives. Otherwise 64 more digits of U are drawn, and the enclosures are narrowed.
* U hits a value of F with probability 0, so the algorithm ends with probability 1, and
  P(F(k-1) <= U < F(k)) = F(k) - F(k-1).

Float parameters are interpreted as the rational numbers that they represent. The samplers of
Canonne, Kamath and Steinke (2020), which draw one number at a time, inspired this module; the tests
compare both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

#: the number of bits of a 64-bit random word that are used as a uniform number; the lowest bit is
#: used for a sign
BITS = 63
#: the largest scale (Laplace) or sigma (Gaussian): the noise stays below 2^62, except with
#: a probability below e^-1000
LARGEST_SCALE = 2.0**52
#: integers are sampled by a search in a table of probabilities. If a noise value has too many
#: binary digits for a single table, its lower digits come from further tables, at most this many
#: digits from each
DIGIT = 10
#: for a scale (Laplace) or sigma (Gaussian) below 2 to this power, a single table generates the
#: whole noise value; otherwise it generates only the upper digits
LAPLACE_BITS, GAUSSIAN_BITS = 7, 10
#: the number of random numbers that are drawn at a time, so that arrays fit into the processor's
#: cache
CHUNK = 2**15


def words(size: int, rng: np.random.Generator) -> Words:
    """Return `size` independent uniform integers of 64 bits."""
    return np.frombuffer(rng.bytes(8 * size), dtype="<u8").astype(np.uint64)


def _word(rng: np.random.Generator) -> int:
    return int.from_bytes(rng.bytes(8), "little")


def exp_bounds(exponent: Fraction, bits: int) -> tuple[int, int]:
    """Return integers lo <= 2^bits e^(-exponent) <= hi, at most 2 apart, for an exponent >= 0.

    The function sums the series of e^-y at y = exponent / 2^halvings < 2^-8 and squares the sum
    `halvings` times, in integers with 64 + halvings extra digits; `error` bounds the rounding
    error.

    >>> exp_bounds(Fraction(1), 30)  # 2^30 / e = 395007542.03...
    (395007542, 395007543)
    """
    if exponent == 0:
        return 1 << bits, 1 << bits
    if exponent > bits:
        return 0, 1
    halvings = 8 + int(exponent).bit_length()
    spare = 64 + halvings
    one = 1 << (bits + spare)
    y = (one * exponent.numerator) // (exponent.denominator << halvings)
    total, term, n = one, one, 0
    while term:
        n += 1
        term = term * y // (one * n)
        total += -term if n % 2 else term
    # bound the rounding errors, because the result must enclose the true value. In units of the
    # last digit, y is too small by less than 1, and each term by less than 3 (2, plus 1/256 of the
    # error of the previous term). The remainder of the alternating series is below the next term.
    error = 3 * n + 3
    for _ in range(halvings):
        total = total * total // one
        error = 2 * error + 2
    return max(0, (total - error) >> spare), ((total + error) >> spare) + 1


@dataclass(frozen=True)
class IntegerDistribution:
    """A distribution on 0, 1, 2, ... with weights e^(-linear k - quadratic k^2).

    If `size` is given, the distribution is on 0, ..., size - 1 only. A geometric distribution has
    only a linear term, and a one-sided discrete Gaussian distribution only a quadratic term.
    """

    linear: Fraction
    quadratic: Fraction = Fraction(0)
    size: int | None = None


@dataclass(frozen=True)
class Enclosure:
    """Integer bounds on the distribution function F and on the ratios of successive weights w.

    lo[k] <= 2^bits F(k) <= hi[k], and ratio[k] <= 2^bits w(k+1) / w(k).
    """

    lo: list[int]
    hi: list[int]
    ratio: list[int]


@lru_cache(maxsize=256)
def cumulative(distribution: IntegerDistribution, bits: int) -> Enclosure:
    """Return an enclosure of the distribution function F(k), up to a k with 1 - F(k) < 2^-bits.

    The weights follow from w(k+1) = w(k) r(k), and their ratios r from r(k+1) = r(k) s, where s is
    a constant. For each w, r and s, the function keeps a lower and an upper bound as integers.
    """
    spare = bits + 64
    one = 1 << spare
    w_lo = w_hi = one
    r_lo, r_hi = exp_bounds(distribution.linear + distribution.quadratic, spare)
    s_lo, s_hi = exp_bounds(2 * distribution.quadratic, spare)
    sum_lo = sum_hi = 0
    sums_lo: list[int] = []
    sums_hi: list[int] = []
    ratio: list[int] = []
    enough = 1 << (spare - bits - 16)
    while len(sums_lo) != distribution.size and (distribution.size is not None or w_hi > enough):
        sum_lo, sum_hi = sum_lo + w_lo, sum_hi + w_hi
        sums_lo.append(sum_lo)
        sums_hi.append(sum_hi)
        ratio.append(r_lo >> (spare - bits))
        w_lo, w_hi = w_lo * r_lo >> spare, (w_hi * r_hi >> spare) + 1
        r_lo, r_hi = r_lo * s_lo >> spare, min(one, (r_hi * s_hi >> spare) + 1)
    # F(k) is a sum of weights divided by the sum of all weights, so use a geometric series to bound
    # the sum of the weights that were not computed
    if distribution.size is None:
        sum_hi += w_hi * one // (one - r_hi) + 1
    lo = [(s << bits) // sum_hi for s in sums_lo]
    hi = [-(-(s << bits) // sum_lo) for s in sums_hi]
    if distribution.size is not None:
        lo[-1] = hi[-1] = 1 << bits
    return Enclosure(lo, hi, ratio)


@lru_cache(maxsize=256)
def _table(distribution: IntegerDistribution, bits: int) -> tuple[Words, Words]:
    """Return the bounds lo and hi of `cumulative` as arrays, in which `draw` searches.

    A random word u gives the integer k, the number of entries of hi that are <= u. The result is
    certain if u < lo[k]; otherwise `draw` needs more digits of the uniform number.
    """
    bounds = cumulative(distribution, bits)
    # append 0 to lo, so that a word beyond the last entry of hi always needs more digits
    if distribution.size is None:
        return np.array([*bounds.lo, 0], dtype=np.uint64), np.array(bounds.hi, dtype=np.uint64)
    return np.array(bounds.lo, dtype=np.uint64), np.array(bounds.hi[:-1], dtype=np.uint64)


def draw(distribution: IntegerDistribution, random: Words, rng: np.random.Generator) -> Integers:
    """Return one integer drawn from the distribution for each random word.

    The upper 63 bits of a word usually determine its integer; otherwise `rng` supplies more bits.

    >>> random = words(5, np.random.default_rng(1))
    >>> draw(IntegerDistribution(Fraction(1, 10)), random, np.random.default_rng(2))
    array([ 7, 30,  1, 29,  3])
    """
    lo, hi = _table(distribution, BITS)
    u = random >> np.uint64(64 - BITS)
    k = np.searchsorted(hi, u, side="right").astype(np.int64)
    for i in np.flatnonzero(u >= lo[k]):
        k[i] = _settled(distribution, int(u[i]), rng)
    return k


def _settled(distribution: IntegerDistribution, u: int, rng: np.random.Generator) -> int:
    """Return the k with F(k-1) <= U < F(k), for the distribution function F.

    U is a uniform number whose first digits are u.
    """
    bits = BITS
    while True:
        u, bits = u << 64 | _word(rng), bits + 64
        bounds = cumulative(distribution, bits)
        k = bisect_right(bounds.hi, u)
        if k < len(bounds.lo) and u < bounds.lo[k]:
            return k


def below_exp(exponent: Fraction, u: int, bits: int, rng: np.random.Generator) -> bool:
    """Return whether U < e^(-exponent), for a uniform number U whose first digits are u."""
    while True:
        lo, hi = exp_bounds(exponent, bits)
        if u < lo:
            return True
        if u >= hi:
            return False
        u, bits = u << 64 | _word(rng), bits + 64


def _accepted(size: int, propose: Callable[[int], tuple[Integers, NDArray[np.bool_]]]) -> Integers:
    """Return `size` values by rejection sampling, which keeps only the accepted proposals.

    `propose(count)` returns `count` proposals, and for each whether it is accepted.
    """
    found = np.empty(size, dtype=np.int64)
    filled = 0
    while filled < size:
        values, kept = propose(min(size - filled, CHUNK))
        values = values[kept]
        found[filled : filled + values.size] = values
        filled += values.size
    return found


def _signed(magnitude: Integers, random: Words) -> tuple[Integers, NDArray[np.bool_]]:
    """Return magnitudes with random signs, and an array that is False where the result is -0.

    Samplers reject -0. Otherwise 0 would be twice as likely as it should be, because the outcomes
    +0 and -0 are the same number.
    """
    negative = (random & np.uint64(1)).astype(bool)
    return np.where(negative, -magnitude, magnitude), ~(negative & (magnitude == 0))


def _fitting(high: Integers, shift: int) -> Integers:
    """Return `high`, or raise an error if a noise value high * 2^shift has more than 62 bits."""
    if high.size and int(high.max()) >> (62 - shift):
        raise OverflowError("noise of more than 62 bits")
    return high


def geometric(scale: Fraction, random: Words, rng: np.random.Generator) -> Integers:
    """Return an integer x >= 0, of probability proportional to e^(-x/scale), for each random word.

    The digits of x in any base are independent, because e^(-x/scale) is a product of one factor for
    each digit. For a small scale, one search in a table of probabilities gives x. For a larger
    scale, the search gives only the upper digits of x, and further searches give the lower digits.

    >>> geometric(Fraction(10), words(5, np.random.default_rng(1)), np.random.default_rng(2))
    array([ 7, 30,  1, 29,  3])
    """
    shift = max(0, int(scale).bit_length() - LAPLACE_BITS)
    x = _fitting(draw(IntegerDistribution((1 << shift) / scale), random, rng), shift)
    while shift:
        width = min(DIGIT, shift)
        shift -= width
        digit = IntegerDistribution((1 << shift) / scale, size=1 << width)
        x = x << width | draw(digit, words(x.size, rng), rng)
    return x


def discrete_laplace(scale: Fraction, size: int, rng: np.random.Generator) -> Integers:
    """Return `size` integers with probabilities proportional to e^(-|x|/scale), scale up to 2^52.

    >>> discrete_laplace(Fraction(3), 6, np.random.default_rng(0))
    array([-3,  0, -5,  7, -2, -3])
    """

    def propose(count: int) -> tuple[Integers, NDArray[np.bool_]]:
        random = words(count, rng)
        return _signed(geometric(scale, random, rng), random)

    return _accepted(size, propose)


def discrete_gaussian(sigma: Fraction, size: int, rng: np.random.Generator) -> Integers:
    """Return `size` discrete Gaussian integers with parameter sigma, which is at most 2^52.

    The probability of x is proportional to e^(-x^2/(2 sigma^2)). Below sigma = 1024 one table
    gives the magnitude |x|. For larger sigma, |x| = w j + r for a power of two w: j has weights
    e^(-(w j)^2 / (2 sigma^2)), from a table, and r is uniform below w. The pair (j, r) is accepted
    with probability e^(-(2 w j r + r^2) / (2 sigma^2)). The product of this probability and the
    weight of j is the weight of x. As w / sigma <= 1/512, nearly all pairs are accepted. The table
    also holds the ratio of the weights of j+1 and j, a lower bound on the probability of
    acceptance, so most pairs are accepted without computing this probability.

    >>> discrete_gaussian(Fraction(3), 6, np.random.default_rng(0))
    array([-2, -1,  0, -4,  5, -2])
    """
    shift = max(0, int(sigma).bit_length() - GAUSSIAN_BITS)
    half = 1 / (2 * sigma * sigma)
    coarse = IntegerDistribution(Fraction(0), half * 4**shift)
    least = np.array([*cumulative(coarse, BITS).ratio, 0], dtype=np.uint64)

    def propose(count: int) -> tuple[Integers, NDArray[np.bool_]]:
        random = words(count, rng)
        j = _fitting(draw(coarse, random, rng), shift)
        if not shift:
            return _signed(j, random)
        r = (words(count, rng) >> np.uint64(64 - shift)).astype(np.int64)
        x, kept = _signed(j << shift | r, random)
        u = words(count, rng) >> np.uint64(64 - BITS)
        for i in np.flatnonzero(u >= least[np.minimum(j, least.size - 1)]):
            excess = half * (int(x[i]) ** 2 - (int(j[i]) << shift) ** 2)
            kept[i] &= below_exp(excess, int(u[i]), BITS, rng)
        return x, kept

    return _accepted(size, propose)
