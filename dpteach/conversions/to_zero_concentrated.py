"""Theorems from other notions to zero-concentrated differential privacy."""

from __future__ import annotations

import math
from fractions import Fraction

from dpteach import _numerics
from dpteach.conversions._worst import DOMINATION, bounded, normals, pairs_of, response
from dpteach.conversions.formulas import pure_to_kl
from dpteach.conversions.registry import convert, edge, to_first
from dpteach.notions import PLD, ZCDP, GaussianDP, PureDP
from dpteach.notions.zero_concentrated import _slope


def _half_square(x: float) -> float:
    """Return x^2/2, rounded up to a positive number if x > 0."""
    return _numerics.positive(_numerics.up(x * x / 2)) if x > 0 else 0.0


@edge(
    GaussianDP,
    ZCDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.6",
    witness=normals,
)
def _(claim: GaussianDP) -> ZCDP:
    return ZCDP(_half_square(claim.mu), adjacency=claim.adjacency)


@edge(PureDP, ZCDP, "Steinke", "Steinke (2024), tight bounds from pure DP", witness=response)
def _(claim: PureDP) -> ZCDP:
    return ZCDP(pure_to_kl(claim.epsilon), adjacency=claim.adjacency)


@edge(
    PureDP,
    ZCDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.4",
    **to_first(PureDP, ZCDP, "Bun-Steinke"),
)
def _(claim: PureDP) -> ZCDP:
    rho = claim.epsilon * claim.epsilon / 2
    if rho < math.inf and Fraction(rho) < Fraction(claim.epsilon) ** 2 / 2:
        rho = math.nextafter(rho, math.inf)
    return ZCDP(rho, adjacency=claim.adjacency)


def _gap_of_bracket(claim: PLD) -> float:
    return max(0.0, convert(claim, to=ZCDP).rho - max(_slope(pair)[0] for pair in pairs_of(claim)))


@edge(
    PLD,
    ZCDP,
    "moments",
    f"{DOMINATION}; a bracket of the supremum over all orders",
    gap=_gap_of_bracket,
    rival="the same pair, at the orders that were looked at",
)
def _(claim: PLD) -> ZCDP:
    bounded(claim)
    rho = _numerics.up(max(_slope(pair)[1] for pair in pairs_of(claim)))
    return ZCDP(rho, adjacency=claim.adjacency)
