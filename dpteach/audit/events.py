"""The search for the event that gives the largest lower bound on a privacy parameter.

The bound is corrected for the search, because among many events one looks good by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpteach.audit.intervals import SLACK, Vector, least, most

#: a function that computes lower bounds on a privacy parameter, such as epsilon, from lower bounds
#: on P(S) and upper bounds on Q(S) for several events S. Here P and Q are the distributions of the
#: output on two neighboring datasets
Statistic = Callable[[Vector, Vector], Vector]
Correction = Literal["holdout", "bonferroni", "dkw"]
#: the error probability of the confidence limits by which an event is chosen; it affects the size
#: of the final bound, not its validity
_LUCK = 0.025
#: the largest number of thresholds that are tried in the choice of an event
_CANDIDATES = 1000


@dataclass(frozen=True)
class Event:
    """A set of outputs: all with a score on one side of a threshold, or a list of outputs.

    Attributes
    ----------
    threshold : float or None
        The event is a score >= threshold, or a score < threshold if `below` is true.
    below : bool
    outcomes : tuple or None
        The outputs that belong to the event; then `threshold` is None.

    Examples
    --------
    >>> print(Event(threshold=1.5, below=True))
    score < 1.5
    """

    threshold: float | None = None
    below: bool = False
    outcomes: tuple[Any, ...] | None = None

    def __str__(self) -> str:
        if self.outcomes is None:
            return f"score {'<' if self.below else '>='} {self.threshold:.6g}"
        shown = ", ".join(str(x) for x in self.outcomes[:6])
        more = f", ... ({len(self.outcomes)} in all)" if len(self.outcomes) > 6 else ""
        return f"the answer is one of {shown}{more}"


@dataclass(frozen=True)
class _Table:
    """Lower bounds on a privacy parameter, and the counts of events from which they follow.

    Each bound compares the probabilities P(S) and Q(S) of one event S, where P and Q are the
    distributions of the output on the two datasets. Where `swapped` is true, P and Q are exchanged.
    """

    bound: Vector
    rates: tuple[Vector, Vector]
    counts: tuple[Vector, Vector]
    trials: tuple[int, int]
    swapped: NDArray[np.bool_]
    events: Sequence[Event]


def _tails(first: Vector, second: Vector, grid: Vector) -> tuple[Vector, Vector]:
    """Return the counts of scores >= each threshold, then of scores < each, on both datasets."""
    both = []
    for scores in (first, second):
        less = np.searchsorted(np.sort(scores), grid, side="left").astype(np.float64)
        both.append(np.concatenate((scores.size - less, less)))
    return both[0], both[1]


def _table(
    statistic: Statistic,
    counts: tuple[Vector, Vector],
    trials: tuple[int, int],
    interval: Callable[[Vector, int], tuple[Vector, Vector]],
    events: Sequence[Event],
) -> _Table:
    """Return the lower bounds on a privacy parameter that follow from the counts of events.

    Each event gives two bounds, the second with the two datasets swapped. The function `interval`
    turns the counts of the events on a dataset, and the number of runs, into confidence limits on
    the probabilities of the events.
    """
    (low_p, high_p), (low_q, high_q) = (interval(c, n) for c, n in zip(counts, trials, strict=True))
    low, high = np.concatenate((low_p, low_q)), np.concatenate((high_q, high_p))
    swapped = np.repeat([False, True], counts[0].size)
    ordered = (
        np.concatenate((counts[0], counts[1])),
        np.concatenate((counts[1], counts[0])),
    )
    bound = statistic(low, high)
    return _Table(bound, (low, high), ordered, trials, swapped, [*events, *events])


def _events(grid: Vector) -> list[Event]:
    return [Event(float(t), below) for below in (False, True) for t in grid]


def uniform(
    statistic: Statistic,
    first: Vector,
    second: Vector,
    grid: Vector,
    error: float,
    correction: Correction,
) -> tuple[_Table, str]:
    """Return lower bounds on a privacy parameter, from events for all thresholds in `grid`.

    The events are that a score is at least a threshold, or below it. All bounds hold together with
    probability at least 1 - `error`. The second result names the statistical method for this.
    """
    if correction == "bonferroni":
        # divide the error probability among four limits per threshold: a lower and an upper limit
        # on the event's probability on each dataset; they also give the limits of its complement
        share = error / (4 * grid.size)
        words = (
            f"Clopper and Pearson (1934), {4 * grid.size} limits that share the error "
            "(Bonferroni's correction)"
        )

        def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
            return least(counts, n, share), most(counts, n, share)
    else:
        words = (
            "the inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant (1990), "
            "for all thresholds at once"
        )

        def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
            width = math.sqrt(math.log(4 / error) / (2 * n)) * (1 + SLACK)
            rates = counts / n
            return np.maximum(rates - width, 0.0), np.minimum(rates + width, 1.0)

    counts = _tails(first, second, grid)
    trials = first.size, second.size
    return _table(statistic, counts, trials, interval, _events(grid)), words


def held_out(
    statistic: Statistic,
    first: Vector,
    second: Vector,
    outcomes: tuple[Any, ...] | None,
    error: float,
) -> tuple[_Table, str]:
    """Return the lower bound on a privacy parameter that one event gives.

    Every second run is used to choose the event, and the bound follows from how often it occurs in
    the remaining runs. The second result names the statistical method.
    """
    training, held = (first[::2], second[::2]), (first[1::2], second[1::2])
    trials = held[0].size, held[1].size
    ratio = None
    if outcomes is not None:
        seen = [np.bincount(x.astype(np.int64), minlength=len(outcomes)) for x in training]
        # an outcome that does not occur in the runs that choose the event gets NaN and stays
        # outside the event
        ratio = np.where(seen[0] + seen[1] > 0, np.log((seen[0] + 0.5) / (seen[1] + 0.5)), math.nan)
        training = tuple(ratio[x.astype(np.int64)] for x in training)  # type: ignore[assignment]

    def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
        return least(counts, n, error / 2), most(counts, n, error / 2)

    def cautious(counts: Vector, n: int) -> tuple[Vector, Vector]:
        # the event that looks best among many was often only lucky. So assume for each event that
        # its true probabilities are less favorable than its counts, namely at their confidence
        # limits, and compute the bound that the other runs would then give
        low, high = least(counts, n, _LUCK), most(counts, n, _LUCK)
        return interval(n * low, n)[0], interval(n * high, n)[1]

    grid = candidates(*training)
    sizes = training[0].size, training[1].size

    tried = _table(statistic, _tails(*training, grid), sizes, cautious, _events(grid))
    best = int(np.argmax(tried.bound))
    event, swapped = tried.events[best], bool(tried.swapped[best])
    if ratio is not None:
        assert outcomes is not None
        inside = _inside(ratio, event)
        event = Event(outcomes=_sorted([outcomes[j] for j in np.flatnonzero(inside)]))
        happened = [inside[x.astype(np.int64)] for x in held]
    else:
        happened = [_inside(x, event) for x in held]
    counts = tuple(np.array([float(np.count_nonzero(x))]) for x in happened)
    table = _table(statistic, (counts[0], counts[1]), trials, interval, [event])
    # the direction, (P, Q) or (Q, P), was chosen together with the event, so keep only its bound
    only = slice(1, 2) if swapped else slice(0, 1)
    table = _Table(
        table.bound[only],
        (table.rates[0][only], table.rates[1][only]),
        (table.counts[0][only], table.counts[1][only]),
        trials,
        table.swapped[only],
        [event],
    )
    words = "Clopper and Pearson (1934), for an event that was chosen by the other half of the runs"
    return table, words


def _inside(scores: Vector, event: Event) -> NDArray[np.bool_]:
    assert event.threshold is not None
    # a score of NaN is outside every event, so ignore warnings about comparisons with NaN
    with np.errstate(invalid="ignore"):
        return scores < event.threshold if event.below else scores >= event.threshold


def _sorted(outcomes: list[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(outcomes))
    except TypeError:  # keep the order of outcomes that cannot be compared with <
        return tuple(outcomes)


def candidates(first: Vector, second: Vector) -> Vector:
    """Return the thresholds to try: all scores, or at most 1000, denser among extreme scores."""
    values = np.unique(np.concatenate((first, second)))
    if values.size <= _CANDIDATES:
        return values
    steps = np.geomspace(1, values.size / 2, _CANDIDATES // 4)
    even = np.linspace(0, values.size - 1, _CANDIDATES // 2)
    ranks = np.concatenate((steps, values.size - 1 - steps, even)).astype(np.int64)
    return np.asarray(values[np.unique(ranks)])
