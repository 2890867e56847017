"""What a student may be told about a check, as data and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dpteach.grading.core import reading

#: the longest line of a message
WIDTH = 92


@dataclass(frozen=True)
class Verdict:
    """What a check found; `text` says it to the student.

    Attributes
    ----------
    name, points, book
        The item, what it is worth, and where to read again.
    hidden
        Whether the cases were hidden ones.
    tried, failed
        How many cases were run, and how many were not right.
    called, returned, expected
        The first case that was not right, in words.
    misconception
        The likely one, or "".
    mistake
        The place of the declared mistake that explains the failure, or None.
    failures
        Every case that was not right: ``called``, ``returned``, ``expected``, ``misconception``
        and ``picture`` of each.
    picture
        What to draw for the first case that was not right, as data, or None.
    earned, of
        The part of the points that these cases by themselves are good for: earned / of.
    place
        `book` in words: the titles of chapter and section, or "" where they are not known.
    promise
        How rarely a right mechanism is failed by chance, in a sentence; "" if chance has no part
        in the verdict.
    said
        What the kind of check says beyond right or wrong, or "": in the visible part in place of
        "right", in the hidden one after hand-in.
    form_only
        Whether the visible part of the check looks at the form of an answer only.
    """

    name: str
    points: float
    book: str
    hidden: bool
    tried: int
    failed: int
    called: str = ""
    returned: str = ""
    expected: str = ""
    misconception: str = ""
    mistake: int | None = None
    failures: tuple[dict[str, Any], ...] = ()
    picture: dict[str, Any] | None = None
    earned: int = 0
    of: int = 1
    promise: str = ""
    said: str = ""
    place: str = ""
    so_far: bool = False
    form_only: bool = False

    @property
    def passed(self) -> bool:
        """Whether all cases were right."""
        return self.failed == 0

    def text(self) -> str:
        """The verdict as lines of text for the student: the first failure, and how many."""
        kind = "hidden" if self.hidden else "visible"
        if self.passed and self.said and not self.hidden:
            return f"{self.name}: {self.said}"
        if self.passed and self.form_only and self.tried == 1:
            return f"{self.name}: right. {self.said}".rstrip()
        if self.passed:
            right = f"{self.name}: right on {self.tried} of {self.tried} {kind} cases."
            return f"{right} {self.said}".rstrip()
        state = "not right yet. Wrong:"
        if self.so_far and self.earned and not self.hidden:
            worth = self.points * self.earned / self.of
            state = f"{worth:g} of {self.points:g} points so far. Less than all on"
        count = (
            f" {self.failed} of {self.tried} {kind} "
            f"case{'s' if self.tried > 1 else ''}{', first' if self.failed > 1 else ''}:"
        )
        if self.form_only and self.tried == 1:
            state, count = "not right yet:", ""
        lines = [
            f"{self.name}: {state}{count}",
            _line("called", self.called),
            _line("returned", self.returned),
            _line("expected", self.expected),
        ]
        if self.misconception:
            lines.append(_line("likely", self.misconception))
        if self.said:
            lines.append(_line("besides", self.said))
        if self.promise:
            lines.append(_line("chance", self.promise))
        if self.book:
            # the titles of the book are known where the check was built
            place = f"the book, {self.place}" if self.place else reading.words(self.book)
            lines.append(_line("read", place))
        return "\n".join(lines)

    def to_data(self) -> dict[str, Any]:
        """The verdict as JSON data, whose parts are the verdict's own: not to be changed."""
        data = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**data, "failures": list(self.failures)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Verdict:
        """The verdict that `to_data` wrote.

        Raises
        ------
        TypeError
            If the data are not those of a verdict.
        """
        return cls(**{**data, "failures": tuple(data.get("failures", ()))})


def _line(label: str, text: str) -> str:
    lines = textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines), " " * 12).replace(" " * 12, f"  {label:<10}", 1)
