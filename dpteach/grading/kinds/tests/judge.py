"""The verdict on a test that the student has written."""

from __future__ import annotations

from collections.abc import Sequence

from dpteach.grading.core.reasons import REJECTS_RIGHT, UNFAIR
from dpteach.grading.core.specification import Outcome
from dpteach.grading.kinds.failures import Failure, unanswered
from dpteach.grading.kinds.kind import Found, Witness
from dpteach.grading.kinds.tests.replier import MAX_REQUESTS, NAN, SuspectData, TestsPart


def judged(part: TestsPart, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
    """Return what is wrong with the verdict on each suspect, or None."""
    found: list[Failure | None] = []
    for i, (case, outcome) in enumerate(zip(part["suspects"], outcomes, strict=True)):
        # any other value proves nothing
        proof = witness[i] if i < len(witness) else False
        asked = proof if proof is True or proof == NAN else False
        found.append(_judge_test(part, case, outcome, asked))
    return found


def _judge_test(
    part: TestsPart, case: SuspectData, outcome: Outcome, asked: bool | str
) -> Failure | None:
    expected = "accepted" if case["right"] else "rejected"
    failure = unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    if "ended" in outcome:
        note = (
            "Some dozen calls are enough for a test; "
            f"{MAX_REQUESTS:,} of each implementation are allowed."
        )
        return Failure("the test asked for too many or too large calls", expected, note)
    if outcome["accepts"]:
        return None if case["right"] else Failure("accepted", expected, _accepted(asked))
    # of a hidden implementation, neither its arguments nor its answers are told
    last = "" if part["hidden"] else str(outcome.get("last", ""))
    by = f" by {last}" if last else ""
    if case["right"]:
        words = f" ({case['words']})" if case["words"] else ""
        note = (
            f"{REJECTS_RIGHT}{words}, so it earns nothing. Look at what it expects of each call: a "
            "wrong number, a comparison of floats without a tolerance (math.isclose), what the "
            "docstring does not promise, and an error of the test itself all reject it."
        )
        return Failure(f"rejected{by}", expected, note, code=UNFAIR)
    if not asked:
        note = (
            "A test must call the implementation on arguments for which its answer is wrong. One "
            "that fails before, by an error of its own, rejects right implementations, too."
        )
        told = f"rejected{by}, before any answer was wrong"
        return Failure(told, "rejected for a wrong answer", note)
    return None


def _accepted(asked: bool | str) -> str:
    """Return why a test has not rejected a wrong implementation, from what it asked."""
    if asked == NAN:
        return (
            "It answered nan to a question of your test, and the test accepted: "
            "`abs(nan - x) > 1e-6` is false. Write: `assert abs(found - right) < 1e-6`."
        )
    if asked:
        return (
            "It answered a question of your test as no right implementation does, and the test "
            "accepted: is each answer compared with the right one, and closely enough?"
        )
    return "The test asks nothing on which this implementation shows its mistake."


def called(part: TestsPart, case: SuspectData) -> str:
    """Return in words on which implementation the test was called."""
    known = not part["hidden"] and case["entry"]
    name = f" `{case['entry']}`" if known else ""
    kind = "a right implementation" if case["right"] else "a wrong implementation"
    words = f": {case['words']}" if case["words"] else ""
    return f"{part['call']}(...) on {kind}{name}{words}"


def earning(part: TestsPart, found: Found) -> tuple[int, int]:
    """Return how many of the wrong ones are rejected; none count if a right one is, too."""
    both = list(zip(part["suspects"], found, strict=True))
    wrong = [failure is None for one, failure in both if not one["right"]]
    fair = all(failure is None for one, failure in both if one["right"])
    return (sum(wrong) if fair else 0), len(wrong)


def said(part: TestsPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return a note on a test that returns True or False, or ""."""
    if part["hidden"] or not any("returned" in outcome for outcome in outcomes):
        return ""
    told = (
        "The test returns True or False. That is understood here (False rejects), but whoever runs "
        "tests looks for an error: write assert."
    )
    if any(failure is not None for failure in found):
        return told
    return f"right on {len(found)} of {len(found)} visible cases. {told}"
