"""The mean is taken to grow in proportion to r.

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    return min(1.0, mean / (loss - 1 + math.exp(-loss)))
