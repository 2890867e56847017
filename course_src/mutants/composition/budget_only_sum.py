"""Only adding up.

points:
    budget_filled: 0
"""

# %% answers_that_fit
def answers_that_fit(step_epsilon, step_delta, epsilon, delta):
    k = math.floor(epsilon / step_epsilon)
    return min(k, math.floor(delta / step_delta)) if step_delta else k
