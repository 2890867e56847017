"""The figures of the audit of alpha-DP show the library's numbers, and say them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpteach import AlphaDP, ApproxDP, Gaussian, GaussianDP, conversions, convert, figures
from dpteach.figures import _style
from dpteach.figures.alpha import wrong_log_moment

CALLS: dict[str, Callable[..., Any]] = {
    "alpha_lines": lambda **more: figures.alpha_lines(
        **{"delta": 1e-15, "order": 164, "slipped": 1.0, **more}
    ),
    "order_search": lambda **more: figures.order_search(**{"delta": 1e-15, **more}),
    "hidden_constant": lambda **more: figures.hidden_constant(
        **{
            "sigmas": [100.0, 10.0],
            "orders": [152, 14],
            "printed": [5.05e-5, 5.02e-3],
            "labels": ["a", "b"],
            **more,
        }
    ),
    "orders_reproduced": lambda **more: figures.orders_reproduced(
        **{"rows": [(100.0, 1e-15, 51, 164), (10.0, 1e-25, 300, 14)], **more}
    ),
    "broken_promise": lambda **more: figures.broken_promise(**{"orders": {1e-15: 164}, **more}),
}


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
    assert np.isfinite(wrong_log_moment(1000.0, 1.0))  # e^x is far beyond the floats


def test_alpha_lines_are_those_of_the_library() -> None:
    delta, order, k = 1e-10, 152, 50
    composed = Gaussian(sigma=100.0).guarantee(AlphaDP, order=order).self_compose(k)
    alpha = convert(composed, to=ApproxDP, delta=delta, by="Liu-Wang").epsilon
    renyi = conversions.renyi_to_epsilon_mironov(97, k * 97 / (2 * 100.0**2), delta)
    exact = GaussianDP(math.sqrt(k) / 100).epsilon_at(delta)
    text = figures.alt_text(figures.alpha_lines(delta=delta, order=order))
    assert f"Rényi DP at order 97 {renyi:.3f}" in text
    assert f"alpha-DP at order 152 (right formula) {alpha:.3f}" in text
    assert f"exact value {exact:.3f}" in text
    assert text.endswith("lies nowhere below the exact one.")


def test_alpha_lines_say_where_the_claim_is_false() -> None:
    ax = CALLS["alpha_lines"]()
    assert "lies below the exact one from about 19 answers to 50" in figures.alt_text(ax)
    (claim,) = [line for line in ax.get_lines() if "alpha-DP" in str(line.get_label())]
    assert float(np.asarray(claim.get_ydata())[-1]) == pytest.approx(0.480466, abs=1e-6)


def test_order_search_marks_both_minima() -> None:
    text = figures.alt_text(figures.order_search(delta=1e-5, steps=50, slipped=1.0))
    assert "right formula, least at order 69, 0.342" in text
    assert "bracket misplaced, least at order 136, 0.327" in text
    assert "The exact value is 0.234." in text
    none = figures.alt_text(figures.order_search(delta=1e-5, slipped=0.0))
    assert none.count("least at order") == 1


def test_broken_promise_is_the_true_delta() -> None:
    claim = float((50 * wrong_log_moment(164, 100.0) - math.log(1e-15)) / 163)
    excess = GaussianDP(math.sqrt(50) / 100).delta_at(claim) / 1e-15
    assert f"delta 1e-15 (order 164): {excess:.3g} after 50" in figures.alt_text(
        figures.broken_promise(orders={1e-15: 164})
    )


def test_orders_reproduced_counts() -> None:
    text = figures.alt_text(CALLS["orders_reproduced"]())
    assert "All 2 come out for c from" in text
    wrong = figures.orders_reproduced(rows=[(100.0, 1e-15, 51, 119)])
    assert "At most 0 of 1 come out" in figures.alt_text(wrong)


@pytest.mark.parametrize("name", CALLS)
def test_a_frame_is_small_and_always_the_same(name: str) -> None:
    first, second = _style.svg(CALLS[name]()), _style.svg(CALLS[name]())
    assert first == second
    assert len(first) < 60_000


@pytest.mark.parametrize("slipped", [0, 1])
@pytest.mark.parametrize("delta", [1e-25, 1e-5])
def test_the_frame_does_not_move_with_the_sliders(slipped: int, delta: float) -> None:
    for function, more in ((figures.alpha_lines, {"order": 50}), (figures.order_search, {})):
        reference: Any = function(delta=1e-15, slipped=1, **{**more, "order": 164} if more else {})
        moved: Any = function(delta=delta, slipped=slipped, **more)
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
        ("alpha_lines", {"delta": 0.0}, r"delta must be in \(0, 1\), got delta=0.0"),
        ("alpha_lines", {"order": 1}, r"order must be in \(1, 1000\], got order=1"),
        ("alpha_lines", {"steps": 1}, "steps must be an integer >= 2, got steps=1"),
        ("alpha_lines", {"sigma": math.nan}, r"sigma must be in \[1, 1000\], got sigma=nan"),
        ("order_search", {"slipped": 2}, r"slipped must be in \[0, 1\], got slipped=2"),
        ("order_search", {"steps": 0}, "steps must be an integer >= 1, got steps=0"),
        ("hidden_constant", {"labels": ["a"]}, "must have one length, got 2, 2, 2 and 1"),
        ("hidden_constant", {"orders": [1, 2]}, r"orders\[0\] must be finite and > 1"),
        ("orders_reproduced", {"rows": []}, "rows must hold at least one row"),
        ("orders_reproduced", {"rows": [(1.0, 0.1)]}, r"rows\[0\] must be \(sigma, delta"),
        ("orders_reproduced", {"low": 0.5}, "high must be > low, got low=0.5"),
        ("broken_promise", {"orders": {2.0: 3}}, r"delta must be in \(0, 1\), got delta=2.0"),
    ],
)
def test_wrong_values(name: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CALLS[name](**more)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="orders must be a mapping from delta to order"):
        CALLS["broken_promise"](orders=[164])
    with pytest.raises(TypeError, match="delta must be a real number"):
        CALLS["alpha_lines"](delta="small")
    with pytest.raises(TypeError, match="ax must be a matplotlib Axes or None"):
        CALLS["order_search"](ax="here")


def test_wrong_log_moment_checks_its_arguments() -> None:
    with pytest.raises(ValueError, match="order must hold numbers > 1"):
        wrong_log_moment(1.0, 100.0)
    with pytest.raises(ValueError, match="sigma must be finite and > 0, got sigma=0"):
        wrong_log_moment(2.0, 0)
    with pytest.raises(ValueError, match=r"slipped must be in \[0, 1\], got slipped=-1"):
        wrong_log_moment(2.0, 1.0, -1)
