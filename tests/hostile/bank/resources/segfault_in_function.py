"""A function reads a null pointer.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import ctypes
    ctypes.string_at(1)
