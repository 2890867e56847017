"""Approximate differential privacy: a bound on the hockey-stick divergence at one epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from dpteach import _check
from dpteach._language import catalog
from dpteach.notions._base import at_most, worst_direction
from dpteach.notions._point import PointClaim
from dpteach.notions._trade_off import Curve, trade_off_of_approx
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")


@dataclass(frozen=True, repr=False)
class ApproxDP(PointClaim):
    """(epsilon, delta)-differential privacy: P(S) <= e^epsilon Q(S) + delta for every event S.

    Equivalently, E[(1 - e^(epsilon - L))+] <= delta for the privacy loss L of every ordered
    pair of neighboring datasets.

    Parameters
    ----------
    epsilon : float
        In [0, inf), in nats.
    delta : float
        In [0, 1].

    Notes
    -----
    Post-processing preserves the claim, because it increases no f-divergence, such as the
    hockey-stick divergence. The stronger claim "epsilon-differentially private with probability 1
    - delta" is `ProbabilisticDP`.

    References
    ----------
    Dwork, Kenthapadi, McSherry, Mironov and Naor (2006); Dwork and Roth (2014), definition 2.4.

    Examples
    --------
    >>> round(ApproxDP(1.0, 0.0).delta_at(0.0), 12)
    0.46211715726
    >>> ApproxDP(1.0, 1e-6).self_compose(8)
    ApproxDP(epsilon=8.0, delta=8e-06)
    """

    def _number(self, at: dict[str, Any]) -> tuple[float, str, None]:
        if at.get("delta") is not None:
            return self.epsilon, _("epsilon at delta={delta:g}", delta=self.delta), None
        return self.delta, _("delta at epsilon={epsilon:g}", epsilon=self.epsilon), None

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, epsilon: float) -> Self:
        """Return the guarantee at an epsilon with the smallest delta for both (P, Q) and (Q, P).

        Parameters
        ----------
        loss : PrivacyLoss
            The privacy loss of the pair of distributions (P, Q).
        epsilon : float
            In [0, inf), in nats.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> round(ApproxDP.tightest(RandomizedResponse(1.0).privacy_loss(), epsilon=0).delta, 12)
        0.46211715726
        """
        epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
        return cls(epsilon, worst_direction(loss, lambda one: one.hockey_stick(epsilon)))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return at_most(
            worst_direction(loss, lambda one: one.hockey_stick(self.epsilon)), self.delta
        )

    def trade_off(self, type_one: ArrayLike) -> Curve:
        """Return the least type II error of a hypothesis test at each type I error x.

        The curve is the largest of 0, 1 - delta - e^epsilon x and e^-epsilon (1 - delta - x).
        A test that is to tell two neighboring datasets apart has its errors on or above the curve.
        At the corner of the curve both errors are (1 - delta)/(1 + e^epsilon).

        Parameters
        ----------
        type_one : array_like
            Probabilities of rejecting a true null hypothesis, of any shape.

        Returns
        -------
        float or ndarray
            In [0, 1], of the same shape; rounded down, and tight.

        References
        ----------
        Wasserman and Zhou (2010), theorem 2.4; Kairouz, Oh and Viswanath (2015), section 2.1.

        Examples
        --------
        >>> import math
        >>> corner = (1 - 0.1) / (1 + math.e)
        >>> round(corner, 12), round(ApproxDP(1.0, 0.1).trade_off(corner), 12)
        (0.242047279233, 0.242047279233)
        """
        return trade_off_of_approx([self.epsilon], [self.delta], type_one)

    def _with(self, numbers: Sequence[float]) -> Self:
        epsilon, delta = numbers
        return type(self)(epsilon, min(1.0, delta), adjacency=self.adjacency)

    def group(self, size: int) -> Self:
        """Return the guarantee for groups: datasets that differ in up to `size` people's data.

        Its epsilon is size * epsilon, and its delta is
        delta (e^(size * epsilon) - 1)/(e^epsilon - 1). This is the sum of delta e^(i epsilon) over
        i = 0, ..., size - 1, one term for each person whose data change.
        The bound is tight if the resulting delta is small; then `FDP.group` gives the same delta.

        References
        ----------
        Vadhan (2017), lemma 2.2; Dwork and Roth (2014), theorem 2.2 for delta = 0.

        Examples
        --------
        >>> claim = ApproxDP(0.5, 1e-6).group(3)
        >>> claim.epsilon, round(claim.delta, 12)
        (1.5, 5.367003e-06)
        """
        return super().group(size)
