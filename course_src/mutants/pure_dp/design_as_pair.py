"""A pair of numbers, where a design is asked for.

points:
    households_design: 0
"""

# %% noise_for_households
def noise_for_households():
    return [32.0, 96.0]
