"""The outcomes that both laws have are kept, above order 1 as below it.

points:
    renyi_large_orders: 0
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if order == 1:
        return kl_divergence(p, q)
    if order == math.inf:
        return max_divergence(p, q)
    both = (p > 0) & (q > 0)
    if not both.any():
        return math.inf
    terms = np.log(p[both]) + (order - 1) * (np.log(p[both]) - np.log(q[both]))
    top = terms.max()
    return float((top + np.log(np.exp(terms - top).sum())) / (order - 1))
