"""Tests of the figures on hypothesis tests of membership."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from scipy.stats import laplace, norm

from dpteach import Gaussian, GaussianDP, Laplace, RandomizedResponse, calibrate, figures
from dpteach.figures import _style
from dpteach.figures.trade_offs import _laplace_curve
from dpteach.notions import FDP, ApproxDP

CALLS: list[tuple[Callable[..., Axes], dict[str, float], tuple[str, ...]]] = [
    (figures.two_errors, {"line": 137.5}, ("probability 30.9%, and a miss 30.9%",)),
    (figures.two_errors, {"line": 138.645}, ("probability 5%, and a miss 74.1%",)),
    (figures.two_errors, {"line": 138.0, "sigma": 0.5}, ("2.28%, and a miss 50%",)),
    (
        figures.allowed_errors,
        {"epsilon": 1.0, "delta": 0.1},
        ("(0.242, 0.242)", "from 0.9 ", "scale 0.83", "deviation 1.09"),
    ),
    (figures.allowed_errors, {"epsilon": 1.1, "delta": 0.0}, ("(0.250, 0.250)", "scale 0.91.")),
    (figures.allowed_errors, {"epsilon": 0.0, "delta": 0.5}, ("(0.250, 0.250)", "from 0.5 ")),
    (figures.allowed_errors, {"epsilon": 0.0, "delta": 0.0}, ("(0.500, 0.500)", "No noise")),
    (figures.error_region, {"epsilon": 1.0, "sigma": 1.0}, ("0.1269", "(0.235, 0.235)")),
    (figures.error_region, {"epsilon": 0.0, "sigma": 1.0}, ("0.3829", "(0.309, 0.309)")),
    (figures.roc_at_the_low_end, {"share": 0.01}, ("detects 1.1%, the second 0.109%",)),
    (figures.roc_at_the_low_end, {"share": 0.1}, ("detects 10.1%",)),
]


def drawn(axes: Axes) -> list[tuple[np.ndarray, np.ndarray]]:
    lines = [(np.asarray(one.get_xdata()), np.asarray(one.get_ydata())) for one in axes.lines]
    return [(x, y) for x, y in lines if x.size > 50]


@pytest.mark.parametrize(("function", "arguments", "said"), CALLS)
def test_draws_and_says_its_numbers(
    function: Callable[..., Axes], arguments: dict[str, float], said: tuple[str, ...]
) -> None:
    axes = function(**arguments)
    for words in said:
        assert words in figures.alt_text(axes)
    picture = _style.svg(axes)
    assert 10_000 < len(picture) < 60_000
    assert picture == _style.svg(function(**arguments))
    mine = figures.panels(2)[0]
    assert function(**arguments, ax=mine) is mine


@pytest.mark.parametrize(("function", "arguments", "said"), CALLS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 1e9, "1", None, True])
def test_bad_arguments(
    function: Callable[..., Axes], arguments: dict[str, float], said: object, bad: Any
) -> None:
    for name in arguments:
        with pytest.raises((TypeError, ValueError), match=rf"^{name} must be .* got {name}="):
            function(**(arguments | {name: bad}))


@pytest.mark.parametrize("line", [135.0, 137.5, 139.0])
def test_the_two_errors_are_tails_of_the_two_densities(line: float) -> None:
    axes = figures.two_errors(line=line)
    (x, y) = drawn(axes)[0]
    (point,) = (one for one in axes.lines if one.get_marker() == "o")
    a, b = (float(data[0]) for data in (point.get_xdata(), point.get_ydata()))  # type: ignore[index]
    assert (a, b) == (pytest.approx(norm.sf(line, 137)), pytest.approx(norm.cdf(line, 138)))
    # the point must lie on the drawn curve: the least miss probability for each false-alarm
    # probability
    assert float(np.interp(a, x, y)) == pytest.approx(b, abs=2e-3)


@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_the_best_tests_against_laplace_noise_are_thresholds(scale: float) -> None:
    alarms, misses = _laplace_curve(scale)
    lines = np.linspace(-3, 4, 141) * scale
    a, b = laplace.sf(lines / scale), laplace.cdf((lines - 1) / scale)
    assert np.interp(a, alarms, misses) == pytest.approx(b, abs=2e-4)
    assert (np.diff(alarms) >= 0).all() and (np.diff(misses) <= 0).all()


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.1), (1.0, 0.01), (2.0, 0.3)])
def test_both_noises_just_satisfy_the_guarantee(epsilon: float, delta: float) -> None:
    curves = drawn(figures.allowed_errors(epsilon=epsilon, delta=delta))
    assert len(curves) == 2
    for x, y in curves:
        above = y - np.asarray(FDP(epsilon, delta).trade_off(x))
        assert -1e-9 < above.min() < 2e-3


def test_each_noise_has_its_name() -> None:
    axes = figures.allowed_errors(epsilon=1.0, delta=0.1)
    laplace_line, normal_line = (one for one in axes.lines if np.size(one.get_xdata()) > 50)
    scale = calibrate(Laplace, ApproxDP(1.0, 0.1)).scale
    assert np.array_equal(laplace_line.get_xdata(), _laplace_curve(scale)[0])
    for name, line in (("Laplace noise", laplace_line), ("Gaussian noise", normal_line)):
        (text,) = (one for one in axes.texts if one.get_text().startswith(name))
        assert text.get_color() == line.get_color()


def test_randomized_response_sits_in_the_corner() -> None:
    axes = figures.allowed_errors(epsilon=1.0, delta=0.0)
    lie = 1 - RandomizedResponse(epsilon=1.0).truth_probability
    corner = _style._HANDLES[axes]["epsilon"]
    assert corner == (pytest.approx(lie), pytest.approx(lie))
    # only one curve is drawn: the figure omits the curve of Gaussian noise, because with Gaussian
    # noise delta is never 0
    assert len(drawn(axes)) == 1


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
def test_pairs_touch_the_curve_from_below(sigma: float) -> None:
    axes = figures.error_region(epsilon=1.0, sigma=sigma)
    ((x, y),) = drawn(axes)
    curve = Gaussian(sigma=sigma).guarantee(GaussianDP)
    assert y[1:-1] == pytest.approx(np.asarray(curve.trade_off(x[1:-1])))
    pairs = [one for one in axes.lines if 2 < len(one.get_xdata()) < 50]  # type: ignore[arg-type]
    assert len(pairs) == 8
    for pair in pairs:
        above = y - np.interp(x, pair.get_xdata(), pair.get_ydata())
        assert -1e-9 < above.min() < 5e-3


def test_the_two_attacks_are_equally_accurate() -> None:
    axes = figures.roc_at_the_low_end(share=0.1)
    mu = 1 / calibrate(Gaussian, ApproxDP(0.0, 0.1)).sigma
    assert 2 * norm.cdf(mu / 2) - 1 == pytest.approx(0.1)
    (x, exposed), (_, normal), _ = drawn(axes)
    assert exposed == pytest.approx(0.1 + 0.9 * x)
    assert normal == pytest.approx(norm.cdf(norm.ppf(x) + mu), abs=1e-9)
    accurate = [(1 + (y - x).max()) / 2 for y in (exposed, normal)]
    assert accurate == [pytest.approx(0.55, abs=1e-3)] * 2
