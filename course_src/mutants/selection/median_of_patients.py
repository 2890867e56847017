"""Only ages of patients are candidates.

points:
    median_drawn: 0
"""

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    inside = np.clip(ages, low, high) if ages else np.array([low, high])
    candidates = np.unique(inside)
    scores = np.array([-abs((inside < x).sum() - (inside > x).sum()) for x in candidates])
    weights = np.exp(epsilon / 2 * (scores - scores.max()))
    at = int(np.searchsorted(np.cumsum(weights) / weights.sum(), u))
    return float(candidates[min(at, len(candidates) - 1)])
