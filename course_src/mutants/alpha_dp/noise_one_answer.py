"""How many answers there are is not used.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    root = epsilon / (math.sqrt(level + epsilon) + math.sqrt(level))  # of rho
    if most == math.inf:
        return [math.sqrt(1 / 2) / root, 1 + math.sqrt(level) / root]
    orders = np.arange(2.0, most + 1)
    left = epsilon - level / (orders - 1)
    orders, left = orders[left > 0], left[left > 0]
    if not orders.size:
        return [math.inf, 0]
    squares = orders / (2 * left)
    best = int(np.argmin(squares))
    return [math.sqrt(squares[best]), float(orders[best])]
