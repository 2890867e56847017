"""A cell never ends. The grader must stop it and still grade the cells after it.

It deserves at most:
    touching: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
while True:
    pass
