"""Theorems from other notions to f-differential privacy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dpteach.conversions._worst import pair_of, response
from dpteach.conversions.registry import convert, edge
from dpteach.notions import FDP, PLD, ApproxDP, GaussianDP, PureDP, _witness


@edge(
    PureDP,
    FDP,
    "corners",
    "Wasserman and Zhou (2010), theorem 2.4",
    witness=response,
)
def _(claim: PureDP) -> FDP:
    return FDP(claim.epsilon, 0.0, adjacency=claim.adjacency)


@edge(
    ApproxDP,
    FDP,
    "corners",
    "Wasserman and Zhou (2010), theorem 2.4",
    witness=lambda claim: _witness.four_points(claim.epsilon, claim.delta),
)
def _(claim: ApproxDP) -> FDP:
    return FDP(claim.epsilon, claim.delta, adjacency=claim.adjacency)


def _gap_of_tangents(claim: GaussianDP, *, epsilons: float | Sequence[float]) -> float:
    """Return the largest error in delta if tangents replace the trade-off curve of Gaussian DP.

    There is one tangent for each given epsilon. The error is delta by the tangents minus the exact
    delta. It is computed at 0, at the given epsilons, at a larger one, and halfway between these.
    """
    curve = convert(claim, to=FDP, epsilons=epsilons)
    given = (0.0, *curve.epsilons, 2 * curve.epsilons[-1] + 1)
    points = [*given, *((low + high) / 2 for low, high in pairwise(given))]
    return max(0.0, *(curve.delta_at(x) - claim.delta_at(x) for x in points))


@edge(
    GaussianDP,
    FDP,
    "tangents",
    "Dong, Roth and Su (2022), duality of the curve and the profile, at some epsilons",
    gap=_gap_of_tangents,
    rival="N(0, 1) against N(mu, 1), between the epsilons",
)
def _(claim: GaussianDP, *, epsilons: float | Sequence[float]) -> FDP:
    return FDP.from_profile(claim, epsilons=epsilons)


@edge(PLD, FDP, "symmetric curve", "Dong, Roth and Su (2022), duality", witness=pair_of)
def _(claim: PLD) -> FDP:
    return claim.trade_off_curve()
