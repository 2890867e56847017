"""The verdict on a check: a pure function of its declaration and of what was observed.

`judge` needs neither the student's function nor the reference: it can run in another process
than the one that called the function. Its `Verdict` holds what a student may be told. For a
hidden case that is the case in words; never its arguments, the expected value, or the value that
came back (a function could return its argument).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpteach.grading.core.specification import Part, asked_about
from dpteach.grading.judging.credit import earning
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.failures import Failure, all_of
from dpteach.grading.kinds.kind import Found, Witness
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.registry import of_part


def judge(part: Part[Any], outcomes: object, witness: Witness = ()) -> Verdict:
    """Return the verdict on one part (visible or hidden) of a check.

    Parameters
    ----------
    outcomes
        What `observe.observe` saw, or anything else that came in its place: what
        is no outcome, and what is missing, counts as not right.
    witness
        For a student's own test: for each suspect, whether it has been asked something that it
        answers wrongly, and if by NaN (`dpteach.grading.kinds.tests.replier.Replier.witness`).

    Returns
    -------
    Verdict

    Examples
    --------
    >>> case = {"args": [2], "kwargs": {}, "words": None, "expected": 4, "mistakes": [{"value": 8}]}
    >>> part = {"kind": "values", "name": "square", "points": 1, "call": "square", "hidden": False,
    ...         "book": "renyi_dp#x", "place": "", "compare": {"relative": 1e-9, "absolute": 0.0},
    ...         "recognise": [{"relative": 1e-9, "absolute": 0.0}], "builds_on": [],
    ...         "messages": ["That is the cube."], "cases": [case]}
    >>> judge(part, [{"value": 4.0}]).passed
    True
    >>> judge(part, [{"value": 8}]).misconception
    'That is the cube.'
    >>> judge(part, "forged").returned
    'something that the grader cannot read'
    """
    kind, cases = of_part(part), asked_about(part)
    with np.errstate(all="ignore"):  # answers may be as large as floats get
        answered = cleaned(outcomes, part)
        found = _unrefuted(cases, kind.judged(part, answered, witness))
    failures = [
        (case, failure) for case, failure in zip(cases, found, strict=True) if failure is not None
    ]
    # a right implementation that a test rejects is the reason for nothing at all: it is told first
    failures.sort(key=lambda both: not both[0].get("right"))
    earned, of = earning(part, found)
    promise: Any = part.get("promise", "")
    verdict = Verdict(
        name=part["name"],
        kind=part["kind"],
        points=float(part["points"]),
        book=part["book"],
        place=part.get("place", ""),
        hidden=part["hidden"],
        tried=len(cases),
        failed=len(failures),
        earned=earned,
        of=of,
        so_far=kind.so_far,
        form_only=kind.form_only,
        said="" if kind.said is None else kind.said(part, answered, found),
        promise=promise,
    )
    if not failures:
        return verdict
    case, failure = failures[0]
    fitting = () if failure.misconception else _explaining([one for _, one in failures])
    return replace(
        verdict,
        **_told(part, case, failure, fitting),
        mistake=min(fitting, default=None),
        failures=tuple(_told(part, case, one, sorted(one.mistakes)) for case, one in failures),
        promise=promise if failure.by_chance else "",
    )


def _unrefuted(cases: Sequence[Any], found: Found) -> list[Failure | None]:
    """Return the failures without the mistakes that a right answer refutes.

    A mistake that is None on a case is right there. A refusal refutes nothing: the formula behind
    it may still be the wrong one.
    """
    refuted = {
        i
        for case, failure in zip(cases, found, strict=True)
        if failure is None and not case.get("raises")
        for i, wrong in enumerate(case.get("mistakes", ()))
        if wrong is not None
    }
    return [one and replace(one, mistakes=one.mistakes - refuted) for one in found]


def _told(part: Part[Any], case: Any, failure: Failure, fitting: Sequence[int]) -> dict[str, Any]:
    """Return one failure as data; `fitting` are the mistakes of which the student is told."""
    named = failure.told if fitting else ""
    named = named or all_of(part["messages"], fitting)
    return {
        "called": of_part(part).called(part, case),
        "returned": failure.returned,
        "expected": failure.expected,
        "misconception": failure.misconception or named or failure.fallback,
        "code": failure.code,
        "open": failure.open,
        "picture": None if part["hidden"] else failure.picture,
    }


def _explaining(failures: Sequence[Failure]) -> tuple[int, ...]:
    """Return the mistakes that explain the first failure, and most of the others."""
    counts = {
        i: sum(i in failure.mistakes for failure in failures) for i in sorted(failures[0].mistakes)
    }
    return tuple(i for i, count in counts.items() if count == max(counts.values()))
