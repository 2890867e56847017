"""Recursion up to Python's limit, as beginners write it.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    return touching_point(sigma, order, delta) + 1
