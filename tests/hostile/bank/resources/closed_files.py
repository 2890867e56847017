"""A cell closes all open files of its process, including the connection to the grader, which must
still finish.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os
os.closerange(0, 4096)
