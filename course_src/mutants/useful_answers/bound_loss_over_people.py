"""The bias is what the report loses, over the number of the own stays.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    from scipy.optimize import minimize_scalar

    stays = np.array(report, dtype=float)

    def error(bound):
        lost = np.maximum(stays - bound, 0.0).sum() / people
        return math.hypot(lost, math.sqrt(2) * bound / (epsilon * people))

    found = minimize_scalar(error, bounds=(0, stays.max()), method="bounded", options={"xatol": 1e-9})
    return [found.x, found.fun]
