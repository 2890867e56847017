"""What every mechanism has in common, post-processing included, and the theorems' registry."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.notions import Adjacency, Explanation, Guarantee, ProbabilisticDP
from dpteach.notions._base import short_repr
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

G = TypeVar("G", bound=Guarantee)
Claim = TypeVar("Claim", bound=Callable[..., Guarantee])
Array = TypeVar("Array", bound=NDArray[Any])


@dataclass(frozen=True, repr=False)
class Mechanism(ABC):
    """A randomized algorithm, with its worst pair of output laws and the theorems about it.

    Attributes
    ----------
    adjacency : Adjacency
        The neighbours over which the sensitivity is taken. Keyword only.

    Examples
    --------
    >>> from dpteach import Laplace, PureDP
    >>> Laplace(scale=2.0).guarantee(PureDP)
    PureDP(epsilon=0.5)
    """

    adjacency: Adjacency = field(default=Adjacency.ADD_REMOVE, kw_only=True)

    def __post_init__(self) -> None:
        _check.instance("adjacency", self.adjacency, Adjacency)

    def __repr__(self) -> str:
        return short_repr(self)

    def privacy_loss(self) -> PrivacyLoss:
        """The privacy loss of the worst pair of neighbours, computed from its definition.

        Raises
        ------
        TypeError
            If no pair of neighbours is worse than all others, or none is known.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> round(RandomizedResponse(epsilon=1.0).privacy_loss().max(), 12)
        1.0
        """
        raise TypeError(
            f"privacy_loss must have one pair of neighbours that is the worst, and for "
            f"{type(self).__name__} none is known: privacy_loss_between tells of two true "
            f"values, guarantee of all; got mechanism={_check.shown(self)}"
        )

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> PrivacyLoss:
        """The privacy loss of the answers on two true values, P on the first and Q on the second.

        Whether the two can belong to neighbours is not asked: two values farther apart than the
        sensitivity have a privacy loss too, and the guarantees do not speak of it.

        Parameters
        ----------
        value, neighbour : array_like
            What `release` takes; of one shape.

        Returns
        -------
        PrivacyLoss
            Computed from its definition.

        Raises
        ------
        TypeError
            If the law of this mechanism's answer is not known.
        ValueError
            If a value is not one that `release` takes, or the two have different shapes.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> round(Laplace(scale=2.0).privacy_loss_between(3.0, 4.0).max(), 12)
        0.5
        """
        raise TypeError(
            f"privacy_loss_between must know the law of the answer, and that of "
            f"{type(self).__name__} is unknown, got mechanism={_check.shown(self)}"
        )

    @abstractmethod
    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """A random answer for a true value.

        Parameters
        ----------
        value : array_like
            The true answer, of any shape.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray
            Of the same shape.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> RandomizedResponse(epsilon=700.0).release([0, 1], rng=np.random.default_rng(0))
        array([0, 1])
        """

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """The guarantee of one notion that a theorem proves about this mechanism.

        Points of a privacy profile, for ApproxDP, err upwards. The other parameters are the
        theorem's closed form, exact up to a few units in the last place; an alpha divergence is an
        exponential, and exact up to that times its exponent.

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
        theorem = self._theorem(notion)
        try:
            inspect.signature(theorem.claim).bind(self, **at)
        except TypeError as error:
            told = ", ".join(at) or "nothing else"
            raise TypeError(
                f"notion must come with what the theorem needs: {error} for {notion.__name__} of "
                f"{type(self).__name__}, got {told}"
            ) from None
        return theorem.claim(self, **at)  # type: ignore[return-value]

    def _theorem(self, notion: type[Guarantee]) -> Theorem:
        for theorem in THEOREMS:
            if theorem.mechanism is type(self) and theorem.notion is notion:
                return theorem._about(self)
        known = ", ".join(t.notion.__name__ for t in THEOREMS if t.mechanism is type(self))
        raise TypeError(
            f"notion must be one with a theorem about {type(self).__name__} ({known}), "
            f"got notion={_check.shown(notion)}{self._why_no_theorem(notion)}"
        )

    def _why_no_theorem(self, notion: type[Guarantee]) -> str:
        """What a message adds where there can be no theorem about a notion."""
        return ""

    def explain(self, notion: type[Guarantee], **at: Any) -> Explanation:
        """Which theorem gives the number in `guarantee`, and whether a smaller one is true.

        Parameters
        ----------
        notion : type
            A class of guarantees whose claim is one number once the rest is told.
        **at
            What `guarantee` takes; one order only.

        Returns
        -------
        Explanation
            Exact, if for every smaller number there is a pair of neighbours that refutes it;
            else an upper bound.

        Raises
        ------
        TypeError
            If `guarantee` raises it, or the claim is not a number.
        ValueError
            If more than one order is given.

        Examples
        --------
        >>> from dpteach import ApproxDP, Gaussian, RenyiDP
        >>> Gaussian(sigma=2.0).explain(RenyiDP, orders=8).value
        1.0
        >>> print(Gaussian(sigma=2.0).explain(ApproxDP, epsilon=0))
        delta at epsilon=0 is 0.197413. It is exact, by Balle and Wang (2018), theorem 8. \
The mechanism is Gaussian(sigma=2.0, sensitivity=1.0), neighbours: one person's data added or \
removed.
        """
        claim = self.guarantee(notion, **at)
        theorem = self._theorem(notion)
        if claim._is_curve:
            raise TypeError(
                f"notion must be one whose claim is a number, got notion={notion.__name__}"
            )
        if len(claim._numbers()) > 1 and "orders" in at:
            raise ValueError(f"orders must be one order, got orders={_check.shown(at['orders'])}")
        value, quantity, order = claim._number(at)
        return Explanation(
            value,
            quantity,
            theorem.source,
            "exact" if theorem.tight else "upper bound",
            order,
            note=f"The mechanism is {self!r}, neighbours: {self.adjacency.value}.",
        )

    def post_process(self, function: Callable[[NDArray[Any]], Any]) -> PostProcessed:
        """The mechanism that releases a function of this one's answer, as private as this one.

        Parameters
        ----------
        function : callable
            Of the answer only; it must not look at the data again.

        Returns
        -------
        PostProcessed

        Raises
        ------
        TypeError
            If function is not callable.

        References
        ----------
        Dwork and Roth (2014), proposition 2.1.

        Examples
        --------
        >>> from dpteach import Laplace, PureDP
        >>> Laplace(scale=2.0).post_process(np.round).guarantee(PureDP)
        PureDP(epsilon=0.5)
        """
        return PostProcessed(self, function)


def pair(value: Array, neighbour: Array) -> tuple[Array, Array]:
    """Two true values, if they have the same shape."""
    if value.shape != neighbour.shape:
        raise ValueError(
            "value and neighbour must have the same shape, "
            f"got value of shape {value.shape} and neighbour of shape {neighbour.shape}"
        )
    return value, neighbour


def only_difference(value: NDArray[Any], neighbour: NDArray[Any]) -> tuple[float, float] | None:
    """The two true values in the one coordinate where they differ; None if they are equal."""
    left, right = pair(value, neighbour)
    where = left != right
    differing = int(np.count_nonzero(where))
    if differing > 1:
        raise ValueError(
            "value and neighbour must differ in one coordinate at most: the loss of several is "
            f"a sum of independent ones, got {differing} that differ"
        )
    return (float(left[where][0]), float(right[where][0])) if differing else None


def check_resolved(name: str, scale: float, sensitivity: float) -> None:
    """Raise, if floats do not resolve the loss of two densities of this scale so far apart.

    It is a difference of two logarithms, and lost in their rounding errors where the two laws are
    very near to each other, or very far.
    """
    if not (1e-280 <= scale <= 1e280 and 1e-10 <= sensitivity / scale <= 1e10):
        raise ValueError(
            f"sensitivity must be from 1e-10 to 1e10 times {name}, and {name} from 1e-280 to "
            f"1e280, for a privacy loss by quadrature, got sensitivity={sensitivity} "
            f"and {name}={scale}"
        )


def no_loss() -> DiscreteLoss:
    """The privacy loss of two equal laws."""
    return DiscreteLoss([1.0], [1.0])


@dataclass(frozen=True, repr=False)
class AdditiveNoise(Mechanism):
    """The true answer plus independent noise of one law on each coordinate.

    `release` rounds to floating-point numbers, of which the proofs know nothing: the low-order
    bits of an answer can tell neighbours apart (Mironov, 2012). It is meant for teaching.

    The sensitivity of a vector is that of the whole vector, in the norm that the class names:
    L1 for Laplace noise and L2 for Gaussian noise. `dpteach.sensitivity` finds both.
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

        Returns
        -------
        ndarray of float, of the same shape

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
    tight : bool or callable
        Whether no smaller parameter would be true, so that the definition gives the same; a
        function of the mechanism, if that is so for some only.
    """

    mechanism: type[Mechanism]
    notion: type[Guarantee]
    claim: Callable[..., Guarantee]
    source: str
    tight: bool | Callable[[Any], bool]

    def _about(self, mechanism: Mechanism) -> Theorem:
        """This theorem, with a `tight` that is said of one mechanism."""
        return self if isinstance(self.tight, bool) else replace(self, tight=self.tight(mechanism))


#: every theorem about a mechanism; the tests compare each with the definition
THEOREMS: list[Theorem] = []


def theorem(
    mechanism: type[Mechanism],
    notion: type[Guarantee],
    *,
    source: str,
    tight: bool | Callable[[Any], bool],
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
    _check.exactly_one(epsilon, delta)
    if epsilon is not None:
        return epsilon, profile.delta_at(epsilon)
    assert delta is not None
    found = profile.epsilon_at(delta)
    if found == math.inf:
        raise ValueError(
            f"delta must be larger, as no finite epsilon is true at it, got delta={delta}"
        )
    return found, delta


@dataclass(frozen=True, repr=False)
class PostProcessed(Mechanism):
    """A function of the answer of another mechanism, with the guarantees of the latter.

    What it reveals can be less than that and never more; how much less is not known from the
    function alone, so `privacy_loss` and `privacy_loss_between` raise TypeError.

    Parameters
    ----------
    mechanism : Mechanism
        Its adjacency is that of the result.
    function : callable
        Of the answer only. It must not look at the data again: then nothing is promised.

    References
    ----------
    Dwork and Roth (2014), proposition 2.1; for the Rényi divergence van Erven and Harremoës
    (2014), theorem 9.

    Examples
    --------
    >>> from dpteach import Laplace, PureDP
    >>> count = PostProcessed(Laplace(scale=2.0), lambda x: np.clip(np.round(x), 0, None))
    >>> count.guarantee(PureDP)
    PureDP(epsilon=0.5)
    """

    mechanism: Mechanism
    function: Callable[[NDArray[Any]], Any]
    adjacency: Adjacency = field(init=False)

    def __post_init__(self) -> None:
        _check.instance("mechanism", self.mechanism, Mechanism)
        if not callable(self.function):
            raise TypeError(
                f"function must be callable, got function={_check.shown(self.function)}"
            )
        object.__setattr__(self, "adjacency", self.mechanism.adjacency)

    def __repr__(self) -> str:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return f"{self.mechanism!r}.post_process({name})"

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """The function of a random answer of the mechanism.

        Returns
        -------
        ndarray
            Whatever the function returns, as an array.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> heads = Laplace(scale=1.0).post_process(lambda x: x > 0)
        >>> heads.release([-800.0, 800.0], rng=np.random.default_rng(0))
        array([False,  True])
        """
        return np.asarray(self.function(self.mechanism.release(value, rng=rng)))

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """The guarantee of the mechanism, which post-processing keeps.

        Raises
        ------
        TypeError
            If the mechanism has no theorem about the notion, or the notion is ProbabilisticDP,
            which post-processing can break.

        Examples
        --------
        >>> from dpteach import Gaussian, ZCDP
        >>> Gaussian(sigma=2.0).post_process(np.sign).guarantee(ZCDP)
        ZCDP(rho=0.125)
        """
        if notion is ProbabilisticDP:
            raise TypeError(
                "notion must be one that post-processing keeps, and a function of an answer can "
                f"have a large loss more often than the answer, got notion={_check.shown(notion)}"
            )
        return self.mechanism.guarantee(notion, **at)

    def explain(self, notion: type[Guarantee], **at: Any) -> Explanation:
        """The mechanism's explanation: of an upper bound, as a function can only forget.

        Examples
        --------
        >>> from dpteach import Gaussian, ZCDP
        >>> Gaussian(sigma=2.0).post_process(np.sign).explain(ZCDP).kind
        'upper bound'
        """
        self.guarantee(notion, **at)
        inner = self.mechanism.explain(notion, **at)
        return Explanation(
            inner.value,
            inner.quantity,
            f"{inner.theorem}, and post-processing (Dwork and Roth (2014), proposition 2.1)",
            "upper bound",
            inner.order,
            inner.binding,
            inner.note,
        )
