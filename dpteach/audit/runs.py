"""Audits that run a mechanism many times on two neighboring datasets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.audit.answers import Kind, Score, as_answers
from dpteach.audit.bounds import LowerBound, epsilon_lower_bound
from dpteach.audit.intervals import Vector, allowed_error
from dpteach.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    PostProcessed,
    RandomizedResponse,
    Snapping,
)
from dpteach.mechanisms._base import AdditiveNoise
from dpteach.mechanisms._integers import IntegerNoise
from dpteach.mechanisms._selection import Selection
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP

#: mechanisms whose `release`, given an array of equal values, returns independent outputs
_BATCHED = (
    AdditiveNoise,
    IntegerNoise,
    KaryRandomizedResponse,
    RandomizedResponse,
    Selection,
    Snapping,
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
    """Run a mechanism on two neighbors and bound its epsilon from below.

    Parameters
    ----------
    mechanism : Mechanism or callable
        A mechanism object, or a function of a true value and a generator that returns one output.
    value, neighbour : array_like
        True values on two neighboring datasets, as the mechanism accepts them. The function does
        not check that they are neighbors; no guarantee covers values farther apart.
    trials : int
        The number of runs on each value, at least 2. Half of the runs choose an event (a set of
        outputs), and the other half count how often it occurs.
    rng : numpy.random.Generator
    delta : float
        In [0, 1].
    confidence : float
        In (0, 1).
    score, events
        How outputs become numbers (scores) and which events are compared, as for
        `epsilon_lower_bound`. By default the score of a real vector is its projection on the
        difference of the two true values, if these have the shape of the vector.
    claim : Guarantee, optional
        The guarantee with which to compare the bound. The default is the first of ApproxDP,
        PureDP, GaussianDP and ZCDP that a theorem proves for a mechanism object.

    Returns
    -------
    LowerBound

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the mechanism itself raises such an error.

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
    allowed_error(confidence)
    if claim is not None:
        _check.instance("claim", claim, Guarantee)
    elif isinstance(mechanism, Mechanism):
        claim = _claim_of(mechanism, delta)
    outputs = as_answers("outputs", _runs(mechanism, value, trials, rng))
    others = as_answers("neighbour_outputs", _runs(mechanism, neighbour, trials, rng))
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
        true = np.asarray(value)  # keep the type, because a mechanism for integers refuses floats
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
        # no theorem gives this notion's guarantee, or none gives a finite epsilon at this delta
        except (TypeError, ValueError):
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
