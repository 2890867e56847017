"""The probability of a loss above ε.

points:
    coins_exactly: 0
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
    coins = float(np.sum(np.exp(logs) * 1))
    return -math.expm1(k * math.log1p(-step_delta) + math.log1p(-coins))
