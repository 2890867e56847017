"""rho grows in proportion to the steps.

points:
    statement_audited: 0
"""

# %% real_epsilon
def real_epsilon(statement, events, days, delta):
    notion, numbers, unit, neighbours = statement
    s = (events if unit == "event" else 1) * (2 if neighbours == "left out" else 1)
    k = 1 if unit == "user" else days
    x = numbers[0]
    if notion == "pure":
        return k * s * x
    if notion == "gauss":
        return theorem("gauss", "approx", math.sqrt(k) * s * x, 2, delta)
    if notion == "zcdp":
        return theorem("zcdp", "approx", k * s * x, 2, delta)
    spent = k * numbers[1] * sum(math.exp(i * x) for i in range(s))
    return k * s * x if spent <= delta else math.inf
