"""The grader with less patience: for functions that hang, which the bank has many of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from dpteach.grading.classroom import session
from dpteach.grading.judging.questions import patience
from dpteach.grading.sandbox.limits import Limits

#: seconds that a kernel has to answer a question, where it would have 25 and more; a slow
#: machine gets longer
SECONDS = 5.0 * float(os.environ.get("HOSTILE_SLOW", "5"))


def impatient(part: Mapping[str, Any]) -> float:
    """How long the answer to a part may take."""
    return min(patience(part), SECONDS)


def grade_quickly(
    exam: bytes,
    files: Mapping[str, bytes],
    limits: Limits,
    *,
    unsafe: bool = False,
    items: Sequence[str] | None = None,
) -> bytes:
    """`session.grade_submission`, which ends functions that hang sooner."""
    session.patience = impatient
    return session.grade_submission(exam, files, limits, unsafe=unsafe, items=items)
