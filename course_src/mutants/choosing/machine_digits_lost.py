"""1 - delta loses its digits.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(n * r for n, r in groups)
    return [rows * delta, sum(n * (1 - (1 - delta) ** r) for n, r in groups), (1 - delta) ** rows, -math.expm1(math.log1p(-chance) / rows)]
