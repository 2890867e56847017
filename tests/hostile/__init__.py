"""Submissions that attack the grader, and what they deserve. None of them is ever imported."""
