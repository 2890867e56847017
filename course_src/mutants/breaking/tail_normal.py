"""Normal noise on the real line.

points:
    tail_in_logs: 0
"""

# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    from scipy.stats import norm
    mu = sensitivity / sigma
    one = norm.logcdf(mu / 2 - epsilon / mu)
    other = epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
    return one + math.log(-math.expm1(other - one))
