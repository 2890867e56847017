"""Each promise is converted, and epsilons are added up.

points:
    statement_audited: 0
"""

# %% real_epsilon
def real_epsilon(statement, events, days, delta):
    notion, x, unit, neighbours = statement
    s = (events if unit == "event" else 1) * (2 if neighbours == "left out" else 1)
    k = 1 if unit == "user" else days
    if notion == "pure":
        return k * s * x
    if notion == "gauss":
        return k * theorem("gauss", "approx", s * x, 2, delta / k)
    return k * theorem("zcdp", "approx", s**2 * x, 2, delta / k)
