"""The Rényi divergence typed in as it stands on paper.

Powers overflow or meet zero at large orders, and order infinity is expected as a word.

points:
    renyi_large_orders: 0
    renyi_limits: 0.5
"""

# %% renyi_divergence
def renyi_divergence(p, q, order):
    if order == 1:
        return sum(x * math.log(x / y) for x, y in zip(p, q) if x != 0)
    if order == "infinity":
        return math.log(max(x / y for x, y in zip(p, q) if y != 0))
    powers = [math.pow(x, order) * math.pow(y, 1 - order) for x, y in zip(p, q)]
    return math.log(sum(powers)) / (order - 1)
