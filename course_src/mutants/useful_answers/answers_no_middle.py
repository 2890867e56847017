"""The middle is not subtracted.

points:
    answers_released: 0
"""

# %% two_answers
def two_answers(values, low, high, part, epsilon, rng):
    middle = 0
    total = sum(min(high, max(low, value)) - middle for value in values)
    in_sum = max(abs(low), abs(high)) / (part * epsilon)
    in_count = 1 / ((1 - part) * epsilon)
    return [total + rng.laplace(0.0, in_sum), len(values) + rng.laplace(0.0, in_count)]
