"""The noise is forgotten.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    if sampling == 0:
        return scale * math.log(1 / miss)
    return sampling * norm.isf(miss / 2)
