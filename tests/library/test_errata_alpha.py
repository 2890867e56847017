"""Errata of Liu and Wang (2025) on alpha-DP: tests compute the printed and the correct claim.

The numbers E1, E2, ... are those of `book/errata.md`. "Printed" numbers are from the text and the
captions; no code and no curve of the paper was used. The setting is that of the paper's figures: k
answers of a Gaussian mechanism of sensitivity 1.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from dpteach import AlphaDP, ApproxDP, DiscreteLoss, Gaussian, GaussianDP, conversions, convert

ORDERS = np.arange(2, 1001)


class Row(NamedTuple):
    """A curve in a figure of Liu and Wang (2025), and the best orders that the paper prints for it.

    The paper does not print sigma, delta and the number k of answers for every curve. The missing
    values are those for which `renyi_order`, the printed order for Rényi DP, is the best one.
    """

    sigma: float
    delta: float
    k: int
    alpha_order: int
    renyi_order: int


FIGURE_6 = [
    Row(100, 1e-5, 50, 136, 69),
    Row(100, 1e-10, 50, 152, 97),
    Row(100, 1e-15, 50, 164, 119),
]
FIGURE_7 = [Row(10, 1e-15, 300, 13, 6), Row(50, 1e-15, 300, 64, 25), Row(100, 1e-15, 300, 127, 49)]
FIGURE_8 = [Row(10, 1e-25, 300, 14, 7), Row(50, 1e-25, 300, 67, 32), Row(100, 1e-25, 300, 133, 63)]
ROWS = FIGURE_6 + FIGURE_7 + FIGURE_8

#: the alpha-DP epsilons that Liu and Wang (2025) print for a single answer: sigma, order, epsilon
#: in units of its last printed digit, and this unit
SINGLE = [
    (100, 136, 500, 1e-7),
    (100, 152, 505, 1e-7),
    (100, 164, 524, 1e-7),
    (100, 119, 529, 1e-7),
    (100, 123, 519, 1e-7),
    (100, 127, 512, 1e-7),
    (10, 14, 502, 1e-5),
    (50, 67, 201, 1e-6),
    (100, 133, 504, 1e-7),
]


def log_moment(sigma: float) -> NDArray[np.float64]:
    """Return the log moment of one answer, log(1 + a (a-1) D_a), for all orders a.

    D_a is the alpha divergence of the answer.
    """
    return ORDERS * (ORDERS - 1) / (2 * sigma**2)


def with_constant(sigma: float, c: float) -> NDArray[np.float64]:
    """Return log(1 + c e^x) for all orders, where x is the log moment of one answer.

    This replaces x, the right log moment, which equals log(1 + (e^x - 1)). Liu and Wang (2025)
    probably computed log(1 + e^(x - 1)), the case c = 1/e.
    """
    return np.logaddexp(0.0, log_moment(sigma) + math.log(c))


def best(moments: NDArray[np.float64], k: int, delta: float) -> int:
    return int(ORDERS[np.argmin((k * moments - math.log(delta)) / (ORDERS - 1))])


def wrong_single(order: int, sigma: float) -> float:
    return math.exp(order * (order - 1) / (2 * sigma**2) - 1) / (order * (order - 1))


def renyi(order: float, sigma: float, delta: float, k: int) -> float:
    """Return the epsilon at delta of k Gaussian answers, from a bound at one Rényi order."""
    return conversions.renyi_to_epsilon_mironov(order, k * order / (2 * sigma**2), delta)


def alpha(order: float, sigma: float, delta: float, k: int) -> float:
    """Return the epsilon at delta of k Gaussian answers, from a bound of alpha-DP at one order.

    The computation uses propositions 7 and 2 and equation 63 of Liu and Wang (2025).
    """
    composed = Gaussian(sigma=sigma).guarantee(AlphaDP, order=order).self_compose(k)
    return convert(composed, to=ApproxDP, delta=delta, by="Liu-Wang").epsilon


def zcdp(sigma: float, delta: float, k: int) -> float:
    return conversions.zcdp_to_epsilon_bun_steinke(k / (2 * sigma**2), delta)


def truth(sigma: float, k: int) -> GaussianDP:
    return Gaussian(sigma=sigma).guarantee(GaussianDP).self_compose(k)


def wrong(order: int, sigma: float, delta: float, k: int) -> float:
    """Return the epsilon at delta of k answers, computed with a wrong log moment of an answer.

    The right log moment is x = a (a - 1) / (2 sigma^2) for order a. Liu and Wang (2025) probably
    used log(1 + e^(x - 1)) instead.
    """
    moment = math.log1p(math.exp(order * (order - 1) / (2 * sigma**2) - 1))
    return (k * moment - math.log(delta)) / (order - 1)


def test_e1_alpha_dp_is_renyi_dp_of_the_same_order() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(4), size=2)
        order = 1 + rng.exponential(4)
        loss = DiscreteLoss(p, q)
        assert conversions.alpha_to_renyi(order, loss.alpha(order)) == pytest.approx(
            loss.renyi(order), rel=1e-11
        )
    for order in (2.0, 69.0, 136.0):
        assert alpha(order, 100, 1e-5, 50) == pytest.approx(renyi(order, 100, 1e-5, 50), rel=1e-12)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_e1_no_printed_order_is_the_best_one(row: Row) -> None:
    """Check erratum E1: Liu and Wang (2025) print best orders for alpha-DP that differ from those
    for Rényi DP; in truth both notions have the same best order.
    """
    assert best(log_moment(row.sigma), row.k, row.delta) == row.renyi_order != row.alpha_order


def test_e2_the_misplaced_bracket_gives_all_nine_orders() -> None:
    for figure, answers in ((FIGURE_6, {51}), (FIGURE_7, {300, 301}), (FIGURE_8, {300, 301})):
        for k in answers:
            found = [best(with_constant(r.sigma, math.exp(-1)), k, r.delta) for r in figure]
            assert found == [r.alpha_order for r in figure]
    (*_, third) = FIGURE_6
    assert best(with_constant(100, math.exp(-1)), 50, third.delta) == 165
    gap = wrong(164, 100, 1e-15, 50) - wrong(165, 100, 1e-15, 50)
    assert gap == pytest.approx(3e-6, rel=0.05)


def test_e2_the_misplaced_bracket_gives_eight_of_nine_single_answer_values() -> None:
    fits = [round(wrong_single(order, sigma) / unit) == n for sigma, order, n, unit in SINGLE]
    assert fits == [False] + [True] * 8
    right = [
        Gaussian(sigma=sigma).guarantee(AlphaDP, order=order).epsilon for sigma, order, *_ in SINGLE
    ]
    assert not any(round(e / u) == n for e, (*_, n, u) in zip(right, SINGLE, strict=True))


@pytest.mark.parametrize(("later", "low", "high"), [(300, 0.3609, 0.3818), (301, 0.3635, 0.3876)])
def test_e2_the_constant_is_near_1_over_e(later: int, low: float, high: float) -> None:
    """Check erratum E2: wrong log moments log(1 + c e^x) explain all nine printed best orders.

    x is the right log moment, and c must be in a small interval around 1/e = 0.3679.
    """

    def fits(c: float) -> bool:
        return all(
            best(with_constant(r.sigma, c), 51 if r in FIGURE_6 else later, r.delta)
            == r.alpha_order
            for r in ROWS
        )

    found = [c for c in np.round(np.arange(0.34, 0.41, 0.0001), 4) if fits(c)]
    assert (found[0], found[-1]) == (low, high)
    assert low < math.exp(-1) < high
    assert found == list(np.round(np.arange(low, high + 5e-5, 0.0001), 4))


def test_e3_a_gain_of_20_percent_is_impossible() -> None:
    renyi_dp = renyi(119, 100, 1e-15, 50)
    assert renyi_dp == pytest.approx(0.59020, abs=5e-6)
    assert zcdp(100, 1e-15, 50) == pytest.approx(0.590197, abs=5e-7)
    # at order 119, alpha-DP and Rényi DP give the same epsilon
    assert alpha(119, 100, 1e-15, 50) == pytest.approx(renyi_dp, rel=1e-12)
    assert alpha(164, 100, 1e-15, 50) == pytest.approx(0.62189, abs=5e-6)
    assert alpha(164, 100, 1e-15, 50) / renyi_dp - 1 == pytest.approx(0.054, abs=5e-4)
    exact = truth(100, 50)
    assert exact.epsilon_at(1e-15) == pytest.approx(0.521373, abs=5e-7)
    assert exact.delta_at(0.8 * renyi_dp) == pytest.approx(1.6e-13, rel=0.05)


def test_e3_what_the_bracket_claims_is_false() -> None:
    claimed = wrong(165, 100, 1e-15, 50)
    assert claimed == pytest.approx(0.480463, abs=5e-7)
    assert 1 - claimed / renyi(119, 100, 1e-15, 50) == pytest.approx(0.186, abs=5e-4)
    assert truth(100, 50).epsilon_at(1e-15) > claimed
    assert truth(100, 50).delta_at(claimed) / 1e-15 == pytest.approx(69, abs=0.5)


def test_e8_proposition_4_is_true_as_printed_but_loose() -> None:
    def printed(order: int, epsilon: float, delta: float) -> float:
        numerator = np.logaddexp(0.0, epsilon + math.log(order * (order - 1))) - math.log(delta)
        return float(numerator) / (order - 1)

    def composed(order: int) -> float:
        return Gaussian(sigma=100.0).guarantee(AlphaDP, order=order).self_compose(50).epsilon

    assert printed(69, composed(69), 1e-5) == pytest.approx(0.683, abs=5e-4)
    assert conversions.alpha_to_epsilon(69, composed(69), 1e-5) == pytest.approx(0.342, abs=5e-4)
    assert printed(2, 5e-5, 1e-5) == pytest.approx(12.61, abs=5e-3)
    assert conversions.alpha_to_epsilon(2, 5e-5, 1e-5) == pytest.approx(11.51, abs=5e-3)
    orders = range(2, 301)
    assert min(printed(a, composed(a), 1e-15) for a in orders) == pytest.approx(0.755, abs=5e-4)
    assert min(alpha(a, 100, 1e-15, 50) for a in orders) == pytest.approx(0.590, abs=5e-4)
    rng = np.random.default_rng(8)
    for _ in range(200):
        a, epsilon = int(rng.integers(2, 100)), rng.exponential(3)
        assert printed(a, epsilon, 1e-5) > conversions.alpha_to_epsilon(a, epsilon, 1e-5)


def test_e9_algorithm_1_taken_literally() -> None:
    """Check erratum E9: Liu and Wang (2025) print log(x)/(delta (a-1)) in algorithm 1, where
    (log(x) + log(1/delta))/(a-1) is right; log(x) is the log moment of all answers.
    """
    literal = 50 * log_moment(100) / (1e-5 * (ORDERS - 1))
    assert ORDERS[np.argmin(literal)] == 2
    assert literal.min() == pytest.approx(500)
    meant = (50 * log_moment(100) - math.log(1e-5)) / (ORDERS - 1)
    assert ORDERS[np.argmin(meant)] == 69
    assert meant.min() == pytest.approx(0.34181, abs=5e-6)


def test_e21_a_larger_epsilon_is_a_weaker_guarantee() -> None:
    """Check erratum E21: Liu and Wang (2025) say that a larger epsilon of alpha-DP is not
    necessarily a weaker guarantee; at a fixed order it always is, because it implies a larger
    epsilon at each delta.
    """
    step = 1e-6
    slope = (
        conversions.alpha_to_epsilon(10, 0.1 + step, 1e-5)
        - conversions.alpha_to_epsilon(10, 0.1, 1e-5)
    ) / step
    assert slope == pytest.approx(10 / (1 + 10 * 9 * 0.1), rel=1e-4)
    assert slope == pytest.approx(1.0, rel=1e-4)
    values = [conversions.alpha_to_epsilon(10, e, 1e-5) for e in np.geomspace(1e-3, 10, 50)]
    assert all(a < b for a, b in pairwise(values))


def test_e22_zcdp_grows_like_the_root_and_then_linearly() -> None:
    """Check erratum E22: Liu and Wang (2025) say that the epsilon of zCDP grows logarithmically in
    the number k of answers. Then each doubling of k would add the same amount to epsilon, but the
    added amounts grow.
    """
    values = [zcdp(100, 1e-15, k) for k in (75, 150, 300, 600)]
    assert values == pytest.approx([0.724, 1.025, 1.455, 2.066], abs=5e-4)
    assert [b / a for a, b in pairwise(values)] == pytest.approx([1.42] * 3, abs=6e-3)
    steps = [b - a for a, b in pairwise(values)]
    assert steps[2] > 2 * steps[0]
    assert zcdp(100, 1e-15, 2 * 10**12) / zcdp(100, 1e-15, 10**12) == pytest.approx(2, abs=2e-3)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_e23_the_line_of_alpha_dp_is_the_steeper_one(row: Row) -> None:
    """Check erratum E23: Liu and Wang (2025) say that alpha-DP's line in figure 8 (epsilon against
    the number of answers) is flatter than that of Rényi DP; in truth alpha-DP's slope, order/(2
    sigma^2), is larger.
    """

    def slope(order: int) -> float:
        return alpha(order, row.sigma, row.delta, 2) - alpha(order, row.sigma, row.delta, 1)

    assert slope(row.alpha_order) == pytest.approx(row.alpha_order / (2 * row.sigma**2))
    assert slope(row.alpha_order) > slope(row.renyi_order)


def test_e23_numbers_of_figure_8() -> None:
    slope_133, slope_63 = (a / (2 * 100**2) for a in (133, 63))
    assert (slope_133, slope_63) == pytest.approx((6.65e-3, 3.15e-3))
    bug = wrong(133, 100, 1e-25, 2) - wrong(133, 100, 1e-25, 1)
    assert bug == pytest.approx(4.80e-3, abs=5e-6)
    assert bug > slope_63


def test_e24_figure_7_mixes_two_settings() -> None:
    """Check erratum E24: the caption of figure 7 of Liu and Wang (2025) gives sigma = 100 and
    three deltas, but the printed orders belong to three sigmas and one delta.
    """
    deltas = (1e-5, 1e-10, 1e-15)
    printed = [r.renyi_order for r in FIGURE_7]
    for k in range(1, 1001):
        assert [best(log_moment(100), k, d) for d in deltas] != printed
    assert [best(log_moment(s), 300, 1e-15) for s in (10, 50, 100)] == printed
    # k = 100 and delta = 1e-5 give the same orders as k = 300 and delta = 1e-15, because
    # log(1/delta)/k is equal
    assert [best(log_moment(s), 100, 1e-5) for s in (10, 50, 100)] == printed
    assert [best(log_moment(100), 300, d) for d in deltas] == [29, 40, 49]
    # the paper's epsilons of single answers result from the caption's settings and the error of
    # erratum E2: e^(x - 1) instead of e^x - 1, where x is the log moment of an answer
    orders = [best(with_constant(100, math.exp(-1)), 300, d) for d in deltas]
    assert orders == [119, 123, 127]
    assert [round(wrong_single(a, 100) * 1e7) for a in orders] == [529, 519, 512]


def test_e25_the_first_single_answer_value() -> None:
    """Check erratum E25: Liu and Wang (2025) print 5.00e-5 as the alpha-DP epsilon of one answer at
    order 136; it is 8.19e-5.
    """
    right = [Gaussian(sigma=100.0).guarantee(AlphaDP, order=a).epsilon for a in (136, 152, 164)]
    assert right == pytest.approx([8.19e-5, 9.37e-5, 10.5e-5], rel=1e-3)
    assert wrong_single(136, 100) == pytest.approx(5.02e-5, abs=5e-8)
    least = min(range(2, 301), key=lambda a: wrong_single(a, 100))
    assert least == 142
    assert wrong_single(least, 100) == pytest.approx(5.00e-5, abs=5e-8)


def advanced(sigma: float, delta: float, k: int) -> float:
    """Return epsilon of k answers by the advanced composition of Dwork, Rothblum and Vadhan (2010).

    Half of delta is for the steps, and the other half is the slack.
    """
    step = math.sqrt(2 * math.log(1.25 * 2 * k / delta)) / sigma
    return math.sqrt(2 * k * math.log(2 / delta)) * step + k * step * math.expm1(step)


def test_e26_advanced_composition_is_nearly_always_the_largest() -> None:
    """Check erratum E26: Liu and Wang (2025) say that advanced composition always gives the largest
    epsilon; among the printed settings there is one exception.
    """
    exceptions = [
        (row.sigma, row.delta, k)
        for row in ROWS
        for k in range(1, row.k + 1)
        if advanced(row.sigma, row.delta, k) < renyi(row.renyi_order, row.sigma, row.delta, k)
    ]
    assert exceptions == [(100, 1e-15, 1)]
    assert advanced(100, 1e-15, 1) == pytest.approx(0.714, abs=5e-4)
    assert renyi(49, 100, 1e-15, 1) == pytest.approx(0.722, abs=5e-4)


def test_e26_simpler_theorems_beat_both() -> None:
    classical = math.sqrt(2 * math.log(1.25 / 1e-5)) / 100
    assert classical == pytest.approx(0.0484, abs=5e-5)
    assert renyi(69, 100, 1e-5, 1) == pytest.approx(0.1728, abs=5e-5)
    basic = 50 * math.sqrt(2 * math.log(1.25 * 50 / 1e-15)) / 100
    assert basic == pytest.approx(4.397, abs=5e-4)
    assert advanced(100, 1e-15, 50) == pytest.approx(5.679, abs=5e-4)


def test_e27_orders_up_to_300_are_not_always_enough() -> None:
    star = 1 + 100 * math.sqrt(2 * math.log(1e5))
    assert star == pytest.approx(480.9, abs=0.05)
    assert best(log_moment(100), 1, 1e-5) == 481
    assert renyi(300, 100, 1e-5, 1) / renyi(star, 100, 1e-5, 1) == pytest.approx(1.11, abs=5e-3)


def test_e28_a_line_of_fixed_order_never_goes_below_zcdp() -> None:
    """Check erratum E28: Liu and Wang (2025) use the same order for every number k of answers.

    This never gives a smaller epsilon than zCDP. The best order for each k gives the same epsilon
    as zCDP.
    """
    for order in (69, 119, 136, 164):
        for k in range(1, 301, 7):
            assert renyi(order, 100, 1e-15, k) >= zcdp(100, 1e-15, k) * (1 - 1e-12)
    for k in (1, 10, 50, 300):
        star = 1 + 100 * math.sqrt(2 * math.log(1e15) / k)
        assert alpha(star, 100, 1e-15, k) == pytest.approx(zcdp(100, 1e-15, k), rel=1e-9)
