"""Both lines are moved, which is four statements.

points:
    bell_repaired: 0
"""

# %% repaired_bell
def repaired_bell(counts, threshold, epsilon, rng):
    level = threshold + rng.laplace(0.0, 2 / epsilon)
    noise = rng.laplace(0.0, 4 / epsilon)
    for day, count in enumerate(counts):
        if count + noise >= level:
            return day
    return -1
