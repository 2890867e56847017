"""A third of the limit for each day.

points:
    days_repaired: 0
"""

# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = [0, 0, 0]
    for days in visits:
        used = [0, 0, 0]
        for day in days:
            if used[day] < most // 3:
                used[day] += 1
                counts[day] += 1
    scale = most / epsilon
    return [count + rng.laplace(0.0, scale) for count in counts]
