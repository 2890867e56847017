"""Log-sum-exp everywhere: sound for large orders, no digits left next to order 1.

points:
    renyi_near_one: 0
"""

# %% renyi_divergence
from scipy.special import logsumexp


def renyi_divergence(p, q, order):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if p.shape != q.shape or p.size == 0 or not order > 0:
        raise ValueError("bad arguments")
    if min(p.min(), q.min()) < 0 or not abs(p.sum() - 1) <= 1e-9 or not abs(q.sum() - 1) <= 1e-9:
        raise ValueError("not a law")
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
    return max(float(logsumexp(terms)) / (order - 1), 0.0)
