"""Powers of the probabilities as they are, which are too large for a float.

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
        total = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
        return math.log(total) / (order - 1)

    grid = np.linspace(0, 1, 1002)[1:-1].tolist()
    start = max([1e-8, *grid, 1 - 1e-8], key=divergence)
    best = minimize_scalar(lambda p: -divergence(p), method="bounded",
                           bounds=(max(1e-9, start - 0.01), min(1 - 1e-9, start + 0.01)),
                           options={"xatol": 1e-10})
    return [best.x, divergence(best.x)]
