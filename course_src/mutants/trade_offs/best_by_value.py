"""Sorted by p.

points:
    best_test: 0
"""

# %% fewest_misses
def fewest_misses(p, q, a):
    def ratio(pair):
        return pair[0]

    found, budget = 0.0, a
    for value, price in sorted(zip(p, q), key=ratio, reverse=True):
        if price <= budget:
            found, budget = found + value, budget - price
        else:
            found, budget = found + value * budget / price, 0.0
    return max(0.0, 1 - found)
