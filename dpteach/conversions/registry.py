"""The registry of theorems between privacy notions, and the functions that apply one of them.

`edge` registers a theorem. `profile_edge` registers a conversion to approximate DP that the methods
of a notion compute. `to_first` compares the bound of a theorem with that of the tightest theorem
between the same two notions; this tightest theorem must be registered first.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeVar

from dpteach import _check
from dpteach._language import catalog
from dpteach.notions import ApproxDP, Explanation, Guarantee
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("conversions")

G = TypeVar("G", bound=Guarantee)


@dataclass(frozen=True)
class Edge:
    """A conversion theorem: it turns every claim of one privacy notion into a claim of another.

    Attributes
    ----------
    source, target : type
        The two notions.
    function : callable
        A function from the source claim, and the keyword arguments that the target needs, to the
        target claim.
    name : str
        A short name, unique among the edges from source to target; `convert` takes it as `by`.
    theorem : str
        The publication and the number of the theorem there, or a reference to its proof.
    tight : bool
        Whether some mechanism that satisfies the source claim satisfies no smaller target
        claim. If False, a better theorem may exist.
    witness : callable, optional
        Only for a tight edge: a function with the arguments of `function`. It returns the privacy
        loss of a pair of distributions that satisfies the claim and no smaller target claim, or
        raises ValueError with a reason if no such pair is known for this claim.
    gap : callable, optional
        Only for an edge that is not tight: a function with the arguments of `function`. It returns
        the parameter of the target claim minus the parameter that a tighter theorem gives, or the
        exact parameter of an example that satisfies the source claim; at least 0.
    rival : str
        A description of this tighter theorem or example.
    order : callable, optional
        A function with the arguments of `function`. It returns the order of the divergence from
        which the implied number is computed, or None if there is no such order.

    Raises
    ------
    ValueError
        If a tight edge has no witness, or an edge that is not tight has no gap.
    """

    source: type[Guarantee]
    target: type[Guarantee]
    function: Callable[..., Guarantee]
    name: str
    theorem: str
    tight: bool
    witness: Callable[..., PrivacyLoss] | None = None
    gap: Callable[..., float] | None = None
    rival: str = ""
    order: Callable[..., float | None] | None = None

    def __post_init__(self) -> None:
        for name, needed in (("witness", self.tight), ("gap", not self.tight)):
            if (getattr(self, name) is not None) != needed:
                raise ValueError(
                    f"{name} must be given for {'' if needed else 'no '}edges with "
                    f"tight={self.tight}, got {name}={_check.shown(getattr(self, name))}"
                )

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the keyword arguments that the target notion needs."""
        signature = inspect.signature(self.function)
        return tuple(n for n, p in signature.parameters.items() if p.kind is p.KEYWORD_ONLY)


#: all conversion theorems; of several between the same two notions, the first is the tightest
EDGES: list[Edge] = []


Function = TypeVar("Function", bound=Callable[..., Guarantee])


def edge(
    source: type[Guarantee],
    target: type[Guarantee],
    name: str,
    theorem: str,
    *,
    witness: Callable[..., PrivacyLoss] | None = None,
    gap: Callable[..., float] | None = None,
    rival: str = "",
    order: Callable[..., float | None] | None = None,
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        tight = witness is not None
        EDGES.append(
            Edge(source, target, function, name, theorem, tight, witness, gap, rival, order)
        )
        return function

    return register


def to_first(source: type[Guarantee], target: type[Guarantee], name: str, **told: Any) -> Any:
    """Return the arguments `gap` and `rival` to register a theorem that is not the tightest.

    `gap` computes the bound of the theorem called `name` minus that of the tightest theorem from
    `source` to `target`, which `rival` describes. If only the tightest theorem needs arguments,
    they are in `told`.
    """
    first = next(e for e in EDGES if (e.source, e.target) == (source, target))

    def gap(claim: Guarantee, **at: Any) -> float:
        if first.parameters and not (at or told):
            raise TypeError(
                f"to_first must be told at what to compare {name!r} with {first.name!r}: "
                f"add {'= or '.join(first.parameters)}="
            )
        implied = convert(claim, to=target, by=name, **at)
        best = convert(claim, to=target, **(at or told))
        return max(0.0, implied._number(at)[0] - best._number(at)[0])

    return {"gap": gap, "rival": f"the theorem of the edge {first.name!r}"}


def convert(claim: Guarantee, *, to: type[G], by: str | None = None, **at: Any) -> G:
    """Convert a guarantee to another notion of privacy, by one theorem.

    Parameters
    ----------
    claim : Guarantee
        The claim to convert.
    to : type
        The target notion, such as ``ApproxDP``.
    by : str, optional
        The name of the edge (a theorem from one notion to another) to use if there are several;
        by default the tightest.
    **at
        The arguments that the target notion needs: ``delta=`` or ``epsilon=`` for ApproxDP,
        ``orders=`` for RenyiDP, ``order=`` for AlphaDP, ``epsilon=`` for ProbabilisticDP.

    Returns
    -------
    Guarantee
        A claim of the notion `to`, with the same adjacency, which holds whenever `claim` holds.

    Raises
    ------
    TypeError
        If there is no direct edge (the message lists the routes), an argument is missing or
        unknown, or `claim` is not a guarantee.
    ValueError
        If no edge has this name, or the theorem does not apply to this claim.

    Examples
    --------
    >>> from dpteach import ZCDP, MutualInformationDP, PureDP, RenyiDP
    >>> convert(PureDP(1.0), to=ZCDP, by="Bun-Steinke")
    ZCDP(rho=0.5)
    >>> convert(ZCDP(0.005), to=RenyiDP, orders=[2, 20])
    RenyiDP(orders=(2.0, 20.0), epsilons=(0.01, 0.1))
    >>> convert(MutualInformationDP(0.1), to=ZCDP)
    Traceback (most recent call last):
    TypeError: to must be reachable by one theorem from MutualInformationDP, got to=ZCDP; \
there is no route, from MutualInformationDP one can reach: ApproxDP
    """
    edge = _chosen(claim, to, by, at)
    return edge.function(claim, **at)  # type: ignore[return-value]


def _chosen(claim: Guarantee, to: Any, by: str | None, at: dict[str, Any]) -> Edge:
    """Check the arguments of `convert`, and return the theorem that it applies."""
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
    return edge


def _routes(source: type[Guarantee], target: type[Guarantee]) -> str:
    """Return the shortest chains of theorems from one notion to another, for an error message."""
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


def explain(
    claim: Guarantee, *, to: type[Guarantee], by: str | None = None, **at: Any
) -> Explanation:
    """Explain a conversion: which theorem `convert` applies, and whether its bound is tight.

    Parameters
    ----------
    claim : Guarantee
        The claim to convert.
    to : type
        The target notion, such as ``ApproxDP``.
    by : str, optional
        The name of the edge (a theorem from one notion to another) to use if there are several;
        by default the tightest.
    **at
        The arguments that the target notion needs, as for `convert`.

    Returns
    -------
    Explanation
        The attribute `value` is the number that the theorem gives, such as rho; for RenyiDP it is
        the last epsilon, and for FDP the delta at epsilon = 0.

    Raises
    ------
    ValueError, TypeError
        As `convert` does.

    Examples
    --------
    >>> from dpteach import ZCDP, PureDP
    >>> explanation = explain(PureDP(1.0), to=ZCDP, by="Bun-Steinke")
    >>> explanation.value, explanation.kind
    (0.5, 'upper bound')
    >>> print(explanation)
    rho is 0.5. It is an upper bound, by Bun and Steinke (2016), proposition 1.4. It exceeds that \
of the theorem of the edge 'Steinke' by 0.0378828.
    """
    edge = _chosen(claim, to, by, at)
    implied = edge.function(claim, **at)
    # convert numbers to floats, because the theorems' functions compute with floats
    at = {name: float(x) if isinstance(x, Real) else x for name, x in at.items()}
    value, quantity, _order = implied._number(at)
    order = edge.order(claim, **at) if edge.order is not None else None
    if edge.gap is not None:
        gap = edge.gap(claim, **at)
        note = _("It exceeds that of {rival} by {gap:.6g}.", rival=edge.rival, gap=gap)
        exact = False
    else:
        assert edge.witness is not None
        try:
            edge.witness(claim, **at)
            exact, note = True, _("A pair of distributions attains it.")
        except ValueError as error:
            why = _("It is not known whether any distributions attain it: {error}.", error=error)
            exact, note = False, why
    if value == 0:
        exact, note = True, _("No number is smaller.")
    kind = "exact" if exact else "upper bound"
    return Explanation(value, quantity, edge.theorem, kind, order, note=note)  # type: ignore[arg-type]


def table() -> str:
    """Return a Markdown table of all conversion theorems, one row per theorem.

    The last column is "tight" if the theorem cannot be improved. Otherwise it names what the
    theorem's bound is compared with: a tighter theorem, or an example that satisfies the source
    notion. The column "told" has the arguments that the conversion needs, such as delta.

    Examples
    --------
    >>> print(table().splitlines()[0])
    | from | to | by | told | theorem | tight, or what its gap is to |
    """
    rows = ["| from | to | by | told | theorem | tight, or what its gap is to |"]
    rows.append("|" + "---|" * 6)
    for e in EDGES:
        told, tight = ", ".join(e.parameters), "tight" if e.tight else e.rival
        cells = e.source.__name__, e.target.__name__, e.name, told, e.theorem, tight
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def point(
    claim: Guarantee,
    epsilon: float | None,
    delta: float | None,
    delta_at: Callable[[float], float] | None = None,
    epsilon_at: Callable[[float], float] | None = None,
) -> ApproxDP:
    """Return the (epsilon, delta)-DP that a claim implies at a given epsilon or delta.

    The functions `delta_at` and `epsilon_at` compute the other number. By default, they are the
    methods of the claim.
    """
    _check.exactly_one(epsilon, delta)
    if delta is None:
        assert epsilon is not None
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        return ApproxDP(epsilon, (delta_at or claim.delta_at)(epsilon), adjacency=claim.adjacency)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    implied = (epsilon_at or claim.epsilon_at)(delta)
    if implied == math.inf:
        raise ValueError(
            f"delta must be larger, as {_check.shown(claim)} implies no epsilon there, "
            f"got delta={delta}"
        )
    return ApproxDP(implied, delta, adjacency=claim.adjacency)


def profile_edge(source: type[Guarantee], name: str, theorem: str, **shown: Any) -> None:
    """Register the conversion to ApproxDP by a notion's methods `delta_at` and `epsilon_at`."""

    def function(
        claim: Guarantee, *, epsilon: float | None = None, delta: float | None = None
    ) -> ApproxDP:
        return point(claim, epsilon, delta)

    edge(source, ApproxDP, name, theorem, **shown)(function)


def order_of_profile(claim: Guarantee, **at: Any) -> float | None:
    return claim.explain(**at).order
