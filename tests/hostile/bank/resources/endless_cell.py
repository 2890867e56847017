"""A cell never ends, and the cells after it must still be graded.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
while True:
    pass
