"""The logarithm of 1 less delta, for the probability that nobody is exposed.

points:
    machine_counted: 0
"""

# %% exposures
def exposures(groups, delta, chance):
    rows = sum(people * releases for people, releases in groups)
    exposed = sum(-people * math.expm1(releases * math.log1p(-delta)) for people, releases in groups)
    nobody = math.exp(rows * math.log(1 - delta))
    return [rows * delta, exposed, nobody, -math.expm1(math.log1p(-chance) / rows)]
