"""chance / N.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(n * r for n, r in groups)
    return [rows * delta, sum(n * -math.expm1(r * math.log1p(-delta)) for n, r in groups), math.exp(rows * math.log1p(-delta)), chance / rows]
