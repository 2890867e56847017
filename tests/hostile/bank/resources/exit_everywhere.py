"""Cells and functions call the functions that end Python, or raise KeyboardInterrupt, in the hope
that the grader itself ends.

It deserves at most:
    touching: 0
    catastrophe: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import sys
print("attack", "ran")
sys.exit(0)

# %% replace touching_point
def touching_point(sigma, order, delta):
    exit(0)

# %% replace delta_floor
def delta_floor(p, q):
    raise KeyboardInterrupt

# %% insert a cell after delta_floor
quit()
