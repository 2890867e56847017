"""Tests of the figures on faulty implementations of noise, and on audits that detect them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, names_fit, says

from dpteach import figures
from dpteach.attacks import is_possible_laplace
from dpteach.audit import binomial_interval
from dpteach.figures import breaking

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "a comb": (
        lambda: figures.reachable_floats(place=12.0),
        "The figure shows the 64 floats starting at 12, spaced 2 to the −49 apart. With Laplace "
        "noise of scale 10, the number of possible outputs among them is 15 for a true count of "
        "0, 18 for a count of 1, and 4 for both.",
    ),
    "nearly all holes": (
        lambda: figures.reachable_floats(place=100.0),
        "0 for a true count of 0, 0 for a count of 1, and 0 for both.",
    ),
    "no holes in wide noise of a large answer": (
        lambda: figures.reachable_floats(place=137.0, scale=0.1),
        "2 to the −45 apart",
    ),
    "four bits": (
        lambda: figures.toy_answers(bits=4),
        "50% of the outputs for 1 are impossible for 0.",
    ),
    "ten bits": (
        lambda: figures.toy_answers(bits=10),
        "0.98% of the outputs for 1 are impossible for 0.",
    ),
    "half of the noise": (
        lambda: figures.lower_bounds_of_two_desks(scale=0.5),
        "true epsilon 2, is above 1 in 19 of 20 audits with 180 or more runs. The "
        "bound for the correct one stays "
        "below 1: its median is 0.37 with 100 runs and 0.994 with a million.",
    ),
    "nearly all of it": (
        lambda: figures.lower_bounds_of_two_desks(scale=0.98),
        "with 250000 or more runs.",
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


def test_sticks_stand_on_the_floats_that_can_come() -> None:
    axes = figures.reachable_floats(place=6.0, scale=2.0)
    floats = 6.0 + np.arange(64) * math.ulp(6.0)
    zero, one = (set(np.flatnonzero(is_possible_laplace(floats, v, 2.0))) for v in (0.0, 1.0))
    drawn = [
        {int(segment[0, 0]) for segment in sticks.get_segments()}  # type: ignore[attr-defined]
        for sticks in axes.collections
    ]
    assert drawn == [zero - one, zero & one, one - zero, zero & one]


@pytest.mark.parametrize("bits", [2, 4, 7, 12])
def test_the_toy_sampler(bits: int) -> None:
    law = breaking.toy_law(bits)
    assert sum(law.values()) == 2 ** (bits + 1)
    assert all(law[-k] == count for k, count in law.items())
    # of the sampler's 2^13 equally likely inputs (12 bits and a sign), law[k] give the noise k; for
    # small k, law[k] / 2^13 is close to the density of Laplace noise with scale 10
    if bits == 12:
        for k in (3, 10, -20):
            assert law[k] / 2**13 == pytest.approx(0.05 * math.exp(-abs(k) / 10), rel=0.02)


def test_four_bits_by_hand() -> None:
    sizes = [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 21, 28]
    law = breaking.toy_law(4)
    assert sorted(k for k in law if k >= 0) == sorted(set(sizes))
    assert law[0] == 2 and law[1] == 2 and law[28] == 1


@pytest.mark.parametrize("scale", [0.5, 0.9])
def test_bands_hold_the_audits_of_other_runs(scale: float) -> None:
    low, middle, high = breaking._bounds(scale)
    assert np.all(low <= middle) and np.all(middle <= high)
    rng = np.random.default_rng(99)
    for i in (8, 30, 52):
        n = int(breaking._RUNS[i])
        bounds = []
        for _ in range(300):
            hits, others = rng.binomial(n, [0.5, 0.5 * math.exp(-1 / scale)])
            least = binomial_interval(int(hits), n)[0]
            bounds.append(max(0.0, math.log(least / binomial_interval(int(others), n)[1])))
        inside = np.mean((np.array(bounds) >= low[i]) & (np.array(bounds) <= high[i]))
        assert 0.8 < inside < 0.98
        # each audit gives a lower confidence bound on epsilon, which may exceed the true epsilon
        # 1/scale in at most one audit of twenty
        assert np.mean(np.array(bounds) > 1 / scale) < 0.06


def test_each_desk_has_its_name() -> None:
    wrong, right = (max(breaking._bounds(scale)[1]) for scale in (0.5, 1.0))
    axes = figures.lower_bounds_of_two_desks(scale=0.5)
    names_fit(axes, {"faulty service,\ntrue ε 2.00": wrong, "correct service": right})


def test_a_right_desk_is_hardly_ever_refuted() -> None:
    assert np.all(breaking._bounds(1.0)[2] < 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.reachable_floats(place=0.6),
            lambda: figures.reachable_floats(place=24),
        ),
        (lambda: figures.toy_answers(bits=3), lambda: figures.toy_answers(bits=11)),
        (
            lambda: figures.lower_bounds_of_two_desks(scale=0.5),
            lambda: figures.lower_bounds_of_two_desks(scale=0.95),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.reachable_floats(place=0), r"place must be in \[0.1, 300\]"),
        (lambda: figures.reachable_floats(place=1, scale=-1), r"scale must be in \[0.1, 1000\]"),
        (lambda: figures.toy_answers(bits=1), "bits must be an integer"),
        (lambda: figures.toy_answers(bits=13), "bits must be at most 12"),
        (lambda: figures.lower_bounds_of_two_desks(scale=1), r"scale must be in \[0.5, 0.98\]"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
