"""The mean of the absolute losses.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    return sum(a * abs(math.log(a / b)) if b else math.inf for a, b in zip(p, q) if a > 0)
