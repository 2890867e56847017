"""A catastrophic mechanism that (0, delta)-DP permits: with probability delta, publish all data."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.mechanisms._base import Mechanism, approx, no_loss, pair, theorem
from dpteach.notions import FDP, PLD, ApproxDP, Guarantee, ProbabilisticDP
from dpteach.privacy_loss import DiscreteLoss


@dataclass(frozen=True, repr=False)
class DeltaCatastrophe(Mechanism):
    """A mechanism that publishes the data with probability delta, and nothing otherwise.

    It satisfies (0, delta)-differential privacy. With probability delta the privacy loss is
    infinite, so no guarantee about a mean of the loss holds, such as Rényi DP or zCDP.

    Parameters
    ----------
    delta : float
        In [0, 1].

    References
    ----------
    Mironov (2017), section I; Near and Abuah, "Variants of differential privacy".

    Examples
    --------
    >>> DeltaCatastrophe(delta=1e-5).guarantee(ApproxDP, epsilon=0.0)
    ApproxDP(epsilon=0.0, delta=1e-05)
    >>> DeltaCatastrophe(delta=1e-5).privacy_loss().renyi(2.0)
    inf
    """

    delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "delta", _check.real("delta", self.delta, _check.PROBABILITY))

    def privacy_loss(self) -> DiscreteLoss:
        nothing = 1 - self.delta
        return DiscreteLoss([nothing, self.delta, 0.0], [nothing, 0.0, self.delta])

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss of two true values, which is 0 if they are equal.

        If they differ, it is the privacy loss of the worst-case neighbors.

        Examples
        --------
        >>> DeltaCatastrophe(delta=0.1).privacy_loss_between([1, 2], [1, 3]).total_variation()
        0.1
        """
        left, right = pair(_check.array("value", value), _check.array("neighbour", neighbour))
        return no_loss() if np.array_equal(left, right) else self.privacy_loss()

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """Return the value itself with probability delta, and an empty array otherwise.

        Parameters
        ----------
        value : array_like of real numbers, of any shape

        Returns
        -------
        ndarray of float
            The value, or an array of shape (0,).

        Examples
        --------
        >>> DeltaCatastrophe(delta=1e-5).release([36.6, 41.2], rng=np.random.default_rng(0))
        array([], dtype=float64)
        """
        data = _check.array("value", value)
        return data if _check.generator(rng).random() < self.delta else np.empty(0)

    def _why_no_theorem(self, notion: type[Guarantee]) -> str:
        if self.delta == 0:
            return ""
        return (
            f". With probability {self.delta:g} the privacy loss is infinite: no pure "
            "guarantee holds, and no bound on a mean of the loss, because every Rényi divergence "
            "of order >= 1 is infinite"
        )


@dataclass(frozen=True)
class _CatastropheProfile:
    """The privacy profile of `DeltaCatastrophe`: the same delta at every epsilon."""

    delta: float

    def delta_at(self, epsilon: float) -> float:
        _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return self.delta

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if delta < self.delta:
            raise ValueError(
                f"delta must be >= {self.delta:g}, the probability of the catastrophe: "
                f"below it no epsilon is large enough, got delta={delta}"
            )
        return 0.0


@theorem(
    DeltaCatastrophe,
    ApproxDP,
    source="the definition, as Dwork and Roth (2014), section 2.3",
    tight=True,
)
def _approx(
    m: DeltaCatastrophe, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    if isinstance(epsilon, float) and epsilon == math.inf:
        raise ValueError(f"epsilon must be finite and >= 0, got epsilon={epsilon}")
    return ApproxDP(*approx(_CatastropheProfile(m.delta), epsilon, delta), adjacency=m.adjacency)


@theorem(DeltaCatastrophe, ProbabilisticDP, source="the definition", tight=True)
def _probabilistic(
    m: DeltaCatastrophe, *, epsilon: float | None = None, delta: float | None = None
) -> ProbabilisticDP:
    point = _approx(m, epsilon=epsilon, delta=delta)
    return ProbabilisticDP(point.epsilon, point.delta, adjacency=m.adjacency)


@theorem(DeltaCatastrophe, FDP, source="Neyman and Pearson (1933), on the worst pair", tight=True)
def _trade_off(m: DeltaCatastrophe) -> FDP:
    return replace(FDP.tightest(m.privacy_loss()), adjacency=m.adjacency)


@theorem(DeltaCatastrophe, PLD, source="the definition: every pair is the worst pair", tight=True)
def _pld(m: DeltaCatastrophe) -> PLD:
    return replace(PLD.tightest(m.privacy_loss()), adjacency=m.adjacency)
