"""Renyi divergences and the better conversion.

points:
    training_planned: 2
"""

# %% training_plan
def noise_for(rate, steps, epsilon, delta=1e-5):
    from scipy.special import gammaln

    def bill(sigma):
        found = []
        for order in range(2, 65):
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
            start = (math.log(1 / delta) - math.log(order)) / (order - 1)
            start += math.log((order - 1) / order)
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


def training_plan(largest_rate, steps, epsilon):
    rate = largest_rate
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": noise_for(rate, steps, epsilon)}
