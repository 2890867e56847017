"""A cell makes an array of 64 GB and writes to every page of it.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
keep = []
try:
    while len(keep) < 64:
        keep.append(np.ones(2**27))
except MemoryError:
    keep.append(None)
