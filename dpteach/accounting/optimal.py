"""Optimal composition of equal steps of which only (epsilon, delta) is known.

The worst case of k steps is k-fold randomized response on a secret bit, in which each response
has probability delta of revealing the bit with certainty (Kairouz, Oh and Viswanath (2015),
section 4).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.notions import ApproxDP
from dpteach.privacy_loss import DiscreteLoss

Vector = NDArray[np.float64]

#: the largest number of steps of `optimal_composition`; its sums then have about a million terms
MOST_STEPS = 10**9
#: the largest epsilon of a step: the probabilities of larger losses underflow
MOST_EPSILON = 700.0
#: a bound on the relative error with which mechanisms, such as randomized response, compute their
#: odds ratio e^epsilon
_UNIT = float(np.finfo(np.float64).eps)


def optimal_composition(
    step: ApproxDP, k: int, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    """Return the best guarantee of k adaptive steps of which only (epsilon, delta) is known.

    Let each step be (e0, delta0)-DP. The worst case is k-fold randomized response on a secret bit,
    in which each response, with probability delta0, reveals the bit with certainty. If none does,
    N ~ Bin(k, e^e0/(1 + e^e0)) responses equal the bit, and the privacy loss is (2N - k) e0. So
    at every epsilon

        delta = 1 - (1 - delta0)^k (1 - E[(1 - e^(epsilon - (2N - k) e0))+]).

    Parameters
    ----------
    step : ApproxDP
        (e0, delta0), the guarantee of each step, with e0 at most 700.
    k : int
        The number of steps, from 1 to 10^9.
    epsilon : float, optional
        In [0, inf): return the least delta at this epsilon.
    delta : float, optional
        In [0, 1]: return the least epsilon at this delta. Give exactly one of epsilon and delta.

    Returns
    -------
    ApproxDP
        The exact guarantee, rounded up. Delta has a relative error below 1e-12 if k <= 1,000 and
        delta >= 1e-50, and below 1e-11 if k <= 100,000 and delta >= 1e-300. Epsilon has the error
        that such an error of delta causes, plus a relative error of 1e-14.

    Raises
    ------
    ValueError
        If delta is below 1 - (1 - delta0)^k; no epsilon is valid there.

    Notes
    -----
    Cost: about 10 sqrt(k) terms for a delta, and about 4 such sums for an epsilon.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), theorem 3.3. The theorem states delta only at certain
    epsilons; at all others delta is that of the same pair of distributions.

    Examples
    --------
    >>> round(optimal_composition(ApproxDP(0.1, 0.0), 10, epsilon=0.5).delta, 12)
    0.009929626917
    >>> round(optimal_composition(ApproxDP(0.01, 0.0), 100_000, delta=1e-9).epsilon, 9)
    23.406220451
    """
    step, k = checked_step("step", step), _check.count("k", k)
    if k > MOST_STEPS:
        raise ValueError(f"k must be at most {MOST_STEPS}, got k={_check.shown(k)}")
    epsilon, delta = one_of_both(epsilon, delta)
    log_kept = k * math.log1p(-step.delta) if step.delta < 1 else -math.inf
    if epsilon is not None:
        inner = 0.0
        # if epsilon is at least k times the step's epsilon, no finite loss exceeds it, so finite
        # losses contribute 0
        if k * Fraction(step.epsilon) > epsilon:
            inner = _numerics.exp_up(_log_delta(step.epsilon, k, epsilon)[0])
        return ApproxDP(epsilon, joint_delta(log_kept, min(1.0, inner)), adjacency=step.adjacency)
    assert delta is not None
    left = left_for_losses(log_kept, delta)
    if left < 0:
        raise ValueError(
            "delta must be at least 1 - (1 - delta0)^k, the joint delta of the steps "
            f"({joint_delta(log_kept, 0.0):.6g}), got delta={delta:g}"
        )
    return ApproxDP(_least_epsilon(step.epsilon, k, left), delta, adjacency=step.adjacency)


def _least_epsilon(epsilon0: float, k: int, delta: float) -> float:
    """Return an epsilon, close to the least one, whose delta is verified to be at most `delta`."""
    top = float(np.nextafter(k * epsilon0, math.inf)) if epsilon0 > 0 else 0.0
    if delta <= 0 or top == 0:
        return min(top, k * epsilon0) if k * Fraction(epsilon0) <= k * epsilon0 else top
    target = math.log(delta)

    log, _ = _log_delta(epsilon0, k, 0.0)
    if _numerics.log_up(log) <= target:
        return 0.0
    # bound the search by Hoeffding's inequality: with the mean m of the loss, delta(m + t) <=
    # P(loss > m + t) <= e^(-t^2 / (2 k epsilon0^2))
    mean = k * epsilon0 * math.tanh(epsilon0 / 2)
    low, high = 0.0, min(top, _numerics.up(mean + epsilon0 * math.sqrt(-2 * k * target)))
    guess = _between_losses(epsilon0, k, target)
    if not low < guess < high:
        guess = min(high, max(mean, high / 2))
    return _newton(epsilon0, k, target, low, high, guess)


def _newton(epsilon0: float, k: int, target: float, low: float, high: float, guess: float) -> float:
    """Return an epsilon with `_log_delta` <= target, by Newton's method within [low, high]."""
    for step in range(200):
        log, slope = _log_delta(epsilon0, k, guess)
        excess = _numerics.log_up(log) - target
        if excess <= 0:
            high = guess
        else:
            low = guess
        moved = guess + excess / -slope if slope < 0 else guess
        if high - low <= 4e-15 * high or (high == guess and guess - moved <= 1e-14 * guess):
            break
        if abs(moved - guess) <= 1e-11 * guess:
            # Newton's method has converged: move slightly above the root, where delta is small
            # enough
            moved = max(guess, moved) * (1 + 2e-15 * 2 ** min(step, 8))
        guess = moved if low < moved < high else low + (high - low) / 2
    return high


def _between_losses(epsilon0: float, k: int, target: float) -> float:
    """Return the epsilon at which k epsilon0-DP steps have log delta = target; nan if not found.

    The result is rounded. Let P and Q be the distributions of k randomized responses for the two
    values of a bit, and l the smallest value of the privacy loss L above epsilon. Then the equation
    delta = P(L >= l) - e^epsilon Q(L >= l) is easily solved for epsilon; only l is searched for.
    """
    center = k * _numerics.logistic(epsilon0)
    first = max(k // 2, int(center - math.sqrt(20.0 * k)) - 2)
    last = min(k, int(center + math.sqrt((20 - target) * k / 2)) + 3)
    x = np.arange(first, last + 1.0)
    loss = (2 * x - k) * epsilon0
    logs = _log_binomial(x, k, epsilon0) - target
    p = _tails(np.exp(np.minimum(logs, 600.0)))
    center = loss[min(int(np.count_nonzero(p > 1)), loss.size - 1)]
    q = _tails(np.exp(np.minimum(logs - loss + center, 600.0)))
    # `there[i]` is delta at epsilon = loss[i], divided by e^target; only outcomes with a larger
    # loss contribute to this delta
    with np.errstate(over="ignore"):
        there = p[1:] - np.exp(np.minimum(loss[:-1] - center, 100.0)) * q[1:]
    i = int(np.argmax(there <= 1)) if there.size and there[-1] <= 1 else loss.size - 1
    if not (p[i] > 1 and q[i] > 0):
        return math.nan
    return float(center + math.log(p[i] - 1) - math.log(q[i]))


def _tails(masses: Vector) -> Vector:
    return np.asarray(np.cumsum(masses[::-1])[::-1])


def _log_delta(epsilon0: float, k: int, epsilon: float) -> tuple[float, float]:
    """Return an upper bound on log delta of k epsilon0-DP steps, and its slope in epsilon.

    With N ~ Bin(k, e^epsilon0/(1 + e^epsilon0)), delta is E[(1 - e^(epsilon - (2N - k)
    epsilon0))+]. Of this sum over N, only the terms up to about 5 sqrt(k + 1) places away from the
    largest are computed. From one N to the next, the ratio of consecutive terms is multiplied by at
    most e^(-4/(k + 1)), so the other terms add up to less than e^-48 of the largest.
    """
    if epsilon0 == 0:
        return -math.inf, 0.0
    first = max(0, math.floor((k + epsilon / epsilon0) / 2) - 1)
    truth = _numerics.logistic(epsilon0)
    reach = 5 * math.isqrt(k + 1) + 10
    # the largest term of the sum is at most sqrt(k + 1)/2 + 2 places after `begin`
    begin = max(first, min(k, int(k * truth)))
    x = np.arange(max(first, begin - reach), min(k, begin + reach + math.isqrt(k + 1)) + 1.0)
    gap = _gaps(2 * x - k, epsilon0, epsilon)
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
    # the rounding error of the odds e^epsilon0 is multiplied by the distance of x from its mean
    deviation = abs(float(x[terms.argmax()]) - k * truth)
    error = 4 * _UNIT * (deviation + math.sqrt(k) + abs(top) + 8)
    return top + math.log(total) + error, -float((masses * np.exp(-gap)).sum()) / total


def _gaps(counts: Vector, epsilon0: float, epsilon: float) -> Vector:
    """Return counts * epsilon0 - epsilon for ascending counts, with small relative errors.

    Where the difference is small, digits cancel, so the product is computed together with its
    rounding error (Dekker 1971).
    """
    product = counts * epsilon0
    gaps = product - epsilon
    near = slice(0, int(np.count_nonzero(gaps * 256 < product)))
    a, b = _halves(counts[near]), _halves(np.array(epsilon0))
    error = ((a[0] * b[0] - product[near]) + a[0] * b[1] + a[1] * b[0]) + a[1] * b[1]
    gaps[near] += error
    if epsilon0 < 1e-270:  # the rounding errors of the products underflow, so add a bound on them
        gaps += 8 * math.ulp(0.0)
    return np.asarray(gaps)


def _halves(x: Vector) -> tuple[Vector, Vector]:
    """Split each float in x into a sum of two floats with half the digits each."""
    scaled = 134217729.0 * x
    high = scaled - (scaled - x)
    return high, x - high


def _log_binomial(x: Vector, k: int, epsilon0: float) -> Vector:
    """Return log P(N = x), N ~ Bin(k, e^epsilon0/(1 + e^epsilon0)), by Loader (2000)."""
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
    """Return log n! - log(sqrt(2 pi n) (n/e)^n) for integers n >= 1."""
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
    """Return x log(x / mean) + mean - x, without cancellation where x is close to the mean."""
    v = (x - mean) / (x + mean)
    near = np.abs(v) < 0.25
    with np.errstate(divide="ignore", over="ignore"):
        far = x * np.log(x / mean) + mean - x
    if not near.any():
        return far
    w = np.where(near, v, 0.0)
    square = w * w
    # sum the series (x - mean) v + 2 x (v^3/3 + v^5/5 + ...) for small v
    series = np.zeros_like(w)
    for n in range(14, 0, -1):
        series = (series + 1 / (2 * n + 1)) * square
    return np.asarray(np.where(near, (x - mean) * w + 2 * x * w * series, far))


def worst_steps(step: ApproxDP, k: int) -> DiscreteLoss:
    """Return the privacy loss of the worst case of k steps of (epsilon, delta)-DP.

    The worst case is k-fold randomized response on the same secret bit, in which each response,
    with probability delta, reveals the bit with certainty. The loss compares the secrets 1 and 0;
    the outcomes are: 1 is revealed; N of the k responses are 1, for N from k to 0; 0 is revealed.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step.
    k : int
        The number of steps, from 1 to 10^6, with k epsilon at most 700.

    Returns
    -------
    DiscreteLoss
        For delta = 0 its largest loss is k epsilon, so sequential composition is tight.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), section 4.

    Examples
    --------
    >>> round(worst_steps(ApproxDP(0.1, 0.0), 64).max(), 12)
    6.4
    """
    step, k = checked_step("step", step), _check.count("k", k)
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
    # underflowing probabilities become the smallest float > 0, as in `DiscreteLoss.product`
    inner = np.maximum(kept * p, math.ulp(0.0)) if kept > 0 else np.zeros_like(p)
    p = np.concatenate(([out], inner, [0.0]))
    sure = math.inf if out > 0 else 0.0
    # pass the exact losses, because losses computed from the rounded probabilities may be equal
    # where the exact ones differ
    losses = np.concatenate(([sure], (2 * x - k) * step.epsilon, [-sure]))
    # reversing the outcomes gives the distribution for the other bit
    return DiscreteLoss._of(p, p[::-1].copy(), losses)


# --- checks of arguments, and the deltas of the steps themselves ----------------------------------


def checked_step(name: str, value: object) -> ApproxDP:
    """Return the step after checking that it is an `ApproxDP` with an epsilon of at most 700."""
    _check.instance(name, value, ApproxDP)
    assert isinstance(value, ApproxDP)
    if value.epsilon > MOST_EPSILON:
        raise ValueError(f"{name} must have epsilon <= 700, got {name}={value!r}")
    return value


def one_of_both(
    epsilon: float | None, delta: float | None, domain: _check.Domain = _check.NON_NEGATIVE
) -> tuple[float | None, float | None]:
    """Return epsilon and delta, of which one must be None, after checking the other's range."""
    _check.exactly_one(epsilon, delta)
    if epsilon is not None:
        return _check.real("epsilon", epsilon, domain), None
    return None, _check.real("delta", delta, _check.PROBABILITY)


def joint_delta(log_kept: float, delta: float) -> float:
    """Return 1 - e^log_kept (1 - delta), rounded up, without cancellation.

    This is the delta of all steps together. With probability 1 - e^log_kept the loss of some step
    is infinite; otherwise the finite losses contribute `delta`.
    """
    if delta == 1 or log_kept == -math.inf:
        return 1.0
    if log_kept == 0:
        return delta
    return min(1.0, _numerics.up(-math.expm1(log_kept + math.log1p(-delta))))


def left_for_losses(log_kept: float, delta: float) -> float:
    """Return how much the finite losses of all steps may contribute to a total delta of `delta`.

    With probability 1 - e^`log_kept` the loss of some step is infinite. The result is the largest
    number for which `joint_delta(log_kept, number)` is at most `delta`, rounded down, and negative
    if no number is small enough.
    """
    if delta == 1:
        return 1.0
    if log_kept == -math.inf:
        return -1.0
    if log_kept == 0:
        return delta
    there = math.log1p(-delta)
    down = (there - log_kept) + _numerics.MARGIN * (abs(there) + abs(log_kept))
    if down > 1:  # the steps' own deltas exceed delta by far, and the exponential may overflow
        return -1.0
    return -math.expm1(down) * (1 - _numerics.MARGIN)
