"""More noise by hand: the promise is kept, with too much of it.

points:
    office_repaired: 0
"""

# %% repaired_office
def repaired_office(counts, most, epsilon, delta, rng):
    """The counts with normal noise."""
    level = math.log(1 / delta)
    rho = epsilon**2 / 2
    sigma = math.sqrt(most / (2 * rho)) * 2 * math.sqrt(level)
    return [count + rng.normal(0.0, sigma) for count in counts]
