"""What was handed in, before any of it runs: files read without faith, a notebook put in order.

`intake` finds the notebook among the files, `repair` brings it back into the shape of the
assignment; each thing that was mended or refused is a notice for the student.

May import `core`.
"""
