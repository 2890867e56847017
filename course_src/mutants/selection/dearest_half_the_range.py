"""Half of epsilon is the range.

points:
    dearest_found: 0
"""

# %% dearest_name
def dearest_name(epsilon, order):
    from scipy.optimize import minimize_scalar

    def moved(p):
        return p / (p + (1 - p) * math.exp(epsilon / 2))

    def divergence(p, a):
        q = moved(p)
        if a == 1:
            return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
        total = p * (p / q) ** (a - 1) + (1 - p) * ((1 - p) / (1 - q)) ** (a - 1)
        return math.log(total) / (a - 1)

    found = minimize_scalar(lambda p: -divergence(p, order), bounds=(1e-9, 1 - 1e-9),
                            method="bounded", options={"xatol": 1e-11})
    p, d = float(found.x), -float(found.fun)
    return [p, d]
