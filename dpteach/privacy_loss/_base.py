"""The base class of privacy losses; most divergences are means of functions of the loss."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from dpteach import _check, _numerics
from dpteach.privacy_loss._convex import Convex


class PrivacyLoss(ABC):
    """The privacy loss L = log dP/dQ of one ordered pair (P, Q) of output distributions.

    Divergences are those of P against Q, in nats. A guarantee bounds both directions: `reversed`
    gives the privacy loss of (Q, P).

    Examples
    --------
    >>> from dpteach import DiscreteLoss
    >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    >>> loss.total_variation(), round(loss.renyi(2), 12)
    (0.5, 0.847297860387)
    """

    @abstractmethod
    def reversed(self) -> PrivacyLoss:
        """Return the privacy loss of the other direction, (Q, P).

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.5, 0.5], [0.75, 0.25]).reversed()
        DiscreteLoss(p=[0.75, 0.25], q=[0.5, 0.5])
        """

    @abstractmethod
    def max(self) -> float:
        """Return the max divergence, the essential supremum of L under P.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).max(), 12)
        1.098612288668
        """

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """Return E_P[(1 - e^(epsilon - L))+], the largest P(S) - e^epsilon Q(S) over events S.

        The hockey-stick divergence lies in [0, 1]; epsilon may be any number in [-inf, inf].

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).hockey_stick(0.5), 12)
        0.337819682325
        """

    @abstractmethod
    def tail(self, epsilon: float) -> float:
        """Return P(L > epsilon), the probability of a loss above an epsilon in [-inf, inf].

        For a finite epsilon, the event S = {L > epsilon} attains the hockey-stick divergence, so
        P(S) is at least this divergence.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        >>> loss.tail(0.0), loss.tail(loss.max())
        (0.75, 0.0)
        """

    @abstractmethod
    def _mean_of_convex(self, f: Convex) -> float:
        """Return the f-divergence: E_Q[f(dP/dQ)], plus a term for the mass of P where Q has none.

        This term is that mass times the limit of f(u)/u as u grows.
        """

    @abstractmethod
    def _mean_of_generator(self, order: float, rest: float) -> float:
        """Return E_Q[f(e^L)] for the generator f of the alpha divergence of an order >= 1/2.

        `rest` is 1 - `order`. It is passed separately, because a caller may have computed `order`
        as 1 - `rest`: then rounding has lost digits of a small `rest`.
        """

    @abstractmethod
    def _log_power_mean(self, order: float) -> float:
        """Return log E_Q[e^(order L)] for the privacy loss L and a finite order > 0."""

    @abstractmethod
    def _log_mass_of_support(self) -> float:
        """Return log Q(dP/dQ > 0)."""

    def kl(self) -> float:
        """Return the Kullback-Leibler divergence E_P[L]: the Rényi divergence of order 1.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).kl(), 12)
        0.549306144334
        """
        return self.renyi(1.0)

    def reverse_kl(self) -> float:
        """Return the Kullback-Leibler divergence of Q against P: the alpha divergence of order 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.5, 0.5], [1.0, 0.0]).reverse_kl() == math.log(2)
        True
        """
        return self.alpha(0.0)

    def chi_square(self) -> float:
        """Return the chi-square divergence E_Q[(dP/dQ - 1)^2].

        It is twice the alpha divergence of order 2.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).chi_square(), 12)
        1.333333333333
        """
        return 2 * self.alpha(2.0)

    def hellinger(self) -> float:
        """Return the squared Hellinger distance 1 - E_Q[sqrt(dP/dQ)], in [0, 1].

        It is a quarter of the alpha divergence of order 1/2, and 1 if P and Q are disjoint.

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
        """Return the f-divergence E_Q[f(dP/dQ)] of a convex function f with f(1) = 0.

        Outcomes with P = 0 contribute their probability under Q times the limit of f(u) as u falls
        to 0; outcomes with Q = 0 contribute their probability under P times the limit of f(u)/u as
        u grows. Both limits may be infinite.

        Parameters
        ----------
        f : callable
            A function from a float u > 0 to a float. Convexity is tested on more than a hundred
            numbers from 2^-40 to 2^40, which detects most, but not all, functions that are not
            convex.
        at_zero : float, optional
            The limit of f at 0. By default f(0), or a numerical limit if f fails at 0.
        slope_at_infinity : float, optional
            The limit of f(u)/u at infinity. By default a numerical limit.

        Returns
        -------
        float
            In [0, inf]; as accurate as f is. For a `DensityLoss` the result is an estimate: where
            the ratio u of the densities exceeds the range of floats, f(u) is extrapolated.

        Raises
        ------
        ValueError
            If f is not convex (the message names three points), f(1) is not 0, f fails on a number
            above 0, or a limit that is needed cannot be computed from values of f.

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
        """Return the total variation distance: the hockey-stick divergence at epsilon = 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> DiscreteLoss([0.75, 0.25], [0.25, 0.75]).total_variation()
        0.5
        """
        return self.hockey_stick(0.0)

    def renyi(self, order: float) -> float:
        """Return the Rényi divergence of any order a in [0, inf], in nats.

        The divergence is log E_P[e^((a-1) L)] / (a - 1), with the limits E_P[L] at a = 1, the
        supremum of L at a = inf, and -log Q(dP/dQ > 0) at a = 0. It is infinite if a >= 1 and P
        has mass where Q has none, and if a > 0 and P and Q are disjoint.

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
        excess = order * (order - 1) * alpha  # this is E_Q[e^(a L)] - 1
        if order == 1:
            return alpha
        if abs(excess) < 0.5:  # computing log(1 + excess) from the excess loses no digits
            return order * alpha * _numerics.log1p_over(excess)
        with np.errstate(over="ignore"):
            log_mean = self._log_power_mean(order)
        # if even the log of the mean overflows at an order above 1e200, the divergence is, up to
        # rounding, the max divergence
        return self.max() if log_mean == math.inf and order > 1e200 else log_mean / (order - 1)

    def alpha(self, order: float) -> float:
        """Return the alpha divergence (E_Q[e^(a L)] - 1) / (a (a - 1)) of any real order.

        Its limits are KL(P || Q) at a = 1 and KL(Q || P) at a = 0.

        Examples
        --------
        >>> from dpteach import DiscreteLoss
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).alpha(2), 12)
        0.666666666667
        """
        order = _check.real("order", order, _check.FINITE)
        with np.errstate(over="ignore"):
            if order < 0.5:  # use that D_a(P || Q) = D_(1-a)(Q || P)
                return self.reversed()._mean_of_generator(1 - order, order)
            return self._mean_of_generator(order, 1 - order)
