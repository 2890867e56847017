"""Composition of k (epsilon, delta)-DP steps: the total epsilon grows with the square root of k.

`Guarantee.self_compose` applies basic composition. The theorems here achieve a smaller epsilon at
a larger delta. The functions take guarantees of steps. The delta of the returned guarantee
includes the deltas of the steps and an additional delta, the slack.

`optimal_composition` is exact for equal steps of which only (epsilon, delta) is known,
`heterogeneous_composition` brackets the optimum for different steps, and the advanced composition
theorems are closed-form upper bounds. The functions share the parameters

step : ApproxDP
    The guarantee of each step, with epsilon at most 700.
k : int
    The number of steps, at least 1.
slack : float
    The delta in (0, 1] that is added to the deltas of the steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.accounting.accountant import Accountant
from dpteach.accounting.optimal import (
    checked_step,
    joint_delta,
    left_for_losses,
    one_of_both,
    optimal_composition,
    worst_steps,
)
from dpteach.notions import ApproxDP, Explanation

_, _n = catalog("composition")

__all__ = [
    "CompositionBracket",
    "ManyQueries",
    "advanced_composition",
    "advanced_composition_heterogeneous",
    "advanced_composition_simplified",
    "advanced_composition_step",
    "advanced_composition_tight",
    "explain",
    "heterogeneous_composition",
    "many_gaussian_queries",
    "many_laplace_queries",
    "optimal_composition",
    "worst_steps",
]


def advanced_composition(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """Return the guarantee of k adaptive (epsilon, delta)-DP steps, by advanced composition.

    The composed epsilon is epsilon sqrt(2 k log(1/slack)) + k epsilon (e^epsilon - 1), and the
    composed delta is k delta + slack.

    Returns
    -------
    ApproxDP
        An upper bound. For few steps, ``step.self_compose(k)`` has a smaller epsilon.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010), theorem III.3; Dwork and Roth (2014), theorem 3.20.

    Examples
    --------
    >>> whole = advanced_composition(ApproxDP(0.01, 1e-8), 100, slack=1e-6)
    >>> round(whole.epsilon, 12), round(whole.delta, 12)
    (0.53570234406, 2e-06)
    """
    step, k, slack = _checked(step, k, slack)
    spread = step.epsilon * math.sqrt(-2 * k * math.log(slack))
    epsilon = _numerics.sum_up(spread, k * step.epsilon * math.expm1(step.epsilon))
    return _total(step, k, slack, epsilon)


def advanced_composition_simplified(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """Return the guarantee of k adaptive steps, by simplified advanced composition.

    The composed epsilon is 2 epsilon sqrt(2 k log(1/slack)), and the composed delta is
    k delta + slack. The formula bounds the term k epsilon (e^epsilon - 1) of `advanced_composition`
    by epsilon sqrt(2 k log(1/slack)), which requires e^epsilon - 1 <= sqrt(2 log(1/slack) / k).

    Returns
    -------
    ApproxDP
        An upper bound, no smaller than `advanced_composition`.

    Raises
    ------
    ValueError
        If the step's epsilon is too large for the simplified form.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010), theorem III.3, simplified as in Near and Abuah (2021).

    Examples
    --------
    >>> whole = advanced_composition_simplified(ApproxDP(0.01, 1e-8), 100, slack=1e-6)
    >>> round(whole.epsilon, 12), round(whole.delta, 12)
    (1.051304353951, 2e-06)
    """
    step, k, slack = _checked(step, k, slack)
    _check_small("step", step, k, slack)
    epsilon = _numerics.up(2 * step.epsilon * math.sqrt(-2 * k * math.log(slack)))
    return _total(step, k, slack, epsilon)


def advanced_composition_step(target: ApproxDP, k: int) -> ApproxDP:
    """Return the guarantee that each of k steps needs so that all together satisfy a target.

    The result inverts `advanced_composition_simplified` with half of the target's delta as the
    slack. Its epsilon is epsilon / (2 sqrt(2 k log(2/delta))), and its delta is delta / (2 k).

    Parameters
    ----------
    target : ApproxDP
        The guarantee of all steps together, with epsilon > 0 and delta in (0, 1).
    k : int
        The number of steps, at least 1.

    Returns
    -------
    ApproxDP
        The guarantee of each step, rounded down.

    Raises
    ------
    ValueError
        If the epsilon of a step would be too large for the simplified form.

    References
    ----------
    Near and Abuah (2021), the chapter on variants.

    Examples
    --------
    >>> step = advanced_composition_step(ApproxDP(0.1, 1e-5), 100)
    >>> round(step.epsilon, 12), round(step.delta, 12)
    (0.001011968586, 5e-08)
    """
    _check.instance("target", target, ApproxDP)
    k = _check.count("k", k)
    if target.epsilon == 0 or target.delta in (0.0, 1.0):
        raise ValueError(f"target must have epsilon > 0 and delta in (0, 1), got target={target!r}")
    slack = target.delta / 2
    if slack == 0:
        raise ValueError(f"target must have a delta whose half is a float, got target={target!r}")
    epsilon = target.epsilon / (2 * math.sqrt(-2 * k * math.log(slack)))
    down = 1 - 2 * _numerics.MARGIN
    if epsilon * down == 0:
        raise ValueError(f"target must leave each step an epsilon > 0, got target={target!r}")
    step = ApproxDP(epsilon * down, slack / k * down, adjacency=target.adjacency)
    _check_small("target", step, k, slack)
    return step


def _checked(step: object, k: object, slack: object) -> tuple[ApproxDP, int, float]:
    _check.instance("step", step, ApproxDP)
    assert isinstance(step, ApproxDP)
    if step.epsilon > 700:
        raise ValueError(f"step must have epsilon <= 700, got step={step!r}")
    slack = _check.real("slack", slack, _check.POSITIVE_PROBABILITY)
    return step, _check.count("k", k), slack


def _check_small(name: str, step: ApproxDP, k: int, slack: float) -> None:
    most = math.log1p(math.sqrt(-2 * math.log(slack) / k))
    if step.epsilon > most:
        raise ValueError(
            f"{name} must allow steps with epsilon <= {most:.6g} for the simplified form at k={k} "
            f"and slack={slack:g}, got a step with epsilon={step.epsilon:.6g}"
        )


def _total(step: ApproxDP, k: int, slack: float, epsilon: float) -> ApproxDP:
    delta = _numerics.up(k * step.delta + slack) if step.delta > 0 else slack
    return ApproxDP(epsilon, min(1.0, delta), adjacency=step.adjacency)


def _steps(steps: object) -> list[ApproxDP]:
    """Return the list of guarantees, after checking that all have the same adjacency."""
    if not _check.is_iterable(steps):
        raise TypeError(
            f"steps must be a sequence of ApproxDP, got steps={_check.shown(steps)} "
            f"of type {type(steps).__name__}"
        )
    checked = [checked_step(f"steps[{i}]", step) for i, step in enumerate(steps)]
    if not checked:
        raise ValueError("steps must hold at least one guarantee, got steps=()")
    if len({step.adjacency for step in checked}) > 1:
        raise ValueError(
            f"steps must have one adjacency, got steps={_check.shown(checked)} with two"
        )
    return checked


# --- closed formulas for equal and different steps -------------------------------------------


def advanced_composition_tight(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """Return the guarantee of k adaptive steps, by the smallest of three closed formulas.

    Let m = k epsilon tanh(epsilon/2), the largest possible mean of the total loss, and
    s = k epsilon^2. The result is the least of k epsilon, m + sqrt(2 s log(e + sqrt(s)/slack))
    and m + sqrt(2 s log(1/slack)), with the delta 1 - (1 - delta)^k (1 - slack).

    Returns
    -------
    ApproxDP
        An upper bound, no larger than `advanced_composition`; `optimal_composition` is exact.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), theorem 3.4.

    Examples
    --------
    >>> whole = advanced_composition_tight(ApproxDP(0.01, 1e-8), 100, slack=1e-6)
    >>> round(whole.epsilon, 12), round(whole.delta, 12)
    (0.484853116027, 1.999999e-06)
    """
    step, k, slack = _checked(step, k, slack)
    epsilon = _of_three(
        k * step.epsilon,
        k * step.epsilon * math.tanh(step.epsilon / 2),
        math.sqrt(k) * step.epsilon,
        slack,
    )
    delta = joint_delta(k * math.log1p(-step.delta) if step.delta < 1 else -math.inf, slack)
    return ApproxDP(epsilon, delta, adjacency=step.adjacency)


def advanced_composition_heterogeneous(steps: Sequence[ApproxDP], *, slack: float) -> ApproxDP:
    """Return the guarantee of different steps, by the smallest of three closed formulas.

    Let t, m and s be the sums of epsilon_i, of epsilon_i tanh(epsilon_i/2) and of epsilon_i^2. The
    formulas for epsilon are t, m + sqrt(2 s log(e + sqrt(s)/slack)) and m + sqrt(2 s log(1/slack)).
    Delta is 1 - (1 - slack) times the product of 1 - delta_i. Each step may depend on earlier
    outputs, but its epsilon and delta are fixed in advance.

    Parameters
    ----------
    steps : sequence of ApproxDP
        Guarantees with the same adjacency, each with epsilon at most 700.

    Returns
    -------
    ApproxDP
        An upper bound.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), theorem 3.5.

    Examples
    --------
    >>> steps = [ApproxDP(0.01, 1e-8)] * 60 + [ApproxDP(0.02, 0.0)] * 40
    >>> round(advanced_composition_heterogeneous(steps, slack=1e-6).epsilon, 12)
    0.73481984398
    """
    checked = _steps(steps)
    slack = _check.real("slack", slack, _check.POSITIVE_PROBABILITY)
    epsilons = [step.epsilon for step in checked]
    epsilon = _of_three(
        math.fsum(epsilons),
        math.fsum(e * math.tanh(e / 2) for e in epsilons),
        math.hypot(*epsilons),
        slack,
    )
    delta = joint_delta(_log_kept(checked), slack)
    return ApproxDP(epsilon, delta, adjacency=checked[0].adjacency)


def _of_three(total: float, mean: float, root: float, slack: float) -> float:
    """Return the least of the epsilons that three composition formulas give.

    The arguments are the sum of the epsilons, the largest mean of the total loss, the root of the
    sum of the squared epsilons, and the slack.
    """
    root2 = math.sqrt(2) * root
    with_slack = math.sqrt(-math.log(slack))
    with_root = math.sqrt(math.log(math.e * slack + root) - math.log(slack))
    return min(
        _numerics.up(total),
        _numerics.sum_up(mean, root2 * with_slack),
        _numerics.sum_up(mean, root2 * with_root),
    )


def _log_kept(steps: list[ApproxDP]) -> float:
    """Return the log of the product of all 1 - delta_i."""
    if any(step.delta == 1 for step in steps):
        return -math.inf
    return math.fsum(math.log1p(-step.delta) for step in steps)


# --- bracketed optimal composition of different steps ------------------------------------------


@dataclass(frozen=True)
class CompositionBracket:
    """A lower and an upper bound on the best guarantee of composed steps.

    Parameters
    ----------
    lower, upper : float
        The bounds on the least delta at a given epsilon, or on the least epsilon at a given delta,
        that the guarantees of the steps imply.
    claim : ApproxDP
        The guarantee with `upper` as its delta or epsilon.

    Examples
    --------
    >>> bracket = heterogeneous_composition([ApproxDP(0.1, 0.0), ApproxDP(0.2, 0.0)], epsilon=0.2)
    >>> bracket.upper == bracket.claim.delta, round(bracket.lower, 6), round(bracket.upper, 6)
    (True, 0.027469, 0.027469)
    """

    lower: float
    upper: float
    claim: ApproxDP


def heterogeneous_composition(
    steps: Sequence[ApproxDP],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    tolerance: float = 1e-3,
) -> CompositionBracket:
    """Return a bracket of the optimal composition of different (epsilon, delta)-DP steps.

    In the worst case, the steps are variants of randomized response (see `worst_steps`). Computing
    the optimum exactly is #P-hard [1]_, so an `Accountant` computes a lower and an upper bound.

    Parameters
    ----------
    steps : sequence of ApproxDP
        Guarantees with the same adjacency, each with epsilon at most 700. Each step may depend on
        earlier outputs, but its epsilon and delta are fixed in advance.
    epsilon : float, optional
        In [0, inf): bracket the least delta at this epsilon.
    delta : float, optional
        In [0, 1]: bracket the least epsilon at this delta. Give exactly one of epsilon and delta.
    tolerance : float
        The intended width of the bracket, from 1e-9 to 0.1, as for the `Accountant`.

    Returns
    -------
    CompositionBracket

    Raises
    ------
    ValueError
        If delta is below 1 minus the product of 1 - delta_i; then no finite epsilon holds.

    References
    ----------
    .. [1] Murtagh and Vadhan (2016), theorems 1.5 and 1.7.

    Examples
    --------
    >>> steps = [ApproxDP(0.01 * i, 0.0) for i in range(1, 21)]
    >>> bracket = heterogeneous_composition(steps, delta=1e-6)
    >>> round(bracket.lower, 3), round(bracket.upper, 3)
    (1.996, 1.996)
    """
    checked = _steps(steps)
    epsilon, delta = one_of_both(epsilon, delta)
    whole = Accountant(tolerance=tolerance)
    for step in checked:
        whole.compose(step)
    adjacency = checked[0].adjacency
    if epsilon is not None:
        found = whole.delta_at(epsilon)
        claim = ApproxDP(epsilon, found.upper, adjacency=adjacency)
        return CompositionBracket(found.lower, found.upper, claim)
    assert delta is not None
    found = whole.epsilon_at(delta)
    if found.upper == math.inf:
        raise ValueError(
            "delta must be at least what the steps lose on their own "
            f"({joint_delta(_log_kept(checked), 0.0):.6g}), got delta={delta:g}"
        )
    claim = ApproxDP(found.upper, delta, adjacency=adjacency)
    return CompositionBracket(found.lower, found.upper, claim)


# --- many queries: separate releases or one vector ---------------------------------------------


@dataclass(frozen=True)
class ManyQueries:
    """The noise that k queries need as k separate releases and as one vector.

    Parameters
    ----------
    composed : float
        The scale or standard deviation if each query is released separately, with its share of the
        budget.
    vectorised : float
        The scale or standard deviation if the k queries are answered together as one vector.

    Examples
    --------
    >>> many_laplace_queries(0.1, 10)
    ManyQueries(composed=100.0, vectorised=100.0)
    """

    composed: float
    vectorised: float


def many_laplace_queries(epsilon: float, k: int, *, sensitivity: float = 1.0) -> ManyQueries:
    """Return the scales of Laplace noise for k queries, released separately and as one vector.

    Both scales are k sensitivity / epsilon: released separately, each query gets epsilon/k; as a
    vector, the L1 sensitivity is k times that of one query.

    Parameters
    ----------
    epsilon : float
        The total epsilon of all queries, > 0.
    k : int
        The number of queries, at least 1.
    sensitivity : float
        The sensitivity of each query, > 0.

    Returns
    -------
    ManyQueries
        The two scales b.

    References
    ----------
    Dwork and Roth (2014), theorems 3.6 and 3.16.

    Examples
    --------
    >>> many_laplace_queries(0.1, 3).vectorised
    30.0
    """
    epsilon = _check.real("epsilon", epsilon, _check.POSITIVE)
    k = _check.count("k", k)
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)
    share = epsilon / k
    composed = sensitivity / share if share > 0 else math.inf
    return ManyQueries(composed, k * (sensitivity / epsilon))


def many_gaussian_queries(target: ApproxDP, k: int, *, sensitivity: float = 1.0) -> ManyQueries:
    """Return the sigmas of Gaussian noise for k queries, released separately and as one vector.

    Both sigmas use the textbook bound on Gaussian noise: sigma = sqrt(2 log(1.25/delta))
    sensitivity / epsilon. Separately, each query satisfies the guarantee of
    `advanced_composition_step`, so sigma^2 = 16 k log(2/delta) log(2.5 k/delta) / epsilon^2. As a
    vector, the L2 sensitivity is sqrt(k) times that of one query, so sigma^2 = 2 k log(1.25/delta)
    / epsilon^2. (Both formulas are for a sensitivity of 1.) The first variance grows like k log k
    and the second like k.

    Parameters
    ----------
    target : ApproxDP
        The guarantee of all queries together, with epsilon in (0, 1] and delta in (0, 1).
    k : int
        The number of queries, at least 1.
    sensitivity : float
        The sensitivity of each query, > 0.

    Returns
    -------
    ManyQueries
        The two standard deviations sigma, proportional to `sensitivity`.

    References
    ----------
    Dwork and Roth (2014), theorems 3.20 and A.1.

    Examples
    --------
    >>> both = many_gaussian_queries(ApproxDP(0.1, 1e-5), 100)
    >>> round((both.composed / both.vectorised) ** 2, 1)
    141.7
    """
    step = advanced_composition_step(target, k)
    k = _check.count("k", k)
    if target.epsilon > 1:
        raise ValueError(f"target must have epsilon in (0, 1], got target={target!r}")
    sensitivity = _check.real("sensitivity", sensitivity, _check.POSITIVE)

    def sigma(claim: ApproxDP, distance: float) -> float:
        return math.sqrt(2 * math.log(1.25 / claim.delta)) * distance / claim.epsilon

    return ManyQueries(sigma(step, sensitivity), sigma(target, math.sqrt(k) * sensitivity))


# --- the epsilon of k steps in words -----------------------------------------------------------


def explain(step: ApproxDP, k: int, *, delta: float) -> Explanation:
    """Explain the least epsilon of k equal steps at a delta, and compare it with closed formulas.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step, with epsilon at most 700.
    k : int
        The number of steps, from 1 to 10^9.
    delta : float
        The delta of all steps together, in [0, 1].

    Returns
    -------
    Explanation
        The exact epsilon; the note says what the closed formulas give at the same delta.

    Examples
    --------
    >>> why = explain(ApproxDP(0.01, 0.0), 1000, delta=1e-6)
    >>> round(why.value, 6), why.kind
    (1.365447, 'exact')
    >>> why.note
    'Basic composition gives 10. Advanced composition gives 1.76276. The tight form of advanced \
composition gives 1.6415.'
    """
    best = optimal_composition(step, k, delta=delta)
    delta = best.delta
    notes = []
    if k * step.delta <= delta:
        found = _numerics.rounded_up(k * step.epsilon)
        notes.append(_("Basic composition gives {epsilon}.", epsilon=found))
    slack = delta - k * step.delta
    if slack > 0:
        found = _numerics.rounded_up(advanced_composition(step, k, slack=slack).epsilon)
        notes.append(_("Advanced composition gives {epsilon}.", epsilon=found))
    left = left_for_losses(k * math.log1p(-step.delta) if step.delta < 1 else -math.inf, delta)
    if left > 0:
        found = _numerics.rounded_up(advanced_composition_tight(step, k, slack=left).epsilon)
        notes.append(_("The tight form of advanced composition gives {epsilon}.", epsilon=found))
    return Explanation(
        best.epsilon,
        _(
            "epsilon of {steps} steps of {step!r} at delta={delta:g}",
            steps=k,
            step=step,
            delta=float(delta),
        ),
        "Kairouz, Oh and Viswanath (2015), theorem 3.3",
        "exact",
        note=" ".join(notes),
    )
