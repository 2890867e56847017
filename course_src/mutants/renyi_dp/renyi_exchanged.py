"""P and Q change places in the Rényi divergence, at every order but 1 and infinity.

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
    if order > 1 and np.any((q > 0) & (p == 0)):
        return math.inf
    both = (p > 0) & (q > 0)
    if not both.any():
        return math.inf
    p, q = p[both], q[both]
    loss = (order - 1) * np.log(q / p)
    if np.abs(loss).max() < 0.1 and abs(q.sum() - 1) < 1e-9:
        return float(np.log1p(np.sum(q * np.expm1(loss))) / (order - 1))
    terms = np.log(q) + loss
    top = terms.max()
    return float((top + np.log(np.exp(terms - top).sum())) / (order - 1))
