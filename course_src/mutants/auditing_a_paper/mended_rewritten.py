"""Another algorithm, which is right.

points:
    count_mended: 0
"""

# %% mended_count
def mended_count(count, k, epsilon, delta, rng):
    cost = math.log(1 / delta)
    root = math.sqrt(cost + epsilon) - math.sqrt(cost)
    return count + rng.normal(0.0, math.sqrt(k / 2) / root)
