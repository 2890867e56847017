"""Tests of privacy loss distributions (PLDs); their composition is exact up to rounding."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from cases import pairs, worst_delta
from hypothesis import given, settings

from dpteach import (
    FDP,
    PLD,
    Adjacency,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    PureDP,
    RandomizedResponse,
)
from dpteach.notions import _loss_atoms, _witness

INF = math.inf
EXAMPLES = settings(max_examples=60, deadline=None, database=None, derandomize=True)
#: a tolerance for deltas: as floats, the probabilities of P or of Q sum to 1 only up to this error
INPUT = 1e-15
EPSILONS = (0.0, 0.05, 0.3, 0.9, 2.0, 5.0)
ONE_SIDED = DiscreteLoss([0.5, 0.5, 0.0], [0.25, 0.65, 0.1])


def independent(one: DiscreteLoss, other: DiscreteLoss) -> DiscreteLoss:
    return DiscreteLoss(np.outer(one.p, other.p).ravel(), np.outer(one.q, other.q).ravel())


@EXAMPLES
@given(pairs(4))
def test_the_law_of_a_pair_has_its_profile(loss: DiscreteLoss) -> None:
    claim = PLD.tightest(loss)
    assert claim.holds_for(loss)
    assert math.fsum(claim.masses) == pytest.approx(1, abs=1e-12)
    for epsilon in EPSILONS:
        truth = worst_delta(loss, epsilon)
        assert claim.delta_at(epsilon) == pytest.approx(truth, rel=1e-11, abs=1e-13)
        assert claim.delta_at(epsilon) >= truth * (1 - 1e-12)
    escapes = max(loss.p[loss.q == 0].sum(), loss.q[loss.p == 0].sum())
    assert claim.delta_at(INF) == pytest.approx(escapes, rel=1e-14)
    for delta in (0.0, 1e-300, 1e-6, 0.1, 0.5, 1.0, claim.delta_at(0.3), claim.delta_at(0)):
        epsilon = claim.epsilon_at(delta)
        if epsilon == INF:
            assert delta < claim.delta_at(INF)
        else:
            assert claim.delta_at(epsilon) <= delta * (1 + 1e-11) + 1e-300
            if epsilon > 1e-9 and delta > claim.delta_at(INF):
                assert claim.delta_at(epsilon * (1 - 1e-9)) > delta * (1 - 1e-6) - 1e-12


@EXAMPLES
@given(pairs(4), pairs(4))
def test_composition_is_the_product_of_the_pairs(one: DiscreteLoss, other: DiscreteLoss) -> None:
    claim, product = PLD.tightest(one).compose(PLD.tightest(other)), independent(one, other)
    assert claim.holds_for(product)
    for epsilon in EPSILONS:
        truth = worst_delta(product, epsilon)
        found = claim.delta_at(epsilon)
        assert truth * (1 - 1e-12) - INPUT <= found <= truth * (1 + 1e-10) + 1e-13


@EXAMPLES
@given(pairs(3))
def test_self_composition_is_repeated_composition(loss: DiscreteLoss) -> None:
    claim = PLD.tightest(loss)
    thrice, by_hand = claim.self_compose(3), claim.compose(claim, claim)
    product = independent(loss, independent(loss, loss))
    for epsilon in EPSILONS:
        truth = worst_delta(product, epsilon)
        for found in (thrice.delta_at(epsilon), by_hand.delta_at(epsilon)):
            assert truth * (1 - 1e-12) - INPUT <= found <= truth * (1 + 1e-10) + 1e-13
    assert claim.self_compose(1) == claim


def test_the_second_answer_may_depend_on_the_first() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        first, *second = (DiscreteLoss(*rng.dirichlet(np.ones(3), size=2)) for _ in range(4))
        # the first answer selects one of three pairs of distributions for the second step, so a
        # guarantee for this step needs the largest of their deltas at each epsilon
        epsilons = np.linspace(0, 6, 61).tolist()
        deltas = [max(worst_delta(one, e) for one in second) for e in epsilons]
        claim = FDP.tightest(first).compose(FDP(epsilons, deltas))
        p = np.concatenate([x * one.p for x, one in zip(first.p, second, strict=True)])
        q = np.concatenate([x * one.q for x, one in zip(first.q, second, strict=True)])
        assert claim.holds_for(DiscreteLoss(p, q))


mp = mpmath.mp.clone()
mp.dps = 80


def response_delta(
    epsilon: float, k: int, at: float, truth: float | None = None, lie: float | None = None
) -> mpmath.mpf:
    """Return delta at epsilon `at` for k answers of randomized response, in 80 digits.

    The formula is that of Kairouz, Oh and Viswanath (2015). `truth` and `lie` are the probabilities
    of a true and of a false answer, if these were rounded to floats; by default they follow from
    `epsilon`.
    """
    e = mp.mpf(epsilon)
    p = 1 / (1 + mp.exp(-e)) if truth is None else mp.mpf(truth)
    q = 1 / (1 + mp.exp(e)) if lie is None else mp.mpf(lie)
    total = mp.mpf(0)
    for j in range(k + 1):
        loss = (k - 2 * j) * e
        if loss > at:
            total += mp.binomial(k, j) * p ** (k - j) * q**j * -mp.expm1(at - loss)
    return total


@pytest.mark.parametrize(
    ("epsilon", "k"), [(0.1, 1), (0.1, 64), (1.0, 100), (0.01, 400), (5.0, 40)]
)
def test_many_answers_of_randomized_response(epsilon: float, k: int) -> None:
    loss = RandomizedResponse(epsilon).privacy_loss()
    claim, curve = PLD.tightest(loss).self_compose(k), FDP(epsilon, 0.0).self_compose(k)
    assert len(claim.losses) == k + 1
    # `claim` is about a pair whose probabilities were rounded to floats, so compare it with the
    # delta of the rounded pair; compare `curve` with the delta of the exact one
    rounded = float(loss._log_ratio[0]), k
    for part in (0.0, 0.1, 0.5, 0.93, 0.999999):
        at = part * k * epsilon
        close = 1e-10 if part < 0.99 else 1e-5
        for found, truth in (
            (claim.delta_at(at), response_delta(*rounded, at, *map(float, loss.p))),
            (curve.delta_at(at), response_delta(epsilon, k, at)),
        ):
            assert min(truth, mp.mpf(1)) <= found <= truth * (1 + mp.mpf(close))
    assert claim.epsilon_at(0) == pytest.approx(k * epsilon, rel=1e-12)
    assert claim.epsilon_at(0) >= k * rounded[0] and curve.epsilon_at(0) >= k * epsilon
    for delta in (1e-300, 1e-30, 1e-6):
        found = claim.epsilon_at(delta)
        assert response_delta(*rounded, found, *map(float, loss.p)) <= delta * (1 + 1e-12)
        assert found == pytest.approx(curve.epsilon_at(delta), rel=1e-9)
        assert found <= PureDP(epsilon).self_compose(k).epsilon_at(delta) * (1 + 1e-12)


def test_directed_against_fifty_digits() -> None:
    rng = np.random.default_rng(17)
    for _ in range(300):
        n = int(rng.integers(2, 5))
        p, q = (rng.dirichlet(np.full(n, 0.4)) for _ in range(2))
        loss = DiscreteLoss(p, q)
        claim = PLD.tightest(loss).self_compose(2)
        losses = [mp.mpf(float(x)) for x in loss._log_ratio]
        masses = [mp.mpf(float(x)) for x in loss.p]
        for epsilon in rng.uniform(0, 5, size=7):
            e = mp.mpf(float(epsilon))
            truth = mp.mpf(0)
            for a, x in zip(losses, masses, strict=True):
                for b, y in zip(losses, masses, strict=True):
                    if a + b > e:
                        truth += x * y * -mp.expm1(e - a - b)
            assert claim.delta_at(float(epsilon)) >= truth


def test_mass_that_the_other_law_lacks() -> None:
    claim = PLD.tightest(DiscreteLoss([0.9, 0.1], [1.0, 0.0]))
    assert claim.losses[-1] == INF and claim.reversed_losses[-1] < INF
    twice = claim.self_compose(2)
    assert twice.delta_at(INF) == pytest.approx(0.19, rel=1e-12)
    assert twice.delta_at(INF) >= 0.19 and twice.epsilon_at(0.18) == INF
    everything = PLD.tightest(DiscreteLoss([1.0, 0.0], [0.0, 1.0]))
    assert everything.losses == (INF,)
    assert everything.self_compose(5).delta_at(3.0) == 1.0
    assert everything.trade_off_curve().delta_at(3.0) == 1.0


def test_the_mass_of_an_infinite_loss_is_as_it_was_given() -> None:
    masses = [0.2, 0.7, 0.1]
    claim = PLD([-1.0, 1.0, math.inf], masses, [-1.0, 1.0, math.inf], masses)
    assert claim.delta_at(1.0) == claim.delta_at(math.inf) == 0.1 < claim.delta_at(0.99)


def test_nothing_is_told() -> None:
    claim = PLD.tightest(DiscreteLoss([0.3, 0.7], [0.3, 0.7]))
    assert claim.losses == (0.0,)
    assert claim.self_compose(10**9).delta_at(0) < 1e-300
    assert claim.self_compose(10**9).epsilon_at(0) < 1e-300


def test_a_claim_holds_only_if_it_does_at_epsilon_zero_too() -> None:
    nothing = PLD.tightest(DiscreteLoss([1.0], [1.0]))
    assert nothing.holds_for(DiscreteLoss([0.3, 0.7], [0.3, 0.7]))
    assert not nothing.holds_for(DiscreteLoss([0.3, 0.7], [0.4, 0.6]))
    # this claim has the losses of the pair below, but with only a tenth of their probability, so
    # the pair must not satisfy it
    rare = PLD.tightest(DiscreteLoss([0.06, 0.04, 0.9], [0.04, 0.06, 0.9]))
    assert not rare.holds_for(DiscreteLoss([0.6, 0.4], [0.4, 0.6]))


def test_a_pair_has_an_order() -> None:
    loss = ONE_SIDED
    claim = PLD.tightest(loss)
    assert claim.holds_for(loss) and not claim.holds_for(loss.reversed())
    # suppose that one release has the distributions (P, Q), and a second one has (Q, P). At some
    # epsilon, their delta is larger than that of two releases with (P, Q) or of two with (Q, P), so
    # composing `claim` with itself does not cover them
    mixed = independent(loss, loss.reversed())
    assert any(worst_delta(mixed, e) > claim.self_compose(2).delta_at(e) for e in (0.0, 0.5, 0.9))
    curve = FDP.tightest(loss).self_compose(2)
    assert curve.holds_for(mixed)
    with pytest.raises(ValueError, match=r"^reversed_losses must equal losses, .* got losses="):
        dataclasses.replace(claim, adjacency=Adjacency.REPLACE_ONE)
    symmetric = PLD.tightest(RandomizedResponse(1.0).privacy_loss())
    replaced = dataclasses.replace(symmetric, adjacency=Adjacency.REPLACE_ONE)
    assert replaced.self_compose(3).adjacency is Adjacency.REPLACE_ONE


def test_the_curve_of_a_law_keeps_its_profile() -> None:
    for loss in (ONE_SIDED, RandomizedResponse(0.7).privacy_loss()):
        claim = PLD.tightest(loss)
        curve = claim.trade_off_curve()
        assert curve == FDP.tightest(loss)
        for epsilon in (*EPSILONS, INF):
            found = curve.delta_at(epsilon)
            assert found == pytest.approx(claim.delta_at(epsilon), rel=1e-12, abs=1e-15)
    assert PLD.tightest(ONE_SIDED).self_compose(2).trade_off_curve().delta_at(0.5) == pytest.approx(
        PLD.tightest(ONE_SIDED).self_compose(2).delta_at(0.5), rel=1e-12
    )


def test_what_a_law_is_not_made_of() -> None:
    good = ([-1.0, 1.0], [0.3, 0.7])
    with pytest.raises(ValueError, match=r"^masses must hold one number for each loss, got 2"):
        PLD([-1.0, 1.0], [1.0], *good)
    with pytest.raises(ValueError, match=r"^reversed_masses must sum to 1 within 1e-09, got"):
        PLD(*good, [-1.0, 1.0], [0.3, 0.6])
    with pytest.raises(ValueError, match=r"^losses\[0\] must be > -inf"):
        PLD([-INF, 1.0], [0.3, 0.7], *good)
    with pytest.raises(TypeError, match=r"^loss must be of type DiscreteLoss"):
        PLD.tightest(Gaussian(1.0).privacy_loss())
    with pytest.raises(TypeError, match=r"^loss must be of type PrivacyLoss"):
        PLD(*good, *good).holds_for(1.0)  # type: ignore[arg-type]
    # losses may be infinite more than once, masses may be 0, and losses may come in any order
    claim = PLD([INF, 1.0, INF, -1.0, 5.0], [0.1, 0.4, 0.1, 0.4, 0.0], *good)
    assert claim.losses == (-1.0, 1.0, INF)
    assert claim.masses == pytest.approx((0.4, 0.4, 0.2))


@pytest.mark.parametrize(
    "make",
    [
        lambda law: law.self_compose(2),
        lambda law: law.compose(law),
        lambda law: law.self_compose(10**18),
    ],
)
def test_sizes_that_would_blow_up_are_refused(make: Callable[[PLD], PLD]) -> None:
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.ones(1500), size=2)
    law = PLD.tightest(DiscreteLoss(p, q))
    began = time.process_time()
    with pytest.raises(ValueError, match=r"(k must be smaller|fewer losses).* is the most"):
        make(law)
    assert time.process_time() - began < 2
    began = time.process_time()
    with pytest.raises(ValueError, match=r"^k must be smaller, got k=10{18}: it"):
        PLD.tightest(RandomizedResponse(1.0).privacy_loss()).self_compose(10**18)
    assert time.process_time() - began < 2


def test_what_explains_a_law() -> None:
    explanation = PLD.tightest(ONE_SIDED).explain(epsilon=0.5)
    assert explanation.kind == "exact"
    first, second = (x.hockey_stick(0.5) for x in (ONE_SIDED, ONE_SIDED.reversed()))
    assert f"{first:.6g} for (P, Q) and {second:.6g} for (Q, P)" in explanation.note
    explanation = PLD.tightest(ONE_SIDED).explain(delta=0.15)
    assert explanation.value == PLD.tightest(ONE_SIDED).epsilon_at(0.15)


def test_densities_are_compared_as_well() -> None:
    # randomized response dominates Laplace noise with the same epsilon
    from dpteach import Laplace

    claim = PLD.tightest(RandomizedResponse(1.0).privacy_loss())
    assert claim.holds_for(Laplace(1.0).privacy_loss())
    assert not claim.holds_for(Laplace(0.9).privacy_loss())


# --- the distributions themselves -----------------------------------------------------------


def test_losses_that_rounding_made_differ_become_the_larger() -> None:
    x = 0.1 + 0.2
    law = _loss_atoms.merged(np.array([0.3, x, 1.0]), np.array([0.25, 0.25, 0.5]), 0.0)
    assert law.losses.tolist() == [x, 1.0]
    assert law.masses.tolist() == pytest.approx([0.5, 0.5], rel=1e-15)


def test_a_crowd_of_losses_does_not_become_one() -> None:
    # adjacent losses are close enough to be merged, but the first and the last are not, so they
    # must not all become one
    crowd = 1 + np.arange(2000) * 2.0**-44
    law = _loss_atoms.merged(crowd, np.full(2000, 1 / 2000), 0.0)
    assert 500 < law.losses.size < 2000
    assert math.fsum(law.masses) == pytest.approx(1, rel=1e-12)
    for at in (0.5, 1.0):
        assert _loss_atoms.delta_of(law, at) >= np.mean(-np.expm1(at - crowd))


def test_many_points_of_a_profile_at_once() -> None:
    rng = np.random.default_rng(2)
    losses = np.sort(rng.normal(0, 3, 200))
    law = _loss_atoms.LossAtoms(losses, rng.dirichlet(np.ones(200)) * 0.9, 0.1)
    points = np.linspace(0, 12, 77)
    for epsilon, found in zip(points, _loss_atoms.deltas_of(law, points), strict=True):
        truth = _loss_atoms.delta_of(law, float(epsilon))
        assert truth * (1 - 1e-14) <= found <= truth * (1 + 1e-12)
    assert _loss_atoms.deltas_of(law, np.array([100.0]))[0] == 0.1


def test_masses_and_deltas_are_never_below_exact_fractions() -> None:
    rng = np.random.default_rng(5)
    for size in (2, 30, 300):
        masses = rng.dirichlet(np.ones(size)) * 0.9
        law = _loss_atoms.merged(np.full(size, 0.5), masses, 0.0)
        assert Fraction(float(law.masses[0])) >= sum(map(Fraction, masses.tolist()))
        losses = np.sort(rng.normal(0, 2, size))
        law = _loss_atoms.LossAtoms(losses, masses, 0.05)
        points = np.linspace(0, 3, 5)
        with mpmath.workdps(40):
            for epsilon, found in zip(points, _loss_atoms.deltas_of(law, points), strict=True):
                truth = 0.05 - mpmath.fsum(
                    mpmath.mpf(mass) * mpmath.expm1(mpmath.mpf(float(epsilon)) - loss)
                    for loss, mass in zip(losses.tolist(), masses.tolist(), strict=True)
                    if loss > epsilon
                )
                assert found >= truth
                assert found == pytest.approx(float(truth), rel=1e-12)


def test_sums_are_rounded_up() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=1000) * 10.0 ** rng.integers(-20, 20, 1000), rng.normal(size=1000)
    for x, y, total in zip(a, b, _loss_atoms.sums_up(a, b), strict=True):
        assert Fraction(float(total)) >= Fraction(float(x)) + Fraction(float(y))
        assert total <= math.nextafter(x + y, INF)
    assert _loss_atoms.sums_up(np.array([0.5]), np.array([0.25])) == 0.75


def test_approximate_privacy_is_a_law_of_four_losses() -> None:
    epsilon, delta = 0.9, 0.05
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    loss = DiscreteLoss([delta, truth, 1 - delta - truth, 0], [0, 1 - delta - truth, truth, delta])
    claim = PLD.tightest(loss)
    assert len(claim.losses) == 3 and claim.losses[-1] == INF
    for at in (0.0, 0.4, 0.9, 2.0):
        assert claim.delta_at(at) == pytest.approx(ApproxDP(epsilon, delta).delta_at(at), rel=1e-12)


def test_a_huge_number_of_steps_that_lose_nothing() -> None:
    claim = PLD.tightest(DiscreteLoss([1.0], [1.0])).self_compose(2**63 - 1)
    assert (claim.losses, claim.masses) == ((0.0,), (1.0,))


def test_the_pair_of_a_law_lacks_nothing_but_what_the_law_says() -> None:
    rng = np.random.default_rng(6)
    for size in (2, 5, 40):
        for _ in range(10):
            loss = DiscreteLoss(*rng.dirichlet(np.ones(size), 2))
            for law in PLD.tightest(loss)._both_atoms():
                pair = _witness.of_atoms(law)
                assert max(pair.max(), pair.reversed().max()) < INF
    lacking = _witness.of_atoms(PLD.tightest(ONE_SIDED)._both_atoms()[0])
    assert lacking.reversed().max() == INF
