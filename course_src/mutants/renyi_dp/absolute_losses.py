"""The largest absolute value of a loss: also that of an outcome which p makes rarer.

The Rényi divergence at order infinity calls the same function: its items are right, given a right one.

points:
    max_values: 0
"""

# %% max_divergence
def max_divergence(p, q):
    return max(math.inf if b == 0 else abs(math.log(a / b)) for a, b in zip(p, q) if a > 0)
