"""Tests of privacy filters and odometers, also for analysts who choose each step adaptively."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import (
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    convert,
)
from dpteach.filters import BudgetExceeded, Odometer, PrivacyFilter

BUDGETS: list[tuple[Any, Any]] = [
    (PureDP(1.0), PureDP(0.3)),
    (ApproxDP(1.0, 1e-6), ApproxDP(0.1, 3e-7)),
    (RenyiDP([2, 8], [1.0, 3.0]), RenyiDP([2, 4, 8], [0.2, 0.4, 1.4])),
    (ZCDP(0.5), ZCDP(0.2)),
    (GaussianDP(1.0), GaussianDP(0.6)),
]


@pytest.mark.parametrize(("budget", "step"), BUDGETS)
def test_a_filter_spends_up_to_its_budget(budget: Any, step: Any) -> None:
    account = PrivacyFilter(budget)
    accepted = 0
    while account.allows(step):
        account.spend(step)
        accepted += 1
    assert accepted == account.steps > 0
    spent, remaining = account.spent, account.remaining
    with pytest.raises(BudgetExceeded, match=r"^claim must fit .*got claim="):
        account.spend(step)
    assert (account.spent, account.remaining, account.steps) == (spent, remaining, accepted)
    # a step that costs exactly the reported remainder must be accepted, in spite of rounding
    account.spend(remaining)
    if not isinstance(budget, GaussianDP):
        assert account.spent == budget
    assert "under this filter together satisfy" in str(account.explain())
    assert account.explain().value == pytest.approx(1.0)


@pytest.mark.parametrize(("budget", "step"), BUDGETS)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_neighbours_are_those_of_the_budget(budget: Any, step: Any, adjacency: Adjacency) -> None:
    account = PrivacyFilter(replace(budget, adjacency=adjacency))
    left = account.spend(replace(step, adjacency=adjacency))
    for claim in (left, account.spent, account.remaining):
        assert claim.adjacency is adjacency
    meter = Odometer(1e-6, adjacency=adjacency)
    assert meter.spend(PureDP(0.1, adjacency=adjacency)).adjacency is adjacency


def claims() -> st.SearchStrategy[Any]:
    """Return a strategy that draws a guarantee of any notion with a privacy filter."""
    numbers = RenyiDP([2, 8], [1.0, 1 / 3])
    return st.sampled_from([PureDP(1), ApproxDP(1, 0.01), numbers, ZCDP(1), GaussianDP(1)])


#: factors by which a guarantee is multiplied to make a step: numbers such as 0.1, whose sums are
#: rounded as floats, and arbitrary numbers
STEPS = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1e-17, 1 / 3]) | st.floats(0, 1)


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.lists(STEPS, min_size=1, max_size=12), claims(), st.integers(0, 11), st.booleans())
def test_a_filter_takes_what_compose_says_is_within_the_budget(
    steps: list[float], one: Any, counted: int, less: bool
) -> None:
    """A filter accepts a step if and only if the total by `compose` is within the budget."""
    each = [one._with([step * x for x in one._numbers()]) for step in steps]
    whole = each[0].compose(*each[1 : counted + 1])
    for i, number in enumerate(whole._numbers()):
        exact = sum(Fraction(claim._numbers()[i]) ** one._adds_as for claim in each[: counted + 1])
        for end, sign in ((0.0, 1), (math.inf, -1)):
            middle = (Fraction(number) + Fraction(math.nextafter(number, end))) / 2
            assert sign * (exact - middle**one._adds_as) >= 0
    limit = [math.nextafter(x, 0.0) if less else x for x in whole._numbers()]
    account, accepted = PrivacyFilter(one._with(limit)), []
    for claim in each:
        total = claim.compose(*accepted)
        fits = all(a <= b for a, b in zip(total._numbers(), limit, strict=True))
        assert account.allows(claim) is fits
        if fits:
            account.spend(claim)
            accepted.append(claim)
            assert account.spent == total
    assert account.allows(account.remaining)


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.lists(st.floats(0, 1), max_size=30), st.floats(0, 3))
def test_gaussian_budgets(steps: list[float], limit: float) -> None:
    account = PrivacyFilter(GaussianDP(limit))
    for step in steps:
        if account.allows(GaussianDP(step)):
            account.spend(GaussianDP(step))
    assert account.allows(account.remaining)
    assert account.spent.mu <= math.nextafter(limit, math.inf)


def test_a_part_of_a_budget_that_is_zero_has_no_share() -> None:
    account = PrivacyFilter(RenyiDP([2, 8], [0.0, 1.0]))
    assert account.explain().value == 0
    account.spend(RenyiDP([2, 8], [0.0, 0.25]))
    assert account.explain().value == 0.25
    assert PrivacyFilter(PureDP(0)).explain().value == 0


def test_the_share_that_is_told_is_that_of_the_parameter_with_the_least_left() -> None:
    point = PrivacyFilter(ApproxDP(1.0, 1e-6))
    point.spend(ApproxDP(0.75, 0.0))
    assert point.explain().value == 0.75
    point.spend(ApproxDP(0.0, 1e-6))
    assert point.explain().value == 1
    orders = PrivacyFilter(RenyiDP([2, 8], [1.0, 4.0]))
    orders.spend(RenyiDP([2, 8], [0.25, 2.0]))
    assert orders.explain().value == 0.5


def test_what_an_odometer_says_of_pure_steps_is_their_sum() -> None:
    for step in (0.1, 0.7, 1e-3):
        # delta is so small that no Rényi order gives an epsilon below the sum of the epsilons of
        # the steps
        meter = Odometer(1e-200)
        for k in range(1, 12):
            meter.spend(PureDP(step))
            assert meter.epsilon == PureDP(step).self_compose(k).epsilon


def test_an_odometer_refuses_sums_that_no_float_holds_and_counts_nothing() -> None:
    meter = Odometer(1e-6, [2.0])
    meter.spend(RenyiDP(2.0, 1.5e308))
    before = meter.epsilon
    with pytest.raises(ValueError, match="claim must leave sums in the range of floats"):
        meter.spend(RenyiDP(2.0, 1.5e308))
    assert (meter.epsilon, meter.steps) == (before, 1)


def test_pure_steps_count_as_their_divergences() -> None:
    pure, moments = Odometer(1e-3), Odometer(1e-3)
    for _ in range(100):
        pure.spend(PureDP(0.05))
        moments.spend(convert(PureDP(0.05), to=RenyiDP, orders=moments.orders))
    assert pure.explain().order == moments.explain().order is not None
    assert pure.epsilon == pytest.approx(moments.epsilon, rel=1e-12)


@pytest.mark.parametrize(
    ("budget", "step", "k"),
    [
        (PureDP(1.0), PureDP(0.1), 10),
        (ApproxDP(1.0, 1e-6), ApproxDP(0.1, 1e-7), 10),
        (ApproxDP(1.0, 1.0), ApproxDP(0.1, 0.3), 10),
        (RenyiDP([2, 8], [1.0, 2.0]), RenyiDP([2, 8], [0.1, 0.2]), 10),
        (ZCDP(1.0), ZCDP(0.1), 10),
        (GaussianDP(1.0), GaussianDP(0.1), 100),
    ],
)
def test_ten_tenths_are_one(budget: Any, step: Any, k: int) -> None:
    assert step.self_compose(k) == step.compose(*[step] * (k - 1)) == budget
    account = PrivacyFilter(budget)
    for _ in range(k):
        account.spend(step)
    assert account.spent == budget and set(account.remaining._numbers()) == {0.0}
    assert not account.allows(step)


def test_what_is_less_than_the_last_bit_adds_up() -> None:
    account = PrivacyFilter(PureDP(1.0))
    account.spend(PureDP(1.0))
    taken = 0
    while account.allows(PureDP(1e-17)):
        account.spend(PureDP(1e-17))
        taken += 1
    # floats above 1 are 2.2e-16 apart; a total that exceeds 1 by at most half of this is rounded to
    # 1
    assert taken == 11


def test_each_order_of_a_budget_is_kept() -> None:
    account = PrivacyFilter(RenyiDP([2, 8], [1.0, 3.0]))
    assert account.allows(RenyiDP([2, 8], [1.0, 3.0]))
    assert not account.allows(RenyiDP([2, 8], [1.1, 0.0]))
    assert not account.allows(RenyiDP([2, 8], [0.0, 3.1]))
    with pytest.raises(ValueError, match="claim must have the orders"):
        account.allows(RenyiDP(2, 0.1))


def test_an_adaptive_analyst_cannot_overspend() -> None:
    """A filter's budget is never exceeded, whatever an adaptive analyst asks.

    The analyst sees each answer of randomized response and then chooses the next epsilon: a larger
    one if the answers so far favor the dataset over its neighbor. The Rényi divergence of the whole
    sequence of answers, computed by a sum over all sequences, must be within the budget.
    """
    order, budget = 3.0, 0.4

    def moments(loss: float, log_p: float, account: list[float], depth: int) -> float:
        """Return the part of E_P[e^((a-1) L)] that sequences with a given beginning contribute.

        a is the order, and L is the privacy loss of a whole sequence of answers. `loss` and `log_p`
        are the privacy loss and the log probability of the beginning, `account` lists what each of
        its answers spends of the budget, and at most `depth` answers follow.
        """
        account_now = PrivacyFilter(RenyiDP(order, budget, adjacency=Adjacency.REPLACE_ONE))
        for paid in account:
            account_now.spend(RenyiDP(order, paid, adjacency=Adjacency.REPLACE_ONE))
        wish = 0.5 if loss > 0 else 0.25
        claim = RandomizedResponse(wish).guarantee(RenyiDP, orders=order)
        if depth == 0 or not account_now.allows(claim):
            return math.exp(log_p + (order - 1) * loss)
        truth = RandomizedResponse(wish).truth_probability
        spent = [*account, claim.epsilons[0]]
        return moments(loss + wish, log_p + math.log(truth), spent, depth - 1) + moments(
            loss - wish, log_p + math.log1p(-truth), spent, depth - 1
        )

    total = moments(0.0, 0.0, [], 8)
    assert math.log(total) / (order - 1) <= budget * (1 + 1e-12)
    assert math.log(total) / (order - 1) > budget / 2


def test_an_odometer_is_right_at_all_moments_at_once() -> None:
    """An odometer's bound holds at all times at once, except with probability delta.

    So it holds even if the analyst chooses when to stop. The test simulates 10^4 analysts with 60
    Gaussian answers each, who take a larger step whenever the loss so far is large. For each
    analyst, the loss exceeds the bound at some time with probability at most delta = 0.05; that
    this happens to more than 650 analysts has a probability below 1e-9.
    """
    rng = np.random.default_rng(11)
    delta, games = 0.05, 10_000
    orders = (2.0, 4.0, 8.0)
    loss, spent, above = np.zeros(games), np.zeros(games), np.zeros(games, dtype=bool)
    for _ in range(60):
        mu = np.where(loss > 0.2 * spent, 0.5, 0.1)
        loss += mu * rng.normal(size=games) + mu * mu / 2
        spent += mu * mu
        bound = np.min(
            [a * spent / 2 + math.log(len(orders) / delta) / (a - 1) for a in orders], axis=0
        )
        above |= loss > bound
    assert above.sum() <= 650
    odometer = Odometer(delta, orders)
    for _ in range(60):
        odometer.spend(GaussianDP(0.5))
    expected = min(a * 60 * 0.125 + math.log(3 / delta) / (a - 1) for a in orders)
    assert odometer.epsilon == pytest.approx(expected, rel=1e-12)
    assert odometer.epsilon >= expected


def test_odometers_take_claims_of_several_notions() -> None:
    odometer = Odometer(1e-6, [2, 8])
    odometer.spend(PureDP(0.1))
    assert odometer.claim == ProbabilisticDP(0.1, 1e-6)
    odometer.spend(PureDP(0.2))
    assert odometer.epsilon == pytest.approx(0.3)
    assert odometer.explain().order is None
    odometer.spend(ZCDP(0.01))
    odometer.spend(RenyiDP([2, 8, 9], [0.02, 0.08, 0.1]))
    assert odometer.steps == 4 and odometer.explain().order == 8.0
    before = odometer.epsilon
    for claim, error in (
        (AlphaDP(2, 0.1), TypeError),
        (ApproxDP(0.1, 0.0), TypeError),
        (RenyiDP(2, 0.1), ValueError),
        (ZCDP(0.1, adjacency=Adjacency.REPLACE_ONE), ValueError),
        (ZCDP(1.7e308), ValueError),
    ):
        with pytest.raises(error, match=r"^claim must"):
            odometer.spend(claim)
    assert (odometer.epsilon, odometer.steps) == (before, 4)
    assert "steps=4" in repr(odometer)


def test_more_orders_help_long_runs() -> None:
    many, few = Odometer(1e-6), Odometer(1e-6, [64.0])
    for _ in range(100):
        many.spend(ZCDP(0.01))
        few.spend(ZCDP(0.01))
    assert many.epsilon < few.epsilon
    assert many.epsilon >= ZCDP(1.0).epsilon_at(1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: PrivacyFilter(AlphaDP(2, 1)), TypeError, "budget must be one of"),
        (lambda: PrivacyFilter(1.0), TypeError, "budget must be one of"),  # type: ignore[type-var]
        (lambda: PrivacyFilter(ZCDP(1)).spend(PureDP(0.1)), TypeError, "claim must be of type"),  # type: ignore[arg-type]
        (
            lambda: PrivacyFilter(ZCDP(1)).allows(ZCDP(0.1, adjacency=Adjacency.REPLACE_ONE)),
            ValueError,
            "claim must be about the same neighbors",
        ),
        (lambda: Odometer(0.0), ValueError, r"delta must be in \(0, 1\)"),
        (lambda: Odometer(0.1, []), ValueError, "orders must hold"),
        (lambda: Odometer(0.1, [2, 2.0]), ValueError, "orders must be distinct"),
        (lambda: Odometer(0.1, [1.0]), ValueError, r"orders\[0\] must be finite and > 1"),
        (lambda: Odometer(0.1, adjacency=1), TypeError, "adjacency must be"),  # type: ignore[arg-type]
    ],
)
def test_bad_input(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_roots_are_the_nearest_floats() -> None:
    budget = PrivacyFilter(GaussianDP(2.0))
    budget.spend(GaussianDP(1.0))
    assert budget.spend(GaussianDP(1e-300)).mu == 1.0
    # the filter adds the squares of all mu; the square of this mu exceeds the spacing of floats at
    # 1, so the total must change
    budget.spend(GaussianDP(2.2e-8))
    assert budget.spent.mu == math.nextafter(1.0, 2.0)
    # the exact result is sqrt(3) times the smallest float, and the nearest float is 2 times the
    # smallest
    assert GaussianDP(5e-324).self_compose(3).mu == 1e-323
