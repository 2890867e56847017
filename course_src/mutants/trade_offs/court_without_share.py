"""What was known before is left out.

points:
    court_design: 0
"""

# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.stats import norm

    factor = sure / (1 - sure)
    mu = norm.ppf(factor * alarms) - norm.ppf(alarms)
    return float(np.sqrt(k) / mu)
