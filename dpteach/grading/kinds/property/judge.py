"""The verdict on functions whose answers must lie between bounds."""

from __future__ import annotations

from typing import Any

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.reasons import IN_WORDS
from dpteach.grading.core.specification import Call, Outcome
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import within
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.values.judge import SharedPart, mistakes_of


class PropertyCase(Call):
    """A case with the encoded bounds of its answer (None for no bound); mistakes as for values."""

    at_least: Any
    at_most: Any
    mistakes: list[Any]


class PropertyPart(SharedPart[PropertyCase]):
    """A part of a `PropertyCheck`."""

    statement: str
    slack: float


def judge_property(part: PropertyPart, case: PropertyCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the outcome of one case, or None."""
    hidden = part["hidden"]
    bounds = decode(case["at_least"]), decode(case["at_most"])
    expected = f"{IN_WORDS}{part['statement']}"
    if not hidden:
        words = ("at least", "at most")
        told = [f"{w} {b!r}" for w, b in zip(words, bounds, strict=True) if b is not None]
        expected = f"{' and '.join(told)}: {part['statement']}"
    mistakes = mistakes_of(part, case, outcome)
    failure = failures.unanswered(part, outcome, expected, mistakes)
    if failure is not None:
        return failure
    value = outcome["value"]
    if within(value, *bounds, slack=part["slack"]):
        return None
    returned = failures.rough(value) if hidden else shown(value)
    note = failures.kind_note(value, 0.0, hidden=hidden)
    below = type(value) in (int, float) and bounds[0] is not None and value < bounds[0]
    side = "" if note else f"The answer is too {'small' if below else 'large'}."
    return Failure(returned, expected, "" if mistakes else note, mistakes, fallback=note or side)
