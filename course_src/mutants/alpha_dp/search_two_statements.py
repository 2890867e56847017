"""Right noise, with two statements changed.

points:
    search_repaired: 0
"""

# %% repaired_counts
def repaired_counts(counts, epsilon, delta, rng):
    level = math.log(1 / delta)
    sigma = math.inf
    for order in range(2, 41):
        account = (order - 1) * epsilon - level  # a logarithm
        if account > 0:
            factor = order * (order - 1)
            number = account / len(counts)
            square = factor / (2 * number)
            sigma = min(sigma, math.sqrt(square))
    return [count + rng.normal(0.0, sigma) for count in counts]
