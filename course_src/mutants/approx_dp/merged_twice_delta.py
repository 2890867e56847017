"""Tail and delta are added.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    return min(1.0, sum(2 * a - math.exp(epsilon) * b for a, b in zip(p, q) if a > math.exp(epsilon) * b))
