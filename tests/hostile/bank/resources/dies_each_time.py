"""After each solution cell, a cell ends the kernel, so the grader must start a new one each time or
give up.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after every solution cell
import os
os._exit(9)

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
