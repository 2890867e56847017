"""Filters and odometers: composition where each step's privacy may depend on earlier answers.

Theorems of composition fix the parameters of all steps beforehand. An analyst who chooses not
only the next question but also its epsilon by looking at the answers needs more. A
`PrivacyFilter` gets a budget and refuses what does not fit any more; an `Odometer` has no
budget and bounds, at every moment, what has been lost so far. Both are mutable, and nothing
else in the library but the accountant is; what they return is not.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from dpteach import _check, _numerics
from dpteach.notions import (
    ZCDP,
    Adjacency,
    ApproxDP,
    Explanation,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)
from dpteach.notions.pure import renyi_of_response

__all__ = ["BudgetExceeded", "Odometer", "PrivacyFilter"]

G = TypeVar("G", bound=Guarantee)

#: who proved that sums of adaptively chosen parameters are what they are for fixed ones
_THEOREMS: dict[type[Guarantee], str] = {
    PureDP: "Rogers, Roth, Ullman and Vadhan (2016), basic composition",
    ApproxDP: "Rogers, Roth, Ullman and Vadhan (2016), basic composition",
    RenyiDP: "Feldman and Zrnic (2021), theorem on Rényi privacy filters",
    ZCDP: "Feldman and Zrnic (2021), theorem on Rényi privacy filters, at every order",
    GaussianDP: "Smith and Thakurta (2022); Koskela, Tobaben and Honkela (2023)",
}


#: the largest finite float
_LARGEST = Fraction(sys.float_info.max)


class BudgetExceeded(ValueError):
    """The claim does not fit what is left of a budget; nothing was spent."""


class PrivacyFilter(Generic[G]):
    """A budget that steps draw on, each chosen, with its parameters, by earlier answers.

    Whatever is released under claims that `spend` accepted has the guarantee of the budget:
    the epsilons (and deltas; at each order; rho; mu^2) of the accepted claims never add up to
    more than the budget's.

    Parameters
    ----------
    budget : PureDP, ApproxDP, RenyiDP, ZCDP or GaussianDP
        What may be spent. A RenyiDP of several orders must be kept at each of them.

    Raises
    ------
    TypeError
        For budgets of other notions: no such theorem is known here.

    Notes
    -----
    A claim fits where what `Guarantee.compose` makes of it and of all accepted claims is at most
    the budget: sums are kept exactly, and compared after one rounding to the nearest float. So
    ten claims ``PureDP(0.1)`` fit into ``PureDP(1.0)``. What that means for the last bit stands
    at `Guarantee.compose`.

    To accept while the law of all accepted losses keeps (epsilon, delta) would be no filter
    (Regehr, Hu, Leeman, Manurangsi, Tholoniat and Lécuyer, 2026).

    References
    ----------
    Rogers, Roth, Ullman and Vadhan (2016), basic composition; Feldman and Zrnic (2021), Rényi
    filters (and with them zCDP); Smith and Thakurta (2022) and Koskela, Tobaben and Honkela
    (2023), Gaussian ones.

    Examples
    --------
    >>> budget = PrivacyFilter(GaussianDP(1.0))
    >>> budget.spend(GaussianDP(0.6))
    GaussianDP(mu=0.6)
    >>> budget.allows(GaussianDP(0.9)), budget.allows(GaussianDP(0.75))
    (False, True)
    """

    def __init__(self, budget: G) -> None:
        if type(budget) not in _THEOREMS:
            kinds = ", ".join(kind.__name__ for kind in _THEOREMS)
            raise TypeError(
                f"budget must be one of {kinds}, got budget={_check.shown(budget)} "
                f"of type {type(budget).__name__}"
            )
        self._budget = budget
        self._limit = budget._numbers()
        self._spent = tuple(Fraction(0) for _ in self._limit)
        self._steps = 0

    def __repr__(self) -> str:
        return f"PrivacyFilter({self._budget!r}, spent={self.spent!r})"

    @property
    def budget(self) -> G:
        """The guarantee of everything that is ever released under this filter.

        Examples
        --------
        >>> PrivacyFilter(ZCDP(0.5)).budget
        ZCDP(rho=0.5)
        """
        return self._budget

    @property
    def steps(self) -> int:
        """How many claims were accepted.

        Examples
        --------
        >>> PrivacyFilter(ZCDP(0.5)).steps
        0
        """
        return self._steps

    @property
    def spent(self) -> G:
        """The sum of the accepted claims, as `Guarantee.compose` gives it.

        It is no guarantee at a moment that the answers choose: that is `budget`, or an
        `Odometer`.

        Examples
        --------
        >>> budget = PrivacyFilter(ZCDP(0.5))
        >>> _ = budget.spend(ZCDP(0.125)), budget.spend(ZCDP(0.25))
        >>> budget.spent
        ZCDP(rho=0.375)
        """
        return self._budget._with(self._rounded(self._spent))

    @property
    def remaining(self) -> G:
        """What is left of the budget, rounded to the nearest float that still fits.

        Examples
        --------
        >>> budget = PrivacyFilter(ApproxDP(1.0, 1e-6))
        >>> _ = budget.spend(ApproxDP(0.25, 0.0))
        >>> budget.remaining
        ApproxDP(epsilon=0.75, delta=1e-06)
        """
        power = self._budget._adds_as
        numbers = []
        for limit, spent in zip(self._limit, self._spent, strict=True):
            left = _numerics.nearest(max(Fraction(0), Fraction(limit) ** power - spent), power)
            while _numerics.nearest(spent + Fraction(left) ** power, power) > limit:
                left = math.nextafter(left, 0.0)
            numbers.append(left)
        return self._budget._with(numbers)

    def allows(self, claim: G) -> bool:
        """Whether a step with this claim fits what is left. Nothing is spent.

        Parameters
        ----------
        claim : Guarantee
            Of the budget's notion and adjacency; a RenyiDP at least at the budget's orders.

        Returns
        -------
        bool

        Examples
        --------
        >>> PrivacyFilter(PureDP(1.0)).allows(PureDP(1.5))
        False
        """
        return self._fits(self._after(claim))

    def spend(self, claim: G) -> G:
        """Draw a claim on the budget, before its answer is released.

        Parameters
        ----------
        claim : Guarantee
            Of the step that is about to be released.

        Returns
        -------
        Guarantee
            What is spent now, as `spent`.

        Raises
        ------
        BudgetExceeded
            If the claim does not fit: a ValueError. Nothing has changed then, and smaller claims
            may still fit.
        ValueError, TypeError
            If the claim is of another notion or adjacency, or lacks an order.

        Examples
        --------
        >>> budget = PrivacyFilter(RenyiDP([2, 8], [1.0, 3.0]))
        >>> budget.spend(RenyiDP([2, 4, 8], [0.5, 0.75, 2.0])).epsilons
        (0.5, 2.0)
        >>> budget.spend(RenyiDP([2, 8], [0.25, 1.5]))
        Traceback (most recent call last):
        dpteach.filters.BudgetExceeded: claim must fit what is left of the budget, \
RenyiDP(orders=(2.0, 8.0), epsilons=(0.5, 1.0)), \
got claim=RenyiDP(orders=(2.0, 8.0), epsilons=(0.25, 1.5))
        """
        after = self._after(claim)
        if not self._fits(after):
            raise BudgetExceeded(
                f"claim must fit what is left of the budget, {self.remaining!r}, "
                f"got claim={claim!r}"
            )
        self._spent = after
        self._steps += 1
        return self.spent

    def explain(self) -> Explanation:
        """Whose theorem makes the budget a guarantee, and how much of it is spent.

        Returns
        -------
        Explanation
            Its value is the largest share of the budget, over its parameters, that is spent.

        Examples
        --------
        >>> budget = PrivacyFilter(ZCDP(0.5))
        >>> _ = budget.spend(ZCDP(0.125))
        >>> print(budget.explain())
        share of the budget that is spent is 0.25. It is exact, by Feldman and Zrnic (2021), \
theorem on Rényi privacy filters, at every order. All that is ever released under this filter \
has ZCDP(rho=0.5).
        """
        power = self._budget._adds_as
        parts = zip(self._spent, self._limit, strict=True)
        shares = [float(a / Fraction(b) ** power) for a, b in parts if b > 0]
        return Explanation(
            max(shares, default=0.0),
            "share of the budget that is spent",
            _THEOREMS[type(self._budget)],
            "exact",
            note=f"All that is ever released under this filter has {self._budget!r}.",
        )

    def _after(self, claim: G) -> tuple[Fraction, ...]:
        added = _parameters(claim, self._budget)
        totals = tuple(a + b for a, b in zip(self._spent, added, strict=True))
        if isinstance(self._budget, ApproxDP):  # no delta is above 1
            totals = totals[0], min(Fraction(1), totals[1])
        return totals

    def _rounded(self, totals: Sequence[Fraction]) -> list[float]:
        return [_numerics.nearest(x, self._budget._adds_as) for x in totals]

    def _fits(self, totals: Sequence[Fraction]) -> bool:
        return all(a <= b for a, b in zip(self._rounded(totals), self._limit, strict=True))


def _parameters(claim: Guarantee, budget: Guarantee) -> tuple[Fraction, ...]:
    """What of a claim adds up, exactly, in the order of the budget's parameters."""
    if type(claim) is not type(budget):
        raise TypeError(
            f"claim must be of type {type(budget).__name__}, like the budget, got "
            f"claim={_check.shown(claim)} of type {type(claim).__name__}; convert it first"
        )
    _check_adjacency(claim, budget.adjacency)
    numbers: Sequence[float] = claim._numbers()
    if isinstance(claim, RenyiDP) and isinstance(budget, RenyiDP):
        numbers = _at_orders(claim, budget.orders)
    return tuple(Fraction(x) ** claim._adds_as for x in numbers)


def _check_adjacency(claim: Guarantee, adjacency: Adjacency) -> None:
    if claim.adjacency is not adjacency:
        raise ValueError(
            f"claim must be about the same neighbours, adjacency={adjacency}, "
            f"got claim={_check.shown(claim)}"
        )


def _at_orders(claim: RenyiDP, orders: Sequence[float]) -> list[float]:
    known = dict(zip(claim.orders, claim.epsilons, strict=True))
    missing = [order for order in orders if order not in known]
    if missing:
        raise ValueError(
            f"claim must have the orders {tuple(orders)}, got claim={_check.shown(claim)} "
            f"without {missing[0]:g}"
        )
    return [known[order] for order in orders]


class Odometer:
    """What has been lost so far, bounded at every moment, whatever the answers led to.

    The bound holds at all moments together: with probability 1 - delta, over the answers, the
    privacy loss never exceeds `epsilon`, whichever steps were chosen, and however, by looking
    at earlier answers. So an analyst may stop where the answers make it look best.

    Parameters
    ----------
    delta : float
        In (0, 1): the probability with which the bound may ever be wrong.
    orders : sequence of float
        In (1, inf), fixed beforehand; steps are counted at each of them.
    adjacency : Adjacency
        The neighbours that all claims are about. Keyword only.

    Notes
    -----
    At an order a, exp((a-1) (L - sum of the steps' epsilons)) is a non-negative
    supermartingale that starts at 1: it ever exceeds m/delta with probability delta/m at most
    (Ville's inequality). For m orders the union bound leaves the best of
    sum of epsilons + log(m/delta)/(a-1). If all steps are PureDP, their sum is a bound too.

    References
    ----------
    Rogers, Roth, Ullman and Vadhan (2016), definition of an odometer; Feldman and Zrnic (2021)
    and Whitehouse, Ramdas, Rogers and Wu (2023), for the supermartingale.

    Examples
    --------
    >>> odometer = Odometer(1e-6)
    >>> for mu in (0.1, 0.3, 0.2):
    ...     now = odometer.spend(GaussianDP(mu))
    >>> round(now.epsilon, 6), now.delta
    (2.270078, 1e-06)
    """

    #: the square root of 2 apart, from 1.03 to 1449
    ORDERS = tuple(1 + 2.0 ** (j / 2) for j in range(-10, 22))

    def __init__(
        self,
        delta: float,
        orders: Sequence[float] = ORDERS,
        *,
        adjacency: Adjacency = Adjacency.ADD_REMOVE,
    ) -> None:
        self._delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
        checked = _check.reals("orders", orders, _check.ORDER_ABOVE_ONE)
        if len(set(checked)) != len(checked):
            raise ValueError(f"orders must be distinct, got orders={_check.shown(orders)}")
        _check.instance("adjacency", adjacency, Adjacency)
        self._orders = tuple(sorted(checked))
        self._adjacency = adjacency
        self._sums = tuple(Fraction(0) for _ in checked)
        self._pure: Fraction | None = Fraction(0)
        self._steps = 0

    def __repr__(self) -> str:
        return f"Odometer(delta={self._delta!r}, steps={self._steps}, epsilon={self.epsilon!r})"

    @property
    def orders(self) -> tuple[float, ...]:
        """The orders, increasing.

        Examples
        --------
        >>> Odometer(1e-6, [8, 2]).orders
        (2.0, 8.0)
        """
        return self._orders

    @property
    def steps(self) -> int:
        """How many steps were counted.

        Examples
        --------
        >>> Odometer(1e-6).steps
        0
        """
        return self._steps

    @property
    def epsilon(self) -> float:
        """What the privacy loss has not exceeded, but with probability delta.

        Examples
        --------
        >>> Odometer(1e-6).epsilon
        0.0
        """
        return self._best()[0]

    @property
    def claim(self) -> ProbabilisticDP:
        """What holds of the privacy loss now, as the odometer prints it.

        It holds at this moment, and at all others with their own numbers, but with probability
        delta. It is no guarantee of the procedure: the number depends on what was asked.

        Examples
        --------
        >>> odometer = Odometer(1e-6)
        >>> odometer.spend(PureDP(0.5)) == odometer.claim
        True
        >>> odometer.claim
        ProbabilisticDP(epsilon=0.5, delta=1e-06)
        """
        return ProbabilisticDP(self.epsilon, self._delta, adjacency=self._adjacency)

    def spend(self, claim: Guarantee) -> ProbabilisticDP:
        """Count a step, before its answer is released.

        Parameters
        ----------
        claim : PureDP, RenyiDP, ZCDP or GaussianDP
            A RenyiDP has at least the odometer's orders.

        Returns
        -------
        ProbabilisticDP
            The `claim` after this step.

        Raises
        ------
        ValueError, TypeError
            If the claim is of another notion or adjacency, or lacks an order. Nothing has changed
            then.

        Examples
        --------
        >>> round(Odometer(1e-6).spend(ZCDP(0.5)).epsilon, 6)
        6.383349
        """
        curve = self._curve(claim)
        if not all(map(math.isfinite, curve)):
            raise ValueError(
                f"claim must have divergences that floats hold, got claim={_check.shown(claim)}"
            )
        sums = tuple(a + Fraction(b) for a, b in zip(self._sums, curve, strict=True))
        if max(sums) > _LARGEST:
            raise ValueError(
                f"claim must leave sums that floats hold, got claim={_check.shown(claim)}"
            )
        self._sums = sums
        if isinstance(claim, PureDP) and self._pure is not None:
            self._pure += Fraction(claim.epsilon)
        else:
            self._pure = None
        self._steps += 1
        return self.claim

    def _curve(self, claim: Guarantee) -> list[float]:
        """The claim's Rényi divergences at the odometer's orders, rounded up."""
        if not isinstance(claim, (PureDP, RenyiDP, ZCDP, GaussianDP)):
            raise TypeError(
                "claim must be of type PureDP, RenyiDP, ZCDP or GaussianDP, "
                f"got claim={_check.shown(claim)} of type {type(claim).__name__}"
            )
        _check_adjacency(claim, self._adjacency)
        match claim:
            case RenyiDP():
                return _at_orders(claim, self._orders)
            case PureDP(epsilon=epsilon):
                return [_numerics.up(renyi_of_response(epsilon, a)) for a in self._orders]
            case ZCDP(rho=rho):
                return [_numerics.up(a * rho) for a in self._orders]
        return [_numerics.up(a * claim.mu * claim.mu / 2) for a in self._orders]

    def explain(self) -> Explanation:
        """Which order gives `epsilon` now.

        Returns
        -------
        Explanation

        Examples
        --------
        >>> odometer = Odometer(1e-6, [2, 8])
        >>> _ = odometer.spend(ZCDP(0.5))
        >>> odometer.explain().order, odometer.explain().kind
        (8.0, 'upper bound')
        """
        value, order = self._best()
        return Explanation(
            value,
            f"bound on the privacy loss at all times with probability 1 - {self._delta:g}",
            "Ville's inequality (Whitehouse, Ramdas, Rogers, and Wu, 2023)"
            if order is not None
            else "Rogers, Roth, Ullman and Vadhan (2016), basic composition",
            "upper bound",
            order,
        )

    def _best(self) -> tuple[float, float | None]:
        """The bound, and the order that gives it; None for the sum of pure epsilons."""
        log = math.log(len(self._orders)) - math.log(self._delta)
        bounds: list[tuple[float, float | None]] = [
            (_numerics.sum_up(float(total), log / (a - 1)), a)
            for total, a in zip(self._sums, self._orders, strict=True)
        ]
        if self._pure is not None:
            bounds.append((_numerics.nearest(self._pure), None))
        return min(bounds, key=lambda bound: bound[0])
