"""The verdict on functions whose answers must lie between bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import Call, Outcome
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import within
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.values.judge import SharedPart, mistakes_of

_, _n = catalog("kinds")


class PropertyCase(Call):
    """A case with the encoded bounds of a right answer (None for no bound)."""

    at_least: Any
    at_most: Any
    mistakes: list[Any]


class PropertyPart(SharedPart[PropertyCase]):
    """The visible or hidden part of a `PropertyCheck`."""

    statement: str
    slack: float


def judge_property(part: PropertyPart, case: PropertyCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the answer to a case, or None if it is within the bounds."""
    hidden = part["hidden"]
    least, most = decode(case["at_least"]), decode(case["at_most"])
    expected = part["statement"] if hidden else _expected_text(part["statement"], least, most)
    mistakes = mistakes_of(part, case, outcome)
    failure = failures.unanswered(part, outcome, expected, mistakes)
    if failure is not None:
        return replace(failure, open=True)
    value = outcome["value"]
    if within(value, least, most, slack=part["slack"]):
        return None
    returned = failures.rough(value) if hidden else shown(value)
    note = failures.kind_note(value, 0.0, hidden=hidden)
    below = type(value) in (int, float) and least is not None and value < least
    side = _("The answer is too small.") if below else _("The answer is too large.")
    hint = "" if mistakes else note
    return Failure(returned, expected, hint, mistakes, fallback=note or side, open=True)


def _expected_text(statement: str, least: float | None, most: float | None) -> str:
    if most is None:
        return _("at least {least!r}: {statement}", least=least, statement=statement)
    if least is None:
        return _("at most {most!r}: {statement}", most=most, statement=statement)
    return _(
        "at least {least!r} and at most {most!r}: {statement}",
        least=least,
        most=most,
        statement=statement,
    )
