"""The loss of the first name is taken to be the whole of epsilon.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    best = (0.0, 0.0)
    for p in np.linspace(0.0001, 0.9999, 9999):
        q = p * math.exp(-epsilon)
        if order == 1:
            d = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
        else:
            a = order * math.log(p) + (1 - order) * math.log(q)
            b = order * math.log(1 - p) + (1 - order) * math.log(1 - q)
            d = np.logaddexp(a, b) / (order - 1)
        best = max(best, (float(d), float(p)))
    return [best[1], best[0]]
