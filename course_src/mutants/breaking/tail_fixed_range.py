"""A sum over a fixed range around 0, in logarithms.

points:
    tail_in_logs: 0
"""

# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    terms, weights = [], []
    for x in range(-1000, 1001):
        weight = -(x**2) / (2 * sigma**2)
        weights.append(weight)
        loss = sensitivity * (2 * x + sensitivity) / (2 * sigma**2)
        if loss > epsilon:
            terms.append(weight + math.log(-math.expm1(epsilon - loss)))
    if not terms:
        return -math.inf
    return float(np.logaddexp.reduce(terms) - np.logaddexp.reduce(weights))
