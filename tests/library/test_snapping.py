"""Tests of the snapping mechanism: its lattice, its distribution, its privacy loss and guarantee.

Random tests are seeded; with fresh seeds, a false alarm would have probability at most 1e-9.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpteach import Adjacency, ApproxDP, Laplace, PureDP, RenyiDP, Snapping
from dpteach.mechanisms import snapping

FALSE_ALARM = 1e-9


@pytest.mark.parametrize(
    ("scale", "lattice"),
    [(1.0, 1.0), (1.0000001, 2.0), (0.3, 0.5), (0.5, 0.5), (3.0, 4.0), (2.0**-1074, 2.0**-1074)],
)
def test_lattice_is_the_next_power_of_two(scale: float, lattice: float) -> None:
    assert Snapping(scale, bound=2.0**20 * scale).lattice == lattice


def truth(mechanism: Snapping, value: float) -> tuple[np.ndarray, np.ndarray]:
    """Return all possible answers to a value, and their probabilities by the Laplace cdf."""
    unit, bound, scale = mechanism.lattice, mechanism.bound, mechanism.scale
    x = min(max(value, -bound), bound)
    last = math.ceil(bound / unit) - 1
    points = np.array([-bound, *(unit * np.arange(-last, last + 1)), bound])
    cuts = unit * (np.arange(-last - 1, last + 1) + 0.5)
    below = np.concatenate(([0.0], stats.laplace.cdf(cuts, x, scale), [1.0]))
    return points, np.diff(below)


@pytest.mark.parametrize(
    ("scale", "bound", "value"),
    [
        (1.0, 6.0, 0.3),
        (1.0, 6.0, 0.5),
        (0.7, 3.0, -2.9),
        (0.51, 10.0, 1e-300),
        (1.0, 1.0, 0.2),
        (1.5, 40.0, 99.0),
        (2.0**-1060, 2.0**-1057, 0.0),
    ],
)
def test_law_of_snapping(scale: float, bound: float, value: float) -> None:
    mechanism = Snapping(scale, bound=bound)
    n = 120_000
    answers = mechanism.release(np.full(n, value), rng=np.random.default_rng(1))
    points, probabilities = truth(mechanism, value)
    assert set(np.unique(answers)) <= set(points)
    counts = np.array([(answers == point).sum() for point in points])
    enough = n * probabilities > 5
    expected = probabilities[enough] * counts[enough].sum() / probabilities[enough].sum()
    assert stats.chisquare(counts[enough], expected).pvalue > FALSE_ALARM
    rare = int(counts[~enough].sum())
    assert stats.binomtest(rare, n, float(probabilities[~enough].sum())).pvalue > FALSE_ALARM
    correlation = float(np.corrcoef(answers[1:] / scale, answers[:-1] / scale)[0, 1])
    assert abs(correlation) < 7 / math.sqrt(n)


def test_every_refinement_gives_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    # vary how many binary digits of the noise are drawn at first (`first`), and after how many
    # digits the sampler uses fractions instead of floats (`last`). With few digits at first, most
    # answers need more digits
    mechanism, n = Snapping(1.0, bound=8.0), 20_000
    points, probabilities = truth(mechanism, 0.3)
    expected = n * probabilities
    for first, last in ((0, 36), (0, 10), (6, 6)):
        monkeypatch.setattr(snapping, "FIRST_DIGITS", first)
        monkeypatch.setattr(snapping, "LAST_DIGITS", last)
        answers = mechanism.release(np.full(n, 0.3), rng=np.random.default_rng(2))
        counts = np.array([(answers == point).sum() for point in points])
        assert stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue > 1e-9


def test_fractions_decide_as_real_numbers_do(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        offset, factor = Fraction(rng.uniform(-0.5, 0.5)), Fraction(rng.uniform(-1, 1))
        g, digits = int(rng.integers(40)), 2
        told = [int(d) for d in rng.integers(1024, size=8)]
        later = iter(told)
        monkeypatch.setattr(
            snapping._exact, "draw", lambda law, random, rng, later=later: [next(later)]
        )
        found = snapping._settled(offset, factor, g, digits, rng)
        exponential = Fraction(g)
        for i, digit in enumerate(told):
            exponential += Fraction(digit, 1024 ** (i + 1))
        assert found == math.floor(offset + factor * exponential / 4 + Fraction(1, 2))


def test_floats_decide_only_what_is_sure() -> None:
    # `_rounded` rounds intervals to integers, and decides in floats only if all numbers of an
    # interval round to the same integer. Try intervals that end next to an integer plus 1/2, where
    # floats might round to the wrong side
    rng = np.random.default_rng(4)
    ratio = rng.uniform(0.5, 1.0, 20_000)
    ratio[::5] = 1.0
    g = rng.integers(0, 3000, ratio.size)
    sign = rng.choice([-1.0, 1.0], ratio.size)
    factor = sign * ratio
    edge = factor * (g + rng.integers(0, 2, ratio.size)) / 64
    offset = np.round(edge) + 0.5 - edge
    offset = np.where(offset > 0.5, offset - 1, offset)
    for i in (-2, -1, 0, 1, 2):
        near = offset + i * 2.0**-54
        below, decided = snapping._rounded(near, factor, g, 6)
        sure = (array[decided] for array in (near, factor, g, below))
        for x, f, n, found in zip(*sure, strict=True):
            ends = (Fraction(x) + Fraction(f) * Fraction(int(m), 64) for m in (n, n + 1))
            low, high = sorted(end + Fraction(1, 2) for end in ends)
            assert found == math.floor(low) == math.ceil(high) - 1
    # for nearly all random intervals, floats must suffice to decide that the whole interval rounds
    # to the same integer
    _, decided = snapping._rounded(rng.uniform(-0.5, 0.5, ratio.size), factor, g, 6)
    assert decided.mean() > 0.97


@pytest.mark.parametrize(
    ("scale", "sensitivity"), [(1.0, 1.0), (0.7, 0.3), (20.0, 1.0), (0.1, 2.0)]
)
def test_guarantee_against_the_exact_loss(scale: float, sensitivity: float) -> None:
    mechanism = Snapping(scale, sensitivity, bound=max(30 * scale, 3 * sensitivity))
    claim = mechanism.guarantee(PureDP)
    rng, most = np.random.default_rng(6), 0.0
    for _ in range(200):
        value = rng.uniform(-1.1, 1.1) * mechanism.bound
        neighbour = value + sensitivity * (1 - 1e-12) * rng.choice([-1, 1])
        loss = mechanism.privacy_loss_between(value, neighbour)
        most = max(most, loss.max())
        assert claim.holds_for(loss)
        for epsilon in (0.0, 0.4 * claim.epsilon):
            profile = mechanism.guarantee(ApproxDP, epsilon=epsilon)
            assert profile.holds_for(loss)
            assert profile == Laplace(scale, sensitivity).guarantee(ApproxDP, epsilon=epsilon)
        assert mechanism.guarantee(RenyiDP, orders=[1, 2, 9]).holds_for(loss)
    assert most == pytest.approx(claim.epsilon, rel=1e-9)


def test_loss_to_many_digits() -> None:
    mp = mpmath.mp.clone()
    mp.dps = 40
    for scale, bound, x, y in ((0.7, 3.0, 0.1, 0.9), (1.0, 50.0, -8.3, 2.2), (1.0, 1.0, 1.0, 0.3)):
        mechanism = Snapping(scale, bound=bound)
        loss = mechanism.privacy_loss_between(x, y)
        unit, last = mechanism.lattice, math.ceil(bound / mechanism.lattice) - 1

        def cdf(cut: float, centre: float, scale: float = scale) -> Any:
            z = (mp.mpf(cut) - mp.mpf(centre)) / mp.mpf(scale)
            return mp.exp(z) / 2 if z < 0 else 1 - mp.exp(-z) / 2

        cuts = [(k + 0.5) * unit for k in range(-last - 1, last + 1)]
        laws = []
        for centre in (x, y):
            ends = [mp.mpf(0), *(cdf(cut, centre) for cut in cuts), mp.mpf(1)]
            laws.append([b - a for a, b in pairwise(ends)])
        variation = sum(abs(p - q) for p, q in zip(*laws, strict=True)) / 2
        kl = sum(p * mp.log(p / q) for p, q in zip(*laws, strict=True))
        assert loss.total_variation() == pytest.approx(float(variation), rel=1e-13)
        assert loss.kl() == pytest.approx(float(kl), rel=1e-13)


def test_clamped_values_are_alike() -> None:
    mechanism = Snapping(1.0, bound=4.0)
    assert mechanism.privacy_loss_between(9.0, 4.0).max() == 0
    assert mechanism.privacy_loss_between(2.0, 2.0).max() == 0
    one = mechanism.privacy_loss_between(9.0, 3.0).max()
    assert one == mechanism.privacy_loss_between(4.0, 3.0).max()
    assert mechanism.privacy_loss_between([5.0, 1.0], [5.0, 2.0]).max() == pytest.approx(1.0)


def test_price_of_floats() -> None:
    # theorem 1 of Mironov (2012) gives epsilon = (1 + 2^-49 B) / lambda for the bound B and the
    # scale lambda at sensitivity 1, so divide both by the sensitivity
    for scale, sensitivity, bound in ((1.0, 1.0, 2.0**40), (3.0, 0.5, 1e9), (0.1, 2.0, 10.0)):
        mechanism = Snapping(scale, sensitivity, bound=bound)
        unit_scale, unit_bound = (Fraction(x) / Fraction(sensitivity) for x in (scale, bound))
        printed = (1 + unit_bound / 2**49) / unit_scale
        found = Fraction(mechanism.floating_point_epsilon)
        assert printed <= found <= printed * (1 + Fraction(1, 10**14))
        assert mechanism.guarantee(PureDP).epsilon < found


def test_what_is_refused() -> None:
    for bad in (0.5, 2.0**46 * 1.1, 0, -1, math.nan, math.inf, "8", None, True):
        with pytest.raises((ValueError, TypeError), match=r"^bound must be .*got bound="):
            Snapping(1.0, bound=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"scale must be at most 2\*\*1000, got scale="):
        Snapping(1e302, bound=1e303)
    mechanism = Snapping(1.0, bound=1e6)
    with pytest.raises(ValueError, match=r"value and neighbour must be at most 700 scales apart"):
        mechanism.privacy_loss_between(0.0, 701.0)
    with pytest.raises(ValueError, match="one coordinate at most"):
        mechanism.privacy_loss_between([0.0, 1.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="privacy_loss must have one pair"):
        mechanism.privacy_loss()
    for bad in (math.nan, math.inf, "x", None, 1j):
        with pytest.raises((ValueError, TypeError), match=r"^value must .*got value="):
            mechanism.release(bad, rng=np.random.default_rng(0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^rng must be"):
        mechanism.release(0.0, rng=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 1, 4)])
def test_release_keeps_the_shape_and_the_seed(shape: tuple[int, ...]) -> None:
    mechanism, value = Snapping(1.0, bound=8.0), np.ones(shape)
    one = mechanism.release(value, rng=np.random.default_rng(5))
    assert one.shape == shape
    assert np.array_equal(one, mechanism.release(value, rng=np.random.default_rng(5)))
    assert np.array_equal(value, np.ones(shape))
    assert mechanism.release(np.zeros(70_000), rng=np.random.default_rng(0)).shape == (70_000,)


def test_bounds_that_are_no_points_are_answers_all_the_same() -> None:
    answers = Snapping(1.0, bound=2.75).release(np.full(2000, 5), rng=np.random.default_rng(0))
    assert {2.75, 2.0, 1.0} <= set(answers) <= {-2.75, -2.0, -1.0, 0.0, 1.0, 2.0, 2.75}


def test_repr_makes_it_again() -> None:
    mechanism = Snapping(1.0, 2.0, bound=8.0, adjacency=Adjacency.REPLACE_ONE)
    names = {"Snapping": Snapping, "Adjacency": Adjacency}
    assert eval(repr(mechanism), names) == mechanism


def test_a_sensitivity_below_the_floats_is_no_perfect_privacy() -> None:
    mechanism = Snapping(scale=1e300, sensitivity=1e-300, bound=1e301)
    assert mechanism.guarantee(PureDP).epsilon > 0
