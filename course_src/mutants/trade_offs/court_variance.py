"""Returns the variance.

points:
    court_design: 0
"""

# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.stats import norm

    factor = sure / (1 - sure) * (1 - share) / share
    mu = norm.ppf(factor * alarms) - norm.ppf(alarms)
    return float(k / mu**2)
