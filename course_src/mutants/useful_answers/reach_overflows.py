"""By the formula, whose exponential leaves the floats.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    from scipy.optimize import brentq

    r = sampling / scale

    def excess(t):
        factor = math.exp(r * r / 2)
        down = factor * math.exp(-t * r) * norm.cdf(t - r)
        up = factor * math.exp(t * r) * norm.cdf(-t - r)
        return norm.sf(t) + (down - up) / 2 - miss / 2

    return sampling * brentq(excess, 0, 10 * (1 + 1 / r))
