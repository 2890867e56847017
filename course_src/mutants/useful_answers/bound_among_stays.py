"""Only the stays of the report are tried.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    values = np.array(report, dtype=float)

    def error(bound):
        bias = np.mean(np.maximum(values - bound, 0.0))
        return math.hypot(bias, math.sqrt(2) * bound / (epsilon * people))

    best = min([0.0, *report], key=error)
    return [best, error(best)]
