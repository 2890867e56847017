"""Tests of discrete Laplace and discrete Gaussian noise, also of vectors and at extreme parameters.

Closed formulas are compared with definitions in 50 digits, and samples with their distribution.
Random tests are seeded; with fresh seeds, a false alarm would have probability at most 1e-9.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from cases import few_or_many, log_uniform
from scipy import stats

from dpteach import (
    PLD,
    ZCDP,
    Accountant,
    AlphaDP,
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteLoss,
    Gaussian,
    KaryRandomizedResponse,
    Laplace,
    Mechanism,
    MutualInformationDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    calibrate,
)
from dpteach.mechanisms import discrete_gaussian as module_of_gaussian
from dpteach.mechanisms.discrete_gaussian import log_delta_of_discrete
from dpteach.mechanisms.discrete_laplace import loss_of_shift

FALSE_ALARM = 1e-9
mp = mpmath.mp.clone()
mp.dps = 50
M = mp.mpf


# --- discrete Laplace -------------------------------------------------------------------------


def laplace_alpha(scale: float, shift: int, order: float) -> mpmath.mpf:
    """Return the alpha divergence of two discrete Laplace distributions at distance `shift`.

    The divergence is a sum over all integers, here in closed form (by geometric series). Its terms
    nearly cancel, so the function computes with 130 digits.
    """
    with mp.workdps(130):
        h, a = 1 / M(scale), M(order)
        b, t = a - 1, shift / M(scale)
        if b == 0:
            return t - h / mp.sinh(h) * (1 - mp.exp(-t))
        w = mp.sinh(a * h) / (mp.sinh(a * h) + mp.sinh(b * h))
        return (w * mp.expm1(b * t) + (1 - w) * mp.expm1(-a * t)) / (a * b)


def laplace_delta(scale: float, shift: int, epsilon: float) -> mpmath.mpf:
    """Return delta of discrete Laplace noise, the largest P(x <= k) - e^epsilon Q(x <= k).

    P and Q are the distributions of the answer x for the true values 0 and `shift`. The maximum
    over all integers k is found by trying those next to the best real k.
    """
    with mp.workdps(60 + int(shift / scale)):
        q, e = mp.exp(-1 / M(scale)), mp.exp(M(epsilon))
        best = int(mp.ceil((shift - M(epsilon) * M(scale)) / 2)) - 1
        near = range(max(0, best - 2), best + 3)
        return max(
            [1 - (q ** (k + 1) + e * q ** (shift - k)) / (1 + q) for k in near], default=M(0)
        )


@pytest.mark.slow
def test_divergences_of_discrete_laplace_to_many_digits() -> None:
    rng = np.random.default_rng(1)
    for i in range(2000):
        scale, shift = log_uniform(rng, 1e-3, 1e6), int(log_uniform(rng, 1, 1e4))
        order = 1.0 if i % 10 == 0 else 1 + log_uniform(rng, 1e-12, 1e6)
        mechanism = DiscreteLaplace(scale, shift)
        alpha = laplace_alpha(scale, shift, order)
        b = M(order) - 1
        renyi = alpha if b == 0 else mp.log1p(M(order) * b * alpha) / b
        (found,) = mechanism.guarantee(RenyiDP, orders=order).epsilons
        assert abs(found - renyi) <= 5e-15 * renyi, (mechanism, order)
        if order > 1 and alpha < 1e300:
            found = mechanism.guarantee(AlphaDP, order=order).epsilon
            assert abs(found - alpha) <= 5e-15 * alpha * max(1, mp.log(alpha)), (mechanism, order)


@few_or_many("points", 200, 700, 2000)
def test_profile_of_discrete_laplace_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(2)
    for i in range(points):
        scale, shift = log_uniform(rng, 1e-2, 1e6), int(log_uniform(rng, 1, 1e4))
        mechanism = DiscreteLaplace(scale, shift)
        share = rng.uniform(0, 1) if i % 2 else 1 - log_uniform(rng, 1e-14, 1)
        epsilon = share * mechanism.shift
        if mechanism.shift > 1500:
            continue
        delta = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
        truth = laplace_delta(scale, shift, epsilon)
        assert truth <= delta <= truth * (1 + 1e-14)
        target = delta if i % 3 and delta > 0 else log_uniform(rng, 1e-300, 1)
        found = mechanism.guarantee(ApproxDP, delta=target).epsilon
        assert laplace_delta(scale, shift, found) <= M(target) * (1 + M(10) ** -15)
        less = found * (1 - 1e-11) - 1e-14
        if less > 0:
            # near delta = 1 the epsilon that was found may be slightly larger than necessary, so
            # allow a relative difference of 1e-14 in delta
            assert laplace_delta(scale, shift, less) > M(target) * (1 - M(10) ** -14)


def test_ends_of_the_profile() -> None:
    mechanism = DiscreteLaplace(2.0, 3)
    assert mechanism.guarantee(ApproxDP, delta=0.0) == ApproxDP(1.5, 0.0)
    assert mechanism.guarantee(ApproxDP, delta=1.0) == ApproxDP(0.0, 1.0)
    assert mechanism.guarantee(ApproxDP, epsilon=1.5).delta == 0
    assert mechanism.guarantee(ApproxDP, epsilon=math.nextafter(1.5, 0)).delta > 0
    tiny = DiscreteLaplace(1e-300)
    assert tiny.guarantee(ApproxDP, epsilon=1.0).delta == 1
    assert tiny.guarantee(ApproxDP, delta=0.5).epsilon == pytest.approx(1e300)
    least = DiscreteLaplace(5e-324)
    assert least.guarantee(ApproxDP, epsilon=1.0).delta == 1
    with pytest.raises(ValueError, match="epsilon must be finite"):
        least.guarantee(PureDP)
    with pytest.raises(ValueError, match="delta must be larger, because no finite epsilon is true"):
        least.guarantee(ApproxDP, delta=0.5)
    assert DiscreteLaplace(1e300).guarantee(ApproxDP, epsilon=0.0).delta < 1e-299


def test_neighbouring_counts_are_randomized_response() -> None:
    # at sensitivity 1 the loss of discrete Laplace noise takes only two values, as in randomized
    # response, so both mechanisms have the same guarantees
    for scale in (0.05, 1.0, 30.0):
        one, other = DiscreteLaplace(scale), RandomizedResponse(1 / scale)
        assert one.privacy_loss().p == pytest.approx(other.privacy_loss().p, rel=1e-14)
        for order in (1.0, 1.5, 20.0):
            found = one.guarantee(RenyiDP, orders=order).epsilons
            assert found == pytest.approx(
                other.guarantee(RenyiDP, orders=order).epsilons, rel=1e-14
            )


def test_fine_lattices_are_laplace_noise() -> None:
    fine, limit = DiscreteLaplace(1e6, 10**6), Laplace(1.0)
    for order in (1.0, 2.0, 50.0):
        found = fine.guarantee(RenyiDP, orders=order).epsilons
        assert found == pytest.approx(limit.guarantee(RenyiDP, orders=order).epsilons, rel=1e-9)
    for epsilon in (0.0, 0.3, 0.99):
        found = fine.guarantee(ApproxDP, epsilon=epsilon).delta
        assert found == pytest.approx(limit.guarantee(ApproxDP, epsilon=epsilon).delta, rel=1e-4)


def product(losses: list[DiscreteLoss]) -> DiscreteLoss:
    p, q = np.ones(1), np.ones(1)
    for loss in losses:
        p, q = np.outer(p, loss.p).ravel(), np.outer(q, loss.q).ravel()
    return DiscreteLoss(p / p.sum(), q / q.sum())


@pytest.mark.parametrize("rate", [0.05, 0.7, 3.0])
@pytest.mark.parametrize("parts", [(1, 1), (1, 2), (3, 2), (5, 1), (1, 1, 1), (2, 1, 2)])
def test_one_coordinate_is_worse_than_the_same_change_of_several(
    rate: float, parts: tuple[int, ...]
) -> None:
    shift = sum(parts)
    whole = DiscreteLaplace(1 / rate, shift)
    several = product([loss_of_shift(rate, part) for part in parts])
    assert PureDP(whole.guarantee(PureDP).epsilon).holds_for(several)
    for epsilon in np.linspace(-1, 1, 41) * rate * shift:
        assert several.hockey_stick(epsilon) <= whole.privacy_loss().hockey_stick(epsilon) + 1e-14
    for order in (1.0, 1.3, 2.0, 9.0, 100.0):
        assert several.renyi(order) <= whole.privacy_loss().renyi(order) * (1 + 1e-12)


# --- discrete Gaussian ------------------------------------------------------------------------


def gaussian_delta(sigma: float, shift: int, epsilon: float) -> mpmath.mpf:
    """Return delta of discrete Gaussian noise by summing the series in its definition term by term.

    The series is that of theorem 7 of Canonne, Kamath and Steinke (2020).
    """
    s = M(sigma)
    start = M(epsilon) * s * s / shift - M(shift) / 2
    first = max(int(mp.floor(start)) + 1, -int(45 * sigma) - 2)
    near = max(first, 0)
    last = near + int(mp.sqrt(near**2 + 180 * s * s) - near) + 3
    weight, ratio = mp.exp(-(M(first) ** 2) / (2 * s * s)), mp.exp(-(2 * first + 1) / (2 * s * s))
    again, slope = mp.exp(-1 / (s * s)), shift / (s * s)
    kept, fading = mp.exp(-slope * (first - start)), mp.exp(-slope)
    total = M(0)
    for _ in range(first, last):
        total += weight * (1 - kept)
        weight, ratio, kept = weight * ratio, ratio * again, kept * fading
    if sigma > 1:
        dual = sum(mp.exp(-2 * (mp.pi * s * n) ** 2) for n in range(1, 6))
        return total / (s * mp.sqrt(2 * mp.pi) * (1 + 2 * dual))
    return total / (1 + 2 * sum(mp.exp(-(M(x) ** 2) / (2 * s * s)) for x in range(1, 60)))


@few_or_many("points", 200, 700, 2000)
def test_profile_of_discrete_gaussian_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(5)
    for i in range(points):
        sigma, shift = log_uniform(rng, 1e-3, 60), int(log_uniform(rng, 1, 20)) if i % 2 else 1
        ratio = shift / sigma
        epsilon = max(0.0, ratio * (ratio / 2 + rng.uniform(-8, 36)))
        truth = gaussian_delta(sigma, shift, epsilon)
        delta = (
            DiscreteGaussian(sigma, shift, one_coordinate=True)
            .guarantee(ApproxDP, epsilon=epsilon)
            .delta
        )
        assert delta >= truth
        if truth > 1e-300:
            assert delta <= truth * (1 + 2e-12)


@pytest.mark.slow
def test_profile_of_a_wide_discrete_gaussian(monkeypatch: pytest.MonkeyPatch) -> None:
    # make the library use its formula for long sums
    monkeypatch.setattr(module_of_gaussian, "MOST_TERMS", 0)
    rng = np.random.default_rng(6)
    for _ in range(2):
        sigma, shift = log_uniform(rng, 1000, 1500), int(log_uniform(rng, 1, 40))
        ratio = shift / sigma
        for away in (-3.0, 0.0, 2.0):
            epsilon = max(0.0, ratio * (ratio / 2 + away))
            truth = gaussian_delta(sigma, shift, epsilon)
            delta = (
                DiscreteGaussian(sigma, shift, one_coordinate=True)
                .guarantee(ApproxDP, epsilon=epsilon)
                .delta
            )
            assert truth <= delta <= truth * (1 + 1e-10)
    # if the shift is many times sigma, the library returns the upper bound P(x > x0), which is near
    # delta; x is the noise, and x0 is the value at which the loss is epsilon
    truth = gaussian_delta(300.0, 30_000, 51.0 * 100)
    delta = (
        DiscreteGaussian(300.0, 30_000, one_coordinate=True)
        .guarantee(ApproxDP, epsilon=51.0 * 100)
        .delta
    )
    assert truth <= delta <= 1.1 * truth
    assert (
        DiscreteGaussian(300.0, 30_000, one_coordinate=True).guarantee(ApproxDP, epsilon=1.0).delta
        == 1
    )


@pytest.mark.parametrize("sigma", [1e-3, 0.3, 1.0, 37.0, 1e4, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1e-10, 0.4])
def test_epsilon_is_the_profile_read_backwards(sigma: float, delta: float) -> None:
    mechanism = DiscreteGaussian(sigma)
    epsilon = mechanism.guarantee(ApproxDP, delta=delta).epsilon
    assert log_delta_of_discrete(sigma, 1, epsilon) <= math.log(delta)
    if epsilon > 0:
        assert log_delta_of_discrete(sigma, 1, epsilon * (1 - 1e-10)) > math.log(delta)
    assert epsilon <= mechanism.guarantee(ZCDP).epsilon_at(delta)


def test_wide_noise_is_gaussian_noise() -> None:
    for sigma in (5.0, 1e3, 1e5, 1e7):
        discrete, limit = DiscreteGaussian(sigma), Gaussian(sigma)
        assert discrete.guarantee(ZCDP) == limit.guarantee(ZCDP)
        for epsilon in (0.0, 0.5 / sigma, 3 / sigma):
            found = discrete.guarantee(ApproxDP, epsilon=epsilon).delta
            truth = limit.guarantee(ApproxDP, epsilon=epsilon).delta
            assert found == pytest.approx(truth, rel=1.2 / sigma**2 + 1e-11)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0, 7.0])
@pytest.mark.parametrize("shift", [1, 2])
def test_moments_of_discrete_gaussian(sigma: float, shift: int) -> None:
    mechanism = DiscreteGaussian(sigma, shift, one_coordinate=True)
    if mechanism.shift > 20:
        with pytest.raises(ValueError, match="sensitivity must be at most 20 sigma"):
            mechanism.privacy_loss()
        return
    loss = mechanism.privacy_loss()
    rho = mechanism.guarantee(ZCDP).rho
    # at integer orders, the Rényi divergence equals order * rho, the bound that zCDP gives
    for order in (1.0, 2.0, 3.0, 8.0, 256.0):
        assert loss.renyi(order) == pytest.approx(order * rho, rel=1e-11)
    for order in (1 + 1e-9, 1.25, 1.5, 2.7, 31.4):
        assert loss.renyi(order) <= order * rho * (1 + 1e-11)
    # between integer orders, the divergence may be far below this bound
    if sigma == 0.3 and shift == 1:
        assert loss.renyi(1.5) < 0.84 * 1.5 * rho
    assert loss.max() == loss.reversed().max() == math.inf
    assert loss.renyi(0) == 0
    assert loss.alpha(0.25) == pytest.approx(loss.reversed().alpha(0.75))
    assert "sigma" in repr(loss)


@pytest.mark.parametrize(("sigma", "shift"), [(0.05, 1), (0.5, 10), (1.0, 1), (3.0, 7), (40.0, 2)])
def test_list_of_discrete_gaussian_errs_upwards(sigma: float, shift: int) -> None:
    mechanism = DiscreteGaussian(sigma, shift, one_coordinate=True)
    loss = mechanism.privacy_loss()
    assert math.fsum(loss.p) == pytest.approx(1, abs=1e-12)
    assert np.array_equal(loss.p[:-2], loss.q[:-2][::-1])
    listed = DiscreteLoss(loss.p, loss.q)
    law = PLD.tightest(loss)
    for epsilon in (0.0, 0.5 * mechanism.shift, mechanism.shift**2 / 2, 20 * mechanism.shift):
        truth = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
        assert law.delta_at(epsilon) >= truth * (1 - 1e-11)
        assert law.delta_at(epsilon) <= truth * (1 + 1e-11) + loss.p[-2] * (1 + 1e-9)
        assert loss.hockey_stick(epsilon) == pytest.approx(truth, rel=1e-11, abs=1e-307)
    assert loss.hockey_stick(-math.inf) == pytest.approx(1, rel=1e-14)
    if mechanism.shift < 2:
        assert listed.total_variation() == pytest.approx(loss.total_variation(), rel=1e-12)


def test_order_one_binds_for_discrete_laplace() -> None:
    rng = np.random.default_rng(8)
    for _ in range(500):
        mechanism = DiscreteLaplace(log_uniform(rng, 1e-2, 1e4), int(log_uniform(rng, 1, 1e3)))
        rho = mechanism.guarantee(ZCDP).rho
        order = 1 + log_uniform(rng, 1e-4, 1e4)
        assert mechanism.guarantee(RenyiDP, orders=order).epsilons[0] <= order * rho * (1 + 1e-13)


def test_zeros_that_the_proof_counts() -> None:
    # a proof in `dpteach/mechanisms/discrete_laplace.py` needs that `polynomial`, of degree n, has
    # all of its n zeros in (-1, 1)
    for n, scale in ((1, 0.3), (2, 1.0), (5, 4.0), (12, 0.7)):
        cosine = np.polynomial.chebyshev.Chebyshev.basis(n)
        # `cosine` is the Chebyshev polynomial T_n; T_n' / n is U_(n-1), one of the second kind
        sines = cosine.deriv() / n
        polynomial = cosine + math.tanh(0.5 / scale) * sines * np.polynomial.Chebyshev([0, 1])
        zeros = polynomial.roots()
        assert zeros.size == n
        assert np.abs(zeros.imag).max() < 1e-10 and np.abs(zeros.real).max() < 1
        z = np.array([0.5, 0.8, 1.7])
        moment = [
            math.exp(
                (z_i - 0.5)
                * DiscreteLaplace(scale, n).guarantee(RenyiDP, orders=z_i + 0.5).epsilons[0]
            )
            for z_i in z[1:]
        ]
        found = polynomial(np.cosh(z / scale)) * math.exp(-n / scale / 2)
        assert found[1:] / found[0] == pytest.approx(moment, rel=1e-9)


def changes(square: int, dimensions: int, largest: int = 10**9) -> list[tuple[int, ...]]:
    """Return the integer vectors of squared length at most `square`, up to signs and order.

    Each vector lists its `dimensions` entries in decreasing order, none above `largest`.
    """
    if dimensions == 0:
        return [()]
    first = range(min(largest, math.isqrt(square)) + 1)
    return [(a, *rest) for a in first for rest in changes(square - a * a, dimensions - 1, a)]


def delta_of_change(sigma: float, change: tuple[int, ...], epsilon: float) -> float:
    """Return delta of discrete Gaussian noise if the true answer moves by the vector `change`.

    Delta is the mean of max(0, 1 - e^(epsilon - L)); the loss L is a sum over the coordinates.
    """
    reach = math.ceil(10 * sigma) + 3
    x = np.arange(-reach, reach + 1.0)
    weights = np.exp(-(x**2) / (2 * sigma**2))
    # the loss depends on the noise only through an integer, the inner product of the noise and
    # `change`, so compute its distribution by adding one coordinate after the other
    masses = np.array([1.0])
    for a in (a for a in change if a):
        spread = np.zeros(2 * reach * a + 1)
        spread[::a] = weights / math.fsum(weights)
        masses = np.convolve(masses, spread)
    middle = masses.size // 2
    square = sum(a * a for a in change)
    loss = (square - 2 * np.arange(-middle, middle + 1.0)) / (2 * sigma**2)
    return math.fsum(masses * np.maximum(-np.expm1(np.minimum(epsilon - loss, 0.0)), 0.0))


@pytest.mark.parametrize(
    ("sigma", "square", "dimensions"),
    [
        (0.3, 4, 4),
        (0.5, 1, 4),
        (0.5, 4, 4),
        (0.8, 7, 7),
        (1.0, 2, 4),
        (1.3, 9, 9),
        (2.0, 3, 4),
        (3.0, 4, 4),
        (4.1, 4, 4),
        (2.0, 16, 9),
        (9.0, 9, 9),
        (2.5, 36, 5),
        (13.0, 40, 4),
    ],
)
def test_claims_hold_for_every_change(sigma: float, square: int, dimensions: int) -> None:
    mechanism = DiscreteGaussian(sigma, math.sqrt(square))
    known = changes(square, dimensions)
    rho = mechanism.guarantee(ZCDP).rho
    assert rho == pytest.approx(square / sigma**2 / 2, rel=1e-15)
    for epsilon in (0.0, 0.1 * rho, rho, 2 * rho, 2 * rho + 2 * math.sqrt(rho)):
        worst = max(delta_of_change(sigma, change, epsilon) for change in known)
        claim = mechanism.guarantee(ApproxDP, epsilon=epsilon)
        assert claim.delta >= worst * (1 - 1e-12)
        # `known` lists only the changes of at most `dimensions` coordinates. If the condition below
        # is true, the worst of all changes is among them, so the claim must be exact
        if dimensions >= square or square == 36:
            assert claim.delta == pytest.approx(worst, rel=1e-10)
            assert mechanism.explain(ApproxDP, epsilon=epsilon).kind == "exact"
        alone = DiscreteGaussian(sigma, math.sqrt(square), one_coordinate=True)
        assert alone.guarantee(ApproxDP, epsilon=epsilon).delta <= claim.delta * (1 + 1e-12)
        # three results must agree with this guarantee: the epsilon at its delta, composition, and
        # calibration
        back = mechanism.guarantee(ApproxDP, delta=claim.delta).epsilon
        assert back == pytest.approx(epsilon, rel=1e-9, abs=1e-12)
        assert Accountant().compose(mechanism).delta_at(epsilon).upper >= worst * (1 - 1e-12)
        # skip calibration to a tiny delta, because for narrow noise delta need not decrease in
        # sigma
        if worst > 1e-9:
            found = calibrate(DiscreteGaussian, claim, sensitivity=math.sqrt(square)).sigma
            worst = max(delta_of_change(found, change, epsilon) for change in known)
            assert worst <= claim.delta * (1 + 1e-12)


def test_a_root_that_a_float_rounds_down_is_that_root() -> None:
    for square in (2, 3, 5, 7, 10**6 + 1, 10**11 + 3):
        assert DiscreteGaussian(1.0, math.sqrt(square))._square() == square
    assert DiscreteGaussian(1.0, math.nextafter(math.sqrt(3), 0))._square() == 2
    assert DiscreteGaussian(1.0, 2.9, one_coordinate=True)._square() == 4
    # no integer vector has a length above 1 and at most 1.4, so both sensitivities mean the same
    whole, more = DiscreteGaussian(2.0), DiscreteGaussian(2.0, 1.4)
    for notion, at in ((ZCDP, {}), (RenyiDP, {"orders": 3}), (ApproxDP, {"epsilon": 0.1})):
        assert whole.guarantee(notion, **at) == more.guarantee(notion, **at)
    assert more.privacy_loss().kl() == whole.privacy_loss().kl()


@pytest.mark.parametrize("sigma", [0.02, 1.0, 11.9])
def test_where_changes_are_too_many_the_claim_is_a_bound(sigma: float) -> None:
    listed, bound = DiscreteGaussian(sigma, 6.0), DiscreteGaussian(sigma, math.sqrt(38))
    for epsilon in (0.0, 1.0, 30.0):
        claim = bound.guarantee(ApproxDP, epsilon=epsilon)
        assert claim.delta >= listed.guarantee(ApproxDP, epsilon=epsilon).delta
        assert bound.explain(ApproxDP, epsilon=epsilon).kind == "upper bound"
        assert claim.delta == bound.guarantee(ZCDP).delta_at(epsilon)
    assert bound.guarantee(ApproxDP, delta=1e-6).epsilon == bound.guarantee(ZCDP).epsilon_at(1e-6)


def test_long_sums_over_several_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    for square, sigma in ((4, 3000.0), (18, 2500.0), (36, 1234.5)):
        ratio = math.sqrt(square) / sigma
        for epsilon in (0.0, 0.1 * ratio, ratio, 3 * ratio):
            mechanism = DiscreteGaussian(sigma, math.sqrt(square))
            summed = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
            with monkeypatch.context() as patched:
                patched.setattr(module_of_gaussian, "MOST_TERMS", 0)
                formula = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
            assert formula == pytest.approx(summed, rel=1e-10)


def test_wide_noise_does_not_tell_listed_changes_from_a_lattice() -> None:
    # for sigma below twice the sensitivity, the library lists all possible changes of the answer;
    # for larger sigma, it uses a formula
    for square in (2, 4, 12, 18, 36):
        below, above = (
            DiscreteGaussian(s, math.sqrt(square)).guarantee(ApproxDP, epsilon=0.4).delta
            for s in (math.nextafter(2 * math.sqrt(square), 0), 2 * math.sqrt(square))
        )
        assert below == pytest.approx(above, rel=1e-12)


def test_vectors_have_the_zcdp_of_their_length() -> None:
    sigma, change = 0.8, (1, 1, 2)
    losses = [DiscreteGaussian(sigma, x, one_coordinate=True).privacy_loss() for x in change]
    claim = DiscreteGaussian(sigma, math.sqrt(6)).guarantee(ZCDP)
    for order in (1.0, 1.3, 2.0, 2.5, 9.0):
        total = math.fsum(loss.renyi(order) for loss in losses)
        assert total <= order * claim.rho * (1 + 1e-12)
    assert math.fsum(loss.renyi(2) for loss in losses) == pytest.approx(2 * claim.rho)


def test_what_needs_one_coordinate_says_so() -> None:
    mechanism = DiscreteGaussian(2.0, math.sqrt(2))
    assert mechanism.guarantee(ZCDP).rho == pytest.approx(0.25)
    with pytest.raises(TypeError, match=r"^one_coordinate must be True, .* got mechanism=Discrete"):
        mechanism.privacy_loss()
    with pytest.raises(TypeError, match=r"^one_coordinate must be of type bool, got one_coordi"):
        DiscreteGaussian(2.0, one_coordinate=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^sensitivity must be finite and >= 1, got sensitivity"):
        DiscreteGaussian(2.0, 0.5)
    with pytest.raises(TypeError, match="no epsilon bounds the privacy loss"):
        mechanism.guarantee(PureDP)
    with pytest.raises(ValueError, match="delta must be > 0, because no epsilon bounds"):
        DiscreteGaussian(1.0).guarantee(ApproxDP, delta=0.0)
    with pytest.raises(ValueError, match="sigma must be at most 10000"):
        DiscreteGaussian(1e5).privacy_loss()


@pytest.mark.parametrize(
    ("sigma", "shift", "epsilon"),
    [
        (1e-200, 1, 1.0),
        (1e200, 1, 0.0),
        (1.7e308, 1, 0.0),
        (3.0, 10**15, 1.0),
        (1.0, 10**300, 3.0),
        (1e51, 3, 1e-50),
        (2e4, 4 * 10**8, 2e8),
        (1.0, 1, 1e300),
    ],
)
def test_far_ends_are_probabilities(sigma: float, shift: int, epsilon: float) -> None:
    delta = (
        DiscreteGaussian(sigma, shift, one_coordinate=True)
        .guarantee(ApproxDP, epsilon=epsilon)
        .delta
    )
    assert 0 < delta <= 1


# --- both mechanisms --------------------------------------------------------------------------


INTEGER = [DiscreteLaplace(3.0), DiscreteGaussian(3.0, one_coordinate=True)]


@pytest.mark.parametrize("mechanism", INTEGER, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 1, 4)])
def test_release_keeps_the_shape_and_the_seed(mechanism: Mechanism, shape: tuple[int, ...]) -> None:
    value = np.ones(shape, dtype=int)
    one = mechanism.release(value, rng=np.random.default_rng(5))
    two = mechanism.release(value.astype(float), rng=np.random.default_rng(5))
    assert one.shape == shape and one.dtype == np.int64
    assert np.array_equal(one, two)
    assert np.array_equal(value, np.ones(shape))


@pytest.mark.parametrize("mechanism", INTEGER, ids=str)
def test_large_integers_are_exact(mechanism: Mechanism) -> None:
    for value in (2**62, -(2**62), 2**53 + 1):
        answers = mechanism.release([value] * 200, rng=np.random.default_rng(0))
        assert np.abs(answers.astype(object) - value).max() < 100
        assert len(set(answers.tolist())) > 8
    unsigned = mechanism.release(np.array([7], dtype=np.uint8), rng=np.random.default_rng(0))
    assert unsigned.dtype == np.int64


@pytest.mark.parametrize("mechanism", INTEGER, ids=str)
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.5, "integers, got value=0.5"),
        ([1, 2.25], "integers"),
        (2**62 + 2**12, "integers from"),
        (-(2**63), "integers from"),
        (10**30, "integers from"),
        (1e300, "integers from"),
        (math.nan, "finite"),
        (True, "real numbers"),
        ("1", "real numbers"),
    ],
)
def test_values_that_are_not_integers(mechanism: Mechanism, value: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^value must hold {words}.*|got value="):
        mechanism.release(value, rng=np.random.default_rng(0))


def test_noise_that_does_not_fit() -> None:
    for mechanism, name in ((DiscreteLaplace(2.0**53), "scale"), (DiscreteGaussian(1e16), "sigma")):
        with pytest.raises(ValueError, match=rf"^{name} must be at most 2\*\*52 .* got {name}="):
            mechanism.release(0, rng=np.random.default_rng(0))


@pytest.mark.parametrize("mechanism", INTEGER, ids=str)
def test_loss_between_two_answers(mechanism: Any) -> None:
    between = mechanism.privacy_loss_between
    assert between([4, 1], [4, 1]).max() == 0
    three = replace(mechanism, sensitivity=3).privacy_loss()
    assert between([4, 1], [4, -2]).kl() == three.kl()
    assert between(2**62 - 3, 2**62).kl() == three.kl()
    with pytest.raises(ValueError, match="one coordinate at most"):
        between([4, 1], [5, 2])
    with pytest.raises(ValueError, match="same shape"):
        between([4, 1], 4)
    with pytest.raises(ValueError, match=r"^neighbour must hold integers"):
        between(4, 4.5)
    with pytest.raises(ValueError, match="sensitivity must be at most"):
        between(0, 10**15)


@pytest.mark.parametrize(
    "mechanism",
    [
        DiscreteLaplace(0.5),
        DiscreteLaplace(4.0, 3),
        DiscreteGaussian(0.7),
        DiscreteGaussian(3.0, 2, one_coordinate=True),
    ],
    ids=str,
)
def test_experiment_agrees_with_the_loss(mechanism: Any) -> None:
    # count how often the noisy answer is at most k, for each of two true values, and compare the
    # counts with the probability of this event in the distribution of the loss
    shift, n = int(mechanism.sensitivity), 60_000
    rng = np.random.default_rng(9)
    near = mechanism.release(np.zeros(n, dtype=int), rng=rng)
    far = mechanism.release(np.full(n, shift), rng=rng)
    loss = mechanism.privacy_loss()
    for k in range(shift):
        epsilon = (shift - 2 * k) / mechanism.scale if hasattr(mechanism, "scale") else 0.0
        if isinstance(mechanism, DiscreteGaussian):
            epsilon = shift * (shift - 2 * k) / (2 * mechanism.sigma**2)
        # the loss of a noisy answer is at least epsilon exactly if the answer is at most k;
        # subtract 1e-9, so that rounding does not exclude the answer k
        event_p, event_q = int((near <= k).sum()), int((far <= k).sum())
        p = math.fsum(loss.p[loss._log_ratio >= epsilon - 1e-9])
        q = math.fsum(loss.q[loss._log_ratio >= epsilon - 1e-9])
        assert stats.binomtest(event_p, n, min(p, 1)).pvalue > FALSE_ALARM
        assert stats.binomtest(event_q, n, min(q, 1)).pvalue > FALSE_ALARM


def test_sensitivity_of_integer_noise_is_an_integer() -> None:
    assert DiscreteLaplace(1.0, 2.0) == DiscreteLaplace(1.0, 2)  # type: ignore[arg-type]
    assert type(DiscreteLaplace(1.0, 2.0).sensitivity) is int  # type: ignore[arg-type]
    for bad in (0, 0.5, 2.5, -1, math.inf, math.nan, "1", None, True):
        with pytest.raises(
            (ValueError, TypeError), match=r"^sensitivity must be .*got sensitivity"
        ):
            DiscreteLaplace(1.0, bad)  # type: ignore[arg-type]


def test_losses_that_floats_cannot_hold() -> None:
    for mechanism in (DiscreteLaplace(1.0, 701), DiscreteLaplace(1e9, 10**7 + 1)):
        with pytest.raises(ValueError, match="sensitivity must be at most 10000000"):
            mechanism.privacy_loss()
    largest = DiscreteLaplace(1.0, 700).privacy_loss()
    assert largest.max() == pytest.approx(700)
    assert all(x >= y for x, y in pairwise(largest.p[1:-1]))


@pytest.mark.parametrize("epsilon", [1e-20, 1e-160, 1e-310])
def test_what_floats_do_not_tell_apart_is_no_perfect_privacy(epsilon: float) -> None:
    for mechanism in (
        RandomizedResponse(epsilon),
        KaryRandomizedResponse(epsilon, 2),
        KaryRandomizedResponse(epsilon, 10**6),
        DiscreteLaplace(min(1 / epsilon, 1e308)),
    ):
        assert mechanism.privacy_loss().max() == pytest.approx(max(epsilon, 1e-308), rel=1e-12)
        assert mechanism.guarantee(ZCDP).rho > 0
        assert mechanism.guarantee(PLD).epsilon_at(0.0) >= epsilon
        assert mechanism.guarantee(ApproxDP, epsilon=0.0).delta > 0
        assert mechanism.guarantee(RenyiDP, orders=2).epsilons[0] > 0
    assert KaryRandomizedResponse(epsilon, 10**6).guarantee(MutualInformationDP).epsilon > 0


def test_brackets_of_weak_responses_keep_their_digits() -> None:
    # at these small epsilons, all answers are almost equally likely, and computing with the tiny
    # differences of their probabilities could lose digits
    for epsilon in (1e-4, 1e-8, 1e-12):
        mechanism = KaryRandomizedResponse(epsilon, 10**6)
        orders = np.geomspace(0.1, 1000, 2001) / epsilon
        slopes = np.array(mechanism.guarantee(RenyiDP, orders=orders).epsilons) / orders
        assert slopes.max() <= mechanism.guarantee(ZCDP).rho <= slopes.max() * (1 + 1e-4)


def test_orders_beyond_the_integers_that_floats_tell_apart() -> None:
    loss = DiscreteGaussian(709.0, 64.0, one_coordinate=True).privacy_loss()
    for order in (1e18, 1e150):
        assert loss.renyi(order) == pytest.approx(order * (64 / 709) ** 2 / 2, rel=1e-12)
        assert loss.alpha(order) == loss.alpha(-order) == math.inf


def test_a_rate_beyond_the_floats_has_no_guarantee() -> None:
    for notion, at in ((RenyiDP, {"orders": 1.0}), (ZCDP, {}), (PureDP, {})):
        with pytest.raises(ValueError, match=r"must be finite"):
            DiscreteLaplace(5e-324, 3).guarantee(notion, **at)


def test_integer_noise_of_next_to_no_scale() -> None:
    mechanism = DiscreteLaplace(1e-308)
    assert mechanism.guarantee(PureDP).epsilon == 1e308
    assert mechanism.guarantee(ZCDP).rho == 1e308
    assert mechanism.guarantee(RenyiDP, orders=[1, 1.5, 2, 1e300]).epsilons == (1e308,) * 4
    assert mechanism.guarantee(ApproxDP, delta=0.5).epsilon == pytest.approx(1e308, rel=1e-14)
    assert mechanism.guarantee(ApproxDP, epsilon=1e307).delta == 1


@pytest.mark.parametrize("make", [DiscreteLaplace, DiscreteGaussian])
def test_the_largest_scale_is_one_of_those_that_are_drawn(make: Any) -> None:
    rng = np.random.default_rng(0)
    assert np.abs(make(2.0**52).release([0, 0, 0], rng=rng)).max() < 2**62
    with pytest.raises(ValueError, match=r"must be at most 2\*\*52"):
        make(math.nextafter(2.0**52, math.inf)).release([0], rng=rng)


def test_one_coordinate_moves_by_whole_numbers() -> None:
    for sensitivity in (1.0, 1.5, 1.999):
        made = DiscreteGaussian(2.0, sensitivity, one_coordinate=True)
        whole = DiscreteGaussian(2.0, 1.0, one_coordinate=True)
        assert made.guarantee(ZCDP) == whole.guarantee(ZCDP)
        at = {"epsilon": 0.3}
        assert made.guarantee(ApproxDP, **at) == whole.guarantee(ApproxDP, **at)


@pytest.mark.parametrize("scale", [0.15, 0.3, 0.7, 0.95])
def test_epsilon_of_less_noise_than_a_step_is_enough(scale: float) -> None:
    """The epsilon found for a delta is large enough for discrete Laplace noise of scale below 1.

    The test computes the true delta at this epsilon in 40 digits.
    """
    rng = np.random.default_rng(7)
    with mpmath.workdps(40):
        q = mpmath.exp(-1 / mpmath.mpf(scale))
        small = 10 ** rng.uniform(-6, -0.02, 200)
        for delta in (*small.tolist(), *(1 - small).tolist()):
            mechanism = DiscreteLaplace(scale=scale, sensitivity=12)
            odds = mpmath.exp(mechanism.guarantee(ApproxDP, delta=delta).epsilon)
            gains = [(1 + q - q ** (k + 1) - odds * q ** (12 - k)) / (1 + q) for k in range(12)]
            assert max(gains) <= delta


def test_a_divergence_below_the_range_of_floats_is_not_divided_by() -> None:
    mechanism = DiscreteLaplace(scale=1e165, sensitivity=1)
    order = math.nextafter(1.0, 2.0)
    assert 0 < mechanism.guarantee(RenyiDP, orders=order).epsilons[0] < 1e-300


@pytest.mark.parametrize(("sigma", "shift"), [(0.7, 1), (60.0, 1), (60.0, 7)])
def test_outcomes_that_are_not_listed_have_no_more_than_is_said(sigma: float, shift: int) -> None:
    loss = DiscreteGaussian(sigma, shift, one_coordinate=True).privacy_loss()
    listed = {round(x) for x in (shift**2 - 2 * sigma**2 * loss._log_ratio[:-2]) / (2 * shift)}
    assert len(listed) == loss.p.size - 2
    far = max(map(abs, listed)) + 20 * math.ceil(sigma)
    with mpmath.workdps(30):
        weights = {x: mpmath.exp(-((x / mpmath.mpf(sigma)) ** 2) / 2) for x in range(-far, far + 1)}
        rest = mpmath.fsum(w for x, w in weights.items() if x not in listed)
        assert loss.p[-2] >= rest / mpmath.fsum(weights.values())
