"""The threshold loses its noise.

points:
    bell_repaired: 0
"""

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    for day, count in enumerate(counts):
        level = threshold
        noise = rng.laplace(0.0, 4 / epsilon)
        if count + noise >= level:
            return day
    return -1
