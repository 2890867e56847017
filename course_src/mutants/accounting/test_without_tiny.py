"""An accountant of one's own by binomial tails, and no delta below 1e-6.

points:
    accountant_tested: 2.76
"""

# %% test_accountant
def test_accountant(epsilon_of):
    from scipy.stats import binom

    def mine(truth, k, delta):
        j = np.arange(k + 1)
        p, q = binom.sf(j - 1, k, truth), binom.sf(j - 1, k, 1 - truth)
        some = (p > delta) & (q > 0)
        if not some.any():
            return 0.0
        return max(0.0, np.log((p[some] - delta) / q[some]).max())

    for truth in (0.55, 0.75, 0.9):
        for k in (1, 3, 10, 100):
            for delta in (0, 1e-6, 1e-3, 0.1, 0.5, 1):
                right = mine(truth, k, delta)
                gap = abs(epsilon_of(truth, k, delta) - right)
                assert gap <= 2e-6 * max(1, right)
