"""Submissions before any of their code runs: untrusted files, made into a notebook to grade.

`intake` finds the notebook among the files, and `repair` brings it back into the shape of the
assignment. Everything that they repaired or refused becomes a notice for the student.

May import `core`.
"""
