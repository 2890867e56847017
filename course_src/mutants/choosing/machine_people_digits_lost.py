"""1 less delta, to a power, for the people; the other numbers keep their digits.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(people * releases for people, releases in groups)
    exposed = sum(people * (1 - (1 - delta) ** releases) for people, releases in groups)
    nobody = math.exp(rows * math.log1p(-delta))
    return [rows * delta, exposed, nobody, -math.expm1(math.log1p(-chance) / rows)]
