"""An exponential of the losses.

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    return min(1.0, math.exp(mean - loss))
