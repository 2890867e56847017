"""Questions to a student's process, which are lists of calls to make, and their time limits."""

from __future__ import annotations

from typing import Any

from dpteach.grading.core.exam import Item
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds.kind import Answering
from dpteach.grading.kinds.registry import of_part


def questions(part: Part[Any]) -> dict[str, Any]:
    """Return the question about a part of a check: the calls that the student's process must make.

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
    """Return the time limit, in seconds, for the answer to the question about a part of a check.

    Examples
    --------
    >>> patience({"kind": "values", "cases": [{}, {}]})
    25.0
    """
    return of_part(part).seconds(part)


def asked_alone(item: Item) -> bool:
    """Return whether the student's code must run in a new process for each question on a check."""
    return item.visible is not None and of_part(item.visible).alone


def one_by_one(part: Part[Any]) -> list[dict[str, Any]]:
    """Return the questions about a part of a check.

    A question lists calls of the student's function. There is a single question, except for a test
    that students write. For such a test, there is a question for each implementation that the test
    examines.

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
    """Return the object that replies when a student's own test calls the function that it tests.

    The author has written right and wrong implementations of this function, which the student must
    not see. So they run outside of the student's process, and the object replies with their values.

    Parameters
    ----------
    apart
        Whether the implementations run in a separate process, as they must if the arguments come
        from a student.

    Returns
    -------
    Answering or None
        None if the check does not ask for a test. The object's ``witness`` is an argument of
        `dpteach.grading.judging.judge.judge`.
    """
    make = of_part(part).replier
    return None if make is None else make(part, apart)
