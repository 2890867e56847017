"""Weights too small for a float, in plain Python: their sum is 0, and is divided by.

points:
    median_drawn: 0
"""

# %% median_quantile
def median_quantile(ages, low, high, epsilon, u):
    ends = [low, *sorted(min(high, max(low, x)) for x in ages), high]
    n = len(ages)
    weights = [(b - a) * math.exp(-epsilon / 2 * abs(n - 2 * i))
               for i, (a, b) in enumerate(zip(ends, ends[1:]))]
    total = sum(weights)
    passed = 0.0
    for a, b, weight in zip(ends, ends[1:], weights):
        share = weight / total
        if share > 0 and passed + share >= u:
            return a + (b - a) * (u - passed) / share
        passed += share
    return float(high)
