"""Nothing is merged.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    return sum(a for a, b in zip(p, q) if a > math.exp(epsilon) * b)
