"""Tests of group privacy: a chain of neighboring datasets connects two that differ in a group."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from claims import CLAIMS
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)

INF = math.inf
Law = NDArray[np.float64]
ORDERS = (1.0, 1.3, 2.0, 5.0, 16.0, INF)


@st.composite
def chains(draw: st.DrawFn) -> list[Law]:
    """Draw a chain of three to five distributions, each of which is similar to the next."""
    outcomes = draw(st.integers(2, 4))
    links = draw(st.integers(2, 4))
    weights = np.array(draw(st.lists(st.floats(0.05, 1), min_size=outcomes, max_size=outcomes)))
    chain = [weights / weights.sum()]
    for _ in range(links):
        factors = draw(st.lists(st.floats(-0.8, 0.8), min_size=outcomes, max_size=outcomes))
        weights = chain[-1] * np.exp(factors)
        chain.append(weights / weights.sum())
    return chain


def worst(tightest: Callable[[DiscreteLoss], float], chain: list[Law]) -> float:
    return max(tightest(DiscreteLoss(p, q)) for p, q in pairwise(chain))


def common_f(chain: list[Law]) -> FDP:
    """Return an f-DP guarantee that all pairs of adjacent distributions in a chain satisfy."""
    claims = [FDP.tightest(DiscreteLoss(p, q)) for p, q in pairwise(chain)]
    epsilons = sorted({e for claim in claims for e in claim.epsilons})
    return FDP(epsilons, [max(claim.delta_at(e) for claim in claims) for e in epsilons])


#: for each notion, a function that returns a guarantee that all pairs of adjacent distributions in
#: a chain satisfy
LINKS: dict[str, Callable[[list[Law]], Guarantee]] = {
    "pure": lambda c: PureDP(worst(lambda x: PureDP.tightest(x).epsilon, c)),
    "approx": lambda c: ApproxDP(0.2, worst(lambda x: ApproxDP.tightest(x, epsilon=0.2).delta, c)),
    "approx at 0": lambda c: ApproxDP(
        0.0, worst(lambda x: ApproxDP.tightest(x, epsilon=0.0).delta, c)
    ),
    "probabilistic": lambda c: ProbabilisticDP(
        0.4, worst(lambda x: ProbabilisticDP.tightest(x, epsilon=0.4).delta, c)
    ),
    "renyi": lambda c: RenyiDP(
        ORDERS, [worst(lambda x, a=a: RenyiDP.tightest(x, orders=a).epsilons[0], c) for a in ORDERS]
    ),
    "renyi at one order": lambda c: RenyiDP(
        3.0, worst(lambda x: RenyiDP.tightest(x, orders=3.0).epsilons[0], c)
    ),
    "renyi near 1": lambda c: RenyiDP(
        [1.0, 1.05],
        [worst(lambda x, a=a: RenyiDP.tightest(x, orders=a).epsilons[0], c) for a in (1.0, 1.05)],
    ),
    "zcdp": lambda c: ZCDP(worst(lambda x: ZCDP.tightest(x).rho, c)),
    "gaussian": lambda c: GaussianDP(worst(lambda x: GaussianDP.tightest(x).mu, c)),
    "f": common_f,
}


@pytest.mark.parametrize("name", LINKS)
def test_the_ends_of_a_chain_have_the_guarantee_of_a_group(name: str) -> None:
    # try few chains for zCDP, because its supremum over all orders takes long
    examples = 8 if name == "zcdp" else 60

    @settings(max_examples=examples, deadline=None, database=None, derandomize=True)
    @given(chains())
    def every_chain(chain: list[Law]) -> None:
        claim = LINKS[name](chain)
        for size in range(1, len(chain)):
            group = claim.group(size)
            for start in range(len(chain) - size):
                assert group.holds_for(DiscreteLoss(chain[start], chain[start + size])), group

    every_chain()


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(chains())
def test_the_ends_of_a_chain_have_the_alpha_guarantee_of_a_group(chain: list[Law]) -> None:
    for order in (2.5, 6.0):
        links = [AlphaDP.tightest(DiscreteLoss(p, q), order=order) for p, q in pairwise(chain)]
        claim = max(links, key=lambda one: one.epsilon)
        for size in (2, 4):
            if size < min(order, len(chain)):
                assert claim.group(size).holds_for(DiscreteLoss(chain[0], chain[size]))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: type(c).__name__)
def test_a_group_of_one_is_a_person(claim: Guarantee) -> None:
    assert claim.group(1) == claim


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if not isinstance(c, (MutualInformationDP, PLD))], ids=repr
)
def test_larger_groups_have_less(claim: Guarantee) -> None:
    replaced = replace(claim, adjacency=Adjacency.REPLACE_ONE)
    assert replaced.group(2).adjacency is Adjacency.REPLACE_ONE
    for epsilon in (0.0, 0.3, 1.0, 3.0):
        deltas = [claim.group(size).delta_at(epsilon) for size in (1, 2, 4, 8)]
        assert deltas == sorted(deltas)


# --- each bound is attained by a chain, or its gap is known --------------------------------


@pytest.mark.parametrize(("epsilon", "size"), [(0.1, 2), (1.0, 3), (20.0, 4)])
def test_pure_laws_add_up(epsilon: float, size: int) -> None:
    rare = [1e-3 * math.exp(-epsilon * j) for j in range(size + 1)]
    chain = [np.array([x, 1 - x]) for x in rare]
    assert worst(lambda x: PureDP.tightest(x).epsilon, chain) == pytest.approx(epsilon)
    reached = PureDP.tightest(DiscreteLoss(chain[0], chain[-1])).epsilon
    assert reached == pytest.approx(PureDP(epsilon).group(size).epsilon, rel=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "delta", "size"), [(0.0, 0.01, 5), (0.5, 1e-3, 4), (2, 1e-9, 6)]
)
def test_approximate_laws_pass_their_delta_on(epsilon: float, delta: float, size: int) -> None:
    rare = [0.0]
    for _ in range(size):
        rare.append(delta + math.exp(epsilon) * rare[-1])
    chain = [np.array([x, 1 - x]) for x in reversed(rare)]
    found = worst(lambda x: ApproxDP.tightest(x, epsilon=epsilon).delta, chain)
    assert found == pytest.approx(delta, rel=1e-9)
    claim = ApproxDP(epsilon, delta).group(size)
    ends = DiscreteLoss(chain[0], chain[-1])
    assert claim.delta == pytest.approx(ends.hockey_stick(claim.epsilon), rel=1e-12)
    # probabilistic DP has the same formula for groups
    assert ProbabilisticDP(epsilon, delta).group(size).delta == claim.delta


@pytest.mark.parametrize("notion", [ApproxDP, ProbabilisticDP])
@pytest.mark.parametrize(
    ("epsilon", "delta", "size"),
    [
        (0.5202379273334325, 7.17847414181178e-290, 1277),
        (0.44840229451430397, 2.2033409148174238e-199, 1000),
        (1e-300, 1e-20, 1000),
    ],
)
def test_large_logarithms_that_cancel_do_not_lower_delta(
    notion: type[ApproxDP] | type[ProbabilisticDP], epsilon: float, delta: float, size: int
) -> None:
    with mpmath.workdps(60):
        e = mpmath.mpf(epsilon)
        truth = delta * mpmath.expm1(size * e) / mpmath.expm1(e)
        assert truth <= notion(epsilon, delta).group(size).delta <= truth * (1 + 1e-11)


def test_approximate_delta_is_the_geometric_sum() -> None:
    mp = mpmath.mp.clone()
    mp.dps = 60
    rng = np.random.default_rng(11)
    for _ in range(500):
        epsilon = float(np.exp(rng.uniform(-30, 4)))
        delta = float(np.exp(rng.uniform(-690, -1)))
        size = int(rng.integers(2, 60))
        x = mp.exp(mp.mpf(epsilon))
        truth = min(mp.mpf(1), mp.mpf(delta) * sum(x**j for j in range(size)))
        found = ApproxDP(epsilon, delta).group(size).delta
        assert truth <= found <= truth * (1 + mp.mpf(10) ** -11)
    assert ApproxDP(1.0, 0.0).group(700).delta == 0
    assert ApproxDP(0.0, 1e-3).group(10**18) == ApproxDP(0.0, 1.0)


@pytest.mark.parametrize("size", [2, 3, 10])
def test_shifted_normal_laws_reach_the_concentrated_and_the_gaussian_law(size: int) -> None:
    # in the chain N(0, 1), N(mu, 1), ..., N(size mu, 1), the ends have Rényi divergence a (size
    # mu)^2/2 at each order a
    mu = 0.3
    ends = size * mu
    assert GaussianDP(mu).group(size).mu == pytest.approx(ends, rel=1e-15)
    assert ZCDP(mu**2 / 2).group(size).rho == pytest.approx(ends**2 / 2, rel=1e-15)


# --- Rényi orders ---------------------------------------------------------------------------


def images(order: float, size: int) -> tuple[float, float]:
    """Return the order at which a Rényi bound holds for a group, and its factor, in 500 digits.

    A Rényi bound at `order` for one person implies a bound for the group that holds at the returned
    order and is larger by the returned factor.
    """
    mp = mpmath.mp.clone()
    mp.dps = 500
    a = mp.mpf(order)
    image = 1 / (1 - (1 - 1 / a) ** size)
    return float(image), float((a - 1) / (image - 1))


@pytest.mark.parametrize("order", [1.001, 1.5, 2.0, 8.0, 100.0, 1e6])
@pytest.mark.parametrize("size", [2, 3, 4, 7, 8, 31, 100])
def test_one_order_has_its_image(order: float, size: int) -> None:
    image, factor = images(order, size)
    if factor > 1e10:
        return
    claim = RenyiDP(order, 0.1).group(size)
    assert len(claim.orders) == 1
    assert image * (1 - 1e-12) <= claim.orders[0] <= image
    assert claim.epsilons[0] == pytest.approx(0.1 * factor, rel=1e-6 if factor > 1e4 else 1e-9)
    assert claim.epsilons[0] >= 0.1 * factor * (1 - 1e-15)


@pytest.mark.parametrize(
    ("order", "size", "liu_wang", "mironov", "triangle"),
    [(8, 2, 7 / 3, 3, 13 / 6), (16, 8, 15, 27, 11.22)],
)
def test_e16_known_doubling_laws_are_improved(
    order: float, size: int, liu_wang: float, mironov: float, triangle: float
) -> None:
    # erratum E16 in book/errata.md: proposition 3 of Liu and Wang (2025) is right, and stronger
    # than proposition 2 of Mironov (2017), but not optimal. For Gaussian noise, a group's Rényi
    # divergence, divided by the order, is only size^2 times that of one person
    printed = AlphaDP(order, 1e-6).group(size)
    renyi = math.log1p(printed.order * (printed.order - 1) * printed.epsilon) / (printed.order - 1)
    person = math.log1p(order * (order - 1) * 1e-6) / (order - 1)
    assert renyi / person == pytest.approx(liu_wang, rel=1e-3)
    claim = RenyiDP(order, 1.0).group(size)
    # the library's bound holds at a larger order than that of Liu and Wang, which holds at order /
    # size
    assert claim.orders[0] > order / size
    gaussian = size**2 * claim.orders[0] / order
    assert gaussian < claim.epsilons[0] < triangle < liu_wang < mironov


def test_many_orders_reach_what_gaussian_noise_needs() -> None:
    rho = 0.01
    orders = np.concatenate((np.arange(1.05, 10, 0.05), np.arange(10, 200)))
    for size in (2, 5):
        group = RenyiDP(orders.tolist(), (rho * orders).tolist()).group(size)
        ratios = np.array(group.epsilons) / (size**2 * rho * np.array(group.orders))
        reached = np.array(group.orders) < 10
        assert ratios.min() > 1 - 1e-12
        assert ratios[reached].max() < 1.04
        concentrated = ZCDP(rho).group(size).epsilon_at(1e-6)
        assert concentrated <= group.epsilon_at(1e-6) < concentrated * 1.01


def test_the_order_infinity_keeps_the_given_orders() -> None:
    group = RenyiDP([1, 2, 8, INF], [0.01, 0.02, 0.1, 0.2]).group(3)
    at = dict(zip(group.orders, group.epsilons, strict=True))
    assert at[INF] == pytest.approx(0.6)
    # three steps between neighbors connect datasets that differ in three people. Bound the loss of
    # two steps by 0.2 each (order infinity), and use the bound 0.1 at order 8 for the third step;
    # the sum is 0.5
    assert at[8.0] == pytest.approx(0.5)
    assert set(at) >= {1.0, 2.0, 8.0, INF}


def test_kullback_leibler_divergences_alone_bound_no_group() -> None:
    # the KL divergence of each link is below 1, but that of the ends grows without limit
    for far in (1e-50, 1e-100, 1e-300):
        chain = [np.array([x, 1 - x]) for x in (0.1, 0.1 * math.exp(-9), far)]
        assert worst(lambda x: RenyiDP.tightest(x, orders=1).epsilons[0], chain) < 1
        assert DiscreteLoss(chain[0], chain[2]).kl() > -0.09 * math.log(far)


def test_groups_that_say_nothing() -> None:
    with pytest.raises(ValueError, match=r"^size must be 1: a Kullback-Leibler .* got size=2"):
        RenyiDP(1, 0.1).group(2)
    for size in (10**4, 2**32, 10**18):
        with pytest.raises(ValueError, match=r"^size must be smaller"):
            RenyiDP(1.5, 0.1).group(size)
    with pytest.raises(ValueError, match=r"^size must be 1: a PLD .* got size=2"):
        CLAIMS[-1].group(2)
    with pytest.raises(ValueError, match=r"^size must be smaller: a curve with 1001"):
        FDP.from_profile(GaussianDP(1.0), epsilons=np.linspace(0, 3, 1001).tolist()).group(2)


# --- mutual information ---------------------------------------------------------------------


def capacity(rows: NDArray[np.float64]) -> float:
    """Return a lower bound on a channel's capacity, by the algorithm of Blahut and Arimoto."""
    prior = np.full(len(rows), 1 / len(rows))
    for _ in range(3000):
        mixture = prior @ rows
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(rows > 0, rows * np.log(rows / mixture), 0.0)
        divergences = terms.sum(axis=1)
        information = float(prior @ divergences)
        if divergences.max() - information < 1e-9:
            break
        prior = prior * np.exp(divergences)
        prior /= prior.sum()
    return information


def answers(m: int, d: float) -> NDArray[np.float64]:
    """Return P(answer | first, second) of a channel with two inputs of m values.

    If both values are equal, the answer is this value with probability d. In all other cases the
    answer is blank.
    """
    rows = np.zeros((m, m, m + 1))
    rows[:, :, 0] = 1.0
    for i in range(m):
        rows[i, i, 0] = 1 - d
        rows[i, i, i + 1] = d
    return rows


@pytest.mark.parametrize("d", [0.01, 0.2])
def test_no_group_privacy_of_mutual_information_without_finite_alphabets(d: float) -> None:
    one, both = [], []
    for m in (2, 8, 32):
        rows = answers(m, d)
        # let one input vary and fix the other one; by symmetry, the capacity is the same for every
        # fixed value
        one.append(max(capacity(rows[:, 0]), capacity(rows[0])))
        both.append(capacity(rows.reshape(m * m, m + 1)))
    # if only one input may change, the answer has one of two distributions, whatever the number m
    # of values
    pair = DiscreteLoss([1.0, 0.0], [1 - d, d])
    assert one == pytest.approx([MutualInformationDP.tightest(pair).epsilon] * 3, abs=1e-6)
    # if both inputs may change, but are equal, the answer reveals their common value with
    # probability d. So the capacity is at least d log m, which grows with the number m of values;
    # unequal inputs may increase it further
    for m, found in zip((2, 8, 32), both, strict=True):
        assert found >= d * math.log(m) - 1e-9
    assert both[2] > both[1] > both[0]
    assert both[2] > 4 * one[0]
    with pytest.raises(ValueError, match=r"^size must be 1: mutual-information DP .* got size=2"):
        MutualInformationDP(one[0]).group(2)


def test_finite_alphabets_go_through_total_variation() -> None:
    from dpteach import convert

    m, d = 4, 0.01
    rows = answers(m, d)
    claim = MutualInformationDP(capacity(rows[0]) + 1e-9)
    sizes: dict[str, Any] = {"output_size": m + 1, "input_size": m * m}
    variation = convert(claim, to=ApproxDP, epsilon=0.0).group(2)
    group = convert(variation, to=MutualInformationDP, **sizes)
    assert capacity(rows.reshape(m * m, m + 1)) <= group.epsilon


def test_both_ends_of_the_orders_say_what_they_can_of_groups() -> None:
    claim = RenyiDP([1.0, math.inf], [0.1, 0.2]).group(2)
    assert claim.orders[-1] == math.inf
    # the order infinity is pure DP, in which the epsilon of a group is its size times that of one
    # person
    assert claim.epsilons[-1] == pytest.approx(0.4)
    nothing = RenyiDP([1.0, 4.0, math.inf], [0.0, 0.0, 0.0]).group(3)
    assert set(nothing.epsilons) == {0.0} and {1.0, math.inf} <= set(nothing.orders)
