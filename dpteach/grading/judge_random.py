"""The verdict on one case of a check of a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpteach.grading._failures import Failure, error_text, kind_note, odd, rough
from dpteach.grading.plain import decode, shown
from dpteach.grading.statistics import findings, fits

_RNG_TEXT = (
    "Every random number must be drawn from the generator `rng` that is passed in (rng.normal, "
    "rng.laplace, ...): the functions of np.random and of the random module use a global state, "
    "and a generator made inside the function ignores the seed that the caller chose."
)
_REPEATED_TEXT = (
    "Each call must draw new noise from `rng`. A generator that is made with a fixed seed inside "
    "the function gives the same noise each time: whoever sees two answers can cancel it."
)
_TAIL_TEXT = (
    "Is the noise clipped, rounded or cut off? Where one dataset can give an answer that its "
    "neighbour cannot, every Rényi divergence of order above 1 is infinite."
)
_FINDING_TEXTS = {
    "coordinates": "Each coordinate needs a draw of its own: size=vector.shape.",
    "calls": "Each call needs new draws: do not keep noise from one call to the next.",
    "low tail": _TAIL_TEXT,
    "high tail": _TAIL_TEXT,
    "repeats": _TAIL_TEXT,
}
_SHAPE_TEXT = "The answer has one number for each entry of the vector, in the same shape."


def judge_random(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    law = case["law"]
    hidden = bool(declaration["hidden"])
    expected = "answers with the law that the docstring states" if hidden else _law_text(law, case)
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    if "raises" in outcome:
        note = ""
        if outcome["raises"] == "TypeError" and "rng" in outcome["message"]:
            note = "The function must take the keyword argument `rng`."
        return Failure(error_text(declaration, outcome), expected, note)
    if "value" in outcome:
        note = kind_note(outcome["value"], 0.0) or _SHAPE_TEXT
        returned = rough(outcome["value"]) if hidden else shown(outcome["value"])
        return Failure(returned, expected, note)
    shape = tuple(np.broadcast_shapes(np.shape(decode(law["loc"])), np.shape(decode(law["scale"]))))
    try:
        answers = np.asarray(outcome["values"], dtype=np.float64)
        again = np.asarray(outcome["again"], dtype=np.float64)
    except (TypeError, ValueError):
        return Failure("answers of different shapes", expected, _SHAPE_TEXT)
    if answers.shape[1:] != shape:
        return Failure(f"an answer of shape {answers.shape[1:]}", expected, _SHAPE_TEXT)
    if not np.all(np.isfinite(answers)):
        return Failure("an answer with NaN or infinity in it", expected)
    if np.all(answers == answers[:1]):
        plain = bool(np.all(answers[0] == np.asarray(decode(law["loc"]))))
        if plain:
            return Failure("the true value itself, without noise", expected, "Add the noise.")
        return Failure("the same answer at every call", expected, _REPEATED_TEXT)
    if outcome["touched"] or again.shape != answers[0].shape or np.any(again != answers[0]):
        return Failure("answers that the seed of `rng` does not determine", expected, _RNG_TEXT)
    finding = findings(answers, law, float(declaration["false_alarm"]))
    if finding is None:
        return None
    named = frozenset(
        i for i, wrong in enumerate(case["mistakes"]) if wrong is not None and fits(answers, wrong)
    )
    text = f"{len(answers)} answers; judged by their {finding.test}: {finding.words}"
    return Failure(text, expected, mistakes=named, fallback=_FINDING_TEXTS.get(finding.test, ""))


def _law_text(law: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    names = {"norm": "Gaussian", "laplace": "Laplace"}
    family = names.get(law["family"], law["family"])
    size = int(np.prod(np.broadcast_shapes(np.shape(law["loc"]), np.shape(law["scale"]))))
    return (
        f"independent {family} noise, scale {shown(decode(law['scale']))}, centre "
        f"{shown(decode(law['loc']))}   ({case['calls'] * size} numbers drawn)"
    )
