"""The verdict on a check: a pure function of its declaration and of what was observed.

`judge` needs neither the student's function nor the reference: it can run in another process
than the one that called the function. Its `Verdict` holds what a student may be told. For a
hidden case that is the case in words; never its arguments, the expected value, or the value that
came back (a function could return its argument).
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpteach.grading._failures import Failure, error_text, is_nan, kind_note, odd, rough
from dpteach.grading.judge_random import judge_random
from dpteach.grading.plain import decode, shown

#: the longest line of a message
WIDTH = 92


@dataclass(frozen=True)
class Verdict:
    """What a check found; `text` says it to the student.

    Attributes
    ----------
    name, points, book
        The item, what it is worth, and where to read again.
    hidden
        Whether the cases were hidden ones.
    tried, failed
        How many cases were run, and how many were not right.
    called, returned, expected
        The first case that was not right, in words.
    misconception
        The likely one, or "".
    """

    name: str
    points: float
    book: str
    hidden: bool
    tried: int
    failed: int
    called: str = ""
    returned: str = ""
    expected: str = ""
    misconception: str = ""

    @property
    def passed(self) -> bool:
        """Whether all cases were right."""
        return self.failed == 0

    def text(self) -> str:
        """The verdict as lines of text for the student."""
        kind = "hidden" if self.hidden else "visible"
        if self.passed:
            return f"{self.name}: right on {self.tried} of {self.tried} {kind} cases."
        chapter, _, section = self.book.partition("#")
        lines = [
            f"{self.name}: not right yet. Wrong: {self.failed} of {self.tried} {kind} "
            f"case{'s' if self.tried > 1 else ''}{', first' if self.failed > 1 else ''}:",
            _line("called", self.called),
            _line("returned", self.returned),
            _line("expected", self.expected),
        ]
        if self.misconception:
            lines.append(_line("likely", self.misconception))
        lines.append(_line("read", f"the book, chapter {chapter}, section {section}"))
        return "\n".join(lines)


def _line(label: str, text: str) -> str:
    lines = textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines), " " * 12).replace(" " * 12, f"  {label:<10}", 1)


def judge(declaration: Mapping[str, Any], outcomes: Sequence[Mapping[str, Any]]) -> Verdict:
    """The verdict on one part (visible or hidden) of a check.

    Parameters
    ----------
    declaration
        The part as data, as `dpteach.grading.build.declared` writes it.
    outcomes
        What `dpteach.grading.observe.observe` saw: one outcome a case. Fewer are allowed after
        an outcome that is late; the missing cases count as not right.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If there are outcomes for more cases than were declared, or for none.

    Examples
    --------
    >>> case = {"args": [2], "kwargs": {}, "words": None, "expected": 4, "mistakes": [{"value": 8}]}
    >>> part = {"kind": "values", "name": "square", "points": 1, "call": "square", "hidden": False,
    ...         "book": "05_renyi_dp#x", "compare": {"relative": 1e-9, "absolute": 0.0},
    ...         "recognise": [{"relative": 1e-9, "absolute": 0.0}], "builds_on": [],
    ...         "messages": ["That is the cube."], "cases": [case]}
    >>> judge(part, [{"value": 4.0}]).passed
    True
    >>> judge(part, [{"value": 8}]).misconception
    'That is the cube.'
    """
    cases = declaration["cases"]
    if not 1 <= len(outcomes) <= len(cases):
        raise ValueError(
            f"outcomes must hold 1 to {len(cases)} entries, one a case, got {len(outcomes)}"
        )
    failures = []
    for case, outcome in zip(cases, outcomes, strict=False):
        if declaration["kind"] == "random":
            failure = judge_random(declaration, case, outcome)
        else:
            failure = _judge_value(declaration, case, outcome)
        if failure is not None:
            failures.append((case, outcome, failure))
    about: dict[str, Any] = {
        "name": str(declaration["name"]),
        "points": float(declaration["points"]),
        "book": str(declaration["book"]),
        "hidden": bool(declaration["hidden"]),
        "tried": len(cases),
        "failed": len(failures) + len(cases) - len(outcomes),
    }
    if not failures:
        return Verdict(**about)
    case, outcome, failure = failures[0]
    return Verdict(
        **about,
        called=_called(declaration, case),
        returned=failure.returned,
        expected=failure.expected,
        misconception=failure.misconception
        or _named(declaration, failures)
        or failure.fallback
        or _earlier(declaration),
    )


def _named(
    declaration: Mapping[str, Any],
    failures: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Failure]],
) -> str:
    """The message of the mistake that explains the first failure, and most of the others."""
    first = failures[0][2].mistakes
    if not first:
        return ""
    counts = {i: sum(i in failure.mistakes for *_, failure in failures) for i in sorted(first)}
    best = max(counts, key=lambda i: (counts[i], -i))
    return str(declaration["messages"][best])


def _earlier(declaration: Mapping[str, Any]) -> str:
    names = " and ".join(declaration["builds_on"])
    if not names:
        return ""
    return f"If `{declaration['call']}` calls your earlier functions: get {names} right first."


def _called(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    call = str(declaration["call"])
    if declaration["hidden"]:
        return f"{call}(...) on a hidden case: {case['words']}"
    parts = [shown(decode(arg)) for arg in case["args"]]
    parts += [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]
    if declaration["kind"] == "random":
        parts.append("rng=rng")
    words = f"   ({case['words']})" if case["words"] else ""
    times = f", {case['calls']} times" if declaration["kind"] == "random" else ""
    return f"{call}({', '.join(parts)}){times}{words}"


def _judge_value(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    hidden = bool(declaration["hidden"])
    wanted = case.get("raises")
    if wanted:
        expected = "an error: " + " or ".join(wanted)
    else:
        expected = "(not shown for a hidden case)" if hidden else _expected_text(declaration, case)
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    mistakes = frozenset(
        i
        for i, wrong in enumerate(case["mistakes"])
        if wrong is not None and _same_outcome(outcome, wrong, declaration["recognise"][i])
    )
    if "raises" in outcome:
        if wanted and set(wanted) & set(outcome["kinds"]):
            return None
        return Failure(error_text(declaration, outcome), expected, mistakes=mistakes)
    value = outcome["value"]
    if wanted:
        returned = rough(value) if hidden else shown(value)
        return Failure(f"{returned}, no error", expected, mistakes=mistakes)
    right = decode(case["expected"])
    if close(value, right, **declaration["compare"]):
        return None
    note = kind_note(value, right)
    returned = rough(value) if hidden else shown(value)
    if note and not mistakes:
        return Failure(returned, expected, note)
    return Failure(returned, expected, mistakes=mistakes)


def _expected_text(declaration: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    rule = declaration["compare"]
    text = shown(decode(case["expected"]))
    if text in ("inf", "-inf", "True", "False"):
        return text
    if rule["relative"]:
        return f"{text}   (relative error at most {rule['relative']:g})"
    if rule["absolute"]:
        return f"{text}   (absolute error at most {rule['absolute']:g})"
    return f"{text}   (exactly)"


def _same_outcome(
    outcome: Mapping[str, Any], wrong: Mapping[str, Any], compare: Mapping[str, float]
) -> bool:
    """Whether an outcome is the one that a declared mistake has."""
    if "raises" in wrong:
        return "raises" in outcome and outcome["raises"] == wrong["raises"]
    if "value" not in outcome:
        return False
    value, other = outcome["value"], decode(wrong["value"])
    if is_nan(value) and is_nan(other):
        return True
    if value is None or isinstance(value, str):
        return type(value) is type(other) and bool(value == other)
    return close(value, other, **compare)


def close(value: object, expected: object, *, relative: float, absolute: float) -> bool:
    """Whether an answer (built-in numbers and lists) is as close to the expected one as asked.

    inf is close to inf only, NaN to nothing, True to True only; lists must have the same shape.

    Parameters
    ----------
    value, expected
        Built-in numbers, or nested lists of them; an array or a tuple counts as a list.
    relative, absolute
        The allowed error: the larger of `absolute` and `relative` times ``abs(expected)``.

    Examples
    --------
    >>> close(0.1 + 0.2, 0.3, relative=1e-9, absolute=0.0)
    True
    >>> close([1.0], 1.0, relative=1e-9, absolute=0.0)
    False
    """
    if isinstance(expected, np.ndarray):
        expected = expected.tolist()
    if isinstance(expected, (list, tuple)):
        return (
            type(value) in (list, tuple)
            and len(value) == len(expected)  # type: ignore[arg-type]
            and all(
                close(x, y, relative=relative, absolute=absolute)
                for x, y in zip(value, expected, strict=True)  # type: ignore[call-overload]
            )
        )
    if isinstance(expected, bool) or isinstance(value, bool):
        return type(value) is bool and type(expected) is bool and value == expected
    if type(value) not in (int, float) or not isinstance(expected, (int, float)):
        return False
    try:
        x, y = float(value), float(expected)  # type: ignore[arg-type]
    except OverflowError:
        return False
    if math.isnan(x) or math.isnan(y):
        return False
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= max(absolute, relative * abs(y))
