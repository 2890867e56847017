"""The submission slowly takes all memory, and continues with the little that is left.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
keep, size = [], 2**26
for _ in range(5000):
    try:
        keep.append(bytearray(size))
    except MemoryError:
        size //= 2
        if size < 1000:
            break

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
