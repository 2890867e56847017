"""The order 64 is left out.

points:
    noise_calibrated: 0
"""

# %% enough_noise
def enough_noise(rate, steps, epsilon, delta):
    from scipy.special import gammaln

    def bill(sigma):
        found = []
        for order in range(2, 64):
            if rate == 1:
                each = order / (2 * sigma**2)
            else:
                j = np.arange(order + 1)
                terms = gammaln(order + 1) - gammaln(j + 1)
                terms = terms - gammaln(order - j + 1)
                terms = terms + (order - j) * math.log1p(-rate)
                terms = terms + j * math.log(rate)
                terms = terms + j * (j - 1) / (2 * sigma**2)
                top = terms.max()
                total = math.log(np.exp(terms - top).sum())
                each = (top + total) / (order - 1)
            start = math.log(1 / delta) / (order - 1)
            found.append(steps * each + start)
        return min(found)

    low, high = 0.1, 1000.0  # not enough, and enough
    while high > low * (1 + 1e-5):
        middle = math.sqrt(low * high)
        if bill(middle) <= epsilon:
            high = middle
        else:
            low = middle
    return high
