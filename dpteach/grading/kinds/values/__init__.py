"""The kind of item for functions with one right answer per case: a value, or an error to raise.

This module also has code for the kind `property`, in which answers lie between two bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import decode, encode
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.declaration import NINE_DIGITS, Case, Declaration, Rule, require_rule
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.values import judge

_, _n = catalog("kinds")

#: names of errors that show that code is broken. A declared mistake is refused if its code raises
#: such an error in every case that has an answer. A wrong formula may raise other errors, such as
#: ZeroDivisionError
BROKEN_CODE: Final = {
    *("TypeError", "NameError", "UnboundLocalError", "AttributeError"),
    *("ImportError", "ModuleNotFoundError", "NotImplementedError"),
}

SharedT = TypeVar("SharedT", bound=judge.SharedPart[Any])


@dataclass(frozen=True, kw_only=True)
class Answered(Declaration):
    """Base class of declarations whose cases are judged independently of each other."""

    partial: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require.flag("partial", self.partial)
        few = sum(getattr(case, "count", 1) for case in self.hidden) < 3
        words = _("must be False for fewer than 3 hidden cases, as it is a share of these")
        require.that(not (self.partial and few), "partial", words, self.partial)


@dataclass(frozen=True, kw_only=True)
class Check(Answered):
    """Declaration of an item for a function with one right answer for each case.

    Parameters
    ----------
    name
        The item's name, which is unique in the assignment.
    points
        The points for the item, > 0.
    call
        The name of the student's function.
    visible, hidden
        The cases. The student's notebook runs the `visible` cases and shows them in full. The
        `hidden` cases, each a `Case` or better a `Fresh`, are run only for the grade, and a student
        reads only a description of them.
    expected
        The reference: a function of a case's arguments that returns the right answer. It may be
        left out if every case must raise an error.
    compare
        `Relative`, `Absolute` or `Exact`.
    partial
        Whether the hidden cases earn a fraction of the points, which is zero for the best constant
        answer: ``(right - constant) / (cases - constant)``, where ``right`` is the number of right
        answers and ``constant`` the number of cases for which the best constant answer is right.
        The points are rounded down to 0.01. If `partial` is false, all points are earned if the
        answers to all visible and hidden cases are right, and otherwise none.
    mistakes
        Wrong implementations with messages for students. The build fails if one of them agrees with
        the reference on all cases.
    builds_on
        Names of earlier checks whose functions a right answer may call. If one of these checks and
        this check fail, this check runs again with right functions in place of the student's
        earlier functions (`dpteach.grading.classroom.lending`).
    book
        A reference to the text that students should read again: a section,
        ``"renyi_dp#section-label"``; a paper, ``"doi:10.1109/CSF.2017.11"`` or
        ``"arXiv:1702.07476"``; or "" for none.
    """

    expected: Callable[..., Any] | None = None
    compare: Rule = NINE_DIGITS

    def __post_init__(self) -> None:
        super().__post_init__()
        require_rule(self.compare)
        if self.expected is not None:
            require.function("expected", self.expected)
        elif any(not case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError(_("expected must be given unless every case has raises=, got None"))


def _part(check: Check, about: Part[Any], rng: np.random.Generator) -> judge.ValuesPart:
    part: judge.ValuesPart = {
        **about,
        "partial": check.partial,
        "recognise": check.recognise(check.compare),
        "compare": check.compare.to_data(),
        "for_nothing": 0,
    }
    part["cases"] = [_case(check, part, case) for case in check.group(about["hidden"])]
    return with_constants(part, for_nothing)


def _case(check: Check, part: judge.ValuesPart, case: Case) -> judge.ValuesCase:
    if case.raises:
        answer: dict[str, Any] = {"raises": [error.__name__ for error in case.raises]}
    else:
        answer = {"expected": encode(_expected(check, case))}
    data = cast("judge.ValuesCase", {**case.to_data(), **answer, "mistakes": []})
    data["mistakes"] = wrongs(check, part, data, judge.judge_value)
    return data


def _expected(check: Check, case: Case) -> Any:
    """Return the right answer to a case, computed by the author's reference."""
    assert check.expected is not None
    outcome, compare = once(check.expected, case.to_data()), check.compare.to_data()
    plain = "value" in outcome and close(outcome["value"], outcome["value"], **compare)
    require.returned(plain, "expected", _("the right answer to {case}", case=case), outcome)
    return outcome["value"]


def for_nothing(part: judge.ValuesPart, cases: Sequence[judge.ValuesCase]) -> int:
    """Return an upper bound on the number of cases that a constant function passes.

    A function that always raises an error counts as constant.
    """
    # a constant can be right for two cases only if their answers differ by at most twice the
    # tolerance
    relative, absolute = 2 * part["compare"]["relative"], 2 * part["compare"]["absolute"]
    right = [decode(case["expected"]) for case in cases if "raises" not in case]
    counts = (
        sum(close(other, value, relative=relative, absolute=absolute) for other in right)
        for value in right
    )
    return best_constant(cases, counts)


def best_constant(cases: Sequence[Any], counts: Iterable[int]) -> int:
    """Return the number of cases that the best constant function passes.

    `counts` contains the number of passed cases for each constant answer that could be the best. A
    function that always raises an error passes the cases that must raise an error.
    """
    return max([sum("raises" in case for case in cases), *counts])


def with_constants(part: SharedT, for_nothing: Callable[[SharedT, Any], int]) -> SharedT:
    """Store in a part, as ``for_nothing``, how many cases the best constant answer passes.

    Return the part.

    Raises
    ------
    ValueError
        If the hidden cases earn partial credit, and one constant answer is right for all of them.
    """
    part["for_nothing"] = for_nothing(part, part["cases"])
    if part["hidden"] and part["partial"] and part["for_nothing"] == len(part["cases"]):
        raise ValueError(_("partial: one constant answer is right on all hidden cases"))
    return part


def once(function: Callable[..., Any], call: Call) -> Outcome:
    """Return the outcome of an author's function on a case, in the form of a student's outcome."""
    only: Any = {"cases": [call]}
    found, _ = observe(function, only)
    return cleaned(found, only)[0]


def wrongs(
    check: Declaration,
    part: SharedT,
    case: Any,
    judged: Callable[[SharedT, Any, Outcome], Failure | None],
) -> list[Any]:
    """Run each declared mistake's code on a case; return its outcome, or None if it is right."""
    found: list[Any] = []
    for mistake in check.mistakes:
        outcome = once(mistake.wrong, case)
        told = {key: encode(outcome[key]) for key in ("raises", "value") if key in outcome}
        name = _("wrong of {message!r}", message=mistake.message)
        require.returned(told, name, _("an answer to {args}", args=case["args"]), outcome)
        found.append(None if judged(part, case, outcome) is None else told)
    return found


def proof(
    for_nothing: Callable[[SharedT, Any], int],
) -> Callable[[Answered, SharedT, SharedT | None], None]:
    """Return a function for `Kind.proof` that raises an error if a check cannot judge well.

    The error is raised if a function passes all cases by always giving the same answer or error, or
    if the example code of one of the check's declared mistakes is broken.
    """

    def refuse(check: Answered, visible: SharedT, hidden: SharedT | None) -> None:
        cases = visible["cases"] + (hidden["cases"] if hidden else [])
        _none_is_broken(check, cases)
        if for_nothing(visible, cases) == len(cases):
            raise ValueError(
                _("a function that always gives the same answer or error passes: add a case")
            )

    return refuse


def _none_is_broken(check: Answered, cases: Sequence[Any]) -> None:
    """Raise an error for a declared mistake with broken code.

    Otherwise a student whose own code is broken would read the message of this mistake.
    """
    answered = [case for case in cases if "raises" not in case]
    for i, mistake in enumerate(check.mistakes):
        kept = [case["mistakes"][i] or {} for case in answered]
        if kept and all(wrong.get("raises") in BROKEN_CODE for wrong in kept):
            outcome = once(mistake.wrong, answered[0])
            error = f"{outcome['raises']}: {outcome['message']}"
            name = _("wrong of {message!r}", message=mistake.message)
            require.returned(False, name, _("an answer to a case that has one"), error)


KIND = Kind(
    name="values",
    title="function",
    declaration=Check,
    part=_part,
    judged=each(judge.judge_value),
    proof=proof(for_nothing),
)
