"""Tests of figures 6 to 8 of Liu and Wang (2025) on alpha-DP, recomputed by the library."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pictures import keep_the_frame, says

from dpteach import AlphaDP, ApproxDP, Gaussian, GaussianDP, composition, convert, figures
from dpteach.calibration import epsilon_on_grid
from dpteach.figures import _style, reproduction
from dpteach.figures.paper import PRINTED

PANELS = sorted(reproduction._settings())


def draw(**more: Any) -> Any:
    return figures.four_accountants(**{"figure": 6, "sigma": 100, "delta": 1e-10, **more})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "advanced composition 3.924, Rényi DP at order 97 0.482, zCDP 0.482, alpha-DP at"),
        ({"delta": 1e-5}, "alpha-DP at order 136 0.425, exact value 0.234. With the misplaced"),
        ({"delta": 1e-15, "shown": 4}, "0.480. It is below the exact curve from 18 to 50 releases"),
        ({"figure": 7, "sigma": 10, "delta": 1e-15}, "alpha-DP at order 13 22.378"),
        ({"figure": 7, "sigma": 50, "delta": 1e-5}, "It is nowhere below the exact curve."),
        ({"figure": 8, "sigma": 10, "delta": 1e-25}, "from 36 to 287 releases"),
    ],
)
def test_says_its_numbers(more: dict[str, Any], said: str) -> None:
    says(lambda: draw(**more), said)


@pytest.mark.parametrize(("figure", "sigma", "delta"), PANELS)
def test_each_panel_has_its_printed_order_and_the_numbers_of_the_library(
    figure: int, sigma: float, delta: float
) -> None:
    row = reproduction._settings()[figure, sigma, delta]
    panel, k = reproduction.curves(figure, sigma, delta), row.answers
    assert all(len(epsilon) == k for epsilon in panel.values())
    assert row.renyi_order == epsilon_on_grid(sigma, delta=delta, k=k).order
    composed = Gaussian(sigma=sigma).guarantee(AlphaDP, order=row.alpha_order).self_compose(k)
    alpha = convert(composed, to=ApproxDP, delta=delta, by="Liu-Wang").epsilon
    assert panel["alpha-DP"][-1] == pytest.approx(alpha, rel=1e-9)
    exact = GaussianDP(math.sqrt(k) / sigma).epsilon_at(delta)
    assert panel["exact"][-1] == pytest.approx(exact, rel=1e-9)
    step = ApproxDP(math.sqrt(2 * math.log(2.5 * k / delta)) / sigma, delta / (2 * k))
    whole = composition.advanced_composition(step, k, slack=delta / 2)
    assert panel["advanced"][-1] == whole.epsilon and whole.delta == pytest.approx(delta)
    assert np.all(panel["alpha-DP"] >= panel["zCDP"] * (1 - 1e-12)) and row.alpha_order in {
        printed.alpha_order for printed in PRINTED if printed.figure == figure
    }


def test_the_frame_moves_with_neither_delta_nor_curve() -> None:
    keep_the_frame(lambda: draw(delta=1e-5), lambda: draw(delta=1e-15))
    assert draw(shown=4).get_ylim() == draw(shown=4, delta=1e-5).get_ylim() == (0, 6)
    low = figures.four_accountants(figure=7, sigma=10, delta=1e-15).get_ylim()
    assert low == tuple(10 * y for y in draw(figure=7, delta=1e-15).get_ylim())


def test_every_sign_of_the_title_is_in_the_font(caplog: pytest.LogCaptureFixture) -> None:
    axes = draw()
    _style.png(axes)
    assert "glyph" not in caplog.text and "$" not in axes.get_title(loc="left")


def test_bad_values() -> None:
    with pytest.raises(ValueError, match=r"must be one of \(6, 100, 1e-05\), .*got \(6, 10, "):
        draw(sigma=10)
    with pytest.raises(ValueError, match="shown must be 3 or 4, got shown=2"):
        draw(shown=2)
    left, _ = figures.panels(2)
    assert draw(ax=left) is left
