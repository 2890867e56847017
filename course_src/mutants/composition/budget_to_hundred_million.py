"""The search ends at a hundred millions.

points:
    budget_filled: 0
"""

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    def fits(k):
        slack = delta - k * step_delta
        if slack < 0:
            return False
        if k * step_epsilon <= epsilon:
            return True
        drift = k * step_epsilon * math.tanh(step_epsilon / 2)
        return slack > 0 and drift + step_epsilon * math.sqrt(2 * k * math.log(1 / slack)) <= epsilon

    low, high = 0, 100_000_000
    while high > low:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
