"""The conversion theorems as formulas for numbers.

The functions take and return floats. To convert an object such as ``ZCDP(0.5)``, use its methods
`epsilon_at` and `delta_at`, or the function `convert`, instead.
"""

from __future__ import annotations

import math

from dpteach import _check, _numerics
from dpteach.divergences import binary_entropy
from dpteach.notions import ZCDP
from dpteach.notions._joint_range import (
    delta_of_renyi_optimal,
    epsilon_of_renyi,
    epsilon_of_renyi_optimal,
    epsilon_of_zcdp_optimal,
)
from dpteach.notions._point import profile_of_approx
from dpteach.notions.alpha import alpha_of_renyi, renyi_of_alpha
from dpteach.notions.mutual_information import total_variation_of_mutual_information
from dpteach.notions.renyi import pinsker


def renyi_to_epsilon_mironov(order: float, renyi: float, delta: float) -> float:
    """Return the epsilon that (order, renyi)-Rényi DP implies: renyi + log(1/delta)/(order - 1).

    The paper that defined Rényi DP states this formula, which is useful for comparisons. The proof
    uses only Markov's inequality.

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound, larger than `renyi_to_epsilon`.

    References
    ----------
    Mironov (2017), proposition 3.

    Examples
    --------
    >>> round(renyi_to_epsilon_mironov(8, 0.1, 1e-5), 12)
    1.744703637853
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(renyi, -math.log(delta) / (order - 1))


def renyi_to_epsilon(order: float, renyi: float, delta: float) -> float:
    """Return the epsilon that (order, renyi)-Rényi DP implies by the best closed formula.

    For the order a, epsilon is renyi + log(1 - 1/a) - (log delta + log a)/(a - 1), and at least 0.
    ``RenyiDP(...).epsilon_at(delta)`` finds a smaller epsilon by a search, and takes the best of
    several orders.

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; an upper bound.

    References
    ----------
    Canonne, Kamath and Steinke (2020), proposition 12; Asoodeh et al. (2021), lemma 1.

    Examples
    --------
    >>> round(renyi_to_epsilon(8, 0.1, 1e-5), 12)
    1.314109167846
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return epsilon_of_renyi(order, renyi, delta)


def alpha_to_epsilon(order: float, alpha: float, delta: float) -> float:
    """Return the epsilon that an alpha divergence of at most `alpha` implies at a given delta.

    For the order a, epsilon is log((1 + a (a-1) alpha)/delta)/(a-1).

    Parameters
    ----------
    order : float
        a in (1, inf).
    alpha : float
        In [0, inf).
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound: `renyi_to_epsilon_mironov` of `alpha_to_renyi(order, alpha)`.

    References
    ----------
    Liu and Wang, equations (62) and (63); their proposition 4 has e^alpha in place of alpha, which
    is valid but larger.

    Examples
    --------
    >>> round(alpha_to_epsilon(8, 0.1, 1e-5), 12)
    1.914285016286
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _check.real("alpha", alpha, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(renyi_of_alpha(order, alpha), -math.log(delta) / (order - 1))


def alpha_to_renyi(order: float, alpha: float) -> float:
    """Return the Rényi divergence with a given alpha divergence: log(1 + a (a-1) alpha)/(a-1).

    Both divergences have the same order a. `renyi_to_alpha` is the inverse function.

    Parameters
    ----------
    order : float
        a in (1, inf).
    alpha : float
        In [0, inf].

    Returns
    -------
    float
        In [0, inf], in nats.

    Examples
    --------
    >>> round(alpha_to_renyi(2, 5), 12)
    2.397895272798
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _check.real("alpha", alpha, _check.EXTENDED_NON_NEGATIVE)
    return renyi_of_alpha(order, alpha)


def renyi_to_alpha(order: float, renyi: float) -> float:
    """Return the alpha divergence with a given Rényi divergence: (e^((a-1) renyi) - 1)/(a (a-1)).

    Both divergences have the same order a. `alpha_to_renyi` is the inverse function.

    Parameters
    ----------
    order : float
        a in (1, inf).
    renyi : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, inf]; also inf if it exceeds the largest float.

    Examples
    --------
    >>> round(renyi_to_alpha(2, 5), 12)
    73.706579551288
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.EXTENDED_NON_NEGATIVE)
    return alpha_of_renyi(order, renyi)


def zcdp_to_epsilon_bun_steinke(rho: float, delta: float) -> float:
    """Return the epsilon that rho-zCDP implies: rho + 2 sqrt(rho log(1/delta)).

    The paper that defined zCDP states this formula, which is useful for comparisons and proofs by
    hand.

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound, larger than `zcdp_to_epsilon`.

    References
    ----------
    Bun and Steinke (2016), proposition 1.3.

    Examples
    --------
    >>> round(zcdp_to_epsilon_bun_steinke(0.5, 1e-5), 12)
    5.298525912188
    """
    rho = _check.real("rho", rho, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(rho, 2 * math.sqrt(-rho * math.log(delta)))


def zcdp_to_epsilon(rho: float, delta: float) -> float:
    """Return ``ZCDP(rho).epsilon_at(delta)``: the epsilon by `renyi_to_epsilon` at the best order.

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; an upper bound.

    References
    ----------
    Canonne, Kamath and Steinke (2020), corollary 13.

    Examples
    --------
    >>> round(zcdp_to_epsilon(0.5, 1e-5), 12)
    4.728386984943
    """
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return ZCDP(rho).epsilon_at(delta)


def approx_to_approx_delta(epsilon: float, delta: float, epsilon_prime: float) -> float:
    """Return the smallest delta' at an epsilon' that (epsilon, delta)-DP implies.

    delta' is 1 - (e^epsilon' + 1)(1 - delta)/(e^epsilon + 1) for epsilon' <= epsilon, else delta.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].
    epsilon_prime : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight.

    References
    ----------
    Cuff and Yu (2016), property 3; Kairouz, Oh and Viswanath (2015), section 3.

    Examples
    --------
    >>> round(approx_to_approx_delta(1.0, 0.0, 0.0), 12)
    0.46211715726
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    epsilon_prime = _check.real("epsilon_prime", epsilon_prime, _check.EXTENDED_NON_NEGATIVE)
    return profile_of_approx(epsilon, delta, epsilon_prime)


def pure_to_kl(epsilon: float) -> float:
    """Return the largest Kullback-Leibler divergence under epsilon-DP: epsilon tanh(epsilon/2).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Returns
    -------
    float
        In nats; tight: randomized response attains it.

    References
    ----------
    Cuff and Yu (2016), property 1, in the form epsilon (e^eps - 1)(1 - e^-eps) over
    (e^eps - 1) + (1 - e^-eps).

    Examples
    --------
    >>> round(pure_to_kl(1.0), 12)
    0.46211715726
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    kl = _numerics.up(epsilon * math.tanh(epsilon / 2))
    return _numerics.positive(kl) if epsilon > 0 else 0.0


def pinsker_total_variation(kl: float) -> float:
    """Return Pinsker's bound on the total variation: sqrt(kl/2), at most 1.

    Parameters
    ----------
    kl : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; an upper bound, asymptotically tight for small kl.

    References
    ----------
    Pinsker's inequality; Cover and Thomas, lemma 11.6.1.

    Examples
    --------
    >>> round(pinsker_total_variation(0.02), 12)
    0.1
    """
    return pinsker(_check.real("kl", kl, _check.EXTENDED_NON_NEGATIVE))


def mutual_information_to_total_variation(epsilon: float) -> float:
    """Return the largest total variation of two rows of a channel of capacity at most epsilon.

    The total variation is 1 - 2 h^-1(log 2 - epsilon), where h^-1 is the inverse of
    `binary_entropy` on [0, 1/2]. It is at most sqrt(2 epsilon), and 1 for epsilon >= log 2.

    Parameters
    ----------
    epsilon : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight: a binary symmetric channel attains it.

    References
    ----------
    Cuff and Yu (2016), property 5.

    Examples
    --------
    >>> round(mutual_information_to_total_variation(0.3), 12)
    0.732827949293
    """
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    return total_variation_of_mutual_information(epsilon)


def total_variation_to_mutual_information(
    delta: float, *, output_size: float, input_size: float
) -> float:
    """Return a bound on the capacity of a channel from the total variation of its rows.

    If the total variation of any two rows is at most delta <= 1/2, the capacity is at most
    2 h(delta) + 2 delta log(min(output_size, input_size + 1)), where h is `binary_entropy`. The
    bound is never more than the logarithm of the smaller size, which is the bound for delta > 1/2.

    Parameters
    ----------
    delta : float
        In [0, 1].
    output_size, input_size : int or inf
        The number of possible outputs of the channel, and of possible inputs; each is an integer
        >= 1 or ``math.inf``.

    Returns
    -------
    float
        In nats; a loose upper bound, which is inf if both sizes are infinite and delta > 0.

    References
    ----------
    Cuff and Yu (2016), property 6, after Alicki and Fannes (2004).

    Examples
    --------
    >>> round(total_variation_to_mutual_information(0.001, output_size=5, input_size=100), 12)
    0.019033386049
    """
    delta = _check.real("delta", delta, _check.PROBABILITY)
    domain = _check.Domain(
        "an integer >= 1 or inf", lambda n: n >= 1 and (n == math.inf or n == math.floor(n))
    )
    outputs = _check.real("output_size", output_size, domain)
    inputs = _check.real("input_size", input_size, domain)
    if delta == 0:
        return 0.0
    most = _numerics.up(math.log(min(outputs, inputs)))
    if delta > 0.5:
        return most
    size = min(outputs, inputs + 1)
    return min(most, _numerics.up(2 * binary_entropy(delta) + 2 * delta * math.log(size)))


def renyi_to_epsilon_optimal(order: float, renyi: float, delta: float) -> float:
    """Return the least epsilon at a delta that a Rényi divergence D(P || Q) <= `renyi` implies.

    Rényi DP bounds D(Q || P), too, and may imply a slightly smaller epsilon near epsilon = 0. The
    search goes over pairs of distributions on two outcomes, because these attain all values that
    one Rényi divergence and one hockey-stick divergence can take together.

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; exact up to rounding, and never above `renyi_to_epsilon`.

    References
    ----------
    Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3.

    Examples
    --------
    >>> round(renyi_to_epsilon_optimal(8, 0.1, 1e-5), 9), round(renyi_to_epsilon(8, 0.1, 1e-5), 9)
    (1.216130159, 1.314109168)
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return epsilon_of_renyi_optimal(order, renyi, delta)


def renyi_to_delta_optimal(order: float, renyi: float, epsilon: float) -> float:
    """Return the least delta at an epsilon that a Rényi divergence D(P || Q) <= `renyi` implies.

    Rényi DP bounds D(Q || P), too, and may imply a slightly smaller delta near epsilon = 0.

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    epsilon : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; exact up to rounding.

    References
    ----------
    Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3.

    Examples
    --------
    >>> round(renyi_to_delta_optimal(2, 0.1, 0.0), 9)  # half the root of e^0.1 - 1
    0.16215033
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    if epsilon == math.inf:
        return 0.0
    return delta_of_renyi_optimal(order, renyi, epsilon)


def zcdp_to_epsilon_optimal(rho: float, delta: float) -> float:
    """Return the least epsilon that rho-zCDP implies by the Rényi divergence of a single order.

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; an upper bound, and never above `zcdp_to_epsilon`.

    References
    ----------
    Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3, at the best real order.

    Examples
    --------
    >>> round(zcdp_to_epsilon_optimal(0.0025, 1e-5), 9), round(zcdp_to_epsilon(0.0025, 1e-5), 9)
    (0.25810717, 0.258116017)
    """
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return best_of_zcdp(ZCDP(rho), None, delta)


def zcdp_to_delta_bun_steinke(rho: float, epsilon: float) -> float:
    """Return the delta that rho-zCDP implies at an epsilon >= rho, by a tail bound on the loss.

    With x = 1 + (epsilon - rho)/(2 rho), delta is 2 / (x + sqrt(x^2 + 4/(pi rho))) times
    exp(-(epsilon - rho)^2 / (4 rho)).

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    epsilon : float
        In [rho, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; an upper bound.

    Notes
    -----
    The loss Z exceeds z >= rho with probability at most exp(-(z - rho)^2/(4 rho)). So delta, the
    integral of e^(epsilon - z) P(Z > z) over z >= epsilon, is at most
    2 sqrt(pi rho) e^epsilon Phi(-(epsilon + rho)/sqrt(2 rho)). An upper bound on Phi gives the
    formula.

    References
    ----------
    Bun and Steinke (2016), lemma 3.6.

    Examples
    --------
    >>> round(zcdp_to_delta_bun_steinke(0.5, 4.0), 12)
    0.000471718278
    """
    rho = _check.real("rho", rho, _check.NON_NEGATIVE)
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    if epsilon < rho:
        raise ValueError(f"epsilon must be at least rho={rho}, got epsilon={epsilon}")
    if rho == 0 or epsilon == math.inf:
        return 0.0
    above = (epsilon - rho) / rho
    x = 1 + above / 2
    factor = 2 / (x + math.hypot(x, 2 / math.sqrt(math.pi) / math.sqrt(rho)))
    if factor == 0:
        return _numerics.exp_up(-math.inf)
    # use a margin, because the rounding error of epsilon - rho changes the exponent by `above` / 2
    # times this error
    exponent = -above * (epsilon - rho) / 4 * (1 - 4 * _numerics.MARGIN)
    return min(1.0, _numerics.exp_up(exponent + _numerics.log_up(math.log(factor))))


def zcdp_epsilon_of_tail(rho: float, delta: float) -> float:
    """Return the least epsilon at which `zcdp_to_delta_bun_steinke` is at most delta in (0, 1]."""

    def enough(epsilon: float) -> bool:
        return zcdp_to_delta_bun_steinke(rho, epsilon) <= delta

    if enough(rho):
        return rho
    return _numerics.first_true(enough, rho, 2 * zcdp_to_epsilon_bun_steinke(rho, delta))


def zcdp_epsilon_of_root(rho: float, delta: float) -> float:
    """Return an epsilon such that rho-zCDP implies (epsilon, delta)-DP, by a closed formula.

    The formula is rho + 2 sqrt(rho max(0, log(sqrt(pi rho)/delta))).
    """
    if rho == 0:
        return 0.0
    logs = math.log(math.pi) / 2, math.log(rho) / 2, -math.log(delta)
    return _numerics.sum_up(rho, 2 * math.sqrt(rho * max(0.0, _numerics.sum_up(*logs))))


def pure_to_gaussian(epsilon: float) -> float:
    """Return the least mu such that epsilon-DP implies mu-Gaussian DP.

    The least mu is -2 Phi^-1(1/(1 + e^epsilon)).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Returns
    -------
    float
        In [0, inf); tight: randomized response attains it.

    Notes
    -----
    The trade-off curve of randomized response consists of two straight lines between the points
    (0, 1), the corner where both errors are 1/(1 + e^epsilon), and (1, 0). The curve of mu-Gaussian
    DP is convex and passes through all three points, so it lies on or below the lines.

    References
    ----------
    Dong, Roth and Su (2022), on the curve of pure differential privacy; the proof is above.

    Examples
    --------
    >>> round(pure_to_gaussian(1.0), 12)
    1.232035385345
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    from scipy.special import erfinv, ndtri_exp

    # use tanh(epsilon/2) = 1 - 2/(1 + e^epsilon), which keeps the digits of a small epsilon
    if epsilon <= 1:
        mu = 2 * math.sqrt(2) * float(erfinv(math.tanh(epsilon / 2)))
    else:
        mu = -2 * float(ndtri_exp(-(epsilon + math.log1p(math.exp(-epsilon)))))
    return _numerics.positive(_numerics.up(mu)) if epsilon > 0 else 0.0


def approx_to_probabilistic_delta(epsilon: float, delta: float, epsilon_prime: float) -> float:
    """Return the smallest bound on P(loss > epsilon_prime) that (epsilon, delta)-DP implies.

    Write epsilon' for epsilon_prime. The bound is the smallest of 1, (e^epsilon - 1 +
    delta)/(e^epsilon - e^-epsilon') and, if epsilon' > epsilon, delta / (1 - e^(epsilon -
    epsilon')).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].
    epsilon_prime : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight: no smaller bound holds for every pair of distributions.

    Notes
    -----
    Let S be the event that the loss log(P/Q) exceeds epsilon', so Q(S) <= e^-epsilon' P(S). Then
    P(S) <= e^epsilon Q(S) + delta implies the bound delta / (1 - e^(epsilon - epsilon')). The
    reverse direction, applied to the complement of S, gives 1 - Q(S) <= e^epsilon (1 - P(S)) +
    delta, which implies the other bound. The bound is tight, because both inequalities hold for
    two Bernoulli distributions, for which P(S) is the smaller bound and the loss on S is just
    above epsilon'.

    References
    ----------
    Kasiviswanathan and Smith (2014), for a bound of the first kind; the proof is above.

    Examples
    --------
    >>> round(approx_to_probabilistic_delta(1.0, 1e-5, 1.5), 12)
    2.5414941e-05
    >>> round(approx_to_probabilistic_delta(1.0, 0.0, 0.5), 12)
    0.813676276774
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    epsilon_prime = _check.real("epsilon_prime", epsilon_prime, _check.EXTENDED_NON_NEGATIVE)
    bounds = [1.0]
    if epsilon_prime > epsilon:
        # widen the rounding margin, because subtracting two nearly equal epsilons loses digits
        gained = -math.expm1((epsilon - epsilon_prime) * (1 - _numerics.MARGIN))
        bounds.append(_numerics.up(delta / gained) if gained > delta else 1.0)
    elif epsilon_prime == epsilon and delta == 0:
        return 0.0
    total = epsilon + epsilon_prime
    whole = -math.expm1(-total)
    spent = -math.expm1(-epsilon) + delta * math.exp(-epsilon)
    bounds.append(_numerics.up(spent / whole) if whole > spent else 1.0)
    return min(bounds)


def best_of_zcdp(claim: ZCDP, epsilon: float | None, delta: float | None) -> float:
    """Return the delta that a zCDP claim implies at an epsilon, or the epsilon at a delta.

    Of `epsilon` and `delta`, the one to compute is None. The result uses the Rényi divergence of
    only one order, the best that a search finds.
    """
    if delta is None:
        assert epsilon is not None
        closed = claim.delta_at(epsilon)
        if closed == 0 or epsilon == math.inf:
            return closed
        order = claim._order_for_delta(epsilon)
        return min(closed, delta_of_renyi_optimal(order, _numerics.up(order * claim.rho), epsilon))
    closed = claim.epsilon_at(delta)
    if closed in (0.0, math.inf):
        return closed
    order = claim._order_for_epsilon(delta)
    return min(closed, epsilon_of_zcdp_optimal(claim.rho, delta, order))
