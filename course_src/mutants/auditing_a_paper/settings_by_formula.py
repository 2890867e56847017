"""The formula of the best order, also with the bracket.

points:
    settings_found: 0
"""

# %% answers_that_fit
def answers_that_fit(settings, orders, slipped):
    def best(sigma, delta, k):
        order = round(1 + sigma * math.sqrt(2 * math.log(1 / delta) / k))
        return min(max(order, 2), 300)

    found = [
        k
        for k in range(1, 1001)
        if all(best(s, d, k) == a for (s, d), a in zip(settings, orders))
    ]
    return [found[0], found[-1]] if found else []
