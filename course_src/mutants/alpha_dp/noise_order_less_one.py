"""The order without its 1.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    root = epsilon / (math.sqrt(level + epsilon) + math.sqrt(level))
    if most == math.inf:
        return [math.sqrt(k / 2) / root, math.sqrt(level) / root]
    best = [math.inf, 0]
    for order in range(2, most + 1):
        left = epsilon - level / (order - 1)
        if left > 0:
            best = min(best, [math.sqrt(k * order / (2 * left)), order])
    return best
