"""The factors are multiplied out, and the k-th power is too large for a float.

points:
    settings_found: 0
"""

# %% answers_that_fit
def answers_that_fit(settings, orders, slipped):
    found = []
    for k in range(1, 1001):
        all_right = True
        for (sigma, delta), order in zip(settings, orders):
            best, best_epsilon = 0, 1e300
            for a in range(2, 301):
                x = a * (a - 1) / (2 * sigma**2)
                n = (math.exp(x - 1) if slipped else math.exp(x) - 1) / (a * (a - 1))
                total = (1 + a * (a - 1) * n) ** k
                epsilon = (math.log(total) + math.log(1 / delta)) / (a - 1)
                if epsilon < best_epsilon:
                    best, best_epsilon = a, epsilon
            if best != order:
                all_right = False
        if all_right:
            found.append(k)
    return [found[0], found[-1]] if found else []
