"""The search ends at 100, where more may be needed.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    best = max(scores)

    def fails(epsilon):
        good = bad = 0.0
        for s in scores:
            t = epsilon * (s - best) / sensitivity / (1 if monotonic else 2)
            if best - s <= behind:
                good += math.exp(t)
            else:
                bad += math.exp(t)
        return bad > beta * (good + bad)

    if not fails(0.0):
        return 0.0
    low, high = 0.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        if fails(middle):
            low = middle
        else:
            high = middle
    return high
