"""The search for the standard deviation goes from 0.0001 to ten millions only.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    low, high = 1e-4, 1e7
    while high > low * 1.0001:
        middle = math.sqrt(low * high)
        if log_delta(sensitivity / middle, epsilon) <= math.log(delta):
            high = middle
        else:
            low = middle
    return high
