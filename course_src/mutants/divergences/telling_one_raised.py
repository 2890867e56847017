"""One answer is raised, the others are lowered.

points:
    most_told: 0
"""

# %% most_telling
def most_telling(q, epsilon):
    low, high = math.exp(-epsilon), math.exp(epsilon)
    best = 0.0
    for y in q:
        if 0 < y < 1:
            x = min(high * y, 1 - low * (1 - y))
            best = max(best, x * math.log(x / y) + (1 - x) * math.log((1 - x) / (1 - y)))
    return best
