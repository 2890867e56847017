"""The sum is taken for normal.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    return norm.isf(miss / 2) * math.hypot(sampling, math.sqrt(2) * scale)
