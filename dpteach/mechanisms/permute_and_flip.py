"""Permute and flip: candidates in random order, each taken with a probability of its own."""

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
    """Go through the candidates in random order and take each with its own probability.

    That is e^(epsilon (score - best score)/(2 sensitivity)): the best one is taken when its turn
    comes. For every vector of scores the expected score is at least that of the exponential
    mechanism. The parameters are those of `ExponentialMechanism`.

    Notes
    -----
    Reporting the noisy maximum with exponential noise has the same law (Ding, Kifer, Saghaian,
    Steinke, Wang, Xiao and Zhang, 2021). What it gains in score it pays for in composition: with
    two candidates of nearly the same score it is almost randomized response. The range of its
    privacy loss is longer than epsilon there, and its divergence of order 1 about epsilon^2/2,
    four times that of the exponential mechanism.

    References
    ----------
    McKenna and Sheldon (2020), algorithm 1 and theorem 1.

    Examples
    --------
    >>> PermuteAndFlip(epsilon=1.0, monotonic=True).law([np.log(4), 0.0])
    array([0.875, 0.125])
    """

    def _law(self, lead: Vector) -> Vector:
        return law_of_exponential_noise(lead)

    def _choice(self, lead: Vector, rng: np.random.Generator) -> NDArray[np.int64]:
        order = rng.permuted(np.broadcast_to(np.arange(lead.shape[-1]), lead.shape), axis=-1)
        heads = rng.random(lead.shape) < np.exp(np.take_along_axis(lead, order, axis=-1))
        first = heads.argmax(axis=-1)
        return np.take_along_axis(order, first[..., None], axis=-1)[..., 0]


def law_of_exponential_noise(lead: Vector) -> Vector:
    """The law of the largest of scores (in units of the noise) plus exponential noise.

    p_i times the integral over v in [0, 1] of the product over the others of 1 - p_j v, for
    p = e^lead: a polynomial, which Gauss-Legendre quadrature integrates exactly.
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
