"""An order within 0.01 of 1 is taken for 1.

points:
    renyi_large_orders: 0
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    p, q = np.array(p, dtype=float), np.array(q, dtype=float)
    if abs(order - 1) < 0.01:
        return kl_divergence(p, q)
    if order == math.inf:
        return max_divergence(p, q)
    if order > 1 and np.any((p > 0) & (q == 0)):
        return math.inf
    both = (p > 0) & (q > 0)
    if not np.any(both):
        return math.inf
    terms = order * np.log(p[both]) + (1 - order) * np.log(q[both])
    return float(np.logaddexp.reduce(terms) / (order - 1))
