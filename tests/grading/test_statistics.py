"""Tests of the statistical tests of random answers, with values just below and above thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

from dpteach.grading import Categorical, DiscreteLaplace, Law
from dpteach.grading.kinds.random import distributions, statistics

LEVEL = 1e-9

#: all statistical tests of a case together raise a false alarm with probability at most
#: `USED * LEVEL`; the rest of `LEVEL` allows for rounding errors
USED = 0.999

#: sizes of a statistic, as multiples of its threshold: the first must pass, the second must fail
PARTS = (0.999, 1.001)


def even(n: int) -> Any:
    """Return the n numbers (i + 1/2) / n, which are as uniform as possible, in random order."""
    return np.random.default_rng(0).permutation((np.arange(n) + 0.5) / n)


def moved(g: Any, by: float) -> Any:
    """Move numbers in [0, 1] so that the mean grows by `by` if the numbers are evenly spaced."""
    return g + 6 * by * g * (1 - g)


def spread(g: Any, by: float) -> Any:
    """Return numbers u, made from evenly spaced `g`, such that abs(2 u - 1) has mean 1/2 + `by`."""
    side = np.where(np.random.default_rng(1).random(g.shape) < 0.5, -1, 1)
    return (1 + side * moved(g, by)) / 2


def first_unlikely(n: int, p: float, level: float, step: int) -> int:
    """Return the first of the counts n p, n p + step, ... whose tail is below level / 2.

    The tail is Chernoff's bound on the probability that a binomial count is so far from n p.
    """
    count = round(n * p)
    while n * (special.rel_entr(count / n, p) + special.rel_entr(1 - count / n, 1 - p)) <= (
        math.log(2 / level)
    ):
        count += step
    return count


def names(findings: Any) -> list[str]:
    return [finding.test for finding in findings]


# --- how the tests share the false alarm level -----------------------------------------------


@pytest.mark.parametrize(
    "law",
    [
        Law("laplace", loc=[0.0] * 8),
        DiscreteLaplace(4.0, loc=[0] * 8),
        Categorical(list("abc"), [[0.5, 0.3, 0.2], *[[0.2, 0.2, 0.6]] * 7]),
    ],
)
def test_the_false_alarms_of_all_tests_are_those_of_the_case(
    law: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[float] = []

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: (taken.append(args[-1]), original(*args))[1]

    for name in ("distance_threshold", "mean_threshold", "unlikely", "allowed_repeats"):
        monkeypatch.setattr(statistics, name, counted(getattr(statistics, name)))
    data = law.to_data()
    sample = distributions.read(data).draw(2000, np.random.default_rng(0))
    assert statistics.findings(sample, data, LEVEL) is None
    assert math.isclose(math.fsum(taken), USED * LEVEL, rel_tol=1e-9)


# --- continuous distributions ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "threshold", "test", "words"),
    [
        (lambda g, by: moved(g, by), "mean", "centre", "too large"),
        (lambda g, by: moved(g, -by), "mean", "centre", "too small"),
        (lambda g, by: spread(g, by), "mean", "width", "too wide"),
        (lambda g, by: spread(g, -by), "mean", "width", "too narrow"),
        (lambda g, by: g + by * np.sin(4 * np.pi * g), "distance", "law", "another distribution"),
    ],
)
def test_shapes(make: Any, threshold: str, test: str, words: str) -> None:
    n = 5000
    for part in PARTS:
        if threshold == "mean":
            by = part * math.sqrt(math.log(2 / LEVEL) / (6 * n))
        else:  # evenly spaced numbers are already at Kolmogorov distance 0.5 / n from uniform ones
            by = part * math.sqrt(math.log(2 / LEVEL) / (2 * n)) - 0.5 / n
        found = list(statistics._shape(make(even(n), by), LEVEL))
        assert names(found) == ([test] if part > 1 else [])
        assert all(words in finding.words for finding in found)


def test_what_says_the_most_comes_first() -> None:
    for shift, width in ((2, 3), (3, 2)):
        by = statistics.mean_threshold(5000, LEVEL)
        u = np.clip(spread(even(5000), width * by) + shift * by, 0, 1)
        first = ["width", "centre"] if width > shift else ["centre", "width"]
        assert names(statistics._shape(u, LEVEL))[:2] == first


@pytest.mark.parametrize("sign", [-1, 1], ids=["sum", "difference"])
@pytest.mark.parametrize("lag", range(1, 7))
def test_dependent_coordinates(lag: int, sign: int) -> None:
    """The grader tests whether entries `lag` places apart in an answer depend on each other.

    Sums and differences (mod 1) of independent uniform entries are uniform. Here they deviate from
    the uniform distribution by slightly less, or slightly more, than the grader allows.
    """
    size, calls = 8, 1000
    n, share = (size - lag) * calls, LEVEL / (2 * 6)
    for part in PARTS:
        by = part * math.sqrt(math.log(2 / share) / (2 * n)) - 0.5 / n
        x = even(n) + 4 * by * even(n) * (1 - even(n))
        u = np.random.default_rng(3).random((size, calls))
        for row, of in enumerate(x.reshape(size - lag, calls), start=lag):
            u[row] = (of + sign * u[row - lag]) % 1
        found = list(statistics._coordinates(u.T, LEVEL))
        assert names(found) == (["coordinates"] if part > 1 else [])


@pytest.mark.parametrize("step", [-1, 1], ids=["few", "many"])
@pytest.mark.parametrize("test", ["low tail", "high tail"])
def test_tails(test: str, step: int) -> None:
    n, expected = 5000, 30
    limit = first_unlikely(n, expected / n, LEVEL, step)
    for count in (limit - step, limit):
        tau = expected / n
        u = np.concatenate([tau * even(count), tau + (1 - tau) * even(n - count)])
        u = u if test == "low tail" else 1 - u
        found = [one for one in statistics._tails(u, LEVEL) if one.test == test]
        assert names(found) == ([test] if count == limit else [])
        word = "few" if step < 0 else "many"
        assert all(f"far too {word} answers are far" in finding.words for finding in found)
        detail = f"{count} of {n} numbers where about {expected} are expected"
        assert all(finding.detail == detail for finding in found)


@pytest.mark.parametrize(
    ("loc", "scale"), [(0.0, 1.0), (-1e6, 1.0), (1e6, 0.01), ([0.0, 1e8], 1.0)]
)
@pytest.mark.parametrize("calls", [2, 2000, 50_000])
@pytest.mark.parametrize("level", [1e-10, 1e-3])
def test_how_many_answers_may_repeat(loc: Any, scale: float, calls: int, level: float) -> None:
    """A sample may repeat k - 1 answers, for the first k at which mean^k / k! is at most `level`.

    If a right mechanism gives `mean` pairs of equal answers on average, it gives at least k such
    pairs with probability at most mean^k / k!.
    """
    law = distributions.read(Law("norm", loc=loc, scale=scale).to_data())
    assert isinstance(law, distributions.Law)
    ratios = np.abs(np.ravel(loc)) / scale
    pairs = calls * (calls - 1) / 2
    mean = sum(pairs * 4 * (2 + ratio) * 2.0**-52 for ratio in ratios.tolist())
    logs = np.cumsum(np.log(mean / np.arange(1, 10_000)))
    assert statistics.allowed_repeats(calls, law, level) == int(np.argmax(logs <= math.log(level)))


def test_one_repeated_answer_too_many() -> None:
    data = Law("norm", loc=[1e7, 0.0], scale=1.0).to_data()
    law = distributions.read(data)
    assert isinstance(law, distributions.Law)
    share = USED * LEVEL / 7
    allowed = statistics.allowed_repeats(4000, law, share)
    assert allowed > 0
    for more in (0, 1):
        sample = stats.norm.ppf(even(8000)).reshape(4000, 2)
        sample[1 : allowed + more + 1, 1] = sample[0, 1]
        found = statistics.findings(np.add(sample, [1e7, 0.0]), data, LEVEL)
        own = np.count_nonzero(np.diff(np.sort(sample[:, 0] + 1e7)) == 0)
        assert own == 0
        assert (found and found.test) == ("repeats" if more else None)
        if found:
            assert found.detail == f"{allowed + 1} of 8000 numbers equal an earlier one"


def test_noise_of_few_values_is_told_as_repeats() -> None:
    sample = np.resize(stats.norm.ppf(even(4)), (4000, 1))
    np.random.default_rng(1).shuffle(sample)
    found = statistics.findings(sample, Law("norm", loc=[0.0]).to_data(), LEVEL)
    assert found and found.test == "repeats"
    assert found.detail == "3996 of 4000 numbers equal an earlier one"


# --- discrete distributions ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("masses", "step"),
    [
        ([0.4, 0.3, 0.2, 0.1], -1),
        ([0.4, 0.3, 0.2, 0.1], 1),
        # the last value is expected 20 times, just often enough to be counted by itself: rarer
        # values are counted together
        ([0.5, 0.3, 0.199, 0.001], 1),
    ],
)
def test_atoms(masses: list[float], step: int) -> None:
    n, which = 20_000, 3
    law = distributions.read(Categorical(list("abcd"), masses).to_data())
    assert isinstance(law, distributions.Table)
    usual = [round(n * mass) for mass in masses]
    limit = first_unlikely(n, masses[which], LEVEL / 5, step)
    for count in (limit - step, limit):
        seen = [*usual]
        seen[which] += count - usual[which]
        seen[0] -= count - usual[which]
        columns = np.repeat(np.arange(4), seen)[:, np.newaxis]
        found = list(statistics._atoms(columns, law, LEVEL))
        assert names(found) == (["atoms"] if count == limit else [])
        for finding in found:
            assert finding.words.endswith("too often" if step > 0 else "too rarely")
            assert finding.detail == (
                f"the answer 'd': {count} of {n}, where about {usual[which]} are expected"
            )


def test_rare_atoms_are_counted_together() -> None:
    n, masses = 10_000, [0.6, 0.398, 0.0005, 0.0005, 0.001]
    law = distributions.read(Categorical(list("abcde"), masses).to_data())
    assert isinstance(law, distributions.Table)
    limit = first_unlikely(n, 0.002, LEVEL / 3, 1)
    for count in (limit - 1, limit):
        seen = [6000 + 20 - count, 3980, 0, count, 0]
        found = list(statistics._atoms(np.repeat(np.arange(5), seen)[:, None], law, LEVEL))
        assert names(found) == (["atoms"] if count == limit else [])
        assert all(finding.detail.startswith("a rare answer: ") for finding in found)


def test_a_table_ends_where_nothing_is_left() -> None:
    """A table of probabilities ends where the probability of all values beyond is negligible."""
    law = distributions.read(DiscreteLaplace(2.5).to_data())
    assert isinstance(law, distributions.Table)
    last = law.first + law.masses.shape[1] - 1
    assert 1e-24 < math.exp(-(last + 1) / 2.5) / (1 + math.exp(-1 / 2.5)) <= distributions.BEYOND
    assert law.first == -last


def test_where_an_integer_answer_stands() -> None:
    law = distributions.read(DiscreteLaplace(1e-3, loc=[11, -9]).to_data())
    assert isinstance(law, distributions.Table)
    answers = [10, -10, 11, -8, 9, -7, 10**30, -(10**30), 2**62, -(2**63)]
    assert law.columns(answers).tolist() == [[0, 0], [1, 2], [-1, 3], [3, -1], [3, -1]]


# --- recognizing declared mistakes -----------------------------------------------------------


def test_which_law_answers_look_like() -> None:
    """A sample fits a distribution only if the noise is shared in both or in neither.

    Shared noise is the same for all entries of an answer. If the noise of one entry has a wrong
    scale, the sample never fits.
    """
    rng = np.random.default_rng(0)
    for law, one in (
        (Law("laplace", loc=[0.0, 3.0]), Law("laplace", loc=[0.0, 3.0], shared=True)),
        (
            DiscreteLaplace(3.0, loc=[0, 3]),
            DiscreteLaplace(3.0, loc=[0, 3], shared=True),
        ),
    ):
        both = [law.to_data(), one.to_data()]
        for i, data in enumerate(both):
            sample = np.asarray(distributions.read(data).draw(2000, rng))
            given = sample if isinstance(law, Law) else sample.tolist()
            assert [statistics.fits(given, other) for other in both] == [i == 0, i == 1]
            wrong = sample.copy()
            wrong[:, 1] = 3 + 3 * (wrong[:, 1] - 3)
            given = wrong if isinstance(law, Law) else wrong.tolist()
            assert not any(statistics.fits(given, other) for other in both)


def test_one_entry_does_not_make_up_for_another() -> None:
    """Two entries with opposite errors do not fit, although the mean over both is right."""
    law = Law("norm", loc=[0.0, 3.0]).to_data()
    sample = np.asarray(distributions.read(law).draw(4000, np.random.default_rng(1)))
    assert statistics.fits(sample, law)
    assert not statistics.fits(sample + np.array([0.3, -0.3]), law)


def test_categories_that_look_like_a_law() -> None:
    law = Categorical(["a", "b", "c"], [0.5, 0.5, 0.0]).to_data()
    right = ["a", "b"] * 1000
    assert statistics.fits(right, law)
    assert not statistics.fits([*right, "c"], law)
    assert not statistics.fits([*right, "d"], law)
    assert not statistics.fits(["a", "a", "b"] * 700, law)
