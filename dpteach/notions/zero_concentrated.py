"""Zero-concentrated differential privacy: Rényi divergences of at most rho times their order."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.notions._base import Guarantee, Reason, at_most, worst_direction
from dpteach.notions._joint_range import delta_of_renyi, epsilon_of_renyi
from dpteach.notions.renyi import ANY_LOSS, NO_ESCAPE, pinsker, why_pinsker
from dpteach.privacy_loss import PrivacyLoss

_, _n = catalog("notions")


@dataclass(frozen=True, repr=False)
class ZCDP(Guarantee):
    """rho-zero-concentrated differential privacy (zCDP).

    The Rényi divergence of every order a > 1 is at most a * rho, for every ordered pair of
    neighboring datasets.

    Parameters
    ----------
    rho : float
        In [0, inf), in nats.

    Notes
    -----
    `delta_at` and `epsilon_at` evaluate the bound of Canonne, Kamath and Steinke (2020) at the
    real order a where it is smallest. They are fast, which matters because
    `dpteach.curves.zcdp_epsilons` and `calibrate` call them many times. In a few milliseconds,
    ``convert(claim, to=ApproxDP, delta=delta)`` computes the smallest epsilon that follows from the
    Rényi divergence of a single order. It is smaller than `epsilon_at` by a fraction of only 3e-7
    for rho = 0.5 and delta = 1e-5, but by a seventh for rho = 0.001 and delta = 0.01.

    Post-processing preserves the claim, because it increases no Rényi divergence.

    References
    ----------
    Bun and Steinke (2016), definition 1.1.

    Examples
    --------
    >>> ZCDP(0.005).self_compose(64)
    ZCDP(rho=0.32)
    >>> round(ZCDP(0.32).epsilon_at(delta=1e-6), 2)
    4.06
    """

    rho: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("rho", _check.real("rho", self.rho, _check.NON_NEGATIVE))

    @classmethod
    def tightest(cls, loss: PrivacyLoss) -> Self:
        """Return a guarantee for (P, Q) and (Q, P), given their loss, with nearly the smallest rho.

        The rho is an upper bound on the supremum of D_a / a over a > 1, where D_a is the Rényi
        divergence. On an interval of orders, the convex function (a - 1) D_a lies below its chord,
        which bounds D_a / a. The interval with the largest bound is split, at most 400 times, until
        this bound exceeds the largest D_a / a found so far by a fraction of at most 1e-6.

        Raises
        ------
        ValueError
            If the privacy loss is unbounded: its supremum is needed to bound D_a / a at large a.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(ZCDP.tightest(loss).rho, 6)
        0.462117
        """
        _check.instance("loss", loss, PrivacyLoss)
        return cls(max(_slope(one)[1] for one in (loss, loss.reversed())))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether each Rényi divergence D_a is at most a * rho, in both directions.

        This is checked at the finitely many orders a that `tightest` tries.
        """
        return at_most(worst_direction(loss, lambda one: _slope(one)[0]), self.rho)

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        if self.rho == 0 or epsilon == math.inf:
            return 0.0
        order = self._order_for_delta(epsilon)
        return min(
            pinsker(self.rho), delta_of_renyi(order, _numerics.up(order * self.rho), epsilon)
        )

    def _order_for_delta(self, epsilon: float) -> float:
        """Return the order a for which D_a <= a * rho implies the smallest delta at `epsilon`.

        Here rho > 0, and epsilon is finite.
        """

        # `past_best` tells whether the order b + 1 is the best one or larger, that is, whether the
        # implied log delta has a derivative >= 0 with respect to b
        def past_best(b: float) -> bool:
            return self.rho * (1 + 2 * b) - math.log1p(1 / b) >= epsilon

        high = min(1e150, epsilon / self.rho + 1 / (epsilon + self.rho))
        return _above_one(_numerics.first_true(past_best, 0.0, high))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if pinsker(self.rho) <= delta:
            return 0.0
        if delta == 0:
            return math.inf
        order = self._order_for_epsilon(delta)
        return epsilon_of_renyi(order, _numerics.up(order * self.rho), delta)

    def _order_for_epsilon(self, delta: float) -> float:
        """Return the order a for which D_a <= a * rho implies the smallest epsilon at `delta`.

        Here rho > 0 and 0 < delta < 1.
        """
        target, root = -math.log(delta), math.sqrt(self.rho)

        # `past_best` tells whether the order b + 1 is the best one or larger, that is, whether the
        # implied epsilon has a derivative >= 0 with respect to b. The derivative has the sign of
        # rho b^2 + log(1 + b) - target
        def past_best(b: float) -> bool:
            return (root * b) ** 2 + math.log1p(b) >= target

        # take the roots before dividing, because target / rho may overflow
        high = math.sqrt(target) / root * 2
        return _above_one(_numerics.first_true(past_best, 0.0, high))

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        if epsilon == math.inf:
            return NO_ESCAPE
        if value == pinsker(self.rho):
            return why_pinsker(1.0, self.rho)
        return self._why(
            self._order_for_delta(epsilon), lambda a: delta_of_renyi(a, a * self.rho, epsilon)
        )

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if pinsker(self.rho) <= delta:
            return why_pinsker(1.0, self.rho)
        if delta == 0:
            return ANY_LOSS
        return self._why(
            self._order_for_epsilon(delta), lambda a: epsilon_of_renyi(a, a * self.rho, delta)
        )

    def _why(self, order: float, implied: Callable[[float], float]) -> Reason:
        whole = [a for a in (math.floor(order), math.floor(order) + 1) if a > 1]
        notes = [_("It is the best real order.")]
        for a in whole:
            number = _numerics.rounded_up(implied(a))
            notes.append(_("The order {order:g} gives {number}.", order=a, number=number))
        return Reason(
            "Canonne, Kamath and Steinke (2020), corollary 13",
            "upper bound",
            order,
            note=" ".join(notes),
        )

    def group(self, size: int) -> Self:
        """Return the guarantee for groups of `size` people: size^2 times rho.

        Gaussian noise attains this rho.

        References
        ----------
        Bun and Steinke (2016), proposition 1.9.

        Examples
        --------
        >>> ZCDP(0.5).group(3)
        ZCDP(rho=4.5)
        """
        size = _check.count("size", size)
        return type(self)(size * size * self.rho, adjacency=self.adjacency)


def _above_one(b: float) -> float:
    return max(1 + b, math.nextafter(1, 2))


def _slope(loss: PrivacyLoss) -> tuple[float, float]:
    """Return a lower and an upper bound on the supremum of D_a / a over the orders a > 1.

    Here D_a is the Rényi divergence of order a.
    """
    top, kl = loss.max(), loss.kl()
    if top == math.inf:
        raise ValueError(
            "loss must be bounded to bracket a supremum over all orders, "
            "got one with max divergence inf"
        )
    if kl <= 0:
        return 0.0, top
    best = kl  # the limit of D_a / a for a -> 1 is the Kullback-Leibler divergence
    # at orders above `last`, D_a / a <= top / last <= best / 2, so the supremum is not there
    last = max(2.0, 2 * top / best)
    at_last = loss.renyi(last)
    # each entry (-bound, low, D at low, high, D at high) is for the orders from low to high: D is
    # the Rényi divergence, and `bound` is at least D_a / a there; the largest bound comes first
    heap = [(-at_last, 1.0, kl, last, at_last)]
    for _ in range(400):
        above, low, at_low, high, at_high = heap[0]
        best = max(best, at_low / low, at_high / high)
        if -above <= best * (1 + 1e-6):
            break
        middle = math.sqrt(low * high)
        at_middle = loss.renyi(middle)
        left, right = (low, at_low, middle, at_middle), (middle, at_middle, high, at_high)
        heapq.heapreplace(heap, (-_below_chord(*left), *left))
        heapq.heappush(heap, (-_below_chord(*right), *right))
    return best, _numerics.up(max(best, -heap[0][0]))


def _below_chord(low: float, at_low: float, high: float, at_high: float) -> float:
    """Return an upper bound on D_a / a between two orders, from the Rényi divergence at both.

    With s = a - 1, D_a / a is the function s D_a divided by s (s + 1). The function s D_a is convex
    and 0 at s = 0, so between the two orders it is at most its chord, the line slope * s - back
    with back >= 0. The chord divided by s (s + 1) is largest at
    s = (back + sqrt(back (back + slope)))/slope.
    """
    start, end = low - 1, high - 1
    left, right = start * at_low, end * at_high
    slope = (right - left) / (end - start)
    back = max(0.0, slope * start - left)
    if start == 0 or slope <= 0:
        # a valid bound on D_a / a, because D_a is non-decreasing in the order a
        return at_high / low
    s = min(max((back + math.sqrt(back * (back + slope))) / slope, start), end)
    return min(at_high / low, (left + slope * (s - start)) / (s * (s + 1)))
