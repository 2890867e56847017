"""The sparse vector technique: which of many queries are above a threshold, for a few of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.mechanisms import _panels
from dpteach.mechanisms._base import Mechanism, pair, theorem
from dpteach.notions import PureDP
from dpteach.privacy_loss import DiscreteLoss

Vector = NDArray[np.float64]
Outcome = tuple[int, ...]

EPSILON = _check.Domain("in (0, 700]", lambda x: 0 < x <= 700)
MOST_QUERIES = 32
MOST_OUTCOMES = 1024


@dataclass(frozen=True, repr=False)
class SparseVector(Mechanism):
    """Tell of each query whether it is above a threshold, and stop after `count` that are.

    The threshold gets noise once, every query its own: the answer is 1 where
    query + noise >= threshold + noise of the threshold. Queries found below cost nothing, so
    that there can be any number of them.

    Parameters
    ----------
    epsilon : float
        In (0, 700], in nats: of the whole.
    threshold : float
        What queries are compared with, any finite number; public.
    count : int
        How many queries may be found above before it stops, >= 1.
    sensitivity : float
        By how much any one query can differ between neighbours, > 0.
    monotonic : bool
        Whether between neighbours all queries move the same way, as counts do when one person is
        added. It halves the noise of the queries.
    threshold_share : float
        In (0, 1): which part of epsilon pays for the noise of the threshold.

    Notes
    -----
    With e1 = threshold_share epsilon and e2 = epsilon - e1 the scales of the Laplace noise are
    sensitivity/e1 for the threshold and 2 count sensitivity/e2 for each query (count
    sensitivity/e2 if monotonic). The difference of the two varies least for a share of
    1/(1 + (2 count)^(2/3)), which is 0.39 for one query above (Lyu, Su and Li, 2017, section 4.2).
    The noise of the threshold is drawn once; a version that publishes the noisy queries too, or
    whose noise does not grow with count, is not private.

    References
    ----------
    Dwork and Roth (2014), algorithm 1 and theorem 3.23; Lyu, Su and Li (2017), algorithm 7.

    Examples
    --------
    >>> mechanism = SparseVector(epsilon=1.0, threshold=10.0)
    >>> mechanism.guarantee(PureDP)
    PureDP(epsilon=1.0)
    >>> mechanism.threshold_scale, mechanism.query_scale
    (2.0, 4.0)
    """

    epsilon: float
    threshold: float = 0.0
    count: int = 1
    sensitivity: float = 1.0
    monotonic: bool = False
    threshold_share: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, domain in (
            ("epsilon", EPSILON),
            ("threshold", _check.FINITE),
            ("sensitivity", _check.POSITIVE),
            ("threshold_share", _check.OPEN_PROBABILITY),
        ):
            object.__setattr__(self, name, _check.real(name, getattr(self, name), domain))
        object.__setattr__(self, "count", _check.count("count", self.count))
        _check.instance("monotonic", self.monotonic, bool)
        shares = (self.threshold_share * self.epsilon, (1 - self.threshold_share) * self.epsilon)
        if 0 in shares or math.inf in (self.threshold_scale, self.query_scale):
            raise ValueError(
                "epsilon must leave both noises a scale that floats hold, "
                f"got epsilon={self.epsilon} and threshold_share={self.threshold_share}"
            )

    @property
    def threshold_scale(self) -> float:
        """The scale of the Laplace noise on the threshold.

        Examples
        --------
        >>> SparseVector(epsilon=1.0, threshold_share=0.25).threshold_scale
        4.0
        """
        return self.sensitivity / (self.threshold_share * self.epsilon)

    @property
    def query_scale(self) -> float:
        """The scale of the Laplace noise on each query.

        Examples
        --------
        >>> SparseVector(epsilon=1.0, count=5, monotonic=True).query_scale
        10.0
        """
        moves = self.count if self.monotonic else 2 * self.count
        return moves * self.sensitivity / ((1 - self.threshold_share) * self.epsilon)

    def answers(self, queries: Iterable[float], *, rng: np.random.Generator) -> Iterator[bool]:
        """Answer queries one by one; a later query may depend on the answers before it.

        Parameters
        ----------
        queries : iterable of float
            True answers, finite, taken only when their turn comes.
        rng : numpy.random.Generator

        Yields
        ------
        bool
            Whether the query was found above. Ends after `count` that were.

        Examples
        --------
        >>> mechanism = SparseVector(epsilon=700.0, threshold=10.0)
        >>> list(mechanism.answers(iter([3.0, 5.0, 14.0, 20.0]), rng=np.random.default_rng(0)))
        [False, False, True]
        """
        if not _check.is_iterable(queries):
            raise TypeError(
                f"queries must be an iterable of real numbers, got queries={_check.shown(queries)}"
            )
        return self._answers(queries, _check.generator(rng))

    def _answers(self, queries: Iterable[float], rng: np.random.Generator) -> Iterator[bool]:
        threshold = self.threshold + rng.laplace(0.0, self.threshold_scale)
        left = self.count
        for i, query in enumerate(queries):
            query = _check.real(f"queries[{i}]", query, _check.FINITE)
            above = query + rng.laplace(0.0, self.query_scale) >= threshold
            yield bool(above)
            left -= above
            if left == 0:
                return

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """The answers to a vector of queries, until it stops.

        Parameters
        ----------
        value : array_like of shape (n,)
            True answers of the queries.

        Returns
        -------
        ndarray of int of shape (m,)
            0 for below and 1 for above; m <= n, and m < n only if the last of `count` ones is
            its end.

        Examples
        --------
        >>> mechanism = SparseVector(epsilon=700.0, threshold=10.0)
        >>> mechanism.release([3.0, 5.0, 14.0, 20.0], rng=np.random.default_rng(0))
        array([0, 0, 1])
        """
        queries = _queries("value", value)
        return np.array([*self.answers(queries, rng=rng)], dtype=np.int64)

    def outcomes(self, n: int) -> list[Outcome]:
        """Everything that `release` can answer to n >= 0 queries.

        Returns
        -------
        list of tuples of 0 and 1

        Raises
        ------
        ValueError
            If there are more than 1024 outcomes.

        Examples
        --------
        >>> SparseVector(epsilon=1.0).outcomes(3)
        [(1,), (0, 1), (0, 0, 1), (0, 0, 0)]
        """
        n = _check.count("n", n, minimum=0)
        # those with j ones that never stopped, and those that end with the last one
        number = sum(math.comb(n, j) for j in range(min(self.count, n + 1)))
        number += math.comb(n, self.count)
        if n > MOST_OUTCOMES or number > MOST_OUTCOMES:
            raise ValueError(f"n must give at most {MOST_OUTCOMES} outcomes, got n={n}")
        found: list[Outcome] = []

        def extend(prefix: Outcome) -> None:
            if len(prefix) == n or sum(prefix) == self.count:
                found.append(prefix)
                return
            extend((*prefix, 1))
            extend((*prefix, 0))

        extend(())
        return found

    def law(self, value: ArrayLike) -> Vector:
        """The probability of each of the `outcomes`.

        Parameters
        ----------
        value : array_like of shape (n,)
            True answers of at most 32 queries.

        Returns
        -------
        ndarray
            In the order of ``outcomes(n)``, each to a relative accuracy of about 1e-12.

        Raises
        ------
        ValueError
            If one noise has more than 1e100 times the scale of the other.

        Examples
        --------
        >>> SparseVector(epsilon=2.0).law([0.0]).round(6)
        array([0.5, 0.5])
        """
        queries = _queries("value", value)
        if queries.size > MOST_QUERIES:
            raise ValueError(f"value must hold at most {MOST_QUERIES} queries, got {queries.size}")
        outcomes = self.outcomes(queries.size)
        with np.errstate(over="ignore"):  # what is that far off is certain
            ends = (queries - self.threshold) / self.threshold_scale
        ratio = self.threshold_scale / self.query_scale
        if not 1e-100 < ratio < 1e100:
            raise ValueError(
                "threshold_share must give noises of comparable scales for a law, "
                f"got threshold_share={self.threshold_share}"
            )
        kinks = ends[np.abs(ends) < 750]
        points = np.unique(np.concatenate((kinks, [-750.0, 0.0, 750.0])))
        z, log_weights = _panels.graded(points, 1 + ratio * queries.size)
        with np.errstate(over="ignore", invalid="ignore"):
            distance = (z[:, None] - ends) * ratio
        below = _panels.log_laplace_cdf(distance)
        above = _panels.log_laplace_cdf(-distance)
        base = _panels.log_laplace_density(z) + log_weights

        def log_mass(outcome: Outcome) -> Vector:
            ones = np.array(outcome, dtype=bool)
            m = ones.size
            return np.asarray(
                base + above[:, :m][:, ones].sum(axis=1) + below[:, :m][:, ~ones].sum(axis=1)
            )

        masses = [math.fsum(np.exp(log_mass(outcome))) for outcome in outcomes]
        return np.minimum(masses, 1.0)

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """The privacy loss of the answers to two vectors of queries, what `law` takes.

        Examples
        --------
        >>> loss = SparseVector(epsilon=1.0).privacy_loss_between([0.0, 1.0], [1.0, 0.0])
        >>> round(loss.max(), 6), round(loss.reversed().max(), 6)
        (0.395815, 0.15167)
        """
        left, right = pair(_queries("value", value), _queries("neighbour", neighbour))
        return DiscreteLoss(self.law(left), self.law(right))


def _queries(name: str, value: object) -> Vector:
    queries = _check.array(name, value)
    if queries.ndim != 1:
        raise ValueError(
            f"{name} must be a vector of queries, got {name}={_check.shown(value)} "
            f"of shape {queries.shape}"
        )
    return queries


@theorem(
    SparseVector,
    PureDP,
    source="Dwork and Roth (2014), theorem 3.23, and Lyu, Su and Li (2017), section 4",
    tight=True,
)
def _pure(m: SparseVector) -> PureDP:
    return PureDP(m.epsilon, adjacency=m.adjacency)
