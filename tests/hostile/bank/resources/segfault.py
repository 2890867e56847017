"""A cell reads memory at address 0, so that the kernel's process crashes.

It deserves at most:
    touching: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import ctypes
ctypes.string_at(0)
