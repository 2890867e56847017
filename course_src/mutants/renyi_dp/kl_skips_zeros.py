"""Outcomes that q cannot have are left out of the sum instead of making it infinite.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    return sum(x * math.log(x / y) for x, y in zip(p, q) if x > 0 and y > 0)
