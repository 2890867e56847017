"""The search for sigma goes to 1,000 only.

points:
    belief_kept: 0
"""

# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    factor = math.log(limit / (1 - limit)) - math.log(prior / (1 - prior))

    def too_often(sigma):
        mu = math.sqrt(counts) / sigma
        return log_ndtr((mu**2 / 2 - factor) / mu) > math.log(chance)

    low, high = 1e-3, 1000.0
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if too_often(middle) else (low, middle)
    mu = math.sqrt(counts) / high
    return [high, math.exp(log_ndtr(-(factor + mu**2 / 2) / mu))]
