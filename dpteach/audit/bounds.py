"""Lower bounds on the parameter of a privacy notion, from samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dpteach import _check, _numerics
from dpteach._language import catalog
from dpteach.audit.answers import Kind, Score, observed
from dpteach.audit.events import Correction, Event, Statistic, candidates, held_out, uniform
from dpteach.audit.intervals import Vector, allowed_error, least, most
from dpteach.notions import ZCDP, Explanation, GaussianDP, Guarantee

_, _n = catalog("audit")


@dataclass(frozen=True)
class LowerBound:
    """A lower bound on a privacy parameter, from samples; ``str`` explains it in words.

    Attributes
    ----------
    name : {"epsilon", "delta", "mu", "rho"}
        The parameter.
    at : float or None
        The delta at which epsilon is bounded, or the epsilon at which delta is bounded; None for
        mu and rho.
    value : float
        The bound, which holds with the stated confidence; 0 if none was found.
    estimate : float
        The value of the bound's formula at the observed rates of the event; an estimate, not a
        bound.
    confidence : float
        The probability that the bound is true, over the randomness of the runs.
    event : Event
        The event whose probabilities on both datasets give the bound.
    swapped : bool
        Whether the event is more likely on the neighbor than on the dataset.
    counts, trials : (int, int)
        The counts of the event and the numbers of runs; the first number of each pair is for the
        dataset on which the event is more likely.
    rates : (float, float)
        A lower bound on the larger probability of the event, and an upper bound on the smaller
        one.
    correction : str
        The correction for the search for the event.
    claim : Guarantee or None
        The guarantee with which the bound is compared.

    Examples
    --------
    >>> from dpteach import PureDP
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
        """Return whether the bound refutes a claimed guarantee, with the stated confidence.

        Parameters
        ----------
        claim : Guarantee, optional
            The claimed guarantee; by default `LowerBound.claim`. A bound on epsilon or delta can
            refute claims of any notion, a bound on mu only GaussianDP claims, and a bound on rho
            only ZCDP claims.

        Raises
        ------
        TypeError
            If there is no claim, or its notion does not fit the bound.

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
        """Explain how the bound was computed.

        Returns
        -------
        Explanation
            An explanation of kind "lower bound".

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> found = delta_lower_bound(
        ...     rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000), epsilon=1.0)
        >>> found.explain().kind, round(found.explain().value, 3)
        ('lower bound', 0.106)
        """
        names = [_("the dataset"), _("the neighbor")]
        where, other = reversed(names) if self.swapped else names
        note = _(
            "True with confidence {percent:.10g} %. The event is that {event}: {count} of {runs} "
            "runs on {where}, {others} of {other_runs} on {other}, which estimates {estimate:.6g}.",
            percent=100 * self.confidence,
            event=self.event,
            count=self.counts[0],
            runs=self.trials[0],
            where=where,
            others=self.counts[1],
            other_runs=self.trials[1],
            other=other,
            estimate=self.estimate,
        )
        if self.claim is not None:
            claim, number = self.claim, self._claimed(self.claim)
            if self.contradicts():
                more = _(
                    "It contradicts {claim!r}, whose value is {number:.6g}.",
                    claim=claim,
                    number=number,
                )
            else:
                more = _(
                    "It does not contradict {claim!r}, whose value is {number:.6g}.",
                    claim=claim,
                    number=number,
                )
            note = f"{note} {more}"
        quantity: str = self.name
        if self.at is not None:
            given = "delta" if quantity == "epsilon" else "epsilon"
            quantity = _("{name} at {given}={at:g}", name=quantity, given=given, at=self.at)
        return Explanation(self.value, quantity, self.correction, "lower bound", note=note)

    def __str__(self) -> str:
        return str(self.explain())


def binomial_interval(count: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval for a probability, from a count of independent runs.

    For every true probability, each end is wrong with probability at most (1 - confidence)/2.

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
    error = allowed_error(confidence) / 2
    counts = np.array([float(count)])
    return float(least(counts, trials, error)[0]), float(most(counts, trials, error)[0])


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
    """Return a lower bound on the epsilon of (epsilon, delta)-DP, from runs on two neighbors.

    The event that gives the bound may be more likely on the dataset or on the neighbor: both
    directions are tried.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        The outputs of n independent runs on a dataset, and of n runs on a neighbor: numbers or,
        for ``events="outcomes"``, hashable objects.
    delta : float
        In [0, 1].
    confidence : float
        In (0, 1).
    score : callable or PrivacyLoss, optional
        A function from an array of all outputs, of shape (n, ...), to one number for each. The
        event is a score on one side of a threshold. Every function chosen before the runs is
        valid, and the bound is best if the score increases with the likelihood ratio. A
        `PrivacyLoss` gives the log likelihood ratio itself: a `DensityLoss` accepts real outputs
        and a `DiscreteLoss` indices of outcomes. By default a numeric output is its own score.
    events : {"auto", "thresholds", "outcomes"}
        With ``"thresholds"``, the event is a score on one side of a threshold; with
        ``"outcomes"``, it is a set of outputs, chosen by their frequencies in half of the runs.
        The default without a score is thresholds for numbers with many values, and outcomes
        otherwise.
    correction : {"holdout", "bonferroni", "dkw"}
        See `dpteach.audit`. The last two are for thresholds only.
    thresholds : sequence of float, optional
        For ``"bonferroni"`` only; chosen before the runs.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        If the numbers of runs differ or are below two, or if outputs differ in shape, contain NaN,
        or do not fit `events`.

    References
    ----------
    Jagielski, Ullman and Oprea (2020), algorithm 2, for Clopper-Pearson intervals; Ding, Wang,
    Wang, Zhang and Kifer (2018) for a search on separate runs.

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
        *observed(outputs, neighbour_outputs, score, events, correction),
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
    """Return a lower bound on the delta of (epsilon, delta)-DP, from runs on two neighbors.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        As for `epsilon_lower_bound`.
    epsilon : float
        In [0, inf), in nats. At 0, the result bounds the total variation distance.
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
        *observed(outputs, neighbour_outputs, score, events, correction),
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
    """Return a lower bound on the mu of Gaussian DP, from an event's frequencies on two datasets.

    The bound is Phi^-1(p) - Phi^-1(q), with a lower bound p on the probability of the event on the
    dataset where it is more likely, and an upper bound q on its probability on the other.

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
    Dong, Roth and Su (2022), definition 4: a test with false positive rate q has power
    at most Phi(mu + Phi^-1(q)).

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
        *observed(outputs, neighbour_outputs, score, events, correction),
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
    """Return a lower bound on the rho of zCDP, from an event's frequencies on two datasets.

    Parameters
    ----------
    outputs, neighbour_outputs : array_like of shape (n,) or (n, ...)
        As for `epsilon_lower_bound`.
    confidence, score, events, correction, thresholds
        As for `epsilon_lower_bound`.

    Returns
    -------
    LowerBound
        The bound uses only whether an event happened, which carries less information than the
        whole output. So it stays below the rho of Gaussian noise, even with infinitely many runs.

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
        *observed(outputs, neighbour_outputs, score, events, correction),
        confidence=confidence,
        correction=correction,
        thresholds=thresholds,
    )


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
    """Return the largest D_a(Bernoulli(p) || Bernoulli(q)) / a over a grid of orders a."""
    b = np.geomspace(0.01, 1e4, 61)[:, None]  # b = order - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = (1 + b) * np.log(p) - b * np.log(q)
        no = np.where(p == 1, -math.inf, (1 + b) * np.log1p(-p) - b * np.log1p(-q))
        slopes = np.logaddexp(yes, no) / (b * (1 + b))
    return np.where(p > q, slopes.max(axis=0), -math.inf)


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
    error = allowed_error(confidence)
    if (correction == "bonferroni") != (thresholds is not None):
        raise ValueError(
            "thresholds must be given for the correction 'bonferroni' and no other, "
            f"got thresholds={_check.shown(thresholds)} and correction={correction!r}"
        )
    if outcomes is not None and correction != "holdout":
        raise ValueError(
            "correction must be 'holdout' for events that are sets of outcomes, "
            f"got correction={correction!r}"
        )
    if correction == "holdout":
        table, words = held_out(statistic, first, second, outcomes, error)
    else:
        if correction == "dkw":
            grid = candidates(first, second)
        else:
            grid = np.array(_check.reals("thresholds", thresholds, _check.EXTENDED_REAL))
        table, words = uniform(statistic, first, second, grid, error, correction)
    i = int(np.argmax(table.bound))
    # the numbers of runs on both datasets are equal, so n and m also fit if the direction is
    # swapped
    value, (n, m) = float(table.bound[i]), table.trials
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
