"""Tests of trade-off curves: the error rates of hypothesis tests, and f-differential privacy."""

from __future__ import annotations

import math
from itertools import chain, combinations, pairwise

import mpmath
import numpy as np
import pytest
from cases import pairs, worst_delta
from hypothesis import given, settings

from dpteach import (
    FDP,
    Adjacency,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    MutualInformationDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
)

mp = mpmath.mp.clone()
mp.dps = 50
M = mp.mpf
EXAMPLES = settings(max_examples=60, deadline=None, database=None, derandomize=True)
EPSILONS = (0.0, 0.05, 0.3, 0.9, 2.0, 5.0)
ERRORS = np.concatenate(([0.0, 1e-300, 1e-9], np.linspace(0.01, 0.99, 40), [1 - 1e-9, 1.0]))


def independent(one: DiscreteLoss, other: DiscreteLoss) -> DiscreteLoss:
    return DiscreteLoss(np.outer(one.p, other.p).ravel(), np.outer(one.q, other.q).ravel())


# --- the region of (epsilon, delta) ---------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 40.0, 700.0])
@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-5, 0.3, 1.0])
def test_the_region_is_that_of_three_lines(epsilon: float, delta: float) -> None:
    claim = ApproxDP(epsilon, delta)
    curve = claim.trade_off(ERRORS)
    for x, y in zip(ERRORS, curve, strict=True):
        a, d, e = M(float(x)), M(delta), mp.exp(M(epsilon))
        truth = max(M(0), 1 - d - e * a, (1 - d - a) / e)
        assert truth * (1 - M(10) ** -12) - M(10) ** -15 <= y <= truth
        assert claim.trade_off(float(x)) == y
    assert np.array_equal(FDP(epsilon, delta).trade_off(ERRORS), curve)
    if delta == 0:
        assert np.array_equal(PureDP(epsilon).trade_off(ERRORS), curve)


def test_an_epsilon_whose_exponential_is_no_float_leaves_one_line() -> None:
    with np.errstate(all="raise", under="ignore"):
        for claim in (ApproxDP(800.0, 0.1), PureDP(800.0)):
            assert claim.trade_off(0.5) == 0
            assert claim.trade_off(0.0) == pytest.approx(1 - getattr(claim, "delta", 0.0))


def test_its_corner_has_two_equal_errors() -> None:
    for epsilon, delta in ((0.0, 0.1), (1.0, 0.1), (3.0, 0.0), (30.0, 1e-3)):
        corner = (1 - delta) / (1 + math.exp(epsilon))
        assert ApproxDP(epsilon, delta).trade_off(corner) == pytest.approx(corner, rel=1e-6)
        type_one, type_two = FDP(epsilon, delta).curve()
        if epsilon > 0:
            assert type_one[1] == type_two[1] == pytest.approx(corner, rel=1e-15)


def test_curves_against_fifty_digits() -> None:
    rng = np.random.default_rng(5)
    for _ in range(2000):
        epsilon, delta = math.exp(rng.uniform(-10, 6.5)), math.exp(rng.uniform(-690, 0))
        x = math.exp(rng.uniform(-300, 0)) if rng.random() < 0.5 else rng.random()
        a, d, e = M(x), M(delta), mp.exp(M(epsilon))
        truth = max(M(0), 1 - d - e * a, (1 - d - a) / e)
        found = ApproxDP(epsilon, delta).trade_off(x)
        assert truth - M(10) ** -13 * (1 if truth > M(10) ** -3 else e**-1) <= found <= truth


@pytest.mark.slow
def test_gaussian_curve_against_fifty_digits() -> None:
    rng = np.random.default_rng(6)
    for _ in range(300):
        mu, z = math.exp(rng.uniform(-5, 3)), rng.uniform(-30, 8)
        x = float(mp.ncdf(M(z)))
        if not 0 < x < 1:
            continue
        quantile = mp.findroot(lambda t, x=x: mp.log(mp.ncdf(t)) - mp.log(M(x)), M(z))
        truth = mp.ncdf(-quantile - mu)
        found = GaussianDP(mu).trade_off(x)
        assert truth * (1 - M(10) ** -10) <= found <= truth
    claim = GaussianDP(2.0)
    assert claim.trade_off(0.0) == 1 and claim.trade_off(1.0) == 0
    assert claim.trade_off(ERRORS).shape == ERRORS.shape  # type: ignore[union-attr]
    flat = np.asarray(GaussianDP(0).trade_off(ERRORS))
    assert np.all(flat <= 1 - ERRORS)
    assert flat == pytest.approx(1 - ERRORS, rel=1e-11)
    for x in (1e-300, 1e-9, 0.2, 0.5):  # a symmetric curve is its own inverse
        y = claim.trade_off(x)
        assert isinstance(y, float)
        if y < 1 - 1e-9:
            assert claim.trade_off(y) == pytest.approx(x, rel=1e-9)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan, "x", None, [0.1, 2.0], 1j])
def test_errors_are_probabilities(wrong: object) -> None:
    for claim in (PureDP(1), ApproxDP(1, 0.1), GaussianDP(1), FDP(1, 0.1)):
        with pytest.raises((ValueError, TypeError), match=r"^type_one must hold .*got"):
            claim.trade_off(wrong)  # type: ignore[arg-type]


# --- hypothesis tests between two distributions ----------------------------------------------


@EXAMPLES
@given(pairs())
def test_no_test_is_below_the_curve_and_some_are_on_it(loss: DiscreteLoss) -> None:
    claim = FDP.tightest(loss)
    n = loss.p.size
    events = [list(s) for s in chain.from_iterable(combinations(range(n), r) for r in range(n + 1))]
    for one in (loss, loss.reversed()):
        # a test that rejects Q on the event S has type I error Q(S) and type II error P(not S)
        errors = np.array(
            [[min(1.0, one.q[s].sum()), max(0.0, 1 - one.p[s].sum())] for s in events]
        )
        assert np.all(errors[:, 1] >= np.asarray(claim.trade_off(errors[:, 0])) - 1e-12)
        if loss.p.tolist() == loss.q[::-1].tolist():
            x, y = claim.curve()
            for corner in zip(x, y, strict=True):
                assert np.abs(errors - corner).max(axis=1).min() < 1e-9


@EXAMPLES
@given(pairs())
def test_the_tightest_curve_is_the_profile_of_the_pair(loss: DiscreteLoss) -> None:
    claim = FDP.tightest(loss)
    assert claim.holds_for(loss) and claim.holds_for(loss.reversed())
    losses = np.concatenate((loss._log_ratio, -loss._log_ratio))
    finite = losses[np.isfinite(losses) & (losses > 0)].tolist()
    for epsilon in (*EPSILONS, *finite, *(0.7 * x for x in finite)):
        truth, found = worst_delta(loss, epsilon), claim.delta_at(epsilon)
        # allow 1e-15, because the float probabilities of a pair sum to 1 only up to about 1e-16
        assert truth * (1 - 1e-12) - 1e-15 <= found <= truth * (1 + 1e-9) + 1e-13
    assert claim.delta_at(math.inf) == worst_delta(loss, 1e300)


@EXAMPLES
@given(pairs())
def test_a_curve_is_convex_symmetric_and_dual_to_the_profile(loss: DiscreteLoss) -> None:
    claim = FDP.tightest(loss)
    x, y = claim.curve()
    assert (x[0], x[-1], y[-1]) == (0.0, 1.0, 0.0)
    assert np.all(np.diff(x) > 0) and np.all(np.diff(y) <= 0)
    assert np.all(x + y <= 1 + 1e-15)
    slopes = np.diff(y) / np.diff(x)
    assert np.all(np.diff(slopes) >= -1e-6 * np.abs(slopes[:-1]) - 1e-9)
    assert np.asarray(claim.trade_off(x)) == pytest.approx(y, abs=1e-12)
    inner = (x > 0) & (y > 0)
    assert np.asarray(claim.trade_off(y[inner])) == pytest.approx(x[inner], abs=1e-9)
    # by duality delta = 1 + f*(-e^epsilon) for the trade-off function f; the supremum in the convex
    # conjugate f* is attained at a corner of the curve
    for epsilon in EPSILONS:
        conjugate = np.max(1 - y - math.exp(epsilon) * x)
        assert claim.delta_at(epsilon) == pytest.approx(conjugate, abs=1e-12)
    alarms, detections = claim.roc()
    assert np.array_equal(alarms, x) and np.array_equal(detections, 1 - y)


@EXAMPLES
@given(pairs())
def test_profile_and_inverse(loss: DiscreteLoss) -> None:
    claim = FDP.tightest(loss)
    for delta in (0.0, 1e-300, 1e-9, 0.01, 0.2, 0.5, 0.9, 1.0, *claim.deltas):
        epsilon = claim.epsilon_at(delta)
        if epsilon < math.inf:
            assert claim.delta_at(epsilon) <= delta * (1 + 1e-12)
            if epsilon > 1e-9 and delta > claim.deltas[-1]:
                assert claim.delta_at(epsilon * (1 - 1e-9)) > delta * (1 - 1e-6) - 1e-12
        else:
            assert delta < claim.deltas[-1]


def test_both_orders_are_needed() -> None:
    # between epsilon = 0 and epsilon = log 1.6, the direction (P, Q) of the pair has the larger
    # delta; above log 1.6, the direction (Q, P) has it
    loss = DiscreteLoss([0.5, 0.5, 0.0], [0.25, 0.65, 0.1])
    claim = FDP.tightest(loss)
    crossing = [e for e in claim.epsilons if 0 < e < math.log(2)]
    # where both directions have the same delta, the curve for both has a corner that neither
    # direction has by itself
    assert len(crossing) == 1
    forward, backward = (one.hockey_stick(crossing[0]) for one in (loss, loss.reversed()))
    assert forward == pytest.approx(backward, rel=1e-12)


# --- trade-off curves as guarantees -----------------------------------------------------------


def test_pairs_that_the_others_imply_are_left_out() -> None:
    assert FDP([0, 1, 2], [0.5, 0.5, 0.1]) == FDP([0, 2], [0.5, 0.1])
    assert FDP([0.5, 1.0], [0.9, 0.0]) == FDP(1.0, 0.0)
    assert FDP([1.0, 0.0], [0.0, math.tanh(0.5)]) == FDP(1.0, 0.0)
    assert FDP([0, 1, 2], [0.5, 0.49, 0.1]) == FDP([0, 2], [0.5, 0.1])
    kept = FDP([0, 1, 2], [0.5, 0.2, 0.1])
    assert kept.epsilons == (0.0, 1.0, 2.0)
    assert FDP(kept.epsilons, kept.deltas) == kept


def test_between_its_pairs_the_profile_is_a_chord() -> None:
    claim = FDP([0.2, 1.5], [0.3, 1e-5])
    for weight in (0.1, 0.5, 0.9):
        epsilon = math.log(weight * math.exp(0.2) + (1 - weight) * math.exp(1.5))
        assert claim.delta_at(epsilon) == pytest.approx(weight * 0.3 + (1 - weight) * 1e-5)
        assert claim.epsilon_at(claim.delta_at(epsilon)) == pytest.approx(epsilon, rel=1e-12)
    assert claim.delta_at(0.0) == ApproxDP(0.2, 0.3).delta_at(0.0)
    assert claim.epsilon_at(0.4) == ApproxDP(0.2, 0.3).epsilon_at(0.4)
    assert claim.delta_at(5) == claim.delta_at(math.inf) == 1e-5


def test_extremes() -> None:
    far = FDP([0.0, 700.0], [0.9, 1e-300])
    assert far.delta_at(700) == 1e-300
    assert far.epsilon_at(1e-300) == 700 and far.epsilon_at(0) == math.inf
    assert far.epsilon_at(1e-299) <= 700 and far.epsilon_at(0.5) < 700
    assert FDP(700.0, 1e-300).curve()[0][1] == pytest.approx(math.exp(-700), rel=1e-12)
    assert FDP(700.0, 1e-300).trade_off(0.5) == pytest.approx(math.exp(-700) / 2, rel=1e-9)
    assert FDP(40.0, 0.0).self_compose(3).epsilon_at(0) == 120
    assert FDP(0.0, 0.0).self_compose(10**9).delta_at(0) < 1e-6
    assert FDP(1.0, 1.0).self_compose(5).delta_at(3) == 1
    assert FDP(1.0, 1.0).group(5).delta_at(30) == 1
    assert np.array_equal(FDP(0.0, 0.0).curve(), ([0.0, 1.0], [1.0, 0.0]))
    assert np.array_equal(FDP(0.0, 0.25).curve(), ([0.0, 0.75, 1.0], [0.75, 0.0, 0.0]))


def test_smooth_curves_are_approached_from_below() -> None:
    exact = GaussianDP(1.0)
    previous = 0.0
    for count in (3, 9, 33, 129):
        claim = FDP.from_profile(exact, epsilons=np.linspace(0, 6, count).tolist())
        middle = claim.trade_off(0.05)
        assert isinstance(middle, float)
        assert previous <= middle <= exact.trade_off(0.05)
        previous = middle
        assert np.all(
            np.asarray(claim.trade_off(ERRORS)) <= np.asarray(exact.trade_off(ERRORS)) + 1e-15
        )
        for epsilon in EPSILONS:
            assert claim.delta_at(epsilon) >= exact.delta_at(epsilon)
    assert previous == pytest.approx(exact.trade_off(0.05), rel=1e-3)
    replaced = GaussianDP(1.0, adjacency=Adjacency.REPLACE_ONE)
    assert FDP.from_profile(replaced, epsilons=1.0).adjacency is Adjacency.REPLACE_ONE
    for other in (PureDP(1.0), RenyiDP(2, 0.1), MutualInformationDP(0.1)):
        claim = FDP.from_profile(other, epsilons=[0.0, 0.5, 1.0])
        assert claim.delta_at(0.5) <= other.delta_at(0.5)


def test_what_a_curve_is_not_made_of() -> None:
    with pytest.raises(ValueError, match=r"^deltas must hold one number for each epsilon, got 2"):
        FDP([1, 2], 0.1)
    with pytest.raises(ValueError, match=r"^epsilons must be distinct, got"):
        FDP([1, 1.0], [0.1, 0.1])
    with pytest.raises(TypeError, match=r"^loss must be of type DiscreteLoss, got"):
        FDP.tightest(Gaussian(1.0).privacy_loss())
    with pytest.raises(TypeError, match=r"^claim must be of type Guarantee, got"):
        FDP.from_profile(1.0, epsilons=1.0)  # type: ignore[arg-type]


def test_what_explains_a_curve() -> None:
    claim = FDP([0.5, 1.0], [0.1, 0.01])
    assert "pairs of the claim" in str(claim.explain(epsilon=1.0))
    assert "duality" in str(claim.explain(epsilon=0.7))
    assert "duality" in str(claim.explain(delta=0.05))
    assert "f(0)" in str(claim.explain(delta=0.001))
    assert claim.explain(epsilon=0.7).kind == "exact"


# --- composition and groups -----------------------------------------------------------------


@EXAMPLES
@given(pairs(4), pairs(4))
def test_the_product_of_curves_holds_for_products_of_pairs(
    one: DiscreteLoss, other: DiscreteLoss
) -> None:
    claim = FDP.tightest(one).compose(FDP.tightest(other))
    assert claim.holds_for(independent(one, other))
    assert claim.holds_for(independent(one, other.reversed()))


@EXAMPLES
@given(pairs(3))
def test_composition_of_symmetric_pairs_is_exact(loss: DiscreteLoss) -> None:
    both = DiscreteLoss(
        np.concatenate((loss.p, loss.q)) / 2, np.concatenate((loss.q, loss.p)) / 2
    )  # the mixture has the same delta in both directions
    claim = FDP.tightest(both)
    for whole, product in (
        (claim.compose(claim), independent(both, both)),
        (claim.self_compose(3), independent(both, independent(both, both))),
    ):
        assert whole.holds_for(product)
        for epsilon in EPSILONS:
            truth = product.hockey_stick(epsilon)
            found = whole.delta_at(epsilon)
            assert truth * (1 - 1e-12) - 1e-15 <= found <= truth * (1 + 1e-9) + 1e-12


def test_gaussian_curves_compose_and_group_like_gaussians() -> None:
    exact = GaussianDP(0.7)
    claim = FDP.from_profile(exact, epsilons=np.linspace(0, 8, 201).tolist())
    for whole, truth in (
        (claim.self_compose(2), exact.self_compose(2)),
        (claim.compose(claim, claim), exact.self_compose(3)),
        (claim.group(2), exact.group(2)),
        (claim.group(3), exact.group(3)),
    ):
        for epsilon in EPSILONS:
            assert whole.delta_at(epsilon) >= truth.delta_at(epsilon)
        assert whole.epsilon_at(1e-5) == pytest.approx(truth.epsilon_at(1e-5), rel=1e-2)


def test_a_group_knows_more_than_epsilon_times_its_size() -> None:
    # for a group of two people, pure DP with epsilon implies a total variation of at most 1 -
    # e^-epsilon, which is less than the tanh(epsilon) that PureDP(2 epsilon) alone implies
    for epsilon in (0.1, 1.0, 3.0):
        group = FDP(epsilon, 0.0).group(2)
        assert group.epsilon_at(0.0) == pytest.approx(2 * epsilon)
        assert group.delta_at(0.0) == pytest.approx(-math.expm1(-epsilon), rel=1e-12)
        assert PureDP(epsilon).group(2).delta_at(0.0) == pytest.approx(math.tanh(epsilon))
    rare = FDP(0.5, 1e-6).group(3)
    claim = ApproxDP(0.5, 1e-6).group(3)
    assert rare.delta_at(1.5) == pytest.approx(claim.delta, rel=1e-9)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_group_is_the_curve_iterated(size: int) -> None:
    claim = FDP([0.0, 0.4, 1.1], [0.25, 0.1, 0.01])
    group = claim.group(size)
    for x in np.linspace(0, 1, 101):
        detected = float(x)
        for _ in range(size):
            detected = 1 - float(np.asarray(claim.trade_off(min(1.0, detected))))
        assert group.trade_off(float(x)) == pytest.approx(1 - detected, abs=1e-12)


def test_sizes_that_would_blow_up_are_refused() -> None:
    claim = FDP.from_profile(GaussianDP(1.0), epsilons=np.linspace(0, 8, 400).tolist())
    with pytest.raises(ValueError, match=r"^k must be smaller, got k=1000000: it makes \d+ atoms"):
        claim.self_compose(10**6)
    wide = FDP.from_profile(GaussianDP(1.0), epsilons=np.linspace(0, 8, 1400).tolist())
    with pytest.raises(ValueError, match="compose takes curves with fewer corners"):
        wide.compose(wide)
    with pytest.raises(ValueError, match=r"^size must be smaller: .* got size=1000000"):
        claim.group(10**6)


def test_randomized_response_has_the_curve_of_pure_privacy() -> None:
    for epsilon in (0.1, 1.0, 5.0):
        claim = FDP.tightest(RandomizedResponse(epsilon).privacy_loss())
        for x in (0.001, 0.1, 0.3, 0.6, 0.9):
            found = claim.trade_off(x)
            assert found == pytest.approx(PureDP(epsilon).trade_off(x), rel=1e-9, abs=1e-12)


def test_adjacent_floats_make_one_piece() -> None:
    for left, right in pairwise([0.1, math.nextafter(0.1, 1), 0.1 * (1 + 1e-14)]):
        loss = DiscreteLoss([0.3, left, 0.7 - left], [0.3, right, 0.7 - right])
        assert len(FDP.tightest(loss).epsilons) <= 2


def test_groups_whose_epsilon_leaves_the_floats() -> None:
    # for a group of two, the guarantee with epsilon = 1.7e308 and delta = 0.01 implies one whose
    # epsilon overflows and whose delta is 1. It says nothing, so the library leaves it out
    claim = FDP([10.0, 1.7e308], [0.1, 0.01]).group(2)
    assert all(map(math.isfinite, claim.epsilons))
    assert claim.delta_at(20.0) >= 0.1 * (1 + math.exp(-10))
