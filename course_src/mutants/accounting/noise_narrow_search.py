"""The search for sigma goes from 0.5 to 100 only.

points:
    noise_calibrated: 0
"""

# %% enough_noise
def enough_noise(rate, steps, epsilon, delta):
    def bill(sigma):
        return min(
            steps * sampled_divergence(rate, sigma, a) + math.log(1 / delta) / (a - 1) for a in range(2, 65)
        )

    low, high = 0.5, 100.0
    while high > low * (1 + 1e-5):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if bill(middle) <= epsilon else (middle, high)
    return high
