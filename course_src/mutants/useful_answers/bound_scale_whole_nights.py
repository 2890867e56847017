"""The scale is taken for the standard deviation, and whole nights are tried.

points:
    bound_chosen: 0
"""

# %% best_bound
def best_bound(report, people, epsilon):
    mean = sum(report) / len(report)
    best = None
    for bound in range(1, 1001):
        bias = mean - np.minimum(report, bound).mean()
        error = math.sqrt(bias**2 + (bound / (people * epsilon)) ** 2)
        if best is None or error < best[1]:
            best = [bound, error]
    return best
