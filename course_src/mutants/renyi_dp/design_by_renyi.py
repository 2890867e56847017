"""A design by the conversion of Rényi DP: sound, not the least noise.

points:
    counts_design: 2
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    log_term = math.log(1 / delta)
    rho = (math.sqrt(log_term + epsilon) - math.sqrt(log_term)) ** 2
    return {"mechanism": "Gaussian", "sigma": math.sqrt(k / (2 * rho))}
