"""A check as JSON data: its visible and its hidden part, with the right answers and the wrong ones.

From here on nothing needs the reference any more.
"""

from __future__ import annotations

import itertools
import zlib
from typing import Any, TypeAlias

import numpy as np

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.reading import section
from dpteach.grading.core.specification import About, Part
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.registry import of_declaration

#: the visible part of a check, and the hidden one
Parts: TypeAlias = tuple[Part[Any], Part[Any] | None]

#: a visible part, and which of the mistakes it tells from the right answer
VisiblePart: TypeAlias = tuple[Part[Any], list[bool]]


def declared(check: Declaration, seed: int = 0, *, visible: VisiblePart | None = None) -> Parts:
    """Return a check as JSON data: its visible part, and its hidden part if it has one.

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
        If the reference fails on a case, or a mistake is right on all cases.
    """
    seen, caught = visible or visible_part(check, seed)
    check, kind = check.drawn(seed), of_declaration(check)
    hidden = None
    if check.hidden or check.asked_again:
        own = np.random.default_rng([seed, zlib.crc32(check.name.encode())])
        hidden = kind.part(check, _about(check, hidden=True), own)
        caught = [one or other for one, other in zip(caught, kind.caught(hidden), strict=True)]
    for mistake, told in zip(check.mistakes, caught, strict=True):
        if not told:
            raise ValueError(
                f"mistakes: no case of {check.name} tells this one from the right answer: "
                f"{mistake.message!r}. Add a case where both differ: a visible one, if students "
                "are to be told before they hand in"
            )
    return seen, hidden


def visible_part(check: Declaration, seed: int = 0) -> VisiblePart:
    """Return what all exams of a check have in common, made from one of them.

    Raises
    ------
    TypeError, ValueError
        As `declared`.
    """
    if not isinstance(check, Declaration):
        raise TypeError(f"check must be a Check or another kind of check, got check={shown(check)}")
    kind, own = of_declaration(check), np.random.default_rng(zlib.crc32(check.name.encode()))
    part = kind.part(check.drawn(seed), _about(check, hidden=False), own)
    return part, kind.caught(part)


def _about(check: Declaration, *, hidden: bool) -> About[Any]:
    """Return what parts of all kinds hold."""
    return {
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


def same_answers(check: Declaration, visible: Part[Any], hidden: Part[Any] | None) -> str:
    """Return which two mistakes nothing tells apart, so that the second would never be told; or "".

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
