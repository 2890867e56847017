"""The Kullback-Leibler divergence to base 10.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    return sum(a * math.log10(a / b) if b else math.inf for a, b in zip(p, q) if a > 0)
