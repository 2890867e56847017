"""A function reads memory at address 1, so that the kernel's process crashes and the grader gets no
answer.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import ctypes
    ctypes.string_at(1)
