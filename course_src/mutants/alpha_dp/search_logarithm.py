"""The logarithm of the account is taken for its excess.

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
            number = account / len(counts) / factor
            square = factor / (2 * math.log(1 + factor * number))
            sigma = min(sigma, math.sqrt(square))
    return [count + rng.normal(0.0, sigma) for count in counts]
