"""The wrong line is moved.

points:
    bell_repaired: 0
"""

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    noise = rng.laplace(0.0, 4 / epsilon)
    for day, count in enumerate(counts):
        level = threshold + rng.laplace(0.0, 2 / epsilon)
        if count + noise >= level:
            return day
    return -1
