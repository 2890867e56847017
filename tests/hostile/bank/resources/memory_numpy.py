"""An array of 64 GB, touched on every page, in a cell.

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
