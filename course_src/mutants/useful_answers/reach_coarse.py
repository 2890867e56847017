"""The average over the sampling error is taken on eleven points.

points:
    reach_found: 0
"""

# %% reach
def reach(sampling, scale, miss):
    from scipy.optimize import brentq
    from scipy.stats import norm

    z = np.linspace(-2.5, 2.5, 11)
    weights = norm.pdf(z) / norm.pdf(z).sum()

    def beyond(w):
        x = (w - sampling * z) / scale
        tail = np.exp(-np.abs(x)) / 2
        return (weights * np.where(x > 0, tail, 1 - tail)).sum() - miss / 2

    return brentq(beyond, 0, 100 * (sampling + scale))
