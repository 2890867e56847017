"""Tests of selection mechanisms, of k-ary randomized response, and of methods of all mechanisms.

The statistical tests are seeded; with fresh seeds, each would raise a false alarm with probability
at most 1e-9.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from dpteach import (
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
    DiscreteLoss,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
    KaryRandomizedResponse,
    Laplace,
    Mechanism,
    MutualInformationDP,
    PermuteAndFlip,
    PostProcessed,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
)
from dpteach.divergences import kl_divergence
from dpteach.mechanisms import _panels
from dpteach.mechanisms._bounded_range import renyi_of_bounded_range, zcdp_of_bounded_range

FALSE_ALARM = 1e-9
SAMPLES = 50_000
ORDERS = (1.0, 1 + 1e-6, 1.5, 2.0, 8.0, 64.0, 1e3)

Law = NDArray[np.float64]
SELECTIONS: list[Any] = [
    ExponentialMechanism(2.0),
    ExponentialMechanism(2.0, monotonic=True),
    PermuteAndFlip(2.0),
    PermuteAndFlip(0.5, 0.25, monotonic=True),
    ReportNoisyMax(2.0),
    ReportNoisyMax(2.0, monotonic=True),
    ReportNoisyMax(2.0, noise="exponential"),
    ReportNoisyMax(2.0, noise="gumbel"),
]
score_vectors = st.lists(st.floats(-20, 20), min_size=1, max_size=7)


# --- distributions of selections -------------------------------------------------------------


def softmax(scores: Law, rate: float) -> Law:
    weights = np.exp(rate * (scores - scores.max()))
    return np.asarray(weights / weights.sum())


def by_all_orders(scores: Law, rate: float) -> Law:
    """Return the distribution of permute-and-flip by definition, over all orders of candidates."""
    p = np.exp(rate * (scores - scores.max()))
    law = np.zeros_like(p)
    orders = list(itertools.permutations(range(p.size)))
    for order in orders:
        left = 1.0
        for i in order:
            law[i] += left * p[i] / len(orders)
            left *= 1 - p[i]
    return law


def by_subsets(scores: Law, rate: float) -> Law:
    """Return the distribution of permute-and-flip by a sum over subsets of the candidates.

    The sum is in the appendix of McKenna and Sheldon (2020).
    """
    p = np.exp(rate * (scores - scores.max()))
    law = np.zeros_like(p)
    for i in range(p.size):
        others = np.delete(p, i)
        for size in range(p.size):
            for chosen in itertools.combinations(others, size):
                law[i] += p[i] * (-1) ** size / (size + 1) * math.prod(chosen)
    return law


def by_integral(scores: Law, rate: float) -> Law:
    """Return the distribution of report noisy max with Laplace noise, by integration in mpmath."""
    centres = [mpmath.mpf(float(s)) * rate for s in scores]

    def cdf(y: Any) -> Any:
        return mpmath.exp(y) / 2 if y < 0 else 1 - mpmath.exp(-y) / 2

    def density(x: Any, i: int) -> Any:
        rest = mpmath.fprod(cdf(x - c) for j, c in enumerate(centres) if j != i)
        return mpmath.exp(-abs(x - centres[i])) / 2 * rest

    points = [-mpmath.inf, *sorted(set(centres)), mpmath.inf]
    return np.array(
        [float(mpmath.quad(lambda x, i=i: density(x, i), points)) for i in range(len(centres))]
    )


@pytest.mark.parametrize(
    ("make", "law"),
    [
        (ExponentialMechanism, softmax),
        (lambda e, **k: ReportNoisyMax(e, noise="gumbel", **k), softmax),
        (PermuteAndFlip, by_all_orders),
        (PermuteAndFlip, by_subsets),
        (lambda e, **k: ReportNoisyMax(e, noise="exponential", **k), by_all_orders),
        (ReportNoisyMax, by_integral),
    ],
)
@pytest.mark.parametrize("scores", [[1.0], [0.0, 0.0], [3.0, 1.0, 2.5], [5.0, 5.0, -2.0, 4.9]])
def test_law(make: Callable[..., Any], law: Callable[..., Law], scores: list[float]) -> None:
    for epsilon, monotonic in ((0.0, False), (0.7, False), (3.0, True)):
        mechanism = make(epsilon, sensitivity=0.5, monotonic=monotonic)
        rate = epsilon / 0.5 * (1.0 if monotonic else 0.5)
        assert mechanism.law(scores) == pytest.approx(law(np.array(scores), rate), rel=1e-12)


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(score_vectors)
def test_laws_of_noises_agree_with_their_other_names(scores: list[float]) -> None:
    exponential, flip = ExponentialMechanism(1.5), PermuteAndFlip(1.5)
    gumbel, one_sided = (ReportNoisyMax(1.5, noise=n) for n in ("gumbel", "exponential"))
    assert gumbel.law(scores) == pytest.approx(exponential.law(scores), rel=1e-13)
    assert one_sided.law(scores) == pytest.approx(flip.law(scores), rel=1e-13)
    # for any scores, the expected score of permute-and-flip is at least that of the exponential
    # mechanism (McKenna and Sheldon (2020), theorem 2)
    assert flip.law(scores) @ scores >= exponential.law(scores) @ scores - 1e-12
    for mechanism in SELECTIONS:
        law = mechanism.law(scores)
        assert math.fsum(law) == pytest.approx(1, abs=1e-12)
        assert np.all(np.diff(law[np.argsort(scores, kind="stable")]) >= -1e-13)


def test_laws_of_two_candidates_in_closed_form() -> None:
    for gap in (0.0, 1e-9, 0.3, 2.0, 40.0, 600.0):
        loser = ReportNoisyMax(2.0).law([gap, 0.0])[1]
        assert loser == pytest.approx((2 + gap) / 4 * math.exp(-gap), rel=1e-12)
        loser = PermuteAndFlip(2.0).law([gap, 0.0])[1]
        assert loser == pytest.approx(math.exp(-gap) / 2, rel=1e-12)
        loser = ExponentialMechanism(2.0).law([gap, 0.0])[1]
        assert loser == pytest.approx(math.exp(-gap) / (1 + math.exp(-gap)), rel=1e-12)


@pytest.mark.parametrize("mechanism", SELECTIONS, ids=repr)
def test_law_of_extreme_scores(mechanism: Any) -> None:
    assert mechanism.law([1e308, -1e308, 1e308]) == pytest.approx([0.5, 0, 0.5], rel=1e-12)
    assert mechanism.law([3.0]) == pytest.approx([1.0], rel=1e-12)
    assert mechanism.law(np.zeros(128)) == pytest.approx(np.full(128, 1 / 128), rel=1e-11)
    # adding a constant to all scores changes nothing
    scores = np.array([0.5, -2.0, 0.25])
    assert mechanism.law(scores + 1024) == pytest.approx(mechanism.law(scores), rel=1e-12)
    answers = mechanism.release([[1e308, -1e308], [-1e308, 1e308]], rng=np.random.default_rng(0))
    assert answers.tolist() == [0, 1]
    # at epsilon 0 the scores have no influence, however far apart they are
    blind = replace(mechanism, epsilon=0.0)
    assert blind.law([1e308, -1e308]) == pytest.approx([0.5, 0.5], rel=1e-12)


@pytest.mark.parametrize("mechanism", SELECTIONS, ids=repr)
def test_law_of_what_is_released(mechanism: Any) -> None:
    scores = np.array([1.0, 0.4, 1.3, -0.5])
    rows = np.broadcast_to(scores, (SAMPLES, 4))
    answers = mechanism.release(rows, rng=np.random.default_rng(11))
    assert answers.shape == (SAMPLES,) and answers.dtype == np.int64
    counts = np.bincount(answers, minlength=4)
    assert stats.chisquare(counts, SAMPLES * mechanism.law(scores)).pvalue > FALSE_ALARM
    # releases are independent, so consecutive answers are uncorrelated
    table = np.zeros((4, 4))
    np.add.at(table, (answers[:-1:2], answers[1::2]), 1)
    assert stats.chi2_contingency(table).pvalue > FALSE_ALARM


@pytest.mark.parametrize("mechanism", SELECTIONS, ids=repr)
def test_release_shapes(mechanism: Any) -> None:
    for shape in ((3,), (2, 3), (4, 2, 1)):
        answer = mechanism.release(np.zeros(shape), rng=np.random.default_rng(1))
        again = mechanism.release(np.zeros(shape), rng=np.random.default_rng(1))
        assert answer.shape == shape[:-1]
        assert np.array_equal(answer, again)
    assert ["a", "b"][mechanism.release([0.0, 1e6], rng=np.random.default_rng(0))] == "b"


@pytest.mark.parametrize("mechanism", SELECTIONS, ids=repr)
def test_bad_scores(mechanism: Any) -> None:
    rng = np.random.default_rng(0)
    for bad in ([], [[]], 3.0, [math.nan, 1.0], [math.inf], ["a"], None, [[1, 2], [3]], [1j]):
        with pytest.raises((ValueError, TypeError), match=r"^value must .*got value="):
            mechanism.release(bad, rng=rng)
        with pytest.raises((ValueError, TypeError), match=r"^scores must .*got scores="):
            mechanism.law(bad)
        with pytest.raises((ValueError, TypeError), match=r"^neighbour must .*got neighbour="):
            mechanism.privacy_loss_between([1.0], bad)
    with pytest.raises(ValueError, match="scores must be a vector"):
        mechanism.law([[1.0, 2.0]])
    with pytest.raises(ValueError, match="same shape, got value of shape"):
        mechanism.privacy_loss_between([1.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="rng must be"):
        mechanism.release([1.0], rng=None)
    with pytest.raises(TypeError, match="privacy_loss must have one pair"):
        mechanism.privacy_loss()
    if isinstance(mechanism, (PermuteAndFlip, ReportNoisyMax)) and mechanism != SELECTIONS[-1]:
        with pytest.raises(ValueError, match="scores must be of at most 128 candidates"):
            mechanism.law(np.zeros(129))
        assert mechanism.release(np.zeros(5000), rng=rng) < 5000


# --- privacy of selections -------------------------------------------------------------------


@settings(max_examples=80, deadline=None, database=None, derandomize=True)
@given(score_vectors, st.data())
def test_pure_dp_of_selections(scores: list[float], data: st.DataObject) -> None:
    ends = st.sampled_from([-1.0, 0.0, 1.0]) | st.floats(-1, 1)
    moves = np.array(data.draw(st.lists(ends, min_size=len(scores), max_size=len(scores))))
    for mechanism in SELECTIONS:
        change = mechanism.sensitivity * (np.abs(moves) if mechanism.monotonic else moves)
        loss = mechanism.privacy_loss_between(scores, np.array(scores) + change)
        assert mechanism.guarantee(PureDP).holds_for(loss)


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_pure_dp_of_selections_is_reached(epsilon: float, monotonic: bool) -> None:
    # the loss is largest for a candidate that is rarely selected, whose score rises by 1 while the
    # score of its rival falls by 1 (or stays, if monotonic)
    down, far = (0.0, 100 / epsilon) if monotonic else (-1.0, 200 / epsilon)
    for make in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax):
        mechanism = make(epsilon, monotonic=monotonic)
        loss = mechanism.privacy_loss_between([1 - far, down], [-far, 0.0])
        # with Laplace noise, the loss approaches epsilon only slowly as `far` grows, so the
        # tolerance is wider
        assert loss.max() == pytest.approx(epsilon, rel=3e-2 if make is ReportNoisyMax else 1e-9)
        assert loss.max() <= epsilon * (1 + 1e-12)


def test_what_permute_and_flip_pays_in_composition() -> None:
    for epsilon in (0.01, 1.0, 6.0):
        flip = PermuteAndFlip(epsilon)
        loss = flip.privacy_loss_between([1.0, 0.0], [0.0, 1.0])
        # the largest losses of the two directions sum to more than epsilon; for the exponential
        # mechanism, they sum to at most epsilon
        assert loss.max() + loss.reversed().max() > epsilon
        # with the same epsilon, the KL divergence of permute-and-flip exceeds the rho of the
        # exponential mechanism, which bounds the KL divergence of that mechanism
        rho = ExponentialMechanism(epsilon).guarantee(ZCDP).rho
        assert loss.kl() > rho
    tiny = PermuteAndFlip(1e-4).privacy_loss_between([1.0, 0.0], [0.0, 1.0])
    assert tiny.kl() == pytest.approx(1e-8 / 2, rel=1e-3)


def worst_pair(mechanism: ExponentialMechanism, t: float) -> DiscreteLoss:
    """Return a privacy loss, between two score vectors, whose only values are t and t - epsilon."""
    epsilon = mechanism.epsilon
    # the odds q/(1 - q) of the first candidate under Q
    odds = -math.expm1(t - epsilon) / math.expm1(t)
    rate = epsilon if mechanism.monotonic else epsilon / 2
    score = math.log(odds) / rate
    down = 0.0 if mechanism.monotonic else -1.0
    return mechanism.privacy_loss_between([score + 1, down], [score, 0.0])


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0])
def test_exponential_mechanism_reaches_what_its_range_implies(
    epsilon: float, monotonic: bool
) -> None:
    mechanism = ExponentialMechanism(epsilon, monotonic=monotonic)
    t = np.linspace(0, epsilon, 399)[1:-1]
    pairs = [worst_pair(mechanism, float(x)) for x in t]
    assert pairs[140].max() == pytest.approx(t[140], rel=1e-9)
    assert pairs[140].reversed().max() == pytest.approx(epsilon - t[140], rel=1e-9)
    for order in ORDERS:
        claimed = mechanism.guarantee(RenyiDP, orders=order).epsilons[0]
        found = max(pair.renyi(order) for pair in pairs)
        assert found <= claimed * (1 + 1e-12)
        # the maximum over the coarse grid of t is slightly too small
        assert found == pytest.approx(claimed, rel=2e-3)
        if order > 1:
            alpha = mechanism.guarantee(AlphaDP, order=order).epsilon
            assert max(pair.alpha(order) for pair in pairs) <= alpha * (1 + 1e-9)
    for smaller in (0.0, 0.2 * epsilon, 0.9 * epsilon):
        delta = mechanism.guarantee(ApproxDP, epsilon=smaller).delta
        best = worst_pair(mechanism, (smaller + epsilon) / 2)
        assert best.hockey_stick(smaller) == pytest.approx(delta, rel=1e-9)
        assert max(pair.hockey_stick(smaller) for pair in pairs) <= delta
        back = mechanism.guarantee(ApproxDP, delta=delta).epsilon
        assert smaller - 1e-12 <= back <= smaller + 1e-9
    rho = mechanism.guarantee(ZCDP).rho
    assert max(pair.kl() for pair in pairs) == pytest.approx(rho, rel=1e-3)
    assert rho <= epsilon**2 / 8
    assert all(ZCDP(rho).holds_for(pair) for pair in pairs[::40])


def exact_renyi(epsilon: Any, order: Any) -> Any:
    """Return the largest Rényi divergence of epsilon-bounded-range mechanisms, in closed form."""
    if order == 1:
        u = epsilon / -mpmath.expm1(-epsilon)
        return u - 1 - mpmath.log(u)
    b = order - 1
    c = mpmath.expm1(b * epsilon) / -mpmath.expm1(-epsilon)
    x = b * (1 + c) / (order * c)
    return mpmath.log(x) + mpmath.log((1 + c) / order) / b


@pytest.mark.slow
def test_renyi_of_bounded_range_at_120_digits() -> None:
    rng = np.random.default_rng(5)
    with mpmath.workdps(120):
        for _ in range(2000):
            epsilon = float(700 ** rng.uniform(-4, 1))
            order = 1 + float(10 ** rng.uniform(-10, 6)) if rng.random() < 0.9 else 1.0
            truth = exact_renyi(mpmath.mpf(epsilon), mpmath.mpf(order))
            found = renyi_of_bounded_range(epsilon, order)
            assert abs(found / truth - 1) < 2e-15, (epsilon, order)
            # the library's rho for zCDP is the divergence of order 1. This is right only if the
            # divergence of each order is at most order * rho
            rho = exact_renyi(mpmath.mpf(epsilon), 1)
            assert truth <= order * rho * (1 + mpmath.mpf(10) ** -40)
    assert zcdp_of_bounded_range(1e-8) == pytest.approx(1e-16 / 8, rel=1e-8)
    assert renyi_of_bounded_range(3.0, math.inf) == 3.0
    assert renyi_of_bounded_range(0.0, 2.0) == 0.0


def test_all_of_delta_leaves_no_epsilon() -> None:
    # for epsilon above 37.5, 1 - e^-epsilon rounds to 1, so try such epsilons, too
    for epsilon in (1e-300, 1e-3, 1.0, 50.0, 700.0):
        assert ExponentialMechanism(epsilon).guarantee(ApproxDP, delta=1.0).epsilon == 0


def test_profile_of_bounded_range_errs_upwards() -> None:
    rng = np.random.default_rng(6)
    with mpmath.workdps(50):
        for _ in range(2000):
            top = float(700 ** rng.uniform(-3, 1))
            mechanism = ExponentialMechanism(top)
            epsilon = top * float(rng.uniform(0, 1.1))
            half = mpmath.expm1((mpmath.mpf(epsilon) - top) / 2)
            exact = half**2 / -mpmath.expm1(-mpmath.mpf(top)) if epsilon < top else mpmath.mpf(0)
            delta = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
            assert exact <= delta <= exact * (1 + mpmath.mpf(10) ** -13)
            small = float(10 ** rng.uniform(-300, 0))
            root = mpmath.sqrt(small * -mpmath.expm1(-mpmath.mpf(top)))
            exact = max(mpmath.mpf(0), top + 2 * mpmath.log1p(-root)) if root < 1 else mpmath.mpf(0)
            found = mechanism.guarantee(ApproxDP, delta=small).epsilon
            assert exact <= found <= exact + mpmath.mpf(10) ** -13 * max(top, 1)


# --- k-ary randomized response ---------------------------------------------------------------


def channel(m: KaryRandomizedResponse) -> Law:
    table = np.full((m.categories, m.categories), m.lie_probability)
    np.fill_diagonal(table, m.truth_probability)
    return table


def information(prior: Law, rows: Law) -> float:
    """Return the mutual information of a channel with a given prior.

    It is the mean KL divergence of a row from the mean row, both weighted by `prior`.
    """
    average = prior @ rows
    return float(sum(w * kl_divergence(row, average) for w, row in zip(prior, rows, strict=True)))


@pytest.mark.parametrize(("epsilon", "k"), [(0.0, 3), (0.3, 2), (1.0, 4), (3.0, 11)])
def test_k_ary_response_against_its_whole_channel(epsilon: float, k: int) -> None:
    mechanism = KaryRandomizedResponse(epsilon, k)
    rows = channel(mechanism)
    whole, short = DiscreteLoss(rows[0], rows[1]), mechanism.privacy_loss()
    for order in (0.0, 0.5, *ORDERS, math.inf):
        assert short.renyi(order) == pytest.approx(whole.renyi(order), rel=1e-11, abs=1e-15)
    for e in (0.0, 0.1, 2.0):
        assert short.hockey_stick(e) == pytest.approx(whole.hockey_stick(e), rel=1e-12, abs=1e-16)
    # the uniform prior attains the capacity, and the other priors must not exceed it
    uniform = np.full(k, 1 / k)
    capacity = mechanism.guarantee(MutualInformationDP).epsilon
    rng = np.random.default_rng(0)
    priors = [uniform, *rng.dirichlet(np.ones(k), size=50)]
    found = [information(prior, rows) for prior in priors]
    assert found[0] == pytest.approx(capacity, rel=1e-9, abs=1e-15)
    assert max(found) <= found[0] + 1e-15


def test_k_ary_response_of_two_is_randomized_response() -> None:
    for epsilon in (0.0, 1e-9, 0.4, 5.0, 700.0):
        one, two = KaryRandomizedResponse(epsilon, 2), RandomizedResponse(epsilon)
        assert one.truth_probability == pytest.approx(two.truth_probability, rel=1e-15)
        for notion, at in (
            (PureDP, {}),
            (ZCDP, {}),
            (MutualInformationDP, {}),
            (AlphaDP, {"order": 3.0}),
            (RenyiDP, {"orders": 7.0}),
            (ApproxDP, {"epsilon": 0.1}),
            (ApproxDP, {"delta": 1e-3}),
        ):
            left, right = one.guarantee(notion, **at), two.guarantee(notion, **at)
            for name in ("epsilon", "epsilons", "rho", "delta"):
                if hasattr(left, name):
                    expected = pytest.approx(getattr(right, name), rel=1e-12, abs=1e-15)
                    assert getattr(left, name) == expected


def test_zcdp_of_k_ary_response() -> None:
    # each pair is epsilon and the number of categories. For the pairs in `few`, rho is the KL
    # divergence; for those in `many`, it may be larger
    few, many = [(0.01, 6), (1.0, 6), (3.0, 19)], [(0.1, 7), (1.0, 11), (1.0, 50), (8.0, 5000)]
    points = (*few, (0.42, 7), (1.0, 9), (5.0, 51), *many)
    for epsilon, k in points:
        mechanism = KaryRandomizedResponse(epsilon, k)
        loss, rho = mechanism.privacy_loss(), mechanism.guarantee(ZCDP).rho
        slopes = [loss.renyi(a) / a for a in np.geomspace(1, 1e4, 400)]
        assert max(slopes) <= rho * (1 + 1e-12)
        assert rho == pytest.approx(max(slopes), rel=2e-2)
        if (k - 2) * math.exp(-epsilon / 2) <= 4:
            assert rho == pytest.approx(loss.kl(), rel=1e-12)
    # with many categories, rho is larger than the divergence of order 1, the KL divergence
    assert KaryRandomizedResponse(8.0, 5000).guarantee(ZCDP).rho > 1.1 * loss.kl()


@pytest.mark.parametrize("category", [0, 2])
def test_law_of_k_ary_response(category: int) -> None:
    mechanism = KaryRandomizedResponse(1.2, 4)
    answers = mechanism.release(np.full(SAMPLES, category), rng=np.random.default_rng(3))
    expected = SAMPLES * channel(mechanism)[category]
    assert stats.chisquare(np.bincount(answers, minlength=4), expected).pvalue > FALSE_ALARM
    assert mechanism.release(np.zeros((2, 3), int), rng=np.random.default_rng(0)).shape == (2, 3)
    assert mechanism.release([], rng=np.random.default_rng(0)).shape == (0,)


def test_frequencies_are_unbiased() -> None:
    mechanism = KaryRandomizedResponse(1.0, 5)
    truth = np.repeat(np.arange(5), [100, 60, 30, 10, 0])
    rng = np.random.default_rng(8)
    answers = [mechanism.release(truth, rng=rng) for _ in range(2000)]
    estimates = np.array([mechanism.frequencies(answer) for answer in answers])
    assert estimates.sum(axis=1) == pytest.approx(np.ones(2000))
    error = estimates.mean(axis=0) - np.array([0.5, 0.3, 0.15, 0.05, 0])
    # for each of the 5 categories there are two tails beyond 6.5 standard errors; all ten together
    # have probability below 1e-9
    assert np.all(np.abs(error) < 6.5 * estimates.std(axis=0) / math.sqrt(2000))
    # categories that occur in no answer get estimates, too
    few = mechanism.frequencies([0, 0, 1])
    assert few.shape == (5,) and few.sum() == pytest.approx(1)
    # the estimates are unbiased: their exact expectation, computed from the channel, is `expected`
    expected = np.array([0.5, 0.3, 0.15, 0.05, 0])
    seen = expected @ channel(mechanism)
    p, q = mechanism.truth_probability, mechanism.lie_probability
    assert (seen - q) / (p - q) == pytest.approx(expected, abs=1e-12)


def test_bad_categories() -> None:
    mechanism = KaryRandomizedResponse(1.0, 3)
    rng = np.random.default_rng(0)
    for bad in (3, -1, [0, 3], 0.0, [1.0], "a", None, [True], [[0], [0, 1]], math.nan, 1j):
        with pytest.raises((ValueError, TypeError), match=r"^value must .*got value="):
            mechanism.release(bad, rng=rng)
        with pytest.raises((ValueError, TypeError), match=r"^answers must .*got answers="):
            mechanism.frequencies(bad)
    with pytest.raises(ValueError, match="answers must hold at least one"):
        mechanism.frequencies([])
    with pytest.raises(ValueError, match="epsilon > 0"):
        KaryRandomizedResponse(0.0, 3).frequencies([1])
    for k in (0, 1, -2, 2.0, "3", None, True):
        with pytest.raises((ValueError, TypeError), match="categories must be an integer >= 2"):
            KaryRandomizedResponse(1.0, k)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="categories must be at most"):
        KaryRandomizedResponse(1.0, 10**30)
    with pytest.raises(ValueError, match="one coordinate at most"):
        mechanism.privacy_loss_between([0, 1], [1, 0])
    assert mechanism.privacy_loss_between([0, 1], [0, 1]).max() == 0


# --- the catastrophe, post-processing, explanations ------------------------------------------


def test_catastrophe() -> None:
    mechanism = DeltaCatastrophe(0.25)
    loss = mechanism.privacy_loss()
    assert mechanism.guarantee(ApproxDP, epsilon=0) == ApproxDP(0, 0.25)
    assert mechanism.guarantee(ApproxDP, epsilon=50.0) == ApproxDP(50.0, 0.25)
    assert mechanism.guarantee(ApproxDP, delta=0.3) == ApproxDP(0, 0.3)
    assert loss.max() == loss.renyi(1.0) == loss.renyi(1.001) == math.inf
    for epsilon in (0.0, 3.0, 600.0):
        assert loss.hockey_stick(epsilon) == 0.25
    with pytest.raises(ValueError, match=r"delta must be >= 0\.25"):
        mechanism.guarantee(ApproxDP, delta=0.2)
    with pytest.raises(ValueError, match="epsilon must be finite"):
        mechanism.guarantee(ApproxDP, epsilon=math.inf)
    for notion, at in ((RenyiDP, {"orders": 2}), (ZCDP, {}), (PureDP, {}), (GaussianDP, {})):
        with pytest.raises(TypeError, match=r"notion must be .* the privacy loss is infinite"):
            mechanism.guarantee(notion, **at)
    with pytest.raises(TypeError, match=r"got notion=<class 'dpteach.*>$"):
        DeltaCatastrophe(0).guarantee(PureDP)
    rng = np.random.default_rng(0)
    published = sum(mechanism.release([3.0, 4.0], rng=rng).size > 0 for _ in range(20_000))
    assert stats.binomtest(published, 20_000, 0.25).pvalue > FALSE_ALARM
    assert DeltaCatastrophe(1).release([3.0, 4.0], rng=rng).tolist() == [3.0, 4.0]
    assert DeltaCatastrophe(0).release([3.0, 4.0], rng=rng).shape == (0,)
    assert mechanism.privacy_loss_between([1], [1]).max() == 0
    assert mechanism.privacy_loss_between([1], [2]).max() == math.inf


def test_post_processing() -> None:
    noisy = Laplace(2.0, adjacency=Adjacency.REPLACE_ONE)
    rounded = noisy.post_process(np.round)
    assert rounded == PostProcessed(noisy, np.round)
    assert rounded.adjacency is Adjacency.REPLACE_ONE
    assert rounded.guarantee(PureDP) == noisy.guarantee(PureDP)
    one, two = (m.release([0.3, 7.0], rng=np.random.default_rng(4)) for m in (rounded, noisy))
    assert one.tolist() == np.round(two).tolist()
    twice = rounded.post_process(np.abs)
    assert twice.guarantee(ZCDP) == noisy.guarantee(ZCDP)
    assert "post_process(round).post_process(absolute)" in repr(twice)
    with pytest.raises(TypeError, match="privacy_loss must"):
        rounded.privacy_loss()
    with pytest.raises(TypeError, match="privacy_loss_between must"):
        rounded.privacy_loss_between(0.0, 1.0)
    explanation = rounded.explain(ApproxDP, epsilon=0.1)
    assert explanation.kind == "upper bound" and "post-processing" in explanation.theorem
    assert explanation.value == noisy.guarantee(ApproxDP, epsilon=0.1).delta
    # post-processing keeps the guarantees of most notions, but not of probabilistic DP
    with pytest.raises(TypeError, match="notion must be one that post-processing keeps"):
        rounded.guarantee(ProbabilisticDP, epsilon=0.1)
    with pytest.raises(TypeError, match="notion must be one that post-processing keeps"):
        rounded.explain(ProbabilisticDP, epsilon=0.1)
    response = RandomizedResponse(1.0).privacy_loss()
    blurred = DiscreteLoss(*(row @ [[0.9, 0.1], [0.2, 0.8]] for row in (response.p, response.q)))
    assert RandomizedResponse(1.0).guarantee(PureDP).holds_for(blurred)


@pytest.mark.parametrize(
    ("mechanism", "notion", "at", "quantity", "value", "order"),
    [
        (Laplace(2.0), PureDP, {}, "epsilon", 0.5, None),
        (Gaussian(2.0), RenyiDP, {"orders": [8]}, "the Rényi divergence of order 8", 1.0, 8.0),
        (Gaussian(2.0), ZCDP, {}, "rho", 0.125, None),
        (Gaussian(2.0), GaussianDP, {}, "mu", 0.5, None),
        (DeltaCatastrophe(0.1), ApproxDP, {"epsilon": 2}, "delta at epsilon=2", 0.1, None),
        (DeltaCatastrophe(0.1), ApproxDP, {"delta": 0.1}, "epsilon at delta=0.1", 0.0, None),
    ],
)
def test_explanations(
    mechanism: Mechanism,
    notion: Any,
    at: dict[str, Any],
    quantity: str,
    value: float,
    order: float | None,
) -> None:
    explanation = mechanism.explain(notion, **at)
    assert (explanation.quantity, explanation.value, explanation.order) == (quantity, value, order)
    assert explanation.kind == "exact" and repr(mechanism) in explanation.note
    assert explanation.theorem in str(explanation)


def test_explanations_that_are_not() -> None:
    with pytest.raises(ValueError, match="orders must be one order"):
        Gaussian(1.0).explain(RenyiDP, orders=[2, 3])
    with pytest.raises(TypeError, match="notion must be"):
        Gaussian(1.0).explain(PureDP)
    with pytest.raises(TypeError, match="missing"):
        Gaussian(1.0).explain(RenyiDP)


def test_loss_between_two_values_of_added_noise() -> None:
    far = Gaussian(2.0).privacy_loss_between(np.zeros((2, 2)), np.ones((2, 2)))
    assert far.renyi(3.0) == pytest.approx(3 * (2 / 2.0) ** 2 / 2, rel=1e-10)
    assert Gaussian(2.0).privacy_loss_between([1, 2], [1, 2]).max() == 0
    for value, neighbour in ((0.0, 3.0), (3.0, 0.0), ([1.0, 2.0], [1.0, -1.0])):
        loss = Laplace(2.0, sensitivity=0.1).privacy_loss_between(value, neighbour)
        assert loss.max() == pytest.approx(1.5)
    assert Laplace(2.0).privacy_loss_between(1, 1).max() == 0
    assert RandomizedResponse(1.5).privacy_loss_between(1, 0).max() == pytest.approx(1.5)
    assert RandomizedResponse(1.5).privacy_loss_between([1, 1], [1, 1]).max() == 0
    for mechanism in (Laplace(1.0), RandomizedResponse(1.0)):
        with pytest.raises(ValueError, match="one coordinate at most"):
            mechanism.privacy_loss_between([0, 1], [1, 0])
    for mechanism in (Laplace(1.0), Gaussian(1.0), RandomizedResponse(1.0), DeltaCatastrophe(0.1)):
        with pytest.raises(ValueError, match="same shape"):
            mechanism.privacy_loss_between([0, 1], [1])
        with pytest.raises((ValueError, TypeError), match="neighbour must"):
            mechanism.privacy_loss_between(0, math.nan)


def test_panels_integrate_what_they_are_made_for() -> None:
    for points in ([0.0, 1.0], [-5.0, 0.0, 300.0], [0.0, 1e-12, 40.0]):
        for rate in (1.0, 20.0):
            x, logs = _panels.graded(np.array(points), rate)
            for slope in (-rate, -0.3, 0.0, 0.7):
                centre = points[-1] if slope > 0 else points[0]
                found = np.exp(slope * (x - centre) + logs).sum()
                length = points[-1] - points[0]
                exact = length if slope == 0 else -math.expm1(-abs(slope) * length) / abs(slope)
                assert found == pytest.approx(exact, rel=1e-13)


def test_profile_of_k_ary_response_errs_upwards() -> None:
    rng = np.random.default_rng(12)
    with mpmath.workdps(50):
        slack = mpmath.mpf(10) ** -13
        for _ in range(2000):
            top, k = float(700 ** rng.uniform(-3, 1)), int(10 ** rng.uniform(0.31, 9))
            mechanism = KaryRandomizedResponse(top, k)
            odds = 1 + (k - 1) * mpmath.exp(-mpmath.mpf(top))
            epsilon = top * float(rng.uniform(0, 1.1))
            exact = max(mpmath.mpf(0), -mpmath.expm1(mpmath.mpf(epsilon) - top) / odds)
            delta = mechanism.guarantee(ApproxDP, epsilon=epsilon).delta
            assert exact <= delta <= exact * (1 + slack)
            small = float(10 ** rng.uniform(-300, 0))
            lost = small * odds
            exact = max(mpmath.mpf(0), top + mpmath.log1p(-lost)) if lost < 1 else mpmath.mpf(0)
            found = mechanism.guarantee(ApproxDP, delta=small).epsilon
            # log(1 - lost) diverges as `lost` approaches 1, which amplifies the rounding error of
            # its argument, so the tolerance grows
            assert exact <= found <= exact + slack * max(top, 1) / max(1 - lost, slack)


def test_the_probability_of_the_truth_is_a_delta_that_needs_no_epsilon() -> None:
    mechanism = KaryRandomizedResponse(1.0, 3)
    enough = mechanism.guarantee(ProbabilisticDP, epsilon=0.0).delta
    assert mechanism.guarantee(ProbabilisticDP, delta=enough).epsilon == 0
    assert mechanism.guarantee(ProbabilisticDP, delta=enough * (1 - 1e-9)).epsilon == 1
