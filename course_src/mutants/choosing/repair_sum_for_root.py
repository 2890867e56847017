"""Solved for sigma, with the number of counts in place of its root.

points:
    office_repaired: 0
"""

# %% repaired_office
def repaired_office(counts, most, epsilon, delta, rng):
    """The counts with normal noise, (epsilon, delta)-DP together."""
    level = math.log(1 / delta)
    rho = epsilon**2 / 2
    sigma = most / (math.sqrt(2) * (math.sqrt(level + epsilon) - math.sqrt(level)))
    return [count + rng.normal(0.0, sigma) for count in counts]
