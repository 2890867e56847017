"""The privacy loss distribution as a claim: the law of the loss itself, which says everything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dpteach import _check, _numerics
from dpteach.notions import _loss_law
from dpteach.notions._base import Adjacency, Guarantee, Reason, at_most, beyond
from dpteach.notions._loss_law import AtomLaw
from dpteach.notions.f import FDP
from dpteach.privacy_loss import PrivacyLoss

_LOSS = _check.Domain("> -inf (inf is allowed)", lambda x: x > -math.inf)


@dataclass(frozen=True, repr=False)
class PLD(Guarantee):
    """A privacy loss distribution: one pair (P, Q) is at least as easy to tell apart as any.

    For every pair of neighbours, taken in one order, all hockey-stick divergences are at most
    those of P against Q, and in the other order at most those of Q against P. Which order is
    which is the same for all mechanisms: the person is in the first dataset and not in the
    second. The pair is told by the laws of its privacy losses, L under P and the reversed one
    under Q, each with finitely many values.

    Parameters
    ----------
    losses : float or sequence of float
        The values of log p/q, in nats; ``inf`` is what Q cannot do.
    masses : float or sequence of float
        Their probabilities under P, which sum to one within 1e-9.
    reversed_losses, reversed_masses : float or sequence of float
        The values of log q/p, and their probabilities under Q.

    Raises
    ------
    ValueError
        If the lengths of a law differ, its masses do not sum to one, or the neighbours replace
        data (no order is told apart) and the two laws differ.

    Notes
    -----
    Losses that differ by less than 1e-13 of the largest one become one, the larger of them.
    Composition convolves the laws. Sums are rounded up, so that `delta_at` and `epsilon_at` are
    exact up to rounding and err upwards, for the numbers as they are given; the number of values
    must stay manageable.

    Post-processing keeps the claim: it can only make a pair harder to tell apart.

    References
    ----------
    Meiser and Mohammadi (2018); Sommer, Meiser and Mohammadi (2019); Zhu, Dong and Wang (2022),
    definition 7 and theorem 10, on dominating pairs and their composition.

    Examples
    --------
    >>> from dpteach import RandomizedResponse
    >>> claim = PLD.tightest(RandomizedResponse(1.0).privacy_loss()).self_compose(100)
    >>> len(claim.losses), round(claim.epsilon_at(1e-6), 6)
    (101, 83.530702)
    """

    losses: tuple[float, ...]
    masses: tuple[float, ...]
    reversed_losses: tuple[float, ...]
    reversed_masses: tuple[float, ...]

    _is_curve: ClassVar[bool] = True

    if TYPE_CHECKING:  # numbers and sequences are taken; tuples are kept

        def __init__(
            self,
            losses: float | Sequence[float],
            masses: float | Sequence[float],
            reversed_losses: float | Sequence[float],
            reversed_masses: float | Sequence[float],
            *,
            adjacency: Adjacency = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        for prefix in ("", "reversed_"):
            names = f"{prefix}losses", f"{prefix}masses"
            losses = _check.reals(names[0], getattr(self, names[0]), _LOSS)
            masses = _check.reals(names[1], getattr(self, names[1]), _check.PROBABILITY)
            if len(losses) != len(masses):
                raise ValueError(
                    f"{names[1]} must hold one number for each loss, got {len(losses)} losses "
                    f"and {len(masses)} masses"
                )
            if abs(math.fsum(masses) - 1) > _check.SUM_TOLERANCE:
                raise ValueError(
                    f"{names[1]} must sum to 1 within {_check.SUM_TOLERANCE:g}, "
                    f"got {names[1]}={_check.shown(masses)} with sum {math.fsum(masses):.12g}"
                )
            values, weights = np.array(losses), np.array(masses)
            finite = (values < math.inf) & (weights > 0)
            infinity = min(1.0, math.fsum(weights[values == math.inf]))
            law = _loss_law.merged(values[finite], weights[finite], infinity)
            for name, value in zip(names, _listed(law), strict=True):
                self._set(name, tuple(value))
        if self.adjacency is Adjacency.REPLACE_ONE and not self._is_symmetric():
            raise ValueError(
                "reversed_losses must be losses, and reversed_masses masses, where data is "
                "replaced, as neither neighbour comes first, "
                f"got losses={_check.shown(self.losses)} "
                f"and reversed_losses={_check.shown(self.reversed_losses)}"
            )

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        return self.delta_at(0.0), "the total variation", None

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """The law of the loss of a discrete pair: P is the law with the person.

        Raises
        ------
        TypeError
            If the loss is not that of two discrete distributions.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> claim = PLD.tightest(DiscreteLoss([0.5, 0.5], [1.0, 0.0]))
        >>> claim.losses == (-math.log(2), math.inf), claim.reversed_losses == (math.log(2),)
        (True, True)
        """
        laws = _loss_law.laws_of(loss)
        return cls._of_laws(*laws, Adjacency.ADD_REMOVE)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Whether the pair (P, Q) of a loss, in this order, is no easier to tell apart.

        Hockey-stick divergences are compared at the values of the claim's losses, between which
        its own are straight lines in e^epsilon and those of the pair convex.
        """
        _check.instance("loss", loss, PrivacyLoss)
        return all(
            at_most(one.hockey_stick(beyond(epsilon)), _loss_law.delta_of(law, epsilon))
            for one, law in zip((loss, loss.reversed()), self._laws(), strict=True)
            for epsilon in (0.0, *law.losses[law.losses > 0].tolist())
        )

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return max(_loss_law.delta_of(law, epsilon) for law in self._laws())

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return max(_loss_law.epsilon_of(law, delta) for law in self._laws())

    def trade_off_curve(self) -> FDP:
        """The largest symmetric curve that the claim implies; exact.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> claim = PLD.tightest(DiscreteLoss([0.5, 0.5], [0.25, 0.75]))
        >>> claim.trade_off_curve() == FDP.tightest(DiscreteLoss([0.5, 0.5], [0.25, 0.75]))
        True
        """
        return FDP(*_loss_law.profile_nodes(*self._laws()), adjacency=self.adjacency)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        first, second = (_loss_law.delta_of(law, epsilon) for law in self._laws())
        return _from_the_law(first, second)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        first, second = (_loss_law.epsilon_of(law, delta) for law in self._laws())
        return _from_the_law(first, second)

    def _compose(self, others: Sequence[Self]) -> Self:
        return reduce(type(self)._compose_with, others, self)

    def _compose_with(self, other: Self) -> Self:
        refusal = "compose takes laws with fewer losses, got two"
        pairs = zip(self._laws(), other._laws(), strict=True)
        laws = [_loss_law.checked(one, two, refusal) for one, two in pairs]
        return self._of_laws(laws[0], laws[1], self.adjacency)

    def self_compose(self, k: int) -> Self:
        """The law of the sum of k independent losses.

        Raises
        ------
        ValueError, TypeError
            If k is not an integer >= 1, or the sum has too many values.

        References
        ----------
        Zhu, Dong and Wang (2022), theorem 10.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> claim = PLD.tightest(DiscreteLoss([0.75, 0.25], [0.25, 0.75])).self_compose(2)
        >>> [round(mass, 12) for mass in claim.masses]
        [0.0625, 0.375, 0.5625]
        """
        k = _check.count("k", k)
        if k == 1:
            return self
        first, second = (_loss_law.power(law, k) for law in self._laws())
        return self._of_laws(first, second, self.adjacency)

    def group(self, size: int) -> Self:
        """The claim itself for groups of one.

        The steps of a longer chain may go both ways, people who come and people who go, and
        such a chain has no first and second dataset: the pair (P, Q) does not say how it goes on.
        Its symmetric curve does: ``claim.trade_off_curve().group(size)``.

        Raises
        ------
        ValueError
            If size is more than 1.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> claim = PLD.tightest(RandomizedResponse(1.0).privacy_loss())
        >>> round(claim.trade_off_curve().group(2).delta_at(0.0), 12)
        0.632120558829
        """
        size = _check.count("size", size)
        if size > 1:
            raise ValueError(
                "size must be 1: a pair with an order says nothing about groups, take that of "
                f"trade_off_curve(), got size={_check.shown(size)}"
            )
        return self

    def _laws(self) -> tuple[AtomLaw, AtomLaw]:
        return (
            _law(self.losses, self.masses),
            _law(self.reversed_losses, self.reversed_masses),
        )

    @classmethod
    def _of_laws(cls, first: AtomLaw, second: AtomLaw, adjacency: Adjacency) -> Self:
        return cls(*_listed(first), *_listed(second), adjacency=adjacency)

    def _is_symmetric(self) -> bool:
        return all(
            len(left) == len(right) and np.allclose(left, right, rtol=1e-9, atol=1e-300)
            for left, right in (
                (self.losses, self.reversed_losses),
                (self.masses, self.reversed_masses),
            )
        )


def _law(losses: Sequence[float], masses: Sequence[float]) -> AtomLaw:
    escapes = losses[-1] == math.inf
    n = len(losses) - escapes
    return AtomLaw(np.array(losses[:n]), np.array(masses[:n]), masses[-1] if escapes else 0.0)


def _listed(law: AtomLaw) -> tuple[list[float], list[float]]:
    """Losses and masses, that of an infinite loss included; rounded up, one may exceed 1."""
    losses, masses = law.losses.tolist(), np.minimum(law.masses, 1.0).tolist()
    if law.infinity > 0:
        losses.append(math.inf)
        masses.append(law.infinity)
    return losses, masses


def _from_the_law(first: float, second: float) -> Reason:
    return Reason(
        "the definition",
        "exact",
        note=f"It is the larger of {_numerics.rounded_up(first)} for (P, Q) and "
        f"{_numerics.rounded_up(second)} for (Q, P).",
    )
