"""Whole orders up to 300 where all may be used.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    best = [math.inf, 0]
    for order in range(2, int(min(most, 300)) + 1 if most <= 300 else 301):
        left = epsilon - level / (order - 1)
        if left > 0:
            best = min(best, [math.sqrt(k * order / (2 * left)), order])
    return best
