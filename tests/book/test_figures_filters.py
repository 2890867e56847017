"""Tests of the figures on privacy filters and odometers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says
from scipy.stats import binom

from dpteach import (
    ZCDP,
    Accountant,
    ApproxDP,
    Gaussian,
    Laplace,
    PureDP,
    RandomizedResponse,
    calibrate,
    figures,
)
from dpteach.figures import _style
from dpteach.filters import Odometer

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "a month": (
        lambda: figures.stopped_losses(evenings=30),
        "On evening 30 the loss is above the line for that evening with probability 4.0%. With "
        "probability 13.4% it has been above the line on at least one evening by then.",
    ),
    "a year": (
        lambda: figures.stopped_losses(evenings=365),
        "At the end of the year the line for a single evening is at 4.90. The dashed line, which "
        "is valid for all evenings simultaneously, is at 8.65; the loss exceeds it at some time "
        "during the year with probability 0.004.",
    ),
    "fine": (
        lambda: figures.next_question(noise=10),
        "Under pure DP, 20% of the budget is used, the next answer would use 14%, and 5 such "
        "answers fit. Under zCDP, 10% of the budget is used, the next answer would use 33%, and 2 "
        "such answers fit. Under Gaussian DP, 9% of the budget is used, the next answer would use "
        "30%, and 3 such answers fit.",
    ),
    "too fine": (lambda: figures.next_question(noise=5), "0 such answers fit. Under Gaussian DP"),
    "coarse": (lambda: figures.next_question(noise=200), "1202 such answers fit."),
    "the filter's order": (
        lambda: figures.odometer_of_one_order(order=42.9),
        "After 100 answers the line of order 42.9 is at 1.000, the odometer that combines 32 "
        "orders is at 1.079, and the bound for a single moment fixed in advance is at 1.000.",
    ),
    "a low order": (
        lambda: figures.odometer_of_one_order(order=20),
        "The line of order 20 touches the single-moment bound at 487 answers, outside the figure.",
    ),
}


def curves(axes: Axes) -> list[np.ndarray]:
    """Return the x and y values of each line with more than 80 points."""
    lines = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in lines if line.shape[1] > 80]


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


def test_lines_hold_for_each_evening_and_for_all() -> None:
    each, always = curves(figures.stopped_losses(evenings=60, epsilon=0.2, delta=0.02))
    truth = RandomizedResponse(epsilon=0.2).truth_probability
    evenings = each[0]
    steps = np.rint(each[1] / 0.2)
    assert np.all(binom.sf((evenings + steps) // 2, evenings, truth) <= 0.02)
    assert np.all(binom.sf((evenings + steps) // 2 - 1, evenings, truth) > 0.02)
    odometer = Odometer(0.02)
    said = [odometer.spend(PureDP(0.2)).epsilon for _ in range(365)]
    assert always[1] == pytest.approx(said[::4])


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.05), (0.3, 0.01)])
def test_ever_above_is_what_walks_do(epsilon: float, delta: float) -> None:
    axes = figures.stopped_losses(evenings=365, epsilon=epsilon, delta=delta)
    words = figures.alt_text(axes)
    ever = float(words.split(". With probability ")[1].split("%")[0]) / 100
    never = float(words.split("during the year with probability ")[1].rstrip("."))
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    k = np.arange(1, 366)
    toss = np.random.default_rng(1).random((20_000, 365)) < truth
    walks = np.cumsum(np.where(toss, 1, -1), axis=1)
    line = 2 * binom.ppf(1 - delta, k, truth) - k
    odometer = Odometer(delta)
    always = [odometer.spend(PureDP(epsilon)).epsilon / epsilon for _ in k]
    found = (walks > line).any(axis=1).mean(), (walks > np.array(always) + 1e-9).any(axis=1).mean()
    for exact, seen in zip((ever, never), found, strict=True):
        assert abs(exact - seen) < 5 * math.sqrt(exact / 20_000) + 0.001
    assert never <= delta < ever


def test_walks_stop_above_the_line() -> None:
    axes = figures.stopped_losses(evenings=365)
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    *stopped, shown = [tuple(np.asarray(dot.get_xydata(), dtype=float)[0]) for dot in dots]
    assert len(stopped) == 6 and shown[0] == 365
    truth = RandomizedResponse(epsilon=0.1).truth_probability
    for k, loss in stopped:
        assert loss > (2 * binom.ppf(0.95, k, truth) - k) * 0.1
    assert {dot.get_color() for dot in dots[:-1]} == {_style.VERMILLION}


@pytest.mark.parametrize("noise", [12, 30, 100])
def test_answers_that_fit_are_counted_as_the_library_counts_them(noise: float) -> None:
    words = figures.alt_text(figures.next_question(noise=noise))
    pure, zcdp, gaussian = (int(n) for n in re.findall(r"(\d+) such answer", words))
    asked = (60, 60, 40, 100, 100, 30, 80, 50)
    target = ApproxDP(1.0, 1e-9)
    year = Accountant()
    for sigma in asked:
        year.compose(Gaussian(sigma=sigma))
    assert gaussian == year.remaining(Gaussian(sigma=noise), target)
    paid = sum(Laplace(scale=s / math.sqrt(2)).guarantee(PureDP).epsilon for s in asked)
    assert pure == math.floor((1 - paid) * noise / math.sqrt(2))
    rho = calibrate(Gaussian, target, via=ZCDP).guarantee(ZCDP).rho
    assert zcdp == math.floor((rho - sum(1 / (2 * s**2) for s in asked)) * 2 * noise**2)


def test_the_next_answer_begins_where_what_is_spent_ends() -> None:
    bars = figures.next_question(noise=30).patches
    for _, spent, following in zip(bars[::3], bars[1::3], bars[2::3], strict=True):
        assert 0 < spent.get_width() == following.get_x()


@pytest.mark.parametrize("order", [12.0, 42.9, 150.0])
def test_no_line_is_below_the_bound_for_one_moment(order: float) -> None:
    moment, many, line = curves(figures.odometer_of_one_order(order=order))
    assert np.all(line[1] >= moment[1] - 1e-12)
    assert np.all(many[1] > moment[1])
    level = math.log(1e9)
    rho = (math.sqrt(level + 1) - math.sqrt(level)) ** 2 / 100
    assert line[1] == pytest.approx(order * rho * line[0] + level / (order - 1))
    assert moment[1] == pytest.approx(rho * line[0] + 2 * np.sqrt(rho * line[0] * level))


def test_each_bound_has_its_name_at_its_end() -> None:
    axes = figures.odometer_of_one_order(order=80.0)
    names = {text.get_text(): text for text in axes.texts}
    moment, many, line = (one for one in axes.lines if len(one.get_xdata()) > 80)
    for name, drawn in (("one moment", moment), ("odometer", many), ("one order", line)):
        assert names[name].get_color() == drawn.get_color()
        assert names[name].get_position()[1] == pytest.approx(drawn.get_ydata()[-1], abs=0.02)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.stopped_losses(evenings=1),
            lambda: figures.stopped_losses(evenings=365),
        ),
        (lambda: figures.next_question(noise=5), lambda: figures.next_question(noise=200)),
        (
            lambda: figures.odometer_of_one_order(order=12),
            lambda: figures.odometer_of_one_order(order=200),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.stopped_losses(evenings=0), "evenings must be an integer"),
        (lambda: figures.stopped_losses(evenings=366), "evenings must be at most 365"),
        (lambda: figures.stopped_losses(evenings=9, epsilon=2), "epsilon must be in"),
        (lambda: figures.stopped_losses(evenings=9, delta=0.5), "delta must be in"),
        (lambda: figures.next_question(noise=1), r"noise must be in \[5, 1000\]"),
        (lambda: figures.next_question(noise=10, epsilon=9), "epsilon must be in"),
        (lambda: figures.next_question(noise=10, delta=0), "delta must be in"),
        (lambda: figures.odometer_of_one_order(order=1), r"order must be in \[2, 1000\]"),
        (lambda: figures.odometer_of_one_order(order=9, epsilon=math.nan), "epsilon must be"),
        (lambda: figures.odometer_of_one_order(order=9, delta=1), "delta must be in"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
