"""Sensitivity: the largest change of a query's true answer between neighboring datasets.

A mechanism scales its noise with the sensitivity: Laplace noise with the L1 norm of the change,
Gaussian noise with the L2 norm. The scores of a selection and the queries of the sparse vector
technique use the L-infinity norm, the largest change of an entry.

The module has closed forms for common queries, an exhaustive search for any query on a small
universe, and `clip` and `clip_norm` to bound records of unknown range. Each sensitivity is exact
up to a few units in the last place. Several functions take

norm : {1, 2, inf}
    The norm of the difference of two answers, whose entries form one vector. Functions without
    this parameter give the sensitivity in every norm.
adjacency : Adjacency
    Which datasets are neighbors.
lower, upper : float
    Finite, lower <= upper: the interval that contains each number, or to which numbers are
    clipped.

Examples
--------
>>> from dpteach import Gaussian, Laplace, PureDP, calibrate
>>> ages = sum_sensitivity(0, 120)
>>> calibrate(Laplace, PureDP(0.5), sensitivity=ages).scale
240.0
>>> Gaussian(sigma=5.0, sensitivity=histogram_sensitivity(norm=2)).shift
0.2
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.notions import Adjacency

__all__ = [
    "Neighbours",
    "clip",
    "clip_norm",
    "count_sensitivity",
    "farthest_neighbours",
    "histogram_sensitivity",
    "l1_sensitivity",
    "l2_sensitivity",
    "linear_sensitivity",
    "linf_sensitivity",
    "mean_sensitivity",
    "sum_sensitivity",
]

Vector = NDArray[np.float64]
Query = Callable[[tuple[Any, ...]], ArrayLike]

#: the largest number of pairs of neighbors that a search tries
MOST_PAIRS = 100_000


@dataclass(frozen=True)
class Neighbours:
    """Two neighboring datasets and the distance of a query's answers on them.

    Attributes
    ----------
    dataset, neighbour : tuple
        The records of the two datasets.
    distance : float
        The norm of the difference of the two answers.

    Examples
    --------
    >>> farthest_neighbours(sum, [0, 1, 5], size=2).distance
    5.0
    """

    dataset: tuple[Any, ...]
    neighbour: tuple[Any, ...]
    distance: float


def farthest_neighbours(
    query: Query,
    universe: Iterable[Any],
    *,
    size: int,
    smallest: int = 0,
    norm: float = 1,
    adjacency: Adjacency = Adjacency.ADD_REMOVE,
) -> Neighbours:
    """Return the neighbors on which a query's answers are farthest apart, by exhaustive search.

    Parameters
    ----------
    query : callable
        A function from a dataset, a tuple of records in the order of the universe, to a number, or
        to an array of numbers that always has the same shape. Because datasets are multisets, the
        answer should not depend on the order of the records.
    universe : iterable
        Every record that can occur, without repetition.
    size : int
        The largest number of records of a dataset, >= 1.
    smallest : int
        The smallest number of records, from 0 to `size`, for queries that are undefined on fewer
        records. If it equals `size`, no two datasets are add/remove neighbors.

    Returns
    -------
    Neighbours
        The first of the farthest pairs of datasets. The attribute `distance` is the sensitivity
        for this universe and these sizes only.

    Raises
    ------
    ValueError
        If there are no neighbors, more than 100,000 pairs of them, or answers differ in shape.

    References
    ----------
    Dwork, McSherry, Nissim and Smith (2006), definition 2.

    Examples
    --------
    >>> found = farthest_neighbours(np.median, range(5), size=3, smallest=1)
    >>> found.dataset, found.neighbour, found.distance
    ((0,), (0, 4), 2.0)
    """
    if not callable(query):
        raise TypeError(f"query must be callable, got query={_check.shown(query)}")
    records = _records(universe)
    size = _check.count("size", size)
    smallest = _check.count("smallest", smallest, minimum=0)
    if smallest > size:
        raise ValueError(f"smallest must be <= size={size}, got smallest={smallest}")
    norm = _norm(norm)
    replaced = _replaced(adjacency)
    _refuse_too_many(len(records), size, smallest, replaced)

    known: dict[tuple[int, ...], Vector] = {}

    def dataset(chosen: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(records[i] for i in chosen)

    def answer(chosen: tuple[int, ...]) -> Vector:
        if chosen not in known:
            known[chosen] = _check.array("query(dataset)", query(dataset(chosen)), bits=True)
        return known[chosen]

    best: tuple[float, tuple[int, ...], tuple[int, ...]] | None = None
    for left, right in _pairs(len(records), size, smallest, replaced):
        one, two = answer(left), answer(right)
        if one.shape != two.shape:
            raise ValueError(
                "query must answer with one shape, "
                f"got query={_check.shown(query)} with shapes {one.shape} and {two.shape}"
            )
        distance = _length(one - two, norm)
        if best is None or distance > best[0]:
            best = distance, left, right
    if best is None:
        raise ValueError(
            "size must leave neighbors: no two of these datasets are neighbors, "
            f"got size={size} with smallest={smallest} and {len(records)} records"
        )
    return Neighbours(dataset(best[1]), dataset(best[2]), best[0])


# one function per norm follows, because the sensitivity in each norm has its own name in the
# literature


def l1_sensitivity(
    query: Query,
    universe: Iterable[Any],
    *,
    size: int,
    smallest: int = 0,
    adjacency: Adjacency = Adjacency.ADD_REMOVE,
) -> float:
    """Return the L1 sensitivity of a query on a small universe, by exhaustive search.

    The parameters and errors are those of `farthest_neighbours`.

    Returns
    -------
    float
        The largest sum of the absolute changes of an answer's entries: the parameter
        ``sensitivity`` of `dpteach.Laplace`.

    Examples
    --------
    >>> l1_sensitivity(lambda d: (d.count("a"), d.count("b")), "ab", size=3)
    1.0
    >>> l1_sensitivity(lambda d: (d.count("a"), d.count("b")), "ab", size=3,
    ...                adjacency=Adjacency.REPLACE_ONE)
    2.0
    """
    return farthest_neighbours(
        query, universe, size=size, smallest=smallest, norm=1, adjacency=adjacency
    ).distance


def l2_sensitivity(
    query: Query,
    universe: Iterable[Any],
    *,
    size: int,
    smallest: int = 0,
    adjacency: Adjacency = Adjacency.ADD_REMOVE,
) -> float:
    """Return the L2 sensitivity of a query on a small universe, by exhaustive search.

    The parameters and errors are those of `farthest_neighbours`.

    Returns
    -------
    float
        The largest Euclidean norm of the change of an answer: the parameter ``sensitivity`` of
        `dpteach.Gaussian`.

    Examples
    --------
    >>> round(l2_sensitivity(lambda d: (sum(d), len(d)), range(4), size=2), 12)  # sqrt(10)
    3.162277660168
    """
    return farthest_neighbours(
        query, universe, size=size, smallest=smallest, norm=2, adjacency=adjacency
    ).distance


def linf_sensitivity(
    query: Query,
    universe: Iterable[Any],
    *,
    size: int,
    smallest: int = 0,
    adjacency: Adjacency = Adjacency.ADD_REMOVE,
) -> float:
    """Return the L-infinity sensitivity of a query on a small universe, by exhaustive search.

    The parameters and errors are those of `farthest_neighbours`.

    Returns
    -------
    float
        The largest absolute change of an entry: the parameter ``sensitivity`` of selection
        mechanisms and of `dpteach.SparseVector`.

    Examples
    --------
    >>> linf_sensitivity(lambda d: (sum(d), len(d)), range(4), size=2)
    3.0
    """
    return farthest_neighbours(
        query, universe, size=size, smallest=smallest, norm=math.inf, adjacency=adjacency
    ).distance


def count_sensitivity(*, adjacency: Adjacency = Adjacency.ADD_REMOVE) -> float:
    """Return the sensitivity of a count of records with some property: 1, for each adjacency.

    Examples
    --------
    >>> count_sensitivity()
    1.0
    """
    _replaced(adjacency)
    return 1.0


def sum_sensitivity(
    lower: float, upper: float, *, adjacency: Adjacency = Adjacency.ADD_REMOVE
) -> float:
    """Return the sensitivity of a sum of numbers from an interval.

    The sensitivity is max(|lower|, |upper|) for add/remove and upper - lower for replace-one
    neighbors.

    Examples
    --------
    >>> sum_sensitivity(-10, 40), sum_sensitivity(-10, 40, adjacency=Adjacency.REPLACE_ONE)
    (40.0, 50.0)
    """
    lower, upper = _interval(lower, upper)
    if not _replaced(adjacency):
        return max(abs(lower), abs(upper))
    return _finite(upper - lower, lower, upper)


def mean_sensitivity(
    lower: float,
    upper: float,
    *,
    size: int,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> float:
    """Return the sensitivity of the mean of `size` numbers in [lower, upper]: (upper - lower)/size.

    Parameters
    ----------
    size : int
        The number of values, >= 1; it is public.
    adjacency : Adjacency
        REPLACE_ONE only: for add/remove neighbors the number of values is not a public constant;
        release a noisy sum and a noisy count instead.

    Examples
    --------
    >>> mean_sensitivity(0, 100, size=50)
    2.0
    """
    lower, upper = _interval(lower, upper)
    size = _check.count("size", size)
    if not _replaced(adjacency):
        raise ValueError(
            "adjacency must be REPLACE_ONE, as the number of records is public: release a sum "
            f"and a count instead, got adjacency={adjacency}"
        )
    # divide before subtracting, because the difference upper - lower can overflow
    return _finite(upper / size - lower / size, lower, upper)


def histogram_sensitivity(*, norm: float = 1, adjacency: Adjacency = Adjacency.ADD_REMOVE) -> float:
    """Return the sensitivity of a histogram, the counts of records in disjoint cells.

    For add/remove neighbors the sensitivity is 1 in every norm. For replace-one neighbors two
    cells can change by 1 each, so the sensitivity is 2 in the L1 norm, sqrt(2) in the L2 norm and
    1 in the L-infinity norm.

    Examples
    --------
    >>> round(histogram_sensitivity(norm=2, adjacency=Adjacency.REPLACE_ONE), 12)
    1.414213562373
    """
    norm = _norm(norm)
    return _length(np.array([1.0, -1.0]), norm) if _replaced(adjacency) else 1.0


def linear_sensitivity(
    matrix: ArrayLike, *, norm: float = 1, adjacency: Adjacency = Adjacency.ADD_REMOVE
) -> float:
    """Return the sensitivity of the linear queries matrix @ histogram.

    For add/remove neighbors, the sensitivity is the largest norm of a column, and for replace-one
    neighbors the largest norm of the difference of two columns.

    Parameters
    ----------
    matrix : array_like of shape (queries, cells)
        The contribution of a record in each cell to each query.

    Raises
    ------
    ValueError
        If there are more than 100,000 pairs of columns, for REPLACE_ONE and the norms 1 and 2.

    References
    ----------
    Hardt and Talwar (2010); Li, Hay, Rastogi, Miklau and McGregor (2010).

    Examples
    --------
    >>> prefix_sums = np.tril(np.ones((4, 4)))
    >>> linear_sensitivity(prefix_sums), linear_sensitivity(prefix_sums, norm=2)
    (4.0, 2.0)
    """
    rows = _check.array("matrix", matrix)
    if rows.ndim != 2 or rows.size == 0:
        raise ValueError(
            "matrix must be of shape (queries, cells) with at least one of each, "
            f"got matrix={_check.shown(matrix)} of shape {rows.shape}"
        )
    norm = _norm(norm)
    columns = rows.T
    if not _replaced(adjacency):
        return max(_length(column, norm) for column in columns)
    if norm == math.inf:
        return float(np.max(rows.max(axis=1) - rows.min(axis=1)))
    if math.comb(len(columns), 2) > MOST_PAIRS:
        raise ValueError(
            f"matrix must have at most {MOST_PAIRS} pairs of columns for this norm, "
            f"got matrix of shape {rows.shape}"
        )
    pairs = itertools.combinations(columns, 2)
    return max((_length(one - two, norm) for one, two in pairs), default=0.0)


def clip(value: ArrayLike, lower: float, upper: float) -> Vector:
    """Return numbers clipped to an interval: each number outside moves to the nearest end.

    Parameters
    ----------
    value : array_like of real numbers, of any shape
        The numbers to clip.

    Returns
    -------
    ndarray of float, of the same shape
        The clipped numbers.

    Examples
    --------
    >>> clip([17, -3, 250], 0, 120)
    array([ 17.,   0., 120.])
    """
    numbers = _check.array("value", value)
    return np.asarray(np.clip(numbers, *_interval(lower, upper)))


def clip_norm(value: ArrayLike, bound: float, *, norm: float = 2) -> Vector:
    """Return vectors scaled down to a norm of at most `bound`; shorter vectors do not change.

    For add/remove neighbors, the sum of such vectors has sensitivity `bound` in this norm.

    Parameters
    ----------
    value : array_like of shape (..., n)
        The vectors, along the last axis.
    bound : float
        The largest norm, > 0.

    Returns
    -------
    ndarray of float, of the same shape
        The clipped vectors. A vector that was scaled has a norm below the bound by a few units in
        the last place, so that rounding never takes it above.

    References
    ----------
    Abadi, Chu, Goodfellow, McMahan, Mironov, Talwar and Zhang (2016), algorithm 1.

    Examples
    --------
    >>> clip_norm([[3.0, 4.0], [0.3, 0.4]], 1.0).round(12)
    array([[0.6, 0.8],
           [0.3, 0.4]])
    """
    vectors = _check.array("value", value)
    if vectors.ndim == 0:
        raise ValueError(f"value must hold vectors, got value={_check.shown(value)}")
    bound = _check.real("bound", bound, _check.POSITIVE)
    norm = _norm(norm)
    if vectors.size == 0:
        return vectors
    flat = vectors.reshape(-1, vectors.shape[-1])
    # divide by the largest entry before squaring, so that no square overflows or underflows
    largest = np.abs(flat).max(axis=1)
    unit = flat / np.where(largest > 0, largest, 1.0)[:, None]
    relative = np.linalg.norm(unit, norm, axis=1)
    below = bound * (1 - (4 + vectors.shape[-1]) * _numerics.MARGIN)
    with np.errstate(over="ignore", divide="ignore"):
        long = largest > below / relative
    long[long] = [_length(row, norm) > bound for row in flat[long]]
    flat[long] = unit[long] * (below / relative[long])[:, None]
    return np.asarray(flat.reshape(vectors.shape))


def _records(universe: Iterable[Any]) -> tuple[Any, ...]:
    if not _check.is_iterable(universe):
        raise TypeError(
            f"universe must be an iterable of records, got universe={_check.shown(universe)}"
        )
    records = tuple(itertools.islice(universe, MOST_PAIRS + 1))
    if not records:
        raise ValueError(
            f"universe must hold at least one record, got universe={_check.shown(universe)}"
        )
    hashable = [record for record in records if isinstance(record, Hashable)]
    if len(hashable) == len(records) and len(set(hashable)) < len(records):
        raise ValueError(
            f"universe must hold each record once, got universe={_check.shown(universe)}"
        )
    return records


def _refuse_too_many(records: int, size: int, smallest: int, replaced: bool) -> None:
    pairs = 0.0
    for n in range(max(1, smallest + (not replaced)), size + 1):
        # the number of pairs: multisets of n - 1 shared records, times choices of the records that
        # differ
        multisets = math.lgamma(records + n - 1) - math.lgamma(n) - math.lgamma(records)
        pairs += _numerics.exp(multisets) * (math.comb(records, 2) if replaced else records)
        if pairs > MOST_PAIRS + 0.5 or n > MOST_PAIRS:
            raise ValueError(
                f"size must give at most {MOST_PAIRS} pairs of neighbors, got size={size} with "
                f"smallest={smallest} and {records} records"
            )


def _pairs(
    records: int, size: int, smallest: int, replaced: bool
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield all pairs of neighboring datasets, as sorted tuples of indices of records.

    If `replaced` is true, the datasets differ in one record; otherwise the second dataset has an
    additional record.
    """

    def with_one(others: Sequence[int], one: int) -> tuple[int, ...]:
        return tuple(sorted((*others, one)))

    for n in range(max(1, smallest + (not replaced)), size + 1):
        for others in itertools.combinations_with_replacement(range(records), n - 1):
            if replaced:
                for one, two in itertools.combinations(range(records), 2):
                    yield with_one(others, one), with_one(others, two)
            else:
                for one in range(records):
                    yield others, with_one(others, one)


def _length(difference: Vector, norm: float) -> float:
    entries = difference.ravel()
    if entries.size == 0:
        return 0.0
    if norm == 1:
        try:
            return math.fsum(np.abs(entries))
        except OverflowError:
            return math.inf
    return math.hypot(*entries) if norm == 2 else float(np.abs(entries).max())


def _norm(norm: object) -> float:
    domain = _check.Domain("1, 2 or inf", lambda x: x in (1, 2, math.inf))
    return _check.real("norm", norm, domain)


def _replaced(adjacency: object) -> bool:
    return _check.instance("adjacency", adjacency, Adjacency) is Adjacency.REPLACE_ONE


def _interval(lower: object, upper: object) -> tuple[float, float]:
    low = _check.real("lower", lower, _check.FINITE)
    high = _check.real("upper", upper, _check.FINITE)
    if low > high:
        raise ValueError(f"lower must be <= upper, got lower={low} and upper={high}")
    return low, high


def _finite(sensitivity: float, lower: float, upper: float) -> float:
    if not math.isfinite(sensitivity):
        raise ValueError(
            f"upper must be within the range of floats of lower, got upper={upper} and "
            f"lower={lower}"
        )
    return sensitivity
