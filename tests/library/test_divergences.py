"""Tests of divergences of discrete distributions: edge cases, limits and inequalities."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import DiscreteLoss, divergences
from dpteach.divergences import (
    alpha_divergence,
    binary_entropy,
    binary_entropy_inverse,
    binary_symmetric_capacity,
    chi_square,
    f_divergence,
    hockey_stick,
    kl_divergence,
    max_divergence,
    renyi_divergence,
    reverse_kl,
    squared_hellinger,
    total_variation,
)

INF = math.inf
repeatable = settings(deadline=None, derandomize=True, database=None)
ORDERS = [0.0, 0.1, 0.5, 0.9, 1.0, 1 + 1e-12, 1.5, 2.0, 10.0, 1e4, INF]


def exact(p: list[float], q: list[float], order: float) -> float:
    """Return the Rényi divergence of a positive order other than 1, computed in 60 digits."""
    with mpmath.workdps(60):
        a = mpmath.mpf(order)
        terms = [mpmath.mpf(x) ** a * mpmath.mpf(y) ** (1 - a) for x, y in zip(p, q, strict=True)]
        return float(mpmath.log(mpmath.fsum(terms)) / (a - 1))


@st.composite
def pairs(draw: st.DrawFn, zeros: bool = True) -> tuple[list[float], list[float]]:
    n = draw(st.integers(1, 6))
    weight = st.floats(1e-9, 1.0) | (st.just(0.0) if zeros else st.nothing())
    vectors = []
    for _ in range(2):
        w = draw(st.lists(weight, min_size=n, max_size=n).filter(lambda w: sum(w) > 1e-9))
        vectors.append([x / sum(w) for x in w])
    return vectors[0], vectors[1]


class TestEdges:
    def test_equal_distributions_are_at_distance_zero(self) -> None:
        p = [0.1, 0.2, 0.7]
        for order in ORDERS:
            assert renyi_divergence(p, p, order) == 0
        for order in (-3.0, 0.0, 0.5, 1.0, 2.0, 1e6):
            assert alpha_divergence(p, p, order) == 0
        assert hockey_stick(p, p, 0.0) == total_variation(p, p) == 0

    def test_mass_where_q_has_none(self) -> None:
        p, q = [0.5, 0.5], [1.0, 0.0]
        # a web page defines the max divergence as a supremum over the support of q (erratum E33 in
        # book/errata.md), which would be log(1/2) < 0 here
        assert max_divergence(p, q) == INF
        assert max_divergence(q, p) == math.log(2)
        assert kl_divergence(p, q) == INF
        assert kl_divergence(q, p) == pytest.approx(math.log(2))
        for order in (1.0, 1 + 1e-12, 2.0, 1e6):
            assert renyi_divergence(p, q, order) == INF
            assert alpha_divergence(p, q, order) == INF
        assert renyi_divergence(p, q, 0.5) == pytest.approx(math.log(2))
        assert renyi_divergence(p, q, 0) == 0
        assert renyi_divergence(q, p, 0) == pytest.approx(math.log(2))

    def test_disjoint_distributions(self) -> None:
        p, q = [1.0, 0.0], [0.0, 1.0]
        for order in ORDERS:
            assert renyi_divergence(p, q, order) == INF
        assert total_variation(p, q) == 1
        assert hockey_stick(p, q, 100.0) == 1
        assert alpha_divergence(p, q, 0.5) == pytest.approx(4)

    def test_outcomes_that_never_occur_change_nothing(self) -> None:
        p, q = [0.25, 0.75], [0.5, 0.5]
        for order in ORDERS:
            assert renyi_divergence([*p, 0.0], [*q, 0.0], order) == renyi_divergence(p, q, order)

    def test_huge_orders_neither_overflow_nor_lose_the_answer(self) -> None:
        p, q = [0.75, 0.25], [0.25, 0.75]
        for order in (2000.0, 1e6, 1e12, 1e300):
            assert renyi_divergence(p, q, order) <= math.log(3)
        assert renyi_divergence(p, q, 1e12) == pytest.approx(math.log(3), rel=1e-11)
        # p^2000 alone underflows, but the product p^2000 p^(1-2000) = p must not
        assert renyi_divergence(p, p, 2000) == 0
        assert alpha_divergence(p, q, 1e4) == INF  # the value exceeds the largest float

    @pytest.mark.parametrize("exponent", [-3, -6, -9, -12, -15])
    @pytest.mark.parametrize("sign", [-1, 1])
    def test_orders_near_one(self, exponent: int, sign: int) -> None:
        p, q = [0.6, 0.4], [0.5, 0.5]
        order = 1 + sign * 10.0**exponent
        assert renyi_divergence(p, q, order) == pytest.approx(exact(p, q, order), rel=1e-14)

    def test_close_distributions(self) -> None:
        for gap in (1e-3, 1e-6, 1e-9, 1e-12):
            p, q = [0.5 + gap, 0.5 - gap], [0.5, 0.5]
            assert renyi_divergence(p, q, 3.0) == pytest.approx(exact(p, q, 3.0), rel=1e-12)

    def test_special_orders_of_the_alpha_divergence(self) -> None:
        p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
        assert alpha_divergence(p, q, 1) == pytest.approx(kl_divergence(p, q))
        assert alpha_divergence(p, q, 0) == pytest.approx(kl_divergence(q, p))
        assert alpha_divergence(p, q, 2) == pytest.approx(float(((p - q) ** 2 / q).sum()) / 2)
        hellinger = 1 - float(np.sqrt(p * q).sum())
        assert alpha_divergence(p, q, 0.5) == pytest.approx(4 * hellinger)

    def test_inputs_are_left_alone(self) -> None:
        p = np.array([0.5, 0.5])
        loss = DiscreteLoss(p, [0.25, 0.75])
        p[0] = 1.0
        assert loss.p.tolist() == [0.5, 0.5]
        with pytest.raises(ValueError, match="read-only"):
            loss.p[0] = 1.0


class TestLaws:
    @repeatable
    @given(pairs(zeros=False), st.floats(0.01, 60.0).filter(lambda a: abs(a - 1) > 1e-6))
    def test_the_definition(self, pair: tuple[list[float], list[float]], order: float) -> None:
        # the probabilities sum to 1 only up to rounding, which changes the sum of powers by 1e-15
        assert renyi_divergence(*pair, order) == pytest.approx(
            exact(*pair, order), rel=1e-9, abs=1e-15 / abs(order - 1) + 1e-15 * order
        )

    @repeatable
    @given(pairs(), st.floats(0, 50), st.floats(0, 50))
    def test_renyi_grows_with_the_order(
        self, pair: tuple[list[float], list[float]], one: float, other: float
    ) -> None:
        low, high = sorted((one, other))
        small, large = renyi_divergence(*pair, low), renyi_divergence(*pair, high)
        assert 0 <= small <= large * (1 + 1e-9) + 1e-12

    @repeatable
    @given(pairs(), st.floats(-10, 10))
    def test_alpha_is_non_negative_and_skew_symmetric(
        self, pair: tuple[list[float], list[float]], order: float
    ) -> None:
        p, q = pair
        # round the order a so that 1 - a is exact, too; then no error comes from rounding the
        # order
        order = 1 - (1 - order)
        value = alpha_divergence(p, q, order)
        assert value >= 0
        mirrored = alpha_divergence(q, p, 1 - order)
        assert mirrored == pytest.approx(value, rel=1e-6, abs=1e-15)

    @repeatable
    @given(pairs(), st.floats(0, 20), st.integers(0, 2**32 - 1))
    def test_data_processing(
        self, pair: tuple[list[float], list[float]], order: float, seed: int
    ) -> None:
        channel = np.random.default_rng(seed).dirichlet(np.ones(3), size=len(pair[0]))
        p, q = (np.array(v) @ channel for v in pair)
        before, after = DiscreteLoss(*pair), DiscreteLoss(p / p.sum(), q / q.sum())
        assert after.renyi(order) <= before.renyi(order) * (1 + 1e-9) + 1e-12
        assert after.alpha(order) <= before.alpha(order) * (1 + 1e-9) + 1e-12
        assert after.hockey_stick(0.3) <= before.hockey_stick(0.3) + 1e-12

    @repeatable
    @given(pairs(), st.floats(-3, 3))
    def test_hockey_stick_is_the_best_event(
        self, pair: tuple[list[float], list[float]], epsilon: float
    ) -> None:
        p, q = map(np.array, pair)
        events = np.array(np.meshgrid(*[[0, 1]] * p.size)).reshape(p.size, -1).T
        best = float((events @ (p - math.exp(epsilon) * q)).max())
        assert hockey_stick(p, q, epsilon) == pytest.approx(best, abs=1e-12)

    @repeatable
    @given(pairs())
    def test_pinsker(self, pair: tuple[list[float], list[float]]) -> None:
        assert total_variation(*pair) <= math.sqrt(kl_divergence(*pair) / 2) + 1e-12


class TestBinary:
    @repeatable
    @given(st.floats(0, 0.5))
    def test_inverse(self, x: float) -> None:
        found = binary_entropy_inverse(binary_entropy(x))
        # near 1/2 the entropy is flat and known only to 1e-16, so it determines (1/2 - x)^2 only
        # to 1e-16, and x only to 1e-8
        assert found == pytest.approx(x, rel=1e-12, abs=3e-8 if x > 0.4 else 0)

    def test_ends(self) -> None:
        assert binary_entropy(0) == binary_entropy(1) == binary_entropy_inverse(0) == 0
        assert binary_entropy_inverse(math.log(2)) == 0.5
        for wrong in (-1e-300, 0.7, INF):
            with pytest.raises(ValueError, match=r"^entropy must be in \[0, log 2\], got entropy="):
                binary_entropy_inverse(wrong)
        assert binary_symmetric_capacity(0) == binary_symmetric_capacity(1) == math.log(2)
        assert binary_symmetric_capacity(0.5) == 0

    @pytest.mark.parametrize("x", [1e-300, 1e-9, 0.1, 0.2499, 0.2501, 0.4, 0.499999])
    def test_entropy_and_capacity_in_60_digits(self, x: float) -> None:
        with mpmath.workdps(60):
            m = mpmath.mpf(x)
            entropy = -m * mpmath.log(m) - (1 - m) * mpmath.log(1 - m)
            capacity = mpmath.log(2) - entropy
        assert binary_entropy(x) == pytest.approx(float(entropy), rel=1e-14)
        assert binary_symmetric_capacity(x) == pytest.approx(float(capacity), rel=1e-14)


#: every function that computes a divergence of two probability vectors
EVERY = {
    "kl": kl_divergence,
    "reverse kl": reverse_kl,
    "max": max_divergence,
    "renyi 0": lambda p, q: renyi_divergence(p, q, 0.0),
    "renyi 0.3": lambda p, q: renyi_divergence(p, q, 0.3),
    "renyi 7": lambda p, q: renyi_divergence(p, q, 7.0),
    "alpha -2": lambda p, q: alpha_divergence(p, q, -2.0),
    "alpha 0.3": lambda p, q: alpha_divergence(p, q, 0.3),
    "alpha 5": lambda p, q: alpha_divergence(p, q, 5.0),
    "chi-square": chi_square,
    "hellinger": squared_hellinger,
    "hockey-stick": lambda p, q: hockey_stick(p, q, 0.4),
    "tv": total_variation,
    "f": lambda p, q: f_divergence(p, q, lambda u: u * math.log(2 * u / (1 + u))),
}
CONVEX = [name for name in EVERY if name not in ("max", "renyi 7")]


class TestEveryDivergence:
    @pytest.mark.parametrize("name", EVERY)
    def test_processing_zero_and_joint_convexity(self, name: str) -> None:
        # Liu and Wang (2025) state that processing does not increase divergences (lemma 2) and that
        # divergences are jointly convex (proposition 1). Rényi divergences are jointly convex only
        # up to order 1, and quasi-convex above it
        divergence = EVERY[name]
        rng = np.random.default_rng(17)
        for _ in range(60):
            n = int(rng.integers(2, 6))
            p, q, r, s = rng.dirichlet(np.full(n, float(rng.choice([0.1, 1.0]))), size=4)
            if rng.random() < 0.3:
                q = np.where(np.arange(n) == 0, 0.0, q)
                q = q / q.sum()
            before = divergence(p, q)
            loss = DiscreteLoss(p, q).post_processed(rng.dirichlet(np.ones(3), size=n))
            assert 0 <= divergence(loss.p, loss.q) <= before * (1 + 1e-9) + 1e-12
            assert divergence(p, p) == pytest.approx(0, abs=1e-15)
            if name in CONVEX:
                t = rng.random()
                mixed = divergence(t * p + (1 - t) * r, t * q + (1 - t) * s)
                assert mixed <= (t * before + (1 - t) * divergence(r, s)) * (1 + 1e-9) + 1e-12
            else:
                t = rng.random()
                mixed = divergence(t * p + (1 - t) * r, t * q + (1 - t) * s)
                assert mixed <= max(before, divergence(r, s)) * (1 + 1e-9) + 1e-12

    def test_they_are_the_methods(self) -> None:
        p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
        loss = DiscreteLoss(p, q)
        assert reverse_kl(p, q) == loss.reverse_kl() == kl_divergence(q, p)
        assert chi_square(p, q) == loss.chi_square() == pytest.approx(0.09 / 0.2 + 0.09 / 0.5)
        assert squared_hellinger(p, q) == loss.hellinger()
        assert math.log1p(chi_square(p, q)) == pytest.approx(renyi_divergence(p, q, 2))
        assert f_divergence(p, q, abs_minus_one) == pytest.approx(total_variation(p, q))
        assert set(divergences.__all__) >= {"f_divergence", "mutual_information"}


class TestLimitsThatAreTold:
    """Tests that `f_divergence` uses given limits: of f(u) at 0, and of f(u)/u at infinity."""

    def test_the_limit_at_zero(self) -> None:
        # this f gives the total variation, but raises an error at 0, so the caller must give f's
        # limit
        def f(u: float) -> float:
            assert u > 0
            return abs(u - 1) / 2

        p, q = [0.0, 0.25, 0.75], [0.5, 0.25, 0.25]
        found = f_divergence(p, q, f, at_zero=0.5)
        assert found == DiscreteLoss(p, q).f_divergence(f, at_zero=0.5) == total_variation(p, q)
        # the given limit at 0 exceeds that of f by 2, so the result grows by 2 times 0.5, the
        # probability under q of the outcome that has probability 0 under p
        assert f_divergence(p, q, f, at_zero=2.5) == pytest.approx(found + 2 * 0.5, rel=1e-12)

    def test_the_slope_at_infinity(self) -> None:
        # f(u)/u = 1 - u^-0.001 tends to 1 so slowly that it is only about 1/2 at the largest float
        def slow(u: float) -> float:
            return u - u**0.999

        p, q = [0.25, 0.75, 0.0], [0.0, 0.25, 0.75]
        with pytest.raises(ValueError, match="slope_at_infinity must be given"):
            f_divergence(p, q, slow)
        found = f_divergence(p, q, slow, slope_at_infinity=1.0)
        assert found == DiscreteLoss(p, q).f_divergence(slow, slope_at_infinity=1.0)
        assert found == pytest.approx(0.25 + 0.25 * slow(3.0), rel=1e-12)
        assert f_divergence(p, q, slow, slope_at_infinity=INF) == INF


class TestTinyProbabilities:
    """Tests that divergences of tiny probabilities are as accurate as those of other
    probabilities.
    """

    @pytest.mark.parametrize(
        ("x", "y"),
        [
            (1.4797443493143911e-292, 7.33291303352612e-293),
            (2e-308, 7e-309),
            (1e-323, 5e-324),
            (5e-324, 1e-300),
            (1e-250, 1e-310),
        ],
    )
    def test_the_max_divergence(self, x: float, y: float) -> None:
        with mpmath.workdps(40):
            truth = float(abs(mpmath.log(mpmath.mpf(x) / mpmath.mpf(y))))
        p, q = ([1.0, x], [1.0, y]) if x > y else ([1.0, y], [1.0, x])
        assert max_divergence(p, q) == pytest.approx(truth, rel=5e-16, abs=0)
        assert DiscreteLoss(q, p)._log_ratio[1] == -max_divergence(p, q)

    def test_the_others(self) -> None:
        p, q = [0.5688814178972528, 0.43111858210274717], [1.0, 8.183631636116818e-280]
        with mpmath.workdps(40):
            pairs = [(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(p, q, strict=True)]
            kl = mpmath.fsum(a * mpmath.log(a / b) for a, b in pairs)
            square = mpmath.fsum((a - b) ** 2 / b for a, b in pairs)
            hellinger = 1 - mpmath.fsum(mpmath.sqrt(a * b) for a, b in pairs)
        assert kl_divergence(p, q) == pytest.approx(float(kl), rel=5e-16, abs=0)
        assert squared_hellinger(p, q) == pytest.approx(float(hellinger), rel=1e-15, abs=0)
        # the library computes e^x for x of about 641; the rounding error of x, up to 6e-14,
        # becomes the relative error of e^x
        assert chi_square(p, q) == pytest.approx(float(square), rel=8e-14, abs=0)

    def test_a_large_order(self) -> None:
        p = [1.0, 3.975757185641413e-125, 4.082520600002774e-72, 8.520630606633097e-202]
        q = [1.0, 3.935400785108064e-43, 3.0911824234929943e-71, 5.866873007155978e-208]
        order = 78.64699399105777
        with mpmath.workdps(60):
            a = mpmath.mpf(order)
            pairs = [(mpmath.mpf(x), mpmath.mpf(y)) for x, y in zip(p, q, strict=True)]
            terms = [x**a * y ** (1 - a) - a * x - (1 - a) * y for x, y in pairs]
            truth = float(mpmath.fsum(terms) / (a * (a - 1)))
        assert alpha_divergence(p, q, order) == pytest.approx(truth, rel=2e-13, abs=0)


def abs_minus_one(u: float) -> float:
    return abs(u - 1) / 2


class TestLemmaOne:
    """Tests of lemma 1 of Liu and Wang (2025), on divergences at the orders 1 and infinity."""

    @repeatable
    @given(pairs(zeros=False))
    def test_limits(self, pair: tuple[list[float], list[float]]) -> None:
        kl, top = kl_divergence(*pair), max_divergence(*pair)
        gaps = [renyi_divergence(*pair, 1 + step) - kl for step in (1e-2, 1e-4, 1e-6, 1e-8)]
        assert all(gap >= -1e-12 for gap in gaps)
        assert gaps[-1] <= 1e-5
        # a single term of the sum, p^a q^(1-a) for the outcome with the largest ratio p/q, implies
        # D_a >= top + log p / (a - 1) for order a
        for order in (1e3, 1e6, 1e12):
            value = renyi_divergence(*pair, order)
            assert top + math.log(1e-12) / (order - 1) - 1e-9 * top <= value <= top * (1 + 1e-12)

    def test_the_limit_at_one_needs_a_finite_order_above(self) -> None:
        # erratum E18 in book/errata.md: if p_n is proportional to n^-3 and q_n to e^-n, the KL
        # divergence is finite, but the divergence of every order above 1 is infinite
        kls, above = [], []
        for length in (10, 50, 200, 700):
            n = np.arange(1.0, length + 1)
            p, q = n**-3.0, np.exp(-n)
            p, q = p / p.sum(), q / q.sum()
            kls.append(kl_divergence(p, q))
            above.append([renyi_divergence(p, q, order) for order in (1.1, 1.5, 3.0)])
        with mpmath.workdps(30):
            z, c = mpmath.zeta(3), 1 / mpmath.expm1(1)
            limit = float(
                mpmath.zeta(2) / z + 3 * mpmath.zeta(3, derivative=1) / z + mpmath.log(c / z)
            )
        # `limit` is the exact KL divergence, whose sum converges too slowly to be added up: its
        # first 35,000 terms give 0.148582
        assert limit == pytest.approx(0.1486057, abs=1e-7)
        # for large n, the terms of the KL divergence are about n p_n = 1 / (z n^2). So its terms
        # after the first `length` sum to about 1 / (z length)
        assert [limit - kl for kl in kls[1:]] == pytest.approx(
            [1 / (float(z) * length) for length in (50, 200, 700)], rel=0.35
        )
        for column in np.array(above).T:
            assert np.all(np.diff(column) > 0) and column[-1] > 20 * max(1.0, limit)


class TestWeakTriangle:
    """Tests of lemma 3 of Liu and Wang (2025), a weak triangle inequality, and of its printed
    proof.
    """

    @staticmethod
    def power(p: list[float], q: list[float], order: float) -> float:
        return math.exp((order - 1) * renyi_divergence(p, q, order))

    @repeatable
    @given(st.integers(0, 2**32 - 1), st.floats(1.01, 12.0))
    def test_lemma_three(self, seed: int, a: float) -> None:
        rng = np.random.default_rng(seed)
        laws = rng.dirichlet(np.full(int(rng.integers(2, 6)), float(rng.choice([0.5, 5]))), 3)
        p, q, r = (laws + 1e-9) / (laws + 1e-9).sum(axis=1, keepdims=True)
        left = (a - 1) * renyi_divergence(p, q, a)
        first = (2 * a - 1) * renyi_divergence(p, r, 2 * a)
        second = (2 * a - 2) * renyi_divergence(r, q, 2 * a - 1)
        assert left <= (first + second) / 2 * (1 + 1e-9) + 1e-12
        # erratum E15 in book/errata.md: the larger of the log moments of (p, r) and (r, q) at order
        # 2a bounds that of (p, q) at order a, `left`; the log moment of (p, r) alone does not
        both = max(first, (2 * a - 1) * renyi_divergence(r, q, 2 * a))
        assert left <= both * (1 + 1e-9) + 1e-12
        # let c = (2a-2)/(2a-1). By Jensen's inequality, `second` is at most c times the log moment
        # of (r, q) at order 2a. This log moment is at most `both`, so c times `both` can replace
        # `second` in the first bound
        assert left <= (first + (2 * a - 2) / (2 * a - 1) * both) / 2 * (1 + 1e-9) + 1e-12

    def test_the_printed_steps(self) -> None:
        # erratum E15 in book/errata.md: the proof of lemma 3 uses that the moment of (p, q) at
        # order 2 is at most that of (p, r) at order 4; these distributions, with r = p in the
        # first case, violate this
        p, q = [0.5, 0.5], [0.8, 0.2]
        assert self.power(p, q, 2.0) == pytest.approx(1.5625)
        assert self.power(p, p, 4.0) == 1
        r, q = [0.45, 0.55], [0.2, 0.8]
        assert self.power(p, q, 2.0) == pytest.approx(1.5625)
        assert self.power(p, r, 4.0) == pytest.approx(1.0615, abs=1e-4)


class TestMutualInformation:
    def test_values_that_never_occur_tell_nothing(self) -> None:
        joint = [[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]]
        assert divergences.mutual_information(joint) == pytest.approx(math.log(2), rel=1e-15)

    def test_a_rare_pair_of_values(self) -> None:
        # the product of the marginal probabilities underflows, so quotients by it overflow
        for x in (1e-100, 1e-200, 1e-300, 1e-308, 5e-324):
            joint = np.diag([1.0, x])
            truth = x - x * math.log(x)
            assert divergences.mutual_information(joint) == pytest.approx(truth, rel=1e-12, abs=0)
