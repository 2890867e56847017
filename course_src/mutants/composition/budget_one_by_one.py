"""It counts one by one, a million at most.

points:
    budget_filled: 0
"""

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    k = 0
    while k < 1_000_000:
        n = k + 1
        slack = delta - n * step_delta
        if slack < 0:
            break
        summed = n * step_epsilon <= epsilon
        if not summed:
            if slack == 0:
                break
            drift = n * step_epsilon * math.tanh(step_epsilon / 2)
            if drift + step_epsilon * math.sqrt(2 * n * math.log(1 / slack)) > epsilon:
                break
        k = n
    return k
