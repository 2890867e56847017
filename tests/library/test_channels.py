"""Tests of channels, tables of P(output | input): capacity, mutual information, bounds under DP."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import ApproxDP, DiscreteLoss, MutualInformationDP, channels, convert, divergences
from dpteach.channels import (
    Capacity,
    arc_channel,
    binary_symmetric_channel,
    channel_capacity,
    conditional_mutual_information,
    diameter,
    entry_information,
    mutual_information,
    mutual_information_level,
    one_time_pad,
    output_law,
    parallel,
    product_prior,
    pure_capacity,
    random_channel,
)

repeatable = settings(deadline=None, derandomize=True, database=None, max_examples=60)
sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def exact_information(prior: np.ndarray, channel: np.ndarray) -> mpmath.mpf:
    """Return the mutual information of a channel with a given prior, in 50 digits.

    The prior and the rows are normalized first, because as floats they sum to 1 only nearly.
    """
    with mpmath.workdps(50):
        weights = [mpmath.mpf(x) for x in prior.tolist()]
        weights = [x / mpmath.fsum(weights) for x in weights]
        rows = [[mpmath.mpf(x) for x in row] for row in channel.tolist()]
        rows = [[x / mpmath.fsum(row) for x in row] for row in rows]
        law = [
            mpmath.fsum(w * row[y] for w, row in zip(weights, rows, strict=True))
            for y in range(channel.shape[1])
        ]
        return mpmath.fsum(
            w * x * mpmath.log(x / m)
            for w, row in zip(weights, rows, strict=True)
            for x, m in zip(row, law, strict=True)
            if w * x > 0
        )


class TestCapacity:
    @repeatable
    @given(sizes, sizes, seeds, st.sampled_from([0.05, 0.3, 1.0, 10.0]))
    def test_the_bracket_is_certified(self, n: int, m: int, seed: int, spread: float) -> None:
        rng = np.random.default_rng(seed)
        channel = random_channel(rng, n, m, spread)
        capacity = channel_capacity(channel)
        assert 0 <= capacity.lower <= capacity.upper <= capacity.lower + 1e-6
        assert capacity.upper <= min(math.log(n), math.log(m)) + 1e-6
        assert exact_information(np.array(capacity.prior), channel) >= capacity.lower
        for _ in range(5):
            prior = rng.dirichlet(np.ones(n))
            # allow for rounding in the 50-digit computation
            assert exact_information(prior, channel) <= capacity.upper + 1e-45
            assert mutual_information(prior, channel) <= capacity.upper + 1e-14

    @pytest.mark.slow
    @repeatable
    @given(seeds, st.integers(2, 5))
    def test_a_pair_of_rows_against_bisection(self, seed: int, m: int) -> None:
        channel = random_channel(np.random.default_rng(seed), 2, m)
        level = MutualInformationDP.tightest(DiscreteLoss(*channel)).epsilon
        capacity = channel_capacity(channel)
        assert capacity.lower - 1e-12 <= level <= capacity.upper + 1e-9

    @pytest.mark.parametrize("flip", [0.0, 1e-9, 0.1, 0.3, 0.49999, 0.5])
    def test_the_symmetric_channel(self, flip: float) -> None:
        capacity = channel_capacity(binary_symmetric_channel(flip))
        expected = divergences.binary_symmetric_capacity(flip)
        # the channel's entry 1 - flip is rounded, which changes the capacity by about this much
        slack = 1e-16 * abs(1 - 2 * flip)
        assert capacity.lower - slack <= expected <= capacity.upper + slack
        assert capacity.upper - capacity.lower <= 1e-9

    def test_z_and_erasure(self) -> None:
        # the Z channel has capacity log2(5) - 2 bits, by Cover and Thomas, problem 7.8; a channel
        # that erases its input, one of m values, with probability e has capacity (1 - e) log m
        # nats
        z = channel_capacity([[1, 0], [0.5, 0.5]])
        assert z.lower <= math.log(5 / 4) <= z.upper <= z.lower + 1e-9
        m, erased = 7, 0.3
        erasure = np.hstack(((1 - erased) * np.eye(m), np.full((m, 1), erased)))
        capacity = channel_capacity(erasure)
        assert capacity.lower <= 0.7 * math.log(7) <= capacity.upper <= capacity.lower + 1e-9

    def test_extremes(self) -> None:
        nothing = channel_capacity([[0.5, 0.5], [0.5, 0.5]], 0)
        assert (nothing.lower, nothing.upper) == (0, 0)
        assert channel_capacity([[0.2, 0.8]]).upper <= 1e-15
        unused = channel_capacity([[1, 0], [0, 1], [0.5, 0.5]])
        assert unused.upper == pytest.approx(math.log(2), abs=1e-12)
        assert unused.prior[2] < 1e-6
        # the true capacity of this channel is about 1e-12 divided by Euler's number
        close = channel_capacity([[1, 0], [1 - 1e-12, 1e-12]], 1e-22)
        assert close.lower == pytest.approx(1e-12 / math.e, rel=1e-6)
        tiny = channel_capacity([[1, 0], [1, 1e-300]], 0)
        assert 0 < tiny.lower <= 1e-300 / math.e <= tiny.upper < 1e-299

    @pytest.mark.slow
    def test_it_ends(self) -> None:
        channel = random_channel(np.random.default_rng(0), 100, 60)
        capacity = channel_capacity(channel, 0.0)
        assert 0 < capacity.upper - capacity.lower < 1e-6

    def test_refusals(self) -> None:
        with pytest.raises(ValueError, match="channel must have at most"):
            channel_capacity(np.full((1000, 101), 1 / 101))
        with pytest.raises(ValueError, match=r"channel\[1\] must sum to 1"):
            channel_capacity([[1, 0], [1, 1]])
        with pytest.raises(ValueError, match="channel must have a row for each of 3 inputs"):
            mutual_information([0.2, 0.3, 0.5], [[1, 0], [0, 1]])
        with pytest.raises(ValueError, match="lower must be at most"):
            channels.Capacity(2, 1, (1.0,))
        with pytest.raises(TypeError, match="divergence must be callable"):
            diameter([[1, 0]], None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["lower", "upper"])
@pytest.mark.parametrize("bad", [math.nan, -0.5])
def test_both_ends_of_a_capacity_are_looked_at(name: str, bad: float) -> None:
    assert type(getattr(Capacity(0, 1, (1.0,)), name)) is float  # type: ignore[arg-type]
    ends = {"lower": 0.0, "upper": 1.0, name: bad}
    with pytest.raises(ValueError, match=f"^{name} must be .* got {name}="):
        Capacity(**ends, prior=(1.0,))


class TestInformation:
    @repeatable
    @given(sizes, sizes, seeds, st.sampled_from([0.02, 0.3, 1.0, 100.0]))
    def test_in_50_digits(self, n: int, m: int, seed: int, spread: float) -> None:
        rng = np.random.default_rng(seed)
        prior, channel = rng.dirichlet(np.ones(n)), random_channel(rng, n, m, spread)
        expected = float(exact_information(prior, channel))
        assert mutual_information(prior, channel) == pytest.approx(expected, rel=1e-12, abs=1e-30)
        joint = prior[:, None] * channel
        assert divergences.mutual_information(joint) == pytest.approx(expected, rel=1e-9, abs=1e-30)
        # mutual information is symmetric, and it equals the KL divergence of the joint
        # distribution from the product of its margins
        assert divergences.mutual_information(joint.T) == pytest.approx(
            expected, rel=1e-9, abs=1e-15
        )
        margins = np.outer(prior, output_law(prior, channel)).ravel()
        kl = divergences.kl_divergence(joint.ravel(), margins / margins.sum())
        assert kl == pytest.approx(expected, rel=1e-9, abs=1e-15)

    @repeatable
    @given(seeds, sizes, sizes, sizes)
    def test_the_chain_rule_and_processing(self, seed: int, x: int, y: int, z: int) -> None:
        rng = np.random.default_rng(seed)
        joint = rng.dirichlet(np.full(x * y * z, 0.3)).reshape(x, y, z)
        both = divergences.mutual_information(joint.reshape(x, y * z))
        # `first` is I(X; Z), from the joint distribution summed over y; by the chain rule,
        # I(X; Y, Z) = I(X; Z) + I(X; Y | Z)
        first = divergences.mutual_information(joint.sum(axis=1))
        assert both == pytest.approx(first + conditional_mutual_information(joint), abs=1e-12)
        prior, channel = rng.dirichlet(np.ones(x)), random_channel(rng, x, y)
        after = channel @ random_channel(rng, y, z)
        assert mutual_information(prior, after) <= mutual_information(prior, channel) + 1e-12

    def test_a_prior_that_underflows(self) -> None:
        assert 0 <= mutual_information([1.0, 5e-324], [[1, 0], [0, 1]]) < 1e-300
        assert 0 <= mutual_information([1.0, 1e-300], [[1, 0], [1, 1e-300]]) < 1e-300
        assert divergences.mutual_information([[0.5, 0.0], [0.0, 0.5]]) == math.log(2)


class TestCuffAndYu:
    """Tests of the claims about channels in the slides of Cuff and Yu on mutual information."""

    def test_kl_bounds_capacity_and_is_far_from_it(self) -> None:
        # erratum E51 in book/errata.md: for randomized response that tells the truth with
        # probability 0.7, the KL divergence of its two rows bounds the capacity, but is about four
        # times as large
        channel = binary_symmetric_channel(0.3)
        assert diameter(channel, divergences.kl_divergence) == pytest.approx(0.33891914, abs=1e-8)
        assert channel_capacity(channel).upper == pytest.approx(0.08228288, abs=1e-8)

    @repeatable
    @given(seeds, st.integers(2, 5), st.integers(2, 5), st.sampled_from([0.3, 1.0, 5.0]))
    def test_radius_and_finite_alphabets(self, seed: int, n: int, m: int, spread: float) -> None:
        channel = random_channel(np.random.default_rng(seed), n, m, spread)
        lower = channel_capacity(channel).lower
        # statement M10 of the slides: the capacity is at most the largest KL divergence of two rows
        assert lower <= diameter(channel, divergences.kl_divergence)
        distance = diameter(channel, divergences.total_variation)
        bound = convert(
            ApproxDP(0.0, min(1.0, distance)), to=MutualInformationDP, output_size=m, input_size=n
        )
        # statement M12 of the slides, corrected as erratum E52: the largest total variation of two
        # rows, and the numbers of inputs and outputs, bound the capacity
        assert lower <= bound.epsilon
        assert distance <= MutualInformationDP(channel_capacity(channel).upper).delta_at(0) + 1e-12

    def test_no_bound_without_the_alphabet(self) -> None:
        # erratum E52 in book/errata.md: a channel that reveals its input with probability d, and
        # else erases it, has total variation d and leaks d log m nats about a uniform input of m
        # values
        share = 0.1
        found = []
        for m in (4, 64, 256):
            channel = np.hstack((share * np.eye(m), np.full((m, 1), 1 - share)))
            assert diameter(channel[:3], divergences.total_variation) == pytest.approx(share)
            found.append(mutual_information(np.full(m, 1 / m), channel))
        assert found == pytest.approx([share * math.log(m) for m in (4, 64, 256)])

    @repeatable
    @given(seeds, sizes, sizes, sizes)
    def test_subadditivity_of_independent_answers(self, seed: int, n: int, a: int, b: int) -> None:
        rng = np.random.default_rng(seed)
        one, two, prior = random_channel(rng, n, a), random_channel(rng, n, b), None
        prior = rng.dirichlet(np.ones(n))
        both = mutual_information(prior, parallel(one, two))
        parts = mutual_information(prior, one), mutual_information(prior, two)
        assert max(parts) - 1e-12 <= both <= sum(parts) + 1e-12

    def test_subadditivity_fails_for_dependent_answers(self) -> None:
        # erratum E53 in book/errata.md: each of the two answers is independent of the record, but
        # both together reveal it
        law = one_time_pad()
        assert divergences.mutual_information(law.sum(axis=2)) == 0
        assert divergences.mutual_information(law.sum(axis=1)) == 0
        assert divergences.mutual_information(law.reshape(2, 4)) == pytest.approx(math.log(2))

    def test_copies(self) -> None:
        # statement M4 of the slides of Cuff and Yu: if two records are copies of each other, an
        # answer computed from the second one reveals as much about the first as about the second,
        # but it reveals nothing about the first to somebody who knows the second
        noisy = binary_symmetric_channel(0.1)
        mechanism = np.stack((noisy, noisy))
        alone, given_rest = entry_information([[0.5, 0], [0, 0.5]], mechanism, 0)
        assert alone == pytest.approx(divergences.binary_symmetric_capacity(0.1))
        assert given_rest == 0

    @settings(repeatable, max_examples=10)
    @given(seeds, st.integers(1, 3), st.integers(2, 3))
    def test_joint_and_product_laws(self, seed: int, n: int, m: int) -> None:
        # statements M1 and M13 of the slides of Cuff and Yu: whatever the joint distribution of the
        # records, an answer reveals at most `level` about one record to somebody who knows the
        # others. If the records are independent, it reveals no more to somebody who knows no other
        # record. `level` is attained with certain fixed values of the other records and a certain
        # distribution of the one record
        rng = np.random.default_rng(seed)
        mechanism = random_channel(rng, m**n, 3).reshape(*[m] * n, 3)
        level = mutual_information_level(mechanism)
        for _ in range(3):
            joint = rng.dirichlet(np.full(m**n, 0.3)).reshape([m] * n)
            product = product_prior(*rng.dirichlet(np.ones(m), size=n))
            for entry in range(n):
                assert entry_information(joint, mechanism, entry)[1] <= level.upper + 1e-12
                alone, given_rest = entry_information(product, mechanism, entry)
                assert alone <= given_rest + 1e-12
                assert given_rest <= level.upper + 1e-12
        best = max(
            entry_information(
                product_prior(
                    *(level.prior if j == entry else np.eye(m)[others[j]] for j in range(n))
                ),
                mechanism,
                entry,
            )[0]
            for entry in range(n)
            for others in np.ndindex(*[m] * n)
        )
        assert level.lower - 1e-9 <= best <= level.upper + 1e-12


class TestPrivateChannels:
    @pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 0.3, 0.999, 1.0, 1.001, 5.0, 100.0, 1400.0])
    def test_the_bound_in_50_digits(self, epsilon: float) -> None:
        with mpmath.workdps(50):
            u = mpmath.mpf(epsilon) / -mpmath.expm1(-mpmath.mpf(epsilon))
            expected = float(u - 1 - mpmath.log(u))
        assert pure_capacity(epsilon) == pytest.approx(expected, rel=2e-15)
        assert pure_capacity(epsilon) <= epsilon**2 / 8

    def test_ends(self) -> None:
        assert pure_capacity(0) == 0 and pure_capacity(math.inf) == math.inf
        # both numbers are from erratum E51 in book/errata.md
        assert pure_capacity(1.0) == pytest.approx(0.1233016, abs=1e-7)
        assert channel_capacity(arc_channel(1, 2, 1)).upper == pytest.approx(0.110944, abs=1e-6)

    @pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 8.0])
    def test_arcs_come_close(self, epsilon: float) -> None:
        u = epsilon / -math.expm1(-epsilon)
        share = (u - 1) / math.expm1(epsilon)
        k = 1400
        marked = max(1, round(k * share))
        channel = arc_channel(epsilon, k, marked)
        # the uniform prior is optimal, because with it all rows have the same KL divergence from
        # the distribution of the output
        a = 1 / (1 + marked / k * math.expm1(epsilon))
        value = divergences.kl_divergence(channel[0] / channel[0].sum(), np.full(k, 1 / k))
        assert value == pytest.approx(math.log(a) + (1 - a) * u, rel=1e-9)
        assert value <= pure_capacity(epsilon) * (1 + 1e-9)
        assert value == pytest.approx(pure_capacity(epsilon), rel=1e-3)

    def test_an_arc_channel_is_private(self) -> None:
        channel = arc_channel(2.0, 9, 2)
        assert channel.sum(axis=1) == pytest.approx(np.ones(9))
        assert diameter(channel, divergences.max_divergence) == pytest.approx(2.0)
        assert np.isfinite(arc_channel(700.0, 5, 3)).all()

    def test_an_arc_begins_at_the_input(self) -> None:
        for row, law in enumerate(arc_channel(1.0, 5, 2)):
            likelier = {int(i) for i in np.flatnonzero(law > law.min())}
            assert likelier == {row, (row + 1) % 5}

    @repeatable
    @given(seeds, st.integers(2, 6), st.integers(2, 6), st.floats(0.01, 6))
    def test_no_private_channel_tells_more(self, seed: int, n: int, m: int, epsilon: float) -> None:
        rng = np.random.default_rng(seed)
        # before the rows are normalized, each column has two values with the ratio e^epsilon:
        # extreme points of the set of private channels have this form
        marks = rng.random((n, m)) < rng.random()
        weights = rng.dirichlet(np.ones(m)) * np.where(marks, math.exp(epsilon), 1.0)
        channel = weights / weights.sum(axis=1, keepdims=True)
        private = diameter(channel, divergences.max_divergence)
        assert channel_capacity(channel).lower <= pure_capacity(private) + 1e-12

    def test_add_or_remove_is_another_matter(self) -> None:
        # under add-or-remove, each row need only be within a factor e^epsilon of the row of an
        # absent person, here the uniform one, so two rows may differ by a factor e^(2 epsilon). The
        # capacity may then exceed that under replace-one, up to epsilon tanh(epsilon/2)
        epsilon, k = 1.0, 1000
        marked = round(k / (1 + math.e))
        absent = np.full(k, 1 / k)
        value = mutual_information(absent, arc_channel(2 * epsilon, k, marked))
        assert pure_capacity(epsilon) < value
        assert value == pytest.approx(epsilon * math.tanh(epsilon / 2), rel=1e-4)


class TestMaking:
    def test_random_channels(self) -> None:
        rng = np.random.default_rng(5)
        for spread in (1e-300, 1e-3, 1.0, 1e300):
            channel = random_channel(rng, 50, 4, spread)
            assert np.abs(channel.sum(axis=1) - 1).max() < 1e-9
            assert (channel >= 0).all()
        again = [random_channel(np.random.default_rng(1), 2, 2).tolist() for _ in range(2)]
        assert again[0] == again[1]

    def test_refusals(self) -> None:
        rng = np.random.default_rng(0)
        with pytest.raises(TypeError, match="rng must be a"):
            random_channel(0, 2, 2)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="outputs must be such that"):
            random_channel(rng, 10**5, 10**5)
        with pytest.raises(ValueError, match="marked must be at most"):
            arc_channel(1.0, 3, 4)
        with pytest.raises(ValueError, match="inputs must be at most"):
            arc_channel(1.0, 10**5, 4)
        with pytest.raises(ValueError, match="distributions must"):
            product_prior()
        with pytest.raises(ValueError, match="distributions must"):
            product_prior(*[[0.5, 0.5]] * 40)
        with pytest.raises(ValueError, match="second must"):
            parallel(np.full((100, 200), 0.005), np.full((100, 200), 0.005))
        with pytest.raises(ValueError, match="joint must have 3 axes"):
            conditional_mutual_information([[1.0]])
        with pytest.raises(ValueError, match="joint must be a matrix"):
            divergences.mutual_information([1.0])
        with pytest.raises(ValueError, match="entry must be less than 1"):
            entry_information([1.0], [[1.0]], 1)
        with pytest.raises(ValueError, match="prior must have all axes"):
            entry_information([0.5, 0.5], [[1.0]], 0)
        with pytest.raises(ValueError, match="mechanism must have an axis"):
            mutual_information_level([1.0])
        with pytest.raises(ValueError, match="mechanism must have at most"):
            mutual_information_level(np.full((400, 300), 1 / 300))


def test_the_level_is_enclosed_where_brackets_are_wide() -> None:
    # if one of a mechanism's two records is fixed, the other record is the input of a channel, and
    # the answer is its output. The mechanism's level is the largest capacity of all such channels.
    # With these seeds and wide brackets, one channel has the largest lower bound on its capacity,
    # and another channel has the largest upper bound
    for seed in (18, 23, 49):
        table = np.random.default_rng(seed).dirichlet(np.ones(3), size=(3, 3))
        wide, narrow = (mutual_information_level(table, tolerance=t) for t in (0.1, 1e-9))
        assert wide.lower <= narrow.upper and narrow.lower <= wide.upper, seed


def test_a_level_is_searched_for_as_closely_as_its_tolerance_says() -> None:
    table = np.random.default_rng(0).dirichlet(np.ones(4), size=(3, 3))
    for find, made in (
        (mutual_information_level, table),
        (channels.channel_capacity, table[0]),
    ):
        wide, narrow = (find(made, tolerance=tolerance) for tolerance in (0.2, 1e-9))
        assert 1e-9 < wide.upper - wide.lower <= 0.2
        assert narrow.upper - narrow.lower <= 1e-9


def test_of_two_brackets_the_better_ends_are_kept() -> None:
    one, other = Capacity(0.1, 0.5, (0.5, 0.5)), Capacity(0.2, 0.6, (0.25, 0.75))
    for pair in ((one, other), (other, one)):
        assert channels._narrower(*pair) == Capacity(0.2, 0.5, (0.25, 0.75))


def test_an_output_of_the_least_probability() -> None:
    # half of the probability 5e-324, in the mixture of both rows, underflows to 0
    rows = [[1.0, 5e-324], [1.0, 0.0]]
    capacity = channels.channel_capacity(rows)
    assert 0 <= capacity.lower <= capacity.upper
