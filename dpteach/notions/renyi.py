"""Rényi differential privacy: bounds on exponential moments of the privacy loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from dpteach import _check, _numerics
from dpteach.notions._base import (
    Adjacency,
    Guarantee,
    Kind,
    Reason,
    at_most,
    worst_direction,
)
from dpteach.notions._point import profile_of_approx, profile_of_approx_inverse
from dpteach.privacy_loss import PrivacyLoss

CANONNE = "Canonne, Kamath and Steinke (2020), proposition 12"
ANY_LOSS = Reason("the definition", "exact", note="Moments of finite orders allow any loss.")
#: orders and the epsilons there
Steps = tuple[NDArray[np.float64], NDArray[np.float64]]
NO_ESCAPE = Reason("the definition", "exact", note="A finite divergence allows no infinite loss.")


@dataclass(frozen=True, repr=False)
class RenyiDP(Guarantee):
    """(order, epsilon)-Rényi differential privacy, at one order or several.

    The Rényi divergence of that order is at most epsilon for every ordered pair of
    neighbours. Order 1 bounds the Kullback-Leibler divergence, order inf is pure
    differential privacy.

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
    Divergences grow with the order, so the claim at one order holds at all smaller ones.
    `delta_at` and `epsilon_at` use the best of the orders, by Canonne, Kamath and Steinke
    (2020), proposition 12, and Pinsker's inequality. Both are theorems at every order: looking
    for the best one costs no privacy and stays sound. They are closed formulas, and not the
    smallest numbers that the moments imply, which take a search: `dpteach.conversions` has it.

    Post-processing keeps the claim: Rényi divergences do not grow (van Erven and Harremoës,
    2014, theorem 1).

    References
    ----------
    Mironov (2017), definition 4.

    Examples
    --------
    >>> RenyiDP(2, 0.1).self_compose(3)
    RenyiDP(orders=(2.0,), epsilons=(0.30000000000000004,))
    >>> round(RenyiDP(8, 0.1).epsilon_at(1e-5), 12)
    1.314109167846
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]

    if TYPE_CHECKING:  # numbers and sequences are taken; tuples are kept

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
        return self.epsilons[-1], f"the Rényi divergence of order {order:g}", order

    @classmethod
    def tightest(cls, loss: PrivacyLoss, *, orders: float | Sequence[float]) -> Self:
        """The smallest epsilon at each order that is true of both orders of a pair.

        Parameters
        ----------
        loss : PrivacyLoss
        orders : float or sequence of float
            In [1, inf].

        Raises
        ------
        ValueError
            If a divergence is infinite: no claim of that order holds.

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
        if epsilon == math.inf:
            return 0.0  # finite divergences of orders >= 1: P has no mass that Q lacks
        return min(pinsker(self.epsilons[0]), *self._deltas(epsilon))

    def epsilon_at(self, delta: float) -> float:
        delta = _check.real("delta", delta, _check.PROBABILITY)
        if pinsker(self.epsilons[0]) <= delta:
            return 0.0
        return min(self._epsilons(delta))

    def _deltas(self, epsilon: float) -> list[float]:
        """What each order implies at an epsilon; at the order 1, nothing."""
        return [
            profile_of_approx(bound, 0.0, epsilon)
            if order == math.inf
            else delta_of_renyi(order, bound, epsilon)
            if order > 1
            else 1.0
            for order, bound in zip(self.orders, self.epsilons, strict=True)
        ]

    def _epsilons(self, delta: float) -> list[float]:
        """What each order implies at a delta; finite ones above 1 need delta > 0."""
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
        return self._why(self._deltas(epsilon), "delta")

    def _why_epsilon(self, delta: float, value: float) -> Reason:
        if pinsker(self.epsilons[0]) <= delta:
            return why_pinsker(self.orders[0], self.epsilons[0])
        if delta == 0 and value == math.inf:
            return ANY_LOSS
        return self._why(self._epsilons(delta), "epsilon")

    def _why(self, values: list[float], name: str) -> Reason:
        """The order that won, given what each of them implies, and its neighbours."""
        i = min(range(len(values)), key=values.__getitem__)
        order = self.orders[i]
        note = " and ".join(
            f"the order {self.orders[j]:g} gives {_numerics.rounded_up(values[j])}"
            for j in (i - 1, i + 1)
            if 0 <= j < len(values)
        )
        if order <= 1:
            note = "No order above 1 is given, and no theorem here uses the order 1 alone."
            return Reason("the definition", "upper bound", order, True, note)
        if order == math.inf:
            kind: Kind = "exact" if len(self.orders) == 1 else "upper bound"
            note = f"The order inf is pure differential privacy{'; ' * bool(note)}{note}."
            return Reason("Cuff and Yu (2016), property 3", kind, order, note=note)
        # the orders that this theorem can use, from the first to the last
        usable = [a for a in self.orders if 1 < a < math.inf]
        if values[i] == 0:
            end = ""  # nothing is less
        elif len(usable) < 2:
            end = f"no other order in (1, inf) is given: a further one may give a smaller {name}"
        elif order == usable[0]:
            end = "it is the smallest of those given in (1, inf): a smaller one may give less"
        elif order == usable[-1]:
            end = "it is the largest of those given in (1, inf): a larger one may give less"
        else:
            end = ""
        note = "; ".join(filter(None, (note, end)))
        note = f"{note[0].upper()}{note[1:]}." if note else ""
        return Reason(CANONNE, "upper bound", order, bool(end), note)

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
        """Smaller orders and larger epsilons, by Hölder's inequality along the chain.

        For laws P, R, Q and orders a and b, D_c(P || Q) <= D_a(R || Q) + a/(a-1) D_b(P || R)
        at the order c with c/(c-1) = a/(a-1) b/(b-1) [1]_. Used `size` times with one order a
        of the claim it gives the order c = 1/(1 - (1 - 1/a)^size) and the epsilon
        (a - 1)/(c - 1) times the claimed one. That is the factor of [2]_ at an order that is
        never below its a/size, and for every size, and less than [3]_, which for size = 2 gives
        3 at the order a/2.

        Returns
        -------
        RenyiDP
            At the order c of each order of the claim, and at the orders of the claim that do not
            exceed the largest of these. Each epsilon is the best that the chains of the claim's
            orders give.

        Raises
        ------
        ValueError, TypeError
            If size is not an integer >= 1, or so large that no epsilon is finite; if size > 1 and
            the claim holds the order 1 only, which says nothing about groups.

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
    """The pairs (order, epsilon), epsilon finite, that a Rényi claim implies for groups.

    A chain of steps at orders a, b, ..., read from Q, costs
    eps_a + a/(a-1) eps_b + a/(a-1) b/(b-1) eps_c + ..., and holds at the order whose ratio
    c/(c-1) is the product of all theirs: chains are joined by `_joined`, in any grouping.
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
    """1/(1 - (1 - 1/a)^size), rounded down, for each order, and the orders that they reach."""
    a = np.array([order for order in orders if order > 1])
    power = -np.expm1(size * np.log1p(-1 / np.where(a < math.inf, a, 2.0)))
    # each joining of two groups adds rounding errors, and there are two for every bit of size
    down = 1 - 4 * _numerics.MARGIN * size.bit_length()
    images = np.where(a < math.inf, np.maximum(1.0, down / power), math.inf)
    return np.unique(np.concatenate((images, [x for x in orders if x <= images.max()])))


def _joined(first: Steps, last: Steps, targets: NDArray[np.float64]) -> Steps:
    """The best that two groups' claims, joined, imply at each of some orders."""
    (b, eps_b), (a, eps_a) = first, last

    def excess(order: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.where(order < math.inf, 1 / (order - 1), 0.0)  # a/(a-1) - 1

    # 1/(c - 1) = (1 + 1/(a-1)) (1 + 1/(b-1)) - 1
    one, other = excess(a)[:, None], excess(b)[None, :]
    with np.errstate(invalid="ignore", over="ignore"):
        reached = one + other + one * other
        reached = np.where(np.isnan(reached), math.inf, reached)  # the orders 1 and inf
        cost = eps_a[:, None] + (1 + one) * eps_b[None, :]
    cost = np.where(np.isnan(cost), eps_a[:, None], cost)  # inf times 0: the first steps are free
    if not cost.size:
        return targets[:0], targets[:0]
    ranked = np.argsort(reached, axis=None)
    least = np.minimum.accumulate(cost.ravel()[ranked])  # among the first so many
    within = np.searchsorted(reached.ravel()[ranked], excess(targets), side="right")
    best = np.where(within > 0, least[within - 1], math.inf) * (1 + 2 * _numerics.MARGIN)
    return targets[best < math.inf], best[best < math.inf]


def _worst_renyi(loss: PrivacyLoss, order: float) -> float:
    return worst_direction(loss, lambda one: one.renyi(order))


def pinsker(kl: float) -> float:
    """The total variation that a Kullback-Leibler divergence allows: sqrt(kl / 2), at most 1."""
    return min(1.0, _numerics.up(math.sqrt(kl) / math.sqrt(2)))  # kl / 2 may underflow


def why_pinsker(order: float, bound: float) -> Reason:
    """The reason for a total variation of at most `pinsker` of a bound at an order."""
    if bound == 0:
        return Reason("the definition", "exact", note="The two laws are the same.")
    note = "It bounds the total variation, the delta at epsilon = 0."
    return Reason("Pinsker's inequality", "upper bound", order, order > 1, note)


def epsilon_of_renyi(order: float, renyi: float, delta: float) -> float:
    """The epsilon >= 0 that a Rényi bound of an order in (1, inf) implies at delta in (0, 1].

    renyi + log(1 - 1/a) - (log delta + log a)/(a - 1): Canonne, Kamath and Steinke (2020),
    proposition 12; Asoodeh, Liao, Calmon, Kosut and Sankar (2021), lemma 1.
    """
    b = order - 1
    return max(
        0.0,
        _numerics.sum_up(renyi, _log_shrunk(order), -math.log(delta) / b, -math.log(order) / b),
    )


def delta_of_renyi(order: float, renyi: float, epsilon: float) -> float:
    """The delta that a Rényi bound of an order in (1, inf) implies: the inverse of the above."""
    if epsilon == math.inf:
        return 0.0
    b = order - 1
    if max(b * renyi, b * epsilon) > 1e300:  # near the last floats the rest does not matter
        excess = _numerics.up(renyi) - epsilon
        return 1.0 if excess >= 0 else _numerics.exp_up(b * excess)
    exponent = _numerics.sum_up(b * renyi, -b * epsilon, b * _log_shrunk(order), -math.log(order))
    return min(1.0, _numerics.exp_up(exponent))


def _log_shrunk(order: float) -> float:
    """log(1 - 1/order) to full relative accuracy."""
    return math.log1p(-1 / order) if order > 2 else math.log(order - 1) - math.log(order)
