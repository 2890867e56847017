"""The questions that the kernel is asked about a part of a check, and their time limits."""

from __future__ import annotations

from typing import Any

from dpteach.grading.core.exam import Item
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds.kind import Answering
from dpteach.grading.kinds.registry import of_part


def questions(part: Part[Any]) -> dict[str, Any]:
    """Return the question for the kernel about a part of a check: arguments and counts.

    Returns
    -------
    dict
        The argument `question` of `dpteach.grading.core.observe.observe`.

    Examples
    --------
    >>> part = {"kind": "values", "cases": [{"args": [2], "kwargs": {}, "expected": 4}]}
    >>> questions(part)
    {'cases': [{'args': [2], 'kwargs': {}}]}
    """
    return of_part(part).asked(part)


def patience(part: Part[Any]) -> float:
    """Return after how many seconds no honest answer to a question about a part can still come.

    Examples
    --------
    >>> patience({"kind": "values", "cases": [{}, {}]})
    25.0
    """
    return of_part(part).seconds(part)


def asked_alone(item: Item) -> bool:
    """Return whether each question about a check is asked in a process of its own."""
    return item.visible is not None and of_part(item.visible).alone


def one_by_one(part: Part[Any]) -> list[dict[str, Any]]:
    """Return the questions about a part: a single one, or one for each suspect of a test.

    Examples
    --------
    >>> one_by_one({"kind": "tests", "suspects": [{}, {}]})
    [{'cases': [{'test': True}]}, {'cases': [{'test': True}]}]
    """
    asked = questions(part)
    if of_part(part).replier is None:
        return [asked]
    return [{"cases": [case]} for case in asked["cases"]]


def replier(part: Part[Any], *, apart: bool = True) -> Answering | None:
    """Return the object that answers the requests of a student's test about a part.

    Parameters
    ----------
    apart
        Whether the answers are computed in a process of their own, as they must be if the arguments
        are not trusted.

    Returns
    -------
    Answering or None
        None if the kernel has nothing to request. Its ``witness`` goes to
        `dpteach.grading.judging.judge.judge`.
    """
    make = of_part(part).replier
    return None if make is None else make(part, apart)
