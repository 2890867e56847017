"""A design is handed in as a pair, not as a dict.

points:
    counts_design: 0
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return "Gaussian", math.sqrt(2 * k * math.log(1.25 / delta)) / epsilon
