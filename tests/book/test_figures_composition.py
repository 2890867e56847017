"""Tests of the figures on composition."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says

from dpteach import ApproxDP, Gaussian, Laplace, PureDP, calibrate, figures
from dpteach.composition import (
    advanced_composition,
    advanced_composition_tight,
    optimal_composition,
    worst_steps,
)

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "one coin": (
        lambda: figures.losses_of_coins(k=1, epsilon=0.1),
        "the total privacy loss of 1 report with epsilon 0.1, on an axis from −0.1 to 0.1.",
    ),
    "a hundred coins": (
        lambda: figures.losses_of_coins(k=100, epsilon=0.1),
        "The mean is 0.5; the worst case, 10, has probability 1 in 10²⁸; the 99th percentile is "
        "2.8, which is 28% of the worst case.",
    ),
    "quiet answers": (
        lambda: figures.composed_epsilons(epsilon=0.1, delta=1e-6),
        "below basic composition for 31 or more releases. At 1,000 releases the values of epsilon "
        "are 100 by basic composition, 27.14 by the usual formula, 21.62 by advanced "
        "composition, and 19.34 by optimal composition.",
    ),
    "loud answers": (
        lambda: figures.composed_epsilons(epsilon=3.0, delta=1e-6),
        "below basic composition for no number up to 1,000.",
    ),
    "Laplace, all counts": (
        lambda: figures.laplace_noise_for_queries(epsilon=0.1),
        "at 10 counts, both methods need scale 100.",
    ),
    "Laplace, three counts": (
        lambda: figures.laplace_noise_for_queries(epsilon=0.2, shared=3),
        "at 10 counts, one at a time needs scale 50, and one vector 15.",
    ),
    "Gaussian": (
        lambda: figures.gaussian_noise_for_queries(epsilon=0.1),
        "5768 by the recipe, 484 for one vector, and 307 for the smallest valid value.",
    ),
    "Gaussian, one count": (
        lambda: figures.gaussian_noise_for_queries(epsilon=1.0, k=1),
        "For 1 count, the standard deviation is 49 by the recipe, 5 for one vector, and 4 for "
        "the smallest valid value.",
    ),
}


def curves(axes: Axes) -> list[np.ndarray]:
    """Return the x and y values of each line with more than two points."""
    lines = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in lines if line.shape[1] > 2]


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call], most=110_000)


@pytest.mark.parametrize("k", [1, 2, 10, 100])
def test_bars_are_the_law_of_the_loss(k: int) -> None:
    axes = figures.losses_of_coins(k=k, epsilon=0.5)
    bars = {
        bar.get_x() + bar.get_width() / 2: bar.get_height()
        for bar in axes.patches  # type: ignore[attr-defined]
    }
    total = sum(bars.values())
    law = worst_steps(ApproxDP(0.5, 0.0), k)
    for level in (-0.75, -0.25, 0.1, 0.6, 0.95):
        beyond = sum(height for place, height in bars.items() if place > level) / total
        assert beyond == pytest.approx(law.tail(level * k * 0.5), abs=1e-9)
    mean = sum(place * height for place, height in bars.items()) / total
    assert mean == pytest.approx(law.kl() / (0.5 * k), abs=1e-9)
    # the drawn point is at the least value that the loss exceeds with probability at most 1/100
    point = next(line for line in axes.lines if line.get_marker() == "o")
    stay = float(np.asarray(point.get_xdata())[0]) * k * 0.5
    assert law.tail(stay + 1e-9) <= 0.01 < law.tail(stay - 1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.03, 1e-9), (0.1, 1e-6), (1.0, 1e-3)])
def test_curves_are_the_theorems(epsilon: float, delta: float) -> None:
    axes = figures.composed_epsilons(epsilon=epsilon, delta=delta)
    step = ApproxDP(epsilon, 0.0)
    added, textbook, advanced, optimal = curves(axes)
    for i, k in enumerate(int(x) for x in added[0]):
        assert added[1][i] == k
        printed = advanced_composition(step, k, slack=delta).epsilon
        tight = advanced_composition_tight(step, k, slack=delta).epsilon
        best = optimal_composition(step, k, delta=delta).epsilon
        assert textbook[1][i] * epsilon == pytest.approx(printed)
        # `tight` is the smallest of three formulas. The figure draws one of them; the other two can
        # be smaller only if sqrt(k) epsilon < 1
        assert advanced[1][i] * epsilon >= tight * (1 - 1e-12)
        if math.sqrt(k) * epsilon >= 1:
            assert advanced[1][i] * epsilon == pytest.approx(tight)
        assert advanced[1][i] <= min(k, textbook[1][i]) * (1 + 1e-12)
        assert optimal[1][i] * epsilon == pytest.approx(best)
        assert best <= tight * (1 + 1e-12) <= min(printed, k * epsilon) * (1 + 1e-11)
    (place,) = (one.get_xydata() for one in axes.lines if one.get_marker() == "o")
    # the drawn point is on the diagonal, where the total epsilon equals that of basic composition
    assert place[0, 0] == place[0, 1]


@pytest.mark.parametrize("shared", [1, 3, 10])
def test_laplace_noise_is_what_the_library_calibrates(shared: int) -> None:
    one_by_one, at_once = curves(figures.laplace_noise_for_queries(epsilon=0.5, shared=shared))
    for k in range(1, 11):
        scale = calibrate(Laplace, PureDP(0.5 / k)).scale
        assert one_by_one[1][k - 1] == pytest.approx(scale)
        vector = calibrate(Laplace, PureDP(0.5), sensitivity=min(k, shared)).scale
        assert at_once[1][k - 1] == pytest.approx(vector)


def test_gaussian_noise_is_the_sources_formulas_and_the_exact() -> None:
    axes = figures.gaussian_noise_for_queries(epsilon=0.1, delta=1e-5)
    composed, at_once, exact = curves(axes)
    for i, k in enumerate(composed[0]):
        square = 16 * k * math.log(2e5) * math.log(2.5e5 * k) / 0.01
        assert composed[1][i] ** 2 == pytest.approx(square)
        assert at_once[1][i] ** 2 == pytest.approx(2 * k * math.log(1.25e5) / 0.01)
        noise = calibrate(Gaussian, ApproxDP(0.1, 1e-5), sensitivity=math.sqrt(k)).sigma
        assert exact[1][i] == pytest.approx(noise, rel=1e-6)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.losses_of_coins(k=1, epsilon=0.1),
            lambda: figures.losses_of_coins(k=500, epsilon=0.1),
        ),
        (
            lambda: figures.composed_epsilons(epsilon=0.01, delta=1e-9),
            lambda: figures.composed_epsilons(epsilon=3.0, delta=1e-3),
        ),
        (
            lambda: figures.laplace_noise_for_queries(epsilon=0.1, shared=1),
            lambda: figures.laplace_noise_for_queries(epsilon=0.5, shared=10),
        ),
        (
            lambda: figures.gaussian_noise_for_queries(epsilon=0.1, k=1),
            lambda: figures.gaussian_noise_for_queries(epsilon=1.0, k=1000),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.losses_of_coins(k=0, epsilon=0.1), "k must be an integer"),
        (lambda: figures.losses_of_coins(k=1001, epsilon=0.1), "k must be at most 1000"),
        (lambda: figures.losses_of_coins(k=1, epsilon=2.0), r"epsilon must be in \(0, 1\]"),
        (
            lambda: figures.composed_epsilons(epsilon=9.0, delta=1e-5),
            r"epsilon must be in \[0.001, 5\]",
        ),
        (lambda: figures.composed_epsilons(epsilon=0.1, delta=math.nan), "delta must be"),
        (lambda: figures.laplace_noise_for_queries(epsilon=-1.0), "epsilon must be in"),
        (
            lambda: figures.laplace_noise_for_queries(epsilon=0.1, shared=11),
            "shared must be at most 10",
        ),
        (lambda: figures.gaussian_noise_for_queries(epsilon=0.1, delta=1.0), "delta must be in"),
        (lambda: figures.gaussian_noise_for_queries(epsilon=0.1, k=2000), "k must be at most"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
