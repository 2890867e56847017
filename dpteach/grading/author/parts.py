"""A check as JSON data: its visible and its hidden part, with the right answers and the wrong ones.

From here on nothing needs the reference any more.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import decode, encode, shown
from dpteach.grading.core.reading import section
from dpteach.grading.kinds.attack import AttackCheck, attack_part
from dpteach.grading.kinds.comparing import close, within
from dpteach.grading.kinds.declaration import Case, Declaration, Relative
from dpteach.grading.kinds.design import DesignCheck, design_part
from dpteach.grading.kinds.hand import HandCheck, hand_part
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.property import PropertyCheck
from dpteach.grading.kinds.random import RandomCheck, random_part
from dpteach.grading.kinds.repair import RepairCheck, repair_part
from dpteach.grading.kinds.suspects import source_of
from dpteach.grading.kinds.tests import TestsCheck
from dpteach.grading.kinds.values import Check
from dpteach.grading.kinds.witness import WitnessCheck, witness_part

#: errors of code that is broken; others, such as a division by zero, may be what an idea leads to
BROKEN_CODE: Final = {
    *("TypeError", "NameError", "UnboundLocalError", "AttributeError"),
    *("ImportError", "ModuleNotFoundError", "NotImplementedError"),
}


def declared(
    check: Declaration, seed: int = 0, *, visible: VisiblePart | None = None
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """A check as JSON data: its visible part, and its hidden part if it has one.

    The right answers and those of the mistakes are computed here; from here on nothing needs the
    reference any more.

    Parameters
    ----------
    check
        The declaration.
    seed
        Of the exam: what is hidden depends on it, what is visible does not.
    visible
        What `visible_part` gave for this check, so that it need not be worked out again.

    Raises
    ------
    TypeError
        If `check` is no check.
    ValueError
        If the reference fails on a case, or a mistake is right on all cases, is broken code on all
        that have an answer.
    """
    seen_first, caught_first = visible or visible_part(check, seed)
    check = check.drawn(seed)
    own = np.random.default_rng([seed, zlib.crc32(check.name.encode())])
    caught = list(caught_first)
    parts = [seen_first, _part(check, True, caught, own)]
    for mistake, seen in zip(check.mistakes, caught, strict=True):
        if not seen:
            raise ValueError(
                f"mistakes: no case of {check.name} tells this one from the right answer: "
                f"{mistake.message!r}. Add a case where both differ: a visible one, if students "
                "are to be told before they hand in"
            )
    cases = [case for part in parts for case in part["cases"]]
    if parts[0]["kind"] in ("values", "property"):
        _none_is_broken(check, cases)
    return parts[0], parts[1] if check.hidden or check.asked_again else None


#: a visible part, and which of the mistakes a case of it tells from the right answer
VisiblePart = tuple[dict[str, Any], tuple[bool, ...]]


def visible_part(check: Declaration, seed: int = 0) -> VisiblePart:
    """What all exams of a check have in common, made from one of them.

    Raises
    ------
    TypeError, ValueError
        As `declared`.
    """
    if not isinstance(check, Declaration):
        raise TypeError(f"check must be a Check or another kind of check, got check={shown(check)}")
    check = check.drawn(seed)
    caught = [False] * len(check.mistakes)
    own = np.random.default_rng(zlib.crc32(check.name.encode()))
    return _part(check, False, caught, own), tuple(caught)


def _part(
    check: Declaration, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    part: dict[str, Any] = {
        "name": check.name,
        "points": check.points,
        "call": check.call,
        "hidden": hidden,
        "book": check.book,
        "place": section(check.book),
        "builds_on": list(check.builds_on),
        "messages": [mistake.message for mistake in check.mistakes],
        "cases": [],
    }
    return part | _PARTS[type(check)](check, hidden, caught, rng)


def _none_is_broken(check: Declaration, cases: Sequence[Mapping[str, Any]]) -> None:
    """Refuses a mistake that is broken: whoever's code is, too, would be told its message."""
    answered = [case for case in cases if "raises" not in case]
    for i, mistake in enumerate(check.mistakes):
        wrongs = [case["mistakes"][i] or {} for case in answered]
        if wrongs and all(wrong.get("raises") in BROKEN_CODE for wrong in wrongs):
            outcome = _once(mistake.wrong, answered[0])
            raise ValueError(
                f"mistakes: {mistake.message!r} raises an error on each case that has an answer, "
                f"so no answer is known by it: {outcome['raises']}: {outcome['message']}"
            )


def same_answers(
    check: Declaration, visible: Mapping[str, Any], hidden: Mapping[str, Any] | None
) -> str:
    """Which two mistakes nothing tells apart, so that the second would never be told; or "".

    The build asks this of the version that its author reads: in one that was drawn two of them may
    meet by chance.
    """
    cases = visible["cases"] + (hidden["cases"] if hidden else [])
    for one, other in itertools.combinations(range(len(check.mistakes)), 2):
        found = [(case["mistakes"][one], case["mistakes"][other]) for case in cases]
        if found and all(_same(*both) for both in found):
            return (
                f"mistakes: {check.mistakes[one].message!r} and {check.mistakes[other].message!r} "
                "give the same answers on all cases: add a case where they differ, or make them one"
            )
    return ""


def _same(one: Any, other: Any) -> bool:
    """Whether what two mistakes do on a case is the same, but for rounding."""
    if one == other:
        return True
    if not all(isinstance(wrong, dict) and "value" in wrong for wrong in (one, other)):
        return False
    return close(decode(one["value"]), decode(other["value"]), relative=1e-12, absolute=0.0)


def _plain_part(
    check: Check | PropertyCheck, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    """What is particular to one part of a `Check` or a `PropertyCheck`."""
    group = check.hidden if hidden else check.visible
    rule: Any = check.compare if isinstance(check, Check) else Relative(1e-9)
    part: dict[str, Any] = {
        "partial": check.partial,
        "recognise": [(mistake.compare or rule).to_data() for mistake in check.mistakes],
    }
    if isinstance(check, Check):
        part |= {"kind": "values", "compare": rule.to_data()}
        part["cases"] = [_value_case(check, case, caught) for case in group]
    else:
        part |= {"kind": "property", "statement": check.statement, "slack": check.slack}
        part["cases"] = [_property_case(check, case, caught) for case in group]
    part["for_nothing"] = for_nothing(part, part["cases"])
    if hidden and check.partial and part["for_nothing"] == len(group):
        raise ValueError("partial: one constant answer is right on all hidden cases")
    return part


def for_nothing(part: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> int:
    """How many cases the best function is right on that always answers or raises the same."""
    counts = [sum("raises" in case for case in cases)]
    if part["kind"] == "property":
        bounds = [(decode(case["at_least"]), decode(case["at_most"])) for case in cases]
        # where some of them overlap, one of their ends lies in all of these
        for bound in {x for pair in bounds for x in pair if x is not None}:
            counts.append(sum(within(bound, *pair, slack=part["slack"]) for pair in bounds))
        return max(counts)
    # two right answers that one number comes near are at most twice the tolerance apart
    rule = {key: 2 * value for key, value in part["compare"].items()}
    right = [decode(case["expected"]) for case in cases if "raises" not in case]
    for value in right:
        counts.append(sum(close(other, value, **rule) for other in right))
    return max(counts)


def _once(function: Callable[..., Any], data: Mapping[str, Any]) -> dict[str, Any]:
    found, _ = observe(function, {"cases": [data]})
    return cleaned(found, {"cases": [data]})[0]


def _case_data(case: Case) -> dict[str, Any]:
    return {
        "args": [encode(arg) for arg in case.args],
        "kwargs": encode(case.kwargs)["dict"],
        "words": case.words,
    }


def _value_case(check: Check, case: Case, caught: list[bool]) -> dict[str, Any]:
    data = _case_data(case)
    compare = check.compare.to_data()
    if case.raises:
        data["raises"] = [error.__name__ for error in case.raises]
    else:
        assert check.expected is not None
        outcome = _once(check.expected, data)
        if "value" not in outcome or not close(outcome["value"], outcome["value"], **compare):
            raise ValueError(f"expected: the reference of {check.name} gives {outcome} on {case}")
        data["expected"] = encode(outcome["value"])

    def right(outcome: Mapping[str, Any]) -> bool:
        if "raises" in outcome:
            return bool(case.raises) and bool(set(outcome["kinds"]) & set(data["raises"]))
        return not case.raises and close(outcome["value"], decode(data["expected"]), **compare)

    data["mistakes"] = _wrongs(check, data, right, caught)
    return data


def _property_case(check: PropertyCheck, case: Case, caught: list[bool]) -> dict[str, Any]:
    data = _case_data(case)
    bounds: list[float | None] = []
    for name, function in (("at_least", check.at_least), ("at_most", check.at_most)):
        bound = None
        if function is not None:
            outcome = _once(function, data)
            bound = outcome.get("value")
            if type(bound) not in (int, float) or math.isnan(bound):  # type: ignore[arg-type]
                raise ValueError(f"{name}: the bound of {check.name} is {outcome} on {case}")
        bounds.append(bound)
        data[name] = encode(bound)

    def right(outcome: Mapping[str, Any]) -> bool:
        return within(outcome.get("value"), *bounds, slack=check.slack)

    if not any(right({"value": bound}) for bound in bounds):
        raise ValueError(f"at_least, at_most: no answer is right on {case}: {bounds}")
    data["mistakes"] = _wrongs(check, data, right, caught)
    return data


def _wrongs(
    check: Declaration,
    data: Mapping[str, Any],
    right: Callable[[Mapping[str, Any]], bool],
    caught: list[bool],
) -> list[Any]:
    """What each mistake does on a case; None if it is right there."""
    wrongs: list[Any] = []
    for i, mistake in enumerate(check.mistakes):
        outcome = _once(mistake.wrong, data)
        if "raises" in outcome:
            wrong = {"raises": outcome["raises"]}
        elif "value" in outcome:
            wrong = {"value": encode(outcome["value"])}
        else:
            raise ValueError(f"mistakes: {mistake.message!r} gives {outcome} on {data['args']}")
        fine = right(outcome)
        wrongs.append(None if fine else wrong)
        caught[i] = caught[i] or not fine
    return wrongs


def _tests_part(
    check: TestsCheck, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    """What is particular to one part of a `TestsCheck`: the suspects, in an order of its own."""
    group = list(check.hidden if hidden else check.visible)
    if hidden:
        # whoever rejects a right one that is visible earns nothing either
        group += [suspect for suspect in check.visible if suspect.right]
    else:
        rng = np.random.default_rng(zlib.crc32(check.name.encode()))
    suspects = []
    for place in rng.permutation(len(group)):
        suspect = group[place]
        entry, text = source_of(suspect.function)
        suspects.append(
            {"entry": entry, "text": text, "right": suspect.right, "words": suspect.words}
        )
    return {"kind": "tests", "suspects": suspects, "compare": check.compare.to_data()}


#: what makes the data of a part that are particular to a kind of check: a function of the check,
#: of whether the part is hidden, of one entry a mistake (set to True if a case of the part catches
#: it) and of a generator that belongs to the check and the exam
_PARTS: dict[type[Declaration], Callable[..., dict[str, Any]]] = {
    Check: _plain_part,
    PropertyCheck: _plain_part,
    TestsCheck: _tests_part,
    RandomCheck: random_part,
    AttackCheck: attack_part,
    WitnessCheck: witness_part,
    RepairCheck: repair_part,
    HandCheck: hand_part,
    DesignCheck: design_part,
}
