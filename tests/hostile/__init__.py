"""Submissions that attack the grader, with the points they deserve; none is ever imported."""
