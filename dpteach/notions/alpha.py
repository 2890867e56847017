"""Alpha differential privacy: a bound on the alpha divergence of one order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

from dpteach import _check, _numerics
from dpteach._language import N_, catalog
from dpteach.notions._base import Guarantee, Reason, at_most, worst_direction
from dpteach.notions.renyi import RenyiDP
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")

_NOTHING = Reason(
    "the definition", "exact", note=N_("A claim with an infinite divergence says nothing.")
)


@dataclass(frozen=True, repr=False)
class AlphaDP(Guarantee):
    """(order, epsilon)-alpha differential privacy.

    The alpha divergence (E_Q[e^(a L)] - 1)/(a (a - 1)), where L is the privacy loss, is at most
    epsilon for every ordered pair of neighboring datasets. The notion is Rényi differential privacy
    of the same order on another scale: `dpteach.conversions.alpha_to_renyi` gives the equivalent
    Rényi claim.

    Parameters
    ----------
    order : float
        a in (1, inf).
    epsilon : float
        In [0, inf]; inf stands for a number above the largest float, and the claim then says
        nothing.

    Notes
    -----
    Post-processing preserves the claim: alpha divergences are f-divergences, and post-processing
    does not increase these (Liu and Wang, proposition 1). `delta_at` and `epsilon_at` are those of
    the equivalent Rényi claim, by the tightest theorem; see `RenyiDP`.

    References
    ----------
    Liu and Wang, definition 8 and proposition 2.

    Examples
    --------
    >>> AlphaDP(2, 5).compose(AlphaDP(2, 5))
    AlphaDP(order=2.0, epsilon=60.0)
    >>> round(AlphaDP(8, 0.1).epsilon_at(1e-5), 12)
    1.460232103045
    """

    order: float
    epsilon: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("order", _check.real("order", self.order, _check.ORDER_ABOVE_ONE))
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.EXTENDED_NON_NEGATIVE))

    def _numbers(self) -> tuple[float, ...]:
        return (self.epsilon,)

    def _told(self) -> dict[str, float]:
        return {"order": self.order}

    def _number(self, at: dict[str, Any]) -> tuple[float, str, float]:
        return (
            self.epsilon,
            _("the alpha divergence of order {order:g}", order=self.order),
            self.order,
        )

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, order: float) -> Self:
        """Return the guarantee of an order with the smallest epsilon for both (P, Q) and (Q, P).

        Parameters
        ----------
        loss : PrivacyLoss
            The privacy loss of the pair of distributions (P, Q).
        order : float
            In (1, inf).

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> round(AlphaDP.tightest(RandomizedResponse(1.0).privacy_loss(), order=2).epsilon, 12)
        0.543080634815
        """
        order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
        return cls(order, worst_direction(loss, lambda one: one.alpha(order)))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return at_most(worst_direction(loss, lambda one: one.alpha(self.order)), self.epsilon)

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if self.epsilon == math.inf:
            return 1.0
        return self._as_renyi().delta_at(epsilon)

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if self.epsilon == math.inf:
            return 0.0 if delta == 1 else math.inf
        return self._as_renyi().epsilon_at(delta)

    def group(self, size: int) -> Self:
        """Return the guarantee for groups: datasets that differ in up to `size` people's data.

        The order a falls to b = a/size, and the alpha divergence grows to
        epsilon a (a-1) / (b (b-1)). `RenyiDP.group` allows every size and gives a stronger claim,
        with the larger order b = 1/(1 - (1 - 1/a)^size).

        Parameters
        ----------
        size : int
            A power of two, below the order.

        Raises
        ------
        ValueError, TypeError
            If size is not such an integer.

        References
        ----------
        Liu and Wang, proposition 3.

        Examples
        --------
        >>> round(AlphaDP(20, 0.3).group(4).epsilon, 12)
        5.7
        """
        size = _check.count("size", size)
        if size & (size - 1) or size >= self.order:
            raise ValueError(
                f"size must be a power of two below the order {self.order}, got size={size}"
            )
        order = self.order / size
        epsilon = self.epsilon * (size * (self.order - 1) / (order - 1))
        return type(self)(order, epsilon, adjacency=self.adjacency)

    def _as_renyi(self) -> RenyiDP:
        renyi = _numerics.up(renyi_of_alpha(self.order, self.epsilon))
        return RenyiDP(self.order, renyi, adjacency=self.adjacency)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        if self.epsilon == math.inf:
            return _NOTHING
        return self._as_renyi()._why_delta(epsilon, value)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if self.epsilon == math.inf:
            return _NOTHING
        return self._as_renyi()._why_epsilon(delta, value)

    def _compose(self, others: Sequence[Self]) -> Self:
        return reduce(type(self)._compose_with, others, self)

    def _compose_with(self, other: Self) -> Self:
        if self.order != other.order:
            raise ValueError(
                "compose takes alpha guarantees of the same order, got "
                f"order={self.order} and order={other.order}"
            )
        product = self.order * self.epsilon * ((self.order - 1) * other.epsilon)
        # 0 times inf is NaN; count it as 0, because the total below is inf in any case
        if math.isnan(product):
            product = 0.0
        total = self.epsilon + other.epsilon + product
        return type(self)(self.order, total, adjacency=self.adjacency)

    def self_compose(self, k: int) -> Self:
        k = _check.count("k", k)
        if k == 1 or self.epsilon in (0.0, math.inf):
            return self
        total = alpha_of_renyi_up(self.order, k * renyi_of_alpha(self.order, self.epsilon))
        return type(self)(self.order, total, adjacency=self.adjacency)


def renyi_of_alpha(order: float, alpha: float) -> float:
    """Return the Rényi divergence log(1 + a (a-1) alpha)/(a-1) of the same order, for a > 1."""
    # multiply in this sequence, so that alpha = 0 gives 0 even if order * (order - 1) overflows
    excess = order * alpha * (order - 1)
    if excess < 1e-290:  # a smaller product may be a subnormal float, with few correct digits
        return order * alpha
    if excess == math.inf and alpha < math.inf:
        return (math.log(order) + math.log(order - 1) + math.log(alpha)) / (order - 1)
    return math.log1p(excess) / (order - 1)


def alpha_of_renyi(order: float, renyi: float) -> float:
    """Return the alpha divergence (e^((a-1) renyi) - 1)/(a (a-1)) for a Rényi divergence.

    Both divergences have the order a > 1.

    The result is inf where it exceeds the largest float.
    """
    exponent = (order - 1) * renyi
    if exponent < 1e-290:  # a smaller product may be a subnormal float, with few correct digits
        return _numerics.positive(renyi / order) if renyi > 0 else 0.0
    return _numerics.expm1(exponent) / order / (order - 1)


def alpha_of_renyi_up(order: float, renyi: float) -> float:
    """Return `alpha_of_renyi`, rounded up by more than the errors of a computed divergence."""
    return _numerics.up(alpha_of_renyi(order, renyi), exponent=(order - 1) * renyi)
