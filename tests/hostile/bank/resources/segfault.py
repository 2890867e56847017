"""A null pointer is read, in a cell.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import ctypes
ctypes.string_at(0)
