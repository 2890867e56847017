"""A function calls itself without end, as in a beginner's mistake, up to Python's limit on
recursion.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return touching_point(sigma, order, delta) + 1
