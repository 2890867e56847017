"""Tests of the figures on selecting a candidate."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, names_fit, says

from dpteach import (
    ExponentialMechanism,
    KaryRandomizedResponse,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
    SparseVector,
    figures,
)
from dpteach.figures.selection import _WAITING

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "wards": (
        lambda: figures.named_wards(epsilon=0.2),
        "X-ray with 82 is selected with probability 73%; Eyes with 75 is selected with probability "
        "18%; Skin with 70 is selected with probability 7%; Heart with 64 is selected with "
        "probability 2%; Ear with 51 is selected with probability 0.1%; one of the 35 others with "
        "40 each is selected with probability 0.6%.",
    ),
    "equal wards": (
        lambda: figures.named_wards(epsilon=1.0, second=82.0),
        "Eyes with 82 is selected with probability 50%; Skin with 70 is selected with "
        "probability 0%",
    ),
    "forty candidates": (
        lambda: figures.lead_for_a_name(candidates=40),
        "With 40 candidates, it is 1,369 for all counts, 33.0 for the selection with Gumbel noise, "
        "and 29.7 with exponential",
    ),
    "two candidates": (
        lambda: figures.lead_for_a_name(candidates=2, epsilon=1.0),
        "With 2 candidates, it is 7 for all counts, 2.9 for the selection with Gumbel noise, "
        "and 2.3 with exponential",
    ),
    "a name and a coin": (
        lambda: figures.renyi_of_a_name(order=2.0),
        "below a straight line of slope 0.1233. At order 2, they are at 0.735 and 0.240.",
    ),
    "a bell": (
        lambda: figures.alarm_days(threshold=103.0, epsilon=0.5),
        "on day 21 with probability 75%, before it with 14%, never with 7%.",
    ),
    "forty categories": (
        lambda: figures.local_and_central(categories=40),
        "For 3,000 people, it is 203 with one of k, 108 with one bit each and 2.8 for the query "
        "service.",
    ),
    "two categories": (
        lambda: figures.local_and_central(categories=2),
        "For 3,000 people, it is 53 with one of k, 108 with one bit",
    ),
}


def curves(axes: Axes) -> list[np.ndarray]:
    """Return the x and y values of each line with more than two points."""
    lines = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in lines if line.shape[1] > 2]


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize("epsilon", [0.02, 0.2, 1.0])
@pytest.mark.parametrize(("first", "second"), [(82.0, 75.0), (75.0, 86.0)])
def test_bars_are_the_mechanism_s_law(epsilon: float, first: float, second: float) -> None:
    axes = figures.named_wards(epsilon=epsilon, first=first, second=second)
    widths = [bar.get_width() for bar in axes.patches]  # type: ignore[attr-defined]
    weights = np.exp(epsilon * np.array([first, second, 70, 64, 51, *[40.0] * 35]))
    law = weights / weights.sum()
    zero, _, hundred = axes.get_xticks()[3:]
    assert np.array(widths) / (hundred - zero) == pytest.approx([*law[:5], law[5:].sum()])


@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_the_lead_makes_the_name_right_95_times_in_100(epsilon: float) -> None:
    numbers, gumbel, exponential = curves(figures.lead_for_a_name(candidates=40, epsilon=epsilon))
    for i, n in enumerate(int(x) for x in numbers[0]):
        rivals = [0.0] * (n - 1)
        for share, noise, curve in (
            (epsilon / n, "laplace", numbers),
            (epsilon, "gumbel", gumbel),
            (epsilon, "exponential", exponential),
        ):
            mechanism = ReportNoisyMax(share, monotonic=True, noise=noise)
            assert mechanism.law([curve[1][i], *rivals])[0] == pytest.approx(0.95, abs=1e-6)
        assert gumbel[1][i] == pytest.approx(math.log(19 * (n - 1)) / epsilon)


def test_curves_are_those_of_the_mechanisms() -> None:
    coin, name = curves(figures.renyi_of_a_name(order=3.0, epsilon=0.7))[-2:]
    for curve, mechanism in (
        (coin, RandomizedResponse(0.7)),
        (name, ExponentialMechanism(0.7)),
    ):
        expected = mechanism.guarantee(RenyiDP, orders=list(curve[0])).epsilons
        assert curve[1] == pytest.approx(expected)


def test_coin_and_name_are_told_apart() -> None:
    axes = figures.renyi_of_a_name(order=3.0, epsilon=0.7)
    both = {
        "randomized response": RandomizedResponse(0.7),
        "exponential mechanism": ExponentialMechanism(0.7),
    }
    names_fit(axes, {k: m.guarantee(RenyiDP, orders=12).epsilons[0] for k, m in both.items()})


@pytest.mark.parametrize("threshold", [85.0, 103.0])
def test_bars_are_the_law_of_the_alarm(threshold: float) -> None:
    axes = figures.alarm_days(threshold=threshold, epsilon=0.5)
    heights = [bar.get_height() for bar in axes.patches]  # type: ignore[attr-defined]
    mechanism = SparseVector(0.5, threshold=threshold, monotonic=True)
    rng = np.random.default_rng(1)
    ends = [len(mechanism.release(_WAITING, rng=rng)) for _ in range(20_000)]
    drawn = np.bincount(ends, minlength=31)[1:] / len(ends)
    # the probability that some bar is wrong by five standard deviations is only 1/60,000. Leave out
    # the last bar, because in it the simulation also counts the runs without an alarm
    assert np.abs(np.array(heights) / 50 - drawn)[:-1].max() < 5 * math.sqrt(0.25 / len(ends))


def test_the_errors_are_those_of_the_estimates() -> None:
    one, bits, desk = (curve[1] for curve in curves(figures.local_and_central(categories=5)))
    rng = np.random.default_rng(2)
    # all people are in category 1, so the true count of category 0 is 0
    people = np.ones(100, dtype=np.int64)
    survey = KaryRandomizedResponse(1.0, 5)
    estimates = [100 * survey.frequencies(survey.release(people, rng=rng))[0] for _ in range(4000)]
    assert np.std(estimates) == pytest.approx(one[0], rel=0.06)
    bit = RandomizedResponse(0.5)
    yes = np.array([bit.release(np.zeros(100, dtype=int), rng=rng).sum() for _ in range(4000)])
    assert yes.std() / (2 * bit.truth_probability - 1) == pytest.approx(bits[0], rel=0.06)
    assert desk == pytest.approx(2 * math.sqrt(2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.named_wards(epsilon=0.02, first=75.0, second=65.0),
            lambda: figures.named_wards(epsilon=1.0, first=90.0, second=86.0),
        ),
        (
            lambda: figures.lead_for_a_name(candidates=2),
            lambda: figures.lead_for_a_name(candidates=120),
        ),
        (
            lambda: figures.renyi_of_a_name(order=1.0),
            lambda: figures.renyi_of_a_name(order=12.0),
        ),
        (
            lambda: figures.alarm_days(threshold=85.0, epsilon=0.1),
            lambda: figures.alarm_days(threshold=115.0, epsilon=2.0),
        ),
        (
            lambda: figures.local_and_central(categories=2),
            lambda: figures.local_and_central(categories=1000),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.named_wards(epsilon=0.0), r"epsilon must be in \[0.01, 2\]"),
        (lambda: figures.named_wards(epsilon=1.0, first=96.0), r"first must be in \[40, 95\]"),
        (lambda: figures.named_wards(epsilon=1.0, second=math.nan), r"second must be in"),
        (lambda: figures.lead_for_a_name(candidates=1), r"candidates must be"),
        (lambda: figures.lead_for_a_name(candidates=121), r"candidates must be at most 120"),
        (lambda: figures.renyi_of_a_name(order=0.5), r"order must be in \[1, 12\]"),
        (
            lambda: figures.alarm_days(threshold=70.0, epsilon=1.0),
            r"threshold must be in \[80, 130\]",
        ),
        (lambda: figures.alarm_days(threshold=100.0, epsilon=3.0), r"epsilon must be in"),
        (lambda: figures.local_and_central(categories=1), r"categories must be"),
        (lambda: figures.local_and_central(categories=1001), r"categories must be at most 1000"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
