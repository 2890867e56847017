"""1 less a power near 1, for the largest delta.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(people * releases for people, releases in groups)
    exposed = sum(-people * math.expm1(releases * math.log1p(-delta)) for people, releases in groups)
    nobody = math.exp(rows * math.log1p(-delta))
    return [rows * delta, exposed, nobody, 1 - (1 - chance) ** (1 / rows)]
