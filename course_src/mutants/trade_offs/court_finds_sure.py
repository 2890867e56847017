"""`sure` is taken for the share that is found.

points:
    court_design: 0
"""

# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.stats import norm

    factor = sure / alarms
    mu = norm.ppf(factor * alarms) - norm.ppf(alarms)
    return float(np.sqrt(k) / mu)
