"""KL(Q || P), in the place of KL(P || Q).

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    low, high = 0.0, 1.0 - 1e-15
    for _ in range(100):
        r = (low + high) / 2
        s = r * math.exp(-loss)
        kl = -s * loss + (1 - s) * (math.log1p(-s) - math.log1p(-r))
        low, high = (r, high) if kl <= mean else (low, r)
    return low
