"""Bounds are tried at each tenth of a night.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    mean = sum(report) / len(report)
    best = None
    for bound in np.arange(1, 1001, 0.1):
        bias = mean - np.minimum(report, bound).mean()
        error = math.hypot(bias, math.sqrt(2) * bound / (people * epsilon))
        if best is None or error < best[1]:
            best = [bound, error]
    return best
