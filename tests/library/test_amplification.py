"""Tests of amplification by subsampling: results are compared with definitions and 40-digit
integrals.
"""

from __future__ import annotations

import math
import time
from typing import Any

import mpmath
import numpy as np
import pytest
from cases import few_or_many, log_uniform
from scipy.stats import norm

from dpteach import (
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteLoss,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
    KaryRandomizedResponse,
    Laplace,
    Mechanism,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    Snapping,
)
from dpteach.amplification import (
    _divergences,
    _log_mixed,
    _log_unmixed,
    subsampled_epsilon,
    subsampled_gaussian_renyi_add,
    subsampled_gaussian_renyi_remove,
    subsampled_renyi,
)

mp = mpmath.mp.clone()
mp.dps = 40
M = mp.mpf
ZERO = np.zeros(1)
ADD_REMOVE = Adjacency.ADD_REMOVE


def remove_at_integer(q: float, sigma: float, order: int) -> mpmath.mpf:
    """Return D(P || Q), the Rényi divergence of an integer order for sampled Gaussian noise, by a
    finite sum.

    P, the output distribution with a person, is a mixture of two normal distributions; Q, without
    the person, is a single normal distribution.
    """
    q_, half = M(q), 1 / (2 * M(sigma) ** 2)
    excess = mp.fsum(
        mp.binomial(order, j) * q_**j * (1 - q_) ** (order - j) * mp.expm1(j * (j - 1) * half)
        for j in range(2, order + 1)
    )
    return mp.log1p(excess) / (order - 1)


def by_integral(q: float, sigma: float, order: float, *, add: bool) -> mpmath.mpf:
    q_, s, a = M(q), M(sigma), M(order)
    e = 1 - a if add else a

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        loss = (x - 1 / (2 * s)) / s
        u = 1 - q_ + q_ * mp.exp(loss)
        if a == 1:
            f = u - 1 - mp.log(u) if add else u * mp.log(u) - u + 1
        else:
            f = u**e - e * u + e - 1
        return mp.exp(-x * x / 2) * f

    # use another method than the library: the trapezoidal rule without a substitution, on a grid
    # ten times as fine as the library's
    step = M(min(0.08, 0.08 * sigma, 0.5 / math.sqrt(1 + order / sigma**2)))
    last = 24 + max(order, 2) / sigma
    count = int((24 + last) / step)
    total = step * mp.fsum(integrand(-24 + i * step) for i in range(count)) / mp.sqrt(2 * mp.pi)
    return total if a == 1 else mp.log1p(total) / (a - 1)


@few_or_many("points", 300, 700, 2100)
def test_removal_at_integer_orders_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(1)
    for i in range(points):
        if i % 3 == 0:  # in a third of the cases, choose sampling rates close to 1 or close to 0
            q = 1 - log_uniform(rng, 1e-13, 0.9) if i % 2 else log_uniform(rng, 1e-60, 1e-5)
            sigma = log_uniform(rng, 0.01, 1e4)
        else:
            q, sigma = log_uniform(rng, 1e-5, 1.0), log_uniform(rng, 0.3, 1e4)
        order = int(log_uniform(rng, 2, 40))
        value = M(subsampled_gaussian_renyi_remove(q, sigma, order))
        truth = remove_at_integer(q, sigma, order)
        slack = M(1e-12 if q >= 1e-5 else 1e-10)
        assert truth <= value <= truth * (1 + slack), (q, sigma, order)


@pytest.mark.slow
@pytest.mark.parametrize("add", [False, True])
def test_real_orders_are_safe_and_close(add: bool) -> None:
    rng = np.random.default_rng(2)
    divergence = subsampled_gaussian_renyi_add if add else subsampled_gaussian_renyi_remove
    for _ in range(25):
        q, sigma = log_uniform(rng, 1e-5, 1.0), log_uniform(rng, 0.3, 1e4)
        order = 1 + log_uniform(rng, 1e-9, 30 * min(sigma, 3.0))
        truth = by_integral(q, sigma, order, add=add)
        value = M(divergence(q, sigma, order))
        assert truth <= value <= truth * (1 + M(1e-12)), (q, sigma, order)


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(
    ("q", "sigma", "order"),
    [(0.3, 0.3, 1.5), (1e-5, 1e4, 1.0), (0.9, 0.3, 40.0), (0.5, 1.0, 1.0), (1e-5, 0.3, 7.3)],
)
def test_hard_points(q: float, sigma: float, order: float, add: bool) -> None:
    divergence = subsampled_gaussian_renyi_add if add else subsampled_gaussian_renyi_remove
    truth = by_integral(q, sigma, order, add=add)
    assert truth <= M(divergence(q, sigma, order)) <= truth * (1 + M(1e-12))


def test_large_orders_and_small_noise_stay_above_simple_bounds_and_end() -> None:
    for q in (1e-5, 0.01, 0.999, 1.0):
        for sigma in (1e-3, 0.01, 0.3, 1.0, 100.0, 1e6):
            orders = [1.0, 1 + 1e-9, 1.7, 64.0, 1e4, 1e6]
            remove = subsampled_gaussian_renyi_remove(q, sigma, orders)
            add = subsampled_gaussian_renyi_add(q, sigma, orders)
            for a, there, back in zip(orders, remove, add, strict=True):
                whole = a / (2 * sigma * sigma)
                below = (whole + a * math.log(q) / (a - 1)) if a > 1 else 0.0
                assert max(0.0, below) <= there * (1 + 1e-12) <= whole * (1 + 1e-11)
                # the divergence for adding a person, `back`, is at most that for removing one,
                # `there`, by theorem 5 of Mironov, Talwar and Zhang (2019)
                assert 0 <= back <= there * (1 + 1e-12)
            assert np.all(np.diff(remove) >= -1e-12 * remove[1:])


def test_many_orders_are_those_one_by_one() -> None:
    orders = [1.0, 1.25, 2.0, 7.5, 60.0, 1024.0]
    for divergence in (subsampled_gaussian_renyi_add, subsampled_gaussian_renyi_remove):
        together = divergence(0.02, 1.3, orders)
        assert together.tolist() == pytest.approx(
            [divergence(0.02, 1.3, a) for a in orders], rel=1e-14
        )


@pytest.mark.slow
def test_one_point_near_and_far() -> None:
    rng = np.random.default_rng(3)
    for add in (False, True):
        for _ in range(2000):
            a = 1 + log_uniform(rng, 1e-9, 1e4)
            w = float(rng.choice([-1, 1])) * log_uniform(rng, 1e-12, 20 / max(1, a / 50))
            s = 1 - M(a) if add else M(a)
            truth = mp.log1p(mp.expm1(s * M(w)) - s * mp.expm1(M(w))) / (M(a) - 1)
            value = float(
                _divergences(np.array([w]), ZERO, np.array([a]), (ZERO, ZERO), add=add)[0]
            )
            assert abs(M(value) - truth) < 3e-13 * truth, (a, w)


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(
    ("q", "sigma", "order"),
    [
        (1e-60, 0.05, 1.5),
        (1 - 1e-9, 0.2, 30.0),
        pytest.param(1e-250, 0.03, 1.9, marks=pytest.mark.slow),
    ],
)
def test_rare_samples_and_little_noise_are_safe(
    q: float, sigma: float, order: float, add: bool
) -> None:
    divergence = subsampled_gaussian_renyi_add if add else subsampled_gaussian_renyi_remove
    truth = by_integral(q, sigma, order, add=add)
    value = M(divergence(q, sigma, order))
    assert truth <= value <= max(truth * (1 + M(1e-10)), M(1e-150))


@pytest.mark.slow
def test_many_and_large_orders_take_bounded_time_and_memory() -> None:
    orders = 1 + np.geomspace(1e-9, 1e7, 3000)
    for q, sigma in ((1e-9, 3.0), (0.3, 0.02), (0.01, 1e4)):
        for divergence in (subsampled_gaussian_renyi_add, subsampled_gaussian_renyi_remove):
            start = time.process_time()
            values = divergence(q, sigma, orders)
            # the limit is generous: the call takes about 0.5 s on an idle machine
            assert time.process_time() - start < 10
            assert np.all(np.diff(values) >= -1e-12 * values[1:]) and np.all(values > 0)


def test_a_sample_of_all_has_the_epsilon_of_all_to_the_last_digit() -> None:
    for epsilon in (1e-300, 1e-9, 0.1, 0.7, 5.3, 699.0, 800.0):
        assert subsampled_epsilon(epsilon, 1.0) == epsilon
        assert subsampled_epsilon(epsilon, 0.0) == 0


def test_no_sample_and_a_whole_one() -> None:
    for base in (Gaussian(2.0), Laplace(2.0), RandomizedResponse(1.0, adjacency=ADD_REMOVE)):
        nothing, whole = PoissonSubsampled(base, 0.0), PoissonSubsampled(base, 1.0)
        assert nothing.guarantee(RenyiDP, orders=[1, 1.5, 8]).epsilons == (0.0, 0.0, 0.0)
        assert nothing.guarantee(ApproxDP, epsilon=0.0).delta == 0
        assert nothing.guarantee(ApproxDP, delta=0.0).epsilon == 0
        assert nothing.privacy_loss().max() == 0
        assert whole.guarantee(RenyiDP, orders=[2, 8]).epsilons == pytest.approx(
            base.guarantee(RenyiDP, orders=[2, 8]).epsilons, rel=1e-13
        )
        assert whole.guarantee(ApproxDP, epsilon=0.3).delta == pytest.approx(
            base.guarantee(ApproxDP, epsilon=0.3).delta, rel=1e-12
        )
        assert whole.privacy_loss().renyi(2) == base.privacy_loss().renyi(2)


@pytest.mark.parametrize("rate", [1e-5, 0.01, 0.5, 0.99])
def test_profile_is_that_of_both_directions(rate: float) -> None:
    for base in (Gaussian(0.7), Laplace(0.4), RandomizedResponse(2.0, adjacency=ADD_REMOVE)):
        mechanism = PoissonSubsampled(base, rate)
        loss = mechanism.privacy_loss()
        for epsilon in (0.0, 1e-3, 0.1, 1.0):
            claim = mechanism.guarantee(ApproxDP, epsilon=epsilon)
            there, back = loss.hockey_stick(epsilon), loss.reversed().hockey_stick(epsilon)
            assert claim.delta == pytest.approx(there, rel=1e-8, abs=1e-15)
            assert back <= there * (1 + 1e-8) + 1e-15
            if 0 < claim.delta < rate:
                again = mechanism.guarantee(ApproxDP, delta=claim.delta).epsilon
                assert again <= epsilon * (1 + 1e-6) + 1e-9


def test_pure_epsilon_is_safe_close_and_tight() -> None:
    rng = np.random.default_rng(4)
    for _ in range(2000):
        epsilon, rate = log_uniform(rng, 1e-12, 700), log_uniform(rng, 1e-12, 1)
        truth = mp.log1p(M(rate) * mp.expm1(M(epsilon)))
        value = M(subsampled_epsilon(epsilon, rate))
        assert truth <= value <= truth * (1 + M(1e-12)) + M(1e-13), (epsilon, rate)
    half = PoissonSubsampled(Laplace(1.0), 0.5)
    assert half.guarantee(PureDP).epsilon == pytest.approx(half.privacy_loss().max(), rel=1e-12)


@pytest.mark.parametrize("epsilon", [699.0, 700.0, 710.0, 1000.0])
def test_pure_epsilon_is_safe_at_rates_that_leave_little_of_it(epsilon: float) -> None:
    for log_rate in (-600.0, -699.0, -700.0, -701.0, -705.0, -735.0):
        rate = math.exp(log_rate)
        with mp.workdps(40):
            truth = mp.log1p(M(rate) * mp.expm1(M(epsilon)))
        assert truth <= subsampled_epsilon(epsilon, rate) <= epsilon
    assert subsampled_epsilon(epsilon, math.nextafter(1.0, 0.0)) <= epsilon


def test_the_order_infinity_is_amplified_like_pure_privacy() -> None:
    for orders in ([math.inf], [2.0, 3.0, math.inf]):
        claim = subsampled_renyi(RenyiDP(orders, [1.0] * len(orders)), 0.1)
        assert claim.orders == tuple(orders)
        assert claim.epsilons[-1] == subsampled_epsilon(1.0, 0.1)


def test_where_a_person_is_added_noise_of_no_width_hides_who_was_not_sampled() -> None:
    for sigma in (1e-200, 1e-5):
        for order in (1.0, 2.0, 50.0):
            found = subsampled_gaussian_renyi_add(0.1, sigma, order)
            assert -math.log1p(-0.1) <= found <= -math.log1p(-0.1) * (1 + 1e-12)


def test_the_tail_of_a_sampled_density_in_both_orders() -> None:
    rate, shift = 0.25, 0.5
    loss = PoissonSubsampled(Gaussian(1 / shift), rate).privacy_loss()

    def below(level: float, mean: float) -> float:
        """Return the probability that the privacy loss without sampling is below `level`.

        This loss is normal with the given mean and the standard deviation `shift` = 0.5.
        """
        return float(norm.cdf((level - mean) / shift))

    half = shift * shift / 2
    for level in (-0.2, -0.01, 0.1, 0.25):
        whole = math.log1p(math.expm1(level) / rate)
        truth = 1 - rate * below(whole, half) - (1 - rate) * below(whole, -half)
        assert loss.tail(level) == pytest.approx(truth, rel=1e-9)
        assert loss.reversed().tail(-level) == pytest.approx(below(whole, -half), rel=1e-9)


@pytest.mark.parametrize("rate", [0.1, 0.99])
def test_where_the_worst_pair_has_an_order_the_general_theorem_counts(rate: float) -> None:
    base = ExponentialMechanism(3.0)
    step = PoissonSubsampled(base, rate)
    orders = [2.0, 3.0, 6.0]
    general = subsampled_renyi(base.guarantee(RenyiDP, orders=range(2, 7)), rate)
    found = step.guarantee(RenyiDP, orders=orders)
    for order, epsilon in zip(found.orders, found.epsilons, strict=True):
        claimed = general.epsilons[general.orders.index(order)]
        assert epsilon == pytest.approx(claimed, rel=1e-12)
        assert epsilon <= base.guarantee(RenyiDP, orders=order).epsilons[0] * (1 + 1e-12)
    assert "Zhu and Wang (2019)" in step.explain(RenyiDP, orders=2.0).theorem
    assert "Mironov" in PoissonSubsampled(Laplace(1.0), rate).explain(RenyiDP, orders=2.0).theorem


@pytest.mark.parametrize("base", [Laplace(1.0), Snapping(1.0, bound=10.0)], ids=str)
def test_a_sample_is_told_exactly_only_where_the_whole_is(base: Mechanism) -> None:
    step = PoissonSubsampled(base, 0.5)
    for notion, at in ((PureDP, {}), (ApproxDP, {"epsilon": 0.25})):
        assert step.explain(notion, **at).kind == base.explain(notion, **at).kind


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_of_noise_only_the_sensitivity_in_its_units_counts(kind: Any) -> None:
    steps = [PoissonSubsampled(kind(2.0 * unit, unit), 0.1) for unit in (1.0, 4.0, 2.0**-10)]
    for notion, at in (
        (RenyiDP, {"orders": [1.5, 2.0, 8.0]}),
        (AlphaDP, {"order": 3.0}),
        (ApproxDP, {"epsilon": 0.1}),
        (ApproxDP, {"delta": 1e-5}),
    ):
        first, *rest = (step.guarantee(notion, **at) for step in steps)
        assert all(claim == first for claim in rest), notion


def test_where_a_person_is_added_orders_without_end_stay_bounded() -> None:
    loss = PoissonSubsampled(DiscreteGaussian(2.0), 0.1).privacy_loss().reversed()
    for order in (1e3, 1e7, 1e12):
        assert 0.08 < loss.renyi(order) <= -math.log1p(-0.1) * (1 + 1e-9)


def test_levels_of_a_mixture_are_found_in_the_whole() -> None:
    for rate in (1e-300, 1e-9, 0.3, 0.999):
        for level in (1e-3, 1.0, 29.0, 31.0, 300.0):
            whole = _log_unmixed(rate, level)
            mixed = float(_log_mixed(rate, np.array([whole]))[0])
            assert mixed == pytest.approx(level, rel=1e-9), (rate, level)


def random_pair(rng: np.random.Generator) -> DiscreteLoss:
    size = int(rng.integers(2, 6))
    p, q = rng.dirichlet(np.full(size, 0.5), 2) * (1 - 1e-3 * size) + 1e-3
    return DiscreteLoss(p, q)


@few_or_many("points", 40, 300)
def test_general_bound_holds_for_random_pairs_in_both_directions(points: int) -> None:
    rng = np.random.default_rng(5)
    orders = list(range(2, 13))
    for _ in range(points):
        loss, rate = random_pair(rng), log_uniform(rng, 1e-4, 1.0)
        claim = subsampled_renyi(RenyiDP.tightest(loss, orders=orders), rate)
        mixed = DiscreteLoss(rate * loss.p + (1 - rate) * loss.q, loss.q)
        other = DiscreteLoss(rate * loss.q + (1 - rate) * loss.p, loss.p)
        assert claim.holds_for(mixed) and claim.holds_for(other)


# at rates 0.9 and 1.0 and orders above 2, the given Rényi bound of the mechanism without sampling
# is below the sum in the theorem on sampling, and the library must return the smaller one
@pytest.mark.parametrize("rate", [1e-4, 0.03, 0.5, 0.9, 1.0])
def test_general_bound_is_the_sum_that_is_printed(rate: float) -> None:
    whole = [j / 10 for j in range(2, 9)]
    claim = subsampled_renyi(RenyiDP(range(2, 9), whole), rate)
    q = M(rate)
    for a, found in zip(range(2, 9), claim.epsilons, strict=True):
        terms = [(1 - q) ** (a - 1) * (1 + (a - 1) * q)]
        for j in range(2, a + 1):
            grown = mp.exp((j - 1) * M(whole[j - 2]))
            terms.append(
                (3 if j > 2 else 1) * mp.binomial(a, j) * q**j * (1 - q) ** (a - j) * grown
            )
        truth = min(mp.log(mp.fsum(terms)) / (a - 1), M(whole[a - 2]))
        assert truth <= M(found) <= truth * (1 + M(1e-10)), a


@pytest.mark.slow
def test_symmetric_mechanisms_need_no_factor_and_between_integers_the_chord_is_above() -> None:
    for base in (
        RandomizedResponse(1.5, adjacency=ADD_REMOVE),
        KaryRandomizedResponse(1.5, 7, adjacency=ADD_REMOVE),
        Laplace(0.8),
    ):
        for rate in (1e-3, 0.1, 0.7):
            mechanism = PoissonSubsampled(base, rate)
            orders = [1.0, 1.5, 2.0, 2.1, 2.5, 2.9, 3.0, 17.0, 17.4, 17.9, 60.0]
            claim = mechanism.guarantee(RenyiDP, orders=orders)
            loss = mechanism.privacy_loss()
            assert claim.holds_for(loss)
            for a, epsilon in zip(orders, claim.epsilons, strict=True):
                if a == int(a) and a > 1:
                    assert epsilon == pytest.approx(loss.renyi(a), rel=1e-8)
                assert loss.reversed().renyi(a) <= loss.renyi(a) * (1 + 1e-9)
            assert mechanism.explain(RenyiDP, orders=2.5).kind == "upper bound"
    assert PoissonSubsampled(Gaussian(1.0), 0.1).explain(RenyiDP, orders=2.5).kind == "exact"


def test_mechanisms_without_a_worst_pair_have_the_general_bound() -> None:
    mechanism = PoissonSubsampled(ExponentialMechanism(1.0, adjacency=ADD_REMOVE), 0.01)
    pure = mechanism.guarantee(PureDP).epsilon
    claim = mechanism.guarantee(RenyiDP, orders=[2, 4])
    assert all(0 < e < pure for e in claim.epsilons)
    assert "theorem 5" in mechanism.explain(RenyiDP, orders=2).theorem


def test_alpha_is_renyi_on_its_scale() -> None:
    mechanism = PoissonSubsampled(Gaussian(1.0), 0.1)
    for order in (1.5, 4.0, 30.0):
        claim = mechanism.guarantee(AlphaDP, order=order)
        truth = mechanism.privacy_loss().alpha(order)
        assert claim.epsilon == pytest.approx(truth, rel=1e-9)


def test_release_sums_a_sample() -> None:
    rng = np.random.default_rng(6)
    mechanism = PoissonSubsampled(Gaussian(sigma=1e-9), 0.25)
    answers = np.array([mechanism.release(np.ones((40, 2)), rng=rng) for _ in range(2000)])
    assert answers.shape == (2000, 2)
    # each answer counts sampled people and has expectation 10; the limit is 6.5 standard errors of
    # the mean of 2000 answers, so a false alarm has probability below 1e-9
    assert abs(answers[:, 0].mean() - 10) < 6.5 * math.sqrt(40 * 0.1875 / 2000)
    # both columns of the value hold only ones, so both sums are equal if they use the same sample
    assert answers[:, 0] == pytest.approx(answers[:, 1])


def test_what_there_is_not() -> None:
    mechanism = PoissonSubsampled(Gaussian(1.0), 0.1)
    with pytest.raises(TypeError, match="a mixture has no Gaussian tail"):
        mechanism.guarantee(GaussianDP)
    with pytest.raises(TypeError):
        mechanism.guarantee(PureDP)
    with pytest.raises(ValueError, match="mechanism must be about adding or removing"):
        PoissonSubsampled(RandomizedResponse(1.0), 0.1)
    with pytest.raises(ValueError, match="rate must be in"):
        PoissonSubsampled(Gaussian(1.0), 1.5)
    with pytest.raises(ValueError, match="value must have a first axis"):
        mechanism.release(1.0, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="claim must be about adding or removing"):
        subsampled_renyi(RenyiDP(2, 1.0, adjacency=Adjacency.REPLACE_ONE), 0.1)
    with pytest.raises(ValueError, match="claim must have an integer order"):
        subsampled_renyi(RenyiDP(2.5, 1.0), 0.1)
    with pytest.raises(ValueError, match="orders must be in"):
        PoissonSubsampled(Laplace(1.0), 0.1).guarantee(RenyiDP, orders=1e5)
    with pytest.raises(ValueError, match="orders must be finite"):
        subsampled_gaussian_renyi_add(0.1, 1.0, math.inf)


@pytest.mark.parametrize("rate", [0.5, 0.9, 1 - 1e-9])
def test_much_noise_at_large_rates_is_no_claim_of_nothing(rate: float) -> None:
    orders = [1.0, 1.01, 2.0, 8.0, 710.0]
    for sigma in (1e6, 1e8, 1e12):
        removed = np.array(subsampled_gaussian_renyi_remove(rate, sigma, orders))
        # the divergence is a power series in 1/sigma, and for large sigma it is close to its first
        # term
        truth = np.array(orders) * (rate / sigma) ** 2 / 2
        assert np.all(removed >= truth)
        assert removed == pytest.approx(truth, rel=1e-3 if sigma < 1e7 else 1e-9, abs=0)


def test_no_noise_at_order_one_is_infinite() -> None:
    removed = subsampled_gaussian_renyi_remove(0.01, 1e-300, [1.0, 2.0])
    assert np.array_equal(removed, [math.inf, math.inf])


def test_the_least_rates_are_no_claim_of_nothing() -> None:
    assert subsampled_epsilon(1e-200, 1e-200) > 0
    assert subsampled_gaussian_renyi_remove(5e-324, 1.0, 1.0) > 0
    assert subsampled_gaussian_renyi_remove(0.0, 1.0, 1.0) == 0


@pytest.mark.parametrize("rate", [1e-4, 1e-8, 1e-12, 1e-17, 1e-100])
def test_the_loss_at_a_small_rate_keeps_its_digits(rate: float) -> None:
    response = RandomizedResponse(1.0, adjacency=ADD_REMOVE)
    loss = PoissonSubsampled(response, rate).privacy_loss()
    q, p = M(rate), 1 / (1 + mp.exp(-1))
    with mp.workdps(300):
        mixture = q * p + (1 - q) * (1 - p)
        kl = mixture * mp.log(mixture / (1 - p)) + (1 - mixture) * mp.log((1 - mixture) / p)
    assert loss.kl() == pytest.approx(float(kl), rel=1e-13, abs=0)
    assert loss.total_variation() == pytest.approx(float(q * (2 * p - 1)), rel=1e-13, abs=0)
    assert PureDP.tightest(loss).epsilon == pytest.approx(
        float(mp.log1p(q * mp.expm1(1))), rel=1e-13, abs=0
    )
    assert not PureDP(0.0).holds_for(loss)
    for base in (
        Laplace(1.0),
        Gaussian(1.0),
        DiscreteLaplace(2.0),
        DiscreteGaussian(2.0),
        KaryRandomizedResponse(1.0, 4, adjacency=ADD_REMOVE),
    ):
        whole, loss = base.privacy_loss(), PoissonSubsampled(base, rate).privacy_loss()
        for one in (loss, loss.reversed()):
            assert one.total_variation() == pytest.approx(
                rate * whole.total_variation(), rel=1e-11, abs=0
            )
            if rate < 1e-7:
                assert one.kl() == pytest.approx(rate**2 * whole.alpha(2), rel=1e-5, abs=0)


def test_a_sampled_discrete_gaussian_has_finite_moments() -> None:
    mechanism = PoissonSubsampled(DiscreteGaussian(2.0), 0.01)
    loss = mechanism.privacy_loss()
    claim = mechanism.guarantee(RenyiDP, orders=[2, 5, 100])
    for order, epsilon in zip(claim.orders, claim.epsilons, strict=True):
        assert loss.renyi(order) == pytest.approx(epsilon, rel=1e-11)
        assert loss.reversed().renyi(order) <= epsilon
    twice = PoissonSubsampled(PoissonSubsampled(DiscreteGaussian(2.0), 0.1), 0.1).privacy_loss()
    assert twice.kl() == pytest.approx(loss.kl(), rel=1e-12)
    assert loss.max() == loss.renyi(1e9) == math.inf
    assert loss.reversed().max() == -math.log1p(-0.01)


def test_large_logarithms_that_cancel_leave_the_general_bound_above() -> None:
    q, largest, a = 5.365221807727383e-240, 550.9954070150513, 10_000
    value = subsampled_renyi(RenyiDP([a - 1, a], [0.0, largest]), q).epsilons[-1]
    # the theorem on sampling gives the bound log(1 + S) / (a - 1), with a sum S over j = 2, ..., a.
    # `truth` keeps only the term with j = a; the other terms are nonnegative and nearly 0, so
    # `truth` is barely too small
    with mp.workdps(60):
        truth = mp.log1p(M(q) ** a * (3 * mp.exp((a - 1) * M(largest)) - 1)) / (a - 1)
        assert truth <= M(value) <= truth * (1 + M(1e-7))


@pytest.mark.parametrize("rate", [1e-3, 0.1, 0.9])
@pytest.mark.parametrize("epsilon", [5.0, 12.0, 25.0, 29.0, 31.0, 33.0])
def test_deltas_far_out_are_not_below_the_truth(rate: float, epsilon: float) -> None:
    claim = PoissonSubsampled(Gaussian(1.0), rate).guarantee(ApproxDP, epsilon=epsilon)
    with mp.workdps(400):
        whole = mp.log1p(mp.expm1(M(epsilon)) / M(rate))
        x = (whole - M(1) / 2) / mp.sqrt(2)
        truth = M(rate) * (mp.erfc(x) - mp.exp(whole) * mp.erfc(x + 1 / mp.sqrt(2))) / 2
        least = M(math.ulp(0.0))
        assert truth <= M(claim.delta) <= truth * (1 + M(1e-10)) + least


@pytest.mark.parametrize(("rate", "delta"), [(0.6, 5e-324), (0.35, 1e-323), (0.9, 1e-320)])
def test_the_least_deltas_are_not_exceeded(rate: float, delta: float) -> None:
    claim = PoissonSubsampled(Gaussian(1.0), rate).guarantee(ApproxDP, delta=delta)
    with mp.workdps(400):
        whole = mp.log1p(mp.expm1(M(claim.epsilon)) / M(rate))
        x = (whole - M(1) / 2) / mp.sqrt(2)
        truth = M(rate) * (mp.erfc(x) - mp.exp(whole) * mp.erfc(x + 1 / mp.sqrt(2))) / 2
        assert truth <= M(delta)


def test_a_sample_of_all_is_rounded_up_too() -> None:
    for sigma in np.random.default_rng(3).uniform(0.3, 30.0, 50).tolist():
        truth = 2.0 / (2 * mpmath.mpf(sigma) ** 2)
        assert subsampled_gaussian_renyi_remove(1.0, sigma, 2.0) >= truth
        assert subsampled_gaussian_renyi_add(1.0, sigma, 2.0) >= truth


def test_an_order_that_a_claim_lacks_has_the_bound_of_the_next_one_above() -> None:
    gap = subsampled_renyi(RenyiDP([2, 4], [0.1, 0.9]), 0.2).epsilons
    full = subsampled_renyi(RenyiDP([2, 3, 4], [0.1, 0.9, 0.9]), 0.2).epsilons
    assert gap == (full[0], full[2])
