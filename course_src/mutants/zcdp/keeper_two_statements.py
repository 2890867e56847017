"""Right noise, two statements changed.

points:
    keeper_repaired: 0
"""

# %% repaired_keeper
def repaired_keeper(counts, lengths, widths, rho, rng):
    total = 0.0
    for length, width in zip(lengths, widths):
        total += (length / width) ** 2
    unit = (total / (2 * rho)) ** 0.5
    return [count + rng.normal(0.0, unit * width) for count, width in zip(counts, widths)]
