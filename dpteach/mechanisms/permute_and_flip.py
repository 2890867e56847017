"""Permute and flip: selection of the first candidate in random order that a coin flip accepts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach.mechanisms import _panels
from dpteach.mechanisms._base import theorem
from dpteach.mechanisms._selection import Selection, few
from dpteach.notions import PureDP

Vector = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class PermuteAndFlip(Selection):
    """A mechanism that visits candidates in random order and selects the first that it accepts.

    The acceptance probability is e^(epsilon (score - best score)/(2 sensitivity)), without the 2 if
    `monotonic`, so a best candidate is always accepted when visited. For every vector of scores,
    the expected score is at least that of the exponential mechanism. The parameters are those of
    `ExponentialMechanism`.

    Notes
    -----
    Report noisy max with exponential noise has the same output distribution (Ding, Kifer, Saghaian,
    Steinke, Wang, Xiao and Zhang, 2021). The higher expected score comes at a higher cost in
    composition: with two candidates of nearly equal scores it is almost randomized response. Then
    its privacy loss is not confined to an interval of length epsilon, and its divergence of order
    1 is about epsilon^2/2, four times that of the exponential mechanism.

    References
    ----------
    McKenna and Sheldon (2020), algorithm 1 and theorem 1.

    Examples
    --------
    >>> PermuteAndFlip(epsilon=1.0, monotonic=True).law([np.log(4), 0.0])
    array([0.875, 0.125])
    """

    def _distribution(self, lead: Vector) -> Vector:
        return argmax_of_exponential_noise(lead)

    def _choice(self, lead: Vector, rng: np.random.Generator) -> NDArray[np.int64]:
        order = rng.permuted(np.broadcast_to(np.arange(lead.shape[-1]), lead.shape), axis=-1)
        heads = rng.random(lead.shape) < np.exp(np.take_along_axis(lead, order, axis=-1))
        first = heads.argmax(axis=-1)
        return np.take_along_axis(order, first[..., None], axis=-1)[..., 0]


def argmax_of_exponential_noise(lead: Vector) -> Vector:
    """Return the probability that each candidate has the largest score plus exponential noise.

    Scores are in units of the noise scale, at most 0. With p = e^score, the probability of i is p_i
    times the integral over v in [0, 1] of the product over j != i of 1 - p_j v. Gauss-Legendre
    quadrature integrates this polynomial exactly.
    """
    p = np.exp(few(lead))
    v, weights = _panels.gauss(lead.size // 2 + 1)
    with np.errstate(divide="ignore"):
        factors = np.log1p(-np.outer(v, p))
    others = factors.sum(axis=1, keepdims=True) - factors
    return np.asarray(p * (weights @ np.exp(others)))


@theorem(PermuteAndFlip, PureDP, source="McKenna and Sheldon (2020), theorem 1", tight=True)
def _pure(m: PermuteAndFlip) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)
