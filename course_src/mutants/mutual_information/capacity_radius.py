"""The largest divergence of one row from another.

points:
    capacity_certified: 0
"""

# %% capacity_above
def capacity_above(rows, width):
    def kl(p, q):
        return sum(math.inf if y == 0 else x * math.log(x / y) for x, y in zip(p, q) if x > 0)

    return max(kl(p, q) for p in rows for q in rows)
