"""The odds after the answer on the line, not after all beyond it.

points:
    court_design: 0
"""

# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.stats import norm

    z = norm.isf(alarms)
    wanted = math.log(sure / (1 - sure) * (1 - share) / share)
    root = z * z - 2 * wanted
    mu = z - math.sqrt(root) if root > 0 else z
    return math.sqrt(k) / mu
