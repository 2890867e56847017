"""Tests that the figures on removing names state the right numbers, and refuse bad input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.axes import Axes

from dpteach import figures

CALLS: dict[str, tuple[Callable[..., Axes], dict[str, Any], list[str]]] = {
    "linked_tables": (figures.linked_tables, {}, ["5 of the six patients", "Ada Lindquist"]),
    "named_by_columns": (
        figures.named_by_columns,
        {},
        ["44% by date of birth", "71% by all three"],
    ),
    "averaged_answers": (
        figures.averaged_answers,
        {"noise": 10.0},
        ["135.1 after 10 answers", "138.14 after 2,000"],
    ),
    "rebuilt_rows": (
        figures.rebuilt_rows,
        {"questions": 256, "noise": 2.0},
        ["guesses correctly for 62 of them"],
    ),
    "rebuilt_rows, wide": (
        figures.rebuilt_rows,
        {"questions": 128, "noise": 2.0, "wide": True},
        ["guesses correctly for 59 of them"],
    ),
    "rebuilt_share": (
        figures.rebuilt_share,
        {},
        ["69%, the share of an attacker", "100% with 1,024 counts"],
    ),
    "membership": (
        figures.membership,
        {"columns": 1000},
        ["around 2.7; 63% of these", "Ada's score is 2.1."],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_says_its_numbers(name: str) -> None:
    function, arguments, said = CALLS[name]
    sentence = figures.alt_text(function(**arguments))
    for words in said:
        assert words in sentence


def test_of_rebuilt_rows_the_crosses_are_the_mistakes() -> None:
    axes = figures.rebuilt_rows(questions=256, noise=2.0)
    crosses = [line for line in axes.lines if line.get_xdata()[0] < 8]
    assert len(crosses) == 2 * (64 - 62)


def test_the_front_page_states_what_its_picture_shows() -> None:
    def found(questions: int, noise: float) -> str:
        return figures.alt_text(figures.rebuilt_rows(questions=questions, noise=noise, wide=True))

    assert "20 of whom smoke" in found(16, 2.0)
    assert "guesses correctly for 62 of them" in found(256, 2.0)
    assert "guesses correctly for 64 of them" in found(384, 2.0)
    # with twice the noise, the attack needs four times as many counts
    assert "guesses correctly for 64 of them" in found(4 * 384, 4.0)


def test_of_rebuilt_rows_both_layouts_show_the_same_guesses() -> None:
    square, wide = (
        figures.rebuilt_rows(questions=64, noise=2.0, wide=wide).patches[:64]
        for wide in (False, True)
    )
    assert [p.get_facecolor() for p in square] == [p.get_facecolor() for p in wide]
    assert len({p.get_xy() for p in wide}) == 64


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (figures.averaged_answers, {"noise": -1.0}),
        (figures.averaged_answers, {"noise": float("nan")}),
        (figures.rebuilt_rows, {"questions": 0, "noise": 1.0}),
        (figures.rebuilt_rows, {"questions": 5000, "noise": 1.0}),
        (figures.rebuilt_rows, {"questions": 10, "noise": 1e9}),
        (figures.membership, {"columns": 0}),
        (figures.membership, {"columns": 10**6}),
    ],
)
def test_refuses_nonsense(function: Callable[..., Axes], arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"({'|'.join(arguments)}) must"):
        function(**arguments)
