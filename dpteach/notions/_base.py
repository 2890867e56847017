"""The base class of all notions of privacy, and `Explanation`: where a number comes from."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Literal, Self, get_args

from dpteach import _check, _numerics
from dpteach._language import N_, catalog
from dpteach._numerics import rounded_down, rounded_up
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")

#: a computed divergence may exceed a claimed bound by this relative amount, as a rounding error
ROUNDING = 1e-12


class Adjacency(Enum):
    """The relation that says which datasets are neighbors.

    Examples
    --------
    >>> Adjacency.REPLACE_ONE.value
    "one person's data replaced"
    """

    ADD_REMOVE = N_("one person's data added or removed")
    REPLACE_ONE = N_("one person's data replaced")

    @property
    def words(self) -> str:
        """The relation in words, in the current language of messages.

        >>> "replaced" in Adjacency.REPLACE_ONE.words
        True
        """
        text = self.value
        return _(text)


#: how a printed number relates to the best number that follows from the guarantee
Kind = Literal["exact", "upper bound", "lower bound", "estimate"]

#: how numbers of each kind are rounded for printing; kinds that are missing here are rounded up
_TOLD: dict[str, Callable[[float], str]] = {
    "lower bound": rounded_down,
    "estimate": "{:.6g}".format,
}


#: the words that messages use for each kind of number
_KINDS: dict[str, str] = {
    "exact": N_("exact"),
    "upper bound": N_("an upper bound"),
    "lower bound": N_("a lower bound"),
    "estimate": N_("an estimate"),
}


@dataclass(frozen=True)
class Explanation:
    """The origin of a number: its theorem and kind of bound; ``str`` returns them as a sentence.

    Parameters
    ----------
    value : float
        The number.
    quantity : str
        What the number measures, such as ``"epsilon at delta=1e-05"``.
    theorem : str
        The theorem that gave the number, with authors and number.
    kind : {"exact", "upper bound", "lower bound", "estimate"}
        Exact: no better number follows from the guarantee or mechanism that was explained
        (rounding still errs on the safe side). A bound: a better number may follow. An estimate
        guarantees nothing.
    order : float, optional
        The order of the divergence to which the theorem was applied, if it has one.
    binding : bool
        Whether the given orders limit the number: the best one is the smallest or the largest
        of them, so that further orders may give a better number.
    note : str
        A further remark, such as the numbers that adjacent orders give.

    Raises
    ------
    ValueError, TypeError
        If value is not a number, kind is none of the four, or a text is not a string.

    Examples
    --------
    >>> from dpteach import ZCDP
    >>> explanation = ZCDP(0.5).explain(delta=1e-5)
    >>> round(explanation.value, 12), round(explanation.order, 12), explanation.kind
    (4.728386984943, 5.43184967027, 'upper bound')
    >>> print(Explanation(0.5, "delta at epsilon=0", "the definition", "exact"))
    delta at epsilon=0 is 0.5. It is exact, by the definition.
    """

    value: float
    quantity: str
    theorem: str
    kind: Kind
    order: float | None = None
    binding: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        value = _check.real("value", self.value, _check.EXTENDED_REAL)
        object.__setattr__(self, "value", value)
        for name in ("quantity", "theorem", "note"):
            _check.instance(name, getattr(self, name), str)
        _check.one_of("kind", self.kind, get_args(Kind))
        if self.order is not None:
            order = _check.real("order", self.order, _check.EXTENDED_REAL)
            object.__setattr__(self, "order", order)
        _check.instance("binding", self.binding, bool)

    def __str__(self) -> str:
        number = _TOLD.get(self.kind, rounded_up)(self.value)
        kind = _KINDS[self.kind]
        parts = [_("{quantity} is {number}.", quantity=self.quantity, number=number)]
        if self.order is None:
            parts.append(_("It is {kind}, by {theorem}.", kind=_(kind), theorem=self.theorem))
        else:
            parts.append(
                _(
                    "It is {kind}, by {theorem}, at order {order:.6g}.",
                    kind=_(kind),
                    theorem=self.theorem,
                    order=self.order,
                )
            )
        return " ".join(filter(None, [*parts, self.note]))


@dataclass(frozen=True)
class Reason:
    """The theorem behind a delta or an epsilon: an `Explanation` without the number."""

    theorem: str
    kind: Kind
    order: float | None = None
    binding: bool = False
    note: str = ""


@dataclass(frozen=True, repr=False)
class Guarantee(ABC):
    """An immutable claim about the privacy loss of every ordered pair of neighboring datasets.

    Every guarantee implies a *privacy profile*: for each epsilon a delta such that the
    mechanism is (epsilon, delta)-differentially private. `delta_at` returns delta for a given
    epsilon, and `epsilon_at` returns epsilon for a given delta. Both results are rounded up.

    Attributes
    ----------
    adjacency : Adjacency
        Which datasets the claim calls neighbors. Keyword only.

    Examples
    --------
    >>> from dpteach import GaussianDP, PureDP
    >>> [round(claim.delta_at(1.0), 12) for claim in (PureDP(2.0), GaussianDP(1.0))]
    [0.556769941146, 0.126936737507]
    """

    adjacency: Adjacency = field(default=Adjacency.ADD_REMOVE, kw_only=True)

    #: whether the guarantee is a whole curve or distribution, which no single number determines
    _is_curve: ClassVar[bool] = False
    #: the power of the parameters that is additive under composition: 2 for the mu of Gaussian DP,
    #: otherwise 1
    _adds_as: ClassVar[int] = 1

    def __post_init__(self) -> None:
        _check.instance("adjacency", self.adjacency, Adjacency)

    def _numbers(self) -> tuple[float, ...]:
        """Return the parameters, such as epsilon, whose smaller values are stronger guarantees."""
        return tuple(getattr(self, name) for name in _parameters(type(self)))

    def _told(self) -> dict[str, Any]:
        """Return the parameters, such as orders, that must agree for guarantees to be compared."""
        return {}

    def _number(self, at: dict[str, Any]) -> tuple[float, str, float | None]:
        """Return the number in this guarantee that a theorem or a conversion computed.

        For example, a theorem that got ``epsilon=`` computed delta. The result is the number, a
        phrase that says what it measures, and its order if it is a divergence, otherwise None.

        Parameters
        ----------
        at : dict
            The keyword arguments with which the conversion or the theorem was called.
        """
        return self._numbers()[0], _parameters(type(self))[0], None

    @abstractmethod
    def delta_at(self, epsilon: float) -> float:
        """Return the delta that this guarantee implies at an epsilon >= 0.

        Parameters
        ----------
        epsilon : float
            In [0, inf], in nats.

        Returns
        -------
        float
            In [0, 1]; rounded up.

        Examples
        --------
        >>> from dpteach import GaussianDP
        >>> round(GaussianDP(1.0).delta_at(1.0), 12)
        0.126936737507
        """

    @abstractmethod
    def epsilon_at(self, delta: float) -> float:
        """Return the epsilon that this guarantee implies at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].

        Returns
        -------
        float
            In [0, inf], in nats; rounded up, and infinite if the guarantee implies no finite
            epsilon.

        Examples
        --------
        >>> from dpteach import GaussianDP
        >>> round(GaussianDP(1.0).epsilon_at(1e-5), 12)
        4.377178095681
        """

    def explain(self, *, epsilon: float | None = None, delta: float | None = None) -> Explanation:
        """Return the theorem behind `delta_at` at an epsilon, or `epsilon_at` at a delta.

        Parameters
        ----------
        epsilon : float, optional
            In [0, inf], in nats: explain ``delta_at(epsilon)``.
        delta : float, optional
            In [0, 1]: explain ``epsilon_at(delta)``. Give exactly one of epsilon and delta.

        Returns
        -------
        Explanation
            Its `value` is the explained number. If its `kind` is "exact", no smaller number follows
            from this claim.

        Raises
        ------
        ValueError, TypeError
            Unless exactly one of epsilon and delta is given.

        Examples
        --------
        >>> from dpteach import PureDP
        >>> round(PureDP(1.0).explain(epsilon=0.0).value, 12)
        0.46211715726
        >>> print(PureDP(1.0).explain(delta=0.1))
        epsilon at delta=0.1 is 0.852906. It is exact, by Cuff and Yu (2016), property 3.
        """
        _check.exactly_one(epsilon, delta)
        if delta is None:
            assert epsilon is not None
            value = self.delta_at(epsilon)
            quantity = _(
                "{name} at {given}={at:g}", name="delta", given="epsilon", at=float(epsilon)
            )
            reason = self._why_delta(float(epsilon), value)
        else:
            value = self.epsilon_at(delta)
            quantity = _("{name} at {given}={at:g}", name="epsilon", given="delta", at=float(delta))
            reason = self._why_epsilon(float(delta), value)
        # the number 0 is always exact, because delta and epsilon cannot be smaller
        least = value == 0
        note = reason.note
        return Explanation(
            value,
            quantity,
            reason.theorem,
            "exact" if least else reason.kind,
            reason.order,
            reason.binding and not least,
            # translate the note only here: it is a module's constant, created before the language
            # of messages is known
            _(note) if note else "",
        )

    @abstractmethod
    def _why_delta(self, epsilon: float, value: float) -> Reason:
        """Return the theorem by which `delta_at(epsilon)` is the given value."""

    @abstractmethod
    def _why_epsilon(self, delta: float, value: float) -> Reason:
        """Return the theorem by which `epsilon_at(delta)` is the given value."""

    @abstractmethod
    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether a pair of distributions satisfies this guarantee in both directions.

        The definition is checked, with a relative tolerance of 1e-12 for rounding errors.

        Parameters
        ----------
        loss : PrivacyLoss
            The privacy loss of an ordered pair of distributions (P, Q).

        Examples
        --------
        >>> from dpteach import PureDP, RandomizedResponse
        >>> loss = RandomizedResponse(epsilon=1.0).privacy_loss()
        >>> PureDP(1.0).holds_for(loss), PureDP(0.9).holds_for(loss)
        (True, False)
        """

    def _with(self, numbers: Sequence[float]) -> Self:
        """Return this guarantee with other numbers as its parameters."""
        return type(self)(*numbers, adjacency=self.adjacency)

    def _compose(self, others: Sequence[Self]) -> Self:
        """Return the joint guarantee of this and others, all of the same notion and adjacency."""
        columns = zip(*(claim._numbers() for claim in (self, *others)), strict=True)
        if self._adds_as == 1:
            return self._with([_numerics.total(column) for column in columns])
        return self._with(
            [_numerics.weighted_total(((1, x) for x in xs), self._adds_as) for xs in columns]
        )

    def compose(self, *others: Self) -> Self:
        """Return the guarantee of releasing outputs of mechanisms with this and other guarantees.

        Later mechanisms may depend on earlier outputs; their guarantees are fixed in advance.

        Parameters
        ----------
        *others : Guarantee
            Guarantees of the same notion and the same adjacency.

        Returns
        -------
        Guarantee
            A guarantee of the same notion.

        Raises
        ------
        TypeError
            If the notions differ.
        ValueError
            If the adjacencies differ, or the orders of Rényi or alpha divergences.

        Notes
        -----
        Additive parameters (epsilon, delta, rho, a Rényi divergence, the square of mu) are added
        exactly, and the sum is rounded once, to the nearest float. `compose`, `self_compose` and
        `dpteach.filters` all do so and agree to the last bit; an `Accountant` agrees with them at
        delta = 0, where the result is a sum of epsilons.

        A float parameter therefore stands for all numbers that round to it. The exact sum of ten
        floats 0.1 is 1 + 2^-54, and the claim is ``PureDP(1.0)``, as for ten times 1/10. Because
        intermediate sums are not rounded, the parameter is below the exact sum by at most a
        relative 2^-53, for any number of claims; a number that a user types is as inexact. (In a
        chain of calls of `compose`, each call rounds once.) Profiles computed from a claim are
        rounded up by more than this, except where delta or epsilon is a parameter of the claim.

        Examples
        --------
        >>> from dpteach import PureDP
        >>> PureDP(0.5).compose(PureDP(0.25), PureDP(0.25))
        PureDP(epsilon=1.0)
        >>> PureDP(0.1).compose(*[PureDP(0.1)] * 9) == PureDP(0.1).self_compose(10)
        True
        """
        for other in others:
            if type(other) is not type(self):
                raise TypeError(
                    f"compose takes guarantees of one notion, {type(self).__name__}, got "
                    f"{_check.shown(other)}; convert it first: "
                    f"convert(..., to={type(self).__name__})"
                )
            if other.adjacency is not self.adjacency:
                raise ValueError(
                    f"compose takes guarantees about the same neighbors: this one has "
                    f"adjacency={self.adjacency}, got {_check.shown(other)}"
                )
        return self._compose(others)

    def self_compose(self, k: int) -> Self:
        """Return the guarantee of k releases, each with this guarantee.

        Parameters
        ----------
        k : int
            At least 1.

        Examples
        --------
        >>> from dpteach import GaussianDP
        >>> GaussianDP(0.5).self_compose(16)
        GaussianDP(mu=2.0)
        """
        k = _check.count("k", k)
        # multiply once, because a single product of two floats is correctly rounded
        if self._adds_as == 1 and k <= 2**53:
            return self._with([k * x for x in self._numbers()])
        return self._with(
            [_numerics.weighted_total([(k, x)], self._adds_as) for x in self._numbers()]
        )

    @abstractmethod
    def group(self, size: int) -> Self:
        """Return the guarantee for groups: datasets that differ in up to `size` people's data.

        A chain of `size` steps between neighbors joins two such datasets.

        Parameters
        ----------
        size : int
            At least 1.

        Returns
        -------
        Guarantee
            A guarantee of the same notion, for datasets that differ in up to `size` people's data.

        Raises
        ------
        ValueError, TypeError
            If size is not an integer >= 1, or the notion gives no finite bound for such groups.

        Examples
        --------
        >>> from dpteach import PureDP
        >>> PureDP(0.5).group(3)
        PureDP(epsilon=1.5)
        """

    def __repr__(self) -> str:
        return short_repr(self)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


@cache
def _parameters(notion: type[Guarantee]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(notion) if not f.kw_only)


def short_repr(value: Any) -> str:
    """Return a dataclass as code, with keyword-only fields only if they are not the default."""
    plain = [f"{f.name}={getattr(value, f.name)!r}" for f in fields(value) if not f.kw_only]
    special = [
        f"{f.name}={getattr(value, f.name)}"
        for f in fields(value)
        if f.kw_only and getattr(value, f.name) is not f.default
    ]
    return f"{type(value).__name__}({', '.join(plain + special)})"


def times(count: int, value: float) -> float:
    """Return count * value for a value >= 0, or inf if the product exceeds the largest float."""
    try:
        return count * value
    except OverflowError:  # `count` is too large for a float
        return math.inf if value > 0 else 0.0


def beyond(epsilon: float) -> float:
    """Return epsilon plus a margin, so that rounding errors alone lift no loss above the result."""
    return epsilon + ROUNDING * max(1.0, epsilon)


def worst_direction(loss: PrivacyLoss, divergence: Callable[[PrivacyLoss], float]) -> float:
    """Return the larger of D(P || Q) and D(Q || P) for a divergence D."""
    _check.instance("loss", loss, PrivacyLoss)
    return max(divergence(loss), divergence(loss.reversed()))


def at_most(value: float, claimed: float) -> bool:
    """Return whether value <= claimed, up to the rounding errors of a computed divergence."""
    return value <= claimed + ROUNDING * abs(claimed) or (value == claimed == math.inf)
