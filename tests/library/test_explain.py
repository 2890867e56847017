"""Tests of `explain`, which tells which epsilon or delta a guarantee implies, and why.

They check the value, the Rényi order and the theorem in the explanation, and when it calls the
value exact.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from claims import CLAIMS
from pseudo import untranslated

from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    Explanation,
    Guarantee,
    MutualInformationDP,
    PureDP,
    RenyiDP,
)
from dpteach._language import speaking
from dpteach._numerics import rounded_down, rounded_up
from dpteach.notions._joint_range import delta_of_renyi, epsilon_of_renyi

INF = math.inf
ORDERS = RenyiDP([1, 1.5, 2, 8, 64, INF], [0.01, 0.02, 0.02, 0.3, 1.0, 1.2])
ALL: list[Guarantee] = [
    *CLAIMS,
    ORDERS,
    RenyiDP(8, 0.1),
    RenyiDP(1, 0.1),
    RenyiDP(INF, 0.1),
    ZCDP(0.0),
    AlphaDP(6, 0.3),
    AlphaDP(6, INF),
    MutualInformationDP(0.2),
    MutualInformationDP(1.0),
]


@pytest.mark.parametrize("claim", ALL, ids=repr)
def test_the_number_explained_is_the_number_returned(claim: Guarantee) -> None:
    for epsilon in (0, 0.3, 2.0, INF):
        explanation = claim.explain(epsilon=epsilon)
        assert explanation.value == claim.delta_at(epsilon)
        assert explanation.quantity.startswith("delta at epsilon=")
        assert explanation.theorem in str(explanation) and explanation.kind in str(explanation)
        assert explanation.kind == "exact" or explanation.value > 0
    for delta in (0, 1e-300, 1e-5, 0.3, 1):
        explanation = claim.explain(delta=delta)
        assert explanation.value == claim.epsilon_at(delta)
        assert explanation.quantity.startswith("epsilon at delta=")
        assert explanation.kind in ("exact", "upper bound")


WORDS = Path(__file__).parent / "data" / "explanations.txt"


@pytest.mark.parametrize("paragraph", WORDS.read_text("utf-8").split("\n\n"))
def test_the_words_a_reader_sees(paragraph: str) -> None:
    """Each explanation equals its recorded text, which a person has proofread."""
    first, *sentences = paragraph.splitlines()
    names = {type(claim).__name__: type(claim) for claim in ALL} | {"inf": INF}
    claim = eval(first, names)
    for sentence in map(str.strip, sentences):
        at = re.match(r"\w+ at (epsilon|delta)=(\S+) is ", sentence)
        assert at
        assert str(claim.explain(**{at[1]: float(at[2])})) == sentence


@pytest.mark.parametrize("x", [2.446252684, 6.187656772, 1e-300, 7.25e-310, 99999.97, 123456789.0])
def test_words_round_a_bound_to_its_own_side(x: float) -> None:
    assert float(rounded_down(x)) <= x <= float(rounded_up(x))
    assert float(rounded_up(x)) - float(rounded_down(x)) <= 1.001e-5 * x + 1e-315
    for kind, least, most in (("upper bound", x, INF), ("exact", x, INF), ("lower bound", 0.0, x)):
        words = str(Explanation(x, "epsilon", "a theorem", kind))  # type: ignore[arg-type]
        assert least <= float(words.split(" is ")[1].split(". It")[0]) <= most
    assert str(Explanation(x, "epsilon", "hope", "estimate")).startswith(f"epsilon is {x:.6g}. ")


def test_nothing_is_less_than_zero() -> None:
    explanation = RenyiDP(8, 0.1).explain(delta=0.1)
    assert (explanation.value, explanation.kind, explanation.binding) == (0, "exact", False)
    assert explanation.note == ""
    for claim in (RenyiDP(8, 0.1), ZCDP(0.1), AlphaDP(8, 0.1)):
        explanation = claim.explain(delta=0.9)
        assert explanation.theorem == "Pinsker's inequality"
        assert (explanation.value, explanation.kind, explanation.binding) == (0, "exact", False)


def test_the_order_that_won_and_its_neighbours() -> None:
    explanation = ORDERS.explain(delta=1e-2)
    assert explanation.order == 2 and not explanation.binding
    # the library's bound is tighter than the closed formula `epsilon_of_renyi`, which would choose
    # order 8
    assert explanation.value == pytest.approx(RenyiDP(2, 0.02).epsilon_at(1e-2), rel=1e-12)
    assert explanation.value < epsilon_of_renyi(8, 0.3, 1e-2)
    for order, bound in ((1.5, 0.02), (8, 0.3)):
        alone = RenyiDP(order, bound).epsilon_at(1e-2)
        assert f"order {order} gives {rounded_up(alone)}" in str(explanation)
        assert alone > explanation.value
    explanation = ORDERS.explain(epsilon=1)
    assert explanation.order == 8
    assert explanation.value == pytest.approx(RenyiDP(8, 0.3).delta_at(1), rel=1e-12)
    assert explanation.value < delta_of_renyi(8, 0.3, 1)


@pytest.mark.parametrize(
    ("claim", "delta", "order", "words"),
    [
        (ORDERS, 1e-5, 64, "largest given order"),
        (RenyiDP([9, 10], [1, 2]), 0.01, 9, "smallest given order"),
        (RenyiDP(8, 0.1), 1e-5, 8, "no other order"),
        (AlphaDP(8, 0.1), 1e-5, 8, "no other order"),
        (RenyiDP(1, 0.1), 1e-5, 1, "no order above 1"),
    ],
)
def test_orders_that_bind(claim: Guarantee, delta: float, order: float, words: str) -> None:
    explanation = claim.explain(delta=delta)
    assert explanation.binding and explanation.order == order
    assert words in explanation.note.lower()
    # if a claim has a single order, the value is exact, because some pair of distributions attains
    # it. If the claim has several orders, the other orders may exclude this pair, so the value is
    # only an upper bound
    assert explanation.kind == ("exact" if words == "no other order" else "upper bound")


def test_one_order_more_helps_where_the_orders_bind() -> None:
    claim = RenyiDP([2, 4], [0.2, 0.4])
    assert claim.explain(delta=1e-5).binding
    wider = RenyiDP([2, 4, 8, 16], [0.2, 0.4, 0.8, 1.6])
    assert not wider.explain(delta=1e-5).binding
    assert wider.epsilon_at(1e-5) < claim.epsilon_at(1e-5)


def test_the_order_infinity_is_pure_privacy() -> None:
    explanation = ORDERS.explain(delta=0)
    assert (explanation.value, explanation.order, explanation.binding) == (1.2, INF, False)
    assert "The order 64 gives inf" in explanation.note
    assert RenyiDP(INF, 0.3).explain(delta=1e-3).kind == "exact"


def test_pinsker_is_named_where_it_wins() -> None:
    for claim in (ORDERS, ZCDP(0.5)):
        assert claim.explain(epsilon=0).theorem == "Pinsker's inequality"
        assert claim.explain(delta=0.9).theorem == "Pinsker's inequality"
    assert RenyiDP(2, 0.0).explain(epsilon=0).kind == "exact"
    # Pinsker's inequality needs a bound at order 1. The bound at order 2 also holds at order 1,
    # but a bound stated at order 1 could be smaller. So `binding` must say that further orders
    # could help
    assert RenyiDP(2, 0.1).explain(epsilon=0).binding
    assert not RenyiDP(1, 0.1).explain(epsilon=0).binding


def test_the_best_real_order_of_zcdp_lies_between_whole_ones() -> None:
    claim = ZCDP(0.5)
    for explanation, implied in (
        (claim.explain(delta=1e-5), lambda a: epsilon_of_renyi(a, 0.5 * a, 1e-5)),
        (claim.explain(epsilon=3), lambda a: delta_of_renyi(a, 0.5 * a, 3)),
    ):
        order = explanation.order
        assert order is not None
        low, high = math.floor(order), math.ceil(order)
        for whole in (low, high):
            assert f"The order {whole} gives {rounded_up(implied(whole))}" in explanation.note
            assert implied(whole) >= explanation.value
        for near in (order * 0.999, order * 1.001):
            assert implied(near) >= explanation.value * (1 - 1e-12)


def test_exact_means_that_a_pair_reaches_it() -> None:
    response = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    for claim in (PureDP.tightest(response), ApproxDP.tightest(response, epsilon=0.4)):
        for epsilon in (0.0, 0.2, 1.0):
            explanation = claim.explain(epsilon=epsilon)
            assert explanation.kind == "exact"
            if isinstance(claim, PureDP):
                reached = response.hockey_stick(epsilon)
                assert explanation.value == pytest.approx(reached, abs=1e-12)
    information = MutualInformationDP.tightest(response).explain(epsilon=0)
    assert information.kind == "exact"
    assert information.value == pytest.approx(response.total_variation(), rel=1e-9)
    assert "binary channels" in MutualInformationDP(0.2).explain(epsilon=1).theorem
    assert "binary channels" in MutualInformationDP(0.2).explain(delta=0.45).theorem
    assert "reveal which of" in MutualInformationDP(0.2).explain(delta=0.1).note


def test_exactly_one_point_is_asked_for() -> None:
    for at in ({}, {"epsilon": 1.0, "delta": 0.1}):
        with pytest.raises(TypeError, match="one at a time"):
            PureDP(1).explain(**at)
    with pytest.raises(ValueError, match=r"epsilon must be .* got epsilon=nan"):
        ZCDP(1).explain(epsilon=math.nan)
    with pytest.raises(TypeError, match="delta must be a real number"):
        ZCDP(1).explain(delta="1")  # type: ignore[arg-type]


def test_an_explanation_is_a_sentence() -> None:
    whole = Explanation(
        0.25, "epsilon at delta=0.1", "a theorem", "lower bound", 2.5, True, "One order was tried."
    )
    assert str(whole) == (
        "epsilon at delta=0.1 is 0.25. It is a lower bound, by a theorem, at order 2.5. "
        "One order was tried."
    )
    assert whole == Explanation(
        value=0.25,
        quantity="epsilon at delta=0.1",
        theorem="a theorem",
        kind="lower bound",
        order=2.5,
        binding=True,
        note="One order was tried.",
    )


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"value": math.nan}, ValueError),
        ({"value": "1"}, TypeError),
        ({"quantity": 1}, TypeError),
        ({"theorem": None}, TypeError),
        ({"kind": "sharp"}, ValueError),
        ({"order": math.nan}, ValueError),
        ({"binding": 1}, TypeError),
        ({"note": None}, TypeError),
    ],
)
def test_an_explanation_checks_its_parts(wrong: dict[str, object], error: type) -> None:
    good = {"value": 1.0, "quantity": "q", "theorem": "t", "kind": "exact"}
    (name,) = wrong
    with pytest.raises(error, match=f"^{name} must be"):
        Explanation(**(good | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: type(claim).__name__)
def test_an_explanation_is_translated(claim: Guarantee) -> None:
    for at in ({"epsilon": 0.5}, {"delta": 1e-3}, {"delta": 0.0}):
        with speaking("en-XA"):
            explanation = claim.explain(**at)
            told = str(explanation)
        # only the name of the theorem and "inf" may stay untranslated
        assert untranslated(told, explanation.theorem, "inf") == []
