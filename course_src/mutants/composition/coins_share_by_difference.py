"""P less e^ε Q with scipy, in which e^ε overflows and digits cancel.

points:
    coins_exactly: 3.33
"""

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    from scipy.stats import binom

    first = math.floor((k + epsilon / step_epsilon) / 2)
    truth = 1 / (1 + math.exp(-step_epsilon))
    coins = binom.sf(first, k, truth) - np.exp(epsilon) * binom.sf(first, k, 1 - truth)
    return -math.expm1(k * math.log1p(-step_delta) + math.log1p(-coins))
