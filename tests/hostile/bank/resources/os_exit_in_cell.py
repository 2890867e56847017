"""A cell ends the kernel's process at once.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import os
os._exit(0)
