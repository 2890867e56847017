"""The noise is forgotten.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    return sampling * norm.isf(miss / 2)
