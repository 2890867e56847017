"""A pair of numbers in the place of the dict.

points:
    noise_planned: 0
"""

# %% noise_for_lists
def noise_for_lists():
    unit = 8.0576185  # the least deviation for sensitivity 1
    textbook = math.sqrt(2 * math.log(1.25e6)) / 0.5
    return [unit, unit]
