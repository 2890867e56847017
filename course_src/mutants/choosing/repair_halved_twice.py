"""The largest rho is halved, though sigma has the 2 already.

points:
    office_repaired: 0
"""

# %% repaired_office
def repaired_office(counts, most, epsilon, delta, rng):
    """The counts with normal noise, (epsilon, delta)-DP together."""
    level = math.log(1 / delta)
    rho = (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2 / 2
    sigma = math.sqrt(most / (2 * rho))
    return [count + rng.normal(0.0, sigma) for count in counts]
