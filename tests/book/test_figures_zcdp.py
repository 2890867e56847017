"""Tests of the figures on zero-concentrated differential privacy."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, names_fit, says
from scipy.stats import norm

from dpteach import (
    ZCDP,
    Gaussian,
    GaussianDP,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    RenyiDP,
    conversions,
    figures,
)
from dpteach.composition import advanced_composition
from dpteach.mechanisms.classical import classical_gaussian_guarantee

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "equal parts": (
        lambda: figures.budget_of_tables(share=12.5),
        "has standard deviation 14.1 and uses 12.5% of the budget; each of the other seven has "
        "standard deviation 14.1 and uses 12.5%.",
    ),
    "half for one": (
        lambda: figures.budget_of_tables(share=50),
        "has standard deviation 7.07 and uses 50% of the budget; each of the other seven has "
        "standard deviation 18.7 and uses 7.14%.",
    ),
    "another budget": (
        lambda: figures.budget_of_tables(share=20, rho=2.0),
        "budget of rho = 2. The first table has standard deviation 1.12",
    ),
    "a narrow band": (
        lambda: figures.rarity(rho=0.02),
        "The band permitted by rho = 0.02 extends 0.141 to each side of the diagonal.",
    ),
    "no room for the decoy": (lambda: figures.rarity(rho=1.97), "lies outside the band."),
    "room for the decoy": (lambda: figures.rarity(rho=1.98), "lies inside the band."),
    "a small sample": (
        lambda: figures.slopes_of_curves(rate=0.01),
        "The curve of Gaussian noise is constant at 0.5. With sampling at rate 0.01 it is "
        "8.6 · 10⁻⁵ at order 2 and 0.495 at order 1,000. The curve of randomized response "
        "never exceeds 0.462. The curve of Laplace noise never exceeds 0.368.",
    ),
    "everybody": (
        lambda: figures.slopes_of_curves(rate=1),
        "With sampling at rate 1 it is 0.5 at order 2 and 0.500 at order 1,000.",
    ),
    "one order": (
        lambda: figures.tried_orders(orders=1),
        "The curve of the single order 60 is up to 716% above the zCDP curve, touches it at 265 "
        "releases, and never falls below it. At 1,000 releases, zCDP gives epsilon 0.771, advanced "
        "composition gives 5.84, and the exact value is 0.561.",
    ),
    "twelve orders": (lambda: figures.tried_orders(orders=12), "is up to 2% above the zCDP curve"),
}


def curves(axes: Axes) -> list[np.ndarray]:
    """Return the x and y values of each line with more than 20 points."""
    lines = [np.asarray(line.get_data(), dtype=float) for line in axes.lines]
    return [line for line in lines if line.shape[1] > 20]


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


@pytest.mark.parametrize("share", [1, 12.5, 50, 90])
def test_bars_spend_the_budget(share: float) -> None:
    bars = [bar.get_width() for bar in figures.budget_of_tables(share=share, rho=0.1).patches]  # type: ignore[attr-defined]
    # the first bar is drawn twice, so that it is darker
    assert len(bars) == 9 and bars.pop() == bars[0]
    costs = [Gaussian(sigma=sigma).guarantee(ZCDP).rho for sigma in bars]
    assert sum(costs) == pytest.approx(0.1)
    assert costs[0] == pytest.approx(0.001 * share)
    assert costs[1:] == pytest.approx([costs[1]] * 7)


@pytest.mark.parametrize("rho", [0.02, 0.5, 2.5])
def test_events_under_normal_noise_lie_in_the_band(rho: float) -> None:
    below, above, equal, normal, pure = curves(figures.rarity(rho=rho, epsilon=1.0))
    width = math.sqrt(rho)
    assert np.array_equal(equal[0], equal[1])
    assert above[1] - above[0] == pytest.approx(width)
    assert below[1] == pytest.approx(np.maximum(below[0] - width, 0))
    assert np.all(np.abs(normal[1] - normal[0]) <= width)
    # each point of the curve `normal` stands for the event that the output exceeds a level; the
    # normal quantiles of its probabilities with and without one person differ by sqrt(2 rho)
    without, with_her = np.exp(-np.square(normal))
    shift = norm.isf(without[100:200]) - norm.isf(with_her[100:200])
    assert shift == pytest.approx(math.sqrt(2 * rho), rel=1e-6)
    assert normal[0][-1] - normal[1][-1] > 0.9 * width
    # the curve `pure` shows the largest effect of one person that pure DP with epsilon = 1
    # permits: for a rare event of probability p, log(1/p) changes by 1; for a likely event,
    # log(1/(1 - p)) changes by 1
    rare = np.exp(-np.square(pure[0])) < 1 / (1 + math.e)
    assert (pure[0] ** 2 - pure[1] ** 2)[rare] == pytest.approx(1.0)
    without, with_her = np.exp(-np.square(pure[:, ~rare]))
    assert 1 - with_her == pytest.approx((1 - without) / math.e, abs=1e-12)
    # pure DP with epsilon = 1 implies zCDP with rho = 1/2, so the curve `pure` must not be lower
    # than the band's lower edge, `below`, if rho is at least 1/2
    assert rho < 0.5 or np.all(pure[1] >= below[1] - 1e-9)


@pytest.mark.parametrize("rate", [0.001, 0.1, 1])
def test_slopes_are_the_librarys(rate: float) -> None:
    normal, sampled, coin, laplace = curves(figures.slopes_of_curves(rate=rate, epsilon=0.5))
    orders = normal[0].tolist()
    noise = Gaussian(sigma=2.0)
    of = {
        id(normal): noise,
        id(sampled): PoissonSubsampled(noise, rate),
        id(coin): RandomizedResponse(epsilon=0.5),
        id(laplace): Laplace(scale=2.0),
    }
    for curve in (normal, sampled, coin, laplace):
        claim = of[id(curve)].guarantee(RenyiDP, orders=orders)
        assert curve[1] == pytest.approx(np.array(claim.epsilons) / orders)
    assert normal[1] == pytest.approx(noise.guarantee(ZCDP).rho)
    assert np.all(sampled[1] <= normal[1] * (1 + 1e-9))
    for curve in (coin, laplace):
        rho = ZCDP.tightest(of[id(curve)].privacy_loss()).rho
        assert curve[1].max() == pytest.approx(rho, rel=1e-4)


@pytest.mark.parametrize("orders", [1, 3, 12])
def test_a_fixed_order_never_wins(orders: int) -> None:
    axes = figures.tried_orders(orders=orders, sigma=100.0, delta=1e-6)
    advanced, best, envelope, exact = curves(axes)
    answer = Gaussian(sigma=100.0)
    for i in range(0, envelope.shape[1], 20):
        k = int(envelope[0][i])
        rho = answer.guarantee(ZCDP).self_compose(k).rho
        assert envelope[1][i] == pytest.approx(conversions.zcdp_to_epsilon_bun_steinke(rho, 1e-6))
        true = answer.guarantee(GaussianDP).self_compose(k).epsilon_at(1e-6)
        assert exact[1][i] == pytest.approx(true, rel=1e-6)
        step = classical_gaussian_guarantee(answer, delta=1e-6 / (2 * k))
        assert advanced[1][i] == pytest.approx(advanced_composition(step, k, slack=5e-7).epsilon)
    assert np.all(best[1] >= envelope[1] * (1 - 1e-12))
    points = next(np.asarray(line.get_data()) for line in axes.lines if line.get_marker() == "o")
    assert len(points[0]) <= orders
    for k, height in points.T:
        assert np.interp(k, best[0], best[1]) == pytest.approx(height, rel=1e-2)


def test_each_bill_has_its_name() -> None:
    axes = figures.tried_orders(orders=5)
    *_, envelope, exact = (curve[1][-1] for curve in curves(axes))
    names_fit(axes, {"zCDP": envelope, "exact": exact})


def test_more_orders_are_never_worse() -> None:
    found = [curves(figures.tried_orders(orders=n))[1][1] for n in (1, 2, 5, 12)]
    for fewer, more in pairwise(found):
        assert np.all(more <= fewer)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            lambda: figures.budget_of_tables(share=2),
            lambda: figures.budget_of_tables(share=80),
        ),
        (lambda: figures.rarity(rho=0.02), lambda: figures.rarity(rho=2.5)),
        (
            lambda: figures.slopes_of_curves(rate=0.001),
            lambda: figures.slopes_of_curves(rate=1),
        ),
        (lambda: figures.tried_orders(orders=1), lambda: figures.tried_orders(orders=12)),
    ],
)
def test_no_slider_moves_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    keep_the_frame(one, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures.budget_of_tables(share=0), r"share must be in \[1, 90\]"),
        (lambda: figures.budget_of_tables(share=50, rho=-1), r"rho must be in \(0, 4\]"),
        (lambda: figures.rarity(rho=math.nan), "rho must be"),
        (lambda: figures.rarity(rho=1, epsilon=0), "epsilon must be in"),
        (lambda: figures.slopes_of_curves(rate=0), r"rate must be in \[0.0001, 1\]"),
        (lambda: figures.slopes_of_curves(rate=0.1, epsilon=9), "epsilon must be in"),
        (lambda: figures.tried_orders(orders=0), "orders must be an integer"),
        (lambda: figures.tried_orders(orders=13), "orders must be at most 12"),
        (lambda: figures.tried_orders(orders=1, sigma=0.5), r"sigma must be in \[1, 1000\]"),
        (lambda: figures.tried_orders(orders=1, delta=1.0), "delta must be in"),
    ],
)
def test_bad_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
