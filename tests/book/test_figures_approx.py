"""Tests of the figures on approximate differential privacy."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says

from dpteach import ApproxDP, Gaussian, Laplace, ProbabilisticDP, PureDP, calibrate, figures
from dpteach.mechanisms.classical import classical_gaussian

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "an answer that is rare": (
        lambda: figures.factors_of_answers(answer_at=187.5),
        "is 1.65 times as likely with Ada as without her. If Ada is in the table, 1 in 2.7 million "
        "noisy counts is higher than 187.5.",
    ),
    "an answer below": (
        lambda: figures.factors_of_answers(answer_at=108.0),
        "108 is 1.34 times as likely without Ada as with her. If Ada is in the table, 1 in 741 "
        "noisy counts is lower than 108.",
    ),
    "an answer in the middle": (
        lambda: figures.factors_of_answers(answer_at=137.5),
        "137.5 is as likely with Ada as without her. If Ada is in the table, 48% of the noisy "
        "counts are lower than 137.5.",
    ),
    "an answer that nobody sees": (
        lambda: figures.factors_of_answers(answer_at=238.0),
        "as without her. If Ada is in the table, 1 in 10²³ noisy counts is higher than 238.",
    ),
    "what sticks out": (
        lambda: figures.sticking_out(epsilon=1.0, sigma=1.0),
        "beyond 138.5. The loss exceeds epsilon there, with probability 0.309; the filled area, "
        "delta, is 0.127.",
    ),
    "total variation": (
        lambda: figures.sticking_out(epsilon=0.0, sigma=2.0),
        "with probability 0.599; the filled area, delta, is 0.197.",
    ),
    "the textbook": (
        lambda: figures.textbook_noise(delta=1e-5),
        "1.58 times the smallest sigma at epsilon 0.1, 1.30 times at 1 and 0.97 times at 10",
    ),
    "many counts": (
        lambda: figures.noise_for_counts(epsilon=0.5, delta=1e-5),
        "from 2.83 to 2,828 at 1,000 counts. For Gaussian noise at delta 10⁻⁵, it grows like the "
        "square root of k, from 7.03 to 222. For 7 or more counts",
    ),
    "a delta that is no power of ten": (
        lambda: figures.noise_for_counts(epsilon=1.0, delta=0.002),
        "at delta 0.002",
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("sigma", [0.7, 1.0, 2.0])
def test_what_sticks_out_is_delta(epsilon: float, sigma: float) -> None:
    axes = figures.sticking_out(epsilon=epsilon, sigma=sigma)
    hatched, filled = (path.get_paths()[0] for path in axes.collections)
    mechanism = Gaussian(sigma=sigma)
    delta = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
    whole = mechanism.guarantee(ProbabilisticDP, epsilon=epsilon).delta
    # compute the areas of the drawn polygons from their corners
    areas = []
    for path in (hatched, filled):
        x, y = np.asarray(path.vertices).T
        areas.append(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)
    assert areas[1] == pytest.approx(delta, abs=2e-3)
    assert sum(areas) == pytest.approx(whole, abs=2e-3)


@pytest.mark.parametrize("delta", [1e-3, 1e-5, 1e-9])
def test_the_textbook_s_noise_is_the_textbook_s(delta: float) -> None:
    curves = [np.asarray(line.get_data()) for line in figures.textbook_noise(delta=delta).lines]
    proved, beyond = (curve for curve in curves if curve.shape[1] > 2)
    for epsilon, times in proved.T:
        target = ApproxDP(min(float(epsilon), 1.0), delta)
        expected = classical_gaussian(target).sigma / calibrate(Gaussian, target).sigma
        assert times == pytest.approx(expected, rel=1e-9)
    assert min(beyond[1]) < 1 < min(proved[1])


@pytest.mark.parametrize("delta", [1e-3, 1e-5, 1e-15])
def test_from_the_count_that_it_names_on_normal_noise_is_the_smaller(delta: float) -> None:
    said = figures.alt_text(figures.noise_for_counts(epsilon=0.5, delta=delta))
    first = int(said.split(" or more counts")[0].split()[-1])
    for k in (first - 1, first):
        normal = calibrate(Gaussian, ApproxDP(0.5, delta), sensitivity=math.sqrt(k)).sigma
        laplace = math.sqrt(2) * calibrate(Laplace, PureDP(0.5), sensitivity=k).scale
        assert (normal < laplace) == (k == first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.factors_of_answers(answer_at=65.0),
            lambda: figures.factors_of_answers(answer_at=210.0),
        ),
        (
            lambda: figures.sticking_out(epsilon=0.0, sigma=0.7),
            lambda: figures.sticking_out(epsilon=2.0, sigma=2.0),
        ),
        (
            lambda: figures.noise_for_counts(epsilon=0.5, delta=1e-15),
            lambda: figures.noise_for_counts(epsilon=0.5, delta=1e-3),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: figures.factors_of_answers(answer_at=30.0),
            r"answer_at must be in \[38, 238\]",
        ),
        (
            lambda: figures.sticking_out(epsilon=4.0, sigma=1.0),
            r"epsilon must be in \[0, 3\]",
        ),
        (lambda: figures.sticking_out(epsilon=1.0, sigma=0.1), r"sigma must be in \[0.7, 3\]"),
        (lambda: figures.textbook_noise(delta=0.5), r"delta must be in \[1e-30, 0.1\]"),
        (
            lambda: figures.noise_for_counts(epsilon=0.0, delta=1e-5),
            r"epsilon must be in \(0, 5\]",
        ),
        (
            lambda: figures.noise_for_counts(epsilon=0.5, delta=math.nan),
            r"delta must be",
        ),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
