"""1.96 standard deviations.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    return 1.96 * math.hypot(sampling, math.sqrt(2) * scale)
