"""Checks of repairs: a broken mechanism of which the student changes a statement.

The broken function stands in a ``given`` cell and, the same text, in a reference cell. The student
copies it into the solution cell under the name that `call` says, and changes it there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import shown
from dpteach.grading.kinds import require
from dpteach.grading.kinds.kind import asked
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.kinds.random import RandomCheck, random_part
from dpteach.grading.kinds.registry import KINDS
from dpteach.grading.kinds.repair.judge import UNCHANGED, problem_with
from dpteach.grading.kinds.suspects import text_of


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

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("broken", self.broken)
        if self.builds_on:
            raise ValueError(
                "builds_on must be empty in a RepairCheck: its function runs without other items' "
                f"functions, got builds_on={self.builds_on!r}"
            )
        if isinstance(self.changes, bool) or not isinstance(self.changes, int):
            raise TypeError(f"changes must be an integer >= 1, got changes={shown(self.changes)}")
        if self.changes < 1:
            raise ValueError(f"changes must be an integer >= 1, got changes={self.changes}")
        if isinstance(self.names, str) or not all(
            isinstance(name, str) and name.isidentifier() for name in self.names
        ):
            raise TypeError(f"names must be a list of names, got names={shown(self.names)}")


def repair_part(
    check: RepairCheck, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    """What is particular to one part of a `RepairCheck`, as JSON data.

    Raises
    ------
    TypeError, ValueError
        As `random_part`, and if the broken function passes a case that the student sees.
    """
    part = random_part(check, hidden, caught, rng) | {
        "kind": "repair",
        "call": check.call,
        "hidden": hidden,
        "broken": text_of(check.broken),
        "changes": check.changes,
        "names": list(check.names),
    }
    if not problem_with(part["broken"], part | {"call": check.broken.__name__}).endswith(UNCHANGED):
        raise ValueError("broken must be a function by itself: no decorator, no lambda")
    if not hidden:
        _prove(check, part)
    return part


def _prove(check: RepairCheck, part: dict[str, Any]) -> None:
    """Refuses a broken mechanism that passes."""
    found, _ = observe(check.broken, asked(part))
    if not any(KINDS["random"].judged(part, cleaned(found, part), ())):
        raise ValueError("broken must fail a visible case, and passes all of them")
