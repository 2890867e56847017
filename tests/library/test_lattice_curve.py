"""Tests of `epsilon_curve`, which brackets epsilon for many numbers of steps at once.

The brackets are compared with those that other functions compute for one number of steps.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from cases import few_or_many

from dpteach import ApproxDP
from dpteach.accounting.lattice import GaussianBase, LaplaceBase, StepLoss, epsilon_bracket
from dpteach.accounting.lattice.curve import epsilon_curve
from dpteach.composition import optimal_composition
from dpteach.curves import gaussian_epsilons

TOLERANCE = 1e-4


def gaussian(mu: float, rate: float = 1.0) -> list[StepLoss]:
    one = StepLoss(rate, base=GaussianBase(mu))
    return [one] if rate == 1 else [one, StepLoss(rate, base=GaussianBase(mu), forward=False)]


def laplace(shift: float, rate: float = 1.0) -> list[StepLoss]:
    masses = [-math.log(2), -shift - math.log(2)]
    laws = [
        StepLoss(rate, [-shift, shift], masses, LaplaceBase(shift), forward=forward)
        for forward in (True, False)
    ]
    return laws[:1] if rate == 1 else laws


def response(epsilon: float, delta: float = 0.0) -> list[StepLoss]:
    masses = np.array([-epsilon, 0.0]) - math.log1p(math.exp(-epsilon)) + math.log1p(-delta)
    losses = [epsilon, -epsilon]
    if delta > 0:
        losses, masses = [*losses, -math.inf], np.append(masses, math.log(delta))
    return [StepLoss(1.0, losses, masses, escaped=delta)]


def uneven() -> list[StepLoss]:
    """Return the privacy loss of a step in both directions; its values lie on no common lattice."""
    q = np.array([0.2, 0.3, 0.1, 0.4])
    p = np.array([0.3, 0.25, 0.2, 0.25])
    return [
        StepLoss(1.0, np.log(p / q), np.log(q)),
        StepLoss(1.0, np.log(p / q), np.log(q), forward=False),
    ]


def sampled_geometric(decay: float, rate: float) -> list[StepLoss]:
    """Return the privacy loss in both directions of sampled counts with two-sided geometric noise.

    The loss has many values, which lie on no lattice.
    """
    reach = math.ceil(40 / decay)
    x = np.arange(-reach, reach + 1)
    logs = math.log(math.tanh(decay / 2)) - decay * np.abs(x)
    losses = decay * (np.abs(x) - np.abs(x - 1))
    return [StepLoss(rate, losses, logs), StepLoss(rate, losses, logs, forward=False)]


def sampled_discrete_gaussian(sigma: float, rate: float) -> list[StepLoss]:
    x = np.arange(-40.0, 42)
    logs = -x * x / (2 * sigma * sigma)
    logs -= math.log(math.fsum(np.exp(logs)))
    losses = (2 * x - 1) / (2 * sigma * sigma)
    return [StepLoss(rate, losses, logs), StepLoss(rate, losses, logs, forward=False)]


CASES = {
    "Gaussian": gaussian(0.01),
    "narrow Gaussian": gaussian(1e-4),
    "wide Gaussian": gaussian(1 / 0.3),
    "sampled Gaussian": gaussian(1.0, 0.01),
    "rarely sampled Gaussian": gaussian(1 / 0.5, 1e-4),
    "Laplace": laplace(1.0),
    "Laplace, much noise": laplace(0.01),
    "sampled Laplace": laplace(0.5, 0.1),
    "randomized response": response(0.5),
    "sampled geometric": sampled_geometric(0.5, 0.1),
    "sampled discrete Gaussian": sampled_discrete_gaussian(1.0, 0.05),
    "no common lattice": uneven(),
}
DELTAS = (0.5, 0.1, 1e-6, 1e-30, 1e-300)


def goal(epsilons: np.ndarray) -> np.ndarray:
    part = np.minimum(epsilons, np.maximum(1.0, epsilons / 10))
    return TOLERANCE * part


@pytest.mark.slow
def test_contains_what_single_brackets_do() -> None:
    for name in ("Gaussian", "sampled Gaussian", "Laplace", "sampled discrete Gaussian"):
        compare(name, (1e-6,), 300, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "number",
    [pytest.param(8, marks=pytest.mark.part), pytest.param(40, marks=pytest.mark.exhaustive)],
)
def test_contains_what_single_brackets_do_for_all_deltas(
    name: str, number: int, sample: Any
) -> None:
    compare(name, sample(DELTAS, 2), 3000, number)


def compare(name: str, deltas: Sequence[float], most: float, number: int) -> None:
    laws, rng = CASES[name], np.random.default_rng(list(name.encode()))
    for delta in deltas:
        ks = np.unique(np.rint(np.geomspace(1, most, number)))
        low, high = epsilon_curve(laws, ks, delta, TOLERANCE)
        assert (low <= high).all() and (low >= 0).all()
        for i in rng.choice(ks.size, 2, replace=False):
            one = epsilon_bracket([[(law, int(ks[i]))] for law in laws], delta, TOLERANCE)
            assert low[i] <= one[1] and one[0] <= high[i], (delta, ks[i])


@pytest.mark.parametrize("mu", [1e-4, 0.01, 1 / 0.3])
@pytest.mark.parametrize("delta", DELTAS)
@few_or_many("most", 300, 1e5)
def test_contains_the_gaussian_truth(mu: float, delta: float, most: float) -> None:
    ks = np.unique(np.rint(np.geomspace(1, most if mu < 1 else min(most, 1e3), 50)))
    low, high = epsilon_curve(gaussian(mu), ks, delta, TOLERANCE)
    truth = gaussian_epsilons(mu * np.sqrt(ks), delta)
    assert (low <= truth * (1 + 1e-11)).all()
    assert (truth <= high * (1 + 1e-11)).all()
    clear = truth > mu * np.sqrt(ks) / 10
    assert (high - low <= 1.01 * goal(truth))[clear].all()


@pytest.mark.parametrize("delta", DELTAS)
def test_contains_the_truth_of_randomized_response(delta: float) -> None:
    ks = np.array([1.0, 2, 3, 7, 20, 100, 500, 1000])
    low, high = epsilon_curve(response(0.5), ks, delta, TOLERANCE)
    for i, k in enumerate(ks):
        truth = optimal_composition(ApproxDP(0.5, 0.0), int(k), delta=delta).epsilon
        assert low[i] <= truth * (1 + 1e-10)
        # the reference value is itself rounded up, so allow for its error
        assert truth <= high[i] * (1 + 1e-10) + 1e-12
        assert high[i] - low[i] <= 1.01 * goal(np.array(truth)) + 1e-300


@pytest.mark.parametrize(
    "name", ["Gaussian", "sampled Gaussian", "Laplace", "sampled Laplace", "sampled geometric"]
)
@pytest.mark.parametrize("delta", [1e-6, 1e-300])
@few_or_many("most", 100, 1e4)
def test_is_narrow(name: str, delta: float, most: float) -> None:
    ks = np.unique(np.rint(np.geomspace(1, most, 40)))
    low, high = epsilon_curve(CASES[name], ks, delta, TOLERANCE)
    assert (high - low <= 1.01 * goal(low)).all()


def test_both_bounds_grow() -> None:
    for name in ("sampled Gaussian", "Laplace"):
        low, high = epsilon_curve(CASES[name], np.arange(1.0, 60), 1e-3, TOLERANCE)
        assert (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all(), name


def test_counts_come_in_any_order_and_shape() -> None:
    laws = CASES["sampled Gaussian"]
    ks = np.array([[30.0, 2, 1000], [2, 30, 7]])
    low, high = epsilon_curve(laws, ks, 1e-5, TOLERANCE)
    assert low.shape == high.shape == (2, 3)
    assert low[0, 0] == low[1, 1] and high[0, 1] == high[1, 0]
    alone = epsilon_curve(laws, np.array([7.0]), 1e-5, TOLERANCE)
    assert alone[0][0] <= high[1, 2] and low[1, 2] <= alone[1][0]
    for bounds in epsilon_curve(laws, np.zeros(0), 1e-5, TOLERANCE):
        assert bounds.shape == (0,)


def test_infinite_losses() -> None:
    # at least one of k steps has an infinite loss with probability 1 - (1 - 1e-3)^k, so epsilon is
    # infinite if delta is smaller than this
    ks = np.arange(1.0, 20)
    low, high = epsilon_curve(response(0.5, 1e-3), ks, 0.01, TOLERANCE)
    lost = -np.expm1(ks * math.log1p(-1e-3)) > 0.01
    assert lost.any() and not lost.all()
    assert np.isinf(low[lost]).all()
    assert np.isfinite(high[~lost]).all()
    for k, one, other in zip(ks[~lost], low, high, strict=False):
        single = epsilon_bracket([[(response(0.5, 1e-3)[0], int(k))]], 0.01, TOLERANCE)
        assert one <= single[1] and single[0] <= other


@pytest.mark.parametrize("ulps", range(-3, 4))
def test_a_delta_that_is_all_but_the_infinite_losses(ulps: int) -> None:
    # delta is the probability of an infinite loss, up to a few roundings, so the true epsilon may
    # be finite or infinite, and the bracket must allow for both
    for k in (1, 3, 10, 17):
        delta = -math.expm1(k * math.log1p(-0.1))
        delta += ulps * math.ulp(delta)
        ends = epsilon_curve(response(0.5, 0.1), np.array([float(k)]), delta, TOLERANCE)
        assert not np.isnan(ends).any()
        assert ends[1][0] == math.inf or ends[1][0] <= 0.5 * k * (1 + 1e-9)
        assert ends[0][0] <= ends[1][0]
        # delta exceeds the probability of an infinite loss, so the true epsilon is finite
        if ulps == 3:
            assert ends[0][0] <= 0.5 * k * (1 + 1e-9)


def test_a_law_without_losses() -> None:
    nothing = StepLoss(1.0, [0.0], [0.0])
    for bounds in epsilon_curve([nothing], np.array([1.0, 10]), 0.1, TOLERANCE):
        assert (bounds == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_huge_counts_are_bounded_quickly(name: str) -> None:
    ks = np.array([1e6, 1e9, 2.0**53])
    start = time.process_time()
    low, high = epsilon_curve(CASES[name], ks, 1e-6, TOLERANCE)
    assert time.process_time() - start < 10
    assert not np.isnan(low).any() and not np.isnan(high).any()
    assert (low <= high).all() and (high[1:] >= high[:-1]).all()
    if name == "Gaussian":
        truth = gaussian_epsilons(0.01 * np.sqrt(ks), 1e-6)
        assert (low <= truth).all() and (truth <= high).all()


def test_costs_little_for_each_count() -> None:
    laws = CASES["Gaussian"]
    single = [[(laws[0], 500)]]

    def cost(run: object) -> float:
        best = math.inf
        for _ in range(3):
            start = time.process_time()
            run()  # type: ignore[operator]
            best = min(best, time.process_time() - start)
        return best

    one = cost(lambda: epsilon_bracket(single, 1e-6, TOLERANCE))
    many = cost(lambda: epsilon_curve(laws, np.arange(1.0, 1001), 1e-6, TOLERANCE))
    assert many < 100 * one
