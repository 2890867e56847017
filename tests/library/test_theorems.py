"""Tests that mechanisms satisfy their stated guarantees, and that conversions are valid."""

from __future__ import annotations

import math
import pickle
import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from cases import few_or_many
from claims import EXAMPLES, TOLD, claims_of, picked
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Accountant,
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
    PrivacyLoss,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
    Snapping,
    SparseVector,
    conversions,
    convert,
)
from dpteach.conversions import EDGES, Edge
from dpteach.filters import Odometer, PrivacyFilter
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
        DiscreteGaussian(sigma, sensitivity, one_coordinate=True)
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


def examples(kind: type[Mechanism], step: int = 1) -> list[Mechanism]:
    assert kind in MECHANISMS, f"MECHANISMS must hold examples of {kind.__name__}"
    return MECHANISMS[kind][::step]


def scores(mechanism: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return random scores or queries of two neighbors; most entries differ as much as allowed."""
    value = 4 * mechanism.sensitivity * rng.normal(size=rng.integers(1, 6))
    change = rng.choice([-1.0, 1.0, rng.uniform(-1, 1)], size=value.size)
    if mechanism.monotonic:
        change = np.abs(change) * rng.choice([-1, 1])
    return value, value + mechanism.sensitivity * change


def numbers(mechanism: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return random true values of two neighbors, some of them beyond the mechanism's bound."""
    value = rng.uniform(-1.2, 1.2) * mechanism.bound
    return value, value + mechanism.sensitivity * rng.choice([-1.0, 1.0, rng.uniform(-1, 1)])


#: for each mechanism without a single worst pair, the function that draws random neighbors
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
    """Return the number that a guarantee states, such as delta if its epsilon is given."""
    value = getattr(claim, [f.name for f in fields(claim) if not f.kw_only][-1])
    if isinstance(claim, RenyiDP):
        (value,) = value
    assert isinstance(value, float), claim
    return value


def is_true_of_random_neighbours(theorem: Theorem, step: int) -> None:
    rng = np.random.default_rng(3)
    for mechanism in examples(theorem.mechanism, step):
        claims = [
            mechanism.guarantee(theorem.notion, **a) for a in POINTS.get(theorem.notion, [{}])
        ]
        for _ in range(12):
            value, neighbour = NEIGHBOURS[theorem.mechanism](mechanism, rng)
            loss = mechanism.privacy_loss_between(value, neighbour)
            for claim in claims:
                assert claim.holds_for(loss), (mechanism, claim, value, neighbour)


def test_every_mechanism_has_examples() -> None:
    named = {t.mechanism.__name__ for t in THEOREMS} ^ {kind.__name__ for kind in MECHANISMS}
    assert not named, f"MECHANISMS must hold examples of each kind with a theorem: {sorted(named)}"


#: a quick run tests only every third case (`step` is 3), a run with slow tests every second case,
#: and a run with --all every case
PART = few_or_many("step", 3, 2, 1)


@PART
@pytest.mark.parametrize(
    "theorem", THEOREMS, ids=lambda t: f"{t.mechanism.__name__}-{t.notion.__name__}"
)
def test_theorem_is_what_the_definition_says(theorem: Theorem, step: int, sample: Any) -> None:
    if theorem.mechanism in NEIGHBOURS:
        is_true_of_random_neighbours(theorem, step)
        return
    for mechanism in examples(theorem.mechanism, step):
        try:
            tight = mechanism._theorem(theorem.notion).tight
        except TypeError:  # the wrapped mechanism has no theorem on this notion
            continue
        loss = mechanism.privacy_loss()
        points = POINTS.get(theorem.notion, [{}])
        for at in sample(points, (len(points) + 1) // 2) if step == 1 else points:
            # compare guarantees that are whole curves or distributions by their delta at several
            # epsilons
            if theorem.notion in (FDP, PLD):
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
            # the deltas of this mechanism are compared when this test runs for its theorem on
            # ApproxDP, so compare only the parameter of Gaussian DP here
            if theorem.notion is GaussianDP:
                assert claimed == mechanism.shift  # type: ignore[attr-defined]
                continue
            if theorem.notion is ZCDP and (
                isinstance(loss, DensityLoss) or isinstance(mechanism, DiscreteGaussian)
            ):
                # compare only a few orders, because a bracket over all orders is slow, and never
                # ends if the loss is unbounded
                assert claimed == pytest.approx(loss.kl(), rel=1e-10)
                for order in (1.01, 1.5, 2.0, 8.0):
                    assert loss.renyi(order) / order <= claimed * (1 + 1e-10)
                continue
            if theorem.notion is MutualInformationDP and isinstance(
                mechanism,
                KaryRandomizedResponse,
                # the claim is the capacity of a channel with k inputs; a pair of its rows gives
                # only a lower bound
            ):
                assert claimed >= MutualInformationDP.tightest(loss).epsilon * (1 - 1e-12)
                continue
            truth = number(theorem.notion.tightest(loss, **at))  # type: ignore[attr-defined]
            # for two notions `truth` is less exact: `ZCDP.tightest` brackets a supremum over all
            # orders, and `ProbabilisticDP.tightest` ignores losses that exceed epsilon by at most
            # a relative 1e-12
            tolerance = {ZCDP: 2e-3, ProbabilisticDP: 1e-7}.get(theorem.notion, 1e-9)
            # alpha divergences are exponentials of Rényi divergences, so their relative errors are
            # larger
            if theorem.notion is AlphaDP and claimed > 1:
                tolerance *= max(1.0, math.log(claimed))
            if theorem.tight:
                assert claimed == pytest.approx(truth, rel=tolerance, abs=1e-16), (mechanism, at)
            else:
                assert claimed >= truth * (1 - tolerance), (mechanism, at)


@pytest.mark.parametrize(
    "theorem", THEOREMS, ids=lambda t: f"{t.mechanism.__name__}-{t.notion.__name__}"
)
def test_theorem_is_about_the_neighbours_of_the_mechanism(theorem: Theorem) -> None:
    points = POINTS.get(theorem.notion, [{}])
    points = [*points[1::4], {"delta": 0.4}] if "epsilon" in points[0] else points[1::4] or points
    said = []
    for mechanism in examples(theorem.mechanism):
        for adjacency in Adjacency:
            # this mechanism is defined only for add-or-remove adjacency
            if type(mechanism) is PoissonSubsampled:
                adjacency = Adjacency.ADD_REMOVE
            else:
                mechanism = replace(mechanism, adjacency=adjacency)
            for at in points:
                try:
                    claim = mechanism.guarantee(theorem.notion, **at)
                except (TypeError, ValueError):  # the theorem gives no bound here
                    continue
                assert claim.adjacency is adjacency, (mechanism, at)
                said.append(adjacency)
    assert said


def test_parameters_become_plain_numbers() -> None:
    for mechanism in (one for kind in MECHANISMS.values() for one in kind):
        given = {f.name: getattr(mechanism, f.name) for f in fields(mechanism) if f.init}
        numpy = {
            name: np.asarray(value)[()] if type(value) in (int, float) else value
            for name, value in given.items()
        }
        twin = type(mechanism)(**numpy)
        for name, value in given.items():
            assert type(getattr(twin, name)) is type(value), (mechanism, name)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_a_notion_without_a_theorem_is_answered_by_those_with_one(kind: type[Mechanism]) -> None:
    notions = [t.notion.__name__ for t in THEOREMS if t.mechanism is kind]
    known = re.escape(f"about {kind.__name__} ({', '.join(notions)})")
    with pytest.raises(TypeError, match=f"^notion must be one with a theorem {known}, got notion="):
        MECHANISMS[kind][0].guarantee(Guarantee)  # type: ignore[type-abstract]


# --- conversions ---------------------------------------------------------------------------

weights = st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=6)


def law(weights: list[float]) -> np.ndarray[Any, Any]:
    """Return probabilities that are about proportional to some weights.

    They are multiples of 2^-20, so that their float sum is exactly 1.
    """
    counts = np.floor(np.array(weights) / sum(weights) * (2**20 - len(weights))) + 1
    counts[0] += 2**20 - counts.sum()
    return counts / 2**20  # type: ignore[no-any-return]


@st.composite
def pairs(draw: st.DrawFn) -> DiscreteLoss:
    left = draw(weights)
    right = draw(st.lists(st.floats(1e-6, 1.0), min_size=len(left), max_size=len(left)))
    return DiscreteLoss(law(left), law(right))


#: example values of the arguments that conversions take
ARGUMENTS: dict[str, Any] = {
    "delta": 1e-3,
    "epsilon": 0.4,
    "epsilons": [0.1, 0.5, 2.0],
    "orders": [1.25, 2.0, 10.0],
    "order": 2.5,
    "output_size": 6,
    "input_size": 2,
}


def told(edge: Edge) -> list[dict[str, Any]]:
    if edge.parameters == ("epsilon", "delta"):
        return [{"epsilon": e} for e in (0.0, 0.2, 1.0)] + [{"delta": d} for d in (1e-6, 0.05, 0.5)]
    return [picked(ARGUMENTS, edge.parameters, "ARGUMENTS of test_theorems.py")]


def no_number(error: ValueError) -> bool:
    """Return whether an error says that a conversion gives no number for its arguments."""
    return "implies no epsilon" in str(error) or "epsilon must be at least rho" in str(error)


def name_of(edge: Edge) -> str:
    return f"{edge.source.__name__}-{edge.target.__name__}-{edge.name}"


@PART
@pytest.mark.parametrize("edge", EDGES, ids=name_of)
def test_conversion_is_sound(edge: Edge, step: int, everything: bool) -> None:
    searched = edge.name == "joint range"
    most = 9 if searched and edge.source is ZCDP else 40 if everything or step > 1 else 20
    examples = most // (2 * step if searched else step)

    @settings(max_examples=examples, deadline=None, database=None, derandomize=True)
    @given(pairs())
    def every_pair(loss: DiscreteLoss) -> None:
        claim = edge.source.tightest(loss, **TOLD.get(edge.source, {}))  # type: ignore[attr-defined]
        for at in told(edge):
            try:
                implied = convert(claim, to=edge.target, by=edge.name, **at)
            except ValueError as error:
                assert no_number(error)
                continue
            assert implied.holds_for(loss), (claim, implied)
            assert implied.adjacency is claim.adjacency

    every_pair()


def satisfies(loss: PrivacyLoss, claim: Guarantee) -> bool:
    """Return whether a pair with this loss satisfies a guarantee, up to small relative errors."""
    if isinstance(loss, DensityLoss) and isinstance(claim, ZCDP):
        slopes = [loss.kl(), *(loss.renyi(a) / a for a in (1.5, 2.0, 8.0))]
        return max(slopes) <= claim.rho * (1 + 1e-10)
    if isinstance(loss, DensityLoss) and isinstance(claim, GaussianDP):
        points = (0.0, 0.3, 1.0)
        return all(loss.hockey_stick(e) <= claim.delta_at(e) * (1 + 1e-9) for e in points)
    # some of the pairs that attain a guarantee were found by a numerical search, so allow a
    # relative error of 1e-9
    if isinstance(claim, RenyiDP):
        claim = RenyiDP(claim.orders, [e * (1 + 1e-9) for e in claim.epsilons])
    if isinstance(claim, AlphaDP):
        claim = AlphaDP(claim.order, claim.epsilon * (1 + 1e-9 * max(1, claim.order)))
    return claim.holds_for(loss)


def reaches(loss: PrivacyLoss, implied: Guarantee, at: dict[str, Any]) -> None:
    """Check that a pair with this loss attains the guarantee `implied`, up to about 1e-9.

    `implied` is the result of a conversion, and `at` has the arguments of the conversion.
    """

    def close(one: float, other: float) -> None:
        assert one == pytest.approx(other, rel=1e-9, abs=1e-14), (implied, at, loss)

    def worst(divergence: Callable[[PrivacyLoss], float]) -> float:
        return max(divergence(one) for one in (loss, loss.reversed()))

    match implied:
        case ApproxDP(epsilon=epsilon, delta=delta):
            if "delta" in at:  # the pair attains epsilon if it violates a slightly smaller one
                smaller = epsilon * (1 - 1e-9)
                assert epsilon == 0 or worst(lambda one: one.hockey_stick(smaller)) > delta
            else:
                close(worst(lambda one: one.hockey_stick(epsilon)), delta)
        case ProbabilisticDP(epsilon=epsilon, delta=delta):
            reached = ProbabilisticDP.tightest(loss, epsilon=epsilon).delta
            assert reached == pytest.approx(delta, rel=3e-9), (implied, at, loss)
        case RenyiDP(orders=orders, epsilons=epsilons):
            for order, epsilon in zip(orders, epsilons, strict=True):
                close(worst(lambda one, a=order: one.renyi(a)), epsilon)  # type: ignore[misc]
        case AlphaDP(order=order, epsilon=epsilon):
            assert worst(lambda one: one.alpha(order)) == pytest.approx(
                epsilon, rel=1e-9 * max(1.0, math.log1p(epsilon))
            )
        case ZCDP(rho=rho):
            # for all pairs that attain a zCDP guarantee here, the supremum of (Rényi divergence of
            # order a) / a over all orders a is its limit at order 1, the KL divergence
            close(worst(lambda one: one.kl()), rho)
        case FDP():
            curve = FDP.tightest(loss)  # type: ignore[arg-type]
            for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0):
                close(curve.delta_at(epsilon), implied.delta_at(epsilon))
        case _:
            close(number(type(implied).tightest(loss)), number(implied))  # type: ignore[attr-defined]


def computed(edge: Edge, step: int) -> list[tuple[Any, dict[str, Any], Guarantee]]:
    """Return example guarantees, each with arguments for a conversion, and the result.

    Guarantees and arguments to which the conversion does not apply are left out.
    """
    cases = []
    for claim in claims_of(edge.source)[::step]:
        for at in told(edge):
            if edge.source is RenyiDP and edge.target is AlphaDP:
                at = {"order": min(claim.orders[0], 60.0)}
                if at["order"] == 1:
                    continue
            try:
                cases.append((claim, at, convert(claim, to=edge.target, by=edge.name, **at)))
            except ValueError as error:
                assert re.search("implies no|at least rho|must have finite|must hold", str(error))
    assert cases
    return cases


@PART
@pytest.mark.parametrize("edge", [e for e in EDGES if e.tight], ids=name_of)
def test_what_is_tight_has_a_witness(edge: Edge, step: int) -> None:
    assert edge.witness is not None and edge.gap is None
    shown, cases = 0, computed(edge, step)
    for claim, at, implied in cases:
        try:
            loss = edge.witness(claim, **at)
        except ValueError as error:
            assert re.search("several orders|order 1|other direction|may be less", str(error))
            continue
        shown += 1
        assert satisfies(loss, claim), (claim, at, loss)
        reaches(loss, implied, at)
    assert shown >= 0.4 * len(cases)


@PART
@pytest.mark.parametrize("edge", [e for e in EDGES if not e.tight], ids=name_of)
def test_what_is_not_tight_says_by_how_much(edge: Edge, step: int) -> None:
    assert edge.gap is not None and edge.witness is None and edge.rival
    gaps = [edge.gap(claim, **at) for claim, at, _ in computed(edge, step)]
    assert all(0 <= gap < math.inf for gap in gaps), gaps
    assert max(gaps) > 0


def test_an_edge_shows_what_it_is_worth() -> None:
    parts = PureDP, ZCDP, conversions.EDGES[0].function, "new", "a theorem"
    with pytest.raises(ValueError, match="witness must be given for edges with tight=True, got"):
        Edge(*parts, tight=True)
    with pytest.raises(ValueError, match="gap must be given for edges with tight=False, got"):
        Edge(*parts, tight=False)
    with pytest.raises(ValueError, match="gap must be given for no edges with tight=True, got"):
        Edge(*parts, tight=True, witness=lambda claim: None, gap=lambda claim: 0.0)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("order", [1.01, 2.0, 17.0, 300.0])
def test_alpha_and_renyi_are_one_claim_on_two_scales(order: float) -> None:
    for epsilon in (1e-12, 0.01, 1.0, 2.0):
        claim = RenyiDP(order, epsilon)
        there = convert(claim, to=AlphaDP, order=order)
        back = convert(there, to=RenyiDP)
        assert back.orders == (order,)
        assert back.epsilons[0] == pytest.approx(epsilon, rel=1e-11)
        # each conversion rounds up, so `back` must not be below the original bound
        assert back.epsilons[0] >= epsilon
        for delta in (1e-3, 1e-9):
            assert there.epsilon_at(delta) == pytest.approx(claim.epsilon_at(delta), rel=1e-11)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_losses_can_be_pickled(mechanism: type[Mechanism]) -> None:
    made = MECHANISMS[mechanism][-1]
    assert pickle.loads(pickle.dumps(made)) == made
    sampled = made.adjacency is Adjacency.ADD_REMOVE and mechanism is not PoissonSubsampled
    for one in (made, PoissonSubsampled(made, 0.1)) if sampled else (made,):
        try:
            loss = one.privacy_loss()
        except (TypeError, ValueError):  # the mechanism has no worst pair
            continue
        for way in (loss, loss.reversed()):
            again = pickle.loads(pickle.dumps(way))
            assert again.hockey_stick(0.1) == way.hockey_stick(0.1)


@pytest.mark.parametrize("value", [claims[0] for claims in EXAMPLES.values()], ids=repr)
def test_claims_and_what_counts_them_can_be_pickled(value: Guarantee) -> None:
    counting: list[Any] = [value]
    if type(value) in (PureDP, ApproxDP, RenyiDP, ZCDP, GaussianDP):
        counting.append(PrivacyFilter(value))
    if not isinstance(value, AlphaDP | MutualInformationDP | RenyiDP):
        accountant = Accountant().compose(value, 2)
        accountant.delta_at(0.5)
        counting.append(accountant)
    counting.append(Odometer(1e-6))
    for one in counting:
        assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
