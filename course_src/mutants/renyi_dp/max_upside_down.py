"""The loss of the max divergence is upside down.

points:
    max_values: 0
"""

# %% max_divergence
def max_divergence(p, q):
    return max(math.log(b / a) if b else math.inf for a, b in zip(p, q) if a > 0)
