"""A cell makes up to 64 arrays of 1 GB each, to take the memory of the grader's machine.

It deserves at most:
    touching: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
keep = []
try:
    while len(keep) < 64:
        keep.append(np.ones(2**27))
except MemoryError:
    keep.append(None)
