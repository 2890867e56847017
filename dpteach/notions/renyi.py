"""Rényi differential privacy: bounds on the Rényi divergences of one or more orders."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach._language import N_, catalog
from dpteach.notions._base import (
    Adjacency,
    Guarantee,
    Kind,
    Reason,
    at_most,
    worst_direction,
)
from dpteach.notions._joint_range import (
    delta_of_renyi,
    delta_of_renyi_optimal,
    epsilon_of_renyi,
    epsilon_of_renyi_optimal,
    witness_of_renyi,
)
from dpteach.notions._point import profile_of_approx, profile_of_approx_inverse
from dpteach.privacy_loss import DiscreteLoss, PrivacyLoss

_, _n = catalog("notions")

JOINT_RANGE = "Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3"
ANY_LOSS = Reason("the definition", "exact", note=N_("Moments of finite orders allow any loss."))
#: orders of Rényi divergences, and the epsilon at each order
Steps = tuple[NDArray[np.float64], NDArray[np.float64]]
NO_ESCAPE = Reason(
    "the definition", "exact", note=N_("A finite divergence allows no infinite loss.")
)


@dataclass(frozen=True, repr=False)
class RenyiDP(Guarantee):
    """(order, epsilon)-Rényi differential privacy, at one order or several.

    The Rényi divergence of each order is at most the epsilon of this order, for every ordered
    pair of neighboring datasets [1]_. Order 1 bounds the Kullback-Leibler divergence, and order
    inf is pure differential privacy.

    Parameters
    ----------
    orders : float or sequence of float
        Distinct numbers in [1, inf]; kept in increasing order.
    epsilons : float or sequence of float
        One epsilon in [0, inf) for each order, in nats.

    Raises
    ------
    ValueError
        If an order occurs twice, or the lengths differ.

    Notes
    -----
    Divergences grow with the order, so the claim at one order holds at all smaller orders.
    `delta_at` and `epsilon_at` apply the tightest theorem, the joint range of the Rényi and the
    hockey-stick divergence [2]_, to each order in (1, inf), and return the least result.
    From the divergence of one order in one direction, no smaller number follows. At order inf they
    use the profile of pure DP, and at order 1 Pinsker's inequality. A call takes about
    0.2 milliseconds, plus 0.03 for each order after the first. If this is too slow, use
    the closed formula of Canonne, Kamath and Steinke (2020), proposition 12, whose result is
    slightly larger (``convert(claim, to=ApproxDP, by="Canonne-Kamath-Steinke", delta=delta)``),
    or `dpteach.curves.renyi_epsilons` for many numbers of releases.

    Post-processing preserves the claim: it does not increase Rényi divergences (van Erven and
    Harremoës, 2014, theorem 1).

    References
    ----------
    .. [1] Mironov (2017), definition 4.
    .. [2] Asoodeh, Liao, Calmon, Kosut and Sankar (2021), theorem 3.

    Examples
    --------
    >>> RenyiDP(2, 0.1).self_compose(3)
    RenyiDP(orders=(2.0,), epsilons=(0.30000000000000004,))
    >>> round(RenyiDP(8, 0.1).epsilon_at(1e-5), 12)
    1.216130159398
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]

    # tell type checkers that the constructor accepts numbers and sequences, although it stores
    # tuples
    if TYPE_CHECKING:

        def __init__(
            self,
            orders: float | Sequence[float],
            epsilons: float | Sequence[float],
            *,
            adjacency: Adjacency = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        orders = _check.reals("orders", self.orders, _check.RENYI_DP_ORDER)
        epsilons = _check.reals("epsilons", self.epsilons, _check.NON_NEGATIVE)
        if len(orders) != len(epsilons):
            raise ValueError(
                f"epsilons must hold one number for each order, got {len(orders)} orders "
                f"and {len(epsilons)} epsilons"
            )
        if len(set(orders)) != len(orders):
            raise ValueError(f"orders must be distinct, got orders={_check.shown(orders)}")
        pairs = sorted(zip(orders, epsilons, strict=True))
        self._set("orders", tuple(order for order, _ in pairs))
        self._set("epsilons", tuple(epsilon for _, epsilon in pairs))

    def _numbers(self) -> tuple[float, ...]:
        return self.epsilons

    def _told(self) -> dict[str, tuple[float, ...]]:
        return {"orders": self.orders}

    def _number(self, at: dict[str, Any]) -> tuple[float, str, float]:
        order = self.orders[-1]
        return self.epsilons[-1], _("the Rényi divergence of order {order:g}", order=order), order

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, orders: float | Sequence[float]) -> Self:
        """Return the guarantee at given orders with the smallest epsilons for (P, Q) and (Q, P).

        Parameters
        ----------
        loss : PrivacyLoss
            The privacy loss of the pair of distributions (P, Q).
        orders : float or sequence of float
            In [1, inf].

        Raises
        ------
        ValueError
            If the Rényi divergence of an order is infinite, because then no claim of this order
            holds.

        Examples
        --------
        >>> from dpteach import RandomizedResponse
        >>> loss = RandomizedResponse(1.0).privacy_loss()
        >>> round(RenyiDP.tightest(loss, orders=2).epsilons[0], 12)
        0.735325664056
        """
        checked = _check.reals("orders", orders, _check.RENYI_DP_ORDER)
        return cls(
            checked,
            tuple(_worst_renyi(loss, a) for a in checked),
        )

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return all(
            at_most(_worst_renyi(loss, a), epsilon)
            for a, epsilon in zip(self.orders, self.epsilons, strict=True)
        )

    def delta_at(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_NON_NEGATIVE)
        return self._best_delta(epsilon)[0]

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        return self._best_epsilon(delta)[0]

    def _best_delta(self, epsilon: float) -> tuple[float, float | None]:
        """Return the smallest delta at an epsilon over all orders of the claim, and its order.

        The order is None at epsilon = inf, where delta is 0.
        """
        if epsilon == math.inf:
            # a finite Rényi divergence implies that Q is positive wherever P is, so delta is 0 at
            # epsilon = inf
            return 0.0, None
        best, at = pinsker(self.epsilons[0]), self.orders[0]
        implied = self._deltas(epsilon)
        if self.orders[-1] == math.inf and implied[-1] < best:
            best, at = implied[-1], math.inf
        for order, bound in self._inner(implied):
            found = delta_of_renyi_optimal(order, bound, epsilon, most=best)
            if found < best:
                best, at = found, order
        return best, at

    def _best_epsilon(self, delta: float) -> tuple[float, float | None]:
        """Return the smallest epsilon at a delta over all orders of the claim, and its order.

        The order is None if no order implies a finite epsilon.
        """
        if pinsker(self.epsilons[0]) <= delta:
            return 0.0, self.orders[0]
        implied = self._epsilons(delta)
        best = implied[-1] if self.orders[-1] == math.inf else math.inf
        at = math.inf if best < math.inf else None
        for order, bound in self._inner(implied) if delta > 0 else ():
            found = epsilon_of_renyi_optimal(order, bound, delta, most=best)
            if found < best:
                best, at = found, order
        return best, at

    def _inner(self, implied: Sequence[float]) -> list[tuple[float, float]]:
        """Return the orders in (1, inf) with their epsilons, sorted so that the best come first.

        The best are those with the smallest values in `implied`, which come from a closed formula.
        The callers look for the order with the smallest result of an exact but slower method. After
        a small first result, that method needs fewer steps to reject the other orders.
        """
        ranked = sorted(zip(implied, self.orders, self.epsilons, strict=True))
        return [(order, bound) for _, order, bound in ranked if 1 < order < math.inf]

    def _closed_delta(self, epsilon: float) -> tuple[float, float]:
        """Return the smallest delta that closed formulas give over all orders, and its order."""
        return min(
            (pinsker(self.epsilons[0]), self.orders[0]),
            *zip(self._deltas(epsilon), self.orders, strict=True),
            key=operator.itemgetter(0),
        )

    def _closed_epsilon(self, delta: float) -> tuple[float, float]:
        """Return the smallest epsilon that closed formulas give over all orders, and its order."""
        if pinsker(self.epsilons[0]) <= delta:
            return 0.0, self.orders[0]
        return min(zip(self._epsilons(delta), self.orders, strict=True), key=operator.itemgetter(0))

    def _deltas(self, epsilon: float) -> list[float]:
        """Return the delta that each order implies by a closed formula; at order 1 it is 1."""
        return [
            profile_of_approx(bound, 0.0, epsilon)
            if order == math.inf
            else delta_of_renyi(order, bound, epsilon)
            if order > 1
            else 1.0
            for order, bound in zip(self.orders, self.epsilons, strict=True)
        ]

    def _epsilons(self, delta: float) -> list[float]:
        """Return, for each order, an epsilon for which its bound implies (epsilon, delta)-DP.

        A closed formula gives it. It is inf at order 1 and, if delta = 0, at all finite orders.
        """
        return [
            profile_of_approx_inverse(bound, 0.0, delta)
            if order == math.inf
            else epsilon_of_renyi(order, bound, delta)
            if order > 1 and delta > 0
            else math.inf
            for order, bound in zip(self.orders, self.epsilons, strict=True)
        ]

    def _why_delta(self, epsilon: float, value: float) -> Reason:
        if epsilon == math.inf:
            return NO_ESCAPE
        if value == pinsker(self.epsilons[0]):
            return why_pinsker(self.orders[0], self.epsilons[0])
        at = self._best_delta(epsilon)[1]
        return self._why(at, "delta", epsilon, lambda one: one.delta_at(epsilon))

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if pinsker(self.epsilons[0]) <= delta:
            return why_pinsker(self.orders[0], self.epsilons[0])
        if delta == 0 and value == math.inf:
            return ANY_LOSS
        at = self._best_epsilon(delta)[1]
        return self._why(at, "epsilon", value, lambda one: one.epsilon_at(delta))

    def _why(
        self, order: float | None, name: str, epsilon: float, implied: Callable[[Self], float]
    ) -> Reason:
        """Return the theorem behind the delta or epsilon that the claim implies at its best order.

        `order` is this order, or None if none implies a finite number. `name` is "delta" or
        "epsilon", and `implied` computes this number for a guarantee. `epsilon` is the epsilon of
        the implied (epsilon, delta)-DP. A note tells the numbers that the orders next to the best
        one give.
        """
        i = 0 if order is None else self.orders.index(order)
        found = [
            (self.orders[j], _numerics.rounded_up(implied(self._one(j))))
            for j in (i - 1, i + 1)
            if 0 <= j < len(self.orders)
        ]
        notes = [
            _("The order {order:g} gives {number}.", order=a, number=number) for a, number in found
        ]
        if order is None or order <= 1:
            note = _("No order above 1 is given, and no theorem here uses the order 1 alone.")
            return Reason("the definition", "upper bound", self.orders[0], True, note)
        kind: Kind
        if order == math.inf:
            kind = "exact" if len(self.orders) == 1 else "upper bound"
            note = " ".join([_("The order inf is pure differential privacy."), *notes])
            return Reason("Cuff and Yu (2016), property 3", kind, order, note=note)
        # the theorem that yields the delta or epsilon holds only for finite orders above 1
        usable = [a for a in self.orders if 1 < a < math.inf]
        if implied(self._one(i)) == 0:
            end = ""  # the number is already 0, so no other order gives a smaller number
        elif len(usable) < 2:
            end = _(
                "No other order in (1, inf) is given, and another one may give a smaller {name}.",
                name=name,
            )
        elif order == usable[0]:
            end = _("It is the smallest given order in (1, inf), and a smaller one may give less.")
        elif order == usable[-1]:
            end = _("It is the largest given order in (1, inf), and a larger one may give less.")
        else:
            end = ""
        note = " ".join(filter(None, [*notes, end]))
        kind = "exact" if self._is_reached(epsilon) else "upper bound"
        return Reason(JOINT_RANGE, kind, order, bool(end), note)

    def _one(self, i: int) -> Self:
        """Return the guarantee at the i-th order only."""
        return type(self)(self.orders[i], self.epsilons[i], adjacency=self.adjacency)

    def _is_reached(self, epsilon: float) -> bool:
        """Return whether `pair_of_renyi` finds distributions that attain this claim's delta.

        They must satisfy the claim in both directions. The result is False if the claim has
        several orders.
        """
        if len(self.orders) > 1:
            return False
        try:
            pair_of_renyi(self.orders[0], self.epsilons[0], epsilon)
        except ValueError:
            return False
        return True

    def _with(self, numbers: Sequence[float]) -> Self:
        return type(self)(self.orders, numbers, adjacency=self.adjacency)

    def _compose(self, others: Sequence[Self]) -> Self:
        for other in others:
            if self.orders != other.orders:
                raise ValueError(
                    "compose takes Rényi guarantees at the same orders, got "
                    f"orders={self.orders} and orders={other.orders}; state both at common orders"
                )
        return super()._compose(others)

    def group(self, size: int) -> Self:
        """Return the guarantee for groups of `size`, which has smaller orders and larger epsilons.

        Change the data of the group in `size` steps, one person at a time. Let P, R and Q be the
        output distributions before, between and after two steps. By Hölder's inequality,
        D_c(P || Q) <= D_a(R || Q) + a/(a-1) D_b(P || R) for orders a and b, at the order c with
        c/(c-1) = a/(a-1) b/(b-1) [1]_. If all steps use the same order a of the claim, `size` steps
        have the order c = 1/(1 - (1 - 1/a)^size), and epsilon grows by the factor (a - 1)/(c - 1).
        In [2]_ the factor is given by the same formula, but for the order c = a/size. This order is
        at most the one above, so the factor is at least as large, and not every size is allowed. In
        [3]_ the factor is larger than here: 3 at the order a/2 for size = 2.

        Returns
        -------
        RenyiDP
            A guarantee at the order c that belongs to each order of the claim, and at the orders
            of the claim that do not exceed the largest order c. Each epsilon is the least over all
            ways of assigning the claim's orders to the steps.

        Raises
        ------
        ValueError, TypeError
            If size is not an integer >= 1 or is so large that no epsilon is finite, or if size > 1
            and the claim has only the order 1, which says nothing about groups.

        References
        ----------
        .. [1] Bun and Steinke (2016), lemma 5.2; Mironov (2017), proposition 11.
        .. [2] Liu and Wang, proposition 3, on the Rényi scale.
        .. [3] Mironov (2017), proposition 2.

        Examples
        --------
        >>> claim = RenyiDP(8, 0.1).group(2)
        >>> round(claim.orders[0], 12), round(claim.epsilons[0], 12)
        (4.266666666667, 0.214285714286)
        """
        size = _check.count("size", size)
        if size == 1:
            return self
        if self.orders == (1.0,):
            raise ValueError(
                "size must be 1: a Kullback-Leibler divergence alone, the order 1, says nothing "
                f"about groups, got size={_check.shown(size)}"
            )
        reached = group_of_renyi(self.orders, self.epsilons, size) if size <= 2**31 else []
        if not reached:
            raise ValueError(
                "size must be smaller (at most 2**31, and no epsilon may overflow), "
                f"got size={_check.shown(size)}"
            )
        return type(self)(*zip(*reached, strict=True), adjacency=self.adjacency)


def group_of_renyi(
    orders: Sequence[float], epsilons: Sequence[float], size: int
) -> list[tuple[float, float]]:
    """Return the pairs (order, finite epsilon) that a Rényi guarantee implies for groups.

    Change the data of the group in steps, one person at a time. The guarantee bounds the last step
    by eps_1 at an order a_1, the step before by eps_2 at an order a_2, and so on. All steps
    together then have the epsilon eps_1 + r_1 eps_2 + r_1 r_2 eps_3 + ... with r_i = a_i/(a_i - 1),
    at the order a for which a/(a-1) is the product of all r_i. To save time, the bound for n steps
    is combined with itself to a bound for 2 n steps.
    """
    given = np.array(orders), np.array(epsilons)
    done, total = 1, given
    for bit in bin(size)[3:]:
        done *= 2
        total = _joined(total, total, _orders_of_group(orders, done))
        if bit == "1":
            done += 1
            total = _joined(total, given, _orders_of_group(orders, done))
    return list(zip(*(part.tolist() for part in total), strict=True))


def _orders_of_group(orders: Sequence[float], size: int) -> NDArray[np.float64]:
    """Return the orders of the Rényi guarantee for groups, in increasing order.

    They are c = 1/(1 - (1 - 1/a)^size), rounded down, for each given order a > 1, and all given
    orders that do not exceed the largest c.
    """
    a = np.array([order for order in orders if order > 1])
    power = -np.expm1(size * np.log1p(-1 / np.where(a < math.inf, a, 2.0)))
    # round down by more than the rounding errors of `_joined`, which runs at most twice per bit of
    # size
    down = 1 - 4 * _numerics.MARGIN * size.bit_length()
    images = np.where(a < math.inf, np.maximum(1.0, down / power), math.inf)
    return np.unique(np.concatenate((images, [x for x in orders if x <= images.max()])))


def _joined(first: Steps, last: Steps, targets: NDArray[np.float64]) -> Steps:
    """Return a Rényi bound for two changes of the data, one after the other, from a bound for each.

    Each change affects one or more people. A bound consists of orders and their epsilons: `first`
    for the first change, `last` for the second. The result has the orders in `targets` at which the
    two bounds imply a finite epsilon.
    """
    (b, eps_b), (a, eps_a) = first, last

    def excess(order: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            # return 1/(a-1), which equals a/(a-1) - 1, for the order a
            return np.where(order < math.inf, 1 / (order - 1), 0.0)

    # bounds at the orders a and b imply one at the order c for which 1/(c-1) is equal to
    # (1 + 1/(a-1)) (1 + 1/(b-1)) - 1
    one, other = excess(a)[:, None], excess(b)[None, :]
    with np.errstate(invalid="ignore", over="ignore"):
        reached = one + other + one * other
        # a NaN comes from inf * 0, where one order is 1 and the other is inf
        reached = np.where(np.isnan(reached), math.inf, reached)
        cost = eps_a[:, None] + (1 + one) * eps_b[None, :]
    # a NaN comes from inf * 0, where `last` has order 1 and `first` has epsilon 0; there, `first`
    # adds nothing to the cost
    cost = np.where(np.isnan(cost), eps_a[:, None], cost)
    if not cost.size:
        return targets[:0], targets[:0]
    ranked = np.argsort(reached, axis=None)
    # `ranked` sorts the pairs (a, b) by 1/(c-1), so the largest order c comes first, and `least[i]`
    # is the smallest cost of any pair with at least the order c of the i-th pair
    least = np.minimum.accumulate(cost.ravel()[ranked])
    within = np.searchsorted(reached.ravel()[ranked], excess(targets), side="right")
    best = np.where(within > 0, least[within - 1], math.inf) * (1 + 2 * _numerics.MARGIN)
    return targets[best < math.inf], best[best < math.inf]


def _worst_renyi(loss: PrivacyLoss, order: float) -> float:
    return worst_direction(loss, lambda one: one.renyi(order))


def pinsker(kl: float) -> float:
    """Return Pinsker's bound sqrt(kl / 2) on the total variation, at most 1."""
    # divide after the square root, because kl / 2 may underflow
    return min(1.0, _numerics.up(math.sqrt(kl) / math.sqrt(2)))


def why_pinsker(order: float, bound: float) -> Reason:
    """Return the explanation of a total variation that Pinsker's inequality bounds."""
    if bound == 0:
        return Reason("the definition", "exact", note=_("The two distributions are the same."))
    note = _("It bounds the total variation, the delta at epsilon = 0.")
    return Reason("Pinsker's inequality", "upper bound", order, order > 1, note)


def pair_of_renyi(order: float, renyi: float, epsilon: float) -> DiscreteLoss:
    """Return distributions that attain the delta that a Rényi guarantee implies at an epsilon.

    The order is in (1, inf).

    Raises
    ------
    ValueError
        If the pair (P, Q) with the largest delta has a larger Rényi divergence as (Q, P), so that
        it violates the guarantee.
    """
    p, q = witness_of_renyi(order, renyi, epsilon)
    loss = DiscreteLoss([p, 1 - p], [q, 1 - q])
    if not RenyiDP(order, renyi * (1 + 1e-9)).holds_for(loss):
        raise ValueError("the pair that would attain it violates the claim in the other direction")
    return loss
