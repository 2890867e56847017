"""Audit: what a mechanism's answers prove that it reveals.

Run a mechanism many times on each of two neighbouring datasets and choose an event S. How often
it happens gives, with a stated confidence, a p that P(S) is not below and a q that Q(S) is not
above. A claim of (epsilon, delta)-differential privacy says P(S) <= e^epsilon Q(S) + delta, so
epsilon is at least log((p - delta)/q): a *lower* bound, true with that confidence, as the
theorems are upper bounds. It can refute a claim and never prove one.

Looking for the event that gives the most and believing its own numbers would be wrong: of many
events one looks good by chance. The three corrections here are

- ``"holdout"``: every other run helps to choose the event, and the rest are counted;
- ``"bonferroni"``: thresholds that were chosen before share the error evenly;
- ``"dkw"``: one band around the whole empirical distribution function (Dvoretzky, Kiefer and
  Wolfowitz, 1956; Massart, 1990) holds for every threshold at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    KaryRandomizedResponse,
    Mechanism,
    PostProcessed,
    RandomizedResponse,
    Snapping,
)
from dpteach.mechanisms._base import AdditiveNoise
from dpteach.mechanisms._selection import Selection
from dpteach.notions import ZCDP, ApproxDP, Explanation, GaussianDP, Guarantee, PureDP
from dpteach.privacy_loss import DensityLoss, DiscreteLoss, PrivacyLoss

__all__ = [
    "Event",
    "LowerBound",
    "audit",
    "binomial_interval",
    "delta_lower_bound",
    "epsilon_lower_bound",
    "mu_lower_bound",
    "rho_lower_bound",
]

Vector = NDArray[np.float64]
#: from lower bounds on P(S) and upper bounds on Q(S) to lower bounds on a parameter
Statistic = Callable[[Vector, Vector], Vector]
Correction = Literal["holdout", "bonferroni", "dkw"]
Kind = Literal["auto", "thresholds", "outcomes"]
Score = Callable[[NDArray[Any]], ArrayLike] | PrivacyLoss

#: mechanisms whose `release` treats a batch of equal values as so many runs
_BATCHED = (
    AdditiveNoise,
    DiscreteGaussian,
    DiscreteLaplace,
    KaryRandomizedResponse,
    RandomizedResponse,
    Selection,
    Snapping,
)
#: more than the relative error of an inverse of the incomplete beta function
_SLACK = 1e-9
#: how unlikely a luck is reckoned with where an event is chosen; it bears on power only
_LUCK = 0.025
#: the most thresholds among which half of the runs choose
_CANDIDATES = 1000


@dataclass(frozen=True)
class Event:
    """A set of answers: those with a score on one side of a threshold, or those of a list.

    Attributes
    ----------
    threshold : float or None
        The event is a score >= threshold, or < threshold where `below`.
    below : bool
    outcomes : tuple or None
        The answers that belong to the event; `threshold` is None then.

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
class LowerBound:
    """A lower bound on a parameter of a notion, from samples; its ``str`` says it in words.

    Attributes
    ----------
    name : {"epsilon", "delta", "mu", "rho"}
        The parameter.
    at : float or None
        The delta at which epsilon is bounded, or the epsilon at which delta is.
    value : float
        The parameter is at least this with the stated confidence; 0 if nothing was found.
    estimate : float
        The same from the observed rates of the event: no bound.
    confidence : float
        The probability, before the runs, that the bound would be true.
    event : Event
    swapped : bool
        Whether the event is the likelier on the neighbour.
    counts, trials : (int, int)
        How often the event was counted, and in how many runs: first where it is likelier.
    rates : (float, float)
        A lower bound on the probability of the event where it is likelier, and an upper bound on
        the other.
    correction : str
        What keeps the search for the event honest.
    claim : Guarantee or None
        What the mechanism claims.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = epsilon_lower_bound(rng.laplace(0, 1, 20_000), rng.laplace(1, 1, 20_000))
    >>> round(found.value, 3), found.counts, found.trials
    (0.92, (5137, 1929), (10000, 10000))
    >>> found.contradicts(PureDP(0.9)), found.contradicts(PureDP(1.0))
    (True, False)
    """

    name: Literal["epsilon", "delta", "mu", "rho"]
    at: float | None
    value: float
    estimate: float
    confidence: float
    event: Event
    swapped: bool
    counts: tuple[int, int]
    trials: tuple[int, int]
    rates: tuple[float, float]
    correction: str
    claim: Guarantee | None = None

    def contradicts(self, claim: Guarantee | None = None) -> bool:
        """Whether a claim is below the bound: false with this confidence, if so.

        Parameters
        ----------
        claim : Guarantee, optional
            By default the mechanism's own. Any notion for a bound on epsilon or delta, a
            GaussianDP for mu, a ZCDP for rho.

        Raises
        ------
        TypeError
            If there is no claim, or it is of another notion.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> found = mu_lower_bound(rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000))
        >>> round(found.value, 3), found.contradicts(GaussianDP(0.9))
        (0.934, True)
        """
        return self.value > self._claimed(self.claim if claim is None else claim)

    def _claimed(self, claim: Guarantee | None) -> float:
        kind = {"mu": GaussianDP, "rho": ZCDP}.get(self.name, Guarantee)
        claim = _check.instance("claim", claim, kind)
        match claim:
            case GaussianDP(mu=mu) if self.name == "mu":
                return mu
            case ZCDP(rho=rho) if self.name == "rho":
                return rho
        assert isinstance(claim, Guarantee) and self.at is not None
        if self.name == "epsilon":
            return claim.epsilon_at(self.at)
        return claim.delta_at(self.at)

    def explain(self) -> Explanation:
        """Where the number comes from.

        Returns
        -------
        Explanation
            A lower bound, never exact.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> found = delta_lower_bound(
        ...     rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000), epsilon=1.0)
        >>> found.explain().kind, round(found.explain().value, 3)
        ('lower bound', 0.106)
        """
        where = "the neighbour" if self.swapped else "the dataset"
        other = "the dataset" if self.swapped else "the neighbour"
        note = (
            f"True with confidence {100 * self.confidence:.10g} %. The event is that {self.event}: "
            f"{self.counts[0]} of {self.trials[0]} runs on {where}, {self.counts[1]} of "
            f"{self.trials[1]} on {other}, which estimates {self.estimate:.6g}."
        )
        if self.claim is not None:
            says = "contradicts" if self.contradicts() else "does not contradict"
            note += f" It {says} {self.claim!r}, which says {self._claimed(self.claim):.6g}."
        quantity: str = self.name
        if self.at is not None:
            quantity += f" at {'delta' if quantity == 'epsilon' else 'epsilon'}={self.at:g}"
        return Explanation(self.value, quantity, self.correction, "lower bound", note=note)

    def __str__(self) -> str:
        return str(self.explain())


def binomial_interval(count: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The Clopper-Pearson interval for a probability, from a count of independent runs.

    Each end is wrong with a probability of at most (1 - confidence)/2, whatever the probability.

    Parameters
    ----------
    count : int
        How often the event happened, in [0, trials].
    trials : int
        At least 1.
    confidence : float
        In (0, 1).

    Returns
    -------
    (float, float)
        Within [0, 1], rounded outwards.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range.

    References
    ----------
    Clopper and Pearson (1934).

    Examples
    --------
    >>> low, high = binomial_interval(3, 10)
    >>> round(low, 6), round(high, 6)
    (0.06674, 0.652453)
    """
    trials = _check.count("trials", trials)
    count = _check.count("count", count, minimum=0)
    if count > trials:
        raise ValueError(f"count must be at most trials={trials}, got count={count}")
    error = _error(confidence) / 2
    counts = np.array([float(count)])
    return float(_least(counts, trials, error)[0]), float(_most(counts, trials, error)[0])


def epsilon_lower_bound(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    *,
    delta: float = 0.0,
    confidence: float = 0.95,
    score: Score | None = None,
    events: Kind = "auto",
    correction: Correction = "holdout",
    thresholds: Sequence[float] | None = None,
) -> LowerBound:
    """A lower bound on the epsilon of (epsilon, delta)-DP, from runs on two neighbours.

    Both orders of the pair are tried.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        The answers of n independent runs on a dataset, and of n on a neighbour. Numbers, or,
        for ``events="outcomes"``, anything that can be told equal.
    delta : float
        In [0, 1].
    confidence : float
        In (0, 1).
    score : callable or PrivacyLoss, optional
        From all answers at once, of shape (n, ...), to one number each; the event is a score
        on one side of a threshold. Any function is valid, if it was chosen before the runs; the
        larger likelihood ratios are where it is larger, the better. A `PrivacyLoss` is that
        ratio itself: a `DensityLoss` takes real answers, a `DiscreteLoss` the outcomes' numbers.
        By default the answer, a number, is its own score.
    events : {"auto", "thresholds", "outcomes"}
        Outcomes: sets of answers, those that were likelier in the runs that choose. By default,
        where there is no score: thresholds for numbers of many values, else outcomes.
    correction : {"holdout", "bonferroni", "dkw"}
        See the module. The last two are for thresholds only.
    thresholds : sequence of float, optional
        For ``"bonferroni"``, and chosen before the runs.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range, there are fewer than two runs on each side or not as
        many on both, answers differ in shape or hold NaN, or do not fit the events.

    References
    ----------
    Jagielski, Ullman and Oprea (2020), algorithm 2, for Clopper-Pearson intervals; Ding, Wang,
    Wang, Zhang and Kifer (2018) for the search on runs of its own.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = epsilon_lower_bound(rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000), delta=0.01)
    >>> round(found.value, 3), round(GaussianDP(1.0).epsilon_at(0.01), 3)
    (1.876, 2.318)
    """
    delta = _check.real("delta", delta, _check.PROBABILITY)
    return _bound(
        "epsilon",
        delta,
        _epsilon_statistic(delta),
        *_samples(outputs, neighbour_outputs, score, events, correction),
        confidence=confidence,
        correction=correction,
        thresholds=thresholds,
    )


def delta_lower_bound(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    *,
    epsilon: float,
    confidence: float = 0.95,
    score: Score | None = None,
    events: Kind = "auto",
    correction: Correction = "holdout",
    thresholds: Sequence[float] | None = None,
) -> LowerBound:
    """A lower bound on the delta of (epsilon, delta)-DP: p - e^epsilon q.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        As for `epsilon_lower_bound`.
    epsilon : float
        In [0, inf), in nats. At 0 the bound is one on the total variation.
    confidence, score, events, correction, thresholds
        As for `epsilon_lower_bound`.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        As `epsilon_lower_bound`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = delta_lower_bound(rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000), epsilon=1.0)
    >>> round(found.value, 3), round(GaussianDP(1.0).delta_at(1.0), 3)
    (0.106, 0.127)
    """
    epsilon = _check.real("epsilon", epsilon, _check.NON_NEGATIVE)
    return _bound(
        "delta",
        epsilon,
        _delta_statistic(epsilon),
        *_samples(outputs, neighbour_outputs, score, events, correction),
        confidence=confidence,
        correction=correction,
        thresholds=thresholds,
    )


def mu_lower_bound(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    *,
    confidence: float = 0.95,
    score: Score | None = None,
    events: Kind = "auto",
    correction: Correction = "holdout",
    thresholds: Sequence[float] | None = None,
) -> LowerBound:
    """A lower bound on the mu of Gaussian DP: by how much the normal quantiles of p and q differ.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        As for `epsilon_lower_bound`.
    confidence, score, events, correction, thresholds
        As for `epsilon_lower_bound`.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        As `epsilon_lower_bound`.

    References
    ----------
    Dong, Roth and Su (2022), definition 4: a test with false alarm q detects with at most
    Phi(mu + Phi^-1(q)).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> round(mu_lower_bound(rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000)).value, 3)
    0.934
    """
    return _bound(
        "mu",
        None,
        _mu_statistic,
        *_samples(outputs, neighbour_outputs, score, events, correction),
        confidence=confidence,
        correction=correction,
        thresholds=thresholds,
    )


def rho_lower_bound(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    *,
    confidence: float = 0.95,
    score: Score | None = None,
    events: Kind = "auto",
    correction: Correction = "holdout",
    thresholds: Sequence[float] | None = None,
) -> LowerBound:
    """A lower bound on the rho of zCDP: the Rényi divergence of whether the event happened.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        As for `epsilon_lower_bound`.
    confidence, score, events, correction, thresholds
        As for `epsilon_lower_bound`.

    Returns
    -------
    LowerBound
        Two outcomes carry less than the whole answer does: no number of runs brings it up to
        the rho of Gaussian noise.

    Raises
    ------
    ValueError, TypeError
        As `epsilon_lower_bound`.

    References
    ----------
    The data-processing inequality, van Erven and Harremoës (2014), theorem 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> round(rho_lower_bound(rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000)).value, 3)
    0.287
    """
    return _bound(
        "rho",
        None,
        _rho_statistic,
        *_samples(outputs, neighbour_outputs, score, events, correction),
        confidence=confidence,
        correction=correction,
        thresholds=thresholds,
    )


def audit(
    mechanism: Mechanism | Callable[[Any, np.random.Generator], Any],
    value: ArrayLike,
    neighbour: ArrayLike,
    *,
    trials: int,
    rng: np.random.Generator,
    delta: float = 0.0,
    confidence: float = 0.95,
    score: Score | None = None,
    events: Kind = "auto",
    claim: Guarantee | None = None,
) -> LowerBound:
    """Run a mechanism on two neighbours and bound its epsilon from below.

    Parameters
    ----------
    mechanism : Mechanism or callable
        A mechanism object, or a function of a true value and a generator to one answer.
    value, neighbour : array_like
        True values of two neighbours: what the mechanism takes. Whether they are neighbours is
        not checked; of values farther apart no claim speaks.
    trials : int
        Runs on each of the two, at least 2; half of them choose the event.
    rng : numpy.random.Generator
        The only source of randomness.
    delta : float
        In [0, 1].
    confidence : float
        In (0, 1).
    score, events
        As for `epsilon_lower_bound`. By default the score of a vector of real numbers is its
        projection on the difference of the two true values, where these have its shape.
    claim : Guarantee, optional
        What the result is compared with. By default what a theorem says of a mechanism object:
        ApproxDP, PureDP, GaussianDP or ZCDP, the first of them that there is.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range, or the mechanism raises it.

    Examples
    --------
    >>> from dpteach import Laplace
    >>> found = audit(Laplace(scale=1.0), 0.0, 1.0, trials=20_000, rng=np.random.default_rng(0))
    >>> round(found.value, 3), found.contradicts()
    (0.92, False)
    >>> def half_the_noise(value, rng):
    ...     return value + rng.laplace(0, 0.5)
    >>> found = audit(half_the_noise, 0.0, 1.0, trials=20_000, rng=np.random.default_rng(0),
    ...               claim=PureDP(1.0))
    >>> round(found.value, 3), found.contradicts()
    (1.938, True)
    """
    if not isinstance(mechanism, Mechanism) and not callable(mechanism):
        raise TypeError(
            "mechanism must be a Mechanism or a function of a value and a generator, "
            f"got mechanism={_check.shown(mechanism)}"
        )
    trials = _check.count("trials", trials, minimum=2)
    rng = _check.generator(rng)
    delta = _check.real("delta", delta, _check.PROBABILITY)
    _error(confidence)
    if claim is not None:
        _check.instance("claim", claim, Guarantee)
    elif isinstance(mechanism, Mechanism):
        claim = _claim_of(mechanism, delta)
    outputs = _answers("outputs", _runs(mechanism, value, trials, rng))
    others = _answers("neighbour_outputs", _runs(mechanism, neighbour, trials, rng))
    if score is None and outputs.ndim > 1 and outputs.dtype.kind == "f" and events != "outcomes":
        score = _projection(value, neighbour, outputs.shape[1:])
    found = epsilon_lower_bound(
        outputs, others, delta=delta, confidence=confidence, score=score, events=events
    )
    return replace(found, claim=claim)


def _runs(mechanism: Any, value: ArrayLike, trials: int, rng: np.random.Generator) -> Any:
    if isinstance(mechanism, PostProcessed):
        return [mechanism.function(y) for y in _runs(mechanism.mechanism, value, trials, rng)]
    if isinstance(mechanism, _BATCHED):
        _check.array("value", value, bits=True)
        true = np.asarray(value)  # integers stay integers
        return mechanism.release(np.broadcast_to(true, (trials, *true.shape)), rng=rng)
    if isinstance(mechanism, Mechanism):
        return [mechanism.release(value, rng=rng) for _ in range(trials)]
    return [mechanism(value, rng) for _ in range(trials)]


def _claim_of(mechanism: Mechanism, delta: float) -> Guarantee | None:
    tries: list[tuple[type[Guarantee], dict[str, float]]] = [
        (ApproxDP, {"delta": delta}),
        (PureDP, {}),
        (GaussianDP, {}),
        (ZCDP, {}),
    ]
    for notion, at in tries:
        try:
            return mechanism.guarantee(notion, **at)
        except (TypeError, ValueError):  # no theorem, or it implies no epsilon at this delta
            continue
    return None


def _projection(
    value: ArrayLike, neighbour: ArrayLike, shape: tuple[int, ...]
) -> Callable[[NDArray[Any]], Vector] | None:
    try:
        direction = np.asarray(neighbour, dtype=np.float64) - np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if direction.shape != shape:
        return None
    return lambda outputs: np.asarray(outputs.reshape(len(outputs), -1) @ direction.ravel())


# --- statistics: each grows with p and falls with q -------------------------------------------


def _epsilon_statistic(delta: float) -> Statistic:
    def statistic(p: Vector, q: Vector) -> Vector:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p > delta, np.log(np.maximum(p - delta, 0.0)) - np.log(q), -math.inf)

    return statistic


def _delta_statistic(epsilon: float) -> Statistic:
    def statistic(p: Vector, q: Vector) -> Vector:
        with np.errstate(over="ignore"):
            return np.where(q > 0, p - np.exp(np.log(np.maximum(q, 1e-300)) + epsilon), p)

    return statistic


def _mu_statistic(p: Vector, q: Vector) -> Vector:
    from scipy.special import ndtri

    with np.errstate(invalid="ignore"):
        return np.where(p > q, ndtri(p) - ndtri(q), -math.inf)


def _rho_statistic(p: Vector, q: Vector) -> Vector:
    """The largest D_a(Bernoulli(p) || Bernoulli(q)) / a of some orders a."""
    b = np.geomspace(0.01, 1e4, 61)[:, None]  # a - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = (1 + b) * np.log(p) - b * np.log(q)
        no = np.where(p == 1, -math.inf, (1 + b) * np.log1p(-p) - b * np.log1p(-q))
        slopes = np.logaddexp(yes, no) / (b * (1 + b))
    return np.where(p > q, slopes.max(axis=0), -math.inf)


# --- the search ---------------------------------------------------------------------------------


def _bound(
    name: Literal["epsilon", "delta", "mu", "rho"],
    at: float | None,
    statistic: Statistic,
    first: Vector,
    second: Vector,
    outcomes: tuple[Any, ...] | None,
    *,
    confidence: float,
    correction: Correction,
    thresholds: Sequence[float] | None,
) -> LowerBound:
    error = _error(confidence)
    if (correction == "bonferroni") != (thresholds is not None):
        raise ValueError(
            "thresholds must be given for the correction 'bonferroni' and for no other, "
            f"got thresholds={_check.shown(thresholds)} and correction={correction!r}"
        )
    if outcomes is not None and correction != "holdout":
        raise ValueError(
            "correction must be 'holdout' for events that are sets of outcomes, "
            f"got correction={correction!r}"
        )
    if correction == "holdout":
        table, words = _held_out(statistic, first, second, outcomes, error)
    else:
        if correction == "dkw":
            grid = _candidates(first, second)
        else:
            grid = np.array(_check.reals("thresholds", thresholds, _check.EXTENDED_REAL))
        table, words = _uniform(statistic, first, second, grid, error, correction)
    i = int(np.argmax(table.bound))
    value, n, m = float(table.bound[i]), *table.trials
    if table.swapped[i]:
        n, m = m, n
    counts = int(table.counts[0][i]), int(table.counts[1][i])
    estimate = statistic(np.array([counts[0] / n]), np.array([counts[1] / m]))[0]
    return LowerBound(
        name,
        at,
        max(0.0, -_numerics.up(-value)) if value > 0 else 0.0,
        max(0.0, float(estimate)),
        confidence,
        table.events[i],
        bool(table.swapped[i]),
        counts,
        (n, m),
        (float(table.rates[0][i]), float(table.rates[1][i])),
        words,
    )


@dataclass(frozen=True)
class _Table:
    """What each event, in each order of the pair, gives."""

    bound: Vector
    rates: tuple[Vector, Vector]
    counts: tuple[Vector, Vector]
    trials: tuple[int, int]
    swapped: NDArray[np.bool_]
    events: Sequence[Event]


def _tails(first: Vector, second: Vector, grid: Vector) -> tuple[Vector, Vector]:
    """How often a score is >= each threshold, and then how often it is < each, on both sides."""
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
    """Both orders of the pair, for events that happened so many times on the two sides."""
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


def _uniform(
    statistic: Statistic,
    first: Vector,
    second: Vector,
    grid: Vector,
    error: float,
    correction: Correction,
) -> tuple[_Table, str]:
    """Bounds that hold for all thresholds of a grid at once."""
    if correction == "bonferroni":
        # a lower and an upper end for each of two probabilities at each threshold: what holds
        # of a tail holds of its complement
        share = error / (4 * grid.size)
        words = (
            f"Clopper and Pearson (1934), {4 * grid.size} limits that share the error "
            "(Bonferroni's correction)"
        )

        def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
            return _least(counts, n, share), _most(counts, n, share)
    else:
        words = (
            "the inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant (1990), "
            "for all thresholds at once"
        )

        def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
            width = math.sqrt(math.log(4 / error) / (2 * n)) * (1 + _SLACK)
            rates = counts / n
            return np.maximum(rates - width, 0.0), np.minimum(rates + width, 1.0)

    counts = _tails(first, second, grid)
    trials = first.size, second.size
    return _table(statistic, counts, trials, interval, _events(grid)), words


def _held_out(
    statistic: Statistic,
    first: Vector,
    second: Vector,
    outcomes: tuple[Any, ...] | None,
    error: float,
) -> tuple[_Table, str]:
    """One event, chosen by every other run, and counted in the rest of them."""
    training, held = (first[::2], second[::2]), (first[1::2], second[1::2])
    trials = held[0].size, held[1].size
    ratio = None
    if outcomes is not None:
        seen = [np.bincount(x.astype(np.int64), minlength=len(outcomes)) for x in training]
        # where neither side was seen in training, the event is not asked to decide
        ratio = np.where(seen[0] + seen[1] > 0, np.log((seen[0] + 0.5) / (seen[1] + 0.5)), math.nan)
        training = tuple(ratio[x.astype(np.int64)] for x in training)  # type: ignore[assignment]

    def interval(counts: Vector, n: int) -> tuple[Vector, Vector]:
        return _least(counts, n, error / 2), _most(counts, n, error / 2)

    def cautious(counts: Vector, n: int) -> tuple[Vector, Vector]:
        # what the others would certify if these were lucky: of so many events the one with the
        # best limits is too often only the luckiest
        low, high = _least(counts, n, _LUCK), _most(counts, n, _LUCK)
        return interval(n * low, n)[0], interval(n * high, n)[1]

    grid = _candidates(*training)
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
    only = slice(1, 2) if swapped else slice(0, 1)  # the order, too, was chosen before
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
    with np.errstate(invalid="ignore"):  # NaN is an outcome that nobody saw: it is outside
        return scores < event.threshold if event.below else scores >= event.threshold


def _sorted(outcomes: list[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(outcomes))
    except TypeError:  # they have no order
        return tuple(outcomes)


def _candidates(first: Vector, second: Vector) -> Vector:
    """Thresholds among the scores: all of them, or some, the more the nearer to the two ends."""
    values = np.unique(np.concatenate((first, second)))
    if values.size <= _CANDIDATES:
        return values
    steps = np.geomspace(1, values.size / 2, _CANDIDATES // 4)
    even = np.linspace(0, values.size - 1, _CANDIDATES // 2)
    ranks = np.concatenate((steps, values.size - 1 - steps, even)).astype(np.int64)
    return np.asarray(values[np.unique(ranks)])


# --- intervals ----------------------------------------------------------------------------------


def _error(confidence: float) -> float:
    return 1 - _check.real("confidence", confidence, _check.OPEN_PROBABILITY)


def _least(counts: Vector, trials: int, error: float) -> Vector:
    """Below the probability of an event that happened so many times, except with the error."""
    from scipy.special import betaincinv

    at_zero = counts == 0
    found = betaincinv(np.where(at_zero, 1.0, counts), trials - counts + 1, error)
    return np.where(at_zero, 0.0, found * (1 - _SLACK))


def _most(counts: Vector, trials: int, error: float) -> Vector:
    """Above the probability of an event that happened so many times, except with the error."""
    from scipy.special import betainccinv

    at_all = counts == trials
    found = betainccinv(counts + 1, np.where(at_all, 1.0, trials - counts), error)
    return np.where(at_all, 1.0, np.minimum(1.0, found * (1 + _SLACK) + 1e-15))


# --- what was observed --------------------------------------------------------------------------


def _samples(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    score: Score | None,
    events: Kind,
    correction: Correction,
) -> tuple[Vector, Vector, tuple[Any, ...] | None]:
    """Scores of both sides; or numbers of outcomes, and the outcomes."""
    _check.one_of("events", events, ("auto", "thresholds", "outcomes"))
    _check.one_of("correction", correction, ("holdout", "bonferroni", "dkw"))
    first = _answers("outputs", outputs)
    second = _answers("neighbour_outputs", neighbour_outputs)
    ragged = first.dtype.kind == "O" or second.dtype.kind == "O"
    if len(first) != len(second) or (first.shape != second.shape and not ragged):
        raise ValueError(
            "outputs and neighbour_outputs must have the same shape, got outputs of shape "
            f"{first.shape} and neighbour_outputs of shape {second.shape}"
        )
    if score is not None:
        if events == "outcomes":
            raise ValueError(
                f"events must be 'thresholds' where there is a score, got events={events!r}"
            )
        return _scores("outputs", first, score), _scores("neighbour_outputs", second, score), None
    numbers = first.dtype.kind in "biuf" and second.dtype.kind in "biuf" and first.ndim == 1
    if events == "thresholds" and not numbers:
        raise ValueError(
            "score must be given where outputs are not plain numbers, "
            f"got outputs of shape {first.shape} and dtype {first.dtype}"
        )
    by_size = correction != "holdout" or (numbers and _many_values(first, second))
    if events == "thresholds" or (events == "auto" and numbers and by_size):
        return first.astype(np.float64), second.astype(np.float64), None
    if events == "auto" and first.dtype.kind == "f" and first.ndim > 1 and _many_rows(first):
        raise ValueError(
            "score must be given for vectors of real numbers, "
            f"got outputs of shape {first.shape} and score=None"
        )
    return _coded(first, second)


def _many_values(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether numbers are to be compared with thresholds: sets would be chosen by chance."""
    # from the runs that choose, so that the others stay independent of the choice
    return np.unique(np.concatenate((first[::2], second[::2]))).size > math.sqrt(first.size)


def _many_rows(answers: NDArray[Any]) -> bool:
    return len(np.unique(answers[:100].reshape(min(len(answers), 100), -1), axis=0)) > 90


def _answers(name: str, outputs: Any) -> NDArray[Any]:
    """The answers as an array with one row for each run."""
    if isinstance(outputs, (str, bytes, dict, set)) or not hasattr(outputs, "__len__"):
        raise TypeError(
            f"{name} must hold the answers of at least two runs, "
            f"got {name}={_check.shown(outputs)} of type {type(outputs).__name__}"
        )
    try:
        array = np.asarray(outputs)
    except ValueError:
        array = np.empty(0)
    if array.size == 0 and len(outputs):  # answers of different lengths, or of length 0
        array = np.empty(len(outputs), dtype=object)
        for i, row in enumerate(outputs):
            array[i] = tuple(row.tolist()) if isinstance(row, np.ndarray) else row
    if array.ndim == 0 or len(array) < 2:
        raise ValueError(
            f"{name} must hold the answers of at least two runs, got {name}={_check.shown(outputs)}"
        )
    if array.dtype.kind not in "biufSUO":
        raise TypeError(
            f"{name} must hold real numbers or other outcomes, "
            f"got {name}={_check.shown(outputs)} of dtype {array.dtype}"
        )
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name} must not hold NaN, got {name}={_check.shown(outputs)}")
    return array


def _scores(name: str, answers: NDArray[Any], score: Score) -> Vector:
    if isinstance(score, DensityLoss):
        if answers.dtype.kind not in "iuf" or answers.ndim != 1:
            raise ValueError(
                f"{name} must be real numbers where score is a DensityLoss, "
                f"got {name} of shape {answers.shape} and dtype {answers.dtype}"
            )
        x = answers.astype(np.float64)
        raw: ArrayLike = score.log_p(x) - score.log_q(x)
    elif isinstance(score, DiscreteLoss):
        size = score.p.size
        if answers.dtype.kind not in "biu" or answers.ndim != 1 or not np.all(answers < size):
            raise ValueError(
                f"{name} must be integers from 0 to {size - 1}, numbers of the outcomes of the "
                f"DiscreteLoss, got {name} of shape {answers.shape} and dtype {answers.dtype}"
            )
        raw = _numerics.log_ratio(score.p, score.q)[answers.astype(np.int64)]
    elif callable(score):
        raw = score(answers)
    else:
        raise TypeError(
            f"score must be a function or a PrivacyLoss, got score={_check.shown(score)}"
        )
    scores = np.asarray(raw)
    if scores.shape != (len(answers),) or scores.dtype.kind not in "biuf":
        raise ValueError(
            f"score must give one real number for each of {len(answers)} answers, "
            f"got an array of shape {scores.shape} and dtype {scores.dtype}"
        )
    scores = scores.astype(np.float64)
    if np.isnan(scores).any():
        raise ValueError(f"score must not be NaN for any of {name}, got {_check.shown(scores)}")
    return scores


def _coded(
    first: NDArray[Any], second: NDArray[Any]
) -> tuple[Vector, Vector, tuple[Any, ...] | None]:
    """Outcomes as numbers, and what they stand for."""
    numbers: dict[Any, int] = {}
    coded = []
    for answers in (first, second):
        rows = answers.tolist()
        try:
            keys = [_hashable(row) for row in rows]
            coded.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys], float))
        except TypeError:
            raise TypeError(
                "outputs must be hashable where events are sets of outcomes, "
                f"got outputs with {_check.shown(rows[0])}"
            ) from None
    return coded[0], coded[1], tuple(numbers)


def _hashable(row: Any) -> Any:
    return tuple(map(_hashable, row)) if isinstance(row, list) else row
