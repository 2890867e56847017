"""A cell closes all open files of its process, including the connection to the grader, which must
still finish.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os
os.closerange(0, 4096)
