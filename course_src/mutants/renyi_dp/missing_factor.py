"""The factor 1 / (a - 1) in front of the logarithm is forgotten.

points:
    renyi_large_orders: 0
    renyi_limits: 1
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if order == 1:
        return kl_divergence(p, q)
    if order == math.inf:
        return max_divergence(p, q)
    if order > 1 and np.any((p > 0) & (q == 0)):
        return math.inf
    both = (p > 0) & (q > 0)
    if not both.any():
        return math.inf
    terms = order * np.log(p[both]) + (1 - order) * np.log(q[both])
    top = terms.max()
    return float(top + np.log(np.exp(terms - top).sum()))
