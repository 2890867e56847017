"""Weights of the scores themselves, which are too large for a float.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    best = max(scores)
    bad = [s for s in scores if best - s > behind]
    if len(bad) <= beta * len(scores):
        return 0.0
    low, high = 0.0, 20.0
    for _ in range(100):
        t = (low + high) / 2
        if sum(math.exp(t * s) for s in bad) > beta * sum(math.exp(t * s) for s in scores):
            low = t
        else:
            high = t
    return high * sensitivity * (1 if monotonic else 2)
