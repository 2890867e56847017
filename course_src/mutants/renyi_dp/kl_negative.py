"""The loss of the Kullback-Leibler divergence is upside down.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    return sum(a * math.log(b / a) if b else math.inf for a, b in zip(p, q) if a > 0)
