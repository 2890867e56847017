"""The sum of the losses is taken for normal.

points:
    coins_exactly: 0
"""

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    from scipy.stats import norm

    mean = k * step_epsilon * math.tanh(step_epsilon / 2)
    mu = math.sqrt(2 * mean)
    coins = norm.sf(epsilon / mu - mu / 2) - math.exp(min(700, epsilon) + norm.logsf(epsilon / mu + mu / 2))
    return -math.expm1(k * math.log1p(-step_delta) + math.log1p(-coins))
