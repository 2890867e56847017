"""Tests that the figures on Rényi DP draw and state the right numbers, and refuse bad input."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from scipy.stats import binom

from dpteach import figures
from dpteach.figures import _style

CALLS: dict[str, tuple[Callable[..., Axes], dict[str, Any], list[str]]] = {
    "renyi_curves": (
        figures.renyi_curves,
        {"epsilon": 0.5},
        ["randomized response 0.227 and 0.5", "Gaussian noise 0.0202 and 10.1"],
    ),
    "cost_of_runs": (
        figures.cost_of_runs,
        {"epsilon": 0.5, "steps": 100},
        ["randomized response 32.8, Laplace noise 30, Gaussian noise 7.12", "adding up gives 50"],
    ),
    "loss_laws": (
        figures.loss_laws,
        {"epsilon": 0.5, "runs": 100},
        [
            "randomized response has mean 12.2",
            "Gaussian noise has mean 1.01 and standard deviation 1.42",
        ],
    ),
    "seven_bills": (
        figures.seven_bills,
        {"sigma": 200, "k": 500},
        ["basic composition: 14.979; advanced composition: 3.846", "exact: 0.385."],
    ),
    "loss_payoffs": (figures.loss_payoffs, {"order": 3.0}, ["0.148 times", "the penalty 0.405"]),
    "epsilon_by_order": (
        figures.epsilon_by_order,
        {"sigma": 200, "k": 100},
        ["order 97.0, where it gives 0.241", "reaches 0.178", "exact value is 0.160", "finds"],
    ),
    "accountants": (
        figures.accountants,
        {"order": 60},
        ["3.846 by advanced", "0.543 by zCDP", "0.385 by exact", "at 264.6 releases."],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_draws_and_says_its_numbers(name: str) -> None:
    function, arguments, words = CALLS[name]
    axes = function(**arguments)
    text = figures.alt_text(axes)
    for part in words:
        assert part in text
    assert len(_style.svg(axes)) < 60_000
    own = Figure().add_subplot()
    assert function(**arguments, ax=own) is own


def test_an_order_whose_contact_is_outside_says_so() -> None:
    text = figures.alt_text(figures.accountants(order=20))
    assert "at 2551.3 releases, outside the axes." in text


def test_a_search_that_ends_too_early_says_so() -> None:
    text = figures.alt_text(figures.epsilon_by_order(sigma=200, k=1))
    assert "order 960.7, where it gives 0.0240" in text
    assert "A search that ends at order 100 stops at 0.118." in text


def test_the_frame_does_not_depend_on_the_data() -> None:
    first = figures.epsilon_by_order(sigma=10, k=1)
    second = figures.epsilon_by_order(sigma=200, k=1000, delta=1e-10)
    assert (first.get_xlim(), first.get_ylim()) == (second.get_xlim(), second.get_ylim())
    first, second = figures.accountants(order=2), figures.accountants(order=100, sigma=400)
    assert (first.get_xlim(), first.get_ylim()) == (second.get_xlim(), second.get_ylim())


def test_no_curve_of_the_accountants_lies_below_the_exact_one() -> None:
    for order in (2, 20, 60, 100):
        lines = {
            line.get_label(): line.get_ydata() for line in figures.accountants(order=order).lines
        }
        exact = lines.pop("exact")
        for label, values in lines.items():
            if len(values) == len(exact):
                assert all(a >= b for a, b in zip(values, exact, strict=True)), label


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: figures.renyi_curves(epsilon=2.0), ValueError, r"epsilon must be in \(0, 1\]"),
        (lambda: figures.renyi_curves(epsilon="1"), TypeError, "epsilon='1'"),
        (lambda: figures.cost_of_runs(epsilon=0.5, steps=1), ValueError, "steps must be"),
        (lambda: figures.cost_of_runs(epsilon=0.5, delta=0.0), ValueError, "delta must be in"),
        (lambda: figures.loss_payoffs(order=1.0), ValueError, r"order must be in \(1, 1000\]"),
        (lambda: figures.loss_payoffs(order=math.nan), ValueError, "order=nan"),
        (lambda: figures.epsilon_by_order(sigma=0.0, k=1), ValueError, "sigma must be in"),
        (lambda: figures.epsilon_by_order(sigma=10.0, k=0), ValueError, "k must be an integer"),
        (lambda: figures.accountants(order=math.inf), ValueError, "order must be in"),
        (lambda: figures.accountants(order=60, top=0.0), ValueError, "top must be in"),
    ],
)
def test_bad_input(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("runs", [1, 2, 7, 100, 500, 1000])
def test_each_atom_of_the_loss_has_a_stick_of_its_own(runs: int) -> None:
    axes = figures.loss_laws(epsilon=0.5, runs=runs)
    sticks = max(axes.collections, key=lambda each: len(each.get_paths()))
    # skip this check for one run: another collection then has as many paths as the sticks, so `max`
    # may have chosen it instead of them
    if runs > 1:
        ends = np.array([path.vertices for path in sticks.get_paths()])
        atoms = (2 * np.arange(runs + 1) - runs) * 0.5
        law = binom.pmf(np.arange(runs + 1), runs, 1 / (1 + math.exp(-0.5)))
        assert ends[:, 0, 0] == pytest.approx(atoms) == ends[:, 1, 0]
        assert ends[:, 1, 1] - 2 == pytest.approx(0.62 * law / law.max())
    (bars,) = (patch for patch in axes.patches if isinstance(patch, StepPatch))
    edges = bars.get_data().edges
    assert np.ptp(np.diff(edges)) < 1e-9
    # the total loss of Laplace noise has atoms at multiples of epsilon, each of which must be in
    # the middle of a bar
    middles = (edges[1:] + edges[:-1]) / 2
    multiples = 0.5 * np.arange(-runs, runs + 1)
    assert np.abs(middles[:, None] - multiples).min(axis=0).max() < 1e-9


def test_the_axis_of_the_losses_stays_while_the_runs_change() -> None:
    """The losses' axis has the same limits for any number of runs, so pictures can be compared."""
    for most in (100, 1000):
        frames = [figures.loss_laws(epsilon=0.5, runs=runs, most=most) for runs in (1, 16, 100)]
        assert len({axes.get_xlim() for axes in frames}) == 1
