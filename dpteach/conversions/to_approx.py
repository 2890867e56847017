"""Conversions to approximate DP: theorems that bound the privacy profile of another notion."""

from __future__ import annotations

import math
from typing import Any

from dpteach import _check
from dpteach.conversions._worst import normals_of, one_order
from dpteach.conversions.formulas import (
    alpha_to_epsilon,
    best_of_zcdp,
    renyi_to_epsilon_mironov,
    zcdp_epsilon_of_root,
    zcdp_epsilon_of_tail,
    zcdp_to_delta_bun_steinke,
    zcdp_to_epsilon_bun_steinke,
)
from dpteach.conversions.registry import (
    convert,
    edge,
    order_of_profile,
    point,
    profile_edge,
    to_first,
)
from dpteach.notions import (
    FDP,
    PLD,
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    _witness,
)
from dpteach.notions.mutual_information import coins_of_mutual_information
from dpteach.notions.renyi import JOINT_RANGE, pair_of_renyi, pinsker
from dpteach.privacy_loss import PrivacyLoss

profile_edge(
    PureDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.response(claim.epsilon),
)


profile_edge(
    ApproxDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.four_points(claim.epsilon, claim.delta),
)


profile_edge(
    ProbabilisticDP,
    "definition",
    "a bound on the tail bounds its mean; Cuff and Yu (2016), property 3",
    witness=lambda claim, **at: _witness.four_points(claim.epsilon, claim.delta),
)


def _as_renyi(claim: RenyiDP | AlphaDP) -> RenyiDP:
    return claim if isinstance(claim, RenyiDP) else convert(claim, to=RenyiDP)


def _joint_range_witness(claim: RenyiDP | AlphaDP, **at: Any) -> PrivacyLoss:
    order, renyi = one_order(_as_renyi(claim))
    if order == math.inf:
        return _witness.response(renyi)
    implied = convert(claim, to=ApproxDP, by="joint range", **at)
    if renyi == 0 or implied.delta == 1:
        return _witness.same()
    if order == 1:
        raise ValueError("at the order 1 only Pinsker's inequality is used")
    return pair_of_renyi(order, renyi, implied.epsilon)


profile_edge(
    RenyiDP, "joint range", JOINT_RANGE, witness=_joint_range_witness, order=order_of_profile
)


def _closed_edge(source: type[RenyiDP] | type[AlphaDP], theorem: str) -> None:
    """Register the conversion of Rényi or alpha DP to approximate DP by a closed formula.

    The formula is that of Canonne, Kamath and Steinke, at the order with the smallest result.
    """

    def best(claim: Any, epsilon: float | None, delta: float | None) -> tuple[float, float | None]:
        if isinstance(claim, AlphaDP) and claim.epsilon == math.inf:
            return (1.0 if delta is None else 0.0 if delta == 1 else math.inf), None
        renyi = _as_renyi(claim)
        if delta is None:
            assert epsilon is not None
            return renyi._closed_delta(epsilon)
        return renyi._closed_epsilon(delta)

    @edge(
        source,
        ApproxDP,
        "Canonne-Kamath-Steinke",
        theorem,
        order=lambda claim, epsilon=None, delta=None: best(claim, epsilon, delta)[1],
        **to_first(source, ApproxDP, "Canonne-Kamath-Steinke"),
    )
    def _(claim: Any, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
        return point(
            claim,
            epsilon,
            delta,
            lambda epsilon: best(claim, epsilon, None)[0],
            lambda delta: best(claim, None, delta)[0],
        )


_closed_edge(
    RenyiDP, "Canonne, Kamath and Steinke (2020), proposition 12, and Pinsker's inequality"
)


def _mironov(claim: RenyiDP, delta: float) -> tuple[float, float]:
    usable = [
        (renyi_to_epsilon_mironov(a, e, delta), a)
        for a, e in zip(claim.orders, claim.epsilons, strict=True)
        if 1 < a < math.inf
    ]
    if not usable:
        raise ValueError(f"claim must hold an order in (1, inf), got claim={claim!r}")
    return min(usable)


@edge(
    RenyiDP,
    ApproxDP,
    "Mironov",
    "Mironov (2017), proposition 3",
    order=lambda claim, delta: _mironov(claim, delta)[1],
    **to_first(RenyiDP, ApproxDP, "Mironov"),
)
def _(claim: RenyiDP, *, delta: float) -> ApproxDP:
    return ApproxDP(_mironov(claim, delta)[0], delta, adjacency=claim.adjacency)


@edge(
    RenyiDP,
    ApproxDP,
    "Pinsker",
    "Pinsker's inequality, at epsilon = 0",
    order=lambda claim: claim.orders[0],
    **to_first(RenyiDP, ApproxDP, "Pinsker", epsilon=0.0),
)
def _(claim: RenyiDP) -> ApproxDP:
    return ApproxDP(0.0, pinsker(claim.epsilons[0]), adjacency=claim.adjacency)


def _gap_to_normals(name: str) -> Any:
    """Return the arguments `gap` and `rival` of `edge` for a conversion of zCDP to approximate DP.

    `gap` computes the bound of the conversion called `name` minus the exact value for two Gaussian
    distributions that satisfy zCDP with the claim's rho, and `rival` describes these distributions.
    """

    def gap(claim: ZCDP, **at: Any) -> float:
        implied = convert(claim, to=ApproxDP, by=name, **at)
        exact = convert(GaussianDP(normals_of(claim)), to=ApproxDP, **at)
        return max(0.0, implied._number(at)[0] - exact._number(at)[0])

    return {"gap": gap, "rival": "N(0, 1) against N(sqrt(2 rho), 1)"}


@edge(
    ZCDP,
    ApproxDP,
    "joint range",
    f"{JOINT_RANGE}, at the best real order",
    order=order_of_profile,
    **_gap_to_normals("joint range"),
)
def _(claim: ZCDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return point(
        claim,
        epsilon,
        delta,
        lambda epsilon: best_of_zcdp(claim, epsilon, None),
        lambda delta: best_of_zcdp(claim, None, delta),
    )


profile_edge(
    ZCDP,
    "Canonne-Kamath-Steinke",
    "Canonne, Kamath and Steinke (2020), corollary 13, at the best real order",
    order=order_of_profile,
    **to_first(ZCDP, ApproxDP, "Canonne-Kamath-Steinke"),
)


@edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke tail",
    "Bun and Steinke (2016), lemma 3.6",
    **to_first(ZCDP, ApproxDP, "Bun-Steinke tail"),
)
def _(claim: ZCDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    return point(
        claim,
        epsilon,
        delta,
        # the tail bound needs epsilon >= rho, so a smaller epsilon gets the trivial delta = 1
        lambda e: zcdp_to_delta_bun_steinke(claim.rho, e) if e >= claim.rho else 1.0,
        lambda delta: (
            zcdp_epsilon_of_tail(claim.rho, delta) if delta > 0 else claim.epsilon_at(0.0)
        ),
    )


@edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke root",
    "Bun and Steinke (2016), lemma 3.6, with the first of its factors, sqrt(pi rho)",
    **to_first(ZCDP, ApproxDP, "Bun-Steinke root"),
)
def _(claim: ZCDP, *, delta: float) -> ApproxDP:
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return ApproxDP(zcdp_epsilon_of_root(claim.rho, delta), delta, adjacency=claim.adjacency)


@edge(
    ZCDP,
    ApproxDP,
    "Bun-Steinke",
    "Bun and Steinke (2016), proposition 1.3",
    **to_first(ZCDP, ApproxDP, "Bun-Steinke"),
)
def _(claim: ZCDP, *, delta: float) -> ApproxDP:
    return ApproxDP(zcdp_to_epsilon_bun_steinke(claim.rho, delta), delta, adjacency=claim.adjacency)


profile_edge(
    AlphaDP, "joint range", JOINT_RANGE, witness=_joint_range_witness, order=order_of_profile
)


_closed_edge(
    AlphaDP, "Rényi DP of the same order, and Canonne, Kamath and Steinke (2020), proposition 12"
)


@edge(
    AlphaDP,
    ApproxDP,
    "Liu-Wang",
    "Liu and Wang, equations (62) and (63)",
    order=lambda claim, delta: claim.order,
    **to_first(AlphaDP, ApproxDP, "Liu-Wang"),
)
def _(claim: AlphaDP, *, delta: float) -> ApproxDP:
    return ApproxDP(
        alpha_to_epsilon(claim.order, claim.epsilon, delta), delta, adjacency=claim.adjacency
    )


profile_edge(
    GaussianDP,
    "Balle-Wang",
    "Dong, Roth and Su (2022), corollary 1",
    witness=lambda claim, **at: _witness.normals(claim.mu),
)


profile_edge(
    MutualInformationDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 5; binary channels",
    witness=lambda claim, **at: _witness.coins(
        *coins_of_mutual_information(claim.epsilon, convert(claim, to=ApproxDP, **at).epsilon)
    ),
)


profile_edge(
    FDP,
    "duality",
    "Dong, Roth and Su (2022), duality of the curve and the profile",
    witness=lambda claim, **at: _witness.of_atoms(claim._atoms()),
)


profile_edge(
    PLD,
    "definition",
    "the definition: the pair of the claim",
    witness=lambda claim, **at: _witness.of_atoms(claim._both_atoms()[0]),
)
