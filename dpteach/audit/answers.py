"""Outputs of audited mechanisms, converted to scores or to indices of outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _numerics
from dpteach.audit.events import Correction
from dpteach.audit.intervals import Vector
from dpteach.privacy_loss import DensityLoss, DiscreteLoss, PrivacyLoss

Kind = Literal["auto", "thresholds", "outcomes"]
Score = Callable[[NDArray[Any]], ArrayLike] | PrivacyLoss


def observed(
    outputs: ArrayLike,
    neighbour_outputs: ArrayLike,
    score: Score | None,
    events: Kind,
    correction: Correction,
) -> tuple[Vector, Vector, tuple[Any, ...] | None]:
    """Return the outputs on both datasets as scores, or as indices into a tuple of all outcomes.

    The third result is this tuple, or None if the first two are scores.
    """
    _check.one_of("events", events, ("auto", "thresholds", "outcomes"))
    _check.one_of("correction", correction, ("holdout", "bonferroni", "dkw"))
    first = as_answers("outputs", outputs)
    second = as_answers("neighbour_outputs", neighbour_outputs)
    ragged = first.dtype.kind == "O" or second.dtype.kind == "O"
    if len(first) != len(second) or (first.shape != second.shape and not ragged):
        raise ValueError(
            "outputs and neighbour_outputs must have the same shape, got outputs of shape "
            f"{first.shape} and neighbour_outputs of shape {second.shape}"
        )
    if score is not None:
        if events == "outcomes":
            raise ValueError(
                f"events must be 'thresholds' if a score is given, got events={events!r}"
            )
        return _scores("outputs", first, score), _scores("neighbour_outputs", second, score), None
    numbers = first.dtype.kind in "biuf" and second.dtype.kind in "biuf" and first.ndim == 1
    if events == "thresholds" and not numbers:
        raise ValueError(
            "score must be given if outputs are not plain numbers, "
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
    """Return whether outputs take so many values that events must be thresholds, not sets."""
    # look only at every other run: these runs also choose the event, and the remaining runs stay
    # independent of the choice
    return np.unique(np.concatenate((first[::2], second[::2]))).size > math.sqrt(first.size)


def _many_rows(answers: NDArray[Any]) -> bool:
    return len(np.unique(answers[:100].reshape(min(len(answers), 100), -1), axis=0)) > 90


def as_answers(name: str, outputs: Any) -> NDArray[Any]:
    """Return the outputs as an array with one row for each run."""
    if isinstance(outputs, (str, bytes, dict, set)) or not hasattr(outputs, "__len__"):
        raise TypeError(
            f"{name} must hold at least two runs, "
            f"got {name}={_check.shown(outputs)} of type {type(outputs).__name__}"
        )
    try:
        array = np.asarray(outputs)
    except ValueError:
        array = np.empty(0)
    # an array of size 0 for several outputs means that they differ in length or are all empty
    if array.size == 0 and len(outputs):
        array = np.empty(len(outputs), dtype=object)
        for i, row in enumerate(outputs):
            array[i] = tuple(row.tolist()) if isinstance(row, np.ndarray) else row
    if array.ndim == 0 or len(array) < 2:
        raise ValueError(f"{name} must hold at least two runs, got {name}={_check.shown(outputs)}")
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
                f"{name} must be real numbers if score is a DensityLoss, "
                f"got {name} of shape {answers.shape} and dtype {answers.dtype}"
            )
        x = answers.astype(np.float64)
        raw: ArrayLike = score.log_p(x) - score.log_q(x)
    elif isinstance(score, DiscreteLoss):
        size = score.p.size
        numbered = answers.dtype.kind in "biu" and answers.ndim == 1
        if not numbered or not np.all((answers >= 0) & (answers < size)):
            raise ValueError(
                f"{name} must be integers from 0 to {size - 1}, indices of the outcomes of the "
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
            f"score must give one real number for each of {len(answers)} outputs, "
            f"got an array of shape {scores.shape} and dtype {scores.dtype}"
        )
    scores = scores.astype(np.float64)
    if np.isnan(scores).any():
        raise ValueError(f"score must not be NaN for any of {name}, got {_check.shown(scores)}")
    return scores


def _coded(
    first: NDArray[Any], second: NDArray[Any]
) -> tuple[Vector, Vector, tuple[Any, ...] | None]:
    """Return the outputs on both datasets as indices into a tuple of outcomes, and this tuple."""
    numbers: dict[Any, int] = {}
    coded = []
    for answers in (first, second):
        rows = answers.tolist()
        try:
            keys = [_hashable(row) for row in rows]
            coded.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys], float))
        except TypeError:
            raise TypeError(
                "outputs must be hashable if events are sets of outcomes, "
                f"got outputs with {_check.shown(rows[0])}"
            ) from None
    return coded[0], coded[1], tuple(numbers)


def _hashable(row: Any) -> Any:
    return tuple(map(_hashable, row)) if isinstance(row, list) else row
