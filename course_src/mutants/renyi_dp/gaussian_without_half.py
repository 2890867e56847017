"""The Gaussian line without the factor 1/2.

points:
    gaussian_curve: 0
"""

# %% gaussian_renyi
def gaussian_renyi(sigma, sensitivity, order):
    if sensitivity == 0:
        return 0.0
    return order * (sensitivity / sigma) ** 2
