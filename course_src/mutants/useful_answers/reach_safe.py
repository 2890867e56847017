"""The larger of the two factors.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    factor = max(norm.isf(miss / 2), math.log(1 / miss) / math.sqrt(2))
    return factor * math.hypot(sampling, math.sqrt(2) * scale)
