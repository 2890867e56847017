"""Checks of errata E4 to E55 of the sources: each computes the printed and the correct claim.

The numbers of the errata are those of `book/errata.md`; `test_errata_alpha.py` has the errata about
the figures of the alpha-DP paper. The sources are Liu and Wang (2025) on alpha-DP (E1 to E32 and
E55), a web page on relaxations with code (E33 to E37), a textbook's chapter on variants and notes
on it (E38 to E47), and slides on mutual information (E48 to E54). Where only words are wrong, the
test computes what the words would mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq

from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
    DiscreteGaussian,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    KaryRandomizedResponse,
    Laplace,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    calibrate,
    calibration,
    composition,
    conversions,
    convert,
    divergences,
)
from dpteach.notions import PLD

LOG = math.log(1e5)  # log(1/delta) for delta = 1e-5, as in most tables of Liu and Wang


def moment(p: list[float], q: list[float], order: float) -> float:
    """Return the sum of p^a q^(1-a) over all outcomes for order a, from the alpha divergence."""
    return 1 + order * (order - 1) * divergences.alpha_divergence(p, q, order)


# --- the alpha-DP paper --------------------------------------------------------------------


def test_e4_epsilon_stands_squared_in_the_classical_variance() -> None:
    """Check erratum E4: equation 8 of Liu and Wang (2025) has sigma^2 = 2 log(1.25/delta) D^2 /
    epsilon for sensitivity D, but epsilon must be squared.
    """
    epsilon, delta = 0.1, 1e-5
    printed = math.sqrt(2 * math.log(1.25 / delta) / epsilon)
    right = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    least = calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma
    assert (printed, right, least) == pytest.approx((15.32, 48.45, 30.75), abs=5e-3)
    claim = Gaussian(sigma=printed).guarantee(GaussianDP)
    assert claim.epsilon_at(delta) == pytest.approx(0.214, abs=5e-4)
    assert claim.delta_at(epsilon) == pytest.approx(1.9e-3, abs=5e-5)
    assert Gaussian(sigma=right).guarantee(GaussianDP).delta_at(epsilon) < delta


def classical_delta(epsilon: float, delta: float) -> float:
    """Return the true delta at epsilon of Gaussian noise with the sigma of the textbook formula."""
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return Gaussian(sigma=sigma).guarantee(GaussianDP).delta_at(epsilon)


def test_e5_the_classical_noise_is_for_small_epsilon() -> None:
    """Check erratum E5: Liu and Wang (2025) state the textbook formula for Gaussian noise without
    a condition on epsilon; it is proved for epsilon <= 1, and false for large epsilon.
    """
    assert all(classical_delta(e, 1e-5) < 1e-5 for e in np.linspace(0.01, 1, 50))
    assert classical_delta(20, 1e-5) == pytest.approx(1.5e-3, abs=5e-5)
    for delta, first in ((1e-2, 6.7718), (1e-5, 8.4198), (1e-10, 9.8499)):
        fails = brentq(lambda e, d=delta: classical_delta(e, d) / d - 1, 2, 15)
        assert fails == pytest.approx(first, abs=5e-5)
        assert all(classical_delta(e, delta) < delta for e in np.linspace(0.1, first - 0.01, 50))


def test_e6_a_probability_about_the_loss_is_another_notion() -> None:
    """Check erratum E6: definition 2 of Liu and Wang (2025) explains (epsilon, delta)-DP by P(loss
    > epsilon) <= delta, which is a stricter notion, probabilistic DP.
    """
    for loss, epsilon, strict, weak in (
        (Gaussian(sigma=1.0).privacy_loss(), 1.0, 0.3085, 0.1269),
        (DiscreteLoss([0.6, 0.4], [0.4, 0.6]), 0.4, 0.6, 0.0033),
    ):
        assert loss.tail(epsilon) == pytest.approx(strict, abs=5e-5)
        assert loss.hockey_stick(epsilon) == pytest.approx(weak, abs=5e-5)
        claim = ApproxDP.tightest(loss, epsilon=epsilon)
        assert claim.holds_for(loss)
        assert not ProbabilisticDP(epsilon, claim.delta).holds_for(loss)


def test_e7_the_definition_is_about_every_event() -> None:
    """Check erratum E7: definition 1 of Liu and Wang (2025) states the inequality of pure DP for
    the whole range of outputs, where it only says 1 <= e^epsilon; it must hold for every event.
    """
    # the privacy loss of a mechanism that publishes its data
    everything = DiscreteLoss([1.0, 0.0], [0.0, 1.0])
    whole = float(everything.p.sum()), float(everything.q.sum())
    assert whole[0] <= math.exp(0) * whole[1]
    assert not PureDP(700).holds_for(everything)
    assert everything.max() == math.inf


def test_e10_powers_overflow_and_a_closed_form_does_not() -> None:
    """Check erratum E10: algorithms 1 and 2 of Liu and Wang (2025) compute (1 + a (a-1) epsilon)^k
    for order a in a loop, which overflows; a closed formula does not.
    """
    assert Gaussian(sigma=1.0).guarantee(AlphaDP, order=100.0).epsilon == math.inf
    step = Gaussian(sigma=10.0).guarantee(AlphaDP, order=100.0)
    with pytest.raises(OverflowError):
        (1 + 100 * 99 * step.epsilon) ** 1000
    # the true value exceeds the largest float, so the library returns infinity
    assert step.self_compose(1000).epsilon == math.inf
    renyi = Gaussian(sigma=1.0).guarantee(RenyiDP, orders=100.0).self_compose(1000)
    assert renyi.epsilons[0] == pytest.approx(50_000)
    found = calibration.epsilon_at_best_order(1.0, delta=1e-5, k=1000)
    assert found.value == pytest.approx(500 + 2 * math.sqrt(500 * LOG), rel=1e-12)
    assert found.order == pytest.approx(1 + math.sqrt(LOG / 500), rel=1e-12)


def test_e11_a_grid_of_integers_is_rounded_up() -> None:
    """Check erratum E11: algorithm 2 of Liu and Wang (2025) tries only the integers from 1 to
    500 as sigma, so its result is the least sufficient sigma, rounded up.
    """
    found = [
        (
            calibration.sigma_on_grid(e, delta=1e-5, k=1000).value,
            calibration.sigma_at_best_order(e, delta=1e-5, k=1000).value,
            calibrate(Gaussian, ApproxDP(e, 1e-5), k=1000).sigma,
        )
        for e in (0.5, 1.0, 2.0, 5.0)
    ]
    grid, best, exact = zip(*found, strict=True)
    assert grid == (307, 155, 80, 34) == tuple(map(math.ceil, best))
    assert best == pytest.approx((306.75, 154.97, 79.03, 33.35), abs=5e-3)
    assert exact == pytest.approx((222.4, 118.0, 63.0, 28.2), abs=0.05)


@pytest.mark.parametrize(
    ("order", "product", "printed", "digits"),
    [(2, 1.224781, 1.966071, 5e-7), (10, 2.02e5, 3.84e5, 5e2)],
)
def test_e12_laplace_noise_on_coordinates_multiplies(
    order: int, product: float, printed: float, digits: float
) -> None:
    """Check erratum E12: equation 70 of Liu and Wang (2025) is only an upper bound.

    It is about Laplace noise on several coordinates, and says that their divergence equals that of
    one coordinate that moves by the sum of all shifts.
    """
    scale = order * (order - 1)

    def alpha(shift: float) -> float:
        return Laplace(scale=1.0).privacy_loss_between(0.0, shift).alpha(order)

    assert ((1 + scale * alpha(1.0)) ** 2 - 1) / scale == pytest.approx(product, abs=digits)
    assert alpha(2.0) == pytest.approx(printed, abs=digits)
    # for two coordinates that move by 1 each, `product` is the true divergence. The printed
    # formula gives a larger value, so equation 70 is an upper bound and no equality
    assert printed > product


def test_e13_the_shift_is_the_sensitivity() -> None:
    """Check erratum E13: proposition 6 of Liu and Wang (2025) uses mu, the distance of the answers
    of one pair of neighbors; it must use the L1 sensitivity of the query.
    """

    def proposition_6(shift: float, a: float = 4.0, b: float = 2.0) -> float:
        return (
            math.exp((a - 1) * shift / b) / ((a - 1) * (2 * a - 1))
            + math.exp(-a * shift / b) / (a * (2 * a - 1))
            - 1 / (a * (a - 1))
        )

    claim = Laplace(scale=2.0, sensitivity=3.0).guarantee(AlphaDP, order=4.0).epsilon
    assert claim == pytest.approx(proposition_6(3.0), rel=1e-12)
    # for neighbors whose answers are mu apart, the printed formula gives the true divergence, so
    # only the largest mu, the sensitivity, gives a bound for all neighbors
    for mu in (1.0, 3.0):
        pair = Laplace(scale=2.0).privacy_loss_between(10.0, 10.0 + mu)
        assert pair.alpha(4.0) == pytest.approx(proposition_6(mu), rel=1e-10)
    assert proposition_6(1.0) < claim / 10


def test_e14_the_proof_for_laplace_noise_ends_right() -> None:
    """Check erratum E14: equation 69 of Liu and Wang (2025), in the proof for Laplace noise, has
    wrong integrands and subtracts 1 outside the factor 1/(a (a-1)), but its last line is right.
    """
    a, mu, b = 2.0, 1.0, 1.0

    def total(*exponents: Callable[[float], float]) -> float:
        places = ([-mpmath.inf, 0], [0, mu], [mu, mpmath.inf])
        pieces = [
            mpmath.quad(lambda x, e=e: mpmath.exp(e(x) / b), at)
            for e, at in zip(exponents, places, strict=True)
        ]
        return float(sum(pieces)) / (2 * b)

    printed = total(lambda x: x - mu, lambda x: a * x - mu, lambda x: -(a * x + mu))
    right = total(
        lambda x: x + (a - 1) * mu,
        lambda x: (1 - 2 * a) * x + (a - 1) * mu,
        lambda x: -x + (1 - a) * mu,
    )
    assert right == pytest.approx(1.8573, abs=5e-5)
    assert printed / (a * (a - 1)) - 1 == pytest.approx(-0.608, abs=5e-4)
    assert right / (a * (a - 1)) - 1 == pytest.approx(-0.071, abs=5e-4)
    assert (right - 1) / (a * (a - 1)) == pytest.approx(0.4286, abs=5e-5)
    claim = Laplace(scale=b, sensitivity=mu).guarantee(AlphaDP, order=a)
    assert claim.epsilon == pytest.approx((right - 1) / (a * (a - 1)), rel=1e-12)
    # equation 73 of the paper, for Gaussian noise, has the same error: it is e^x / (a (a-1)) - 1
    # instead of (e^x - 1) / (a (a-1))
    x = a * (a - 1) / (2 * 10**2)
    assert math.exp(x) / (a * (a - 1)) - 1 == pytest.approx(-0.495, abs=5e-4)
    gauss = Gaussian(sigma=10.0).guarantee(AlphaDP, order=a).epsilon
    assert gauss == pytest.approx(math.expm1(x) / (a * (a - 1)), rel=1e-12)


@pytest.mark.parametrize(
    ("p", "r", "q", "left", "right"),
    [
        ([0.5, 0.5], [0.5, 0.5], [0.8, 0.2], 1.5625, 1.0),
        ([0.5, 0.5], [0.45, 0.55], [0.2, 0.8], 1.5625, 1.0615),
    ],
)
def test_e15_both_orders_of_neighbours_are_needed(
    p: list[float], r: list[float], q: list[float], left: float, right: float
) -> None:
    """Check erratum E15: equations 59 and 60 of Liu and Wang (2025) bound a moment of (P, Q) by
    the moment of (P, R) alone; the moment of (R, Q) is needed, too.
    """
    assert moment(p, q, 2) == pytest.approx(left)
    assert moment(p, r, 4) == pytest.approx(right, abs=5e-5)
    assert left > right
    assert left <= max(moment(p, r, 4), moment(r, q, 4))
    assert divergences.alpha_divergence(p, q, 2) > (4 * 3 / 2) * divergences.alpha_divergence(
        p, r, 4
    )  # contradicts equation 60 of Liu and Wang (2025); the lines above contradict equation 59


def test_e16_the_weak_triangle_and_group_privacy_are_true() -> None:
    """Check erratum E16: lemma 3 and proposition 3 of Liu and Wang (2025), a weak triangle
    inequality and group privacy, are right, and better than the doubling rule of Mironov (2017).
    """
    rng = np.random.default_rng(16)
    for _ in range(500):
        p, r, q = (list(x) for x in rng.dirichlet(np.ones(3), size=3))
        a = 1 + rng.exponential(3)
        lemma = math.sqrt(moment(p, r, 2 * a) * moment(r, q, 2 * a - 1))
        assert moment(p, q, a) <= lemma * (1 + 1e-9)
        both = max(moment(p, r, 2 * a), moment(r, q, 2 * a))
        assert moment(p, q, a) <= both * (1 + 1e-9)
        better = moment(p, r, 2 * a) ** 0.5 * moment(r, q, 2 * a) ** ((2 * a - 2) / (2 * a - 1) / 2)
        assert moment(p, q, a) <= better * (1 + 1e-9)

    # for a group, proposition 3 of Liu and Wang (2025) multiplies the Rényi divergence of one
    # person by this factor
    def paper(order: float, people: int) -> float:
        return (order - 1) / (order / people - 1)

    def weak_triangle(order: float, people: int) -> float:
        factor = 1.0
        while people > 1:
            order, people = order / 2, people // 2
            factor *= (order - 0.5) / (order - 1) + 1
        return factor

    small = 1e-9  # alpha divergences this small are proportional to Rényi divergences
    group = AlphaDP(8, small).group(2)
    assert conversions.alpha_to_renyi(group.order, group.epsilon) / conversions.alpha_to_renyi(
        8, small
    ) <= paper(8, 2) * (1 + 1e-6)
    assert (paper(8, 2), 3, weak_triangle(8, 2)) == pytest.approx((2.333, 3, 2.167), abs=5e-4)
    assert (paper(16, 8), 27, weak_triangle(16, 8)) == pytest.approx((15, 27, 11.22), abs=5e-3)
    # for Gaussian noise, the Rényi divergence of order a is proportional to a * size^2, so that of
    # a group at order a / size is only `size` times that of one person at order a
    for size, order in ((2, 8.0), (8, 16.0)):
        one, many = (Gaussian(sigma=9.0, sensitivity=s) for s in (1.0, float(size)))
        there = many.guarantee(RenyiDP, orders=order / size).epsilons[0]
        assert there / one.guarantee(RenyiDP, orders=order).epsilons[0] == pytest.approx(size)


def test_e17_the_group_has_size_2_to_the_k() -> None:
    """Check erratum E17: proposition 3 of Liu and Wang (2025) is printed for groups of 2^k + 1
    people; it holds for 2^k people, but not for 2^k + 1.
    """
    order, k = 4.0, 1
    one = Gaussian(sigma=10.0).guarantee(AlphaDP, order=order)
    claim = one.group(2**k)
    assert claim.order == order / 2**k

    def people(n: int) -> float:
        return Gaussian(sigma=10.0, sensitivity=n).guarantee(AlphaDP, order=claim.order).epsilon

    assert people(2**k) < claim.epsilon < people(2**k + 1)
    assert 1 + 2 * claim.epsilon == pytest.approx(math.exp(0.06))
    assert 1 + 2 * people(3) == pytest.approx(math.exp(0.09))
    # for two people the true divergence is below the claimed one, so the "=" in equation 60 of Liu
    # and Wang (2025) must be "<="
    assert 1 + 2 * people(2) == pytest.approx(math.exp(0.04))


def test_e18_the_limit_at_one_needs_a_finite_divergence() -> None:
    """Check erratum E18: lemma 1 of Liu and Wang (2025) says that the Rényi divergence D_a tends to
    the KL divergence as a decreases to 1; this holds only if D_a is finite for some a > 1.
    """
    zeta = mpmath.zeta(3)
    log_norm = mpmath.log(zeta)
    kl = mpmath.zeta(2) / zeta + 3 * mpmath.zeta(3, derivative=1) / zeta
    kl -= log_norm + mpmath.log(mpmath.e - 1)  # q_n is (e - 1) e^-n
    assert float(kl) == pytest.approx(0.148606, abs=5e-7)

    def cut(n: int) -> DiscreteLoss:
        x = np.arange(1, n + 1, dtype=float)
        p, q = x**-3, np.exp(-x)
        return DiscreteLoss(p / math.fsum(p), q / math.fsum(q))

    assert cut(700).kl() == pytest.approx(float(kl), abs=2e-3)
    for order in (1.1, 1.5, 2.0):
        growth = [cut(n).renyi(order) for n in (175, 350, 700)]
        # the divergence of the first n outcomes grows in proportion to n, so its limit is infinite
        assert growth[1] - growth[0] > 100 and growth[2] - growth[1] > 300


def test_e19_any_dominating_measure_does() -> None:
    """Check erratum E19: definition 7 of Liu and Wang (2025) requires Lebesgue densities, which
    discrete outputs do not have; densities for any dominating measure are enough.
    """
    # the Lebesgue densities of discrete outputs are 0, so the integral would be 0, and the
    # divergence of order a = 3, (0 - 1) / (a (a - 1)), would be negative
    assert (0 - 1) / (3 * 2) < 0
    truth = RandomizedResponse(1.0)
    assert truth.guarantee(AlphaDP, order=3.0).epsilon == pytest.approx(
        truth.privacy_loss().alpha(3.0), rel=1e-12
    )
    whole = DiscreteGaussian(sigma=2.0)
    assert whole.privacy_loss().alpha(3.0) <= whole.guarantee(AlphaDP, order=3.0).epsilon * 1.000001
    # the divergence does not depend on the dominating measure: it stays the same if each outcome
    # is divided into two, with 1/4 and 3/4 of its probability
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.4, 0.4, 0.2])
    pieces = np.array([0.25, 0.75])
    cut = DiscreteLoss(np.outer(p, pieces).ravel(), np.outer(q, pieces).ravel())
    assert cut.alpha(3.0) == pytest.approx(DiscreteLoss(p, q).alpha(3.0), rel=1e-13)


def test_e20_the_order_avoids_0_and_1_not_the_argument() -> None:
    """Check erratum E20: the function f that defines the alpha divergence is defined on (0, inf).

    Liu and Wang (2025) print the real numbers without 0 and 1 as its domain. In fact these are the
    orders for which its formula is valid; the divergence of order 0 or 1 is a limit.
    """
    p, q = [0.75, 0.25], [0.5, 0.5]
    for order in (-1.0, 0.5, 2.0):
        f = [(u**order - order * u + order - 1) / (order * (order - 1)) for u in (1.5, 0.5)]
        assert divergences.alpha_divergence(p, q, order) == pytest.approx(sum(f) / 2, rel=1e-12)
    # the printed domain contains negative u, for which f(u) is complex
    assert isinstance((-1.0) ** 0.5, complex)
    # equal distributions have the ratio u = 1, which the printed domain excludes; f(1) must be 0
    assert divergences.alpha_divergence(p, p, 0.5) == 0.0
    kl = divergences.kl_divergence
    assert divergences.alpha_divergence(p, q, 1) == pytest.approx(kl(p, q), rel=1e-12)
    assert divergences.alpha_divergence(p, q, 0) == pytest.approx(kl(q, p), rel=1e-12)


def test_e29_no_order_does_better_than_pure_epsilon() -> None:
    """Check erratum E29: no Rényi order gives a smaller epsilon than pure DP.

    As the order grows, the curves in figures 1 and 2 of Liu and Wang (2025) converge to the pure
    epsilon, but from above.
    """
    response = RandomizedResponse(math.log(3))

    def implied(order: float) -> float:
        renyi = response.guarantee(RenyiDP, orders=order).epsilons[0]
        return conversions.renyi_to_epsilon_mironov(order, renyi, 1e-5)

    found = [implied(a) for a in (10.0, 100.0, 1000.0)]
    assert found == pytest.approx([2.346, 1.212, 1.110], abs=5e-4)
    assert all(e > response.epsilon for e in found)
    assert response.guarantee(ApproxDP, delta=1e-5).epsilon < response.epsilon
    laplace = Laplace(scale=1.0)
    for order, value in ((10.0, 2.208), (100.0, 1.109), (1000.0, 1.011)):
        renyi = laplace.guarantee(RenyiDP, orders=order).epsilons[0]
        there = conversions.renyi_to_epsilon_mironov(order, renyi, 1e-5)
        assert there == pytest.approx(value, abs=5e-4) and there > 1
    assert pytest.approx(0.116, abs=5e-4) == LOG / 99


def test_e30_the_dashed_line_is_not_the_truth() -> None:
    """Check erratum E30: figure 3 of Liu and Wang (2025) shows sqrt(2 log(1.25/delta))/sigma as a
    dashed reference line, but the true epsilon is smaller.
    """
    for sigma, exact, dashed, best, digits in (
        (1.0, 4.377, 4.845, 5.2985, 5e-4),
        (100.0, 0.02722, 0.04845, 0.04804, 5e-6),
    ):
        claim = Gaussian(sigma=sigma).guarantee(GaussianDP)
        assert claim.epsilon_at(1e-5) == pytest.approx(exact, abs=digits)
        assert math.sqrt(2 * math.log(1.25e5)) / sigma == pytest.approx(dashed, abs=digits)
        found = calibration.epsilon_at_best_order(sigma, delta=1e-5).value
        assert found == pytest.approx(best, abs=digits)
    assert conversions.zcdp_to_epsilon(0.5, 1e-5) == pytest.approx(4.728, abs=5e-4)


def test_e31_zcdp_has_one_parameter_and_outputs_of_any_kind() -> None:
    """Check erratum E31: Liu and Wang (2025) write "(alpha, epsilon)-zCDP" and require real
    outputs; zCDP has one parameter and allows outputs of any kind.
    """
    with pytest.raises(TypeError):
        ZCDP(2.0, 0.5)  # type: ignore[misc]
    loss = RandomizedResponse(4.0).privacy_loss()
    # "(2, epsilon)-zCDP" might mean a bound at order 2 alone, but such a bound does not imply zCDP
    # with the same rho
    one_order = loss.renyi(2.0) / 2
    rho = ZCDP.tightest(loss).rho
    assert (one_order, rho) == pytest.approx((1.991, 3.856), abs=5e-4)
    assert not ZCDP(one_order).holds_for(loss) and ZCDP(rho).holds_for(loss)
    with pytest.raises(TypeError, match="reachable"):
        convert(RenyiDP(2.0, 1.0), to=ZCDP)  # a bound at one order implies no bound at the others
    assert convert(ZCDP(0.5), to=RenyiDP, orders=[2.0, 20.0]).epsilons == (1.0, 10.0)
    vector = Gaussian(sigma=3.0).release(np.zeros(4), rng=np.random.default_rng(31))
    # outputs need not be real numbers: here the output is a vector, and 1/18-zCDP holds
    assert np.shape(vector) == (4,)
    assert Gaussian(sigma=3.0).guarantee(ZCDP).rho == pytest.approx(1 / 18)


def test_e32_gaussian_noise_is_the_smaller_one_in_many_dimensions_only() -> None:
    """Check erratum E32: Liu and Wang (2025) call Gaussian noise generally less intrusive than
    Laplace noise; this is true only in many dimensions, here from 7 on.
    """
    target = ApproxDP(1.0, 1e-5)

    def spread(d: int) -> tuple[float, float]:
        laplace = calibrate(Laplace, PureDP(1.0), sensitivity=float(d)).scale * math.sqrt(2)
        return laplace, calibrate(Gaussian, target, sensitivity=math.sqrt(d)).sigma

    assert spread(1) == pytest.approx((1.41, 3.73), abs=5e-3)
    assert spread(1)[1] == pytest.approx(3.7306, abs=5e-5)
    assert [d for d in range(1, 20) if spread(d)[1] < spread(d)[0]] == list(range(7, 20))


# --- the web page on relaxations: code ------------------------------------------------------


def test_e33_the_max_divergence_looks_where_p_lives() -> None:
    """Check erratum E33: a web page on relaxations of DP defines the max divergence as a supremum
    over the support of Q; it must be a supremum over the support of P.
    """
    p, q = [0.5, 0.5], [1.0, 0.0]
    printed = max(math.log(x / y) for x, y in zip(p, q, strict=True) if y > 0)
    assert printed == pytest.approx(-0.693, abs=5e-4)
    assert divergences.max_divergence(p, q) == math.inf


def as_described(p: list[float], q: list[float], order: float | str) -> float:
    """Return a Rényi divergence as the code of the web page on relaxations of DP computes it.

    At order 1 the code leaves out terms with p = 0, and at order "infinity" terms with q = 0.
    """
    pairs = list(zip(p, q, strict=False))
    if order == 1:
        return sum(x * math.log(x / y) for x, y in pairs if x > 0)
    if order == "infinity":
        return math.log(max(x / y for x, y in pairs if y > 0))
    order = float(order)
    moment = sum(math.pow(x, order) * math.pow(y, 1 - order) for x, y in pairs)
    return math.log(moment) / (order - 1)


CERTAIN, HALVES, OTHER = [1.0, 0.0], [0.5, 0.5], [0.25, 0.75]


@pytest.mark.parametrize(
    ("p", "q", "order", "printed", "right"),
    [
        (HALVES, OTHER, 1, 0.143841, 0.143841),
        (HALVES, OTHER, 1 + 1e-12, 0.143872, 0.143841),
        (HALVES, OTHER, 1 + 1e-15, 0.0, 0.143841),
        (HALVES, OTHER, math.inf, math.nan, math.log(2)),
        (HALVES, CERTAIN, "infinity", -0.693147, math.inf),
        (HALVES, CERTAIN, 1, ZeroDivisionError, math.inf),
        (HALVES, CERTAIN, 2.0, ValueError, math.inf),
        (CERTAIN, CERTAIN, 2.0, ValueError, 0.0),
        (CERTAIN, CERTAIN[::-1], 0.5, ValueError, math.inf),
        (HALVES, HALVES, 2000.0, OverflowError, 0.0),
        (HALVES, OTHER, 2000.0, OverflowError, 0.692800),
        (HALVES, [0.5, 0.25, 0.25], 2.0, 0.405465, ValueError),
    ],
)
def test_e34_the_formula_as_one_types_it(
    p: list[float], q: list[float], order: float | str, printed: object, right: object
) -> None:
    """Check erratum E34: the code of a web page on relaxations of DP fails near order 1, takes the
    order infinity only as a string, overflows in powers, and ignores the end of the longer of two
    lists of probabilities.
    """

    def outcome(function: Callable[..., float], at: float | str) -> object:
        try:
            return function(p, q, at)
        except (ArithmeticError, ValueError) as error:
            return type(error)

    library = outcome(divergences.renyi_divergence, math.inf if order == "infinity" else order)
    for found, expected in ((outcome(as_described, order), printed), (library, right)):
        if isinstance(expected, float):
            expected = pytest.approx(expected, abs=5e-7, nan_ok=True)
        assert found == expected


# --- the web page on relaxations: definitions -----------------------------------------------


def test_e35_pure_privacy_with_probability_1_minus_delta() -> None:
    """Check erratum E35: a web page explains (epsilon, delta)-DP as pure DP with probability 1 -
    delta. This property implies (epsilon, delta)-DP, but not conversely.
    """
    loss = Gaussian(sigma=1.0).privacy_loss()
    assert ApproxDP(1.0, ProbabilisticDP.tightest(loss, epsilon=1.0).delta).holds_for(loss)
    assert not ProbabilisticDP(1.0, 0.1269 + 5e-5).holds_for(loss)
    assert ApproxDP(1.0, 0.1269 + 5e-5).holds_for(loss)


def test_e36_the_mean_may_be_taken_under_p_or_q() -> None:
    """Check entry E36 of the errata: two remarks on a web page about Rényi divergences are right.

    D_1 is a mean under P. For other orders a, D_a uses the mean of (p/q)^a under Q, which is also
    the mean of (p/q)^(a-1) under P.
    """
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.4, 0.4, 0.2])
    for order in (1.5, 3.0, 20.0):
        under_q = math.log(float(q @ (p / q) ** order)) / (order - 1)
        under_p = math.log(float(p @ (p / q) ** (order - 1))) / (order - 1)
        assert under_q == pytest.approx(under_p, rel=1e-12)
        assert divergences.renyi_divergence(p, q, order) == pytest.approx(under_p, rel=1e-12)
    kl = float(p @ np.log(p / q))
    assert divergences.renyi_divergence(p, q, 1) == pytest.approx(kl, rel=1e-12)


def test_e37_for_all_neighbors_and_all_events() -> None:
    """Check erratum E37: the definition on a web page omits "for all neighbors and all events"; a
    mechanism that is not private may satisfy it for one pair or one event.
    """
    p, q = [1.0, 0.0], [0.5, 0.5]
    assert divergences.hockey_stick(p, q, math.log(2)) == 0.0
    assert divergences.hockey_stick(q, p, math.log(2)) == 0.5
    assert not ApproxDP(math.log(2), 0.1).holds_for(DiscreteLoss(p, q))
    # the first outcome satisfies q <= e^epsilon p for epsilon = log 2, the second violates it
    assert q[0] <= 2 * p[0] and q[1] - 2 * p[1] == 0.5


# --- the chapter on variants, and notes on it -----------------------------------------------


def test_e38_noise_is_centered_and_independent() -> None:
    """Check erratum E38: a textbook prints the noise of a vector as N(sigma^2); it must be N(0,
    sigma^2 I), because equal noise in all entries would reveal their differences.
    """
    noise = Gaussian(sigma=3.0).release(np.zeros(20_000), rng=np.random.default_rng(38))
    # the limits are 6.5 standard errors, so a false alarm has probability 1e-10
    assert abs(noise.mean()) < 6.5 * 3 / math.sqrt(20_000)
    apart = np.diff(noise.reshape(-1, 2)).ravel()
    # taken literally, the printed N(sigma^2) is one random number, which is added to all entries
    answers = np.array([7.0, 4.0])
    shared = answers + Gaussian(sigma=3.0).release(0.0, rng=np.random.default_rng(38))
    assert np.diff(shared) == pytest.approx(np.diff(answers), abs=1e-12)
    assert apart.std() == pytest.approx(3 * math.sqrt(2), rel=6.5 / math.sqrt(2 * 10_000))


def test_e39_delta_of_1_over_n_publishes_a_record() -> None:
    """Check entry E39 of the errata: a textbook's example, delta <= 1/n^2 for n records, is right.

    The larger delta = 1/n would allow a mechanism that publishes a random record.
    """
    n = 100
    published = DiscreteLoss([1 / n] * n + [0.0], [1 / n] * (n - 1) + [0.0, 1 / n])
    assert ApproxDP(0.0, 1 / n).holds_for(published)
    assert not ApproxDP(50.0, 0.99 / n).holds_for(published)
    squared = ApproxDP(50.0, 1 / n**2)
    assert not squared.holds_for(published)
    assert DeltaCatastrophe(1 / n).guarantee(ApproxDP, epsilon=0.0).delta == pytest.approx(1 / n)


def test_e40_which_line_touches_where() -> None:
    """Check erratum E40: a textbook says wrongly which order's line touches the curve of zCDP.

    In its plot of epsilon against the number k of releases, the line of Rényi order 20 is said to
    touch the curve at k = 300. The code uses order 60, whose line touches the curve at k = 265.
    """

    def touch(order: float, sigma: float) -> float:
        return 2 * LOG * (sigma / (order - 1)) ** 2

    assert touch(60, 200) == pytest.approx(264.59, abs=5e-3)
    assert touch(20, 200) == pytest.approx(2551.3, abs=0.05)
    assert calibration.epsilon_at_best_order(200.0, delta=1e-5, k=300).order == pytest.approx(
        56.4, abs=0.05
    )
    assert touch(20, 68.6) == pytest.approx(300, abs=0.5)
    rho = touch(60, 200) / (2 * 200**2)
    assert conversions.renyi_to_epsilon_mironov(60, 60 * rho, 1e-5) == pytest.approx(
        conversions.zcdp_to_epsilon_bun_steinke(rho, 1e-5), rel=1e-12
    )


def test_e41_the_curves_touch_and_do_not_cross() -> None:
    """Check erratum E41: the line of a Rényi order touches the curve of zCDP and is never below it.

    Lecture notes, which plot epsilon against the number of releases, say that they intersect.
    """

    def above(k: float) -> float:
        rho = k / (2 * 200**2)
        line = conversions.renyi_to_epsilon_mironov(60, 60 * rho, 1e-5)
        return line - conversions.zcdp_to_epsilon_bun_steinke(rho, 1e-5)

    assert all(above(k) > 0 for k in range(1, 501))
    assert above(2 * LOG * (200 / 59) ** 2) == pytest.approx(0, abs=1e-12)


def test_e42_the_delta_of_the_steps_counts() -> None:
    """Check erratum E42: figure 3 of a textbook's chapter spends delta in each of k steps and
    again in the slack of advanced composition, in total (k + 1) delta.
    """
    delta, k = 1e-5, 300
    coded = ApproxDP(math.sqrt(2 * math.log(1.25 / delta)) / 200, delta)
    whole = composition.advanced_composition_simplified(coded, k, slack=delta)
    assert whole.epsilon == pytest.approx(4.027, abs=5e-4)
    total = composition.advanced_composition_simplified(coded, 500, slack=delta).delta
    assert total == pytest.approx(5.0e-3, abs=5e-5)
    split = delta / (2 * k)
    step = ApproxDP(math.sqrt(2 * math.log(1.25 / split)) / 200, split)
    right = composition.advanced_composition_simplified(step, k, slack=delta / 2)
    assert right.epsilon == pytest.approx(5.154, abs=5e-4)
    assert right.delta == pytest.approx(delta, rel=1e-9)
    sharper = composition.advanced_composition(step, k, slack=delta / 2).epsilon
    assert sharper == pytest.approx(2.853, abs=5e-4)
    kov = composition.advanced_composition_tight(step, k, slack=delta / 2).epsilon
    assert kov == pytest.approx(2.643, abs=5e-4)
    rho = k / (2 * 200**2)
    assert conversions.zcdp_to_epsilon_bun_steinke(rho, delta) == pytest.approx(0.4193, abs=5e-5)
    assert conversions.zcdp_to_epsilon(rho, delta) == pytest.approx(0.3213, abs=5e-5)
    exact = Gaussian(sigma=200.0).guarantee(GaussianDP).self_compose(k).epsilon_at(delta)
    assert exact == pytest.approx(0.2913, abs=5e-5)


def test_e43_the_simplified_theorem_needs_a_small_epsilon() -> None:
    """Check erratum E43: a textbook states the bound 2 epsilon sqrt(2 k log(1/delta')) of advanced
    composition for any epsilon; it is false for large epsilon.
    """
    printed = 2 * 2.0 * math.sqrt(2 * 100 * LOG)
    assert printed == pytest.approx(191.94, abs=5e-3)
    truth = sum(
        math.comb(100, j)
        * math.exp(2 * j)
        / (1 + math.exp(2)) ** 100
        * -math.expm1(printed - 2 * (2 * j - 100))
        for j in range(101)
        if 2 * (2 * j - 100) > printed
    )
    assert truth == pytest.approx(6.0e-5, abs=5e-7)
    steps = PLD.tightest(RandomizedResponse(2.0).privacy_loss()).self_compose(100)
    assert steps.delta_at(printed) == pytest.approx(truth, rel=1e-9)
    assert truth > 1e-5
    with pytest.raises(ValueError, match="simplified form"):
        composition.advanced_composition_simplified(ApproxDP(2.0, 0.0), 100, slack=1e-5)


def textbook_variances(k: int) -> tuple[float, float]:
    """Return two variances of Gaussian noise for (0.1, 1e-5)-DP, by the textbook's formulas.

    The first is for k separate answers, and the second is for one vector of k answers.
    """
    step = composition.advanced_composition_step(ApproxDP(0.1, 1e-5), k)
    one_by_one = 2 * math.log(1.25 / step.delta) / step.epsilon**2
    return one_by_one, 2 * k * math.log(1.25e5) / 0.1**2


def test_e44_the_axis_shows_a_variance() -> None:
    """Check erratum E44: a textbook labels an axis "scale of noise" that shows a variance."""
    one_by_one, at_once = textbook_variances(100)
    assert (one_by_one, at_once) == pytest.approx((3.33e7, 2.35e5), rel=2e-3)
    assert math.sqrt(one_by_one) == pytest.approx(5768, abs=0.5)
    assert math.sqrt(at_once) == pytest.approx(484, abs=0.5)
    exact = calibrate(Gaussian, ApproxDP(0.1, 1e-5), sensitivity=10.0).sigma
    assert exact == pytest.approx(307.5, abs=0.05)


def test_e45_the_two_differ_by_a_logarithm() -> None:
    """Check erratum E45: a textbook says that the noise variances for k separate answers and for
    one vector of k answers grow at the same rate; their ratio grows like a logarithm of k.
    """
    ratios = [a / b for a, b in (textbook_variances(k) for k in (1, 100, 1000))]
    assert ratios == pytest.approx([103.4, 141.7, 160.9], abs=0.05)
    million = textbook_variances(10**6)
    assert million[0] / million[1] > 200


def test_e46_orders_up_to_100_are_not_always_enough() -> None:
    """Check erratum E46: a textbook says that Rényi orders 2 to 100 suffice, but the best order may
    be larger.
    """
    found = calibration.epsilon_at_best_order(200.0, delta=1e-5)
    assert found.order == pytest.approx(960.7, abs=0.05)
    assert found.value == pytest.approx(0.0240, abs=5e-5)
    at_100 = conversions.renyi_to_epsilon_mironov(100, 100 / (2 * 200**2), 1e-5)
    assert at_100 == pytest.approx(0.1175, abs=5e-5)
    beyond = [
        k
        for k in range(1, 200)
        if calibration.epsilon_at_best_order(200.0, delta=1e-5, k=k).order > 100
    ]
    assert beyond == list(range(1, 94))


def test_e47_pure_privacy_is_both_orders_of_every_pair() -> None:
    """Check erratum E47: a textbook calls a mechanism epsilon-DP if D_inf <= epsilon; correct is
    "if and only if", and the inequality must hold in both directions for every pair of neighbors.
    """
    loss = DiscreteLoss([0.5, 0.5], [0.9, 0.1])
    there, back = loss.max(), loss.reversed().max()
    assert (there, back) == pytest.approx((math.log(5), math.log(1.8)))
    assert PureDP(there).holds_for(loss) and not PureDP(back).holds_for(loss)
    assert PureDP.tightest(loss.reversed()).epsilon == there


# --- the slides on mutual information -------------------------------------------------------


def test_e48_the_conversion_of_epsilon_delta_needs_both_orders() -> None:
    """Check erratum E48: slides convert (epsilon, delta)-DP to a smaller epsilon and a larger delta
    by a rule that is tight if both directions of a pair satisfy the guarantee, but false if only
    one direction does.
    """
    epsilon, delta = 0.9, 0.05
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    pair = DiscreteLoss([delta, truth, 1 - delta - truth, 0], [0, 1 - delta - truth, truth, delta])
    for smaller in (0.0, 0.4, 0.9):
        implied = conversions.approx_to_approx_delta(epsilon, delta, smaller)
        assert implied == pytest.approx(pair.hockey_stick(smaller), rel=1e-12)

    def excess(epsilon: float) -> float:
        one_sided = DiscreteLoss([1.0, 0.0], [math.exp(-epsilon), -math.expm1(-epsilon)])
        assert one_sided.hockey_stick(epsilon) <= 1e-15
        return one_sided.total_variation() - conversions.approx_to_approx_delta(epsilon, 0.0, 0.0)

    worst = max(excess(e) for e in np.linspace(0.01, 5, 500))
    assert worst > 0.152
    # `excess` is largest at e^epsilon = 1 + sqrt(2)
    assert worst == pytest.approx(3 - 2 * math.sqrt(2), abs=1e-5)


def test_e49_the_tight_kl_of_pure_privacy() -> None:
    """Check erratum E49: the bound on the KL divergence under pure DP that slides print in terms
    of exponentials is right, and equals epsilon tanh(epsilon/2).
    """
    for epsilon in (0.01, 0.5, 1.0, 5.0, 30.0):
        up, down = math.expm1(epsilon), -math.expm1(-epsilon)
        tight = epsilon * math.tanh(epsilon / 2)
        assert epsilon * up * down / (up + down) == pytest.approx(tight, rel=1e-13)
        assert conversions.pure_to_kl(epsilon) == pytest.approx(tight, rel=1e-13)
        assert RandomizedResponse(epsilon).privacy_loss().kl() == pytest.approx(tight, rel=1e-12)
        assert convert(PureDP(epsilon), to=ZCDP).rho == pytest.approx(tight, rel=1e-13)
    rng = np.random.default_rng(49)
    for _ in range(500):
        loss = DiscreteLoss(*rng.dirichlet(np.ones(3), size=2))
        claim = PureDP.tightest(loss)
        assert loss.kl() <= conversions.pure_to_kl(claim.epsilon)


def test_e50_total_variation_from_mutual_information() -> None:
    """Check entry E50 of the errata: a bound on the total variation, on slides, is right.

    If the mutual information is at most epsilon, the bound is 1 - 2 h^-1(log 2 - epsilon), where h
    is the binary entropy. It never exceeds Pinsker's bound, sqrt(2 epsilon).
    """
    tight = conversions.mutual_information_to_total_variation(0.1)
    assert (tight, math.sqrt(0.2)) == pytest.approx((0.439589, 0.447214), abs=5e-7)
    for flip in (0.01, 0.2, 0.4):  # binary symmetric channels attain the bound
        capacity = divergences.binary_symmetric_capacity(flip)
        reached = conversions.mutual_information_to_total_variation(capacity)
        assert reached == pytest.approx(1 - 2 * flip, rel=1e-9)
    assert conversions.mutual_information_to_total_variation(math.log(2)) == 1
    assert conversions.mutual_information_to_total_variation(5.0) == 1
    for epsilon in np.linspace(0.001, math.log(2), 100):
        implied = conversions.mutual_information_to_total_variation(epsilon)
        assert implied <= math.sqrt(2 * epsilon) + 1e-12


def information(prior: np.ndarray, channel: np.ndarray) -> float:
    """Return the mutual information of a channel with a given prior, from the definition."""
    joint = prior[:, None] * channel
    product = prior[:, None] * (prior @ channel)[None, :]
    return divergences.kl_divergence(joint.ravel(), product.ravel())


def test_e51_information_is_far_below_the_divergence() -> None:
    """Check erratum E51: slides conclude from KL <= epsilon that the mutual information is at most
    epsilon; this is true, but far from tight.
    """
    response = RandomizedResponse(math.log(0.7 / 0.3))
    loss = response.privacy_loss()
    assert loss.kl() == pytest.approx(0.3389, abs=5e-5)
    uniform = information(np.array([0.5, 0.5]), np.array([loss.p, loss.q]))
    assert uniform == pytest.approx(0.0823, abs=5e-5)
    assert divergences.binary_symmetric_capacity(0.3) == pytest.approx(uniform, rel=1e-12)
    # under pure DP with epsilon = 1, compare the largest information about a secret with two
    # values (0.1109), about any secret (0.1233), and the KL divergence, a bound on both (0.4621)
    assert divergences.binary_symmetric_capacity(1 / (1 + math.e)) == pytest.approx(
        0.1109, abs=5e-5
    )
    share = np.linspace(0.001, 0.999, 9981)
    total = share * math.e + 1 - share
    subsets = share * math.e / total - np.log(total)
    assert subsets.max() == pytest.approx(0.1233, abs=5e-5)
    three = KaryRandomizedResponse(1.0, 3)
    channel = np.array(
        [np.roll([three.truth_probability] + [three.lie_probability] * 2, i) for i in range(3)]
    )
    assert information(np.full(3, 1 / 3), channel) == pytest.approx(0.12328, abs=5e-6)
    assert conversions.pure_to_kl(1.0) == pytest.approx(0.4621, abs=5e-5)


@pytest.mark.slow
def test_e52_the_bound_by_alphabets_is_true_and_loose() -> None:
    rng = np.random.default_rng(52)
    for _ in range(300):
        m, n = rng.integers(2, 6, size=2)
        channel = rng.dirichlet(np.ones(n), size=m)
        delta = max(divergences.total_variation(r, s) for r in channel for s in channel)
        bound = conversions.total_variation_to_mutual_information(
            delta, output_size=int(n), input_size=int(m)
        )
        assert information(rng.dirichlet(np.ones(m)), channel) <= bound
    # an erasure channel reveals its input with probability delta, and otherwise nothing
    delta = 0.05
    for m in (2, 10, 1000):
        channel = np.hstack([delta * np.eye(m), np.full((m, 1), 1 - delta)])
        assert divergences.total_variation(channel[0], channel[1]) == pytest.approx(delta)
        told = information(np.full(m, 1 / m), channel)
        assert told == pytest.approx(delta * math.log(m), rel=1e-12)
        assert told < conversions.total_variation_to_mutual_information(
            delta, output_size=m + 1, input_size=m
        )
    assert (
        conversions.total_variation_to_mutual_information(
            delta, output_size=math.inf, input_size=math.inf
        )
        == math.inf
    )  # with m inputs, `told` above is delta log m, so no finite bound holds for every m


def test_e53_information_adds_up_for_conditionally_independent_answers() -> None:
    """Check entry E53 of the errata: a condition on a slide that looks superfluous is needed.

    The information of two answers adds up only if they are conditionally independent given the
    record. Otherwise both together may reveal a record although each alone reveals nothing.
    """
    rng = np.random.default_rng(53)
    for _ in range(100):
        prior, (one, two) = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4), size=(2, 3))
        both = np.einsum("xi,xj->xij", one, two).reshape(3, 16)
        assert information(prior, both) <= information(prior, one) + information(prior, two)
    # the record is a fair bit x; the answers are y1 = n and y2 = x xor n for another fair bit n.
    # `law` is the joint distribution of x, y1 and y2
    law = np.zeros((2, 2, 2))
    for x in range(2):
        for n in range(2):
            law[x, n, x ^ n] = 0.25
    half = np.array([0.5, 0.5])
    assert information(half, 2 * law.sum(axis=2)) == 0
    assert information(half, 2 * law.sum(axis=1)) == 0
    assert information(half, 2 * law.reshape(2, 4)) == pytest.approx(math.log(2), rel=1e-15)


def test_e54_a_supremum_need_not_be_a_maximum() -> None:
    """Check erratum E54: slides define pure DP with "max" and "<"; a supremum need not be
    attained, and the definition must allow equality.
    """

    # as n grows, the largest privacy loss of this pair increases toward log 1.5 without reaching it
    def cut(n: int) -> DiscreteLoss:
        x = np.arange(1, n + 1, dtype=float)
        q = 0.5**x
        return DiscreteLoss(*(v / math.fsum(v) for v in (q * (1 - 0.5**x), q)))

    losses = [cut(n).max() for n in (4, 8, 16, 32)]
    limit = math.log(1 / (1 - 1 / 3))  # the sum of 4^-x is 1/3
    assert all(a < b < limit for a, b in pairwise(losses))
    assert losses[-1] == pytest.approx(limit, rel=1e-8)
    loss = RandomizedResponse(1.0).privacy_loss()
    # randomized response attains p = e^epsilon q, so a definition with "<" would exclude it
    assert loss.p[0] == pytest.approx(math.e * loss.q[0], rel=1e-15)
    assert loss.hockey_stick(1.0) <= 1e-15


def test_e55_a_larger_order_is_stricter_at_a_fixed_epsilon_only() -> None:
    """Check erratum E55: Liu and Wang (2025) say after proposition 4 that a larger order is a
    stricter guarantee; this holds only at a fixed epsilon.
    """
    orders = np.geomspace(1.5, 1000, 200)
    for epsilon in (1e-4, 0.1, 10.0):
        fixed = [conversions.alpha_to_epsilon(a, epsilon, 1e-5) for a in orders]
        assert all(a > b for a, b in pairwise(fixed))

    def gaussian(order: float) -> float:
        # use Rényi divergences, because alpha divergences exceed the largest float here
        claim = Gaussian(sigma=1.0).guarantee(RenyiDP, orders=order)
        return conversions.renyi_to_epsilon_mironov(order, claim.epsilons[0], 1e-5)

    assert calibration.epsilon_at_best_order(1.0, delta=1e-5).order == pytest.approx(5.8, abs=0.05)
    assert (gaussian(5.8), gaussian(100.0)) == pytest.approx((5.2985, 50.116), abs=5e-4)
