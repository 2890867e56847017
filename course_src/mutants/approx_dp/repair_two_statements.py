"""Two statements are changed.

points:
    kinds_repaired: 0
"""

# %% repaired_kinds
def repaired_kinds(patients, kinds, most, epsilon, delta, rng):
    counts = [0] * kinds
    for examinations in patients:
        for kind in examinations[:most]:
            counts[kind] += 1
    sensitivity = most
    sigma = math.sqrt(2 * math.log(1.25 / delta)) * sensitivity / epsilon
    return [rng.normal(count, sigma) for count in counts]
