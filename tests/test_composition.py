"""Advanced composition, with the whole delta in the result; and the textbook's Gaussian noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpteach import Adjacency, ApproxDP, DiscreteLoss, Gaussian, PureDP, RandomizedResponse
from dpteach.composition import (
    advanced_composition,
    advanced_composition_simplified,
    advanced_composition_step,
)
from dpteach.mechanisms.classical import classical_gaussian, classical_gaussian_guarantee


def repeated_response(epsilon: float, k: int) -> DiscreteLoss:
    """The number of true answers among k: as telling as the k answers of randomized response."""
    truth = RandomizedResponse(epsilon).truth_probability
    p = binom.pmf(np.arange(k + 1), k, truth)
    return DiscreteLoss(p / p.sum(), p[::-1] / p.sum())


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("k", [1, 2, 10, 100, 300])
@pytest.mark.parametrize("slack", [1e-10, 1e-5, 1e-2, 0.5])
def test_true_of_repeated_randomized_response(epsilon: float, k: int, slack: float) -> None:
    loss = repeated_response(epsilon, k)
    step = ApproxDP(epsilon, 0.0)
    whole = advanced_composition(step, k, slack=slack)
    assert whole.delta == slack
    assert whole.holds_for(loss)
    try:
        simple = advanced_composition_simplified(step, k, slack=slack)
    except ValueError:
        assert math.expm1(epsilon) > math.sqrt(2 * math.log(1 / slack) / k)
    else:
        assert simple.epsilon >= whole.epsilon * (1 - 1e-14)


def test_the_delta_of_every_step_is_on_the_bill() -> None:
    whole = advanced_composition(ApproxDP(0.01, 1e-5), 500, slack=1e-5)
    assert math.isclose(whole.delta, 501e-5)
    assert advanced_composition(ApproxDP(0.01, 0.1), 500, slack=1e-5).delta == 1.0


def test_beyond_its_range_the_simplified_form_would_be_wrong() -> None:
    promised = 2 * 2.0 * math.sqrt(2 * 100 * math.log(1e5))
    assert repeated_response(2.0, 100).hockey_stick(promised) > 5e-5
    with pytest.raises(ValueError, match="for the simplified form at k=100"):
        advanced_composition_simplified(ApproxDP(2.0, 0.0), 100, slack=1e-5)


@pytest.mark.parametrize("k", [1, 7, 300])
@pytest.mark.parametrize("target", [ApproxDP(0.1, 1e-5), ApproxDP(1.0, 1e-9)])
def test_steps_reach_their_target(k: int, target: ApproxDP) -> None:
    step = advanced_composition_step(target, k)
    whole = advanced_composition_simplified(step, k, slack=target.delta / 2)
    assert target.epsilon * (1 - 1e-13) <= whole.epsilon <= target.epsilon
    assert target.delta * (1 - 1e-13) <= whole.delta <= target.delta


@pytest.mark.parametrize(
    ("k", "variance", "vectorised"), [(1, 2.43e5, 2.35e3), (100, 3.33e7, 2.35e5)]
)
def test_textbook_noise_of_many_queries(k: int, variance: float, vectorised: float) -> None:
    target = ApproxDP(0.1, 1e-5)
    composed = classical_gaussian(advanced_composition_step(target, k)).sigma ** 2
    log = math.log
    assert math.isclose(composed, 16 * k * log(2e5) * log(2.5e5 * k) / 0.01, rel_tol=1e-12)
    assert math.isclose(composed, variance, rel_tol=5e-3)
    at_once = classical_gaussian(target, sensitivity=math.sqrt(k)).sigma ** 2
    assert math.isclose(at_once, vectorised, rel_tol=5e-3)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("delta", [1e-10, 1e-5, 1e-2, 0.3])
def test_the_textbook_holds_up_to_epsilon_one(epsilon: float, delta: float) -> None:
    noise = classical_gaussian(ApproxDP(epsilon, delta), sensitivity=3.0)
    assert noise.guarantee(ApproxDP, epsilon=epsilon).delta <= delta
    assert math.isclose(classical_gaussian_guarantee(noise, delta=delta).epsilon, epsilon)


def test_adjacency_is_kept() -> None:
    step = ApproxDP(0.01, 1e-8, adjacency=Adjacency.REPLACE_ONE)
    noise = classical_gaussian(step)
    for result in (
        advanced_composition(step, 3, slack=1e-6),
        advanced_composition_simplified(step, 3, slack=1e-6),
        advanced_composition_step(step, 3),
        noise,
        classical_gaussian_guarantee(noise, delta=1e-8),
    ):
        assert result.adjacency is Adjacency.REPLACE_ONE


STEP = ApproxDP(0.01, 1e-8)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: advanced_composition(PureDP(1.0), 3, slack=0.1), TypeError, "step must be of"),  # type: ignore[arg-type]
        (lambda: advanced_composition(STEP, 0, slack=0.1), ValueError, "k must be an integer"),
        (lambda: advanced_composition(STEP, 2.5, slack=0.1), TypeError, "k must be an integer"),  # type: ignore[arg-type]
        (lambda: advanced_composition(STEP, 3, slack=0.0), ValueError, r"slack must be in \(0, 1"),
        (lambda: advanced_composition(STEP, 3, slack=math.nan), ValueError, "slack=nan"),
        (lambda: advanced_composition(STEP, 3, slack="0.1"), TypeError, "slack='0.1'"),  # type: ignore[arg-type]
        (
            lambda: advanced_composition(ApproxDP(800.0, 0.0), 3, slack=0.1),
            ValueError,
            "step must have epsilon <= 700",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(0.0, 1e-5), 3),
            ValueError,
            "target must have epsilon > 0",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(1.0, 0.0), 3),
            ValueError,
            "target must have epsilon > 0 and delta",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(1000.0, 0.5), 3),
            ValueError,
            "target must allow steps with epsilon <=",
        ),
        (lambda: advanced_composition_step(STEP, -1), ValueError, "k must be an integer"),
        (lambda: classical_gaussian(ApproxDP(2.0, 1e-5)), ValueError, r"epsilon in \(0, 1\]"),
        (lambda: classical_gaussian(ApproxDP(1.0, 0.0)), ValueError, r"delta in \(0, 1\)"),
        (lambda: classical_gaussian(STEP, sensitivity=0.0), ValueError, "sensitivity must be"),
        (lambda: classical_gaussian("x"), TypeError, "target must be of type ApproxDP"),  # type: ignore[arg-type]
        (
            lambda: classical_gaussian_guarantee(Gaussian(1.0), delta=1e-5),
            ValueError,
            "mechanism must have noise for epsilon <= 1",
        ),
        (
            lambda: classical_gaussian_guarantee(Gaussian(10.0), delta=0.0),
            ValueError,
            r"delta must be in \(0, 1\), got delta=0.0",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
