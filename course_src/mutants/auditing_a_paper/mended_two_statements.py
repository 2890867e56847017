"""Two statements are changed: the range of orders as well.

points:
    count_mended: 0
"""

# %% mended_count
def mended_count(count, k, epsilon, delta, rng):
    sigma = math.inf
    for order in range(2, 301):
        room = (epsilon * (order - 1) - math.log(1 / delta)) / k
        if room > 0:
            needed = math.sqrt(order * (order - 1) / (2 * room))
            sigma = min(sigma, needed)
    return count + rng.normal(0.0, sigma)
