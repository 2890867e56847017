"""Tests of the optimal conversion of Rényi DP to (epsilon, delta)-DP, by the joint range.

The joint range is the set of all (Rényi divergence, hockey-stick divergence) of pairs of
distributions. The results of the conversion are valid, some pair attains them, and they never
exceed those of the closed formula of Canonne, Kamath and Steinke (2020).
"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from cases import few_or_many, log_uniform
from numpy.typing import NDArray

from dpteach import ZCDP, AlphaDP, ApproxDP, DiscreteLoss, RenyiDP, conversions
from dpteach.notions._joint_range import (
    delta_of_renyi,
    delta_of_renyi_optimal,
    epsilon_of_renyi,
    epsilon_of_renyi_optimal,
    epsilon_of_zcdp_optimal,
    witness_of_renyi,
)

mp = mpmath.mp.clone()
mp.dps = 70
M = mp.mpf
Array = NDArray[np.float64]


def least_divergence(order: float, epsilon: float, delta: float) -> mpmath.mpf:
    """Return the least Rényi divergence of pairs with hockey-stick divergence delta at epsilon."""
    a, e, d = M(order), M(epsilon), M(delta)
    shrink = mp.exp(-e)

    def derivative(p: mpmath.mpf) -> mpmath.mpf:
        q = (p - d) * shrink
        u, v = p / q, (1 - p) / (1 - q)
        return a * (u ** (a - 1) - v ** (a - 1)) - (a - 1) * shrink * (u**a - v**a)

    # among all pairs with this delta, a pair of coins has the least divergence. Let p and q be
    # their probabilities of heads, with p - e^epsilon q = delta. The divergence is least where its
    # derivative in p is 0; find this p by bisection in log(p - delta), because p - delta may be
    # tiny
    low, high = mp.log(d) - 60 * mp.log(10), mp.log(1 - d)
    for _ in range(260):
        middle = (low + high) / 2
        if derivative(d + mp.exp(middle)) < 0:
            low = middle
        else:
            high = middle
    p = d + mp.exp(low)
    q = (p - d) * shrink
    return mp.log(p**a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a)) / (a - 1)


@few_or_many("points", 8, 80, 300)
def test_no_larger_delta_is_possible_and_hardly_a_smaller_one_certain(points: int) -> None:
    rng = np.random.default_rng(20241121)
    for _ in range(points):
        order, renyi = 1 + log_uniform(rng, 1e-3, 500), log_uniform(rng, 1e-4, 5)
        epsilon = float(rng.choice([0.0, renyi * rng.uniform(0, 1), renyi * rng.uniform(1, 4)]))
        delta = delta_of_renyi_optimal(order, renyi, epsilon)
        if delta in (0.0, 1.0) or delta < 1e-250:
            continue
        at = (order, renyi, epsilon, delta)
        assert least_divergence(order, epsilon, delta) >= M(renyi) * (1 - M(10) ** -18), at
        close = 1e-9 * max(1.0, order * epsilon * 1e-3)
        assert least_divergence(order, epsilon, delta * (1 - close)) < M(renyi), at


@few_or_many("points", 15, 100, 300)
def test_epsilon_and_delta_are_inverse_and_below_the_closed_formulas(points: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(points):
        order, renyi = 1 + log_uniform(rng, 1e-6, 1e5), log_uniform(rng, 1e-6, 20)
        delta = log_uniform(rng, 1e-300, 0.9)
        epsilon = epsilon_of_renyi_optimal(order, renyi, delta)
        assert 0 <= epsilon <= epsilon_of_renyi(order, renyi, delta)
        if epsilon > 0:
            assert delta_of_renyi_optimal(order, renyi, epsilon) <= delta * (1 + 1e-9)
            smaller = epsilon * (1 - 1e-9)
            assert delta_of_renyi_optimal(order, renyi, smaller) >= delta * (1 - 1e-9)
        assert delta_of_renyi_optimal(order, renyi, epsilon) <= delta_of_renyi(
            order, renyi, epsilon
        )


@pytest.mark.parametrize("order", [1.001, 1.5, 2.0, 8.0, 64.0])
@pytest.mark.parametrize("renyi", [1e-3, 0.1, 2.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 1.0])
def test_a_pair_of_two_outcomes_attains_it(order: float, renyi: float, epsilon: float) -> None:
    p, q = witness_of_renyi(order, renyi, epsilon)
    loss = DiscreteLoss([p, 1 - p], [q, 1 - q])
    assert loss.renyi(order) == pytest.approx(renyi, rel=1e-9)
    delta = delta_of_renyi_optimal(order, renyi, epsilon)
    assert loss.hockey_stick(epsilon) == pytest.approx(delta, rel=1e-9)


@few_or_many("pairs", 30, 300)
def test_no_random_pair_has_more(pairs: int) -> None:
    rng = np.random.default_rng(11)
    for _ in range(pairs):
        p, q = rng.dirichlet(np.full(4, 0.4)), rng.dirichlet(np.full(4, 0.4))
        loss = DiscreteLoss(p / p.sum(), q / q.sum())
        order, epsilon = 1 + log_uniform(rng, 1e-2, 20), float(rng.choice([0.0, 0.3, 1.0]))
        renyi = loss.renyi(order)
        if renyi < 1e3:
            bound = delta_of_renyi_optimal(order, renyi, epsilon)
            assert loss.hockey_stick(epsilon) <= bound * (1 + 1e-12)


@pytest.mark.parametrize(
    ("k", "sigma", "delta", "value"),
    [
        (50, 100, 1e-5, 0.258107169566),
        (50, 100, 1e-15, 0.539611954085),
        (10, 5, 0.01, 1.51982),
    ],
)
def test_the_best_order_of_gaussian_noise(k: int, sigma: int, delta: float, value: float) -> None:
    rho = k / (2 * sigma**2)
    order = 1 + math.sqrt(-math.log(delta) / rho)
    epsilon = epsilon_of_zcdp_optimal(rho, delta, order)
    assert epsilon == pytest.approx(value, abs=6e-6 if value > 1 else 1e-11)
    assert epsilon <= ZCDP(rho).epsilon_at(delta)


@pytest.mark.parametrize("order", [1 + 1e-12, 1.0001, 2.0, 1e6])
@pytest.mark.parametrize("renyi", [0.0, 1e-300, 1e-20, 1.0, 700.0])
def test_far_ends(order: float, renyi: float) -> None:
    for delta in (5e-324, 1e-300, 1e-9, 0.5, 1 - 1e-16, 1.0):
        epsilon = epsilon_of_renyi_optimal(order, renyi, delta)
        assert 0 <= epsilon <= epsilon_of_renyi(order, renyi, delta)
    for epsilon in (0.0, 1e-300, 1.0, 700.0, math.inf):
        delta = delta_of_renyi_optimal(order, renyi, epsilon)
        assert 0 <= delta <= delta_of_renyi(order, renyi, epsilon)


def test_orders_at_which_no_event_is_rare() -> None:
    # at these orders, the Rényi bound 0.3 is nearly a bound on log(p/q), but not on log(q/p)
    for order in (1e16, 1e30, 1e200):
        assert delta_of_renyi_optimal(order, 0.3, 0.0) == pytest.approx(
            1 - math.exp(-0.3), rel=1e-12
        )


@pytest.mark.parametrize(
    ("order", "renyi", "delta"),
    [(1e300, 1e-4, 1e-310), (1e100, 1e-100, 1e-200), (1e30, 0.1, 1e-20), (1e6, 0.1, 1e-9)],
)
def test_orders_whose_products_leave_the_floats(order: float, renyi: float, delta: float) -> None:
    found = epsilon_of_renyi_optimal(order, renyi, delta)
    assert 0 <= found <= epsilon_of_renyi(order, renyi, delta)
    assert found <= (renyi - math.log(delta) / (order - 1)) * (1 + 1e-9)


def test_least_claims_and_least_deltas() -> None:
    assert 0 < conversions.zcdp_to_epsilon_optimal(2.3e-308, 5e-324) < 1e-100


def test_a_budget_that_underflows() -> None:
    assert 0 <= epsilon_of_renyi_optimal(1 + 1e-9, 5e-324, 1.3e-5) < 1e-300


def test_several_orders_and_the_order_infinity_are_true_together() -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        p, q = rng.dirichlet(np.full(3, 0.4), 2) * 0.97 + 0.01
        loss = DiscreteLoss(p, q)
        claim = RenyiDP.tightest(loss, orders=[1.0, 1.5, 6.0, math.inf])
        for part in (0.0, 0.3, 0.9, 0.999):
            epsilon = part * claim.epsilons[-1]
            found = conversions.convert(claim, to=ApproxDP, by="joint range", epsilon=epsilon)
            assert found.holds_for(loss)
            if found.delta < 1:
                again = conversions.convert(claim, to=ApproxDP, by="joint range", delta=found.delta)
                assert again.holds_for(loss) and again.epsilon <= epsilon * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("at", [{"delta": 1e-6}, {"epsilon": 2.0}])
def test_of_many_orders_the_best_is_looked_at(at: dict[str, float]) -> None:
    orders = np.linspace(1.1, 40.0, 60).tolist()
    claim = RenyiDP(orders, [0.05 * a for a in orders])

    def implied(of: RenyiDP) -> float:
        found = conversions.convert(of, to=ApproxDP, by="joint range", **at)
        return found.delta if "epsilon" in at else found.epsilon

    each = [implied(RenyiDP(a, 0.05 * a)) for a in orders]
    assert implied(claim) == min(each) < min(each[:16] + each[-16:])


@pytest.mark.parametrize(
    ("order", "renyi", "delta", "epsilon"),
    [
        (2, 0.5, 1e-5, 9.69394),
        (1.0001, 0.5, 1e-5, 17907.94),
        (8, 0.1, 1e-5, 1.216130),
        (1 + 1e-9, 1.0, 1e-5, 99983.49),
        (1e6, 0.1, 1e-9, 0.100006),
    ],
)
def test_a_claim_uses_the_joint_range(
    order: float, renyi: float, delta: float, epsilon: float
) -> None:
    found = RenyiDP(order, renyi).epsilon_at(delta)
    assert found == pytest.approx(epsilon, rel=1e-6)
    assert found < epsilon_of_renyi(order, renyi, delta) or order > 1e5
    alpha = conversions.convert(RenyiDP(order, renyi), to=AlphaDP, order=order)
    if alpha.epsilon < math.inf:
        assert alpha.epsilon_at(delta) == pytest.approx(found, rel=1e-9)


def brute_force(order: float, renyi: float, epsilon: float) -> float:
    """Return the largest delta of two distributions on two outcomes with bounded Rényi divergence.

    The distributions are (p, 1 - p) and (q, 1 - q). For each p on a grid, bisection finds the least
    q within the bound, because the divergence decreases as q grows to p. The grid is refined twice
    around the best p. The library searches in another way.
    """

    def divergence(p: Array, q: Array) -> Array:
        heads, tails = np.log(p) - np.log(q), np.log1p(-p) - np.log1p(-q)
        both = np.log(q) + order * heads, np.log1p(-q) + order * tails
        return np.logaddexp(*both) / (order - 1)

    low, high, best = -60.0, 36.0, 0.0
    for _ in range(3):
        logits = np.linspace(low, high, 1001)
        p = 1 / (1 + np.exp(-logits))
        p = p[p < 1]
        small, large = np.log(p) - renyi * order / (order - 1) - 700 / (order - 1), np.log(p)
        small = np.maximum(small, -740.0)
        for _ in range(70):
            middle = (small + large) / 2
            within = divergence(p, np.exp(middle)) <= renyi
            small, large = np.where(within, small, middle), np.where(within, middle, large)
        gained = p - math.exp(epsilon) * np.exp(large)
        i = int(np.argmax(gained))
        best = max(best, float(gained[i]))
        low, high = logits[max(i - 1, 0)], logits[min(i + 1, p.size - 1)]
    return best


@pytest.mark.parametrize("order", [1.05, 1.5, 2.0, 8.0, 64.0])
@pytest.mark.parametrize("renyi", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.2])
def test_a_brute_force_search_finds_the_same(order: float, renyi: float, share: float) -> None:
    claim, epsilon = RenyiDP(order, renyi), share * renyi
    found = brute_force(order, renyi, epsilon)
    delta = claim.delta_at(epsilon)
    assert found * (1 - 1e-9) <= delta == pytest.approx(found, rel=1e-6)
    assert claim.epsilon_at(found) <= epsilon * (1 + 1e-6) + 1e-9
    assert claim.epsilon_at(found * 0.99) > epsilon


@few_or_many("points", 20, 200)
def test_delta_at_and_epsilon_at_of_a_claim_are_inverse(points: int) -> None:
    rng = np.random.default_rng(17)
    for _ in range(points):
        orders = sorted({1 + log_uniform(rng, 1e-6, 1e6) for _ in range(rng.integers(1, 6))})
        bounds = sorted(log_uniform(rng, 1e-6, 20) for _ in orders)
        claim = RenyiDP(orders, bounds)
        delta = log_uniform(rng, 1e-300, 0.9)
        epsilon = claim.epsilon_at(delta)
        again = claim.delta_at(epsilon)
        # the relative error of an exponential grows with its exponent, order * epsilon, and so does
        # the tolerance
        close = 1e-9 + 1e-13 * orders[-1] * epsilon
        assert again <= delta * (1 + close)
        if epsilon > 0:
            assert again >= delta * (1 - close)
            assert claim.epsilon_at(again) == pytest.approx(epsilon, rel=1e-9)
        # the bound from several orders is the least of the bounds from each of them, and no closed
        # formula gives less
        alone = [RenyiDP(a, e) for a, e in zip(orders, bounds, strict=True)]
        assert epsilon == pytest.approx(min(one.epsilon_at(delta) for one in alone), rel=1e-9)
        assert epsilon <= claim._closed_epsilon(delta)[0]
        assert claim.delta_at(epsilon / 2) <= claim._closed_delta(epsilon / 2)[0]


def test_ends_of_claims() -> None:
    claim = RenyiDP([1.0, 1 + 1e-15, 2.0, 1e300, math.inf], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert claim.epsilon_at(0.0) == 0.5 and claim.epsilon_at(1.0) == 0.0
    assert 0.39 < claim.epsilon_at(1e-300) <= claim.epsilon_at(5e-324) <= 0.5
    assert claim.delta_at(math.inf) == claim.delta_at(1e300) == 0.0
    assert claim.delta_at(0.0) == pytest.approx(math.tanh(0.25), rel=0.3)
    for one in (RenyiDP(2, 1e308), RenyiDP(1.7e308, 2.0), RenyiDP(1e200, 1e150)):
        assert one.epsilon_at(1e-5) == pytest.approx(one.epsilons[0], rel=1e-9)
        assert one.delta_at(0.0) == pytest.approx(1.0, rel=0.2)
    huge = RenyiDP(2, 0.5)
    assert 0 < huge.delta_at(700.0) < 1e-300 and huge.delta_at(1e300) < 1e-300
    assert huge.epsilon_at(1e-300) == pytest.approx(300 * math.log(10), rel=0.02)
    assert AlphaDP(2, math.inf).epsilon_at(0.5) == math.inf
    assert AlphaDP(2, math.inf).delta_at(3.0) == 1.0
