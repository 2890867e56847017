"""More noise in the place of the right order.

points:
    bell_repaired: 0
"""

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    for day, count in enumerate(counts):
        level = threshold + rng.laplace(0.0, 8 / epsilon)
        noise = rng.laplace(0.0, 8 / epsilon)
        if count + noise >= level:
            return day
    return -1
