"""Tests that the figures on mutual information state the library's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

from dpteach import MutualInformationDP, channels, figures
from dpteach.figures import _style
from tests.book import pictures

CALLS: dict[str, tuple[Callable[..., Axes], dict[str, Any], str]] = {
    "coin": (
        figures.information_of_a_coin,
        {"belief": 0.35, "truth": 0.75},
        "At a prior probability of 35%, the answer carries 0.120 of 0.647 nats.",
    ),
    "no step": (
        figures.search_for_capacity,
        {"belief": 0.5, "steps": 0},
        "0.216 nats, and the divergences are 0.144 (smokes) and 0.288 (does not).",
    ),
    "one step": (
        figures.search_for_capacity,
        {"belief": 0.5, "steps": 1},
        "After 1 step from 50%, the prior probability is 46.4%. "
        "The mutual information is 0.220 nats",
    ),
    "many steps": (
        figures.search_for_capacity,
        {"belief": 0.9, "steps": 20},
        "is 0.223 nats, and the divergences are 0.223 (smokes) and 0.223 (does not).",
    ),
    "another share": (
        figures.search_for_capacity,
        {"belief": 0.5, "steps": 20, "admit": 0.99},
        "The mutual information is 0.665 nats",
    ),
    "order": (
        figures.order_of_information,
        {"epsilon": 1.0},
        "1-DP implies 0.123-MI-DP, which implies (0, 0.486)-DP.",
    ),
    "permits": (
        figures.permitted_by_information,
        {"information": 0.01},
        "from 0.14 at epsilon 0 to 0.027 at epsilon 2.",
    ),
    "permits little": (
        figures.permitted_by_information,
        {"information": 1e-4},
        "a level of 0.0001 nats. The delta of every mechanism of this level lies on or below "
        "a curve that falls from 0.014 at epsilon 0 to 0.00027",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_says_its_numbers(name: str) -> None:
    function, arguments, said = CALLS[name]
    pictures.says(lambda: function(**arguments), said)
    left, _ = figures.panels(2)
    assert function(**arguments, ax=left) is left


@pytest.mark.parametrize(
    ("function", "arguments", "other"),
    [
        (figures.information_of_a_coin, {"belief": 0.5, "truth": 0.75}, {"belief": 0.01}),
        (figures.information_of_a_coin, {"belief": 0.5, "truth": 0.75}, {"truth": 0.55}),
        (figures.search_for_capacity, {"belief": 0.5, "steps": 0}, {"belief": 0.9}),
        (figures.search_for_capacity, {"belief": 0.5, "steps": 0}, {"steps": 20}),
        (figures.permitted_by_information, {"information": 0.01}, {"information": 1e-5}),
        (figures.permitted_by_information, {"information": 0.01}, {"information": 0.1}),
    ],
)
def test_no_slider_moves_the_frame(
    function: Callable[..., Axes], arguments: dict[str, Any], other: dict[str, Any]
) -> None:
    pictures.keep_the_frame(lambda: function(**arguments), lambda: function(**(arguments | other)))


@pytest.mark.parametrize(
    ("function", "more", "name", "values", "down"),
    [
        (figures.information_of_a_coin, {"truth": 0.75}, "belief", (0.2, 0.7), 0),
        (figures.search_for_capacity, {"steps": 3}, "belief", (0.2, 0.7), 0),
        (figures.permitted_by_information, {}, "information", (0.1, 1e-4), 1),
    ],
)
def test_marks_stand_where_they_are_dragged(
    function: Callable[..., Axes],
    more: dict[str, Any],
    name: str,
    values: tuple[float, float],
    down: int,
) -> None:
    first, second = (_style.handles(function(**more, **{name: x}))[name][down] for x in values)
    assert first < second


def test_each_hill_has_its_name() -> None:
    coin = channels.mutual_information([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]])
    pictures.names_fit(
        figures.information_of_a_coin(belief=0.35, truth=0.75),
        {
            "entropy": math.log(2),
            "answer and\nfirst toss": 0.5 * math.log(2),
            "answer": coin,
        },
    )


@pytest.mark.parametrize("truth", [0.55, 0.75, 0.97])
def test_the_drawn_nats_are_those_of_the_coin(truth: float) -> None:
    lines = figures.information_of_a_coin(belief=0.5, truth=truth).lines
    known, seen, carried = (np.asarray(line.get_ydata(), dtype=float) for line in lines[:3])
    erasing = [[2 * truth - 1, 0.0, 2 - 2 * truth], [0.0, 2 * truth - 1, 2 - 2 * truth]]
    coin = channels.binary_symmetric_channel(1 - truth)
    for i in range(5, 100, 10):
        prior = [1 - i / 100, i / 100]
        assert known[i] == pytest.approx(channels.mutual_information(prior, np.eye(2)))
        assert seen[i] == pytest.approx(channels.mutual_information(prior, erasing))
        assert carried[i] == pytest.approx(channels.mutual_information(prior, coin))
    assert carried.max() == pytest.approx(channels.channel_capacity(coin).upper)


@pytest.mark.parametrize("admit", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("belief", [0.05, 0.8])
def test_each_step_carries_more_and_knows_the_capacity_better(belief: float, admit: float) -> None:
    capacity = channels.channel_capacity([[1 - admit, admit], [1.0, 0.0]])
    carried, furthest = [], []
    for steps in range(0, 12, 2):
        lines = figures.search_for_capacity(belief=belief, steps=steps, admit=admit).lines
        bar = np.asarray(lines[4].get_ydata(), dtype=float)
        carried.append(bar[0])
        furthest.append(bar[1])
    assert carried == sorted(carried)
    assert furthest == sorted(furthest, reverse=True)
    assert carried[-1] <= capacity.upper + 1e-12
    assert furthest[-1] >= capacity.lower - 1e-12


@pytest.mark.parametrize("information", [1e-5, 0.01, 0.1])
def test_the_promise_lies_above_both_mechanisms_and_touches_them(information: float) -> None:
    lines = figures.permitted_by_information(information=information).lines
    drawn = [np.asarray(line.get_xydata(), dtype=float) for line in lines[1:4]]
    promise, house, coin = drawn
    claim = MutualInformationDP(information)
    for epsilon, delta in promise[::10]:
        assert delta == pytest.approx(claim.delta_at(float(epsilon)))
    permitted = np.interp(coin[:, 0], promise[:, 0], promise[:, 1])
    assert np.all(coin[:, 1] <= permitted * (1 + 1e-6))
    assert coin[0, 1] == pytest.approx(promise[0, 1], rel=1e-6)
    assert np.all(house[:, 1] <= promise[:, 1] * (1 + 1e-9))
    share = house[0, 1]
    carried = channels.channel_capacity([[share, 1 - share], [0.0, 1.0]]).upper
    assert carried == pytest.approx(information, rel=1e-4)
    assert share == pytest.approx(math.e * information, rel=2 * math.sqrt(information))


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("coin", {"belief": 0.0}, r"belief must be in \(0, 1\), got belief=0"),
        ("coin", {"truth": 1.0}, r"truth must be in \[0.5, 1\), got truth=1"),
        ("coin", {"truth": 0.4}, r"truth must be in \[0.5, 1\), got truth=0.4"),
        ("no step", {"belief": math.nan}, r"belief must be in \(0, 1\), got belief=nan"),
        ("no step", {"steps": 21}, "steps must be an integer from 0 to 20, got steps=21"),
        ("no step", {"steps": 0.5}, "steps must be an integer from 0 to 20, got steps=0.5"),
        ("no step", {"admit": 0.0}, r"admit must be in \[0.01, 1\), got admit=0"),
        ("order", {"epsilon": 0.0}, r"epsilon must be in \[0.01, 5\], got epsilon=0"),
        ("permits", {"information": 0.2}, r"information must be in \[1e-6, 0.1\], got info"),
    ],
)
def test_bad_arguments(name: str, bad: dict[str, Any], message: str) -> None:
    function, arguments, _ = CALLS[name]
    with pytest.raises(ValueError, match=message):
        function(**(arguments | bad))
