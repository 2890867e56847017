"""Composition of approximate guarantees: epsilon grows with the square root of the steps.

`Guarantee.self_compose` adds the steps up one by one. The theorems here buy a smaller epsilon
with a larger delta. They take a claim and return a claim, so that the whole delta, that of the
steps and the slack, stands in the result and nobody can leave a part of it out.

`optimal_composition` is the best there is for equal steps of which nothing but (epsilon, delta)
is known, `heterogeneous_composition` encloses the same for different steps, and the advanced
theorems are closed formulas above them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.notions import ApproxDP, Explanation
from dpteach.privacy_loss import DiscreteLoss

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

Vector = NDArray[np.float64]

#: the most steps that `optimal_composition` takes: its sums then have some million terms
MOST_STEPS = 10**9
#: the largest error of an odds ratio e^epsilon as the mechanisms compute it, relative
_UNIT = float(np.finfo(np.float64).eps)


def advanced_composition(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """The guarantee of k adaptive steps of (epsilon, delta)-DP, by the advanced theorem.

    epsilon sqrt(2 k log(1/slack)) + k epsilon (e^epsilon - 1), at k delta + slack.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step, with epsilon at most 700.
    k : int
        The number of steps, at least 1.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound. For few steps ``step.self_compose(k)`` has a smaller epsilon.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

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
    """The guarantee of k adaptive steps, by the simplified form for small epsilon.

    2 epsilon sqrt(2 k log(1/slack)), at k delta + slack. It is the advanced theorem with its
    second term bounded by the first, which is true only where
    e^epsilon - 1 <= sqrt(2 log(1/slack) / k).

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step.
    k : int
        The number of steps, at least 1.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound, no smaller than `advanced_composition`.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, or the step's epsilon is too
        large for the simplified form.

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
    """What each of k steps may spend so that all of them reach a target.

    The inverse of `advanced_composition_simplified` with half of delta as the slack:
    epsilon / (2 sqrt(2 k log(2/delta))) and delta / (2 k).

    Parameters
    ----------
    target : ApproxDP
        The guarantee wanted for the whole, with epsilon > 0 and delta in (0, 1).
    k : int
        The number of steps, at least 1.

    Returns
    -------
    ApproxDP
        The guarantee of each step, rounded down.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, or the step's epsilon comes out
        too large for the simplified form.

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


def _step(name: str, value: object) -> ApproxDP:
    _check.instance(name, value, ApproxDP)
    assert isinstance(value, ApproxDP)
    if value.epsilon > 700:
        raise ValueError(f"{name} must have epsilon <= 700, got {name}={value!r}")
    return value


def _steps(steps: object) -> list[ApproxDP]:
    """Steps of different sizes, about the same neighbours."""
    if isinstance(steps, ApproxDP) or not _check.is_iterable(steps):
        raise TypeError(
            f"steps must be a sequence of ApproxDP, got steps={_check.shown(steps)} "
            f"of type {type(steps).__name__}"
        )
    checked = [_step(f"steps[{i}]", step) for i, step in enumerate(steps)]
    if not checked:
        raise ValueError("steps must hold at least one guarantee, got steps=()")
    if len({step.adjacency for step in checked}) > 1:
        raise ValueError(
            f"steps must have one adjacency, got steps={_check.shown(checked)} with two"
        )
    return checked


def _point(epsilon: float | None, delta: float | None) -> tuple[float | None, float | None]:
    """The one of epsilon and delta that is given, checked."""
    _check.exactly_one(epsilon, delta)
    if epsilon is not None:
        return _check.real("epsilon", epsilon, _check.NON_NEGATIVE), None
    return None, _check.real("delta", delta, _check.PROBABILITY)


# --- closed formulas for equal and different steps -------------------------------------------


def advanced_composition_tight(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """The guarantee of k adaptive steps, by the smallest of three closed formulas.

    With m = k epsilon tanh(epsilon/2), which the losses of k steps have as their largest mean,
    and s = k epsilon^2: the least of k epsilon, m + sqrt(2 s log(e + sqrt(s)/slack)) and
    m + sqrt(2 s log(1/slack)), at the delta 1 - (1 - delta)^k (1 - slack).

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step, with epsilon at most 700.
    k : int
        The number of steps, at least 1.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound, no larger than `advanced_composition`; `optimal_composition` is exact.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

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
    delta = _joint_delta(k * math.log1p(-step.delta) if step.delta < 1 else -math.inf, slack)
    return ApproxDP(epsilon, delta, adjacency=step.adjacency)


def advanced_composition_heterogeneous(steps: Sequence[ApproxDP], *, slack: float) -> ApproxDP:
    """The guarantee of different steps, by the smallest of three closed formulas.

    `advanced_composition_tight` with sums: of epsilon_i, of epsilon_i tanh(epsilon_i/2) and of
    epsilon_i^2, at the delta 1 - (1 - slack) times the product of 1 - delta_i. Each step may be
    chosen by looking at earlier answers; its epsilon and delta are fixed beforehand.

    Parameters
    ----------
    steps : sequence of ApproxDP
        About the same neighbours, each with epsilon at most 700.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, steps is empty, or two steps
        speak of different neighbours.

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
    delta = _joint_delta(_log_kept(checked), slack)
    return ApproxDP(epsilon, delta, adjacency=checked[0].adjacency)


def _of_three(total: float, mean: float, root: float, slack: float) -> float:
    """The least of the three formulas, for the sum, the mean loss and sqrt(sum epsilon^2)."""
    root2 = math.sqrt(2) * root
    with_slack = math.sqrt(-math.log(slack))
    with_root = math.sqrt(math.log(math.e * slack + root) - math.log(slack))
    return min(
        _numerics.up(total),
        _numerics.sum_up(mean, root2 * with_slack),
        _numerics.sum_up(mean, root2 * with_root),
    )


def _log_kept(steps: list[ApproxDP]) -> float:
    """The sum of log(1 - delta_i)."""
    if any(step.delta == 1 for step in steps):
        return -math.inf
    return math.fsum(math.log1p(-step.delta) for step in steps)


def _joint_delta(log_kept: float, delta: float) -> float:
    """1 - e^log_kept (1 - delta), at most 1, without the difference from 1; rounded up."""
    if delta == 1 or log_kept == -math.inf:
        return 1.0
    if log_kept == 0:
        return delta
    return min(1.0, _numerics.up(-math.expm1(log_kept + math.log1p(-delta))))


def _left_for_losses(log_kept: float, delta: float) -> float:
    """The delta that finite losses may have so that `_joint_delta` of it is at most delta.

    Rounded down; negative if there is none.
    """
    if delta == 1:
        return 1.0
    if log_kept == -math.inf:
        return -1.0
    if log_kept == 0:
        return delta
    there = math.log1p(-delta)
    down = (there - log_kept) + _numerics.MARGIN * (abs(there) + abs(log_kept))
    if down > 1:  # far above: its power may leave the range of floats
        return -1.0
    return -math.expm1(down) * (1 - _numerics.MARGIN)


# --- the best for equal steps ------------------------------------------------------------------


def optimal_composition(
    step: ApproxDP, k: int, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    """The best guarantee of k adaptive steps of which only (epsilon, delta) is known.

    The worst k steps are k answers of randomized response, each of which gives everything away
    with the step's delta (`worst_steps`). With N ~ Bin(k, e^e0/(1 + e^e0)) the loss is
    (2N - k) e0, and at every epsilon

        delta = 1 - (1 - delta0)^k (1 - E[(1 - e^(epsilon - (2N - k) e0))+]).

    Parameters
    ----------
    step : ApproxDP
        (e0, delta0), the guarantee of each step, with e0 at most 700.
    k : int
        The number of steps, from 1 to 10^9.
    epsilon : float, optional
        In [0, inf): the claim is about the least delta there.
    delta : float, optional
        In [0, 1]: the claim is about the least epsilon there. Exactly one of the two is given.

    Returns
    -------
    ApproxDP
        Exact but for rounding, upwards: by less than 1e-12 of delta where k is at most 1,000 and
        delta at least 1e-50, by less than 1e-11 where k is at most 100,000 and delta at least
        1e-300.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, not exactly one of epsilon and
        delta is given, or delta is below 1 - (1 - delta0)^k: then no epsilon is true.

    Notes
    -----
    Cost: some 10 sqrt(k) terms for a delta, and some 4 such sums for an epsilon.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), theorem 3.3; between its points, the same pair of laws.

    Examples
    --------
    >>> round(optimal_composition(ApproxDP(0.1, 0.0), 10, epsilon=0.5).delta, 12)
    0.009929626917
    >>> round(optimal_composition(ApproxDP(0.01, 0.0), 100_000, delta=1e-9).epsilon, 9)
    23.406220451
    """
    step, k = _step("step", step), _check.count("k", k)
    if k > MOST_STEPS:
        raise ValueError(f"k must be at most {MOST_STEPS}, got k={_check.shown(k)}")
    epsilon, delta = _point(epsilon, delta)
    log_kept = k * math.log1p(-step.delta) if step.delta < 1 else -math.inf
    if epsilon is not None:
        inner = 0.0
        if k * Fraction(step.epsilon) > epsilon:  # else no loss exceeds it
            inner = _numerics.exp_up(_log_delta(step.epsilon, k, epsilon)[0])
        return ApproxDP(epsilon, _joint_delta(log_kept, min(1.0, inner)), adjacency=step.adjacency)
    assert delta is not None
    left = _left_for_losses(log_kept, delta)
    if left < 0:
        raise ValueError(
            "delta must be at least 1 - (1 - delta0)^k, what the steps lose on their own "
            f"({_joint_delta(log_kept, 0.0):.6g}), got delta={delta:g}"
        )
    return ApproxDP(_least_epsilon(step.epsilon, k, left), delta, adjacency=step.adjacency)


def _least_epsilon(epsilon0: float, k: int, delta: float) -> float:
    """An epsilon at which `_log_delta` was seen to be at most log delta, next to the least."""
    top = float(np.nextafter(k * epsilon0, math.inf)) if epsilon0 > 0 else 0.0
    if delta <= 0 or top == 0:
        return min(top, k * epsilon0) if k * Fraction(epsilon0) <= k * epsilon0 else top
    target = math.log(delta)

    log, _ = _log_delta(epsilon0, k, 0.0)
    if _numerics.log_up(log) <= target:
        return 0.0
    # Hoeffding's inequality: delta(m + t) <= P(loss > m + t) <= e^(-t^2 / (2 k epsilon0^2))
    mean = k * epsilon0 * math.tanh(epsilon0 / 2)
    low, high = 0.0, min(top, _numerics.up(mean + epsilon0 * math.sqrt(-2 * k * target)))
    guess = _between_losses(epsilon0, k, target)
    if not low < guess < high:
        guess = min(high, max(mean, high / 2))
    for step in range(200):  # Newton's method for log delta, inside a bracket
        log, slope = _log_delta(epsilon0, k, guess)
        excess = _numerics.log_up(log) - target
        if excess <= 0:
            high = guess
        else:
            low = guess
        moved = guess + excess / -slope if slope < 0 else guess
        if high - low <= 4e-15 * high or (high == guess and guess - moved <= 1e-14 * guess):
            break
        if abs(moved - guess) <= 1e-13 * guess:  # converged: step to the safe side of it
            moved = max(guess, moved) * (1 + 1e-15 * 2 ** min(step, 8))
        guess = moved if low < moved < high else low + (high - low) / 2
    return high


def _between_losses(epsilon0: float, k: int, target: float) -> float:
    """The epsilon with log delta = target, up to rounding; nan where the window has none.

    Between two neighbouring losses delta is P(L >= l) - e^epsilon Q(L >= l), which is solved for
    epsilon: nothing is searched but the interval.
    """
    centre = k * _numerics.logistic(epsilon0)
    first = max(k // 2, int(centre - math.sqrt(20.0 * k)) - 2)
    last = min(k, int(centre + math.sqrt((20 - target) * k / 2)) + 3)
    x = np.arange(first, last + 1.0)
    loss = (2 * x - k) * epsilon0
    logs = _log_binomial(x, k, epsilon0) - target
    p = _tails(np.exp(np.minimum(logs, 600.0)))
    centre = loss[min(int(np.count_nonzero(p > 1)), loss.size - 1)]
    q = _tails(np.exp(np.minimum(logs - loss + centre, 600.0)))
    # delta over e^target at each loss, from the outcomes beyond it
    with np.errstate(over="ignore"):
        there = p[1:] - np.exp(np.minimum(loss[:-1] - centre, 100.0)) * q[1:]
    i = int(np.argmax(there <= 1)) if there.size and there[-1] <= 1 else loss.size - 1
    if not (p[i] > 1 and q[i] > 0):
        return math.nan
    return float(centre + math.log(p[i] - 1) - math.log(q[i]))


def _tails(masses: Vector) -> Vector:
    return np.asarray(np.cumsum(masses[::-1])[::-1])


def _log_delta(epsilon0: float, k: int, epsilon: float) -> tuple[float, float]:
    """An upper bound on log E[(1 - e^(epsilon - (2N - k) epsilon0))+], close to it; its slope.

    From each step to the next, the ratio of neighbouring terms falls by a factor of
    e^(-4/(k + 1)) at least: 5 sqrt(k + 1) terms on either side of the largest, the rest of the
    sum is below e^-48 of it.
    """
    if epsilon0 == 0:
        return -math.inf, 0.0
    epsilon *= 1 - _UNIT  # and not above it, after the rounding of (2x - k) epsilon0
    first = max(0, math.floor((k + epsilon / epsilon0) / 2) - 1)
    truth = _numerics.logistic(epsilon0)
    reach = 5 * math.isqrt(k + 1) + 10
    begin = max(first, min(k, int(k * truth)))  # the largest term is at most sqrt(k+1)/2 + 2 beyond
    x = np.arange(max(first, begin - reach), min(k, begin + reach + math.isqrt(k + 1)) + 1.0)
    gap = (2 * x - k) * epsilon0 - epsilon
    x, gap = x[gap > 0], gap[gap > 0]
    if x.size == 0:
        return -math.inf, 0.0
    logs = _log_binomial(x, k, epsilon0)
    top = float(logs.max())
    masses = np.exp(logs - top)
    terms = masses * -np.expm1(-gap)
    total = float(terms.sum())
    if total == 0:
        return -math.inf, 0.0
    # the odds e^epsilon0 carry a rounding error, which acts as often as x exceeds its mean
    deviation = abs(float(x[terms.argmax()]) - k * truth)
    error = 4 * _UNIT * (deviation + math.sqrt(k) + abs(top) + 8)
    return top + math.log(total) + error, -float((masses * np.exp(-gap)).sum()) / total


def _log_binomial(x: Vector, k: int, epsilon0: float) -> Vector:
    """log P(N = x) for N ~ Bin(k, e^epsilon0/(1 + e^epsilon0)), by Loader's (2000) expansion."""
    truth, lie = _numerics.logistic(epsilon0), _numerics.logistic(-epsilon0)
    y = k - x
    inside = (x > 0) & (y > 0)
    safe_x, safe_y = np.where(inside, x, 1.0), np.where(inside, y, 1.0)
    logs = (
        _stirling_error(np.array([float(k)]))[0]
        - _stirling_error(safe_x)
        - _stirling_error(safe_y)
        - _deviance(safe_x, k * truth)
        - _deviance(safe_y, k * lie)
        - 0.5 * np.log(2 * math.pi * safe_x * (safe_y / k))
    )
    log_lie = -epsilon0 - math.log1p(math.exp(-epsilon0))
    logs[x == 0] = k * log_lie
    logs[y == 0] = -k * math.log1p(math.exp(-epsilon0))
    return np.asarray(logs)


#: log n! - log(sqrt(2 pi n) (n/e)^n) for n = 0 (a placeholder) to 15
_STIRLING = np.array(
    [0.0]
    + [
        math.lgamma(n + 1.0) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
        for n in range(1, 16)
    ]
)


def _stirling_error(n: Vector) -> Vector:
    """log n! - log(sqrt(2 pi n) (n/e)^n) of integers n >= 1."""
    far = np.maximum(n, 16.0)
    square = far * far
    series = (
        1 / 12
        - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square
    ) / far
    if n.min() > 15:
        return np.asarray(series)
    return np.asarray(np.where(n > 15, series, _STIRLING[np.minimum(n, 15).astype(int)]))


def _deviance(x: Vector, mean: float) -> Vector:
    """x log(x / mean) + mean - x, without the cancellation where x is close to the mean."""
    v = (x - mean) / (x + mean)
    near = np.abs(v) < 0.25
    with np.errstate(divide="ignore", over="ignore"):
        far = x * np.log(x / mean) + mean - x
    if not near.any():
        return far
    w = np.where(near, v, 0.0)
    square = w * w
    # (x - mean) v + 2 x (v^3/3 + v^5/5 + ...)
    series = np.zeros_like(w)
    for n in range(14, 0, -1):
        series = (series + 1 / (2 * n + 1)) * square
    return np.asarray(np.where(near, (x - mean) * w + 2 * x * w * series, far))


def worst_steps(step: ApproxDP, k: int) -> DiscreteLoss:
    """The pair of laws that k steps of (epsilon, delta)-DP can have and no worse one.

    k answers of randomized response about the same bit, each of which gives everything away
    with probability delta. The outcomes are: the truth is out; N of the k answers are the bit,
    for N from k to 0; the other truth is out.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step.
    k : int
        The number of steps, at least 1, with k epsilon at most 700.

    Returns
    -------
    DiscreteLoss
        With delta = 0 its largest loss is k epsilon: that epsilons add up is tight.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), section 4.

    Examples
    --------
    >>> round(worst_steps(ApproxDP(0.1, 0.0), 64).max(), 12)
    6.4
    """
    step, k = _step("step", step), _check.count("k", k)
    if k * step.epsilon > 700 or k > 10**6:
        raise ValueError(
            f"k must be at most 10**6, and k epsilon at most 700, got k={_check.shown(k)} "
            f"and epsilon={step.epsilon:g}"
        )
    log_kept = k * math.log1p(-step.delta) if step.delta < 1 else -math.inf
    kept, out = math.exp(log_kept), -math.expm1(log_kept)
    x = np.arange(k, -1.0, -1.0)
    p = np.exp(_log_binomial(x, k, step.epsilon))
    p /= p.sum()
    # what is too small for a float counts as the smallest, as in `DiscreteLoss.product`
    inner = np.maximum(kept * p, math.ulp(0.0)) if kept > 0 else np.zeros_like(p)
    law = np.concatenate(([out], inner, [0.0]))
    sure = math.inf if out > 0 else 0.0
    # probabilities that floats do not tell apart have different losses all the same
    losses = np.concatenate(([sure], (2 * x - k) * step.epsilon, [-sure]))
    # the reversed order of the outcomes is the law on the other bit
    return DiscreteLoss._of(law, law[::-1].copy(), losses)


# --- the best for different steps, enclosed ----------------------------------------------------


@dataclass(frozen=True)
class CompositionBracket:
    """Two numbers with the best composition between them.

    Parameters
    ----------
    lower, upper : float
        The bracket of delta or of epsilon, whichever was asked for; no smaller number than
        `lower` is true of the worst steps.
    claim : ApproxDP
        What `upper` says: a guarantee.

    Examples
    --------
    >>> bracket = heterogeneous_composition([ApproxDP(0.1, 0.0), ApproxDP(0.2, 0.0)], epsilon=0.2)
    >>> bracket.upper == bracket.claim.delta, round(bracket.lower, 6), round(bracket.upper, 6)
    (True, 0.027469, 0.027469)
    """

    lower: float
    upper: float
    claim: ApproxDP


#: by which all masses are scaled, so that products of small ones stay in the range of floats
_SCALE = 2.0**900
#: below this sum of epsilons the cells of a grid would leave the range of floats
_LEAST_TOTAL = 1e-250


def heterogeneous_composition(
    steps: Sequence[ApproxDP],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    cells: int = 4096,
) -> CompositionBracket:
    """The best guarantee of different steps of which only (epsilon, delta) are known, enclosed.

    The worst steps are answers of randomized response. To find the exact law of their losses is
    #P-hard [1]_. From below, outcomes of nearly equal loss are told apart no more, which is
    post-processing; from above, a loss between two points of a grid is split between them so
    that the masses under P and under Q stay, of which the true one is a post-processing. Both
    are done again after each step, so the two ends are true whatever the grid.

    Parameters
    ----------
    steps : sequence of ApproxDP
        About the same neighbours, each with epsilon at most 700. Each may be chosen by looking
        at earlier answers, its epsilon and delta being fixed beforehand.
    epsilon : float, optional
        In [0, inf): the bracket is one of the least delta there.
    delta : float, optional
        In [0, 1]: the bracket is one of the least epsilon there. Exactly one of the two is given.
    cells : int
        Of the grid, from 16 to 2^20. The bracket narrows with the square of it.

    Returns
    -------
    CompositionBracket
        Deltas below 1e-300 are bracketed by 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, not exactly one of epsilon and
        delta is given, steps is empty or speaks of different neighbours, or delta is below
        1 minus the product of 1 - delta_i: then no epsilon is true.

    Notes
    -----
    Cost: time proportional to ``len(steps)`` times cells, memory to cells.

    References
    ----------
    .. [1] Murtagh and Vadhan (2016), theorems 1.5 and 1.7.
    .. [2] Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), section 4, on such splits.

    Examples
    --------
    >>> steps = [ApproxDP(0.01 * i, 0.0) for i in range(1, 21)]
    >>> bracket = heterogeneous_composition(steps, delta=1e-6)
    >>> round(bracket.lower, 3), round(bracket.upper, 3)
    (1.996, 1.996)
    """
    checked = _steps(steps)
    epsilon, delta = _point(epsilon, delta)
    cells = _check.count("cells", cells, minimum=16)
    if cells > 2**20:
        raise ValueError(f"cells must be at most 2**20, got cells={_check.shown(cells)}")
    log_kept = _log_kept(checked)
    epsilons = sorted((s.epsilon for s in checked if s.epsilon > 0), reverse=True)
    adjacency = checked[0].adjacency
    total = _numerics.up(math.fsum(epsilons))
    if epsilon is not None:
        if not epsilons or sum(map(Fraction, epsilons)) <= epsilon:
            low = high = 0.0
        elif total < _LEAST_TOTAL:  # no event gains more than the sum
            low, high = 0.0, total
        else:
            rough = _Enclosure(epsilons, 512, -737.0).below(epsilon)
            small = math.log(rough) - 25 if rough > 0 else -737.0
            law = _Enclosure(epsilons, cells, small)
            low, high = law.below(epsilon), law.above(epsilon)
        upper = _joint_delta(log_kept, min(1.0, high))
        lower = _joint_delta(log_kept, low) * (1 - 4 * _numerics.MARGIN)
        return CompositionBracket(lower, upper, ApproxDP(epsilon, upper, adjacency=adjacency))
    assert delta is not None
    left = _left_for_losses(log_kept, delta)
    if left < 0:
        raise ValueError(
            "delta must be at least what the steps lose on their own "
            f"({_joint_delta(log_kept, 0.0):.6g}), got delta={delta:g}"
        )
    if not epsilons or left == 1:
        return CompositionBracket(0.0, 0.0, ApproxDP(0.0, delta, adjacency=adjacency))
    if total < _LEAST_TOTAL:
        upper = 0.0 if left >= total else total
        return CompositionBracket(0.0, upper, ApproxDP(upper, delta, adjacency=adjacency))
    most = _numerics.up(left) + 4 * _numerics.MARGIN * (1 - math.exp(log_kept))
    law = _Enclosure(epsilons, cells, max(-737.0, math.log(left) - 25 if left > 0 else -737.0))
    upper, lower = total, 0.0
    if law.above(0.0) <= left:
        upper = 0.0
    else:
        upper = _numerics.first_true(lambda e: law.above(e) <= left, 0.0, total)
    if law.below(0.0) > most:
        lower = _numerics.first_true(lambda e: law.below(e) <= most, 0.0, total)
        lower = math.nextafter(lower, 0.0)
    return CompositionBracket(lower, upper, ApproxDP(upper, delta, adjacency=adjacency))


def _log_ratio(p: Vector, q: Vector) -> Vector:
    """log(p/q), rounded down where the ratio leaves the range of floats."""
    with np.errstate(over="ignore"):
        ratio = p / q
    return np.where(ratio < math.inf, np.log(ratio), np.log(p) - np.log(q) - 1e-12)


class _Enclosure:
    """Hockey-stick divergences of answers of randomized response, from both sides."""

    def __init__(self, epsilons: list[float], cells: int, log_small: float) -> None:
        total, spread = math.fsum(epsilons), math.hypot(*epsilons)
        mean = math.fsum(e * math.tanh(e / 2) for e in epsilons)
        # Hoeffding's inequality: the loss is beyond with probability e^log_small at most
        reach = spread * math.sqrt(-2 * log_small)
        bottom, top = min(total, reach), min(total, mean + reach)
        # each mass carries some rounding errors of each step, and the odds of each answer one
        self.error = 8 * (len(epsilons) + 16) * _UNIT
        self.width = (bottom + top) / (cells - 4)
        self.zero = math.ceil(bottom / self.width) + 1
        self._merge(epsilons, cells)
        self._split(epsilons, cells)

    def _merge(self, epsilons: list[float], cells: int) -> None:
        """Masses under P and under Q; in a cell they become one outcome."""
        p, q = np.array([_SCALE]), np.array([_SCALE])
        for epsilon in epsilons:
            true, false = _numerics.logistic(epsilon), _numerics.logistic(-epsilon)
            p, q = np.concatenate((p * true, p * false)), np.concatenate((q * false, q * true))
            kept = (p > 1e-290) & (q > 1e-290)
            p, q = p[kept], q[kept]  # an outcome that is left out only lowers the divergence
            place = _log_ratio(p, q) / self.width + self.zero
            cell = np.clip(place, 0, cells - 1).astype(int)
            p, q = np.bincount(cell, p), np.bincount(cell, q)
            kept = p > 0
            p, q = p[kept], q[kept]
        self.p, self.loss = p, _log_ratio(p, q)

    def _split(self, epsilons: list[float], cells: int) -> None:
        """Masses under P on the grid; those above it are as if they gave everything away."""
        cells += min(cells, len(epsilons))  # each step may split a mass to one point more
        mass = np.zeros(cells)
        mass[self.zero] = _SCALE
        self.beyond = 0.0
        for epsilon in epsilons:
            true, false = _numerics.logistic(epsilon), _numerics.logistic(-epsilon)
            whole = int(epsilon / self.width)
            rest = min(self.width, max(0.0, epsilon - whole * self.width))
            up = min(1.0, math.expm1(-rest) / math.expm1(-self.width))
            down = min(1.0, math.expm1(-(self.width - rest)) / math.expm1(-self.width))
            moved = np.zeros(cells)
            for shift, share in (
                (whole, true * (1 - up)),
                (whole + 1, true * up),
                (-whole - 1, false * (1 - down)),
                (-whole, false * down),
            ):
                if shift >= 0:
                    kept = max(0, cells - shift)
                    moved[cells - kept :] += share * mass[:kept]
                    self.beyond += share * float(mass[kept:].sum())
                else:
                    out = min(cells, -shift)
                    moved[: cells - out] += share * mass[out:]
                    moved[0] += share * float(mass[:out].sum())  # upwards, to the lowest point
            mass = moved
        self.mass = mass
        self.points = (np.arange(cells) - self.zero) * self.width

    def below(self, epsilon: float) -> float:
        gap = self.loss - epsilon - self.error - 4 * _UNIT * epsilon
        above = gap > 0
        total = float((self.p[above] * -np.expm1(-gap[above])).sum())
        return max(0.0, total / _SCALE * (1 - self.error))

    def above(self, epsilon: float) -> float:
        gap = self.points - epsilon + self.error * (1 + epsilon)
        over = gap > 0
        total = float((self.mass[over] * -np.expm1(-gap[over])).sum()) + self.beyond
        return min(1.0, total / _SCALE * (1 + self.error) + 1e-300)


# --- one answer of many coordinates, or many answers -------------------------------------------


@dataclass(frozen=True)
class ManyQueries:
    """The standard of noise that k queries need, in two ways.

    Parameters
    ----------
    composed : float
        The scale if each query is a mechanism of its own, with its share of the budget.
    vectorised : float
        The scale if the k answers are one vector with one sensitivity.

    Examples
    --------
    >>> many_laplace_queries(0.1, 10)
    ManyQueries(composed=100.0, vectorised=100.0)
    """

    composed: float
    vectorised: float


def many_laplace_queries(epsilon: float, k: int, *, sensitivity: float = 1.0) -> ManyQueries:
    """The scale of Laplace noise for k queries under one epsilon: the two ways coincide.

    Composed, each query gets epsilon/k; as a vector, the L1 sensitivity is k times that of one.

    Parameters
    ----------
    epsilon : float
        Of all queries together, > 0.
    k : int
        The number of queries, at least 1.
    sensitivity : float
        Of each query, > 0.

    Returns
    -------
    ManyQueries
        Of scales b; both are k sensitivity / epsilon.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The sigma of Gaussian noise for k queries under one target, by the textbook.

    Composed, each query gets the step of `advanced_composition_step`:
    sigma^2 = 16 k log(2/delta) log(2.5 k/delta) / epsilon^2. As a vector, the L2 sensitivity is
    sqrt(k) times that of one: sigma^2 = 2 k log(1.25/delta) / epsilon^2. The first grows like
    k log k and the second like k.

    Parameters
    ----------
    target : ApproxDP
        Of all queries together: epsilon in (0, 1] and delta in (0, 1).
    k : int
        The number of queries, at least 1.
    sensitivity : float
        Of each query, > 0.

    Returns
    -------
    ManyQueries
        Of standard deviations sigma, for a sensitivity of 1 in each query times `sensitivity`.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

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


# --- in words ----------------------------------------------------------------------------------


def explain(step: ApproxDP, k: int, *, delta: float) -> Explanation:
    """The least epsilon of k equal steps at a delta, whose theorem it is, and what others give.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step, with epsilon at most 700.
    k : int
        The number of steps, from 1 to 10^9.
    delta : float
        Of all steps together, in [0, 1].

    Returns
    -------
    Explanation
        Exact; its note says what the closed formulas give at the same delta.

    Raises
    ------
    ValueError, TypeError
        If `optimal_composition` raises it.

    Examples
    --------
    >>> why = explain(ApproxDP(0.01, 0.0), 1000, delta=1e-6)
    >>> round(why.value, 6), why.kind
    (1.365447, 'exact')
    >>> why.note
    'Basic composition gives 10, the advanced theorem 1.76276, its tight form 1.64149.'
    """
    best = optimal_composition(step, k, delta=delta)
    delta = best.delta
    said = [f"Basic composition gives {k * step.epsilon:.6g}"] if k * step.delta <= delta else []
    slack = delta - k * step.delta
    if slack > 0:
        loose = advanced_composition(step, k, slack=slack).epsilon
        said.append(f"the advanced theorem {loose:.6g}")
    left = _left_for_losses(k * math.log1p(-step.delta) if step.delta < 1 else -math.inf, delta)
    if left > 0:
        closed = advanced_composition_tight(step, k, slack=left).epsilon
        said.append(f"its tight form {closed:.6g}")
    note = ", ".join(said)
    return Explanation(
        best.epsilon,
        f"epsilon of {k} steps of {step!r} at delta={float(delta):g}",
        "Kairouz, Oh and Viswanath (2015), theorem 3.3",
        "exact",
        note=f"{note[0].upper()}{note[1:]}." if note else "",
    )
