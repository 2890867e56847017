"""The right law by code of one's own.

points:
    days_repaired: 0
"""

# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = np.zeros(3)
    for days in visits:
        for day in days[:most]:
            counts[day] += 1
    return counts + rng.laplace(0.0, most / epsilon, 3)
