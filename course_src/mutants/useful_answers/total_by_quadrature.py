"""The means are integrals, which are worked out numerically in one piece.

points:
    total_expected: 0
"""

# %% published_total
def published_total(counts, epsilon, least):
    from scipy.integrate import quad
    from scipy.stats import laplace

    b = 1 / epsilon
    total = sum(quad(lambda y: y * laplace.pdf(y, c, b), least, max(least, c) + 60 * b)[0] for c in counts)
    return [total - sum(counts), counts.count(0) * laplace.sf(least, scale=b)]
