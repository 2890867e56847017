"""The logarithm has base 10.

points:
    count_mended: 0
"""

# %% mended_count
def mended_count(count, k, epsilon, delta, rng):
    sigma = math.inf
    for order in range(2, 65):
        room = (epsilon * (order - 1) - math.log10(1 / delta)) / k
        if room > 0:
            needed = math.sqrt(order * (order - 1) / (2 * room))
            sigma = min(sigma, needed)
    return count + rng.normal(0.0, sigma)
