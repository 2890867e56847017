"""What a check is once it is made: JSON data that need neither its declaration nor the reference.

A part is the visible or the hidden half of a check. Each kind of item extends `Part` and `Call` by
what it needs, in its module ``judge``.
"""

from __future__ import annotations

from typing import Any, Generic, TypedDict, TypeVar


class Compare(TypedDict):
    """How near an answer must be: the larger of both errors is allowed."""

    relative: float
    absolute: float


class Call(TypedDict):
    """One case: the arguments of a call, encoded, and what is special about it in words."""

    args: list[Any]
    kwargs: dict[str, Any]
    words: str | None


CaseT = TypeVar("CaseT")


class About(TypedDict, Generic[CaseT]):
    """What parts of all kinds hold, as in the declaration.

    ``place`` has the titles of chapter and section of ``book``; ``messages`` what is told of each
    declared mistake.
    """

    name: str
    points: float
    call: str
    hidden: bool
    book: str
    place: str
    builds_on: list[str]
    messages: list[str]
    cases: list[CaseT]


class Part(About[CaseT], Generic[CaseT]):
    """A part of a check of the kind that it names."""

    kind: str


class Outcome(TypedDict, total=False):
    """What came back for a case, harmless: the forms that `dpteach.grading.core.observe` documents.

    The grader adds ``skipped`` where an earlier case took too long, and of a random function
    ``same``, whether repeated seeds gave the same answers, and ``labels`` in the place of
    ``values`` for answers whose types count.
    """

    value: Any
    raises: str
    kinds: list[str]
    message: str
    unplain: str
    late: float
    changed: bool
    missing: bool | str
    skipped: bool
    guesses: list[Any]
    values: Any
    labels: list[Any]
    ragged: bool
    same: bool
    touched: bool
    accepts: bool
    returned: bool
    last: str
    ended: bool


def asked_about(part: Part[Any]) -> list[Any]:
    """Return what the kernel is asked about one by one: the cases of a part, or its suspects."""
    suspects: Any = part.get("suspects")
    return suspects or part["cases"]
