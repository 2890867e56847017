"""2.12 standard deviations.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    return 2.12 * math.hypot(sampling, math.sqrt(2) * scale)
