"""Tests of sensitivities: closed formulas against a search over all neighbors, and clipping."""

from __future__ import annotations

import itertools
import math
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import Adjacency, Gaussian, Laplace, PureDP, calibrate, sensitivity
from dpteach.sensitivity import (
    Neighbours,
    clip,
    clip_norm,
    count_sensitivity,
    farthest_neighbours,
    histogram_sensitivity,
    l1_sensitivity,
    l2_sensitivity,
    linear_sensitivity,
    linf_sensitivity,
    mean_sensitivity,
    sum_sensitivity,
)

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
NORMS = (1, 2, math.inf)
SEARCHES = ((1, l1_sensitivity), (2, l2_sensitivity), (math.inf, linf_sensitivity))
Query = Callable[[tuple[Any, ...]], Any]
Dataset = tuple[Any, ...]


def by_all_sequences(
    query: Callable[[Dataset], Any],
    universe: list[Any],
    size: int,
    norm: float,
    adjacency: Adjacency,
) -> float:
    """Return the sensitivity by its definition, over all sequences of at most `size` records."""
    found = 0.0
    for n in range(1, size + 1):
        for records in itertools.product(universe, repeat=n):
            for i in range(n):
                rest = records[:i] + records[i + 1 :]
                others = [rest]
                if adjacency is REPLACE:
                    others = [(*records[:i], x, *records[i + 1 :]) for x in universe]
                for other in others:
                    change = np.ravel(np.subtract(query(records), query(other), dtype=float))
                    found = max(found, float(np.linalg.norm(change, norm)))
    return found


def histogram(dataset: Dataset) -> list[int]:
    return [dataset.count(cell) for cell in "abc"]


QUERIES: list[tuple[Query, list[Any]]] = [
    (len, ["x"]),
    (sum, [-2, 0, 3]),
    (histogram, ["a", "b", "c"]),
    (lambda d: max(d, default=0), [0, 1, 5]),
    (lambda d: (sum(d), sum(x * x for x in d), -len(d)), [-1.5, 0.25, 2.0]),
    (lambda d: [[len(set(d)), 0], [0, sum(x > 1 for x in d)]], [0, 1, 2, 3]),
]


@pytest.mark.parametrize(
    ("number", "adjacency"),
    [
        (number, adjacency)
        for number, (_, universe) in enumerate(QUERIES)
        for adjacency in (ADD, REPLACE)
        # in a universe of one record, no record can be replaced by another
        if len(universe) > 1 or adjacency is ADD
    ],
)
def test_search_against_the_definition(number: int, adjacency: Adjacency) -> None:
    query, universe = QUERIES[number]
    for norm, function in zip(
        NORMS, (l1_sensitivity, l2_sensitivity, linf_sensitivity), strict=True
    ):
        found = function(query, universe, size=3, adjacency=adjacency)
        exact = by_all_sequences(query, universe, 3, norm, adjacency)
        assert found == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_closed_forms_are_what_the_search_finds(adjacency: Adjacency) -> None:
    at: dict[str, Any] = {"size": 3, "adjacency": adjacency}
    for norm, function in zip(
        NORMS, (l1_sensitivity, l2_sensitivity, linf_sensitivity), strict=True
    ):
        count = function(lambda d: d.count("a"), "ab", **at)
        assert count == count_sensitivity(adjacency=adjacency)
        for lower, upper in ((0, 4), (-3, 1), (2, 5), (-2, -1), (7, 7)):
            ends = sorted({lower, upper})
            if len(ends) == 1 and adjacency is REPLACE:
                assert sum_sensitivity(lower, upper, adjacency=adjacency) == 0
                continue
            assert function(sum, ends, **at) == sum_sensitivity(lower, upper, adjacency=adjacency)
        cells = function(histogram, "abc", **at)
        assert cells == histogram_sensitivity(norm=norm, adjacency=adjacency)
        rng = np.random.default_rng(2)
        for shape in ((1, 2), (4, 3), (2, 5)):
            matrix = rng.normal(size=shape)
            search = function(
                lambda d, m=matrix: m @ np.bincount(d, minlength=m.shape[1]),
                range(shape[1]),
                **at,
            )
            closed = linear_sensitivity(matrix, norm=norm, adjacency=adjacency)
            assert search == pytest.approx(closed, rel=1e-12)
    mean = l1_sensitivity(np.mean, [-3, 0.5, 4], size=4, smallest=4, adjacency=REPLACE)
    assert mean == mean_sensitivity(-3, 4, size=4) == 1.75


def test_linear_queries_by_hand() -> None:
    prefix = np.tril(np.ones((5, 5)))
    assert linear_sensitivity(prefix) == 5
    assert linear_sensitivity(prefix, norm=2) == pytest.approx(math.sqrt(5))
    assert linear_sensitivity(prefix, norm=math.inf) == 1
    assert linear_sensitivity(prefix, adjacency=REPLACE) == 4
    assert linear_sensitivity(np.eye(3), adjacency=REPLACE) == 2
    assert linear_sensitivity(np.eye(3), norm=2, adjacency=REPLACE) == pytest.approx(math.sqrt(2))
    assert linear_sensitivity([[3.0]], adjacency=REPLACE) == 0
    assert linear_sensitivity(np.ones((2, 5000)), norm=math.inf, adjacency=REPLACE) == 0
    with pytest.raises(ValueError, match="matrix must have at most 100000 pairs"):
        linear_sensitivity(np.ones((2, 5000)), adjacency=REPLACE)


def test_sensitivities_feed_the_mechanisms() -> None:
    laplace = calibrate(Laplace, PureDP(0.5), sensitivity=l1_sensitivity(histogram, "abc", size=2))
    assert laplace.scale == 2.0
    far = farthest_neighbours(histogram, "abc", size=2, norm=2, adjacency=REPLACE)
    gaussian = Gaussian(3.0, far.distance, adjacency=REPLACE)
    loss = gaussian.privacy_loss_between(histogram(far.dataset), histogram(far.neighbour))
    assert loss.kl() == pytest.approx(gaussian.privacy_loss().kl(), rel=1e-12)


def test_farthest_neighbours_are_a_pair() -> None:
    found = farthest_neighbours(sum, [0, 10, 3], size=2, norm=1, adjacency=REPLACE)
    assert found == Neighbours((0,), (10,), 10.0)
    found = farthest_neighbours(len, "a", size=4, smallest=3)
    assert found == Neighbours(("a",) * 3, ("a",) * 4, 1.0)
    # records may be unhashable objects, such as lists
    found = farthest_neighbours(lambda d: sum(r[0] for r in d), [[3], [1]], size=1)
    assert found == Neighbours((), ([3],), 3.0)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize(("norm", "search"), SEARCHES)
def test_the_three_searches_hand_all_on(norm: float, search: Any, adjacency: Adjacency) -> None:
    # this query changes most between small datasets. With `smallest` = 2 these are left out, so the
    # largest change must be smaller than with `smallest` = 0
    def query(dataset: Dataset) -> tuple[float, int]:
        return sum(dataset) / (1 + len(dataset)) ** 3, len(dataset)

    found = {}
    for smallest in (0, 2):
        told: dict[str, Any] = {"size": 3, "smallest": smallest, "adjacency": adjacency}
        found[smallest] = search(query, range(1, 40, 13), **told)
        far = farthest_neighbours(query, range(1, 40, 13), norm=norm, **told)
        assert found[smallest] == far.distance
    assert found[2] < found[0]


def test_searches_that_are_not() -> None:
    calls = 0

    def counted(dataset: Dataset) -> int:
        nonlocal calls
        calls += 1
        return len(dataset)

    l1_sensitivity(counted, "abc", size=5)
    # the query is called once for every multiset of at most five records
    assert calls == math.comb(8, 3)
    start = time.process_time()
    for universe, size, smallest in (
        (range(100), 10, 0),
        (range(2), 10**9, 10**9 - 1),
        (range(1), 10**9, 0),
        (itertools.count(), 3, 0),
        (range(10**9), 3, 3),
    ):
        for adjacency in (ADD, REPLACE):
            with pytest.raises(ValueError, match="size must"):
                l1_sensitivity(counted, universe, size=size, smallest=smallest, adjacency=adjacency)
    assert time.process_time() - start < 2
    for adjacency, universe in ((ADD, "abc"), (REPLACE, "a")):
        with pytest.raises(ValueError, match="size must leave neighbors"):
            l1_sensitivity(counted, universe, size=3, smallest=3, adjacency=adjacency)
    with pytest.raises(ValueError, match="smallest must be <= size=2, got smallest=3"):
        l1_sensitivity(counted, "ab", size=2, smallest=3)
    with pytest.raises(ValueError, match="query must answer with one shape"):
        l1_sensitivity(lambda d: list(d), [1, 2], size=2)
    for answer in (math.nan, "x", None, [math.inf]):
        with pytest.raises((ValueError, TypeError), match=r"query\(dataset\) must hold"):
            l1_sensitivity(lambda d, a=answer: a, [1, 2], size=2)
    with pytest.raises(ZeroDivisionError):  # an error raised by the query reaches the user
        l1_sensitivity(lambda d: 1 / len(d), [1, 2], size=2)
    # a boolean answer counts as a number
    assert l1_sensitivity(lambda d: len(d) > 1, [1, 2], size=2) == 1
    assert l1_sensitivity(lambda d: [], [1, 2], size=2) == 0


def test_intervals_that_are_not() -> None:
    for function in (sum_sensitivity, lambda a, b: mean_sensitivity(a, b, size=2)):
        with pytest.raises(ValueError, match=r"lower must be <= upper, got lower=2\.0"):
            function(2, 1)
    with pytest.raises(ValueError, match="lower must be <= upper"):
        clip([1.0], 2, 1)
    with pytest.raises(ValueError, match="upper must be within"):
        sum_sensitivity(-1e308, 1e308, adjacency=REPLACE)
    assert mean_sensitivity(-1e308, 1e308, size=2) == 1e308
    with pytest.raises(ValueError, match="adjacency must be REPLACE_ONE"):
        mean_sensitivity(0, 1, size=2, adjacency=ADD)
    for bad in ([], [[]], [1.0, 2.0], np.zeros((2, 0)), np.zeros((1, 1, 1))):
        with pytest.raises(ValueError, match="matrix must be of shape"):
            linear_sensitivity(bad)


def test_clip() -> None:
    assert clip([[-5, 0.5], [7, 2]], 0, 2).tolist() == [[0, 0.5], [2, 2]]
    assert clip(3, 0, 1) == 1 and clip([], 0, 1).shape == (0,)
    value = np.array([5.0])
    assert clip(value, 0, 1) == 1 and value == 5


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(
    st.lists(
        st.lists(
            st.floats(-1e3, 1e3) | st.sampled_from([0.0, 1e-300, 5e-324, 1e308, -1e308]),
            min_size=3,
            max_size=3,
        ),
        min_size=1,
        max_size=4,
    ),
    st.floats(1e-6, 1e6),
    st.sampled_from(NORMS),
)
def test_clip_norm(rows: list[list[float]], bound: float, norm: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clipped = clip_norm(rows, bound, norm=norm)
    for before, after in zip(np.array(rows), clipped, strict=True):
        # check in fractions: rounding may put the exact norm slightly above the bound
        assert exact_norm_at_most(after, bound * (1 + 3e-16), norm)
        if exact_norm_at_most(before, bound * (1 - 1e-13), norm):
            assert np.array_equal(before, after)
        else:
            largest = np.abs(before).max()
            assert np.abs(after).max() > 0
            assert after / np.abs(after).max() == pytest.approx(before / largest, rel=1e-12)
            assert not exact_norm_at_most(after, bound * (1 - 1e-12), norm)


def exact_norm_at_most(vector: Any, bound: float, norm: float) -> bool:
    entries = [abs(Fraction(float(x))) for x in vector]
    limit = Fraction(bound)
    if norm == 1:
        return sum(entries) <= limit
    if norm == 2:
        return sum(x * x for x in entries) <= limit * limit
    return max(entries) <= limit


def test_clip_norm_shapes() -> None:
    assert clip_norm([3.0, 4.0], 10.0).tolist() == [3.0, 4.0]
    assert clip_norm(np.full((2, 3, 4), 7.0), 1.0).shape == (2, 3, 4)
    assert clip_norm([], 1.0).shape == (0,) and clip_norm(np.zeros((2, 0)), 1.0).shape == (2, 0)
    assert clip_norm([[0.0, 0.0]], 1.0).tolist() == [[0.0, 0.0]]
    with pytest.raises(ValueError, match="value must hold vectors"):
        clip_norm(3.0, 1.0)
    # one person changes a sum of clipped records by at most the bound
    records = clip_norm(np.random.default_rng(0).normal(size=(4, 3)) * 5, 2.0, norm=1)
    change = l1_sensitivity(
        lambda d: sum((np.array(r) for r in d), np.zeros(3)), [tuple(r) for r in records], size=2
    )
    assert change <= 2.0 * (1 + 1e-12)


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize(("records", "size", "smallest"), [(4, 3, 0), (4, 3, 2), (5, 2, 0)])
def test_as_many_pairs_as_are_allowed(
    records: int, size: int, smallest: int, replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    at: dict[str, Any] = {"size": size, "smallest": smallest}
    at["adjacency"] = REPLACE if replaced else ADD
    there_are = len(list(sensitivity._pairs(records, size, smallest, replaced)))
    monkeypatch.setattr(sensitivity, "MOST_PAIRS", there_are)
    assert l1_sensitivity(len, range(records), **at) == (0 if replaced else 1)
    monkeypatch.setattr(sensitivity, "MOST_PAIRS", there_are - 1)
    with pytest.raises(ValueError, match=f"^size must give at most {there_are - 1} pairs"):
        l1_sensitivity(len, range(records), **at)


@pytest.mark.parametrize("norm", [1, 2, math.inf])
def test_a_vector_within_the_bound_is_kept_to_the_last_digit(norm: float) -> None:
    rows = np.random.default_rng(3).normal(size=(50, 3))
    for row in rows:
        length = float(np.linalg.norm(row, norm))
        for bound in (length * (1 + 1e-14), length * (1 + 1e-9)):
            assert clip_norm(row, bound, norm=norm).tolist() == row.tolist()
    assert clip_norm([3.0, 4.0], 5.0).tolist() == [3.0, 4.0]
    assert clip_norm([3.0, -4.0], 7.0, norm=1).tolist() == [3.0, -4.0]
