"""Tests of the floating-point attack, which breaks naive noise but not exactly sampled noise.

Random tests are seeded; with fresh seeds the false-alarm rate would be at most 1e-9.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpteach import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Mechanism,
    PureDP,
    Snapping,
)
from dpteach.attacks import (
    FloatingPointAttack,
    floating_point,
    floating_point_attack,
    is_possible_laplace,
    rounded_laplace_counts,
)

FALSE_ALARM = 1e-9


def contradicts(result: FloatingPointAttack, epsilon: float) -> bool:
    """Return whether an attack refutes an epsilon with confidence 1 - 1e-9, by exact binomial
    bounds.
    """
    most = 1.0
    if result.false_alarms < result.trials:
        most = stats.beta.ppf(
            1 - FALSE_ALARM / 2, result.false_alarms + 1, result.trials - result.false_alarms
        )
    least = 0.0
    if result.caught:
        least = stats.beta.ppf(FALSE_ALARM / 2, result.caught, result.trials - result.caught + 1)
    return least > math.exp(min(epsilon, 700)) * most


@pytest.mark.parametrize("scale", [0.1, 0.5, 1.0, 2.0, 3.7, 10.0, 1e3, 1e6])
def test_naive_laplace_noise_is_broken(scale: float) -> None:
    mechanism, rng = Laplace(scale), np.random.default_rng(0)
    for value, neighbour in ((0.0, 1.0), (1.0, 0.0), (0.0, 1e-3)):
        result = floating_point_attack(mechanism, value, neighbour, trials=1000, rng=rng)
        # the attack calls an answer impossible only if the true value cannot give it, so there are
        # no false alarms
        assert result.false_alarms == 0
        assert result.caught_rate > 0.7
        assert result.epsilon_estimate == math.inf
        epsilon = mechanism.guarantee(PureDP).epsilon
        if epsilon < 3:
            assert contradicts(result, epsilon)


def test_the_claim_is_refuted_many_times_over() -> None:
    # on paper the mechanism is 0.1-DP, but 2000 answers on each of two neighbors refute even
    # epsilon = 4
    result = floating_point_attack(
        Laplace(10.0), 0.0, 1.0, trials=2000, rng=np.random.default_rng(1)
    )
    assert contradicts(result, 0.1)
    assert contradicts(result, 4.0)


def test_answers_far_from_zero_say_less() -> None:
    # far from 0 the sum of value and noise is rounded to a coarser grid, which hides most low bits
    # of the noise
    rates = [
        floating_point_attack(
            Laplace(1.0), at, at + 1, trials=1000, rng=np.random.default_rng(2)
        ).caught_rate
        for at in (0.0, 5.3, 1e3, 1e6)
    ]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.7 and rates[-1] < 0.01


@pytest.mark.parametrize(
    "mechanism",
    [
        *(Snapping(s, bound=40 * s) for s in (0.5, 0.7, 1.0, 3.7, 1e3)),
        *(DiscreteLaplace(s) for s in (0.5, 0.7, 1.0, 3.7, 1e3)),
    ],
    ids=str,
)
def test_exact_noise_is_not(mechanism: Any) -> None:
    epsilon = mechanism.guarantee(PureDP).epsilon
    for value, neighbour in ((0, 1), (1, 0), (5, 6)):
        result = floating_point_attack(
            mechanism, value, neighbour, trials=3000, rng=np.random.default_rng(3)
        )
        assert not contradicts(result, epsilon)
        mirrored = FloatingPointAttack(
            result.trials, result.trials - result.caught, result.trials - result.false_alarms
        )
        assert not contradicts(mirrored, epsilon)


def test_the_integers_of_discrete_gaussian_noise() -> None:
    # discrete Gaussian noise satisfies no pure DP, but (0, delta)-DP if delta is the total
    # variation distance. The attack calls an answer impossible at the rate `caught_rate` for one of
    # the two true values, and at the rate `false_alarm_rate` for the other. So these rates differ
    # by at most this delta
    mechanism = DiscreteGaussian(20.0)
    result = floating_point_attack(
        mechanism, 0, 1, scale=20.0, trials=5000, rng=np.random.default_rng(4)
    )
    slack = mechanism.privacy_loss().total_variation() + 6.5 * math.sqrt(0.5 / 5000)
    assert abs(result.caught_rate - result.false_alarm_rate) < slack


def test_every_answer_of_the_sampler_is_possible() -> None:
    rng = np.random.default_rng(5)
    for scale in (0.01, 0.3, 1.0, 5.0, 1e5):
        for value in (0.0, 1.0, -3.25, 1e3, -1e9):
            answers = Laplace(scale).release(np.full(300, value), rng=rng)
            assert is_possible_laplace(answers, value, scale).all()


def test_possible_floats_are_counted_rightly() -> None:
    # find by brute force which floats of a short interval the sampler can return as noise: try all
    # uniform numbers that give noise in this interval
    low = 1.5
    floats = low + np.arange(400) * math.ulp(low)
    first = floating_point._place(low, 1.0)
    noises = {floating_point._noise(int(first) + i, 1.0) for i in range(-50, 2000)}
    expected = [float(y) in noises for y in floats]
    assert is_possible_laplace(floats, 0.0, 1.0).tolist() == expected
    assert 0.1 < np.mean(expected) < 0.9


@pytest.mark.parametrize(("value", "scale"), [(0.0, 10.0), (1.0, 10.0), (-3.7, 0.3), (137.0, 1e3)])
def test_the_law_of_rounded_answers(value: float, scale: float) -> None:
    counts = rounded_laplace_counts(value, scale)
    total = 2**53 - 1
    assert sum(counts.values()) == total and list(counts) == sorted(counts)
    ends = [floating_point._noise(i, scale) for i in (1, total)]
    assert [min(counts), max(counts)] == [round(value + end) for end in ends]
    # each of `total` uniform numbers gives one rounded answer. The count of an answer k is the true
    # probability of k times `total`, up to a difference of a few
    law = stats.laplace(value, scale)
    for k in list(counts)[:: max(1, len(counts) // 50)]:
        expected = (law.cdf(k + 0.5) - law.cdf(k - 0.5)) * total
        # far above the center, both values of the distribution function are nearly 1, and their
        # difference loses digits; compute the same probability in the lower tail
        if abs(k - value) > 3 * scale:
            expected = law.cdf(value - abs(k - value) + 0.5) - law.cdf(value - abs(k - value) - 0.5)
            expected *= total
        # near the center, floats around k are spaced more widely than the values of the noise, so
        # several of these give the same float; allow a larger difference
        slack = 4 + 2 * math.ulp(k) / 2**-53 / scale
        assert counts[k] == pytest.approx(expected, rel=1e-12, abs=slack)
    # counts[k] uniform numbers in a row must give the answer k: check the first, middle and last of
    # them
    first = 0
    for k, count in counts.items():
        for i in {first + 1, first + count, first + (count + 1) // 2}:
            assert round(value + floating_point._noise(i, scale)) == k
        first += count


def test_sampled_answers_follow_the_law_of_rounded_ones() -> None:
    counts = rounded_laplace_counts(1.0, 2.0)
    drawn = np.rint(Laplace(2.0).release(np.ones(200_000), rng=np.random.default_rng(6)))
    cells = range(-6, 9)
    seen = [int(np.sum(drawn == k)) for k in cells]
    expected = [200_000 * counts[k] / 2**53 for k in cells]
    rest = 200_000 - sum(seen), 200_000 - sum(expected)
    found = stats.chisquare([*seen, rest[0]], [*expected, rest[1]])
    assert found.pvalue > FALSE_ALARM


def test_what_rounding_leaves() -> None:
    zero, one = (rounded_laplace_counts(value, 10.0) for value in (0.0, 1.0))
    # a few rounded answers can come from only one of the two values, so 0.1-DP, which the mechanism
    # has on paper, holds only up to a tiny delta
    assert set(one) - set(zero) and set(zero) - set(one)
    for p, q in ((zero, one), (one, zero)):
        delta = sum(max(0, c - math.exp(0.1) * q.get(k, 0)) for k, c in p.items()) / 2**53
        assert 0 < delta < 1e-13


def test_no_noise_and_shapes() -> None:
    assert is_possible_laplace(3.0, 3.0, 1.0).shape == ()
    assert is_possible_laplace(3.0, 3.0, 1.0)
    assert is_possible_laplace(np.zeros((2, 0)), 0.0, 1.0).shape == (2, 0)
    assert is_possible_laplace([[0.0], [40.0]], 0.0, 1.0).tolist() == [[True], [False]]
    assert not is_possible_laplace(1e300, 0.0, 1e-300)


def test_the_same_seed_gives_the_same_result_soon() -> None:
    def run() -> FloatingPointAttack:
        rng = np.random.default_rng(7)
        return floating_point_attack(Laplace(1.0), 0.0, 1.0, trials=10_000, rng=rng)

    start = time.process_time()
    one = run()
    assert time.process_time() - start < 2
    assert one == run()


def test_rates_and_estimate() -> None:
    result = FloatingPointAttack(200, 100, 50)
    assert (result.caught_rate, result.false_alarm_rate) == (0.5, 0.25)
    assert result.epsilon_estimate == pytest.approx(math.log(2))
    assert FloatingPointAttack(200, 50, 100).epsilon_estimate == pytest.approx(math.log(2))
    assert FloatingPointAttack(200, 0, 0).epsilon_estimate == 0
    assert FloatingPointAttack(200, 0, 3).epsilon_estimate == math.inf


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *(("trials", x) for x in (0, -1, 1.5, None, True, 10**6 + 1)),
        *(("scale", x) for x in (0, -1.0, math.nan, math.inf, "1")),
        *((n, x) for n in ("value", "neighbour") for x in (math.nan, math.inf, None, [0.0])),
        *(("mechanism", x) for x in (None, Laplace, PureDP(1))),
        ("rng", 0),
    ],
)
def test_bad_arguments(name: str, bad: Any) -> None:
    good: dict[str, Any] = {
        "mechanism": Laplace(1.0),
        "value": 0.0,
        "neighbour": 1.0,
        "rng": np.random.default_rng(0),
    }
    with pytest.raises((ValueError, TypeError), match=rf"^{name} must be .*got {name}="):
        floating_point_attack(**{**good, name: bad})


def test_more_bad_arguments() -> None:
    no_scale: Mechanism = Gaussian(1.0)
    with pytest.raises(TypeError, match=r"^scale must be given, because Gaussian has none"):
        floating_point_attack(no_scale, 0.0, 1.0, rng=np.random.default_rng(0))
    for bad in (-1, 11, 0.5, None):
        with pytest.raises((ValueError, TypeError), match=r"^caught must be .*got caught="):
            FloatingPointAttack(10, bad, 0)  # type: ignore[arg-type]
        with pytest.raises((ValueError, TypeError), match=r"^false_alarms must be"):
            FloatingPointAttack(10, 0, bad)  # type: ignore[arg-type]
    for arguments in ((["x"], 0.0, 1.0), ([math.nan], 0.0, 1.0)):
        with pytest.raises((ValueError, TypeError), match=r"^answers must"):
            is_possible_laplace(*arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^scale must"):
        is_possible_laplace([0.0], 0.0, 0.0)
    for bad in (0, 1e-3, 1e5, math.nan):
        with pytest.raises(ValueError, match=r"^scale must be in \[0.01, 10000\], got scale="):
            rounded_laplace_counts(0.0, bad)
    for bad in (2.0**41, -math.inf):
        with pytest.raises(ValueError, match=r"^value must be in \[-2\*\*40, 2\*\*40\]"):
            rounded_laplace_counts(bad, 1.0)
