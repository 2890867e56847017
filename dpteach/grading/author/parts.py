"""The conversion of a check to JSON data: its cases with the right and the mistaken answers.

The data of the visible cases and of the hidden cases are two *parts*. With these parts, a check
can be graded without the author's reference implementation.
"""

from __future__ import annotations

import itertools
import zlib
from typing import Any, TypeAlias

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.reading import section
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.registry import of_declaration

_, _n = catalog("author")

#: the data of a check's visible cases, and of its hidden cases if it has any
Parts: TypeAlias = tuple[Part[Any], Part[Any] | None]

#: the data of a check's visible cases; and for each mistake that the check declares (a wrong
#: implementation that the cases must detect), whether a visible case detects it
VisiblePart: TypeAlias = tuple[Part[Any], list[bool]]


def declared(check: Declaration, seed: int = 0, *, visible: VisiblePart | None = None) -> Parts:
    """Return a check as JSON data: the visible cases, and the hidden cases if there are any.

    Parameters
    ----------
    check
        The declaration.
    seed
        The seed from which hidden cases are drawn; the visible cases do not depend on it.
    visible
        The result of `visible_part` if it is already known, or None to compute it.

    Raises
    ------
    TypeError
        If `check` is not a check.
    ValueError
        If the author's reference implementation fails on a case, or no case detects one of the
        declared mistakes.
    """
    seen, caught = visible or visible_part(check, seed)
    check, kind = check.drawn(seed), of_declaration(check)
    hidden = None
    if check.hidden or check.asked_again:
        own = np.random.default_rng([seed, zlib.crc32(check.name.encode())])
        hidden = kind.part(check, _about(check, hidden=True), own)
        caught = [one or other for one, other in zip(caught, kind.caught(hidden), strict=True)]
    for mistake, is_caught in zip(check.mistakes, caught, strict=True):
        if not is_caught:
            raise ValueError(
                _(
                    "mistakes: no case of {check} tells the mistake {message!r} from the right "
                    "answer. Add a case where the two differ; make it visible if students are to "
                    "see the message before they submit",
                    check=check.name,
                    message=mistake.message,
                )
            )
    return seen, hidden


def visible_part(check: Declaration, seed: int = 0) -> VisiblePart:
    """Return the data of a check's visible cases, and which declared mistakes these cases detect.

    The result does not depend on `seed`, from which only the check's hidden cases are drawn.

    Raises
    ------
    TypeError
        If `check` is not a check.
    ValueError
        If the author's reference implementation fails on a visible case.
    """
    if not isinstance(check, Declaration):
        raise TypeError(
            _(
                "check must be a Check or another kind of check, got check={value}",
                value=shown(check),
            )
        )
    kind, own = of_declaration(check), np.random.default_rng(zlib.crc32(check.name.encode()))
    part = kind.part(check.drawn(seed), _about(check, hidden=False), own)
    return part, kind.caught(part)


def _about(check: Declaration, *, hidden: bool) -> Part[Any]:
    """Return the entries of a check's JSON data that all kinds of checks have."""
    about: Part[Any] = {
        "name": check.name,
        "points": check.points,
        "call": check.call,
        "hidden": hidden,
        "book": check.book,
        "place": section(check.book),
        "builds_on": list(check.builds_on),
        "messages": [mistake.message for mistake in check.mistakes],
        "cases": [],
        "kind": of_declaration(check).name,
    }
    sections = {one.message: [one.book, section(one.book)] for one in check.mistakes if one.book}
    return {**about, "sections": sections} if sections else about


def same_answers(check: Declaration, visible: Part[Any], hidden: Part[Any] | None) -> str:
    """Return a message if two of a check's mistakes give equal answers on all cases, otherwise "".

    A mistake is a wrong implementation with a message for students who return its answers. If two
    mistakes agree, students never see the message of the second one. The build does not test
    students' personal versions in this way, because two mistakes may agree there by chance.
    """
    cases = visible["cases"] + (hidden["cases"] if hidden else [])
    for one, other in itertools.combinations(range(len(check.mistakes)), 2):
        found = [(case["mistakes"][one], case["mistakes"][other]) for case in cases]
        if found and all(_same(*both) for both in found):
            return _(
                "mistakes: {one!r} and {other!r} give the same answers on all cases. Add a case "
                "where they differ, or make them one mistake",
                one=check.mistakes[one].message,
                other=check.mistakes[other].message,
            )
    return ""


def _same(one: Any, other: Any) -> bool:
    """Return whether two outcomes of a function on a case are equal, up to rounding."""
    if one == other:
        return True
    if not all(isinstance(wrong, dict) and "value" in wrong for wrong in (one, other)):
        return False
    return close(decode(one["value"]), decode(other["value"]), relative=1e-12, absolute=0.0)
