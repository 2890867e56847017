"""Tests of mechanisms: the distributions of releases, and the noise that calibration finds.

The statistical tests are seeded. Each compares the p-value of a Kolmogorov-Smirnov test or of an
exact binomial test with 1e-9, so with fresh seeds it would raise a false alarm with probability at
most 1e-9.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy import stats

import dpteach
from dpteach import (
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
    DiscreteGaussian,
    DiscreteLaplace,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
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
    calibrate,
    convert,
)
from dpteach.mechanisms import THEOREMS

FALSE_ALARM = 1e-9
SAMPLES = 50_000

#: for each mechanism, the name of the test that compares its releases with their distribution
LAWS: dict[type[Mechanism], str] = {
    DeltaCatastrophe: "test_selection.py::test_catastrophe",
    DiscreteGaussian: "test_discrete_mechanisms.py::test_experiment_agrees_with_the_loss",
    DiscreteLaplace: "test_discrete_mechanisms.py::test_experiment_agrees_with_the_loss",
    ExponentialMechanism: "test_selection.py::test_law_of_what_is_released",
    Gaussian: "test_mechanisms.py::test_law_of_continuous_noise",
    KaryRandomizedResponse: "test_selection.py::test_law_of_k_ary_response",
    Laplace: "test_mechanisms.py::test_law_of_continuous_noise",
    PermuteAndFlip: "test_selection.py::test_law_of_what_is_released",
    PoissonSubsampled: "test_amplification.py::test_release_sums_a_sample",
    RandomizedResponse: "test_mechanisms.py::test_law_of_randomized_response",
    ReportNoisyMax: "test_selection.py::test_law_of_what_is_released",
    Snapping: "test_snapping.py::test_law_of_snapping",
    SparseVector: "test_sparse_vector.py::test_law_of_what_is_released",
}


def test_the_law_of_every_mechanism_has_a_test() -> None:
    missing = sorted({t.mechanism.__name__ for t in THEOREMS} ^ {kind.__name__ for kind in LAWS})
    assert not missing, f"LAWS of test_mechanisms.py must say which test has the law of {missing}"
    for kind, test in LAWS.items():
        file, _, name = test.partition("::")
        text = Path(__file__).with_name(file).read_text("utf-8")
        there = f"\ndef {name}(" in text and kind.__name__ in text
        assert there, f"LAWS of test_mechanisms.py: {test} must be a test of {kind.__name__}"


@pytest.mark.parametrize(
    ("mechanism", "law"),
    [
        (Laplace(scale=0.01), stats.laplace(3, 0.01)),
        (Laplace(scale=20.0, sensitivity=5), stats.laplace(3, 20.0)),
        (Gaussian(sigma=0.01), stats.norm(3, 0.01)),
        (Gaussian(sigma=20.0, sensitivity=5), stats.norm(3, 20.0)),
    ],
)
def test_law_of_continuous_noise(mechanism: Mechanism, law: stats.rv_continuous) -> None:
    answers = mechanism.release(np.full(SAMPLES, 3.0), rng=np.random.default_rng(1))
    assert stats.kstest(answers, law.cdf).pvalue > FALSE_ALARM
    # the Kolmogorov-Smirnov test hardly sees the tails, so also count the answers in both tails,
    # which have probability 1e-3 together
    beyond = int((np.abs(answers - 3) > law.ppf(1 - 5e-4) - 3).sum())
    assert stats.binomtest(beyond, SAMPLES, 1e-3).pvalue > FALSE_ALARM
    # the entries of a vector get independent noise, so adjacent answers are uncorrelated
    correlation = float(np.corrcoef(answers[1:], answers[:-1])[0, 1])
    assert abs(correlation) < 7 / math.sqrt(SAMPLES)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize("bit", [0, 1])
def test_law_of_randomized_response(epsilon: float, bit: int) -> None:
    mechanism = RandomizedResponse(epsilon)
    answers = mechanism.release(np.full(SAMPLES, bit), rng=np.random.default_rng(2))
    assert set(np.unique(answers)) <= {0, 1}
    truths = int((answers == bit).sum())
    test = stats.binomtest(truths, SAMPLES, mechanism.truth_probability)
    assert test.pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    "mechanism", [Laplace(1), Gaussian(1), RandomizedResponse(1), KaryRandomizedResponse(1, 3)]
)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 1, 4)])
def test_release_keeps_the_shape_and_the_seed(mechanism: Mechanism, shape: tuple[int, ...]) -> None:
    value = np.ones(shape, dtype=int)
    one = mechanism.release(value, rng=np.random.default_rng(5))
    two = mechanism.release(value, rng=np.random.default_rng(5))
    assert one.shape == shape
    assert np.array_equal(one, two)
    assert np.array_equal(value, np.ones(shape))


def test_bits_may_be_booleans() -> None:
    answers = RandomizedResponse(700).release(np.array([True, False]), rng=np.random.default_rng(0))
    assert answers.tolist() == [1, 0]
    with pytest.raises(ValueError, match="value must hold bits"):
        RandomizedResponse(1).release([0, 2], rng=np.random.default_rng(0))


def test_truth_and_adjacency() -> None:
    assert RandomizedResponse(0).truth_probability == 0.5
    assert RandomizedResponse(math.log(9)).truth_probability == pytest.approx(0.9)
    replaced = Gaussian(2, adjacency=Adjacency.REPLACE_ONE)
    assert replaced.guarantee(ZCDP) == ZCDP(0.125, adjacency=Adjacency.REPLACE_ONE)


@pytest.mark.parametrize("kind", [Laplace, Gaussian])
def test_what_floats_resolve_of_two_densities_has_ends(
    kind: type[Gaussian] | type[Laplace],
) -> None:
    for scale, sensitivity in ((1e-280, 1e-280), (1e280, 1e280), (1.0, 1e-10), (1.0, 1e10)):
        kind(scale, sensitivity).privacy_loss()
    for scale, sensitivity in ((9e-281, 9e-281), (2e280, 2e280), (1.0, 9e-11), (1.0, 2e10)):
        with pytest.raises(ValueError, match=r"^sensitivity must be from 1e-10 to 1e10 times"):
            kind(scale, sensitivity).privacy_loss()


def test_what_a_theorem_was_told_is_told_again() -> None:
    with pytest.raises(TypeError, match=r"'orders' for RenyiDP of Gaussian, got order, more$"):
        Gaussian(1).guarantee(RenyiDP, order=2, more=3)
    with pytest.raises(TypeError, match=r"'orders' for RenyiDP of Gaussian, got nothing else$"):
        Gaussian(1).guarantee(RenyiDP)


@pytest.mark.parametrize("sensitivity", [0.3, 1.0, 7.0])
def test_calibration_reaches_the_target_and_no_more(sensitivity: float) -> None:
    for target in (
        GaussianDP(0.7),
        ZCDP(0.3),
        RenyiDP([2, 20], [0.5, 3.0]),
        AlphaDP(8, 0.2),
        ApproxDP(0.1, 1e-5),
        ApproxDP(20.0, 1e-30),
    ):
        mechanism = calibrate(Gaussian, target, sensitivity=sensitivity)
        assert mechanism.sensitivity == sensitivity
        less = Gaussian(mechanism.sigma * (1 - 1e-9), sensitivity)
        assert satisfies(mechanism, target), target
        assert not satisfies(less, target), target
    for goal in (PureDP(0.4), ApproxDP(0.4, 0.01)):
        laplace = calibrate(Laplace, goal, sensitivity=sensitivity)
        assert satisfies(laplace, goal)
        assert not satisfies(Laplace(laplace.scale * (1 - 1e-9), sensitivity), goal)
    assert calibrate(RandomizedResponse, PureDP(0.4)) == RandomizedResponse(
        0.4, adjacency=Adjacency.ADD_REMOVE
    )


def satisfies(mechanism: Gaussian | Laplace, target: object) -> bool:
    slack = 1 + 4e-15
    match target:
        case GaussianDP(mu=mu):
            return mechanism.guarantee(GaussianDP).mu <= mu * slack
        case ZCDP(rho=rho):
            return mechanism.guarantee(ZCDP).rho <= rho * slack
        case PureDP(epsilon=epsilon):
            return mechanism.guarantee(PureDP).epsilon <= epsilon * slack
        case RenyiDP(orders=orders, epsilons=epsilons):
            found = mechanism.guarantee(RenyiDP, orders=orders).epsilons
            return all(x <= e * slack for x, e in zip(found, epsilons, strict=True))
        case AlphaDP(order=order, epsilon=epsilon):
            return mechanism.guarantee(AlphaDP, order=order).epsilon <= epsilon * slack
        case ApproxDP(epsilon=epsilon, delta=delta):
            return mechanism.guarantee(ApproxDP, epsilon=epsilon).delta <= delta * (1 + 1e-11)
    raise AssertionError(target)


def test_the_classic_formula_and_the_analytic_one() -> None:
    # the textbook formula sigma = sqrt(2 log(1.25/delta))/epsilon is proved for epsilon <= 1
    # (errata E4 and E5 in book/errata.md)
    delta = 1e-5
    for epsilon in (0.1, 0.5, 1.0):
        classic = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        assert calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma < classic
    too_far = math.sqrt(2 * math.log(1.25 / delta)) / 20
    assert Gaussian(too_far).guarantee(ApproxDP, epsilon=20).delta == pytest.approx(
        1.5e-3, rel=0.05
    )
    # Liu and Wang (2025) print the formula with epsilon in place of epsilon^2 in the variance;
    # with this noise, delta is about 1.9e-3 instead of 1e-5
    printed = math.sqrt(2 * math.log(1.25 / delta) / 0.1)
    assert printed == pytest.approx(15.32, abs=0.005)
    assert Gaussian(printed).guarantee(ApproxDP, epsilon=0.1).delta == pytest.approx(
        1.9e-3, rel=0.02
    )


@pytest.mark.parametrize(
    "mechanism",
    [
        Gaussian(2.0),
        Laplace(0.5, 3.0, adjacency=Adjacency.REPLACE_ONE),
        RandomizedResponse(1.5),
        RandomizedResponse(1.5, adjacency=Adjacency.ADD_REMOVE),
        KaryRandomizedResponse(1.5, 7),
        DeltaCatastrophe(1e-5),
        ExponentialMechanism(1.5, 2.0, True),
        PermuteAndFlip(1.5),
        ReportNoisyMax(1.5, noise="exponential", adjacency=Adjacency.REPLACE_ONE),
        SparseVector(1.5, 10.0, count=3, threshold_share=0.4),
    ],
)
def test_repr_makes_it_again_and_leaves_defaults_out(mechanism: Mechanism) -> None:
    assert eval(repr(mechanism), vars(dpteach).copy()) == mechanism
    assert ("adjacency" in repr(mechanism)) == (
        mechanism.adjacency is not type(mechanism).__dataclass_fields__["adjacency"].default
    )


@pytest.mark.parametrize("shift", [1e-3, 0.4, 1.0, 3.0, 40.0])
def test_how_often_the_loss_is_large(shift: float) -> None:
    gaussian, laplace = Gaussian(1 / shift), Laplace(1.0, shift)
    for epsilon in (0.0, 0.2 * shift, 0.9 * shift, shift, 2 * shift + 3):
        delta = gaussian.guarantee(ProbabilisticDP, epsilon=epsilon).delta
        truth = stats.norm.sf((epsilon - shift**2 / 2) / shift)
        assert delta == pytest.approx(truth, rel=1e-9) and delta >= truth * (1 - 1e-15)
        # for Laplace noise the loss at output x is `shift` for x < 0, and shift - 2 x for x between
        # 0 and `shift`
        delta = laplace.guarantee(ProbabilisticDP, epsilon=epsilon).delta
        truth = stats.laplace.cdf((shift - epsilon) / 2) if epsilon < shift else 0.0
        assert delta == pytest.approx(truth, rel=1e-12)
    for delta in (1e-300, 1e-9, 0.2, 0.5, 0.7, 1.0):
        epsilon = gaussian.guarantee(ProbabilisticDP, delta=delta).epsilon
        assert gaussian.guarantee(ProbabilisticDP, epsilon=epsilon).delta <= delta
        exact = max(0.0, shift**2 / 2 + shift * stats.norm.isf(delta))
        assert epsilon == pytest.approx(exact, rel=1e-9, abs=1e-12)
        epsilon = laplace.guarantee(ProbabilisticDP, delta=delta).epsilon
        assert laplace.guarantee(ProbabilisticDP, epsilon=epsilon).delta <= delta * (1 + 1e-14)
    with pytest.raises(ValueError, match="delta must be > 0"):
        gaussian.guarantee(ProbabilisticDP, delta=0)
    assert laplace.guarantee(ProbabilisticDP, delta=0).epsilon == shift


def test_how_often_the_loss_of_response_is_large() -> None:
    for mechanism in (KaryRandomizedResponse(1.0, 4), KaryRandomizedResponse(0.3, 2)):
        loss = mechanism.privacy_loss()
        for epsilon in (0.0, 0.29, 0.31, 1.0, 5.0):
            truth = float(loss.p[np.log(loss.p / loss.q) > epsilon].sum())
            found = mechanism.guarantee(ProbabilisticDP, epsilon=epsilon).delta
            assert found == pytest.approx(truth, rel=1e-14)
        assert mechanism.guarantee(ProbabilisticDP, delta=0.01).epsilon == mechanism.epsilon
        assert mechanism.guarantee(ProbabilisticDP, delta=0.9).epsilon == 0
    assert KaryRandomizedResponse(0.0, 2).guarantee(ProbabilisticDP, epsilon=0).delta == 0
    catastrophe = DeltaCatastrophe(0.1).guarantee(ProbabilisticDP, epsilon=3.0)
    assert catastrophe == ProbabilisticDP(3.0, 0.1)


def test_zcdp_of_laplace_noise() -> None:
    for shift in (1e-4, 0.1, 1.0, 5.0, 50.0):
        rho = Laplace(1 / shift).guarantee(ZCDP).rho
        assert rho == pytest.approx(shift + math.expm1(-shift), rel=1e-7)
        orders = 1 + np.geomspace(1e-6, 1e6, 60)
        renyi = Laplace(1 / shift).guarantee(RenyiDP, orders=orders.tolist()).epsilons
        assert all(d <= a * rho * (1 + 1e-13) for a, d in zip(orders, renyi, strict=True))


@pytest.mark.slow
def test_how_often_the_loss_is_large_errs_upwards() -> None:
    rng = np.random.default_rng(13)
    with mpmath.workdps(50):
        for _ in range(2000):
            shift = float(10 ** rng.uniform(-6, 3))
            small = float(10 ** rng.uniform(-300, 0))
            gaussian = Gaussian(1 / shift)
            t = mpmath.mpf(gaussian.shift)
            epsilon = max(0.0, shift**2 / 2 + shift * float(rng.uniform(-30, 30)))
            exact = mpmath.ncdf(t / 2 - epsilon / t)
            delta = gaussian.guarantee(ProbabilisticDP, epsilon=epsilon).delta
            assert exact <= delta <= exact * (1 + mpmath.mpf(10) ** -9)
            found = gaussian.guarantee(ProbabilisticDP, delta=small).epsilon
            assert mpmath.ncdf(t / 2 - found / t) <= small
            laplace = Laplace(1 / shift)
            t = mpmath.mpf(laplace.shift)
            epsilon = shift * float(rng.uniform(0, 1.1))
            exact = 1 - mpmath.exp((epsilon - t) / 2) / 2 if epsilon < t else mpmath.mpf(0)
            delta = laplace.guarantee(ProbabilisticDP, epsilon=epsilon).delta
            assert exact <= delta <= exact * (1 + mpmath.mpf(10) ** -13)
            small = float(rng.uniform(0, 1))
            found = laplace.guarantee(ProbabilisticDP, delta=small).epsilon
            assert found == laplace.shift or 1 - mpmath.exp((found - t) / 2) / 2 <= small


@pytest.mark.parametrize(
    ("sigma", "sensitivity", "epsilon"),
    [
        (0.0014758155092199426, 1.0, 243542.19207885535),
        (1.0476595785006408e-07, 1.0, 45554552503039.37),
        (3.0, 1.0, 7.0),
        (0.7, 3.1, 40.0),
        (0.25, 3.0, 130.0),  # here sensitivity / sigma needs no rounding
    ],
)
def test_the_profile_of_gaussian_noise_is_that_of_the_exact_quotient(
    sigma: float, sensitivity: float, epsilon: float
) -> None:
    mechanism = Gaussian(sigma, sensitivity)
    approx = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
    tail = mechanism.guarantee(ProbabilisticDP, epsilon=epsilon).delta
    with mpmath.workdps(150):
        shift, e = mpmath.mpf(sensitivity) / mpmath.mpf(sigma), mpmath.mpf(epsilon)
        a = e / shift - shift / 2
        exceeded = mpmath.ncdf(-a)
        delta = exceeded - mpmath.exp(e) * mpmath.ncdf(-a - shift)
        assert delta <= approx <= delta * (1 + 4e-15 * (1 + a * e / shift))
        # `exceeded` depends only on a, the difference of e / shift and shift / 2. The rounding
        # error of a grows with their sum, and so does the tolerance
        assert exceeded <= tail <= exceeded * (1 + 1e-14 * (1 + (abs(a) + 1) * (e / shift + shift)))


@pytest.mark.parametrize("order", [1e290, 1.7e308])
def test_orders_near_the_largest_float(order: float) -> None:
    for mechanism in (RandomizedResponse(36.0), ExponentialMechanism(36.0)):
        assert mechanism.guarantee(RenyiDP, orders=order).epsilons == (36.0,)
    assert RandomizedResponse(0.0).guarantee(RenyiDP, orders=order).epsilons == (0.0,)
    assert convert(PureDP(36.0), to=RenyiDP, orders=order).epsilons == (36.0,)


def test_a_delta_that_no_epsilon_reaches_is_named() -> None:
    with pytest.raises(ValueError, match=r"^delta must be larger.*got delta=0"):
        Gaussian(sigma=1.0).guarantee(ApproxDP, delta=0)


def test_a_rounded_shift_of_laplace_noise_errs_upwards() -> None:
    for scale, sensitivity in ((3.0, 1.0), (4.9529902591607895, 0.005099319480082219), (0.1, 1.0)):
        for mechanism in (Laplace(scale, sensitivity), Snapping(scale, sensitivity, bound=50.0)):
            exact = Fraction(sensitivity) / Fraction(scale)
            pure = mechanism.guarantee(PureDP).epsilon
            assert math.nextafter(pure, 0) < exact <= pure
            for epsilon in (pure, math.nextafter(pure, 0), sensitivity / scale):
                lost = max(Fraction(0), exact - Fraction(epsilon)) / 2
                delta = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
                # the exact delta is 1 - e^-lost, which is at least lost - lost^2 / 2
                assert delta >= lost - lost**2 / 2
                if isinstance(mechanism, Laplace) and epsilon < exact:
                    often = mechanism.guarantee(ProbabilisticDP, epsilon=epsilon).delta
                    assert often >= 0.5
    assert Laplace(1e308, 1e-308).shift > 0


@pytest.mark.parametrize("order", [8e307, 9e307, 1.7e308])
def test_the_largest_orders_are_no_claim_of_nothing(order: float) -> None:
    for mechanism in (
        Laplace(1.0),
        Laplace(0.5),
        Laplace(1e-5),
        Snapping(1.0, bound=8.0),
        RandomizedResponse(300.0),
        KaryRandomizedResponse(300.0, 5),
    ):
        assert mechanism.guarantee(AlphaDP, order=order).epsilon == math.inf
        renyi = mechanism.guarantee(RenyiDP, orders=order).epsilons[0]
        assert renyi == mechanism.guarantee(PureDP).epsilon
    # the alpha divergence underflows to 0, but the Rényi divergence must stay positive
    claim = Laplace(1e300).guarantee(RenyiDP, orders=[1.4e154, order])
    assert all(0 < epsilon <= 1e-299 for epsilon in claim.epsilons)


@pytest.mark.parametrize(("epsilon", "k"), [(2.0, 30), (4.0, 200), (5.0, 400)])
def test_of_many_categories_another_order_than_1_is_the_worst(epsilon: float, k: int) -> None:
    mechanism = KaryRandomizedResponse(epsilon, k)
    rho, loss = mechanism.guarantee(ZCDP).rho, mechanism.privacy_loss()
    slopes = [loss.renyi(a) / a for a in np.geomspace(1, 10, 60).tolist()]
    assert max(slopes) > 1.01 * slopes[0]
    assert max(slopes) <= rho <= 1.01 * max(slopes)


def test_the_capacity_of_response_errs_upwards_and_is_below_that_of_the_identity() -> None:
    rng = np.random.default_rng(14)
    points = [(30.0, 10**6), (63.0, 10**12), (50.0, 10**15), (50.0, 2**53), (1e-12, 2)]
    for _ in range(300):
        k = int(2 ** rng.uniform(1, 53))
        points += [(float(10 ** rng.uniform(-12, 2.8)), k), (math.log(k) * rng.uniform(0.5, 2), k)]
    with mpmath.workdps(60):
        for epsilon, k in points:
            grown = mpmath.exp(mpmath.mpf(epsilon))
            truth, lie = grown / (grown + k - 1), 1 / (grown + k - 1)
            exact = truth * mpmath.log(k * truth) + (k - 1) * lie * mpmath.log(k * lie)
            claim = KaryRandomizedResponse(epsilon, k).guarantee(MutualInformationDP).epsilon
            assert exact <= claim <= exact * (1 + mpmath.mpf(10) ** -13), (epsilon, k)
            assert claim <= math.nextafter(math.log(k), math.inf)


@pytest.mark.parametrize("epsilon", [1e-170, 1e-17, 40.0, 700.0])
def test_the_loss_of_response_is_its_epsilon_exactly(epsilon: float) -> None:
    loss = RandomizedResponse(epsilon).privacy_loss()
    assert loss.max() == loss.reversed().max() == epsilon
