"""An instructor's decisions about grades, and the points of a submission after them.

``dpteach term`` writes the file ``COURSE/.grading/decisions.json``, and this module only reads it.
The gradebook keeps the points without the decisions, and the decisions are applied when the points
are read. So export, report and feedback agree, and a decision can be taken back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from dpteach._language import catalog
from dpteach.grading.course.folder import CourseError
from dpteach.grading.course.store import FOLDER

_, _n = catalog("course")

#: the name under which a decision about a submission's total points is kept; no item has this name
TOTAL: Final = ""

#: the name under which an extension for all students is kept; no student has this name
EVERYONE: Final = ""


class Decided(NamedTuple):
    """A decision about an item or a total: its value, and the reason for it."""

    value: Any
    why: str


class Grades(NamedTuple):
    """The points of a submission after the decisions about it.

    Attributes
    ----------
    scores, worth
        By item, the points that the submission has (None if a person still has to grade the item),
        and the points that it can have. An item that does not count has 0 of 0.
    notes
        A sentence about each item that a decision changed, and about the total (`TOTAL`).
    total
        The total if the instructor decided it, otherwise None.
    """

    scores: dict[str, float | None]
    worth: dict[str, float]
    notes: dict[str, str]
    total: float | None


@dataclass(frozen=True)
class Decisions:
    """The decisions about one assignment.

    Attributes
    ----------
    withdrawn
        The students who withdrew. They keep their points, are not graded again, and do not count
        in reports.
    dropped
        By item that is dropped, ``"full"`` if all submissions get its points, or ``"out"`` if it
        does not count.
    points
        By item whose maximum points were changed, the new maximum; scores change in proportion.
    overrides
        By student and item, the points that a person decided.
    extensions
        By student, the later date until which a submission is in time, in UTC without a zone.
    """

    withdrawn: frozenset[str] = frozenset()
    dropped: Mapping[str, Decided] = field(default_factory=dict)
    points: Mapping[str, Decided] = field(default_factory=dict)
    overrides: Mapping[str, Mapping[str, Decided]] = field(default_factory=dict)
    extensions: Mapping[str, datetime] = field(default_factory=dict)

    def until(self, student: str) -> datetime | None:
        """Return the later of a student's own extension and the extension for all, or None."""
        those = (self.extensions.get(name) for name in (student, EVERYONE))
        return max((time for time in those if time is not None), default=None)

    def worth(self, item: str, points: float) -> float:
        """Return an item's maximum points after the instructor's decisions.

        `points` is the maximum in the gradebook, to which the decisions are not applied.
        """
        if item in self.dropped and self.dropped[item].value == "out":
            return 0.0
        return float(self.points[item].value) if item in self.points else points

    def sentences(self) -> list[str]:
        """Return a sentence for each decision that concerns all submissions."""
        told = []
        for item, (points, why) in sorted(self.points.items()):
            text = _n(
                "{item} counts {count:g} point.",
                "{item} counts {count:g} points.",
                points,
                item=item,
            )
            told.append(_with_reason(text, why))
        for item, (how, why) in sorted(self.dropped.items()):
            told.append(f"{item}: {_note_on_drop(how == 'full', why)}")
        return told

    def grades(
        self,
        student: str,
        scores: Mapping[str, float | None],
        points: Mapping[str, float],
        *,
        refused: bool = False,
    ) -> Grades:
        """Return the points of a submission after the decisions.

        Parameters
        ----------
        scores, points
            The points that the submission has in the gradebook, and the maximum points of the
            items there.
        refused
            Whether the submission was refused because the grader cannot grade it; a dropped item
            then earns nothing.
        """
        own = self.overrides.get(student, {})
        found = Grades({}, {name: self.worth(name, one) for name, one in points.items()}, {}, None)
        for name, score in scores.items():
            found.scores[name], note = self._of_item(name, score, points[name], own, refused)
            if note:
                found.notes[name] = note
        if TOTAL not in own:
            return found
        told = _with_reason(_("Your instructor decided the total."), own[TOTAL].why)
        found.notes[TOTAL] = told
        return found._replace(total=float(own[TOTAL].value))

    def _of_item(
        self,
        name: str,
        score: float | None,
        before: float,
        own: Mapping[str, Decided],
        refused: bool,
    ) -> tuple[float | None, str]:
        """Return the points of an item after the decisions, and a sentence on the change or "".

        `score` and `before` are the item's points and maximum points in the gradebook. `own` has
        the points that the instructor decided for items of this submission.
        """
        now = self.worth(name, before)
        if name in self.dropped and not refused:
            full, why = self.dropped[name].value == "full", self.dropped[name].why
            return now if full else 0.0, _note_on_drop(full, why)
        if name in own and name not in self.dropped:
            text = _("Your instructor decided the points of this item.")
            return float(own[name].value), _with_reason(text, own[name].why)
        if now == before or refused:
            return score, ""
        text = _("This item now has {now:g} points instead of {before:g}.", now=now, before=before)
        return (
            None if score is None else scaled(score, before, now),
            _with_reason(text, self.points[name].why),
        )


def scaled(score: float, before: float, now: float) -> float:
    """Return a score, scaled because the item's maximum changed from `before` to `now`.

    Examples
    --------
    >>> scaled(1.5, 2.0, 4.0)
    3.0
    """
    return round(score * now / before, 9) if before else 0.0


def _note_on_drop(full: bool, why: str) -> str:
    if full:
        return _with_reason(_("This item was dropped: every submission gets its points."), why)
    return _with_reason(_("This item was dropped: it does not count."), why)


def _with_reason(text: str, why: str) -> str:
    return _("{text} The reason: {why}", text=text, why=why) if why else text


def file_of(course: Path) -> Path:
    """Return the path of the file with the decisions of a course."""
    return course / FOLDER / "decisions.json"


def read_decisions(course: str | Path, assignment: str) -> Decisions:
    """Return the decisions about an assignment; none if the course has no file of decisions.

    Raises
    ------
    CourseError
        If the file is damaged.
    """
    file = file_of(Path(course))
    try:
        told = json.loads(file.read_bytes())
        return decisions_of(told["withdrawn"], told["assignments"].get(assignment, {}))
    except FileNotFoundError:
        return Decisions()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CourseError(
            _(
                "{file} cannot be read, and holds decisions about grades: remove it, and run "
                "dpteach export {assignment}, which makes it anew",
                file=file,
                assignment=assignment,
            )
        ) from None


def decisions_of(withdrawn: Iterable[str], told: Mapping[str, Any]) -> Decisions:
    """Return an instructor's decisions, converted from JSON data.

    Parameters
    ----------
    withdrawn
        The students who withdrew.
    told
        The decisions about one assignment: the fields of `Decisions` except ``withdrawn``, by name.
        Any field may be missing. Each `Decided` is a list of its value and its reason.
    """
    return Decisions(
        withdrawn=frozenset(withdrawn),
        dropped=_read(told.get("dropped", {})),
        points=_read(told.get("points", {})),
        overrides={name: _read(own) for name, own in told.get("overrides", {}).items()},
        extensions={
            name: datetime.fromisoformat(time) for name, time in told.get("extensions", {}).items()
        },
    )


def _read(told: Mapping[str, Any]) -> dict[str, Decided]:
    return {name: Decided(*one) for name, one in told.items()}
