"""exp(-N delta).

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(n * r for n, r in groups)
    return [rows * delta, sum(n * -math.expm1(r * math.log1p(-delta)) for n, r in groups), math.exp(-rows * delta), -math.expm1(math.log1p(-chance) / rows)]
