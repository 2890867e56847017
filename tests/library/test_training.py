"""Tests of training a model by DP-SGD: clipped gradients, noise, and privacy accounting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpteach import Accountant, Gaussian, PoissonSubsampled
from dpteach.training import (
    Training,
    _clipped_sum,
    clip_rows,
    logistic_gradients,
    logistic_losses,
    train_logistic,
)

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


def people(n: int = 40, columns: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, columns))
    return x, (x @ np.arange(1, columns + 1) + rng.normal(size=n) > 0).astype(float)


def plan(**changes: Any) -> dict[str, Any]:
    usual = {"rate": 0.25, "sigma": 1.0, "clip": 0.5, "batch": 10.0, "steps": 20}
    return usual | {"learning_rate": 0.3, "rng": np.random.default_rng(3)} | changes


@given(
    rows=arrays.arrays(np.float64, (3, 4), elements=st.floats(-1.7e308, 1.7e308)),
    clip=st.floats(1e-300, 1e300),
)
def test_no_row_is_longer_than_the_norm(rows: np.ndarray, clip: float) -> None:
    cut = clip_rows(rows, clip)
    assert np.isfinite(cut).all()
    for row, before in zip(cut, rows, strict=True):
        assert math.hypot(*row) <= clip
        units = before / max(np.abs(before).max(), 1e-300)
        if np.abs(before).max() <= clip / 3:
            assert np.array_equal(row, before)
        elif clip > 1e-290:
            # clipping keeps a row's direction; skip very small norms, at which floats hold the
            # direction only roughly
            assert row / clip * math.hypot(*units) == pytest.approx(
                units * math.hypot(*row / clip), abs=1e-9
            )


def test_a_row_is_cut_to_the_norm_and_no_shorter() -> None:
    assert np.linalg.norm(clip_rows([[30.0, 40.0]], 2.0)) == pytest.approx(2.0, rel=1e-11)
    rows = [[0.3, 0.4], [0.0, 0.0]]
    assert clip_rows(rows, 1.0).tolist() == rows
    assert clip_rows([[1e200, -1.0]], math.inf).tolist() == [[1e200, -1.0]]
    assert clip_rows(np.zeros((0, 3)), 1.0).shape == (0, 3)


@given(
    x=arrays.arrays(np.float64, (6, 3), elements=NUMBERS),
    y=arrays.arrays(np.float64, 6, elements=st.sampled_from([0.0, 1.0])),
    weights=arrays.arrays(np.float64, 3, elements=st.floats(-10, 10, allow_subnormal=False)),
    clip=st.floats(1e-3, 1e3),
)
def test_one_person_moves_the_sum_by_the_norm_at_most(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, clip: float
) -> None:
    """Leaving out any person moves the sum of clipped gradients by at most `clip`."""
    norms = np.linalg.norm(x, axis=1)
    whole = _clipped_sum(weights, x, y, norms, clip)
    gradients = logistic_gradients(weights, x, y)
    assert whole == pytest.approx(clip_rows(gradients, clip).sum(axis=0), abs=1e-9 * clip, rel=1e-9)
    for i in range(6):
        rest = np.delete(np.arange(6), i)
        without = _clipped_sum(weights, x[rest], y[rest], norms[rest], clip)
        assert np.linalg.norm(whole - without) <= clip * (1 + 1e-12)


def test_gradients_are_those_of_the_losses() -> None:
    x, y = people()
    w = np.array([0.3, -1.0, 2.0])
    found = logistic_gradients(w, x, y)
    for j in range(3):
        step = np.zeros(3)
        step[j] = 1e-6
        slope = (logistic_losses(w + step, x, y) - logistic_losses(w - step, x, y)) / 2e-6
        assert found[:, j] == pytest.approx(slope, abs=1e-8)


def test_losses_of_sure_models_stay_finite() -> None:
    losses = logistic_losses([1e6], [[1.0], [-1.0]], [0, 0])
    assert losses.tolist() == [1e6, 0.0]


@pytest.mark.parametrize("rate", [1.0, 0.25])
def test_without_noise_and_clipping_it_is_plain_descent(rate: float) -> None:
    x, y = people()
    model = train_logistic(x, y, **plan(rate=rate, sigma=0, clip=math.inf))
    rng, w = np.random.default_rng(3), np.zeros(3)
    for _ in range(20):
        here = rng.random(40) < rate if rate < 1 else np.ones(40, dtype=bool)
        w = w - 0.3 / 10 * logistic_gradients(w, x[here], y[here]).sum(axis=0)
    assert model.weights == pytest.approx(w, rel=1e-12)
    assert model.step is None
    assert np.array_equal(
        train_logistic(x, y, **plan(rate=rate, sigma=0, clip=1e9)).weights, model.weights
    )


def test_steps_clip_each_gradient_and_add_noise() -> None:
    x, y = people()
    model = train_logistic(x, y, **plan(sigma=2.0, clip=0.1))
    rng, w = np.random.default_rng(3), np.zeros(3)
    for _ in range(20):
        here = rng.random(40) < 0.25
        total = clip_rows(logistic_gradients(w, x[here], y[here]), 0.1).sum(axis=0)
        w = w - 0.3 * (total + 0.2 * rng.standard_normal(3)) / 10
    assert model.weights == pytest.approx(w, rel=1e-10)


def test_samples_may_be_empty_and_have_the_rate() -> None:
    x, y = np.ones((1000, 1)), np.zeros(1000)
    none = train_logistic(x, y, **plan(rate=1e-12, sigma=0, steps=5))
    assert none.weights.tolist() == [0.0]
    # with initial weights 0, the gradient of each person is 1/2, so the weight after one step shows
    # how many people were sampled
    once = [
        train_logistic(
            x, y, **plan(sigma=0, steps=1, batch=1.0, learning_rate=1.0, rng=rng)
        ).weights
        for rng in np.random.default_rng(1).spawn(200)
    ]
    sizes = -2 * np.array(once)
    assert sizes.mean() == pytest.approx(250, abs=4)
    assert sizes.std() == pytest.approx(math.sqrt(250 * 0.75), rel=0.2)


def test_the_noise_has_the_deviation_that_was_promised() -> None:
    x, y = np.zeros((1, 5000)), [0]
    model = train_logistic(
        x, y, **plan(rate=1.0, sigma=3.0, clip=0.5, steps=4, batch=2.0, learning_rate=0.1)
    )
    assert model.weights.std() == pytest.approx(3.0 * 0.5 * 2 * 0.1 / 2, rel=0.05)
    assert abs(model.weights.mean()) < 0.01


def test_the_promise_is_the_accountants() -> None:
    x, y = people()
    model = train_logistic(x, y, **plan(sigma=1.5, clip=7.0))
    assert model.step == PoissonSubsampled(Gaussian(sigma=1.5), rate=0.25)
    assert model.steps == 20
    told = Accountant().compose(PoissonSubsampled(Gaussian(sigma=1.5), 0.25), 20)
    bill = model.accountant()
    assert bill.events == told.events
    assert bill.epsilon_at(1e-6) == told.epsilon_at(1e-6)
    # each call returns a new accountant, so composing onto one does not change the next
    assert (
        bill.compose(Gaussian(sigma=1.0)).epsilon_at(1e-6).lower
        > model.accountant().epsilon_at(1e-6).upper
    )


def test_the_same_generator_trains_the_same_model() -> None:
    x, y = people()
    one, other = (train_logistic(x, y, **plan()) for _ in range(2))
    assert np.array_equal(one.weights, other.weights)
    assert not one.weights.flags.writeable
    assert not np.array_equal(
        one.weights, train_logistic(x, y, **plan(rng=np.random.default_rng(4))).weights
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": np.ones(4)}, "features must be a matrix"),
        ({"features": np.ones((0, 3)), "labels": []}, "features must be a matrix"),
        ({"labels": np.zeros(39)}, "labels must be one for each row"),
        ({"labels": np.full(40, 0.5)}, "labels must be 0 or 1"),
        ({"rate": 0}, r"rate must be in \(0, 1\]"),
        ({"sigma": -1}, "sigma must be finite and >= 0"),
        ({"clip": 0}, "clip must be > 0"),
        ({"clip": math.inf}, "clip must be finite if sigma > 0"),
        ({"batch": 0}, "batch must be finite and > 0"),
        ({"steps": 0}, "steps must be an integer"),
        ({"steps": 10**8}, "steps must be at most"),
        ({"learning_rate": 0}, "learning_rate must be finite and > 0"),
        ({"learning_rate": 1e308, "sigma": 1e100}, "learning_rate must be so small"),
    ],
)
def test_bad_input(changes: dict[str, Any], message: str) -> None:
    x, y = people()
    given_ = {"features": x, "labels": y} | plan() | changes
    with pytest.raises(ValueError, match=message):
        train_logistic(**given_)


def test_other_bad_input() -> None:
    with pytest.raises(ValueError, match="weights must be one for each column"):
        logistic_losses([1.0], [[1.0, 2.0]], [1])
    with pytest.raises(ValueError, match="weights must be a vector"):
        logistic_gradients(1.0, [[1.0, 2.0]], [1])
    with pytest.raises(ValueError, match="rows must be a matrix"):
        clip_rows([1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match="step must be a mechanism"):
        Training([1.0], None, 3).accountant()
    with pytest.raises(TypeError, match="step must be"):
        Training([1.0], Gaussian(1.0), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="rng must be"):
        x, y = people()
        train_logistic(x, y, **plan(rng=7))
