"""What every mechanism has in common, and the registry of the theorems about them."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.notions import Adjacency, Guarantee
from dpteach.notions._base import short_repr
from dpteach.privacy_loss import PrivacyLoss

G = TypeVar("G", bound=Guarantee)
Claim = TypeVar("Claim", bound=Callable[..., Guarantee])


@dataclass(frozen=True, repr=False)
class Mechanism(ABC):
    """A randomized algorithm, with its worst pair of output laws and the theorems about it.

    Attributes
    ----------
    adjacency : Adjacency
        The neighbours over which the sensitivity is taken. Keyword only.
    """

    adjacency: Adjacency = field(default=Adjacency.ADD_REMOVE, kw_only=True)

    def __post_init__(self) -> None:
        _check.instance("adjacency", self.adjacency, Adjacency)

    def __repr__(self) -> str:
        return short_repr(self)

    @abstractmethod
    def privacy_loss(self) -> PrivacyLoss:
        """The privacy loss of the worst pair of neighbours, computed from its definition."""

    @abstractmethod
    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """A random answer for a true value.

        Parameters
        ----------
        value : array_like
            The true answer, of any shape.
        rng : numpy.random.Generator
            The only source of randomness.

        Returns
        -------
        ndarray
            Of the same shape.

        Raises
        ------
        ValueError, TypeError
            If the value holds anything but finite numbers, or rng is not a Generator.
        """

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """The guarantee of one notion that a theorem proves about this mechanism.

        Points of a privacy profile, for ApproxDP, err upwards. The other parameters are the
        theorem's closed form, exact up to a few units in the last place.

        Parameters
        ----------
        notion : type
            A class of guarantees, such as ``RenyiDP``.
        **at
            What the notion needs to be told: ``orders=`` for RenyiDP, ``order=`` for AlphaDP,
            ``delta=`` or ``epsilon=`` for ApproxDP.

        Raises
        ------
        TypeError
            If no theorem about this mechanism and notion is registered, or an argument is
            missing or unknown; the message lists what there is.

        Examples
        --------
        >>> from dpteach import Gaussian, ZCDP
        >>> Gaussian(sigma=2.0).guarantee(ZCDP)
        ZCDP(rho=0.125)
        """
        theorem = next(
            (t for t in THEOREMS if t.mechanism is type(self) and t.notion is notion), None
        )
        if theorem is None:
            known = ", ".join(t.notion.__name__ for t in THEOREMS if t.mechanism is type(self))
            raise TypeError(
                f"notion must be one with a theorem about {type(self).__name__} ({known}), "
                f"got notion={_check.shown(notion)}"
            )
        try:
            inspect.signature(theorem.claim).bind(self, **at)
        except TypeError as error:
            raise TypeError(
                f"guarantee({notion.__name__}) of {type(self).__name__}: {error}"
            ) from None
        return theorem.claim(self, **at)  # type: ignore[return-value]


@dataclass(frozen=True, repr=False)
class AdditiveNoise(Mechanism):
    """The true answer plus independent noise of one law on each coordinate.

    `release` rounds to floating-point numbers, of which the proofs know nothing: the low-order
    bits of an answer can tell neighbours apart (Mironov, 2012). It is meant for teaching.
    """

    @abstractmethod
    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        """Independent draws of the noise."""

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """The value plus independent noise on each coordinate.

        Parameters
        ----------
        value : array_like of real numbers, of any shape
        rng : numpy.random.Generator
            The only source of randomness.

        Returns
        -------
        ndarray of float, of the same shape

        Raises
        ------
        ValueError, TypeError
            If the value holds anything but finite numbers, or rng is not a Generator.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> Laplace(scale=1.0).release([0.0, 1.0], rng=np.random.default_rng(0)).shape
        (2,)
        """
        true = _check.array("value", value)
        return np.asarray(true + self._noise(true.shape, _check.generator(rng)))


@dataclass(frozen=True)
class Theorem:
    """A closed form: which guarantee of a notion a mechanism has.

    Attributes
    ----------
    mechanism, notion : type
    claim : callable
        From the mechanism, and what the notion needs to be told, to the guarantee.
    source : str
        Where it is proved.
    tight : bool
        Whether no smaller parameter would be true, so that the definition gives the same.
    """

    mechanism: type[Mechanism]
    notion: type[Guarantee]
    claim: Callable[..., Guarantee]
    source: str
    tight: bool


#: every theorem about a mechanism; the tests compare each with the definition
THEOREMS: list[Theorem] = []


def theorem(
    mechanism: type[Mechanism], notion: type[Guarantee], *, source: str, tight: bool
) -> Callable[[Claim], Claim]:
    """Register the decorated function as the theorem about a mechanism and a notion."""

    def register(claim: Claim) -> Claim:
        THEOREMS.append(Theorem(mechanism, notion, claim, source, tight))
        return claim

    return register


class Profile(Protocol):
    """Anything with a privacy profile, read in its two directions."""

    def delta_at(self, epsilon: float) -> float: ...
    def epsilon_at(self, delta: float) -> float: ...


def approx(profile: Profile, epsilon: float | None, delta: float | None) -> tuple[float, float]:
    """The point (epsilon, delta) of a privacy profile at the one that is given."""
    if (epsilon is None) == (delta is None):
        raise TypeError(
            f"give exactly one of epsilon and delta, got epsilon={epsilon} and delta={delta}"
        )
    if epsilon is not None:
        return epsilon, profile.delta_at(epsilon)
    assert delta is not None
    return profile.epsilon_at(delta), delta
