"""Delta outside of the logarithm.

points:
    noise_enough: 0
"""

# %% enough_noise
def enough_noise(sensitivity, epsilon, delta):
    return sensitivity * math.sqrt(2 * math.log(1.25) / delta) / max(epsilon, 1e-9)
