"""The verdict on functions with one right answer for each case."""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypeVar

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import Call, Compare, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import close, same
from dpteach.grading.kinds.failures import Failure

CaseT = TypeVar("CaseT")


class SharedPart(Part[CaseT], Generic[CaseT]):
    """A part in which each case is right or wrong by itself.

    ``recognise`` has the rules of comparison with the answers of the mistakes, and ``for_nothing``
    is the number of cases for which the best constant answer is right.
    """

    partial: bool
    recognise: list[Compare]
    for_nothing: int


class ValuesCase(Call):
    """A case with its right answer, or with the errors of which one is right.

    ``mistakes`` has what each mistake does on the case, ``{"value": ...}`` or ``{"raises": ...}``,
    or None where that is right.
    """

    expected: NotRequired[Any]
    raises: NotRequired[list[str]]
    mistakes: list[Any]


class ValuesPart(SharedPart[ValuesCase]):
    """A part of a `Check`."""

    compare: Compare


def judge_value(part: ValuesPart, case: ValuesCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the outcome of one case, or None."""
    hidden = part["hidden"]
    wanted = case.get("raises")
    if wanted:
        expected = "an error: " + " or ".join(wanted)
    else:
        expected = "(not shown for a hidden case)" if hidden else _expected_text(part, case)
    failure = failures.odd(part, outcome, expected)
    if failure is not None:
        return failure
    mistakes = mistakes_of(part, case, outcome)
    if "raises" in outcome:
        if wanted and set(wanted) & set(outcome["kinds"]):
            return None
        note = failures.error_note(part, outcome)
        return Failure(failures.error_text(part, outcome), expected, "", mistakes, fallback=note)
    value = outcome["value"]
    if wanted:
        returned = failures.rough(value) if hidden else shown(value)
        return Failure(f"{returned}, no error", expected, mistakes=mistakes)
    right = decode(case["expected"])
    if close(value, right, **part["compare"]):
        return None
    note = failures.kind_note(value, right, hidden=hidden)
    returned = failures.rough(value) if hidden else shown(value) + _where(value, right, part)
    if note and not mistakes:
        return Failure(returned, expected, note)
    # the hint is only a fallback, since a later case may rule out that it was this mistake
    return Failure(returned, expected, mistakes=mistakes, fallback=note)


def _where(value: object, right: object, part: ValuesPart) -> str:
    """Return in words how many entries of a list differ from the right one, and the first index."""
    if not isinstance(value, list) or not isinstance(right, list) or len(value) != len(right):
        return ""
    both = enumerate(zip(value, right, strict=True))
    places = [i for i, (x, y) in both if not close(x, y, **part["compare"])]
    return f"   ({len(places)} of {len(right)} entries differ, the first at index {places[0]})"


def _expected_text(part: ValuesPart, case: ValuesCase) -> str:
    rule = part["compare"]
    text = shown(decode(case["expected"]))
    if text in ("inf", "-inf", "True", "False"):
        return text
    zero = text in ("0", "0.0") and rule["absolute"]
    if rule["relative"] and not zero:
        if rule["absolute"] == rule["relative"]:
            return f"{text}   (relative or absolute error at most {rule['relative']:g})"
        also = f", or an absolute one of {rule['absolute']:g}" if rule["absolute"] else ""
        return f"{text}   (relative error at most {rule['relative']:g}{also})"
    if rule["absolute"]:
        return f"{text}   (absolute error at most {rule['absolute']:g})"
    return f"{text}   (exactly)"


def mistakes_of(part: SharedPart[Any], case: Any, outcome: Outcome) -> frozenset[int]:
    """Return the declared mistakes that have the same outcome on a case."""
    rules = part["recognise"]
    return failures.recognised(case, lambda i, wrong: _same_outcome(outcome, wrong, rules[i]))


def _same_outcome(outcome: Outcome, wrong: dict[str, Any], compare: Compare) -> bool:
    """Tell whether an outcome is that of a declared mistake."""
    if "raises" in wrong:
        return bool(outcome.get("raises") == wrong["raises"])
    return "value" in outcome and same(outcome["value"], decode(wrong["value"]), compare)
