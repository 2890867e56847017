"""A bisection that stops at twelve digits after the point.

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    if mean >= loss:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        r = (low + high) / 2
        kl = r * loss + (1 - r) * (math.log1p(-r) - math.log1p(-r * math.exp(-loss)))
        low, high = (r, high) if kl <= mean else (low, r)
    return low
