"""Repairs: a broken mechanism of which the student changes a statement.

The broken function stands in a ``given`` cell and, the same text, in a reference cell. The student
copies it into the solution cell under the name that `call` says, and changes it there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import shown
from dpteach.grading.core.specification import About
from dpteach.grading.kinds import random, require
from dpteach.grading.kinds.implementations import text_of
from dpteach.grading.kinds.kind import Kind
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.random import RandomCheck
from dpteach.grading.kinds.random.judge import asked, judge_random, reads
from dpteach.grading.kinds.repair import judge


@dataclass(frozen=True, kw_only=True)
class RepairCheck(RandomCheck):
    """A mechanism that was broken, repaired by changing few statements: all or nothing.

    The answers are judged as in a `RandomCheck`. The law is the bound on the error, too: whoever
    adds more noise than is needed, or rounds it, has another law. The text of the solution cell is
    held against the broken function: the parameters and all statements but `changes` must be the
    same, whatever their comments, spaces and line breaks. A statement that is added or left out
    counts as one that is changed; the head of an ``if`` or ``for`` is a statement by itself. A new
    statement may use the names of the function, ``np``, ``math`` and Python's own simple functions:
    a call of a helper would be a rewrite. The text of the assignment says all this, and the number.

    Parameters
    ----------
    name, points, call, visible, hidden, mistakes, book, law, draws
        As for `RandomCheck`; a mistake is the law of a repair of the wrong statement.
    broken
        The broken function, a plain function of a reference cell; it must fail the check.
    changes
        How many statements may be different, at least 1.
    names
        Further names that a new statement may use.
    """

    broken: Callable[..., Any]
    changes: int = 1
    names: Sequence[str] = ()

    _refused: ClassVar[Mapping[str, str]] = {
        **RandomCheck._refused,
        "builds_on": "its function runs without other items' functions",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("broken", self.broken)
        require.integer("changes", self.changes, 1)
        if isinstance(self.names, str) or not all(
            isinstance(name, str) and name.isidentifier() for name in self.names
        ):
            raise TypeError(f"names must be a list of names, got names={shown(self.names)}")


def _part(check: RepairCheck, about: About[Any], rng: np.random.Generator) -> judge.RepairPart:
    """Return the part.

    Raises
    ------
    TypeError, ValueError
        As `random_part`, and if the broken function passes a case that the student sees.
    """
    part: judge.RepairPart = {
        **random.random_part(check, about, rng),  # type: ignore[typeddict-item]  # the text comes later
        "kind": "repair",
        "broken": text_of(check.broken),
        "changes": check.changes,
        "names": list(check.names),
    }
    own: judge.RepairPart = {**part, "call": check.broken.__name__}
    if not judge.problem_with(part["broken"], own).endswith(judge.UNCHANGED):
        raise ValueError("broken must be a function by itself: no decorator, no lambda")
    if not about["hidden"]:
        _prove(check, part)
    return part


def _prove(check: RepairCheck, part: judge.RepairPart) -> None:
    """Refuse a broken mechanism that passes."""
    found, _ = observe(check.broken, asked(part))
    both = zip(part["cases"], cleaned(found, part), strict=True)
    if all(judge_random(part, case, outcome) is None for case, outcome in both):
        raise ValueError("broken must fail a visible case, and passes all of them")


def _seen(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the text of the student's function, and the names that have another meaning there."""
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
