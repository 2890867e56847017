"""The root of rho is the difference of two roots, which are nearly equal for a tiny epsilon.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = -math.log(delta)
    if most == math.inf:
        root = math.sqrt(level + epsilon) - math.sqrt(level)
        return [math.sqrt(k / 2) / root, 1 + math.sqrt(level) / root]
    orders = np.arange(2.0, most + 1)
    left = epsilon - level / (orders - 1)
    orders, left = orders[left > 0], left[left > 0]
    if not orders.size:
        return [math.inf, 0]
    squares = k * orders / (2 * left)
    best = int(np.argmin(squares))
    return [math.sqrt(squares[best]), float(orders[best])]
