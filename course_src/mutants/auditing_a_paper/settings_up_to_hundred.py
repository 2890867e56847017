"""The search ends at order 100.

points:
    settings_found: 0
"""

# %% answers_that_fit
def answers_that_fit(settings, orders, slipped):
    tried = np.arange(2, 101)
    k = np.arange(1, 1001)[:, None]
    fits = np.full(1000, True)
    for (sigma, delta), order in zip(settings, orders):
        x = tried * (tried - 1) / (2 * sigma**2)
        factor = np.logaddexp(0, x - 1) if slipped else x
        epsilon = (k * factor - math.log(delta)) / (tried - 1)
        fits &= tried[np.argmin(epsilon, axis=1)] == order
    found = [int(i) + 1 for i in np.flatnonzero(fits)]
    return [found[0], found[-1]] if found else []
