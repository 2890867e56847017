"""Pairs of distributions that attain the bound of a conversion theorem and so prove it tight."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpteach import _numerics
from dpteach.notions._loss_atoms import LossAtoms
from dpteach.notions.pure import renyi_of_response
from dpteach.privacy_loss import DensityLoss, DiscreteLoss, PrivacyLoss
from dpteach.privacy_loss.density import log_normal

Vector = NDArray[np.float64]


def same() -> DiscreteLoss:
    """Return the privacy loss of two identical distributions."""
    return DiscreteLoss([1.0], [1.0])


def response(epsilon: float) -> DiscreteLoss:
    """Return the privacy loss of randomized response: exactly epsilon or -epsilon."""
    truth, lie = _numerics.logistic(epsilon), _numerics.logistic(-epsilon)
    losses = np.array([epsilon, -epsilon])
    return DiscreteLoss._of(np.array([truth, lie]), np.array([lie, truth]), losses)


def response_of_renyi(order: float, renyi: float) -> DiscreteLoss:
    """Return the privacy loss of the randomized response with a given Rényi divergence.

    The order of the divergence is in [1, inf].
    """
    if order == math.inf or renyi == 0:
        return response(renyi)

    def enough(epsilon: float) -> bool:
        return renyi_of_response(epsilon, order) >= renyi

    # the epsilon sought is below 1 + 2.2 renyi: there, epsilon tanh(epsilon/2), the divergence of
    # order 1, exceeds `renyi`, and so do the larger divergences of larger orders
    return response(_numerics.first_true(enough, 0.0, 1 + 2.2 * renyi))


def four_points(epsilon: float, delta: float) -> DiscreteLoss:
    """Return the loss that is inf with probability delta, else that of randomized response."""
    truth, lie = ((1 - delta) * _numerics.logistic(x) for x in (epsilon, -epsilon))
    p, q = np.array([delta, truth, lie, 0.0]), np.array([0.0, lie, truth, delta])
    ends = math.inf if delta > 0 else 0.0
    return DiscreteLoss._of(p, q, np.array([ends, epsilon, -epsilon, -ends]))


def coins(p: float, q: float) -> DiscreteLoss:
    """Return the privacy loss of two Bernoulli distributions with parameters p and q."""
    return DiscreteLoss([p, 1 - p], [q, 1 - q])


def normals(mu: float) -> PrivacyLoss:
    """Return the privacy loss of N(0, 1) against N(mu, 1)."""
    if mu == 0:
        return same()
    p, q = (partial(log_normal, mean, 1.0) for mean in (0.0, mu))
    return DensityLoss(p, q, points=(0.0, mu / 2, mu), scale=1.0)


def of_atoms(atoms: LossAtoms) -> DiscreteLoss:
    """Return the privacy loss whose distribution under P has the given atoms."""
    losses, masses = atoms.losses, atoms.masses
    with np.errstate(divide="ignore"):
        seen = np.exp(np.minimum(np.log(masses) - losses, 0.0))
    rest = 1 - math.fsum(seen)
    # a remaining mass of Q below 1e-12 is a rounding error, and not the probability of an outcome
    # that is impossible under P
    if rest <= 1e-12:
        rest = 0.0
    p = np.concatenate((masses, [atoms.infinity, 0.0]))
    q = np.concatenate((seen, [0.0, rest]))
    ends = [math.inf if atoms.infinity > 0 else 0.0, -math.inf if rest > 0 else 0.0]
    return DiscreteLoss._of(p, q, np.concatenate((losses, ends)))


def whole_points(share: float, points: int) -> float:
    """Return a share of a circle of `points` points, rounded up to a multiple of 1/points."""
    return min(points, max(1, math.ceil(share * points))) / points


def information_of_arcs(part: float, low: float) -> float:
    """Return the mutual information, in nats, of a channel from a circle to itself.

    The input is uniform. Outputs are more likely on the arc that begins at the input and covers the
    fraction `part` of the circle. Every other output has `low` times its probability under the
    uniform distribution.
    """
    if part == 1 or low == 0:
        return -math.log(part)
    high = (1 - (1 - part) * low) / part
    return max(0.0, part * high * math.log(high) + (1 - part) * low * math.log(low))
