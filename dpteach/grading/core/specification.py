"""The finished form of a check: JSON data that need neither its declaration nor the reference.

A part is the visible or the hidden half of a check. Each kind of item extends `Part` and `Call`
with its own keys, in its module ``judge``.
"""

from __future__ import annotations

from typing import Any, Generic, TypedDict, TypeVar


class Compare(TypedDict):
    """The tolerances of a comparison; the larger of the two allowed errors counts."""

    relative: float
    absolute: float


class Call(TypedDict):
    """One case: the encoded arguments of a call, and a description in words if it is special."""

    args: list[Any]
    kwargs: dict[str, Any]
    words: str | None


CaseT = TypeVar("CaseT")


class About(TypedDict, Generic[CaseT]):
    """The keys that parts of all kinds of checks have, as declared.

    ``place`` holds the titles of the chapter and section of ``book``, and ``messages`` the text
    that a student reads for each declared mistake.
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
    """One part of a check, of the kind that its key ``kind`` names."""

    kind: str


class Outcome(TypedDict, total=False):
    """The sanitized outcome of a case, in one of the forms of `dpteach.grading.core.observe`.

    The grader adds ``skipped`` if an earlier case took too long. For a random function it adds
    ``same`` (whether repeated seeds gave the same answers), and ``labels`` replaces ``values`` if
    the types of the answers matter.
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
    """Return what the kernel is asked about separately: the cases of a part, or its suspects."""
    suspects: Any = part.get("suspects")
    return suspects or part["cases"]
