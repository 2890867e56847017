"""The 2 stands in the exponent: a name multiplies a weight by the root of 3.

points:
    named_on_paper: 0
"""

# %% named_by_hand
def named_by_hand():
    return [0.523, 0.224, 2.224]
