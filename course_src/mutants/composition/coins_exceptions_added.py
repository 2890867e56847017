"""The exceptions are added up.

points:
    coins_exactly: 2.66
"""

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    from scipy.special import gammaln

    n = np.arange(k + 1.0)
    log_true = -np.log1p(np.exp(-step_epsilon))
    log_false = log_true - step_epsilon
    logs = gammaln(k + 1) - gammaln(n + 1) - gammaln(k - n + 1) + n * log_true + (k - n) * log_false
    gap = (2 * n - k) * step_epsilon - epsilon
    logs, gap = logs[gap > 0], gap[gap > 0]
    coins = float(np.sum(np.exp(logs) * -np.expm1(-gap)))
    return min(1, k * step_delta + coins)
