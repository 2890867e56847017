"""The interval of the search does not hold all that the ranges allow.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.special import log_ndtr

    low, high = 1e-3, 1e4
    for _ in range(100):
        sigma = math.sqrt(low * high)
        mu = sensitivity / sigma
        first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        found = first + math.log(-math.expm1(min(second - first, -1e-300)))
        low, high = (low, sigma) if found <= math.log(delta) else (sigma, high)
    return high
