"""Tests of conversions: values from the literature, texts of `explain`, and tightness of bounds."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import mpmath
import numpy as np
import pytest
from claims import CLAIMS, picked

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
    RandomizedResponse,
    RenyiDP,
    channels,
    conversions,
    convert,
    divergences,
)
from dpteach.conversions import EDGES, Edge
from dpteach.notions import _witness

RHO = 50 / (2 * 100**2)


@pytest.mark.parametrize(
    ("by", "at_15", "at_5"),
    [
        ("Bun-Steinke", 0.590197, 0.341807),
        ("Bun-Steinke root", 0.569205, 0.303989),
        ("Bun-Steinke tail", 0.548631, 0.275552),
        ("Canonne-Kamath-Steinke", 0.539611954085402, 0.258116016740),
        ("joint range", 0.539611954085401, 0.258107169566),
    ],
)
def test_fifty_answers_of_a_gaussian(by: str, at_15: float, at_5: float) -> None:
    for delta, expected in ((1e-15, at_15), (1e-5, at_5)):
        found = convert(ZCDP(RHO), to=ApproxDP, by=by, delta=delta).epsilon
        tolerance = 5e-7 if expected == round(expected, 6) else 2e-12
        assert found == pytest.approx(expected, abs=tolerance)
        exact = convert(GaussianDP(math.sqrt(2 * RHO)), to=ApproxDP, delta=delta).epsilon
        assert exact < found


@pytest.mark.parametrize("order", [1.00002, 1.7, 8.469336548880715, 654.7497077025881])
@pytest.mark.parametrize("exponent", [0.01, 15.3, 613.7])
def test_exponentials_are_rounded_up_by_the_size_of_their_exponents(
    order: float, exponent: float
) -> None:
    def alpha(growth: mpmath.mpf) -> mpmath.mpf:
        return mpmath.expm1(growth) / (order * (mpmath.mpf(order) - 1))

    renyi = exponent / (order - 1)
    rho = renyi / order
    with mpmath.workdps(400):
        a, epsilon = mpmath.mpf(order), mpmath.mpf(min(renyi, 700.0))
        true, false = 1 / (1 + mpmath.exp(-epsilon)), 1 / (1 + mpmath.exp(epsilon))
        moment = true**a * false ** (1 - a) + false**a * true ** (1 - a)
        step = alpha(mpmath.mpf(exponent) / 1000)
        claims = {
            convert(RenyiDP(order, renyi), to=AlphaDP, order=order): alpha((a - 1) * renyi),
            convert(ZCDP(rho), to=AlphaDP, order=order): alpha(a * (a - 1) * rho),
            convert(PureDP(float(epsilon)), to=AlphaDP, order=order): (moment - 1) / (a * (a - 1)),
            AlphaDP(order, float(step)).self_compose(1000): alpha(
                1000 * mpmath.log1p(a * (a - 1) * float(step))
            ),
        }
        for claim, truth in claims.items():
            assert truth <= claim.epsilon <= truth * (1 + 1e-14 * (1 + exponent))


def test_a_product_is_not_rounded_down() -> None:
    rho, order = 1.542915560511661e-08, 1.00000002596371
    found = convert(ZCDP(rho), to=RenyiDP, orders=[1.0, order, 2.0]).epsilons
    assert found == (rho, math.nextafter(rho * order, 1.0), 2 * rho)
    assert Fraction(found[1]) >= Fraction(rho) * Fraction(order)


def test_the_exact_epsilon_of_fifty_answers() -> None:
    claim = GaussianDP(math.sqrt(50) / 100)
    assert claim.epsilon_at(1e-15) == pytest.approx(0.521373409666, abs=1e-12)
    assert claim.epsilon_at(1e-5) == pytest.approx(0.233545907227, abs=1e-12)
    for edge in EDGES:  # no conversion of zCDP may give less than the true epsilon
        if (edge.source, edge.target) == (ZCDP, ApproxDP):
            assert convert(ZCDP(RHO), to=ApproxDP, by=edge.name, delta=1e-5).epsilon > 0.2335


def test_the_joint_range_gains_more_for_larger_deltas() -> None:
    rho = 10 / (2 * 5**2)
    assert conversions.zcdp_to_epsilon_optimal(rho, 0.01) == pytest.approx(1.51982, abs=5e-6)
    assert conversions.zcdp_to_epsilon(rho, 0.01) == pytest.approx(1.52505, abs=5e-6)
    assert conversions.zcdp_to_epsilon_bun_steinke(rho, 0.01) == pytest.approx(2.11941, abs=5e-6)
    assert GaussianDP(math.sqrt(2 * rho)).epsilon_at(0.01) == pytest.approx(1.25726, abs=5e-6)


def test_the_alpha_that_the_proof_has_and_the_printed_one() -> None:  # checks erratum E8
    # let alpha be the epsilon of an alpha-DP guarantee of order a. In the epsilon of the implied
    # (epsilon, delta)-DP, Liu and Wang (2025) print log(1 + a (a-1) e^alpha); their proof gives
    # log(1 + a (a-1) alpha)
    order, delta = 69.0, 1e-5
    alpha = AlphaDP.tightest(DiscreteLoss([0.5, 0.5], [0.5, 0.5]), order=order).epsilon
    assert alpha == 0
    alpha = conversions.renyi_to_alpha(order, order * RHO)
    proved = conversions.alpha_to_epsilon(order, alpha, delta)
    printed = (math.log(1 + order * (order - 1) * math.exp(alpha)) - math.log(delta)) / (order - 1)
    assert proved == pytest.approx(0.342, abs=5e-4)
    assert printed > proved
    best = convert(AlphaDP(order, alpha), to=ApproxDP, delta=delta).epsilon
    assert best < proved


def test_an_epsilon_from_an_order_is_never_below_the_pure_one() -> None:  # checks erratum E29
    epsilon = math.log(3)
    claim = convert(PureDP(epsilon), to=RenyiDP, orders=100)
    markov = convert(claim, to=ApproxDP, by="Mironov", delta=1e-5).epsilon
    assert markov == pytest.approx(1.2120, abs=5e-5)
    assert markov > convert(PureDP(epsilon), to=ApproxDP, delta=1e-5).epsilon
    both = RenyiDP([100, math.inf], [claim.epsilons[0], epsilon])
    assert convert(both, to=ApproxDP, delta=1e-5).epsilon <= epsilon


def test_one_answer_of_a_gaussian() -> None:  # checks erratum E30
    claim = ZCDP(0.5)
    assert conversions.zcdp_to_epsilon_bun_steinke(0.5, 1e-5) == pytest.approx(5.2985, abs=5e-5)
    assert conversions.zcdp_to_epsilon(0.5, 1e-5) == pytest.approx(4.728, abs=5e-4)
    assert GaussianDP(1.0).epsilon_at(1e-5) == pytest.approx(4.377, abs=5e-4)
    optimal = convert(claim, to=ApproxDP, delta=1e-5).epsilon
    assert 4.377 < optimal < 4.7284


def test_the_largest_divergence_of_pure_dp() -> None:  # checks erratum E49
    rng = np.random.default_rng(49)
    for epsilon in (0.1, 1.0, 4.0):
        bound = conversions.pure_to_kl(epsilon)
        assert bound == pytest.approx(epsilon * math.tanh(epsilon / 2), rel=1e-14)
        for _ in range(50):
            q = rng.dirichlet(np.ones(5))
            p = q * np.exp(rng.uniform(-epsilon / 2, epsilon / 2, 5))
            loss = DiscreteLoss(p / p.sum(), q)
            if PureDP(epsilon).holds_for(loss):
                assert loss.kl() <= bound


def test_the_total_variation_that_information_allows() -> None:  # checks erratum E50
    tight = conversions.mutual_information_to_total_variation(0.1)
    assert tight == pytest.approx(0.439589, abs=5e-7)
    assert tight <= math.sqrt(2 * 0.1)
    assert conversions.mutual_information_to_total_variation(math.log(2)) == 1


def test_the_information_of_pure_dp_depends_on_the_neighbours() -> None:
    replaced = PureDP(1.0, adjacency=Adjacency.REPLACE_ONE)
    sharp = convert(replaced, to=MutualInformationDP).epsilon
    assert sharp == pytest.approx(0.1233015615, abs=5e-11)
    added = convert(PureDP(1.0), to=MutualInformationDP).epsilon
    assert added == pytest.approx(math.tanh(0.5), rel=1e-12)
    # a row of a channel is the distribution of its output for one value of a person's record. Under
    # replace-one, pure DP compares all rows with each other; under add-or-remove, it compares each
    # row only with that of an absent person, here the uniform one, so the channel may reveal more
    rows = channels.arc_channel(2.0, 100, 27)
    uniform = np.full(100, 0.01)
    loss = max(PureDP.tightest(DiscreteLoss(row, uniform)).epsilon for row in rows)
    assert loss <= 1.01
    told = channels.mutual_information(uniform, rows)
    assert sharp < told <= loss * math.tanh(loss / 2)


def test_the_curve_of_randomized_response_is_above_the_gaussian_one() -> None:
    type_one = np.linspace(0, 1, 1001)
    for epsilon in (1e-6, 0.1, 1.0, 5.0, 30.0):
        mu = conversions.pure_to_gaussian(epsilon)
        gap = PureDP(epsilon).trade_off(type_one) - GaussianDP(mu).trade_off(type_one)
        assert np.min(gap) > -1e-13
        corner = 1 / (1 + math.exp(epsilon))
        assert GaussianDP(mu).trade_off(corner) == pytest.approx(corner, rel=1e-9)
    assert conversions.pure_to_gaussian(0.0) == 0
    assert conversions.pure_to_gaussian(1e300) < math.inf


def test_a_law_implies_what_its_pair_does() -> None:
    loss = DiscreteLoss([0.2, 0.5, 0.3], [0.3, 0.3, 0.4])
    claim = PLD.tightest(loss)
    assert convert(claim, to=PureDP).epsilon == pytest.approx(math.log(5 / 3), rel=1e-12)
    for order in (1.0, 1.5, 8.0, math.inf):
        implied = convert(claim, to=RenyiDP, orders=order).epsilons[0]
        assert implied == pytest.approx(RenyiDP.tightest(loss, orders=order).epsilons[0], rel=1e-9)
    assert convert(claim, to=ZCDP).rho >= ZCDP.tightest(loss).rho * (1 - 1e-12)
    escaping = PLD.tightest(DiscreteLoss([0.5, 0.5], [1.0, 0.0]))
    for to, at in ((PureDP, {}), (RenyiDP, {"orders": 2.0}), (ZCDP, {})):
        with pytest.raises(ValueError, match="claim must have finite losses"):
            convert(escaping, to=to, **at)


def test_tails_of_losses() -> None:
    assert convert(PureDP(1.0), to=ProbabilisticDP, epsilon=1.0).delta == 0
    claim = convert(ApproxDP(0.0, 0.0), to=ProbabilisticDP, epsilon=0.0)
    assert claim.delta == 0
    assert convert(ApproxDP(1.0, 1.0), to=ProbabilisticDP, epsilon=2.0).delta == 1
    loss = RandomizedResponse(1.0).privacy_loss()
    tail = convert(PureDP(1.0), to=ProbabilisticDP, epsilon=1 - 1e-9).delta
    assert tail == pytest.approx(loss.tail(0.9), rel=1e-8)


@pytest.mark.parametrize(
    ("claim", "to", "at", "quantity", "kind", "order"),
    [
        (PureDP(1.0), ZCDP, {}, "rho", "exact", None),
        (PureDP(1.0), ZCDP, {"by": "Bun-Steinke"}, "rho", "upper bound", None),
        (PureDP(1.0), RenyiDP, {"orders": 2.0}, "Rényi", "exact", None),
        (PureDP(1.0), AlphaDP, {"order": 2.0}, "alpha", "exact", None),
        (PureDP(1.0), GaussianDP, {}, "mu", "exact", None),
        (PureDP(1.0), MutualInformationDP, {}, "mutual information", "upper bound", None),
        (PureDP(1.0), ProbabilisticDP, {"epsilon": 0.5}, "probability", "exact", None),
        (PureDP(0.0), ZCDP, {}, "rho", "exact", None),
        (RenyiDP(8, 0.1), ApproxDP, {"delta": 1e-5}, "epsilon at", "exact", 8.0),
        (RenyiDP([2, 8], [0.1, 0.4]), ApproxDP, {"delta": 1e-5}, "epsilon", "upper bound", 8.0),
        (RenyiDP(8, 0.1), ApproxDP, {"by": "Mironov", "delta": 1e-5}, "eps", "upper bound", 8.0),
        (RenyiDP(8, 0.1), ApproxDP, {"by": "Pinsker"}, "delta at", "upper bound", 8.0),
        (AlphaDP(8, 0.1), ApproxDP, {"by": "Liu-Wang", "delta": 0.1}, "eps", "upper bound", 8.0),
        (GaussianDP(1.0), ApproxDP, {"epsilon": 1.0}, "delta at", "exact", None),
        (PLD(0.0, 1.0, 0.0, 1.0), PureDP, {}, "epsilon", "exact", None),
    ],
)
def test_explanations(
    claim: Guarantee, to: Any, at: dict[str, Any], quantity: str, kind: str, order: float | None
) -> None:
    explanation = conversions.explain(claim, to=to, **at)
    assert quantity in explanation.quantity
    assert (explanation.kind, explanation.order) == (kind, order)
    by = at.get("by")
    edge = next(
        e for e in EDGES if (e.source, e.target) == (type(claim), to) and by in (None, e.name)
    )
    assert explanation.theorem == edge.theorem
    if edge.gap is not None:
        assert "exceeds" in explanation.note and edge.rival in explanation.note


def test_an_explanation_of_what_is_not() -> None:
    with pytest.raises(TypeError, match="to must be reachable"):
        conversions.explain(MutualInformationDP(1.0), to=ZCDP)
    with pytest.raises(ValueError, match="by must be one of"):
        conversions.explain(PureDP(1.0), to=ZCDP, by="nobody")


def test_the_table_has_every_edge() -> None:
    rows = conversions.table().splitlines()
    assert len(rows) == len(EDGES) + 2
    for row, edge in zip(rows[2:], EDGES, strict=True):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[:3] == [edge.source.__name__, edge.target.__name__, edge.name]
        assert cells[-1] == ("tight" if edge.tight else edge.rival)


def test_edges_of_a_pair_have_their_own_names() -> None:
    names = [(e.source, e.target, e.name) for e in EDGES]
    assert len(set(names)) == len(names)


def test_explanations_compute_with_floats_whatever_numbers_come() -> None:
    claim = RenyiDP([2, 3], [1.0, 2.0])
    delta = np.float32(0.3)
    one = conversions.explain(claim, to=ApproxDP, delta=delta)  # type: ignore[arg-type]
    assert one == conversions.explain(claim, to=ApproxDP, delta=float(delta))
    least = Fraction(5e-324)
    assert conversions.explain(AlphaDP(1e5, 0.9), to=ApproxDP, delta=least).value > 0


def test_where_no_epsilon_is_implied_the_message_names_the_delta() -> None:
    with pytest.raises(ValueError, match=r"^delta must be larger, .* got delta=1e-09$"):
        convert(ApproxDP(1.0, 0.5), to=ApproxDP, delta=1e-9)


def test_losses_beyond_the_floats_have_moments() -> None:
    # the likelihood ratio 0.5 / tiny, about e^720, is too large for a float
    tiny = math.exp(-720.0)
    claim = PLD.tightest(DiscreteLoss([tiny, 1 - tiny], [0.5, 0.5]))
    (epsilon,) = convert(claim, to=RenyiDP, orders=2).epsilons
    assert epsilon == pytest.approx(720 - math.log(4), rel=1e-9)


# --- what conversions preserve, report and refuse --------------------------------------------

#: for each notion of privacy, an example of a guarantee under replace-one adjacency
REPLACED: dict[type[Guarantee], Guarantee] = {
    type(claim): replace(claim, adjacency=Adjacency.REPLACE_ONE) for claim in CLAIMS
}
TOLD: dict[str, Any] = {
    "delta": 0.2,
    "epsilon": 0.9,
    "epsilons": [0.1, 0.5, 2.0],
    "orders": [1.25, 2.0],
    "order": 2.0,
    "output_size": 6,
    "input_size": 2,
}


def names_of(edge: Edge) -> str:
    return f"{edge.source.__name__}-{edge.target.__name__}-{edge.name}"


@pytest.mark.parametrize("edge", EDGES, ids=names_of)
def test_a_conversion_keeps_the_neighbours_and_says_its_number(edge: Edge) -> None:
    claim = REPLACED[edge.source]
    # a conversion to (epsilon, delta)-DP takes either epsilon or delta, so try each of them
    point = edge.parameters == ("epsilon", "delta")
    for told in ("epsilon", "delta") if point else ("",):
        names = [name for name in edge.parameters if told in ("", name)]
        at = picked(TOLD, names, "TOLD of test_conversions.py")
        implied = convert(claim, to=edge.target, by=edge.name, **at)
        assert type(implied) is edge.target
        assert implied.adjacency is Adjacency.REPLACE_ONE
        match implied:
            case ApproxDP(epsilon=epsilon, delta=delta) if "delta" in at:
                number, quantity = epsilon, f"epsilon at delta={delta:g}"
            case ApproxDP(epsilon=epsilon, delta=delta):
                number, quantity = delta, f"delta at epsilon={epsilon:g}"
            case RenyiDP(orders=orders, epsilons=epsilons):
                number, quantity = epsilons[-1], f"the Rényi divergence of order {orders[-1]:g}"
            case AlphaDP(order=order, epsilon=epsilon):
                number, quantity = epsilon, f"the alpha divergence of order {order:g}"
            case ProbabilisticDP(delta=delta):
                number, quantity = delta, "the probability of a loss above 0.9"
            case FDP():
                number, quantity = implied.delta_at(0.0), "the total variation"
            case MutualInformationDP(epsilon=epsilon):
                number, quantity = epsilon, "the mutual information"
            case _:  # the other guarantees have one number, and `quantity` is its name
                (quantity,) = (f.name for f in fields(implied) if not f.kw_only)
                number = getattr(implied, quantity)
        explanation = conversions.explain(claim, to=edge.target, by=edge.name, **at)
        assert (explanation.value, explanation.quantity) == (number, quantity)
        assert explanation.kind == "upper bound" or edge.tight
        if edge.gap is not None:
            gap = edge.gap(claim, **at)
            assert explanation.note == f"It exceeds that of {edge.rival} by {gap:.6g}."
        for name in at:
            with pytest.raises(TypeError, match=rf"^{name} must"):
                convert(claim, to=edge.target, by=edge.name, **(at | {name: "much"}))


@pytest.mark.parametrize("source", REPLACED, ids=lambda notion: notion.__name__)
def test_where_no_edge_leads_the_message_has_the_routes(source: type[Guarantee]) -> None:
    steps = {(e.source, e.target) for e in EDGES}
    notions = {notion for step in steps for notion in step}

    def shortest(target: type[Guarantee]) -> set[str]:
        for between in range(1, 4):
            found = {
                " -> ".join(notion.__name__ for notion in (source, *middle, target))
                for middle in permutations(notions - {source, target}, between)
                if all(step in steps for step in pairwise((source, *middle, target)))
            }
            if found:
                return found
        return set()

    for target in notions - {source}:
        if (source, target) in steps:
            continue
        with pytest.raises(TypeError, match=r"^to must be reachable by one theorem") as error:
            convert(REPLACED[source], to=target)
        start, _, words = str(error.value).partition("; ")
        assert start.endswith(f"from {source.__name__}, got to={target.__name__}")
        if paths := shortest(target):
            start, _, routes = words.partition(": ")
            assert start == "convert step by step, each step may lose"
            assert sorted(routes.split("; ")) == sorted(paths)
        else:
            reach = sorted(end.__name__ for start, end in steps if start is source)
            assert words == f"there is no route, from {source.__name__} one can reach: " + (
                ", ".join(reach)
            )


def test_what_an_edge_must_be_told() -> None:
    with pytest.raises(TypeError, match=r"^to must come with .* takes orders: .*got nothing else$"):
        convert(PureDP(1.0), to=RenyiDP)
    with pytest.raises(TypeError, match=r"ZCDP takes no arguments: .*got delta, epsilon$"):
        convert(PureDP(1.0), to=ZCDP, delta=0.1, epsilon=1.0)
    with pytest.raises(TypeError, match=r"one at a time, got epsilon=1.0 and delta=0.1$"):
        convert(PureDP(1.0), to=ApproxDP, epsilon=1.0, delta=0.1)
    with pytest.raises(ValueError, match=r"^claim must hold an order in \(1, inf\), got claim=R"):
        convert(RenyiDP([1, math.inf], [0.1, 0.2]), to=ApproxDP, by="Mironov", delta=0.1)
    with pytest.raises(ValueError, match=r"^order must be at most .*claim, 8.0, got order=8.5$"):
        convert(RenyiDP([2, 8], [0.1, 0.2]), to=AlphaDP, order=8.5)
    with pytest.raises(ValueError, match=r"^claim must have a finite epsilon, got claim=AlphaDP"):
        convert(AlphaDP(2, math.inf), to=RenyiDP)
    with pytest.raises(ValueError, match=r"^output_size and input_size must not both be inf"):
        at = {"output_size": math.inf, "input_size": math.inf}
        convert(ApproxDP(0.1, 0.1), to=MutualInformationDP, **at)
    with pytest.raises(ValueError, match=r"^epsilon must be at least rho=1.0, got epsilon=0.5$"):
        conversions.zcdp_to_delta_bun_steinke(1.0, 0.5)


def test_why_it_is_not_known_whether_a_pair_reaches_it() -> None:
    claim = RenyiDP([2, 8], [0.1, 0.3])
    for at, words in (
        ({"to": ApproxDP, "delta": 1e-3}, "several orders"),
        ({"to": AlphaDP, "order": 2.0}, "several orders"),
    ):
        explanation = conversions.explain(claim, **at)
        assert explanation.kind == "upper bound" and words in explanation.note
    explanation = conversions.explain(RenyiDP(8, 0.3), to=AlphaDP, order=2.0)
    assert explanation.kind == "upper bound" and "order 8.0" in explanation.note
    explanation = conversions.explain(RenyiDP(1, 0.3), to=ApproxDP, epsilon=0.0)
    assert explanation.kind == "upper bound" and "order 1 only" in explanation.note
    near = math.nextafter(1.0, 0.0)
    explanation = conversions.explain(PureDP(1.0), to=ProbabilisticDP, epsilon=near)
    assert explanation.kind == "upper bound" and "too close" in explanation.note
    explanation = conversions.explain(RenyiDP(math.inf, 0.5), to=ApproxDP, epsilon=0.2)
    assert (explanation.kind, explanation.order) == ("exact", math.inf)
    explanation = conversions.explain(RenyiDP(8, 0.3), to=AlphaDP, order=8.0)
    assert (explanation.kind, explanation.note) == ("exact", "A pair of distributions attains it.")
    explanation = conversions.explain(RenyiDP([2, 8], [0.0, 0.0]), to=AlphaDP, order=2.0)
    assert (explanation.value, explanation.note) == (0, "No number is smaller.")


def test_a_renyi_claim_holds_at_smaller_orders_too() -> None:
    # the bound 0.1 at order 8 also holds at all smaller orders, because Rényi divergences increase
    # with the order
    claim = RenyiDP([2, 8], [0.3, 0.1])
    assert convert(claim, to=AlphaDP, order=1.5) == convert(
        RenyiDP(1.5, 0.1), to=AlphaDP, order=1.5
    )
    assert convert(claim, to=AlphaDP, order=8.0).epsilon == pytest.approx(math.expm1(0.7) / 56)


def test_total_variation_bounds_what_a_channel_tells() -> None:
    def most(delta: float, outputs: float, inputs: float) -> float:
        return conversions.total_variation_to_mutual_information(
            delta, output_size=outputs, input_size=inputs
        )

    entropy = -0.01 * math.log(0.01) - 0.99 * math.log(0.99)
    for outputs, inputs, size in ((5, 100, 5), (9, 3, 4), (7, 6, 7), (math.inf, 3, 4)):
        bound = 2 * entropy + 0.02 * math.log(size)
        assert most(0.01, outputs, inputs) == pytest.approx(bound, rel=1e-14)
    assert most(0.5, 2, 2) == most(0.6, 2, 9) == most(1.0, 9, 2) == pytest.approx(math.log(2))
    # rounding may make the float logarithm of `size` too small; check in 40 digits that the bound
    # is not too small
    for size in range(2, 60):
        log = mpmath.mp.clone()
        log.dps = 40
        bound = convert(ApproxDP(0.0, 1.0), to=MutualInformationDP, output_size=size, input_size=99)
        assert log.mpf(bound.epsilon) >= log.log(size)
    assert most(0.5, 2**40, 2**40) == pytest.approx(40 * math.log(2))
    assert most(0.4, 1, math.inf) == 0
    assert most(0.0, math.inf, math.inf) == 0 and most(1e-9, math.inf, math.inf) == math.inf
    for wrong in (0, 1.5, -math.inf, math.nan):
        with pytest.raises(ValueError, match=r"^output_size must be an integer >= 1 or inf, got"):
            most(0.1, wrong, 2)
        with pytest.raises(ValueError, match=r"^input_size must be an integer >= 1 or inf, got"):
            most(0.1, 2, wrong)


# --- how far theorems that are not tight may be from the truth ------------------------------


def gap_of(claim: Guarantee, to: type[Guarantee], by: str | None = None, **at: Any) -> float:
    edge = next(
        e for e in EDGES if (e.source, e.target) == (type(claim), to) and by in (None, e.name)
    )
    assert edge.gap is not None
    return edge.gap(claim, **at)


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 2.0, 6.0])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_channels_on_a_circle_nearly_reach_what_pure_claims_imply(
    epsilon: float, adjacency: Adjacency
) -> None:
    claim = PureDP(epsilon, adjacency=adjacency)
    implied = convert(claim, to=MutualInformationDP).epsilon
    gap = gap_of(claim, MutualInformationDP)
    # `gap` is `implied` minus the mutual information of an example, a channel between a million
    # points on a circle
    assert 0 <= gap < 1e-5 * math.exp(epsilon) * implied
    # `best` is the largest mutual information of such channels between 1000 points. Each row is the
    # first row rotated, so with a uniform prior the first row determines the information
    points, best = 1000, 0.0
    for arc in range(1, points):
        if adjacency is Adjacency.REPLACE_ONE:  # any two rows are within a factor e^epsilon
            rows = np.exp(np.where(np.arange(points) < arc, epsilon, 0.0))
        else:  # each row is within a factor e^epsilon of an absent person's row, the uniform one
            low = math.exp(-epsilon)
            rows = np.where(np.arange(points) < arc, (points - (points - arc) * low) / arc, low)
            if rows[0] > math.exp(epsilon):
                continue
        row = rows / rows.sum()
        best = max(best, float(np.sum(row * np.log(row * points))))
    assert best <= implied * (1 + 1e-9)
    assert best >= (implied - gap) * (1 - 0.1)
    assert gap_of(PureDP(0.0, adjacency=adjacency), MutualInformationDP) == 0


def test_the_sign_of_a_sample_tells_less_than_the_divergence() -> None:
    from scipy.special import ndtr

    for mu in (0.01, 1.0, 5.0):
        sign = divergences.binary_symmetric_capacity(float(ndtr(-mu / 2)))
        for claim in (GaussianDP(mu), ZCDP(mu * mu / 2)):
            gap = gap_of(claim, MutualInformationDP)
            assert gap == pytest.approx(mu * mu / 2 - sign, rel=1e-9)


def test_randomized_response_tells_what_the_gap_of_renyi_claims_says() -> None:
    claim = RenyiDP([1.5, 4.0, math.inf], [0.2, 0.3, 0.9])
    told = claim.epsilons[0] - gap_of(claim, MutualInformationDP)
    assert convert(claim, to=MutualInformationDP).epsilon == 0.2

    def response(epsilon: float) -> DiscreteLoss:
        loss = RandomizedResponse(epsilon).privacy_loss()
        assert isinstance(loss, DiscreteLoss)
        return loss

    epsilons = np.linspace(0.1, 1.0, 2001)
    true = max(e for e in epsilons if claim.holds_for(response(e)))
    reached = MutualInformationDP.tightest(response(true)).epsilon
    assert told == pytest.approx(reached, rel=2e-3)


def test_an_erasure_channel_tells_what_the_gap_of_approximate_claims_says() -> None:
    claim = ApproxDP(0.0, 0.2)
    for inputs, outputs, shown in ((3, 9, 3), (9, 4, 3)):
        at = {"output_size": outputs, "input_size": inputs}
        erased = np.hstack((0.2 * np.eye(shown), np.full((shown, 1), 0.8)))
        loss = DiscreteLoss(erased[0], erased[1])
        assert claim.holds_for(loss)
        told = channels.mutual_information(np.full(shown, 1 / shown), erased)
        implied = convert(claim, to=MutualInformationDP, **at).epsilon
        assert implied - gap_of(claim, MutualInformationDP, **at) == pytest.approx(told, rel=1e-12)
    assert gap_of(ApproxDP(0, 0.2), MutualInformationDP, output_size=1, input_size=2) == 0


@pytest.mark.slow
def test_gaps_between_theorems_and_to_normals_are_differences() -> None:
    def epsilon(claim: Guarantee, by: str | None = None, delta: float = 1e-4) -> float:
        return convert(claim, to=ApproxDP, by=by, delta=delta).epsilon

    for claim in (RenyiDP([2, 8], [0.1, 0.3]), AlphaDP(8, 0.3), ZCDP(0.1)):
        for edge in EDGES:
            if (edge.source, edge.target) != (type(claim), ApproxDP) or "delta" not in (
                edge.parameters
            ):
                continue
            if edge.rival.startswith("the theorem of"):
                more = epsilon(claim, edge.name) - epsilon(claim)
            elif edge.rival:
                more = epsilon(claim, edge.name) - epsilon(GaussianDP(math.sqrt(0.2)))
            else:
                continue
            assert more > 0
            assert gap_of(claim, ApproxDP, edge.name, delta=1e-4) == pytest.approx(more, rel=1e-9)
    claim = RenyiDP([2, 8], [0.1, 0.3])
    more = math.sqrt(0.05) - convert(claim, to=ApproxDP, epsilon=0.0).delta
    assert gap_of(claim, ApproxDP, "Pinsker") == pytest.approx(more, rel=1e-9)
    at = {"epsilon": 1.0}
    more = convert(ZCDP(0.1), to=ApproxDP, **at).delta - GaussianDP(math.sqrt(0.2)).delta_at(1.0)
    assert gap_of(ZCDP(0.1), ApproxDP, **at) == pytest.approx(more, rel=1e-9)
    more = 0.5 - math.tanh(0.5)
    assert gap_of(PureDP(1.0), ZCDP, "Bun-Steinke") == pytest.approx(more, rel=1e-9)


def test_tangents_are_too_large_between_their_points() -> None:
    claim, epsilons = GaussianDP(1.0), [0.3, 1.0, 2.5]
    curve = convert(claim, to=FDP, epsilons=epsilons)
    gap = gap_of(claim, FDP, epsilons=epsilons)
    grid = np.linspace(0, 8, 801)
    most = max(curve.delta_at(e) - claim.delta_at(e) for e in grid)
    assert 0.5 * most < gap <= most * (1 + 1e-6)
    assert all(curve.delta_at(e) >= claim.delta_at(e) for e in grid)


def test_the_bracket_of_a_law_is_narrow() -> None:
    claim = PLD.tightest(DiscreteLoss([0.2, 0.5, 0.3], [0.3, 0.3, 0.4])).self_compose(3)
    rho = convert(claim, to=ZCDP).rho
    assert 0 <= gap_of(claim, ZCDP) < 2e-6 * rho


def test_the_ends_of_concentrated_claims() -> None:
    assert convert(ZCDP(0.1), to=RenyiDP, orders=1.0).epsilons == (0.1,)
    with pytest.raises(ValueError, match=r"^orders must be finite and >= 1, got orders=inf"):
        convert(ZCDP(0.1), to=RenyiDP, orders=math.inf)
    # 0-zCDP means that the mechanism reveals nothing, so every conversion must give epsilon 0
    for edge in EDGES:
        if (edge.source, edge.target) == (ZCDP, ApproxDP):
            assert convert(ZCDP(0.0), to=ApproxDP, by=edge.name, delta=1e-9).epsilon == 0
    # in the first call a factor of the formula overflows; in the next two, rho is 0 or epsilon is
    # infinite
    assert conversions.zcdp_to_delta_bun_steinke(1e-310, 1.0) < 1e-300
    assert conversions.zcdp_to_delta_bun_steinke(0.0, 0.0) == 0
    assert conversions.zcdp_to_delta_bun_steinke(2.0, math.inf) == 0
    for epsilon, delta in ((1.9, 1.0), (2.5, conversions.zcdp_to_delta_bun_steinke(2.0, 2.5))):
        found = convert(ZCDP(2.0), to=ApproxDP, by="Bun-Steinke tail", epsilon=epsilon)
        # for epsilon below rho the theorem gives no bound, so delta is 1
        assert found == ApproxDP(epsilon, delta)
    # at epsilon = rho = 2 the exponential in the formula is 1, so delta is its other factor
    at = 2 / (1 + math.sqrt(1 + 2 / math.pi))
    assert conversions.zcdp_to_delta_bun_steinke(2.0, 2.0) == pytest.approx(at, rel=1e-13)


def test_pure_privacy_of_nothing_and_squares_that_are_rounded() -> None:
    assert conversions.pure_to_kl(0.0) == 0
    for edge in EDGES:
        if edge.source is PureDP and edge.parameters in ((), ("order",)):
            at = {name: 3.0 for name in edge.parameters}
            implied = convert(PureDP(0.0), to=edge.target, by=edge.name, **at)
            assert implied.delta_at(0.0) < 1e-150
    rng = np.random.default_rng(12)
    for epsilon in map(float, 10 ** rng.uniform(-8, 2, 200)):
        rho = convert(PureDP(epsilon), to=ZCDP, by="Bun-Steinke").rho
        assert Fraction(rho) >= Fraction(epsilon) ** 2 / 2
        assert Fraction(math.nextafter(rho, 0.0)) < Fraction(epsilon) ** 2 / 2


def test_an_alpha_claim_that_says_nothing_implies_nothing() -> None:
    claim = AlphaDP(2, math.inf)
    for by in ("joint range", "Canonne-Kamath-Steinke"):
        assert convert(claim, to=ApproxDP, by=by, epsilon=3.0).delta == 1
        assert convert(claim, to=ApproxDP, by=by, delta=1.0).epsilon == 0
        with pytest.raises(ValueError, match=r"^delta must be larger"):
            convert(claim, to=ApproxDP, by=by, delta=0.5)


def test_the_order_infinity_and_orders_near_one() -> None:
    claim = RenyiDP([2, 3, math.inf], [0.1, 0.2, 0.5])
    assert convert(claim, to=ApproxDP, delta=0.0).epsilon == 0.5
    # Pinsker's inequality bounds the total variation by less than 0.3, so epsilon is 0 at delta =
    # 0.3
    assert convert(claim, to=ApproxDP, delta=0.3) == ApproxDP(0.0, 0.3)
    assert convert(claim, to=ApproxDP, by="Pinsker") == ApproxDP(
        0.0, conversions.pinsker_total_variation(0.1)
    )
    assert convert(claim, to=ApproxDP, epsilon=0.49).delta <= PureDP(0.5).delta_at(0.49)
    assert conversions.explain(claim, to=ApproxDP, delta=0.0).order == math.inf
    one = convert(RenyiDP(1.25, 1e-3), to=ApproxDP, by="Mironov", delta=0.1)
    assert one.epsilon == conversions.renyi_to_epsilon_mironov(1.25, 1e-3, 0.1)


def test_of_many_orders_the_best_ones_are_looked_at() -> None:
    orders = [*np.linspace(1.05, 1.5, 25), 12.0, *np.linspace(200, 900, 25)]
    claim = RenyiDP(orders, [0.05 * a for a in orders])
    best = RenyiDP(12.0, 0.6)
    for at in ({"epsilon": 1.0}, {"delta": 1e-5}):
        many, one = (convert(c, to=ApproxDP, **at) for c in (claim, best))
        assert many.epsilon <= one.epsilon * (1 + 1e-9)
        assert many.delta <= one.delta * (1 + 1e-9)


def test_an_arc_that_holds_everything_tells_where_it_is() -> None:
    assert _witness.information_of_arcs(0.25, 0.0) == math.log(4)
    assert _witness.information_of_arcs(1.0, 0.5) == 0
    assert _witness.information_of_arcs(0.25, 1e-300) == pytest.approx(math.log(4))
