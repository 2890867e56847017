"""Checks of repairs: the student corrects a broken mechanism by changing a few statements.

Two cells of the assignment define the same broken function: a ``given`` cell, which students see,
and a reference cell, which only the checks use. The student copies this function into the solution
cell, gives it the name that the check calls (`call`), and repairs it there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.observe import observe
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import random, require
from dpteach.grading.kinds.implementations import text_of
from dpteach.grading.kinds.kind import Kind
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.random import RandomCheck
from dpteach.grading.kinds.random.judge import asked, judge_random, reads
from dpteach.grading.kinds.repair import judge

_, _n = catalog("kinds")


@dataclass(frozen=True, kw_only=True)
class RepairCheck(RandomCheck):
    """A check in which the student repairs a broken mechanism, for all points or none.

    The answers are judged as in a `RandomCheck`. A repair that adds more noise than needed, or
    rounds the noise, has another distribution and fails. The text of the solution cell is compared
    with the broken function. The parameters must be the same, and at most `changes` statements may
    be different; comments, spaces and line breaks do not matter. A statement that is added or left
    out counts as changed, and the head of an ``if`` or ``for`` is a separate statement. A changed
    statement may use only the names in the broken function, ``np``, ``math`` and simple built-in
    functions of Python, because a call of another function could replace the whole mechanism. The
    text of the assignment must state these rules and the number of changes.

    Parameters
    ----------
    name, points, call, visible, hidden, mistakes, book, law, draws
        As for `RandomCheck`; a mistake returns the distribution that a wrong repair leads to.
    broken
        The broken function, a plain function of a reference cell, that is, of a cell that only the
        checks use. It must fail the check.
    changes
        The number of statements that may be different, at least 1.
    """

    broken: Callable[..., Any]
    changes: int = 1

    _refused: ClassVar[Mapping[str, str]] = {
        **RandomCheck._refused,
        "builds_on": N_("its function runs without other items' functions"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("broken", self.broken)
        require.integer("changes", self.changes, 1)


def _part(check: RepairCheck, about: Part[Any], rng: np.random.Generator) -> judge.RepairPart:
    """Return the visible or the hidden part of a repair check.

    Raises
    ------
    TypeError, ValueError
        If the declaration would be unsuitable for a `RandomCheck`, or if the broken function has a
        decorator, is a lambda, or passes all visible cases.
    """
    part: judge.RepairPart = {
        **random.random_part(check, about, rng),  # type: ignore[typeddict-item]
        "broken": text_of(check.broken),
        "changes": check.changes,
    }
    own: judge.RepairPart = {**part, "call": check.broken.__name__}
    alone = judge.problem_with(part["broken"], own) == judge.unchanged()
    words = _("must be a function by itself: no decorator, no lambda")
    require.that(alone, "broken", words, check.broken)
    if not about["hidden"]:
        _prove(check, part)
    return part


def _prove(check: RepairCheck, part: judge.RepairPart) -> None:
    """Raise an error if the broken mechanism passes all visible cases."""
    outcomes = cleaned(observe(check.broken, asked(part))[0], part)
    both = zip(part["cases"], outcomes, strict=True)
    fails = any(judge_random(part, case, outcome) is not None for case, outcome in both)
    require.that(fails, "broken", _("must fail a visible case"), check.broken)


def _seen(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the source of a student's function, and names that its notebook has redefined.

    The keys are ``source`` and ``taken``. The names are only those that any repair may use, such as
    ``sum``. The result is {} if the function has no source text.
    """
    with contextlib.suppress(ValueError):
        return {"source": text_of(function), "taken": judge.taken_in(function.__globals__)}
    return {}


KIND = Kind(
    name="repair",
    title="repair",
    minutes=8,
    declaration=RepairCheck,
    part=_part,
    caught=random.caught,
    judged=judge.judged,
    called=reads,
    asked=asked,
    seconds=random.KIND.seconds,
    alone=True,
    text_alone=judge.text_alone,
    seen=_seen,
)
