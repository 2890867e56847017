"""A sum of floats, held at the least float above 0.

points:
    tail_in_logs: 0
"""

# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    from scipy.special import logsumexp

    reach = math.ceil(15 * sigma) + 5
    x = np.arange(-reach, reach + 1)
    log_sum = logsumexp(-(x**2) / (2 * sigma**2))
    start = epsilon * sigma**2 / sensitivity - sensitivity / 2
    x = math.floor(start) + 1.0 + np.arange(2 * reach + 20)
    loss = sensitivity * (2 * x + sensitivity) / (2 * sigma**2)
    part = -np.expm1(np.minimum(epsilon - loss, 0.0))
    with np.errstate(divide="ignore"):
        terms = -(x**2) / (2 * sigma**2) - log_sum + np.log(part)
    return math.log(max(np.sum(np.exp(terms)), 5e-324))
