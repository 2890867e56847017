r"""Is a mechanism of which only claims are known as private and as accurate as it must be?

The law of the answers is free. Each test has a share a of the false-alarm probability, and fails
a mechanism that keeps its claims with probability at most a:

``privacy``
    A lower bound on the epsilon of (epsilon, delta)-DP from the answers on two neighbours
    (`dpteach.audit.epsilon_lower_bound`), wrong with probability at most a. Every other answer
    chooses the event and the order of the two neighbours, and the other half is counted, with the
    limits of Clopper and Pearson at a/2 for each of the two probabilities. Events are one side of
    a threshold for a number, and sets of answers where answers repeat; each claim and each kind of
    event has an equal share.
``mean error``
    Errors e are cut off at c times the largest mean error u that is allowed, so that min(e, cu)/cu
    lies in [0, 1] and has a mean of at most 1/c. By Hoeffding (1963, theorem 1) the mean of n of
    them is m > 1/c or more with probability at most exp(-n kl(m, 1/c)), kl the Kullback-Leibler
    divergence of two coins.
``tail error``
    How many errors are above t; each is with probability q at most, so the same bound holds with
    q for 1/c.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.judging.laws import Floats
from dpteach.grading.judging.statistics import (
    NAMED_AT,
    USED,
    Finding,
    distance_threshold,
    unlikely,
)

#: errors are cut off at so many times the mean error that is allowed
CUT: Final = 8

#: epsilon may be exceeded by this share for the rounding of floats
SLACK: Final = 1e-9

#: at how many places the law of a declared mistake is kept
PLACES: Final = 64


def errors(answers: Any, audit: Mapping[str, Any]) -> Floats:
    """The error of each answer: the mean absolute error of its coordinates; of a category 0 or 1.

    Parameters
    ----------
    answers
        One row a call; for categories a list of atoms.
    audit
        The case's ``"audit"`` entry.
    """
    if audit["answers"] == "category":
        return np.array([float(answer != audit["truth"]) for answer in answers])
    truth = np.asarray(decode(audit["truth"]), dtype=np.float64)
    table = np.asarray(answers, dtype=np.float64)
    with np.errstate(over="ignore"):
        off = np.abs(table - truth).reshape(len(table), -1)
        return np.asarray(np.mean(off, axis=1), dtype=np.float64)


def accuracy_finding(answers: Any, audit: Mapping[str, Any], false_alarm: float) -> Finding | None:
    """The first accuracy claim that answers of independent calls refute, or None.

    Examples
    --------
    >>> audit = {"answers": "real", "truth": 0.0, "mean_error": 1.0, "tail_error": None}
    >>> noise = np.random.default_rng(0).laplace(size=5000)
    >>> accuracy_finding(noise, audit, 1e-9) is None
    True
    >>> accuracy_finding(2 * noise, audit, 1e-9).test
    'mean error'
    """
    found = errors(answers, audit)
    n = len(found)
    claims = [c for c in ("mean_error", "tail_error") if audit[c] is not None]
    # the bound is one-sided: half of what `unlikely` is given
    level = 2 * USED * false_alarm / max(1, len(claims))
    if audit["mean_error"] is not None:
        most = float(audit["mean_error"])
        mean = float(np.mean(np.minimum(found, CUT * most))) / (CUT * most)
        if mean > 1 / CUT and unlikely(n * mean, n, 1 / CUT, level):
            return Finding(
                "mean error",
                "the answers are too far from the true value on average",
                f"the mean absolute error is about {_short(float(np.mean(found)))}, allowed is "
                f"{_short(most)}",
            )
    if audit["tail_error"] is not None:
        t, q = (float(x) for x in audit["tail_error"])
        count = int(np.count_nonzero(found > t))
        if count > n * q and unlikely(count, n, q, level):
            return Finding(
                "tail error",
                "too many answers are far from the true value",
                f"{count} of {n} errors are above {_short(t)}, allowed is a probability of "
                f"{_short(q)}",
            )
    return None


def privacy_finding(
    first: Any,
    second: Any,
    audits: tuple[Mapping[str, Any], Mapping[str, Any]],
    false_alarm: float,
) -> Finding | None:
    """The first privacy claim that the answers on two neighbours refute, or None.

    Parameters
    ----------
    first, second
        Answers of as many independent calls on each.
    audits
        The ``"audit"`` entries of the two cases.
    false_alarm
        The probability with which a right mechanism may be failed.

    Examples
    --------
    >>> def case(truth):
    ...     return {"answers": "real", "truth": truth, "claims": [[1.0, 0.0]]}
    >>> noise = np.random.default_rng(0).laplace(size=(2, 10_000))
    >>> pair = case(0.0), case(1.0)
    >>> privacy_finding(noise[0], 1 + noise[1], pair, 1e-9) is None
    True
    >>> privacy_finding(noise[0] / 2, 1 + noise[1] / 2, pair, 1e-9).test
    'privacy'
    """
    from dpteach.audit import epsilon_lower_bound

    kinds = _kinds(first, second, audits)
    claims = audits[0]["claims"]
    # one share for each kind of event that there may be, whether the answers have it or not
    level = USED * false_alarm / (2 * len(claims))
    for epsilon, delta in claims:
        for events, one, other in kinds:
            bound = epsilon_lower_bound(
                one, other, delta=float(delta), confidence=1 - level, events=events
            )
            if bound.value > float(epsilon) * (1 + SLACK) + SLACK:
                claim = f"({_short(float(epsilon))}, {_short(float(delta))})-DP"
                order = "second" if bound.swapped else "first"
                return Finding(
                    "privacy",
                    "the answers tell this input from its neighbour better than the claim allows",
                    f"epsilon is at least {_short(bound.value)} (claimed is {claim}): on the "
                    f"{order} of the two inputs an event occurred {bound.counts[0]} times in "
                    f"{bound.trials[0]}, on the other one {bound.counts[1]} times",
                )
    return None


def _kinds(
    first: Any, second: Any, audits: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> list[tuple[Any, Any, Any]]:
    """Which events to look for, and in what."""
    if audits[0]["answers"] == "category":
        return [("outcomes", _numbers(first, audits), _numbers(second, audits))]
    found: list[tuple[Any, Any, Any]] = [
        ("thresholds", score(first, audits), score(second, audits))
    ]
    rows = [np.asarray(x, dtype=np.float64).reshape(len(x), -1) for x in (first, second)]
    column = np.sort(np.concatenate([x[:, 0] for x in rows]))
    if np.any(column[1:] == column[:-1]):
        flat = [x[:, 0] if x.shape[1] == 1 else x for x in rows]
        found.append(("outcomes", flat[0], flat[1]))
    return found


def score(answers: Any, audits: tuple[Mapping[str, Any], Mapping[str, Any]]) -> Floats:
    """A number for each answer, the larger the nearer to the second of two neighbours."""
    truths = [np.asarray(decode(audit["truth"]), dtype=np.float64) for audit in audits]
    table = np.asarray(answers, dtype=np.float64)
    toward = np.sign(truths[1] - truths[0])
    if not np.any(toward):
        toward = np.ones_like(toward)
    with np.errstate(over="ignore", invalid="ignore"):
        found = ((table - truths[0]) * toward).reshape(len(table), -1).sum(axis=1)
    # infinities of both signs may have met; any number will do for such an answer
    return np.asarray(np.nan_to_num(found), dtype=np.float64)


def places(answers: Any, audits: tuple[Mapping[str, Any], Mapping[str, Any]]) -> dict[str, Any]:
    """The law of a mistake's answers at some places, as data for `alike`."""
    found = _numbers(answers, audits)
    points = np.unique(np.quantile(found, np.linspace(0.01, 0.99, PLACES)))
    below = np.searchsorted(np.sort(found), points, side="right") / len(found)
    return {"points": points.tolist(), "below": below.tolist(), "n": len(found)}


def alike(
    answers: Any, audits: tuple[Mapping[str, Any], Mapping[str, Any]], known: Mapping[str, Any]
) -> bool:
    """Whether answers look like those of a mistake: to name it, not to judge."""
    found = _numbers(answers, audits)
    below = np.searchsorted(np.sort(found), known["points"], side="right") / len(found)
    far = distance_threshold(len(found), NAMED_AT) + distance_threshold(int(known["n"]), NAMED_AT)
    return bool(np.max(np.abs(below - np.asarray(known["below"]))) <= far)


def _numbers(answers: Any, audits: tuple[Mapping[str, Any], Mapping[str, Any]]) -> Floats:
    if audits[0]["answers"] == "category":
        atoms = {atom: float(i) for i, atom in enumerate(audits[0]["atoms"])}
        return np.array([atoms.get(answer, -1.0) for answer in answers])
    return score(answers, audits)


def _short(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else shown(value)
