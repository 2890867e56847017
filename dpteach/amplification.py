"""Privacy amplification by subsampling, for secret Poisson samples.

`PoissonSubsampled` runs a mechanism on a sample that contains each person independently with
probability q. Let (P, Q) be a dominating pair of the mechanism, where P includes the person. The
subsampled mechanism is dominated by

    ((1 - q) Q + q P, Q)  if a person is removed,  and the reverse if one is added

(Zhu, Dong and Wang, 2022, theorem 11). Neighbors always differ by adding or removing a person,
because this theorem does not cover replace-one neighbors. All functions have this parameter:

rate : float
    The probability q in [0, 1] with which a person is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms import Gaussian, Mechanism, Theorem
from dpteach.mechanisms._base import no_loss, theorem
from dpteach.mechanisms.discrete_gaussian import _LatticeLoss
from dpteach.notions import Adjacency, AlphaDP, ApproxDP, Guarantee, PureDP, RenyiDP
from dpteach.notions.alpha import alpha_of_renyi_up
from dpteach.privacy_loss import MOST_OUTCOMES, DensityLoss, DiscreteLoss, PrivacyLoss

__all__ = [
    "PoissonSubsampled",
    "subsampled_epsilon",
    "subsampled_gaussian_renyi_add",
    "subsampled_gaussian_renyi_remove",
    "subsampled_renyi",
]

Vector = NDArray[np.float64]

#: the log of the largest relative error of the quadrature rule, apart from rounding errors
_LOG_ERROR = -37.0
#: the relative margin by which divergences of the subsampled Gaussian mechanism are rounded up,
#: for the errors of quadrature and rounding
_SAFE = 2e-14
#: the largest number of points of a quadrature grid; instead of a larger grid, a bound in closed
#: form is used
_MOST_POINTS = 2_000_000


# --- Rényi divergences of the subsampled Gaussian mechanism ------------------------------------


def subsampled_gaussian_renyi_remove(
    rate: float, sigma: float, orders: float | Sequence[float]
) -> float | Vector:
    """Return the Rényi divergences of subsampled Gaussian noise if a person is removed.

    Each person is sampled with probability q = `rate`. With s = `sigma`, the divergence of order a
    is D_a((1-q) N(0, s^2) + q N(1, s^2) || N(0, s^2)).

    Parameters
    ----------
    sigma : float
        The standard deviation s of the noise divided by the L2 sensitivity, > 0.
    orders : float or sequence of float
        In [1, inf): any real numbers.

    Returns
    -------
    float or ndarray of shape (number of orders,)
        In nats; rounded up. For sigma >= 0.01, the relative error is below 1e-12 for rates of at
        least 1e-5; for smaller rates it is below 1e-10, or the absolute error below 1e-150.

    Notes
    -----
    Let u = 1 - q + q e^((2x - 1)/(2 s^2)) for x ~ N(0, s^2). Then D_a = log(E[u^a])/(a-1), and
    E[u] = 1. So E[u^a] - 1 is the mean of u^a - a u + a - 1, which is never negative, so nothing
    cancels. The integrand is analytic in the strip |Im x| < pi s^2. So for every d < pi s^2, the
    error of the trapezoidal rule with step h is at most 1/(e^(2 pi d/h) - 1) times the integral of
    the absolute value over the lines |Im x| = d [1]_; h is chosen so that the error is below 1e-15
    of the value. If e^((a-1)/(2 s^2)) q exceeds 1e17, Minkowski's inequality D_a <= a/(a-1) log(1 -
    q + q e^((a-1)/(2 s^2))) is equally precise.

    Cost: proportional to the number of orders, with about 50 to 500 terms for each.

    References
    ----------
    .. [1] Trefethen and Weideman (2014), theorem 5.1.
    .. [2] Mironov, Talwar and Zhang (2019), section 3.

    Examples
    --------
    >>> round(subsampled_gaussian_renyi_remove(0.1, 2.0, 16), 12)
    0.045291839084
    """
    return _of_orders(rate, sigma, orders, add=False)


def subsampled_gaussian_renyi_add(
    rate: float, sigma: float, orders: float | Sequence[float]
) -> float | Vector:
    """Return the Rényi divergences of subsampled Gaussian noise if a person is added.

    Each person is sampled with probability q = `rate`. With s = `sigma`, the divergence of order a
    is D_a(N(0, s^2) || (1-q) N(0, s^2) + q N(1, s^2)).

    The parameters and the rounding are those of `subsampled_gaussian_renyi_remove`, whose result
    is never smaller [1]_.

    References
    ----------
    .. [1] Mironov, Talwar and Zhang (2019), theorem 5.

    Examples
    --------
    >>> round(subsampled_gaussian_renyi_add(0.1, 2.0, 16), 12)
    0.016060242144
    """
    return _of_orders(rate, sigma, orders, add=True)


_ORDER = _check.Domain("finite and >= 1", lambda x: 1 <= x < math.inf)


def _of_orders(
    rate: float, sigma: float, orders: float | Sequence[float], *, add: bool
) -> float | Vector:
    rate = _check.real("rate", rate, _check.PROBABILITY)
    sigma = _check.real("sigma", sigma, _check.POSITIVE)
    checked = np.array(_check.reals("orders", orders, _ORDER))
    values = _renyi_of_subsampled_gaussian(rate, sigma, checked, add=add)
    return float(values[0]) if np.ndim(orders) == 0 else values


@np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")
def _renyi_of_subsampled_gaussian(q: float, sigma: float, orders: Vector, *, add: bool) -> Vector:
    """Return the Rényi divergence of the subsampled Gaussian mechanism at each order, rounded up.

    With Q = N(0, sigma^2) and the mixture M = (1-q) Q + q N(1, sigma^2), the result is D_a(Q || M)
    if `add` is true, because a person is added, and D_a(M || Q) otherwise.
    """
    half = 0.5 / sigma / sigma  # without sampling, the Rényi divergence of order a is a * half
    most = orders * half
    # at each order the divergence overflows, even at order 1, where it is about q * half
    if half == math.inf and not (q == 0 or add):
        return np.full_like(orders, math.inf)
    if q == 0:
        return np.zeros_like(orders)
    if half == 0:
        return np.full_like(orders, _numerics.positive(0.0))
    if q == 1:
        return most * (1 + _numerics.MARGIN)
    b = orders - 1
    if add:
        # the density of the mixture (1-q) Q + q P is at least 1 - q times that of Q, so the loss
        # of Q against the mixture is at most -log(1 - q)
        bound = np.minimum(most, -math.log1p(-q)) * (1 + _numerics.MARGIN)
        # where P and Q are so far apart that they hardly overlap, `bound` is nearly exact
        apart = (11 - 0.5 / sigma) / sigma - 2 * math.log1p(-q) < -40
        close = apart & (b * bound > 1e-9)
    else:
        log_odds = math.log(q) - math.log1p(-q)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            power = b * half
            norm = np.where(
                power > 600,
                power + math.log(q) + np.log1p(np.exp(-power - log_odds)),
                np.log1p(q * np.expm1(np.minimum(power, 600.0))),
            )
            minkowski = np.where(b > 0, orders / b * norm, q * half)
        minkowski = np.where(b < 1e-9, (1 + b) * q * half * (1 + power), minkowski)
        bound = np.minimum(most, minkowski) * (1 + 4 * _numerics.MARGIN)
        close = power + log_odds > 40
    wanted = np.flatnonzero(~close & (bound > 0))
    if wanted.size and sigma > 1e-6:  # a smaller sigma would need too fine a grid
        # `fmin` keeps the bound in closed form where the result of the quadrature is NaN
        summed = _summed(q, sigma, orders[wanted], bound[wanted], add=add)
        bound[wanted] = np.fmin(bound[wanted], summed)
    # a divergence that underflowed to 0 would claim perfect privacy, so return a positive number
    return np.maximum(bound, _numerics.positive(0.0))


def _summed(q: float, sigma: float, orders: Vector, fallback: Vector, *, add: bool) -> Vector:
    """Return the Rényi divergences of the subsampled Gaussian mechanism, by the trapezoidal rule.

    At orders for which the rule needs too many points, the result is that in `fallback`.
    """
    s = 1 - orders if add else orders
    deficit = np.maximum(0.0, 2 - s)
    step = _steps_of_rule(sigma, deficit)
    first, last = _ranges(q, sigma, s, deficit)
    counts = np.ceil((last - first) / step) + 2
    values = fallback.copy()
    ranked = np.argsort(counts)
    ranked = ranked[counts[ranked] <= _MOST_POINTS]
    while ranked.size:
        # use the same points for a group of orders that need similar numbers of points; the group
        # is small, to limit the memory
        fewest = counts[ranked[0]]
        alike = int(np.searchsorted(counts[ranked], 1.4 * fewest + 10, side="right"))
        some = ranked[: max(1, min(alike, int(_MOST_POINTS / 10 / fewest)))]
        ranked = ranked[some.size :]
        h = float(step[some].min())
        x = np.arange(first[some].min(), last[some].max() + h, h)
        values[some] = _rule(q, 1 / sigma, orders[some], x, h, add=add)
    return values


def _steps_of_rule(sigma: float, deficit: Vector) -> Vector:
    """Return the step of the trapezoidal rule for a relative error of at most e^_LOG_ERROR.

    The step h is in standard deviations. The error of the rule is at most 1/(e^(2 pi d/h) - 1)
    times the integral of the absolute value over the two lines Im x = d and Im x = -d. So h follows
    from d (`depth`) and a bound e^`grown` on how much larger this integral is over one of these
    lines than over the real line.

    The integrand is the Gaussian density times f_s(u) = u^s - s u + s - 1, where u = 1 - q + q e^L,
    L = x/sigma + constant is the loss without sampling, and s is the order, or 1 minus the order if
    a person is added. f_s(u) is s (s-1) times the integral over t in [0, 1] of
    (1-t) (u-1)^2 (1 + t (u-1))^(s-2). Let theta = d/sigma, and let `deficit` be max(2 - s, 0). The
    bound is a product of three factors, because on the line Im x = d,

    - the Gaussian density grows by the factor e^(d^2/2);
    - the power with the exponent s - 2 grows by at most the factor cos(theta/2)^-deficit;
    - the mean of |u-1|^2, with the density times the power as weights, grows by at most the factor
      1 + 4 sin^2(theta/2) (sigma^2 + deficit/4). For |u-1|^2 is at most q^2 (e^L - 1)^2, its value
      on the real line, plus 4 q^2 sin^2(theta/2) e^L.

    The last factor is large enough if the mean of (e^L - 1)^2 divided by that of e^L is at least
    1/(sigma^2 + deficit/4). As (e^L - 1)^2 >= L^2 e^L, this quotient is at least the variance of L
    under the density proportional to e^L times the weights. The second derivative of this density's
    logarithm is at least -1 - deficit/(4 sigma^2), so the variance of x, and with it that of L, has
    a lower bound (Cramer-Rao).
    """
    curvature = 1 + deficit / (4 * sigma * sigma)
    depth = np.minimum(np.sqrt(-2 * _LOG_ERROR / curvature), 0.95 * math.pi * sigma)
    theta = depth / sigma
    grown = depth * depth / 2 - deficit * np.log(np.cos(theta / 2))
    grown = grown + np.log1p(4 * np.sin(theta / 2) ** 2 * (sigma * sigma + deficit / 4))
    return 2 * math.pi * depth / (grown + math.log(2) + 1 - _LOG_ERROR)


def _ranges(q: float, sigma: float, s: Vector, deficit: Vector) -> tuple[Vector, Vector]:
    """Return the limits outside which lies at most the fraction e^_LOG_ERROR of the integral.

    The integrand is the Gaussian density times f_s(u) = u^s - s u + s - 1, where u = 1 - q + q e^L,
    L is the loss without sampling, and s is the order, or 1 minus the order if a person is added.
    The limits, in standard deviations, are -(c + t) on the left and c + t + 1/(2 sigma) on the
    right, with a different c for each side. Beyond a limit lies at most the fraction
    (c + 2) e^(2 - (t-2)^2/2) of the integral; t is chosen accordingly.

    This fraction follows from bounds on the slope of the integrand's logarithm at an output x. On
    the right, the slope is below c - x + 2/(x - 1/(2 sigma)) with c = max(s, 2)/sigma. On the left,
    the slope toward the left is below c - |x| + 2/|x|. Let pi(x) be the probability, given the
    output x, that the person was sampled. Then c is the solution of c = `deficit` pi(-c)/sigma,
    where `deficit` is max(2 - s, 0).
    """
    right = np.maximum(s, 2.0) / sigma
    log_odds = math.log(q) - math.log1p(-q)

    def centre_at(middle: Vector) -> Vector:
        with np.errstate(over="ignore"):
            share = 1 / (1 + np.exp(middle / sigma + 0.5 / sigma / sigma - log_odds))
        return deficit / sigma * share

    # find the solution c = centre_at(c) for the limit on the left. Bisection works because
    # `centre_at` decreases, and `high` is at least c after every step.
    low, high = np.zeros_like(s), centre_at(np.zeros_like(s))
    for _ in range(30 if deficit.max() > 1 else 0):
        middle = (low + high) / 2
        enough = middle >= centre_at(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)

    def beyond(centre: Vector) -> Vector:
        return centre + 2.5 + np.sqrt(2 * (3 - _LOG_ERROR + np.log(centre + 2)))

    return -beyond(high), beyond(right) + 0.5 / sigma


def _rule(q: float, tilt: float, orders: Vector, x: Vector, step: float, *, add: bool) -> Vector:
    """Return the Rényi divergences of the subsampled Gaussian mechanism, rounded up.

    They follow from integrals, which the trapezoidal rule computes from the points x.
    """
    loss = (x - tilt / 2) * tilt
    log_u = _log_mixed(q, loss)
    log_weight = math.log(step) - 0.5 * math.log(2 * math.pi) - x * x / 2
    # bound the rounding errors of the logarithms at each point; `_divergences` multiplies `grown`
    # by the order, but not `fixed`
    grown = np.maximum(-log_u if add else loss, 0.0)
    fixed = 40 + 2 * np.abs(loss) + x * x / 2
    return _divergences(log_u, log_weight, orders, (grown, fixed), add=add)


def _divergences(
    log_u: Vector, log_weight: Vector, orders: Vector, errors: tuple[Vector, Vector], *, add: bool
) -> Vector:
    """Return log(1 + sum of weight times f(u))/b for each order, with b = order - 1, rounded up.

    Here f(u) = u^s - s u + s - 1 with s = order, or s = -b if `add`. In the arrays, columns are
    points and rows are orders. The relative error of a term is at most 2^-51 (order * errors[0] +
    errors[1]); these errors are added, so that the result is an upper bound.
    """
    a = orders[:, None]
    b = np.maximum(a - 1, 1e-200)
    s = -b if add else a
    exponents = s * log_u + log_weight
    largest = exponents.max(axis=1, keepdims=True)
    values = np.empty((orders.size, 1))
    # `alone` selects the rows in which u^s is so large that all other terms of f are negligible
    alone = np.ravel(largest > 60 + 2 * np.log(a))
    if alone.any():
        top = largest[alone]
        logs = top + np.log(np.exp(exponents[alone] - top).sum(axis=1, keepdims=True))
        logs += (a[alone] * errors[0].max() + errors[1].max()) * 2**-51
        values[alone] = logs / b[alone]
    if not alone.all():
        rest = ~alone
        a, b, s, exponents = a[rest], b[rest], s[rest], exponents[rest]
        weight, u_weight = np.exp(log_weight), np.exp(log_u + log_weight)
        slope = np.where(log_u < 1, np.expm1(np.minimum(log_u, 1.0)) * weight, u_weight - weight)
        # compute f/b (f and b of the docstring) as u (u^b - 1)/b - (u - 1), or for s = -b as (u^-b
        # - 1)/b + (u - 1)
        powers = (-b if add else b) * log_u
        f = np.expm1(np.minimum(powers, 300.0)) * (weight if add else u_weight)
        if powers.max() > 300:
            f[powers > 300] = np.exp(exponents[powers > 300])
        f /= b
        f += slope if add else -slope
        # near u = 1, use the series of f/(a b) in w = log u: the sum over k >= 2 of w^k/k! (1 + s +
        # ... + s^(k-2))
        small = np.abs(log_u) * a <= 0.1
        f[small] = 0.0
        moments = np.cumprod(log_u / np.arange(1, 13)[:, None], axis=0)[1:] * weight
        factors = np.cumsum(np.vander(s.ravel(), len(moments), increasing=True), axis=1)
        series = (small @ moments.T * factors).sum(axis=1, keepdims=True)
        error = f @ errors[0] + f @ errors[1] / a.ravel() + small @ (moments[0] * errors[1])
        alpha = f.sum(axis=1, keepdims=True) / a + series + error[:, None] * 2**-51
        excess = a * b * alpha
        shrunk = np.where(excess > 0, np.log1p(excess) / excess, 1.0)
        # return at least 1e-150: in a smaller divergence, weights of points may have underflowed
        values[rest] = np.maximum(a * alpha * shrunk, 1e-150)
    return values.ravel() * (1 + _SAFE)


# --- bounds for any sampled mechanism, from its guarantee --------------------------------------


def subsampled_epsilon(epsilon: float, rate: float) -> float:
    """Return the epsilon of a mechanism on a Poisson sample: log(1 + q (e^epsilon - 1)).

    Here q = `rate` is the probability with which a person is sampled. The delta on the sample is q
    times the delta of the mechanism on all data.

    Parameters
    ----------
    epsilon : float
        The epsilon of the mechanism on all data, in [0, inf), in nats.

    Returns
    -------
    float
        In nats; rounded up. The result is tight: the hockey-stick divergence of the sampled
        mechanism at the returned epsilon is q times that of the mechanism at the given epsilon.

    References
    ----------
    Balle, Barthe and Gaboardi (2018), theorem 8.

    Examples
    --------
    >>> round(subsampled_epsilon(1.0, 0.01), 12)
    0.017036863236
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    rate = _check.real("rate", rate, _check.PROBABILITY)
    if rate in (0.0, 1.0):
        return rate * epsilon
    if epsilon < 30:
        inner = math.log1p(rate * math.expm1(epsilon))
        return min(epsilon, _numerics.up(_numerics.positive(inner) if epsilon > 0 else 0.0))
    rest = math.log1p((1 - rate) / rate * math.exp(-epsilon)) if epsilon < 700 else 1e-300 / rate
    return min(epsilon, max(0.0, _numerics.sum_up(epsilon, math.log(rate), rest)))


def subsampled_renyi(claim: RenyiDP, rate: float) -> RenyiDP:
    """Return the Rényi guarantee of any mechanism on a Poisson sample.

    Each person is sampled with probability q = `rate`. Let D_j be the claimed divergence of order
    j, or of the next larger order in the claim. The result at an integer order a is
    log((1-q)^(a-1) (1 + (a-1) q) + C(a,2) q^2 (1-q)^(a-2) e^(D_2)
    + 3 sum over j >= 3 of C(a,j) q^j (1-q)^(a-j) e^((j-1) D_j)) / (a-1).

    Parameters
    ----------
    claim : RenyiDP
        The guarantee of the mechanism on all data, for add/remove neighbors, with an integer
        order in [2, 10^4] or the order inf.

    Returns
    -------
    RenyiDP
        An upper bound, at each finite integer order of the claim from 2 on, and at the order inf
        if the claim has it.

    Notes
    -----
    If a person is removed, the sum without the factor 3 is exact for exact D_j. If a person is
    added, the curve D_j does not determine the divergence, and the factor 3 bounds it.

    References
    ----------
    Zhu and Wang (2019), theorem 5.

    Examples
    --------
    >>> whole = RenyiDP(range(2, 33), [j / 50 for j in range(2, 33)])
    >>> round(subsampled_renyi(whole, 0.01).epsilons[0], 12)
    4.081069e-06
    """
    _check.instance("claim", claim, RenyiDP)
    rate = _check.real("rate", rate, _check.PROBABILITY)
    if claim.adjacency is not Adjacency.ADD_REMOVE:
        raise ValueError(
            "claim must be about adding or removing a person, "
            f"got claim with adjacency={claim.adjacency}"
        )
    given, epsilons = np.array(claim.orders), np.array(claim.epsilons)
    targets = [a for a in claim.orders if 2 <= a <= _LARGEST_ORDER and a == math.floor(a)]
    if not targets and math.inf not in claim.orders:
        raise ValueError(
            f"claim must have an integer order from 2 to {_LARGEST_ORDER}, or inf, "
            f"got orders={_check.shown(claim.orders)}"
        )
    pairs = []
    if targets:
        whole = np.arange(2, int(max(targets)) + 1)
        curve = epsilons[np.searchsorted(given, whole)]
        for a in targets:
            bound = _binomial(int(a), rate, curve[: int(a) - 1], 3.0)
            pairs.append((a, min(bound, float(curve[int(a) - 2]))))
    if claim.orders[-1] == math.inf:
        pairs.append((math.inf, subsampled_epsilon(claim.epsilons[-1], rate)))
    return RenyiDP(*zip(*pairs, strict=True))


#: the largest order of a binomial sum, which is also the number of its terms
_LARGEST_ORDER = 10_000


def _binomial(a: int, q: float, curve: Vector, factor: float) -> float:
    """Return the bound of `subsampled_renyi` at an integer order a, rounded up.

    The bound is log(1 + sum over j >= 2 of C(a,j) q^j (1-q)^(a-j) (c_j e^((j-1) D_j) - 1))/(a-1),
    where c_j is 1 for j = 2 and `factor` from j = 3 on. `curve` holds D_2 to D_a, the Rényi
    divergences of the mechanism on all data.
    """
    if q == 0:
        return 0.0
    if q == 1:
        return float(curve[-1])
    j = np.arange(2.0, a + 1)
    i = np.arange(1.0, a // 2 + 1)
    logs = np.log((a + 1 - i) / i)
    log_choose = np.concatenate(([0.0], np.cumsum(logs)))
    rounded = np.concatenate(([0.0], np.cumsum(1 + np.abs(logs) + log_choose[1:])))
    # use C(a, j) = C(a, a - j), so that only the smaller of j and a - j is needed
    nearer = np.minimum(j, a - j).astype(np.int64)
    sampled, left_out = j * math.log(q), (a - j) * math.log1p(-q)
    with np.errstate(over="ignore"):
        gain = (j - 1) * curve
    tripled = np.where(j >= 3, math.log(factor), 0.0) + gain
    with np.errstate(divide="ignore", over="ignore"):
        gained = np.where(
            tripled < 1,
            np.log(np.expm1(np.minimum(tripled, 1.0))),
            tripled + np.log1p(-np.exp(-tripled)),
        )
    # large logarithms may cancel, so bound the error of the sum by a few units in the last place
    # of each logarithm
    sizes = 1 + rounded[nearer] - sampled - left_out + gain + np.abs(gained)
    log_term = log_choose[nearer] + sampled + left_out + gained
    log_term += _numerics.MARGIN / 2 * np.where(np.isfinite(sizes), sizes, 0.0)
    log_excess = _numerics.logsumexp(log_term)
    if log_excess == -math.inf:
        return 0.0
    log_excess += 2 * _numerics.MARGIN * (1 + abs(log_excess))
    value = math.log1p(math.exp(log_excess)) if log_excess < 30 else log_excess + 1e-13
    return _numerics.up(_numerics.positive(value / (a - 1)))


# --- the class of sampled mechanisms -----------------------------------------------------------

#: mechanisms for which relabeling the outcomes exchanges the output distributions P and Q of the
#: worst-case neighbors
_SYMMETRIC = (
    "Gaussian",
    "Laplace",
    "RandomizedResponse",
    "KaryRandomizedResponse",
    "DiscreteLaplace",
    "DiscreteGaussian",
)


@dataclass(frozen=True, repr=False)
class PoissonSubsampled(Mechanism):
    """A mechanism applied to a Poisson sample, which contains each person independently.

    Parameters
    ----------
    mechanism : Mechanism
        A mechanism for add/remove neighbors: its adjacency is ``ADD_REMOVE``.
    rate : float
        The probability in [0, 1] with which a person is sampled.

    Notes
    -----
    PureDP, ApproxDP, RenyiDP and AlphaDP guarantees exist if the mechanism has them. There are no
    GaussianDP or ZCDP guarantees: for Gaussian noise, sampling would not reduce mu or rho, because
    it hardly changes the Rényi divergences at large orders. The sample and its size must stay
    secret.

    References
    ----------
    Zhu, Dong and Wang (2022), theorem 11; Mironov, Talwar and Zhang (2019).

    Examples
    --------
    >>> step = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01)
    >>> round(step.guarantee(RenyiDP, orders=8).epsilons[0], 12)
    0.000893643908
    >>> round(step.guarantee(ApproxDP, epsilon=0.5).delta, 12)
    2.21452e-07
    """

    mechanism: Mechanism
    rate: float
    adjacency: Adjacency = field(init=False, default=Adjacency.ADD_REMOVE)

    def __post_init__(self) -> None:
        _check.instance("mechanism", self.mechanism, Mechanism)
        if self.mechanism.adjacency is not Adjacency.ADD_REMOVE:
            raise ValueError(
                "mechanism must be about adding or removing a person, got mechanism="
                f"{_check.shown(self.mechanism)} with adjacency={self.mechanism.adjacency}"
            )
        object.__setattr__(self, "rate", _check.real("rate", self.rate, _check.PROBABILITY))

    def __repr__(self) -> str:
        return f"PoissonSubsampled({self.mechanism!r}, rate={self.rate!r})"

    def privacy_loss(self) -> PrivacyLoss:
        """Return the privacy loss of ((1-q) Q + q P, Q), the worst case where a person is removed.

        P and Q are the worst output distributions of the mechanism with and without the person, and
        q is the sampling rate. The reverse of the returned loss is the privacy loss where a person
        is added.

        Raises
        ------
        TypeError
            If the mechanism has no worst-case neighbors.

        Examples
        --------
        >>> round(PoissonSubsampled(Gaussian(1.0), 0.5).privacy_loss().total_variation(), 12)
        0.191462461274
        """
        return self._mixed(self.mechanism.privacy_loss())

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> PrivacyLoss:
        """Return the privacy loss of the outputs with and without a person who may be sampled.

        Parameters
        ----------
        value, neighbour : array_like
            True values with and without the person, of the same shape. P is the output distribution
            if the person is sampled with probability `rate`, and Q if the person is absent.

        Examples
        --------
        >>> loss = PoissonSubsampled(Gaussian(1.0), 0.5).privacy_loss_between(3.0, 4.0)
        >>> round(loss.total_variation(), 12)
        0.191462461274
        """
        return self._mixed(self.mechanism.privacy_loss_between(value, neighbour))

    def _mixed(self, loss: PrivacyLoss) -> PrivacyLoss:
        q = self.rate
        if q == 0:
            return no_loss()
        if q == 1:
            return loss
        if isinstance(loss, _MixedLatticeLoss) and loss.forward:
            # a Poisson sample of a Poisson sample is a Poisson sample whose rate is the product
            q, loss = q * loss.rate, loss.whole
        if isinstance(loss, _LatticeLoss):
            return _MixedLatticeLoss(loss, q)
        if isinstance(loss, DiscreteLoss):
            mixed = _log_mixed(q, loss._log_ratio)
            return DiscreteLoss._of(q * loss.p + (1 - q) * loss.q, loss.q, mixed)
        _check.instance("loss", loss, DensityLoss)
        assert isinstance(loss, DensityLoss)
        return _MixedDensityLoss.of(loss, q)

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """Return the mechanism's output on the sum over a Poisson sample.

        Parameters
        ----------
        value : array_like of real numbers
            One row per person along the first axis: the person's contribution to the true value,
            no larger than the mechanism's sensitivity.

        Returns
        -------
        ndarray
            The output, of the shape of one row.

        Raises
        ------
        ValueError, TypeError
            If the mechanism does not accept the sum.

        Examples
        --------
        >>> half = PoissonSubsampled(Gaussian(sigma=1e-9), rate=0.5)
        >>> float(half.release(np.ones(4), rng=np.random.default_rng(0)).round(6))
        3.0
        """
        rows = _check.array("value", value)
        rng = _check.generator(rng)
        if rows.ndim == 0:
            raise ValueError(
                f"value must have a first axis, the people, got value={_check.shown(value)}"
            )
        sampled = rng.random(rows.shape[0]) < self.rate
        return self.mechanism.release(rows[sampled].sum(axis=0), rng=rng)

    def _theorem(self, notion: type[Guarantee]) -> Theorem:
        found = super()._theorem(notion)
        base = self.mechanism._theorem(notion)
        gaussian = isinstance(self.mechanism, Gaussian)
        if notion in (RenyiDP, AlphaDP) and not gaussian:
            exact_sum = "Mironov, Talwar and Zhang (2019), theorem 5, and convexity in the order"
            source = exact_sum if _symmetric(self) else "Zhu and Wang (2019), theorem 5"
            return replace(found, source=source, tight=False)
        return replace(found, tight=base.tight)

    def _why_no_theorem(self, notion: type[Guarantee]) -> str:
        return "; a mixture has no Gaussian tail"


def _log_mixed(q: float, loss: Vector) -> Vector:
    """Return the loss of (1 - q) Q + q P against Q from the loss of P: log(1 - q + q e^loss)."""
    near = np.log1p(q * np.expm1(np.minimum(loss, 30.0)))
    if q > 0.5:
        near = np.where(loss < -1, np.log(1 - q + q * np.exp(np.minimum(loss, 0.0))), near)
    return np.where(loss < 30, near, np.logaddexp(loss + math.log(q), math.log1p(-q)))


def _log_unmixed(q: float, level: float) -> float:
    """Return the loss for which `_log_mixed` is `level`, or -inf if there is no such loss."""
    if level > 30:
        return level - math.log(q) + math.log1p(-(1 - q) * math.exp(-level))
    ratio = math.expm1(level) / q
    if ratio == math.inf:
        return math.log(math.expm1(level)) - math.log(q)
    return math.log1p(ratio) if ratio > -1 else -math.inf


def _log_mixture(whole: DensityLoss, rate: float, x: Vector) -> Vector:
    return np.asarray(whole.log_q(x) + _log_mixed(rate, whole._loss(x)))


@dataclass(frozen=True, eq=False)
class _MixedDensityLoss(DensityLoss):
    """The loss of ((1-q) Q + q P, Q), or of the reverse, computed from the loss of (P, Q).

    It is not computed from the densities, because for small q the difference of their logarithms
    would lose all digits.
    """

    whole: DensityLoss = field(kw_only=True)
    rate: float = field(kw_only=True)
    forward: bool = field(kw_only=True)

    @classmethod
    def of(cls, whole: DensityLoss, rate: float) -> _MixedDensityLoss:
        low, high = _log_mixed(rate, np.array(whole.loss_range)).tolist()
        return cls(
            partial(_log_mixture, whole, rate),
            whole.log_q,
            whole.points,
            whole.scale,
            (low, high),
            whole=whole,
            rate=rate,
            forward=True,
        )

    def reversed(self) -> _MixedDensityLoss:
        low, high = self.loss_range
        return replace(
            self,
            log_p=self.log_q,
            log_q=self.log_p,
            loss_range=(-high, -low),
            forward=not self.forward,
        )

    def _loss(self, x: Vector) -> Vector:
        loss = _log_mixed(self.rate, self.whole._loss(x))
        return loss if self.forward else -loss

    def _exceeds(self, x: Vector, level: float) -> NDArray[np.bool_]:
        if self.forward:
            return self.whole._exceeds(x, _log_unmixed(self.rate, level))
        return self.whole.reversed()._exceeds(x, -_log_unmixed(self.rate, -level))


class _MixedLatticeLoss(DiscreteLoss):
    """The loss of ((1-q) Q + q P, Q), or of the reverse, for discrete Gaussians P and Q.

    Here q is the sampling rate. The class lists the outcomes with large probabilities and one
    outcome of infinite loss for all others. Divergences do not use the list: they are sums over all
    integers with non-negligible terms.
    """

    def __init__(self, whole: _LatticeLoss, rate: float, *, forward: bool = True) -> None:
        self.whole, self.rate, self.forward = whole, rate, forward
        mixture, loss = rate * whole.p + (1 - rate) * whole.q, _log_mixed(rate, whole._log_ratio)
        mixture.flags.writeable = False
        self.p, self.q = (mixture, whole.q) if forward else (whole.q, mixture)
        self._log_ratio = loss if forward else 0.0 - loss

    def reversed(self) -> _MixedLatticeLoss:
        return _MixedLatticeLoss(self.whole, self.rate, forward=not self.forward)

    def max(self) -> float:
        return math.inf if self.forward else -math.log1p(-self.rate)

    def _log_terms(self, order: float) -> tuple[Vector, Vector, Vector] | None:
        """Return log p, log q and L = log(p/q) at the integers that contribute to E_Q[e^(order L)].

        The result is None if there are too many such integers.
        """
        weights, shift = self.whole._weights, self.whole._shift
        # if `forward`, e^(order L) is (1 - rate + rate P/Q)^order for discrete Gaussians P and Q;
        # its part with (P/Q)^j contributes around (1 - j) shift, for j from 0 to the order
        farthest = (order - 1) * shift if self.forward else 0.0
        if not farthest < MOST_OUTCOMES:
            return None
        reach = math.ceil(40 * weights.sigma) + 1
        x = np.arange(-math.ceil(max(farthest, 0.0)) - reach, shift + reach + 1.0)
        log_q = weights.log_weight(x - shift) - weights.log_total()
        loss = _log_mixed(self.rate, self.whole._loss(x))
        return (log_q + loss, log_q, loss) if self.forward else (log_q, log_q + loss, -loss)

    def _mean_of_generator(self, order: float, rest: float) -> float:
        if (found := self._log_terms(order)) is None:
            return math.inf
        return _numerics.exp(_numerics.logsumexp(_numerics.log_alpha_terms(*found, order)))

    def _log_power_mean(self, order: float) -> float:
        if (found := self._log_terms(order)) is None:
            return math.inf
        return _numerics.logsumexp(found[1] + order * found[2])

    def _log_mass_of_support(self) -> float:
        return 0.0


def _symmetric(m: PoissonSubsampled) -> bool:
    return type(m.mechanism).__name__ in _SYMMETRIC


@theorem(
    PoissonSubsampled, PureDP, source="Balle, Barthe and Gaboardi (2018), theorem 8", tight=True
)
def _pure(m: PoissonSubsampled) -> PureDP:
    return PureDP(subsampled_epsilon(m.mechanism.guarantee(PureDP).epsilon, m.rate))


@theorem(
    PoissonSubsampled, ApproxDP, source="Balle, Barthe and Gaboardi (2018), theorem 8", tight=True
)
def _approx(
    m: PoissonSubsampled, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    _check.exactly_one(epsilon, delta)
    q = m.rate
    if epsilon is not None:
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        if q == 0:
            return ApproxDP(epsilon, 0.0)
        # compute `whole`, rounded down: if the mechanism has this epsilon on all data, it has
        # `epsilon` on the sample
        if epsilon < 30:
            whole = math.log1p(math.expm1(epsilon) / q)
        else:
            whole = epsilon - math.log(q) + math.log1p(-(1 - q) * math.exp(-epsilon))
        whole = max(0.0, whole - 2 * _numerics.MARGIN * (whole if epsilon < 30 else 1 + whole))
        base = m.mechanism.guarantee(ApproxDP, epsilon=whole)
        delta = min(1.0, _numerics.up(q * base.delta))
        if base.delta > 0:  # keep delta positive if it underflows to 0
            delta = max(delta, math.nextafter(0.0, 1.0))
        return ApproxDP(epsilon, delta)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    if q <= delta:
        return ApproxDP(0.0, delta)
    share = delta / q
    if Fraction(share) * Fraction(q) > delta:
        share = math.nextafter(share, 0.0)
    base = m.mechanism.guarantee(ApproxDP, delta=share)
    return ApproxDP(subsampled_epsilon(base.epsilon, q), delta)


@theorem(
    PoissonSubsampled, RenyiDP, source="Mironov, Talwar and Zhang (2019), theorem 5", tight=True
)
def _renyi(m: PoissonSubsampled, *, orders: float | Sequence[float]) -> RenyiDP:
    base = m.mechanism
    if isinstance(base, Gaussian):
        checked = _check.reals("orders", orders, _ORDER)
        values = _renyi_of_subsampled_gaussian(
            m.rate, base.sigma / base.sensitivity, np.array(checked), add=False
        )
        return RenyiDP(checked, values.tolist())
    domain = _check.Domain(
        f"in [1, {_LARGEST_ORDER}] or inf", lambda x: 1 <= x <= _LARGEST_ORDER or x == math.inf
    )
    checked = _check.reals("orders", orders, domain)
    largest = max((max(2, math.ceil(a)) for a in checked if a < math.inf), default=0)
    curve: Vector = np.zeros(0)
    if largest > 1:
        curve = np.array(base.guarantee(RenyiDP, orders=list(range(2, largest + 1))).epsilons)
    factor = 1.0 if _symmetric(m) else 3.0
    known: dict[int, float] = {1: 0.0}

    # return a bound on (a - 1) D_a for the Rényi divergence D_a; (a - 1) D_a is a convex function
    # of the order a, so `at` interpolates between integer orders
    def grown(a: int) -> float:
        if a not in known:
            bound = _binomial(a, m.rate, curve[: a - 1], factor)
            known[a] = (a - 1) * min(bound, float(curve[a - 2]))
        return known[a]

    def at(a: float) -> float:
        if a == math.inf:
            whole = base.guarantee(RenyiDP, orders=math.inf).epsilons[0]
            return subsampled_epsilon(whole, m.rate)
        below = max(1, math.ceil(a) - 1)
        if a - below == 1:
            return grown(below + 1) / below
        if below == 1:
            return grown(2)
        share = a - below
        return _numerics.up(((1 - share) * grown(below) + share * grown(below + 1)) / (a - 1))

    return RenyiDP(checked, [at(a) for a in checked])


@theorem(
    PoissonSubsampled, AlphaDP, source="Mironov, Talwar and Zhang (2019), theorem 5", tight=True
)
def _alpha(m: PoissonSubsampled, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _renyi(m, orders=order).epsilons[0]
    return AlphaDP(order, alpha_of_renyi_up(order, renyi))
