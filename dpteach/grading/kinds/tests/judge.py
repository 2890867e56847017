"""The verdict on a test that the student has written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpteach._language import catalog
from dpteach.grading.core.reasons import UNFAIR
from dpteach.grading.core.specification import Outcome
from dpteach.grading.kinds.failures import Failure, unanswered
from dpteach.grading.kinds.kind import Found, Witness
from dpteach.grading.kinds.tests.replier import (
    BETWEEN,
    DIFFERS,
    MAX_REQUESTS,
    NAN,
    SuspectData,
    TestsPart,
)

_, _n = catalog("kinds")


def judged(part: TestsPart, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
    """Return what is wrong with a student's test, or None, for each implementation."""
    found: list[Failure | None] = []
    for i, (case, outcome) in enumerate(zip(part["suspects"], outcomes, strict=True)):
        # `witness` tells for each implementation whether the test got a wrong answer from it. If it
        # is empty (the calls were not recorded) or has an unknown value, no answer counts as wrong
        proof = witness[i] if i < len(witness) else False
        asked = proof if proof is True or proof in (NAN, BETWEEN, DIFFERS) else False
        failure = _judge_test(part, case, outcome, asked)
        found.append(failure and replace(failure, open=True))
    return found


def _judge_test(
    part: TestsPart, case: SuspectData, outcome: Outcome, asked: bool | str
) -> Failure | None:
    expected = _("accepted") if case["right"] else _("rejected")
    failure = unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    if "ended" in outcome:
        note = _(
            "A test may call each implementation {most:,} times, and a few dozen calls are enough.",
            most=MAX_REQUESTS,
        )
        return Failure(_("the test made too many or too large calls"), expected, note)
    if outcome["accepts"]:
        note = _returned(part, outcome) or _accepted(asked)
        return None if case["right"] else Failure(_("accepted"), expected, note)
    # do not show the last call of a hidden implementation, neither its arguments nor its answer
    last = "" if part["hidden"] else str(outcome.get("last", ""))
    if case["right"]:
        returned = _("rejected by {last}", last=last) if last else _("rejected")
        return Failure(returned, expected, _rejects_right(case["words"], asked), code=UNFAIR)
    if not asked:
        note = _(
            "A test must call the implementation on arguments for which its answer is wrong. A "
            "test that fails earlier, by an error of its own, also rejects right implementations."
        )
        returned = _("rejected before any answer was wrong")
        if last:
            returned = _("rejected by {last}, before any answer was wrong", last=last)
        return Failure(returned, _("rejected for a wrong answer"), note)
    return None


def _returned(part: TestsPart, outcome: Outcome) -> str:
    """Return a hint if a test returned a value other than None, True and False, otherwise "".

    Such a value counts as acceptance.
    """
    if "last" not in outcome:
        return ""
    # do not show a value that the test returned for a hidden implementation: the test could return
    # an answer of that implementation, which students must not see
    value = _("something other than these") if part["hidden"] else outcome["last"]
    return _(
        "A test accepts by returning None or True, and rejects by returning False or raising an "
        "error. Yours returned {value}, which counts as acceptance.",
        value=value,
    )


def _rejects_right(words: str | None, asked: bool | str) -> str:
    """Return the hint for a student whose test rejects a right implementation.

    `asked` is `DIFFERS` if another right implementation gives another answer to a call of the test,
    and False otherwise.
    """
    advice = _(
        "Check each call and what the test expects of it: an argument of another type or outside "
        "of the stated range, a wrong number, a comparison of floats without a tolerance "
        "(`math.isclose`), something that the docstring does not promise, or an error of the test "
        "itself."
    )
    if words:
        first = _(
            "Your test rejects a right implementation ({words}), so it earns nothing.", words=words
        )
    else:
        first = _("Your test rejects a right implementation, so it earns nothing.")
    if asked == DIFFERS:
        other = _(
            "In a call of your test, its answer differs from that of another right implementation: "
            "several answers are right there, and the test must allow all of them."
        )
        first = f"{first} {other}"
    return f"{first} {advice}"


def _accepted(asked: bool | str) -> str:
    """Return the hint for a student whose test accepts a wrong implementation.

    `asked` is False if the implementation gave the test no wrong answer, `BETWEEN` if each wrong
    answer lies between two right ones, `NAN` if a wrong answer was NaN, and True otherwise.
    """
    if asked == NAN:
        return _(
            "The implementation returned nan for a call of your test, and the test accepted it, "
            "because `abs(nan - x) > 1e-6` is false. Write `assert abs(found - right) < 1e-6`."
        )
    if asked == BETWEEN:
        return _(
            "No call of your test exposes this implementation: its answers lie between those of "
            "right ones, so they may be allowed there. Call it with other arguments, too."
        )
    if asked:
        return _(
            "The implementation gave a wrong answer to a call of your test, and the test accepted "
            "it. Compare each answer more closely with the answers that are allowed."
        )
    return _(
        "No call of your test exposes this implementation: all its answers there are right. Call "
        "it with other arguments, too."
    )


def called(part: TestsPart, case: SuspectData) -> str:
    """Return how a message refers to an implementation that the student's test was called with."""
    known = not part["hidden"] and case["entry"]
    name = f"`{case['entry']}`" if known else ""
    call = f"{part['call']}(...)"
    if case["right"]:
        text = _("{call} on a right implementation {name}", call=call, name=name)
    else:
        text = _("{call} on a wrong implementation {name}", call=call, name=name)
    return f"{text.strip()}: {case['words']}" if case["words"] else text.strip()


def earning(part: TestsPart, found: Found) -> tuple[int, int]:
    """Return how many wrong implementations a student's test rejects, and how many there are.

    The first number is 0 if the test rejects a right implementation.
    """
    both = list(zip(part["suspects"], found, strict=True))
    wrong = [failure is None for one, failure in both if not one["right"]]
    fair = all(failure is None for one, failure in both if one["right"])
    return (sum(wrong) if fair else 0), len(wrong)


def said(part: TestsPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return advice to write ``assert`` if a student's test returned True or False, otherwise "".

    If the test judges all visible implementations rightly, the advice begins by saying so, because
    it replaces the message that would say it. The result for a hidden part is always "".
    """
    if part["hidden"] or not any("returned" in outcome for outcome in outcomes):
        return ""
    told = _(
        "The test returns True or False. This check takes False as a rejection, but programs that "
        "run tests look for an error, so write `assert`."
    )
    if any(failure is not None for failure in found):
        return told
    right = _n(
        "right on 1 of 1 visible case.", "right on {count} of {count} visible cases.", len(found)
    )
    return f"{right} {told}"
