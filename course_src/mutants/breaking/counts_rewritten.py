"""The right law, written anew.

points:
    counts_repaired: 0
"""

# %% repaired_counts
def repaired_counts(counts, scale, rng):
    p = 1 - math.exp(-1 / scale)
    return [n + int(rng.geometric(p)) - int(rng.geometric(p)) for n in counts]
