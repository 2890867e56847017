"""The verdict on a check: a pure function of its declaration and of what was observed.

`judge` needs neither the student's function nor the reference: it can run in another process
than the one that called the function. Its `Verdict` holds what a student may be told. For a
hidden case that is the case in words; never its arguments, the expected value, or the value that
came back (a function could return its argument).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpteach.grading.judging.credit import earning
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.failures import Failure, all_of
from dpteach.grading.kinds.kind import reads
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.registry import KINDS


def judge(
    declaration: Mapping[str, Any], outcomes: object, witness: Sequence[bool | str] = ()
) -> Verdict:
    """The verdict on one part (visible or hidden) of a check.

    Parameters
    ----------
    declaration
        The part as data, as `dpteach.grading.author.parts.declared` writes it.
    outcomes
        What `observe.observe` saw, or anything else that came in its place: what
        is no outcome, and what is missing, counts as not right.
    witness
        For a student's own test: for each suspect, whether it has been asked something that it
        answers wrongly, and if by NaN (`dpteach.grading.kinds.suspects.Replier.witness`).

    Returns
    -------
    Verdict

    Examples
    --------
    >>> case = {"args": [2], "kwargs": {}, "words": None, "expected": 4, "mistakes": [{"value": 8}]}
    >>> part = {"kind": "values", "name": "square", "points": 1, "call": "square", "hidden": False,
    ...         "book": "renyi_dp#x", "compare": {"relative": 1e-9, "absolute": 0.0},
    ...         "recognise": [{"relative": 1e-9, "absolute": 0.0}], "builds_on": [],
    ...         "messages": ["That is the cube."], "cases": [case]}
    >>> judge(part, [{"value": 4.0}]).passed
    True
    >>> judge(part, [{"value": 8}]).misconception
    'That is the cube.'
    >>> judge(part, "forged").returned
    'something that the grader cannot read'
    """
    kind = KINDS[declaration["kind"]]
    cases = declaration.get("suspects") or declaration["cases"]
    with np.errstate(all="ignore"):  # answers may be as large as floats get
        answered = cleaned(outcomes, declaration)
        found = _unrefuted(cases, kind.judged(declaration, answered, witness))
    failures = [
        (case, failure) for case, failure in zip(cases, found, strict=True) if failure is not None
    ]
    # a right implementation that a test rejects is the reason for nothing at all: it is told first
    failures.sort(key=lambda both: not both[0].get("right"))
    earned, of = earning(declaration, found)
    about: dict[str, Any] = {
        "name": str(declaration["name"]),
        "points": float(declaration["points"]),
        "book": str(declaration["book"]),
        "place": str(declaration.get("place", "")),
        "hidden": bool(declaration["hidden"]),
        "tried": len(cases),
        "failed": len(failures),
        "earned": earned,
        "of": of,
        "so_far": kind.so_far,
        "form_only": kind.form_only,
        "said": "" if kind.said is None else kind.said(declaration, answered, found),
    }
    if not failures:
        return Verdict(**about, promise=str(declaration.get("promise", "")))
    case, failure = failures[0]
    fitting = () if failure.misconception else _explaining([one for _, one in failures])
    named = failure.told if fitting else ""
    named = named or all_of(declaration["messages"], fitting)
    return Verdict(
        **about,
        called=_called(declaration, case),
        returned=failure.returned,
        expected=failure.expected,
        misconception=failure.misconception or named or failure.fallback,
        mistake=min(fitting, default=None),
        failures=tuple(_told(declaration, case, failure) for case, failure in failures),
        picture=_picture(declaration, failure),
        promise=str(declaration.get("promise", "")) if failure.by_chance else "",
    )


def _unrefuted(
    cases: Sequence[Mapping[str, Any]], found: Sequence[Failure | None]
) -> list[Failure | None]:
    """The failures without the mistakes that a right answer refutes.

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


def _picture(declaration: Mapping[str, Any], failure: Failure) -> dict[str, Any] | None:
    return None if declaration["hidden"] else failure.picture


def _told(
    declaration: Mapping[str, Any], case: Mapping[str, Any], failure: Failure
) -> dict[str, Any]:
    """One failure as data."""
    named = failure.told if failure.mistakes else ""
    named = named or all_of(declaration["messages"], sorted(failure.mistakes))
    return {
        "called": _called(declaration, case),
        "returned": failure.returned,
        "expected": failure.expected,
        "misconception": failure.misconception or named or failure.fallback,
        "picture": _picture(declaration, failure),
    }


def _explaining(failures: Sequence[Failure]) -> tuple[int, ...]:
    """The mistakes that explain the first failure, and most of the others."""
    counts = {
        i: sum(i in failure.mistakes for failure in failures) for i in sorted(failures[0].mistakes)
    }
    return tuple(i for i, count in counts.items() if count == max(counts.values()))


def _called(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    return (KINDS[declaration["kind"]].called or reads)(declaration, case)
