"""Cells print a million lines on each of both streams.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import sys
for i in range(1_000_000):
    print("line", i, "x" * 100)
    print("line", i, "x" * 100, file=sys.stderr)
