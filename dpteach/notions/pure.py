"""Pure differential privacy: the privacy loss never exceeds epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from numpy.typing import ArrayLike

from dpteach import _check, _numerics
from dpteach.notions._base import Guarantee, Reason, at_most, worst_direction
from dpteach.notions._point import (
    profile_of_approx,
    profile_of_approx_inverse,
    why_delta_of_approx,
    why_epsilon_of_approx,
)
from dpteach.notions._trade_off import Curve, trade_off_of_approx
from dpteach.privacy_loss import PrivacyLoss


@dataclass(frozen=True, repr=False)
class PureDP(Guarantee):
    """epsilon-differential privacy: P(S) <= e^epsilon Q(S) for every event S.

    Equivalently, the max divergence is at most epsilon for every ordered pair of neighbors.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.

    Notes
    -----
    Post-processing preserves the claim: every event about the processed output is an event about
    the output.

    References
    ----------
    Dwork, McSherry, Nissim and Smith (2006), definition 1; Dwork and Roth (2014), proposition
    2.1, on post-processing.

    Examples
    --------
    >>> PureDP(0.1).self_compose(64)
    PureDP(epsilon=6.4)
    >>> PureDP(1.0).epsilon_at(delta=0)
    1.0
    """

    epsilon: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", _check.real("epsilon", self.epsilon, _check.NON_NEGATIVE))

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return the guarantee with the smallest epsilon for (P, Q) and (Q, P), given their loss.

        Raises
        ------
        ValueError
            If the privacy loss is unbounded: no pure guarantee holds.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(PureDP.tightest(loss).epsilon, 12)
        1.0
        """
        return cls(worst_direction(loss, lambda one: one.max()))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return at_most(worst_direction(loss, lambda one: one.max()), self.epsilon)

    def delta_at(self, epsilon: float) -> float:
        return profile_of_approx(self.epsilon, 0.0, epsilon)

    def epsilon_at(self, delta: float) -> float:
        return profile_of_approx_inverse(self.epsilon, 0.0, delta)

    def trade_off(self, type_one: ArrayLike) -> Curve:
        """Return the trade-off curve of ``ApproxDP(epsilon, 0)``; see `ApproxDP.trade_off`.

        Examples
        --------
        >>> round(PureDP(1.0).trade_off(0.25), 12)
        0.320429542885
        """
        return trade_off_of_approx([self.epsilon], [0.0], type_one)

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        return why_delta_of_approx(self.epsilon, epsilon)

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        return why_epsilon_of_approx(0.0, delta)

    def group(self, size: int) -> Self:
        """Return the guarantee for groups: size times epsilon, which Laplace noise attains.

        References
        ----------
        Dwork and Roth (2014), theorem 2.2.

        Examples
        --------
        >>> PureDP(0.5).group(3)
        PureDP(epsilon=1.5)
        """
        return type(self)(_check.count("size", size) * self.epsilon, adjacency=self.adjacency)


def alpha_of_response(epsilon: float, order: float) -> float:
    """Return the alpha divergence of randomized response, for an order a in [1, inf).

    The divergence is ((e^(a eps) + e^((1-a) eps))/(1 + e^eps) - 1)/(a (a-1)). To avoid
    cancellation, the numerator is computed as (1 - e^(-a eps)) (1 - e^((1-a) eps)) e^(a eps) / (1
    + e^eps).
    """
    a, b = order, order - 1
    if epsilon == 0:
        return 0.0
    if b == 0:
        return _numerics.positive(epsilon * math.tanh(epsilon / 2))
    if b * epsilon < 1:  # divide each difference before multiplying, so that nothing underflows
        grown = epsilon if b * epsilon < 1e-290 else math.expm1(b * epsilon) / b
        core = -math.expm1(-a * epsilon) / a * _numerics.logistic(epsilon)
        return _numerics.positive(core * grown)
    core = math.expm1(-a * epsilon) * math.expm1(-b * epsilon) * _numerics.logistic(epsilon)
    return core * _numerics.exp(b * epsilon - math.log(a) - math.log(b))


def renyi_of_response(epsilon: float, order: float) -> float:
    """Return the Rényi divergence of randomized response, for an order in [1, inf]."""
    if order == math.inf or epsilon == 0:
        return epsilon
    a, b = order, order - 1
    alpha = alpha_of_response(epsilon, order)
    excess = a * b * alpha
    if excess < 1:
        return a * alpha * _numerics.log1p_over(excess)
    # b times the divergence is log((e^(a eps) + e^((1-a) eps))/(1 + e^eps)) = b eps + `rest`; the
    # logarithm is split in this way, because e^(a eps) may overflow
    rest = math.log1p(math.exp((1 - 2 * a) * epsilon)) - math.log1p(math.exp(-epsilon))
    return epsilon + rest / b
