"""The privacy loss distribution as a guarantee, which implies guarantees of all other notions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.notions import _loss_atoms
from dpteach.notions._base import Adjacency, Guarantee, Reason, at_most, beyond
from dpteach.notions._loss_atoms import LossAtoms
from dpteach.notions.f import FDP
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")

_LOSS = _check.Domain("> -inf (inf is allowed)", lambda x: x > -math.inf)


@dataclass(frozen=True, repr=False)
class PLD(Guarantee):
    """A privacy loss distribution: a pair of distributions (P, Q) that dominates the mechanism.

    For all neighbors D and D', where D contains one person more than D', every hockey-stick
    divergence of M(D) against M(D') is at most that of P against Q, and every hockey-stick
    divergence of M(D') against M(D) is at most that of Q against P. So P always belongs to the
    larger dataset. The claim is given by the distributions of the privacy loss log p/q under P and
    of log q/p under Q, each with finitely many values.

    Parameters
    ----------
    losses : float or sequence of float
        The values of log p/q, in nats; ``inf`` stands for outputs that are impossible under Q.
    masses : float or sequence of float
        Their probabilities under P, which sum to one within 1e-9.
    reversed_losses, reversed_masses : float or sequence of float
        The values of log q/p, and their probabilities under Q.

    Raises
    ------
    ValueError
        If losses and masses differ in length, masses do not sum to one, or the two distributions
        differ for replace-one neighbors, which have no direction.

    Notes
    -----
    Losses that differ by less than 1e-13 of the largest loss are merged into the larger of them.
    Composition convolves the distributions. Sums are rounded up, so `delta_at` and `epsilon_at`
    return upper bounds, which are exact up to rounding for the given losses and masses. The number
    of values is limited.

    Post-processing preserves the claim: it can only make distributions harder to distinguish.

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

    # tell type checkers that the constructor accepts numbers and sequences, although it stores
    # tuples
    if TYPE_CHECKING:

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
            atoms = _loss_atoms.merged(values[finite], weights[finite], infinity)
            for name, value in zip(names, _listed(atoms), strict=True):
                self._set(name, tuple(value))
        if self.adjacency is Adjacency.REPLACE_ONE and not self._is_symmetric():
            raise ValueError(
                "reversed_losses must equal losses, and reversed_masses masses, for replace-one "
                "neighbors, as neither neighbor comes first, "
                f"got losses={_check.shown(self.losses)} "
                f"and reversed_losses={_check.shown(self.reversed_losses)}"
            )

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        return self.delta_at(0.0), _("the total variation"), None

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return the guarantee that P and Q, two discrete output distributions, attain.

        P belongs to the larger of two datasets, which contains one person more, and Q to the other.

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
        both = _loss_atoms.distributions_of(loss)
        return cls._of_atoms(*both, Adjacency.ADD_REMOVE)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether this guarantee holds for the distributions P and Q of a privacy loss.

        P is the output distribution on the larger of two datasets, which contains one person more.
        Hockey-stick divergences are compared at the losses of this guarantee. This suffices,
        because between two such losses the guarantee's divergences are linear in e^epsilon and
        those of the given loss are convex.
        """
        _check.instance("loss", loss, PrivacyLoss)
        return all(
            at_most(one.hockey_stick(beyond(epsilon)), _loss_atoms.delta_of(atoms, epsilon))
            for one, atoms in zip((loss, loss.reversed()), self._both_atoms(), strict=True)
            for epsilon in (0.0, *atoms.losses[atoms.losses > 0].tolist())
        )

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return max(_loss_atoms.delta_of(atoms, epsilon) for atoms in self._both_atoms())

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return max(_loss_atoms.epsilon_of(atoms, delta) for atoms in self._both_atoms())

    def trade_off_curve(self) -> FDP:
        """Return the largest symmetric trade-off curve that this guarantee implies.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> claim = PLD.tightest(DiscreteLoss([0.5, 0.5], [0.25, 0.75]))
        >>> claim.trade_off_curve() == FDP.tightest(DiscreteLoss([0.5, 0.5], [0.25, 0.75]))
        True
        """
        return FDP(*_loss_atoms.profile_nodes(*self._both_atoms()), adjacency=self.adjacency)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        first, second = (_loss_atoms.delta_of(atoms, epsilon) for atoms in self._both_atoms())
        return _from_distribution(first, second)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        first, second = (_loss_atoms.epsilon_of(atoms, delta) for atoms in self._both_atoms())
        return _from_distribution(first, second)

    def _compose(self, others: Sequence[Self]) -> Self:
        return reduce(type(self)._compose_with, others, self)

    def _compose_with(self, other: Self) -> Self:
        refusal = "compose takes distributions with fewer losses, got two"
        pairs = zip(self._both_atoms(), other._both_atoms(), strict=True)
        both = [_loss_atoms.checked(one, two, refusal) for one, two in pairs]
        return self._of_atoms(both[0], both[1], self.adjacency)

    def self_compose(self, k: int) -> Self:
        """Return the guarantee of k releases: the distribution of the sum of k independent losses.

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
        first, second = (_loss_atoms.power(atoms, k) for atoms in self._both_atoms())
        return self._of_atoms(first, second, self.adjacency)

    def group(self, size: int) -> Self:
        """Return this guarantee if size is 1; otherwise raise ValueError.

        For groups, use ``claim.trade_off_curve().group(size)``. This guarantee has a direction: P
        belongs to the larger dataset. A change of a group's data may add some people and remove
        others, so its steps do not all have the same direction. The trade-off curve bounds both
        directions and can therefore be applied to each step.

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
                "size must be 1: a PLD has a direction and says nothing about groups, use "
                f"trade_off_curve().group(size), got size={_check.shown(size)}"
            )
        return self

    def _both_atoms(self) -> tuple[LossAtoms, LossAtoms]:
        return (
            _atoms(self.losses, self.masses),
            _atoms(self.reversed_losses, self.reversed_masses),
        )

    @classmethod
    def _of_atoms(cls, first: LossAtoms, second: LossAtoms, adjacency: Adjacency) -> Self:
        return cls(*_listed(first), *_listed(second), adjacency=adjacency)

    def _is_symmetric(self) -> bool:
        return all(
            len(left) == len(right) and np.allclose(left, right, rtol=1e-9, atol=1e-300)
            for left, right in (
                (self.losses, self.reversed_losses),
                (self.masses, self.reversed_masses),
            )
        )


def _atoms(losses: Sequence[float], masses: Sequence[float]) -> LossAtoms:
    escapes = losses[-1] == math.inf
    n = len(losses) - escapes
    return LossAtoms(np.array(losses[:n]), np.array(masses[:n]), masses[-1] if escapes else 0.0)


def _listed(atoms: LossAtoms) -> tuple[list[float], list[float]]:
    """Return losses and masses as lists, with the infinite loss if any; masses are at most 1."""
    losses, masses = atoms.losses.tolist(), np.minimum(atoms.masses, 1.0).tolist()
    if atoms.infinity > 0:
        losses.append(math.inf)
        masses.append(atoms.infinity)
    return losses, masses


def _from_distribution(first: float, second: float) -> Reason:
    return Reason(
        "the definition",
        "exact",
        note=_(
            "It is the larger of {first} for (P, Q) and {second} for (Q, P).",
            first=_numerics.rounded_up(first),
            second=_numerics.rounded_up(second),
        ),
    )
