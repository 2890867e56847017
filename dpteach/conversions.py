"""Conversions: theorems from one claim about the privacy loss to another, and their registry.

The functions state a theorem about numbers. The registry `EDGES` holds an `Edge` for every
theorem from one notion to another, and `convert` applies one of them. It never chains two:
where there is no direct edge it says which routes there are, because each step may lose.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dpteach import _check, _numerics
from dpteach.divergences import binary_entropy
from dpteach.notions import (
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    PureDP,
    RenyiDP,
)
from dpteach.notions.alpha import alpha_of_renyi, renyi_of_alpha
from dpteach.notions.approx import profile_of_approx
from dpteach.notions.mutual_information import total_variation_of_mutual_information
from dpteach.notions.pure import alpha_of_response, renyi_of_response
from dpteach.notions.renyi import epsilon_of_renyi, pinsker

__all__ = [
    "EDGES",
    "Edge",
    "alpha_to_epsilon",
    "alpha_to_renyi",
    "approx_to_approx_delta",
    "convert",
    "mutual_information_to_total_variation",
    "pinsker_total_variation",
    "pure_to_kl",
    "renyi_to_alpha",
    "renyi_to_epsilon",
    "renyi_to_epsilon_mironov",
    "table",
    "total_variation_to_mutual_information",
    "zcdp_to_epsilon",
    "zcdp_to_epsilon_bun_steinke",
]


def renyi_to_epsilon_mironov(order: float, renyi: float, delta: float) -> float:
    """The epsilon that (order, renyi)-Rényi DP implies: renyi + log(1/delta)/(order - 1).

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound, `renyi_to_epsilon` is smaller.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Mironov (2017), proposition 3.

    Examples
    --------
    >>> round(renyi_to_epsilon_mironov(8, 0.1, 1e-5), 12)
    1.744703637853
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(renyi, -math.log(delta) / (order - 1))


def renyi_to_epsilon(order: float, renyi: float, delta: float) -> float:
    """The epsilon that (order, renyi)-Rényi DP implies, by the better of the known formulas.

    renyi + log(1 - 1/a) - (log delta + log a)/(a - 1) for the order a, and at least 0.

    Parameters
    ----------
    order : float
        In (1, inf).
    renyi : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; an upper bound.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Canonne, Kamath and Steinke (2020), proposition 12; Asoodeh et al. (2021), lemma 1.

    Examples
    --------
    >>> round(renyi_to_epsilon(8, 0.1, 1e-5), 12)
    1.314109167846
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return epsilon_of_renyi(order, renyi, delta)


def alpha_to_epsilon(order: float, alpha: float, delta: float) -> float:
    """The epsilon that (order, alpha)-alpha DP implies: log((1 + a (a-1) alpha)/delta)/(a-1).

    Parameters
    ----------
    order : float
        a in (1, inf).
    alpha : float
        In [0, inf).
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound. It equals `renyi_to_epsilon_mironov` on the Rényi scale.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Liu and Wang, equations (62) and (63); their proposition 4 prints e^alpha for alpha, which
    is true but larger.

    Examples
    --------
    >>> round(alpha_to_epsilon(8, 0.1, 1e-5), 12)
    1.914285016286
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _check.real("alpha", alpha, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(renyi_of_alpha(order, alpha), -math.log(delta) / (order - 1))


def alpha_to_renyi(order: float, alpha: float) -> float:
    """The Rényi divergence of the same order: log(1 + a (a-1) alpha)/(a-1). Exact.

    Parameters
    ----------
    order : float
        a in (1, inf).
    alpha : float
        In [0, inf].

    Returns
    -------
    float
        In [0, inf], in nats.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Examples
    --------
    >>> round(alpha_to_renyi(2, 5), 12)
    2.397895272798
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _check.real("alpha", alpha, _check.EXTENDED_NON_NEGATIVE)
    return renyi_of_alpha(order, alpha)


def renyi_to_alpha(order: float, renyi: float) -> float:
    """The alpha divergence of the same order: (e^((a-1) renyi) - 1)/(a (a-1)). Exact.

    Parameters
    ----------
    order : float
        a in (1, inf).
    renyi : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, inf]; inf too where it exceeds the largest float.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    Examples
    --------
    >>> round(renyi_to_alpha(2, 5), 12)
    73.706579551288
    """
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = _check.real("renyi", renyi, _check.EXTENDED_NON_NEGATIVE)
    return alpha_of_renyi(order, renyi)


def zcdp_to_epsilon_bun_steinke(rho: float, delta: float) -> float:
    """The epsilon that rho-zCDP implies: rho + 2 sqrt(rho log(1/delta)).

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In nats; an upper bound, `zcdp_to_epsilon` is smaller.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Bun and Steinke (2016), proposition 1.3.

    Examples
    --------
    >>> round(zcdp_to_epsilon_bun_steinke(0.5, 1e-5), 12)
    5.298525912188
    """
    rho = _check.real("rho", rho, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return _numerics.sum_up(rho, 2 * math.sqrt(-rho * math.log(delta)))


def zcdp_to_epsilon(rho: float, delta: float) -> float:
    """The epsilon that rho-zCDP implies at its best real order.

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.
    delta : float
        In (0, 1].

    Returns
    -------
    float
        In [0, inf), in nats; an upper bound.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Canonne, Kamath and Steinke (2020), corollary 13.

    Examples
    --------
    >>> round(zcdp_to_epsilon(0.5, 1e-5), 12)
    4.728386984943
    """
    delta = _check.real("delta", delta, _check.POSITIVE_PROBABILITY)
    return ZCDP(rho).epsilon_at(delta)


def approx_to_approx_delta(epsilon: float, delta: float, epsilon_prime: float) -> float:
    """The smallest delta' at an epsilon' that (epsilon, delta)-DP implies.

    1 - (e^epsilon' + 1)(1 - delta)/(e^epsilon + 1) for epsilon' <= epsilon, else delta. It
    needs the bound in both orders of every pair, which differential privacy gives.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].
    epsilon_prime : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Cuff and Yu (2016), property 3; Kairouz, Oh and Viswanath (2015), section 3.

    Examples
    --------
    >>> round(approx_to_approx_delta(1.0, 0.0, 0.0), 12)
    0.46211715726
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    epsilon_prime = _check.real("epsilon_prime", epsilon_prime, _check.EXTENDED_NON_NEGATIVE)
    return profile_of_approx(epsilon, delta, epsilon_prime)


def pure_to_kl(epsilon: float) -> float:
    """The largest Kullback-Leibler divergence under epsilon-DP: epsilon tanh(epsilon/2).

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Returns
    -------
    float
        In nats; tight: randomized response reaches it.

    Raises
    ------
    ValueError, TypeError
        If epsilon is outside its range.

    References
    ----------
    Cuff and Yu (2016), property 1, in the form epsilon (e^eps - 1)(1 - e^-eps) over
    (e^eps - 1) + (1 - e^-eps).

    Examples
    --------
    >>> round(pure_to_kl(1.0), 12)
    0.46211715726
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    return _numerics.up(epsilon * math.tanh(epsilon / 2))


def pinsker_total_variation(kl: float) -> float:
    """The largest total variation that a Kullback-Leibler divergence allows: sqrt(kl/2).

    Parameters
    ----------
    kl : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; an upper bound, sharp for small kl.

    Raises
    ------
    ValueError, TypeError
        If kl is outside its range.

    References
    ----------
    Pinsker's inequality; Cover and Thomas, lemma 11.6.1.

    Examples
    --------
    >>> round(pinsker_total_variation(0.02), 12)
    0.1
    """
    return pinsker(_check.real("kl", kl, _check.EXTENDED_NON_NEGATIVE))


def mutual_information_to_total_variation(epsilon: float) -> float:
    """The largest total variation of two rows of a channel of capacity at most epsilon.

    1 - 2 h^-1(log 2 - epsilon), which is at most sqrt(2 epsilon); 1 from log 2 on.

    Parameters
    ----------
    epsilon : float
        In [0, inf], in nats.

    Returns
    -------
    float
        In [0, 1]; tight: a binary symmetric channel reaches it.

    Raises
    ------
    ValueError, TypeError
        If epsilon is outside its range.

    References
    ----------
    Cuff and Yu (2016), property 5.

    Examples
    --------
    >>> round(mutual_information_to_total_variation(0.3), 12)
    0.732827949293
    """
    epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
    return total_variation_of_mutual_information(epsilon)


def total_variation_to_mutual_information(
    delta: float, *, output_size: float, input_size: float
) -> float:
    """The most that a channel can tell whose rows are pairwise within delta in total variation.

    2 h(delta) + 2 delta log(min(output_size, input_size + 1)), and never more than the
    logarithm of the smaller alphabet, nor for delta >= 1/2 less than that.

    Parameters
    ----------
    delta : float
        In [0, 1].
    output_size, input_size : int or inf
        The number of possible outputs, and of values of one entry; at least 1, one may be
        ``math.inf``.

    Returns
    -------
    float
        In nats; an upper bound, loose; inf where both alphabets are infinite and delta > 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Cuff and Yu (2016), property 6, after Alicki and Fannes (2004).

    Examples
    --------
    >>> round(total_variation_to_mutual_information(0.001, output_size=5, input_size=100), 12)
    0.019033386049
    """
    delta = _check.real("delta", delta, _check.PROBABILITY)
    domain = _check.Domain(
        "an integer >= 1 or inf", lambda n: n >= 1 and (n == math.inf or n == math.floor(n))
    )
    outputs = _check.real("output_size", output_size, domain)
    inputs = _check.real("input_size", input_size, domain)
    if delta == 0:
        return 0.0
    most = math.log(min(outputs, inputs))
    if delta > 0.5:
        return most
    size = min(outputs, inputs + 1)
    return min(most, _numerics.up(2 * binary_entropy(delta) + 2 * delta * math.log(size)))


G = TypeVar("G", bound=Guarantee)


@dataclass(frozen=True)
class Edge:
    """A theorem that turns every claim of one notion into a claim of another.

    Attributes
    ----------
    source, target : type
        The two notions.
    function : callable
        From the source claim, and what the target needs to be told, to the target claim.
    name : str
        Short and unique among the edges of one pair; `convert` takes it as `by`.
    theorem : str
        Whose theorem it is, with its number.
    tight : bool
        Whether some mechanism that satisfies the source claim satisfies no smaller target
        claim. Where it is false there is something to gain.
    """

    source: type[Guarantee]
    target: type[Guarantee]
    function: Callable[..., Guarantee]
    name: str
    theorem: str
    tight: bool

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the target needs to be told: the keyword arguments of the function."""
        signature = inspect.signature(self.function)
        return tuple(n for n, p in signature.parameters.items() if p.kind is p.KEYWORD_ONLY)


#: every direct edge; of several between two notions the first is the tightest
EDGES: list[Edge] = []

Function = TypeVar("Function", bound=Callable[..., Guarantee])


def _edge(
    source: type[Guarantee], target: type[Guarantee], name: str, theorem: str, *, tight: bool
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        EDGES.append(Edge(source, target, function, name, theorem, tight))
        return function

    return register


def convert(claim: Guarantee, *, to: type[G], by: str | None = None, **at: Any) -> G:
    """Apply one theorem: the claim of another notion that a claim implies.

    Parameters
    ----------
    claim : Guarantee
    to : type
        The notion wanted, such as ``ApproxDP``.
    by : str, optional
        The name of an edge, where several lead there; by default the tightest.
    **at
        What the notion needs to be told: ``delta=`` or ``epsilon=`` for ApproxDP, ``orders=``
        for RenyiDP, ``order=`` for AlphaDP.

    Returns
    -------
    Guarantee
        A claim of the notion `to`, with the same adjacency. True whenever `claim` is.

    Raises
    ------
    TypeError
        If there is no direct edge (the message lists the routes), an argument is missing or
        unknown, or `claim` is no guarantee.
    ValueError
        If an argument is outside its range, the edge has no such name, or the theorem does
        not apply to this claim.

    Examples
    --------
    >>> convert(PureDP(1.0), to=ZCDP, by="Bun-Steinke")
    ZCDP(rho=0.5)
    >>> convert(ZCDP(0.005), to=RenyiDP, orders=[2, 20])
    RenyiDP(orders=(2.0, 20.0), epsilons=(0.01, 0.1))
    >>> convert(MutualInformationDP(0.1), to=ZCDP)
    Traceback (most recent call last):
    TypeError: to must be reachable by one theorem from MutualInformationDP, got to=ZCDP; \
there is no route, from MutualInformationDP one can reach: ApproxDP
    """
    _check.instance("claim", claim, Guarantee)
    if not (isinstance(to, type) and issubclass(to, Guarantee)):
        raise TypeError(f"to must be a notion, a subclass of Guarantee, got to={_check.shown(to)}")
    edges = [edge for edge in EDGES if edge.source is type(claim) and edge.target is to]
    if not edges:
        raise TypeError(
            f"to must be reachable by one theorem from {type(claim).__name__}, "
            f"got to={to.__name__}; {_routes(type(claim), to)}"
        )
    edge = edges[0]
    if by is not None:
        _check.one_of("by", by, [e.name for e in edges])
        edge = next(e for e in edges if e.name == by)
    try:
        inspect.signature(edge.function).bind(claim, **at)
    except TypeError as error:
        told = ", ".join(edge.parameters) or "no arguments"
        given = ", ".join(at) or "nothing else"
        raise TypeError(
            f"to must come with what the theorem needs, {to.__name__} takes {told}: {error}, "
            f"got {given}"
        ) from None
    return edge.function(claim, **at)  # type: ignore[return-value]


def _routes(source: type[Guarantee], target: type[Guarantee]) -> str:
    """The shortest chains of edges from one notion to another, in words."""
    paths: list[list[type[Guarantee]]] = [[source]]
    for _ in range(4):
        found = [path for path in paths if path[-1] is target and len(path) > 1]
        if found:
            words = "; ".join(" -> ".join(n.__name__ for n in path) for path in found)
            return f"convert step by step, each step may lose: {words}"
        targets = {
            (path[-1], edge.target)
            for path in paths
            for edge in EDGES
            if edge.source is path[-1] and edge.target not in path
        }
        steps = sorted(targets, key=lambda pair: (pair[0].__name__, pair[1].__name__))
        paths = [[*path, end] for path in paths for start, end in steps if start is path[-1]]
    reach = sorted({edge.target.__name__ for edge in EDGES if edge.source is source})
    return f"there is no route, from {source.__name__} one can reach: {', '.join(reach)}"


def table() -> str:
    """The registry as a Markdown table, one row an edge.

    Examples
    --------
    >>> print(table().splitlines()[0])
    | from | to | told | theorem | tight |
    """
    rows = ["| from | to | told | theorem | tight |", "|---|---|---|---|---|"]
    for e in EDGES:
        told, tight = ", ".join(e.parameters), "yes" if e.tight else "no"
        rows.append(
            f"| {e.source.__name__} | {e.target.__name__} | {told} | {e.theorem} | {tight} |"
        )
    return "\n".join(rows)


def _point(claim: Guarantee, epsilon: float | None, delta: float | None) -> ApproxDP:
    """The point of the claim's privacy profile at the epsilon or at the delta."""
    if (epsilon is None) == (delta is None):
        raise TypeError(
            "epsilon and delta must be given one at a time, "
            f"got epsilon={_check.shown(epsilon)} and delta={_check.shown(delta)}"
        )
    if delta is None:
        assert epsilon is not None
        return ApproxDP(epsilon, claim.delta_at(epsilon), adjacency=claim.adjacency)
    implied = claim.epsilon_at(delta)
    if implied == math.inf:
        raise ValueError(f"delta must be larger: {claim!r} implies no epsilon at delta={delta}")
    return ApproxDP(implied, delta, adjacency=claim.adjacency)


def _profile_edge(source: type[Guarantee], name: str, theorem: str, *, tight: bool) -> None:
    """Register the privacy profile of a notion, as the notion itself computes it."""

    def function(
        claim: Guarantee, *, epsilon: float | None = None, delta: float | None = None
    ) -> ApproxDP:
        return _point(claim, epsilon, delta)

    _edge(source, ApproxDP, name, theorem, tight=tight)(function)


# --- to approximate differential privacy ---------------------------------------------------

_profile_edge(PureDP, "Cuff-Yu", "Cuff and Yu (2016), property 3", tight=True)
_profile_edge(ApproxDP, "Cuff-Yu", "Cuff and Yu (2016), property 3", tight=True)
_profile_edge(
    RenyiDP,
    "Canonne-Kamath-Steinke",
    "Canonne, Kamath and Steinke (2020), proposition 12, and Pinsker's inequality",
    tight=False,
)
_profile_edge(
    ZCDP,
    "Canonne-Kamath-Steinke",
    "Canonne, Kamath and Steinke (2020), corollary 13, at the best real order",
    tight=False,
)
_profile_edge(
    AlphaDP,
    "Canonne-Kamath-Steinke",
    "Rényi DP of the same order, and Canonne, Kamath and Steinke (2020), proposition 12",
    tight=False,
)
_profile_edge(GaussianDP, "Balle-Wang", "Dong, Roth and Su (2022), corollary 1", tight=True)
_profile_edge(MutualInformationDP, "Cuff-Yu", "Cuff and Yu (2016), property 5", tight=True)


@_edge(RenyiDP, ApproxDP, "Mironov", "Mironov (2017), proposition 3", tight=False)
def _(claim: RenyiDP, *, delta: float) -> ApproxDP:
    usable = [
        renyi_to_epsilon_mironov(a, e, delta)
        for a, e in zip(claim.orders, claim.epsilons, strict=True)
        if 1 < a < math.inf
    ]
    if not usable:
        raise ValueError(f"claim must hold an order in (1, inf), got claim={claim!r}")
    return ApproxDP(min(usable), delta, adjacency=claim.adjacency)


@_edge(RenyiDP, ApproxDP, "Pinsker", "Pinsker's inequality, at epsilon = 0", tight=False)
def _(claim: RenyiDP) -> ApproxDP:
    return ApproxDP(0.0, pinsker(claim.epsilons[0]), adjacency=claim.adjacency)


@_edge(ZCDP, ApproxDP, "Bun-Steinke", "Bun and Steinke (2016), proposition 1.3", tight=False)
def _(claim: ZCDP, *, delta: float) -> ApproxDP:
    return ApproxDP(zcdp_to_epsilon_bun_steinke(claim.rho, delta), delta, adjacency=claim.adjacency)


@_edge(AlphaDP, ApproxDP, "Liu-Wang", "Liu and Wang, equations (62) and (63)", tight=False)
def _(claim: AlphaDP, *, delta: float) -> ApproxDP:
    return ApproxDP(
        alpha_to_epsilon(claim.order, claim.epsilon, delta), delta, adjacency=claim.adjacency
    )


# --- between Rényi, alpha and zero-concentrated differential privacy ------------------------


@_edge(RenyiDP, AlphaDP, "same order", "the definitions; an equivalence", tight=True)
def _(claim: RenyiDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    larger = [e for a, e in zip(claim.orders, claim.epsilons, strict=True) if a >= order]
    if not larger:
        raise ValueError(
            f"order must be at most the largest order of the claim, {claim.orders[-1]}, "
            f"got order={order}"
        )
    return AlphaDP(
        order, _numerics.up(alpha_of_renyi(order, min(larger))), adjacency=claim.adjacency
    )


@_edge(AlphaDP, RenyiDP, "same order", "the definitions; an equivalence", tight=True)
def _(claim: AlphaDP) -> RenyiDP:
    if claim.epsilon == math.inf:
        raise ValueError(f"claim must have a finite epsilon, got claim={claim!r}")
    renyi = _numerics.up(renyi_of_alpha(claim.order, claim.epsilon))
    return RenyiDP(claim.order, renyi, adjacency=claim.adjacency)


@_edge(ZCDP, RenyiDP, "definition", "Bun and Steinke (2016), definition 1.1", tight=True)
def _(claim: ZCDP, *, orders: float | Sequence[float]) -> RenyiDP:
    domain = _check.Domain("finite and >= 1", lambda a: 1 <= a < math.inf)
    checked = _check.reals("orders", orders, domain)
    return RenyiDP(checked, [a * claim.rho for a in checked], adjacency=claim.adjacency)


@_edge(ZCDP, AlphaDP, "definition", "the definitions, at one order", tight=True)
def _(claim: ZCDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _numerics.up(alpha_of_renyi(order, order * claim.rho))
    return AlphaDP(order, alpha, adjacency=claim.adjacency)


# --- from Gaussian differential privacy -----------------------------------------------------


@_edge(GaussianDP, ZCDP, "Bun-Steinke", "Bun and Steinke (2016), proposition 1.6", tight=True)
def _(claim: GaussianDP) -> ZCDP:
    return ZCDP(_numerics.up(claim.mu * claim.mu / 2), adjacency=claim.adjacency)


@_edge(GaussianDP, RenyiDP, "Mironov", "Dong, Roth and Su (2022), corollary 3", tight=True)
def _(claim: GaussianDP, *, orders: float | Sequence[float]) -> RenyiDP:
    return convert(convert(claim, to=ZCDP), to=RenyiDP, orders=orders)


@_edge(GaussianDP, AlphaDP, "Liu-Wang", "Liu and Wang, proposition 7", tight=True)
def _(claim: GaussianDP, *, order: float) -> AlphaDP:
    return convert(convert(claim, to=ZCDP), to=AlphaDP, order=order)


# --- from pure differential privacy ---------------------------------------------------------


@_edge(
    PureDP,
    RenyiDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015): randomized response dominates; Mironov (2017), prop. 5",
    tight=True,
)
def _(claim: PureDP, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    epsilons = [
        min(claim.epsilon, _numerics.up(renyi_of_response(claim.epsilon, a))) for a in checked
    ]
    return RenyiDP(checked, epsilons, adjacency=claim.adjacency)


@_edge(
    PureDP,
    AlphaDP,
    "randomized response",
    "Kairouz, Oh and Viswanath (2015); Liu and Wang, proposition 5",
    tight=True,
)
def _(claim: PureDP, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    alpha = _numerics.up(alpha_of_response(claim.epsilon, order))
    return AlphaDP(order, alpha, adjacency=claim.adjacency)


@_edge(PureDP, ZCDP, "Steinke", "Steinke (2024), tight bounds from pure DP", tight=True)
def _(claim: PureDP) -> ZCDP:
    return ZCDP(pure_to_kl(claim.epsilon), adjacency=claim.adjacency)


@_edge(PureDP, ZCDP, "Bun-Steinke", "Bun and Steinke (2016), proposition 1.4", tight=False)
def _(claim: PureDP) -> ZCDP:
    return ZCDP(claim.epsilon * claim.epsilon / 2, adjacency=claim.adjacency)


# --- to and from mutual-information differential privacy ------------------------------------


@_edge(
    RenyiDP,
    MutualInformationDP,
    "information radius",
    "Cuff and Yu (2016), property 4; divergences grow with the order",
    tight=False,
)
def _(claim: RenyiDP) -> MutualInformationDP:
    return MutualInformationDP(claim.epsilons[0], adjacency=claim.adjacency)


@_edge(
    ApproxDP,
    MutualInformationDP,
    "Cuff-Yu",
    "Cuff and Yu (2016), property 6; only for finite alphabets",
    tight=False,
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
