"""The Rényi divergence typed in as it stands on paper.

Powers overflow or meet zero at large orders, order infinity is expected as a word, order 1 is
recognised but its neighbours lose their digits, and zip stops at the shorter list.

points:
    renyi_large_orders: 0
    renyi_limits: 0.5
    renyi_near_one: 0
    renyi_errors: 0
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    if order == 1:
        return sum(x * math.log(x / y) for x, y in zip(p, q) if x != 0)
    if order == "infinity":
        return math.log(max(x / y for x, y in zip(p, q) if y != 0))
    powers = [math.pow(x, order) * math.pow(y, 1 - order) for x, y in zip(p, q)]
    return math.log(sum(powers)) / (order - 1)
