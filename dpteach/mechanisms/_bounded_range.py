"""Guarantees implied by bounded range, which the exponential mechanism satisfies.

A mechanism has range epsilon if, on every pair of neighbors, its privacy loss L lies in an
interval [t - epsilon, t]; t may depend on the neighbors (Durfee and Rogers, 2019). Because e^L has
mean 1 under the output distribution Q of the neighbor, t is in [0, epsilon]. For a convex f and a
fixed t, E_Q[f(e^L)] is largest for a loss that takes only the values t - epsilon and t. So each
function of this module computes a maximum over t (Dong, Durfee and Rogers, 2020, section 4). The
exponential mechanism with two candidates attains every such pair of distributions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpteach import _check, _numerics


@dataclass(frozen=True)
class BoundedRangeProfile:
    """The largest delta of all mechanisms of range `self.epsilon`, as a function of a level s.

    A mechanism has range epsilon if its privacy loss lies in an interval [t - epsilon, t], and the
    level s is the epsilon of (epsilon, delta)-DP. In the worst case the loss is t or t - epsilon.
    The loss t then has the probability (1 - e^(t - epsilon))/(1 - e^-epsilon) under P. The
    hockey-stick divergence at the level s is therefore (1 - e^(t - epsilon)) (1 - e^(s - t))/(1 -
    e^-epsilon), which is largest at t = (s + epsilon)/2.
    """

    epsilon: float

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if epsilon >= self.epsilon:
            return 0.0
        half = math.expm1((epsilon - self.epsilon) / 2)
        gained = half * (half / -math.expm1(-self.epsilon))
        return min(1.0, _numerics.up(_numerics.positive(gained)))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        half = math.sqrt(delta) * math.sqrt(-math.expm1(-self.epsilon))
        if half >= 1:
            return 0.0
        return max(0.0, min(self.epsilon, _numerics.sum_up(self.epsilon, 2 * math.log1p(-half))))


def renyi_of_bounded_range(epsilon: float, order: float) -> float:
    """Return the largest Rényi divergence of an order in [1, inf] for mechanisms of range epsilon.

    Range eps means that the loss L lies in an interval [t - eps, t]; in the worst case L is one of
    its ends. Let a be the order, b = a - 1, c = (e^(b eps) - 1)/(1 - e^-eps) and x = e^(t - eps).
    The divergence is the log of the mean E_P[e^(b L)], divided by b. This mean is
    x^b (1 + c (1 - x)), which is largest at x = b (1 + c)/(a c). At a = 1 the largest divergence is
    u - 1 - log u for u = eps/(1 - e^-eps).
    """
    if order == math.inf or epsilon == 0:
        return epsilon
    a, b = order, order - 1
    if b == 0 and epsilon > 1:
        u = epsilon / -math.expm1(-epsilon)
        return u - 1 - math.log(u)
    if b * epsilon > 40:  # the c of the docstring is so large that 1 + 1/c rounds to 1
        # `rest` is log c - b eps; c itself may overflow
        rest = -math.log(-math.expm1(-epsilon))
        return epsilon + math.log1p(-1 / a) + (rest - math.log(a)) / b
    # `growth` is c / b for the c of the docstring
    growth = (epsilon if b == 0 else math.expm1(b * epsilon) / b) / -math.expm1(-epsilon)
    # compute the t at which the divergence is largest. For small epsilon, a series suffices,
    # because the divergence there is insensitive to a small error of t
    if a * epsilon < 1e-4:
        t = epsilon / 2 + epsilon * epsilon * (2 * a - 1) / 24
    else:
        t = epsilon + math.log1p(-(growth - 1) / (a * growth))
    alpha = _numerics.positive(_alpha(epsilon, t, a))
    excess = a * b * alpha
    if excess < 1:
        return a * alpha * _numerics.log1p_over(excess)
    return t - epsilon + math.log((1 + b * growth) / a) / b


def _alpha(epsilon: float, t: float, order: float) -> float:
    """Return the alpha divergence of two distributions whose loss is either t or t - epsilon."""
    low, high = math.expm1(-t), math.expm1(t - epsilon)
    q = np.array([math.exp(-t) * high, low]) / math.expm1(-epsilon)
    return math.fsum(q * _numerics.alpha_generator(np.array([t, t - epsilon]), order))


def zcdp_of_bounded_range(epsilon: float) -> float:
    """Return the least rho such that all mechanisms of range epsilon satisfy rho-zCDP.

    A mechanism has range epsilon if its privacy loss L lies in an interval [t - epsilon, t]. The
    least rho is u - 1 - log u for u = epsilon/(1 - e^-epsilon), which is at most epsilon^2/8. This
    is the largest Rényi divergence D_1 of order 1, so no smaller rho is true.

    For every other order a, D_a is at most rho a, too. Proof: in the worst case L takes only the
    values t and t - epsilon. Let phi(s) = log E_P[e^(s L)]. Then phi(-1) = phi(0) = 0, and D_a / a
    is phi(s)/(s (s + 1)) for s = a - 1. By Newton's formula this is the second divided difference
    of phi on -1, 0, s: the average of phi''/2 over [-1, s] with the weight k_s that rises linearly
    from -1 to 0 and falls linearly from 0 to s. Because L has two values, phi'' is symmetric about
    some point m and decreases away from it.

    The weight k_s is more spread out than k_0: the increasing map T that takes k_0 to k_s has a
    slope >= 1. Let n be the point with T(n) = m. Then |T(x) - m| >= |x - n| for every x, so the
    average of phi''/2 under k_s is at most the average of phi''(x + m - n)/2 under k_0. The first
    average is D_a / a. The second is D_1 for another t in [0, epsilon], because such a shift of
    phi'' only changes t; so it is at most rho. Harrison and Manurangsi (2026) give another proof.
    """
    return renyi_of_bounded_range(epsilon, 1.0)
