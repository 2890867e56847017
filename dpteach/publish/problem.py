"""The error of a course that cannot be published, and how the progress is told."""

from __future__ import annotations

from collections.abc import Callable

#: a function that is called with a line about the progress
Say = Callable[[str], object]


class PublishError(RuntimeError):
    """The reason why nothing was published, in words for the instructor."""
