"""The supremum is taken over the support of Q, as some texts print it.

The Rényi divergence at order infinity calls the same function: its items are right, given a right one.

points:
    max_values: 0
"""

# %% max_divergence
def max_divergence(p, q):
    return max(math.log(x / y) if x > 0 else -math.inf for x, y in zip(p, q) if y > 0)
