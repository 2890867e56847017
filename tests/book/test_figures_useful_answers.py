"""Tests of the figures on the errors of noisy answers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says

from dpteach import Laplace, PureDP, calibrate, figures, hospital

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "a cut": (
        lambda: figures.cut_and_noise(cut=30.0, epsilon=0.1),
        "At a bound of 30 nights, the bias is 0.37, the noise 0.14 and the combined error 0.39. "
        "The sampling error is 0.16.",
    ),
    "no cut": (
        lambda: figures.cut_and_noise(cut=365.0, epsilon=1.0),
        "At a bound of 365 nights, the bias is 0.00, the noise 0.17 and the combined error 0.17.",
    ),
    "a common thing": (
        lambda: figures.sampling_and_noise(epsilon=0.1),
        "an estimated fraction of 35% against the number of people",
    ),
    "a rare thing": (
        lambda: figures.sampling_and_noise(epsilon=0.1, share=0.046),
        "With 4,558 or more people, the noise is smaller than the sampling error.",
    ),
    "phantoms": (
        lambda: figures.nights_added_up(epsilon=0.1),
        "true 3,000; with noise 2,865; with negative counts set to 0, 4,437.",
    ),
    "few phantoms": (
        lambda: figures.nights_added_up(epsilon=2.0),
        "true 3,000; with noise 2,993; with negative counts set to 0, 3,065.",
    ),
    "intervals": (
        lambda: figures.covering_intervals(epsilon=0.05),
        "if they ignore the noise, 31 of 50 cover 138; if they account for it, 48.",
    ),
    "intervals with little noise": (
        lambda: figures.covering_intervals(epsilon=1.0),
        "if they ignore the noise, 47 of 50 cover 138; if they account for it, 47.",
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 1.0])
def test_the_errors_of_a_cut_are_those_of_the_table(epsilon: float) -> None:
    nights = hospital.patients()["days"]
    axes = figures.cut_and_noise(cut=30.0, epsilon=epsilon)
    together, noise, bias = (np.asarray(line.get_data()) for line in axes.lines[:3])
    for i, cut in enumerate(bias[0]):
        lost = np.maximum(nights - cut, 0).mean()
        added = math.sqrt(2) * cut / epsilon / len(nights)
        assert bias[1, i] == pytest.approx(lost, rel=1e-9, abs=1e-12)
        assert noise[1, i] == pytest.approx(added, rel=1e-9)
        assert together[1, i] == pytest.approx(math.hypot(lost, added), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.02, 0.1, 1.0])
@pytest.mark.parametrize("share", [0.046, 0.35])
def test_from_the_people_that_it_names_on_the_noise_is_the_smaller(
    epsilon: float, share: float
) -> None:
    said = figures.alt_text(figures.sampling_and_noise(epsilon=epsilon, share=share))
    first = int(said.split(" or more people")[0].split()[-1].replace(",", ""))
    for n in (first - 1, first):
        noise = math.sqrt(2) * calibrate(Laplace, PureDP(epsilon)).scale / n
        assert (noise < math.sqrt(share * (1 - share) / n)) == (n == first)


def test_of_the_intervals_those_that_miss_are_coloured() -> None:
    axes = figures.covering_intervals(epsilon=0.05)
    drawn = 0
    for lines in axes.collections:
        missing = np.allclose(lines.get_edgecolor()[0, :3], (169 / 255, 72 / 255, 127 / 255))
        for (_, low), (_, high) in lines.get_segments():
            assert (low <= 138 <= high) == (not missing)
            drawn += 1
    assert drawn == 100


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.cut_and_noise(cut=10.0, epsilon=0.05),
            lambda: figures.cut_and_noise(cut=365.0, epsilon=1.0),
        ),
        (
            lambda: figures.sampling_and_noise(epsilon=0.02),
            lambda: figures.sampling_and_noise(epsilon=0.5),
        ),
        (
            lambda: figures.nights_added_up(epsilon=0.05),
            lambda: figures.nights_added_up(epsilon=2.0),
        ),
        (
            lambda: figures.covering_intervals(epsilon=0.05),
            lambda: figures.covering_intervals(epsilon=1.0),
        ),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.cut_and_noise(cut=5.0, epsilon=0.1), r"cut must be in \[10, 365\]"),
        (lambda: figures.cut_and_noise(cut=30.0, epsilon=0.0), r"epsilon must be in \[0.01, 2\]"),
        (
            lambda: figures.sampling_and_noise(epsilon=0.1, share=0.9),
            r"share must be in \[0.01, 0.5\]",
        ),
        (lambda: figures.nights_added_up(epsilon=math.nan), r"epsilon must be"),
        (lambda: figures.covering_intervals(epsilon=3.0), r"epsilon must be in \[0.01, 2\]"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
