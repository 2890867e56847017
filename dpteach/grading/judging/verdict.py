"""The verdict of a check: all information that a student may see, as data and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core import reading

_, _n = catalog("judging")

#: the largest number of characters in a line of a message
WIDTH = 92


@dataclass(frozen=True)
class Verdict:
    """The verdict on the visible or hidden part of a check; the method `text` puts it into words.

    Attributes
    ----------
    name, points, book
        The name of the check, its points, and a reference to the section of the book that the
        student should read again.
    hidden
        Whether the cases were hidden.
    tried, failed
        The number of cases that were run, and the number of these that failed.
    called, returned, expected
        The first failed case as text: the call, the returned value and the expected value.
    misconception
        The likely misconception, or "".
    mistake, explains
        The index of the declared mistake that is behind this misconception, and the number of
        failed cases that the mistake explains; None and 0 if there is no such mistake.
    failures
        A dict for each failed case, with the values that the fields ``called``, ``returned``,
        ``expected``, ``misconception``, ``code``, ``open`` and ``picture`` have for the first one.
    picture
        The data of a figure for the first failed case, or None.
    earned, of
        The numerator and denominator of the fraction of the points that these cases earn.
    place
        The titles of the chapter and section that `book` refers to, or "" if they are not known.
    promise
        A sentence that states how rarely a right mechanism fails by chance; "" if the verdict does
        not depend on chance.
    said
        A further comment on the answers, or "". For the visible part it replaces the message that
        all cases are right; for the hidden part it is shown after submission.
    so_far
        Whether `text` states how many points the visible part earns, if it earns only a fraction.
    form_only
        Whether the visible part of the check judges only the form of an answer.
    kind
        The name of the kind of check.
    code, open
        As in `dpteach.grading.kinds.failures.Failure`, for the first failed case: a code by which
        feedback pages recognize the failure, or ""; and whether the expected value may be shown
        even if the case is hidden.
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
    explains: int = 0
    failures: tuple[dict[str, Any], ...] = ()
    picture: dict[str, Any] | None = None
    earned: int = 0
    of: int = 1
    promise: str = ""
    said: str = ""
    place: str = ""
    so_far: bool = False
    form_only: bool = False
    kind: str = ""
    code: str = ""
    open: bool = False

    @property
    def passed(self) -> bool:
        """Return whether all cases were right."""
        return self.failed == 0

    def text(self) -> str:
        """Return the verdict as text: the first failed case, and how many cases failed."""
        if self.passed and self.said and not self.hidden:
            return f"{self.name}: {self.said}"
        if self.passed:
            return f"{self.name}: {self._passed()} {self.said}".rstrip()
        lines = [
            f"{self.name}: {self._state()}",
            labeled(_("called"), self.called),
            labeled(_("returned"), self.returned),
            labeled(_("expected"), self.expected),
        ]
        if self.misconception:
            lines.append(labeled(_("likely"), hint(vars(self))))
        if self.said:
            lines.append(labeled(_("besides"), self.said))
        if self.promise:
            lines.append(labeled(_("chance"), self.promise))
        if self.book:
            # a student's machine may not have the book, so use the titles that the build stored in
            # `place`
            place = _("the book, {place}", place=self.place) if self.place else ""
            lines.append(labeled(_("read"), place or reading.words(self.book)))
        return "\n".join(lines)

    def _passed(self) -> str:
        """Return a message that all cases are right, which states the number of cases."""
        if self.form_only and self.tried == 1:
            return _("right.")
        if self.hidden:
            return _n(
                "right on 1 of 1 hidden case.",
                "right on {count} of {count} hidden cases.",
                self.tried,
            )
        return _n(
            "right on 1 of 1 visible case.",
            "right on {count} of {count} visible cases.",
            self.tried,
        )

    def _state(self) -> str:
        """Return a message that states how many cases failed; `text` adds the first failed case."""
        if self.form_only and self.tried == 1:
            return _("not right yet:")
        if self.hidden:
            cases = _n(
                "{failed} of 1 hidden case",
                "{failed} of {count} hidden cases",
                self.tried,
                failed=self.failed,
            )
        else:
            cases = _n(
                "{failed} of 1 visible case",
                "{failed} of {count} visible cases",
                self.tried,
                failed=self.failed,
            )
        if self.so_far and self.earned and not self.hidden:
            return _(
                "{earned:g} of {points:g} points so far. Less than all on {cases}, such as:",
                earned=self.points * self.earned / self.of,
                points=self.points,
                cases=cases,
            )
        if self.failed == 1:
            return _("not right yet. Wrong: {cases}:", cases=cases)
        return _("not right yet. Wrong: {cases}, first:", cases=cases)

    def to_data(self) -> dict[str, Any]:
        """Return the verdict as JSON data; do not change the data, as lists are not copied."""
        data = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**data, "failures": list(self.failures)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `to_data` converted to these data.

        Raises
        ------
        TypeError
            If the data are not a verdict.
        """
        return cls(**{**data, "failures": tuple(data.get("failures", ()))})


def hint(verdict: Mapping[str, Any]) -> str:
    """Return a sentence on the likely misconception, given a verdict as JSON data.

    If the misconception explains only some of the failed cases, the sentence states how many.

    >>> hint({"misconception": "The variance.", "explains": 3, "failed": 5})
    'In 3 of the 5 wrong cases, the answers agree with this mistake: The variance.'
    """
    message, failed = str(verdict.get("misconception", "")), int(verdict.get("failed", 0))
    explains = int(verdict.get("explains", 0))
    if not 0 < explains < failed:
        return message
    return _(
        "In {explains} of the {failed} wrong cases, the answers agree with this mistake: {message}",
        explains=explains,
        failed=failed,
        message=message,
    )


def labeled(label: str, text: str) -> str:
    """Return a label and a text as an indented paragraph of a verdict's message, in wrapped
    lines."""
    lines = textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines), " " * 12).replace(" " * 12, f"  {label:<10}", 1)
