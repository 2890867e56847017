"""Both numbers are right, and rounded to four digits.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    from scipy.optimize import minimize_scalar

    def divergence(p):
        q = p / (p + (1 - p) * math.exp(epsilon))
        if order == 1:
            return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
        x = order * math.log(p) + (1 - order) * math.log(q)
        y = order * math.log(1 - p) + (1 - order) * math.log(1 - q)
        return float(np.logaddexp(x, y)) / (order - 1)

    best = minimize_scalar(lambda p: -divergence(p), method="bounded", bounds=(1e-9, 1 - 1e-9),
                           options={"xatol": 1e-10})
    return [round(float(best.x), 4), round(divergence(best.x), 4)]
