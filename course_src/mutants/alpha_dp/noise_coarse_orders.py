"""Real orders are tried on a grid, which is too coarse.

points:
    noise_found: 0
"""

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = math.log(1 / delta)
    if most == math.inf:
        orders = [1 + 0.001 * 1.001**i for i in range(20_000)]
    else:
        orders = range(2, most + 1)
    best = [math.inf, 0]
    for order in orders:
        left = epsilon - level / (order - 1)
        if left > 0:
            best = min(best, [math.sqrt(k * order / (2 * left)), order])
    return best
