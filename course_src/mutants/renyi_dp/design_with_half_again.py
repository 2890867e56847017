"""A design with a good third more noise than is needed.

points:
    counts_design: 1
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    sigma = 1.12 * math.sqrt(2 * k * math.log(1.25 / delta)) / epsilon
    return {"mechanism": "Gaussian", "sigma": sigma}
