"""A grading function with shorter time limits, because many attacks contain functions that hang."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from dpteach.grading.classroom import session
from dpteach.grading.judging.questions import patience
from dpteach.grading.sandbox.limits import Limits

#: the time limit, in seconds, for the calls of the student's functions in one check: 5 on a fast
#: machine, up to 25 on a slow one, and 25 if the machine's speed was not measured
SECONDS = 5.0 * float(os.environ.get("HOSTILE_SLOW", "5"))


def impatient(part: Mapping[str, Any]) -> float:
    """Return the grader's usual time limit for one part of a check, but at most `SECONDS`."""
    return min(patience(part), SECONDS)


def grade_quickly(
    exam: bytes,
    files: Mapping[str, bytes],
    limits: Limits,
    *,
    unsafe: bool = False,
    items: Sequence[str] | None = None,
) -> bytes:
    """Call `session.grade_submission` with time limits that end hanging functions sooner."""
    session.patience = impatient
    return session.grade_submission(exam, files, limits, unsafe=unsafe, items=items)
