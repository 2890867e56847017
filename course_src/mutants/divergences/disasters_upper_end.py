"""The upper end of a short search, at which the mean is not kept.

points:
    disasters_hidden: 0
"""

# %% disasters
def disasters(mean, loss):
    if mean >= loss:
        return 1.0
    r = mean / loss
    def kl(r):
        return r * loss + (1 - r) * (math.log1p(-r) - math.log1p(-r * math.exp(-loss)))
    while r < 1 and kl(r) <= mean:
        r *= 1.0005
    return min(r, 1.0)
