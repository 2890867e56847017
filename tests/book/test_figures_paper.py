"""Tests of the figures that compare numbers printed in Liu and Wang (2025) with formulas.

Some of these formulas are typical mistakes: see `dpteach.figures.paper`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pictures import keep_the_frame, says

from dpteach import AlphaDP, Gaussian, figures
from dpteach.calibration import epsilon_on_grid
from dpteach.figures import _style, paper

CALLS: dict[str, Callable[..., Any]] = {
    "suspects": lambda **more: figures.suspects(**{"suspect": 6, **more}),
    "leftover": lambda **more: figures.leftover(**{"zoom": 100, **more}),
    "variants_counted": lambda **more: figures.variants_counted(**more),
}

SAID = [
    ("suspects", {}, "165 for 164, 13 for 13, 64 for 64, 127 for 127, 14 for 14, 67 for 67"),
    ("suspects", {"suspect": 0}, "69 for 136, 97 for 152, 119 for 164"),
    ("suspects", {"suspect": 5}, "147 for 136, 160 for 152, 171 for 164"),
    ("leftover", {}, "0.3670 (0.3661 to 0.3680)"),
    ("leftover", {"zoom": 1}, "between 0.55 and 0.74. A line marks 1/e, 0.3679"),
    ("variants_counted", {}, "2 orders: 2 without and 2 with; 5 orders: 0 without and 1 with"),
]


@pytest.mark.parametrize(("name", "more", "said"), SAID)
def test_says_its_numbers(name: str, more: dict[str, Any], said: str) -> None:
    says(lambda: CALLS[name](**more), said)


def test_nothing_exchanged_is_the_library() -> None:
    found = paper.found_orders(paper.SUSPECTS[0][1])
    assert found == [row.renyi_order for row in paper.PRINTED]
    for row, order in zip(paper.PRINTED, found, strict=True):
        assert epsilon_on_grid(row.sigma, delta=row.delta, k=row.answers).order == order


@pytest.mark.parametrize("suspect", range(7))
def test_each_suspect_has_another_slip(suspect: int) -> None:
    name, slips = paper.SUSPECTS[suspect]
    assert sum(stage != "as proved" for stage in slips[:3]) == (suspect > 0) and slips[3] == 0
    assert slips in paper.variants() and name


def test_no_variant_without_the_bracket_gives_three_orders() -> None:
    hits = paper.variants()
    assert max(n for (one, *_), n in hits.items() if one != "e^(x-1)") == 2
    assert [s for s, n in hits.items() if n == 9] == [("e^(x-1)", "as proved", "as proved", 1)]


def test_what_is_left_over_of_a_right_number_is_that_of_the_theorem() -> None:
    for row in paper.PRINTED:
        right = Gaussian(sigma=row.single_sigma).guarantee(AlphaDP, order=row.single_order).epsilon
        x = row.single_order * (row.single_order - 1) / (2 * row.single_sigma**2)
        rest = paper.left_over(right, row.single_sigma, row.single_order)
        assert rest == pytest.approx(-math.expm1(-x))


def test_the_rings_are_printed_and_the_crosses_found() -> None:
    axes = figures.suspects(suspect=3)
    marks = [line for line in axes.lines if line.get_linestyle() == "None"]
    rings, hits, misses = (np.asarray(line.get_ydata()) for line in marks)
    assert rings.tolist() == [row.alpha_order for row in paper.PRINTED]
    assert hits.size == 0 and misses.tolist() == paper.found_orders(paper.SUSPECTS[3][1])


@pytest.mark.parametrize("zoom", [1, 300])
def test_a_larger_magnification_shows_less_around_1_over_e(zoom: float) -> None:
    low, high = figures.leftover(zoom=zoom).get_ylim()
    assert low <= math.exp(-1) <= high and high - low == pytest.approx(1 / zoom)


def test_no_suspect_moves_the_frame() -> None:
    keep_the_frame(lambda: figures.suspects(suspect=0), lambda: figures.suspects(suspect=2))


@pytest.mark.parametrize("name", CALLS)
def test_axes_that_are_given_are_used(name: str) -> None:
    left, _ = figures.panels(2)
    assert CALLS[name](ax=left) is left


@pytest.mark.parametrize("name", CALLS)
def test_a_frame_is_always_the_same(name: str) -> None:
    assert _style.svg(CALLS[name]()) == _style.svg(CALLS[name]())


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("suspects", {"suspect": 7}, r"suspect must be in \[0, 6\], got suspect=7"),
        ("suspects", {"suspect": -1}, "suspect must be an integer >= 0, got suspect=-1"),
        ("leftover", {"zoom": 0.5}, r"zoom must be in \[1, 300\], got zoom=0.5"),
    ],
)
def test_wrong_values(name: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CALLS[name](**more)
