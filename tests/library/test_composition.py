"""Tests of composition theorems, and of the textbook formula for Gaussian noise."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import mpmath
import numpy as np
import pytest
from cases import few_or_many, log_uniform
from scipy.stats import binom

from dpteach import (
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLoss,
    Gaussian,
    GaussianDP,
    PureDP,
    RandomizedResponse,
)
from dpteach.composition import (
    advanced_composition,
    advanced_composition_heterogeneous,
    advanced_composition_simplified,
    advanced_composition_step,
    advanced_composition_tight,
    explain,
    heterogeneous_composition,
    many_gaussian_queries,
    many_laplace_queries,
    optimal_composition,
    worst_steps,
)
from dpteach.mechanisms.classical import classical_gaussian, classical_gaussian_guarantee


def repeated_response(epsilon: float, k: int) -> DiscreteLoss:
    """Return the privacy loss of k answers of randomized response.

    It is computed from the number of truthful answers, which reveals as much as the answers.
    """
    truth = RandomizedResponse(epsilon).truth_probability
    p = binom.pmf(np.arange(k + 1), k, truth)
    return DiscreteLoss(p / p.sum(), p[::-1] / p.sum())


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("k", [1, 2, 10, 100, 300])
@pytest.mark.parametrize("slack", [1e-10, 1e-5, 1e-2, 0.5])
def test_true_of_repeated_randomized_response(epsilon: float, k: int, slack: float) -> None:
    loss = repeated_response(epsilon, k)
    step = ApproxDP(epsilon, 0.0)
    whole = advanced_composition(step, k, slack=slack)
    assert whole.delta == slack
    assert whole.holds_for(loss)
    try:
        simple = advanced_composition_simplified(step, k, slack=slack)
    except ValueError:
        assert math.expm1(epsilon) > math.sqrt(2 * math.log(1 / slack) / k)
    else:
        assert simple.epsilon >= whole.epsilon * (1 - 1e-14)


def test_the_delta_of_every_step_is_on_the_bill() -> None:
    whole = advanced_composition(ApproxDP(0.01, 1e-5), 500, slack=1e-5)
    assert math.isclose(whole.delta, 501e-5)
    assert advanced_composition(ApproxDP(0.01, 0.1), 500, slack=1e-5).delta == 1.0


def test_beyond_its_range_the_simplified_form_would_be_wrong() -> None:
    promised = 2 * 2.0 * math.sqrt(2 * 100 * math.log(1e5))
    assert repeated_response(2.0, 100).hockey_stick(promised) > 5e-5
    with pytest.raises(ValueError, match="for the simplified form at k=100"):
        advanced_composition_simplified(ApproxDP(2.0, 0.0), 100, slack=1e-5)


@pytest.mark.parametrize("k", [1, 7, 300])
@pytest.mark.parametrize("target", [ApproxDP(0.1, 1e-5), ApproxDP(1.0, 1e-9)])
def test_steps_reach_their_target(k: int, target: ApproxDP) -> None:
    step = advanced_composition_step(target, k)
    whole = advanced_composition_simplified(step, k, slack=target.delta / 2)
    assert target.epsilon * (1 - 1e-13) <= whole.epsilon <= target.epsilon
    assert target.delta * (1 - 1e-13) <= whole.delta <= target.delta


@pytest.mark.parametrize(
    ("k", "variance", "vectorised"), [(1, 2.43e5, 2.35e3), (100, 3.33e7, 2.35e5)]
)
def test_textbook_noise_of_many_queries(k: int, variance: float, vectorised: float) -> None:
    target = ApproxDP(0.1, 1e-5)
    composed = classical_gaussian(advanced_composition_step(target, k)).sigma ** 2
    log = math.log
    assert math.isclose(composed, 16 * k * log(2e5) * log(2.5e5 * k) / 0.01, rel_tol=1e-12)
    assert math.isclose(composed, variance, rel_tol=5e-3)
    at_once = classical_gaussian(target, sensitivity=math.sqrt(k)).sigma ** 2
    assert math.isclose(at_once, vectorised, rel_tol=5e-3)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("delta", [1e-10, 1e-5, 1e-2, 0.3])
def test_the_textbook_holds_up_to_epsilon_one(epsilon: float, delta: float) -> None:
    noise = classical_gaussian(ApproxDP(epsilon, delta), sensitivity=3.0)
    assert noise.guarantee(ApproxDP, epsilon=epsilon).delta <= delta
    assert math.isclose(classical_gaussian_guarantee(noise, delta=delta).epsilon, epsilon)


def test_adjacency_is_kept() -> None:
    step = ApproxDP(0.01, 1e-8, adjacency=Adjacency.REPLACE_ONE)
    noise = classical_gaussian(step)
    for result in (
        advanced_composition(step, 3, slack=1e-6),
        advanced_composition_simplified(step, 3, slack=1e-6),
        advanced_composition_step(step, 3),
        noise,
        classical_gaussian_guarantee(noise, delta=1e-8),
        advanced_composition_heterogeneous([step, step], slack=1e-6),
        advanced_composition_tight(step, 3, slack=1e-6),
        optimal_composition(step, 3, epsilon=0.01),
        optimal_composition(step, 3, delta=1e-6),
        heterogeneous_composition([step, step], epsilon=0.01).claim,
        heterogeneous_composition([step, step], delta=1e-6).claim,
    ):
        assert result.adjacency is Adjacency.REPLACE_ONE


STEP = ApproxDP(0.01, 1e-8)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: advanced_composition(PureDP(1.0), 3, slack=0.1), TypeError, "step must be of"),  # type: ignore[arg-type]
        (lambda: advanced_composition(STEP, 0, slack=0.1), ValueError, "k must be an integer"),
        (lambda: advanced_composition(STEP, 2.5, slack=0.1), TypeError, "k must be an integer"),  # type: ignore[arg-type]
        (lambda: advanced_composition(STEP, 3, slack=0.0), ValueError, r"slack must be in \(0, 1"),
        (lambda: advanced_composition(STEP, 3, slack=math.nan), ValueError, "slack=nan"),
        (lambda: advanced_composition(STEP, 3, slack="0.1"), TypeError, "slack='0.1'"),  # type: ignore[arg-type]
        (
            lambda: advanced_composition(ApproxDP(800.0, 0.0), 3, slack=0.1),
            ValueError,
            "step must have epsilon <= 700",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(0.0, 1e-5), 3),
            ValueError,
            "target must have epsilon > 0",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(1.0, 0.0), 3),
            ValueError,
            "target must have epsilon > 0 and delta",
        ),
        (
            lambda: advanced_composition_step(ApproxDP(1000.0, 0.5), 3),
            ValueError,
            "target must allow steps with epsilon <=",
        ),
        (lambda: advanced_composition_step(STEP, -1), ValueError, "k must be an integer"),
        (lambda: classical_gaussian(ApproxDP(2.0, 1e-5)), ValueError, r"epsilon in \(0, 1\]"),
        (lambda: classical_gaussian(ApproxDP(0.0, 1e-5)), ValueError, r"epsilon in \(0, 1\]"),
        (lambda: classical_gaussian(ApproxDP(0.5, 1.0)), ValueError, r"delta in \(0, 1\)"),
        (lambda: classical_gaussian(ApproxDP(0.5, 0.0)), ValueError, r"delta in \(0, 1\)"),
        (lambda: classical_gaussian(ApproxDP(1.0, 0.0)), ValueError, r"delta in \(0, 1\)"),
        (lambda: classical_gaussian(STEP, sensitivity=0.0), ValueError, "sensitivity must be"),
        (lambda: classical_gaussian("x"), TypeError, "target must be of type ApproxDP"),  # type: ignore[arg-type]
        (
            lambda: classical_gaussian_guarantee(Gaussian(1.0), delta=1e-5),
            ValueError,
            "mechanism must have noise for epsilon <= 1",
        ),
        (
            lambda: classical_gaussian_guarantee(Gaussian(10.0), delta=0.0),
            ValueError,
            r"delta must be in \(0, 1\), got delta=0.0",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


# --- optimal composition -----------------------------------------------------------------------

mp = mpmath.mp.clone()
mp.dps = 60
M = mp.mpf


def optimal_delta(epsilon0: float, k: int, epsilon: float, delta0: float = 0.0) -> mpmath.mpf:
    e0, e = M(epsilon0), M(epsilon)
    truth = 1 / (1 + mp.exp(-e0))
    total, term = M(0), truth**k
    # each value of the total loss above epsilon contributes a term to delta; add these terms, from
    # the largest loss on
    for lies in range(k + 1):
        loss = (k - 2 * lies) * e0
        if loss <= e:
            break
        total += term * -mp.expm1(e - loss)
        term *= M(k - lies) / (lies + 1) * (1 - truth) / truth
    return total - mp.expm1(k * mp.log1p(-M(delta0))) * (1 - total)


@few_or_many("points", 200, 700, 2000)
def test_optimal_delta_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(41)
    for _ in range(points):
        k = int(log_uniform(rng, 1, 400))
        epsilon0 = log_uniform(rng, 1e-5, 8)
        epsilon = rng.uniform(0, 1) ** 2 * k * epsilon0 * 0.999
        delta0 = float(rng.choice([0.0, 1e-12, 1e-3]))
        truth = optimal_delta(epsilon0, k, epsilon, delta0)
        if truth < 1e-300:
            continue
        # `truth` is a sum in 60 digits; if it is within 1e-50 of 1, rounding may have made it too
        # large
        truth = min(truth, M(1) - M(10) ** -50)
        value = M(optimal_composition(ApproxDP(epsilon0, delta0), k, epsilon=epsilon).delta)
        assert truth <= value, (epsilon0, k, epsilon, delta0)
        room = M(1e-12 if truth > 1e-50 else 5e-12)
        assert value <= truth * (1 + room), (epsilon0, k, epsilon, delta0)


@pytest.mark.parametrize("k", [1, 2, 57, 1000, 1037])
def test_optimal_delta_next_to_a_loss_has_all_its_digits(k: int) -> None:
    """Delta is accurate even if epsilon is next to a possible value of the total loss.

    One term of delta is proportional to the difference of this value and epsilon, and subtracting
    nearly equal numbers loses digits.
    """
    rng = np.random.default_rng(46)
    cases = [(0.1, k * 0.0999999999999)]
    for _ in range(40):
        epsilon0 = log_uniform(rng, 1e-4, 3)
        loss = (2 * int(rng.integers((k + 1) // 2, k + 1)) - k) * epsilon0
        cases.append((epsilon0, loss * (1 - 10 ** rng.uniform(-17, -6))))
        cases.append((epsilon0, math.nextafter(loss, rng.choice([0.0, 1e9]))))
    for epsilon0, epsilon in cases:
        truth = optimal_delta(epsilon0, k, max(epsilon, 0.0))
        value = optimal_composition(ApproxDP(epsilon0, 0.0), k, epsilon=max(epsilon, 0.0)).delta
        if truth > 1e-50:
            # allow a relative error of 1e-50, because the reference value is itself a rounded
            # 60-digit sum
            assert truth * (1 - M(10) ** -50) <= value <= truth * (1 + M(1e-12)), (
                epsilon0,
                epsilon,
            )


@pytest.mark.slow
def test_optimal_epsilon_is_safe_and_close() -> None:
    rng = np.random.default_rng(42)
    for _ in range(300):
        k, epsilon0 = int(log_uniform(rng, 1, 400)), log_uniform(rng, 1e-4, 5)
        delta = log_uniform(rng, 1e-300, 0.5)
        epsilon = optimal_composition(ApproxDP(epsilon0, 0.0), k, delta=delta).epsilon
        assert optimal_delta(epsilon0, k, epsilon) <= M(delta) * (1 + M(1e-15))
        if epsilon > 0:
            assert optimal_delta(epsilon0, k, epsilon * (1 - 1e-11)) > M(delta) * (1 - M(1e-9))


@pytest.mark.parametrize("room", [1e-9, 1e-6, 1e-3])
def test_a_delta_that_the_steps_nearly_use_up_is_not_exceeded(room: float) -> None:
    """A target delta is not exceeded, even if the deltas of the steps use up nearly all of it.

    The part of the target that they leave is a difference of nearly equal numbers, which loses
    digits.
    """
    rng = np.random.default_rng(47)
    for _ in range(20):
        k, epsilon0 = int(log_uniform(rng, 1, 50)), log_uniform(rng, 1e-3, 2)
        delta0 = log_uniform(rng, 1e-9, 1e-3)
        delta = -math.expm1(k * math.log1p(-delta0)) * (1 + room)
        epsilon = optimal_composition(ApproxDP(epsilon0, delta0), k, delta=delta).epsilon
        assert optimal_delta(epsilon0, k, epsilon, delta0) <= M(delta), (epsilon0, k, delta0)


def test_optimal_composition_of_many_steps() -> None:
    step = ApproxDP(0.01, 0.0)
    start = time.process_time()
    values = [optimal_composition(step, 100_000, epsilon=e).delta for e in (0.0, 5.0, 20.0, 100.0)]
    epsilon = optimal_composition(step, 100_000, delta=1e-300).epsilon
    assert time.process_time() - start < 1
    # let e0 be the epsilon of a step. The total loss of k steps is nearly normal with mean k e0
    # tanh(e0/2) and variance k e0^2 / cosh(e0/2)^2. With s = sqrt(k) e0, these are nearly s^2/2 and
    # s^2, so the total loss is nearly that of GaussianDP(s)
    spread = GaussianDP(math.sqrt(100_000) * 0.01)
    for e, value in zip((0.0, 5.0, 20.0), values, strict=False):
        assert value == pytest.approx(spread.delta_at(e), rel=2e-3)
    assert optimal_composition(step, 100_000, epsilon=epsilon).delta <= 1e-300 * (1 + 1e-11)
    assert optimal_composition(step, 100_000, epsilon=epsilon * (1 - 1e-10)).delta > 1e-300
    assert 0 < optimal_composition(ApproxDP(1e-5, 1e-12), 10**9, epsilon=1.0).delta < 1


def test_optimal_composition_at_its_ends() -> None:
    assert optimal_composition(ApproxDP(0.5, 0.0), 4, epsilon=2.0).delta == 0
    assert optimal_composition(ApproxDP(0.5, 0.0), 4, delta=0.0).epsilon == 2.0
    assert optimal_composition(ApproxDP(0.0, 0.1), 2, epsilon=0.0).delta == pytest.approx(0.19)
    assert optimal_composition(ApproxDP(0.5, 0.1), 2, delta=1.0).epsilon == 0
    assert optimal_composition(ApproxDP(0.5, 1.0), 2, epsilon=0.1).delta == 1
    assert optimal_composition(ApproxDP(700.0, 0.0), 2, epsilon=1.0).delta <= 1
    tiny = optimal_composition(ApproxDP(0.1, 1e-20), 10, epsilon=1.5)
    # floats would round 1 - (1 - 1e-20)^10 to 0
    assert tiny.delta == pytest.approx(1e-19, rel=1e-12)
    with pytest.raises(ValueError, match="delta must be at least"):
        optimal_composition(ApproxDP(0.1, 1e-5), 10, delta=1e-5)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.0), (1.0, 1e-3), (3.0, 0.2)])
@pytest.mark.parametrize("k", [1, 2, 7, 40])
def test_the_worst_steps_reach_the_optimum(epsilon: float, delta: float, k: int) -> None:
    loss = worst_steps(ApproxDP(epsilon, delta), k)
    for e in (0.0, 0.3 * k * epsilon, 0.9 * k * epsilon):
        best = optimal_composition(ApproxDP(epsilon, delta), k, epsilon=e).delta
        assert best == pytest.approx(loss.hockey_stick(e), rel=1e-10, abs=1e-15)


@pytest.mark.parametrize("epsilon", [1e-300, 1e-17, 1e-14, 1e-10, 1e-5, 0.1, 70.0])
def test_the_worst_steps_keep_a_small_loss(epsilon: float) -> None:
    loss = worst_steps(ApproxDP(epsilon, 0.0), 10)
    # each step is randomized response, so the loss is epsilon (2 N - 10), where N of the 10 answers
    # are true
    with mpmath.workdps(30):
        mean = float(10 * mpmath.mpf(epsilon) * mpmath.tanh(mpmath.mpf(epsilon) / 2))
    assert loss.max() == 10 * epsilon
    assert loss.kl() == pytest.approx(mean, rel=1e-13, abs=0)


def test_the_worst_steps_have_masses_below_the_range_of_floats() -> None:
    loss = worst_steps(ApproxDP(0.7, 0.0), 1000)
    assert loss.kl() == pytest.approx(700 * math.tanh(0.35), rel=1e-12)
    assert worst_steps(ApproxDP(0.7, 1.0), 3).kl() == math.inf


@pytest.mark.parametrize("k", [1, 8, 64])
def test_sequential_composition_is_tight(k: int) -> None:
    claim = PureDP(0.1).self_compose(k)
    loss = worst_steps(ApproxDP(0.1, 0.0), k)
    assert loss.max() == pytest.approx(claim.epsilon, rel=1e-12)
    assert not PureDP(claim.epsilon * (1 - 1e-9)).holds_for(loss)


# --- closed formulas, and tables of the sources -------------------------------------------------


@pytest.mark.parametrize(
    ("delta", "simplified", "drv", "kov", "basic", "optimal"),
    [
        (1e-15, 10.5337, 5.67850, 4.43661, 4.39738, 3.75322),
        (1e-5, 3.9946, 2.16548, 2.00346, 2.79715, 1.06095),
    ],
)
def test_accountants_for_fifty_steps(
    delta: float, simplified: float, drv: float, kov: float, basic: float, optimal: float
) -> None:
    k, sigma = 50, 100.0
    step = ApproxDP(math.sqrt(2 * math.log(1.25 * 2 * k / delta)) / sigma, delta / (2 * k))
    numbers = {
        advanced_composition_simplified(step, k, slack=delta / 2).epsilon: simplified,
        advanced_composition(step, k, slack=delta / 2).epsilon: drv,
        advanced_composition_tight(step, k, slack=delta / 2).epsilon: kov,
        k * math.sqrt(2 * math.log(1.25 * k / delta)) / sigma: basic,
    }
    exact = ApproxDP(GaussianDP(1 / sigma).epsilon_at(delta / (2 * k)), delta / (2 * k))
    numbers[optimal_composition(exact, k, delta=delta).epsilon] = optimal
    for value, printed in numbers.items():
        assert value == pytest.approx(printed, rel=2e-5)


def test_erratum_delta_of_every_step_and_of_the_slack() -> None:
    """A textbook's code gives epsilon = 4.027 at delta = 1e-5 for 300 steps; delta is really
    301e-5.

    The code spends 1e-5 in each step, and once more as the slack.
    """
    k, sigma, delta = 300, 200.0, 1e-5

    def steps(each: float) -> ApproxDP:
        return ApproxDP(math.sqrt(2 * math.log(1.25 / each)) / sigma, each)

    def simplified(step: ApproxDP, slack: float) -> ApproxDP:
        return advanced_composition_simplified(step, k, slack=slack)

    coded = simplified(steps(delta), delta)
    assert coded.epsilon == pytest.approx(4.027, abs=1e-3)
    assert coded.delta == pytest.approx(301 * delta)
    right = steps(delta / (2 * k))
    assert simplified(right, delta / 2).epsilon == pytest.approx(5.154, abs=1e-3)
    assert simplified(right, delta / 2).delta == pytest.approx(delta)
    drv = advanced_composition(right, k, slack=delta / 2)
    kov = advanced_composition_tight(right, k, slack=delta / 2)
    assert drv.epsilon == pytest.approx(2.853, abs=1e-3)
    assert kov.epsilon == pytest.approx(2.643, abs=1e-3)


def test_erratum_the_simplified_form_is_wrong_for_large_steps() -> None:
    claimed = 2 * 2.0 * math.sqrt(2 * 100 * math.log(1e5))
    truth = optimal_composition(ApproxDP(2.0, 0.0), 100, epsilon=claimed).delta
    assert (round(claimed, 1), truth) == (191.9, pytest.approx(6.0e-5, rel=0.01))
    assert truth > 1e-5


@pytest.mark.parametrize(("k", "ratio"), [(1, 103.4), (100, 141.7), (1000, 160.9)])
def test_erratum_composed_and_vectorised_do_not_grow_alike(k: int, ratio: float) -> None:
    both = many_gaussian_queries(ApproxDP(0.1, 1e-5), k)
    assert (both.composed / both.vectorised) ** 2 == pytest.approx(ratio, abs=0.06)


@pytest.mark.parametrize("k", [1, 100])
def test_both_noises_for_many_queries_are_in_units_of_the_sensitivity(k: int) -> None:
    target = ApproxDP(0.1, 1e-5)
    one, five = many_gaussian_queries(target, k), many_gaussian_queries(target, k, sensitivity=5.0)
    assert five.composed == pytest.approx(5 * one.composed, rel=1e-14)
    assert five.vectorised == pytest.approx(5 * one.vectorised, rel=1e-14)
    textbook = classical_gaussian(target, sensitivity=5.0 * math.sqrt(k)).sigma
    assert five.vectorised == pytest.approx(textbook, rel=1e-12)


def test_the_textbook_has_no_noise_for_many_queries_above_epsilon_1() -> None:
    assert many_gaussian_queries(ApproxDP(1.0, 1e-5), 10).vectorised > 0
    for epsilon in (math.nextafter(1.0, 2.0), 1.5):
        with pytest.raises(ValueError, match=r"^target must have epsilon in \(0, 1\], got target="):
            many_gaussian_queries(ApproxDP(epsilon, 1e-5), 10)


@pytest.mark.parametrize("k", range(1, 11))
def test_laplace_noise_for_many_queries_is_one_number(k: int) -> None:
    both = many_laplace_queries(0.1, k, sensitivity=2.0)
    assert both.composed == pytest.approx(both.vectorised, rel=1e-14)
    assert both.vectorised == pytest.approx(20 * k)


def test_closed_formulas_are_above_the_optimum() -> None:
    rng = np.random.default_rng(43)
    for _ in range(300):
        k, epsilon = int(log_uniform(rng, 1, 500)), log_uniform(rng, 1e-4, 3)
        slack, delta = log_uniform(rng, 1e-100, 0.3), float(rng.choice([0.0, 1e-9, 1e-3]))
        step = ApproxDP(epsilon, delta)
        tight = advanced_composition_tight(step, k, slack=slack)
        best = optimal_composition(step, k, delta=min(1.0, tight.delta * (1 + 1e-12)))
        assert best.epsilon <= tight.epsilon <= k * epsilon * (1 + 1e-14)
        loose = advanced_composition(step, k, slack=slack)
        assert min(loose.epsilon, k * epsilon) >= tight.epsilon * (1 - 1e-14)
        several = advanced_composition_heterogeneous([step] * k, slack=slack)
        assert several.epsilon == pytest.approx(tight.epsilon, rel=1e-12)
        assert several.delta == pytest.approx(tight.delta, rel=1e-12)


def test_one_step_that_gives_everything_away_is_enough() -> None:
    steps = [ApproxDP(0.1, 0.0), ApproxDP(0.1, 1.0)]
    assert advanced_composition_heterogeneous(steps, slack=1e-6).delta == 1
    assert explain(steps[1], 2, delta=1.0).value == 0


def test_closed_formulas_are_the_least_of_three() -> None:
    # each of the three formulas bounds the epsilon of k steps. If sqrt(k) epsilon is above 1, the
    # one with log(1 / slack) is less than the one with log(e + sqrt(k) epsilon / slack); if sqrt(k)
    # epsilon is well below 1, it is the other way around
    for epsilon, k, slack in ((0.1, 1000, 1e-6), (0.01, 1000, 1e-6), (1e-3, 10, 1e-9)):
        root = math.sqrt(k) * epsilon
        mean = k * epsilon * math.tanh(epsilon / 2)
        formulas = (
            k * epsilon,
            mean + root * math.sqrt(2 * math.log(math.e + root / slack)),
            mean + root * math.sqrt(2 * math.log(1 / slack)),
        )
        found = advanced_composition_tight(ApproxDP(epsilon, 0.0), k, slack=slack).epsilon
        assert found == pytest.approx(min(formulas), rel=1e-12)


# --- steps with different parameters ------------------------------------------------------------


def by_enumeration(epsilons: list[float], epsilon: float) -> mpmath.mpf:
    total = M(0)
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        loss = mp.fsum(M(e) * s for e, s in zip(epsilons, signs, strict=True))
        if loss > epsilon:
            mass = mp.fprod(
                1 / (1 + mp.exp(-M(e) * s)) for e, s in zip(epsilons, signs, strict=True)
            )
            total += mass * -mp.expm1(M(epsilon) - loss)
    return total


def test_different_steps_are_enclosed() -> None:
    rng = np.random.default_rng(44)
    for _ in range(60):
        epsilons = [log_uniform(rng, 1e-3, 2) for _ in range(int(rng.integers(1, 8)))]
        steps = [ApproxDP(e, 0.0) for e in epsilons]
        epsilon = rng.uniform(0, 1) * sum(epsilons) * 0.99
        truth = by_enumeration(epsilons, epsilon)
        bracket = heterogeneous_composition(steps, epsilon=epsilon)
        assert M(bracket.lower) <= truth <= M(bracket.upper), (epsilons, epsilon)
        assert bracket.upper - bracket.lower <= 1e-9 * float(truth) + 1e-15
        delta = float(truth)
        around = heterogeneous_composition(steps, delta=delta)
        assert around.lower <= epsilon * (1 + 1e-9) + 1e-9
        assert around.upper >= epsilon * (1 - 1e-9) - 1e-9


@pytest.mark.parametrize("delta", [1e-2, 1e-9, 1e-100])
def test_equal_steps_are_enclosed_too(delta: float) -> None:
    steps = [ApproxDP(0.1, 1e-120)] * 200
    best = optimal_composition(steps[0], 200, delta=delta).epsilon
    bracket = heterogeneous_composition(steps, delta=delta)
    assert bracket.lower <= best * (1 + 1e-12) and best <= bracket.upper * (1 + 1e-12)
    assert bracket.upper - bracket.lower < 1e-9 * best
    assert bracket.claim.delta == delta


@pytest.mark.parametrize("at", [{"delta": 1e-6}, {"epsilon": 1.0}])
def test_different_steps_are_enclosed_as_closely_as_the_tolerance_says(at: dict) -> None:
    # the sum of so many different losses must be rounded to a lattice; the tolerance determines how
    # fine this lattice is
    steps = [ApproxDP(e, 1e-9) for e in np.random.default_rng(0).uniform(0.05, 0.3, 40)]
    rough, usual, fine = (
        heterogeneous_composition(steps, **at, **told)
        for told in ({"tolerance": 1e-2}, {}, {"tolerance": 1e-5})
    )
    for wide, narrow in ((rough, usual), (usual, fine)):
        assert narrow.upper - narrow.lower < (wide.upper - wide.lower) / 5
    assert rough.lower <= fine.upper and fine.lower <= rough.upper


def test_different_steps_at_their_ends() -> None:
    assert heterogeneous_composition([ApproxDP(0.0, 0.0)], delta=1e-5).upper == 0
    both = heterogeneous_composition([ApproxDP(0.0, 0.1), ApproxDP(0.0, 0.2)], epsilon=0.0)
    assert both.lower <= 0.28 <= both.upper == pytest.approx(0.28)
    assert heterogeneous_composition([ApproxDP(1.0, 0.0)], epsilon=1.0).upper == 0
    with pytest.raises(ValueError, match="delta must be at least"):
        heterogeneous_composition([ApproxDP(0.1, 1e-5)], delta=1e-6)
    with pytest.raises(ValueError, match="steps must hold"):
        heterogeneous_composition([], delta=1e-6)
    with pytest.raises(ValueError, match="steps must have one adjacency"):
        heterogeneous_composition(
            [STEP, ApproxDP(0.1, 0.0, adjacency=Adjacency.REPLACE_ONE)], delta=1e-6
        )
    with pytest.raises(TypeError, match=r"steps must be a sequence"):
        heterogeneous_composition(STEP, delta=1e-6)  # type: ignore[arg-type]


# --- alpha divergences ------------------------------------------------------------------------


def test_alpha_composition_is_tight() -> None:
    for order in (1.5, 2.0, 10.0):
        step = Gaussian(3.0).guarantee(AlphaDP, order=order)
        twice = Gaussian(3.0 / math.sqrt(2)).guarantee(AlphaDP, order=order)
        assert step.compose(step).epsilon == pytest.approx(twice.epsilon, rel=1e-12)
        many = Gaussian(3.0 / 5).guarantee(AlphaDP, order=order)
        assert step.self_compose(25).epsilon == pytest.approx(many.epsilon, rel=1e-11)
    rng = np.random.default_rng(45)
    for _ in range(100):
        first, second = (DiscreteLoss(*rng.dirichlet([1.0] * 3, 2)) for _ in range(2))
        product = DiscreteLoss(
            np.outer(first.p, second.p).ravel(), np.outer(first.q, second.q).ravel()
        )
        claims = [AlphaDP(3.0, loss.alpha(3.0)) for loss in (first, second)]
        composed = claims[0].compose(claims[1]).epsilon
        assert composed == pytest.approx(product.alpha(3.0), rel=1e-10)


def test_explanation_names_the_rivals() -> None:
    why = explain(ApproxDP(0.01, 1e-9), 1000, delta=1e-5)
    assert why.kind == "exact" and "theorem 3.3" in str(why)
    assert "Advanced composition gives" in why.note
    assert explain(ApproxDP(0.5, 0.0), 2, delta=0.0).note == "Basic composition gives 1."


def test_explanation_leaves_out_what_does_not_reach_the_delta() -> None:
    # basic composition adds the deltas of the steps: ten deltas of 0.1 exceed the target 0.7, but
    # seven fit into 0.75
    assert "Basic composition" not in explain(ApproxDP(0.1, 0.1), 10, delta=0.7).note
    assert "Basic composition" in explain(ApproxDP(0.1, 0.1), 7, delta=0.75).note
    # the target is less than the sum of the deltas, 2e-5, so basic composition gives nothing. The
    # tight form combines the deltas to 1 - (1 - 1e-6)^20, which is less than the target
    alone = explain(ApproxDP(0.1, 1e-6), 20, delta=1.99999e-5).note
    assert alone == "The tight form of advanced composition gives 2."


def test_steps_that_lose_far_more_than_delta_have_no_epsilon() -> None:
    step = ApproxDP(0.26, 0.0637)
    for wrong in (
        lambda: optimal_composition(step, 100_000, delta=0.0157),
        lambda: explain(step, 100_000, delta=0.0157),
        lambda: heterogeneous_composition([step] * 20_000, delta=0.0157),
    ):
        with pytest.raises(ValueError, match=r"^delta must be at least .*got delta=0.0157"):
            wrong()


def test_a_delta_that_cannot_be_halved_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^target must have a delta"):
        advanced_composition_step(ApproxDP(1.0, 5e-324), 3)
    with pytest.raises(ValueError, match=r"^target must leave each step an epsilon"):
        advanced_composition_step(ApproxDP(5e-324, 0.1), 3)


def test_odds_beyond_the_floats_are_enclosed() -> None:
    steps = [ApproxDP(700.0, 0.0), ApproxDP(650.0, 0.0)]
    bracket = heterogeneous_composition(steps, epsilon=700.0)
    assert 0 <= bracket.lower <= 1 <= bracket.upper * (1 + 1e-12)


def test_the_least_steps_are_enclosed() -> None:
    steps = [ApproxDP(0.0, 1e-300), ApproxDP(5e-324, 0.0), ApproxDP(1e-300, 0.0)]
    assert heterogeneous_composition(steps, epsilon=0.0).claim.delta >= 1e-300
    bracket = heterogeneous_composition(steps, delta=2e-300)
    assert bracket.lower <= 1e-300 and bracket.upper <= 2e-300
