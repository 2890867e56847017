"""Tests of audits: bounds have the stated error rates, and broken mechanisms are detected.

Where it is possible, the error rates of intervals and bounds are computed exactly, by sums over
all possible counts. Tests that run mechanisms at random are seeded. With fresh seeds, the test of
the 200 correct mechanisms would raise a false alarm with probability at most 1e-9, because the
permitted error probabilities, 1 - confidence, of its audits sum to at most 1e-9.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from dpteach import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    DeltaCatastrophe,
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
    PureDP,
    RandomizedResponse,
    RenyiDP,
    ReportNoisyMax,
    Snapping,
    SparseVector,
)
from dpteach.audit import (
    Event,
    LowerBound,
    audit,
    binomial_interval,
    delta_lower_bound,
    epsilon_lower_bound,
    mu_lower_bound,
    rho_lower_bound,
)

FALSE_ALARM = 1e-9
N = 100_000


# --- intervals: exact arithmetic, no simulation ----------------------------------------------


def tail(n: int, count: int, p: Fraction) -> Fraction:
    """Return P(Binomial(n, p) >= count) as an exact fraction, for a fraction p."""
    return sum(
        (math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(count, n + 1)), Fraction(0)
    )


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 1 - 1e-6, 1 - 1e-12])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_each_end_of_an_interval_errs_as_seldom_as_it_says(n: int, confidence: float) -> None:
    error = Fraction(1 - confidence) / 2
    for count in range(n + 1):
        low, high = (Fraction(end) for end in binomial_interval(count, n, confidence=confidence))
        assert 0 <= low <= Fraction(count, n) <= high <= 1
        # let each of n trials succeed with probability p. Up to rounding, `low` is the largest p at
        # which the probability of at least `count` successes is at most `error`, and `high` is the
        # least p at which the probability of at most `count` successes is at most `error`
        if count > 0:
            assert tail(n, count, low) <= error
            assert tail(n, count, low * (1 + Fraction(1, 10**7))) > error
        if count < n:
            assert 1 - tail(n, count + 1, high) <= error
            assert 1 - tail(n, count + 1, high * (1 - Fraction(1, 10**7))) > error
    assert binomial_interval(0, n)[0] == 0 and binomial_interval(n, n)[1] == 1


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-9])
@pytest.mark.parametrize("n", [1, 10, 300])
def test_coverage_over_a_grid_of_probabilities(n: int, confidence: float) -> None:
    ends = np.array([binomial_interval(c, n, confidence=confidence) for c in range(n + 1)])
    # the probability that the interval misses p is largest at or just outside an end of one of the
    # possible intervals, so the grid includes all ends and points just below them
    grid = np.unique(np.concatenate((np.linspace(0, 1, 201), ends.ravel(), ends.ravel() * 0.9999)))
    weights = stats.binom.pmf(np.arange(n + 1)[None, :], n, grid[:, None])
    outside = (grid[:, None] < ends[:, 0]) | (grid[:, None] > ends[:, 1])
    missed = (weights * outside).sum(axis=1)
    assert missed.max() <= (1 - confidence) * (1 + 1e-9)


def below(n: int, count: int, p: float) -> float:
    """Return P(Binomial(n, p) <= count), in 40 digits if the sum has at most 1001 terms."""
    if count > 1000:
        return float(special.betaincc(count + 1, n - count, p))
    with mpmath.workdps(40):
        x, term, total = mpmath.mpf(p), (1 - mpmath.mpf(p)) ** n, mpmath.mpf(0)
        for j in range(count + 1):
            total += term
            term *= mpmath.mpf(n - j) / (j + 1) * x / (1 - x)
        return float(total)


@pytest.mark.parametrize("confidence", [0.95, 1 - 1e-12])
@pytest.mark.parametrize("n", [10**5, 10**9])
def test_large_counts(n: int, confidence: float) -> None:
    error = (1 - confidence) / 2
    for count in (1, 17, n // 1000, n // 3, n // 2, n - 5, n - 1):
        low, high = binomial_interval(count, n, confidence=confidence)
        assert special.betainc(count, n - count + 1, low) <= error * (1 + 1e-12)
        assert special.betainc(n - count, count + 1, 1 - high) <= error * (1 + 1e-7)
        assert low < count / n < high


# --- bounds: error rates from sums over all counts --------------------------------------------


def error_rate(table: NDArray[np.float64], n: int, p: float, q: float, truth: float) -> float:
    """Return the probability that a lower bound exceeds the true value `truth`.

    The bound depends on how often an event occurs in n runs on each of two datasets. `table`
    holds the bound for each pair of counts, which are Binomial(n, p) and Binomial(n, q).
    """
    first, second = (stats.binom.pmf(np.arange(n + 1), n, x) for x in (p, q))
    return float((np.outer(first, second) * (table > truth)).sum())


def binary(p: float, q: float) -> DiscreteLoss:
    return DiscreteLoss([1 - p, p], [1 - q, q])


def epsilon_of_binary(p: float, q: float, delta: float) -> float:
    """Return the least epsilon such that Ber(p) and Ber(q) satisfy (epsilon, delta)-DP, in both
    orders.
    """
    ratios = [0.0]
    for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
        if a > delta:
            ratios.append(math.log((a - delta) / b) if b > 0 else math.inf)
    return max(ratios)


PROBABILITIES = [0.0, 0.02, 0.1, 0.25, 0.4, 0.5, 0.7, 0.9, 0.99, 1.0]
PAIRS = list(itertools.product(PROBABILITIES, repeat=2))


@pytest.mark.parametrize("correction", ["bonferroni", "dkw"])
@pytest.mark.parametrize("delta", [0.0, 0.1])
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_uniform_bounds_err_as_seldom_as_they_say(
    correction: Any, delta: float, confidence: float
) -> None:
    n = 14
    table = np.zeros((n + 1, n + 1))
    for x, y in np.ndindex(table.shape):
        table[x, y] = epsilon_lower_bound(
            np.arange(n) < x,
            np.arange(n) < y,
            delta=delta,
            confidence=confidence,
            correction=correction,
            thresholds=[0.5] if correction == "bonferroni" else None,
        ).value
    rates = [error_rate(table, n, p, q, epsilon_of_binary(p, q, delta)) for p, q in PAIRS]
    assert max(rates) <= 1 - confidence
    if correction == "bonferroni":
        # bounds of 0 would satisfy the assertion above trivially, so some bounds must be positive
        assert table.max() > 0.5


@pytest.mark.parametrize("events", ["thresholds", "outcomes"])
@pytest.mark.parametrize("statistic", ["epsilon", "delta", "mu", "rho"])
def test_the_other_half_errs_as_seldom_as_it_says(events: Any, statistic: str) -> None:
    # each bound gets 10 runs on each of two datasets. The 5 runs at even places choose the event,
    # and the 5 at odd places count how often it occurs. Within each of these four groups the order
    # does not matter, so the numbers of ones in the groups, a, b, c and d, describe all cases
    n, confidence = 5, 0.6
    bounds: dict[tuple[int, ...], float] = {}
    for a, b, c, d in itertools.product(range(n + 1), repeat=4):
        outputs, others = np.zeros(2 * n), np.zeros(2 * n)
        outputs[: 2 * a : 2], outputs[1 : 2 * b : 2] = 1, 1
        others[: 2 * c : 2], others[1 : 2 * d : 2] = 1, 1
        told: dict[str, Any] = {"confidence": confidence, "events": events}
        if statistic == "epsilon":
            found = epsilon_lower_bound(outputs, others, delta=0.05, **told)
        elif statistic == "delta":
            found = delta_lower_bound(outputs, others, epsilon=0.3, **told)
        elif statistic == "mu":
            found = mu_lower_bound(outputs, others, **told)
        else:
            found = rho_lower_bound(outputs, others, **told)
        bounds[a, b, c, d] = found.value
    assert max(bounds.values()) > 0.01
    table = np.array(list(bounds.values())).reshape(4 * (n + 1,))
    for p, q in PAIRS:
        loss = binary(p, q)
        if statistic == "epsilon":
            truth = epsilon_of_binary(p, q, 0.05)
        elif statistic == "delta":
            truth = ApproxDP.tightest(loss, epsilon=0.3).delta
        elif statistic == "mu":
            z = special.ndtri([p, q])
            truth = abs(z[0] - z[1]) if p != q else 0.0
        elif {p, q} & {0.0, 1.0}:
            truth = 0.0 if p == q else math.inf
        else:
            truth = ZCDP.tightest(loss).rho
        first, second = (stats.binom.pmf(np.arange(n + 1), n, x) for x in (p, q))
        weights = np.einsum("a,b,c,d->abcd", first, first, second, second)
        assert (weights * (table > truth)).sum() <= 1 - confidence


# --- correct mechanisms -----------------------------------------------------------------------


HONEST: list[tuple[Mechanism, Any, Any]] = [
    *((RandomizedResponse(e), 0, 1) for e in np.geomspace(0.01, 8, 25)),
    *(
        (KaryRandomizedResponse(e, k), 0, k - 1)
        for e in (0.05, 0.3, 1.0, 2.0, 5.0)
        for k in (2, 3, 7, 40)
    ),
    *((Laplace(b, s), 3.0, 3.0 - s) for b in (0.2, 0.7, 1.0, 3.0, 50.0) for s in (0.5, 1.0, 4.0)),
    *((Laplace(b), [0.0, 1.0, 2.0], [0.0, 1.5, 1.5]) for b in (0.3, 1.0, 3.0)),
    *((Gaussian(s, d), 0.0, d) for s in (0.3, 1.0, 2.0, 10.0, 1e3) for d in (0.5, 1.0, 3.0)),
    *((Gaussian(s), [0.0, 0.0], [0.6, 0.8]) for s in (0.3, 1.0, 3.0)),
    *((DiscreteLaplace(b, s), 0, s) for b in (0.2, 0.5, 1.0, 3.0, 40.0) for s in (1, 3)),
    *((DiscreteGaussian(s), 5, 4) for s in (0.2, 0.5, 1.0, 3.0, 40.0)),
    *((Snapping(b, bound=16.0), 0.25, 1.25) for b in (0.2, 0.5, 1.0, 3.0)),
    *(
        (kind(e, monotonic=m), [0.0, 1.0, 1.0], [0.0 if m else 1.0, 0.0, 0.0])
        for kind in (ExponentialMechanism, ReportNoisyMax, PermuteAndFlip)
        for e in (0.1, 0.5, 1.0, 2.0, 6.0)
        for m in (False, True)
    ),
    *(
        (ReportNoisyMax(e, noise="exponential"), [0.0, 1.0, 1.0], [1.0, 0.0, 0.0])
        for e in (0.1, 0.5, 1.0, 2.0, 6.0)
    ),
    *(
        (SparseVector(e, count=c), [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0])
        for e in (0.2, 1.0, 3.0)
        for c in (1, 2)
    ),
    *((DeltaCatastrophe(d), [1.0, 2.0], [1.0]) for d in (1e-6, 1e-3, 0.1)),
    *(
        (inner.post_process(function), 0, 1)
        for inner in (Laplace(0.5), Laplace(2.0), Gaussian(1.0), DiscreteLaplace(1.0))
        for function in (np.sign, np.round, lambda x: np.clip(x, 0, 1), lambda x: float(x > 0.5))
    ),
    *((RandomizedResponse(e), [0, 1, 1, 0], [0, 1, 0, 0]) for e in np.geomspace(0.1, 5, 10)),
    *((Laplace(b).post_process(np.abs), 0.0, 1.0) for b in np.geomspace(0.2, 20, 10)),
    *((Gaussian(s), 0.0, 1.0) for s in np.geomspace(0.25, 20, 12)),
    *((Laplace(s), 0.0, 1.0) for s in np.geomspace(0.2, 20, 12)),
]
DELTAS = (0.0, 1e-6, 1e-2, 0.1)


def claims(mechanism: Mechanism) -> list[Guarantee]:
    told: list[tuple[type[Guarantee], dict[str, Any]]] = [
        (PureDP, {}),
        (ApproxDP, {"epsilon": 0.5}),
        (RenyiDP, {"orders": [1.5, 2, 8]}),
        (AlphaDP, {"order": 3.0}),
        (ZCDP, {}),
        (GaussianDP, {}),
        (MutualInformationDP, {}),
    ]
    found = []
    for notion, at in told:
        try:
            found.append(mechanism.guarantee(notion, **at))
        except (TypeError, ValueError):
            continue
    return found


@pytest.mark.slow
def test_no_claim_of_over_200_mechanisms_is_contradicted() -> None:
    assert len(HONEST) >= 200
    rng = np.random.default_rng(20240611)
    confidence = 1 - FALSE_ALARM / len(HONEST)
    useful = 0
    for i, (mechanism, value, neighbour) in enumerate(HONEST):
        slow = isinstance(mechanism, (SparseVector, DeltaCatastrophe))
        found = audit(
            mechanism,
            value,
            neighbour,
            trials=400 if slow else 2000,
            rng=rng,
            delta=DELTAS[i % 4],
            confidence=confidence,
        )
        if found.claim is not None:
            assert not found.contradicts(), found
        else:
            assert isinstance(mechanism, DeltaCatastrophe)
        for claim in claims(mechanism):
            assert not found.contradicts(claim), (found, claim)
        useful += found.value > 0
    # a lower bound of 0 contradicts no guarantee, so the test means something only if many bounds
    # are positive
    assert useful > 60


@pytest.mark.slow
def test_near_to_the_truth() -> None:
    rng = np.random.default_rng(3)
    at_stake = 1 - FALSE_ALARM

    def both(mechanism: Mechanism) -> tuple[NDArray[Any], NDArray[Any]]:
        return tuple(mechanism.release(np.full(N, x), rng=rng) for x in (0, 1))  # type: ignore[return-value]

    response = both(RandomizedResponse(1.0))
    assert 0.97 < epsilon_lower_bound(*response).value < 1.0
    assert 0.9 < epsilon_lower_bound(*response, confidence=at_stake).value < 1.0
    normal = both(Gaussian(1.0))
    profile = GaussianDP(1.0)
    for delta, part in ((0.1, 0.9), (0.01, 0.8), (1e-5, 0.5)):
        truth = profile.epsilon_at(delta)
        assert part * truth < epsilon_lower_bound(*normal, delta=delta).value < truth
    for epsilon in (0.0, 0.5, 1.0):
        truth = profile.delta_at(epsilon)
        assert 0.85 * truth < delta_lower_bound(*normal, epsilon=epsilon).value < truth
    assert 0.85 < mu_lower_bound(*normal).value < 1.0
    # the audit sees only whether an answer exceeds a threshold. This bit is 1 with probability p on
    # one dataset and q on the other, and its rho is the supremum of D_a(Ber(p) || Ber(q)) / a over
    # orders a, which is below the mechanism's rho of 0.5 for every threshold
    assert 0.28 < rho_lower_bound(*normal).value < 0.5
    noise = both(Laplace(1.0))
    assert 0.95 < epsilon_lower_bound(*noise).value < 1.0
    # with fewer runs, the lower bound is farther below the true value
    few = epsilon_lower_bound(*(x[:2000] for x in noise))
    assert few.value < epsilon_lower_bound(*noise).value


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_a_bound_is_rounded_down(delta: float) -> None:
    """A lower bound is at most the value of its formula, here computed in 40 digits.

    A bound that is rounded to the nearest float would exceed this value for about half of the
    samples.
    """
    with mpmath.workdps(40):
        for seed in range(25):
            rng = np.random.default_rng(seed)
            samples = rng.normal(0.0, 1.0, 400), rng.normal(1.0, 1.0, 400)
            found = epsilon_lower_bound(*samples, delta=delta, correction="dkw")
            p, q = map(mpmath.mpf, found.rates)
            assert mpmath.mpf(found.value) <= mpmath.log((p - mpmath.mpf(delta)) / q)
            told = delta_lower_bound(*samples, epsilon=0.3, correction="dkw")
            p, q = map(mpmath.mpf, told.rates)
            assert mpmath.mpf(told.value) <= p - mpmath.exp(mpmath.mpf(0.3)) * q


def test_the_three_corrections() -> None:
    rng = np.random.default_rng(4)
    samples = rng.laplace(0, 1, N), rng.laplace(1, 1, N)
    held = epsilon_lower_bound(*samples)
    shared = epsilon_lower_bound(
        *samples, correction="bonferroni", thresholds=np.linspace(-3, 4, 29).tolist()
    )
    band = epsilon_lower_bound(*samples, correction="dkw")
    assert 0.9 < band.value < held.value < 1 and 0.9 < shared.value < 1
    apart = epsilon_lower_bound(np.arange(50.0), np.arange(50.0) - 60, correction="dkw")
    width = math.sqrt(math.log(4 / 0.05) / 100)
    assert apart.rates == pytest.approx((1 - width, width), rel=1e-8)
    always = epsilon_lower_bound(np.zeros(50), np.zeros(50), correction="dkw")
    assert always.rates == (pytest.approx(1 - width, rel=1e-8), 1.0) and always.value == 0
    assert held.trials == (N // 2, N // 2) and shared.trials == band.trials == (N, N)
    assert "other half" in held.correction
    assert "116 limits" in shared.correction and "Bonferroni" in shared.correction
    assert "Dvoretzky" in band.correction
    # the more thresholds share the error probability, the weaker the bound from each threshold is
    one = epsilon_lower_bound(*samples, correction="bonferroni", thresholds=[0.0])
    assert (
        one.value
        > epsilon_lower_bound(*samples, correction="bonferroni", thresholds=[0.0] * 1000).value
    )
    # the event has probability 0.01 on one dataset and 0.001 on the other; a confidence band of
    # the same width everywhere is too wide to separate such rare events
    small = rng.random(N) < 0.01, rng.random(N) < 0.001
    assert (
        epsilon_lower_bound(*small).value
        > 1.5
        > epsilon_lower_bound(*small, correction="dkw").value
    )


@pytest.mark.parametrize("size", [1, 7])
def test_every_limit_at_every_threshold_has_its_share_of_the_error(size: int) -> None:
    rng = np.random.default_rng(6)
    found = epsilon_lower_bound(
        rng.normal(0, 1, 500),
        rng.normal(1, 1, 500),
        confidence=0.9,
        correction="bonferroni",
        thresholds=np.linspace(0.2, 0.8, size).tolist(),
    )
    # each threshold gives two events, below it and above it; each event needs a lower confidence
    # limit under one distribution and an upper limit under the other, so 4 limits per threshold
    # share the permitted error probability of 0.1
    share = 0.1 / (4 * size)
    (yes, no), (n, m) = found.counts, found.trials
    assert found.rates == pytest.approx(
        (stats.beta.ppf(share, yes, n - yes + 1), stats.beta.isf(share, no + 1, m - no)), rel=1e-8
    )


# --- broken mechanisms -------------------------------------------------------------------------


def half_the_noise(value: float, rng: np.random.Generator) -> float:
    return float(value + rng.laplace(0, 0.5))


def noisy_maximum(scores: list[float], rng: np.random.Generator) -> float:
    """Return the largest noisy score; the noise is enough only for releasing the index of the
    winner.
    """
    return float(np.max(np.asarray(scores) + rng.laplace(0, 2, len(scores))))


def sparse_vector_without_noise_on_the_queries(
    queries: list[float], rng: np.random.Generator
) -> tuple[bool, ...]:
    """Run a published but wrong variant of the sparse vector technique.

    Only the threshold gets noise, and any number of queries may be answered with True.
    """
    threshold = rng.laplace(0, 2)
    return tuple(bool(q >= threshold) for q in queries)


@pytest.mark.slow
def test_broken_mechanisms_are_found() -> None:
    confidence = 1 - FALSE_ALARM
    claim = PureDP(1.0)

    def found(mechanism: Any, value: Any, neighbour: Any, trials: int) -> LowerBound:
        rng = np.random.default_rng(5)
        return audit(
            mechanism, value, neighbour, trials=trials, rng=rng, confidence=confidence, claim=claim
        )

    half = found(half_the_noise, 0.0, 1.0, 20_000)
    assert half.contradicts() and half.value < 2
    # on the neighbor all 30 scores are smaller by 1. If the largest noisy score is small, all noisy
    # scores are small. Each of them then adds up to 1/2 to the privacy loss, and together they add
    # more than the claimed epsilon of 1
    values = found(noisy_maximum, [1.0] * 30, [0.0] * 30, 60_000)
    assert values.contradicts()
    index = ReportNoisyMax(1.0)
    honest = audit(
        index,
        [1.0] * 30,
        [0.0] * 30,
        trials=20_000,
        rng=np.random.default_rng(5),
        confidence=confidence,
    )
    assert not honest.contradicts()
    # the true values of the queries are 1, 0, 1, 0 on one dataset and 0, 1, 0, 1 on the other. With
    # a threshold between 0 and 1, the answers are True, False, True, False on the first dataset; on
    # the other one, no threshold gives these answers
    result = found(sparse_vector_without_noise_on_the_queries, [1.0, 0.0] * 2, [0.0, 1.0] * 2, 5000)
    assert result.contradicts()
    assert result.event.outcomes in (((True, False) * 2,), ((False, True) * 2,))
    right = audit(
        SparseVector(1.0, count=2),
        [1.0, 0.0] * 2,
        [0.0, 1.0] * 2,
        trials=2000,
        rng=np.random.default_rng(5),
        confidence=confidence,
    )
    assert not right.contradicts()
    # the two true values, 0 and 3, differ by more than the mechanism's sensitivity of 1, so the
    # audit must contradict the mechanism's guarantee
    wrong = Laplace(1.0, sensitivity=1.0)
    far = audit(wrong, 0.0, 3.0, trials=5000, rng=np.random.default_rng(5), confidence=confidence)
    assert far.contradicts()
    # the mechanism publishes its data with probability 0.05, so the audit must contradict `claim`,
    # which is a pure guarantee
    rng = np.random.default_rng(6)
    shown = audit(
        DeltaCatastrophe(0.05), [1.0, 2.0], [1.0], trials=5000, rng=rng, confidence=confidence
    )
    assert shown.value > 1 and shown.contradicts(claim)
    assert not shown.contradicts(ApproxDP(0.0, 0.05))


# --- fields of a result -------------------------------------------------------------------------


def test_a_result_says_what_was_done() -> None:
    rng = np.random.default_rng(0)
    found = audit(RandomizedResponse(1.0), 0, 1, trials=2000, rng=rng, confidence=0.99)
    assert found.event.outcomes in ((0,), (1,))
    assert found.claim is not None and not found.contradicts()
    text = str(found)
    for words in (
        "epsilon at delta=0 is ",
        "It is a lower bound, by Clopper and Pearson",
        "confidence 99 %",
        "runs on the neighbor",
        "does not contradict",
        "whose value is 1.",
    ):
        assert words in text
    explanation = found.explain()
    assert explanation.kind == "lower bound" and explanation.value == found.value
    low, high = found.rates
    assert found.value == pytest.approx(math.log(low / high), rel=1e-12)
    assert found.estimate == pytest.approx(math.log(found.counts[0] / found.counts[1]))
    ends = [
        binomial_interval(c, n, confidence=0.99)
        for c, n in zip(found.counts, found.trials, strict=True)
    ]
    assert (low, high) == pytest.approx((ends[0][0], ends[1][1]), rel=1e-15)
    with pytest.raises(TypeError, match=r"^claim must be of type Guarantee"):
        epsilon_lower_bound([0, 1], [1, 0]).contradicts()
    with pytest.raises(TypeError, match=r"^claim must be of type GaussianDP"):
        mu_lower_bound([0, 1], [1, 0]).contradicts(PureDP(1.0))
    with pytest.raises(TypeError, match=r"^claim must be of type ZCDP"):
        rho_lower_bound([0, 1], [1, 0]).contradicts(PureDP(1.0))
    assert rho_lower_bound([0, 0, 1, 1] * 250, [0] * 1000).contradicts(ZCDP(1e-6))
    assert str(Event(outcomes=(1, 2))) == "the answer is one of 1, 2"
    assert "(8 in all)" in str(Event(outcomes=tuple(range(8))))


def test_either_side_may_be_the_likelier() -> None:
    rng = np.random.default_rng(1)
    often, seldom = rng.random(4000) < 0.3, rng.random(4000) < 0.1
    one, other = epsilon_lower_bound(often, seldom), epsilon_lower_bound(seldom, often)
    assert one.value == other.value > 0.5
    assert (one.swapped, other.swapped) == (False, True)
    assert one.counts == other.counts
    # samples of the same distribution give the bound 0
    same = rng.normal(size=(2, 4000))
    assert epsilon_lower_bound(*same, delta=0.0, confidence=1 - FALSE_ALARM).value == 0
    assert delta_lower_bound(*same, epsilon=0.0, confidence=1 - FALSE_ALARM).value == 0
    for seed in range(20):
        few = np.random.default_rng(seed).normal(size=(2, 20))
        assert epsilon_lower_bound(*few).estimate >= 0
    nothing = epsilon_lower_bound(np.zeros(100), np.zeros(100))
    assert nothing.value == 0 and not nothing.contradicts(PureDP(0.0))
    # samples without a common value give a large bound and an infinite estimate
    apart = epsilon_lower_bound(np.zeros(4000), np.ones(4000))
    assert apart.value > 5 and apart.estimate == math.inf
    for epsilon in (0.0, 1.0, 700.0):
        assert delta_lower_bound(np.zeros(4000), np.ones(4000), epsilon=epsilon).estimate == 1
    assert "inf" in str(apart)


def test_scores() -> None:
    rng = np.random.default_rng(2)
    gaussian = Gaussian(1.0)
    outputs = gaussian.release(np.zeros(20_000), rng=rng)
    others = gaussian.release(np.ones(20_000), rng=rng)
    plain = epsilon_lower_bound(outputs, others, delta=0.01)
    by_ratio = epsilon_lower_bound(outputs, others, delta=0.01, score=gaussian.privacy_loss())
    assert by_ratio.value == pytest.approx(plain.value, abs=0.1)
    # the score is the privacy loss, which is high for answers that are more likely in `outputs`
    # than in `others`. If the audit chooses an event that is more frequent in `others` (`swapped`),
    # the event must be that the score is below a threshold
    assert by_ratio.event.below == by_ratio.swapped
    by_function = epsilon_lower_bound(outputs, others, delta=0.01, score=lambda y: -3 * y)
    assert by_function.value == pytest.approx(plain.value, abs=0.1)
    # this score uses only the parity of the sixth decimal digit of the answer, which hardly depends
    # on the data, so the bound is nearly 0
    blind = epsilon_lower_bound(outputs, others, score=lambda y: np.floor(y * 1e6) % 2)
    assert blind.value < 0.1
    rows = np.column_stack((rng.normal(size=20_000), outputs))
    other_rows = np.column_stack((rng.normal(size=20_000), others))
    second = epsilon_lower_bound(rows, other_rows, delta=0.01, score=lambda y: y[:, 1])
    assert second.value == plain.value
    with pytest.raises(ValueError, match=r"^score must be given for vectors of real numbers"):
        epsilon_lower_bound(rows, other_rows)
    loss = DiscreteLoss([0.7, 0.2, 0.1], [0.1, 0.2, 0.7])
    drawn = [rng.choice(3, 20_000, p=law) for law in (loss.p, loss.q)]
    numbered = epsilon_lower_bound(drawn[0], drawn[1], score=loss)
    assert 1.7 < numbered.value < loss.max()
    # the score, the privacy loss, is low for outcomes that are more likely on the neighbor. The
    # chosen event is more frequent there (`swapped`), so it must be a score below a threshold
    seldom = DiscreteLoss([0.95, 0.05], [0.5, 0.5])
    drawn_seldom = [rng.choice(2, 20_000, p=law) for law in (seldom.p, seldom.q)]
    event = epsilon_lower_bound(*drawn_seldom, score=seldom)
    assert event.swapped and event.event.below and event.event.threshold == seldom.max()
    # outcomes may also be strings, bytes, tuples or rows of an array
    for names in (np.array(["a", "b", "c"]), np.array([b"x", b"y", b"z"])):
        assert 1.7 < epsilon_lower_bound(names[drawn[0]], names[drawn[1]]).value < loss.max()
    ragged = [[(0,) * int(x) for x in part] for part in drawn]
    assert 1.7 < epsilon_lower_bound(*ragged).value < loss.max()
    with pytest.raises(ValueError, match="must have the same shape"):
        epsilon_lower_bound(ragged[0], ragged[1][:-1])
    table = [np.column_stack((part, part)) for part in drawn]
    assert 1.7 < epsilon_lower_bound(table[0], table[1]).value < loss.max()


def test_the_runs_that_count_do_not_choose_how_they_are_looked_at() -> None:
    few, many = np.arange(1000) % 3, np.arange(1000, 2000)
    # the audit looks at the frequencies of outcomes if the runs at even positions have few distinct
    # answers, and otherwise at how often answers exceed thresholds
    chosen = np.column_stack((few, many)).ravel()
    assert epsilon_lower_bound(chosen, chosen).event.outcomes is not None
    chosen = np.column_stack((many, few)).ravel()
    assert epsilon_lower_bound(chosen, chosen).event.outcomes is None


def test_six_outcomes_are_listed_and_more_are_counted() -> None:
    assert str(Event(outcomes=tuple(range(6)))) == "the answer is one of 0, 1, 2, 3, 4, 5"
    assert str(Event(outcomes=tuple(range(7)))).endswith("4, 5, ... (7 in all)")


def test_runs_are_told_on_the_side_where_they_were() -> None:
    bound = epsilon_lower_bound(np.zeros(40), np.ones(40))
    for swapped, sides in ((False, ("dataset", "neighbor")), (True, ("neighbor", "dataset"))):
        note = replace(bound, swapped=swapped, counts=(17, 3), trials=(20, 20)).explain().note
        assert f"17 of 20 runs on the {sides[0]}, 3 of 20 on the {sides[1]}," in note


def test_the_claim_that_is_asked_about_is_the_one_that_is_judged() -> None:
    apart = epsilon_lower_bound(np.zeros(4000), np.ones(4000))
    for own in (PureDP(0.0), PureDP(100.0), None):
        bound = replace(apart, claim=own)
        assert bound.contradicts(PureDP(0.0)) and not bound.contradicts(PureDP(100.0))
        if own is not None:
            assert bound.contradicts() == (own.epsilon == 0)


def test_vectors_are_projected_on_the_difference() -> None:
    rng = np.random.default_rng(2)
    spread = audit(
        Gaussian(1.0), np.zeros(16), np.full(16, 0.25), trials=20_000, rng=rng, delta=0.01
    )
    assert 1.7 < spread.value < GaussianDP(1.0).epsilon_at(0.01)

    def mean_and_noise(value: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.array([np.mean(value), 0.0]) + rng.normal(size=2)

    with pytest.raises(ValueError, match="score must be given"):
        audit(mean_and_noise, [0.0] * 3, [3.0, 0.0, 0.0], trials=200, rng=rng)
    scored = audit(
        mean_and_noise,
        [0.0] * 3,
        [3.0, 0.0, 0.0],
        trials=5000,
        rng=rng,
        delta=0.05,
        score=lambda y: y[:, 0],
    )
    assert 0.8 < scored.value < GaussianDP(1.0).epsilon_at(0.05)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"outputs": []}, r"^outputs must hold at least two runs"),
    ({"outputs": [1.0]}, r"^outputs must hold at least two runs"),
    ({"outputs": 1.0}, r"^outputs must hold at least two runs"),
    ({"outputs": None}, r"^outputs must hold at least two runs"),
    ({"outputs": "abc"}, r"^outputs must hold at least two runs"),
    ({"outputs": {1: 2, 3: 4}}, r"^outputs must hold at least two runs"),
    ({"outputs": [1.0, math.nan, 2.0]}, r"^outputs must not hold NaN"),
    ({"outputs": [1.0, 2.0]}, r"^outputs and neighbour_outputs must have the same shape"),
    ({"outputs": [[1.0], [2.0], [3.0]]}, r"^outputs and neighbour_outputs must have the same"),
    ({"neighbour_outputs": [1.0, math.nan, 2.0]}, r"^neighbour_outputs must not hold NaN"),
    ({"outputs": [1j, 2j, 3j]}, r"^outputs must hold real numbers or other outcomes"),
    ({"outputs": [{}, {}, {}]}, r"^outputs must be hashable"),
    ({"delta": -0.1}, r"^delta must be in \[0, 1\], got delta=-0.1"),
    ({"delta": math.nan}, r"^delta must"),
    ({"confidence": 1.0}, r"^confidence must be in \(0, 1\)"),
    ({"confidence": "95 %"}, r"^confidence must be a real number"),
    ({"score": 1.0}, r"^score must be a function or a PrivacyLoss"),
    ({"score": np.sum}, r"^score must give one real number for each of 3 outputs"),
    ({"score": lambda y: y * 1j}, r"^score must give one real number"),
    ({"score": lambda y: y * math.nan}, r"^score must not be NaN"),
    ({"score": DiscreteLoss([0.5, 0.5], [0.5, 0.5])}, r"^outputs must be integers from 0 to 1"),
    (
        {"events": "sets"},
        r"^events must be one of 'auto', 'thresholds', 'outcomes', got events='sets'",
    ),
    ({"events": "outcomes", "score": np.abs}, r"^events must be 'thresholds' if a score"),
    ({"events": "outcomes", "correction": "dkw"}, r"^correction must be 'holdout'"),
    ({"correction": "none"}, r"^correction must be one of 'holdout', 'bonferroni', 'dkw'"),
    ({"correction": "bonferroni"}, r"^thresholds must be given for the correction 'bonferroni'"),
    ({"thresholds": [1.0]}, r"^thresholds must be given for the correction 'bonferroni' and"),
    ({"correction": "bonferroni", "thresholds": []}, r"^thresholds must hold at least one"),
    ({"correction": "bonferroni", "thresholds": [math.nan]}, r"^thresholds\[0\] must be a number"),
]


@pytest.mark.parametrize(("bad", "message"), BAD, ids=[m[1:30] for _, m in BAD])
def test_bad_samples_and_settings(bad: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"outputs": [1.0, 2.5, 3.0], "neighbour_outputs": [2.0, 3.0, 4.5]}
    assert epsilon_lower_bound(**good).value == 0
    with pytest.raises((ValueError, TypeError), match=message):
        epsilon_lower_bound(**{**good, **bad})


def test_bad_arguments_of_the_others() -> None:
    rng = np.random.default_rng(0)
    for mechanism in (3, None, "Laplace"):
        with pytest.raises(TypeError, match=r"^mechanism must be a Mechanism or a function"):
            audit(mechanism, 0, 1, trials=10, rng=rng)  # type: ignore[arg-type]
    for trials in (0, 1, -5, 2.0, None):
        with pytest.raises((ValueError, TypeError), match=r"^trials must be an integer >= 2"):
            audit(Laplace(1.0), 0, 1, trials=trials, rng=rng)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^rng must be a numpy.random.Generator"):
        audit(Laplace(1.0), 0, 1, trials=10, rng=0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^claim must be of type Guarantee"):
        audit(Laplace(1.0), 0, 1, trials=10, rng=rng, claim=1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^outputs must not hold NaN"):
        audit(lambda value, rng: math.nan, 0, 1, trials=10, rng=rng)


@pytest.mark.parametrize("outcome", [-1, 2])
def test_numbers_of_outcomes_are_those_that_there_are(outcome: int) -> None:
    score = DiscreteLoss([0.5, 0.5], [0.25, 0.75])
    with pytest.raises(ValueError, match=r"^outputs must be integers from 0 to 1"):
        epsilon_lower_bound([0, 1, outcome], [0, 1, 1], score=score)
    with pytest.raises(ValueError, match=r"^epsilon must be finite and >= 0"):
        delta_lower_bound([0, 1], [0, 1], epsilon=-1.0)
    with pytest.raises(ValueError, match=r"^count must be at most trials=3, got count=4"):
        binomial_interval(4, 3)
    with pytest.raises(ValueError, match=r"^count must be an integer >= 0"):
        binomial_interval(-1, 3)
    with pytest.raises(ValueError, match=r"^trials must be an integer >= 1"):
        binomial_interval(0, 0)
    # audits of two runs per dataset, of infinite answers or with thresholds beyond all answers are
    # valid, but their lower bound is 0
    assert epsilon_lower_bound([math.inf, 0.0], [-math.inf, 1.0]).value == 0
    assert (
        epsilon_lower_bound(
            [1.0, 2.0], [3.0, 4.0], correction="bonferroni", thresholds=[math.inf, -math.inf]
        ).value
        == 0
    )
    assert delta_lower_bound([0, 1], [0, 1], epsilon=1e6).value == 0
    assert epsilon_lower_bound([0, 1], [0, 1], delta=1.0).value == 0


@pytest.mark.parametrize(
    "told",
    [
        {"events": "outcomes"},
        {"events": "thresholds"},
        {"delta": 0.05},
        {"confidence": 0.6},
        {"score": lambda answers: -np.abs(answers)},
    ],
    ids=lambda told: next(iter(told)),
)
def test_an_audit_hands_on_what_it_is_told(told: dict[str, Any]) -> None:
    # by default the events of an audit are outcomes if there are few distinct answers, and
    # thresholds if there are many; the scale makes the default differ from any requested `events`
    scale = 20.0 if told.get("events") == "outcomes" else 2.0
    mechanism, trials, rng = DiscreteLaplace(scale, 4), 1000, np.random.default_rng(3)
    runs = [mechanism.release(np.full(trials, value), rng=rng) for value in (0, 4)]
    found = audit(mechanism, 0, 4, trials=trials, rng=np.random.default_rng(3), **told)
    assert replace(found, claim=None) == epsilon_lower_bound(*runs, **told)
    assert replace(found, claim=None) != epsilon_lower_bound(*runs)


@pytest.mark.parametrize(
    "bound",
    [
        epsilon_lower_bound,
        partial(delta_lower_bound, epsilon=0.3),
        mu_lower_bound,
        rho_lower_bound,
    ],
    ids=["epsilon", "delta", "mu", "rho"],
)
def test_each_bound_takes_what_it_is_told(bound: Any) -> None:
    one, other = np.random.default_rng(7).normal([[0.0], [2.0]], 1.0, size=(2, 2000))
    usual = bound(one, other)
    assert usual.value > 0 and usual.event.threshold is not None
    scored = bound(one, other, score=lambda answers: -np.abs(answers - 1.5))
    assert scored == bound(-np.abs(one - 1.5), -np.abs(other - 1.5)) != usual
    assert bound(one, other, events="outcomes").event.outcomes is not None
    few = np.round(one), np.round(other)
    assert bound(*few).event.outcomes is not None
    assert bound(*few, events="thresholds").event.threshold is not None
    rough = bound(one, other, confidence=0.6)
    assert rough.confidence == 0.6 and rough.value > usual.value
    assert "Massart" in bound(one, other, correction="dkw").correction
    told = {"correction": "bonferroni", "thresholds": [0.25, 1.25]}
    found = bound(one, other, **told)
    assert "Bonferroni" in found.correction and found.event.threshold in told["thresholds"]


def test_the_claim_at_a_delta_comes_before_the_pure_one() -> None:
    rng = np.random.default_rng(5)
    found = audit(Laplace(1.0), 0, 1, trials=100, rng=rng, delta=0.1)
    assert found.claim == Laplace(1.0).guarantee(ApproxDP, delta=0.1)
    assert audit(Laplace(1.0), 0, 1, trials=100, rng=rng, claim=PureDP(1.0)).claim == PureDP(1.0)


def test_outcomes_of_vectors_are_not_projected() -> None:
    def one_hot(value: NDArray[Any], rng: np.random.Generator) -> NDArray[np.float64]:
        return np.eye(2)[int(rng.random() < value[0])]

    low, high = np.array([0.1, 0.0]), np.array([0.9, 0.0])
    rng = np.random.default_rng(6)
    found = audit(one_hot, low, high, trials=2000, rng=rng, events="outcomes")
    assert found.value > 1


def test_a_function_that_forgets_everything_is_audited_as_such() -> None:
    rng = np.random.default_rng(0)
    whole, forgetful = (
        audit(mechanism, 0.0, 100.0, trials=2000, rng=rng)
        for mechanism in (Laplace(1.0), Laplace(1.0).post_process(lambda answer: 0.0))
    )
    assert whole.value > 3 and forgetful.value == 0
