"""Theorems from other notions to Gaussian differential privacy."""

from __future__ import annotations

from dpteach.conversions._worst import response
from dpteach.conversions.formulas import pure_to_gaussian
from dpteach.conversions.registry import edge
from dpteach.notions import GaussianDP, PureDP


@edge(
    PureDP,
    GaussianDP,
    "randomized response",
    "the curve of randomized response lies above G_mu, with which it shares its corner",
    witness=response,
)
def _(claim: PureDP) -> GaussianDP:
    return GaussianDP(pure_to_gaussian(claim.epsilon), adjacency=claim.adjacency)
