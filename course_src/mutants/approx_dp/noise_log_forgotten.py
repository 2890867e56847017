"""Compares the logarithm of delta with delta.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    low, high = 1e-7, 1e3
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if log_delta(middle, epsilon) <= delta else (low, middle)
    return sensitivity / low
