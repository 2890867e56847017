"""Report noisy max: the candidate with the largest noisy score, without that score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms import _panels
from dpteach.mechanisms._base import theorem
from dpteach.mechanisms._selection import Selection, few
from dpteach.mechanisms.permute_and_flip import argmax_of_exponential_noise
from dpteach.notions import PureDP

Vector = NDArray[np.float64]

NOISES = ("laplace", "exponential", "gumbel")


@dataclass(frozen=True, repr=False)
class ReportNoisyMax(Selection):
    """A selection of the candidate with the largest score plus independent noise.

    All parameters except `noise` are those of `ExponentialMechanism`.

    Parameters
    ----------
    noise : {"laplace", "exponential", "gumbel"}
        The distribution of the noise, of scale 2 sensitivity/epsilon, or
        sensitivity/epsilon if monotonic.
        Exponential noise gives the output distribution of `PermuteAndFlip`, and Gumbel noise that
        of the exponential mechanism.

    Notes
    -----
    Only the selected candidate may be published and, with Laplace noise, the gap between its noisy
    score and the second largest. Publishing all n noisy scores would cost n times as much.

    References
    ----------
    Dwork and Roth (2014), claim 3.9; Ding, Kifer, Saghaian, Steinke, Wang, Xiao and Zhang (2021),
    for exponential noise; Ding, Wang, Zhang and Kifer (2019), for the gap.

    Examples
    --------
    >>> ReportNoisyMax(epsilon=2.0).law([1.0, 0.0]).round(6)  # 1 - 3/(4 e)
    array([0.72409, 0.27591])
    >>> ReportNoisyMax(epsilon=2.0, noise="exponential").law([1.0, 0.0]).round(6)
    array([0.81606, 0.18394])
    """

    noise: str = "laplace"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (isinstance(self.noise, str) and self.noise in NOISES):
            kinds = ", ".join(map(repr, NOISES))
            raise ValueError(f"noise must be one of {kinds}, got noise={_check.shown(self.noise)}")

    def _distribution(self, lead: Vector) -> Vector:
        if self.noise == "gumbel":
            return np.exp(lead - _numerics.logsumexp(lead))
        if self.noise == "exponential":
            return argmax_of_exponential_noise(lead)
        return _argmax_of_laplace_noise(lead)

    def _choice(self, lead: Vector, rng: np.random.Generator) -> NDArray[np.int64]:
        noise: Vector = getattr(rng, self.noise)(size=lead.shape)
        return np.asarray((lead + noise).argmax(axis=-1))


def _argmax_of_laplace_noise(lead: Vector) -> Vector:
    """Return the probability that each candidate has the largest score plus Laplace noise.

    Scores are in units of the noise scale. Each probability is the integral over x of the density
    of one noisy score at x times the probability that all others are below x.
    """
    probabilities = np.zeros_like(few(lead))
    near = lead > -750  # all other candidates are selected with probability below 1e-300
    scores = lead[near]
    points = np.unique(np.concatenate((scores, [scores.min() - 750, 750])))
    x, log_weights = _panels.graded(points, scores.size)
    distance = x[:, None] - scores
    below = _panels.log_laplace_cdf(distance)
    terms = _panels.log_laplace_density(distance) - below
    terms += (below.sum(axis=1) + log_weights)[:, None]
    probabilities[near] = np.exp(terms).sum(axis=0)
    return probabilities


@theorem(
    ReportNoisyMax,
    PureDP,
    source="Dwork and Roth (2014), claim 3.9, its argument for every score and noise",
    tight=True,
)
def _pure(m: ReportNoisyMax) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)
