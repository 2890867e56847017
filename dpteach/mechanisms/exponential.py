"""The exponential mechanism: selection probabilities that grow exponentially with the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms._base import approx, theorem
from dpteach.mechanisms._bounded_range import (
    BoundedRangeProfile,
    renyi_of_bounded_range,
    zcdp_of_bounded_range,
)
from dpteach.mechanisms._selection import Selection
from dpteach.notions import ZCDP, AlphaDP, ApproxDP, PureDP, RenyiDP
from dpteach.notions.alpha import alpha_of_renyi

Vector = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class ExponentialMechanism(Selection):
    """A selection with probabilities proportional to e^(epsilon score/(2 sensitivity)).

    Parameters
    ----------
    epsilon : float
        In [0, 700], in nats: the epsilon of pure DP.
    sensitivity : float
        The largest difference of any candidate's score between neighbors, > 0.
    monotonic : bool
        Whether all scores change in the same direction between neighbors, as counts do when one
        person is added. Then the 2 in the exponent is dropped, with the same guarantees.

    Notes
    -----
    No pair of neighbors is worse than all others, so use `privacy_loss_between` for a given pair.
    On each pair, the privacy loss lies in an interval of length epsilon (bounded range), which
    implies more than pure DP: rho-zCDP with rho = epsilon^2/8 or slightly less (Cesar and Rogers,
    2021; Harrison and Manurangsi, 2026). Pure DP implies only a rho slightly below epsilon^2/2.

    References
    ----------
    McSherry and Talwar (2007), theorem 6; Durfee and Rogers (2019) for bounded range; Dong, Durfee
    and Rogers (2020).

    Examples
    --------
    >>> mechanism = ExponentialMechanism(epsilon=1.0)
    >>> round(mechanism.guarantee(ZCDP).rho, 12)
    0.123301561482
    >>> ExponentialMechanism(epsilon=1.0, monotonic=True).law([np.log(3), 0.0])
    array([0.75, 0.25])
    """

    def _distribution(self, lead: Vector) -> Vector:
        return np.exp(lead - _numerics.logsumexp(lead))

    def _choice(self, lead: Vector, rng: np.random.Generator) -> NDArray[np.int64]:
        # the argmax of scores plus Gumbel noise is a candidate with probability proportional to
        # e^score
        return np.asarray((lead + rng.gumbel(size=lead.shape)).argmax(axis=-1))


@theorem(ExponentialMechanism, PureDP, source="McSherry and Talwar (2007), theorem 6", tight=True)
def _pure(m: ExponentialMechanism) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)


@theorem(
    ExponentialMechanism,
    ApproxDP,
    source="Dong, Durfee and Rogers (2020), section 4, at the worst t",
    tight=True,
)
def _approx(
    m: ExponentialMechanism, *, epsilon: float | None = None, delta: float | None = None
) -> ApproxDP:
    point = approx(BoundedRangeProfile(m.epsilon), epsilon, delta)
    return ApproxDP(*point, adjacency=m.adjacency)


@theorem(
    ExponentialMechanism,
    RenyiDP,
    source="Dong, Durfee and Rogers (2020), section 4, at the worst t",
    tight=True,
)
def _renyi(m: ExponentialMechanism, *, orders: float | Sequence[float]) -> RenyiDP:
    checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
    return RenyiDP(
        checked, [renyi_of_bounded_range(m.epsilon, a) for a in checked], adjacency=m.adjacency
    )


@theorem(
    ExponentialMechanism,
    AlphaDP,
    source="Dong, Durfee and Rogers (2020), section 4, at the worst t",
    tight=True,
)
def _alpha(m: ExponentialMechanism, *, order: float) -> AlphaDP:
    order = _check.real("order", order, _check.ORDER_ABOVE_ONE)
    renyi = renyi_of_bounded_range(m.epsilon, order)
    return AlphaDP(order, alpha_of_renyi(order, renyi), adjacency=m.adjacency)


@theorem(
    ExponentialMechanism,
    ZCDP,
    source="Harrison and Manurangsi (2026): the exact zCDP of a bounded range",
    tight=True,
)
def _zcdp(m: ExponentialMechanism) -> ZCDP:
    return ZCDP(zcdp_of_bounded_range(m.epsilon), adjacency=m.adjacency)
