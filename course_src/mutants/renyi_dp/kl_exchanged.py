"""P and Q change places in the Kullback-Leibler divergence.

The Rényi divergence at order 1 calls the same function: its items are right, given a right one.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    total = 0.0
    for x, y in zip(p, q):
        if y > 0:
            if x == 0:
                return math.inf
            total += y * math.log(y / x)
    return total
