"""Conversions of one Rényi divergence to epsilon at a delta, or to delta at an epsilon.

There are two conversions: a closed formula (`epsilon_of_renyi` and its inverse), which takes
microseconds, and a lossless search (`epsilon_of_renyi_optimal` and `delta_of_renyi_optimal`), which
takes about 0.2 milliseconds.

The search works with the alpha divergence of the same order, which determines the Rényi divergence.
Consider all pairs of distributions whose hockey-stick divergence at epsilon is a given delta. If
even the least alpha divergence of such a pair exceeds the bound, this delta is impossible, and so
is every larger one. The search finds the largest delta that is possible.

The least alpha divergence is that of two Bernoulli distributions, (p, 1-p) against (q, 1-q) with
q = (p - delta) e^-epsilon, for some p in (delta, 1]. The reason is that both divergences are
f-divergences, and the values that two f-divergences can take together are attained by pairs of
Bernoulli distributions and by mixtures of such pairs [1]_. Mixtures do not help here, because the
least alpha divergence is convex in delta [2]_. It is easy to find the best p, because the alpha
divergence of the Bernoulli distributions is convex in p.

The closed formula (Canonne, Kamath and Steinke, 2020) drops the term of the second outcome, whose
probabilities are 1-p and 1-q. This term is small where delta is small.

.. [1] Harremoës and Vajda (2011), theorem 8.
.. [2] Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3.
"""

from __future__ import annotations

import math

from dpteach import _numerics


def epsilon_of_renyi(order: float, renyi: float, delta: float) -> float:
    """Return the epsilon >= 0 that a Rényi bound implies at a delta, by a closed formula.

    For an order a in (1, inf) and delta in (0, 1], epsilon is
    renyi + log(1 - 1/a) - (log delta + log a)/(a - 1): Canonne, Kamath and Steinke (2020),
    proposition 12; Asoodeh, Liao, Calmon, Kosut and Sankar (2021), lemma 1.
    """
    b = order - 1
    return max(
        0.0,
        _numerics.sum_up(renyi, _log_shrunk(order), -math.log(delta) / b, -math.log(order) / b),
    )


def delta_of_renyi(order: float, renyi: float, epsilon: float) -> float:
    """Return the delta that a Rényi bound implies: the inverse of `epsilon_of_renyi`."""
    if epsilon == math.inf:
        return 0.0
    b = order - 1
    # if renyi or epsilon is this large, the other terms of the formula are negligible
    if max(b * renyi, b * epsilon) > 1e300:
        excess = _numerics.up(renyi) - epsilon
        return 1.0 if excess >= 0 else _numerics.exp_up(b * excess)
    exponent = _numerics.sum_up(b * renyi, -b * epsilon, b * _log_shrunk(order), -math.log(order))
    return min(1.0, _numerics.exp_up(exponent))


def epsilon_of_renyi_optimal(
    order: float, renyi: float, delta: float, *, most: float = math.inf
) -> float:
    """Return the least epsilon >= 0 that a Rényi bound of one order implies at a delta.

    The order is in (1, inf), and delta in (0, 1]. The result is rounded up, and at most
    `epsilon_of_renyi` and `most`. A search for the best of several orders passes the best epsilon
    so far as `most`, so that the search at a worse order ends at once.
    """
    if renyi == 0 or delta == 1:
        return 0.0
    most = min(most, epsilon_of_renyi(order, renyi, delta))
    budget = _log_alpha_of_renyi(order, renyi)

    def spare(epsilon: float) -> float:
        return _log_least_alpha(order, epsilon, delta) - budget

    # where delta is small, the slope of `spare` is nearly order - 1. Pass 0.9 of it to the search
    # for the root, so that the first step goes beyond the root and brackets it
    return _numerics.crossing(spare, 0.0, most, _tolerance(budget), slope=0.9 * (order - 1))


def delta_of_renyi_optimal(
    order: float, renyi: float, epsilon: float, *, most: float = 1.0
) -> float:
    """Return the least delta that a Rényi bound of an order in (1, inf) implies at an epsilon.

    The argument epsilon is in [0, inf]. The result is rounded up, and at most `delta_of_renyi` (the
    closed formula) and `most`, an upper bound that the caller knows.
    """
    if renyi == 0:
        return 0.0
    most = min(most, delta_of_renyi(order, renyi, epsilon))
    budget = _log_alpha_of_renyi(order, renyi)
    if most == 0 or budget == math.inf:
        return most

    least = math.ulp(0.0)

    def delta(log: float) -> float:
        return max(most * math.exp(log), least)

    # search for log delta instead of delta, because `spare` is nearly linear in log delta
    def spare(log: float) -> float:
        return _log_least_alpha(order, epsilon, delta(log)) - budget

    lowest = math.log(least) - math.log(most)
    return delta(_numerics.crossing(spare, lowest, 0.0, _tolerance(budget)))


def witness_of_renyi(order: float, renyi: float, epsilon: float) -> tuple[float, float]:
    """Return p and q of Bernoulli distributions that attain a Rényi bound and the implied delta.

    The pair is (p, 1-p) against (q, 1-q). For large delta, its Rényi divergence in the other
    direction may be larger than the bound; a claim about both directions then implies a slightly
    smaller delta.
    """
    delta = delta_of_renyi_optimal(order, renyi, epsilon)
    p, log_q, _, _ = _best_pair(order, epsilon, delta)
    return p, math.exp(log_q)


def epsilon_of_zcdp_optimal(rho: float, delta: float, order: float) -> float:
    """Return the epsilon that rho-zCDP implies at a delta by the best Rényi order near a given one.

    Each order gives an upper bound, so the search for the best order need not be exact.
    """
    from scipy.optimize import minimize_scalar

    def at(log_b: float) -> float:
        a = max(1 + math.exp(log_b), math.nextafter(1, 2))
        return epsilon_of_renyi_optimal(a, _numerics.up(a * rho), delta)

    start = math.log(order - 1)
    found = minimize_scalar(
        at, bounds=(start - 0.5, start + 0.5), method="bounded", options={"xatol": 1e-4}
    )
    return min(at(start), float(found.fun))


def _tolerance(budget: float) -> float:
    """Return the tolerance of a search that stops where a log divergence is equal to `budget`.

    It is less than the margins that are added for rounding.
    """
    return 1e-15 * (2 + abs(budget))


def _log_alpha_of_renyi(order: float, renyi: float) -> float:
    """Return the log of the alpha divergence for a Rényi divergence of one order, rounded up."""
    exponent = (order - 1) * renyi
    if exponent < 1e-290:  # smaller products may be subnormal floats, with few correct digits
        log = math.log(renyi) - math.log(order)
    else:
        log = math.log(math.expm1(exponent)) if exponent < 30 else exponent
        log -= math.log(order) + math.log(order - 1)
    return log + _numerics.MARGIN * (1 + abs(log) + exponent)


def _log_least_alpha(order: float, epsilon: float, delta: float) -> float:
    """Return the log of the least alpha divergence of pairs of distributions with a given delta.

    The hockey-stick divergence of such a pair at epsilon is delta. The result is rounded down.
    """
    if delta == 1:
        return math.inf
    _, log_q, gain, rest = _best_pair(order, epsilon, delta)
    logs = [log_q + _log_generator(gain, order)]
    if log_q < 0:
        logs.append(_numerics.log1mexp(log_q) + _log_generator(rest, order))
    largest = max(logs)
    least = largest + math.log(math.fsum(math.exp(log - largest) for log in logs))
    # subtract a margin for the rounding errors of `logs`, which grow with the sizes of log_q,
    # order * gain and `least`
    return least - _numerics.MARGIN * (4 + abs(log_q) + order * gain + abs(least))


def _best_pair(order: float, epsilon: float, delta: float) -> tuple[float, float, float, float]:
    """Return p, log q, log(p/q) and log((1-p)/(1-q)) of the pair with the least alpha divergence.

    The pair is (p, 1-p) against (q, 1-q), with hockey-stick divergence delta at epsilon. At the
    best p, the derivative of the alpha divergence of order a in p is 0. The search is for s,
    where p = delta (1 + w) and w = (a-1) e^s. The derivative is negative for s <= 0, and it has
    the sign of the integral of x^(a-2) (1 - e^-epsilon x) from (1-p)/(1-q) to p/q. This sign is
    found by comparing the logarithms of the parts of the integral below and above x = e^epsilon.
    The parts, and p - q = delta (1 + w (1 - e^-epsilon)), are computed without differences of
    nearly equal numbers.
    """
    a, b = order, order - 1
    certain = (1.0, math.log1p(-delta) - epsilon, epsilon - math.log1p(-delta), -math.inf)
    if a * delta >= 1:
        return certain

    def pair(s: float) -> tuple[float, float, float, float]:
        w = b * math.exp(s)
        p = delta * (1 + w)
        log_q = math.log(delta) + math.log(w) - epsilon
        if p >= 1:
            return certain
        apart = delta * (1 - w * math.expm1(-epsilon))
        rest = math.log1p(max(-apart / -math.expm1(min(log_q, -1e-300)), -1 + 1e-16))
        return p, log_q, epsilon + math.log1p(1 / w), rest

    def rising(s: float) -> float:
        return _log_part(pair(s)[3] - epsilon, a) - _log_part(math.log1p(math.exp(-s) / b), a)

    # search for s up to the value where p is 1, but at most 690, so that e^s does not overflow
    last = min(max(0.0, math.log1p(-delta) - math.log(delta) - math.log(b)), 690.0)
    # near the s at which the divergence is least, an error of 1e-10 in s changes the divergence
    # only by a relative 1e-20
    return pair(_numerics.crossing(rising, 0.0, last, 1e-10))


def _log_part(t: float, order: float) -> float:
    """Return the log of the integral of e^((a-1) z) (e^z - 1) from 0 to t, for order a.

    The integral is e^(a t) f(e^-t) for f(u) = (u^a - a u + a - 1)/(a (a-1)).
    """
    b = order - 1
    if b * t < -30:  # the integral is its limit for t -> -inf, 1/(a (a-1)), times 1 - `missing`
        missing = math.exp(b * t) * (1 - b * math.expm1(t))
        return math.log1p(-missing) - math.log(order) - math.log(b)
    return order * t + _log_generator(-t, order)


def _log_generator(t: float, order: float) -> float:
    """Return log f(u) at u = e^t for f(u) = (u^a - a u + a - 1)/(a (a-1)) and an order a > 1."""
    b = order - 1
    if t == 0:
        return -math.inf
    if t == -math.inf:
        return -math.log(order)
    if abs(t) * order <= 1e-9:
        return 2 * math.log(abs(t)) - math.log(2) + (1 + order) * t / 3
    if abs(t) * order <= 0.5:
        # for small t, sum the power series of f, as `_numerics.alpha_generator` does
        term, geometric, power, sum_ = t, 0.0, 1.0, 0.0
        for k in range(2, 25):
            term *= t / k
            geometric, power = geometric + power, power * order
            sum_ += term * geometric
            if abs(term) * geometric < 1e-18 * sum_:
                break
        return math.log(sum_)
    if t < 0:
        return math.log(math.exp(t) * math.expm1(b * t) / b - math.expm1(t)) - math.log(order)
    if b * t > 30:
        rest = math.exp(-b * t) * (b * math.expm1(-t) - 1)
        return order * t - math.log(b) - math.log(order) + math.log1p(rest)
    return t + math.log(math.expm1(b * t) / b + math.expm1(-t)) - math.log(order)


def _log_shrunk(order: float) -> float:
    """Return log(1 - 1/order) to full relative accuracy."""
    return math.log1p(-1 / order) if order > 2 else math.log(order - 1) - math.log(order)
