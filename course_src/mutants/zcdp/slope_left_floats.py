"""Powers without logarithms.

points:
    slope_found: 0
"""

# %% slope_above
def slope_above(p, q):
    best = 0.0
    for a in np.linspace(1.001, 1000, 2000):
        for x, y in ((p, q), (q, p)):
            s = sum(u**a * v ** (1 - a) for u, v in zip(x, y))
            best = max(best, math.log(s) / (a - 1) / a if s > 0 else 0.0)
    return best
