"""The variance of an order is compared with the standard deviation of another one.

points:
    search_repaired: 0
"""

# %% repaired_counts
def repaired_counts(counts, epsilon, delta, rng):
    level = math.log(1 / delta)
    most, sigma = 0.0, math.inf
    for order in range(2, 41):
        log_account = (order - 1) * epsilon - level
        if log_account > 0:
            factor = order * (order - 1)
            number = (math.exp(log_account / len(counts)) - 1) / factor
            square = factor / (2 * math.log(1 + factor * number))
            if square < sigma:
                most = number
                sigma = math.sqrt(square)
    return [count + rng.normal(0.0, sigma) for count in counts]
