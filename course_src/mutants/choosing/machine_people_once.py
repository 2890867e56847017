"""People are counted as if each were in one release.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(n * r for n, r in groups)
    return [rows * delta, delta * sum(n for n, _ in groups), math.exp(rows * math.log1p(-delta)), -math.expm1(math.log1p(-chance) / rows)]
