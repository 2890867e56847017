"""Weights of the scores themselves, with an upper end that is doubled: only large scores overflow.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    best = max(scores)

    def share(epsilon):
        good = bad = 0.0
        for s in scores:
            exponent = epsilon * s / sensitivity
            if not monotonic:
                exponent = exponent / 2
            if best - s <= behind:
                good += math.exp(exponent)
            else:
                bad += math.exp(exponent)
        return bad / (good + bad)

    if share(0) <= beta:
        return 0
    low, high = 0.0, 1.0
    while share(high) > beta:
        high = 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if share(middle) > beta:
            low = middle
        else:
            high = middle
    return high
