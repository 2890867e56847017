"""Tests of functions that compute a curve at many points, against the functions for one point."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from cases import few_or_many

from dpteach import (
    ZCDP,
    GaussianDP,
    RenyiDP,
)
from dpteach.curves import (
    gaussian_deltas,
    gaussian_epsilons,
    renyi_epsilons,
    zcdp_epsilons,
)

KS = np.unique(np.geomspace(1, 1000, 25).astype(int))


def exact_log_delta(mu: float, epsilon: float) -> mpmath.mpf:
    """Return log delta of mu-Gaussian DP at epsilon, with enough digits to subtract nearly equal
    terms.
    """
    with mpmath.workdps(60):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        a, b = e / m - m / 2, e / m + m / 2
        spare = int(mpmath.fabs(a * a) / 2 + 2 * abs(mpmath.log(m))) + 60
    with mpmath.workdps(spare):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        a, b = e / m - m / 2, e / m + m / 2
        root = mpmath.sqrt(2)
        return mpmath.log((mpmath.erfc(a / root) - mpmath.exp(e) * mpmath.erfc(b / root)) / 2)


def settings(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    mu = 10 ** rng.uniform(-4, 2, count)
    delta = 10 ** np.where(
        rng.random(count) < 0.5, rng.uniform(-12, -0.4, count), rng.uniform(-300, -1, count)
    )
    return mu, delta


@pytest.mark.parametrize("points", [200, pytest.param(800, marks=pytest.mark.slow)])
def test_gaussian_epsilons_are_those_of_one_point(points: int) -> None:
    mu, delta = settings(1, points)
    many = gaussian_epsilons(mu, delta)
    one = [GaussianDP(m).epsilon_at(d) for m, d in zip(mu, delta, strict=True)]
    np.testing.assert_allclose(many, one, rtol=1e-12, atol=0)


@few_or_many("points", 300, 1000, 4000)
def test_gaussian_epsilons_are_never_below_the_truth_and_close_to_it(points: int) -> None:
    mu, delta = settings(2, points)
    mu, delta = mu[kept := (delta > 1e-40) | (np.arange(mu.size) < points // 40)], delta[kept]
    for m, d, epsilon in zip(mu, delta, gaussian_epsilons(mu, delta), strict=True):
        target = mpmath.log(mpmath.mpf(float(d)))
        assert exact_log_delta(m, epsilon) <= target or epsilon == 0
        if epsilon > m / 20:
            assert exact_log_delta(m, epsilon * (1 - 1e-12)) > target


@pytest.mark.parametrize("points", [400, pytest.param(2500, marks=pytest.mark.slow)])
def test_gaussian_deltas_are_those_of_one_point_and_never_below_the_truth(points: int) -> None:
    rng = np.random.default_rng(3)
    mu = 10 ** rng.uniform(-4, 2, points)
    epsilon = np.abs(mu * (mu / 2 + rng.uniform(-3, 30, mu.size)))
    many = gaussian_deltas(mu, epsilon)
    one = [GaussianDP(m).delta_at(e) for m, e in zip(mu, epsilon, strict=True)]
    np.testing.assert_allclose(many, one, rtol=1e-11, atol=0)
    for m, e, delta in zip(mu[:150], epsilon[:150], many[:150], strict=True):
        exact = exact_log_delta(m, e)
        assert mpmath.log(mpmath.mpf(float(delta))) >= exact


def test_each_end_of_the_ranges() -> None:
    mu = [0.0, 5e-324, 1e-300, 1e-9, 2.0, 2.1, 37.0, 1e8, 1e12, 1e100]
    delta = np.array([0.0, 5e-324, 1e-300, 0.5, 1 - 2**-53, 1.0])[:, None]
    epsilons = gaussian_epsilons(mu, delta)
    assert np.all(epsilons >= 0)
    assert np.all(epsilons[-1] == 0) and np.all(epsilons[:, 0] == 0)
    assert np.all(np.isinf(epsilons[0, 1:])) and np.all(np.isfinite(epsilons[1:]))
    assert np.all(np.diff(epsilons[1:], axis=0) <= 0)
    deltas = gaussian_deltas(mu, np.array([0.0, 1e-300, 1.0, 700.0, 1e300])[:, None])
    assert np.all((deltas >= 0) & (deltas <= 1)) and np.all(np.diff(deltas, axis=0) <= 0)
    bounds = zcdp_epsilons([0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e300], delta)
    assert np.all(bounds >= 0) and not np.any(np.isnan(bounds))


def test_where_formulas_lose_their_digits_points_are_taken_one_by_one() -> None:
    mu, delta = np.array([2e8, 1e12, 5.0, 3.0]), np.array([1e-5, 0.5, 0.9995, 0.99999])
    one = [GaussianDP(m).epsilon_at(d) for m, d in zip(mu, delta, strict=True)]
    assert gaussian_epsilons(mu, delta).tolist() == one
    mu, epsilon = np.array([2e8, 1e12]), np.array([2e16, 5e23])
    one = [GaussianDP(m).delta_at(e) for m, e in zip(mu, epsilon, strict=True)]
    assert gaussian_deltas(mu, epsilon).tolist() == one
    assert 0.5 < min(one) < 0.51


def test_zcdp_epsilons_are_those_of_one_point() -> None:
    rng = np.random.default_rng(4)
    rho = 10 ** rng.uniform(-12, 6, 3000)
    delta = 10 ** rng.uniform(-300, 0, rho.size)
    one = [ZCDP(r).epsilon_at(d) for r, d in zip(rho, delta, strict=True)]
    np.testing.assert_allclose(zcdp_epsilons(rho, delta), one, rtol=1e-12, atol=0)


@few_or_many("points", 300, 700, 2000)
def test_zcdp_epsilons_are_never_below_the_best_order(points: int) -> None:
    rng = np.random.default_rng(5)
    rho = 10 ** rng.uniform(-8, 3, points)
    delta = 10 ** rng.uniform(-300, -0.5, rho.size)
    many = zcdp_epsilons(rho, delta)
    with mpmath.workdps(40):
        for r, d, epsilon in zip(map(mpmath.mpf, rho), map(mpmath.mpf, delta), many, strict=True):
            target = -mpmath.log(d)
            b = mpmath.sqrt(target / r)
            for _ in range(12):  # Newton's method for the best order, 1 + b
                b = b * mpmath.exp(
                    -(r * b * b + mpmath.log1p(b) - target) / (2 * r * b * b + b / (1 + b))
                )
            a = 1 + b
            best = r * a + mpmath.log(b / a) + (target - mpmath.log(a)) / b
            assert epsilon >= best or (epsilon == 0 and mpmath.sqrt(r / 2) <= d)


@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-6, 0.3, 1.0])
@pytest.mark.parametrize(
    "claim",
    [
        RenyiDP([1.5, 2, 8, 64, 1024], [0.01, 0.015, 0.05, 0.5, 20.0]),
        RenyiDP([1, 4, math.inf], [0.001, 0.004, 0.3]),
        RenyiDP(1, 0.01),
        RenyiDP(2, 0.0),
    ],
)
def test_renyi_epsilons_are_those_of_the_closed_formulas(claim: RenyiDP, delta: float) -> None:
    one = [claim.self_compose(int(k))._closed_epsilon(delta)[0] for k in KS]
    tightest = [claim.self_compose(int(k)).epsilon_at(delta) for k in KS]
    assert all(a <= b for a, b in zip(tightest, one, strict=True))
    np.testing.assert_allclose(renyi_epsilons(claim, KS, delta), one, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("epsilon", [5.0, 20.0, 40.0])
def test_of_pure_claims_no_epsilon_is_below_the_truth(epsilon: float) -> None:
    """For delta near 1, no epsilon that is computed for a pure guarantee is below the true value.

    Near delta = 1 the logarithm in the formula for epsilon amplifies rounding errors.
    """
    for missing in range(1, 53):
        delta = 1 - 2.0**-missing
        for k in (1, 2):
            with mpmath.workdps(60):
                kept = mpmath.exp(k * mpmath.mpf(epsilon)) * (1 - mpmath.mpf(delta)) - delta
                truth = mpmath.log(kept) if kept > 1 else mpmath.mpf(0)
            assert renyi_epsilons(RenyiDP(math.inf, epsilon), [k], delta)[0] >= truth
            assert RenyiDP(math.inf, k * epsilon).epsilon_at(delta) >= truth


def test_where_an_order_says_less_than_nothing_epsilon_is_zero() -> None:
    # at epsilon 0 the library's bound on delta is 0.632 for this claim, so epsilon is 0 at delta =
    # 0.7. Pinsker's inequality would not be enough, because it gives 0.707
    claim, delta = RenyiDP(2.0, 1.0), 0.7
    assert renyi_epsilons(claim, [1], delta)[0] == claim.epsilon_at(delta) == 0
    assert renyi_epsilons(claim, [1], 0.5)[0] > 0


def test_of_many_counts_the_last_is_told_like_the_first() -> None:
    claim = RenyiDP([2.0, 8.0], [0.1, 0.4])
    found = renyi_epsilons(claim, np.arange(1, 9001), 1e-6)
    for k in (1, 4096, 4097, 9000):
        single = claim.self_compose(k)._closed_epsilon(1e-6)[0]
        assert found[k - 1] == pytest.approx(single, rel=1e-12)


def test_a_little_below_the_total_variation_epsilon_is_not_negative() -> None:
    rho = np.geomspace(1e-3, 1.9, 30)
    delta = 0.99 * np.sqrt(rho / 2)
    one = [ZCDP(r).epsilon_at(d) for r, d in zip(rho, delta, strict=True)]
    assert zcdp_epsilons(rho, delta).tolist() == pytest.approx(one, rel=1e-9, abs=1e-15)
    assert zcdp_epsilons(rho, delta).min() >= 0


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"^mu and delta must have shapes"):
        gaussian_epsilons([1.0, 2.0], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"^rho must be finite and >= 0"):
        zcdp_epsilons([1.0, -2.0], 0.1)
    with pytest.raises(ValueError, match=r"^delta must be in \[0, 1\]"):
        zcdp_epsilons(1.0, [0.5, 2.0])


def test_the_least_rho_has_an_epsilon() -> None:
    assert 0 < zcdp_epsilons([1e-310], 1e-300)[0] < 1e-150


def test_orders_whose_multiples_leave_the_floats_are_left_to_others() -> None:
    claim = RenyiDP([1.01, 101.0], [50.0, 1e300])
    assert renyi_epsilons(claim, [1, 10**9], 0.1)[1] > 50e9


def test_a_delta_below_the_normal_floats_is_no_smaller_than_the_truth() -> None:
    epsilons = np.linspace(37.5, 38.5, 40)
    found = gaussian_deltas(1.0, epsilons)
    assert found.min() > 0 and found.max() < 1e-300
    with mpmath.workdps(60):
        for epsilon, delta in zip(epsilons, found, strict=True):
            e, half = mpmath.mpf(float(epsilon)), mpmath.mpf(0.5)
            truth = mpmath.ncdf(half - e) - mpmath.exp(e) * mpmath.ncdf(-half - e)
            assert delta >= truth
