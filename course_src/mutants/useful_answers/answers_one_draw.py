"""One draw for both.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    middle = (low + high) / 2
    total = sum(min(high, max(low, value)) - middle for value in values)
    in_sum = (high - low) / 2 / (part * epsilon)
    in_count = 1 / ((1 - part) * epsilon)
    return [total + in_sum * (z := rng.laplace()), len(values) + in_count * z]
