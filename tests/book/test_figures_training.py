"""Tests of the figures on subsampling and training."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says
from scipy.stats import norm

from dpteach import Accountant, ApproxDP, Gaussian, GaussianDP, PoissonSubsampled, figures
from dpteach.figures.training import _apart, limit_of

RNG = np.random.default_rng(5)
INSIDE, OUTSIDE = 0.05 * RNG.exponential(size=(4, 50)), RNG.exponential(size=(4, 50))
STEPS = [PoissonSubsampled(Gaussian(sigma=s), 0.1) for s in (3.95, 2.25)]
RUNS: dict[str, Any] = {
    "epsilon": [1, 2],
    "step": STEPS,
    "steps": 100,
    "plain": [[0.9, 0.92, 0.94], [0.95, 0.95, 0.96]],
    "flexible": [[0.7, 0.72, 0.74], [0.8, 0.81, 0.82]],
    "without": (0.97, 0.87),
    "losses": [
        (OUTSIDE, OUTSIDE + 0.1),
        (OUTSIDE, OUTSIDE + 0.2),
        (OUTSIDE, OUTSIDE + 0.3),
        (INSIDE, OUTSIDE),
    ],
}


def losses(line: float) -> Axes:
    return figures.member_losses(line=line, inside=INSIDE, outside=OUTSIDE)


def accuracy(epsilon: float) -> Axes:
    return figures.accuracy_by_epsilon(epsilon=epsilon, runs=RUNS)


def attack(epsilon: float) -> Axes:
    return figures.attack_and_promise(epsilon=epsilon, runs=RUNS)


CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "a line": (lambda: losses(0.1), "below the threshold of 0.1 nats for"),
    "a tenth": (
        lambda: figures.sampled_loss(rate=0.1),
        "it is never below −0.105, and at 5 standard deviations it is 2.29.",
    ),
    "everybody": (lambda: figures.sampled_loss(rate=1), "it has no lower bound, and"),
    "much noise": (lambda: figures.sampled_loss(rate=0.5, sigma=4.0), "it is never below −0.693"),
    "a bill": (
        lambda: figures.training_bill(rate=0.1),
        "basic 48.6, advanced 38.4, Rényi 2.2, certified 1.998; without sampling 28.1.",
    ),
    "two models": (
        lambda: accuracy(2),
        "At epsilon 2 the median accuracy of the plain model is 95.0%",
    ),
    "an attack": (lambda: attack(2), "a row was added is right more than 59.1% of the time"),
}


def curves(axes: Axes, least: int = 20) -> list[np.ndarray]:
    lines = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in lines if line.shape[1] >= least]


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
def test_without_a_sample_the_told_loss_is_that_of_two_normals(sigma: float) -> None:
    at = norm.logpdf(5 * sigma, 1, sigma) - norm.logpdf(5 * sigma, 0, sigma)
    line = f"it is a straight line, which reaches {at:.2f} at 5 standard deviations."
    for rate in (0.1, 1.0):
        assert line in figures.alt_text(figures.sampled_loss(rate=rate, sigma=sigma))
    whole = figures.alt_text(figures.sampled_loss(rate=1.0, sigma=sigma))
    assert whole.endswith(f"and at 5 standard deviations it is {at:.2f}.")


def test_accuracy_is_told_with_its_spread_and_without_noise() -> None:
    assert figures.alt_text(accuracy(2)).endswith(
        "the median accuracy of the plain model is 95.0%, and 80% of its training runs lie "
        "between 95.0% and 95.8%. The flexible model has a median of 81.0%, and 80% of its runs "
        "lie between 80.2% and 81.8%. The same steps without noise give 97.0% and 87.0%."
    )


@pytest.mark.parametrize("line", [0.01, 0.1, 1.0])
def test_shares_are_those_of_the_losses(line: float) -> None:
    found, accused = np.mean(line >= INSIDE), np.mean(line >= OUTSIDE)
    text = figures.alt_text(losses(line))
    assert f"{100 * found:.0f}% of the members and for {100 * accused:.0f}% of the" in text
    assert f"so {50 * (1 + found - accused):.0f}% of the guesses are correct" in text


@pytest.mark.parametrize(("rate", "sigma"), [(0.01, 1.0), (0.5, 2.0), (1.0, 1.0)])
def test_the_loss_of_a_sample_is_the_mechanisms(rate: float, sigma: float) -> None:
    """The losses in the figure give the hockey-stick divergence delta that the library computes."""
    whole, sampled = curves(figures.sampled_loss(rate=rate, sigma=sigma))
    z = whole[0]
    assert whole[1] == pytest.approx((2 * sigma * z - 1) / (2 * sigma**2))
    assert np.exp(sampled[1]) == pytest.approx(1 - rate + rate * np.exp(whole[1]))
    law = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    delta = np.trapezoid(law * np.maximum(np.exp(sampled[1]) - math.exp(0.1), 0), z)
    step = PoissonSubsampled(Gaussian(sigma=sigma), rate)
    assert delta == pytest.approx(step.guarantee(ApproxDP, epsilon=0.1).delta, rel=0.02)


@pytest.mark.parametrize(("rate", "sigma"), [(0.02, 1.0), (0.5, 4.0)])
def test_bills_are_the_librarys(rate: float, sigma: float) -> None:
    axes = figures.training_bill(rate=rate, sigma=sigma, delta=1e-6)
    added, advanced, renyi, certified, whole = curves(axes)
    step = PoissonSubsampled(Gaussian(sigma=sigma), rate)
    for i in (0, 15, 34):
        k = int(certified[0][i])
        bill = Accountant().compose(step, k)
        assert certified[1][i] == pytest.approx(bill.epsilon_at(1e-6).upper, rel=1e-3)
        assert whole[1][i] == pytest.approx(
            GaussianDP(math.sqrt(k) / sigma).epsilon_at(1e-6), rel=1e-9
        )
        one = step.guarantee(ApproxDP, delta=1e-6 / k)
        assert added[1][i] == pytest.approx(k * one.epsilon, rel=1e-9)
        assert renyi[1][i] >= bill.epsilon_at(1e-6).lower
        assert advanced[1][i] >= bill.epsilon_at(1e-6).lower
    assert (added[1] >= certified[1] * (1 - 1e-3)).all()
    (place,) = (one.get_xydata() for one in axes.lines if one.get_marker() == "o")
    assert place.tolist() == [[100, certified[1][certified[0] == 100][0]]]


def test_names_at_the_ends_do_not_touch() -> None:
    places = _apart([1.0, 1.01, 1.02, 2.99, 3.0], 0.1, 0.0, 3.0)
    assert (np.diff(places) > 0.1 - 1e-9).all() and max(places) <= 3.0
    assert _apart([0.5, 0.1], 0.1, 0.0, 3.0) == [0.5, 0.1]


def test_accuracies_are_those_of_the_runs() -> None:
    axes = accuracy(1)
    text = figures.alt_text(axes)
    assert "is 92.0%," in text and "The flexible model has a median of 72.0%" in text
    assert "without noise give 97.0% and 87.0%." in text and "constant guess" not in text
    drawn = figures.accuracy_by_epsilon(epsilon=1, runs=RUNS, baseline=0.63)
    assert "A constant guess is right 63% of the time." in figures.alt_text(drawn)
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert [sorted(line.get_ydata()) for line in points] == [[90, 92, 94], [70, 72, 74]]


def test_the_limit_is_certified_and_near() -> None:
    limit = limit_of(STEPS[1], 100)
    bill = Accountant().compose(STEPS[1], 100)
    assert limit.delta_at(0.0) == pytest.approx(bill.delta_at(0.0).upper)
    for alarm in (0.001, 0.05, 0.3, 0.7):
        # each pair (epsilon, delta) bounds the power of an attack with this false-alarm
        # probability; the drawn limit must be nearly the least of these bounds
        pairs = [
            (e, bill.delta_at(e).upper) for e in np.linspace(0, bill.epsilon_at(1e-6).upper, 60)
        ]
        bounds = [d + math.exp(e) * alarm for e, d in pairs]
        bounds += [1 - math.exp(-e) * (1 - d - alarm) for e, d in pairs]
        assert 1 - limit.trade_off(alarm) == pytest.approx(min(bounds), abs=2e-3)
        assert 1 - limit.trade_off(alarm) >= min(bounds) - 2e-3


def test_an_attack_is_told_of_trainings_that_did_not_choose_its_line() -> None:
    same = np.tile(np.linspace(0.1, 1, 40), (4, 1))
    runs = RUNS | {"losses": [(same, same)] * 4}
    text = figures.alt_text(figures.attack_and_promise(epsilon=1, runs=runs))
    assert "is right 50.0% of the time, 50.0% after the same steps" in text
    apart = np.tile([0.1, 0.2], (4, 1)), np.tile([1.0, 2.0], (4, 1))
    runs = RUNS | {"losses": [(same, same), (same, same), (same, same), apart]}
    text = figures.alt_text(figures.attack_and_promise(epsilon=1, runs=runs))
    assert "50.0% after the same steps without noise, and 100.0% after long" in text
    runs = RUNS | {"losses": [(same, same), (same, same), apart, (same, same)]}
    text = figures.alt_text(figures.attack_and_promise(epsilon=1, runs=runs))
    assert "100.0% after the same steps without noise, and 50.0% after long" in text
    text = figures.alt_text(attack(1))
    assert "more than 55.1% of" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: losses(0.001), lambda: losses(3)),
        (lambda: figures.sampled_loss(rate=0.01), lambda: figures.sampled_loss(rate=1)),
        (lambda: figures.training_bill(rate=0.01), lambda: figures.training_bill(rate=1)),
        (lambda: accuracy(1), lambda: accuracy(2)),
        (lambda: attack(1), lambda: attack(2)),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: losses(0), r"line must be in \[0.0001, 10\]"),
        (
            lambda: figures.member_losses(line=0.1, inside=[-1.0], outside=[1.0]),
            "inside must hold at least one number",
        ),
        (lambda: figures.sampled_loss(rate=0), r"rate must be in \[0.001, 1\]"),
        (lambda: figures.sampled_loss(rate=0.1, sigma=0.1), r"sigma must be in \[0.5, 10\]"),
        (lambda: figures.training_bill(rate=2), r"rate must be in"),
        (lambda: figures.training_bill(rate=0.1, sigma=math.nan), "sigma must be"),
        (lambda: figures.training_bill(rate=0.1, delta=0.5), "delta must be in"),
        (
            lambda: figures.accuracy_by_epsilon(epsilon=1, runs=RUNS, baseline=1.5),
            "baseline must be",
        ),
        (lambda: accuracy(3), r"epsilon must be one of \[1.0, 2.0\]"),
        (lambda: figures.accuracy_by_epsilon(epsilon=1, runs={}), "runs must have"),
        (
            lambda: figures.attack_and_promise(epsilon=1, runs=RUNS | {"losses": []}),
            "runs must have 4 pairs of losses",
        ),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
