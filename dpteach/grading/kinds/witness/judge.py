"""The verdict on witnesses: whether one proves, by exact computation, that a claim is broken.

A witness comes from the student's process and may be any plain value. The judge looks up its
tables, whether they are neighbors, and its outcomes. The distributions of the mechanism on its two
tables, which are data of the part, then decide.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, Final

from dpteach.grading.core.plain import SHOWN_CHARACTERS, decode, shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds.failures import Failure, unanswered
from dpteach.grading.kinds.kind import Found

#: least amount by which the inequality of a claim must fail for a witness to count
MARGIN: Final = 0.01

#: largest amount by which rounding alone makes an inequality seem to fail
ROUNDING: Final = 1e-9


class WitnessCase(Call):
    """A mechanism, whose name is the only argument.

    ``law`` has the probabilities of the outcomes on each table, as JSON text, and ``wrong`` tells
    whether they break the claim. Both are None where only the form of the answer is judged.
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
    """Return by how much two distributions break the claim of a part; at most 0 if they keep it.

    Parameters
    ----------
    part
        With ``epsilon``, ``delta`` and ``order``.
    p, q
        The probabilities of the outcomes on the first table and on the second.
    event
        Numbers of outcomes; the worst event if None. It is ignored for a claim of Rényi DP.

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
    """Return what is wrong with the answer on a mechanism, or None."""
    form = "[table, neighbour]" if part["order"] is not None else "[table, neighbour, event]"
    expected = f"None, or a witness: {form}"
    failure = unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    value = outcome["value"]
    name = f"`{case['args'][0]}`"  # repeated in the notes, which may be shown without the case
    if value is None:
        if not case["wrong"]:
            return None
        note = f"{name} breaks its claim: {case['words']}"
        return Failure("None: it keeps its claim", f"a witness: {form}", note)
    places, problem = _places(part, value)
    if problem:
        return Failure(_short(value), expected, f"{name}: {problem}")
    if case["law"] is None:  # only the form of the answer is judged here
        return None
    law = json.loads(case["law"])
    p, q = law[places[0]], law[places[1]]
    event = None if part["order"] is not None else places[2:]
    if excess(part, p, q, event) >= MARGIN:
        return None
    note = f"{name}: {_weak(part, p, q, event)}"
    return Failure(_short(value), "a witness that breaks the claim", note, accuses=True)


def _weak(
    part: WitnessPart, p: Sequence[float], q: Sequence[float], event: Sequence[int] | None
) -> str:
    """Return in words why a witness of the right form proves nothing."""
    if event is None:
        found = excess(part, p, q) + part["epsilon"]
        said = (
            f"The divergence of these two laws is {found:.6g}; claimed is at most "
            f"{part['epsilon']:g}"
        )
    else:
        a, b = (math.fsum(law[i] for i in event) for law in (p, q))
        bound = math.exp(part["epsilon"]) * b + part["delta"]
        said = (
            f"The event has the probability {a:.6g} on the first table and {b:.6g} on the second, "
            f"and the claim allows {bound:.6g} on the first"
        )
    if excess(part, q, p, event) >= MARGIN:
        return f"{said}. The other way round it is a witness: exchange the tables."
    if excess(part, p, q, event) <= ROUNDING:
        return f"{said}: there it holds."
    return f"{said}; a claim must fail by {MARGIN:g} at least."


def _places(part: WitnessPart, value: Any) -> tuple[list[int], str]:
    """Return the numbers of the tables and outcomes of a witness, or in words what is wrong."""
    count = 2 if part["order"] is not None else 3
    if not isinstance(value, list) or len(value) != count:
        form = "two tables, and an event" if count == 3 else "two tables"
        return [], f"A witness is a list of {count}: {form}. Where there is none return None."
    tables = json.loads(part["tables"])  # numbers are compared by ==, so 1.0 and True count as 1
    for which, table in zip(("first", "second"), value, strict=False):
        if table not in tables:
            such = _short(tables[0])
            note = f"The {which} table is none of those that there may be, such as {such}"
            return [], f"{note}: {_short(table)}."
    found = [tables.index(table) for table in value[:2]]
    if found not in json.loads(part["pairs"]):
        return [], "The two tables are not neighbours."
    if count == 2:
        return found, ""
    if not isinstance(value[2], list):
        return [], "The event is a list of outcomes, also if it is only one."
    if not value[2]:
        return [], "The event is empty: it never happens on any table, and so proves nothing."
    odd = [outcome for outcome in value[2] if outcome not in part["outcomes"]]
    if odd:
        return [], f"The event holds what is no outcome: {_short(odd[0])}."
    event = [part["outcomes"].index(outcome) for outcome in value[2]]
    if len(set(event)) < len(event):
        return [], "The event holds an outcome twice."
    return found + event, ""


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def called(part: WitnessPart, case: WitnessCase) -> str:
    """Return how a case reads."""
    only = " (only its form is looked at here)" if case["law"] is None else ""
    return f"{part['call']}({case['args'][0]!r}){only}"


def _accused(case: WitnessCase, failure: Failure | None) -> bool:
    """Tell whether a right mechanism is accused."""
    return failure is not None and failure.accuses and not case["wrong"]


def earning(part: WitnessPart, found: Found) -> tuple[int, int]:
    """Return how many are proved wrong, less the right ones that are accused, of how many wrong."""
    both = [both for both in zip(part["cases"], found, strict=True) if both[0]["law"] is not None]
    proved = sum(bool(case["wrong"]) and failure is None for case, failure in both)
    accused = sum(_accused(case, failure) for case, failure in both)
    return max(0, proved - accused), max(1, sum(bool(case["wrong"]) for case, _ in both))


def said(part: WitnessPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return what is told about the answers on all mechanisms together."""
    if not part["hidden"]:
        forms = sum(case["law"] is None for case in part["cases"])
        least = f"A witness counts where a claim fails by {MARGIN:g} at least."
        said = f"The form of {forms} answers is looked at here, and not whether they are right."
        return f"{said} {least}"
    each_case = list(zip(part["cases"], outcomes, found, strict=True))
    wrong = [failure for case, _, failure in each_case if case["wrong"]]
    accused = [case["args"][0] for case, _, failure in each_case if _accused(case, failure)]
    silent = [
        case["args"][0]
        for case, outcome, failure in each_case
        if failure and not failure.accuses and outcome.get("value", failure) is not None
    ]
    said = f"{wrong.count(None)} of the {len(wrong)} wrong ones are proved wrong."
    if accused:
        said += f" Accused, and right: {', '.join(accused)}."
    if silent:
        said += (
            f" No verdict on {', '.join(silent)}: an error, or a witness of another form, neither "
            "proves nor accuses."
        )
    return said
