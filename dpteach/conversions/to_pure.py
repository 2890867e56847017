"""Theorems from other notions to pure differential privacy."""

from __future__ import annotations

from dpteach.conversions._worst import DOMINATION, bounded, pair_of
from dpteach.conversions.registry import edge
from dpteach.notions import PLD, PureDP


@edge(PLD, PureDP, "largest loss", DOMINATION, witness=pair_of)
def _(claim: PLD) -> PureDP:
    bounded(claim)
    return PureDP(max(0.0, claim.losses[-1], claim.reversed_losses[-1]), adjacency=claim.adjacency)
