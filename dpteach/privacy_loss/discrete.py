"""The privacy loss of two discrete distributions, whose divergences are sums."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.privacy_loss._base import PrivacyLoss
from dpteach.privacy_loss._convex import Convex

Vector = NDArray[np.float64]

#: the most outcomes that `DiscreteLoss.product` may create, one for each pair of outcomes
MOST_OUTCOMES = 2_000_000
_TINY = float(np.nextafter(0, 1))


class DiscreteLoss(PrivacyLoss):
    """The privacy loss of two discrete distributions on the same outcomes.

    Parameters
    ----------
    p, q : array_like of shape (n,)
        The probabilities of the n outcomes under P and under Q.

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
        """Return the privacy loss of the histograms of two samples, which is only an estimate.

        Binning decreases divergences (data processing), and a finite sample increases them on
        average, because even the histograms of two samples of one distribution differ. If a bin is
        empty in only one of the samples, some divergences are infinite, even where those of P and
        Q are finite. For bounds that hold with a stated confidence see `dpteach.audit`.

        Parameters
        ----------
        outputs, neighbour_outputs : array_like
            Samples of P and of Q: numbers, in an array of any shape and of size >= 1.
        bins : int, optional
            The largest number of bins, >= 1; by default 2 n^(1/3), rounded up, for n the size of
            the smaller sample. With at most that many distinct values, each one is a bin.
            Otherwise every bin holds the same number of values of the pooled sample, as far as
            ties allow, and the outermost two bins extend to infinity.
        pseudo_count : float
            Finite and >= 0: added to each bin's count in both samples. With any positive number,
            such as 1/2, no bin is empty, and no divergence is infinite.

        Returns
        -------
        DiscreteLoss
            With one outcome for each bin, from left to right.

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
        >>> len(loss.p), 0.48 < loss.kl() < 0.52  # the divergence of the distributions is 1/2
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
        starts = np.unique(pooled)  # these become the least values of the bins
        if starts.size > bins:
            ranks = np.arange(bins) * pooled.size // bins
            starts = np.unique(np.sort(pooled)[ranks])
        both = []
        for sample in samples:
            cells = np.searchsorted(starts, sample, side="right") - 1
            counts = np.bincount(cells, minlength=starts.size)
            weights = counts / sample.size + pseudo_count / sample.size
            both.append(weights / math.fsum(weights))
        return cls(*both)

    @classmethod
    def _of(cls, p: Vector, q: Vector, log_ratio: Vector) -> DiscreteLoss:
        """Return the loss of two probability vectors with known log ratios, without checks."""
        loss = DiscreteLoss.__new__(DiscreteLoss)
        for vector in (p, q, log_ratio):
            vector.flags.writeable = False
        loss.p, loss.q, loss._log_ratio = p, q, log_ratio
        return loss

    def reversed(self) -> DiscreteLoss:
        return self._of(self.q, self.p, 0.0 - self._log_ratio)

    def post_processed(self, channel: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss after a channel has processed the outcome.

        Post-processing increases no divergence (the data-processing inequality).

        Parameters
        ----------
        channel : array_like of shape (n, m)
            A row for each old outcome: the probabilities of the new outcomes.

        Returns
        -------
        DiscreteLoss
            With m outcomes.

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
        both = [x @ matrix for x in (self.p, self.q)]
        return DiscreteLoss(*(x / math.fsum(x) for x in both))

    def product(self, other: DiscreteLoss) -> DiscreteLoss:
        """Return the privacy loss of two independent outcomes, the sum of the two losses.

        Parameters
        ----------
        other : DiscreteLoss
            With m outcomes.

        Returns
        -------
        DiscreteLoss
            With n m outcomes, if this loss has n: one for each pair, with the outcomes of `other`
            varying fastest. The product of two positive probabilities is at least the smallest
            float, 5e-324.

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
        both = []
        for one, two in ((self.p, other.p), (self.q, other.q)):
            joint = np.outer(one, two)
            joint[np.outer(one > 0, two > 0) & (joint == 0)] = _TINY
            both.append(joint.ravel())
        with np.errstate(invalid="ignore"):
            log_ratio = np.add.outer(self._log_ratio, other._log_ratio).ravel()
        log_ratio[(both[0] == 0) & (both[1] == 0)] = 0.0
        return self._of(both[0], both[1], log_ratio)

    def merged(self) -> DiscreteLoss:
        """Merge outcomes with the same loss; the new outcomes are sorted by increasing loss.

        Merging changes no divergence: it only hides which of several outcomes with the same loss
        occurred, and that carries no evidence about P and Q. Losses count as equal if they differ
        by less than 1e-13 of the largest finite absolute loss.

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
        with np.errstate(invalid="ignore"):  # inf - inf is NaN, which counts as equal
            first = np.concatenate(([0], np.flatnonzero(np.diff(losses) > same) + 1))
            last = np.concatenate((first[1:], [losses.size])) - 1
            crowded = bool(np.any(losses[last] - losses[first] > 4 * same))
        if crowded:
            # in a long chain of nearly equal losses, the ends differ too much, so merge nothing
            first = last = np.arange(losses.size)
        sums = [np.minimum(np.add.reduceat(x, first), 1.0) for x in (p, q)]
        return self._of(sums[0], sums[1], losses[last])

    def self_product(self, k: int) -> DiscreteLoss:
        """Return the privacy loss of k independent outcomes, the sum of k losses.

        Parameters
        ----------
        k : int
            At least 1.

        Returns
        -------
        DiscreteLoss
            With one outcome for each value of the sum of k losses. Divergences carry about log2(k)
            additional rounding errors; use `dpteach.PLD` for upper bounds.

        Raises
        ------
        ValueError
            If an intermediate step creates more than 2,000,000 outcomes.

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
        if epsilon == math.inf:  # in the limit, only the mass of P where Q has none remains
            return math.fsum(self.p[self.q == 0])
        above = (self.p > 0) & (self._log_ratio > epsilon)
        return math.fsum(-self.p[above] * np.expm1(epsilon - self._log_ratio[above]))

    def _mean_of_convex(self, f: Convex) -> float:
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
        # the mass of P where p/q is infinite; there q f(p/q) is p times the limit of f(u)/u
        escaped = math.fsum(p[(p > 0) & ~moderate])
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
        escaped = math.fsum(self.p[~shared])  # the mass of P where Q has none
        # multiply `escaped` by lim f(u)/u for u -> inf; for the generator f of the divergence of
        # order a, the limit is 1/(1 - a), or inf for a >= 1
        if escaped > 0:
            return math.inf if rest <= 0 else math.fsum(terms) + escaped / rest
        return math.inf if np.isinf(terms).any() else math.fsum(terms)

    def _log_power_mean(self, order: float) -> float:
        if order >= 1 and np.any((self.p > 0) & (self.q == 0)):
            return math.inf
        both = (self.p > 0) & (self.q > 0)
        p, q, loss = self.p[both], self.q[both], self._log_ratio[both]
        # with u = p/q, the terms q u^a and p u^(a-1) are equal; the form with the larger
        # probability has the smaller rounding error
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
    """Return q f(p/q) for the generator f of an alpha divergence, where p/q = e^loss is large.

    With u = e^loss and a = `order`, the result is p ((u^(a-1) - 1)/(a-1) - 1 + 1/u)/a. This form
    has the exact p in place of q u, because the rounding error of u grows with the loss.
    """
    b = order - 1
    power = b * loss
    growth = loss if b == 0 else np.expm1(np.minimum(power, 700.0)) / b
    terms = p * ((growth - 1 + np.exp(-loss)) / order)
    far = power > 700
    if far.any():
        terms[far] = np.exp(np.log(p[far]) + power[far] - math.log(b) - math.log(order))
    return np.asarray(terms)
