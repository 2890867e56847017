"""The scale is taken for the standard deviation.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.stats import norm

    from scipy.optimize import brentq

    z = np.linspace(-9, 9, 20_001)
    weights = norm.pdf(z) * (z[1] - z[0])

    def beyond(w, scale):
        x = (w - sampling * z) / scale
        return float(np.where(x > 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2) @ weights)

    return brentq(lambda w: beyond(w, scale / math.sqrt(2)) - miss / 2, 0, 50 * (sampling + scale))
