"""Answers with q = 0 are skipped for fear of a division by zero.

points:
    best_test: 0
"""

# %% fewest_misses
def fewest_misses(p, q, a):
    p, q = zip(*[(x, y) for x, y in zip(p, q) if y > 0]) if any(q) else ([], [])
    def ratio(pair):
        value, price = pair
        return math.inf if price == 0 else value / price

    found, budget = 0.0, a
    for value, price in sorted(zip(p, q), key=ratio, reverse=True):
        if price <= budget:
            found, budget = found + value, budget - price
        else:
            found, budget = found + value * budget / price, 0.0
    return max(0.0, 1 - found)
