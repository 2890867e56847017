"""Both reaches are added by their squares.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    return math.hypot(norm.isf(miss / 2) * sampling, scale * math.log(1 / miss))
