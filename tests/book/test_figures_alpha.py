"""Tests that the figures on alpha-DP, and their descriptions, show the library's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pictures import keep_the_frame, says

from dpteach import (
    AlphaDP,
    ApproxDP,
    Gaussian,
    GaussianDP,
    Laplace,
    RandomizedResponse,
    conversions,
    convert,
    figures,
)
from dpteach.calibration import epsilon_on_grid
from dpteach.figures import _style
from dpteach.figures.alpha import wrong_log_moment

CALLS: dict[str, Callable[..., Any]] = {
    "order_search": lambda **more: figures.order_search(**{"delta": 1e-15, **more}),
    "two_scales": lambda **more: figures.two_scales(**{"order": 119, **more}),
    "one_answer_by_order": lambda **more: figures.one_answer_by_order(**{"scale": 1.0, **more}),
    "epsilon_valleys": lambda **more: figures.epsilon_valleys(**{"sigma": 100, **more}),
    "noise_valleys": lambda **more: figures.noise_valleys(**{"epsilon": 1, **more}),
    "possible_gain": lambda **more: figures.possible_gain(**{"gain": 20, "delta": 1e-15, **more}),
}

SAID = [
    (
        "two_scales",
        {},
        "after one output, and 1.3 · 10¹¹ and 0.3 after 50 outputs. Epsilon is 0.590 by",
    ),
    ("two_scales", {"order": 20}, "5 · 10⁻⁵ and 0.001 after one output"),
    ("one_answer_by_order", {}, "order 5.8, where epsilon is 5.299; the exact value is 4.377."),
    (
        "one_answer_by_order",
        {"scale": 10},
        "order 49.0, where epsilon is 0.485; the exact value is 0.341.",
    ),
    (
        "epsilon_valleys",
        {"sigma": 50},
        "smallest at order 8.6, where it is 3.235; the exact value is 2.594.",
    ),
    (
        "epsilon_valleys",
        {"sigma": 500},
        "smallest at order 76.9, where it is 0.305; the exact value is 0.207.",
    ),
    (
        "noise_valleys",
        {"epsilon": 0.5},
        "order 24.0. The standard deviation is smallest at order 47.5, where it is 306.7;",
    ),
    (
        "noise_valleys",
        {"epsilon": 5},
        "smallest at order 6.1, where it is 33.3; the exact value is 28.2.",
    ),
    ("possible_gain", {"gain": 0, "delta": 1e-5}, "true up to a gain of 31.7%."),
    ("possible_gain", {"gain": 40, "delta": 1e-25}, "delta is 7 · 10¹² times the claimed delta"),
]


@pytest.mark.parametrize(("name", "more", "said"), SAID)
def test_says_its_numbers(name: str, more: dict[str, Any], said: str) -> None:
    says(lambda: CALLS[name](**more), said)


def lines(axes: Any) -> list[np.ndarray]:
    """Return the x and y values of each curve, that is, of each line with more than two points."""
    every = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in every if line.shape[1] > 2]


def test_two_scales_are_two_accounts_and_one_epsilon() -> None:
    by_alpha, by_renyi, alphas, renyis = (line[1] for line in lines(CALLS["two_scales"](order=97)))
    one = Gaussian(sigma=100.0).guarantee(AlphaDP, order=97)
    for k in (1, 7, 50):
        claim = one.self_compose(k)
        assert alphas[k - 1] == pytest.approx(claim.epsilon)
        assert renyis[k - 1] == pytest.approx(k * 97 / 20_000)
        markov = convert(claim, to=ApproxDP, delta=1e-15, by="Liu-Wang").epsilon
        assert by_alpha[k - 1] == pytest.approx(markov)
    np.testing.assert_allclose(by_alpha, by_renyi)


def test_one_answer_is_that_of_each_mechanism() -> None:
    curves = lines(figures.one_answer_by_order(scale=2.0))
    three = (RandomizedResponse(epsilon=0.5), Laplace(scale=2.0), Gaussian(sigma=2.0))
    for (orders, drawn), mechanism in zip(curves, three, strict=True):
        for i in range(0, orders.size, 9):
            claim = mechanism.guarantee(AlphaDP, order=float(orders[i]))
            if claim.epsilon < math.inf:
                markov = convert(claim, to=ApproxDP, delta=1e-5, by="Liu-Wang").epsilon
                assert drawn[i] == pytest.approx(markov)


def test_a_valley_of_epsilon_is_the_accounts_of_its_sigma() -> None:
    for (orders, drawn), sigma in zip(
        lines(figures.epsilon_valleys(sigma=100)), (50, 100, 200, 500), strict=True
    ):
        for i in range(0, orders.size, 23):
            order = float(orders[i])
            found = epsilon_on_grid(sigma, delta=1e-5, k=1000, orders=[order])
            assert drawn[i] == pytest.approx(found.value)


def test_a_valley_of_noise_is_just_enough_for_its_epsilon() -> None:
    for (orders, drawn), epsilon in zip(
        lines(figures.noise_valleys(epsilon=2)), (0.5, 1, 2, 5), strict=True
    ):
        enough = np.isfinite(drawn)
        assert np.all(orders[~enough] <= 1 + math.log(1e5) / epsilon)
        for order, sigma in list(zip(orders[enough], drawn[enough], strict=True))[::23]:
            found = epsilon_on_grid(float(sigma), delta=1e-5, k=1000, orders=[float(order)])
            assert found.value == pytest.approx(epsilon)


def test_a_gain_is_possible_down_to_the_exact_epsilon() -> None:
    exact = GaussianDP(math.sqrt(50) / 100)
    axes = figures.possible_gain(gain=20, delta=1e-10)
    for (gains, drawn), delta in zip(lines(axes), (1e-25, 1e-15, 1e-10, 1e-5), strict=True):
        renyi = conversions.zcdp_to_epsilon_bun_steinke(50 / 20_000, delta)
        most = 100 * (1 - exact.epsilon_at(delta) / renyi)
        assert np.all((drawn > 1) == (gains > most))
        i = int(np.searchsorted(gains, 20))
        assert drawn[i] == pytest.approx(exact.delta_at(0.8 * renyi) / delta, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("two_scales", {"order": 20}, {"order": 136}),
        ("one_answer_by_order", {"scale": 0.5}, {"scale": 10}),
        ("epsilon_valleys", {"sigma": 50}, {"sigma": 500}),
        ("noise_valleys", {"epsilon": 0.5}, {"epsilon": 5}),
        ("possible_gain", {"gain": 0, "delta": 1e-5}, {"gain": 40, "delta": 1e-25}),
    ],
)
def test_no_slider_moves_the_frame(name: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    keep_the_frame(lambda: CALLS[name](**one), lambda: CALLS[name](**other))


@pytest.mark.parametrize("order", [2.0, 69.0, 164.0])
@pytest.mark.parametrize("sigma", [10.0, 100.0])
def test_with_nothing_slipped_the_formula_is_the_right_one(order: float, sigma: float) -> None:
    epsilon = Gaussian(sigma=sigma).guarantee(AlphaDP, order=order).epsilon
    right = math.log1p(order * (order - 1) * epsilon)
    assert float(wrong_log_moment(order, sigma, 0.0)) == pytest.approx(right, rel=1e-12)


def test_with_the_whole_1_slipped_it_is_the_misplaced_bracket() -> None:
    orders = np.array([2.0, 69.0, 164.0])
    x = orders * (orders - 1) / (2 * 100.0**2)
    np.testing.assert_allclose(wrong_log_moment(orders, 100.0), np.log(1 + np.exp(x - 1)))
    # for order 1,000 and sigma 1, x is 499,500 and e^x overflows; the result must still be finite
    assert np.isfinite(wrong_log_moment(1000.0, 1.0))


def test_order_search_marks_both_minima() -> None:
    text = figures.alt_text(figures.order_search(delta=1e-5, steps=50, slipped=1.0))
    assert "correct formula, least at order 69, 0.342" in text
    assert "misplaced parenthesis, least at order 136, 0.327" in text
    assert "The exact value is 0.234." in text
    none = figures.alt_text(figures.order_search(delta=1e-5, slipped=0.0))
    assert none.count("least at order") == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_frame_is_small_and_always_the_same(name: str) -> None:
    first, second = _style.svg(CALLS[name]()), _style.svg(CALLS[name]())
    assert first == second
    assert len(first) < 60_000


@pytest.mark.parametrize("slipped", [0, 1])
@pytest.mark.parametrize("delta", [1e-25, 1e-5])
def test_the_frame_does_not_move_with_the_sliders(slipped: int, delta: float) -> None:
    reference = figures.order_search(delta=1e-15, slipped=1)
    moved = figures.order_search(delta=delta, slipped=slipped)
    assert moved.get_xlim() == reference.get_xlim()
    assert moved.get_ylim() == reference.get_ylim()
    assert list(moved.get_yticks()) == list(reference.get_yticks())


@pytest.mark.parametrize("name", CALLS)
def test_axes_that_are_given_are_used(name: str) -> None:
    left, _ = figures.panels(2)
    assert CALLS[name](ax=left) is left


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("order_search", {"delta": 0.0}, r"delta must be in \(0, 1\), got delta=0.0"),
        ("order_search", {"sigma": math.nan}, r"sigma must be in \[1, 1000\], got sigma=nan"),
        ("order_search", {"slipped": 2}, r"slipped must be in \[0, 1\], got slipped=2"),
        ("order_search", {"steps": 0}, "steps must be an integer >= 1, got steps=0"),
        ("two_scales", {"order": 1}, r"order must be in \(1, 1000\], got order=1"),
        ("two_scales", {"k": 1}, "k must be an integer >= 2, got k=1"),
        ("two_scales", {"k": 2000}, "k must leave the number of alpha-DP in the range of floats"),
        ("one_answer_by_order", {"scale": 0}, r"scale must be in \[0.1, 100\], got scale=0"),
        ("epsilon_valleys", {"sigma": 70}, "sigma must be one of at most 5 sigmas, got sigma=70"),
        ("epsilon_valleys", {"sigmas": range(100, 106)}, "at most 5 sigmas"),
        ("epsilon_valleys", {"k": 0}, "k must be an integer >= 1, got k=0"),
        ("noise_valleys", {"epsilon": 20}, r"epsilon must be in \[0.1, 10\], got epsilon=20"),
        ("noise_valleys", {"delta": 1.0}, r"delta must be in \[1e-30, 0.1\], got delta=1.0"),
        ("possible_gain", {"gain": 41}, r"gain must be in \[0, 40\], got gain=41"),
        ("possible_gain", {"delta": 1e-7}, "delta must be one of at most 5 deltas"),
    ],
)
def test_wrong_values(name: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CALLS[name](**more)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="delta must be a real number"):
        CALLS["order_search"](delta="small")
    with pytest.raises(TypeError, match="ax must be a matplotlib Axes or None"):
        CALLS["order_search"](ax="here")


def test_wrong_log_moment_checks_its_arguments() -> None:
    with pytest.raises(ValueError, match="order must hold numbers > 1"):
        wrong_log_moment(1.0, 100.0)
    with pytest.raises(ValueError, match="sigma must be finite and > 0, got sigma=0"):
        wrong_log_moment(2.0, 0)
    with pytest.raises(ValueError, match=r"slipped must be in \[0, 1\], got slipped=-1"):
        wrong_log_moment(2.0, 1.0, -1)
