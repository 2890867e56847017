"""A function raises Python's limit on recursion and calls itself without end, until the stack
overflows and the process crashes.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import sys
    sys.setrecursionlimit(10**9)
    return touching_point(sigma, order, delta) + 1
