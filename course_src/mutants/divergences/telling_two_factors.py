"""Only two factors come up.

points:
    most_told: 0
"""

# %% most_telling
def most_telling(q, epsilon):
    import itertools

    low, high = math.exp(-epsilon), math.exp(epsilon)
    best = 0.0
    for chosen in itertools.product([0, 1], repeat=len(q)):
        up = sum(y for y, c in zip(q, chosen) if c)
        if 1e-12 < up < 1 - 1e-12:
            x = min(high * up, 1 - low * (1 - up))
            best = max(best, x * math.log(x / up) + (1 - x) * math.log((1 - x) / (1 - up)))
    return best
