"""The best real order is rounded.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    root = epsilon / (math.sqrt(level + epsilon) + math.sqrt(level))
    order = 1 + math.sqrt(level) / root
    if most == math.inf:
        return [math.sqrt(k / 2) / root, order]
    order = min(most, max(2, round(order)))
    left = epsilon - level / (order - 1)
    if left <= 0:
        return [math.inf, 0]
    return [math.sqrt(k * order / (2 * left)), order]
