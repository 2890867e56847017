"""Theorems from other notions to alpha differential privacy."""

from __future__ import annotations

from dpteach import _check, _numerics
from dpteach.conversions._worst import normals, one_order, response
from dpteach.conversions.registry import convert, edge
from dpteach.notions import ZCDP, AlphaDP, GaussianDP, PureDP, RenyiDP, _witness
from dpteach.notions.alpha import alpha_of_renyi_up
from dpteach.notions.pure import alpha_of_response
from dpteach.privacy_loss import PrivacyLoss


def _same_order(claim: RenyiDP, *, order: float) -> PrivacyLoss:
    own, renyi = one_order(claim)
    if own != order:
        raise ValueError(f"the claim is about the order {own}, and a smaller one may be less")
    return _witness.response_of_renyi(own, renyi)


@edge(RenyiDP, AlphaDP, "same order", "the definitions; an equivalence", witness=_same_order)
def _(claim: RenyiDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    larger = [e for a, e in zip(claim.orders, claim.epsilons, strict=True) if a >= order]
    if not larger:
        raise ValueError(
            f"order must be at most the largest order of the claim, {claim.orders[-1]}, "
            f"got order={order}"
        )
    return AlphaDP(order, alpha_of_renyi_up(order, min(larger)), adjacency=claim.adjacency)


@edge(ZCDP, AlphaDP, "definition", "the definitions, at one order", witness=normals)
def _(claim: ZCDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = alpha_of_renyi_up(order, order * claim.rho)
    return AlphaDP(order, alpha, adjacency=claim.adjacency)


@edge(GaussianDP, AlphaDP, "Liu-Wang", "Liu and Wang, proposition 7", witness=normals)
def _(claim: GaussianDP, *, order: float) -> AlphaDP:
    return convert(convert(claim, to=ZCDP), to=AlphaDP, order=order)


@edge(
    PureDP,
    AlphaDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015); Liu and Wang, proposition 5",
    witness=response,
)
def _(claim: PureDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    exponent = (order - 1) * claim.epsilon
    alpha = _numerics.up(alpha_of_response(claim.epsilon, order), exponent=exponent)
    return AlphaDP(order, alpha, adjacency=claim.adjacency)
