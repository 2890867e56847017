"""Tests that the figures on divergences state the right numbers, and refuse bad input."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

from dpteach import RandomizedResponse, figures
from dpteach.figures import _style

CALLS: list[tuple[Callable[..., Axes], dict[str, Any], tuple[str, ...]]] = [
    (
        figures.loss_tails,
        {"epsilon": 1.0, "level": 0.5},
        ("0.731", "0.5 to 0 at 1", "above 0.5 nats are 0.731, 0.611 and 0.500."),
    ),
    (figures.loss_tails, {"epsilon": 0.5, "level": 0.6}, ("0.622", "0.000, 0.000 and 0.171.")),
    (
        figures.renyi_orders,
        {"epsilon": 1.0, "order": 2.0},
        ("0.462", "0.368", "0.500", "at order 2 are 0.735, 0.619 and 1.000."),
    ),
    (figures.privacy_profiles, {"epsilon": 1.0}, ("0.462, 0.393 and 0.383", "4.7 · 10⁻⁵")),
    (
        figures.privacy_profiles,
        {"epsilon": 1.0, "logarithmic": True},
        ("logarithmic", "4.7 · 10⁻⁵"),
    ),
    (
        figures.merged_factors,
        {"curve": "mean of the loss"},
        ("above", "0.693 before", "0.608 after merging"),
    ),
    (figures.merged_factors, {"curve": "tail"}, ("below", "1.000 before", "1.500 after")),
    (figures.chord_bound, {"epsilon": 1.0}, ("0.4621", "0.368", "2.718")),
]


@pytest.mark.parametrize(("function", "arguments", "numbers"), CALLS)
def test_it_draws_and_its_sentence_has_the_numbers(
    function: Callable[..., Axes], arguments: dict[str, Any], numbers: tuple[str, ...]
) -> None:
    axes = function(**arguments)
    for number in numbers:
        assert number in figures.alt_text(axes)
    assert 10_000 < len(_style.svg(axes)) < 60_000
    assert function(**arguments, ax=axes) is axes


@pytest.mark.parametrize(
    ("function", "arguments"), [(function, arguments) for function, arguments, _ in CALLS]
)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -100.0, 1e9, "1", None, True])
def test_bad_input_is_named(
    function: Callable[..., Axes], arguments: dict[str, Any], bad: object
) -> None:
    for name in arguments:
        if name == "logarithmic":
            continue
        with pytest.raises((TypeError, ValueError), match=rf"^{name} must be .* got {name}="):
            function(**(arguments | {name: bad}))


@pytest.mark.parametrize("function", [figures.loss_tails, figures.renyi_orders])
def test_no_slider_moves_the_frame_and_its_mark_is_where_it_is_dragged(
    function: Callable[..., Axes],
) -> None:
    (name,) = {"level", "order"} & set(inspect.signature(function).parameters)
    first, second = (function(epsilon=1.0, **{name: value}) for value in (1.0, 2.0))
    assert (first.get_xlim(), first.get_ylim()) == (second.get_xlim(), second.get_ylim())
    assert figures.alt_text(first) != figures.alt_text(second)
    assert _style.handles(first)[name][0] < _style.handles(second)[name][0]


def test_the_axis_is_logarithmic_or_not() -> None:
    with pytest.raises(TypeError, match="logarithmic must be"):
        figures.privacy_profiles(epsilon=1.0, logarithmic=1)  # type: ignore[arg-type]


def test_the_drawn_tails_are_those_of_the_privacy_loss() -> None:
    drawn = [
        {float(x): float(y) for x, y in np.asarray(line.get_xydata())}
        for line in figures.loss_tails(epsilon=1.0, level=0.5).lines
    ]
    for t in (-1.5, -0.5, 0.5, 1.5):
        truth = RandomizedResponse(epsilon=1.0).truth_probability
        assert drawn[0][t] == pytest.approx(1.0 if t < -1 else truth if t < 1 else 0.0)
        laplace = 1.0 if t < -1 else 1 - math.exp(-(1 - t) / 2) / 2 if t < 1 else 0.0
        # if -1 < t < 1, the privacy loss of Laplace noise Y with scale 1 exceeds t exactly if
        # Y < (1 - t)/2
        assert drawn[1][t] == pytest.approx(laplace)
        assert drawn[2][t] == pytest.approx(0.5 * math.erfc((t - 0.5) / math.sqrt(2)))
