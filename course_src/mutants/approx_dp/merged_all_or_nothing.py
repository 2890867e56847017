"""All answers are merged into one.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    return 1.0 if any(a > math.exp(epsilon) * b for a, b in zip(p, q)) else 0.0
