"""The sampling error is forgotten.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    return scale * math.log(1 / miss)
