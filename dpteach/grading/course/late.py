"""The penalty for late submissions, as a plugin of nbgrader.

In ``nbgrader_config.py``::

    c.AssignLatePenalties.plugin_class = "dpteach.grading.course.late.LatePolicy"
    c.LatePolicy.points_per_day = 4
    c.LatePolicy.grace_minutes = 60
    c.LatePolicy.most_points = 20

The due date is that in the gradebook (formgrader, Manage Assignments), with extensions. The time
of a submission is that in its ``timestamp.txt``. If one of these times is missing, the submission
is not late.
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


def lateness(seconds: float) -> str:
    """Return a text that says how late a submission is, in days, hours and minutes.

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
    """nbgrader's plugin for a penalty per started day, with a grace period and a maximum.

    A submission within the grace period loses nothing. For a later one, days count from the due
    date, not from the end of the grace period.

    Examples
    --------
    >>> policy = LatePolicy(points_per_day=4.0, grace_minutes=60.0, most_points=10.0)
    >>> [policy.late_submission_penalty("", 0.0, 3600 * hours) for hours in (1, 1.01, 24, 25, 99)]
    [None, 4.0, 4.0, 8.0, 10.0]
    """

    points_per_day = Float(0.0, min=0, help="Points lost for each day begun.").tag(config=True)
    grace_minutes = Float(0.0, min=0, help="Minutes that do not count as late.").tag(config=True)
    most_points = Float(math.inf, min=0, help="The most points lost.").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the penalty in points, or None for no penalty; nbgrader limits it to the score."""
        if total_seconds_late <= 60 * self.grace_minutes or not self.points_per_day:
            return None
        if math.isinf(total_seconds_late):
            return float(self.most_points) or None
        days = math.ceil(total_seconds_late / _DAY)
        return float(min(self.most_points, self.points_per_day * days)) or None


class LatePenalties(AssignLatePenalties):  # type: ignore[misc]
    """nbgrader's own computation of late penalties, as an object for single submissions."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # make the course's plugin now, because nbgrader makes it only in its own grading run
        self.init_plugin()

    def of(self, submission: Any, score: float) -> float | None:
        """Return a submission's penalty, as nbgrader would write it into the gradebook.

        The result is None if the submission is not late, or if the course's plugin gives no
        penalty.

        Parameters
        ----------
        submission
            nbgrader's ``SubmittedAssignment``.
        score
            The points from which the penalty is subtracted.
        """
        seconds = submission.total_seconds_late
        if not seconds > 0:
            return None
        asked = self.plugin_inst.late_submission_penalty(submission.student.id, score, seconds)
        notebook = SimpleNamespace(score=score)
        return None if asked is None else float(self._check_late_penalty(notebook, asked))
