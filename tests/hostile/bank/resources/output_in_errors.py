"""A cell and a function raise errors with messages of 50 and 100 MB, to fill the grader's memory or
the feedback page.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
raise ValueError("x" * 50_000_000)

# %% replace touching_point
def touching_point(sigma, order, delta):
    raise ValueError("x" * 100_000_000)
