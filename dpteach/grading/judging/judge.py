"""The verdict on a check, computed from the right answers and what the student's function returned.

`judge` calls neither the student's function nor the reference solution, so it can run in another
process than the student's function. The `Verdict` holds only information that a student may see.
About a hidden case it contains the description of the case, but never the arguments, the expected
value, or the returned value (because a function could return its argument).
"""

from __future__ import annotations

from collections import defaultdict
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
        The list that `observe.observe` returned, or any other data from the kernel; invalid and
        missing entries count as wrong.
    witness
        For a student's own test: for each implementation that the test examines, whether it
        returned a wrong value to the test, as `dpteach.grading.kinds.kind.Witness` explains. Empty
        for other checks.

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
    'an answer that is or contains something that the grader cannot read'
    """
    kind, cases = of_part(part), asked_about(part)
    # a student's function may return very large floats; numpy must not warn of overflow with them
    with np.errstate(all="ignore"):
        answered = cleaned(outcomes, part)
        found = _unrefuted(cases, kind.judged(part, answered, witness))
    failures = [
        (case, failure) for case, failure in zip(cases, found, strict=True) if failure is not None
    ]
    # a student's test earns nothing if it rejects a right implementation, so put the rejected right
    # implementations at the front of the list
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
    wrong = len(failures)
    # A function that always returns the same value may agree with a declared mistake on a few
    # cases by chance. If all answers are equal, feedback therefore mentions a mistake only if it
    # explains all wrong cases.
    least = wrong if _constant(answered) else max(min(2, wrong), (wrong + 1) // 2)
    named, explains = _named(part["messages"], [one for _, one in failures], least)
    told = tuple(_told(part, case, one, named) for case, one in failures)
    _, first = failures[0]
    if named and (section := part.get("sections", {}).get(part["messages"][named[0]])):
        verdict = replace(verdict, book=section[0], place=section[1])
    verdict = replace(verdict, **told[0], failures=told, promise=promise if first.by_chance else "")
    if first.misconception or not named:
        return verdict
    message = first.told or all_of(part["messages"], named)
    return replace(verdict, misconception=message, mistake=named[0], explains=explains)


def _unrefuted(cases: Sequence[Any], found: Found) -> list[Failure | None]:
    """Return the failures, without the declared mistakes that the student cannot have made.

    A failure lists the declared mistakes that give the student's wrong answer. But if the student
    answered another case rightly, the student has made no mistake that gives a wrong answer there.
    ``case["mistakes"]`` has the wrong answer that each mistake gives to the case, or None if the
    mistake gives the right answer. A case in which the function must raise an error rules out no
    mistake, because the student's formula for other arguments may still be wrong.
    """
    refuted = {
        i
        for case, failure in zip(cases, found, strict=True)
        if failure is None and not case.get("raises")
        for i, wrong in enumerate(case.get("mistakes", ()))
        if wrong is not None
    }
    return [one and replace(one, mistakes=one.mistakes - refuted) for one in found]


def _told(part: Part[Any], case: Any, failure: Failure, named: Sequence[int]) -> dict[str, Any]:
    """Return a failed case as JSON data, with the messages of the mistakes that explain it.

    Only mistakes whose indices are in `named` are mentioned.
    """
    fitting = [i for i in named if i in failure.mistakes]
    message = failure.told if fitting else ""
    message = message or all_of(part["messages"], fitting)
    return {
        "called": of_part(part).called(part, case),
        "returned": failure.returned,
        "expected": failure.expected,
        "misconception": failure.misconception or message or failure.fallback,
        "code": failure.code,
        "open": failure.open,
        "picture": None if part["hidden"] else failure.picture,
    }


def _constant(outcomes: Sequence[Any]) -> bool:
    """Return whether a student's function returned the same value on all cases."""
    return len({repr(one.get("value", one)) for one in outcomes}) == 1


def _named(
    messages: Sequence[str], failures: Sequence[Failure], least: int
) -> tuple[list[int], int]:
    """Return the indices of the mistakes that feedback names, and how many failures they explain.

    Mistakes with the same message count as one. A returned mistake explains at least `least`
    failures, and no other mistake explains more. If two mistakes explain equally many failures,
    but different failures, the causes are mixed and no mistake is returned.
    """
    explained: dict[str, set[int]] = defaultdict(set)
    for place, failure in enumerate(failures):
        for i in failure.mistakes:
            explained[messages[i]].add(place)
    most = max(explained.values(), key=len, default=set())
    best = {message for message, places in explained.items() if len(places) == len(most)}
    if len(most) < least or any(explained[message] != most for message in best):
        return [], 0
    known = frozenset[int]().union(*(failure.mistakes for failure in failures))
    return sorted(i for i in known if messages[i] in best), len(most)
