"""Floating-point arithmetic that the rest of the library relies on.

The functions follow two rules. First, differences of nearly equal numbers are computed in a form
without cancellation. Second, a number that is returned as an upper bound is rounded up: `up`,
`sum_up` and `exp_up` are the last step of a formula and add more than the rounding errors of the
formula; `product_up` and `quotient_up` round up exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

#: the basic relative margin by which results are rounded up: 8 times the spacing of floats at 1
MARGIN = 8 * float(np.finfo(np.float64).eps)

#: the logarithm of the largest float
LOG_MAX = math.log(float(np.finfo(np.float64).max))
#: the smallest normal float, stored here because looking it up at each call of `_middle` is slow
_TINY = float(np.finfo(np.float64).tiny)


def up(value: float, exponent: float = 0.0) -> float:
    """Return a float that is above `value` by more than a few rounding errors.

    The margin is `MARGIN` times the value, and 0 is returned unchanged. If the value is an
    exponential e^x, pass x as `exponent`: the relative error of an exponential is proportional to
    x, so the margin is multiplied by 1 + |x|.

    >>> up(1.0) > 1.0
    True
    >>> up(math.exp(700.0), exponent=700.0) > math.exp(math.nextafter(700.0, math.inf))
    True
    """
    if value == 0:
        return value
    # the relative margin of a subnormal float is below the spacing of floats, so add at least this
    # spacing
    return value + max(abs(value) * MARGIN * (1 + abs(exponent)), math.ulp(0.0))


def product_up(x: float, y: float) -> float:
    """Return the smallest float that is at least x y, for x, y >= 0.

    >>> product_up(0.5, 3.0), product_up(0.1, 3.0)
    (1.5, 0.30000000000000004)
    """
    product = x * y
    if product < math.inf and Fraction(product) < Fraction(x) * Fraction(y):
        return math.nextafter(product, math.inf)
    return product


def quotient_up(x: float, y: float) -> float:
    """Return the smallest float that is at least x / y, for x >= 0 and y > 0.

    >>> quotient_up(3.0, 4.0), quotient_up(1.0, 3.0) > 1 / 3
    (0.75, True)
    """
    quotient = x / y
    if quotient < math.inf and Fraction(quotient) * Fraction(y) < Fraction(x):
        return math.nextafter(quotient, math.inf)
    return quotient


def positive(value: float) -> float:
    """Return a number > 0, or the smallest float > 0 if the number has underflowed to 0.

    As a privacy parameter, 0 would claim perfect privacy, which would be false.

    >>> positive(1e-200 * 1e-200)
    5e-324
    """
    return max(value, math.nextafter(0.0, 1.0))


def root_up(square: Fraction) -> float:
    """Return the smallest float that is at least the square root of `square`; inf on overflow.

    >>> root_up(Fraction(4)), root_up(Fraction(2)) > root_up(Fraction(1999999999, 10**9))
    (2.0, True)
    """
    root = nearest(square, 2)
    return (
        math.nextafter(root, math.inf) if root < math.inf and Fraction(root) ** 2 < square else root
    )


def total(terms: Iterable[float]) -> float:
    """Return the correctly rounded sum of terms, infinite if it or a partial sum overflows.

    >>> total([1e308, 1e308])
    inf
    """
    try:
        return math.fsum(terms)
    except OverflowError:
        return math.inf


def weighted_total(terms: Iterable[tuple[int, float]], power: int = 1) -> float:
    """Return the float nearest to the sum of count * value, for values >= 0; inf on overflow.

    With power 2, return the float nearest to the root of the sum of count * value^2.

    >>> weighted_total([(10, 0.1)]), weighted_total([(3, 0.1), (1, 0.5)])
    (1.0, 0.8)
    >>> weighted_total([(1, 3.0), (1, 4.0)], 2)
    5.0
    """
    return nearest(sum((k * Fraction(x) ** power for k, x in terms), Fraction(0)), power)


def nearest(total: Fraction, power: int = 1) -> float:
    """Return the float nearest to a total >= 0, or with power 2 to its root; inf on overflow.

    >>> nearest(Fraction(1, 10)), nearest(Fraction(2), 2)
    (0.1, 1.4142135623730951)
    """
    if power == 2:
        # compute 60 binary digits of the root and one more digit, which is 1 if the root has
        # further digits, so that rounding to a float is correct
        top, bottom = total.numerator, total.denominator
        half = max(0, 120 - top.bit_length() + bottom.bit_length()) // 2 + 1
        root = math.isqrt((top << 2 * half) // bottom)
        total = Fraction(2 * root + (root * root * bottom != top << 2 * half), 2 << half)
    try:
        return float(total)
    except OverflowError:
        return math.inf


def sum_up(*terms: float) -> float:
    """Return a float above the exact sum of terms that each carry a few rounding errors.

    >>> 0 < sum_up(1.0, -1.0) < 1e-14
    True
    """
    return total(terms) + total(MARGIN * abs(term) for term in terms)


def log_up(logarithm: float) -> float:
    """Return a float above a logarithm that carries a few rounding errors; return -inf unchanged.

    >>> log_up(-math.inf)
    -inf
    """
    if logarithm == -math.inf:
        return logarithm
    return logarithm + MARGIN * (1 + abs(logarithm))


def exp(exponent: float) -> float:
    """Return e to the exponent, infinite on overflow.

    >>> exp(1000.0)
    inf
    """
    return math.inf if exponent > LOG_MAX else math.exp(exponent)


def expm1(exponent: float) -> float:
    """Return exp(exponent) - 1, infinite on overflow."""
    return math.inf if exponent > LOG_MAX else math.expm1(exponent)


def exp_up(exponent: float) -> float:
    """Return a float above e^exponent, even if the exponent has a few rounding errors; never 0.

    >>> exp_up(-1e6) > 0
    True
    """
    value = exp(log_up(exponent))
    # the relative margin of a subnormal float is below the spacing of floats, so add at least this
    # spacing
    return value if value > 1e-290 else math.nextafter(value, 1.0)


def log1p_over(x: float) -> float:
    """Return log(1 + x)/x for a number x > -1, and its limit 1 at x = 0.

    >>> log1p_over(0.0), log1p_over(1.0)
    (1.0, 0.6931471805599453)
    """
    return math.log1p(x) / x if x else 1.0


def log1mexp(exponent: float) -> float:
    """Return log(1 - e^exponent) for an exponent <= 0.

    >>> log1mexp(-1e-20)
    -46.051701859880914
    """
    if exponent == 0:
        return -math.inf
    if exponent > -math.log(2):
        return math.log(-math.expm1(exponent))
    return math.log1p(-math.exp(exponent))


def logistic(x: float) -> float:
    """Return 1 / (1 + e^-x), with full relative accuracy for negative and positive x.

    >>> logistic(-800.0) > 0, logistic(0.0)
    (False, 0.5)
    """
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def first_true(
    condition: Callable[[float], bool], low: float, high: float, *, precision: float = 0.0
) -> float:
    """Return the smallest float in (low, high] at which a monotone condition holds.

    The condition must fail below some point and hold above this point. Unless the result is
    `high`, the condition was evaluated at the result and holds there. Bisection runs first on the
    exponent and then on the mantissa, with at most about 75 evaluations.

    Parameters
    ----------
    condition : callable
        A function from a float to a bool, first false and then true.
    low, high : float
        0 <= low <= high < inf.
    precision : float
        The relative amount by which the result may exceed the smallest float at which the
        condition holds; by default 0.

    Returns
    -------
    float
        The smallest float; `high` if the condition fails at every other float that is tried.

    Examples
    --------
    >>> first_true(lambda x: x * x >= 2, 0.0, 10.0)
    1.4142135623730951
    """
    while True:
        middle = _middle(low, high)
        if not low < middle < high or high - low <= precision * high:
            return high
        if condition(middle):
            high = middle
        else:
            low = middle


def crossing(
    function: Callable[[float], float],
    low: float,
    high: float,
    tolerance: float,
    *,
    slope: float = math.inf,
) -> float:
    """Return a point in [low, high] at which an increasing function lies in [0, tolerance].

    The search has evaluated `function` at the returned point and found a value >= 0, unless the
    value is negative even at `high`. The secant method takes about five evaluations for a nearly
    linear function; where it makes no progress, the interval is halved.

    Parameters
    ----------
    function : callable
        A function from a float to a float, which may be infinite.
    low, high : float
        Finite, with low < high.
    tolerance : float
        Positive. If rounding errors of the function are larger, the search ends where no float
        lies between the result and the last point at which the function was negative.
    slope : float
        An estimate of the slope of the function at `high`, for the first step of the search. With
        the default, the first step goes to `low`.

    Returns
    -------
    float
        The point: `low` if the function is >= 0 at `low`, and `high` if the function is negative
        at every other point that is tried.

    Examples
    --------
    >>> round(crossing(lambda x: x * x - 2, 0.0, 10.0, 1e-12), 9)
    1.414213562
    """
    bottom, last = low, high
    found = at_last = function(high)
    if not found >= 0:
        return high
    x = high - found / slope
    if not low < x < high:
        x = low
    by_exponent = True
    while found > tolerance:
        value = function(x)
        if value >= 0:
            high, found = x, value
            if x == bottom:
                break
        else:
            low = x
        # aim at half of the tolerance, not at 0, because the function must be >= 0 at the result
        # despite rounding
        step = math.inf
        if abs(value) < abs(at_last) / 2:
            step = (value - tolerance / 2) * ((x - last) / (value - at_last))
        last, at_last = x, value
        x -= step
        if not low < x < high:
            # alternate two ways of halving: at the geometric mean, for roots near 0, and at the
            # midpoint, for steep functions
            x = _middle(low, high) if by_exponent else low + (high - low) / 2
            by_exponent = not by_exponent
            if not low < x < high:
                break
    return high


def _middle(low: float, high: float) -> float:
    """Return a point between two floats: their geometric mean if far apart, else their midpoint.

    If the first float is negative, the result is the midpoint, because no geometric mean exists.
    """
    if low >= 0 and high > 4 * max(low, _TINY):
        return math.sqrt(max(low, _TINY)) * math.sqrt(high)
    return low + (high - low) / 2


def log_ratio(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(p / q) of probabilities, elementwise, accurate where p is close to q.

    The result is -inf where only p is 0, inf where only q is 0, and 0 where both are 0. Swapping p
    and q gives exactly the negative.
    """
    high, low = np.maximum(p, q), np.minimum(p, q)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = high / low
        close = quotient < 2
        # the difference of two floats within a factor of 2 is exact, so log1p((high - low) / low)
        # loses no digits
        ratio = np.where(close, np.log1p((high - low) / low), np.log(quotient))
        # use the less accurate difference of logarithms only where the quotient overflows
        lost = ~(quotient < math.inf)
        if lost.any():
            ratio[lost] = np.log(high[lost]) - np.log(low[lost])
    ratio[high == 0] = 0.0
    return np.asarray(np.where(p >= q, ratio, -ratio))


def alpha_generator(log_u: NDArray[np.float64], order: float) -> NDArray[np.float64]:
    """Return f(u) = (u^a - a u + a - 1) / (a (a - 1)) at u = exp(log_u), for orders a >= 1/2.

    Here a is the order. The function f is convex and >= 0, with f(1) = f'(1) = 0; at a = 1 it is u
    log u - u + 1. The formula for f is inaccurate near u = 1, where its terms cancel, and near a =
    1, where it is 0/0. So two other forms are used. If the product of a and |log_u| is small, f(u)
    is computed as the sum of log_u^k / k! (1 + a + ... + a^(k-2)) over k >= 2. Otherwise it is
    computed as (u (u^(a-1) - 1)/(a-1) - (u - 1)) / a, where expm1 gives the quotient by a-1
    accurately.
    """
    t = np.asarray(log_u, dtype=np.float64)
    b = order - 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        quotient = t if b == 0 else np.expm1(b * t) / b
        direct = (np.exp(t) * quotient - np.expm1(t)) / order
    # where u underflows, the formula gives 0 times inf, so use f(0) = 1/a
    direct = np.where(np.isneginf(t) | ((t < 0) & np.isnan(direct)), 1.0 / order, direct)
    # where u overflows, the formula gives inf - inf, so use inf, because one of the two terms
    # dominates
    direct = np.where(np.isnan(direct), math.inf, direct)
    small = np.abs(t) * max(1.0, order) <= 0.5
    if not small.any():
        return direct
    s = np.where(small, t, 0.0)
    series = np.zeros_like(s)
    term = np.ones_like(s)
    geometric, power = 0.0, 1.0
    for k in range(1, 25):
        term = term * s / k
        if k >= 2:
            geometric, power = geometric + power, power * order
            # end before `geometric` overflows; this happens only for huge orders, for which the
            # series has already converged
            if geometric > 1e250:
                break
            series = series + term * geometric
    return np.where(small, series, direct)


def log_alpha_terms(
    log_p: NDArray[np.float64], log_q: NDArray[np.float64], loss: NDArray[np.float64], order: float
) -> NDArray[np.float64]:
    """Return log(q f(p/q)), with f of `alpha_generator`, even if u = p/q = e^loss overflows.

    Where u is large, the result for the order a is log p + log(((u^(a-1) - 1)/(a-1) - 1 + 1/u)/a),
    because log p keeps the digits that the sum of log q and the loss would lose.
    """
    far = (loss > 30) | (order * loss > 300)
    with np.errstate(divide="ignore"):
        logs = log_q + np.log(alpha_generator(np.where(far, 0.0, loss), order))
    b, t = order - 1.0, loss[far]
    if b == 0:
        logs[far] = log_p[far] + np.log(t - 1 + np.exp(-t))
    elif t.size:
        power = b * t
        with np.errstate(invalid="ignore", divide="ignore"):
            # `near` may be NaN (the log of a number < 0), but only where `high` is used instead
            near = np.log(np.expm1(np.minimum(power, 600.0)) / b + np.expm1(-t)) - math.log(order)
        high = power - math.log(abs(b)) - math.log(order)
        logs[far] = log_p[far] + np.where(power > 600, high, near)
    return logs


def logsumexp(terms: NDArray[np.float64]) -> float:
    """Return log(sum(exp(terms))), without overflow; -inf for no terms."""
    if terms.size == 0:
        return -math.inf
    largest = float(terms.max())
    if math.isinf(largest):
        return largest
    # a difference that overflows to -inf does no harm, because its exponential is 0
    with np.errstate(over="ignore"):
        return largest + math.log(math.fsum(np.exp(terms - largest)))


def rounded_up(value: float) -> str:
    """Return a number as text with six significant digits, rounded up, to print an upper bound.

    If `value` differs from the nearest number of six digits only by rounding errors of floats, the
    result is this nearest number, even if it is slightly below `value`.

    Examples
    --------
    >>> rounded_up(2.446252684), rounded_up(2.44625), rounded_up(0.1 + 0.2), rounded_up(math.inf)
    ('2.44626', '2.44625', '0.3', 'inf')
    """
    return _rounded(value, 1)


def rounded_down(value: float) -> str:
    """Return a number as text with six significant digits, rounded down, to print a lower bound.

    Examples
    --------
    >>> rounded_down(6.187656772), rounded_down(1e-300), rounded_down(99999.99)
    ('6.18765', '1e-300', '99999.9')
    """
    return _rounded(value, -1)


def _rounded(value: float, direction: int) -> str:
    nearest = f"{value:.6g}"
    if not math.isfinite(value):
        return nearest
    if (value - float(nearest)) * direction <= 1e-12 * abs(value):
        return nearest
    step = Decimal(1).scaleb(Decimal(value).adjusted() - 5)
    return f"{float(Decimal(nearest) + direction * step):.6g}"
