"""Privacy filters and odometers: composition of steps with adaptively chosen parameters.

Composition theorems fix the parameters of all steps in advance. Filters and odometers also cover
an analyst who chooses the next query and its epsilon after seeing earlier outputs. A
`PrivacyFilter` has a budget and refuses steps that no longer fit. An `Odometer` has no budget; it
bounds the privacy loss so far at all times. Filters, odometers and each `Accountant` are
mutable. All other objects of the library, including the results of filters and odometers, are
immutable.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from dpteach import _check, _numerics
from dpteach._language import catalog
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

_, _n = catalog("filters")

__all__ = ["BudgetExceeded", "Odometer", "PrivacyFilter"]

G = TypeVar("G", bound=Guarantee)

#: the theorems by which adaptively chosen parameters compose like parameters fixed in advance
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
    """Error for a step whose guarantee does not fit the remaining budget of a privacy filter.

    If a filter raises this error, it spends nothing.
    """


class PrivacyFilter(Generic[G]):
    """A privacy filter: a budget for steps whose parameters may depend on earlier outputs.

    A claim is the guarantee of one step. All steps whose claims `spend` accepted together satisfy
    the guarantee of the budget. The filter accepts a claim only if, over all accepted claims, the
    sums of the parameters stay within the budget. The parameters are epsilon, and also delta
    for ApproxDP; epsilon at each order for RenyiDP; rho for ZCDP; and mu^2 for GaussianDP.

    Parameters
    ----------
    budget : PureDP, ApproxDP, RenyiDP, ZCDP or GaussianDP
        The guarantee that must not be exceeded; for RenyiDP, not at any of its orders.

    Raises
    ------
    TypeError
        For budgets of other notions, for which the library has no filter theorem.

    Notes
    -----
    A claim fits if `Guarantee.compose` of it and all accepted claims is at most the budget. Sums
    are exact and are rounded once, to the nearest float, before the comparison. So ten claims
    ``PureDP(0.1)`` fit into ``PureDP(1.0)``. `Guarantee.compose` says how far the rounded sum
    can be below the exact one.

    Accepting claims as long as the distribution of the total accepted loss satisfies
    (epsilon, delta) would not give a valid filter (Regehr, Hu, Leeman, Manurangsi, Tholoniat and
    Lécuyer, 2026).

    References
    ----------
    Rogers, Roth, Ullman and Vadhan (2016), basic composition; Feldman and Zrnic (2021), Rényi
    filters, which include zCDP; Smith and Thakurta (2022) and Koskela, Tobaben and Honkela
    (2023), Gaussian DP filters.

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
        """The guarantee of all releases under this filter.

        Examples
        --------
        >>> PrivacyFilter(ZCDP(0.5)).budget
        ZCDP(rho=0.5)
        """
        return self._budget

    @property
    def steps(self) -> int:
        """The number of accepted steps.

        Examples
        --------
        >>> PrivacyFilter(ZCDP(0.5)).steps
        0
        """
        return self._steps

    @property
    def spent(self) -> G:
        """The sum of the guarantees of all accepted steps, as `Guarantee.compose` gives it.

        If the steps, or the time to stop, were chosen by looking at the outputs, this sum is not a
        guarantee. Use `budget` or an `Odometer` instead.

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
        """The remaining budget, rounded to the nearest float that still fits.

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
        """Return whether a step with a given guarantee fits the remaining budget; spend nothing.

        Parameters
        ----------
        claim : Guarantee
            A guarantee of the budget's notion and adjacency; a RenyiDP must include all orders of
            the budget.

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
        """Subtract the guarantee of a step from the budget, before the step is released.

        Parameters
        ----------
        claim : Guarantee
            The guarantee of the step that is about to be released; a RenyiDP must include all
            orders of the budget.

        Returns
        -------
        Guarantee
            The value of `spent` after this step.

        Raises
        ------
        BudgetExceeded
            If the claim does not fit (a subclass of ValueError). The filter is then unchanged, and
            smaller claims may still fit.
        ValueError, TypeError
            If the claim's notion or adjacency is not that of the budget, or an order is missing.

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
        """Explain which theorem makes the budget a guarantee, and how much of it is spent.

        Returns
        -------
        Explanation
            An explanation whose value is the spent share of the budget. If the guarantee has
            several parameters, it is the largest of their spent shares.

        Examples
        --------
        >>> budget = PrivacyFilter(ZCDP(0.5))
        >>> _ = budget.spend(ZCDP(0.125))
        >>> print(budget.explain())
        share of the budget that is spent is 0.25. It is exact, by Feldman and Zrnic (2021), \
theorem on Rényi privacy filters, at every order. All releases under this filter together \
satisfy ZCDP(rho=0.5).
        """
        power = self._budget._adds_as
        parts = zip(self._spent, self._limit, strict=True)
        shares = [float(a / Fraction(b) ** power) for a, b in parts if b > 0]
        return Explanation(
            max(shares, default=0.0),
            _("share of the budget that is spent"),
            _THEOREMS[type(self._budget)],
            "exact",
            note=_(
                "All releases under this filter together satisfy {budget!r}.", budget=self._budget
            ),
        )

    def _after(self, claim: G) -> tuple[Fraction, ...]:
        added = _parameters(claim, self._budget)
        totals = tuple(a + b for a, b in zip(self._spent, added, strict=True))
        # replace a sum of deltas above 1 by 1, because every mechanism satisfies (epsilon, 1)-DP
        if isinstance(self._budget, ApproxDP):
            totals = totals[0], min(Fraction(1), totals[1])
        return totals

    def _rounded(self, totals: Sequence[Fraction]) -> list[float]:
        return [_numerics.nearest(x, self._budget._adds_as) for x in totals]

    def _fits(self, totals: Sequence[Fraction]) -> bool:
        return all(a <= b for a, b in zip(self._rounded(totals), self._limit, strict=True))


def _parameters(claim: Guarantee, budget: Guarantee) -> tuple[Fraction, ...]:
    """Return the numbers in a guarantee that add up under composition, as exact fractions.

    Examples are mu^2 for GaussianDP, and for RenyiDP the epsilons at the orders of the budget.
    """
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
            f"claim must be about the same neighbors, adjacency={adjacency}, "
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
    """A privacy odometer: a bound on the privacy loss so far that holds at all times.

    With probability at least 1 - delta over the outputs, the privacy loss never exceeds
    `epsilon`, however the steps are chosen after seeing earlier outputs. So an analyst may use
    the outputs to decide when to stop.

    Parameters
    ----------
    delta : float
        In (0, 1): the largest probability that the bound is wrong at any time.
    orders : sequence of float
        In (1, inf), fixed in advance; Rényi divergences are added up at each order.
    adjacency : Adjacency
        The adjacency of all claims. Keyword only.

    Notes
    -----
    L is the privacy loss so far, and m the number of orders. At an order a,
    exp((a-1) (L - sum of the steps' epsilons)) is a non-negative supermartingale that starts at 1.
    By Ville's inequality, it ever exceeds m/delta with probability at most delta/m. By a union
    bound over the orders, the smallest value of sum of epsilons + log(m/delta)/(a-1) bounds L. If
    all steps are PureDP, the sum of their epsilons bounds L, too.

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

    #: the default orders, from 1.03 to 1449; their distances from 1 grow by factors of sqrt(2)
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
        """The Rényi orders of the odometer, in increasing order.

        Examples
        --------
        >>> Odometer(1e-6, [8, 2]).orders
        (2.0, 8.0)
        """
        return self._orders

    @property
    def steps(self) -> int:
        """The number of steps so far.

        Examples
        --------
        >>> Odometer(1e-6).steps
        0
        """
        return self._steps

    @property
    def epsilon(self) -> float:
        """The current bound on the privacy loss, which may fail with probability delta.

        Examples
        --------
        >>> Odometer(1e-6).epsilon
        0.0
        """
        return self._best()[0]

    @property
    def claim(self) -> ProbabilisticDP:
        """The current bound on the privacy loss, as probabilistic DP with the odometer's delta.

        Except with probability delta, the bounds at all times hold simultaneously. The claim is
        not a guarantee of the whole procedure, because its epsilon depends on the outputs.

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
        """Add a step to the odometer, before the output of the step is released.

        Parameters
        ----------
        claim : PureDP, RenyiDP, ZCDP or GaussianDP
            The guarantee of the step; a RenyiDP must include the odometer's orders.

        Returns
        -------
        ProbabilisticDP
            The value of the property `claim` after this step.

        Raises
        ------
        ValueError, TypeError
            If the claim is not of a type above, its adjacency is not the odometer's, or an order
            is missing. The odometer is then unchanged.

        Examples
        --------
        >>> round(Odometer(1e-6).spend(ZCDP(0.5)).epsilon, 6)
        6.383349
        """
        curve = self._curve(claim)
        if not all(map(math.isfinite, curve)):
            raise ValueError(f"claim must have finite divergences, got claim={_check.shown(claim)}")
        sums = tuple(a + Fraction(b) for a, b in zip(self._sums, curve, strict=True))
        if max(sums) > _LARGEST:
            raise ValueError(
                f"claim must leave sums in the range of floats, got claim={_check.shown(claim)}"
            )
        self._sums = sums
        if isinstance(claim, PureDP) and self._pure is not None:
            self._pure += Fraction(claim.epsilon)
        else:
            self._pure = None
        self._steps += 1
        return self.claim

    def _curve(self, claim: Guarantee) -> list[float]:
        """Return a guarantee's Rényi divergences at the orders of the odometer, rounded up."""
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
        """Explain which theorem, and which Rényi order if it uses one, gives the current `epsilon`.

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
            _(
                "bound on the privacy loss at all times with probability 1 - {delta:g}",
                delta=self._delta,
            ),
            "Ville's inequality (Whitehouse, Ramdas, Rogers, and Wu, 2023)"
            if order is not None
            else "Rogers, Roth, Ullman and Vadhan (2016), basic composition",
            "upper bound",
            order,
        )

    def _best(self) -> tuple[float, float | None]:
        """Return the least bound on the privacy loss, and the Rényi order that gives it.

        The order is None if the least bound is the sum of the epsilons of pure-DP steps.
        """
        log = math.log(len(self._orders)) - math.log(self._delta)
        bounds: list[tuple[float, float | None]] = [
            (_numerics.sum_up(float(total), log / (a - 1)), a)
            for total, a in zip(self._sums, self._orders, strict=True)
        ]
        if self._pure is not None:
            bounds.append((_numerics.nearest(self._pure), None))
        return min(bounds, key=lambda bound: bound[0])
