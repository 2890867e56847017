"""The sparse vector technique: find a few queries that are above a threshold."""

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
    """A mechanism that compares queries with a threshold until `count` of them are above it.

    Noise is added once to the threshold and independently to each query. The output is 1 if the
    noisy query is at least the noisy threshold, and 0 otherwise. Queries reported as below cost
    nothing, so their number is unlimited.

    Parameters
    ----------
    epsilon : float
        In (0, 700], in nats: the epsilon of all outputs together.
    threshold : float
        The public number with which queries are compared; finite.
    count : int
        The number of queries reported as above after which the mechanism stops, >= 1.
    sensitivity : float
        The largest difference of any single query between neighbors, > 0.
    monotonic : bool
        Whether all queries change in the same direction between neighbors, as counts do when one
        person is added. If so, the queries need half as much noise.
    threshold_share : float
        In (0, 1): the share of epsilon that is spent on the noise of the threshold.

    Notes
    -----
    Let e1 = threshold_share epsilon and e2 = epsilon - e1. The Laplace noise has scale
    sensitivity/e1 on the threshold and 2 count sensitivity/e2 on each query (count sensitivity/e2
    if monotonic). The variance of their difference is smallest for a share of
    1/(1 + (2 count)^(2/3)), which is 0.39 for count = 1 (Lyu, Su and Li, 2017, section 4.2); if
    monotonic, replace 2 count by count.
    The noise on the threshold is drawn once. Versions that also publish the noisy queries, or
    whose noise does not grow with count, do not satisfy epsilon-differential privacy.

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
                "epsilon must give both noises a scale in the range of floats, "
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
            Finite true values, each taken from the iterable only when its turn comes.
        rng : numpy.random.Generator

        Yields
        ------
        bool
            Whether the query is reported as above. Iteration ends after `count` times True.

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
        """Return the outputs for a vector of queries, until the mechanism stops.

        Parameters
        ----------
        value : array_like of shape (n,)
            True values of the queries.

        Returns
        -------
        ndarray of int of shape (m,)
            0 for below and 1 for above. m <= n, and m < n only if the array ends with the last
            of `count` ones.

        Examples
        --------
        >>> mechanism = SparseVector(epsilon=700.0, threshold=10.0)
        >>> mechanism.release([3.0, 5.0, 14.0, 20.0], rng=np.random.default_rng(0))
        array([0, 0, 1])
        """
        queries = _queries("value", value)
        return np.array([*self.answers(queries, rng=rng)], dtype=np.int64)

    def outcomes(self, n: int) -> list[Outcome]:
        """Return all possible outputs of `release` for n >= 0 queries.

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
        # either there are j < count ones among n outputs, or the outputs end with the last of
        # `count` ones; in both cases, the places of the ones among n determine the outputs
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
        """Return the probability of each of the `outcomes`.

        Parameters
        ----------
        value : array_like of shape (n,)
            True values of at most 32 queries.

        Returns
        -------
        ndarray
            Probabilities in the order of ``outcomes(n)``, to a relative accuracy of about 1e-12.

        Raises
        ------
        ValueError
            If there are more than 32 queries or 1024 outcomes, or one of `threshold_scale` and
            `query_scale` is more than 1e100 times the other.

        Examples
        --------
        >>> SparseVector(epsilon=2.0).law([0.0]).round(6)
        array([0.5, 0.5])
        """
        queries = _queries("value", value)
        if queries.size > MOST_QUERIES:
            raise ValueError(f"value must hold at most {MOST_QUERIES} queries, got {queries.size}")
        outcomes = self.outcomes(queries.size)
        with np.errstate(over="ignore"):  # if a quotient overflows, its query's output is certain
            ends = (queries - self.threshold) / self.threshold_scale
        ratio = self.threshold_scale / self.query_scale
        if not 1e-100 < ratio < 1e100:
            raise ValueError(
                "threshold_share must give noises of comparable scales for the distribution, "
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
        """Return the privacy loss of the outputs on two vectors of queries that `law` accepts.

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
