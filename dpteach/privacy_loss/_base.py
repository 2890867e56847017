"""What every privacy loss has: divergences, as means of functions of it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from dpteach import _check, _numerics
from dpteach.privacy_loss._convex import Convex


class PrivacyLoss(ABC):
    """The law of L = log dP/dQ on one ordered pair (P, Q) of output laws.

    Divergences are of P against Q, in nats. A guarantee speaks of both orders of a pair of
    neighbours: `reversed` gives the other one.

    Examples
    --------
    >>> from dpteach import DiscreteLoss
    >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    >>> loss.total_variation(), round(loss.renyi(2), 12)
    (0.5, 0.847297860387)
    """

    @abstractmethod
    def reversed(self) -> PrivacyLoss:
        """The privacy loss of the pair in the other order, (Q, P).

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.5, 0.5], [0.75, 0.25]).reversed()
        DiscreteLoss(p=[0.75, 0.25], q=[0.5, 0.5])
        """

    @abstractmethod
    def max(self) -> float:
        """The max divergence: the essential supremum of L under P.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).max(), 12)
        1.098612288668
        """

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """E_P[(1 - e^(epsilon - L))+]: the largest P(S) - e^epsilon Q(S) over events S.

        In [0, 1], for an epsilon in [-inf, inf].

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).hockey_stick(0.5), 12)
        0.337819682325
        """

    @abstractmethod
    def tail(self, epsilon: float) -> float:
        """P(L > epsilon): how often the loss is larger than an epsilon in [-inf, inf].

        At least the hockey-stick divergence at a finite epsilon, and P(S) for the event
        S = {L > epsilon} that attains it.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        >>> loss.tail(0.0), loss.tail(loss.max())
        (0.75, 0.0)
        """

    @abstractmethod
    def _mean_of_convex(self, f: Convex) -> float:
        """E_Q[f(dP/dQ)], with f'(inf) P(dQ = 0) for what P has and Q lacks."""

    @abstractmethod
    def _mean_of_generator(self, order: float, rest: float) -> float:
        """E_Q[f(e^L)] for the generator f of the alpha divergence of an order >= 1/2.

        `rest` is 1 - order before it is rounded: an order near 1 has lost its digits.
        """

    @abstractmethod
    def _log_power_mean(self, order: float) -> float:
        """log E_Q[e^(order L)] for a finite order > 0."""

    @abstractmethod
    def _log_mass_of_support(self) -> float:
        """log Q(dP/dQ > 0)."""

    def kl(self) -> float:
        """The Kullback-Leibler divergence E_P[L]: the Rényi divergence of order 1.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).kl(), 12)
        0.549306144334
        """
        return self.renyi(1.0)

    def reverse_kl(self) -> float:
        """The Kullback-Leibler divergence of Q against P: the alpha divergence of order 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.5, 0.5], [1.0, 0.0]).reverse_kl() == math.log(2)
        True
        """
        return self.alpha(0.0)

    def chi_square(self) -> float:
        """The chi-square divergence E_Q[(dP/dQ - 1)^2]: twice the alpha divergence of order 2.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).chi_square(), 12)
        1.333333333333
        """
        return 2 * self.alpha(2.0)

    def hellinger(self) -> float:
        """The squared Hellinger distance 1 - E_Q[sqrt(dP/dQ)], in [0, 1].

        A quarter of the alpha divergence of order 1/2; 1 where P and Q are disjoint.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).hellinger(), 12)
        0.133974596216
        """
        return min(1.0, self.alpha(0.5) / 4)

    def f_divergence(
        self,
        f: Callable[[float], float],
        *,
        at_zero: float | None = None,
        slope_at_infinity: float | None = None,
    ) -> float:
        """The f-divergence E_Q[f(dP/dQ)] of a convex function f with f(1) = 0.

        Outcomes that only Q has count f(0), the limit of f(u) as u falls to 0; what only P has
        counts its probability times the limit of f(u)/u as u grows. Either may be infinite.

        Parameters
        ----------
        f : callable
            From a float u > 0 to a float. It is tried on more than a hundred numbers from 2^-40 to
            2^40, which finds most functions that are not convex; it proves nothing about the rest.
        at_zero : float, optional
            The limit at 0. By default f(0), or where that fails what f tends to.
        slope_at_infinity : float, optional
            The limit of f(u)/u at infinity. By default what f(u)/u tends to.

        Returns
        -------
        float
            In [0, inf]; as accurate as f is. For a `DensityLoss` an estimate, which continues f
            by a power where the ratio of the densities leaves the range of floats.

        Raises
        ------
        ValueError
            If f is not convex (the message names three points), f(1) is not 0, f fails on a number
            above 0, or a limit that counts cannot be told from values of f.

        References
        ----------
        Csiszár (1967); Liese and Vajda (2006), definition 1; Liu and Wang, definition 6.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        >>> round(loss.f_divergence(lambda u: (u - 1) ** 2), 12)
        1.333333333333
        >>> DiscreteLoss([0.5, 0.5], [1, 0]).f_divergence(lambda u: u * math.log(u))
        inf
        >>> loss.f_divergence(lambda u: min(abs(u - 1), 1))
        Traceback (most recent call last):
        ValueError: f must be convex, got f(1)=0, f(2)=1 and f(4)=1: the middle one is above the \
line through the others
        """
        return max(0.0, self._mean_of_convex(Convex(f, at_zero, slope_at_infinity))) + 0.0

    def total_variation(self) -> float:
        """The total variation distance: the hockey-stick divergence at epsilon = 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.75, 0.25], [0.25, 0.75]).total_variation()
        0.5
        """
        return self.hockey_stick(0.0)

    def renyi(self, order: float) -> float:
        """The Rényi divergence of any order in [0, inf], in nats.

        log E_P[e^((a-1) L)] / (a - 1); its limits are E_P[L] at a = 1, the supremum of L at
        a = inf, and -log Q(dP/dQ > 0) at a = 0. Infinite where P has mass that Q lacks and
        a >= 1, and where P and Q are disjoint and a > 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).renyi(2), 12)
        0.847297860387
        """
        order = _check.real("order", order, _check.RENYI_ORDER)
        if order == math.inf:
            return self.max()
        if order == 0:
            return -self._log_mass_of_support() + 0.0
        alpha = self.alpha(order)
        excess = order * (order - 1) * alpha  # E_Q[e^(a L)] - 1
        if order == 1:
            return alpha
        if abs(excess) < 0.5:  # no information is lost in the 1 of log(1 + excess)
            return order * alpha * _numerics.log1p_over(excess)
        with np.errstate(over="ignore"):
            log_mean = self._log_power_mean(order)
        # past the range of floats no order that is left differs from the limit
        return self.max() if log_mean == math.inf and order > 1e200 else log_mean / (order - 1)

    def alpha(self, order: float) -> float:
        """The alpha divergence (E_Q[e^(a L)] - 1) / (a (a - 1)) of any real order.

        Its limits are KL(P || Q) at a = 1 and KL(Q || P) at a = 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).alpha(2), 12)
        0.666666666667
        """
        order = _check.real("order", order, _check.FINITE)
        with np.errstate(over="ignore"):
            if order < 0.5:  # D_a(P || Q) = D_(1-a)(Q || P)
                return self.reversed()._mean_of_generator(1 - order, order)
            return self._mean_of_generator(order, 1 - order)
