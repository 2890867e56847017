"""A search stops at 0.01 nights.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    from scipy.optimize import minimize_scalar

    values = np.array(report, dtype=float)

    def error(bound):
        return math.hypot(np.maximum(values - bound, 0).mean(), math.sqrt(2) * bound / (epsilon * people))

    found = minimize_scalar(error, bounds=(0, values.max()), method="bounded", options={"xatol": 0.05})
    return [float(found.x), float(found.fun)]
