"""Whole orders only.

points:
    slope_found: 0
"""

# %% slope_above
def slope_above(p, q):
    logs = np.log(np.array([p, q], dtype=float))
    orders = np.arange(2.0, 1000.0)
    best = 0.0
    for x, y in (logs, logs[::-1]):
        terms = x[:, None] + np.multiply.outer(x - y, orders - 1)
        top = terms.max(axis=0)
        divergence = (top + np.log(np.exp(terms - top).sum(axis=0))) / (orders - 1)
        near_one = float(np.exp(x) @ (x - y))  # the limit, where differences have no digits left
        sound = orders > 1 + 1e-5
        best = max(best, float((divergence / orders)[sound].max()))
    return 1.0005 * best
