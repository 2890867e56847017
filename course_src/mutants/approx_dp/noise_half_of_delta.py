"""Delta is split between the two tails.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.special import log_ndtr

    low, high = math.log(1e-7), math.log(1e3)
    for _ in range(80):
        mu = math.exp((low + high) / 2)
        first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        found = first + math.log(-math.expm1(min(second - first, -1e-300)))
        low, high = (math.log(mu), high) if found <= math.log(delta / 2) else (low, math.log(mu))
    return sensitivity / math.exp(low)
