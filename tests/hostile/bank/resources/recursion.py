"""Recursion without end, after the removal of Python's limit.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import sys
    sys.setrecursionlimit(10**9)
    return touching_point(sigma, order, delta) + 1
