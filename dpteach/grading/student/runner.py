"""The function `check`, which the check cells of a student's notebook call.

The visible cases are in ``checks.json`` next to the notebook. When an assignment is graded, the
check cells are not run; the grader itself calls the functions on the visible and on hidden cases.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from dpteach._language import catalog, speaking
from dpteach.grading.core import observe as observing
from dpteach.grading.core.observe import KEPT_CHARACTERS, observe
from dpteach.grading.core.plain import shown
from dpteach.grading.core.reasons import SUBMISSION_SECONDS, UNWRITTEN
from dpteach.grading.core.specification import Part
from dpteach.grading.core.versions import MARK
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import one_by_one, replier
from dpteach.grading.judging.verdict import Verdict, labeled
from dpteach.grading.kinds.registry import of_part
from dpteach.grading.student.files import StudentError, released_language, sidecar
from dpteach.grading.student.reach import unwatched, watched

_, _n = catalog("student")

#: a student's own test that computes for more seconds than this gets a warning
_LONG = 2.0

_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


class CheckFailed(Exception):
    """Error for a check that does not pass; the message is for the student."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows instead of a traceback through the grader's code."""
        first, *rest = str(self).split("\n")
        return [f"{_RED}{first}{_PLAIN}", *rest]


class NotWritten(CheckFailed):
    """Error for a function that is still a stub, or that calls a function that is still a stub."""


def run(function: Any, part: Part[Any]) -> tuple[Verdict, str]:
    """Call a student's function on the cases in a part of a check, and judge the outcomes.

    Parameters
    ----------
    function
        The student's function.
    part
        The visible or the hidden part of the check, with its cases.

    Returns
    -------
    Verdict, str
        The verdict, and the beginning of the text that the function printed.
    """
    seen = of_part(part).seen
    if seen is not None:
        told: Any = {**part, **seen(function)}
        part = told
    answering = replier(part, apart=False)
    ask = () if answering is None else (unwatched(answering),)
    outcomes: list[Any] = []
    printed = ""
    for i, question in enumerate(one_by_one(part)):
        with contextlib.nullcontext() if answering is None else answering.about(i):
            found, said = observe(function, question, *ask)
        outcomes, printed = outcomes + found, (printed + said)[:KEPT_CHARACTERS]
        if "late" in outcomes[-1]:
            break
    judged = unwatched(
        lambda found: judge(part, found, () if answering is None else answering.witness)
    )
    return judged(outcomes), printed


def check(name: str) -> None:
    """Run the visible cases of an item's check on the student's function, and print the verdict.

    Parameters
    ----------
    name
        The item's name, as in ``check("kl_values")``.

    Raises
    ------
    CheckFailed
        If a case is not right, or if the function or a file for the check is missing.
    TypeError
        If `name` is not a string.
    """
    if not isinstance(name, str):
        raise TypeError(
            _(
                'name must be a string, as in check("kl_values"), got name={value}',
                value=shown(name),
            )
        )
    namespace = sys._getframe(1).f_globals
    with speaking(released_language(Path())):
        _check(name, namespace)


def _check(name: str, namespace: Mapping[str, Any]) -> None:
    """Run an item's check as `check` does, on the functions in a notebook's namespace."""
    part = _visible(name)
    call = part["call"]
    if call not in namespace:
        raise CheckFailed(
            _(
                "{name}: there is no function `{call}` yet. Run the cell that defines it first, "
                "and correct it if it raises an error. Keep the name of the function.",
                name=name,
                call=call,
            )
        )
    if not callable(namespace[call]):
        raise CheckFailed(
            _(
                "{name}: `{call}` is no longer a function. Look for another cell that uses this "
                "name for a value, rename that value, and run all cells again.",
                name=name,
                call=call,
            )
        )
    function, used = namespace[call], [0.0]
    if of_part(part).replier is not None:
        function = _timed(function, used)
    observing.on_late = functools.partial(_end_kernel, name, sys.stderr)
    found, use = watched(namespace[call], lambda: run(function, part))
    if use or found is None:
        raise CheckFailed(
            _(
                "{name}: {use} The library is not available when the assignment is graded. Write "
                "the computation yourself.",
                name=name,
                use=use or _("Your function uses dpteach."),
            )
        )
    verdict, printed = found
    if printed:
        print(_("(your function printed: {text})", text=printed.rstrip()))
    lines = [verdict.text()]
    if max(used) > _LONG:
        slow = _(
            "The test took {seconds:.1f} s for one implementation. When the assignment is graded, "
            "all implementations and all other cells must fit into {limit} seconds of computing. "
            "Make fewer calls.",
            seconds=max(used),
            limit=SUBMISSION_SECONDS,
        )
        lines.append(labeled(_("time"), slow))
    # one line is enough for an unwritten function, because *Validate* lists all unwritten items
    if verdict.code == UNWRITTEN:
        raise NotWritten(f"{name}: {verdict.returned}. {verdict.misconception}")
    if not verdict.passed:
        raise CheckFailed("\n".join([*lines, *_earlier(part, namespace)]))
    print("\n".join(lines))


def _end_kernel(name: str, stream: TextIO, seconds: float) -> None:
    """End the notebook's kernel, because a function took too long and cannot be interrupted.

    Parameters
    ----------
    name
        The name of the item.
    stream
        The stream on which the reason is printed.
    seconds
        The time limit of the function, in seconds.
    """
    reason = _(
        "{name}: your function did not return within {seconds:g} seconds, and this system cannot "
        "interrupt it, so the kernel was ended. Look for a loop that does not end, correct it, and "
        "run all cells again.",
        name=name,
        seconds=seconds,
    )
    print(reason, file=stream, flush=True)
    time.sleep(1)  # another thread of the kernel needs this time to send the printed text
    os._exit(1)


def _timed(test: Callable[..., Any], used: list[float]) -> Callable[..., Any]:
    """Wrap a student's test so that each call appends its computing time in seconds to `used`."""

    def timed(implementation: Any) -> Any:
        start = time.process_time()
        try:
            return test(implementation)
        finally:
            used.append(time.process_time() - start)

    return timed


def _earlier(part: Part[Any], namespace: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each earlier item that an item builds on and that does not pass."""
    for name in part["builds_on"]:
        before = _visible(name)
        function = namespace.get(before["call"])
        if before["call"] == part["call"]:
            continue
        if not callable(function) or not run(function, before)[0].passed:
            told = _(
                "Correct `{call}` first if your function calls it: the check {name} does not pass "
                "either.",
                call=before["call"],
                name=name,
            )
            yield f"  {told}"


def check_cell(name: str, points: float | None = None) -> str:
    """Return the text of the cell that checks an item, with the item's points in a comment.

    >>> print(check_cell("kl_values", 2))
    from dpteach.grading import check
    <BLANKLINE>
    check("kl_values")  # 2 points
    """
    said = "" if points is None else f"  # {points:g} point{'s' * (points != 1)}"
    return f'from dpteach.grading import check\n\ncheck("{name}"){said}'


def _visible(name: str) -> Part[Any]:
    """Return the visible part of a check from ``checks.json`` in the working directory."""
    try:
        found = sidecar(Path())
    except StudentError as error:
        raise CheckFailed(f"{name}: {error}") from None
    if found.get("personal") and MARK not in found:
        raise CheckFailed(
            _(
                "{name}: this copy does not have your own numbers yet. Fetch the assignment again, "
                "or run `dpteach mine {assignment}.ipynb` in a terminal. Then reopen the notebook.",
                name=name,
                assignment=found.get("assignment"),
            )
        )
    checks: dict[str, Part[Any]] = found["checks"]
    if name not in checks:
        raise CheckFailed(
            _(
                "{name}: no check has this name. The checks of this assignment are: {names}.",
                name=name,
                names=", ".join(checks),
            )
        )
    return checks[name]
