"""Failures that checks of several kinds share, and the words for them.

Of a hidden case, these words repeat no number, neither of the case nor of what came back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpteach.grading.core.reasons import LATE, NOT_WRITTEN, NOTHING_YET, TOOK_TOO_LONG, UNWRITTEN
from dpteach.grading.core.specification import Outcome, Part
from dpteach.grading.kinds.comparing import is_nan


@dataclass(frozen=True)
class Failure:
    """Description of what is wrong with the outcome of one case.

    Attributes
    ----------
    returned, expected
        What came back, and what was expected.
    misconception
        A hint that holds whatever else is known about the answers.
    mistakes
        The declared mistakes that explain the outcome.
    fallback
        A hint for the case that no declared mistake explains all outcomes.
    picture
        A histogram of the answers as data, or None.
    by_chance
        Whether a right function may fail like this, with a tiny probability.
    worth
        The share of the points that remains, for kinds that judge a case in steps.
    accuses
        Whether it accuses a mechanism without proof. An error or a malformed witness does not.
    told
        What is told of the mistakes that explain it, if it is more than their messages.
    """

    returned: str
    expected: str
    misconception: str = ""
    mistakes: frozenset[int] = frozenset()
    fallback: str = ""
    picture: dict[str, Any] | None = None
    by_chance: bool = False
    worth: Fraction = Fraction(0)
    accuses: bool = False
    told: str = ""
    #: what the pages know it by, such as `core.reasons.UNWRITTEN`, or ""
    code: str = ""


def unanswered(
    part: Part[Any], outcome: Outcome, expected: str, mistakes: frozenset[int] | None = None
) -> Failure | None:
    """Return the failure for an outcome that is no answer, such as an error, or None.

    With `mistakes`, those that explain an error, it also has a hint about the error's cause.
    """
    failure = odd(part, outcome, expected)
    if failure is None and "raises" in outcome:
        text = error_text(part, outcome)
        if mistakes is None:
            return Failure(text, expected)
        return Failure(text, expected, mistakes=mistakes, fallback=error_note(part, outcome))
    return failure


def odd(part: Part[Any], outcome: Outcome, expected: str) -> Failure | None:
    """Return the failure for an outcome that is neither an answer nor an error, or None."""
    told = _no_answer(part, outcome)
    if told is None:
        return None
    code = TOOK_TOO_LONG if "late" in outcome else ""
    if outcome.get("raises") == "NotImplementedError":
        code = UNWRITTEN
    return Failure(told[0], expected, told[1], code=code)


def _no_answer(part: Part[Any], outcome: Outcome) -> tuple[str, str] | None:
    """Return what came in place of an answer, and a hint about it; None for answers and errors."""
    call = part["call"]
    match outcome:
        case {"missing": "uncallable"}:
            return f"nothing: `{call}` is not a function any more", "Was the name used twice?"
        case {"missing": _}:
            note = "Run the cell that defines it first; its name must stay as it was."
            return f"nothing: there is no function `{call}`", note
        case {"skipped": _}:
            return "not called: an earlier case took too long", ""
        case {"late": seconds}:
            note = "A loop that does not end, or far more work than the formula needs."
            return f"{LATE} {seconds:g} seconds", note
        case {"changed": _}:
            return "an answer, but the function altered its arguments", (
                "Work on a copy: the caller still needs its own list. copy.deepcopy(...) copies "
                "an argument with all that is in it."
            )
        case {"unplain": text}:
            returned = "an answer of an unexpected kind" if part["hidden"] else text
            return returned, (
                "Return plain numbers: float(...), a list as list(...) makes it, or a numpy array."
            )
        case {"raises": "NotImplementedError"}:
            return NOTHING_YET, (
                f"`{call}` {NOT_WRITTEN}, or calls a function that is not: replace "
                "`raise NotImplementedError()`."
            )
        case {"raises": "RecursionError"}:
            note = "Does the function call itself with the same arguments?"
            return "RecursionError: the function calls itself without end", note
    return None


def recognised(case: Any, is_like: Callable[[int, Any], bool]) -> frozenset[int]:
    """Return the declared mistakes that explain an answer to a case.

    Parameters
    ----------
    is_like
        A function of the number of a mistake and of what the mistake does on the case, which tells
        whether the answer is like that.
    """
    kept = enumerate(case["mistakes"])
    return frozenset(i for i, wrong in kept if wrong is not None and is_like(i, wrong))


def all_of(messages: Sequence[str], places: Iterable[int]) -> str:
    """Return the messages of several declared mistakes that all explain the answers.

    >>> all_of(["The variance.", "No root.", "The variance."], [0, 1, 2])
    'The variance. Or: No root.'
    """
    return " Or: ".join(dict.fromkeys(str(messages[place]) for place in places))


def error_text(part: Part[Any], outcome: Outcome) -> str:
    """Return an error in words, with its message if the case is visible."""
    text = f"an error: {outcome['raises']}"
    if outcome["message"] and not part["hidden"]:
        text += f": {outcome['message']}"
    return text


def error_note(part: Part[Any], outcome: Outcome) -> str:
    """Return a hint about the cause of an error whose message says little, or ""."""
    # the messages of `math` before Python 3.14, and since
    said = ("math domain error", "expected a positive input")
    domain = outcome["raises"] == "ValueError" and str(outcome["message"]).startswith(said)
    if outcome["raises"] == "NameError":
        return (
            "A name is not known where the function runs: it is misspelled, or the cell that "
            "defines it was not run. Run all cells from the top: the first one has the imports."
        )
    if outcome["raises"] == "OverflowError":
        return (
            "A number on the way is larger than floats can be. Take logarithms, or rewrite the "
            "formula so that large factors cancel before they are computed."
        )
    if part["hidden"] or not domain:
        return ""
    return (
        "Most likely a logarithm of 0, or of what is below 0: look at that case on its own, or "
        "do without the logarithm."
    )


def _shape(value: object) -> tuple[int, ...] | None:
    if isinstance(value, (list, tuple)):
        try:
            return np.shape(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError, OverflowError):
            return None
    return () if type(value) in (int, float) else None


def kind_note(value: object, expected: object, *, hidden: bool) -> str:
    """Return a hint for an answer of the wrong type or shape, or "".

    It tells the shape for visible cases only, since a shape could be made of an argument's digits.
    """
    if value is None:
        return "The function returns None: is there a `return` on every path?"
    if isinstance(value, str):
        return (
            "A string is not a number: write 0.36, without quotation marks, for '36%' as well, and "
            "math.inf for infinity."
        )
    if isinstance(value, bool) and not isinstance(expected, bool):
        return "True or False came back where a number was asked for."
    if isinstance(expected, bool) and not isinstance(value, bool):
        return "True or False was asked for."
    if is_nan(value):
        return "NaN: a 0 * inf, an inf - inf or a 0 / 0 on the way; treat that case on its own."
    right = _shape(expected if not isinstance(expected, np.ndarray) else expected.tolist())
    if _shape(value) != right:
        if right == ():
            return "One number was asked for, not a list or an array."
        if hidden:
            return "The shape is another one than was asked for."
        return f"The shape is {_shape(value)}, asked for was {right}."
    return ""


def rough(value: object) -> str:
    """Return a description of a value that does not give the value away."""
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (list, tuple)):
        return "a list or an array with other numbers or of another shape"
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return "a number beyond all floats"
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return "another finite number"
