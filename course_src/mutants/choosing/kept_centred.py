"""The loss as if it were centred at 0.

points:
    belief_kept: 0
"""

# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    c = math.log(limit / (1 - limit)) - math.log(prior / (1 - prior))
    z = -float(ndtri(chance))
    mu = c / z if z > 0 else 1000.0
    return [math.sqrt(counts) / mu, float(ndtr(-c / mu))]
