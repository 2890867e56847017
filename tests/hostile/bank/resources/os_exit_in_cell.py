"""A cell ends the kernel's process at once, without any message to the grader.

It deserves at most:
    touching: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os
os._exit(0)
