"""Each kind counts once.

points:
    kinds_repaired: 0
"""

# %% repaired_kinds
def repaired_kinds(patients, kinds, most, epsilon, delta, rng):
    counts = [0] * kinds
    for examinations in patients:
        for kind in set(examinations[:most]):
            counts[kind] += 1
    sensitivity = math.sqrt(most)
    sigma = sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [count + rng.normal(0.0, sigma) for count in counts]
