"""The best of a grid of thousand numbers, as it is.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    p = np.arange(1, 1000) / 1000
    q = p / (p + (1 - p) * math.exp(epsilon))
    if order == 1:
        d = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    else:
        a = order * np.log(p) + (1 - order) * np.log(q)
        b = order * np.log(1 - p) + (1 - order) * np.log(1 - q)
        d = np.logaddexp(a, b) / (order - 1)
    return [float(p[d.argmax()]), float(d.max())]
