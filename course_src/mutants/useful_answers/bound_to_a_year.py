"""Bounds above 365 nights are not tried.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    from scipy.optimize import minimize_scalar

    values = np.array(report, dtype=float)

    def error(bound):
        bias = np.mean(np.maximum(values - bound, 0.0))
        return math.hypot(bias, math.sqrt(2) * bound / (epsilon * people))

    high = min(365.0, float(values.max()))
    found = minimize_scalar(error, bounds=(0, high), method="bounded", options={"xatol": 1e-10})
    best = min([found.x, high], key=error)
    return [best, error(best)]
