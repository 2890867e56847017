"""Returns the finds.

points:
    best_test: 0
"""

# %% fewest_misses
def fewest_misses(p, q, a):
    def ratio(pair):
        value, price = pair
        return math.inf if price == 0 else value / price

    found, budget = 0.0, a
    for value, price in sorted(zip(p, q), key=ratio, reverse=True):
        if price <= budget:
            found, budget = found + value, budget - price
        else:
            found, budget = found + value * budget / price, 0.0
    return max(0.0, found)
