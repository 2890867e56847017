"""Tests of samplers of exact integer noise: each step of their proof, and statistics of samples.

The docstrings of `dpteach._exact` prove that each sampler has exactly the distribution that it
claims. The steps of the proof are checked by enumeration. The statistical tests are seeded; with
fresh seeds, each would raise a false alarm with probability at most 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import loops
import mpmath
import numpy as np
import pytest
from scipy import stats

from dpteach import _exact
from dpteach._exact import IntegerDistribution

FALSE_ALARM = 1e-9
mp = mpmath.mp.clone()
mp.dps = 120


def real(x: Fraction) -> mpmath.mpf:
    return mp.mpf(x.numerator) / x.denominator


def cumulative(law: IntegerDistribution, count: int) -> list[mpmath.mpf]:
    """Return the distribution function of `law` at 0, ..., count - 1, in 100 digits."""
    size = law.size or count + 20_000
    a, b = real(law.linear), real(law.quadratic)
    sums, total = [], mp.mpf(0)
    for k in range(size):
        term = mp.exp(-a * k - b * k * k)
        total += term
        if k < count:
            sums.append(total)
        if law.size is None and term < mp.mpf(10) ** -110:
            break
    return [s / total for s in sums] + [mp.mpf(1)] * (count - len(sums))


LAWS = [
    IntegerDistribution(Fraction(1, 3)),
    IntegerDistribution(Fraction(2000)),
    IntegerDistribution(Fraction(1, 20), size=16),
    IntegerDistribution(Fraction(1, 10**30), size=8),
    IntegerDistribution(Fraction(0), Fraction(1, 50)),
    IntegerDistribution(Fraction(0), Fraction(3)),
]


def test_exponentials_are_enclosed() -> None:
    rng = np.random.default_rng(0)
    for _ in range(500):
        exponent = Fraction(float(rng.random() * 10 ** rng.uniform(-15, 2.4)))
        bits = int(rng.choice([8, 30, 63, 127, 300]))
        lo, hi = _exact.exp_bounds(exponent, bits)
        assert lo <= mp.mpf(2) ** bits * mp.exp(-real(exponent)) <= hi
        assert hi - lo <= 2
    assert _exact.exp_bounds(Fraction(0), 63) == (2**63, 2**63)
    assert _exact.exp_bounds(Fraction(10**400), 63) == (0, 1)


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("bits", [8, 63, 127])
def test_cumulative_probabilities_are_enclosed(law: IntegerDistribution, bits: int) -> None:
    bounds = _exact.cumulative(law, bits)
    truth = cumulative(law, len(bounds.lo))
    for lo, hi, f in zip(bounds.lo, bounds.hi, truth, strict=True):
        assert lo <= mp.mpf(2) ** bits * f <= hi
        assert hi - lo <= 2
    for k, ratio in enumerate(bounds.ratio):
        step = real(law.linear) + real(law.quadratic) * (2 * k + 1)
        assert ratio <= mp.mpf(2) ** bits * mp.exp(-step)
    # the table of a distribution with infinitely many values may end only where the remaining
    # values have a probability of about 2^-bits at most
    if law.size is None:
        assert 2**bits - bounds.hi[-1] <= 1


def test_what_is_beyond_a_table_makes_its_probabilities_smaller() -> None:
    # `cumulative` returns a finite table of bounds on 2^8 F(k). The distribution function F(k) is
    # the sum of the weights up to k, divided by the sum of all weights. If the latter left out the
    # weights beyond the table, the lower bound for k = 1164 would be at least 253, too large
    bounds = _exact.cumulative(IntegerDistribution(Fraction(1, 262)), 8)
    assert bounds.lo[1164] <= -256 * math.expm1(-1165 / 262) < 253


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_first_word_is_decided_rightly_or_not_at_all(
    law: IntegerDistribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    # samples are drawn from random integers. Let these have only 10 bits, so that the test can try
    # all of them: each must give the right sample or, if 10 bits do not determine it, be passed on
    # to `_settled`, which draws more bits
    monkeypatch.setattr(_exact, "BITS", 10)
    passed: list[int] = []

    def note(law: IntegerDistribution, u: int, rng: np.random.Generator) -> int:
        passed.append(u)
        return -1

    monkeypatch.setattr(_exact, "_settled", note)
    every = np.arange(2**10, dtype=np.uint64) << np.uint64(54)
    answers = _exact.draw(law, every, np.random.default_rng(0))
    truth = [mp.mpf(0), *cumulative(law, len(_exact.cumulative(law, 10).lo))]
    for u, k in enumerate(answers):
        if k >= 0:
            assert truth[k] * 2**10 <= u
            assert u + 1 <= truth[k + 1] * 2**10
    assert np.flatnonzero(answers < 0).tolist() == passed
    # only random integers next to a value of the distribution function may leave the sample
    # undecided
    assert set(passed) <= {int(f * 2**10) - i for f in truth for i in (0, 1)}


@pytest.mark.parametrize("law", LAWS[:5], ids=str)
def test_refined_draws_are_the_real_number_s(
    law: IntegerDistribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    # fix the digits of the uniform number U in advance, so that the right sample is known: the k
    # with F(k-1) <= U < F(k), where F is the distribution function
    rng = np.random.default_rng(1)
    monkeypatch.setattr(_exact, "BITS", 5)
    for _ in range(60):
        first, *more = (int(x) for x in rng.integers(2**63, size=5))
        first >>= 58
        digits = iter(more)
        monkeypatch.setattr(_exact, "_word", lambda rng, digits=digits: next(digits))
        k = _exact._settled(law, first, rng)
        u, scale = mp.mpf(first) / 32, mp.mpf(32)
        for word in more:
            scale *= 2**64
            u += word / scale
        truth = [mp.mpf(0), *cumulative(law, k + 1)]
        assert truth[k] <= u < truth[k + 1]


def test_no_decision_before_the_digits_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    # the sampler decides on which side of 1/e a uniform number U lies; let U agree with 1/e in 63
    # + 64 binary digits, so that only the third random integer decides
    for last, below in ((0, True), (2**64 - 1, False)):
        digits = int(mp.floor(mp.exp(-1) * mp.mpf(2) ** 127))
        words = iter([digits & (2**64 - 1), last])
        monkeypatch.setattr(_exact, "_word", lambda rng, words=words: next(words))
        found = _exact.below_exp(Fraction(1), digits >> 64, 63, np.random.default_rng(0))
        assert found is below
        assert list(words) == []


# --- samplers by coin flips: all sequences of flips --------------------------------------------


class NeedsMore(Exception):
    """The error raised if a sampler needs more coin flips; the next coin has `size` sides."""

    def __init__(self, size: int) -> None:
        self.size = size


class Coins:
    """A substitute for a random generator: `integers` returns the given flips one after another."""

    def __init__(self, path: list[int]) -> None:
        self.path = iter(path)

    def integers(self, size: int) -> int:
        for side in self.path:
            return side
        raise NeedsMore(size)


def outcomes(draw: Callable[[Any], Any], least: Fraction) -> Iterator[tuple[Any, Fraction]]:
    """Yield a sampler's outcome and its probability, for each sequence of coin flips.

    A sequence less likely than `least` is not continued, and its outcome is None.
    """
    stack: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while stack:
        path, probability = stack.pop()
        if probability < least:
            yield None, probability
            continue
        try:
            outcome = draw(Coins(path))
        except NeedsMore as coin:
            stack.extend(([*path, i], probability / coin.size) for i in range(coin.size))
        else:
            yield outcome, probability


def law_of(draw: Callable[[Any], Any], least: Fraction) -> tuple[dict[Any, Fraction], Fraction]:
    found: dict[Any, Fraction] = {}
    undecided = Fraction(0)
    for outcome, probability in outcomes(draw, least):
        if outcome is None:
            undecided += probability
        else:
            found[outcome] = found.get(outcome, Fraction(0)) + probability
    return found, undecided


@pytest.mark.parametrize("exponent", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 4)])
def test_bernoulli_exp_by_every_path(exponent: Fraction) -> None:
    found, undecided = law_of(lambda c: loops.bernoulli_exp(exponent, c), Fraction(1, 2**14))
    truth = mp.exp(-real(exponent))
    assert undecided < Fraction(1, 10)
    assert real(found[True]) <= truth <= real(found[True] + undecided)
    assert real(found.get(False, Fraction(0))) <= 1 - truth


def test_uniform_below_by_every_path() -> None:
    for n in (1, 2, 3, 5, 8):
        found, undecided = law_of(lambda c, n=n: loops.uniform_below(n, c), Fraction(1, 2**12))
        assert set(found) == set(range(n))
        assert len(set(found.values())) == 1
        assert undecided < Fraction(1, 20)


def test_discrete_laplace_loop_by_every_path() -> None:
    found, undecided = law_of(
        lambda c: loops.discrete_laplace_loop(Fraction(1, 2), c), Fraction(1, 2**14)
    )
    q = mp.exp(-2)
    for x in (-1, 0, 1):
        truth = (1 - q) / (1 + q) * q ** abs(x)
        assert real(found[x]) <= truth <= real(found[x] + undecided)
    assert undecided < Fraction(1, 4)


# --- statistics of many samples -----------------------------------------------------------------


def laplace_cdf(scale: float) -> Callable[[Any], Any]:
    """Return the distribution function of the discrete Laplace distribution."""
    q = math.exp(-1 / scale)

    def cdf(x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        lower = np.exp(np.minimum(x, 0) / scale) / (1 + q)
        return np.where(x < 0, lower, 1 - np.exp(-(np.maximum(x, 0) + 1) / scale) / (1 + q))

    return cdf


def gaussian_cdf(sigma: float) -> Callable[[Any], Any]:
    """Return the distribution function of the discrete Gaussian distribution.

    For sigma > 1000, return that of N(0, sigma^2) at x + 1/2 instead; the difference is too small
    for these tests to notice.
    """
    if sigma > 1000:
        return lambda x: stats.norm.cdf((np.asarray(x) + 0.5) / sigma)
    reach = math.ceil(12 * sigma) + 2
    weights = np.exp(-((np.arange(-reach, reach + 1) / sigma) ** 2) / 2)
    table = np.cumsum(weights) / weights.sum()
    return lambda x: table[np.clip(np.asarray(x) + reach, 0, 2 * reach).astype(int)]


def assert_law(x: np.ndarray, cdf: Callable[[Any], Any], scale: float) -> None:
    """Check that samples have the distribution function `cdf`, and are independent.

    A chi-square test uses 40 cells of similar probability, binomial tests check the tails, and the
    correlation of successive values must be small.
    """
    n = x.size
    grid = np.unique(np.floor(np.quantile(x, np.linspace(0.025, 0.975, 39))))
    edges = cdf(grid)
    expected = n * np.diff(np.concatenate(([0.0], edges, [1.0])))
    observed = np.bincount(np.searchsorted(grid, x, side="left"), minlength=grid.size + 1)
    enough = expected > 5
    if enough.sum() > 1:
        kept, seen = expected[enough], observed[enough]
        assert stats.chisquare(seen, kept * seen.sum() / kept.sum()).pvalue > FALSE_ALARM
    for far in (3, 6, 9):
        cut = math.floor(far * scale)
        beyond = int((np.abs(x) > cut).sum())
        probability = float(2 * (1 - cdf(cut)))
        assert stats.binomtest(beyond, n, min(1.0, max(0.0, probability))).pvalue > FALSE_ALARM
    if x.std() > 0:
        correlation = float(np.corrcoef(x[1:], x[:-1])[0, 1])
        assert abs(correlation) < 7 / math.sqrt(n)


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5, 40.0, 127.9, 128.0, 1e4, 1e9, 2.0**52])
def test_law_of_discrete_laplace(scale: float) -> None:
    x = _exact.discrete_laplace(Fraction(scale), 150_000, np.random.default_rng(3))
    assert x.dtype == np.int64
    assert_law(x.astype(float), laplace_cdf(scale), scale)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.5, 40.0, 1000.0, 1023.9, 1024.0, 3e4, 1e9, 2.0**52])
def test_law_of_discrete_gaussian(sigma: float) -> None:
    x = _exact.discrete_gaussian(Fraction(sigma), 150_000, np.random.default_rng(4))
    assert x.dtype == np.int64
    assert_law(x.astype(float), gaussian_cdf(sigma), sigma)


@pytest.mark.parametrize("scale", [5.0, 77.7, 3000.0])
def test_lower_digits_have_their_law(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    # the sampler draws the upper binary digits of a sample from a table, and the lower digits by
    # rejection. Let the table give as few digits as possible, so that nearly every sample tests
    # the rejection
    monkeypatch.setattr(_exact, "LAPLACE_BITS", 1)
    monkeypatch.setattr(_exact, "GAUSSIAN_BITS", 1)
    x = _exact.discrete_laplace(Fraction(scale), 60_000, np.random.default_rng(7))
    assert_law(x.astype(float), laplace_cdf(scale), scale)
    x = _exact.discrete_gaussian(Fraction(scale), 30_000, np.random.default_rng(8))
    assert_law(x.astype(float), gaussian_cdf(scale), scale)


@pytest.mark.parametrize(
    ("table", "loop"),
    [
        (_exact.discrete_laplace, loops.discrete_laplace_loop),
        (_exact.discrete_gaussian, loops.discrete_gaussian_loop),
    ],
)
def test_tables_and_loops_agree(table: Any, loop: Any) -> None:
    scale, rng = Fraction(5, 3), np.random.default_rng(5)
    many = table(scale, 100_000, rng)
    few = np.array([loop(scale, rng) for _ in range(4000)])
    cells = np.arange(-3, 4)
    counts = [np.bincount(np.searchsorted(cells, x), minlength=8) for x in (many, few)]
    assert stats.chi2_contingency(counts).pvalue > FALSE_ALARM


def test_low_digits_of_wide_noise_are_uniform() -> None:
    # the lowest digits of noise this wide are uniform, whether they come from a table of their own
    # (discrete Laplace) or from a uniform proposal before rejection (discrete Gaussian)
    for draw in (_exact.discrete_laplace, _exact.discrete_gaussian):
        x = draw(Fraction(1e7), 64_000, np.random.default_rng(6))
        assert stats.chisquare(np.bincount(x & 63, minlength=64)).pvalue > FALSE_ALARM


def test_nothing_is_drawn_for_nothing() -> None:
    rng = np.random.default_rng(0)
    for draw in (_exact.discrete_laplace, _exact.discrete_gaussian):
        assert draw(Fraction(2), 0, rng).shape == (0,)
        assert draw(Fraction(2), 70_001, rng).shape == (70_001,)


def test_numbers_of_more_than_62_bits_are_refused() -> None:
    with pytest.raises(OverflowError, match="more than 62 bits"):
        _exact._fitting(np.array([2**20]), 46)
    assert _exact._fitting(np.array([2**15]), 46).tolist() == [2**15]
    with pytest.raises(OverflowError, match="more than 62 bits"):
        _exact._fitting(np.array([2**16]), 46)
