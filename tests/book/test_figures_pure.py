"""Tests of the figures on pure differential privacy."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from matplotlib.axes import Axes

from dpteach import RandomizedResponse, figures
from dpteach.figures import _style

CALLS: list[tuple[Callable[[], Axes], str]] = [
    (lambda: figures.belief(epsilon=1.0986, before=0.35), "becomes at most 62% and at least 15%"),
    (lambda: figures.belief(epsilon=0.1, before=0.5), "becomes at most 52% and at least 48%"),
    (
        lambda: figures.two_laplace_laws(scale=10.0, answer_at=150.0),
        "150 is 1.105 times as likely for a true count of 138 as for 137.",
    ),
    (
        lambda: figures.two_laplace_laws(scale=10.0, answer_at=110.0),
        "110 is 1.105 times as likely for a true count of 137 as for 138.",
    ),
    (
        lambda: figures.two_laplace_laws(scale=1.0, answer_at=137.5),
        "137.5 is equally likely for both true counts.",
    ),
]


@pytest.mark.parametrize(("call", "said"), CALLS)
def test_draws_and_says_its_numbers(call: Callable[[], Axes], said: str) -> None:
    axes = call()
    assert said in figures.alt_text(axes)
    assert len(_style.svg(axes)) < 60_000


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("before", [0.01, 0.5, 0.9])
def test_the_belief_is_what_bayes_rule_makes_of_randomized_response(
    epsilon: float, before: float
) -> None:
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    after_yes = before * truth / (before * truth + (1 - before) * (1 - truth))
    after_no = before * (1 - truth) / (before * (1 - truth) + (1 - before) * truth)
    axes = figures.belief(epsilon=epsilon, before=before)
    points = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert [float(line.get_ydata()[0]) for line in points] == [  # type: ignore[index]
        pytest.approx(after_yes),
        pytest.approx(after_no),
    ]


def test_each_law_has_its_name() -> None:
    axes = figures.two_laplace_laws(scale=10.0, answer_at=150.0)
    for name, count in (("138, with Ada", 138), ("137, without Ada", 137)):
        (law,) = (one for one in axes.lines if one.get_label() == name)
        assert law.get_xdata()[law.get_ydata().argmax()] == count


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.belief(epsilon=0.0, before=0.5), r"epsilon must be in \(0, 10\]"),
        (lambda: figures.belief(epsilon=1.0, before=1.0), r"before must be in \(0, 1\)"),
        (
            lambda: figures.two_laplace_laws(scale=0.1, answer_at=150.0),
            r"scale must be in \[0.5, 100\]",
        ),
        (
            lambda: figures.two_laplace_laws(scale=1.0, answer_at=99.0),
            r"answer_at must be in \[100, 180\]",
        ),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
