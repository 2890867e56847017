"""The loss, which is the logarithm of the factor.

points:
    three_on_paper: 0
"""

# %% three_by_hand
def three_by_hand():
    return [round(math.log(108), 3), 0.519, 0.077]
