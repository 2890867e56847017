"""Weights too small for a float, and a loop that ends at the highest number.

points:
    median_drawn: 0
"""

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    moved = sorted(min(high, max(low, age)) for age in ages)
    n = len(moved)
    ends = [low, *moved, high]
    logs = []
    for i in range(n + 1):
        logs.append(epsilon * -abs(n - i - i) / 2)
    top = 0.0
    weights = [math.exp(x - top) * (ends[i + 1] - ends[i]) for i, x in enumerate(logs)]
    wanted = u * sum(weights)
    so_far = 0.0
    for i, weight in enumerate(weights):
        if weight > 0 and so_far + weight >= wanted:
            return ends[i] + (wanted - so_far) / weight * (ends[i + 1] - ends[i])
        so_far += weight
    return high
