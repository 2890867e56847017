"""The formula as it stands, which overflows.

points:
    coins_exactly: 2
"""

# %% delta_of_answers
def delta_of_answers(step_epsilon, step_delta, k, epsilon):
    truth = math.exp(step_epsilon) / (1 + math.exp(step_epsilon))
    coins = 0.0
    for n in range(k + 1):
        loss = (2 * n - k) * step_epsilon
        if loss > epsilon:
            coins += math.comb(k, n) * truth**n * (1 - truth) ** (k - n) * (1 - math.exp(epsilon - loss))
    return 1 - (1 - step_delta) ** k * (1 - coins)
