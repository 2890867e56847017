"""Normal noise by the number of counts.

points:
    belief_kept: 0
"""

# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    c = math.log(limit / (1 - limit)) - math.log(prior / (1 - prior))
    z = -float(ndtri(chance))
    mu = -z + math.sqrt(z**2 + 2 * c)
    return [counts / mu, float(ndtr(-(c + mu**2 / 2) / mu))]
