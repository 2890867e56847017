"""The base class of all mechanisms, post-processing, and the registry of theorems."""

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
from dpteach._language import catalog
from dpteach.notions import Adjacency, Explanation, Guarantee, ProbabilisticDP
from dpteach.notions._base import short_repr
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

_, _n = catalog("mechanisms")

G = TypeVar("G", bound=Guarantee)
Claim = TypeVar("Claim", bound=Callable[..., Guarantee])
Array = TypeVar("Array", bound=NDArray[Any])


@dataclass(frozen=True, repr=False)
class Mechanism(ABC):
    """A randomized algorithm, its worst-case output distributions and the theorems about it.

    Attributes
    ----------
    adjacency : Adjacency
        Which datasets are neighbors; the sensitivity of a query is a maximum over all pairs of
        neighbors. Keyword only.

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
        """Return the privacy loss of the worst-case neighbors, computed from its definition.

        Raises
        ------
        TypeError
            If no pair of neighbors is worse than all others, or no such pair is known.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> round(RandomizedResponse(epsilon=1.0).privacy_loss().max(), 12)
        1.0
        """
        raise TypeError(
            f"privacy_loss must have one pair of neighbors that is the worst, and for "
            f"{type(self).__name__} none is known: use privacy_loss_between for two given "
            f"values or guarantee for all neighbors; got mechanism={_check.shown(self)}"
        )

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> PrivacyLoss:
        """Return the privacy loss of the output distributions P on `value` and Q on `neighbour`.

        The method does not check that neighboring datasets can have these values. Two values
        farther apart than the sensitivity also have a privacy loss, but no guarantee bounds it.

        Parameters
        ----------
        value, neighbour : array_like
            True values that `release` accepts, of the same shape.

        Returns
        -------
        PrivacyLoss
            Computed from its definition.

        Raises
        ------
        TypeError
            If the output distribution of this mechanism is not known.
        ValueError
            If `release` does not accept a value, or the two values have different shapes.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> round(Laplace(scale=2.0).privacy_loss_between(3.0, 4.0).max(), 12)
        0.5
        """
        raise TypeError(
            f"privacy_loss_between must know the output distribution, and that of "
            f"{type(self).__name__} is unknown, got mechanism={_check.shown(self)}"
        )

    @abstractmethod
    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """Return a random output for a true value.

        Parameters
        ----------
        value : array_like
            The true value of the query, of any shape.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray
            The output, whose shape depends on the mechanism.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> RandomizedResponse(epsilon=700.0).release([0, 1], rng=np.random.default_rng(0))
        array([0, 1])
        """

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """Return the guarantee that a theorem proves for this mechanism in one privacy notion.

        For ApproxDP, epsilon or delta is rounded up. For every other notion, the parameter is
        computed by the theorem's formula and is exact up to a few units in the last place, with two
        exceptions: for AlphaDP, the relative error grows with the logarithm of the divergence, and
        the rho of `KaryRandomizedResponse` with many categories may be too large by a relative
        1e-6.

        Parameters
        ----------
        notion : type
            A class of guarantees, such as ``RenyiDP``.
        **at
            The arguments that the notion needs: ``orders=`` for RenyiDP, ``order=`` for AlphaDP,
            ``delta=`` or ``epsilon=`` for ApproxDP.

        Raises
        ------
        TypeError
            If no theorem about this mechanism and notion is registered, or an argument is
            missing or unknown; the message lists the notions with a theorem.

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
                f"notion must come with the arguments of its theorem: {error} for "
                f"{notion.__name__} of {type(self).__name__}, got {told}"
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
        """Return why no theorem about `notion` can exist, for an error message; "" if one can."""
        return ""

    def explain(self, notion: type[Guarantee], **at: Any) -> Explanation:
        """Explain which theorem gives a guarantee's number, and whether a smaller number is valid.

        Parameters
        ----------
        notion : type
            A class of guarantees, each of which is one number once the arguments in `at` are given.
        **at
            The arguments of `guarantee`; for RenyiDP, one order only.

        Returns
        -------
        Explanation
            Its kind is "exact" if every smaller number is false for some pair of neighbors,
            and "upper bound" otherwise.

        Raises
        ------
        TypeError
            If `guarantee` raises TypeError, or the guarantee is not a single number.
        ValueError
            If more than one order is given.

        Examples
        --------
        >>> from dpteach import ApproxDP, Gaussian, RenyiDP
        >>> Gaussian(sigma=2.0).explain(RenyiDP, orders=8).value
        1.0
        >>> print(Gaussian(sigma=2.0).explain(ApproxDP, epsilon=0))
        delta at epsilon=0 is 0.197413. It is exact, by Balle and Wang (2018), theorem 8. \
The mechanism is Gaussian(sigma=2.0, sensitivity=1.0), neighbors: one person's data added or \
removed.
        """
        claim = self.guarantee(notion, **at)
        theorem = self._theorem(notion)
        if claim._is_curve:
            raise TypeError(
                f"notion must be one whose guarantee is one number, got notion={notion.__name__}"
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
            note=_(
                "The mechanism is {mechanism!r}, neighbors: {neighbors}.",
                mechanism=self,
                neighbors=self.adjacency.words,
            ),
        )

    def post_process(self, function: Callable[[NDArray[Any]], Any]) -> PostProcessed:
        """Return the mechanism that releases a function of this mechanism's output.

        Post-processing keeps every guarantee except ProbabilisticDP.

        Parameters
        ----------
        function : callable
            A function of the output only; it must not use the data again.

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
    """Return the two arrays that were passed, or raise an error if their shapes differ."""
    if value.shape != neighbour.shape:
        raise ValueError(
            "value and neighbour must have the same shape, "
            f"got value of shape {value.shape} and neighbour of shape {neighbour.shape}"
        )
    return value, neighbour


def only_difference(value: NDArray[Any], neighbour: NDArray[Any]) -> tuple[float, float] | None:
    """Return the entries of two arrays at the only place where they differ; None if equal."""
    left, right = pair(value, neighbour)
    where = left != right
    differing = int(np.count_nonzero(where))
    if differing > 1:
        raise ValueError(
            "value and neighbour must differ in one coordinate at most: the loss of several "
            f"coordinates is a sum of independent losses, got {differing} that differ"
        )
    return (float(left[where][0]), float(right[where][0])) if differing else None


def check_resolved(name: str, scale: float, sensitivity: float) -> None:
    """Raise an error if floats are too inaccurate for the privacy loss of two shifted densities.

    The loss is a difference of two logarithms, whose rounding errors make it inaccurate
    where the two distributions are very close together or very far apart.
    """
    if not (1e-280 <= scale <= 1e280 and 1e-10 <= sensitivity / scale <= 1e10):
        raise ValueError(
            f"sensitivity must be from 1e-10 to 1e10 times {name}, and {name} from 1e-280 to "
            f"1e280, for a privacy loss by quadrature, got sensitivity={sensitivity} "
            f"and {name}={scale}"
        )


def no_loss() -> DiscreteLoss:
    """Return the privacy loss of two equal distributions."""
    return DiscreteLoss([1.0], [1.0])


@dataclass(frozen=True, repr=False)
class AdditiveNoise(Mechanism):
    """A mechanism that adds independent noise from one distribution to each coordinate.

    The guarantees are proved for real numbers, but `release` computes in floating point, and the
    low-order bits of its output can distinguish neighbors (Mironov, 2012). Use such a mechanism
    for teaching only.

    If the query's value is a vector, its sensitivity is the largest norm of the whole vector's
    change: the L1 norm for Laplace noise, and the L2 norm for Gaussian noise. The functions of
    `dpteach.sensitivity` compute both sensitivities.
    """

    @abstractmethod
    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        """Return independent random draws of the noise, in an array of the given shape."""

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the value with independent noise added to each coordinate.

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
    """A closed form for the guarantee of a mechanism in one privacy notion.

    Attributes
    ----------
    mechanism, notion : type
    claim : callable
        Maps the mechanism, and the arguments that the notion needs, to the guarantee.
    source : str
        The publication that proves the theorem.
    tight : bool or callable
        Whether the guarantee's parameter is the smallest valid one, which a computation from the
        notion's definition also gives. If this depends on the mechanism's parameters, `tight` is a
        function of the mechanism.
    """

    mechanism: type[Mechanism]
    notion: type[Guarantee]
    claim: Callable[..., Guarantee]
    source: str
    tight: bool | Callable[[Any], bool]

    def _about(self, mechanism: Mechanism) -> Theorem:
        """Return this theorem with `tight` evaluated for one mechanism."""
        return self if isinstance(self.tight, bool) else replace(self, tight=self.tight(mechanism))


#: every theorem about a mechanism; the tests compare each with numbers computed from definitions
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
    """An object with a privacy profile, which can be read as delta(epsilon) or epsilon(delta)."""

    def delta_at(self, epsilon: float) -> float: ...
    def epsilon_at(self, delta: float) -> float: ...


def approx(profile: Profile, epsilon: float | None, delta: float | None) -> tuple[float, float]:
    """Return the point (epsilon, delta) of a privacy profile at a given epsilon or delta."""
    _check.exactly_one(epsilon, delta)
    if epsilon is not None:
        return epsilon, profile.delta_at(epsilon)
    assert delta is not None
    found = profile.epsilon_at(delta)
    if found == math.inf:
        raise ValueError(
            f"delta must be larger, because no finite epsilon is true at it, got delta={delta}"
        )
    return found, delta


@dataclass(frozen=True, repr=False)
class PostProcessed(Mechanism):
    """A mechanism that releases a function of another mechanism's output.

    Post-processing keeps the guarantees of that mechanism, except ProbabilisticDP. The function
    may reveal less than the output, but how much less is not known, so `privacy_loss` and
    `privacy_loss_between` raise TypeError.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism to post-process; the result has the same adjacency.
    function : callable
        A function of the output only. If it uses the data again, the guarantees do not hold.

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
        """Return the value of the function at a random output of the mechanism.

        Returns
        -------
        ndarray
            The value, converted to an array.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> heads = Laplace(scale=1.0).post_process(lambda x: x > 0)
        >>> heads.release([-800.0, 800.0], rng=np.random.default_rng(0))
        array([False,  True])
        """
        return np.asarray(self.function(self.mechanism.release(value, rng=rng)))

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """Return the guarantee of `self.mechanism`, which holds for a function of its output, too.

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
                "notion must be one that post-processing keeps, and a function of the output can "
                f"have a large loss more often than the output, got notion={_check.shown(notion)}"
            )
        return self.mechanism.guarantee(notion, **at)

    def explain(self, notion: type[Guarantee], **at: Any) -> Explanation:
        """Explain the guarantee of the mechanism whose output is post-processed.

        It is an upper bound, because the function may reveal less than the output.

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
            _(
                "{theorem}, and post-processing ({source})",
                theorem=inner.theorem,
                source="Dwork and Roth (2014), proposition 2.1",
            ),
            "upper bound",
            inner.order,
            inner.binding,
            inner.note,
        )
