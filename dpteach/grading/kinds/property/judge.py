"""The verdict on functions whose answer has bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.reasons import IN_WORDS
from dpteach.grading.kinds.comparing import within
from dpteach.grading.kinds.failures import Failure, error_note, error_text, kind_note, odd, rough
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.values.judge import mistakes_of


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
    mistakes = mistakes_of(declaration, case, outcome)
    if "raises" in outcome:
        note = error_note(declaration, outcome)
        return Failure(error_text(declaration, outcome), expected, "", mistakes, fallback=note)
    value = outcome["value"]
    if within(value, *bounds, slack=declaration["slack"]):
        return None
    returned = rough(value) if hidden else shown(value)
    note = kind_note(value, 0.0, hidden=hidden)
    below = type(value) in (int, float) and bounds[0] is not None and value < bounds[0]
    side = "" if note else f"The answer is too {'small' if below else 'large'}."
    return Failure(returned, expected, "" if mistakes else note, mistakes, fallback=note or side)


PROPERTY = Kind(each(_judge_property))
