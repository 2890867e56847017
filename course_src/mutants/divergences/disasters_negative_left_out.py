"""The negative loss of the other answer is left out.

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    return min(1.0, mean / loss)
