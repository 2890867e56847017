"""mu grows by the root of the steps.

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
        return theorem("gauss", "approx", math.sqrt(k * s) * x, 2, delta)
    return theorem("zcdp", "approx", k * s**2 * x, 2, delta)
