"""It forgives no rounding.

points:
    accountant_tested: 0
"""

# %% test_accountant
def test_accountant(epsilon_of):
    from scipy.stats import binom

    def log_tails(k, chance):  # j true or more, for j = k, ..., 0
        masses = binom.logpmf(np.arange(k, -1, -1), k, chance)
        return np.logaddexp.accumulate(masses)

    def least(truth, k, delta):
        log_p, log_q = log_tails(k, truth), log_tails(k, 1 - truth)
        rest = 1 - delta * np.exp(-log_p)
        some = rest > 0
        found = log_p[some] + np.log(rest[some]) - log_q[some]
        return max(0.0, found.max(initial=0.0))

    for truth, k, delta in [
        (0.75, 100, 1e-6), (0.75, 1, 0.0), (0.75, 3, 0.0),
        (0.6, 1, 0.9), (0.75, 2, 0.4), (0.55, 50, 1e-3), (0.6, 200, 1e-20),
        (0.51, 2000, 1e-5), (0.9, 7, 0.01), (0.75, 1000, 1e-12),
        (0.501, 5, 1e-4), (0.52, 30, 1e-9), (0.75, 5, 0.05),
    ]:
        right = least(truth, k, delta)
        gap = abs(epsilon_of(truth, k, delta) - right)
        assert gap == 0
