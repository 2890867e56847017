"""The search for sigma goes to 1,000 only.

points:
    court_design: 0
"""

# %% sigma_for_court
def sigma_for_court(k, share, alarms, sure):
    from scipy.special import ndtr, ndtri

    def too_sure(sigma):
        found = ndtr(ndtri(alarms) + math.sqrt(k) / sigma)
        return found * share / (found * share + alarms * (1 - share)) > sure

    low, high = 1e-3, 1000.0
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if too_sure(middle) else (low, middle)
    return high
