"""What the kernel is asked about a part of a check, and how long it may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpteach.grading.core.exam import Item
from dpteach.grading.core.observe import RANDOM_SECONDS, VALUE_SECONDS
from dpteach.grading.kinds.kind import Answering, asked
from dpteach.grading.kinds.registry import KINDS


def questions(part: Mapping[str, Any]) -> dict[str, Any]:
    """What the kernel is asked about one part of a check: arguments, seeds and call counts only.

    Returns
    -------
    dict
        What `dpteach.grading.core.observe.observe` takes.

    Examples
    --------
    >>> part = {"kind": "values", "cases": [{"args": [2], "kwargs": {}, "expected": 4}]}
    >>> questions(part)
    {'cases': [{'args': [2], 'kwargs': {}}]}
    """
    kind = KINDS[part["kind"]]
    return asked(part) if kind.asked is None else kind.asked(part)


def patience(part: Mapping[str, Any]) -> float:
    """Seconds after which nobody can still be answering a question about a part honestly.

    Examples
    --------
    >>> patience({"kind": "values", "cases": [{}, {}]})
    25.0
    """
    kind = KINDS[part["kind"]]
    if kind.seconds is not None:
        return kind.seconds(part)
    return 5.0 + sum(RANDOM_SECONDS if "calls" in c else VALUE_SECONDS for c in part["cases"])


def asked_alone(item: Item) -> bool:
    """Whether each question about a check is asked in a process of its own."""
    return item.visible is not None and KINDS[item.visible["kind"]].alone


def one_by_one(part: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The questions about one part: one for each suspect, where a test judges suspects, else one.

    Examples
    --------
    >>> one_by_one({"kind": "tests", "suspects": [{}, {}]})
    [{'cases': [{'test': True}]}, {'cases': [{'test': True}]}]
    """
    all_at_once = questions(part)
    if KINDS[part["kind"]].replier is None:
        return [all_at_once]
    return [{"cases": [case]} for case in all_at_once["cases"]]


def replier(part: Mapping[str, Any], *, apart: bool = True) -> Answering | None:
    """What answers the requests that a student's test makes while it is asked about a part.

    Parameters
    ----------
    apart
        Whether what is asked is worked out in a process of its own, as it must be where the
        arguments are not trusted.

    Returns
    -------
    Answering or None
        None if the kernel has nothing to request. Its ``witness`` goes to
        `dpteach.grading.judging.judge.judge`.
    """
    kind = KINDS[part["kind"]]
    return None if kind.replier is None else kind.replier(part, apart)
