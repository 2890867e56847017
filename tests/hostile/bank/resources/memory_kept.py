"""A cell takes memory in smaller and smaller pieces until nearly nothing is left for the
kernel and the later cells.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
keep, size = [], 2**26
for _ in range(5000):
    try:
        keep.append(bytearray(size))
    except MemoryError:
        size //= 2
        if size < 1000:
            break

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
