"""Conversions: theorems from one claim about the privacy loss to another, and their registry.

The functions state a theorem about numbers. The registry `EDGES` holds an `Edge` for every
theorem from one notion to another, and `convert` applies one of them. It never chains two:
where there is no direct edge it says which routes there are, because each step may lose.

Each theorem shows what it is worth: one that cannot be improved has a *witness*, a pair of laws
that satisfies the claim and no smaller one of the other kind, and each other one a *gap*, by how
much its number exceeds one that is known to be possible.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from numbers import Real
from typing import Any, TypeVar

from dpteach import _check, _numerics
from dpteach.channels import pure_capacity
from dpteach.divergences import binary_entropy
from dpteach.notions import (
    FDP,
    PLD,
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    Explanation,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    _witness,
)
from dpteach.notions._base import beyond
from dpteach.notions._joint_range import (
    delta_of_renyi_optimal,
    epsilon_of_renyi_optimal,
    epsilon_of_zcdp_optimal,
    witness_of_renyi,
)
from dpteach.notions.alpha import alpha_of_renyi, alpha_of_renyi_up, renyi_of_alpha
from dpteach.notions.approx import profile_of_approx, profile_of_approx_inverse
from dpteach.notions.mutual_information import (
    coins_of_mutual_information,
    total_variation_of_mutual_information,
)
from dpteach.notions.pure import alpha_of_response, renyi_of_response
from dpteach.notions.renyi import delta_of_renyi, epsilon_of_renyi, pinsker
from dpteach.notions.zero_concentrated import _slope
from dpteach.privacy_loss import PrivacyLoss

__all__ = [
    "EDGES",
    "Edge",
    "alpha_to_epsilon",
    "alpha_to_renyi",
    "approx_to_approx_delta",
    "approx_to_probabilistic_delta",
    "convert",
    "explain",
    "mutual_information_to_total_variation",
    "pinsker_total_variation",
    "pure_to_gaussian",
    "pure_to_kl",
    "renyi_to_alpha",
    "renyi_to_delta_optimal",
    "renyi_to_epsilon",
    "renyi_to_epsilon_mironov",
    "renyi_to_epsilon_optimal",
    "table",
    "total_variation_to_mutual_information",
    "zcdp_to_delta_bun_steinke",
    "zcdp_to_epsilon",
    "zcdp_to_epsilon_bun_steinke",
    "zcdp_to_epsilon_optimal",
]


def renyi_to_epsilon_mironov(order: float, renyi: float, delta: float) -> float:
    """The epsilon that (order, renyi)-Rényi DP implies: renyi + log(1/delta)/(order - 1).

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
        In nats; an upper bound, `renyi_to_epsilon` is smaller.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The epsilon that (order, renyi)-Rényi DP implies, by the better of the known formulas.

    renyi + log(1 - 1/a) - (log delta + log a)/(a - 1) for the order a, and at least 0.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The epsilon that (order, alpha)-alpha DP implies: log((1 + a (a-1) alpha)/delta)/(a-1).

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
        In nats; an upper bound. It equals `renyi_to_epsilon_mironov` on the Rényi scale.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Liu and Wang, equations (62) and (63); their proposition 4 prints e^alpha for alpha, which
    is true but larger.

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
    """The Rényi divergence of the same order: log(1 + a (a-1) alpha)/(a-1). Exact.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Examples
    --------
    >>> round(alpha_to_renyi(2, 5), 12)
    2.397895272798
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _check.real("alpha", alpha, _check.EXTENDED_NON_NEGATIVE)
    return renyi_of_alpha(order, alpha)


def renyi_to_alpha(order: float, renyi: float) -> float:
    """The alpha divergence of the same order: (e^((a-1) renyi) - 1)/(a (a-1)). Exact.

    Parameters
    ----------
    order : float
        a in (1, inf).
    renyi : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, inf]; inf too where it exceeds the largest float.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Examples
    --------
    >>> round(renyi_to_alpha(2, 5), 12)
    73.706579551288
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.EXTENDED_NON_NEGATIVE)
    return alpha_of_renyi(order, renyi)


def zcdp_to_epsilon_bun_steinke(rho: float, delta: float) -> float:
    """The epsilon that rho-zCDP implies: rho + 2 sqrt(rho log(1/delta)).

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound, `zcdp_to_epsilon` is smaller.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The epsilon that rho-zCDP implies at its best real order.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The smallest delta' at an epsilon' that (epsilon, delta)-DP implies.

    1 - (e^epsilon' + 1)(1 - delta)/(e^epsilon + 1) for epsilon' <= epsilon, else delta. It
    needs the bound in both orders of every pair, which differential privacy gives.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The largest Kullback-Leibler divergence under epsilon-DP: epsilon tanh(epsilon/2).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Returns
    -------
    float
        In nats; tight: randomized response reaches it.

    Raises
    ------
    ValueError, TypeError
        If epsilon is outside its range.

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
    """The largest total variation that a Kullback-Leibler divergence allows: sqrt(kl/2).

    Parameters
    ----------
    kl : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; an upper bound, sharp for small kl.

    Raises
    ------
    ValueError, TypeError
        If kl is outside its range.

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
    """The largest total variation of two rows of a channel of capacity at most epsilon.

    1 - 2 h^-1(log 2 - epsilon), which is at most sqrt(2 epsilon); 1 from log 2 on.

    Parameters
    ----------
    epsilon : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight: a binary symmetric channel reaches it.

    Raises
    ------
    ValueError, TypeError
        If epsilon is outside its range.

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
    """The most that a channel can tell whose rows are pairwise within delta in total variation.

    2 h(delta) + 2 delta log(min(output_size, input_size + 1)), and never more than the
    logarithm of the smaller alphabet, nor for delta >= 1/2 less than that.

    Parameters
    ----------
    delta : float
        In [0, 1].
    output_size, input_size : int or inf
        The number of possible outputs, and of values of one entry; at least 1, one may be
        ``math.inf``.

    Returns
    -------
    float
        In nats; an upper bound, loose; inf where both alphabets are infinite and delta > 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The least epsilon that (order, renyi)-Rényi DP implies: no formula gives less.

    Found by a search over pairs of coins, which reach everything that one Rényi divergence and
    one hockey-stick divergence can be together.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The least delta that (order, renyi)-Rényi DP implies at an epsilon.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

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
    """The least epsilon that the best order of rho-zCDP implies.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3, at the best real order.

    Examples
    --------
    >>> round(zcdp_to_epsilon_optimal(0.0025, 1e-5), 9), round(zcdp_to_epsilon(0.0025, 1e-5), 9)
    (0.25810717, 0.258116017)
    """
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _zcdp_joint_range(ZCDP(rho), None, delta)


def zcdp_to_delta_bun_steinke(rho: float, epsilon: float) -> float:
    """The delta that rho-zCDP implies at an epsilon >= rho, from the tail of the loss.

    With x = 1 + (epsilon - rho)/(2 rho) it is 2 / (x + sqrt(x^2 + 4/(pi rho))) times
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

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Notes
    -----
    Z, the loss, exceeds z >= rho with probability at most exp(-(z - rho)^2/(4 rho)). So delta, the
    integral of e^(epsilon - z) P(Z > z) from epsilon on, is at most
    2 sqrt(pi rho) e^epsilon Phi(-(epsilon + rho)/sqrt(2 rho)); the formula bounds Phi.

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
    # epsilon - rho is rounded, and enters the exponent times above / 2
    exponent = -above * (epsilon - rho) / 4 * (1 - 4 * _numerics.MARGIN)
    return min(1.0, _numerics.exp_up(exponent + _numerics.log_up(math.log(factor))))


def _zcdp_epsilon_of_tail(rho: float, delta: float) -> float:
    """The least epsilon at which `zcdp_to_delta_bun_steinke` is at most delta in (0, 1]."""

    def enough(epsilon: float) -> bool:
        return zcdp_to_delta_bun_steinke(rho, epsilon) <= delta

    if enough(rho):
        return rho
    return _numerics.first_true(enough, rho, 2 * zcdp_to_epsilon_bun_steinke(rho, delta))


def _zcdp_epsilon_of_root(rho: float, delta: float) -> float:
    """rho + 2 sqrt(rho log(sqrt(pi rho)/delta)), and rho where the logarithm is negative."""
    if rho == 0:
        return 0.0
    logs = math.log(math.pi) / 2, math.log(rho) / 2, -math.log(delta)
    return _numerics.sum_up(rho, 2 * math.sqrt(rho * max(0.0, _numerics.sum_up(*logs))))


def pure_to_gaussian(epsilon: float) -> float:
    """The least mu such that epsilon-DP implies mu-Gaussian DP: -2 Phi^-1(1/(1 + e^epsilon)).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Returns
    -------
    float
        In [0, inf); tight: randomized response reaches it.

    Raises
    ------
    ValueError, TypeError
        If epsilon is outside its range.

    Notes
    -----
    The curve of randomized response is straight between (0, 1), the corner where both errors are
    1/(1 + e^epsilon), and (1, 0). G_mu is convex and passes through all three: it is below.

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

    if epsilon <= 1:  # tanh(epsilon/2) is 1 - 2/(1 + e^epsilon)
        mu = 2 * math.sqrt(2) * float(erfinv(math.tanh(epsilon / 2)))
    else:
        mu = -2 * float(ndtri_exp(-(epsilon + math.log1p(math.exp(-epsilon)))))
    return _numerics.positive(_numerics.up(mu)) if epsilon > 0 else 0.0


def approx_to_probabilistic_delta(epsilon: float, delta: float, epsilon_prime: float) -> float:
    """The least bound on the probability of a loss above epsilon' that (epsilon, delta)-DP gives.

    The smaller of delta / (1 - e^(epsilon - epsilon')), for epsilon' > epsilon, and of
    (e^epsilon - 1 + delta)/(e^epsilon - e^-epsilon'), and at most 1.

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
        In [0, 1]; tight: nothing smaller is true of every pair.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Notes
    -----
    Let S be the event that the loss exceeds epsilon', so that Q(S) <= e^-epsilon' P(S). From
    P(S) <= e^epsilon Q(S) + delta follows the first bound. From the reversed order, of the
    complement, 1 - Q(S) <= e^epsilon (1 - P(S)) + delta, follows the second one. Two coins with
    P(S) the smaller of the two and a loss on S just above epsilon' satisfy both.

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
        # the difference is rounded where it is small against both
        gained = -math.expm1((epsilon - epsilon_prime) * (1 - _numerics.MARGIN))
        bounds.append(_numerics.up(delta / gained) if gained > delta else 1.0)
    elif epsilon_prime == epsilon and delta == 0:
        return 0.0
    total = epsilon + epsilon_prime
    whole = -math.expm1(-total)
    spent = -math.expm1(-epsilon) + delta * math.exp(-epsilon)
    bounds.append(_numerics.up(spent / whole) if whole > spent else 1.0)
    return min(bounds)


G = TypeVar("G", bound=Guarantee)


@dataclass(frozen=True)
class Edge:
    """A theorem that turns every claim of one notion into a claim of another.

    Attributes
    ----------
    source, target : type
        The two notions.
    function : callable
        From the source claim, and what the target needs to be told, to the target claim.
    name : str
        Short and unique among the edges of one pair; `convert` takes it as `by`.
    theorem : str
        Whose theorem it is, with its number.
    tight : bool
        Whether some mechanism that satisfies the source claim satisfies no smaller target
        claim. Where it is false there may be something to gain.
    witness : callable, optional
        Of a tight edge, and of no other: from the same arguments to the loss of a pair that
        satisfies the claim and no smaller target claim. A ValueError says that it is not tight
        for this claim, of which the message tells the reason.
    gap : callable, optional
        Of the other edges: from the same arguments to the least number that is known to be
        possible, subtracted from the implied one; at least 0.
    rival : str
        Whose number the gap subtracts.
    order : callable, optional
        From the same arguments to the order of the divergence that gave the number.

    Raises
    ------
    ValueError
        If a tight edge has no witness, or another one no gap.
    """

    source: type[Guarantee]
    target: type[Guarantee]
    function: Callable[..., Guarantee]
    name: str
    theorem: str
    tight: bool
    witness: Callable[..., PrivacyLoss] | None = None
    gap: Callable[..., float] | None = None
    rival: str = ""
    order: Callable[..., float | None] | None = None

    def __post_init__(self) -> None:
        for name, needed in (("witness", self.tight), ("gap", not self.tight)):
            if (getattr(self, name) is not None) != needed:
                raise ValueError(
                    f"{name} must be given for {'' if needed else 'no '}edges with "
                    f"tight={self.tight}, got {name}={_check.shown(getattr(self, name))}"
                )

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the target needs to be told: the keyword arguments of the function."""
        signature = inspect.signature(self.function)
        return tuple(n for n, p in signature.parameters.items() if p.kind is p.KEYWORD_ONLY)


#: every direct edge; of several between two notions the first is the tightest
EDGES: list[Edge] = []

Function = TypeVar("Function", bound=Callable[..., Guarantee])


def _edge(
    source: type[Guarantee],
    target: type[Guarantee],
    name: str,
    theorem: str,
    *,
    witness: Callable[..., PrivacyLoss] | None = None,
    gap: Callable[..., float] | None = None,
    rival: str = "",
    order: Callable[..., float | None] | None = None,
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        tight = witness is not None
        EDGES.append(
            Edge(source, target, function, name, theorem, tight, witness, gap, rival, order)
        )
        return function

    return register


def _to_first(source: type[Guarantee], target: type[Guarantee], name: str, **told: Any) -> Any:
    """The gap to the first edge between the same notions, and that edge's name, as arguments."""

    def gap(claim: Guarantee, **at: Any) -> float:
        implied = convert(claim, to=target, by=name, **at)
        best = convert(claim, to=target, **(at or told))
        return max(0.0, implied._number(at)[0] - best._number(at)[0])

    first = next(e for e in EDGES if (e.source, e.target) == (source, target))
    return {"gap": gap, "rival": f"the theorem of the edge {first.name!r}"}


def convert(claim: Guarantee, *, to: type[G], by: str | None = None, **at: Any) -> G:
    """Apply one theorem: the claim of another notion that a claim implies.

    Parameters
    ----------
    claim : Guarantee
    to : type
        The notion wanted, such as ``ApproxDP``.
    by : str, optional
        The name of an edge, where several lead there; by default the tightest.
    **at
        What the notion needs to be told: ``delta=`` or ``epsilon=`` for ApproxDP, ``orders=``
        for RenyiDP, ``order=`` for AlphaDP, ``epsilon=`` for ProbabilisticDP.

    Returns
    -------
    Guarantee
        A claim of the notion `to`, with the same adjacency. True whenever `claim` is.

    Raises
    ------
    TypeError
        If there is no direct edge (the message lists the routes), an argument is missing or
        unknown, or `claim` is no guarantee.
    ValueError
        If an argument is outside its range, the edge has no such name, or the theorem does
        not apply to this claim.

    Examples
    --------
    >>> convert(PureDP(1.0), to=ZCDP, by="Bun-Steinke")
    ZCDP(rho=0.5)
    >>> convert(ZCDP(0.005), to=RenyiDP, orders=[2, 20])
    RenyiDP(orders=(2.0, 20.0), epsilons=(0.01, 0.1))
    >>> convert(MutualInformationDP(0.1), to=ZCDP)
    Traceback (most recent call last):
    TypeError: to must be reachable by one theorem from MutualInformationDP, got to=ZCDP; \
there is no route, from MutualInformationDP one can reach: ApproxDP
    """
    edge = _chosen(claim, to, by, at)
    return edge.function(claim, **at)  # type: ignore[return-value]


def _chosen(claim: Guarantee, to: Any, by: str | None, at: dict[str, Any]) -> Edge:
    """The edge that `convert` takes, after a look at its arguments."""
    _check.instance("claim", claim, Guarantee)
    if not (isinstance(to, type) and issubclass(to, Guarantee)):
        raise TypeError(f"to must be a notion, a subclass of Guarantee, got to={_check.shown(to)}")
    edges = [edge for edge in EDGES if edge.source is type(claim) and edge.target is to]
    if not edges:
        raise TypeError(
            f"to must be reachable by one theorem from {type(claim).__name__}, "
            f"got to={to.__name__}; {_routes(type(claim), to)}"
        )
    edge = edges[0]
    if by is not None:
        _check.one_of("by", by, [e.name for e in edges])
        edge = next(e for e in edges if e.name == by)
    try:
        inspect.signature(edge.function).bind(claim, **at)
    except TypeError as error:
        told = ", ".join(edge.parameters) or "no arguments"
        given = ", ".join(at) or "nothing else"
        raise TypeError(
            f"to must come with what the theorem needs, {to.__name__} takes {told}: {error}, "
            f"got {given}"
        ) from None
    return edge


def _routes(source: type[Guarantee], target: type[Guarantee]) -> str:
    """The shortest chains of edges from one notion to another, in words."""
    paths: list[list[type[Guarantee]]] = [[source]]
    for _ in range(4):
        found = [path for path in paths if path[-1] is target and len(path) > 1]
        if found:
            words = "; ".join(" -> ".join(n.__name__ for n in path) for path in found)
            return f"convert step by step, each step may lose: {words}"
        targets = {
            (path[-1], edge.target)
            for path in paths
            for edge in EDGES
            if edge.source is path[-1] and edge.target not in path
        }
        steps = sorted(targets, key=lambda pair: (pair[0].__name__, pair[1].__name__))
        paths = [[*path, end] for path in paths for start, end in steps if start is path[-1]]
    reach = sorted({edge.target.__name__ for edge in EDGES if edge.source is source})
    return f"there is no route, from {source.__name__} one can reach: {', '.join(reach)}"


def explain(
    claim: Guarantee, *, to: type[Guarantee], by: str | None = None, **at: Any
) -> Explanation:
    """Which theorem `convert` applies, at which order, and what it loses.

    Parameters
    ----------
    claim : Guarantee
    to : type
        The notion wanted, such as ``ApproxDP``.
    by : str, optional
        The name of an edge, where several lead there; by default the tightest.
    **at
        What the notion needs to be told.

    Returns
    -------
    Explanation
        Its `value` is the number of the implied claim: of RenyiDP the last of its epsilons, of a
        curve the delta at epsilon = 0.

    Raises
    ------
    ValueError, TypeError
        As `convert` does.

    Examples
    --------
    >>> explanation = explain(PureDP(1.0), to=ZCDP, by="Bun-Steinke")
    >>> explanation.value, explanation.kind
    (0.5, 'upper bound')
    >>> print(explanation)
    rho is 0.5. It is an upper bound, by Bun and Steinke (2016), proposition 1.4. It exceeds by \
0.0378828 that of the theorem of the edge 'Steinke'.
    """
    edge = _chosen(claim, to, by, at)
    implied = edge.function(claim, **at)
    # whatever numbers came, the edge's own functions compute with floats
    at = {name: float(x) if isinstance(x, Real) else x for name, x in at.items()}
    value, quantity, _ = implied._number(at)
    order = edge.order(claim, **at) if edge.order is not None else None
    if edge.gap is not None:
        gap = edge.gap(claim, **at)
        note = f"It exceeds by {gap:.6g} that of {edge.rival}."
        exact = False
    else:
        assert edge.witness is not None
        try:
            edge.witness(claim, **at)
            exact, note = True, "A pair of laws reaches it."
        except ValueError as error:
            exact, note = False, f"Whether a pair of laws reaches it is not known: {error}."
    if value == 0:
        exact, note = True, "Nothing is less."
    kind = "exact" if exact else "upper bound"
    return Explanation(value, quantity, edge.theorem, kind, order, note=note)  # type: ignore[arg-type]


def table() -> str:
    """The registry as a Markdown table, one row an edge.

    The last column says that the theorem cannot be improved, or what its gap is measured from.

    Examples
    --------
    >>> print(table().splitlines()[0])
    | from | to | by | told | theorem | tight, or what its gap is to |
    """
    rows = ["| from | to | by | told | theorem | tight, or what its gap is to |"]
    rows.append("|" + "---|" * 6)
    for e in EDGES:
        told, tight = ", ".join(e.parameters), "tight" if e.tight else e.rival
        cells = e.source.__name__, e.target.__name__, e.name, told, e.theorem, tight
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _point(
    claim: Guarantee,
    epsilon: float | None,
    delta: float | None,
    delta_at: Callable[[float], float] | None = None,
    epsilon_at: Callable[[float], float] | None = None,
) -> ApproxDP:
    """The point of the claim's privacy profile, or of another one, at the epsilon or the delta."""
    _check.exactly_one(epsilon, delta)
    if delta is None:
        assert epsilon is not None
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        return ApproxDP(epsilon, (delta_at or claim.delta_at)(epsilon), adjacency=claim.adjacency)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    implied = (epsilon_at or claim.epsilon_at)(delta)
    if implied == math.inf:
        raise ValueError(
            f"delta must be larger, as {_check.shown(claim)} implies no epsilon there, "
            f"got delta={delta}"
        )
    return ApproxDP(implied, delta, adjacency=claim.adjacency)


def _profile_edge(source: type[Guarantee], name: str, theorem: str, **shown: Any) -> None:
    """Register the privacy profile of a notion, as the notion itself computes it."""

    def function(
        claim: Guarantee, *, epsilon: float | None = None, delta: float | None = None
    ) -> ApproxDP:
        return _point(claim, epsilon, delta)

    _edge(source, ApproxDP, name, theorem, **shown)(function)


def _order_of_profile(claim: Guarantee, **at: Any) -> float | None:
    return claim.explain(**at).order


def _normals_of(claim: ZCDP | GaussianDP) -> float:
    """The mu of the pair of normals that satisfies the claim exactly."""
    return claim.mu if isinstance(claim, GaussianDP) else math.sqrt(2 * claim.rho)


def _one_order(claim: RenyiDP) -> tuple[float, float]:
    if len(claim.orders) > 1:
        raise ValueError("the claim holds at several orders, and no pair is the worst at each")
    return claim.orders[0], claim.epsilons[0]


# --- to approximate differential privacy ---------------------------------------------------

_profile_edge(
    PureDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.response(claim.epsilon),
)
_profile_edge(
    ApproxDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.four_points(claim.epsilon, claim.delta),
)
_profile_edge(
    ProbabilisticDP,
    "definition",
    "a bound on the tail bounds its mean; Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.four_points(claim.epsilon, claim.delta),
)

JOINT_RANGE = "Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3"
#: of so many orders, the best by the closed formula, the joint range is looked at
_MOST_ORDERS = 16


def _renyi_joint_range(
    claim: RenyiDP, epsilon: float | None, delta: float | None
) -> tuple[float, float | None]:
    """The least number that one of the orders implies, and that order."""
    first = claim.epsilons[0]
    inner = [(a, e) for a, e in zip(claim.orders, claim.epsilons, strict=True) if 1 < a < math.inf]
    found: list[tuple[float, float | None]] = []
    if delta is None:
        assert epsilon is not None
        found.append((pinsker(first), claim.orders[0]))
        inner.sort(key=lambda pair: delta_of_renyi(pair[0], pair[1], epsilon))
        found += [(delta_of_renyi_optimal(a, e, epsilon), a) for a, e in inner[:_MOST_ORDERS]]
        if claim.orders[-1] == math.inf:
            found.append((profile_of_approx(claim.epsilons[-1], 0.0, epsilon), math.inf))
    else:
        if pinsker(first) <= delta:
            return 0.0, claim.orders[0]
        found.append((math.inf, None))
        if delta > 0:
            inner.sort(key=lambda pair: epsilon_of_renyi(pair[0], pair[1], delta))
            found += [(epsilon_of_renyi_optimal(a, e, delta), a) for a, e in inner[:_MOST_ORDERS]]
        if claim.orders[-1] == math.inf:
            found.append((profile_of_approx_inverse(claim.epsilons[-1], 0.0, delta), math.inf))
    return min(found, key=lambda pair: pair[0])


def _as_renyi(claim: RenyiDP | AlphaDP) -> RenyiDP:
    return claim if isinstance(claim, RenyiDP) else convert(claim, to=RenyiDP)


def _joint_range_witness(claim: RenyiDP | AlphaDP, **at: Any) -> PrivacyLoss:
    order, renyi = _one_order(_as_renyi(claim))
    if order == math.inf:
        return _witness.response(renyi)
    implied = convert(claim, to=ApproxDP, by="joint range", **at)
    if renyi == 0 or implied.delta == 1:
        return _witness.same()
    if order == 1:
        raise ValueError("at the order 1 only Pinsker's inequality is used")
    p, q = witness_of_renyi(order, renyi, implied.epsilon)
    loss = _witness.coins(p, q)
    if not RenyiDP(order, renyi * (1 + 1e-9)).holds_for(loss):
        raise ValueError("the pair that would reach it does not satisfy the claim when reversed")
    return loss


def _joint_range_edge(source: type[RenyiDP] | type[AlphaDP]) -> None:
    def best(claim: Any, epsilon: float | None, delta: float | None) -> tuple[float, float | None]:
        if isinstance(claim, AlphaDP) and claim.epsilon == math.inf:
            return (1.0 if delta is None else 0.0 if delta == 1 else math.inf), None
        return _renyi_joint_range(_as_renyi(claim), epsilon, delta)

    @_edge(
        source,
        ApproxDP,
        "joint range",
        JOINT_RANGE,
        witness=_joint_range_witness,
        order=lambda claim, epsilon=None, delta=None: best(claim, epsilon, delta)[1],
    )
    def _(claim: Any, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
        return _point(
            claim,
            epsilon,
            delta,
            lambda epsilon: best(claim, epsilon, None)[0],
            lambda delta: best(claim, None, delta)[0],
        )


_joint_range_edge(RenyiDP)
_profile_edge(
    RenyiDP,
    "Canonne-Kamath-Steinke",
    "Canonne, Kamath and Steinke (2020), proposition 12, and Pinsker's inequality",
    order=_order_of_profile,
    **_to_first(RenyiDP, ApproxDP, "Canonne-Kamath-Steinke"),
)


def _mironov(claim: RenyiDP, delta: float) -> tuple[float, float]:
    usable = [
        (renyi_to_epsilon_mironov(a, e, delta), a)
        for a, e in zip(claim.orders, claim.epsilons, strict=True)
        if 1 < a < math.inf
    ]
    if not usable:
        raise ValueError(f"claim must hold an order in (1, inf), got claim={claim!r}")
    return min(usable)


@_edge(
    RenyiDP,
    ApproxDP,
    "Mironov",
    "Mironov (2017), proposition 3",
    order=lambda claim, delta: _mironov(claim, delta)[1],
    **_to_first(RenyiDP, ApproxDP, "Mironov"),
)
def _(claim: RenyiDP, *, delta: float) -> ApproxDP:
    return ApproxDP(_mironov(claim, delta)[0], delta, adjacency=claim.adjacency)


@_edge(
    RenyiDP,
    ApproxDP,
    "Pinsker",
    "Pinsker's inequality, at epsilon = 0",
    order=lambda claim: claim.orders[0],
    **_to_first(RenyiDP, ApproxDP, "Pinsker", epsilon=0.0),
)
def _(claim: RenyiDP) -> ApproxDP:
    return ApproxDP(0.0, pinsker(claim.epsilons[0]), adjacency=claim.adjacency)


def _zcdp_joint_range(claim: ZCDP, epsilon: float | None, delta: float | None) -> float:
    """What the best order implies; the order is that which the closed formula finds."""
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


def _gap_to_normals(name: str) -> Any:
    """The gap to what a pair of normals reaches that satisfies the claim, as an argument."""

    def gap(claim: ZCDP, **at: Any) -> float:
        implied = convert(claim, to=ApproxDP, by=name, **at)
        exact = convert(GaussianDP(_normals_of(claim)), to=ApproxDP, **at)
        return max(0.0, implied._number(at)[0] - exact._number(at)[0])

    return {"gap": gap, "rival": "N(0, 1) against N(sqrt(2 rho), 1)"}


@_edge(
    ZCDP,
    ApproxDP,
    "joint range",
    f"{JOINT_RANGE}, at the best real order",
    order=_order_of_profile,
    **_gap_to_normals("joint range"),
)
def _(claim: ZCDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return _point(
        claim,
        epsilon,
        delta,
        lambda epsilon: _zcdp_joint_range(claim, epsilon, None),
        lambda delta: _zcdp_joint_range(claim, None, delta),
    )


_profile_edge(
    ZCDP,
    "Canonne-Kamath-Steinke",
    "Canonne, Kamath and Steinke (2020), corollary 13, at the best real order",
    order=_order_of_profile,
    **_to_first(ZCDP, ApproxDP, "Canonne-Kamath-Steinke"),
)


@_edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke tail",
    "Bun and Steinke (2016), lemma 3.6",
    **_to_first(ZCDP, ApproxDP, "Bun-Steinke tail"),
)
def _(claim: ZCDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return _point(
        claim,
        epsilon,
        delta,
        # below rho the lemma says nothing
        lambda e: zcdp_to_delta_bun_steinke(claim.rho, e) if e >= claim.rho else 1.0,
        lambda delta: (
            _zcdp_epsilon_of_tail(claim.rho, delta) if delta > 0 else claim.epsilon_at(0.0)
        ),
    )


@_edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke root",
    "Bun and Steinke (2016), lemma 3.6, with the first of its factors, sqrt(pi rho)",
    **_to_first(ZCDP, ApproxDP, "Bun-Steinke root"),
)
def _(claim: ZCDP, *, delta: float) -> ApproxDP:
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return ApproxDP(_zcdp_epsilon_of_root(claim.rho, delta), delta, adjacency=claim.adjacency)


@_edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.3",
    **_to_first(ZCDP, ApproxDP, "Bun-Steinke"),
)
def _(claim: ZCDP, *, delta: float) -> ApproxDP:
    return ApproxDP(zcdp_to_epsilon_bun_steinke(claim.rho, delta), delta, adjacency=claim.adjacency)


_joint_range_edge(AlphaDP)
_profile_edge(
    AlphaDP,
    "Canonne-Kamath-Steinke",
    "Rényi DP of the same order, and Canonne, Kamath and Steinke (2020), proposition 12",
    order=lambda claim, **at: claim.order,
    **_to_first(AlphaDP, ApproxDP, "Canonne-Kamath-Steinke"),
)


@_edge(
    AlphaDP,
    ApproxDP,
    "Liu-Wang",
    "Liu and Wang, equations (62) and (63)",
    order=lambda claim, delta: claim.order,
    **_to_first(AlphaDP, ApproxDP, "Liu-Wang"),
)
def _(claim: AlphaDP, *, delta: float) -> ApproxDP:
    return ApproxDP(
        alpha_to_epsilon(claim.order, claim.epsilon, delta), delta, adjacency=claim.adjacency
    )


_profile_edge(
    GaussianDP,
    "Balle-Wang",
    "Dong, Roth and Su (2022), corollary 1",
    witness=lambda claim, **at: _witness.normals(claim.mu),
)
_profile_edge(
    MutualInformationDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 5; binary channels",
    witness=lambda claim, **at: _witness.coins(
        *coins_of_mutual_information(claim.epsilon, convert(claim, to=ApproxDP, **at).epsilon)
    ),
)
_profile_edge(
    FDP,
    "duality",
    "Dong, Roth and Su (2022), duality of the curve and the profile",
    witness=lambda claim, **at: _witness.of_law(claim._law()),
)
_profile_edge(
    PLD,
    "definition",
    "the definition: the pair of the claim",
    witness=lambda claim, **at: _witness.of_law(claim._laws()[0]),
)


# --- between Rényi, alpha and zero-concentrated differential privacy ------------------------


def _same_order(claim: RenyiDP, *, order: float) -> PrivacyLoss:
    own, renyi = _one_order(claim)
    if own != order:
        raise ValueError(f"the claim is about the order {own}, and a smaller one may be less")
    return _witness.response_of_renyi(own, renyi)


@_edge(RenyiDP, AlphaDP, "same order", "the definitions; an equivalence", witness=_same_order)
def _(claim: RenyiDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    larger = [e for a, e in zip(claim.orders, claim.epsilons, strict=True) if a >= order]
    if not larger:
        raise ValueError(
            f"order must be at most the largest order of the claim, {claim.orders[-1]}, "
            f"got order={order}"
        )
    return AlphaDP(order, alpha_of_renyi_up(order, min(larger)), adjacency=claim.adjacency)


@_edge(
    AlphaDP,
    RenyiDP,
    "same order",
    "the definitions; an equivalence",
    witness=lambda claim: _witness.response_of_renyi(
        claim.order, renyi_of_alpha(claim.order, claim.epsilon)
    ),
)
def _(claim: AlphaDP) -> RenyiDP:
    if claim.epsilon == math.inf:
        raise ValueError(f"claim must have a finite epsilon, got claim={claim!r}")
    renyi = _numerics.up(renyi_of_alpha(claim.order, claim.epsilon))
    return RenyiDP(claim.order, renyi, adjacency=claim.adjacency)


def _normals(claim: ZCDP | GaussianDP, **at: Any) -> PrivacyLoss:
    return _witness.normals(_normals_of(claim))


@_edge(ZCDP, RenyiDP, "definition", "Bun and Steinke (2016), definition 1.1", witness=_normals)
def _(claim: ZCDP, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda a: 1 <= a < math.inf)
    checked = _check.reals("orders", orders, domain)
    epsilons = [_numerics.product_up(a, claim.rho) for a in checked]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


@_edge(ZCDP, AlphaDP, "definition", "the definitions, at one order", witness=_normals)
def _(claim: ZCDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = alpha_of_renyi_up(order, order * claim.rho)
    return AlphaDP(order, alpha, adjacency=claim.adjacency)


# --- from Gaussian differential privacy -----------------------------------------------------


def _half_square(x: float) -> float:
    """x^2/2 rounded up, and 0 for 0 only."""
    return _numerics.positive(_numerics.up(x * x / 2)) if x > 0 else 0.0


@_edge(
    GaussianDP,
    ZCDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.6",
    witness=_normals,
)
def _(claim: GaussianDP) -> ZCDP:
    return ZCDP(_half_square(claim.mu), adjacency=claim.adjacency)


@_edge(GaussianDP, RenyiDP, "Mironov", "Dong, Roth and Su (2022), corollary 3", witness=_normals)
def _(claim: GaussianDP, *, orders: float | Sequence[float]) -> RenyiDP:
    return convert(convert(claim, to=ZCDP), to=RenyiDP, orders=orders)


@_edge(GaussianDP, AlphaDP, "Liu-Wang", "Liu and Wang, proposition 7", witness=_normals)
def _(claim: GaussianDP, *, order: float) -> AlphaDP:
    return convert(convert(claim, to=ZCDP), to=AlphaDP, order=order)


# --- from pure differential privacy ---------------------------------------------------------


def _response(claim: PureDP, **at: Any) -> PrivacyLoss:
    return _witness.response(claim.epsilon)


@_edge(
    PureDP,
    RenyiDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015): randomized response dominates; Mironov (2017), prop. 5",
    witness=_response,
)
def _(claim: PureDP, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    epsilons = [
        min(claim.epsilon, _numerics.up(renyi_of_response(claim.epsilon, a))) for a in checked
    ]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


@_edge(
    PureDP,
    AlphaDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015); Liu and Wang, proposition 5",
    witness=_response,
)
def _(claim: PureDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    exponent = (order - 1) * claim.epsilon
    alpha = _numerics.up(alpha_of_response(claim.epsilon, order), exponent=exponent)
    return AlphaDP(order, alpha, adjacency=claim.adjacency)


@_edge(PureDP, ZCDP, "Steinke", "Steinke (2024), tight bounds from pure DP", witness=_response)
def _(claim: PureDP) -> ZCDP:
    return ZCDP(pure_to_kl(claim.epsilon), adjacency=claim.adjacency)


@_edge(
    PureDP,
    ZCDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.4",
    **_to_first(PureDP, ZCDP, "Bun-Steinke"),
)
def _(claim: PureDP) -> ZCDP:
    rho = claim.epsilon * claim.epsilon / 2
    if rho < math.inf and Fraction(rho) < Fraction(claim.epsilon) ** 2 / 2:
        rho = math.nextafter(rho, math.inf)
    return ZCDP(rho, adjacency=claim.adjacency)


@_edge(
    PureDP,
    GaussianDP,
    "randomized response",
    "the curve of randomized response lies above G_mu, with which it shares its corner",
    witness=_response,
)
def _(claim: PureDP) -> GaussianDP:
    return GaussianDP(pure_to_gaussian(claim.epsilon), adjacency=claim.adjacency)


# --- to curves, laws and tails --------------------------------------------------------------


@_edge(
    PureDP,
    FDP,
    "corners",
    "Wasserman and Zhou (2010), theorem 2.4",
    witness=_response,
)
def _(claim: PureDP) -> FDP:
    return FDP(claim.epsilon, 0.0, adjacency=claim.adjacency)


@_edge(
    ApproxDP,
    FDP,
    "corners",
    "Wasserman and Zhou (2010), theorem 2.4",
    witness=lambda claim: _witness.four_points(claim.epsilon, claim.delta),
)
def _(claim: ApproxDP) -> FDP:
    return FDP(claim.epsilon, claim.delta, adjacency=claim.adjacency)


def _gap_of_tangents(claim: GaussianDP, *, epsilons: float | Sequence[float]) -> float:
    """The most by which delta is too large, at or halfway between the points of contact."""
    curve = convert(claim, to=FDP, epsilons=epsilons)
    given = (0.0, *curve.epsilons, 2 * curve.epsilons[-1] + 1)
    points = [*given, *((low + high) / 2 for low, high in pairwise(given))]
    return max(0.0, *(curve.delta_at(x) - claim.delta_at(x) for x in points))


@_edge(
    GaussianDP,
    FDP,
    "tangents",
    "Dong, Roth and Su (2022), duality of the curve and the profile, at some epsilons",
    gap=_gap_of_tangents,
    rival="N(0, 1) against N(mu, 1), between the epsilons",
)
def _(claim: GaussianDP, *, epsilons: float | Sequence[float]) -> FDP:
    return FDP.from_profile(claim, epsilons=epsilons)


def _tail_witness(claim: ApproxDP | PureDP, *, epsilon: float) -> PrivacyLoss:
    """Two coins, the loss of heads being a little above epsilon."""
    above = beyond(beyond(epsilon))
    bound, delta = claim.epsilon, claim.delta if isinstance(claim, ApproxDP) else 0.0
    if delta == 0 and above > bound:
        if epsilon < bound:
            raise ValueError("epsilon is too close to that of the claim to tell them apart")
        return _witness.response(bound)
    heads = approx_to_probabilistic_delta(bound, delta, above) * (1 - 4 * _numerics.MARGIN)
    return _witness.coins(heads, heads * math.exp(-above))


@_edge(
    ApproxDP,
    ProbabilisticDP,
    "two coins",
    "after Kasiviswanathan and Smith (2014), and the same of the reversed order",
    witness=_tail_witness,
)
def _(claim: ApproxDP, *, epsilon: float) -> ProbabilisticDP:
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = approx_to_probabilistic_delta(claim.epsilon, claim.delta, epsilon)
    return ProbabilisticDP(epsilon, delta, adjacency=claim.adjacency)


@_edge(
    PureDP,
    ProbabilisticDP,
    "two coins",
    "the definition; below epsilon, that of the reversed order",
    witness=_tail_witness,
)
def _(claim: PureDP, *, epsilon: float) -> ProbabilisticDP:
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = approx_to_probabilistic_delta(claim.epsilon, 0.0, epsilon)
    return ProbabilisticDP(epsilon, delta, adjacency=claim.adjacency)


# --- from a privacy loss distribution -------------------------------------------------------

DOMINATION = "the pair of the claim is the worst: Zhu, Dong and Wang (2022), definition 7"


def _pairs(claim: PLD) -> list[PrivacyLoss]:
    """The pair as either law tells it: one, but for rounding."""
    return [_witness.of_law(law) for law in claim._laws()]


def _pair(claim: PLD, **at: Any) -> PrivacyLoss:
    return _witness.of_law(claim._laws()[0])


def _bounded(claim: PLD) -> None:
    if math.inf in (claim.losses[-1], claim.reversed_losses[-1]):
        raise ValueError(
            "claim must have finite losses: where one is infinite so are divergences, "
            f"got claim={_check.shown(claim)}"
        )


@_edge(PLD, FDP, "symmetric curve", "Dong, Roth and Su (2022), duality", witness=_pair)
def _(claim: PLD) -> FDP:
    return claim.trade_off_curve()


@_edge(PLD, PureDP, "largest loss", DOMINATION, witness=_pair)
def _(claim: PLD) -> PureDP:
    _bounded(claim)
    return PureDP(max(0.0, claim.losses[-1], claim.reversed_losses[-1]), adjacency=claim.adjacency)


@_edge(PLD, RenyiDP, "moments", DOMINATION, witness=_pair)
def _(claim: PLD, *, orders: float | Sequence[float]) -> RenyiDP:
    _bounded(claim)
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    pairs = _pairs(claim)
    epsilons = [_numerics.up(max(pair.renyi(a) for pair in pairs)) for a in checked]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


def _gap_of_bracket(claim: PLD) -> float:
    return max(0.0, convert(claim, to=ZCDP).rho - max(_slope(pair)[0] for pair in _pairs(claim)))


@_edge(
    PLD,
    ZCDP,
    "moments",
    f"{DOMINATION}; a bracket of the supremum over all orders",
    gap=_gap_of_bracket,
    rival="the same pair, at the orders that were looked at",
)
def _(claim: PLD) -> ZCDP:
    _bounded(claim)
    rho = _numerics.up(max(_slope(pair)[1] for pair in _pairs(claim)))
    return ZCDP(rho, adjacency=claim.adjacency)


# --- to and from mutual-information differential privacy ------------------------------------

#: points of the circles on which channels are looked at
_POINTS = 10**6


def _gap_of_circle(claim: PureDP) -> float:
    """To a channel on a circle: its output is likelier on an arc that begins at the input."""
    epsilon = claim.epsilon
    if epsilon == 0:
        return 0.0
    grown = _numerics.expm1(epsilon)
    if claim.adjacency is Adjacency.REPLACE_ONE:
        share = (epsilon / -math.expm1(-epsilon) - 1) / grown
        part = _witness.whole_points(share, _POINTS)
        low = 1 / (1 + part * grown)
    else:
        part = _witness.whole_points(_numerics.logistic(-epsilon), _POINTS)
        low = math.exp(-epsilon)
    reached = _witness.information_of_arcs(part, low)
    return max(0.0, convert(claim, to=MutualInformationDP).epsilon - reached)


@_edge(
    PureDP,
    MutualInformationDP,
    "circle",
    "a chord of x log x, where data is replaced; else Cuff and Yu (2016), properties 1 and 4",
    gap=_gap_of_circle,
    rival="a channel between a million points of a circle",
)
def _(claim: PureDP) -> MutualInformationDP:
    # where data is added, only the absent person is within epsilon of everybody
    if claim.adjacency is Adjacency.REPLACE_ONE:
        # near epsilon = 1 the formula loses a digit
        capacity = pure_capacity(claim.epsilon) * (1 + 4 * _numerics.MARGIN)
        return MutualInformationDP(capacity, adjacency=claim.adjacency)
    return MutualInformationDP(pure_to_kl(claim.epsilon), adjacency=claim.adjacency)


def _gap_to_signs(claim: ZCDP | GaussianDP) -> float:
    """To what the sign of a sample of two normals tells, a binary symmetric channel."""
    from scipy.special import ndtr

    flip = float(ndtr(-_normals_of(claim) / 2))
    implied = convert(claim, to=MutualInformationDP).epsilon
    return max(0.0, implied - (math.log(2) - binary_entropy(flip)))


def _information_edge(source: type[ZCDP] | type[GaussianDP], theorem: str) -> None:
    @_edge(
        source,
        MutualInformationDP,
        "information radius",
        theorem,
        gap=_gap_to_signs,
        rival="the sign of a sample of two normals",
    )
    def _(claim: Any) -> MutualInformationDP:
        rho = claim.rho if isinstance(claim, ZCDP) else convert(claim, to=ZCDP).rho
        return MutualInformationDP(rho, adjacency=claim.adjacency)


_information_edge(GaussianDP, "Cuff and Yu (2016), property 4; the divergence of two normals")
_information_edge(ZCDP, "Cuff and Yu (2016), property 4; Bun and Steinke (2016), definition 1.1")


def _gap_to_response(claim: RenyiDP) -> float:
    """To randomized response with all the divergences of the claim."""
    pairs = zip(claim.orders, claim.epsilons, strict=True)
    least = min(_witness.response_of_renyi(a, e).max() for a, e in pairs)
    told = math.log(2) - binary_entropy(_numerics.logistic(-least))
    return max(0.0, claim.epsilons[0] - told)


@_edge(
    RenyiDP,
    MutualInformationDP,
    "information radius",
    "Cuff and Yu (2016), property 4; divergences grow with the order",
    gap=_gap_to_response,
    rival="randomized response",
    order=lambda claim: claim.orders[0],
)
def _(claim: RenyiDP) -> MutualInformationDP:
    return MutualInformationDP(claim.epsilons[0], adjacency=claim.adjacency)


def _gap_to_erasure(claim: ApproxDP, *, output_size: float, input_size: float) -> float:
    """To a channel that shows the input with probability delta, and else a blank."""
    implied = convert(
        claim, to=MutualInformationDP, output_size=output_size, input_size=input_size
    ).epsilon
    shown = max(1.0, min(input_size, output_size - 1))
    return max(0.0, implied - claim.delta * math.log(shown))


@_edge(
    ApproxDP,
    MutualInformationDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 6; only for finite alphabets",
    gap=_gap_to_erasure,
    rival="an erasure channel",
)
def _(claim: ApproxDP, *, output_size: float, input_size: float) -> MutualInformationDP:
    epsilon = total_variation_to_mutual_information(
        claim.delta_at(0.0), output_size=output_size, input_size=input_size
    )
    if epsilon == math.inf:
        raise ValueError(
            "output_size and input_size must not both be infinite, "
            f"got output_size={output_size} and input_size={input_size}"
        )
    return MutualInformationDP(epsilon, adjacency=claim.adjacency)
