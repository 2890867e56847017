"""A cell prints 100 MB by a single call of `print`, to fill the grader's memory or the feedback
page.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
print("x" * 100_000_000)
