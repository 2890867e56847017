"""Noise of another width.

points:
    keeper_repaired: 0
"""

# %% repaired_keeper
def repaired_keeper(counts, lengths, widths, rho, rng):
    total = 0.0
    for length, width in zip(lengths, widths):
        total += (length / width) ** 2
    unit = math.sqrt(total / (2 * rho))
    return [count + rng.normal(0.0, unit) for count, width in zip(counts, widths)]
