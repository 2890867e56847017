"""Preparation of submitted files for grading, without running any of their code.

`intake` finds the notebook among the files, which are not trusted, and `repair` restores the cells
of the assignment in it. The student gets a notice about each change and each refusal.

This subpackage may import `core`.
"""
