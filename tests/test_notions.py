"""Notions as values: equality, composition, profiles read in their two directions."""

from __future__ import annotations

import dataclasses
import math

import pytest

from dpteach import (
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
)

INF = math.inf
ALL: list[Guarantee] = [
    PureDP(1.5),
    ApproxDP(1.5, 1e-3),
    RenyiDP([1, 2, 16, INF], [0.1, 0.3, 1.2, 2.0]),
    RenyiDP(5, 0.5),
    ZCDP(0.4),
    AlphaDP(6, 0.3),
    MutualInformationDP(0.2),
    GaussianDP(0.9),
]
PERFECT: list[Guarantee] = [
    PureDP(0),
    ApproxDP(0, 0),
    RenyiDP(2, 0),
    ZCDP(0),
    AlphaDP(2, 0),
    MutualInformationDP(0),
    GaussianDP(0),
]


@pytest.mark.parametrize("claim", ALL, ids=repr)
class TestValues:
    def test_is_a_value(self, claim: Guarantee) -> None:
        twin = dataclasses.replace(claim)
        assert twin == claim and hash(twin) == hash(claim)
        assert claim != dataclasses.replace(claim, adjacency=Adjacency.REPLACE_ONE)
        with pytest.raises(dataclasses.FrozenInstanceError):
            claim.adjacency = Adjacency.REPLACE_ONE  # type: ignore[misc]

    def test_repr_makes_it_again(self, claim: Guarantee) -> None:
        names = {type(c).__name__: type(c) for c in ALL} | {"inf": INF, "Adjacency": Adjacency}
        for one in (claim, dataclasses.replace(claim, adjacency=Adjacency.REPLACE_ONE)):
            assert eval(repr(one), names) == one

    def test_profile_falls(self, claim: Guarantee) -> None:
        deltas = [claim.delta_at(e) for e in (0, 0.01, 0.1, 0.5, 1, 2, 4, 8, 64, INF)]
        assert all(1 >= left >= right >= 0 for left, right in zip(deltas, deltas[1:]))  # noqa: B905, RUF007
        epsilons = [claim.epsilon_at(d) for d in (0, 1e-300, 1e-30, 1e-5, 0.01, 0.3, 0.9, 1)]
        assert all(left >= right >= 0 for left, right in zip(epsilons, epsilons[1:]))  # noqa: B905, RUF007
        assert epsilons[-1] == 0

    def test_profile_and_its_inverse_agree(self, claim: Guarantee) -> None:
        for delta in (1e-300, 1e-30, 1e-5, 0.01, 0.3):
            epsilon = claim.epsilon_at(delta)
            if epsilon < INF:
                assert claim.delta_at(epsilon) <= delta * (1 + 1e-11)
                if epsilon > 0:
                    assert claim.delta_at(epsilon * 0.999) >= delta or isinstance(claim, ApproxDP)

    def test_self_composition_is_repeated_composition(self, claim: Guarantee) -> None:
        thrice, by_hand = claim.self_compose(3), claim.compose(claim, claim)
        for field in dataclasses.fields(claim):
            left, right = getattr(thrice, field.name), getattr(by_hand, field.name)
            assert left == (right if field.name == "adjacency" else pytest.approx(right))
        assert claim.self_compose(1) == claim == claim.compose()


@pytest.mark.parametrize("claim", PERFECT, ids=repr)
def test_perfect_privacy(claim: Guarantee) -> None:
    assert claim.delta_at(0) < 1e-100
    assert claim.epsilon_at(1e-100) == 0
    assert claim.self_compose(1000).delta_at(0) < 1e-100
    assert claim.holds_for(DiscreteLoss([0.3, 0.7], [0.3, 0.7]))
    assert not claim.holds_for(DiscreteLoss([0.3, 0.7], [0.4, 0.6]))


def test_both_orders_of_a_pair_are_bound() -> None:
    loss = DiscreteLoss([1.0, 0.0], [0.5, 0.5])  # bounded one way, infinite the other
    assert loss.max() < INF
    for claim in (PureDP(5), RenyiDP(2, 100), AlphaDP(2, 100), GaussianDP(100)):
        assert not claim.holds_for(loss)
    with pytest.raises(ValueError, match="epsilon must be finite"):
        PureDP.tightest(loss)
    with pytest.raises(ValueError, match="mu must be finite"):
        GaussianDP.tightest(loss)
    with pytest.raises(ValueError, match="bounded"):
        ZCDP.tightest(loss)


def test_tightest_claims_hold_and_smaller_ones_do_not() -> None:
    loss = DiscreteLoss([0.6, 0.3, 0.1], [0.3, 0.3, 0.4])
    pairs: list[tuple[Guarantee, Guarantee]] = [
        (t := PureDP.tightest(loss), PureDP(t.epsilon * 0.999)),
        (a := ApproxDP.tightest(loss, epsilon=0.2), ApproxDP(0.2, a.delta * 0.999)),
        (r := RenyiDP.tightest(loss, orders=[2, 9]), RenyiDP(2, r.epsilons[0] * 0.999)),
        (al := AlphaDP.tightest(loss, order=3), AlphaDP(3, al.epsilon * 0.999)),
        (g := GaussianDP.tightest(loss), GaussianDP(g.mu * 0.999)),
        (z := ZCDP.tightest(loss), ZCDP(z.rho * 0.97)),
        (
            m := MutualInformationDP.tightest(loss),
            MutualInformationDP(m.epsilon * 0.999),
        ),
    ]
    for tight, smaller in pairs:
        assert tight.holds_for(loss), tight
        assert not smaller.holds_for(loss), smaller


def test_a_gaussian_profile_covers_the_pair_that_it_is_tightest_for() -> None:
    loss = DiscreteLoss([0.6, 0.3, 0.1], [0.3, 0.3, 0.4])
    claim = GaussianDP.tightest(loss)
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0):
        worst = max(loss.hockey_stick(epsilon), loss.reversed().hockey_stick(epsilon))
        assert worst <= claim.delta_at(epsilon)


def test_the_same_mechanism_through_three_notions() -> None:
    # 64 releases, sigma 10: the tightest notion knows most
    exact = Gaussian(10).guarantee(GaussianDP).self_compose(64).epsilon_at(1e-6)
    concentrated = Gaussian(10).guarantee(ZCDP).self_compose(64).epsilon_at(1e-6)
    one_order = Gaussian(10).guarantee(RenyiDP, orders=8).self_compose(64).epsilon_at(1e-6)
    assert exact == pytest.approx(3.80, abs=0.005)
    assert concentrated == pytest.approx(4.06, abs=0.005)
    assert exact < concentrated <= one_order


def test_alpha_composition_has_the_product_term() -> None:
    left, right = AlphaDP(8, 0.1), AlphaDP(8, 0.3)
    assert left.compose(right).epsilon == pytest.approx(0.1 + 0.3 + 8 * 7 * 0.1 * 0.3)
    # far beyond floats: the claim says nothing, and says so
    assert AlphaDP(100, 1).self_compose(1000) == AlphaDP(100, INF)
    assert AlphaDP(100, INF).compose(AlphaDP(100, 0)).epsilon == INF
    assert AlphaDP(100, INF).delta_at(3) == 1
    assert AlphaDP(100, INF).epsilon_at(0.5) == INF


def test_orders_are_sorted_and_kept_as_floats() -> None:
    claim = RenyiDP([16, 2], [3, 1])
    assert claim == RenyiDP((2.0, 16.0), (1.0, 3.0))
    assert all(type(x) is float for x in claim.orders + claim.epsilons)


def test_randomized_response_is_a_local_notion() -> None:
    assert RandomizedResponse(1).guarantee(PureDP).adjacency is Adjacency.REPLACE_ONE
