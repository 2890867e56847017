"""A cell reads a null pointer.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import ctypes
ctypes.string_at(0)
