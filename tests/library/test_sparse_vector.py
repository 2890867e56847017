"""Tests of the sparse vector technique: its distribution, its privacy, and broken variants.

The statistical tests are seeded; with fresh seeds, each would raise a false alarm with probability
at most 1e-9.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dpteach import Adjacency, PureDP, SparseVector

FALSE_ALARM = 1e-9
SAMPLES = 20_000

VARIANTS = [
    SparseVector(1.0),
    SparseVector(3.0, 2.0, count=2, threshold_share=0.2),
    SparseVector(3.0, -1.0, count=2, sensitivity=0.3, monotonic=True, threshold_share=0.9),
    SparseVector(12.0, 0.5, count=3, threshold_share=0.6),
]


def by_integral(m: SparseVector, queries: list[float], outcome: tuple[int, ...]) -> float:
    """Return the probability of an outcome as an integral over the threshold's noise."""
    kinks = sorted({0.0, *(q - m.threshold for q in queries)})
    far = 80 * m.threshold_scale
    points = [kinks[0] - far, *kinks, kinks[-1] + far]
    # the density is smooth between its kinks, so cut there: on short pieces, 30 nodes give 15
    # digits
    ends = np.unique(np.concatenate([np.linspace(a, b, 200) for a, b in pairwise(points)]))
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half = np.diff(ends)[:, None] / 2
    z = ends[:-1, None] + half * (1 + nodes)
    density = np.exp(-abs(z) / m.threshold_scale) / (2 * m.threshold_scale)
    for answer, query in zip(outcome, queries, strict=False):
        y = (z - (query - m.threshold)) / m.query_scale
        density = density * stats.laplace.cdf(-y if answer else y)
    return float((density * half * weights).sum())


@pytest.mark.parametrize("mechanism", VARIANTS, ids=repr)
@pytest.mark.parametrize(
    "queries",
    [[0.5], [0.0, 3.0], [2.0, -4.0, 2.0], [1.0, 1.0, -3.0, 20.0]],
)
def test_law_is_its_integral(mechanism: SparseVector, queries: list[float]) -> None:
    law = zip(mechanism.outcomes(len(queries)), mechanism.law(queries), strict=True)
    for outcome, probability in law:
        exact = by_integral(mechanism, queries, outcome)
        assert probability == pytest.approx(exact, rel=1e-11), outcome


@pytest.mark.parametrize("mechanism", VARIANTS, ids=repr)
def test_law_of_what_is_released(mechanism: SparseVector) -> None:
    queries = np.array([0.4, 1.0, -0.3, 0.8])
    outcomes = {o: i for i, o in enumerate(mechanism.outcomes(4))}
    rng = np.random.default_rng(9)
    seen = np.zeros(len(outcomes))
    for _ in range(SAMPLES):
        seen[outcomes[tuple(mechanism.release(queries, rng=rng).tolist())]] += 1
    expected = SAMPLES * mechanism.law(queries)
    rare = expected < 5
    seen, expected = (np.append(x[~rare], x[rare].sum()) for x in (seen, expected))
    keep = expected > 0
    assert stats.chisquare(seen[keep], expected[keep]).pvalue > FALSE_ALARM


def test_outcomes() -> None:
    assert SparseVector(1.0).outcomes(0) == [()]
    assert SparseVector(1.0, count=2).outcomes(2) == [(1, 1), (1, 0), (0, 1), (0, 0)]
    for count in (1, 2, 5):
        mechanism = SparseVector(1.0, count=count)
        for n in range(7):
            outcomes = mechanism.outcomes(n)
            assert len(set(outcomes)) == len(outcomes)
            for outcome in outcomes:
                ones = sum(outcome)
                stopped = ones == count and outcome[-1] == 1
                assert ones <= count and (stopped or (len(outcome) == n and ones < count))
            assert math.fsum(mechanism.law(np.arange(n))) == pytest.approx(1, abs=1e-12)
    with pytest.raises(ValueError, match="n must give at most 1024 outcomes"):
        SparseVector(1.0, count=30).outcomes(30)
    for n in (10**12, 2000):
        with pytest.raises(ValueError, match="n must give at most 1024 outcomes"):
            SparseVector(1.0, count=3).outcomes(n)


@pytest.mark.slow
@settings(max_examples=80, deadline=None, database=None, derandomize=True)
@given(
    st.lists(st.floats(-6, 6), min_size=1, max_size=5),
    st.integers(1, 3),
    st.floats(0.05, 0.95),
    st.sampled_from([0.1, 1.0, 8.0]),
    st.booleans(),
    st.data(),
)
def test_pure_dp(
    queries: list[float],
    count: int,
    share: float,
    epsilon: float,
    monotonic: bool,
    data: st.DataObject,
) -> None:
    ends = st.sampled_from([-1.0, 0.0, 1.0]) | st.floats(-1, 1)
    moves = np.array(data.draw(st.lists(ends, min_size=len(queries), max_size=len(queries))))
    mechanism = SparseVector(epsilon, 0.5, count, 2.0, monotonic, share)
    change = 2.0 * (np.abs(moves) if monotonic else moves)
    loss = mechanism.privacy_loss_between(queries, np.array(queries) + change)
    assert mechanism.guarantee(PureDP).holds_for(loss)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("share", [0.3, 0.5])
def test_pure_dp_is_reached(count: int, share: float) -> None:
    # these queries attain the bound on the loss: the first ones, all answered "below", imply that
    # the threshold's noise is large, and the last ones are answered "above" although they are far
    # below the threshold
    mechanism = SparseVector(1.0, count=count, threshold_share=share)
    low = np.concatenate((np.full(16, 60.0), np.full(count, -59.0)))
    high = np.concatenate((np.full(16, 61.0), np.full(count, -60.0)))
    loss = mechanism.privacy_loss_between(low, high)
    assert loss.max() == pytest.approx(1.0, rel=1e-6)
    assert loss.max() <= 1 + 1e-12


# --- the variants that Lyu, Su and Li (2017) refute are not in the library ---------------------


class NoNoiseOnQueries(SparseVector):
    """A broken variant in which only the threshold has noise, and the queries have practically
    none.
    """

    @property
    def query_scale(self) -> float:
        return 1e-9


class NoiseThatDoesNotGrowWithCount(SparseVector):
    """A broken variant whose noise is wide enough for only one answer above the threshold."""

    @property
    def query_scale(self) -> float:
        return 2 * self.sensitivity / ((1 - self.threshold_share) * self.epsilon)


def test_broken_variants_are_caught_by_the_definition() -> None:
    loss = NoNoiseOnQueries(1.0, count=2).privacy_loss_between([0.0, 1.0], [1.0, 0.0])
    assert not PureDP(1.0).holds_for(loss) and loss.max() > 100
    broken = NoiseThatDoesNotGrowWithCount(1.0, count=4)
    low = [40.0] * 6 + [-39.0] * 4
    high = [41.0] * 6 + [-40.0] * 4
    loss = broken.privacy_loss_between(low, high)
    assert not PureDP(1.0).holds_for(loss)
    assert loss.max() == pytest.approx(0.5 + 4 * 0.5, rel=1e-2)
    assert PureDP(1.0).holds_for(SparseVector(1.0, count=4).privacy_loss_between(low, high))


# --- the stream of answers, extremes, bad input -------------------------------------------------


def test_answers_are_lazy_and_stop() -> None:
    taken: list[float] = []

    def queries() -> Iterator[float]:
        for query in (1.0, 50.0, 3.0, 60.0, 70.0):
            taken.append(query)
            yield query

    mechanism = SparseVector(700.0, 10.0, count=2)
    rng = np.random.default_rng(0)
    assert list(mechanism.answers(queries(), rng=rng)) == [False, True, False, True]
    assert taken == [1.0, 50.0, 3.0, 60.0]
    # a query may depend on earlier answers: this one is large after three answers
    seen: list[bool] = []
    adaptive = (100.0 if len(seen) == 3 else 0.0 for _ in range(10))
    for answer in SparseVector(700.0, 10.0).answers(adaptive, rng=rng):
        seen.append(answer)
    assert seen == [False, False, False, True]


def test_scales() -> None:
    mechanism = SparseVector(2.0, count=3, sensitivity=5.0, threshold_share=0.25)
    assert (mechanism.threshold_scale, mechanism.query_scale) == (10.0, 20.0)
    assert SparseVector(2.0, count=3, sensitivity=5.0, monotonic=True).query_scale == 15.0
    # algorithm 1 of Dwork and Roth (2014) uses the scales 2/epsilon for the threshold and 4/epsilon
    # for the queries; here epsilon is 0.5
    assert (SparseVector(0.5).threshold_scale, SparseVector(0.5).query_scale) == (4.0, 8.0)
    # for one answer above the threshold, the default split of epsilon minimizes the sum of the
    # variances of both noises
    shares = np.linspace(0.01, 0.99, 9801)
    variances = [
        m.threshold_scale**2 + m.query_scale**2
        for m in (SparseVector(1.0, threshold_share=float(s)) for s in shares)
    ]
    assert shares[np.argmin(variances)] == pytest.approx(1 / (1 + 2 ** (2 / 3)), abs=1e-4)


def test_extremes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for epsilon in (1e-6, 1.0, 700.0):
            for share in (1e-9, 0.5, 1 - 1e-9):
                mechanism = SparseVector(epsilon, threshold_share=share)
                for queries in ([0.0], [1e308, -1e308], [1e300] * 3, list(range(32)), []):
                    law = mechanism.law(queries)
                    assert np.all((law >= 0) & (law <= 1))
                    assert math.fsum(law) == pytest.approx(1, abs=1e-9)
    sure = SparseVector(1.0, threshold=-1e308).law([1e308])
    assert sure.tolist() == pytest.approx([1.0, 0.0], rel=1e-12)


def test_bad_queries() -> None:
    mechanism = SparseVector(1.0, adjacency=Adjacency.REPLACE_ONE)
    assert mechanism.guarantee(PureDP) == PureDP(1.0, adjacency=Adjacency.REPLACE_ONE)
    rng = np.random.default_rng(0)
    for bad in (3.0, [[1.0]], [math.nan], [math.inf], "abc", None, ["a"], [1j]):
        with pytest.raises((ValueError, TypeError), match=r"^value must .*got value="):
            mechanism.release(bad, rng=rng)  # type: ignore[arg-type]
        with pytest.raises((ValueError, TypeError), match=r"^neighbour must"):
            mechanism.privacy_loss_between([1.0], bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="value must hold at most 32 queries"):
        mechanism.law(np.zeros(33))
    with pytest.raises(ValueError, match="same shape"):
        mechanism.privacy_loss_between([1.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="queries must be an iterable"):
        mechanism.answers(3.0, rng=rng)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="rng must be"):
        mechanism.answers([3.0], rng=None)  # type: ignore[arg-type]
    with pytest.raises((ValueError, TypeError), match=r"queries\[1\] must be"):
        list(SparseVector(1.0, 1e9).answers([3.0, math.nan], rng=rng))
    with pytest.raises(TypeError, match="privacy_loss must have one pair"):
        mechanism.privacy_loss()
    for epsilon in (0, -1, 701, math.nan):
        with pytest.raises(ValueError, match="epsilon must be in"):
            SparseVector(epsilon)


def test_noises_that_floats_do_not_hold_are_refused() -> None:
    for epsilon, share in ((1e-155, 1e-200), (1e-320, 0.5)):
        with pytest.raises(ValueError, match=r"^epsilon must give both noises a scale"):
            SparseVector(epsilon, threshold_share=share, sensitivity=1e10)
    with pytest.raises(ValueError, match=r"^threshold_share must give noises"):
        SparseVector(1.0, threshold_share=1e-110).law([0.0])


@pytest.mark.parametrize("share", [0.01, 0.2, 0.99])
def test_law_where_one_noise_is_much_wider_than_the_other(share: float) -> None:
    m = SparseVector(2.0, threshold_share=share)
    one, two = m.threshold_scale, m.query_scale
    for query in (-0.5, -3 * two, -3 * one):
        # `above` is the probability that the sum of two independent Laplace variables with these
        # scales is at least `tail`, in closed form
        squares, tail = one * one - two * two, -query
        above = (one**2 * math.exp(-tail / one) - two**2 * math.exp(-tail / two)) / (2 * squares)
        assert m.law([query]) == pytest.approx([above, 1 - above], rel=1e-11)
