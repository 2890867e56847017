"""A bound by the theorem, with t = log 2.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    return min(1.0, 2 * sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q)))
