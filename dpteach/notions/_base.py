"""What every notion of privacy has in common."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Self

from dpteach import _check
from dpteach.privacy_loss import PrivacyLoss

#: by how much a divergence computed in floating point may exceed a claim that still holds
ROUNDING = 1e-12


class Adjacency(Enum):
    """Which datasets are neighbours.

    Examples
    --------
    >>> Adjacency.REPLACE_ONE.value
    "one person's data replaced"
    """

    ADD_REMOVE = "one person's data added or removed"
    REPLACE_ONE = "one person's data replaced"


@dataclass(frozen=True, repr=False)
class Guarantee(ABC):
    """A claim about the privacy loss of every ordered pair of neighbours: an immutable value.

    Every guarantee implies a *privacy profile*: for each epsilon a delta such that the
    mechanism is (epsilon, delta)-differentially private. `delta_at` and `epsilon_at` read it
    in its two directions; what they return is implied by the claim, so it errs upwards.

    Attributes
    ----------
    adjacency : Adjacency
        The neighbours that the claim is about. Keyword only.
    """

    adjacency: Adjacency = field(default=Adjacency.ADD_REMOVE, kw_only=True)

    def __post_init__(self) -> None:
        _check.instance("adjacency", self.adjacency, Adjacency)

    @abstractmethod
    def delta_at(self, epsilon: float) -> float:
        """The delta that the claim implies at an epsilon >= 0.

        Parameters
        ----------
        epsilon : float
            In [0, inf], in nats.

        Returns
        -------
        float
            In [0, 1]; an upper bound.

        Raises
        ------
        ValueError, TypeError
            If epsilon is negative, NaN or not a number.
        """

    @abstractmethod
    def epsilon_at(self, delta: float) -> float:
        """The epsilon that the claim implies at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].

        Returns
        -------
        float
            In [0, inf], in nats; an upper bound, infinite where the claim implies none.

        Raises
        ------
        ValueError, TypeError
            If delta is not in [0, 1].
        """

    @abstractmethod
    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Whether the claim is true of both orders of a pair, by the definition.

        Divergences are compared with a relative tolerance of 1e-12 for their rounding errors.
        """

    @abstractmethod
    def _compose_with(self, other: Self) -> Self:
        """The claim about the pair of two mechanisms' answers, the second chosen adaptively."""

    def compose(self, *others: Self) -> Self:
        """The guarantee of releasing the answers of this mechanism and of the others.

        Later mechanisms may be chosen by looking at earlier answers. Parameters add up
        correctly rounded.

        Parameters
        ----------
        *others : Guarantee
            Of the same notion and the same adjacency.

        Returns
        -------
        Guarantee
            Of the same notion.

        Raises
        ------
        TypeError
            If another guarantee is of another notion.
        ValueError
            If adjacencies or orders differ.
        """
        total = self
        for other in others:
            if type(other) is not type(self):
                raise TypeError(
                    f"compose takes guarantees of one notion, {type(self).__name__}, got "
                    f"{_check.shown(other)}; convert it first: "
                    f"convert(..., to={type(self).__name__})"
                )
            if other.adjacency is not self.adjacency:
                raise ValueError(
                    f"compose takes guarantees about the same neighbours: this one has "
                    f"adjacency={self.adjacency}, got {_check.shown(other)}"
                )
            total = total._compose_with(other)
        return total

    @abstractmethod
    def self_compose(self, k: int) -> Self:
        """The guarantee of k releases, each with this guarantee.

        Parameters
        ----------
        k : int
            At least 1.

        Raises
        ------
        ValueError, TypeError
            If k is not an integer >= 1.
        """

    def __repr__(self) -> str:
        return short_repr(self)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def short_repr(value: Any) -> str:
    """A dataclass as one would write it: keyword-only fields where they are not the default."""
    plain = [f"{f.name}={getattr(value, f.name)!r}" for f in fields(value) if not f.kw_only]
    special = [
        f"{f.name}={getattr(value, f.name)}"
        for f in fields(value)
        if f.kw_only and getattr(value, f.name) is not f.default
    ]
    return f"{type(value).__name__}({', '.join(plain + special)})"


def worst_direction(loss: PrivacyLoss, divergence: Callable[[PrivacyLoss], float]) -> float:
    """The larger of a divergence over the two orders of a pair."""
    _check.instance("loss", loss, PrivacyLoss)
    return max(divergence(loss), divergence(loss.reversed()))


def at_most(value: float, claimed: float) -> bool:
    """value <= claimed, up to the rounding errors of a computed divergence."""
    return value <= claimed + ROUNDING * abs(claimed) or (value == claimed == math.inf)
