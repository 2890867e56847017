"""Tests of computations with privacy losses on a lattice of equally spaced values.

The true values are computed by mpmath and in fractions.
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from fractions import Fraction
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from dpteach import ApproxDP, GaussianDP
from dpteach.accounting.lattice import (
    GaussianBase,
    LaplaceBase,
    StepLoss,
    TooLarge,
    delta_bracket,
    epsilon_bracket,
)
from dpteach.accounting.lattice.atoms import AtomSum, few_values
from dpteach.accounting.lattice.bracket import Composition
from dpteach.accounting.lattice.enclosing import LatticeLoss, above, below
from dpteach.accounting.lattice.loss import Base
from dpteach.accounting.lattice.scattered import epsilon_below
from dpteach.accounting.lattice.total import Total, _direct, _frequencies
from dpteach.composition import optimal_composition

sys.path.insert(0, str(Path(__file__).parent / "data"))
import make_accounting_jobs as truth


def gaussian(sigma: float, rate: float = 1.0, *, forward: bool = True) -> StepLoss:
    return StepLoss(rate, base=GaussianBase(1 / sigma), forward=forward)


def laplace(scale: float, rate: float = 1.0, *, forward: bool = True) -> StepLoss:
    s = 1 / scale
    logs = [-s - math.log(2), -math.log(2)]
    return StepLoss(rate, [s, -s], logs, LaplaceBase(s), forward=forward)


def response(epsilon: float, rate: float = 1.0, *, forward: bool = True) -> StepLoss:
    high, low = -math.log1p(math.exp(-epsilon)), -math.log1p(math.exp(epsilon))
    return StepLoss(rate, [epsilon, -epsilon], [low, high], forward=forward)


MAKE = {"gaussian": gaussian, "laplace": laplace}


def height(lattice: LatticeLoss, law: StepLoss, h: float, theta: float, epsilon: float) -> float:
    """Return the hockey-stick divergence at epsilon of a loss on a lattice with spacing `h`.

    The weights in `lattice` are tilted by `theta`; the function first removes the tilt.
    """
    g = law.offset + h * (lattice.start + np.arange(lattice.weights.size))
    p = lattice.weights * np.exp(lattice.cells.log_moment - theta * g)
    return math.fsum(p[g > epsilon] * -np.expm1(epsilon - g[g > epsilon]))


def of_one(kind: str, parameter: float, rate: float, forward: bool, epsilon: float) -> float:
    """Return the hockey-stick divergence of one step at epsilon, in many digits by mpmath."""
    if rate == 1 and kind == "gaussian":
        return float(truth.of_gaussian(1 / mp.mpf(parameter), mp.mpf(epsilon)))
    return float(truth.of_one((kind, parameter, rate, 1), forward, epsilon))


# --- one step ---------------------------------------------------------------------------------


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("rate", [1.0, 0.5, 0.01, 1e-4])
@pytest.mark.parametrize("kind", MAKE)
def test_one_step_lies_between_its_curves(kind: str, rate: float, forward: bool) -> None:
    rng = np.random.default_rng(3)
    for parameter, coarse in itertools.product((0.4, 200.0), (4.0, 0.5)):
        law = MAKE[kind](parameter, rate, forward=forward)
        size = math.sqrt(law.square())
        h = coarse * size
        for tilt in (0.1, 3.0):
            theta = min(tilt / size, 0.5 / h)
            try:
                cells = law.cells(h, theta, -35)
            except TooLarge:
                continue
            low, high = below(cells, h, theta), above(cells, h, theta)
            assert low.weights.min() >= 0
            g = law.offset + h * (cells.start + np.arange(cells.atoms.size))
            start = max(float(g[0]), -4 * size)
            points = np.concatenate((start + rng.uniform(0, 8 * size, 5), rng.choice(g, 2)))
            for epsilon in map(float, points):
                true = of_one(kind, parameter, rate, forward, epsilon)
                unit = math.exp(min(cells.log_moment - theta * epsilon, 50.0))
                error = (low.cells.lost + 2e-12) * unit + 1e-12 * (true + size) + cells.shift
                assert height(low, law, h, theta, epsilon) <= true + error
                assert height(high, law, h, theta, epsilon) >= true - error


def test_the_curves_come_together_with_the_square_of_the_step() -> None:
    law, theta = gaussian(2.0, 0.1), 1.0
    gaps = []
    for h in (0.02, 0.01, 0.005):
        cells = law.cells(h, theta, -35)
        ends = [height(f(cells, h, theta), law, h, theta, 0.1) for f in (below, above)]
        gaps.append(ends[1] - ends[0])
    assert gaps[0] / gaps[1] == pytest.approx(4, rel=0.3)
    assert gaps[1] / gaps[2] == pytest.approx(4, rel=0.3)


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("rate", [1.0, 0.3, 1e-5])
@pytest.mark.parametrize("theta", [0.01, 2.0, 40.0])
def test_what_is_cut_off_is_bounded(theta: float, rate: float, forward: bool) -> None:
    for sigma, cut in ((0.4, -2.0), (3.0, -12.0)):
        law = gaussian(sigma, rate, forward=forward)
        base = law.base
        assert isinstance(base, Base)
        low, high = law._limits(base, theta, cut)
        log_moment = law.log_moment(theta)
        bound = law._lost(base, low, high, theta, log_moment)
        mu, q, sign = 1 / mp.mpf(sigma), mp.mpf(rate), 1 if forward else -1
        power = theta + 1 if forward else -theta

        def tilted(v: mp.mpf) -> mp.mpf:
            mixed = mp.log(1 - q + q * mp.exp(mu * sign * v - mu * mu / 2))  # noqa: B023
            return mp.npdf(v) * mp.exp(power * mixed - log_moment)  # noqa: B023

        with mp.workdps(20):
            lower = mp.quad(tilted, np.linspace(low - 12 - 3 * theta / sigma, low, 9).tolist())
            upper = mp.quad(tilted, np.linspace(high, high + 12 + 6 * theta / sigma, 9).tolist())
        assert bound >= float(lower + upper) * (1 - 1e-9)
        assert bound < 1e3 * math.exp(cut)


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("log_mass", [-5.0, -60.0, -800.0])
@pytest.mark.parametrize("rate", [1.0, 0.2, 1e-5])
def test_losses_that_are_left_out_have_the_mass_that_is_said(
    rate: float, log_mass: float, forward: bool
) -> None:
    for sigma in (0.3, 5.0):
        law = gaussian(sigma, rate, forward=forward).without(log_mass)
        with mp.workdps(30):
            top = mp.mpf(law._top)
            mass = mp.ncdf(-top)
            if forward:
                mass = (1 - mp.mpf(rate)) * mass + mp.mpf(rate) * mp.ncdf(1 / mp.mpf(sigma) - top)
            assert mp.log(mass) <= log_mass + 1e-9
    assert law.log_missed == log_mass
    assert laplace(1.0).without(-5.0).log_missed == -math.inf


def test_a_step_of_two_panels_or_many_gives_the_same_masses() -> None:
    law, theta = gaussian(0.5, 0.01), 3.0
    coarse, fine = law.cells(0.5, theta, -30), law.cells(0.005, theta, -30)
    for cells, h in ((coarse, 0.5), (fine, 0.005)):
        g = h * (cells.start + np.arange(cells.down.size))
        mass = math.fsum((cells.down + cells.up) * np.exp(cells.log_moment - theta * g))
        assert mass == pytest.approx(1, abs=1e-9)  # probabilities under P
        other = (cells.down + cells.up * math.exp(-h)) * np.exp(cells.log_moment - (theta + 1) * g)
        # the probabilities under Q must sum to 1, too, except for the tail that was cut off
        assert math.fsum(other) == pytest.approx(1, abs=1e-4)


# --- sums -------------------------------------------------------------------------------------


def exact_delta(law: list[tuple[int, Fraction]], k: int, e: Fraction, index: float) -> Fraction:
    """Return delta of k steps at epsilon = index log(e), for losses that are multiples of log(e).

    `e` is a fraction, not Euler's number. `law` lists the multiples with their probabilities.
    """
    sums = {0: Fraction(1)}
    for _ in range(k):
        new: dict[int, Fraction] = {}
        for (i, a), (j, b) in itertools.product(sums.items(), law):
            new[i + j] = new.get(i + j, Fraction(0)) + a * b
        sums = new
    power = mp.mpf(e.numerator) / e.denominator
    with mp.workdps(40):
        terms = [
            mp.mpf(p.numerator) / p.denominator * (1 - power ** (mp.mpf(index) - j))
            for j, p in sums.items()
            if j > index
        ]
        return mp.fsum(terms)


#: a privacy loss whose values are j log 2: each j, with the probability of this value under P
SMALL = [(2, Fraction(4, 9)), (0, Fraction(2, 9)), (1, Fraction(2, 9)), (-2, Fraction(1, 9))]


def small_law() -> StepLoss:
    losses = [j * math.log(2) for j, _ in SMALL]
    return StepLoss(1.0, losses, [math.log(p) - x for (_, p), x in zip(SMALL, losses, strict=True)])


@pytest.mark.parametrize("cut", [-1.0, -4.0, -12.0, -30.0])
@pytest.mark.parametrize("theta", [0.05, 1.0, 4.0])
@pytest.mark.parametrize("k", [1, 2, 9, 40])
def test_sums_hold_exact_convolutions_whatever_is_wrapped_around(
    k: int, theta: float, cut: float
) -> None:
    law, h = small_law(), math.log(2)
    assert law.spacing == pytest.approx(h)
    lattice = above(law.cells(h, theta, -30), h, theta)
    total = Total([(lattice, k)], h, theta, k * law.offset, cut)
    for index in (-0.5, 0.0, 0.3 * k, 1.2 * k + 0.5, 1.9 * k):
        true = float(exact_delta(SMALL, k, Fraction(2), index))
        low, high = (total.delta(index * h, sign=s) for s in (-1, 1))
        assert low <= true * (1 + 1e-12) <= high * (1 + 1e-11)
        if cut == -30.0 and true > 1e-6 * math.exp(total.log_moment - theta * index * h):
            assert high - low <= 1e-5 * true


@pytest.mark.parametrize("k", [3, 60])
def test_sums_of_frequencies_and_of_points_are_narrow(k: int) -> None:
    law, theta, h = gaussian(1.0, 0.2), 2.0, 0.01
    lattice = above(law.cells(h, theta, -35), h, theta)
    total = Total([(lattice, k)], h, theta, 0.0)
    for epsilon in (total.mean, total.mean + 1):
        low, high = (total.delta(epsilon, sign=s) for s in (-1, 1))
        assert 0 < low < high < low * (1 + 1e-6)
        epsilons = [total.epsilon(math.log(high), sign=s, start=epsilon) for s in (-1, 1)]
        assert epsilons[0] <= epsilon <= epsilons[1] <= epsilons[0] + 1e-6


def test_what_was_left_out_is_added_above_only() -> None:
    law, theta, h = gaussian(1.0), 1.0, 0.05
    whole = Total([(above(law.cells(h, theta, -30), h, theta), 4)], h, theta, 0.0)
    part = law.without(math.log(1e-4))
    rest = Total([(above(part.cells(h, theta, -30), h, theta), 4)], h, theta, 0.0)
    for epsilon in (1.0, 5.0, 12.0):
        assert rest.delta(epsilon, sign=-1) <= whole.delta(epsilon, sign=1)
        assert rest.delta(epsilon, sign=1) >= whole.delta(epsilon, sign=-1)


def test_a_law_many_times_is_as_wrong_as_so_many_laws_once() -> None:
    theta, h = 1.0, 0.05
    laws = [laplace(2.0), gaussian(1.0).without(math.log(1e-4))]
    first, second = (above(law.cells(h, theta, -30), h, theta) for law in laws)
    together = Total([(first, 1), (second, 3)], h, theta, 0.0, -60.0)
    apart = Total([(first, 1), *[(second, 1)] * 3], h, theta, 0.0, -60.0)
    for name in ("mean", "log_moment", "shift", "slip", "outside", "log_missed"):
        found = getattr(together, name), getattr(apart, name)
        assert found[0] == pytest.approx(found[1], rel=1e-9, abs=0), name


def test_what_losses_may_be_wrong_by_moves_both_ends_outwards() -> None:
    theta, h, k = 1.0, 0.02, 20
    total = Total([(above(gaussian(2.0).cells(h, theta, -30), h, theta), k)], h, theta, 0.0)
    ends = [total.epsilon(math.log(1e-4), sign=sign, start=5.0) for sign in (1, -1)]
    deltas = [total.delta(ends[0] - 0.01 * sign, sign=sign) for sign in (1, -1)]
    below_it = epsilon_below(total, math.log(1e-4), 1e-3, 5.0)
    total.shift += 0.01
    assert total.epsilon(math.log(1e-4), sign=1, start=5.0) == pytest.approx(ends[0] + 0.01)
    assert total.epsilon(math.log(1e-4), sign=-1, start=5.0) == pytest.approx(ends[1] - 0.01)
    assert epsilon_below(total, math.log(1e-4), 1e-3, 5.0) == pytest.approx(below_it - 0.01)
    for sign, delta in zip((1, -1), deltas, strict=True):
        assert total.delta(ends[0], sign=sign) == pytest.approx(delta, rel=1e-6)


def test_values_of_two_laws_are_counted_together() -> None:
    steps = [(response(1.0), 150), (response(0.5), 150)]
    assert all(few_values([step]) for step in steps)
    assert not few_values(steps)


@pytest.mark.parametrize("k", [1, 4, 11])
def test_few_values_one_by_one(k: int) -> None:
    steps = [(small_law(), k)]
    assert few_values(steps)
    values = AtomSum(steps)
    for index in (-1.5, 0.0, 0.4 * k, 1.9 * k):
        true = float(mp.log(exact_delta(SMALL, k, Fraction(2), index)))
        low, high = (values.log_delta(index * math.log(2), sign=s) for s in (-1, 1))
        assert low <= true + 1e-15 * abs(true)
        assert true - 1e-15 * abs(true) <= high <= low + 1e-10
    assert not few_values([(small_law(), 10_000)])
    assert not few_values([(gaussian(1.0), 2)])


# --- brackets against closed forms ------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.4, 1e-5, 1e-15, 1e-100, 1e-300])
@pytest.mark.parametrize("k", [1, 50, 10**6])
@pytest.mark.parametrize("sigma", [0.3, 3.0, 1e4])
def test_gaussian_noise(sigma: float, k: int, delta: float) -> None:
    true = GaussianDP(math.sqrt(k) / sigma).epsilon_at(delta)
    low, high = epsilon_bracket([[(gaussian(sigma * math.sqrt(1 / k)), 1)]], delta, 1e-3)
    assert low <= true * (1 + 1e-12)
    assert true <= high * (1 + 1e-12)
    assert high - low <= 2e-3 * max(true, 1e-2 * min(1.0, math.sqrt(k) / sigma))


@pytest.mark.parametrize("epsilon", [0.01, 1.0, math.log(3)])
@pytest.mark.parametrize("k", [1, 10, 1000, 100_000])
@pytest.mark.parametrize("delta", [0.1, 1e-6, 1e-60, 1e-300])
def test_randomized_response(epsilon: float, k: int, delta: float) -> None:
    true = optimal_composition(ApproxDP(epsilon, 0.0), k, delta=delta).epsilon
    low, high = epsilon_bracket([[(response(epsilon), k)]], delta, 1e-4)
    assert low <= true * (1 + 1e-9)
    assert true <= high * (1 + 1e-9)
    assert high - low <= 1e-4 * max(1.0, true)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 6.0, 30.0])
def test_delta(epsilon: float) -> None:
    true = GaussianDP(2.0).delta_at(epsilon)
    low, high = delta_bracket([[(gaussian(5.0), 100)]], epsilon, 1e-3)
    assert low <= true <= high * (1 + 1e-12)
    assert high - low <= 2e-3 * true


def test_the_delta_where_nothing_is_allowed() -> None:
    # at epsilon 0 delta is the total variation distance, so epsilon is 0 for each larger delta
    steps = [[(gaussian(1e4, 1e-5, forward=f), 1000)] for f in (True, False)]
    low, high = delta_bracket(steps, 0.0, 1e-3)
    assert 0 < low < high < low * (1 + 3e-3)
    assert epsilon_bracket(steps, high * 1.01, 1e-4) == (0.0, 0.0)


def test_infinite_losses() -> None:
    published = StepLoss(1.0, [0.0], [math.log1p(-1e-3)], escaped=1e-3)
    for steps in ([(published, 10)], [(published, 10), (gaussian(10.0), 1)]):
        low, high = delta_bracket([steps], 5.0, 1e-3)
        true = -math.expm1(10 * math.log1p(-1e-3))
        assert low <= true * (1 + 1e-15)
        assert true <= high * (1 + 1e-15)
        assert high - low < 1e-9
        assert epsilon_bracket([steps], 5e-3, 1e-3)[0] == math.inf
        # `true` is the probability of an infinite loss, but may have been rounded down. Then no
        # finite epsilon is enough, so the upper end must be infinite
        low, high = epsilon_bracket([steps], true, 1e-3)
        assert low <= high == math.inf
        low, high = epsilon_bracket([steps], 0.02, 1e-3)
        assert high < 1


@pytest.mark.parametrize("losses", [[1.0, -0.7], [math.pi, 1.0, -2.0]])
def test_atoms_that_no_lattice_holds(losses: list[float]) -> None:
    share = 1 / sum(math.exp(x) + 1 for x in losses)
    logs = [math.log(share)] * len(losses)
    lost = 1 - share * sum(math.exp(x) for x in losses)
    law = StepLoss(1.0, losses, logs, escaped=lost)
    escaped = -math.expm1(3 * math.log1p(-lost))
    delta = escaped + 1e-3 * (1 - escaped)
    low, high = epsilon_bracket([[(law, 3)]], delta, 1e-4)
    assert 0 < low <= high <= low * (1 + 1e-9)
    mixed = [[(law, 3), (gaussian(1e3), 1)]]
    near = epsilon_bracket(mixed, delta, 1e-3)
    assert near[0] <= high + 0.01
    assert near[1] >= low - 0.01


# --- steps that no lattice can represent ------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [
        [(gaussian(1e170), 3)],
        [(gaussian(1e-3, 1e-5), 10**6)],
        [(gaussian(1.0, 1e-3), 10**12)],
    ],
)
def test_what_is_too_large_is_refused_at_once_or_answered(
    steps: list[tuple[StepLoss, int]],
) -> None:
    begin = time.process_time()
    for ask, value in ((epsilon_bracket, 1e-9), (delta_bracket, 3.0)):
        try:
            low, high = ask([steps], value, 1e-4)
        except TooLarge:
            continue
        assert 0 <= low <= high
    assert time.process_time() - begin < 8


def test_the_largest_loss_bounds_epsilon() -> None:
    sums = Composition([(response(2.0), 5), (laplace(1.0, 0.5), 3)])
    top = 5 * 2.0 + 3 * math.log1p(0.5 * math.expm1(1.0))
    assert sums.top == pytest.approx(top, rel=1e-12)
    assert sums.top >= top
    low, high = epsilon_bracket([[(response(2.0), 5), (laplace(1.0, 0.5), 3)]], 1e-290, 1e-4)
    assert top - 1e-3 <= low <= high <= top * (1 + 1e-12)


def test_points_that_are_one_float_are_passed_at_once() -> None:
    law = StepLoss(0.01, base=GaussianBase(1.0))
    h = 1e-3
    total = Total([(above(law.cells(h, 1.0, -30.0), h, 1.0), 1)], h, 1.0, law.offset)
    for epsilon in (1e11, 1e300, 1e308):
        assert total._sums(epsilon) == (0.0, 0.0, total.outside)
    # between two floats of this size there are over a thousand lattice points
    total.offset = 2.0**53
    value, _, error = total._sums(2.0**53)
    assert value > 0 and error < math.inf


@pytest.mark.parametrize("comb", [1, 3])
@pytest.mark.parametrize("k", [1, 100, 10**6])
def test_frequencies_of_a_short_law_are_those_of_the_whole_transform(k: int, comb: int) -> None:
    rng = np.random.default_rng(47)
    n, size = 61, 60_000
    weights = np.exp(-(np.linspace(-4, 4, n) ** 2) / 2) * rng.uniform(0.5, 1, n)
    # if only every third weight is positive (comb = 3), the Fourier transform is large not only at
    # low frequencies, and all frequencies at which it is large must be kept
    weights[np.arange(n) % comb > 0] = 0.0
    weights /= weights.sum()
    middle = 30
    whole = np.fft.rfft(np.roll(np.append(weights, np.zeros(size - n)), -middle))
    kept, dropped = _frequencies(weights, middle, k, size)
    gone = np.setdiff1d(np.arange(size // 2 + 1), kept)
    logs = k * np.log(np.abs(whole[gone]) + 1e-300)
    assert np.all(logs <= -36)
    assert 2 * np.exp(logs).sum() / size <= dropped * (1 + 1e-9)
    assert (kept.size < size / 10) == (k > 1)
    some = np.flatnonzero(weights)
    found, error = _direct(weights[some], some - middle, kept, size)
    assert np.linalg.norm(found - whole[kept]) <= error <= 1e-10


def test_a_sample_of_many_laws_stands_for_all() -> None:
    steps = [(gaussian(s, 0.05), 3) for s in np.linspace(0.8, 4, 200)]
    sums = Composition(steps)
    assert len(sums.sample) < 40
    for theta in (0.5, 5.0, 20.0):
        whole = sums.log_moment(theta)
        assert sums.about_log_moment(theta) == pytest.approx(whole, rel=0.05)
