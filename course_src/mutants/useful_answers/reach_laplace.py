"""The sum is taken for Laplace noise.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    return math.log(1 / miss) / math.sqrt(2) * math.hypot(sampling, math.sqrt(2) * scale)
