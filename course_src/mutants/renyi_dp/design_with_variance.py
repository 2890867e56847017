"""A design that hands in the variance as sigma.

points:
    counts_design: 0
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    log_term = math.log(1 / delta)
    rho = (math.sqrt(log_term + epsilon) - math.sqrt(log_term)) ** 2
    return {"mechanism": "Gaussian", "sigma": k / (2 * rho)}
