"""A design by the textbook formula for Gaussian noise.

points:
    counts_design: 2
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Gaussian", "sigma": math.sqrt(2 * k * math.log(1.25 / delta)) / epsilon}
