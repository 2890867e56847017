"""The verdict on functions with one right answer for each case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, NotRequired, TypeVar

from dpteach._language import catalog
from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import Call, Compare, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import close, same
from dpteach.grading.kinds.failures import Failure

CaseT = TypeVar("CaseT")

_, _n = catalog("kinds")


class SharedPart(Part[CaseT], Generic[CaseT]):
    """A part of a check in which the answer to each case is judged independently of other cases.

    ``recognise`` has, for each declared mistake, the rule by which a student's answer is compared
    with the mistake's answer. ``for_nothing`` is the number of cases for which the best constant
    answer is right.
    """

    partial: bool
    recognise: list[Compare]
    for_nothing: int


class ValuesCase(Call):
    """A case with its right answer, or with the names of the errors of which one must be raised.

    ``mistakes`` has the outcome of each declared mistake on the case, ``{"value": ...}`` or
    ``{"raises": ...}``, or None if this outcome is right.
    """

    expected: NotRequired[Any]
    raises: NotRequired[list[str]]
    mistakes: list[Any]


class ValuesPart(SharedPart[ValuesCase]):
    """The visible or hidden part of a `Check`."""

    compare: Compare


def judge_value(part: ValuesPart, case: ValuesCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with the outcome of a student's function on a case, or None if right."""
    hidden = part["hidden"]
    wanted = case.get("raises")
    if wanted:
        expected = _("an error: {names}", names=_(" or ").join(wanted))
    else:
        expected = failures.not_shown() if hidden else _expected_text(part, case)
    failure = _judge_outcome(part, case, outcome, expected)
    return failure and replace(failure, open=bool(wanted))


def _judge_outcome(
    part: ValuesPart, case: ValuesCase, outcome: Outcome, expected: str
) -> Failure | None:
    hidden, wanted = part["hidden"], case.get("raises")
    failure = failures.odd(part, outcome, expected)
    if failure is not None:
        return failure
    mistakes = mistakes_of(part, case, outcome)
    if "raises" in outcome:
        if wanted and set(wanted) & set(outcome["kinds"]):
            return None
        return failures.error(part, outcome, expected, mistakes)
    value = outcome["value"]
    if wanted:
        answer = failures.rough(value) if hidden else shown(value)
        return Failure(_("{answer}, no error", answer=answer), expected, mistakes=mistakes)
    right = decode(case["expected"])
    if close(value, right, **part["compare"]):
        return None
    note = failures.kind_note(value, right, hidden=hidden)
    returned = failures.rough(value) if hidden else shown(value) + _where(value, right, part)
    # if declared mistakes explain the answer, their messages replace the note, unless other cases
    # rule the mistakes out
    return Failure(returned, expected, "" if mistakes else note, mistakes, fallback=note)


def _where(value: object, right: object, part: ValuesPart) -> str:
    """Return a note with the number of a list's wrong entries and the index of the first, or ""."""
    if not isinstance(value, list) or not isinstance(right, list) or len(value) != len(right):
        return ""
    both = enumerate(zip(value, right, strict=True))
    places = [i for i, (x, y) in both if not close(x, y, **part["compare"])]
    told = _(
        "({count} of {total} entries differ, the first at index {place})",
        count=len(places),
        total=len(right),
        place=places[0],
    )
    return f"   {told}"


def _expected_text(part: ValuesPart, case: ValuesCase) -> str:
    relative, absolute = part["compare"]["relative"], part["compare"]["absolute"]
    text = shown(decode(case["expected"]))
    if text in ("inf", "-inf", "True", "False"):
        return text
    zero = text in ("0", "0.0") and absolute
    if relative and not zero:
        if absolute == relative:
            how = _("(relative or absolute error at most {relative:g})", relative=relative)
        elif absolute:
            how = _(
                "(relative error at most {relative:g}, or absolute error at most {absolute:g})",
                relative=relative,
                absolute=absolute,
            )
        else:
            how = _("(relative error at most {relative:g})", relative=relative)
    elif absolute:
        how = _("(absolute error at most {absolute:g})", absolute=absolute)
    else:
        how = _("(exactly)")
    return f"{text}   {how}"


def mistakes_of(part: SharedPart[Any], case: Any, outcome: Outcome) -> frozenset[int]:
    """Return the indices of the declared mistakes whose outcome on a case equals the student's."""
    rules = part["recognise"]
    return failures.recognised(case, lambda i, wrong: _same_outcome(outcome, wrong, rules[i]))


def _same_outcome(outcome: Outcome, wrong: dict[str, Any], compare: Compare) -> bool:
    """Return whether a student's outcome of a case equals that of a declared mistake."""
    if "raises" in wrong:
        return bool(outcome.get("raises") == wrong["raises"])
    return "value" in outcome and same(outcome["value"], decode(wrong["value"]), compare)
