"""Theorems from other notions to Rényi differential privacy."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpteach import _check, _numerics
from dpteach.conversions._worst import DOMINATION, bounded, normals, pair_of, pairs_of, response
from dpteach.conversions.registry import convert, edge
from dpteach.notions import PLD, ZCDP, AlphaDP, GaussianDP, PureDP, RenyiDP, _witness
from dpteach.notions.alpha import renyi_of_alpha
from dpteach.notions.pure import renyi_of_response


@edge(
    AlphaDP,
    RenyiDP,
    "same order",
    "the definitions; an equivalence",
    witness=lambda claim: _witness.response_of_renyi(
        claim.order, renyi_of_alpha(claim.order, claim.epsilon)
    ),
)
def _(claim: AlphaDP) -> RenyiDP:
    if claim.epsilon == math.inf:
        raise ValueError(f"claim must have a finite epsilon, got claim={claim!r}")
    renyi = _numerics.up(renyi_of_alpha(claim.order, claim.epsilon))
    return RenyiDP(claim.order, renyi, adjacency=claim.adjacency)


@edge(ZCDP, RenyiDP, "definition", "Bun and Steinke (2016), definition 1.1", witness=normals)
def _(claim: ZCDP, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda a: 1 <= a < math.inf)
    checked = _check.reals("orders", orders, domain)
    epsilons = [_numerics.product_up(a, claim.rho) for a in checked]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


@edge(GaussianDP, RenyiDP, "Mironov", "Dong, Roth and Su (2022), corollary 3", witness=normals)
def _(claim: GaussianDP, *, orders: float | Sequence[float]) -> RenyiDP:
    return convert(convert(claim, to=ZCDP), to=RenyiDP, orders=orders)


@edge(
    PureDP,
    RenyiDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015): randomized response dominates; Mironov (2017), prop. 5",
    witness=response,
)
def _(claim: PureDP, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    epsilons = [
        min(claim.epsilon, _numerics.up(renyi_of_response(claim.epsilon, a))) for a in checked
    ]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


@edge(PLD, RenyiDP, "moments", DOMINATION, witness=pair_of)
def _(claim: PLD, *, orders: float | Sequence[float]) -> RenyiDP:
    bounded(claim)
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    pairs = pairs_of(claim)
    epsilons = [_numerics.up(max(pair.renyi(a) for pair in pairs)) for a in checked]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)
