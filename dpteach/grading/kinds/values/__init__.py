"""Functions with one right answer for each case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import (
    NINE_DIGITS,
    Declaration,
    Rule,
    require_rule,
    require_share,
)


@dataclass(frozen=True, kw_only=True)
class Check(Declaration):
    """A function with one right answer for each case.

    Parameters
    ----------
    name
        The item's name, once in an assignment.
    points
        What it is worth, > 0.
    call
        The name of the student's function.
    visible, hidden
        The cases: `visible` ones are run for the student too and shown in full; `hidden` ones,
        `Case` or better `Fresh`, when the answer is graded, and told in words only.
    expected
        The reference: a function of a case's arguments that returns the right answer. May be
        left out if every case must raise.
    compare
        `Relative`, `Absolute` or `Exact`.
    partial
        Whether the share of the hidden cases that are right earns a share of the points, less
        what the best constant answer would earn: ``(right - constant) / (cases - constant)``,
        rounded down to 0.01 points. Else it is all, visible cases included, or nothing.
    mistakes
        Wrong implementations with their messages; each must differ from the reference on some
        case, or the build fails.
    builds_on
        Names of earlier checks whose functions a right answer may call. If they fail, and this
        one with them, it is asked again with right ones (`dpteach.grading.classroom.given`).
    book
        Where to read again: a section, ``"renyi_dp#section-label"``; a paper,
        ``"doi:10.1109/CSF.2017.11"`` or ``"arXiv:1702.07476"``; or nothing.
    """

    expected: Callable[..., Any] | None = None
    compare: Rule = NINE_DIGITS
    partial: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_rule(self.compare)
        require_share(self.partial, self.hidden)
        if self.expected is not None:
            require.function("expected", self.expected)
        elif any(not case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("expected must be given unless every case has raises=, got None")
