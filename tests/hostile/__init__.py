"""Submissions that attack the grader, with the points they deserve; attacks are never imported."""
