"""The error of a course that cannot be published."""

from __future__ import annotations


class PublishError(RuntimeError):
    """The reason why nothing was published, in words for the instructor."""
