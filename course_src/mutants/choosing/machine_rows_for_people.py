"""People are counted as often as they are exposed.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(n * r for n, r in groups)
    return [rows * delta, rows * delta, math.exp(rows * math.log1p(-delta)), -math.expm1(math.log1p(-chance) / rows)]
