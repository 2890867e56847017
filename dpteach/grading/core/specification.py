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
    """A case of a check: the encoded arguments of a call, and a description of the case or None."""

    args: list[Any]
    kwargs: dict[str, Any]
    words: str | None


CaseT = TypeVar("CaseT")


class Part(TypedDict, Generic[CaseT]):
    """The visible or the hidden part of a check, with the keys that all kinds of checks share.

    ``kind`` is the name of the kind. ``book`` refers to the section or paper that a student should
    read after a wrong answer, and ``place`` has the titles of its chapter and section. ``messages``
    has a text for each mistake that the author declared, for students who seem to have made it.
    For a mistake with its own section to read, ``sections`` maps the text in ``messages`` to the
    ``book`` and ``place`` of the section.
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
    """What a student's function did on one case, after checks of the data from the sandbox.

    An outcome has only some of the keys, and `core.observe` explains most of them. The grader adds
    ``skipped`` if an earlier case took too long. For a random function, it adds ``same``: whether
    the function returned the same values when it was called again with the same seeds. If the
    distribution of a random function is discrete, its values may be of any type, and the key for
    them is ``labels`` instead of ``values``.
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
    """Return the cases of a part of a check, for each of which the sandbox reports an outcome.

    If students write a test, the author's implementations, which the test examines, take the place
    of the cases.
    """
    suspects: Any = part.get("suspects")
    return suspects or part["cases"]
