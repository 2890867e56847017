"""The Kullback-Leibler divergence in bits.

The Rényi divergence at order 1 calls it: its items are right, given a right one.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    seen = p > 0
    if np.any(q[seen] == 0):
        return math.inf
    return np.sum(p[seen] * np.log2(p[seen] / q[seen]))
