"""The privacy loss: the one random variable that every notion of privacy speaks about.

A mechanism's output has the law P on one dataset and Q on a neighbour. The privacy loss is

    L = log dP/dQ (Y),   Y ~ P,

what an observer of the output Y learns about which of the two it came from, in nats. Every
divergence is an expectation of a function of L, and every notion a claim about its law.
Here these expectations are computed from their definitions: sums for discrete outputs,
quadrature for densities. Closed forms are theorems, kept with the mechanisms they belong to;
the tests compare the two.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics

Vector = NDArray[np.float64]

#: the most outcomes that a product of pairs may have
MOST_OUTCOMES = 2_000_000
_TINY = float(np.nextafter(0, 1))


class PrivacyLoss(ABC):
    """The law of L = log dP/dQ on one ordered pair (P, Q) of output laws.

    Divergences are of P against Q, in nats. A guarantee speaks of both orders of a pair of
    neighbours: `reversed` gives the other one.

    Examples
    --------
    >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    >>> loss.total_variation(), round(loss.renyi(2), 12)
    (0.5, 0.847297860387)
    """

    @abstractmethod
    def reversed(self) -> PrivacyLoss:
        """The privacy loss of the pair in the other order, (Q, P).

        Examples
        --------
        >>> DiscreteLoss([0.5, 0.5], [0.75, 0.25]).reversed()
        DiscreteLoss(p=[0.75, 0.25], q=[0.5, 0.5])
        """

    @abstractmethod
    def max(self) -> float:
        """The max divergence: the essential supremum of L under P.

        Examples
        --------
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).max(), 12)
        1.098612288668
        """

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """E_P[(1 - e^(epsilon - L))+]: the largest P(S) - e^epsilon Q(S) over events S.

        Parameters
        ----------
        epsilon : float
            Any number, in nats; -inf and inf are allowed.

        Returns
        -------
        float
            In [0, 1].

        Examples
        --------
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).hockey_stick(0.5), 12)
        0.337819682325
        """

    @abstractmethod
    def tail(self, epsilon: float) -> float:
        """P(L > epsilon): how often the loss is larger than epsilon.

        Parameters
        ----------
        epsilon : float
            Any number, in nats; -inf and inf are allowed.

        Returns
        -------
        float
            In [0, 1]. At least the hockey-stick divergence at a finite epsilon, and P(S) for the
            event S = {L > epsilon} that attains it.

        Examples
        --------
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        >>> loss.tail(0.0), loss.tail(loss.max())
        (0.75, 0.0)
        """

    @abstractmethod
    def _mean_of_convex(self, f: _Convex) -> float:
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
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).kl(), 12)
        0.549306144334
        """
        return self.renyi(1.0)

    def reverse_kl(self) -> float:
        """The Kullback-Leibler divergence of Q against P: the alpha divergence of order 0.

        Examples
        --------
        >>> DiscreteLoss([0.5, 0.5], [1.0, 0.0]).reverse_kl() == math.log(2)
        True
        """
        return self.alpha(0.0)

    def chi_square(self) -> float:
        """The chi-square divergence E_Q[(dP/dQ - 1)^2]: twice the alpha divergence of order 2.

        Examples
        --------
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).chi_square(), 12)
        1.333333333333
        """
        return 2 * self.alpha(2.0)

    def hellinger(self) -> float:
        """The squared Hellinger distance 1 - E_Q[sqrt(dP/dQ)], in [0, 1].

        A quarter of the alpha divergence of order 1/2; 1 where P and Q are disjoint.

        Examples
        --------
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
        return max(0.0, self._mean_of_convex(_Convex(f, at_zero, slope_at_infinity))) + 0.0

    def total_variation(self) -> float:
        """The total variation distance: the hockey-stick divergence at epsilon = 0.

        Examples
        --------
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
        if order == 1 or excess == 0:
            return order * alpha
        if abs(excess) < 0.5:  # no information is lost in the 1 of log(1 + excess)
            return order * alpha * (math.log1p(excess) / excess)
        with np.errstate(over="ignore"):
            log_mean = self._log_power_mean(order)
        # past the range of floats no order that is left differs from the limit
        return self.max() if log_mean == math.inf and order > 1e200 else log_mean / (order - 1)

    def alpha(self, order: float) -> float:
        """The alpha divergence (E_Q[e^(a L)] - 1) / (a (a - 1)) of any real order.

        Its limits are KL(P || Q) at a = 1 and KL(Q || P) at a = 0.

        Examples
        --------
        >>> round(DiscreteLoss([0.75, 0.25], [0.25, 0.75]).alpha(2), 12)
        0.666666666667
        """
        order = _check.real("order", order, _check.FINITE)
        with np.errstate(over="ignore"):
            if order < 0.5:  # D_a(P || Q) = D_(1-a)(Q || P)
                return self.reversed()._mean_of_generator(1 - order, order)
            return self._mean_of_generator(order, 1 - order)


class DiscreteLoss(PrivacyLoss):
    """The privacy loss of two discrete distributions on the same outcomes.

    Parameters
    ----------
    p, q : array_like of shape (n,)
        Distributions: probabilities under P and under Q.

    Examples
    --------
    >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
    >>> round(loss.kl(), 12), round(loss.max(), 12)
    (0.549306144334, 1.098612288668)
    >>> DiscreteLoss([0.5, 0.5], [1.0, 0.0]).max()
    inf
    """

    def __init__(self, p: ArrayLike, q: ArrayLike) -> None:
        self.p, self.q = _check.distributions(p, q)
        self._log_ratio = _numerics.log_ratio(self.p, self.q)

    def __repr__(self) -> str:
        return f"DiscreteLoss(p={self.p.tolist()}, q={self.q.tolist()})"

    @classmethod
    def from_samples(
        cls,
        outputs: ArrayLike,
        neighbour_outputs: ArrayLike,
        *,
        bins: int | None = None,
        pseudo_count: float = 0.0,
    ) -> DiscreteLoss:
        """The pair of histograms of two samples: an estimate, which promises nothing.

        Bins make divergences smaller (data processing), a finite sample makes them larger on
        average: the histograms of two samples of the same law differ. A bin with answers of one
        sample only makes divergences infinite that the laws need not make so. For bounds that
        hold with a stated confidence see `dpteach.audit`.

        Parameters
        ----------
        outputs, neighbour_outputs : array_like
            Numbers: samples of P and of Q, of any shape and size >= 1.
        bins : int, optional
            The largest number of bins, >= 1; by default 2 n^(1/3), rounded up, for n the size of
            the smaller sample. Where there are no more different values than bins each is a bin.
            Otherwise bins hold equally many of all numbers together, as far as ties allow, so
            that none is empty in both samples; the outermost two reach to infinity.
        pseudo_count : float
            Finite and >= 0: added to each bin's count in both samples. With 1/2, say, no bin of a
            sample is empty, and no divergence infinite.

        Returns
        -------
        DiscreteLoss
            On one outcome for each bin, from the left.

        References
        ----------
        Wang, Kulkarni and Verdú (2005), on bins of equal mass.

        Examples
        --------
        >>> loss = DiscreteLoss.from_samples([0, 0, 0, 1], [0, 1, 1, 1])
        >>> loss
        DiscreteLoss(p=[0.75, 0.25], q=[0.25, 0.75])
        >>> rng = np.random.default_rng(1)
        >>> loss = DiscreteLoss.from_samples(rng.normal(0, 1, 10**5), rng.normal(1, 1, 10**5))
        >>> len(loss.p), 0.48 < loss.kl() < 0.52  # of the laws: 1/2
        (93, True)
        """
        samples = [
            _check.array(name, value).ravel()
            for name, value in (("outputs", outputs), ("neighbour_outputs", neighbour_outputs))
        ]
        for name, sample in zip(("outputs", "neighbour_outputs"), samples, strict=True):
            if sample.size == 0:
                raise ValueError(f"{name} must hold at least one number, got {name}=[]")
        if bins is None:
            bins = math.ceil(2 * min(sample.size for sample in samples) ** (1 / 3))
        bins = _check.count("bins", bins)
        pseudo_count = _check.real("pseudo_count", pseudo_count, _check.NON_NEGATIVE)
        pooled = np.concatenate(samples)
        starts = np.unique(pooled)  # the least value of each bin
        if starts.size > bins:
            ranks = np.arange(bins) * pooled.size // bins
            starts = np.unique(np.sort(pooled)[ranks])
        laws = []
        for sample in samples:
            cells = np.searchsorted(starts, sample, side="right") - 1
            counts = np.bincount(cells, minlength=starts.size)
            weights = counts / sample.size + pseudo_count / sample.size
            laws.append(weights / math.fsum(weights))
        return cls(*laws)

    @classmethod
    def _of(cls, p: Vector, q: Vector, log_ratio: Vector) -> DiscreteLoss:
        """The loss of checked probabilities whose log ratios are known."""
        loss = DiscreteLoss.__new__(DiscreteLoss)
        for vector in (p, q, log_ratio):
            vector.flags.writeable = False
        loss.p, loss.q, loss._log_ratio = p, q, log_ratio
        return loss

    def reversed(self) -> DiscreteLoss:
        return self._of(self.q, self.p, 0.0 - self._log_ratio)

    def post_processed(self, channel: ArrayLike) -> DiscreteLoss:
        """The pair of laws of what a channel makes of the outcome.

        No divergence grows on the way: the data-processing inequality.

        Parameters
        ----------
        channel : array_like of shape (n, m)
            A law of the new outcome for each old one: rows of probabilities.

        Returns
        -------
        DiscreteLoss
            On m outcomes.

        References
        ----------
        van Erven and Harremoës (2014), theorem 9; Liu and Wang, proposition 1.

        Examples
        --------
        >>> loss = DiscreteLoss([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
        >>> merged = loss.post_processed([[1, 0], [0, 1], [0, 1]])
        >>> merged
        DiscreteLoss(p=[0.5, 0.5], q=[0.2, 0.8])
        >>> round(loss.kl(), 12), round(merged.kl(), 12)
        (0.274887219562, 0.223143551314)
        """
        matrix = _check.channel("channel", channel, inputs=self.p.size)
        laws = [law @ matrix for law in (self.p, self.q)]
        return DiscreteLoss(*(law / math.fsum(law) for law in laws))

    def product(self, other: DiscreteLoss) -> DiscreteLoss:
        """The pair of laws of two independent outcomes: its loss is the sum of the two losses.

        Parameters
        ----------
        other : DiscreteLoss
            On m outcomes.

        Returns
        -------
        DiscreteLoss
            On n m outcomes, those of `other` running first. A probability that is too small for a
            float counts as the smallest float, 5e-324.

        Raises
        ------
        ValueError
            If the product has more than 2,000,000 outcomes.

        Examples
        --------
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75])
        >>> loss.product(loss)
        DiscreteLoss(p=[0.5625, 0.1875, 0.1875, 0.0625], q=[0.0625, 0.1875, 0.1875, 0.5625])
        """
        _check.instance("other", other, DiscreteLoss)
        if self.p.size * other.p.size > MOST_OUTCOMES:
            raise ValueError(
                f"other must have fewer outcomes, as a product has at most {MOST_OUTCOMES}, "
                f"got other with {other.p.size} outcomes"
            )
        laws = []
        for one, two in ((self.p, other.p), (self.q, other.q)):
            law = np.outer(one, two)
            law[np.outer(one > 0, two > 0) & (law == 0)] = _TINY
            laws.append(law.ravel())
        with np.errstate(invalid="ignore"):
            log_ratio = np.add.outer(self._log_ratio, other._log_ratio).ravel()
        log_ratio[(laws[0] == 0) & (laws[1] == 0)] = 0.0
        return self._of(laws[0], laws[1], log_ratio)

    def merged(self) -> DiscreteLoss:
        """The pair with one outcome for each value of the loss, from the smallest to the largest.

        Which of the outcomes with the same loss it was says nothing about P and Q: no divergence
        changes. Losses that differ by less than 1e-13 of the largest one are the same.

        Examples
        --------
        >>> DiscreteLoss([0.3, 0.3, 0.4], [0.2, 0.2, 0.6]).merged()
        DiscreteLoss(p=[0.4, 0.6], q=[0.6, 0.4])
        """
        occurs = np.flatnonzero((self.p > 0) | (self.q > 0))
        order = occurs[np.argsort(self._log_ratio[occurs], kind="stable")]
        p, q, losses = self.p[order], self.q[order], self._log_ratio[order]
        finite = np.abs(losses[np.isfinite(losses)])
        same = 1e-13 * float(finite.max()) if finite.size else 0.0
        with np.errstate(invalid="ignore"):  # inf - inf: equal losses
            first = np.concatenate(([0], np.flatnonzero(np.diff(losses) > same) + 1))
            last = np.concatenate((first[1:], [losses.size])) - 1
            crowded = bool(np.any(losses[last] - losses[first] > 4 * same))
        if crowded:
            first = last = np.arange(losses.size)  # a crowd, and no one's value
        sums = [np.minimum(np.add.reduceat(law, first), 1.0) for law in (p, q)]
        return self._of(sums[0], sums[1], losses[last])

    def self_product(self, k: int) -> DiscreteLoss:
        """The pair of laws of k independent outcomes, with one outcome for each value of the loss.

        Parameters
        ----------
        k : int
            At least 1.

        Returns
        -------
        DiscreteLoss
            On the values that the sum of k losses takes. Divergences carry about log2(k) rounding
            errors more than those of one pair, and no bound: for bounds see `dpteach.PLD`.

        Raises
        ------
        ValueError
            If on the way more than 2,000,000 outcomes arise.

        Examples
        --------
        >>> loss = DiscreteLoss([0.75, 0.25], [0.25, 0.75]).self_product(100)
        >>> len(loss.p), round(loss.kl(), 9)
        (101, 54.930614433)
        """
        k = _check.count("k", k)
        power, total = self.merged(), None
        while True:
            if k & 1:
                total = power if total is None else power._merged_product(total, k)
            k >>= 1
            if not k:
                assert total is not None
                return total
            power = power._merged_product(power, k)

    def _merged_product(self, other: DiscreteLoss, k: int) -> DiscreteLoss:
        if self.p.size * other.p.size > MOST_OUTCOMES:
            raise ValueError(
                f"k must be smaller, as more than {MOST_OUTCOMES} outcomes arise, got k={k}"
            )
        return self.product(other).merged()

    def max(self) -> float:
        return float(self._log_ratio[self.p > 0].max())

    def tail(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        return min(1.0, math.fsum(self.p[(self.p > 0) & (self._log_ratio > epsilon)]))

    def hockey_stick(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        if epsilon == math.inf:  # the limit: what P has and Q lacks
            return math.fsum(self.p[self.q == 0])
        above = (self.p > 0) & (self._log_ratio > epsilon)
        return math.fsum(-self.p[above] * np.expm1(epsilon - self._log_ratio[above]))

    def _mean_of_convex(self, f: _Convex) -> float:
        p, q = self.p, self.q
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            ratios = p / q
        moderate = (p > 0) & (ratios < math.inf) & (q > 0)
        f.check_convexity(np.unique(ratios[moderate])[:: 1 + p.size // 200])
        terms = [
            b * f(u) for u, b in zip(ratios[moderate].tolist(), q[moderate].tolist(), strict=True)
        ]
        missing = math.fsum(q[p == 0])
        if missing > 0:
            terms.append(missing * f.at_zero())
        escaped = math.fsum(p[(p > 0) & ~moderate])  # f(u)/u grows to its limit
        if escaped > 0:
            terms.append(escaped * f.slope_at_infinity())
        return math.inf if math.inf in terms else math.fsum(terms)

    def _mean_of_generator(self, order: float, rest: float) -> float:
        shared = self.q > 0
        p, q, loss = self.p[shared], self.q[shared], self._log_ratio[shared]
        terms = q * _numerics.alpha_generator(loss, order)
        high = loss > 2
        if high.any():
            terms[high] = _from_p(p[high], loss[high], order)
        escaped = math.fsum(self.p[~shared])  # mass of P where Q has none
        if escaped > 0:  # f(u) / u tends to 1 / (1 - a), or to infinity for a >= 1
            return math.inf if rest <= 0 else math.fsum(terms) + escaped / rest
        return math.inf if np.isinf(terms).any() else math.fsum(terms)

    def _log_power_mean(self, order: float) -> float:
        if order >= 1 and np.any((self.p > 0) & (self.q == 0)):
            return math.inf
        both = (self.p > 0) & (self.q > 0)
        p, q, loss = self.p[both], self.q[both], self._log_ratio[both]
        # q u^a = p u^(a-1): the larger of the two probabilities has the more digits
        return _numerics.logsumexp(
            np.where(p > q, np.log(p) + (order - 1) * loss, np.log(q) + order * loss)
        )

    def _log_mass_of_support(self) -> float:
        missing = math.fsum(self.q[self.p == 0])
        if missing < 0.5:
            return math.log1p(-missing)
        mass = math.fsum(self.q[self.p > 0])
        return math.log(mass) if mass > 0 else -math.inf


def _from_p(p: Vector, loss: Vector, order: float) -> Vector:
    """q f(p/q) for the generator f of an alpha divergence, where p/q = e^loss is large.

    It is p ((u^(a-1) - 1)/(a-1) - 1 + 1/u)/a: an error of u = e^loss itself does not count.
    """
    b = order - 1
    power = b * loss
    growth = loss if b == 0 else np.expm1(np.minimum(power, 700.0)) / b
    terms = p * ((growth - 1 + np.exp(-loss)) / order)
    far = power > 700
    if far.any():
        terms[far] = np.exp(np.log(p[far]) + power[far] - math.log(b) - math.log(order))
    return np.asarray(terms)


class _Convex:
    """A convex function of a ratio u > 0 with f(1) = 0, checked as far as values can tell."""

    _GRID = np.concatenate(([0.0], 2.0 ** (np.arange(-160, 161) / 4)))

    def __init__(
        self, f: Callable[[float], float], at_zero: float | None, slope: float | None
    ) -> None:
        if not callable(f):
            raise TypeError(f"f must be callable, got f={_check.shown(f)}")
        self.f = f
        self._at_zero, self._slope = (
            None if value is None else _check.real(name, value, _check.EXTENDED_REAL)
            for name, value in (("at_zero", at_zero), ("slope_at_infinity", slope))
        )
        at_one = self(1.0)
        # the scale of f, against which its rounding errors are small
        self._size = max(abs(self(0.5)), abs(self(2.0)))
        if not abs(at_one) <= 1e-9 * self._size:
            raise ValueError(f"f must be 0 at 1, got f with f(1.0)={at_one:g}")
        self.check_convexity(np.empty(0))

    def __call__(self, u: float) -> float:
        """f(u), infinite where it overflows."""
        value: Any
        try:
            with np.errstate(all="ignore"):
                value = self.f(u)
        except OverflowError:
            return math.inf
        except Exception as error:
            raise ValueError(
                f"f must give a number at every u > 0, got f={_check.shown(self.f)}, which at "
                f"u={u:g} raises {type(error).__name__}: {error}"
            ) from error
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.item()
        try:
            number = _check.real("f", value, _check.EXTENDED_REAL)
        except (ValueError, TypeError):
            raise ValueError(
                f"f must give a number at every u > 0, got f({u:g})={_check.shown(value)}"
            ) from None
        if number == -math.inf:
            raise ValueError(f"f must be above -inf, got f({u:g})=-inf")
        return number

    def at_zero(self) -> float:
        """The limit of f at 0."""
        if self._at_zero is not None:
            return self._at_zero
        return self._limit(self._value_at_zero, lambda k: self(2.0**-k), "at_zero", "f(u) at u = 0")

    def slope_at_infinity(self) -> float:
        """The limit of f(u)/(u - 1), which grows with u."""
        if self._slope is not None:
            return self._slope
        name, words = "slope_at_infinity", "f(u)/u at u = inf"
        return self._limit(lambda: None, lambda k: self(2.0**k) / (2.0**k - 1), name, words)

    def _value_at_zero(self) -> float | None:
        try:
            return self(0.0)
        except ValueError:
            return None

    def _limit(
        self,
        direct: Callable[[], float | None],
        value: Callable[[float], float],
        name: str,
        words: str,
    ) -> float:
        """The limit of values at the exponents k: found if they settle, inf if they do not slow.

        A logarithm grows by twice as much from k to 2k as from k/2 to k, a power that has a limit
        by less.
        """
        known = direct()
        if known is not None:
            return known
        k = 1000.0
        while k > 8 and math.isinf(value(k)):
            k /= 2
        quarter, half, whole = value(k / 4), value(k / 2), value(k)
        if math.isinf(whole) or whole - half >= 1.99 * (half - quarter) > 0:
            return math.inf
        if abs(whole - half) <= 1e-13 * max(abs(whole), self._size):
            return whole
        raise ValueError(
            f"{name} must be given, as the limit of {words} cannot be told from the values of f, "
            f"got {name}=None"
        )

    def check_convexity(self, ratios: Vector) -> None:
        """Raise, if three of the grid's points and some ratios contradict convexity."""
        u = np.union1d(self._GRID, ratios)
        values = []
        for x in u.tolist():
            value = self._at_zero if x == 0 else self(x)
            values.append(self._value_at_zero() if value is None else value)
        if values[0] is None:
            u, values = u[1:], values[1:]
        y = np.array(values, dtype=np.float64)
        n = len(u)
        for step in (4, 8, 16, 32, 64, 2, 1):  # the first are the ones to show
            middle = np.arange(step, n - step)
            self._compare(u, y, middle - step, middle, middle + step)
        ends = np.arange(1, n - 1)
        one = int(np.searchsorted(u, 1.0))
        self._compare(u, y, np.zeros(n - 2, dtype=int), ends, np.full(n - 2, n - 1))
        for a, b in ((0, one), (one, n - 1)):
            inner = np.arange(a + 1, b)
            self._compare(u, y, np.full(inner.size, a), inner, np.full(inner.size, b))

    def _compare(self, u: Vector, y: Vector, a: Any, b: Any, c: Any) -> None:
        with np.errstate(invalid="ignore", over="ignore"):
            left, right = (u[c] - u[b]) / (u[c] - u[a]), (u[b] - u[a]) / (u[c] - u[a])
            line = left * y[a] + right * y[c]
            # 1e-10: rounding errors of f, of terms that cancel in it too
            terms = left * np.abs(y[a]) + right * np.abs(y[c])
            slack = 1e-10 * (np.maximum(np.abs(y[b]), terms) + self._size)
            excess = np.where(y[b] > line + slack, (y[b] - line) / slack, 0.0)
        if excess.max(initial=0.0) > 0:
            i = int(np.argmax(excess))
            points = [f"f({u[j[i]]:.9g})={y[j[i]]:.9g}" for j in (a, b, c)]
            raise ValueError(
                f"f must be convex, got {points[0]}, {points[1]} and {points[2]}: "
                "the middle one is above the line through the others"
            )


LogDensity = Callable[[Vector], Vector]


def _logs_of(log_density: LogDensity, x: Vector) -> Vector:
    """The logarithm of a density, -inf where it is no number, so far out that terms overflow."""
    with np.errstate(all="ignore"):
        logs = log_density(x)
        return np.where(np.isnan(logs), -math.inf, logs)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, eq=False)
class DensityLoss(PrivacyLoss):
    """The privacy loss of two densities on the real line, by quadrature.

    An estimate, to about 1e-12 for piecewise smooth densities. It has fewer digits far out (at an
    order of 1e6 the logarithms of a normal density have lost 1e-10), and where the two densities
    are nearly the same: the loss is the difference of their logarithms. It exists to check theorems
    and to show definitions, not to promise anything. A moment of an order so large that it lies
    out of reach is infinite.

    Parameters
    ----------
    log_p, log_q : callable
        Logarithms of the densities, from an array to an array; positive on the same set.
    points : sequence of float
        Every kink of the two densities and every x where they are equal. Between them, integrands
        may have several peaks if a grid of 1501 points, exponentially wider away from the
        finite end, tells them apart.
    scale : float
        A typical width of the densities, > 0.
    loss_range : (float, float)
        The essential infimum and supremum of L, which sampling cannot find: any low <= high.

    Examples
    --------
    >>> loss = DensityLoss(lambda x: -abs(x) - np.log(2), lambda x: -abs(x - 1) - np.log(2),
    ...                    points=(0, 0.5, 1), scale=1.0, loss_range=(-1, 1))
    >>> round(loss.kl(), 10), round(loss.total_variation(), 10)  # 1/e and 1 - e^(-1/2)
    (0.3678794412, 0.3934693403)
    """

    log_p: LogDensity
    log_q: LogDensity
    points: Sequence[float]
    scale: float
    loss_range: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        for name in ("log_p", "log_q"):
            if not callable(getattr(self, name)):
                raise TypeError(
                    f"{name} must be callable, got {name}={_check.shown(getattr(self, name))}"
                )
        points = _check.reals("points", self.points, _check.FINITE)
        object.__setattr__(self, "points", tuple(sorted(points)))
        object.__setattr__(self, "scale", _check.real("scale", self.scale, _check.POSITIVE))
        bounds = _check.reals("loss_range", self.loss_range, _check.EXTENDED_REAL)
        if len(bounds) != 2 or bounds[0] > bounds[1]:
            raise ValueError(
                f"loss_range must be (low, high) with low <= high, got loss_range={bounds}"
            )

    def reversed(self) -> DensityLoss:
        low, high = self.loss_range
        return DensityLoss(self.log_q, self.log_p, self.points, self.scale, (-high, -low))

    def max(self) -> float:
        return self.loss_range[1]

    def hockey_stick(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        if epsilon >= self.max():
            return 0.0
        if epsilon == -math.inf:
            return 1.0

        def log_integrand(x: Vector) -> Vector:
            log_p, loss = self._log_p(x), self._loss(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return np.where(loss > epsilon, log_p + np.log(-np.expm1(epsilon - loss)), -np.inf)

        return min(1.0, _numerics.exp(self._log_integral(log_integrand, level=epsilon)))

    def tail(self, epsilon: float) -> float:
        epsilon = _check.real("epsilon", epsilon, _check.EXTENDED_REAL)
        low, high = self.loss_range
        if epsilon >= high:
            return 0.0
        if epsilon < low or epsilon == -math.inf:
            return 1.0

        def log_integrand(x: Vector) -> Vector:
            return np.where(self._exceeds(x, epsilon), self._log_p(x), -np.inf)

        return min(1.0, _numerics.exp(self._log_integral(log_integrand, level=epsilon)))

    def _log_p(self, x: Vector) -> Vector:
        return _logs_of(self.log_p, x)

    def _log_q(self, x: Vector) -> Vector:
        return _logs_of(self.log_q, x)

    def _loss(self, x: Vector) -> Vector:
        with np.errstate(invalid="ignore"):
            loss = self._log_p(x) - self._log_q(x)
        return np.where(np.isnan(loss), 0.0, loss)  # where both densities are 0

    def _exceeds(self, x: Vector, level: float) -> NDArray[np.bool_]:
        """Where the loss is above a level, by more than the rounding errors of its two terms."""
        log_p, log_q = self._log_p(x), self._log_q(x)
        noise = _numerics.MARGIN / 2 * (np.abs(log_p) + np.abs(log_q))
        return np.asarray(self._loss(x) - level > np.where(np.isfinite(noise), noise, 0.0))

    def _mean_of_convex(self, f: _Convex) -> float:
        # less the tangent at 1, which has the mean 0, f is nowhere negative
        h = 2.0**-13
        slope = (f(1 + h) - f(1 - h)) / (2 * h)
        t = 690.0
        while t > 1 and f(math.exp(t)) == math.inf:
            t *= 0.9
        s = -690.0
        while s < -1 and f(math.exp(s)) == math.inf:
            s *= 0.9

        def log_f(loss: float) -> float:
            u = math.exp(loss)
            value = f(u) - slope * (u - 1)
            return math.log(value) if value > 0 else -math.inf

        # a power of u beyond t; below s a power, or a multiple of the loss where f is finite there
        high = log_f(t), (log_f(t) - log_f(0.9 * t)) / (0.1 * t)
        low = log_f(s), (log_f(s) - log_f(0.9 * s)) / (0.1 * s)

        def log_of(loss: float) -> float:
            if loss > t:
                return high[0] + high[1] * (loss - t)
            if loss < s:
                power = low[0] + low[1] * (loss - s)
                return power if s > -690 else low[0] + low[1] * s * math.log(loss / s)
            return log_f(loss)

        def log_integrand(x: Vector) -> Vector:
            logs = np.array([log_of(y) for y in self._loss(x).tolist()])
            return np.asarray(self._log_q(x) + logs)

        return _numerics.exp(self._log_integral(log_integrand))

    def _mean_of_generator(self, order: float, rest: float) -> float:
        def log_integrand(x: Vector) -> Vector:
            return _numerics.log_alpha_terms(self._log_p(x), self._log_q(x), self._loss(x), order)

        return _numerics.exp(self._log_integral(log_integrand))

    def _log_power_mean(self, order: float) -> float:
        def log_integrand(x: Vector) -> Vector:
            # of the two, the one that has the more digits
            log_p, log_q, loss = self._log_p(x), self._log_q(x), self._loss(x)
            return np.where(loss > 0, log_p + (order - 1) * loss, log_q + order * loss)

        return self._log_integral(log_integrand)

    def _log_mass_of_support(self) -> float:
        return 0.0  # the two densities are positive on the same set

    def _log_integral(self, log_integrand: LogDensity, level: float | None = None) -> float:
        """log of the integral over the line of e^log_integrand.

        Every piece between two points is narrowed to where the integrand exceeds e^-60 of its
        peak there, and cut at its peaks. Gauss-Legendre panels do the rest.
        """
        edges = [-math.inf, *self.points, math.inf]
        if level is not None:
            edges = sorted({*edges, *self._crossings(edges, level)})
        logs = []
        for left, right in pairwise(edges):
            grid = self._grid(left, right)
            values = log_integrand(grid)
            if not values.max() > -np.inf:
                continue
            top = int(np.argmax(values))
            margin = 30  # there logarithms are so large that the last points differ by noise
            if (math.isinf(left) and top < margin) or (
                math.isinf(right) and top >= grid.size - margin
            ):
                return math.inf  # still growing 10^14 scales away
            peaks = [self._peak(log_integrand, grid, top) for top in self._tops(values)]
            floor = max(height for _, height in peaks) - 60
            high = [x for x, height in peaks if height >= floor]
            begin, end = self._region(log_integrand, grid, values, high, floor)
            inner = [x for x in high if begin < x < end]
            for a, b in pairwise([begin, *self._with_middles(inner), end]):
                if b > a:
                    logs.append(self._log_panels(log_integrand, a, b))
        return _numerics.logsumexp(np.array(logs))

    @staticmethod
    def _tops(values: Vector) -> list[int]:
        """The highest point of each hill; a dip of half a nat divides two."""
        tops, top, dip = [], 0, math.inf  # dip: the lowest point since the last hill
        rising = True
        for i, value in enumerate(values.tolist()):
            if rising:
                if value >= values[top]:
                    top = i
                elif value < values[top] - 0.5:
                    tops.append(top)
                    rising, dip = False, value
            elif value > dip + 0.5:
                rising, top = True, i
            else:
                dip = min(dip, value)
        if rising:
            tops.append(top)
        return [i for i in tops if values[i] > -np.inf] or [int(np.argmax(values))]

    @staticmethod
    def _peak(log_integrand: LogDensity, grid: Vector, top: int) -> tuple[float, float]:
        """Where the integrand is largest between the neighbours of a grid point, and its log."""
        low, high = grid[max(top - 1, 0)], grid[min(top + 1, grid.size - 1)]
        for _ in range(4):
            fine = np.linspace(low, high, 101)
            values = log_integrand(fine)
            best = int(np.argmax(values))
            low, high = fine[max(best - 1, 0)], fine[min(best + 1, 100)]
        return float(fine[best]), float(values[best])

    @classmethod
    def _region(
        cls,
        log_integrand: LogDensity,
        grid: Vector,
        values: Vector,
        peaks: list[float],
        floor: float,
    ) -> tuple[float, float]:
        """The first and the last point where the integrand is above the floor."""
        high = grid[values >= floor].tolist()
        inside = (min([*peaks, *high]), max([*peaks, *high]))
        below, above = grid[grid < inside[0]], grid[grid > inside[1]]
        outside = (below[-1] if below.size else inside[0], above[0] if above.size else inside[1])
        begin, end = (
            cls._edge_of_region(log_integrand, a, float(b), floor)
            for a, b in zip(inside, outside, strict=True)
        )
        return begin, end

    @staticmethod
    def _with_middles(points: list[float]) -> list[float]:
        """The points, and the middle of each two: panels are narrow at the ends."""
        middles = [a + (b - a) / 2 for a, b in pairwise(points)]
        return sorted([*points, *middles])

    def _grid(self, left: float, right: float) -> Vector:
        steps = self.scale * np.sinh(np.linspace(0, 34, 1501))
        if math.isinf(left):
            return right - steps[::-1]
        if math.isinf(right):
            return left + steps
        return np.linspace(left, right, 1501)

    def _crossings(self, edges: list[float], level: float) -> list[float]:
        found = []
        for left, right in pairwise(edges):
            grid = self._grid(left, right)
            above = self._exceeds(grid, level)
            for i in np.flatnonzero(above[1:] != above[:-1]):
                a, b, state = float(grid[i]), float(grid[i + 1]), bool(above[i])
                while a < (middle := a + (b - a) / 2) < b:
                    if bool(self._exceeds(np.array([middle]), level)[0]) == state:
                        a = middle
                    else:
                        b = middle
                found.append(b)
        return found

    @staticmethod
    def _edge_of_region(log_integrand: LogDensity, peak: float, far: float, floor: float) -> float:
        if log_integrand(np.array([far]))[0] >= floor:
            return far
        inside, outside = peak, far
        for _ in range(200):
            middle = inside + (outside - inside) / 2
            if log_integrand(np.array([middle]))[0] >= floor:
                inside = middle
            else:
                outside = middle
            if abs(outside - inside) <= 1e-3 * abs(inside - peak):
                break
        return outside

    @staticmethod
    def _log_panels(log_integrand: LogDensity, a: float, b: float) -> float:
        # panels double in width away from both ends: kinks and peaks sit at the ends
        half = np.concatenate(([0.0], 0.5 ** np.arange(12, 0, -1.0)))
        cuts = np.concatenate((half, 1 - half[-2::-1]))
        cuts = np.unique(np.concatenate((cuts, np.linspace(0, 1, 33))))
        x = a + (b - a) * cuts
        middles, halves = (x[1:] + x[:-1]) / 2, (x[1:] - x[:-1]) / 2
        nodes = middles[:, None] + halves[:, None] * _NODES
        with np.errstate(divide="ignore"):
            logs = log_integrand(nodes.ravel()) + np.log(np.outer(halves, _WEIGHTS).ravel())
        return _numerics.logsumexp(logs)
