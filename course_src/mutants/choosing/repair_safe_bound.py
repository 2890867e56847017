"""A rho that keeps the promise by an inequality, smaller than the largest.

points:
    office_repaired: 0
"""

# %% repaired_office
def repaired_office(counts, most, epsilon, delta, rng):
    """The counts with normal noise, (epsilon, delta)-DP together."""
    level = math.log(1 / delta)
    rho = epsilon**2 / (4 * (level + epsilon))
    sigma = math.sqrt(most / (2 * rho))
    return [count + rng.normal(0.0, sigma) for count in counts]
