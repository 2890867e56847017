"""In floats, where e^epsilon overflows.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    from scipy.stats import norm

    low, high = math.log(1e-7), math.log(1e3)
    for _ in range(80):
        mu = math.exp((low + high) / 2)
        found = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        low, high = (math.log(mu), high) if found <= delta else (low, math.log(mu))
    return sensitivity / math.exp(low)
