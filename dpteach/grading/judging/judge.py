"""The verdict on a check: a pure function of its declaration and of what was observed.

`judge` needs neither the student's function nor the reference: it can run in another process
than the one that called the function. Its `Verdict` holds what a student may be told. For a
hidden case that is the case in words; never its arguments, the expected value, or the value that
came back (a function could return its argument).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.reasons import IN_WORDS
from dpteach.grading.judging._failures import Failure, error_text, is_nan, kind_note, odd, rough
from dpteach.grading.judging._judge_random import judge_audit, judge_random
from dpteach.grading.judging.credit import earning
from dpteach.grading.judging.outcomes import cleaned
from dpteach.grading.judging.verdict import Verdict

#: how many calls a student's test may make of one implementation
MAX_REQUESTS = 1_000


def judge(
    declaration: Mapping[str, Any], outcomes: object, witness: Sequence[bool] = ()
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
        answers wrongly (`dpteach.grading.judging.suspects.Replier.witness`).

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
    cases = declaration.get("suspects") or declaration["cases"]
    with np.errstate(all="ignore"):  # answers may be as large as floats get
        found = _unrefuted(
            cases, _found(declaration, cases, cleaned(outcomes, declaration), witness)
        )
    failures = [
        (case, failure) for case, failure in zip(cases, found, strict=True) if failure is not None
    ]
    earned, of = earning(declaration, [failure is None for failure in found])
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
    }
    if not failures:
        return Verdict(**about, promise=str(declaration.get("promise", "")))
    case, failure = failures[0]
    mistake = None if failure.misconception else _explaining([one for _, one in failures])
    named = "" if mistake is None else str(declaration["messages"][mistake])
    return Verdict(
        **about,
        called=_called(declaration, case),
        returned=failure.returned,
        expected=failure.expected,
        misconception=failure.misconception or named or failure.fallback,
        mistake=mistake,
        failures=tuple(_told(declaration, case, failure) for case, failure in failures),
        picture=_picture(declaration, failure),
        promise=str(declaration.get("promise", "")) if failure.by_chance else "",
    )


def _found(
    declaration: Mapping[str, Any],
    cases: Sequence[Mapping[str, Any]],
    answered: Sequence[Mapping[str, Any]],
    witness: Sequence[bool],
) -> list[Failure | None]:
    """What is wrong with each outcome, or None."""
    if declaration["kind"] == "audit":  # neighbours are judged together
        return judge_audit(declaration, answered)
    found = []
    for i, (case, outcome) in enumerate(zip(cases, answered, strict=True)):
        if declaration["kind"] == "tests":
            asked = i < len(witness) and witness[i] is True
            found.append(_judge_test(declaration, case, outcome, asked))
        else:
            found.append(_JUDGES[declaration["kind"]](declaration, case, outcome))
    return found


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
    named = [str(declaration["messages"][i]) for i in sorted(failure.mistakes)[:1]]
    return {
        "called": _called(declaration, case),
        "returned": failure.returned,
        "expected": failure.expected,
        "misconception": failure.misconception or "".join(named) or failure.fallback,
        "picture": _picture(declaration, failure),
    }


def _explaining(failures: Sequence[Failure]) -> int | None:
    """The mistake that explains the first failure, and most of the others."""
    first = failures[0].mistakes
    if not first:
        return None
    counts = {i: sum(i in failure.mistakes for failure in failures) for i in sorted(first)}
    return max(counts, key=lambda i: (counts[i], -i))


def _called(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    call = str(declaration["call"])
    if declaration["kind"] == "tests":
        known = not declaration["hidden"] and case["entry"]
        name = f" `{case['entry']}`" if known else ""
        kind = "a right implementation" if case["right"] else "a wrong implementation"
        words = f": {case['words']}" if case["words"] else ""
        return f"{call}(...) on {kind}{name}{words}"
    if declaration["hidden"]:
        return f"{call}(...) on a hidden case: {case['words']}"
    parts = [shown(decode(arg)) for arg in case["args"]]
    parts += [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]
    if "calls" in case:
        parts.append("rng=rng")
    words = f"   ({case['words']})" if case["words"] else ""
    times = f", {case['calls']} times" if "calls" in case else ""
    return f"{call}({', '.join(parts)}){times}{words}"


def _judge_value(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    hidden = bool(declaration["hidden"])
    wanted = case.get("raises")
    if wanted:
        expected = "an error: " + " or ".join(wanted)
    else:
        expected = "(not shown for a hidden case)" if hidden else _expected_text(declaration, case)
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    mistakes = _mistakes(declaration, case, outcome)
    if "raises" in outcome:
        if wanted and set(wanted) & set(outcome["kinds"]):
            return None
        return Failure(error_text(declaration, outcome), expected, mistakes=mistakes)
    value = outcome["value"]
    if wanted:
        returned = rough(value) if hidden else shown(value)
        return Failure(f"{returned}, no error", expected, mistakes=mistakes)
    right = decode(case["expected"])
    if close(value, right, **declaration["compare"]):
        return None
    note = kind_note(value, right, hidden=hidden)
    returned = rough(value) if hidden else shown(value)
    if note and not mistakes:
        return Failure(returned, expected, note)
    # a mistake may be refuted by another case
    return Failure(returned, expected, mistakes=mistakes, fallback=note)


def _judge_property(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    hidden = bool(declaration["hidden"])
    bounds = [decode(case[side]) for side in ("at_least", "at_most")]
    expected = f"{IN_WORDS}{declaration['statement']}"
    if not hidden:
        words = ("at least", "at most")
        told = [f"{w} {b!r}" for w, b in zip(words, bounds, strict=True) if b is not None]
        expected = f"{' and '.join(told)}: {declaration['statement']}"
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    mistakes = _mistakes(declaration, case, outcome)
    if "raises" in outcome:
        return Failure(error_text(declaration, outcome), expected, mistakes=mistakes)
    value = outcome["value"]
    if within(value, *bounds, slack=declaration["slack"]):
        return None
    returned = rough(value) if hidden else shown(value)
    note = kind_note(value, 0.0, hidden=hidden)
    below = type(value) in (int, float) and bounds[0] is not None and value < bounds[0]
    side = "" if note else f"The answer is too {'small' if below else 'large'}."
    return Failure(returned, expected, "" if mistakes else note, mistakes, fallback=note or side)


def within(value: object, at_least: float | None, at_most: float | None, *, slack: float) -> bool:
    """Whether an answer is a number between two bounds (None: no bound), but for a relative slack.

    Examples
    --------
    >>> within(1.0, 0.5, 1.0, slack=0.0), within(True, 0.5, 1.0, slack=0.0)
    (True, False)
    """
    if type(value) not in (int, float):
        return False
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return False
    low = -math.inf if at_least is None else at_least
    high = math.inf if at_most is None else at_most
    low -= 0.0 if math.isinf(low) else slack * abs(low)
    high += 0.0 if math.isinf(high) else slack * abs(high)
    return low <= number <= high


def _judge_test(
    declaration: Mapping[str, Any],
    case: Mapping[str, Any],
    outcome: Mapping[str, Any],
    asked: bool,
) -> Failure | None:
    expected = "accepted" if case["right"] else "rejected"
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    if "ended" in outcome:
        note = (
            "Some dozen calls are enough for a test; "
            f"{MAX_REQUESTS:,} of each implementation are allowed."
        )
        return Failure("the test asked for too many or too large calls", expected, note)
    if "accepts" not in outcome:
        return Failure(error_text(declaration, outcome), expected)
    if outcome["accepts"]:
        note = "The test asks nothing on which this implementation shows its mistake."
        return None if case["right"] else Failure("accepted", expected, note)
    if case["right"]:
        note = (
            "A right implementation must pass: compare floats with math.isclose or a tolerance, "
            "and ask nothing that the docstring does not promise."
        )
        return Failure("rejected", expected, note)
    if not asked:
        note = "A test must call the implementation on arguments for which its answer is wrong."
        return Failure("rejected, but all of its answers were right", expected, note)
    return None


def _expected_text(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    rule = declaration["compare"]
    text = shown(decode(case["expected"]))
    if text in ("inf", "-inf", "True", "False"):
        return text
    if rule["relative"]:
        return f"{text}   (relative error at most {rule['relative']:g})"
    if rule["absolute"]:
        return f"{text}   (absolute error at most {rule['absolute']:g})"
    return f"{text}   (exactly)"


def _mistakes(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> frozenset[int]:
    """The declared mistakes that have this outcome on this case."""
    return frozenset(
        i
        for i, wrong in enumerate(case["mistakes"])
        if wrong is not None and _same_outcome(outcome, wrong, declaration["recognise"][i])
    )


def _same_outcome(
    outcome: Mapping[str, Any], wrong: Mapping[str, Any], compare: Mapping[str, float]
) -> bool:
    """Whether an outcome is the one that a declared mistake has."""
    if "raises" in wrong:
        return "raises" in outcome and outcome["raises"] == wrong["raises"]
    if "value" not in outcome:
        return False
    value, other = outcome["value"], decode(wrong["value"])
    if is_nan(value) and is_nan(other):
        return True
    if value is None or isinstance(value, str):
        return type(value) is type(other) and bool(value == other)
    return close(value, other, **compare)


def close(value: object, expected: object, *, relative: float, absolute: float) -> bool:
    """Whether an answer (built-in numbers and lists) is as close to the expected one as asked.

    inf is close to inf only, NaN to nothing, True to True only; lists must have the same shape.

    Parameters
    ----------
    value, expected
        Built-in numbers, or nested lists of them; an array or a tuple counts as a list.
    relative, absolute
        The allowed error: the larger of `absolute` and `relative` times ``abs(expected)``.

    Examples
    --------
    >>> close(0.1 + 0.2, 0.3, relative=1e-9, absolute=0.0)
    True
    >>> close([1.0], 1.0, relative=1e-9, absolute=0.0)
    False
    """
    if isinstance(expected, np.ndarray):
        expected = expected.tolist()
    if isinstance(expected, (list, tuple)):
        return (
            type(value) in (list, tuple)
            and len(value) == len(expected)  # type: ignore[arg-type]
            and all(
                close(x, y, relative=relative, absolute=absolute)
                for x, y in zip(value, expected, strict=True)  # type: ignore[call-overload]
            )
        )
    if isinstance(expected, bool) or isinstance(value, bool):
        return type(value) is bool and type(expected) is bool and value == expected
    if type(value) not in (int, float) or not isinstance(expected, (int, float)):
        return False
    try:
        x, y = float(value), float(expected)  # type: ignore[arg-type]
    except OverflowError:
        return False
    if math.isnan(x) or math.isnan(y):
        return False
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= max(absolute, relative * abs(y))


_JUDGES: Mapping[
    str,
    Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], Failure | None],
] = {"values": _judge_value, "property": _judge_property, "random": judge_random}
