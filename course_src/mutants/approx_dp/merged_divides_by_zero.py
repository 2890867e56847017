"""Divides by p, also where it is 0.

points:
    claim_after_merging: 0
"""

# %% worst_tail
def worst_tail(p, q, epsilon):
    total, slack = 0.0, 0.0
    for a, b in sorted(zip(p, q), key=lambda pair: pair[1] / pair[0]):
        surplus = a - math.exp(epsilon) * b
        if surplus + slack >= 0:
            total, slack = total + a, slack + surplus
        else:
            total, slack = total + a * slack / -surplus, 0.0
    return min(1.0, total)
