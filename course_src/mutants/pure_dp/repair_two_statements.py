"""Two statements are changed: the visits, and the scale.

points:
    days_repaired: 0
"""

# %% repaired_days
def repaired_days(visits, most, epsilon, rng):
    counts = [0, 0, 0]
    for days in visits:
        used = [0, 0, 0]
        for day in days:
            if sum(used) < most:
                used[day] += 1
                counts[day] += 1
    scale = 1.0 * most / epsilon
    return [count + rng.laplace(0.0, scale) for count in counts]
