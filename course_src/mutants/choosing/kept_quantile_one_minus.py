"""The quantile of 1 less a tiny chance, which has few digits left.

points:
    belief_kept: 0
"""

# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    c = math.log(limit / (1 - limit)) - math.log(prior / (1 - prior))
    z = float(ndtri(1 - chance))
    mu = -z + math.sqrt(z**2 + 2 * c)
    return [math.sqrt(counts) / mu, float(ndtr(-(c + mu**2 / 2) / mu))]
