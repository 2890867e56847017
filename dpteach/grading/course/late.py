"""The penalty for late submissions, as a plugin of nbgrader.

In ``nbgrader_config.py``::

    c.AssignLatePenalties.plugin_class = "dpteach.grading.course.late.LatePolicy"
    c.LatePolicy.points_per_day = 4
    c.LatePolicy.grace_minutes = 60
    c.LatePolicy.most_points = 20

The due date is the one in the gradebook (formgrader, Manage Assignments), with extensions; the time
of the submission is that of its ``timestamp.txt``. If one of the two is missing, nothing is late.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float

from dpteach._language import catalog

_, _n = catalog("course")

_DAY = 86_400


def penalty(
    seconds: float, *, points_per_day: float, grace_minutes: float, most_points: float
) -> float:
    """Return the points that a late submission loses: so many per day begun, up to a maximum.

    Parameters
    ----------
    seconds
        The time from the due date to the submission, >= 0.
    points_per_day
        Points lost per day, >= 0.
    grace_minutes
        The length of the grace period, >= 0: nothing is lost within it, and after it the penalty
        counts from the due date.
    most_points
        The largest penalty, >= 0.

    Examples
    --------
    >>> policy = {"points_per_day": 4, "grace_minutes": 60, "most_points": 10}
    >>> [penalty(3600 * hours, **policy) for hours in (0, 1, 1.01, 24, 25, 1000)]
    [0.0, 0.0, 4.0, 4.0, 8.0, 10.0]
    """
    if seconds <= 60 * grace_minutes:
        return 0.0
    if math.isinf(seconds):
        return float(most_points) if points_per_day else 0.0
    return float(min(most_points, points_per_day * math.ceil(seconds / _DAY)))


def check_settings(config: Any) -> None:
    """Refuse settings that `LatePolicy` could not work with.

    Parameters
    ----------
    config
        traitlets' ``Config`` of the course.

    Raises
    ------
    ValueError
        If a setting is not a number >= 0; the text names the first such setting.
    """
    for name in ("points_per_day", "grace_minutes", "most_points"):
        value = config.get("LatePolicy", {}).get(name, 0)
        if not isinstance(value, (int, float)) or not value >= 0:
            raise ValueError(
                _(
                    "c.LatePolicy.{name} must be a number >= 0, got {value!r}",
                    name=name,
                    value=value,
                )
            )


def lateness(seconds: float) -> str:
    """Return how late a submission is, as text in days, hours and minutes.

    Examples
    --------
    >>> lateness(30), lateness(5400), lateness(200_000)
    ('1 minute late', '1 hour 30 minutes late', '2 days 7 hours late')
    """
    whole = math.ceil(seconds / 60)
    days, rest = divmod(whole, 1440)
    hours, minutes = divmod(rest, 60)
    parts = [
        _n("{count} day", "{count} days", days) if days else "",
        _n("{count} hour", "{count} hours", hours) if hours else "",
        _n("{count} minute", "{count} minutes", minutes) if minutes or not whole else "",
    ]
    return _("{time} late", time=" ".join([part for part in parts if part][:2]))


class LatePolicy(LateSubmissionPlugin):  # type: ignore[misc]
    """nbgrader's plugin for a penalty per day begun, with a grace period and a maximum."""

    points_per_day = Float(0.0, min=0, help="Points lost for each day begun.").tag(config=True)
    grace_minutes = Float(0.0, min=0, help="Minutes that do not count as late.").tag(config=True)
    most_points = Float(math.inf, min=0, help="The most points lost.").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the penalty, or None if there is none; nbgrader limits it to the score."""
        lost = penalty(
            total_seconds_late,
            points_per_day=self.points_per_day,
            grace_minutes=self.grace_minutes,
            most_points=self.most_points,
        )
        return lost or None


class LatePenalties(AssignLatePenalties):  # type: ignore[misc]
    """nbgrader's own computation of late penalties, made available for single submissions."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # make the course's plugin now, because nbgrader makes it only when it grades a class
        self.init_plugin()

    def of(self, submission: Any, notebook: Any, score: float | None = None) -> float | None:
        """Return the penalty of a submission, as nbgrader would write it into the gradebook.

        Parameters
        ----------
        submission, notebook
            nbgrader's ``SubmittedAssignment`` and ``SubmittedNotebook``.
        score
            The points from which the penalty is subtracted; those of the gradebook if None.
        """
        seconds = submission.total_seconds_late
        if not seconds > 0:
            return None
        told = notebook if score is None else SimpleNamespace(score=score)
        asked = self.plugin_inst.late_submission_penalty(submission.student.id, told.score, seconds)
        return None if asked is None else float(self._check_late_penalty(told, asked))
