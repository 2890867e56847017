"""The types of the JSON data to which the build of an assignment converts a check.

A part is the visible or the hidden half of a check. It contains the right answers, so a student's
answers can be judged without the declaration of the check and the reference solution. Each kind of
item adds its own keys to `Part` and `Call`, in its module ``judge``.
"""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypedDict, TypeVar


class Compare(TypedDict):
    """Two tolerances for a number; its error may exceed one of them, but not both."""

    relative: float
    absolute: float


class Call(TypedDict):
    """A case of a check: the encoded arguments of a call, and the author's description or None."""

    args: list[Any]
    kwargs: dict[str, Any]
    words: str | None


CaseT = TypeVar("CaseT")


class Part(TypedDict, Generic[CaseT]):
    """The visible or the hidden part of a check, with the keys that all kinds of checks share.

    ``kind`` is the name of the kind, ``place`` has the titles of the chapter and section to which
    ``book`` refers, and ``messages`` has the text that a student reads for each declared mistake.
    ``sections`` has, for some of these texts, another ``book`` and ``place`` to read.
    """

    name: str
    points: float
    call: str
    hidden: bool
    book: str
    place: str
    builds_on: list[str]
    messages: list[str]
    sections: NotRequired[dict[str, list[str]]]
    cases: list[CaseT]
    kind: str


class Outcome(TypedDict, total=False):
    """The sanitized outcome of a call of a student's function, in a form of `core.observe`.

    The grader adds ``skipped`` if an earlier case took too long. For a random function, it adds
    ``same`` (whether repeated seeds gave the same answers). For a discrete one, where the types of
    the answers matter, it writes ``labels`` instead of ``values``.
    """

    value: Any
    raises: str
    kinds: list[str]
    message: str
    line: str
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
    """Return the cases of a part, or the implementations that a student's own test examines."""
    suspects: Any = part.get("suspects")
    return suspects or part["cases"]
