"""Every registered theorem against the definition, and every conversion on random pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
    DensityLoss,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteLoss,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
    Guarantee,
    KaryRandomizedResponse,
    Laplace,
    Mechanism,
    MutualInformationDP,
    PermuteAndFlip,
    PoissonSubsampled,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
    Snapping,
    SparseVector,
    convert,
)
from dpteach.conversions import EDGES, Edge
from dpteach.mechanisms import THEOREMS, Theorem

MECHANISMS: dict[type[Mechanism], list[Mechanism]] = {
    Gaussian: [Gaussian(sigma=s) for s in (0.05, 0.3, 1.0, 7.0, 100.0, 1e4)],
    Laplace: [Laplace(scale=s) for s in (0.05, 0.3, 1.0, 7.0, 100.0, 1e4)],
    DiscreteLaplace: [
        DiscreteLaplace(scale, sensitivity)
        for scale, sensitivity in (
            *((s, 1) for s in (0.05, 0.3, 1.0, 7.0, 100.0, 1e4)),
            *((0.1, 2), (2.0, 3), (10.0, 7), (1.0, 40), (1e3, 500)),
        )
    ],
    DiscreteGaussian: [
        DiscreteGaussian(sigma, sensitivity)
        for sigma, sensitivity in ((0.05, 1), (0.3, 1), (1.0, 1), (0.9, 2), (7.0, 3), (100.0, 1))
    ],
    Snapping: [
        Snapping(scale, sensitivity, bound=bound)
        for scale, sensitivity, bound in (
            (0.05, 1, 9),
            (1.0, 0.2, 3),
            (0.7, 0.6, 50),
            (90, 1, 1e3),
        )
    ],
    RandomizedResponse: [RandomizedResponse(e) for e in (0.0, 0.01, 0.1, 1.0, 5.0, 30.0)],
    KaryRandomizedResponse: [
        KaryRandomizedResponse(e, k)
        for e, k in ((0.0, 4), (0.01, 3), (0.1, 2), (1.0, 6), (1.0, 100), (5.0, 30), (30.0, 9999))
    ],
    DeltaCatastrophe: [DeltaCatastrophe(d) for d in (0.0, 1e-300, 1e-5, 0.3, 1.0)],
    ExponentialMechanism: [
        ExponentialMechanism(e, s, monotonic)
        for e, s in ((0.0, 1.0), (1e-3, 1.0), (0.7, 0.2), (3.0, 5.0), (40.0, 1.0))
        for monotonic in (False, True)
    ],
    PermuteAndFlip: [
        PermuteAndFlip(e, monotonic=m) for e in (0.0, 0.7, 9.0) for m in (False, True)
    ],
    ReportNoisyMax: [
        ReportNoisyMax(e, 2.0, monotonic, noise)
        for e in (0.0, 0.7, 9.0)
        for monotonic in (False, True)
        for noise in ("laplace", "exponential", "gumbel")
    ],
    PoissonSubsampled: [
        PoissonSubsampled(base, rate)
        for base, rate in (
            (Gaussian(sigma=1.0), 0.01),
            (Gaussian(sigma=4.0, sensitivity=2.0), 0.3),
            (Gaussian(sigma=50.0), 1.0),
            (Gaussian(sigma=50.0), 0.0),
            (Laplace(scale=2.0), 0.1),
            (RandomizedResponse(1.5, adjacency=Adjacency.ADD_REMOVE), 0.05),
            (KaryRandomizedResponse(1.5, 7, adjacency=Adjacency.ADD_REMOVE), 0.5),
        )
    ],
    SparseVector: [
        SparseVector(e, 1.0, count, 0.5, monotonic, share)
        for e, count, share in ((0.7, 1, 0.5), (2.0, 2, 0.3), (9.0, 1, 0.9))
        for monotonic in (False, True)
    ],
}


def scores(mechanism: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Random scores, or queries, of neighbours: most of them as far apart as they can be."""
    value = 4 * mechanism.sensitivity * rng.normal(size=rng.integers(1, 6))
    change = rng.choice([-1.0, 1.0, rng.uniform(-1, 1)], size=value.size)
    if mechanism.monotonic:
        change = np.abs(change) * rng.choice([-1, 1])
    return value, value + mechanism.sensitivity * change


def numbers(mechanism: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Random true values, on both sides of the bound too, a sensitivity or less apart."""
    value = rng.uniform(-1.2, 1.2) * mechanism.bound
    return value, value + mechanism.sensitivity * rng.choice([-1.0, 1.0, rng.uniform(-1, 1)])


#: random neighbours for mechanisms on which no pair is worse than all others
NEIGHBOURS: dict[type[Mechanism], Callable[[Any, np.random.Generator], tuple[Any, Any]]] = {
    **{
        kind: scores
        for kind in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, SparseVector)
    },
    Snapping: numbers,
}
ORDERS = (1.0, 1 + 1e-9, 1.01, 1.5, 2.0, 8.0, 32.0, 256.0)
EPSILONS = (0.0, 0.01, 0.1, 1.0, 5.0, 30.0)
POINTS: dict[type[Guarantee], list[dict[str, Any]]] = {
    RenyiDP: [{"orders": a} for a in ORDERS],
    AlphaDP: [{"order": a} for a in ORDERS if a > 1],
    ApproxDP: [{"epsilon": e} for e in EPSILONS],
    ProbabilisticDP: [{"epsilon": e} for e in EPSILONS],
}


def number(claim: Guarantee) -> float:
    match claim:
        case RenyiDP(epsilons=(epsilon,)):
            return epsilon
        case ApproxDP(delta=delta) | ProbabilisticDP(delta=delta):
            return delta
        case ZCDP(rho=rho):
            return rho
        case GaussianDP(mu=mu):
            return mu
        case PureDP(epsilon=e) | AlphaDP(epsilon=e) | MutualInformationDP(epsilon=e):
            return e
    raise AssertionError(claim)


def is_true_of_random_neighbours(theorem: Theorem) -> None:
    rng = np.random.default_rng(3)
    for mechanism in MECHANISMS[theorem.mechanism]:
        claims = [
            mechanism.guarantee(theorem.notion, **a) for a in POINTS.get(theorem.notion, [{}])
        ]
        for _ in range(12):
            value, neighbour = NEIGHBOURS[theorem.mechanism](mechanism, rng)
            loss = mechanism.privacy_loss_between(value, neighbour)
            for claim in claims:
                assert claim.holds_for(loss), (mechanism, claim, value, neighbour)


@pytest.mark.parametrize(
    "theorem", THEOREMS, ids=lambda t: f"{t.mechanism.__name__}-{t.notion.__name__}"
)
def test_theorem_is_what_the_definition_says(theorem: Theorem) -> None:
    if theorem.mechanism in NEIGHBOURS:
        is_true_of_random_neighbours(theorem)
        return
    for mechanism in MECHANISMS[theorem.mechanism]:
        try:
            tight = mechanism._theorem(theorem.notion).tight
        except TypeError:  # that of the mechanism inside, which has no such theorem
            continue
        loss = mechanism.privacy_loss()
        for at in POINTS.get(theorem.notion, [{}]):
            if theorem.notion in (FDP, PLD):  # curves and laws, compared at their profiles
                claim = mechanism.guarantee(theorem.notion)
                assert claim.holds_for(loss) and claim.adjacency is mechanism.adjacency
                for epsilon in EPSILONS:
                    truth = max(one.hockey_stick(epsilon) for one in (loss, loss.reversed()))
                    assert claim.delta_at(epsilon) == pytest.approx(truth, rel=1e-9, abs=1e-15)
                continue
            claim = mechanism.guarantee(theorem.notion, **at)
            claimed = number(claim)
            if not tight:
                assert claim.holds_for(loss), (mechanism, claim)
                continue
            if theorem.notion is GaussianDP:  # its profile is compared at ApproxDP
                assert claimed == mechanism.shift  # type: ignore[attr-defined]
                continue
            if theorem.notion is ZCDP and (
                isinstance(loss, DensityLoss) or isinstance(mechanism, DiscreteGaussian)
            ):
                # a bracket over all orders takes long, or for an unbounded loss has no end
                assert claimed == pytest.approx(loss.kl(), rel=1e-10)
                for order in (1.01, 1.5, 2.0, 8.0):
                    assert loss.renyi(order) / order <= claimed * (1 + 1e-10)
                continue
            if theorem.notion is MutualInformationDP and isinstance(
                mechanism, KaryRandomizedResponse
            ):  # the capacity of k inputs, of which a pair tells a lower bound only
                assert claimed >= MutualInformationDP.tightest(loss).epsilon * (1 - 1e-12)
                continue
            truth = number(theorem.notion.tightest(loss, **at))  # type: ignore[attr-defined]
            # a bracket over all orders; losses within 1e-12 of epsilon do not count as larger
            tolerance = {ZCDP: 2e-3, ProbabilisticDP: 1e-7}.get(theorem.notion, 1e-9)
            if theorem.notion is AlphaDP and claimed > 1:  # exponentials of divergences
                tolerance *= max(1.0, math.log(claimed))
            if theorem.tight:
                assert claimed == pytest.approx(truth, rel=tolerance, abs=1e-16), (mechanism, at)
            else:
                assert claimed >= truth * (1 - tolerance), (mechanism, at)


# --- conversions ---------------------------------------------------------------------------

weights = st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=6)


@st.composite
def pairs(draw: st.DrawFn) -> DiscreteLoss:
    left = np.array(draw(weights))
    right = np.array(draw(st.lists(st.floats(1e-6, 1.0), min_size=left.size, max_size=left.size)))
    return DiscreteLoss(left / left.sum(), right / right.sum())


def tightest(notion: type[Guarantee], loss: DiscreteLoss) -> Guarantee:
    told: dict[type[Guarantee], dict[str, Any]] = {
        RenyiDP: {"orders": [1, 1.5, 2, 8, 64]},
        AlphaDP: {"order": 3.0},
        ApproxDP: {"epsilon": 0.3},
    }
    return notion.tightest(loss, **told.get(notion, {}))  # type: ignore[attr-defined,no-any-return]


def told(edge: Edge) -> list[dict[str, Any]]:
    if edge.parameters == ("epsilon", "delta"):
        return [{"epsilon": e} for e in (0.0, 0.2, 1.0)] + [{"delta": d} for d in (1e-6, 0.05, 0.5)]
    return [
        {
            name: {
                "delta": 1e-3,
                "orders": [1.25, 2.0, 10.0],
                "order": 2.5,
                "output_size": 6,
                "input_size": 2,
            }[name]
            for name in edge.parameters
        }
    ]


@pytest.mark.parametrize(
    "edge", EDGES, ids=lambda e: f"{e.source.__name__}-{e.target.__name__}-{e.name}"
)
def test_conversion_is_sound(edge: Edge) -> None:
    @settings(max_examples=40, deadline=None, database=None, derandomize=True)
    @given(pairs())
    def every_pair(loss: DiscreteLoss) -> None:
        claim = tightest(edge.source, loss)
        for at in told(edge):
            try:
                implied = convert(claim, to=edge.target, by=edge.name, **at)
            except ValueError as error:
                assert "implies no epsilon" in str(error)
                continue
            assert implied.holds_for(loss), (claim, implied)
            assert implied.adjacency is claim.adjacency

    every_pair()


def test_randomized_response_reaches_what_pure_dp_implies() -> None:
    for epsilon in (0.05, 0.7, 3.0):
        loss = RandomizedResponse(epsilon).privacy_loss()
        claim = PureDP(epsilon)
        for order in ORDERS:
            implied = convert(claim, to=RenyiDP, orders=order).epsilons[0]
            assert implied == pytest.approx(loss.renyi(order), rel=1e-9)
            if order > 1:
                reached = loss.alpha(order)
                implied = convert(claim, to=AlphaDP, order=order).epsilon
                assert implied == pytest.approx(reached, rel=1e-9 * max(1, epsilon * order))
        for small in (0.0, 0.3 * epsilon, epsilon):
            assert claim.delta_at(small) == pytest.approx(loss.hockey_stick(small), abs=1e-12)
        assert convert(claim, to=ZCDP).rho == pytest.approx(loss.kl(), rel=1e-9)


def test_the_four_point_pair_reaches_what_approximate_dp_implies() -> None:
    # two outcomes that give everything away, and randomized response on the others
    epsilon, delta = 0.9, 0.05
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    loss = DiscreteLoss([delta, truth, 1 - delta - truth, 0], [0, 1 - delta - truth, truth, delta])
    for smaller in (0.0, 0.4, 0.9):
        implied = convert(ApproxDP(epsilon, delta), to=ApproxDP, epsilon=smaller).delta
        assert implied == pytest.approx(loss.hockey_stick(smaller), rel=1e-12)


def test_a_symmetric_channel_reaches_what_mutual_information_implies() -> None:
    loss = RandomizedResponse(0.8).privacy_loss()
    claim = MutualInformationDP.tightest(loss)
    assert claim.delta_at(0.0) == pytest.approx(loss.total_variation(), rel=1e-9)


@pytest.mark.parametrize("order", [1.01, 2.0, 17.0, 300.0])
def test_alpha_and_renyi_are_one_claim_on_two_scales(order: float) -> None:
    for epsilon in (1e-12, 0.01, 1.0, 2.0):
        claim = RenyiDP(order, epsilon)
        there = convert(claim, to=AlphaDP, order=order)
        back = convert(there, to=RenyiDP)
        assert back.orders == (order,)
        assert back.epsilons[0] == pytest.approx(epsilon, rel=1e-11)
        assert back.epsilons[0] >= epsilon  # each step errs upwards
        for delta in (1e-3, 1e-9):
            assert there.epsilon_at(delta) == pytest.approx(claim.epsilon_at(delta), rel=1e-11)


def test_first_edge_of_each_pair_is_the_tightest() -> None:
    claims: dict[type[Guarantee], Guarantee] = {
        PureDP: PureDP(0.7),
        RenyiDP: RenyiDP([1.5, 3.0, 12.0], [0.1, 0.2, 0.9]),
        ZCDP: ZCDP(0.2),
        AlphaDP: AlphaDP(4.0, 0.3),
    }
    for source, target in {(e.source, e.target) for e in EDGES}:
        rivals = [e for e in EDGES if (e.source, e.target) == (source, target)]
        if len(rivals) == 1:
            continue
        claim = claims[source]
        for rival in rivals[1:]:
            at = {n: 1e-4 for n in rival.parameters}
            best = convert(
                claim, to=target, **(at or ({"epsilon": 0.0} if target is ApproxDP else {}))
            )
            other = convert(claim, to=target, by=rival.name, **at)
            if "delta" in at:
                assert best.epsilon < other.epsilon  # type: ignore[attr-defined]
            else:
                assert number(best) <= number(other)
