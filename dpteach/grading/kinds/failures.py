"""Descriptions of wrong answers, shared by several kinds of checks.

The description of a wrong answer to a hidden case contains no numeric value, neither of the case's
arguments nor of the answer, because students could otherwise learn the hidden case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.reasons import NAMELESS, TOOK_TOO_LONG, UNWRITTEN
from dpteach.grading.core.specification import Outcome, Part
from dpteach.grading.kinds.comparing import entries, is_nan

_, _n = catalog("kinds")


@dataclass(frozen=True)
class Failure:
    """Description of what is wrong with the outcome of one case.

    Attributes
    ----------
    returned, expected
        Texts that describe the student's answer and the expected answer.
    misconception
        A hint that is always shown, even if declared mistakes explain the outcome.
    mistakes
        The indices of the declared mistakes that explain the outcome.
    fallback
        A hint that is shown if no declared mistake explains the outcome.
    picture
        The data of a histogram of the answers, or None.
    by_chance
        Whether a right function may fail in this way with a tiny probability.
    worth
        The fraction of the points that the answer nevertheless earns, for kinds with partial
        points.
    accuses
        For checks in which students must prove that mechanisms violate their privacy claims:
        whether the answer accuses a mechanism without a proof. An error or a malformed answer does
        not.
    told
        A text that students read instead of the messages of the mistakes that explain the outcome;
        "" if they read these messages.
    code
        A code of `core.reasons`, such as `UNWRITTEN`, by which feedback pages recognize the
        failure; or "".
    open
        Whether `expected` may be shown for a hidden case, because it does not reveal the answer.
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
    code: str = ""
    open: bool = False


def not_shown() -> str:
    """Return the text that replaces the expected answer of a hidden case."""
    return _("(not shown for a hidden case)")


def unanswered(
    part: Part[Any], outcome: Outcome, expected: str, mistakes: frozenset[int] | None = None
) -> Failure | None:
    """Return what is wrong with an outcome such as an error; None if the outcome is an answer.

    `mistakes` are the indices, in the author's declaration of the check, of the mistakes that
    explain the outcome. None means that such mistakes were not looked for; then the description of
    an error has no hint about its cause.
    """
    failure = odd(part, outcome, expected)
    if failure is None and "raises" in outcome:
        return error(part, outcome, expected, mistakes)
    return failure


def odd(part: Part[Any], outcome: Outcome, expected: str) -> Failure | None:
    """Return why an outcome is no answer, such as a missing function or a call that took too long.

    The result is None for an answer, and for most errors, which `error` describes.
    """
    call, code = part["call"], ""
    match outcome:
        case {"missing": "uncallable"}:
            returned = _("nothing: `{call}` is no longer a function", call=call)
            hint = _("Another statement gives this name another meaning. Use another name there.")
        case {"missing": True}:
            returned = _("nothing: there is no function `{call}`", call=call)
            hint = _("Run the cell that defines the function first. Do not change its name.")
        case {"skipped": True}:
            returned, hint = _("not called: an earlier case took too long"), ""
        case {"late": seconds}:
            code = TOOK_TOO_LONG
            returned = _("nothing within {seconds:g} seconds", seconds=seconds)
            hint = _("A loop does not end, or does far more work than the formula needs.")
        case {"changed": True}:
            returned = _("an answer, but the function altered its arguments")
            hint = _(
                "The caller still needs its arguments, so work on a copy. `copy.deepcopy(...)` "
                "copies an argument with everything in it."
            )
        case {"unplain": text}:
            returned = _("an answer of an unexpected type")
            if not part["hidden"]:
                returned = _("an answer that is or contains {what}", what=_(text))
            hint = _(
                "Return plain numbers, or lists or numpy arrays of them. Write `list(...)` around "
                "a set or a range."
            )
        case {"raises": "NotImplementedError"}:
            code, returned = UNWRITTEN, _("nothing yet: NotImplementedError")
            hint = _(
                "`{call}` is not written yet, or calls a function that is not written yet. Replace "
                "`raise NotImplementedError()` by your own code.",
                call=call,
            )
        case {"raises": "RecursionError"}:
            returned = _("RecursionError: the function calls itself without end")
            hint = _("Check whether the function calls itself with the same arguments.")
        case _other:
            return None
    return Failure(returned, expected, hint, code=code)


def recognised(case: Any, is_like: Callable[[int, Any], bool]) -> frozenset[int]:
    """Return the indices of the declared mistakes that explain an answer to a case.

    Parameters
    ----------
    is_like
        A function of the index of a mistake and of the mistake's outcome on the case. It tells
        whether the student's answer agrees with that outcome.
    """
    kept = enumerate(case["mistakes"])
    return frozenset(i for i, wrong in kept if wrong is not None and is_like(i, wrong))


def all_of(messages: Sequence[str], places: Iterable[int]) -> str:
    """Return one text with the different messages of several declared mistakes.

    >>> all_of(["The variance.", "No root.", "The variance."], [0, 1, 2])
    'The variance. Or: No root.'
    """
    return _(" Or: ").join(dict.fromkeys(str(messages[place]) for place in places))


def error(
    part: Part[Any], outcome: Outcome, expected: str, mistakes: frozenset[int] | None = None
) -> Failure:
    """Return what a student reads about an error: for a visible case, with its message and line.

    `mistakes` are the indices, in the author's declaration of the check, of the mistakes that
    explain the error. None means that such mistakes were not looked for; then the result has no
    hint about the cause of the error.
    """
    name, message = outcome["raises"], outcome["message"]
    if message and not part["hidden"]:
        returned = _("an error: {name}: {message}", name=name, message=message)
    else:
        returned = _("an error: {name}", name=name)
    if "line" in outcome and not part["hidden"]:
        returned = _("{error}, raised in `{line}`", error=returned, line=outcome["line"])
    code = NAMELESS if name == "NameError" else ""
    note = "" if mistakes is None else error_note(part, outcome)
    return Failure(returned, expected, "", mistakes or frozenset(), note, code=code)


def error_note(part: Part[Any], outcome: Outcome) -> str:
    """Return a hint about the cause of an error if its own message says little; otherwise ""."""
    # how the message of a domain error of `math` begins: before Python 3.14, and from 3.14 on
    said = ("math domain error", "expected a positive input")
    domain = outcome["raises"] == "ValueError" and str(outcome["message"]).startswith(said)
    if outcome["raises"] == "NameError":
        return _(
            "The function uses a name that is not defined. It is misspelled, or the cell that "
            "defines it was not run. Run all cells from the top; the first one has the imports."
        )
    if outcome["raises"] == "OverflowError":
        return _(
            "An intermediate result is too large for a float. Use logarithms, or rewrite the "
            "formula so that large factors cancel before they are computed."
        )
    if part["hidden"] or not domain:
        return ""
    return _(
        "The function probably takes a logarithm of 0 or of a negative number. If the number is 0 "
        "because a small result was rounded to 0, compute with logarithms from the start; "
        "otherwise, treat that case separately."
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

    The hint states shapes for visible cases only, because a function could return an array whose
    shape encodes the digits of a hidden argument.
    """
    if value is None:
        return _("The function returns None. Check that there is a `return` on every path.")
    if isinstance(value, str) and isinstance(expected, bool):
        return _("Return True or False without quotation marks.")
    if isinstance(value, str) and isinstance(expected, int):
        return _("A string is not a number. Return the number without quotation marks.")
    if isinstance(value, str):
        return _(
            "A string is not a number. Write 0.36 without quotation marks, also for '36%', and "
            "`math.inf` for infinity."
        )
    if isinstance(value, bool) and not isinstance(expected, bool):
        return _("The function returned True or False instead of a number.")
    if isinstance(expected, bool) and not isinstance(value, bool):
        return _("The function must return True or False.")
    if is_nan(value):
        return _(
            "The answer is NaN, which comes, for example, from 0 * inf, inf - inf or 0 / 0. If a "
            "power or product became 0 or inf by rounding, compute with logarithms; otherwise, "
            "treat that case separately."
        )
    right = _shape(expected if not isinstance(expected, np.ndarray) else expected.tolist())
    if _shape(value) != right:
        if right == ():
            return _("The function must return one number, not a list or an array.")
        if hidden or _shape(value) is None:
            return _("The answer does not have the right shape.")
        return _(
            "The answer must be {right}, not {given}.",
            right=_form(right or ()),
            given=_form(_shape(value) or ()),
        )
    if isinstance(value, list) and any(map(is_nan, entries(value))):
        return _(
            "The answer contains NaN, which comes, for example, from 0 * inf, inf - inf or 0 / 0. "
            "If a power or product became 0 or inf by rounding, compute with logarithms; "
            "otherwise, treat that case separately."
        )
    return ""


def _form(shape: tuple[int, ...]) -> str:
    """Return a description of the shape of an array.

    >>> _form(()), _form((3,)), _form((2, 3))
    ('one number', 'a list of 3 numbers', 'an array of shape (2, 3)')
    """
    if len(shape) > 1:
        return _("an array of shape {shape}", shape=shape)
    if not shape:
        return _("one number")
    return _n("a list of {count} number", "a list of {count} numbers", shape[0])


def rough(value: object) -> str:
    """Return a description of an answer to a hidden case that does not reveal the answer."""
    if value is None:
        return "None"
    if isinstance(value, bool):
        return _("True or False")
    if isinstance(value, str):
        return _("a string")
    if isinstance(value, (list, tuple)):
        return _("a list or an array with other numbers or of another shape")
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return _("a number beyond all floats")
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return _("another finite number")
