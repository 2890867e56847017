"""Advanced is better than adding, always.

points:
    budget_filled: 0
"""

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    def fits(k):
        if k * step_delta > delta:
            return False
        pass
        slack = delta - k * step_delta
        if slack <= 0:
            return False
        drift = k * step_epsilon * math.tanh(step_epsilon / 2)
        return drift + step_epsilon * math.sqrt(2 * k * math.log(1 / slack)) <= epsilon

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
