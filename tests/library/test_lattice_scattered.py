"""Tests of lower bounds on delta and epsilon for losses that lie between the points of a lattice.

The lower bounds are computed from the lattice distribution that gives the upper bounds.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpteach import (
    Adjacency,
    DiscreteGaussian,
    DiscreteLaplace,
    KaryRandomizedResponse,
    Laplace,
    Mechanism,
    PoissonSubsampled,
)
from dpteach.accounting.lattice.bracket import Composition
from dpteach.accounting.lattice.enclosing import above
from dpteach.accounting.lattice.scattered import epsilon_below, log_delta_below, spread, tents
from dpteach.accounting.lattice.total import Total
from dpteach.accounting.pairs import dominating_pair


@pytest.mark.parametrize("s", [1e-9, 1e-5, 1e-3, 0.02])
@pytest.mark.parametrize("log_delta", [-0.1, -12.0, -700.0])
def test_tents_exceed_the_rise(s: float, log_delta: float) -> None:
    def rise(d: float) -> float:
        over = norm.sf(max(d - s * s, 0.0) / s)
        return float(math.exp(s * s / 2) * (max(s * s - d, 0) + s * math.sqrt(2 * math.pi) * over))

    shapes = tents(s, log_delta)
    reach = s * (math.sqrt(2 * (30 - log_delta)) + s)
    for d in np.linspace(0, reach, 3000):
        covered = sum(c * math.exp(-w) * max(w - d - 1.001 * s, 0.0) for w, c in shapes)
        assert covered >= rise(float(d))
    assert rise(reach) <= math.exp(log_delta - 29)


def test_the_spread_is_that_of_the_widest_splits() -> None:
    h = 0.01
    for k in (1, 9, 100):
        # each of k losses is split between the two lattice points around it, which are h apart. The
        # standard deviation of the sum is largest if both points get the same probability
        widest = max(h * math.sqrt(k * p * (1 - p)) for p in np.linspace(0, 1, 101))
        assert spread(h, k) == pytest.approx(widest, rel=1e-12)


@pytest.mark.parametrize("s", [0.02, 1e-3])
def test_the_rise_is_that_of_splits(s: float) -> None:
    # each of k losses lies a third of the way from one lattice point to the next. Split it between
    # both points, as the lattice distribution for the upper bound does, and compute exactly how
    # much this increases delta
    k = 30
    h = 2 * s / math.sqrt(k)
    r = h / 3
    up = math.expm1(-r) / math.expm1(-h)
    assert up * math.exp(r - h) + (1 - up) * math.exp(r) == pytest.approx(1, rel=1e-14)
    n = np.arange(k + 1)
    log_ways = [math.lgamma(k + 1) - math.lgamma(i + 1) - math.lgamma(k - i + 1) for i in n]
    p = np.exp(np.array(log_ways) + n * math.log(up) + (k - n) * math.log1p(-up))
    moved = n * h - k * r
    assert float(p @ np.abs(moved)) <= 1.001 * s
    for distance in np.linspace(-6 * s, 6 * s, 101):
        start = max(-math.expm1(-distance), 0.0)
        risen = float(p @ np.maximum(-np.expm1(-(distance + moved)), 0.0)) - start
        d = abs(float(distance))
        bound = max(s * s - d, 0) + s * math.sqrt(2 * math.pi) * norm.sf(max(d - s * s, 0.0) / s)
        assert risen <= math.exp(s * s / 2) * bound + 1e-15


def exact_delta(losses: np.ndarray, masses: np.ndarray, k: int, epsilon: float) -> float:
    """Return delta of k steps whose losses have few values, by enumerating all sums."""
    sums, weights = np.zeros(1), np.ones(1)
    for _ in range(k):
        sums = (sums[:, None] + losses).ravel()
        weights = (weights[:, None] * masses).ravel()
        sums, where = np.unique(sums.round(12), return_inverse=True)
        weights = np.bincount(where, weights)
    kept = sums > epsilon
    return math.fsum(weights[kept] * -np.expm1(epsilon - sums[kept]))


SAMPLED = [
    PoissonSubsampled(KaryRandomizedResponse(1.0, 4, adjacency=Adjacency.ADD_REMOVE), 0.3),
    PoissonSubsampled(DiscreteLaplace(1.0, 2), 0.2),
]


@pytest.mark.parametrize("mechanism", SAMPLED, ids=str)
@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize("epsilon", [0.1, 0.8, 2.0])
def test_exact_sums_are_above(mechanism: Mechanism, direction: int, epsilon: float) -> None:
    k, h = 12, 1e-3
    pair = dominating_pair(mechanism)
    assert pair is not None
    law = pair.losses[direction]
    loss = mechanism.privacy_loss()
    loss = loss.reversed() if direction else loss
    truth = exact_delta(loss._log_ratio, loss.p, k, epsilon)  # type: ignore[attr-defined]
    sums = Composition([(law, k)])
    theta = sums.tilt_for_epsilon(epsilon)
    total = Total([(above(law.cells(h, theta, -35.0), h, theta), k)], h, theta, k * law.offset)
    low = log_delta_below(total, epsilon + total.shift, spread(h, k))
    assert math.exp(low) <= truth * (1 + 1e-10)
    assert truth <= total.delta(epsilon, sign=1) * (1 + 1e-10)
    assert math.exp(low) >= truth * (1 - 1e-2)


@pytest.mark.parametrize(
    ("mechanism", "k"),
    [(PoissonSubsampled(DiscreteGaussian(2.0), 0.1), 100), (SAMPLED[0], 400), (Laplace(3.0), 500)],
    ids=str,
)
@pytest.mark.parametrize("delta", [1e-3, 1e-8, 1e-100])
def test_finer_lattices_stay_above(mechanism: Mechanism, k: int, delta: float) -> None:
    pair = dominating_pair(mechanism)
    assert pair is not None
    law, log_delta = pair.losses[0], math.log(delta)
    sums = Composition([(law, k)])
    theta, estimate = sums.tilt_for_delta(log_delta)
    ends = []
    for h in (0.02, 0.004, 0.001, 2.5e-4):
        total = Total([(above(law.cells(h, theta, -45.0), h, theta), k)], h, theta, k * law.offset)
        top = total.epsilon(log_delta, sign=1, start=estimate)
        ends.append((epsilon_below(total, log_delta, spread(h, k), top), top))
    for i, (low, high) in enumerate(ends):
        assert low <= high
        for other_low, other_high in ends[i:]:
            assert low <= other_high and other_low <= high
    assert ends[-1][1] - ends[-1][0] <= 1e-3 * ends[-1][1]
    assert ends[-1][1] - ends[-1][0] <= 0.2 * (ends[-2][1] - ends[-2][0])
