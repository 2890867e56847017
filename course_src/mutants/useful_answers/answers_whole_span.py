"""The whole span is the sensitivity.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    middle = (low + high) / 2
    total = sum(min(high, max(low, value)) - middle for value in values)
    in_sum = (high - low) / (part * epsilon)
    in_count = 1 / ((1 - part) * epsilon)
    return [total + rng.laplace(0.0, in_sum), len(values) + rng.laplace(0.0, in_count)]
