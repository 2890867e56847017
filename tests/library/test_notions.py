"""Tests of guarantees such as `RenyiDP`: equality, composition, delta as a function of epsilon."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from claims import CLAIMS, EXAMPLES, TOLD

from dpteach import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    notions,
)
from dpteach.notions._base import times
from dpteach.notions._joint_range import delta_of_renyi, epsilon_of_renyi
from dpteach.notions.alpha import renyi_of_alpha
from dpteach.notions.mutual_information import coins_of_mutual_information
from dpteach.notions.pure import alpha_of_response, renyi_of_response
from dpteach.notions.zero_concentrated import _below_chord, _slope

INF = math.inf
ALL: list[Guarantee] = [
    *CLAIMS,
    RenyiDP([1, 2, 16, INF], [0.1, 0.3, 1.2, 2.0]),
    AlphaDP(6, 0.3),
    MutualInformationDP(0.2),
    GaussianDP(0.9),
    FDP([0.0, 0.5, 1.5], [0.4, 0.1, 1e-3]),
    FDP(2.0, 0.0),
    PLD([-1.0, 1.0], [0.25, 0.75], [-1.0, 1.0], [0.25, 0.75]),
    PLD([-1.0, 1.0, INF], [0.2, 0.7, 0.1], [-1.0, 1.0, INF], [0.2, 0.7, 0.1]),
]
PERFECT: list[Guarantee] = [
    PureDP(0),
    ApproxDP(0, 0),
    RenyiDP(2, 0),
    ZCDP(0),
    AlphaDP(2, 0),
    MutualInformationDP(0),
    GaussianDP(0),
    ProbabilisticDP(0, 0),
    FDP(0, 0),
    PLD(0, 1, 0, 1),
]
#: notions whose delta(epsilon) does not tend to 0: from some epsilon on, delta equals its limit
LEVEL = (ApproxDP, ProbabilisticDP, FDP, PLD)


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
                    assert claim.delta_at(epsilon * 0.999) >= delta * (1 - 1e-9) or isinstance(
                        claim, LEVEL
                    )

    def test_self_composition_is_repeated_composition(self, claim: Guarantee) -> None:
        thrice, by_hand = claim.self_compose(3), claim.compose(claim, claim)
        if isinstance(claim, (FDP, PLD)):
            for epsilon in (0.0, 0.3, 1.0, 3.0, INF):
                right = pytest.approx(by_hand.delta_at(epsilon), rel=1e-11)
                assert thrice.delta_at(epsilon) == right
            assert claim.self_compose(1) == claim == claim.compose()
            return
        for field in dataclasses.fields(claim):
            left, right = getattr(thrice, field.name), getattr(by_hand, field.name)
            assert left == (right if field.name == "adjacency" else pytest.approx(right))
        assert claim.self_compose(1) == claim == claim.compose()

    def test_neighbours_stay_what_they_are(self, claim: Guarantee) -> None:
        local = dataclasses.replace(claim, adjacency=Adjacency.REPLACE_ONE)
        derived = [local.compose(local), local.self_compose(3), local.group(1)]
        if isinstance(local, PLD):
            derived.append(local.trade_off_curve())
        elif not isinstance(claim, MutualInformationDP):
            derived.append(local.group(2))
        assert all(one.adjacency is Adjacency.REPLACE_ONE for one in derived)


def test_neighbours_stay_what_they_are_without_a_large_loss_and_with_one_for_certain() -> None:
    for delta in (0.0, 1.0):
        claim = ProbabilisticDP(0.5, delta, adjacency=Adjacency.REPLACE_ONE)
        thrice = ProbabilisticDP(1.5, delta, adjacency=Adjacency.REPLACE_ONE)
        assert claim.self_compose(3) == claim.compose(claim, claim) == thrice


@pytest.mark.parametrize("claim", PERFECT, ids=repr)
def test_perfect_privacy(claim: Guarantee) -> None:
    assert claim.delta_at(0) < 1e-100
    assert claim.epsilon_at(1e-100) == 0
    assert claim.self_compose(1000).delta_at(0) < 1e-100
    assert claim.holds_for(DiscreteLoss([0.3, 0.7], [0.3, 0.7]))
    assert not claim.holds_for(DiscreteLoss([0.3, 0.7], [0.4, 0.6]))


def test_every_notion_has_its_claims() -> None:
    kinds = {getattr(notions, name) for name in notions.__all__}
    kinds = {kind for kind in kinds if issubclass(kind, Guarantee) and kind is not Guarantee}
    for where, found in (
        ("EXAMPLES of claims.py", set(EXAMPLES)),
        ("PERFECT of test_notions.py", {type(claim) for claim in PERFECT}),
    ):
        wrong = sorted(kind.__name__ for kind in kinds ^ found)
        assert not wrong, f"{where} must hold claims of each notion and of no other: {wrong}"
    assert all(type(claim) is kind for kind, claims in EXAMPLES.items() for claim in claims)


def test_both_orders_of_a_pair_are_bound() -> None:
    # the loss of this pair is at most log 2 in one direction and infinite in the other, so the pair
    # satisfies none of these guarantees
    loss = DiscreteLoss([1.0, 0.0], [0.5, 0.5])
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
        (f := FDP.tightest(loss), FDP(f.epsilons, [delta * 0.999 for delta in f.deltas])),
        (
            pr := ProbabilisticDP.tightest(loss, epsilon=0.2),
            ProbabilisticDP(0.2, pr.delta * 0.999),
        ),
    ]
    for tight, smaller in pairs:
        # a guarantee is about both directions of a pair (P, Q), so swapping P and Q must not matter
        for one in (loss, loss.reversed()):
            assert tight.holds_for(one), tight
            assert not smaller.holds_for(one), smaller


@pytest.mark.parametrize("place", range(3))
def test_a_claim_at_several_orders_holds_if_it_does_at_each(place: int) -> None:
    loss, orders = DiscreteLoss([0.6, 0.3, 0.1], [0.3, 0.3, 0.4]), (1.0, 3.0, math.inf)
    whole = RenyiDP.tightest(loss, orders=orders)
    assert whole.holds_for(loss)
    epsilons = list(whole.epsilons)
    epsilons[place] *= 0.999
    assert not RenyiDP(orders, epsilons).holds_for(loss)


def test_a_gaussian_profile_covers_the_pair_that_it_is_tightest_for() -> None:
    loss = DiscreteLoss([0.6, 0.3, 0.1], [0.3, 0.3, 0.4])
    claim = GaussianDP.tightest(loss)
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0):
        worst = max(loss.hockey_stick(epsilon), loss.reversed().hockey_stick(epsilon))
        assert worst <= claim.delta_at(epsilon)


def test_the_same_mechanism_through_three_notions() -> None:
    # a guarantee of Gaussian DP describes Gaussian noise exactly, so it gives the smallest epsilon
    # for 64 releases with sigma 10
    exact = Gaussian(10).guarantee(GaussianDP).self_compose(64).epsilon_at(1e-6)
    concentrated = Gaussian(10).guarantee(ZCDP).self_compose(64).epsilon_at(1e-6)
    one_order = Gaussian(10).guarantee(RenyiDP, orders=8).self_compose(64).epsilon_at(1e-6)
    assert exact == pytest.approx(3.80, abs=0.005)
    assert concentrated == pytest.approx(4.06, abs=0.005)
    assert exact < concentrated <= one_order


def test_alpha_composition_has_the_product_term() -> None:
    left, right = AlphaDP(8, 0.1), AlphaDP(8, 0.3)
    assert left.compose(right).epsilon == pytest.approx(0.1 + 0.3 + 8 * 7 * 0.1 * 0.3)
    # the composed epsilon exceeds the largest float, so the guarantee has an infinite epsilon
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


# --- properties of every notion on random pairs ---------------------------------------------

TIGHTEST: dict[str, Callable[[DiscreteLoss], Guarantee]] = {
    **{kind.__name__: partial(kind.tightest, **TOLD.get(kind, {})) for kind in EXAMPLES},  # type: ignore[attr-defined]
    "ApproxDP at 0": lambda loss: ApproxDP.tightest(loss, epsilon=0.0),
    "RenyiDP far out": lambda loss: RenyiDP.tightest(
        loss, orders=[1, 1 + 1e-9, 1.5, 2, 8, 200, INF]
    ),
    "AlphaDP near 1": lambda loss: AlphaDP.tightest(loss, order=1.001),
}
#: notions whose tightest guarantee for a pair requires a numerical search
SLOW = ("ZCDP", "MutualInformationDP")


def random_pair(rng: np.random.Generator, size: int) -> DiscreteLoss:
    return DiscreteLoss(*rng.dirichlet(np.full(size, rng.uniform(0.5, 5)), size=2))


def independent(one: DiscreteLoss, other: DiscreteLoss) -> DiscreteLoss:
    return DiscreteLoss(np.outer(one.p, other.p).ravel(), np.outer(one.q, other.q).ravel())


def weakest(claims: list[Guarantee]) -> Guarantee:
    """Return a guarantee that all given ones imply: each of its numbers is the largest among
    theirs.
    """
    names = [f.name for f in dataclasses.fields(claims[0]) if not f.kw_only]
    largest: dict[str, Any] = {
        name: np.max([getattr(claim, name) for claim in claims], axis=0).tolist() for name in names
    }
    return type(claims[0])(**largest)


@pytest.mark.parametrize("name", TIGHTEST)
def test_two_answers_have_the_composed_guarantee(name: str) -> None:
    rng = np.random.default_rng(20)
    for _ in range(4 if name in SLOW else 40):
        one, other = (random_pair(rng, int(rng.integers(2, 5))) for _ in range(2))
        claim = TIGHTEST[name](one).compose(TIGHTEST[name](other))
        assert claim.holds_for(independent(one, other)), claim


@pytest.mark.parametrize("name", [name for name in TIGHTEST if name not in ("FDP", "PLD")])
def test_the_second_mechanism_may_be_chosen_by_the_first_answer(name: str) -> None:
    rng = np.random.default_rng(21)
    for _ in range(3 if name in SLOW else 30):
        first = random_pair(rng, 3)
        second = [random_pair(rng, 3) for _ in range(3)]
        claim = TIGHTEST[name](first).compose(weakest([TIGHTEST[name](one) for one in second]))
        p = np.concatenate([x * one.p for x, one in zip(first.p, second, strict=True)])
        q = np.concatenate([x * one.q for x, one in zip(first.q, second, strict=True)])
        assert claim.holds_for(DiscreteLoss(p, q)), claim


@pytest.mark.parametrize("name", [name for name in TIGHTEST if name != "ProbabilisticDP"])
def test_post_processing_keeps_the_guarantee(name: str) -> None:
    rng = np.random.default_rng(22)
    for _ in range(5 if name in SLOW else 60):
        loss = random_pair(rng, int(rng.integers(2, 6)))
        channel = rng.dirichlet(np.full(int(rng.integers(1, 6)), 0.3), size=loss.p.size)
        laws = (np.minimum(law @ channel, 1.0) for law in (loss.p, loss.q))
        processed = DiscreteLoss(*laws)
        assert TIGHTEST[name](loss).holds_for(processed), (loss, channel)


def test_post_processing_breaks_the_probabilistic_guarantee() -> None:
    # three outcomes with losses 2, 0 and about -0.1; post-processing merges the first and the
    # second
    rare, seen = 0.1, 0.1 * math.exp(-2)
    # choose the probability `even` so that the merged outcome has loss 1
    even = (rare - math.e * seen) / (math.e - 1)
    loss = DiscreteLoss([rare, even, 1 - rare - even], [seen, even, 1 - seen - even])
    forgotten = DiscreteLoss(loss.p @ [[1, 0], [1, 0], [0, 1]], loss.q @ [[1, 0], [1, 0], [0, 1]])
    assert forgotten.max() == pytest.approx(1)
    claim = ProbabilisticDP.tightest(loss, epsilon=0.5)
    assert claim.delta == rare
    assert not claim.holds_for(forgotten)
    assert ProbabilisticDP.tightest(forgotten, epsilon=0.5).delta == pytest.approx(rare + even)
    # approximate DP, which the probabilistic claim implies, survives post-processing
    assert ApproxDP(0.5, rare).holds_for(loss) and ApproxDP(0.5, rare).holds_for(forgotten)


def test_every_approximate_pair_is_a_processed_probabilistic_one() -> None:
    from scipy.optimize import linprog

    epsilon = 0.4
    loss = DiscreteLoss([0.6, 0.4], [0.4, 0.6])
    delta = ApproxDP.tightest(loss, epsilon=epsilon).delta
    assert not ProbabilisticDP(epsilon, delta).holds_for(loss)
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    four = DiscreteLoss([delta, truth, 1 - delta - truth, 0], [0, 1 - delta - truth, truth, delta])
    assert ProbabilisticDP(epsilon, delta).holds_for(four)
    # some randomized map from the four outcomes to two must turn `four` into `loss`. The linear
    # program has an unknown for each of the four outcomes: the probability that the map turns it
    # into the first of the two
    channel = linprog(
        np.zeros(4), A_eq=[four.p, four.q], b_eq=[loss.p[0], loss.q[0]], bounds=[(0, 1)] * 4
    )
    assert channel.success


# --- errata of the sources about the notions --------------------------------------------------


def test_e6_e35_probabilistic_privacy_is_strictly_stronger() -> None:
    # erratum E6 in book/errata.md: Liu and Wang (2025) define "(epsilon, delta)-DP" by P(L >
    # epsilon) <= delta for the privacy loss L, that is, as probabilistic DP; erratum E35:
    # probabilistic DP implies (epsilon, delta)-DP, but not conversely
    from scipy.special import ndtr

    # for mu = 1 and epsilon = 1 the probability of a loss above epsilon is P(N(1/2, 1) > 1)
    gaussian = float(ndtr(-(1 / 1 - 1 / 2)))
    assert gaussian == pytest.approx(0.3085, abs=5e-5)
    assert GaussianDP(1.0).delta_at(1.0) == pytest.approx(0.1269, abs=5e-5)
    loss = DiscreteLoss([0.6, 0.4], [0.4, 0.6])
    probabilistic = ProbabilisticDP.tightest(loss, epsilon=0.4)
    approximate = ApproxDP.tightest(loss, epsilon=0.4)
    assert probabilistic.delta == 0.6
    assert approximate.delta == pytest.approx(0.0033, abs=5e-5)
    rng = np.random.default_rng(6)
    for _ in range(300):
        pair, epsilon = random_pair(rng, 4), float(rng.uniform(0, 1))
        delta = ProbabilisticDP.tightest(pair, epsilon=epsilon).delta
        assert ApproxDP(epsilon, delta).holds_for(pair)
        assert ApproxDP.tightest(pair, epsilon=epsilon).delta <= delta


def test_e7_the_range_is_one_event_of_many() -> None:
    # Liu and Wang (2025) print the inequality of pure DP for the whole range of outputs; for this
    # event it says 1 <= e^epsilon, which every mechanism satisfies
    loss = DiscreteLoss([1.0, 0.0], [0.0, 1.0])
    assert loss.p.sum() <= math.exp(0.0) * loss.q.sum()
    assert not ApproxDP(700.0, 0.5).holds_for(loss)


def test_e37_for_all_neighbours_and_all_events() -> None:
    # the inequality P(S) <= e^epsilon Q(S) + delta for one pair or one event S implies nothing
    # about other pairs and events
    fine, broken = DiscreteLoss([0.5, 0.5], [0.5, 0.5]), DiscreteLoss([1.0, 0.0], [0.5, 0.5])
    claim = ApproxDP(0.5, 0.01)
    assert claim.holds_for(fine) and not claim.holds_for(broken)
    # for the pair (Q, P), the first outcome as an event satisfies the inequality, although the
    # guarantee is false for the pair (P, Q)
    assert broken.q[0] <= math.exp(0.5) * broken.p[0] + 0.01
    # the hockey-stick divergence is the maximum of P(S) - e^epsilon Q(S) over events S
    events = [broken.p[0] - math.exp(0.5) * broken.q[0], broken.p[1] - math.exp(0.5) * broken.q[1]]
    assert broken.hockey_stick(0.5) == pytest.approx(max(events))


def test_e48_the_conversion_needs_both_orders() -> None:
    # for P = (1, 0) and Q = (1/x, 1 - 1/x), the loss of P against Q is at most log x, and the
    # total variation is 1 - 1/x. If the loss of Q against P were at most log x, too, pure DP would
    # bound the total variation by tanh(log(x)/2). `excess` is the total variation minus this bound.
    # It is largest at x = 1 + sqrt 2, where it is 3 - 2 sqrt 2 = 0.172. (A search through random
    # pairs of distributions found only 0.152)
    def excess(x: float) -> float:
        loss = DiscreteLoss([1.0, 0.0], [1 / x, 1 - 1 / x])
        assert loss.hockey_stick(math.log(x) + 1e-12) == 0
        return loss.total_variation() - PureDP(math.log(x)).delta_at(0.0)

    most = excess(1 + math.sqrt(2))
    assert most == pytest.approx(3 - 2 * math.sqrt(2), rel=1e-12)
    assert most > 0.152
    assert all(excess(x) < most for x in (1.5, 2.0, 2.4, 2.5, 4.0, 50.0))
    # if both directions satisfy `claim`, its conversion to a smaller epsilon must be valid, too
    rng = np.random.default_rng(48)
    for _ in range(300):
        pair = random_pair(rng, 3)
        for epsilon in (0.1, 0.7):
            claim = ApproxDP.tightest(pair, epsilon=epsilon)
            for smaller in (0.0, 0.05, epsilon):
                found = max(pair.hockey_stick(smaller), pair.reversed().hockey_stick(smaller))
                assert found <= claim.delta_at(smaller)


# --- the profile of mutual-information privacy --------------------------------------------------


def capacity_of_coins(a: float, b: float) -> float:
    """Return the capacity of the binary channel with the rows (a, 1-a) and (b, 1-b), for b < a."""

    def entropy(x: float) -> float:
        return -sum(p * math.log(p) for p in (x, 1 - x) if p > 0)

    # y is the probability of heads under the mixture of both rows that attains the capacity
    y = 1 / (1 + math.exp((entropy(a) - entropy(b)) / (a - b)))
    heads = b * math.log(b / y) if b > 0 else 0.0
    return heads + (1 - b) * math.log((1 - b) / (1 - y))


@pytest.mark.parametrize("capacity", [0.01, 0.1, 0.5])
def test_mutual_information_has_the_profile_of_its_binary_channels(capacity: float) -> None:
    claim = MutualInformationDP(capacity)
    for epsilon in (0.0, 1e-3, 0.1, 1.0, 3.0, 8.0, 700.0):
        delta = claim.delta_at(epsilon)
        reached = 0.0
        for b in (0.0, *np.exp(np.linspace(-12, -0.1, 25)) * 0.5):
            if capacity_of_coins(1.0, b) <= capacity:
                a = 1.0
            else:  # find the largest a whose channel stays within the capacity
                low, high = b, 1.0
                for _ in range(45):
                    middle = (low + high) / 2  # b < middle, as `capacity_of_coins` requires
                    low, high = (
                        (middle, high)
                        if capacity_of_coins(middle, b) <= capacity
                        else (low, middle)
                    )
                a = low
            assert a - b * math.exp(epsilon) <= delta * (1 + 1e-9)
            reached = max(reached, a - b * math.exp(epsilon))
        # the search tries only few values of b, so it may miss the supremum, `delta`, by up to 30 %
        assert reached > 0.7 * delta
    assert claim.delta_at(INF) == pytest.approx(claim.delta_at(8.0), rel=1e-12)


@pytest.mark.parametrize("capacity", [1e-3, 0.1, 0.5, 0.69])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.5, 2.0, 7.9, 9.0, 700.0])
def test_two_coins_reach_the_profile_of_mutual_information(capacity: float, epsilon: float) -> None:
    claim = MutualInformationDP(capacity)
    a, b = coins_of_mutual_information(capacity, epsilon)
    assert capacity_of_coins(a, b) == pytest.approx(capacity, rel=1e-6)
    delta = claim.delta_at(epsilon)
    assert a - (math.exp(epsilon) * b if b > 0 else 0.0) == pytest.approx(delta, rel=1e-9)
    # skip large epsilons: there delta is nearly constant, because the worst mechanism reveals a
    # record with a small probability, so delta does not determine epsilon
    if 0 < epsilon <= 0.5:
        assert claim.epsilon_at(delta) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.slow
def test_mutual_information_profile_against_fifty_digits() -> None:
    import mpmath

    from dpteach.notions import mutual_information as module

    mp = mpmath.mp.clone()
    mp.dps = 50

    def divergence(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
        return x * mp.log(x / y) + (1 - x) * mp.log((1 - x) / (1 - y))

    rng = np.random.default_rng(31)
    for _ in range(15):
        capacity, epsilon = math.exp(rng.uniform(-25, -0.4)), math.exp(rng.uniform(-7, 1))
        found = MutualInformationDP(capacity).delta_at(epsilon)
        c, growth = mp.mpf(capacity), mp.exp(mp.mpf(epsilon))
        best = mp.mpf(0)
        least = -math.expm1(-capacity)
        # delta is attained by a channel with two inputs, which gives heads with probability a for
        # one of them and b for the other. Let y be the probability of heads under the prior that
        # attains the capacity; then KL(a || y) and KL(b || y) equal the capacity. The test tries
        # several y, so `best` is a lower bound on delta
        for part in np.linspace(0.001, 1, 12):
            y = least * (0.5 / least) ** float(part)
            rise, (_, low) = module._rise(y, capacity), module._fall(y, capacity)
            if low == 0 or y + rise == 1:
                continue
            a = mp.findroot(lambda x, y=y, c=c: divergence(x, mp.mpf(y)) - c, mp.mpf(y) + rise)
            b = mp.findroot(lambda x, y=y, c=c: divergence(x, mp.mpf(y)) - c, mp.mpf(low))
            # take the real part, because rounding may add a tiny imaginary part
            best = max(best, mp.re(a) - growth * mp.re(b))
        assert found >= best
    # if epsilon is infinite, the best b is 0. KL(0 || y) = -log(1 - y) must be the capacity, so y
    # is 1 - e^-capacity
    for capacity in (1e-9, 0.01, 0.3):
        c = mp.mpf(capacity)
        y = -mp.expm1(-c)
        a = mp.findroot(lambda x, y=y, c=c: divergence(x, y) - c, y * 2)
        found = MutualInformationDP(capacity).delta_at(INF)
        assert a <= found <= a * (1 + mp.mpf(10) ** -11)


def test_a_little_information_is_a_little_delta() -> None:
    # if the capacity is small, an event that reveals a record may have a probability of about
    # Euler's number times the capacity in nats
    for capacity in (1e-12, 1e-100, 1e-200):
        assert MutualInformationDP(capacity).delta_at(INF) == pytest.approx(math.e * capacity)
    assert MutualInformationDP(1e-12).delta_at(0.0) == pytest.approx(math.sqrt(2e-12))
    assert MutualInformationDP(1e-300).delta_at(5.0) == pytest.approx(math.sqrt(2e-300))
    assert MutualInformationDP(1e-300).epsilon_at(1e-200) == INF
    assert MutualInformationDP(math.log(2)).delta_at(700.0) == 1
    for capacity in (1e-200, 0.1, 0.6):
        claim = MutualInformationDP(capacity)
        for epsilon in (1e-3, 1.0):
            delta = claim.delta_at(epsilon)
            assert claim.epsilon_at(delta) == pytest.approx(epsilon, rel=1e-5)
            assert claim.delta_at(claim.epsilon_at(delta)) <= delta


def test_a_profile_falls_from_the_total_variation_to_what_gives_everything_away() -> None:
    for capacity in (1e-12, 0.3, 0.6):
        claim = MutualInformationDP(capacity)
        points = (0.0, 1e-300, 1e-17, 0.5, 5.0, 7.9, 9.0, INF)
        deltas = [claim.delta_at(epsilon) for epsilon in points]
        assert all(a >= b for a, b in itertools.pairwise(deltas)), capacity


def test_at_exactly_what_gives_everything_away_no_epsilon_is_enough() -> None:
    for capacity in (1e-6, 0.1, 0.3):
        claim = MutualInformationDP(capacity)
        assert claim.epsilon_at(claim.delta_at(INF)) == INF
        assert claim.epsilon_at(claim.delta_at(INF) * (1 + 1e-9)) < INF


def test_a_loss_that_rounding_put_above_epsilon_is_not_above_it() -> None:
    loss = DiscreteLoss([0.7, 0.3], [0.3, 0.7])
    assert ProbabilisticDP(math.nextafter(loss.max(), 0.0), 0.0).holds_for(loss)
    assert not ProbabilisticDP(loss.max() * (1 - 1e-9), 0.69).holds_for(loss)


# --- extremes ---------------------------------------------------------------------------------


def test_gaussian_extremes() -> None:
    assert GaussianDP(1e-6).self_compose(10**12).mu == pytest.approx(1.0, rel=1e-15)
    assert GaussianDP(1e200).compose(GaussianDP(1e200)).mu == pytest.approx(math.sqrt(2) * 1e200)
    assert GaussianDP(1e-200).compose(GaussianDP(1e-200)).mu == pytest.approx(math.sqrt(2) * 1e-200)
    assert GaussianDP(3.0).compose(GaussianDP(4.0)).mu == 5.0
    assert GaussianDP(0.0).self_compose(10**18) == GaussianDP(0.0)
    assert GaussianDP(1e-3).epsilon_at(1e-300) < 0.1
    assert GaussianDP(1e3).delta_at(700.0) == 1.0


def test_renyi_extremes() -> None:
    orders = [1, 1 + 1e-12, 1 + 1e-9, 2, 1e3, 1e6, INF]
    claim = RenyiDP(orders, [1e-9 * min(a, 1e6) for a in orders])
    thousand = claim.self_compose(1000)
    assert thousand.epsilons == pytest.approx([1000 * e for e in claim.epsilons], rel=1e-15)
    for epsilon in (0.0, 1e-300, 1e-9, 1.0, 700.0, INF):
        assert 0 <= thousand.delta_at(epsilon) <= 1
    for delta in (0.0, 1e-300, 1e-5, 1.0):
        assert 0 <= thousand.epsilon_at(delta) <= 1.0
    small = RenyiDP([1 + 1e-9, 1e6], [5e-324, 1e-300])
    assert small.compose(small).epsilons == (1e-323, 2e-300)
    assert RenyiDP(2, 1e308).epsilon_at(0.5) > 1e307
    # a bound at this order also holds at order 1, where it implies an epsilon of about 1/delta =
    # 1e5, so the result must not be larger. The closed formula `epsilon_of_renyi` gives over 1e9
    assert 9e4 < RenyiDP(1 + 1e-9, 1.0).epsilon_at(1e-5) < 1e5


def test_many_steps() -> None:
    most = 2**63 - 1
    for claim in (PureDP(0), ApproxDP(0, 0), RenyiDP(2, 0), ZCDP(0), ProbabilisticDP(0, 0)):
        assert claim.self_compose(most) == claim
    assert AlphaDP(2, 0.1).self_compose(most).epsilon == INF
    assert ApproxDP(0, 0.1).self_compose(most) == ApproxDP(0, 1)
    assert ProbabilisticDP(0, 0.1).self_compose(most) == ProbabilisticDP(0, 1)
    with pytest.raises(ValueError, match=r"^epsilon must be finite and >= 0, got epsilon=inf"):
        PureDP(1e300).self_compose(most)


def test_probabilistic_steps_against_their_product() -> None:
    import mpmath

    mp = mpmath.mp.clone()
    mp.dps = 60
    rng = np.random.default_rng(9)
    for _ in range(500):
        delta, k = math.exp(rng.uniform(-600, 0)), int(rng.integers(1, 1000))
        truth = -mp.expm1(k * mp.log1p(-mp.mpf(delta)))
        claim = ProbabilisticDP(0.1, delta)
        assert truth <= claim.self_compose(k).delta <= truth * (1 + mp.mpf(10) ** -13)
        other = math.exp(rng.uniform(-600, 0))
        truth = mp.mpf(delta) + mp.mpf(other) - mp.mpf(delta) * mp.mpf(other)
        both = claim.compose(ProbabilisticDP(0.2, other))
        assert truth <= both.delta <= truth * (1 + mp.mpf(10) ** -14)
    assert ProbabilisticDP(1, 1).compose(ProbabilisticDP(1, 1)).delta == 1


# --- constants and branches, checked against independently computed values ----------------------


def test_randomized_response_against_fifty_digits() -> None:
    import mpmath

    mp = mpmath.mp.clone()
    mp.dps = 50
    for epsilon in (1e-9, 0.01, 0.5, 1.0, 2.0, 30.0, 700.0):
        p = 1 / (1 + mp.exp(-epsilon))
        odds = mp.exp(mp.mpf(epsilon))
        for order in (1.0, 1 + 1e-9, 1.25, 2.0, 2.5, 3.0, 11.0, 400.0):
            a = mp.mpf(order)
            if order == 1:
                alpha = renyi = (2 * p - 1) * epsilon
            else:
                moment = p * odds ** (a - 1) + (1 - p) * odds ** (1 - a)
                alpha, renyi = (moment - 1) / (a * (a - 1)), mp.log(moment) / (a - 1)
            if alpha < 1e308:
                assert alpha_of_response(epsilon, order) == pytest.approx(float(alpha), rel=1e-13)
            assert renyi_of_response(epsilon, order) == pytest.approx(float(renyi), rel=1e-13)
        assert renyi_of_response(epsilon, INF) == epsilon
    assert alpha_of_response(0.0, 2.0) == alpha_of_response(0.0, 1.0) == 0
    assert renyi_of_response(0.0, 2.0) == 0


def test_renyi_bounds_beyond_floats() -> None:
    # the arguments are the order, its Rényi bound and epsilon. At huge orders delta is nearly 0 if
    # the bound is below epsilon, and otherwise 1, but terms such as (order - 1) epsilon overflow
    assert delta_of_renyi(1e200, 1e150, 1e149) == delta_of_renyi(1e200, 1e150, 1e150) == 1
    assert delta_of_renyi(1e200, 1.0, 1e150) < 1e-300
    assert delta_of_renyi(1e200, 1e150, 2e150) < 1e-300
    assert delta_of_renyi(2.0, 1e300, INF) == 0
    assert delta_of_renyi(2.0, 10.0, 0.0) == 1
    # the order is about 1 + 1e-12, so log(1 - 1/order) must not be computed from a rounded 1/order
    near = epsilon_of_renyi(1 + 2.0**-40, 100.0, 1.0)
    assert near == pytest.approx(99 - 40 * math.log(2), abs=1e-11)


def test_an_alpha_claim_that_says_nothing_stays_so() -> None:
    nothing, perfect = AlphaDP(2, INF), AlphaDP(2, 0)
    assert nothing.compose(perfect) == perfect.compose(nothing) == nothing
    assert nothing.delta_at(INF) == 1 and nothing.epsilon_at(0.999) == INF


def test_alpha_at_orders_whose_square_is_beyond_floats() -> None:
    assert renyi_of_alpha(1e200, 0.0) == 0 and AlphaDP(1e200, 0).delta_at(0.1) == 0
    assert AlphaDP(1e200, 1e-250).compose(AlphaDP(1e200, 1e-250)).epsilon == pytest.approx(1e-100)
    for order, alpha in (
        (1e200, 1e-300),
        (1e10, 1e300),
        (3.0, 1e308),
        (1.5, 1e308),
        (1e300, 1e300),
    ):
        truth = (math.log(order) + math.log(order - 1) + math.log(alpha)) / (order - 1)
        assert renyi_of_alpha(order, alpha) == pytest.approx(truth, rel=1e-14)


def test_the_bracket_of_the_least_rho() -> None:
    from scipy.optimize import minimize_scalar

    rng = np.random.default_rng(4)
    for n in (2, 2, 2, 3, 5):
        # the least rho for which a pair of distributions satisfies zCDP is the maximum of (Rényi
        # divergence of order a) / a over all orders a. If the distributions are nearly equal, the
        # best order may be far from 1, so try many orders
        p, q = rng.dirichlet(np.full(n, 0.3), 2) * 0.999 + 0.001 / n
        loss = DiscreteLoss(p, q)
        low, high = _slope(loss)
        orders = np.geomspace(1.0 + 1e-9, 1e4, 400)
        best = max(orders, key=lambda a: loss.renyi(a) / a)
        refined = minimize_scalar(
            lambda a, loss=loss: -loss.renyi(a) / a,
            bounds=(max(1.0 + 1e-9, best / 1.05), best * 1.05),
            method="bounded",
            options={"xatol": 1e-10},
        )
        truth = max(-refined.fun, loss.renyi(best) / best)
        assert low <= truth * (1 + 1e-9)
        assert truth * (1 - 1e-12) <= high <= low * (1 + 2e-6)


def test_a_ratio_below_a_chord() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        low = 1 + 10 ** rng.uniform(-2, 2)
        high = low * (1 + 10 ** rng.uniform(-2, 1))
        # let D_a be the Rényi divergence of order a. From D_a at the orders `low` and `high`,
        # `_below_chord` computes an upper bound on D_a / a for all orders between them. It uses
        # that (a - 1) D_a is convex in a, so at most the straight line between both ends. Here it
        # is a straight line, slope (a - 1) - back, so the bound must be exact
        slope, back = 10 ** rng.uniform(-3, 2), rng.uniform(0, 1)
        back *= slope * (low - 1)
        at = [(slope * (a - 1) - back) / (a - 1) for a in (low, high)]
        s = np.linspace(low - 1, high - 1, 2001)
        most = np.max((slope * s - back) / (s * (s + 1)))
        bound = _below_chord(low, at[0], high, at[1])
        assert most * (1 - 1e-9) <= bound <= min(most * (1 + 1e-3), at[1] / low * (1 + 1e-12))


def test_a_law_of_replaced_data_is_symmetric_to_nine_digits() -> None:
    def law(loss: float, mass: float) -> PLD:
        return PLD(
            [-1, 1], [0.25, 0.75], [-1, loss], [mass, 1 - mass], adjacency=Adjacency.REPLACE_ONE
        )

    assert law(1, 0.25 + 1e-12).adjacency is Adjacency.REPLACE_ONE
    with pytest.raises(ValueError, match=r"^reversed_losses must equal losses"):
        law(1, 0.25 + 1e-7)


def test_corners_of_a_gaussian_claim_keep_their_digits() -> None:
    from scipy.special import ndtri

    # the trade-off curve of this pair has a corner at an error rate that floats would round to 1,
    # so the library must compute with 1 minus the rate
    loss = DiscreteLoss([1.0, 1e-30], [1.0, 1e-20])
    mu = pytest.approx(ndtri(1e-20) - ndtri(1e-30), rel=1e-12)
    assert GaussianDP.tightest(loss).mu == mu
    assert GaussianDP.tightest(loss.reversed()).mu == mu
    # an outcome with probability 0 under both distributions must not count as a corner of the
    # trade-off curve, and the curve of equal distributions has no corner
    loss = DiscreteLoss([0.0, 0.6, 0.4], [0.0, 0.4, 0.6])
    assert GaussianDP.tightest(loss) == GaussianDP.tightest(DiscreteLoss([0.6, 0.4], [0.4, 0.6]))
    assert GaussianDP.tightest(DiscreteLoss([0.0, 0.6, 0.4], [0.0, 0.6, 0.4])).mu == 0


def test_probabilities_zero_and_one_of_a_bad_loss() -> None:
    assert ProbabilisticDP(0.5, 1.0).self_compose(3) == ProbabilisticDP(1.5, 1.0)
    assert ProbabilisticDP(0.5, 0.0).self_compose(3) == ProbabilisticDP(1.5, 0.0)


def test_many_times() -> None:
    assert times(3, 0.5) == 1.5
    assert times(10**400, 0.5) == INF
    assert times(10**400, 0.0) == 0


@pytest.mark.parametrize(
    "claim",
    [
        PureDP(1e308),
        ApproxDP(1e308, 0.0),
        ZCDP(1e308),
        RenyiDP([2, 3], [1.0, 1e308]),
        MutualInformationDP(1e308),
        ProbabilisticDP(1e308, 0.0),
    ],
)
def test_a_sum_beyond_the_floats_is_no_claim(claim: Guarantee) -> None:
    with pytest.raises(ValueError, match=r"must be finite and >= 0, got .*inf"):
        claim.compose(claim)
