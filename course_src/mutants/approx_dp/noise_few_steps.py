"""Stops too early.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.special import log_ndtr

    def log_delta(mu):
        first = log_ndtr(mu / 2 - epsilon / mu)
        second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        return first + math.log(-math.expm1(min(second - first, -1e-300)))

    low, high = math.log(1e-7), math.log(1e3)
    for _ in range(6):
        middle = (low + high) / 2
        if log_delta(math.exp(middle)) <= math.log(delta):
            low = middle
        else:
            high = middle
    return sensitivity / math.exp(low)
