"""Tests of privacy losses: divergences, tails and products, and estimates from samples."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import DensityLoss, DiscreteLoss, Gaussian, Laplace, PrivacyLoss, RandomizedResponse
from dpteach.channels import random_channel

INF = math.inf
repeatable = settings(deadline=None, derandomize=True, database=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)


def kl(u: float) -> float:
    return u * math.log(u)


def hellinger(u: float) -> float:
    return 1 - math.sqrt(u)


#: for each named divergence, a convex function f that gives it as an f-divergence, and the method
#: that computes it directly
NAMED: dict[str, tuple[Callable[[float], float], Callable[[PrivacyLoss], float]]] = {
    "kl": (kl, PrivacyLoss.kl),
    "reverse kl": (lambda u: -math.log(u), PrivacyLoss.reverse_kl),
    "numpy": (lambda u: u * np.log(u), PrivacyLoss.kl),
    "chi-square": (lambda u: (u - 1) ** 2, PrivacyLoss.chi_square),
    "hellinger": (hellinger, PrivacyLoss.hellinger),
    "tv": (lambda u: abs(u - 1) / 2, PrivacyLoss.total_variation),
    "hockey-stick": (lambda u: max(u - math.e, 0.0), lambda loss: loss.hockey_stick(1.0)),
    "alpha 3": (lambda u: (u**3 - 1) / 6, lambda loss: loss.alpha(3.0)),
    "alpha -1": (lambda u: (1 / u - 1) / 2, lambda loss: loss.alpha(-1.0)),
    "alpha 0.3": (lambda u: (1 - u**0.3) / 0.21, lambda loss: loss.alpha(0.3)),
}


def random_pair(rng: np.random.Generator, zeros: bool = True) -> DiscreteLoss:
    n = int(rng.integers(2, 7))
    laws = rng.dirichlet(np.full(n, float(rng.choice([0.1, 1.0, 20.0]))), size=2) + 1e-12
    if zeros:
        laws *= rng.random((2, n)) < 0.8
        laws[:, 0] += 1e-3
    return DiscreteLoss(*(laws / laws.sum(axis=1, keepdims=True)))


class TestConvex:
    @pytest.mark.parametrize("name", NAMED)
    def test_named_divergences(self, name: str) -> None:
        f, method = NAMED[name]
        rng = np.random.default_rng(3)
        for i in range(40):
            loss = random_pair(rng, zeros=i % 2 == 0)
            expected = method(loss)
            assert loss.f_divergence(f) == pytest.approx(expected, rel=1e-9, abs=1e-13)

    @pytest.mark.parametrize("name", NAMED)
    @pytest.mark.parametrize("loss", [Laplace(2.0).privacy_loss(), Gaussian(0.7).privacy_loss()])
    def test_named_divergences_of_densities(self, loss: DensityLoss, name: str) -> None:
        f, method = NAMED[name]
        assert loss.f_divergence(f) == pytest.approx(method(loss), rel=1e-9, abs=1e-12)

    def test_zeros_count_their_limits(self) -> None:
        p, q = [0.5, 0.5, 0.0], [0.25, 0.0, 0.75]
        loss = DiscreteLoss(p, q)
        values = {name: loss.f_divergence(f) for name, (f, _) in NAMED.items()}
        assert values["kl"] == values["reverse kl"] == values["chi-square"] == INF
        assert values["tv"] == pytest.approx(0.75)
        assert values["hellinger"] == pytest.approx(1 - math.sqrt(0.125))
        # to the hockey-stick divergence, the three outcomes contribute 0.25 f(0.5 / 0.25) = 0, 0.5
        # times the limit 1 of f(u)/u for large u, and 0.75 f(0) = 0
        assert values["hockey-stick"] == pytest.approx(0.5)
        assert DiscreteLoss([1, 0], [0, 1]).f_divergence(hellinger) == 1
        assert DiscreteLoss([1, 0], [0.5, 0.5]).f_divergence(kl) == pytest.approx(math.log(2))

    def test_a_ratio_above_all_floats_counts_like_a_zero(self) -> None:
        # the second likelihood ratio, 1e323, is above the largest float
        loss = DiscreteLoss([0.5, 0.5], [1.0, 5e-324])
        values = {name: loss.f_divergence(f) for name, (f, _) in NAMED.items()}
        assert values["tv"] == pytest.approx(0.5)
        assert values["hellinger"] == pytest.approx(1 - math.sqrt(0.5))
        assert values["hockey-stick"] == pytest.approx(NAMED["hockey-stick"][1](loss))
        # the true values are finite, but infinity is allowed as an upper bound
        assert values["kl"] == values["chi-square"] == INF

    def test_limits_that_values_do_not_tell(self) -> None:
        # f(u)/u = 1 - u^-0.001 tends to 1 so slowly that it is only about 1/2 at the largest float
        def slow(u: float) -> float:
            return u - u**0.999

        loss = DiscreteLoss([0.5, 0.5], [1, 0])
        with pytest.raises(ValueError, match="slope_at_infinity must be given"):
            loss.f_divergence(slow)
        value = loss.f_divergence(slow, slope_at_infinity=1.0)
        assert value == pytest.approx(slow(0.5) + 0.5)
        assert loss.f_divergence(kl, at_zero=0.0) == INF
        assert loss.reversed().f_divergence(kl, at_zero=0.0) == pytest.approx(math.log(2))
        with pytest.raises(ValueError, match="at_zero must be"):
            loss.f_divergence(kl, at_zero=math.nan)

    def test_a_limit_of_zero_is_told_like_any_other(self) -> None:
        # `at_end` tends to 0 at u = 0 so slowly that its values at positive floats do not show the
        # limit
        def at_end(u: float) -> float:
            h = -1 / (1 - math.log(u)) if u < 1 / math.e else -1 / 2 - (u * math.e - 1) / 4
            return h + math.e / 4 * u + (1 / 4 - math.e / 4 + math.e / 4) * u

        def mirrored(u: float) -> float:
            return u * at_end(1 / u)

        loss = DiscreteLoss([0.0, 1.0], [0.5, 0.5])
        for f, one, limit in (
            (at_end, loss, "at_zero"),
            (mirrored, loss.reversed(), "slope_at_infinity"),
        ):
            with pytest.raises(ValueError, match=f"{limit} must be given"):
                one.f_divergence(f)
            assert one.f_divergence(f, **{limit: 0.0}) == pytest.approx(at_end(2.0) / 2)

    def test_squares_that_leave_the_floats_do_not_hide_a_limit(self) -> None:
        # for the f below, the divergence is the sum of (p - q)^2 / (p + q) over all outcomes
        loss = DiscreteLoss([0.5, 0.5], [1, 0])
        found = loss.f_divergence(lambda u: (u - 1) ** 2 / (u + 1))
        assert found == pytest.approx(0.25 / 1.5 + 0.5)

    def test_the_ratios_that_occur_are_looked_at(self) -> None:
        def bent(u: float) -> float:
            return (u - 1) ** 2 + (10 if u == 3.0 else 0)

        assert DiscreteLoss([0.5, 0.5], [0.25, 0.75]).f_divergence(bent) > 0
        with pytest.raises(ValueError, match=r"^f must be convex, got .* f\(3\)=14"):
            DiscreteLoss([0.75, 0.25], [0.25, 0.75]).f_divergence(bent)

    def test_a_logarithm_of_ratios_that_no_float_holds(self) -> None:
        loss = Gaussian(0.01).privacy_loss()  # under Q the losses are about -5000
        assert loss.f_divergence(lambda u: -math.log(u)) == pytest.approx(5000, rel=1e-9)
        # with mu = 1/sigma = 40 and u = p/q, E_Q[u^-0.3] = e^(0.39 mu^2/2) = e^312
        loss = Gaussian(0.025).privacy_loss()
        found = loss.f_divergence(lambda u: u**-0.3 - 1)
        assert math.log(found) == pytest.approx(312, rel=1e-9)

    def test_a_value_at_zero_that_bends_the_function_is_refused(self) -> None:
        loss = DiscreteLoss([0.5, 0.5], [0.25, 0.75])
        assert loss.f_divergence(kl, at_zero=0.0) > 0
        with pytest.raises(ValueError, match=r"^f must be convex, got f\(0\)=-1"):
            loss.f_divergence(kl, at_zero=-1.0)

    def test_a_power_that_leaves_the_floats_near_zero(self) -> None:
        loss = Gaussian(2.0).privacy_loss()
        # u = e^L is lognormal under Q, which gives the moment E[u^-3]
        truth = math.exp(12 * 0.25 / 2) - 1
        assert loss.f_divergence(lambda u: u**-3 - 1) == pytest.approx(truth, rel=1e-9)

    def test_no_rounding_makes_it_negative(self) -> None:
        loss = DiscreteLoss([0.5, 0.5], [0.5, 0.5])
        assert loss.f_divergence(lambda u: (u - 1) ** 2 - 1e-12) == 0

    @pytest.mark.parametrize(
        "f",
        [
            lambda u: min(abs(u - 1), 1),
            lambda u: 1 - u * u,
            math.log,
            lambda u: -abs(u - 1),
            lambda u: math.sin(u - 1),
            lambda u: (u - 1) ** 3,
            lambda u: math.sqrt(abs(u - 1)),
            lambda u: 1e-30 * (1 - u * u),
            lambda u: (u - 1) ** 2 - 3 * max(u - 7, 0),
        ],
    )
    def test_what_is_not_convex_is_refused_with_three_points(self, f: Callable) -> None:
        loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        with pytest.raises(ValueError, match=r"^f must be convex, got f\(") as caught:
            loss.f_divergence(f)
        words = str(caught.value).replace("f(", "").replace(")", "").split("got ")[1]
        points = [
            tuple(map(float, part.split("=")))
            for part in words.split(":")[0].replace(" and ", ", ").split(", ")
        ]
        (a, fa), (b, fb), (c, fc) = points
        assert a < b < c and fb > (fa * (c - b) + fc * (b - a)) / (c - a)
        for x, y in points:
            if x > 0:
                assert f(x) == pytest.approx(y, rel=1e-6, abs=1e-6 * abs(f(2.0)))

    @pytest.mark.parametrize(
        ("f", "words"),
        [
            (None, "f must be callable"),
            (lambda u: u, "f must be 0 at 1"),
            (lambda u: math.nan, "f must give a number"),
            (lambda: 0, "f must give a number"),
            (lambda u: "0", "f must give a number"),
            (lambda u: 1 / 0, "f must give a number"),
            (lambda u: -INF if u > 1 else 0.0, "f must be above -inf"),
        ],
    )
    def test_what_is_no_function_of_a_ratio(self, f: Callable, words: str) -> None:
        with pytest.raises((ValueError, TypeError), match=f"^{words}"):
            DiscreteLoss([0.5, 0.5], [0.5, 0.5]).f_divergence(f)

    @pytest.mark.slow
    @repeatable
    @given(seeds)
    def test_never_negative(self, seed: int) -> None:
        # lemma 2 of Liu and Wang (2025) says that f-divergences are nonnegative, and that
        # processing does not increase them; here f is the maximum of random straight lines, none
        # above 0 at u = 1
        rng = np.random.default_rng(seed)
        slopes, drops = rng.normal(size=5) * 3, np.append(0.0, rng.random(4))
        loss = random_pair(rng)
        value = loss.f_divergence(lambda u: float(np.max(slopes * (u - 1) - drops)))
        assert value >= 0
        after = loss.post_processed(random_channel(rng, loss.p.size, 3))
        assert after.f_divergence(lambda u: float(np.max(slopes * (u - 1) - drops))) <= value + 1e-9


def test_a_loss_cannot_be_changed() -> None:
    given = np.array([0.25, 0.75])
    loss = DiscreteLoss(given, [0.5, 0.5])
    for one in (loss, loss.reversed(), RandomizedResponse(1.0).privacy_loss()):
        for vector in (one.p, one.q):
            with pytest.raises(ValueError, match="read-only"):
                vector[0] = 0.5
    given[0] = 0.5  # the loss holds a copy, so this must not change it
    assert loss.p[0] == 0.25


class TestMethods:
    @repeatable
    @given(seeds)
    def test_in_50_digits(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        loss = random_pair(rng, zeros=False)
        with mpmath.workdps(50):
            p, q = ([mpmath.mpf(x) for x in law.tolist()] for law in (loss.p, loss.q))
            pairs = list(zip(p, q, strict=True))
            chi = float(mpmath.fsum((a - b) ** 2 / b for a, b in pairs))
            hell = float(mpmath.fsum((mpmath.sqrt(a) - mpmath.sqrt(b)) ** 2 for a, b in pairs) / 2)
            back = float(mpmath.fsum(b * mpmath.log(b / a) - b + a for a, b in pairs))
        assert loss.chi_square() == pytest.approx(chi, rel=1e-12)
        assert loss.hellinger() == pytest.approx(hell, rel=1e-12)
        assert loss.reverse_kl() == pytest.approx(back, rel=1e-12)

    def test_close_laws(self) -> None:
        for gap in (1e-3, 1e-8, 1e-15):
            p = np.array([0.5 + gap, 0.5 - gap])
            loss, gap = DiscreteLoss(p, [0.5, 0.5]), float(p[0] - 0.5)
            assert loss.chi_square() == pytest.approx(4 * gap**2, rel=1e-12)
            assert loss.hellinger() == pytest.approx(gap**2 / 2, rel=1e-5)
            assert loss.reverse_kl() == pytest.approx(2 * gap**2, rel=1e-5)

    @pytest.mark.parametrize("q", [1e-300, 1e-310, 5e-324])
    @pytest.mark.parametrize("order", [0.5, 0.99, 1.0, 1 + 1e-9, 1.01, 1.5, 1.9, 2.5, -0.5])
    def test_ratios_beyond_the_range_of_floats(self, q: float, order: float) -> None:
        loss = DiscreteLoss([0.5, 0.5], [q, 1.0])
        with mpmath.workdps(60):
            a, small = mpmath.mpf(order), mpmath.mpf(q)
            terms = [(mpmath.mpf(1) / 2, small), (mpmath.mpf(1) / 2, mpmath.mpf(1))]
            if order == 1:
                expected = mpmath.fsum(x * mpmath.log(x / y) - x + y for x, y in terms)
            else:
                # subtract a x - (a - 1) y in each term instead of 1 from the sum, because the y
                # sum to 1 only up to rounding
                moment = mpmath.fsum(x**a * y ** (1 - a) - a * x + (a - 1) * y for x, y in terms)
                expected = moment / (a * (a - 1))
        value = float(expected) if expected < 1e308 else INF
        assert loss.alpha(order) == pytest.approx(value, rel=1e-11)
        assert loss.reversed().alpha(1 - order) == pytest.approx(value, rel=1e-11)
        if order > 0.9:
            with mpmath.workdps(60):
                renyi = expected if order == 1 else mpmath.log(1 + a * (a - 1) * expected) / (a - 1)
            assert loss.renyi(order) == pytest.approx(float(renyi), rel=1e-11)

    def test_disjoint_laws(self) -> None:
        loss = DiscreteLoss([1, 0], [0, 1])
        assert loss.hellinger() == 1
        assert loss.chi_square() == loss.reverse_kl() == INF
        assert loss.tail(1e308) == 1 and loss.tail(INF) == 0

    def test_tail(self) -> None:
        loss = DiscreteLoss([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
        assert loss.tail(-INF) == 1
        assert loss.tail(0.0) == loss.tail(-1e-300) - 0.3 == 0.5
        assert loss.tail(math.log(2.5)) == 0
        for level in np.linspace(-2, 2, 41).tolist():
            assert loss.hockey_stick(level) <= loss.tail(level)

    @pytest.mark.parametrize("sigma", [0.05, 1.0, 30.0])
    @pytest.mark.parametrize("level", [-3.0, 0.0, 0.5, 4.0])
    def test_tail_of_densities(self, sigma: float, level: float) -> None:
        mu = 1 / sigma  # under P the loss is normal with mean mu^2/2 and variance mu^2
        expected = float(mpmath.ncdf(mu / 2 - level / mu))
        loss = Gaussian(sigma).privacy_loss()
        assert loss.tail(level) == pytest.approx(expected, rel=1e-9, abs=1e-300)

    def test_tail_with_atoms(self) -> None:
        # the loss of Laplace(1) is 1 at outputs below 0 and -1 at outputs above 1
        loss = Laplace(1.0).privacy_loss()
        assert loss.tail(1.0) == 0 and loss.tail(-1.5) == 1
        assert loss.tail(1 - 1e-9) == pytest.approx(0.5, abs=1e-8)
        assert loss.tail(-1.0) == pytest.approx(1 - math.exp(-1) / 2, abs=1e-8)
        assert loss.tail(0.0) == pytest.approx(1 - math.exp(-0.5) / 2, abs=1e-12)


class TestPairs:
    @repeatable
    @given(seeds)
    def test_products_add(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        one, two = random_pair(rng), random_pair(rng)
        both = one.product(two)
        for order in (0.0, 0.5, 1.0, 2.0, INF):
            expected = one.renyi(order) + two.renyi(order)
            assert both.renyi(order) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        listed = DiscreteLoss(np.outer(one.p, two.p).ravel(), np.outer(one.q, two.q).ravel())
        for level in (-1.0, 0.0, 0.7):
            assert both.hockey_stick(level) == pytest.approx(listed.hockey_stick(level), abs=1e-13)
        back = both.reversed()
        assert back.kl() == pytest.approx(one.reverse_kl() + two.reverse_kl(), rel=1e-9, abs=1e-12)

    @repeatable
    @given(seeds, st.integers(1, 5))
    def test_powers_are_products(self, seed: int, k: int) -> None:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 4))
        one = DiscreteLoss(*rng.dirichlet(np.ones(n), size=2))
        power, product = one.self_product(k), one
        for _ in range(k - 1):
            product = product.product(one)
        assert power.p.size <= math.comb(k + n - 1, n - 1)
        for level in (-2.0, 0.0, 0.5, 3.0):
            for a, b in ((power, product), (power.reversed(), product.reversed())):
                assert a.hockey_stick(level) == pytest.approx(b.hockey_stick(level), abs=1e-12)
        assert power.renyi(3.0) == pytest.approx(k * one.renyi(3.0), rel=1e-10)

    def test_powers_of_randomized_response(self) -> None:
        loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75]).self_product(1000)
        assert loss.p.size == 1001
        assert loss.max() == pytest.approx(1000 * math.log(3))
        assert loss.reversed().max() == pytest.approx(1000 * math.log(3))
        assert loss.kl() == pytest.approx(500 * math.log(3), rel=1e-9)
        with pytest.raises(ValueError, match="k must be smaller"):
            loss.self_product(100)
        with pytest.raises(ValueError, match="other must have fewer outcomes"):
            loss.product(loss.product(loss))

    def test_probabilities_that_underflow_stay(self) -> None:
        loss = DiscreteLoss([1e-200, 1 - 1e-200], [0.5, 0.5])
        twice = loss.product(loss).reversed()
        assert twice.max() == pytest.approx(2 * loss.reversed().max())

    def test_merging_changes_no_divergence(self) -> None:
        rng = np.random.default_rng(0)
        for _ in range(50):
            loss = random_pair(rng)
            doubled = DiscreteLoss(np.repeat(loss.p, 3) / 3, np.repeat(loss.q, 3) / 3)
            merged = doubled.merged()
            assert merged.p.size <= loss.p.size
            assert np.all(np.diff(merged._log_ratio) > 0)
            for order in (0.0, 0.5, 1.0, 4.0):
                assert merged.renyi(order) == pytest.approx(loss.renyi(order), rel=1e-9, abs=1e-12)

    def test_processing(self) -> None:
        loss = DiscreteLoss([0.5, 0.5], [1.0, 0.0])
        assert loss.post_processed([[1.0], [1.0]]).max() == 0
        assert loss.post_processed(np.eye(2)).p.tolist() == [0.5, 0.5]
        for bad in ([[1.0]], [[0.5, 0.6], [1, 0]], [0.5, 0.5], None, [["a"]]):
            with pytest.raises((ValueError, TypeError), match=r"^channel\b.*must"):
                loss.post_processed(bad)  # type: ignore[arg-type]


class TestSamples:
    def test_values_that_are_few_are_bins(self) -> None:
        loss = DiscreteLoss.from_samples([1, 1, 2, 5], [2, 2, 5, 7])
        assert loss.p.tolist() == [0.5, 0.25, 0.25, 0.0]
        assert loss.q.tolist() == [0.0, 0.5, 0.25, 0.25]
        assert loss.kl() == INF
        smooth = DiscreteLoss.from_samples([1, 1, 2, 5], [2, 2, 5, 7], pseudo_count=0.5)
        assert smooth.p.tolist() == pytest.approx([2.5 / 6, 1.5 / 6, 1.5 / 6, 0.5 / 6])
        assert smooth.max() == pytest.approx(math.log(5))

    def test_bins_hold_equally_many(self) -> None:
        values = np.arange(100.0)
        loss = DiscreteLoss.from_samples(values[::2], values[1::2], bins=5)
        assert loss.p.tolist() == loss.q.tolist() == [0.2] * 5
        ties = DiscreteLoss.from_samples([0.0] * 90 + [*range(1, 11)], [0.0] * 100, bins=4)
        assert ties.p.sum() == pytest.approx(1) and ties.p.size <= 4
        assert DiscreteLoss.from_samples(values, values, bins=1).p.tolist() == [1.0]

    def test_estimates_come_near(self) -> None:
        rng = np.random.default_rng(11)
        law = DiscreteLoss([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
        n = 200_000
        found = DiscreteLoss.from_samples(rng.choice(3, n, p=law.p), rng.choice(3, n, p=law.q))
        # by Hoeffding's inequality, the probability that at least one of the six frequencies is off
        # by 0.0085 or more is at most 12 e^(-2 n 0.0085^2) < 1e-11
        assert np.abs(found.p - law.p).max() < 0.0085
        assert np.abs(found.q - law.q).max() < 0.0085

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"outputs": []}, "outputs must hold"),
            ({"neighbour_outputs": []}, "neighbour_outputs must hold"),
            ({"outputs": [math.nan]}, "outputs must hold"),
            ({"bins": 0}, "bins must be"),
            ({"bins": 2.5}, "bins must be"),
            ({"pseudo_count": -1}, "pseudo_count must be"),
            ({"pseudo_count": math.nan}, "pseudo_count must be"),
        ],
    )
    def test_refusals(self, arguments: dict[str, object], words: str) -> None:
        good: dict[str, object] = {"outputs": [1.0], "neighbour_outputs": [2.0]}
        with pytest.raises((ValueError, TypeError), match=f"^{words}"):
            DiscreteLoss.from_samples(**{**good, **arguments})  # type: ignore[arg-type]


class TestQuadrature:
    @pytest.mark.parametrize("sigma", [0.8, 2.0, 10.0])
    @pytest.mark.parametrize("rate", [0.5, 1e-2, 1e-4])
    @pytest.mark.parametrize("order", [1.5, 2, 8, 30, 64])
    def test_mixtures_with_two_peaks(self, sigma: float, rate: float, order: float) -> None:
        # the true moment for rate r, sigma s and order a is E_Q[((1-r) + r e^((x-1/2)/s^2))^a],
        # which is a binomial sum at integer orders
        def log_q(x: np.ndarray) -> np.ndarray:
            return -0.5 * (x / sigma) ** 2 - math.log(sigma * math.sqrt(2 * math.pi))

        def log_p(x: np.ndarray) -> np.ndarray:
            shift = (x - 0.5) / sigma**2
            ratio = np.logaddexp(math.log1p(-rate), math.log(rate) + shift)
            return np.asarray(log_q(x) + ratio)

        loss = DensityLoss(log_p, log_q, (0.5,), sigma, (math.log1p(-rate), INF))
        with mpmath.workdps(50):
            r, s = mpmath.mpf(rate), mpmath.mpf(sigma)
            if order == int(order):
                a = int(order)
                moment = mpmath.fsum(
                    mpmath.binomial(a, k)
                    * (1 - r) ** (a - k)
                    * r**k
                    * mpmath.exp(mpmath.mpf(k * k - k) / (2 * s**2))
                    for k in range(a + 1)
                )
            else:
                moment = mpmath.quad(
                    lambda x: (
                        mpmath.npdf(x, 0, s)
                        * (1 - r + r * mpmath.exp((x - mpmath.mpf(1) / 2) / s**2)) ** order
                    ),
                    [-30 * s, 0, 0.5, 3 * s, 10 * s, 40 * s],
                )
            expected = float(mpmath.log(moment) / (mpmath.mpf(order) - 1))
        assert loss.renyi(order) == pytest.approx(expected, rel=1e-9, abs=1e-15)

    def test_peaks_out_of_reach_are_not_lost(self) -> None:
        loss = Gaussian(1.0).privacy_loss()
        # at large orders, the integral comes mostly from large x, where x^2 has a large rounding
        # error, so the tolerance is wider
        assert loss.renyi(1e6) == pytest.approx(5e5, rel=1e-9)
        assert loss.renyi(1e13) == pytest.approx(5e12, rel=1e-2)
        assert loss.renyi(1e16) == loss.renyi(1e300) == INF
        assert Laplace(0.1).privacy_loss().renyi(1e300) == pytest.approx(10, rel=1e-12)

    @pytest.mark.parametrize("order", [1e307, 1e308, 1.7e308])
    def test_where_the_moment_leaves_the_floats_the_largest_loss_is_the_answer(
        self, order: float
    ) -> None:
        for loss in (RandomizedResponse(3.0).privacy_loss(), Laplace(0.02).privacy_loss()):
            assert loss.renyi(order) == loss.max()

    def test_peaks_of_the_same_height_far_apart(self) -> None:
        # P is the mixture (1 - r) N(0, 1) + r N(1, 1), and Q is N(0, 1). Choose the rate r so that
        # r^a e^((a^2-a)/2) is about 1 for order a: then p^a q^(1-a) has peaks of equal height at 0
        # and at a
        order = 29.0
        log_rate = -(order - 1) / 2

        def log_q(x: np.ndarray) -> np.ndarray:
            return -0.5 * x**2 - math.log(2 * math.pi) / 2

        def log_p(x: np.ndarray) -> np.ndarray:
            return np.asarray(
                log_q(x) + np.logaddexp(math.log1p(-math.exp(log_rate)), log_rate + x - 0.5)
            )

        loss = DensityLoss(log_p, log_q, (0.5,), 1.0)
        with mpmath.workdps(50):
            r, a = mpmath.exp(log_rate), int(order)
            moment = mpmath.fsum(
                mpmath.binomial(a, k) * (1 - r) ** (a - k) * r**k * mpmath.exp((k * k - k) / 2.0)
                for k in range(a + 1)
            )
            expected = float(mpmath.log(moment) / (a - 1))
        assert loss.renyi(order) == pytest.approx(expected, rel=1e-9)


def test_orders_near_zero_keep_their_digits_where_q_has_what_p_lacks() -> None:
    loss = DiscreteLoss([1.0, 0.0], [0.5, 0.5])
    # the alpha divergence has the closed form (1 - 2^(a-1))/(a (1 - a)), and the Rényi divergence
    # is log 2 at every order
    for order in (1e-9, 1e-20, 1e-300):
        truth = -math.expm1((order - 1) * math.log(2)) / order / (1 - order)
        assert loss.alpha(order) == pytest.approx(truth, rel=1e-14, abs=0)
        assert loss.renyi(order) == pytest.approx(math.log(2), rel=1e-14)


def test_hockey_stick_at_infinity_is_its_limit() -> None:
    loss = DiscreteLoss([0.5, 0.25, 0.25], [0.0, 0.5, 0.5])
    assert loss.hockey_stick(math.inf) == loss.hockey_stick(1e308) == 0.5
    assert loss.reversed().hockey_stick(math.inf) == 0.0


@pytest.mark.parametrize("shift", [1e-3, 40.0, 100.0, 300.0, 1000.0, 1e6])
def test_normal_laws_near_and_far(shift: float) -> None:
    """Divergences of distant normal distributions are right, although e^L exceeds the largest
    float.
    """
    for loss in (Gaussian(1.0, shift).privacy_loss(), Gaussian(1e-3, shift * 1e-3).privacy_loss()):
        square = shift * shift / 2
        assert loss.kl() == pytest.approx(square, rel=1e-11)
        assert loss.reverse_kl() == pytest.approx(square, rel=1e-11)
        assert loss.hellinger() == pytest.approx(-math.expm1(-square / 4), rel=1e-11)
        for order in (0.01, 0.5, 0.9, 1.1, 1.5, 3.0):
            assert loss.renyi(order) == pytest.approx(order * square, rel=1e-11)


def test_laplace_laws_far_apart() -> None:
    for shift in (100.0, 1000.0, 1e5):
        loss = Laplace(1.0, shift).privacy_loss()
        assert loss.kl() == pytest.approx(shift - 1, rel=1e-12)
        assert loss.renyi(0.5) == pytest.approx(shift - 2 * math.log1p(shift / 2), rel=1e-12)


@pytest.mark.parametrize("mechanism", [Gaussian, Laplace])
def test_what_floats_do_not_resolve_is_refused(mechanism: type[Gaussian | Laplace]) -> None:
    for scale, sensitivity in ((1.0, 1e-11), (1.0, 1e200), (1e300, 1e300), (1e-200, 1.0)):
        with pytest.raises(ValueError, match=r"^sensitivity must be from 1e-10 to 1e10 times"):
            mechanism(scale, sensitivity).privacy_loss()
    with pytest.raises(ValueError, match=r"^sensitivity must be finite"):
        mechanism(1.0).privacy_loss_between(1.7e308, -1.7e308)


def test_a_reversed_density_has_the_range_of_its_loss_reversed() -> None:
    def log_q(x: np.ndarray) -> np.ndarray:
        return np.asarray(-np.abs(x) - math.log(2))

    def log_p(x: np.ndarray) -> np.ndarray:
        return np.asarray(log_q(x) + np.where(x > 0, math.log(1.5), math.log(0.5)))

    loss = DensityLoss(log_p, log_q, (0.0,), 1.0, (math.log(0.5), math.log(1.5)))
    assert loss.max() == math.log(1.5) and loss.reversed().max() == math.log(2)
    assert loss.reversed().hockey_stick(0.5) == pytest.approx(0.5 - math.exp(0.5) / 4)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_heavy_tail_on_either_side_has_infinite_moments(side: float) -> None:
    def log_p(x: np.ndarray) -> np.ndarray:  # close to a Cauchy distribution on one side
        heavy = -math.log(math.pi) - np.log1p(x * x)
        return np.where(side * x > 0, heavy, log_q(x))

    def log_q(x: np.ndarray) -> np.ndarray:
        return -x * x / 2 - math.log(2 * math.pi) / 2

    loss = DensityLoss(log_p, log_q, points=(0.0,), scale=1.0)
    assert loss.renyi(2.0) == INF
    assert loss.hockey_stick(1.0) < 0.5


def test_losses_in_a_crowd_stay_apart() -> None:
    # adjacent losses are close enough to be merged, but the first and the last are not, so they
    # must not all become one
    crowd = 1 + np.arange(2000) * 2.0**-44
    p = np.full(2000, 1 / 2000)
    loss = DiscreteLoss._of(p, p * np.exp(-crowd), crowd)
    for epsilon in (1.0, float(crowd[1000])):
        merged = loss.merged().hockey_stick(epsilon)
        assert merged == pytest.approx(loss.hockey_stick(epsilon), rel=1e-9)


def test_hills_on_one_side_of_all_points_are_all_found() -> None:
    def hills(*centres: float) -> Callable:
        def log_density(x: np.ndarray) -> np.ndarray:
            logs = [-((x - c) ** 2) / 2 for c in centres]
            return np.logaddexp.reduce(logs) - math.log(len(centres) * math.sqrt(2 * math.pi))

        return log_density

    # each density has two hills, 40 or 41 apart, both on the same side of the given point 0, and
    # nearly vanishes between them, so a search must find each hill
    loss = DensityLoss(hills(20.0, 60.0), hills(20.0, 61.0), points=(0.0,), scale=1.0)
    assert loss.renyi(2.0) == pytest.approx(math.log((1 + math.e) / 2), rel=1e-9)
    assert loss.total_variation() == pytest.approx(math.erf(0.5 / math.sqrt(2)) / 2, rel=1e-9)


def test_bins_are_as_many_as_the_smaller_sample_bears() -> None:
    many, few = np.arange(1000.0), np.arange(8.0)
    for samples in ((many, few), (few, many)):
        # the smaller sample has 8 values, and the default number of bins is twice the cube root of
        # this
        assert DiscreteLoss.from_samples(*samples).p.size == 4


def test_the_order_zero_tells_how_much_of_the_other_law_is_shared() -> None:
    assert DiscreteLoss([1.0, 0.0], [0.0, 1.0]).renyi(0.0) == INF
    assert DiscreteLoss([1.0, 0.0], [1e-20, 1.0]).renyi(0.0) == pytest.approx(20 * math.log(10))
    assert DiscreteLoss([1.0, 0.0], [1.0, 1e-20]).renyi(0.0) == pytest.approx(1e-20, abs=0)
