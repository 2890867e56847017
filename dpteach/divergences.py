"""Divergences of discrete distributions, in nats.

`dpteach.DiscreteLoss` computes each divergence from the distribution of the privacy loss log(p/q),
exactly up to rounding. All functions of two distributions have the parameters:

p, q : array_like of shape (n,)
    Distributions on the same n >= 1 outcomes.

For two densities, use the methods of `dpteach.DensityLoss`, such as ``kl``. To estimate divergences
from two samples, use the methods of the result of `dpteach.DiscreteLoss.from_samples`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.privacy_loss import DiscreteLoss

__all__ = [
    "alpha_divergence",
    "binary_entropy",
    "binary_entropy_inverse",
    "binary_symmetric_capacity",
    "chi_square",
    "f_divergence",
    "hockey_stick",
    "kl_divergence",
    "max_divergence",
    "mutual_information",
    "renyi_divergence",
    "reverse_kl",
    "squared_hellinger",
    "total_variation",
]


def kl_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """Return the Kullback-Leibler divergence: the sum of p log(p / q), in nats.

    Outcomes with p = 0 contribute 0; an outcome with p > 0 and q = 0 makes the divergence
    infinite.

    Returns
    -------
    float
        In [0, inf].

    See Also
    --------
    renyi_divergence : the Kullback-Leibler divergence is its order 1.

    References
    ----------
    Kullback and Leibler (1951); van Erven and Harremoës (2014), section II.

    Examples
    --------
    >>> round(kl_divergence([0.75, 0.25], [0.25, 0.75]), 12)
    0.549306144334
    """
    return DiscreteLoss(p, q).kl()


def max_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """Return the max divergence: the largest log(p / q) over the outcomes with p > 0, in nats.

    An outcome with p > 0 and q = 0 makes the divergence infinite; outcomes with p = 0 do not
    count.

    Returns
    -------
    float
        In [0, inf].

    References
    ----------
    Dwork and Roth (2014), definition 3.6; van Erven and Harremoës (2014), theorem 6.

    Examples
    --------
    >>> max_divergence([0.5, 0.5], [1.0, 0.0])
    inf
    >>> max_divergence([1.0, 0.0], [0.5, 0.5]) == math.log(2)
    True
    """
    return DiscreteLoss(p, q).max()


def renyi_divergence(p: ArrayLike, q: ArrayLike, order: float) -> float:
    """Return the Rényi divergence of an order a: log(sum of p^a q^(1-a)) / (a - 1), in nats.

    At a = 1, inf and 0 it is defined as a limit: the Kullback-Leibler divergence, the max
    divergence, and -log of the total q of the outcomes with p > 0.

    Parameters
    ----------
    order : float
        a in [0, inf]; ``math.inf`` is the max divergence.

    Returns
    -------
    float
        In [0, inf]; accurate also for orders near 1 and for huge orders.

    References
    ----------
    Rényi (1961); van Erven and Harremoës (2014), definitions 1 to 3.

    Examples
    --------
    >>> p, q = [0.75, 0.25], [0.25, 0.75]
    >>> round(renyi_divergence(p, q, 2), 12)
    0.847297860387
    >>> renyi_divergence(p, q, 1) == kl_divergence(p, q)
    True
    >>> renyi_divergence(p, q, math.inf) == max_divergence(p, q)
    True
    """
    return DiscreteLoss(p, q).renyi(order)


def alpha_divergence(p: ArrayLike, q: ArrayLike, order: float) -> float:
    """Return the alpha divergence of an order a: (sum of p^a q^(1-a) - 1) / (a (a - 1)).

    At a = 1 and a = 0 it is defined as a limit, KL(p || q) and KL(q || p). At a = 2 it is half
    the chi-square divergence, and at a = 1/2 four times the squared Hellinger distance
    1 - sum of sqrt(p q).

    Parameters
    ----------
    order : float
        Any finite real number.

    Returns
    -------
    float
        In [0, inf]; also infinite if it exceeds the largest float. A huge result has a larger
        relative error, because it is the exponential of a rounded number.

    References
    ----------
    Liese and Vajda (2006); Liu and Wang, definition 7.

    Examples
    --------
    >>> round(alpha_divergence([0.75, 0.25], [0.25, 0.75], 2), 12)
    0.666666666667
    """
    return DiscreteLoss(p, q).alpha(order)


def hockey_stick(p: ArrayLike, q: ArrayLike, epsilon: float) -> float:
    """Return the hockey-stick divergence: the sum of (p - e^epsilon q)+.

    This divergence is the largest p(S) - e^epsilon q(S) over events S, hence the smallest delta
    such that p(S) <= e^epsilon q(S) + delta for every S.

    Parameters
    ----------
    epsilon : float
        Any number, in nats; -inf and inf are allowed.

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    Balle, Barthe and Gaboardi (2018), section 2; Dwork and Roth (2014), lemma 3.17.

    Examples
    --------
    >>> hockey_stick([0.75, 0.25], [0.25, 0.75], 0.0)
    0.5
    """
    return DiscreteLoss(p, q).hockey_stick(epsilon)


def total_variation(p: ArrayLike, q: ArrayLike) -> float:
    """Return the total variation distance: half the sum of |p - q|.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> total_variation([0.75, 0.25], [0.25, 0.75])
    0.5
    """
    return DiscreteLoss(p, q).total_variation()


def reverse_kl(p: ArrayLike, q: ArrayLike) -> float:
    """Return the Kullback-Leibler divergence of q from p: the sum of q log(q / p), in nats.

    Returns
    -------
    float
        In [0, inf].

    See Also
    --------
    alpha_divergence : the reverse Kullback-Leibler divergence is its order 0.

    Examples
    --------
    >>> reverse_kl([0.5, 0.5], [1.0, 0.0]) == math.log(2)
    True
    """
    return DiscreteLoss(p, q).reverse_kl()


def chi_square(p: ArrayLike, q: ArrayLike) -> float:
    """Return the chi-square divergence: the sum of (p - q)^2 / q.

    The result is twice the alpha divergence of order 2, and e^D - 1 for the Rényi divergence D of
    order 2.

    Returns
    -------
    float
        In [0, inf]; also infinite if it exceeds the largest float. A huge result has a larger
        relative error, because it is the exponential of a rounded number.

    References
    ----------
    Pearson (1900); van Erven and Harremoës (2014), equation 7.

    Examples
    --------
    >>> round(chi_square([0.75, 0.25], [0.25, 0.75]), 12)
    1.333333333333
    """
    return DiscreteLoss(p, q).chi_square()


def squared_hellinger(p: ArrayLike, q: ArrayLike) -> float:
    """Return the squared Hellinger distance: 1 - sum of sqrt(p q).

    The result is half the sum of (sqrt p - sqrt q)^2, and a quarter of the alpha divergence of
    order 1/2.

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    Liese and Vajda (2006), section II.

    Examples
    --------
    >>> round(squared_hellinger([0.75, 0.25], [0.25, 0.75]), 12)
    0.133974596216
    """
    return DiscreteLoss(p, q).hellinger()


def f_divergence(
    p: ArrayLike,
    q: ArrayLike,
    f: Callable[[float], float],
    *,
    at_zero: float | None = None,
    slope_at_infinity: float | None = None,
) -> float:
    """Return the f-divergence: the sum of q f(p / q), for a convex function f with f(1) = 0.

    An outcome with p = 0 adds q times the limit of f(u) as u falls to 0, and one with q = 0 adds p
    times the limit of f(u)/u as u grows.

    Parameters
    ----------
    f : callable
        A function from a float u > 0 to a float.
    at_zero, slope_at_infinity : float, optional
        The two limits, if they cannot be computed from f. See `dpteach.PrivacyLoss.f_divergence`
        for the checks and errors.

    Returns
    -------
    float
        In [0, inf]; as accurate as f is.

    Examples
    --------
    >>> p, q = [0.75, 0.25], [0.25, 0.75]
    >>> round(f_divergence(p, q, lambda u: u * math.log(u)), 12)
    0.549306144334
    >>> f_divergence(p, q, lambda u: abs(u - 1) / 2)
    0.5
    """
    return DiscreteLoss(p, q).f_divergence(f, at_zero=at_zero, slope_at_infinity=slope_at_infinity)


def mutual_information(joint: ArrayLike) -> float:
    """Return the mutual information of two variables with a given joint distribution, in nats.

    The result is the Kullback-Leibler divergence of the joint distribution from the product of its
    marginals.

    Parameters
    ----------
    joint : array_like of shape (n, m)
        P(X = i, Y = j).

    Returns
    -------
    float
        In [0, min(log n, log m)]; exact up to rounding.

    See Also
    --------
    dpteach.channels.mutual_information : the same for a prior and a channel.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, section 2.4.

    Examples
    --------
    >>> mutual_information([[0.5, 0.0], [0.0, 0.5]]) == math.log(2)
    True
    >>> mutual_information([[0.25, 0.25], [0.25, 0.25]])
    0.0
    """
    checked = _joint("joint", joint)
    if checked.ndim != 2:
        raise ValueError(f"joint must be a matrix, got joint of shape {checked.shape}")
    return _information_of(checked)


def _joint(name: str, value: object) -> NDArray[np.float64]:
    """Check that an array, of any shape, holds probabilities that sum to 1, and return it."""
    checked = _check.array(name, value)
    _check.distribution(name, checked.ravel())
    return checked


def _information_of(joint: NDArray[np.float64]) -> float:
    """Return the mutual information of the two axes of a joint distribution."""
    prior = joint.sum(axis=1)
    used = prior > 0
    rows = joint[used] / prior[used][:, None]
    return _information(prior[used], rows, joint[used].sum(axis=0))


def _information(
    prior: NDArray[np.float64], rows: NDArray[np.float64], output: NDArray[np.float64]
) -> float:
    """Return the mean over the prior of KL(row || output), where `output` is the mean row.

    The prior has no zeros. A column whose probability is too small for a float counts as 0.
    """
    seen = output > 0
    rows, output = rows[:, seen], output[seen]
    ratios = _numerics.log_ratio(rows, np.broadcast_to(output, rows.shape))
    # ignore warnings about 0 times inf, because these entries are replaced below
    with np.errstate(invalid="ignore"):
        terms = output * _numerics.alpha_generator(ratios, 1.0)
    # for large ratios p/q, compute p log(p/q) - p + q directly, to avoid the rounding of the ratios
    high = ratios > 2
    terms[high] = rows[high] * (ratios[high] - 1) + np.broadcast_to(output, rows.shape)[high]
    # multiply by the prior last, because its product with the output may be too small for a float
    return math.fsum((prior[:, None] * terms).ravel())


def binary_entropy(x: float) -> float:
    """Return the entropy of a bit that is 1 with probability x: -x log x - (1-x) log(1-x), in nats.

    Parameters
    ----------
    x : float
        In [0, 1].

    Examples
    --------
    >>> binary_entropy(0.5) == math.log(2)
    True
    """
    x = _check.real("x", x, _check.PROBABILITY)
    x = min(x, 1 - x)
    if x == 0:
        return 0.0
    if x > 0.25:
        return math.log(2) - _entropy_deficit(1 - 2 * x)
    return -x * math.log(x) - (1 - x) * math.log1p(-x)


def binary_entropy_inverse(entropy: float) -> float:
    """Return the x in [0, 1/2] whose binary entropy is a given number in [0, log 2].

    The result is as accurate as the rounding of the input permits, up to a few units in the last
    place.

    Examples
    --------
    >>> round(binary_entropy(binary_entropy_inverse(0.3)), 15)
    0.3
    """
    domain = _check.Domain("in [0, log 2]", lambda h: 0 <= h <= math.log(2))
    entropy = _check.real("entropy", entropy, domain)
    if entropy == 0:
        return 0.0
    if entropy > 0.5:
        return (1 - _bias_of_capacity(math.log(2) - entropy)) / 2
    return _numerics.first_true(lambda x: binary_entropy(x) >= entropy, 0.0, 0.5)


def binary_symmetric_capacity(flip: float) -> float:
    """Return the capacity log 2 - h(flip), in nats, of the binary symmetric channel.

    The channel flips a bit with probability flip, and h is `binary_entropy`. The result is also
    accurate near flip = 1/2, where it is about 2 (1/2 - flip)^2.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, section 7.1.4.

    Examples
    --------
    >>> round(binary_symmetric_capacity(0.1), 12)
    0.368064207168
    """
    flip = _check.real("flip", flip, _check.PROBABILITY)
    return _entropy_deficit(abs(1 - 2 * flip))


def _entropy_deficit(bias: float) -> float:
    """Return log 2 - h((1 - bias)/2) for a bias in [0, 1] and the binary entropy h, in nats."""
    if bias == 1:
        return math.log(2)
    if bias > 0.5:
        return ((1 + bias) * math.log1p(bias) + (1 - bias) * math.log1p(-bias)) / 2
    return bias * math.atanh(bias) + math.log1p(-bias * bias) / 2


def _bias_of_capacity(capacity: float) -> float:
    """Return the bias in [0, 1] whose `_entropy_deficit` is the given number in [0, log 2]."""
    if capacity == 0:
        return 0.0
    return _numerics.first_true(lambda d: _entropy_deficit(d) >= capacity, 0.0, 1.0)
