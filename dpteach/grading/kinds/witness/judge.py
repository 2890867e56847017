"""The verdict on witnesses: an exact computation of whether a witness proves a violated claim.

A witness is an answer of a student: two neighboring tables and an event for which a mechanism's
privacy claim fails. The answer comes from the student's process and may be any plain value. The
judge checks that its tables and outcomes exist and that its tables are neighbors. The judge also
gets the distributions of the mechanism on all tables (`WitnessCase.law`), and computes from them
whether the claim fails.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.plain import SHOWN_CHARACTERS, decode, shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds.failures import Failure, unanswered
from dpteach.grading.kinds.kind import Found

_, _n = catalog("kinds")

#: least amount by which the inequality of a privacy claim must fail for a student's proof to count
MARGIN: Final = 0.01

#: largest amount by which rounding alone can make the inequality of a privacy claim fail
ROUNDING: Final = 1e-9


class WitnessCase(Call):
    """A case of a `WitnessCheck`: a mechanism, whose name is the only argument.

    ``law`` has the probabilities of the outcomes on each table, as JSON text, and ``wrong`` tells
    whether they violate the claim. Both are None if only the form of the answer is judged.
    """

    law: str | None
    wrong: bool | None
    mistakes: list[Any]


class WitnessPart(Part[WitnessCase]):
    """A part of a `WitnessCheck`, with the tables and the pairs of neighbors as JSON texts."""

    epsilon: float
    delta: float
    order: Any
    outcomes: list[int | str]
    tables: str
    pairs: str


def excess(
    part: WitnessPart, p: Sequence[float], q: Sequence[float], event: Sequence[int] | None = None
) -> float:
    """Return by how much two distributions violate a privacy claim; at most 0 if they satisfy it.

    Parameters
    ----------
    part
        Data with the fields ``epsilon``, ``delta`` and ``order`` of the claim.
    p, q
        The probabilities of the outcomes on the first table and on the second.
    event
        The event, as indices of its outcomes; None for the worst event. Ignored for a claim of
        Rényi DP.

    Examples
    --------
    >>> part = {"epsilon": 0.0, "delta": 0.1, "order": None}
    >>> excess(part, [0.75, 0.25], [0.25, 0.75]), excess(part, [0.75, 0.25], [0.25, 0.75], [1])
    (0.4, -0.6)
    >>> round(excess({"epsilon": 1.0, "order": 2.0}, [0.75, 0.25], [0.25, 0.75]), 6)
    -0.152702
    """
    if part["order"] is not None:
        from dpteach.divergences import renyi_divergence

        return float(renyi_divergence(p, q, decode(part["order"]))) - part["epsilon"]
    gains = [a - math.exp(part["epsilon"]) * b for a, b in zip(p, q, strict=True)]
    chosen = [max(0.0, x) for x in gains] if event is None else [gains[i] for i in event]
    return math.fsum(chosen) - part["delta"]


def judge_witness(part: WitnessPart, case: WitnessCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with a student's answer about a mechanism, or None if it is right."""
    if part["order"] is not None:
        expected = _("None, or a witness `[table, neighbor]`")
    else:
        expected = _("None, or a witness `[table, neighbor, event]`")
    failure = unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    value = outcome["value"]
    # each note contains the mechanism's name, because a note may be shown without the case
    name = f"`{case['args'][0]}`"
    if value is None:
        if not case["wrong"]:
            return None
        note = _("{name} breaks its claim: {words}", name=name, words=case["words"])
        return Failure(_("None: it keeps its claim"), _("a witness"), note)
    places, problem = _places(part, value)
    if problem:
        return Failure(_short(value), expected, f"{name}: {problem}")
    if case["law"] is None:  # the visible part of a check judges only the form of this answer
        return None
    law = json.loads(case["law"])
    p, q = law[places[0]], law[places[1]]
    event = None if part["order"] is not None else places[2:]
    if excess(part, p, q, event) >= MARGIN:
        return None
    note = f"{name}: {_weak(part, case, p, q, event)}"
    wanted = (
        _("a witness that breaks the claim") if case["wrong"] else _("None: it keeps its claim")
    )
    return Failure(_short(value), wanted, note, accuses=True)


def _weak(
    part: WitnessPart,
    case: WitnessCase,
    p: Sequence[float],
    q: Sequence[float],
    event: Sequence[int] | None,
) -> str:
    """Return a hint on why an event and two tables do not prove that a mechanism is wrong."""
    if event is None:
        said = _(
            "The divergence of the distributions is {found:.6g}, and the claim allows {bound:g}.",
            found=excess(part, p, q) + part["epsilon"],
            bound=part["epsilon"],
        )
    else:
        a, b = (math.fsum(law[i] for i in event) for law in (p, q))
        said = _(
            "The event has the probability {first:.6g} on the first table and {second:.6g} on the "
            "second, and the claim allows {bound:.6g} on the first.",
            first=a,
            second=b,
            bound=math.exp(part["epsilon"]) * b + part["delta"],
        )
    if excess(part, q, p, event) >= MARGIN:
        why = _("With the two tables exchanged, it is a witness.")
    elif not case["wrong"]:
        why = _("The claim holds here and everywhere else, so the right answer is None.")
    elif excess(part, p, q, event) > ROUNDING:
        why = _("A witness counts only if the claim fails by at least {margin:g}.", margin=MARGIN)
    elif event is None:
        why = _("The claim holds for these tables, but it fails for others.")
    else:
        why = _("The claim holds here, but it fails for other tables or for another event.")
    return f"{said} {why}"


def _places(part: WitnessPart, value: Any) -> tuple[list[int], str]:
    """Return the indices of tables and outcomes in a student's answer, and "".

    If the answer is malformed, return an empty list and a message about its form.
    """
    count = 2 if part["order"] is not None else 3
    if not isinstance(value, list) or len(value) != count:
        if count == 2:
            return [], _("A witness is a list of two tables. Return None if there is no witness.")
        return [], _(
            "A witness is a list of two tables and an event. Return None if there is no witness."
        )
    tables = json.loads(part["tables"])  # `in` and `index` use ==, so 1.0 and True count as 1
    for number, table in enumerate(value[:2], 1):
        if table not in tables:
            return [], _(
                "Table {number} is {table}, which is not a possible table such as {example}.",
                number=number,
                table=_short(table),
                example=_short(tables[0]),
            )
    found = [tables.index(table) for table in value[:2]]
    if found not in json.loads(part["pairs"]):
        return [], _("The two tables are not neighbors.")
    if count == 2:
        return found, ""
    if not isinstance(value[2], list):
        return [], _("The event must be a list of outcomes, even of only one.")
    if not value[2]:
        return [], _("The event is empty. It has probability 0 on every table and proves nothing.")
    odd = [outcome for outcome in value[2] if outcome not in part["outcomes"]]
    if odd:
        return [], _("The event contains {outcome}, which is no outcome.", outcome=_short(odd[0]))
    event = [part["outcomes"].index(outcome) for outcome in value[2]]
    if len(set(event)) < len(event):
        return [], _("The event contains an outcome twice.")
    return found + event, ""


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def called(part: WitnessPart, case: WitnessCase) -> str:
    """Return how feedback refers to a case of a `WitnessCheck`."""
    call = f"{part['call']}({case['args'][0]!r})"
    return call if case["law"] else _("{call} (only its form is judged here)", call=call)


def _accused(case: WitnessCase, failure: Failure | None) -> bool:
    """Return whether a student's answer claims that a right mechanism is wrong."""
    return failure is not None and failure.accuses and not case["wrong"]


def earning(part: WitnessPart, found: Found) -> tuple[int, int]:
    """Return the earned fraction of the points as numerator and denominator.

    The numerator is the number of mechanisms that are proved wrong minus the number of right
    mechanisms that are accused, but at least 0; the denominator is the number of wrong mechanisms.
    """
    both = [both for both in zip(part["cases"], found, strict=True) if both[0]["law"] is not None]
    proved = sum(bool(case["wrong"]) and failure is None for case, failure in both)
    accused = sum(_accused(case, failure) for case, failure in both)
    return max(0, proved - accused), max(1, sum(bool(case["wrong"]) for case, _ in both))


def said(part: WitnessPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return sentences for the student that summarize the answers about all mechanisms."""
    if not part["hidden"]:
        return _n(
            "This check can judge only the form of {count} answer; the feedback after grading "
            "tells you whether it is right. A witness counts if the claim fails by at least "
            "{margin:g}.",
            "This check can judge only the form of {count} answers; the feedback after grading "
            "tells you whether they are right. A witness counts if the claim fails by at least "
            "{margin:g}.",
            sum(case["law"] is None for case in part["cases"]),
            margin=MARGIN,
        )
    wrong, accused, silent = [], [], []
    for case, outcome, failure in zip(part["cases"], outcomes, found, strict=True):
        if case["wrong"]:
            wrong.append(failure)
        if _accused(case, failure):
            accused.append(case["args"][0])
        elif failure and not failure.accuses and outcome.get("value", failure) is not None:
            silent.append(case["args"][0])
    told = [
        _n(
            "Of {total} wrong mechanisms, {count} is proved wrong.",
            "Of {total} wrong mechanisms, {count} are proved wrong.",
            wrong.count(None),
            total=len(wrong),
        )
    ]
    if accused:
        told.append(_("You accused right mechanisms: {names}.", names=", ".join(accused)))
    if silent:
        told.append(
            _(
                "There is no verdict on {names}, because an error, or a witness of another form, "
                "neither proves nor accuses.",
                names=", ".join(silent),
            )
        )
    return " ".join(told)
