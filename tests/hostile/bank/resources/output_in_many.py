"""A cell prints a million lines to each of the standard output and error, to keep the grader busy
or fill its memory.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import sys
for i in range(1_000_000):
    print("line", i, "x" * 100)
    print("line", i, "x" * 100, file=sys.stderr)
