"""Theorems from other notions to mutual-information DP: bounds on the capacities of channels."""

from __future__ import annotations

import math
from typing import Any

from dpteach import _numerics
from dpteach.channels import pure_capacity
from dpteach.conversions._worst import normals_of
from dpteach.conversions.formulas import pure_to_kl, total_variation_to_mutual_information
from dpteach.conversions.registry import convert, edge
from dpteach.divergences import binary_entropy
from dpteach.notions import (
    ZCDP,
    Adjacency,
    ApproxDP,
    GaussianDP,
    MutualInformationDP,
    PureDP,
    RenyiDP,
    _witness,
)

#: the number of points on a circle that `_gap_of_circle` uses as the inputs and outputs of a
#: channel
_POINTS = 10**6


def _gap_of_circle(claim: PureDP) -> float:
    """Return pure DP's bound on a channel's capacity, minus the capacity of an example.

    The example satisfies the claim, and its inputs and outputs are points on a circle.
    """
    epsilon = claim.epsilon
    if epsilon == 0:
        return 0.0
    grown = _numerics.expm1(epsilon)
    if claim.adjacency is Adjacency.REPLACE_ONE:
        share = (epsilon / -math.expm1(-epsilon) - 1) / grown
        part = _witness.whole_points(share, _POINTS)
        low = 1 / (1 + part * grown)
    else:
        part = _witness.whole_points(_numerics.logistic(-epsilon), _POINTS)
        low = math.exp(-epsilon)
    reached = _witness.information_of_arcs(part, low)
    return max(0.0, convert(claim, to=MutualInformationDP).epsilon - reached)


@edge(
    PureDP,
    MutualInformationDP,
    "circle",
    "a chord of x log x, where data is replaced; else Cuff and Yu (2016), properties 1 and 4",
    gap=_gap_of_circle,
    rival="a channel between a million points of a circle",
)
def _(claim: PureDP) -> MutualInformationDP:
    # mutual-information DP bounds the capacity of the channel from one person's data to the
    # output. The channel's rows are the output distributions for all possible data of the person,
    # and the one without the person. With replace-one neighbors, the privacy loss between any two
    # rows is at most epsilon. With add/remove neighbors, this holds only for a row and the row
    # without the person; the capacity is at most the largest KL divergence of a row from that row
    if claim.adjacency is Adjacency.REPLACE_ONE:
        # widen the rounding margin, because the formula loses a digit near epsilon = 1
        capacity = pure_capacity(claim.epsilon) * (1 + 4 * _numerics.MARGIN)
        return MutualInformationDP(capacity, adjacency=claim.adjacency)
    return MutualInformationDP(pure_to_kl(claim.epsilon), adjacency=claim.adjacency)


def _gap_to_signs(claim: ZCDP | GaussianDP) -> float:
    """Return zCDP's or Gaussian DP's bound on a channel's capacity, minus an example's capacity.

    The example satisfies the claim. It adds Gaussian noise to one of two numbers and releases only
    on which side of their midpoint the sum lies.
    """
    from scipy.special import ndtr

    flip = float(ndtr(-normals_of(claim) / 2))
    implied = convert(claim, to=MutualInformationDP).epsilon
    return max(0.0, implied - (math.log(2) - binary_entropy(flip)))


def _information_edge(source: type[ZCDP] | type[GaussianDP], theorem: str) -> None:
    @edge(
        source,
        MutualInformationDP,
        "information radius",
        theorem,
        gap=_gap_to_signs,
        rival="the sign of a sample of two Gaussians",
    )
    def _(claim: Any) -> MutualInformationDP:
        rho = claim.rho if isinstance(claim, ZCDP) else convert(claim, to=ZCDP).rho
        return MutualInformationDP(rho, adjacency=claim.adjacency)


_information_edge(GaussianDP, "Cuff and Yu (2016), property 4; the divergence of two normals")


_information_edge(ZCDP, "Cuff and Yu (2016), property 4; Bun and Steinke (2016), definition 1.1")


def _gap_to_response(claim: RenyiDP) -> float:
    """Return Rényi DP's bound on a channel's capacity, minus the capacity of randomized response.

    The randomized response has the largest epsilon with which it satisfies the claim.
    """
    pairs = zip(claim.orders, claim.epsilons, strict=True)
    least = min(_witness.response_of_renyi(a, e).max() for a, e in pairs)
    told = math.log(2) - binary_entropy(_numerics.logistic(-least))
    return max(0.0, claim.epsilons[0] - told)


@edge(
    RenyiDP,
    MutualInformationDP,
    "information radius",
    "Cuff and Yu (2016), property 4; divergences grow with the order",
    gap=_gap_to_response,
    rival="randomized response",
    order=lambda claim: claim.orders[0],
)
def _(claim: RenyiDP) -> MutualInformationDP:
    return MutualInformationDP(claim.epsilons[0], adjacency=claim.adjacency)


def _gap_to_erasure(claim: ApproxDP, *, output_size: float, input_size: float) -> float:
    """Return approximate DP's bound on a channel's capacity, minus an erasure channel's capacity.

    The erasure channel reveals its input with probability delta, and nothing otherwise.
    """
    implied = convert(
        claim, to=MutualInformationDP, output_size=output_size, input_size=input_size
    ).epsilon
    shown = max(1.0, min(input_size, output_size - 1))
    return max(0.0, implied - claim.delta * math.log(shown))


@edge(
    ApproxDP,
    MutualInformationDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 6; only for finite alphabets",
    gap=_gap_to_erasure,
    rival="an erasure channel",
)
def _(claim: ApproxDP, *, output_size: float, input_size: float) -> MutualInformationDP:
    epsilon = total_variation_to_mutual_information(
        claim.delta_at(0.0), output_size=output_size, input_size=input_size
    )
    if epsilon == math.inf:
        raise ValueError(
            "output_size and input_size must not both be infinite, "
            f"got output_size={output_size} and input_size={input_size}"
        )
    return MutualInformationDP(epsilon, adjacency=claim.adjacency)
