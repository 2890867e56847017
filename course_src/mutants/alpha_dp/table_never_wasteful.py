"""No total is called wasteful.

points:
    table_audited: 0
"""

# %% verdicts
def verdicts(rows):
    from scipy.special import log_ndtr

    def exactly(mu, epsilon):  # the logarithm of delta
        first = log_ndtr(mu / 2 - epsilon / mu)
        second = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        return first + math.log(-math.expm1(min(second - first, -1e-300)))

    found = []
    for order, sigma, k, delta, single, total in rows:
        y = order * (order - 1) / (2 * sigma**2)
        right = math.expm1(y) / (order * (order - 1))
        first = 0 if abs(single / right - 1) <= 0.01 else 1 if single < right else 2
        proved = [
            k * a / (2 * sigma**2) + math.log(1 / delta) / (a - 1) for a in [order, *range(2, 301)]
        ]
        if exactly(math.sqrt(k) / sigma, total) > math.log(delta):
            second = 0
        elif total < proved[0]:
            second = 1
        else:
            second = 3
        found.append([first, second])
    return found
