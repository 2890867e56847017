"""The verdict on functions with one right answer a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.failures import (
    Failure,
    error_note,
    error_text,
    is_nan,
    kind_note,
    odd,
    rough,
)
from dpteach.grading.kinds.kind import Kind, each


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
    mistakes = mistakes_of(declaration, case, outcome)
    if "raises" in outcome:
        if wanted and set(wanted) & set(outcome["kinds"]):
            return None
        note = error_note(declaration, outcome)
        return Failure(error_text(declaration, outcome), expected, "", mistakes, fallback=note)
    value = outcome["value"]
    if wanted:
        returned = rough(value) if hidden else shown(value)
        return Failure(f"{returned}, no error", expected, mistakes=mistakes)
    right = decode(case["expected"])
    if close(value, right, **declaration["compare"]):
        return None
    note = kind_note(value, right, hidden=hidden)
    returned = rough(value) if hidden else shown(value) + _where(value, right, declaration)
    if note and not mistakes:
        return Failure(returned, expected, note)
    # a mistake may be refuted by another case
    return Failure(returned, expected, mistakes=mistakes, fallback=note)


def _where(value: object, right: object, declaration: Mapping[str, Any]) -> str:
    """In how many places a list differs from the right one, and in which first."""
    if not isinstance(value, list) or not isinstance(right, list) or len(value) != len(right):
        return ""
    both = enumerate(zip(value, right, strict=True))
    places = [i for i, (x, y) in both if not close(x, y, **declaration["compare"])]
    return f"   ({len(places)} of {len(right)} entries differ, the first at index {places[0]})"


def _expected_text(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    rule = declaration["compare"]
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


def mistakes_of(
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


VALUES = Kind(each(_judge_value))
